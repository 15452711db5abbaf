//! `elf info`: what is this file?

mod overview;

use crate::args::{Info, InfoFormat, Reading};
use crate::commands::each::{Aside, Files};
use crate::commands::{listed, write_to};
use crate::console::Console;
use crate::exit::Exit;
use crate::io::{Input, Large, Listed};
use crate::parts;
use crate::progress::Meter;
use crate::reading;
use crate::schemas::Schemas;
use elf_base::{Diagnostic, Draft, Rules, Sink, Tally};
use elf_render::{counted, grouped, json, sanitise};
use elf_schema::term::undefined_tag;
use elf_schema::{Part, ReadOptions, Schema};
use elf_tagged::elf_octets::{Decision, LineBreaks as LineBreaksOf};
use elf_tagged::{Document, Header, Node, Recognition, recognise};
use serde::Serialize;
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::io::{self, Read, Write};
use std::sync::Arc;

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
    let rules = args.reading.rules();
    let learned = match opened.and_then(|input| learn(input, (rules, threads), options, &mut news)) {
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

/// The facts that reading a file gives, as a whole or in parts.
struct FileInfo {
    octets: u64,
    decision: Decision,
    header: Header,
    schema: Arc<Schema>,
    /// True if a dictionary of 2017 is in force instead of a schema.
    dictionary: bool,
    seen: RecordCounts,
}

/// The counts of some records.
#[derive(Default)]
struct RecordCounts {
    /// The header, as the part with the first records shows it.
    first: Option<First>,
    breaks: LineBreaks,
    lines: u64,
    records: u64,
    structures: u64,
    max_level: usize,
    /// The number of records of each tag.
    tags: BTreeMap<String, u64>,
    /// The number of structures of each type, by its IRI.
    types: BTreeMap<String, u64>,
}

/// The draft and the producer that the header shows.
struct First {
    draft: GuessedDraft,
    producer: Option<Producer>,
}

/// The program that wrote a file, and its version; either may be empty.
#[derive(Clone)]
struct Producer {
    name: String,
    version: String,
}

/// Reads a file through every layer, in parts where it is large.
fn learn(
    input: Input,
    (rules, threads): (&Rules, usize),
    options: &ReadOptions<'_>,
    sink: &mut dyn Sink,
) -> io::Result<FileInfo> {
    let octets = match input {
        Input::Large(input) => return learn_in_parts(input, (rules, threads), options, sink),
        Input::Whole(octets) => octets,
    };
    let typed = elf_schema::read(&octets, rules, options, sink).map_err(io::Error::other)?;
    let (document, typing) = (typed.document(), typed.typing());
    let types = typing.counts().filter_map(|(of, count)| Some((typing.iri(of)?, count)));
    Ok(FileInfo {
        octets: octets.len() as u64,
        decision: document.source().decision().clone(),
        header: document.header().clone(),
        schema: Arc::clone(typed.schema()),
        dictionary: typing.dictionary().is_some(),
        seen: RecordCounts::of(document, types, true),
    })
}

fn learn_in_parts(
    input: Large,
    (rules, threads): (&Rules, usize),
    options: &ReadOptions<'_>,
    sink: &mut dyn Sink,
) -> io::Result<FileInfo> {
    let (mut input, names) = parts::with_names(input, rules, &options.octets, threads)?;
    let octets = Cell::new(0);
    let counted = Counted { input: &mut input, octets: &octets };
    let mut reader = parts::reader(counted, rules, options.clone(), names);
    let see = |part: Option<&Part<'_>>, findings: Vec<Diagnostic>| {
        let Some(part) = part else { return (RecordCounts::default(), findings) };
        let iri = |of| part.resolver().iri(of);
        let types = part.counts().filter_map(|(of, count)| Some((iri(of)?, count)));
        let counts = RecordCounts::of(part.document(), types, part.document().source().start().line == 1);
        (counts, findings)
    };
    let mut seen = RecordCounts::default();
    let sink = RefCell::new(sink);
    let add = |(counts, findings): (RecordCounts, Vec<Diagnostic>)| {
        seen.add(counts);
        findings.into_iter().for_each(|finding| sink.borrow_mut().report(finding));
    };
    let mut late = |finding| sink.borrow_mut().report(finding);
    parts::read(&mut reader, threads, (Vec::new, see), add, &mut late)?;
    let (Some(decision), Some(resolver)) = (reader.tagged().decision(), reader.resolver()) else {
        return Err(io::Error::other("no part of it was read"));
    };
    let mut learned = FileInfo {
        octets: 0,
        decision: decision.clone(),
        header: reader.tagged().header().clone(),
        schema: Arc::clone(resolver.schema()),
        dictionary: resolver.dictionary().is_some(),
        seen,
    };
    drop(reader);
    // Where the rules end the reading early, the rest counts all the same.
    learned.octets = octets.get() + io::copy(&mut input, &mut io::sink())?;
    Ok(learned)
}

