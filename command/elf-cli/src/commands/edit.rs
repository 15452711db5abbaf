//! `elf edit`: edits the structures that the arguments name and leaves every other line unchanged.

use crate::args::{Edit as Args, Format};
use crate::commands::write_to;
use crate::console::Console;
use crate::exit::Exit;
use crate::findings::Findings;
use crate::io as files;
use crate::reading;
use crate::schemas::Schemas;
use elf_base::{Diagnostic, Excerpt, Sink, Tally, codes};
use elf_check::{Check, Report};
use elf_edit::{Cascaded, Edit, EditError, EditOptions, Edited, Editor};
use elf_report::json::{self, EditSummary, Event};
use elf_report::{counted, diff};
use elf_schema::{PathTypes, Typing};
use elf_tagged::elf_octets::Patch;
use elf_tagged::path::FindError;
use elf_tagged::{Document, Source};
use std::cell::RefCell;
use std::io::{self, Write};
use std::path::Path;

pub(crate) fn run(args: &Args, console: &mut Console) -> Exit {
    if let Some(problem) = find_contradiction(args) {
        console.print_error(problem);
        return Exit::Failed;
    }
    match args.format {
        // The sink accepts everything, so there is no error.
        Format::Human => edit_and_report(args, &mut io::sink(), console).unwrap_or(Exit::Failed),
        Format::Json => write_to(None, console, |out, console| edit_and_report(args, out, console)),
    }
}

/// Returns what is wrong with the combination of arguments, if anything.
fn find_contradiction(args: &Args) -> Option<&'static str> {
    if let Some(reason) = args.in_place.then(|| files::in_place_obstacle(&args.file)).flatten() {
        return Some(reason);
    }
    let standard = !args.in_place && args.output.as_deref().is_none_or(files::is_standard);
    match args.format {
        Format::Human => None,
        Format::Json if args.diff => Some("`--diff` cannot be combined with `--format json`"),
        Format::Json => standard
            .then_some("the edited file and JSON cannot both go to standard output: name a file with `-o`"),
    }
}

/// Edits the file. With JSON, prints the summary to `out` at the end.
fn edit_and_report(args: &Args, out: &mut impl Write, console: &mut Console) -> io::Result<Exit> {
    let name = reading::display_name(&args.file);
    let mut summary = EditSummary { file: &name, edits: args.edits.0.len(), ..EditSummary::default() };
    let exit = match args.edits.0.is_empty() {
        true => copy_unedited(args, console),
        false => edit_file(args, &mut summary, out, console)?,
    };
    if args.format == Format::Json && exit != Exit::Failed {
        json::write_summary(out, &summary)?;
    }
    Ok(exit)
}

