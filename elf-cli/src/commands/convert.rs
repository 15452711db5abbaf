//! `elf convert`: read, and write again as a conformant writer.

use crate::args::{Break, Convert};
use crate::console::Console;
use crate::exit::Exit;
use crate::io::{self, Output};
use crate::reading;
use crate::render::counted;
use crate::schemas::Schemas;
use elf_base::Tally;
use elf_schema::ReadOptions;
use elf_tagged::write::{LineBreak, WriteError, WriteOptions};
use elf_tagged::{Diagnostic, Document};

pub(crate) fn run(args: &Convert, console: &mut Console) -> Exit {
    let path = &*args.file;
    let name = reading::name(path);
    let schemas = match Schemas::of(&args.reading, console) {
        Ok(schemas) => schemas,
        Err(exit) => return exit,
    };
    let Some(octets) = reading::octets(path, console) else { return Exit::Failed };
    console.working(&format!("converting {name}"));
    let mut tally = Tally::new(());
    let options = schemas.options(args.from_encoding);
    let document = match elf_tagged::read(&octets, args.reading.rules, &options.octets, &mut tally) {
        Ok(document) => document,
        Err(error) => {
            console.unreadable(path, &error.to_string());
            return Exit::Failed;
        }
    };
    if tally.errors() > 0 {
        let problems = counted(tally.errors(), "problem");
        console.note(&format!("the input has {problems}: `elf check {name}` shows them"));
    }
    let complete = document.is_complete();
    let lost = match write(args, document, &options, &name, console) {
        Ok(lost) => lost,
        Err(error) => {
            console.unwritable(&args.output, &error);
            return Exit::Failed;
        }
    };
    console.done();
    if lost > 0 {
        console.note(&format!("{} could not be carried over", counted(lost, "thing")));
    }
    if !complete {
        console.note("the rules ended the reading early: what follows is not in the output");
    }
    if args.allow_loss || lost == 0 && complete { Exit::Clean } else { Exit::Problems }
}

/// Writes the document; how many losses were reported.
fn write(
    args: &Convert,
    document: Document<'_>,
    reading: &ReadOptions<'_>,
    name: &str,
    console: &mut Console,
) -> Result<u64, String> {
    let options = WriteOptions::new()
        .with_encoding(args.encoding)
        .with_line_break(line_break(args, &document))
        .with_mark(args.bom.then_some(true))
        .with_width(args.width);
    options.check(args.to_rules).map_err(|error| error.to_string())?;
    let mut out = Output::create(&args.output, &[&args.file]).map_err(|error| io::reason(&error))?;
    let mut report = |finding: Diagnostic| console.diagnostic(name, &finding);
    match elf_schema::convert(document, reading, &mut out, args.to_rules, &options, &mut report) {
        Ok(summary) => out.finish().map(|()| summary.losses).map_err(|error| io::reason(&error)),
        Err(WriteError::Io(error)) => Err(io::reason(&error)),
        Err(error) => Err(error.to_string()),
    }
}

/// The line break that was asked for, or the commonest one of the input.
fn line_break(args: &Convert, document: &Document<'_>) -> LineBreak {
    match args.line_break {
        Some(Break::Lf) => LineBreak::Lf,
        Some(Break::Cr) => LineBreak::Cr,
        Some(Break::Crlf) => LineBreak::CrLf,
        None => {
            let breaks = document.source().line_breaks();
            if breaks.lf >= breaks.crlf.max(breaks.cr) {
                LineBreak::Lf
            } else if breaks.crlf >= breaks.cr {
                LineBreak::CrLf
            } else {
                LineBreak::Cr
            }
        }
    }
}
