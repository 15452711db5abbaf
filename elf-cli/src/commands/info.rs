//! `elf info`: what is this file?

mod overview;

use crate::args::{Info, InfoFormat, Reading};
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
use elf_base::{Diagnostic, Draft, Sink, Tally};
use elf_render::{counted, grouped, json, sanitise};
use elf_report::{FileFacts, PartFacts, Producer};
use elf_schema::ReadOptions;
use serde::Serialize;
use std::cell::RefCell;
use std::collections::BTreeMap;
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
            overview::head(out)?;
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
    let facts = Facts::new(&name, &learned, &args.reading);
    match args.format {
        InfoFormat::Human if args.brief => overview::brief(out, &facts, &learned, &tally)?,
        InfoFormat::Human => human(out, &facts, &learned, &tally)?,
        InfoFormat::Json => json::line(out, &facts)?,
        InfoFormat::Tsv => overview::row(out, &facts, &learned, &tally)?,
    }
    Ok(Ok(reading::status(&tally, &args.judging)))
}

/// Reads a file through every layer, in parts.
fn learn(input: Input, learning: Learning<'_>, sink: &mut dyn Sink) -> io::Result<FileFacts> {
    let octets: Vec<u8>;
    let (mut whole, mut large);
    let (input, names): (&mut dyn Read, _) = match input {
        Input::Whole(all) => {
            octets = all;
            whole = &*octets;
            (&mut whole, learning.names(&*octets)?)
        }
        Input::Large(input) => {
            let names;
            (large, names) =
                parts::with_names(input, learning.rules, &learning.options.octets, learning.threads)?;
            (&mut large, names)
        }
    };
    let counted = RefCell::new(PartFacts::default());
    let take = |part| counted.borrow_mut().add(part);
    let finish = |reader: &DoneReader<'_, '_>| FileFacts::of(reader, counted.take());
    let (facts, octets) = learning.read((input, names), PartFacts::of, take, finish, sink)?;
    Ok(facts.with_octets(octets))
}

/// The output of `elf info` about a file; nothing is left out, an unknown value is null.
#[derive(Serialize)]
struct Facts<'d> {
    file: &'d str,
    octets: u64,
    encoding: Encoding<'d>,
    line_breaks: LineBreaks,
    elf_version: Option<String>,
    gedcom_version: Option<String>,
    rules: &'static str,
    draft: GuessedDraft,
    producer: Option<String>,
    schema: Option<String>,
    lines: u64,
    records: u64,
    structures: u64,
    max_level: u64,
    types: BTreeMap<&'d str, u64>,
    undefined: BTreeMap<&'d str, u64>,
}

#[derive(Serialize)]
struct Encoding<'d> {
    detected: Option<&'static str>,
    detected_by: Option<&'static str>,
    specified: Option<&'d str>,
    used: &'static str,
    because: &'static str,
    bom: bool,
}

#[derive(Clone, Copy, Default, Serialize)]
struct LineBreaks {
    lf: u64,
    cr: u64,
    crlf: u64,
}

#[derive(Clone, Copy, Default, Serialize)]
struct GuessedDraft {
    likely: Option<&'static str>,
    because: &'static str,
}

impl<'d> Facts<'d> {
    fn new(file: &'d str, learned: &'d FileFacts, reading: &Reading) -> Facts<'d> {
        let FileFacts { octets, decision, header, counts, .. } = learned;
        let first = counts.first.as_ref();
        let draft =
            first.map(|first| GuessedDraft { likely: first.draft.map(Draft::name), because: first.because });
        Facts {
            file,
            octets: *octets,
            encoding: Encoding {
                detected: decision.detected.map(|encoding| encoding.name()),
                detected_by: decision.detected_by.map(|by| by.name()),
                specified: decision.specified.as_deref(),
                used: decision.used.name(),
                because: decision.because.name(),
                bom: decision.mark,
            },
            line_breaks: LineBreaks { lf: counts.lf, cr: counts.cr, crlf: counts.crlf },
            elf_version: header.elf_version().map(ToString::to_string),
            gedcom_version: header.gedcom_version().map(ToString::to_string),
            rules: decision.rules.name,
            draft: draft.unwrap_or_default(),
            producer: learned.producer().map(Producer::words),
            // The name that was asked for, where one was.
            schema: Some(reading.schema.clone().unwrap_or_else(|| learned.schema_name())),
            lines: counts.lines,
            records: counts.records,
            structures: counts.structures,
            max_level: counts.max_level as u64,
            types: counts.defined().collect(),
            undefined: counts.undefined().collect(),
        }
    }
}

