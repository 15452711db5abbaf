//! The file style: how a file indents its lines, and how long they grow before CONC.

use elf_base::Span;
use elf_base::rules::LineLimit;
use elf_lines::leading_level;
use elf_tagged::Document;
use std::collections::HashMap;

/// The style of the lines of a file, for new ones to follow: their indentation, and their length where there
/// are CONC lines.
#[derive(Debug, Default)]
pub(super) struct FileStyle<'d> {
    /// The whitespace before the first line of each level.
    indents: HashMap<u32, &'d str>,
    indented: bool,
    /// The longest line of a file that has CONC lines, in the unit of the line limit.
    width: Option<u32>,
}

/// Lines of this length and more are a habit; shorter ones are chance.
const CREDIBLE: u32 = 60;

impl<'d> FileStyle<'d> {
    /// Looks through all lines of a document.
    pub(super) fn of(document: &'d Document<'_>) -> FileStyle<'d> {
        let mut style = FileStyle::default();
        let mut width = 0;
        let mut continued = false;
        for node in document.nodes() {
            let flags = node.flags();
            if flags.is_inserted() || flags.has_made_payload() {
                continue;
            }
            continued |= flags.is_conc();
            let line = line_at(document.text(), node.span());
            if line.len() > width as usize {
                width = width.max(measure(document, line));
            }
            if line.starts_with([' ', '\t']) && !flags.is_raw() && !flags.is_error() {
                style.indented = true;
            }
        }
        // New lines do not follow what the rules only put up with.
        style.indented &= !document.rules().lines.delimiters.is_one_space();
        if style.indented {
            style.indents = indents(document);
        }
        style.width = (continued && width >= CREDIBLE).then_some(width);
        style
    }

    /// The whitespace before a line of that level; `near` is that of a line one level less deep.
    pub(super) fn indent(&self, level: u32, near: &'d str) -> &'d str {
        if !self.indented {
            return "";
        }
        self.indents.get(&level).copied().unwrap_or(near)
    }

    /// The longest line to make, for lines that have `extra` characters of whitespace in front; its line
    /// break counts as one character.
    pub(super) fn limit(&self, document: &Document<'_>, extra: usize) -> LineLimit {
        if !document.rules().tagged.conc {
            return LineLimit::None;
        }
        let extra = u32::try_from(extra).unwrap_or(u32::MAX);
        let most =
            |limit: u32| self.width.map_or(limit, |width| width.min(limit)).saturating_sub(extra).max(1);
        match document.rules().write.limit {
            LineLimit::Characters(limit) => LineLimit::Characters(most(limit)),
            LineLimit::CharactersWithBreak(limit) => {
                let rest = break_length(document) - 1;
                LineLimit::CharactersWithBreak(most(limit).saturating_sub(rest).max(1))
            }
            LineLimit::Utf8(limit) => LineLimit::Utf8(most(limit)),
            LineLimit::Encoded(limit) => {
                let wide = if document.source().decision().used.is_utf16() { extra } else { 0 };
                LineLimit::Encoded(most(limit).saturating_sub(wide).max(1))
            }
            LineLimit::EncodedWithBreak(limit) => {
                let rest = break_length(document) - 1;
                LineLimit::EncodedWithBreak(most(limit).saturating_sub(rest).max(1))
            }
            LineLimit::None => LineLimit::None,
        }
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

/// The length of a line in the unit of the line limit of the rules.
fn measure(document: &Document<'_>, line: &str) -> u32 {
    let encoding = document.source().decision().used;
    let length = match document.rules().write.limit {
        LineLimit::Characters(_) => line.chars().count(),
        LineLimit::CharactersWithBreak(_) => line.chars().count() + break_length(document) as usize,
        LineLimit::Encoded(_) => encoding.encoded_len(line),
        LineLimit::EncodedWithBreak(_) => {
            let octets = encoding.encoded_len(line);
            // Twice as many are allowed there.
            let units = if encoding.is_utf16() { octets / 2 } else { octets };
            units + break_length(document) as usize
        }
        LineLimit::Utf8(_) | LineLimit::None => line.len(),
    };
    u32::try_from(length).unwrap_or(u32::MAX)
}

/// The length of the commonest line break, in characters.
fn break_length(document: &Document<'_>) -> u32 {
    u32::try_from(document.source().line_breaks().commonest().text().len()).unwrap_or(1)
}

/// A line string with the whitespace before it, which the rules may count as part of it or not.
pub(super) fn line_at(text: &str, line: Span) -> &str {
    let before = text.get(..line.start as usize).unwrap_or_default();
    text.get(before.trim_end_matches([' ', '\t']).len()..line.end as usize).unwrap_or_default()
}

/// The whitespace that a line starts with.
pub(super) fn indent_of(line: &str) -> &str {
    line.get(..line.len() - line.trim_start_matches([' ', '\t']).len()).unwrap_or_default()
}
