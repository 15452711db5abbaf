//! `elf check`: everything that is wrong with a file.

use crate::args::{Check, Format};
use crate::commands::print_to;
use crate::console::Console;
use crate::exit::Exit;
use crate::io::Output;
use crate::reading;
use crate::render::json::{self, Summary};
use crate::render::{counted, grouped, sanitise};
use elf_base::{Sink, Tally};
use elf_schema::{Diagnostic, ReadOptions};
use std::io::{self, Write};
use std::path::Path;

pub(crate) fn run(args: &Check, console: &mut Console) -> Exit {
    let inputs: Vec<&Path> = args.files.iter().map(|path| &**path).collect();
    let schema = match reading::schema(&args.reading, console) {
        Ok(schema) => schema,
        Err(exit) => return exit,
    };
    let options =
        ReadOptions::default().with_octets(reading::options(args.judging.encoding)).with_schema(schema);
    print_to(&args.printing, &inputs, console, |out, console| {
        let mut exit = Exit::Clean;
        for path in &inputs {
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
) -> io::Result<Exit> {
    let name = reading::name(path);
    let Some(octets) = reading::octets(path, console) else { return Ok(Exit::Failed) };
    console.working(&format!("checking {name}"));
    let mut written = Ok(());
    let mut tally = Tally::new(|diagnostic: Diagnostic| match args.printing.format {
        Format::Human => console.diagnostic(&name, &diagnostic),
        Format::Json if written.is_ok() => written = json::diagnostic(out, &name, &diagnostic),
        Format::Json => {}
    });
    let mut news = |found: Diagnostic| {
        if reading::is_news(&found) {
            tally.report(found)
        }
    };
    let read = elf_schema::read(&octets, args.reading.rules, options, &mut news);
    let Tally { malformed, non_conformant, deprecated, advice, .. } = tally;
    let exit = reading::status(&tally, &args.judging);
    console.done();
    written?;
    let typed = match read {
        Ok(typed) => typed,
        Err(error) => {
            console.unreadable(path, &error.to_string());
            return Ok(Exit::Failed);
        }
    };
    let document = typed.document();
    let summary = Summary {
        file: &name,
        lines: document.source().line_count(),
        records: document.records().count() as u64,
        malformed,
        non_conformant,
        complete: document.is_complete(),
    };
    match args.printing.format {
        Format::Human => line(out, &summary, deprecated, advice)?,
        Format::Json => json::summary(out, &summary)?,
    }
    // So that the summaries of several files stand between their diagnostics where both go to one place.
    out.flush()?;
    Ok(exit)
}

/// The summary of a file for a person; counts of nothing are left out.
fn line(out: &mut impl Write, summary: &Summary<'_>, deprecated: u64, advice: u64) -> io::Result<()> {
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
    writeln!(out, "{}", if summary.complete { "" } else { "; the reading ended early" })
}
