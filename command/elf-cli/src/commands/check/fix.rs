//! `elf check --fix`: fixes what can be fixed and reports the rest.

use super::report::{Checked, Report};
use crate::args::{Check, ConfigOptions};
use crate::baseline::BaselineUse;
use crate::commands::destination::{Destinations, OutputArgs};
use crate::commands::write_to;
use crate::config::{FileToCheck, Settings};
use crate::console::Console;
use crate::exit::Exit;
use crate::io::{self, Output, is_standard};
use crate::reading;
use elf_check::{FixError, Fixed, Keep, RefusedFinding, SHOWN_PER_CODE};
use elf_edit::{FileRefusal, Refusal, Safety};
use elf_report::diff;
use elf_report::findings::FindingFormat;
use elf_schema::ReadOptions;

/// Fixes the files, writes them, and reports the remaining findings.
pub(super) fn fix_files(
    args: &Check,
    files: &[FileToCheck],
    baseline: Option<BaselineUse>,
    options: &ReadOptions<'_>,
    console: &mut Console,
) -> Exit {
    if let Some(problem) = find_contradiction(args, files) {
        console.print_error(problem);
        return Exit::Failed;
    }
    if args.fixing.diff {
        return write_to(args.output.as_deref(), console, |out, console| {
            let mut exit = Exit::Clean;
            for file in files {
                exit = exit.max(show_fixes(file, args, options, out, console)?);
            }
            Ok(exit)
        });
    }
    let renderer = console.renderer();
    let mut report = Report::new(args, options, baseline, &renderer);
    // Standard output gets the fixed file, so the remaining findings go to standard error in every format.
    let mut out = Vec::new();
    let mut exit = if report.start(&mut out).is_ok() { Exit::Clean } else { Exit::Failed };
    let ConfigOptions { config, baseline: known, .. } = &args.configuring;
    let others = config.iter().chain(known).map(|path| &**path).chain(args.reading.schema_file());
    let output = OutputArgs {
        output: args.output.as_deref(),
        is_in_place: args.fixing.in_place,
        out_dir: args.fixing.out_dir.as_deref(),
        keeps_copy: args.fixing.backup,
    };
    let mut destinations = Destinations::new(output, files.iter().map(|file| &file.file), others);
    for file in files {
        let written = fix_and_write(file, args, options, &mut destinations, &mut report, &mut out, console);
        exit = exit.max(written.unwrap_or(Exit::Failed));
        console.print_buffer(&mut out);
    }
    if report.finish(&mut out).is_err() {
        exit = Exit::Failed;
    }
    console.print_buffer(&mut out);
    exit
}

/// Returns what is wrong with the combination of arguments, if anything.
fn find_contradiction(args: &Check, files: &[FileToCheck]) -> Option<&'static str> {
    if args.fixing.diff {
        return (args.format != FindingFormat::Human)
            .then_some("`--diff` cannot be combined with `--format`");
    }
    if !args.fixing.fix && !args.fixing.unsafe_fixes {
        return Some("`--in-place` and `--out-dir` need `--fix` or `--unsafe-fixes`");
    }
    if args.fixing.in_place {
        return args.files.iter().find(|path| is_standard(path)).and_then(|path| io::in_place_obstacle(path));
    }
    let has_place = files.len() < 2 || args.fixing.out_dir.is_some();
    (!has_place).then_some("several fixed files need `--in-place` or `--out-dir`")
}

fn fix_file(
    FileToCheck { file, settings }: &FileToCheck,
    args: &Check,
    options: &ReadOptions<'_>,
    console: &mut Console,
) -> Result<Fixed, String> {
    let meter = console.show_progress(&format!("reading {}", reading::display_name(&file.name)));
    let mut input = io::open_source(&file.source, &meter).map_err(|error| io::describe_error(&error))?;
    let most = if args.fixing.unsafe_fixes { Safety::Unsafe } else { Safety::Safe };
    settings
        .check
        .check(options, Keep::Nothing)
        .fix(&mut input, most)
        .map_err(|error| refusal_message(&error, settings))
}

/// The message why a file is not fixed.
fn refusal_message(error: &FixError, settings: &Settings) -> String {
    let has_ended = matches!(error, FixError::Refused(FileRefusal::Ended));
    let advice =
        if has_ended && !settings.check.rules.recovers() { "; `--rules wild` continues" } else { "" };
    format!("{error}{advice}")
}

/// Shows the fixes without writing a file.
fn show_fixes(
    file: &FileToCheck,
    args: &Check,
    options: &ReadOptions<'_>,
    out: &mut Output,
    console: &mut Console,
) -> std::io::Result<Exit> {
    let path = &*file.file.name;
    let fixed = fix_file(file, args, options, console);
    console.clear_progress();
    match fixed {
        Ok(fixed) if fixed.patches.is_empty() => Ok(Exit::Clean),
        Ok(fixed) => {
            let coloured = out.is_coloured();
            diff::write(out, &reading::display_name(path), fixed.removed, &fixed.patches, coloured)?;
            Ok(Exit::Problems)
        }
        Err(reason) => {
            console.print_unfixable(path, &reason);
            Ok(Exit::Failed)
        }
    }
}

/// Reports the fixes that were not applied because they would cause the given findings.
fn report_refused(name: &str, refused: &[RefusedFinding], console: &mut Console) {
    let does_harm = |one: &&RefusedFinding| one.reason != Refusal::NotPossible;
    let refused: Vec<&RefusedFinding> = refused.iter().filter(does_harm).collect();
    for RefusedFinding { diagnostic, reason, .. } in refused.iter().take(SHOWN_PER_CODE) {
        let line = diagnostic.place.map_or_else(String::new, |place| format!(":{}", place.line));
        console.print_note(&format!("{name}{line}: {} is not fixed: {reason}", diagnostic.code));
    }
    if let Some(more) = refused.len().checked_sub(SHOWN_PER_CODE).filter(|more| *more > 0) {
        console.print_note(&format!("{name}: {more} more are not fixed"));
    }
}

/// Fixes a file, writes it to its destination, and reports the remaining findings.
fn fix_and_write(
    file: &FileToCheck,
    args: &Check,
    options: &ReadOptions<'_>,
    destinations: &mut Destinations<'_>,
    report: &mut Report<'_>,
    out: &mut Vec<u8>,
    console: &mut Console,
) -> std::io::Result<Exit> {
    let path = &*file.file.name;
    let fixed = destinations
        .assign(&file.file)
        .and_then(|place| Ok((place, fix_file(file, args, options, console)?)));
    let (place, fixed) = match fixed {
        Ok(fixed) => fixed,
        Err(reason) => {
            console.clear_progress();
            console.print_unfixable(path, &reason);
            return Ok(report.add_failed(path, &reason));
        }
    };
    let mut printed = Vec::new();
    let checked = report.check_fixed(file, &fixed.bytes, fixed.count, &mut printed)?;
    report_refused(&reading::display_name(path), &fixed.refused, console);
    console.clear_progress();
    if let Checked::Unread(reason) = &checked {
        console.print_unreadable(path, reason);
        return Ok(report.add_failed(path, reason));
    }
    let written = destinations.write(&place, &fixed.bytes, !fixed.patches.is_empty(), console);
    if written != Exit::Clean {
        return Ok(report.add_failed(path, "the fixed file could not be written"));
    }
    report.print_file(file, checked, &printed, out)
}
