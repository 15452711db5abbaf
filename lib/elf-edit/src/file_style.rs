//! The style of a file: how its lines are indented, and how long they are before CONC.

use crate::nodes::to_u32;
use elf_base::Span;
use elf_base::rules::{LengthUnit, LineLimit};
use elf_lines::leading_level;
use elf_tagged::Document;
use std::collections::HashMap;

/// The style of the lines of a file, for new lines: their indentation, and their length if there are CONC lines.
#[derive(Clone, Debug, Default)]
pub(super) struct FileStyle<'d> {
    /// The whitespace before the first line of each level.
    indents: HashMap<u32, &'d str>,
    indented: bool,
    /// True if there are CONC lines.
    continued: bool,
    /// The length of the longest line without its break, in the unit of the line limit.
    longest: u32,
}

/// If the longest line is shorter than this, its length is chance and not a limit of the producer.
const CREDIBLE: u32 = 60;

impl<'d> FileStyle<'d> {
    /// Looks through all lines of a document.
    pub(super) fn of(document: &'d Document<'_>) -> FileStyle<'d> {
        let mut style = FileStyle::default();
        // A character of UTF-16 may have two bytes where its UTF-8 has one.
        let widest = if document.source().decision().used.is_utf16() { 2 } else { 1 };
        for node in document.nodes() {
            let flags = node.flags();
            if flags.is_inserted() || flags.has_made_payload() {
                continue;
            }
            style.continued |= flags.is_conc();
            let line = line_at(document.text(), node.span());
            if line.len() * widest > style.longest as usize {
                style.longest = style.longest.max(measure(document, line));
            }
            if line.starts_with([' ', '\t']) && !flags.is_raw() && !flags.is_error() {
                style.indented = true;
            }
        }
        // New lines are not indented if the rules only tolerate indentation.
        style.indented &= !document.rules().lines.delimiters.is_one_space();
        if style.indented {
            style.indents = indents(document);
        }
        style
    }

    /// The whitespace before a line of this level; `near` is that of a line one level above.
    pub(super) fn indent(&self, level: u32, near: &'d str) -> &'d str {
        if !self.indented {
            return "";
        }
        self.indents.get(&level).copied().unwrap_or(near)
    }

    /// The limit for new lines that start with `extra` characters of whitespace; a line break counts as one
    /// character.
    pub(super) fn limit(&self, document: &Document<'_>, extra: usize) -> LineLimit {
        if !document.rules().tagged.conc {
            return LineLimit::None;
        }
        let extra = to_u32(extra);
        let width = self.longest.saturating_add(break_in_limit(document));
        let width = (self.continued && width >= CREDIBLE).then_some(width);
        let limit = document.rules().write.limit;
        let Some(most) = limit.most() else { return LineLimit::None };
        let most = width.map_or(most, |width| width.min(most)).saturating_sub(extra).max(1);
        let rest = if limit.counts_break() { break_length(document) - 1 } else { 0 };
        let wide = match limit.unit() {
            LengthUnit::Encoded if !limit.doubles_in_utf_16() && is_utf16(document) => extra,
            LengthUnit::Encoded | LengthUnit::Characters | LengthUnit::Utf8 => 0,
        };
        limit.with_most(most.saturating_sub(rest).saturating_sub(wide).max(1))
    }
}

/// The whitespace before the first line of each level.
fn indents<'d>(document: &'d Document<'_>) -> HashMap<u32, &'d str> {
    let mut indents = HashMap::new();
    for node in document.nodes() {
        let flags = node.flags();
        if flags.is_inserted() || flags.has_made_payload() || flags.is_raw() || flags.is_error() {
            continue;
        }
        let line = line_at(document.text(), node.span());
        if let Some(level) = leading_level(line) {
            indents.entry(level).or_insert(indent_of(line));
        }
    }
    indents
}

/// The length of a line without its break, in the unit of the line limit of the rules.
fn measure(document: &Document<'_>, line: &str) -> u32 {
    let limit = document.rules().write.limit;
    let length = match limit.unit() {
        LengthUnit::Characters => line.chars().count(),
        LengthUnit::Encoded => document.source().decision().used.encoded_len(line),
        LengthUnit::Utf8 => line.len(),
    };
    let length = if limit.doubles_in_utf_16() && is_utf16(document) { length / 2 } else { length };
    to_u32(length)
}

fn is_utf16(document: &Document<'_>) -> bool {
    document.source().decision().used.is_utf16()
}

/// The length of the most common line break, if the line limit of the rules counts it.
fn break_in_limit(document: &Document<'_>) -> u32 {
    if document.rules().write.limit.counts_break() { break_length(document) } else { 0 }
}

/// The length of the most common line break, in characters.
fn break_length(document: &Document<'_>) -> u32 {
    to_u32(document.source().line_breaks().commonest().text().len())
}

/// A line string with the whitespace before it, which the rules may count as part of it or not.
pub(super) fn line_at(text: &str, line: Span) -> &str {
    let before = &text[..line.start as usize];
    &text[before.trim_end_matches([' ', '\t']).len()..line.end as usize]
}

/// The whitespace that a line starts with.
pub(super) fn indent_of(line: &str) -> &str {
    &line[..line.len() - line.trim_start_matches([' ', '\t']).len()]
}
