//! `elf check`: what is wrong with a file.

use crate::args::{Check, Format};
use crate::commands::{fix, print_to};
use crate::console::Console;
use crate::exit::Exit;
use crate::findings::Findings;
use crate::io::{self, Input, Large, Output};
use crate::parts;
use crate::reading;
use crate::render::json::{self, Summary};
use crate::render::{counted, grouped, sanitise};
use crate::schemas::Schemas;
use elf_base::{Sink, Tally};
use elf_edit::Repairable;
use elf_schema::{Diagnostic, Part, ReadOptions};
use std::io::Write;
use std::path::Path;

pub(crate) fn run(args: &Check, console: &mut Console) -> Exit {
    let inputs: Vec<&Path> = args.files.iter().map(|path| &**path).collect();
    let schemas = match Schemas::of(&args.reading, console) {
        Ok(schemas) => schemas,
        Err(exit) => return exit,
    };
    let options = schemas.options(args.judging.encoding).with_check_values(true);
    if args.fixing.any() {
        return fix::run(args, &options, console);
    }
    print_to(&args.printing, console, |out, console| {
        let mut exit = Exit::Clean;
        for (number, path) in (1..).zip(&inputs) {
            console.at_file(number, inputs.len());
            exit = exit.max(check(path, args, &options, out, console)?);
        }
        Ok(exit)
    })
}

fn check(
    path: &Path,
    args: &Check,
    options: &ReadOptions<'_>,
    out: &mut Output,
    console: &mut Console,
) -> std::io::Result<Exit> {
    let meter = console.working(&format!("checking {}", reading::name(path)));
    match io::open(path, &meter) {
        Ok(input) => report(path, input, args, options, None, out, console),
        Err(error) => {
            console.unreadable(path, &io::reason(&error));
            Ok(Exit::Failed)
        }
    }
}

/// Checks what was read from `path`, of which so many findings were repaired, if any were to be.
pub(super) fn report(
    path: &Path,
    input: Input,
    args: &Check,
    options: &ReadOptions<'_>,
    repaired: Option<u64>,
    out: &mut impl Write,
    console: &mut Console,
) -> std::io::Result<Exit> {
    let name = reading::name(path);
    let mut findings = Findings::of(&name, args.printing.format, console, out).by_lines();
    if !args.all {
        findings = findings.first_of_each();
    }
    let mut tally = Tally::new(|finding: Diagnostic| findings.report(finding));
    let mut news = |found: Diagnostic| {
        if reading::is_news(&found) {
            tally.report(found)
        }
    };
    let read = count(input, args, options, &mut news);
    let Tally { malformed, non_conformant, deprecated, advice, .. } = tally;
    let exit = reading::status(&tally, &args.judging);
    findings.finish()?;
    console.done();
    let FileCounts { lines, records, complete, repairable } = match read {
        Ok(counts) => counts,
        Err(error) => {
            console.unreadable(path, &io::reason(&error));
            return Ok(Exit::Failed);
        }
    };
    let summary =
        Summary { file: &name, lines, records, malformed, non_conformant, repairable, repaired, complete };
    match args.printing.format {
        Format::Human => line(out, &summary, [deprecated, advice])?,
        Format::Json => json::summary(out, &summary)?,
    }
    // So that the summaries of several files stand between their diagnostics where both go to one place.
    out.flush()?;
    Ok(exit)
}

/// The counts of a file.
#[derive(Default)]
struct FileCounts {
    lines: u64,
    records: u64,
    complete: bool,
    /// The number of findings that `--fix` repairs.
    repairable: u64,
}

/// Reads a file through every layer. A large one is read in parts; then what is said of the identifiers of
/// the whole comes without the lines.
fn count(
    input: Input,
    args: &Check,
    options: &ReadOptions<'_>,
    sink: &mut dyn Sink,
) -> std::io::Result<FileCounts> {
    let rules = args.reading.rules;
    let octets = match input {
        Input::Large(input) => return count_parts(input, args, options, sink),
        Input::Whole(octets) => octets,
    };
    let mut repairable = Repairable::new(rules);
    let (mut lines, mut said) = (Vec::new(), Vec::new());
    let mut keep = |finding: Diagnostic| {
        said.extend(Repairable::about_encoding(&finding));
        lines.extend(Repairable::line_of(&finding));
        sink.report(finding);
    };
    let document = elf_tagged::read_with(&octets, rules, &options.octets, options, &mut keep)
        .map_err(std::io::Error::other)?;
    let typed = elf_schema::read_document(document, options, sink);
    let document = typed.document();
    repairable.add(Repairable::of_part(document, &lines));
    Ok(FileCounts {
        lines: document.line_count(),
        records: document.records().count() as u64,
        complete: document.is_complete(),
        repairable: repairable.count(document.source().decision(), &said),
    })
}

fn count_parts(
    input: Large,
    args: &Check,
    options: &ReadOptions<'_>,
    sink: &mut dyn Sink,
) -> std::io::Result<FileCounts> {
    let (rules, threads) = (args.reading.rules, parts::threads(args.jobs));
    let (input, names) = parts::with_names(input, rules, &options.octets, threads)?;
    let mut reader = parts::reader(input, rules, options.clone(), names);
    let mut counts = FileCounts::default();
    let (mut repairable, mut said) = (Repairable::new(rules), Vec::new());
    let see = |part: &Part<'_>, lines: &[u64]| {
        let document = part.document();
        let repairs = Repairable::of_part(document, lines);
        (document.line_count(), document.records().count() as u64, repairs)
    };
    let add = |(lines, records, repairs)| {
        counts.lines += lines;
        counts.records += records;
        repairable.add(repairs);
    };
    let mut hear = |finding: Diagnostic| {
        said.extend(Repairable::about_encoding(&finding));
        sink.report(finding);
    };
    parts::read(&mut reader, threads, Repairable::line_of, see, add, &mut hear)?;
    counts.complete = reader.tagged().is_complete();
    counts.repairable = reader.tagged().decision().map_or(0, |decision| repairable.count(decision, &said));
    Ok(counts)
}

/// The summary of a file for a person; counts of nothing are left out.
fn line(out: &mut impl Write, summary: &Summary<'_>, [deprecated, advice]: [u64; 2]) -> std::io::Result<()> {
    let (lines, records) = (counted(summary.lines, "line"), counted(summary.records, "record"));
    write!(out, "{}: {lines}, {records}", sanitise(summary.file))?;
    let counts = [
        (summary.malformed, "malformed"),
        (summary.non_conformant, "non-conformant"),
        (deprecated, "deprecated"),
        (advice, "advice"),
    ];
    for (count, class) in counts.into_iter().filter(|&(count, _)| count > 0) {
        write!(out, ", {} {class}", grouped(count))?;
    }
    if counts.iter().all(|&(count, _)| count == 0) {
        write!(out, ", nothing to report")?;
    }
    match (summary.repaired, summary.repairable) {
        (Some(repaired), _) => write!(out, "; {} repaired", grouped(repaired))?,
        (None, 0) => {}
        (None, repairable) => write!(out, "; `--fix` repairs {}", grouped(repairable))?,
    }
    writeln!(out, "{}", if summary.complete { "" } else { "; the reading ended early" })
}