/// Reads the file, applies the edits, prints the problems that they introduce, and writes the edited file.
fn edit_file(
    args: &Args,
    summary: &mut EditSummary<'_>,
    out: &mut impl Write,
    console: &mut Console,
) -> io::Result<Exit> {
    let Some(octets) = reading::read_file(&args.file, console) else { return Ok(Exit::Failed) };
    let schemas = match Schemas::from_args(&args.reading, console) {
        Ok(schemas) => schemas,
        Err(exit) => return Ok(exit),
    };
    console.show_progress(&format!("editing {}", summary.file));
    let rules = args.reading.rules();
    let reading = schemas.read_options(args.encoding).with_vendor_tags(false);
    let check =
        Check { each_undefined: true, options: reading.clone().with_check_values(true), ..Check::new(rules) };
    let unchecked: RefCell<Option<io::Error>> = RefCell::new(None);
    let findings_about = |octets: &[u8]| -> Vec<Diagnostic> {
        let checked = check.check(octets);
        let report = checked.unwrap_or_else(|error| {
            unchecked.replace(Some(error));
            Report::default()
        });
        report.findings.into_iter().map(|finding| finding.diagnostic).collect()
    };
    let mut of_reading: Vec<Diagnostic> = Vec::new();
    let (document, typing) = match elf_schema::read(&octets, rules, &reading, &mut of_reading) {
        Ok(typed) => typed.into_parts(),
        Err(error) => {
            console.print_unreadable(&args.file, &error.to_string());
            return Ok(Exit::Failed);
        }
    };
    let editor = match apply_edits(args, &document, &typing) {
        Ok(editor) => editor,
        Err(reason) => {
            console.clear_progress();
            console.print_error(&reason);
            return Ok(Exit::Failed);
        }
    };
    // The edited file gets types of its own.
    drop(typing);
    let mut findings: Vec<Diagnostic> = Vec::new();
    let finished = editor.finish_with(
        || Ok(findings_about(&octets)),
        |octets, sink| {
            findings_about(octets).into_iter().for_each(|finding| sink.report(finding));
            Ok(elf_schema::read(octets, rules, &reading, &mut ())?.into_parts().0)
        },
        &mut findings,
    );
    if let Some(error) = unchecked.into_inner() {
        console.print_unreadable(&args.file, &crate::io::describe_error(&error));
        return Ok(Exit::Failed);
    }
    let leaves_unresolved = findings.iter().any(|finding| finding.code == codes::POINTER_DANGLING);
    print_findings(args, findings, summary, out, console)?;
    let edited = match finished {
        Ok(edited) => edited,
        Err(error) => {
            console.print_error(&format!("cannot edit {}: {error}", summary.file));
            return Ok(Exit::Failed);
        }
    };
    let cascaded = editor.cascaded();
    summary.cascaded = cascaded.len() as u64;
    print_cascaded(args, &cascaded, summary.file, out, console)?;
    note_removed_lines(&of_reading, document.source(), &edited, console);
    if edited.faults > 0 {
        console.print_note("your edits introduced the problems above");
    }
    if leaves_unresolved && !args.cascade && args.edits.removes() {
        console.print_note("`--cascade` also removes the pointers to removed structures");
    }
    let written = write_edited(args, document.source(), &edited, console);
    let has_faults = written == Exit::Clean && edited.faults > 0;
    Ok(if has_faults { Exit::Problems } else { written })
}

/// Applies the edits in their order.
///
/// # Errors
///
/// The first edit that cannot be applied, and why.
fn apply_edits<'d>(args: &Args, document: &'d Document<'d>, typing: &Typing) -> Result<Editor<'d>, String> {
    let options = EditOptions::new()
        .with_escapes(!args.no_escapes)
        .with_create(args.create)
        .with_cascade(args.cascade)
        .with_dangling(args.dangling);
    let mut editor = Editor::new(document).with_options(options);
    let mut types = PathTypes::new(typing, document.rules());
    for (text, edit) in &args.edits.0 {
        let made = editor.apply(edit, &mut types);
        made.map_err(|error| {
            format!("cannot make the edit `{text}`: {error}{}", help_for(&error, edit, args))
        })?;
    }
    Ok(editor)
}

/// Suggests another option for an edit that cannot be applied.
fn help_for(error: &EditError, edit: &Edit, args: &Args) -> &'static str {
    match error {
        EditError::XrefUnknown { .. } if !matches!(edit, Edit::Rename(..)) => {
            "; use `--dangling` to create an unresolved pointer, or `--text` to set text"
        }
        EditError::Path(FindError::NotFound { path, .. }) if !path.contains('/') => help_for_record(path),
        EditError::Path(FindError::NotFound { path, .. }) if path.chars().any(char::is_lowercase) => {
            "; write tags in capitals, such as `BIRT/DATE`"
        }
        EditError::Path(FindError::NotFound { .. }) if !args.create && can_create(edit) => {
            "; `--create` creates missing structures"
        }
        EditError::CharacterEncoding => "; use `elf convert` to change the encoding",
        _ => "",
    }
}

/// Suggests another path if the first step of one matches no record. `--create` does not create records with
/// identifiers.
fn help_for_record(step: &str) -> &'static str {
    let has_digits = step.chars().any(|c| c.is_ascii_digit());
    match step.starts_with('@') {
        true => "; `--insert \"@ID@ INDI=\"` adds a record with this identifier",
        false if has_digits => "; write an identifier between at signs, such as `@I1@`",
        false if step.chars().any(char::is_lowercase) => "; write tags in capitals, such as `INDI[1]`",
        false => "",
    }
}

