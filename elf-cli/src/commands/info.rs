//! `elf info`: what is this file?

use crate::args::{Format, Info, Reading};
use crate::commands::print_to;
use crate::console::Console;
use crate::exit::Exit;
use crate::io::Output;
use crate::reading;
use crate::render::{counted, grouped, json, sanitise};
use crate::schemas::Schemas;
use elf_base::{Diagnostic, Draft, Sink, Tally};
use elf_schema::term::undefined_tag;
use elf_schema::{ReadOptions, Schema, TypedDocument};
use elf_tagged::{Document, Node, Recognition, recognise};
use serde::Serialize;
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;

pub(crate) fn run(args: &Info, console: &mut Console) -> Exit {
    let inputs: Vec<&Path> = args.files.iter().map(|path| &**path).collect();
    let schemas = match Schemas::of(&args.reading, console) {
        Ok(schemas) => schemas,
        Err(exit) => return exit,
    };
    let options = schemas.options(args.judging.encoding);
    print_to(&args.printing, &inputs, console, |out, console| {
        let mut exit = Exit::Clean;
        for path in &inputs {
            exit = exit.max(info(path, args, &options, out, console)?);
        }
        Ok(exit)
    })
}

fn info(
    path: &Path,
    args: &Info,
    options: &ReadOptions<'_>,
    out: &mut Output,
    console: &mut Console,
) -> io::Result<Exit> {
    let name = reading::name(path);
    let Some(octets) = reading::octets(path, console) else { return Ok(Exit::Failed) };
    console.working(&format!("reading {name}"));
    let mut tally = Tally::new(());
    let mut news = |found: Diagnostic| {
        if reading::is_news(&found) {
            tally.report(found)
        }
    };
    let read = elf_schema::read(&octets, args.reading.rules, options, &mut news);
    console.done();
    let typed = match read {
        Ok(typed) => typed,
        Err(error) => {
            console.unreadable(path, &error.to_string());
            return Ok(Exit::Failed);
        }
    };
    let facts = Facts::new(&name, &octets, &typed, &args.reading);
    match args.printing.format {
        Format::Human => human(out, &facts, &typed, &tally)?,
        Format::Json => json::line(out, &facts)?,
    }
    out.flush()?;
    Ok(reading::status(&tally, &args.judging))
}

/// What `elf info` says of a file; nothing is left out, what is not known is null.
#[derive(Serialize)]
struct Facts<'d> {
    file: &'d str,
    octets: u64,
    encoding: Encoding<'d>,
    line_breaks: LineBreaks,
    elf_version: Option<String>,
    gedcom_version: Option<String>,
    draft: Likely,
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

#[derive(Serialize)]
struct LineBreaks {
    lf: u64,
    cr: u64,
    crlf: u64,
}

#[derive(Serialize)]
struct Likely {
    likely: Option<&'static str>,
    because: &'static str,
}

