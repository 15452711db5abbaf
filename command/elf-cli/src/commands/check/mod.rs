//! `elf check`: reports everything that is wrong with files.

mod fix;
mod report;

use crate::args::Check;
use crate::baseline::BaselineUse;
use crate::commands::each::{Files, OrderedConsole};
use crate::commands::{IS_INPUT, list_inputs, write_to};
use crate::config::{FileToCheck, find_settings, with_slashes};
use crate::console::Console;
use crate::exit::Exit;
use crate::io::{self, FileOrMember, Listed, Output};
use crate::meter::Meter;
use crate::schemas::Schemas;
use elf_check::{Baseline, NamePattern};
use elf_report::human;
use report::{Checked, Report};
use std::io::Write;
use std::path::{Path, PathBuf};

pub(crate) fn run(args: &Check, console: &mut Console) -> Exit {
    let schemas = match Schemas::from_args(&args.reading, console) {
        Ok(schemas) => schemas,
        Err(exit) => return exit,
    };
    let options = schemas.read_options(args.encoding).with_check_values(true).with_each_undefined(args.all);
    let baseline = match BaselineUse::from_args(&args.configuring) {
        Ok(baseline) => baseline,
        Err(reason) => {
            console.print_error(&reason);
            return Exit::Failed;
        }
    };
    let except = args.fixing.out_dir.as_deref();
    let outputs: Vec<&PathBuf> = args.output.iter().chain(&args.configuring.write_baseline).collect();
    crate::threads::start_pool(args.jobs);
    let Some(mut list) = list_inputs(&args.files, except, outputs.iter().copied(), console) else {
        return Exit::Failed;
    };
    list.retain(|file| !args.exclude.iter().any(|pattern| is_excluded(file, pattern)));
    // Report errors in configurations before anything else.
    let files = match find_settings(args.into(), list, outputs) {
        Ok((files, None)) => files,
        Ok((_, Some(output))) => {
            console.print_unwritable(output, IS_INPUT);
            return Exit::Failed;
        }
        Err(error) => {
            console.print_config_error(&error);
            return Exit::Failed;
        }
    };
    if args.fixing.is_requested() {
        return fix::fix_files(args, &files, baseline, &options, console);
    }
    write_to(args.output.as_deref(), console, |out, console| {
        let renderer = human::Renderer::new(out.is_coloured(), out.terminal_width());
        let mut report = Report::new(args, &options, baseline, &renderer);
        report.start(out)?;
        let exit = check_all(&files, &mut report, out, console)?;
        let baseline = report.take_baseline();
        report.finish(out)?;
        Ok(match (baseline, &args.configuring.write_baseline) {
            (Some(baseline), Some(place)) => write_baseline(baseline, place, exit, console),
            _ => exit,
        })
    })
}

/// Returns whether a pattern matches a file: its name in messages, its path below the folder in the arguments, or the
/// last part of either.
fn is_excluded(file: &Listed, pattern: &NamePattern) -> bool {
    let FileOrMember { path, member } = file.place();
    let whole = match member {
        Some(member) => format!("{}!{member}", with_slashes(path)),
        None => with_slashes(path),
    };
    let last = |name: &str| name.rsplit(['/', '!']).next().unwrap_or_default().to_owned();
    let name = with_slashes(&file.name);
    let names = [
        last(&name),
        last(&with_slashes(path)),
        name,
        with_slashes(path),
        with_slashes(&file.packed_path_in_folder()),
        whole,
    ];
    names.iter().any(|name| pattern.is_match(name.strip_prefix("./").unwrap_or(name)))
}

/// Writes a baseline. The exit status reports only files that could not be read.
fn write_baseline(baseline: Baseline, place: &Path, exit: Exit, console: &mut Console) -> Exit {
    let written = write_to(Some(place), console, |file, _| baseline.write(file).map(|()| Exit::Clean));
    if exit == Exit::Failed { exit } else { written }
}

/// Checks the files and prints the findings.
fn check_all(
    files: &[FileToCheck],
    report: &mut Report<'_>,
    out: &mut Output,
    console: &mut Console,
) -> std::io::Result<Exit> {
    let reporter = report.reporter.clone();
    let check = |file: &FileToCheck, meter: &Meter, out: &mut dyn Write| match io::open_source(
        &file.file.source,
        meter,
    ) {
        Ok(mut input) => reporter.check_file(file, &mut input, None, out),
        Err(error) => Ok(Checked::Unread(io::describe_error(&error))),
    };
    let mut exit = Exit::Clean;
    let add = |file: &FileToCheck, checked: Checked, console: &mut OrderedConsole<'_>| {
        if let Checked::Unread(reason) = &checked {
            console.console().print_unreadable(&file.file.name, reason);
        }
        exit = exit.max(report.add_file(file, checked));
    };
    let separators = reporter.printer.separators();
    Files { list: files, doing: "checking", separators }.for_each(out, console, check, add)?;
    Ok(exit)
}
