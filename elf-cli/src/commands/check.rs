//! `elf check`: everything that is wrong with a file.

use crate::args::{Check, Format};
use crate::commands::print_to;
use crate::console::Console;
use crate::exit::Exit;
use crate::io::Output;
use crate::reading;
use crate::render::json::{self, Summary};
use crate::render::{counted, grouped, sanitise};
use elf_base::Tally;
use elf_tagged::Diagnostic;
use std::io::{self, Write};
use std::path::Path;

pub(crate) fn run(args: &Check, console: &mut Console) -> Exit {
    let inputs: Vec<&Path> = args.files.iter().map(|path| &**path).collect();
    print_to(&args.printing, &inputs, console, |out, console| {
        let mut exit = Exit::Clean;
        for path in &inputs {
            exit = exit.max(check(path, args, out, console)?);
        }
        Ok(exit)
    })
}

fn check(path: &Path, args: &Check, out: &mut Output, console: &mut Console) -> io::Result<Exit> {
    let name = reading::name(path);
    let Some(octets) = reading::octets(path, console) else { return Ok(Exit::Failed) };
    console.working(&format!("checking {name}"));
    let mut written = Ok(());
    let mut tally = Tally::new(|diagnostic: Diagnostic| match args.printing.format {
        Format::Human => console.diagnostic(&name, &diagnostic),
        Format::Json if written.is_ok() => written = json::diagnostic(out, &name, &diagnostic),
        Format::Json => {}
    });
    let read =
        elf_tagged::read(&octets, args.reading.rules, &reading::options(args.judging.encoding), &mut tally);
    let Tally { malformed, non_conformant, deprecated, advice, .. } = tally;
    let exit = reading::status(&tally, &args.judging);
    console.done();
    written?;
    let document = match read {
        Ok(document) => document,
        Err(error) => {
            console.unreadable(path, &error.to_string());
            return Ok(Exit::Failed);
        }
    };
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