fn human(out: &mut dyn Write, facts: &Facts<'_>, learned: &FileFacts, tally: &Tally<()>) -> io::Result<()> {
    let file = sanitise(facts.file);
    writeln!(out, "{file}")?;
    row(out, "size", &counted(facts.octets, "octet"))?;
    let decision = &learned.decision;
    let mark = if decision.mark { ", with a byte-order mark" } else { "" };
    row(out, "encoding", &format!("{} ({}{mark})", facts.encoding.used, learned.encoding_reason()))?;
    for evidence in &decision.evidence {
        row(out, "", evidence)?;
    }
    row(out, "line breaks", &line_breaks(&learned.counts))?;
    row(out, "version", &or_none(learned.versions()))?;
    row(out, "rules", facts.rules)?;
    let draft = facts.draft.likely.unwrap_or("none");
    row(out, "draft", &format!("{draft}: {}", facts.draft.because))?;
    row(out, "producer", &or_none(facts.producer.clone().unwrap_or_default()))?;
    row(out, "schema", facts.schema.as_deref().unwrap_or("none"))?;
    row(out, "lines", &format!("{}, levels up to {}", grouped(facts.lines), grouped(facts.max_level)))?;
    row(out, "records", &records(&learned.counts))?;
    row(out, "structures", &grouped(facts.structures))?;
    let prefixes = learned.schema.prefixes();
    let types: Vec<(String, u64)> =
        facts.types.iter().map(|(iri, &count)| (prefixes.shorten(iri).into_owned(), count)).collect();
    table(out, "types", types)?;
    let undefined: Vec<(String, u64)> =
        facts.undefined.iter().map(|(tag, &count)| ((*tag).to_owned(), count)).collect();
    table(out, "undefined", undefined)?;
    row(out, "problems", &problems(tally, &file))
}

/// Prints a row; `text` is sanitised here.
fn row(out: &mut dyn Write, title: &str, text: &str) -> io::Result<()> {
    writeln!(out, "  {title:<12}{}", sanitise(text))
}

/// Names with their counts, the commonest first, a row each.
fn table(out: &mut dyn Write, title: &str, mut counts: Vec<(String, u64)>) -> io::Result<()> {
    counts.sort_by_key(|&(_, count)| std::cmp::Reverse(count));
    let counts: Vec<(String, &str)> =
        counts.iter().map(|(name, count)| (grouped(*count), name.as_str())).collect();
    let width = counts.iter().map(|(count, _)| count.len()).max().unwrap_or_default();
    for (index, (count, name)) in counts.iter().enumerate() {
        row(out, if index == 0 { title } else { "" }, &format!("{count:>width$} {name}"))?;
    }
    Ok(())
}

fn or_none(text: String) -> String {
    if text.is_empty() { "none given".to_owned() } else { text }
}

fn line_breaks(counts: &PartFacts) -> String {
    let kinds = counts.line_breaks().into_iter();
    let kinds: Vec<String> = kinds.map(|(name, count)| format!("{} {name}", grouped(count))).collect();
    if kinds.is_empty() { "none".to_owned() } else { kinds.join(", ") }
}

/// Describes the number of records, and of those of each tag: the commonest first.
fn records(seen: &PartFacts) -> String {
    let mut counts: Vec<(&String, u64)> = seen.tags.iter().map(|(tag, &count)| (tag, count)).collect();
    counts.sort_by_key(|&(_, count)| std::cmp::Reverse(count));
    let mut text = grouped(seen.records);
    for (index, (tag, count)) in counts.into_iter().enumerate() {
        text.push_str(if index == 0 { ": " } else { ", " });
        text.push_str(&format!("{} {tag}", grouped(count)));
    }
    text
}

fn problems(tally: &Tally<()>, file: &str) -> String {
    if tally.total() == 0 {
        return "none".to_owned();
    }
    format!("{} (`elf check {file}` shows them)", classes(tally))
}

/// The numbers of findings of each class that was found.
fn classes(tally: &Tally<()>) -> String {
    let counts = [
        (tally.malformed, "malformed"),
        (tally.non_conformant, "non-conformant"),
        (tally.deprecated, "deprecated"),
        (tally.advice, "advice"),
    ];
    let counts: Vec<String> = counts
        .into_iter()
        .filter(|&(count, _)| count > 0)
        .map(|(count, class)| format!("{} {class}", grouped(count)))
        .collect();
    counts.join(", ")
}
