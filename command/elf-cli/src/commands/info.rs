//! `elf info`: what is this file?

use crate::args::{Info, InfoFormat};
use crate::commands::each::{Aside, Files};
use crate::commands::learn::{DoneReader, Learning};
use crate::commands::{listed, write_to};
use crate::console::Console;
use crate::exit::Exit;
use crate::io::{Input, Listed};
use crate::parts;
use crate::progress::Meter;
use crate::reading;
use crate::schemas::Schemas;
use elf_base::{Diagnostic, Sink, Tally};
use elf_report::json;
use elf_report::page::{FileFacts, Overview, PartFacts};
use elf_schema::ReadOptions;
use std::cell::RefCell;
use std::io::{self, Read, Write};

pub(crate) fn run(args: &Info, console: &mut Console) -> Exit {
    let schemas = match Schemas::of(&args.reading, console) {
        Ok(schemas) => schemas,
        Err(exit) => return exit,
    };
    let options = schemas.options(args.judging.encoding);
    let threads = parts::threads(args.jobs);
    let Some(files) = listed(&args.files, None, threads, &args.output, console) else { return Exit::Failed };
    write_to(args.output.as_deref(), console, |out, console| {
        let look = |file: &Listed, threads: usize, meter: &Meter, out: &mut dyn Write| {
            info(file, (args, threads), &options, meter, out)
        };
        let mut exit = Exit::Clean;
        let add = |file: &Listed, told: Result<Exit, String>, aside: &mut Aside<'_>| {
            exit = exit.max(told.unwrap_or_else(|reason| {
                aside.console().unreadable(&file.name, &reason);
                Exit::Failed
            }));
        };
        if args.format == InfoFormat::Tsv {
            writeln!(out, "{}", Overview::COLUMNS.join("\t"))?;
        }
        Files { list: &files, threads, doing: "reading", separators: [b"", b""] }
            .each(out, console, look, add)?;
        Ok(exit)
    })
}

/// Prints what a file is, or returns the reason why it could not be read.
fn info(
    file: &Listed,
    (args, threads): (&Info, usize),
    options: &ReadOptions<'_>,
    meter: &Meter,
    out: &mut dyn Write,
) -> io::Result<Result<Exit, String>> {
    let name = reading::name(&file.name);
    let mut tally = Tally::new(());
    let mut news = |found: Diagnostic| {
        if reading::is_news(&found) {
            tally.report(found)
        }
    };
    let opened = crate::io::open_source(&file.source, meter);
    let learning = Learning { rules: args.reading.rules(), options, threads };
    let learned = match opened.and_then(|input| learn(input, learning, &mut news)) {
        Ok(learned) => learned,
        Err(error) => return Ok(Err(crate::io::reason(&error))),
    };
    let facts = Overview::new(&name, &learned, args.reading.schema.as_deref(), &tally);
    match args.format {
        InfoFormat::Human if args.brief => facts.write_line(out)?,
        InfoFormat::Human => facts.write(out, &format!("`elf check {name}` shows them"))?,
        InfoFormat::Json => json::line(out, &facts)?,
        InfoFormat::Tsv => facts.write_row(out)?,
    }
    Ok(Ok(reading::status(&tally, &args.judging)))
}

/// Reads a file through every layer, in parts.
fn learn(input: Input, learning: Learning<'_>, sink: &mut dyn Sink) -> io::Result<FileFacts> {
    let octets: Vec<u8>;
    let (mut whole, mut large);
    let (input, xrefs): (&mut dyn Read, _) = match input {
        Input::Whole(all) => {
            octets = all;
            whole = &*octets;
            (&mut whole, learning.xrefs(&*octets)?)
        }
        Input::Large(input) => {
            let xrefs;
            (large, xrefs) =
                parts::with_xrefs(input, learning.rules, &learning.options.octets, learning.threads)?;
            (&mut large, xrefs)
        }
    };
    let counted = RefCell::new(PartFacts::default());
    let take = |part| counted.borrow_mut().add(part);
    let finish = |reader: &DoneReader<'_, '_>| FileFacts::of(reader, counted.take());
    let (facts, octets) = learning.read((input, xrefs), PartFacts::of, take, finish, sink)?;
    Ok(facts.with_octets(octets))
}