/// An input of which it is known how much was read.
struct Counted<'i> {
    input: &'i mut dyn Read,
    octets: &'i Cell<u64>,
}

impl Read for Counted<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.input.read(buffer)?;
        self.octets.set(self.octets.get() + read as u64);
        Ok(read)
    }
}

impl RecordCounts {
    /// Counts the records of `document`, whose structures have those `types`.
    fn of<'t>(
        document: &Document<'_>,
        types: impl Iterator<Item = (&'t str, u64)>,
        first: bool,
    ) -> RecordCounts {
        let source = document.source();
        let mut tags: BTreeMap<&str, u64> = BTreeMap::new();
        for record in document.records() {
            *tags.entry(record.tag()).or_default() += 1;
        }
        let first = first.then(|| {
            let Recognition { likely, because, .. } = recognise(source.text());
            First {
                draft: GuessedDraft { likely: likely.map(Draft::name), because },
                producer: producer(document),
            }
        });
        let LineBreaksOf { lf, cr, crlf, .. } = document.line_breaks();
        RecordCounts {
            first,
            breaks: LineBreaks { lf, cr, crlf },
            lines: document.line_count(),
            records: tags.values().sum(),
            structures: document.structures().count() as u64,
            max_level: document.depth(),
            tags: tags.into_iter().map(|(tag, count)| (tag.to_owned(), count)).collect(),
            types: types.map(|(iri, count)| (iri.to_owned(), count)).collect(),
        }
    }

    /// Adds what further records show.
    fn add(&mut self, more: RecordCounts) {
        self.first = self.first.take().or(more.first);
        self.breaks.lf += more.breaks.lf;
        self.breaks.cr += more.breaks.cr;
        self.breaks.crlf += more.breaks.crlf;
        self.lines += more.lines;
        self.records += more.records;
        self.structures += more.structures;
        self.max_level = self.max_level.max(more.max_level);
        for (all, more) in [(&mut self.tags, more.tags), (&mut self.types, more.types)] {
            for (name, count) in more {
                *all.entry(name).or_default() += count;
            }
        }
    }
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
    fn new(file: &'d str, learned: &'d FileInfo, reading: &Reading) -> Facts<'d> {
        let FileInfo { octets, decision, header, seen, .. } = learned;
        let (types, undefined) = counts(&seen.types);
        let first = seen.first.as_ref();
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
            line_breaks: seen.breaks,
            elf_version: header.elf_version().map(ToString::to_string),
            gedcom_version: header.gedcom_version().map(ToString::to_string),
            draft: first.map(|first| first.draft).unwrap_or_default(),
            producer: first.and_then(|first| first.producer.as_ref()).map(Producer::words),
            schema: schema(learned, reading),
            lines: seen.lines,
            records: seen.records,
            structures: seen.structures,
            max_level: seen.max_level as u64,
            types,
            undefined,
        }
    }
}

/// Finds the program that wrote the file, and its version: HEAD.SOUR and HEAD.SOUR.VERS.
fn producer(document: &Document<'_>) -> Option<Producer> {
    let program = document.metadata().find(|node| node.tag() == "SOUR")?;
    let version = program.substructure("VERS").map(Node::text).unwrap_or_default();
    let (name, version) = (program.text().trim().to_owned(), version.trim().to_owned());
    Some(Producer { name, version }).filter(|producer| !producer.words().is_empty())
}

