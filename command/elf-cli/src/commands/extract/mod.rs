//! `elf extract` and `elf redact`: write a file without some of its people.

mod report;

use crate::args::{Extract, ExtractOptions, Format, Redact};
use crate::commands::{people, write_to};
use crate::config::today;
use crate::console::Console;
use crate::exit::Exit;
use crate::io::{in_place_obstacle, is_standard};
use crate::reading;
use crate::schemas::Schemas;
use elf_check::Problems;
use elf_extract::elf_edit::EditError;
use elf_extract::{Branch, Plan, Redaction, Survey};
use report::{InputProblems, LivingReport, RemovalReport};
use std::io::Write;
use std::path::Path;

pub(crate) fn extract(args: &Extract, console: &mut Console) -> Exit {
    match read_identifiers(&args.file, &args.from) {
        Ok(from) if from.is_empty() => print_failure("standard input contains no identifiers", console),
        Ok(from) => run(&args.file, &args.options, &Task::Branch(args.branch_from(from)), console),
        Err(message) => print_failure(&message, console),
    }
}

pub(crate) fn redact(args: &Redact, console: &mut Console) -> Exit {
    let redaction = match read_identifiers(&args.file, &args.keep) {
        Ok(keep) => args.redaction_keeping(keep, today),
        Err(message) => return print_failure(&message, console),
    };
    let task = if args.check { Task::ListLiving(redaction) } else { Task::Redaction(redaction) };
    run(&args.file, &args.options, &task, console)
}

/// The identifiers in the arguments, with those on standard input.
fn read_identifiers(file: &Path, named: &[String]) -> Result<Vec<String>, String> {
    if is_standard(file) && named.iter().any(|identifier| identifier == "-") {
        return Err("standard input cannot be both the file and the identifiers".to_owned());
    }
    people::read_identifiers(named).map_err(|reason| format!("cannot read identifiers: {reason}"))
}

enum Task {
    Branch(Branch),
    Redaction(Redaction),
    /// Lists the people who may be living and writes no file.
    ListLiving(Redaction),
}

fn run(file: &Path, options: &ExtractOptions, task: &Task, console: &mut Console) -> Exit {
    if let Some(problem) = find_contradiction(file, options, task) {
        console.print_error(problem);
        return Exit::Failed;
    }
    let schemas = match Schemas::from_args(&options.reading, console) {
        Ok(schemas) => schemas,
        Err(exit) => return exit,
    };
    let Some(octets) = reading::read_file(file, console) else { return Exit::Failed };
    let name = reading::display_name(file);
    console.show_progress(&format!("reading {name}"));
    let mut problems = Problems::default();
    let read_options = schemas.read_options(options.encoding);
    let typed = match elf_schema::read(&octets, options.reading.rules(), &read_options, &mut problems) {
        Ok(typed) => typed,
        Err(error) => {
            console.print_unreadable(file, &error.to_string());
            return Exit::Failed;
        }
    };
    let problems = InputProblems { problems, ended_reading: !typed.document().is_complete() };
    let survey = Survey::of(&typed);
    console.clear_progress();
    let planned = match task {
        Task::ListLiving(redaction) => {
            return match LivingReport::find(&survey, redaction) {
                Ok(living) => living.print(&name, options.format, !problems.ended_reading, console),
                Err(error) => print_failure(&format!("{name}: {error}"), console),
            };
        }
        Task::Branch(_) | Task::Redaction(_)
            if problems.ended_reading && !(options.partial && survey.has_records()) =>
        {
            return print_failure(&problems.refusal_message(&name), console);
        }
        Task::Branch(branch) => Plan::branch(survey, branch),
        Task::Redaction(redaction) => Plan::redaction(survey, redaction),
    };
    match planned {
        Ok(plan) => write_extract(file, options, &plan, &problems, console),
        Err(error) => print_failure(&format!("{name}: {error}"), console),
    }
}

fn print_failure(message: &str, console: &mut Console) -> Exit {
    console.print_error(message);
    Exit::Failed
}

/// Returns what is wrong with the combination of arguments, if anything.
fn find_contradiction(file: &Path, options: &ExtractOptions, task: &Task) -> Option<&'static str> {
    if let Some(reason) = options.in_place.then(|| in_place_obstacle(file)).flatten() {
        return Some(reason);
    }
    let to_standard = !options.in_place && options.output.as_deref().is_none_or(is_standard);
    let is_file = !matches!(task, Task::ListLiving(_));
    (options.format == Format::Json && to_standard && is_file)
        .then_some("the file and JSON cannot both go to standard output: name a file with `-o`")
}

/// Carries out a plan, writes the file and reports what was removed.
fn write_extract(
    file: &Path,
    options: &ExtractOptions,
    plan: &Plan<'_>,
    problems: &InputProblems,
    console: &mut Console,
) -> Exit {
    let name = reading::display_name(file);
    console.show_progress(&format!("editing {name}"));
    let extraction = match plan.extract() {
        Ok(extraction) => extraction,
        Err(error) => {
            console.clear_progress();
            return print_failure(&format!("{name} is not written: {error}{}", help_for(&error)), console);
        }
    };
    let output = if options.in_place { Some(file) } else { options.output.as_deref() };
    let written = write_to(output, console, |out, _| out.write_all(&extraction.octets).map(|()| Exit::Clean));
    console.clear_progress();
    if written == Exit::Failed {
        return written;
    }
    let report = RemovalReport { file: &name, plan, extraction: &extraction, problems };
    match options.format {
        Format::Human => report.print(console),
        Format::Json => {
            let printed = write_to(None, console, |out, _| report.write_json(out).map(|()| Exit::Clean));
            if printed == Exit::Failed {
                return printed;
            }
        }
    }
    report.exit_status()
}

/// Suggests another command if a plan cannot be carried out.
fn help_for(error: &EditError) -> &'static str {
    match error {
        EditError::ReadOtherwise { .. } => "; `elf check --fix` may fix that line",
        EditError::EncodingChanged { .. } => "; use `elf convert` to change the encoding",
        _ => "",
    }
}
