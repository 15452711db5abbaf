//! Prints the line strings and lines of a file, as text and as JSON.

use crate::json::{self, PayloadMember};
use crate::{sanitise, tree};
use elf_tagged::elf_lines::{self, Fault, Line, Payload};
use elf_tagged::elf_octets::Locator;
use elf_tagged::{Node, Rules, Source, Span};
use serde::Serialize;
use serde_json::value::RawValue;
use std::io::{self, Write};

/// A part of a text: ranges in ascending order that do not overlap, or the whole text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Extent(Option<Vec<Span>>);

impl Extent {
    /// Returns the lines of structures and of everything under them. `None` stands for all lines.
    pub fn of(at: Option<Vec<Node<'_>>>) -> Extent {
        let Some(mut nodes) = at else { return Extent(None) };
        nodes.sort_by_key(|node| node.id().index());
        let mut spans: Vec<Span> = Vec::new();
        for node in nodes {
            let last = node.subtree_lines().next_back().unwrap_or(node);
            let (start, end) = (node.line_span().start, last.line_span().end);
            match spans.last_mut() {
                Some(before) if start < before.end => before.end = before.end.max(end),
                _ => spans.push(Span::new(start, end)),
            }
        }
        Extent(Some(spans))
    }

    /// Returns whether a line string is in the extent.
    pub fn has(&self, line: Span) -> bool {
        let Some(spans) = &self.0 else { return true };
        let next = spans.partition_point(|span| span.end <= line.start);
        spans.get(next).is_some_and(|span| span.start <= line.end)
    }
}

/// Prints the line strings of a source.
#[derive(Debug)]
pub struct LinePrinter<'s> {
    source: &'s Source<'s>,
    locator: Locator<'s>,
    is_json: bool,
}

impl<'s> LinePrinter<'s> {
    /// Creates a printer for JSON or for people.
    pub fn new(source: &'s Source<'s>, is_json: bool) -> LinePrinter<'s> {
        LinePrinter { source, locator: source.locator(), is_json }
    }

    /// Writes a line string with its line number and its offset.
    ///
    /// # Errors
    ///
    /// If writing to `out` fails.
    pub fn line_string(&mut self, out: &mut impl Write, span: Span) -> io::Result<()> {
        #[derive(Serialize)]
        struct LineString<'a> {
            line: u64,
            octet: u64,
            text: &'a str,
        }
        let (place, text) = (self.locator.place(span), span.of(self.source.text()));
        let (line, octet) = (place.line, place.octet);
        match self.is_json {
            true => json::write_line(out, &LineString { line, octet, text }),
            false => writeln!(out, "{line:>6} {octet:>9}  {}", sanitise(text)),
        }
    }

    /// Writes the line that a line string represents, or the reason why it is invalid. Returns
    /// whether it is valid.
    ///
    /// # Errors
    ///
    /// If writing to `out` fails.
    pub fn line(&mut self, out: &mut impl Write, span: Span) -> io::Result<bool> {
        let rules = &self.source.decision().rules;
        let (number, text) = (self.locator.place(span).line, span.of(self.source.text()));
        let line = elf_lines::parse(text, &rules.lines);
        let is_line = line.is_ok();
        match (self.is_json, line) {
            (false, Ok(line)) => human_line(out, number, &line)?,
            (false, Err(fault)) => human_fault(out, number, &fault, text)?,
            (true, Ok(line)) => json::write_line(out, &JsonLine::new(number, &line, rules))?,
            (true, Err(fault)) => {
                json::write_line(out, &JsonFault { line: number, error: fault.code.id(), text })?
            }
        }
        Ok(is_line)
    }
}

fn human_line(out: &mut impl Write, number: u64, line: &Line<'_>) -> io::Result<()> {
    write!(out, "{number:>6}  ")?;
    // A level too large to count is not indented. Its digits are enough.
    let depth = if line.level() == u32::MAX { 0 } else { line.level() };
    tree::indent(out, depth as usize)?;
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

fn human_fault(out: &mut impl Write, number: u64, fault: &Fault, text: &str) -> io::Result<()> {
    writeln!(out, "{number:>6}  {}: {}: {}", fault.code, sanitise(&fault.message), sanitise(text))
}

#[derive(Serialize)]
struct JsonLine<'a> {
    line: u64,
    /// The level as written, because a level may have any size.
    level: &'a RawValue,
    #[serde(skip_serializing_if = "Option::is_none")]
    xref: Option<&'a str>,
    tag: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    payload: Option<PayloadMember<'a>>,
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
            // In the draft of December 2019, an empty payload is the same as none (D19 *Payloads*).
            Some(Payload::Text("")) if rules.tagged.empty_payload.is_absent() => None,
            Some(Payload::Text(text)) => Some(PayloadMember::Text(text)),
            Some(Payload::Pointer(pointer)) => Some(PayloadMember::Pointer { pointer, resolved: None }),
            None => None,
        };
        let level = serde_json::from_str(line.level_digits()).unwrap_or(RawValue::NULL);
        JsonLine { line: number, level, xref: line.xref(), tag: line.tag(), payload }
    }
}