impl Producer {
    fn words(&self) -> String {
        format!("{} {}", self.name, self.version).trim().to_owned()
    }
}

/// Names the schema in force: `completed`, `published`, the name that was asked for, the IRIs that the header
/// names, `header` where it holds the schema itself, `dictionary` under the drafts of 2017.
fn schema(learned: &FileInfo, reading: &Reading) -> Option<String> {
    if let Some(name) = &reading.schema {
        return Some(name.clone());
    }
    if learned.dictionary {
        return Some("dictionary".to_owned());
    }
    let schema = &learned.schema;
    if Arc::ptr_eq(schema, Schema::completed()) {
        return Some("completed".to_owned());
    }
    if Arc::ptr_eq(schema, Schema::published()) {
        return Some("published".to_owned());
    }
    let references: Vec<&str> = schema.references().iter().map(|reference| &*reference.iri).collect();
    Some(if references.is_empty() { "header".to_owned() } else { references.join(" ") })
}

type Counts<'d> = BTreeMap<&'d str, u64>;

/// Divides the counts of structures into those of each type, and those of each tag without one.
fn counts(all: &BTreeMap<String, u64>) -> (Counts<'_>, Counts<'_>) {
    let (mut types, mut undefined) = (Counts::new(), Counts::new());
    for (iri, &count) in all {
        match undefined_tag(iri) {
            Some(tag) => undefined.insert(tag, count),
            None => types.insert(iri, count),
        };
    }
    (types, undefined)
}

fn human(out: &mut dyn Write, facts: &Facts<'_>, learned: &FileInfo, tally: &Tally<()>) -> io::Result<()> {
    let file = sanitise(facts.file);
    writeln!(out, "{file}")?;
    row(out, "size", &counted(facts.octets, "octet"))?;
    let decision = &learned.decision;
    let mark = if decision.mark { ", with a byte-order mark" } else { "" };
    row(out, "encoding", &format!("{} ({}{mark})", facts.encoding.used, reason(facts.encoding.because)))?;
    for evidence in &decision.evidence {
        row(out, "", evidence)?;
    }
    row(out, "line breaks", &line_breaks(&facts.line_breaks))?;
    let header = &learned.header;
    let versions = [("GEDCOM", header.gedcom_version_as_written()), ("ELF", header.elf_version_as_written())];
    let versions: Vec<String> = versions
        .into_iter()
        .filter_map(|(format, version)| version.map(|version| format!("{format} {version}")))
        .collect();
    row(out, "version", &or_none(versions.join(", ")))?;
    let draft = facts.draft.likely.unwrap_or("none");
    row(out, "draft", &format!("{draft}: {}", facts.draft.because))?;
    row(out, "producer", &or_none(facts.producer.clone().unwrap_or_default()))?;
    row(out, "schema", facts.schema.as_deref().unwrap_or("none"))?;
    row(out, "lines", &format!("{}, levels up to {}", grouped(facts.lines), grouped(facts.max_level)))?;
    row(out, "records", &records(&learned.seen))?;
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

/// Describes the evidence that decided the encoding, for a person.
fn reason(because: &str) -> &'static str {
    match because {
        "detected" => "seen in the first octets",
        "specified" => "said by CHAR",
        "default" => "the default",
        "forced" => "asked for",
        _ => "decided by the content",
    }
}

fn line_breaks(breaks: &LineBreaks) -> String {
    let mut kinds = [(breaks.lf, "LF"), (breaks.crlf, "CRLF"), (breaks.cr, "CR")];
    kinds.sort_by_key(|&(count, _)| std::cmp::Reverse(count));
    let kinds: Vec<String> = kinds
        .into_iter()
        .filter(|&(count, _)| count > 0)
        .map(|(count, name)| format!("{} {name}", grouped(count)))
        .collect();
    if kinds.is_empty() { "none".to_owned() } else { kinds.join(", ") }
}

/// Describes the number of records, and of those of each tag: the commonest first.
fn records(seen: &RecordCounts) -> String {
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
