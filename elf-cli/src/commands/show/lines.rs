//! The forms of a file before its lines are structures.

use crate::args::{Show, ShowFormat};
use crate::exit::Exit;
use crate::io::Output;
use elf_render::{json, sanitise, tree};
use elf_tagged::elf_lines::{self, Fault, Line, Payload};
use elf_tagged::{Node, Rules, Source, Span};
use serde::Serialize;
use serde_json::value::RawValue;
use std::io::{self, Write};

/// The part of a text that is shown: ranges in its order that do not meet, or all of it.
pub(super) struct Extent(Option<Vec<Span>>);

impl Extent {
    /// The lines of structures with all beneath them.
    pub(super) fn of(at: Option<Vec<Node<'_>>>) -> Extent {
        let Some(mut nodes) = at else { return Extent(None) };
        nodes.sort_unstable_by_key(|node| node.id());
        let mut spans: Vec<Span> = Vec::new();
        for node in nodes {
            let last = node.subtree().next_back().unwrap_or(node);
            let (start, end) = (node.line_span().start, last.line_span().end);
            match spans.last_mut() {
                Some(before) if start < before.end => before.end = before.end.max(end),
                _ => spans.push(Span::new(start, end)),
            }
        }
        Extent(Some(spans))
    }

    /// Tells whether a line string is shown.
    fn has(&self, line: Span) -> bool {
        let Some(spans) = &self.0 else { return true };
        let next = spans.partition_point(|span| span.end <= line.start);
        spans.get(next).is_some_and(|span| span.start <= line.end)
    }
}

/// The line strings, each with the line and the octet where it starts.
pub(super) fn line_strings(
    out: &mut Output,
    source: &Source<'_>,
    args: &Show,
    extent: &Extent,
) -> io::Result<Exit> {
    #[derive(Serialize)]
    struct LineString<'a> {
        line: u64,
        octet: u64,
        text: &'a str,
    }
    let mut locator = source.locator();
    for span in source.line_strings().filter(|&span| extent.has(span)) {
        let (place, text) = (locator.place(span), span.of(source.text()));
        let (line, octet) = (place.line, place.octet);
        if args.format == ShowFormat::Json {
            json::line(out, &LineString { line, octet, text })?;
        } else {
            writeln!(out, "{line:>6} {octet:>9}  {}", sanitise(text))?;
        }
        if out.is_closed() {
            break;
        }
    }
    Ok(Exit::Clean)
}

/// The lines, and what is none.
pub(super) fn lines(out: &mut Output, source: &Source<'_>, args: &Show, extent: &Extent) -> io::Result<Exit> {
    let rules = &source.decision().rules;
    let mut locator = source.locator();
    let mut exit = Exit::Clean;
    for span in source.line_strings().filter(|&span| extent.has(span)) {
        let text = span.of(source.text());
        let number = locator.place(span).line;
        let line = elf_lines::parse(text, &rules.lines);
        if line.is_err() {
            exit = Exit::Problems;
        }
        match (args.format == ShowFormat::Json, line) {
            (false, Ok(line)) => human_line(out, number, &line)?,
            (false, Err(fault)) => human_fault(out, number, &fault, text)?,
            (true, Ok(line)) => json::line(out, &JsonLine::new(number, &line, rules))?,
            (true, Err(fault)) => json::line(out, &JsonFault { line: number, error: fault.code.id(), text })?,
        }
        if out.is_closed() {
            break;
        }
    }
    Ok(exit)
}

fn human_line(out: &mut Output, number: u64, line: &Line<'_>) -> io::Result<()> {
    write!(out, "{number:>6}  ")?;
    // Of a level beyond all counting the digits are enough.
    let depth = if line.level() == u32::MAX { 0 } else { line.level() };
    tree::indent(out, usize::try_from(depth).unwrap_or(usize::MAX))?;
    write!(out, "{} ", line.level_digits())?;
    if let Some(xref) = line.xref() {
        write!(out, "@{}@ ", sanitise(xref))?;
    }
    write!(out, "{}", sanitise(line.tag()))?;
    match line.payload() {
        Some(Payload::Text(text)) => write!(out, " {}", sanitise(text))?,
        Some(Payload::Pointer(id)) => write!(out, " @{}@", sanitise(id))?,
        None => {}
    }
    writeln!(out)
}

fn human_fault(out: &mut Output, number: u64, fault: &Fault, text: &str) -> io::Result<()> {
    writeln!(out, "{number:>6}  {}: {}: {}", fault.code, sanitise(&fault.message), sanitise(text))
}

#[derive(Serialize)]
struct JsonLine<'a> {
    line: u64,
    /// The level as it was written, since a level may have any size.
    level: &'a RawValue,
    #[serde(skip_serializing_if = "Option::is_none")]
    xref: Option<&'a str>,
    tag: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    payload: Option<JsonPayload<'a>>,
}

#[derive(Serialize)]
#[serde(untagged)]
enum JsonPayload<'a> {
    Text(&'a str),
    Pointer { pointer: &'a str },
}

#[derive(Serialize)]
struct JsonFault<'a> {
    line: u64,
    error: &'static str,
    text: &'a str,
}

impl<'a> JsonLine<'a> {
    fn new(number: u64, line: &Line<'a>, rules: &Rules) -> JsonLine<'a> {
        let payload = match line.payload() {
            // December 2019 does not tell an absent payload from an empty one (D19 Payloads).
            Some(Payload::Text("")) if rules.tagged.empty_payload.is_absent() => None,
            Some(Payload::Text(text)) => Some(JsonPayload::Text(text)),
            Some(Payload::Pointer(pointer)) => Some(JsonPayload::Pointer { pointer }),
            None => None,
        };
        let level = serde_json::from_str(line.level_digits()).unwrap_or(RawValue::NULL);
        JsonLine { line: number, level, xref: line.xref(), tag: line.tag(), payload }
    }
}