/// Prints the findings that the edits introduce, and counts them.
fn print_findings(
    args: &Args,
    findings: Vec<Diagnostic>,
    summary: &mut EditSummary<'_>,
    out: &mut impl Write,
    console: &mut Console,
) -> io::Result<()> {
    let mut printer = Findings::new(summary.file, args.format, console, out);
    let mut tally = Tally::new(|finding: Diagnostic| printer.report(finding));
    findings.into_iter().for_each(|finding| tally.report(finding));
    let Tally { malformed, non_conformant, deprecated, advice, .. } = tally;
    printer.finish()?;
    console.clear_progress();
    *summary = EditSummary { malformed, non_conformant, deprecated, advice, ..*summary };
    Ok(())
}

/// Prints a note about each removed line that was read as a continuation of an edited payload. It may be a damaged line
/// of another structure.
fn note_removed_lines(
    of_reading: &[Diagnostic],
    source: &Source<'_>,
    edited: &Edited<'_>,
    console: &mut Console,
) {
    let raw = of_reading.iter().filter(|finding| finding.code == codes::LINE_BREAK_RAW);
    for line in raw.filter_map(|finding| Some(finding.place?.line)) {
        let Some(text) = source.line_text(line) else { continue };
        let stays = |patch: &Patch| patch.with.lines().any(|new| new == text);
        if edited.patches.iter().any(|patch| patch.lines.contains(&line) && !stays(patch)) {
            let text = Excerpt::short(text);
            console.print_note(&format!(
                "also removed line {line}, which is read as text of the changed payload: `{text}`"
            ));
        }
    }
}

/// Prints the structures that were removed because they pointed to a removed structure.
fn print_cascaded(
    args: &Args,
    cascaded: &[Cascaded],
    file: &str,
    out: &mut impl Write,
    console: &mut Console,
) -> io::Result<()> {
    for Cascaded { path, line, structures, .. } in cascaded {
        if args.format == Format::Json {
            json::write_line(out, &Event::Cascaded { path, file, line: *line, structures: *structures })?;
            continue;
        }
        let line = line.map_or_else(String::new, |line| format!(" (line {line})"));
        let beneath = match structures - 1 {
            0 => String::new(),
            count => format!(" with {} under it", counted(count, "structure")),
        };
        console.print_note(&format!(
            "also removed `{path}`{line}{beneath}, because it pointed to a removed structure"
        ));
    }
    Ok(())
}

/// Writes the edited file or, if the arguments ask for it, the differences.
fn write_edited(args: &Args, source: &Source<'_>, edited: &Edited<'_>, console: &mut Console) -> Exit {
    let Edited { octets, patches, .. } = edited;
    if args.diff {
        return write_to(args.output.as_deref(), console, |out, _| {
            let (coloured, removed) = (out.is_coloured(), diff::removed_lines(source, patches));
            diff::write(out, &reading::display_name(&args.file), removed, patches, coloured)?;
            Ok(Exit::Clean)
        });
    }
    // An unchanged file keeps its modification time.
    if args.in_place && patches.is_empty() {
        return Exit::Clean;
    }
    write_to(output_path(args), console, |out, _| out.write_all(octets).map(|()| Exit::Clean))
}

/// Copies the file without reading its content, because there are no edits.
fn copy_unedited(args: &Args, console: &mut Console) -> Exit {
    let path = &*args.file;
    let opened = match files::find_source(path) {
        Ok(files::Source::File(path)) => {
            files::open_to_copy(&path).map_err(|error| files::describe_error(&error))
        }
        Ok(source) => {
            return match reading::read_source(path, &source, console) {
                Some(_) if args.diff => Exit::Clean,
                Some(octets) => write_to(output_path(args), console, |out, _| {
                    out.write_all(&octets).map(|()| Exit::Clean)
                }),
                None => Exit::Failed,
            };
        }
        Err(reason) => Err(reason),
    };
    let input = match opened {
        Ok(input) => input,
        Err(reason) => {
            console.print_unreadable(path, &reason);
            return Exit::Failed;
        }
    };
    if args.in_place || args.diff {
        return Exit::Clean;
    }
    write_to(args.output.as_deref(), console, |out, _| out.copy(input).map(|()| Exit::Clean))
}

/// Returns whether `--create` would create the missing structures along the path of an edit.
fn can_create(edit: &Edit) -> bool {
    matches!(edit, Edit::Set(..) | Edit::Insert(..))
}

/// The path of the edited file; `None` for standard output.
fn output_path(args: &Args) -> Option<&Path> {
    if args.in_place { Some(&args.file) } else { args.output.as_deref() }
}
