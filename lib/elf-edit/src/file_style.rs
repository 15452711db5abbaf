//! The style of the lines in a file: their indentation, and the length at which they are split with CONC.

use crate::nodes::to_u32;
use elf_base::Span;
use elf_base::rules::{LengthUnit, LineLimit};
use elf_lines::leading_level;
use elf_tagged::Document;
use std::collections::HashMap;

/// The style of the lines of a file, which is used for new lines. The style consists of their indentation and, if the
/// file has CONC lines, their length.
#[derive(Clone, Debug, Default)]
pub(super) struct FileStyle<'d> {
    /// The whitespace at the start of the first line of each level.
    indents: HashMap<u32, &'d str>,
    indented: bool,
    /// Whether the file has CONC lines.
    continued: bool,
    /// The length of the longest line without its line ending, in the unit of the line limit.
    longest: u32,
}

/// If the longest line of a file is shorter than this constant, its length is a coincidence, not a limit of the program
/// that wrote the file.
const CREDIBLE: u32 = 60;

impl<'d> FileStyle<'d> {
    pub(super) fn measure(document: &'d Document<'_>) -> FileStyle<'d> {
        let mut style = FileStyle::default();
        // A character that has one byte in UTF-8 has two bytes in UTF-16.
        let widest = if document.source().decision().used.is_utf16() { 2 } else { 1 };
        for node in document.nodes() {
            let flags = node.flags();
            if flags.is_inserted() || flags.has_made_payload() {
                continue;
            }
            style.continued |= flags.is_conc();
            let line = line_with_indent(document.text(), node.span());
            if line.len() * widest > style.longest as usize {
                style.longest = style.longest.max(line_length(document, line));
            }
            if line.starts_with([' ', '\t']) && !flags.is_raw() && !flags.is_error() {
                style.indented = true;
            }
        }
        // New lines are not indented if the rules only tolerate indentation.
        style.indented &= !document.rules().lines.delimiters.is_one_space();
        if style.indented {
            style.indents = find_indents(document);
        }
        style
    }

    /// Returns the whitespace at the start of a line of this level. `near` is the whitespace of a line that is one
    /// level higher.
    pub(super) fn indent_for_level(&self, level: u32, near: &'d str) -> &'d str {
        if !self.indented {
            return "";
        }
        self.indents.get(&level).copied().unwrap_or(near)
    }

    /// Returns the limit for new lines that start with `extra` characters of whitespace. A line ending counts as one
    /// character.
    pub(super) fn line_limit(&self, document: &Document<'_>, extra: usize) -> LineLimit {
        if !document.rules().tagged.conc {
            return LineLimit::None;
        }
        let extra = to_u32(extra);
        let width = self.longest.saturating_add(break_length_in_limit(document));
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

/// Returns the whitespace at the start of the first line of each level.
fn find_indents<'d>(document: &'d Document<'_>) -> HashMap<u32, &'d str> {
    let mut indents = HashMap::new();
    for node in document.nodes() {
        let flags = node.flags();
        if flags.is_inserted() || flags.has_made_payload() || flags.is_raw() || flags.is_error() {
            continue;
        }
        let line = line_with_indent(document.text(), node.span());
        if let Some(level) = leading_level(line) {
            indents.entry(level).or_insert(indent_of(line));
        }
    }
    indents
}

/// Returns the length of a line without its line ending, in the unit of the line limit of the
/// rules.
fn line_length(document: &Document<'_>, line: &str) -> u32 {
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

/// Returns the length of the most common line ending if the line limit includes it, otherwise 0.
fn break_length_in_limit(document: &Document<'_>) -> u32 {
    if document.rules().write.limit.counts_break() { break_length(document) } else { 0 }
}

/// Returns the length of the most common line ending, in characters.
fn break_length(document: &Document<'_>) -> u32 {
    to_u32(document.source().line_breaks().commonest().text().len())
}

/// Returns a line with the whitespace at its start. Under some rules, this whitespace is not part of `text` at `line`.
pub(super) fn line_with_indent(text: &str, line: Span) -> &str {
    let before = &text[..line.start as usize];
    &text[before.trim_end_matches([' ', '\t']).len()..line.end as usize]
}

pub(super) fn indent_of(line: &str) -> &str {
    &line[..line.len() - line.trim_start_matches([' ', '\t']).len()]
}
