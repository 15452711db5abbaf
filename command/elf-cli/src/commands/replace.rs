//! `elf replace`: replaces text in payloads and leaves every other line unchanged.

use crate::args::{Format, Replace};
use crate::commands::destination::{Destination, Destinations, OutputArgs};
use crate::commands::{list_inputs, write_to};
use crate::console::Console;
use crate::exit::Exit;
use crate::findings::Findings;
use crate::io::{self as files, Listed, is_standard};
use crate::reading;
use crate::schemas::Schemas;
use elf_base::{Diagnostic, Sink};
use elf_edit::{EditError, Edited, Editor, Replacement};
use elf_report::{counted, diff, json};
use elf_schema::{PathTypes, ReadOptions};
use serde::Serialize;
use std::io::{self, Write};

pub(crate) fn run(args: &Replace, console: &mut Console) -> Exit {
    let replacement = match Replacement::new(&args.from, &args.to, args.replace_options()) {
        Ok(replacement) => replacement,
        Err(error) => {
            console.print_error(&error.to_string());
            return Exit::Failed;
        }
    };
    let schemas = match Schemas::from_args(&args.reading, console) {
        Ok(schemas) => schemas,
        Err(exit) => return exit,
    };
    let Some(list) = list_inputs(&args.files, args.out_dir.as_deref(), &args.output, console) else {
        return Exit::Failed;
    };
    if let Some(problem) = find_contradiction(args, &list) {
        console.print_error(problem);
        return Exit::Failed;
    }
    let command = ReplaceCommand {
        args,
        replacement,
        options: schemas.read_options(args.encoding).with_vendor_tags(false),
    };
    match args.format {
        // The sink accepts everything, so there is no error.
        Format::Human => command.replace_in_files(&list, &mut io::sink(), console).unwrap_or(Exit::Failed),
        Format::Json => write_to(None, console, |out, console| command.replace_in_files(&list, out, console)),
    }
}

/// Returns what is wrong with the combination of arguments, if anything.
fn find_contradiction(args: &Replace, list: &[Listed]) -> Option<&'static str> {
    if args.in_place {
        return args
            .files
            .iter()
            .find(|path| is_standard(path))
            .and_then(|path| files::in_place_obstacle(path));
    }
    let has_place = args.in_place || args.out_dir.is_some();
    if list.len() > 1 && !has_place && !args.diff {
        return Some("several files need `--in-place` or `--out-dir`");
    }
    match args.format {
        Format::Human => None,
        Format::Json if args.diff => Some("`--diff` cannot be combined with `--format json`"),
        Format::Json => (!has_place && args.output.as_deref().is_none_or(is_standard))
            .then_some("the new file and JSON cannot both go to standard output: name a file with `-o`"),
    }
}

/// The last line of JSON about a file.
#[derive(Serialize)]
struct ReplaceSummary<'a> {
    file: &'a str,
    changed: u64,
}

struct ReplaceCommand<'a> {
    args: &'a Replace,
    replacement: Replacement,
    options: ReadOptions<'a>,
}

impl ReplaceCommand<'_> {
    fn replace_in_files(
        &self,
        list: &[Listed],
        out: &mut impl Write,
        console: &mut Console,
    ) -> io::Result<Exit> {
        let args = self.args;
        let others = args.reading.schema_file().into_iter();
        let output = OutputArgs {
            output: args.output.as_deref(),
            is_in_place: args.in_place,
            out_dir: args.out_dir.as_deref(),
            keeps_copy: args.backup,
        };
        let mut destinations = Destinations::new(output, list.iter(), others);
        let mut exit = Exit::Clean;
        for file in list {
            let done = match destinations.assign(file) {
                Ok(place) => self.replace_in_file(file, &destinations, &place, out, console)?,
                Err(reason) => {
                    console.print_unreadable(&file.name, &reason);
                    Exit::Failed
                }
            };
            exit = exit.max(done);
        }
        Ok(exit)
    }

    /// Replaces text in a file, prints the problems that this introduces, and writes the file.
    fn replace_in_file(
        &self,
        file: &Listed,
        destinations: &Destinations<'_>,
        place: &Destination,
        out: &mut impl Write,
        console: &mut Console,
    ) -> io::Result<Exit> {
        let name = reading::display_name(&file.name);
        let Some(bytes) = reading::read_source(&file.name, &file.source, console) else {
            return Ok(Exit::Failed);
        };
        let rules = self.args.reading.rules();
        let mut before: Vec<Diagnostic> = Vec::new();
        let typed = match elf_schema::read(&bytes, rules, &self.options, &mut before) {
            Ok(typed) => typed,
            Err(error) => {
                console.print_unreadable(&file.name, &error.to_string());
                return Ok(Exit::Failed);
            }
        };
        let (document, typing) = typed.into_parts();
        let mut types = PathTypes::new(&typing, document.rules());
        let mut editor = Editor::new(&document);
        let mut changed = 0;
        let mut findings: Vec<Diagnostic> = Vec::new();
        let replaced = self.args.places.iter().try_for_each(|places| {
            changed += editor.replace(places, &self.replacement, &mut types)?;
            Ok(())
        });
        let edited = replaced.and_then(|()| {
            editor.finish_with(
                || Ok(before),
                |bytes, sink| Ok(elf_schema::read(bytes, rules, &self.options, sink)?.into_parts().0),
                &mut findings,
            )
        });
        let edited = match edited {
            Ok(edited) => edited,
            Err(error) => {
                console.print_error(&format!("cannot replace text in {name}: {error}{}", help_for(&error)));
                return Ok(Exit::Failed);
            }
        };
        self.print_findings(&name, findings, out, console)?;
        let written = match self.args.diff {
            true => self.show_differences(&name, document.source(), &edited, console),
            false => destinations.write(place, &edited.octets, !edited.patches.is_empty(), console),
        };
        if written == Exit::Failed {
            return Ok(written);
        }
        match self.args.format {
            Format::Human => console.print_note(&format!("{name}: {} changed", counted(changed, "payload"))),
            Format::Json => json::write_summary(out, &ReplaceSummary { file: &name, changed })?,
        }
        Ok(if edited.faults > 0 { Exit::Problems } else { written })
    }

    fn print_findings(
        &self,
        name: &str,
        findings: Vec<Diagnostic>,
        out: &mut impl Write,
        console: &mut Console,
    ) -> io::Result<()> {
        let mut printer = Findings::new(name, self.args.format, console, out);
        findings.into_iter().filter(reading::is_worth_reporting).for_each(|finding| printer.report(finding));
        printer.finish()
    }

    /// Shows the lines that would change.
    fn show_differences(
        &self,
        name: &str,
        source: &elf_tagged::Source<'_>,
        edited: &Edited<'_>,
        console: &mut Console,
    ) -> Exit {
        write_to(self.args.output.as_deref(), console, |out, _| {
            let (coloured, removed) = (out.is_coloured(), diff::removed_lines(source, &edited.patches));
            diff::write(out, name, removed, &edited.patches, coloured)?;
            Ok(Exit::Clean)
        })
    }
}

fn help_for(error: &EditError) -> &'static str {
    match error {
        EditError::CharacterEncoding => "; use `elf convert` to change the encoding",
        _ => "",
    }
}