impl<'d> Facts<'d> {
    fn new(file: &'d str, octets: &[u8], typed: &'d TypedDocument<'d>, reading: &Reading) -> Facts<'d> {
        let document = typed.document();
        let (types, undefined) = counts(typed);
        let source = document.source();
        let decision = source.decision();
        let breaks = source.line_breaks();
        let Recognition { likely, because, .. } = recognise(source.text());
        Facts {
            file,
            octets: octets.len() as u64,
            encoding: Encoding {
                detected: decision.detected.map(|encoding| encoding.name()),
                detected_by: decision.detected_by.map(|by| by.name()),
                specified: decision.specified.as_deref(),
                used: decision.used.name(),
                because: decision.because.name(),
                bom: decision.mark,
            },
            line_breaks: LineBreaks { lf: breaks.lf, cr: breaks.cr, crlf: breaks.crlf },
            elf_version: document.header().elf_version().map(ToString::to_string),
            gedcom_version: document.header().gedcom_version().map(ToString::to_string),
            draft: Likely { likely: likely.map(Draft::name), because },
            producer: producer(document),
            schema: schema(typed, reading),
            lines: source.line_count(),
            records: document.records().count() as u64,
            structures: document.structures().count() as u64,
            max_level: max_level(document),
            types,
            undefined,
        }
    }
}

/// The program that wrote the file, and its version: HEAD.SOUR and HEAD.SOUR.VERS.
fn producer(document: &Document<'_>) -> Option<String> {
    let program = document.metadata().find(|node| node.tag() == "SOUR")?;
    let name = program.text();
    let version = program.substructure("VERS").map(Node::text).unwrap_or_default();
    let producer = format!("{} {}", name.trim(), version.trim());
    Some(producer.trim().to_owned()).filter(|producer| !producer.is_empty())
}

/// Which schema is in force: `completed`, `published`, what was asked for, the IRIs that the header names, `header`
/// where it holds the schema itself, `dictionary` under the drafts of 2017.
fn schema(typed: &TypedDocument<'_>, reading: &Reading) -> Option<String> {
    if let Some(name) = &reading.schema {
        return Some(name.clone());
    }
    if typed.typing().dictionary().is_some() {
        return Some("dictionary".to_owned());
    }
    let schema = typed.schema();
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

/// How many structures there are of each type, and of each tag without one.
fn counts<'d>(typed: &'d TypedDocument<'d>) -> (Counts<'d>, Counts<'d>) {
    let (mut types, mut undefined) = (Counts::new(), Counts::new());
    for (of, count) in typed.typing().counts() {
        let Some(iri) = typed.typing().iri(of) else { continue };
        match undefined_tag(iri) {
            Some(tag) => undefined.insert(tag, count),
            None => types.insert(iri, count),
        };
    }
    (types, undefined)
}

/// The deepest level of any line, those of continuations and of serialisation metadata included.
fn max_level(document: &Document<'_>) -> u64 {
    let mut deepest = 0;
    let roots = document.head().into_iter().chain(document.records());
    let mut open: Vec<Box<dyn Iterator<Item = Node<'_>>>> = vec![Box::new(roots)];
    while let Some(siblings) = open.last_mut() {
        if let Some(node) = siblings.next() {
            deepest = deepest.max(open.len() - 1);
            open.push(Box::new(node.lines()));
        } else {
            open.pop();
        }
    }
    deepest as u64
}

fn human(
    out: &mut Output,
    facts: &Facts<'_>,
    typed: &TypedDocument<'_>,
    tally: &Tally<()>,
) -> io::Result<()> {
    let document = typed.document();
    let file = sanitise(facts.file);
    writeln!(out, "{file}")?;
    row(out, "size", &counted(facts.octets, "octet"))?;
    let decision = document.source().decision();
    let mark = if decision.mark { ", with a byte-order mark" } else { "" };
    row(out, "encoding", &format!("{} ({}{mark})", facts.encoding.used, reason(facts.encoding.because)))?;
    for evidence in &decision.evidence {
        row(out, "", evidence)?;
    }
    row(out, "line breaks", &line_breaks(&facts.line_breaks))?;
    let versions = [("GEDCOM", &facts.gedcom_version), ("ELF", &facts.elf_version)];
    let versions: Vec<String> = versions
        .into_iter()
        .filter_map(|(format, version)| version.as_ref().map(|version| format!("{format} {version}")))
        .collect();
    row(out, "version", &or_none(versions.join(", ")))?;
    let draft = facts.draft.likely.unwrap_or("none");
    row(out, "draft", &format!("{draft}: {}", facts.draft.because))?;
    row(out, "producer", &or_none(facts.producer.clone().unwrap_or_default()))?;
    row(out, "schema", facts.schema.as_deref().unwrap_or("none"))?;
    row(out, "lines", &format!("{}, levels up to {}", grouped(facts.lines), grouped(facts.max_level)))?;
    row(out, "records", &records(facts, document))?;
    row(out, "structures", &grouped(facts.structures))?;
    let prefixes = typed.schema().prefixes();
    let types: Vec<(String, u64)> =
        facts.types.iter().map(|(iri, &count)| (prefixes.shorten(iri).into_owned(), count)).collect();
    table(out, "types", types)?;
    let undefined: Vec<(String, u64)> =
        facts.undefined.iter().map(|(tag, &count)| ((*tag).to_owned(), count)).collect();
    table(out, "undefined", undefined)?;
    row(out, "problems", &problems(tally, &file))
}

/// One row; `text` is sanitised here.
fn row(out: &mut Output, title: &str, text: &str) -> io::Result<()> {
    writeln!(out, "  {title:<12}{}", sanitise(text))
}

/// Names with their counts, the commonest first, a row each.
fn table(out: &mut Output, title: &str, mut counts: Vec<(String, u64)>) -> io::Result<()> {
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

/// What decided the encoding, for a person.
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

/// How many records, and of which tags: the commonest first.
fn records(facts: &Facts<'_>, document: &Document<'_>) -> String {
    let mut counts: BTreeMap<&str, u64> = BTreeMap::new();
    for record in document.records() {
        *counts.entry(record.tag()).or_default() += 1;
    }
    let mut counts: Vec<(&str, u64)> = counts.into_iter().collect();
    counts.sort_by_key(|&(_, count)| std::cmp::Reverse(count));
    let mut text = grouped(facts.records);
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
    format!("{} (`elf check {file}` shows them)", counts.join(", "))
}
