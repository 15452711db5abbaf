//! Changes to the lines of a document, and the questions about lines that fixes ask.

use super::locked::LockedLines;
use crate::file_style::indent_of;
use crate::nodes::Nodes;
use elf_base::Span;
use elf_lines::escape::have_same_calendars;
use elf_lines::{leading_level, may_begin_record, parse_characters_checked};
use elf_octets::{Irregularity, LineBreak, Locator};
use elf_tagged::Document;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// Collects changes to the lines of a document. Each change belongs to a finding, which is given by its index.
pub(super) struct LineChanges<'d> {
    document: &'d Document<'d>,
    /// Whether fixes that guess are allowed. If so, locked lines may be changed, and bytes with a guessed meaning are
    /// written as the guessed characters.
    may_guess: bool,
    locator: Locator<'d>,
    changes: BTreeMap<u64, Vec<LineChange>>,
    /// The lines that will be inserted, by the number of the line that follows them.
    inserted: BTreeMap<u64, InsertedLine>,
    /// The node that the last search for a line has found.
    last_node: u32,
    last_column: Option<KnownColumn>,
    /// The lines that contain half of a character and will be written again.
    respelled_halves: BTreeSet<u64>,
    /// The findings that are fixed by the changes for other findings.
    fixed: Vec<usize>,
}

struct LineChange {
    finding: usize,
    edit: LineEdit,
}

enum LineEdit {
    Replace(Range<usize>, String),
    Prefix(String),
    SetLevel(u32),
    /// Writes the level again, without leading zeros.
    RespellLevel,
    Remove,
    /// Writes the line again as it was decoded.
    Respell,
}

struct InsertedLine {
    text: String,
    findings: Vec<usize>,
}

/// A column whose offset was computed last, with its offset.
struct KnownColumn {
    line: u64,
    column: u64,
    offset: usize,
}

/// The ranges of the parts of a line in its text. The text includes leading whitespace.
pub(super) struct ParsedLine {
    pub(super) xref: Range<usize>,
    pub(super) tag: Range<usize>,
    pub(super) payload: Range<usize>,
}

pub(super) struct WrittenChanges {
    /// The changed lines in order.
    pub(super) lines: Vec<ChangedLine>,
    /// The findings for which all changes can be written, in order.
    pub(super) fixed: Vec<usize>,
}

/// A changed line, with the findings for which it is changed.
pub(super) struct ChangedLine {
    pub(super) line: u64,
    pub(super) change: NewText,
    pub(super) findings: Vec<usize>,
}

/// The new text of a line, without a line ending.
pub(super) enum NewText {
    Changed(String),
    Removed,
    /// A new line that is inserted before this line.
    InsertedBefore(String),
}

impl<'d> LineChanges<'d> {
    pub(super) fn new(document: &'d Document<'d>, may_guess: bool) -> LineChanges<'d> {
        LineChanges {
            document,
            may_guess,
            locator: document.locator(),
            changes: BTreeMap::new(),
            inserted: BTreeMap::new(),
            last_node: 0,
            last_column: None,
            respelled_halves: BTreeSet::new(),
            fixed: Vec::new(),
        }
    }

    pub(super) const fn document(&self) -> &'d Document<'d> {
        self.document
    }

    /// Returns the decoded text of a line. The text is empty for a line after the last one.
    pub(super) fn line_text(&self, line: u64) -> &'d str {
        self.document.source().line_text(line).unwrap_or("")
    }

    pub(super) fn first_line(&self) -> u64 {
        self.document.source().start().line
    }

    /// Returns the number of the line after the last line.
    pub(super) fn end_line(&self) -> u64 {
        self.first_line() + self.document.source().line_count()
    }

    /// Returns whether a line that was read as text may start another record.
    pub(super) fn may_begin_record(&mut self, line: u64) -> bool {
        if self.may_guess || !may_begin_record(self.line_text(line)) {
            return false;
        }
        let node = self.node_on_line(line);
        node.is_some_and(|node| Nodes::of(self.document).flags(node).is_raw())
    }

    /// Returns whether this line contains two lines that are joined, because a line ending is missing.
    fn is_joined(&self, line: u64) -> bool {
        let rules = self.document.rules();
        let body = self.line_text(line).get(self.indent_length(line)..).unwrap_or_default();
        let parsed = parse_characters_checked(body, &rules.lines);
        !self.may_guess
            && rules.tagged.joined_lines.are_reported()
            && parsed.is_ok_and(|parsed| elf_lines::joined_line(body, &parsed).is_some())
    }

    pub(super) fn indent_length(&self, line: u64) -> usize {
        indent_of(self.line_text(line)).len()
    }

    /// Parses a line without its leading whitespace. Returns `None` if the line is malformed.
    pub(super) fn parse_line(&self, line: u64) -> Option<ParsedLine> {
        let indent = self.indent_length(line);
        let body = self.line_text(line).get(indent..)?;
        let line = parse_characters_checked(body, &self.document.rules().lines).ok()?;
        let range = |span: Span| indent + span.start as usize..indent + span.end as usize;
        Some(ParsedLine {
            xref: range(line.xref_span()),
            tag: range(line.tag_span()),
            payload: range(line.payload_span()),
        })
    }

    /// Returns the offset of a column in the text of a line. The search starts at the last column that was found, so
    /// that a line with many findings is searched only once.
    pub(super) fn offset_of_column(&mut self, line: u64, column: u64) -> usize {
        let text = self.line_text(line);
        let (known_column, known_offset) = match &self.last_column {
            Some(known) if known.line == line && known.column <= column => (known.column, known.offset),
            _ => (1, 0),
        };
        let skipped = column.saturating_sub(known_column);
        let mut rest = text[known_offset..].char_indices();
        let character = usize::try_from(skipped).ok().and_then(|skipped| rest.nth(skipped));
        let Some((distance, _)) = character else { return text.len() };
        let offset = known_offset + distance;
        self.last_column = Some(KnownColumn { line, column: column.max(1), offset });
        offset
    }

    pub(super) fn line_of_node(&mut self, node: u32) -> u64 {
        self.locator.line_number(Nodes::of(self.document).line_start_span(node))
    }

    /// Finds the first node on a line or after it. The search starts at the result of the last search, because fixes
    /// usually come in the order of lines.
    fn first_node_from(&mut self, line: u64) -> u32 {
        let mut high = Nodes::of(self.document).count_in_file();
        let last = self.last_node.min(high);
        let is_behind = last.checked_sub(1).is_none_or(|before| self.line_of_node(before) < line);
        let (mut low, mut step) = (if is_behind { last } else { 0 }, 1_u32);
        while low < high {
            let middle = low + (step - 1).min((high - low) / 2);
            if self.line_of_node(middle) < line {
                low = middle + 1;
                step = step.saturating_mul(2);
            } else {
                high = middle;
                step = u32::MAX;
            }
        }
        self.last_node = low;
        low
    }

    pub(super) fn node_on_line(&mut self, line: u64) -> Option<u32> {
        let node = self.first_node_from(line);
        ((node as usize) < self.document.len() && self.line_of_node(node) == line).then_some(node)
    }

    pub(super) fn first_node_after(&mut self, line: u64) -> Option<u32> {
        let node = self.first_node_from(line + 1);
        ((node as usize) < self.document.len()).then_some(node)
    }

    /// Returns the node of a line and the range of its payload, if `other` can replace that payload exactly as it is
    /// written. For this, the line must contain the whole payload. Both texts must have the same calendar escapes and
    /// no other at sign.
    pub(super) fn replaceable_payload(&mut self, line: u64, other: &str) -> Option<(u32, Range<usize>)> {
        let node = self.node_on_line(line)?;
        let flags = Nodes::of(self.document).flags(node);
        let payload = self.parse_line(line)?.payload;
        let is_alone = !flags.is_continued() && !flags.is_continuation() && !flags.is_raw();
        let is_read = !flags.is_error() && !flags.has_made_payload();
        let grammar = self.document.escape();
        let text = self.line_text(line).get(payload.clone()).filter(|text| !text.is_empty())?;
        (is_alone && is_read && have_same_calendars(text, other, grammar)).then_some((node, payload))
    }

    pub(super) fn next_line(&self, line: u64) -> Option<u64> {
        let source = self.document.source();
        (line + 1..).map_while(|line| Some((line, source.line_text(line)?))).find_map(|(line, text)| {
            let is_blank = text.bytes().all(|byte| matches!(byte, b' ' | b'\t'));
            (!is_blank).then_some(line)
        })
    }

    fn add_change(&mut self, line: u64, finding: usize, edit: LineEdit) {
        self.changes.entry(line).or_default().push(LineChange { finding, edit });
    }

    pub(super) fn replace_range(&mut self, line: u64, range: Range<usize>, with: &str, finding: usize) {
        self.add_change(line, finding, LineEdit::Replace(range, with.to_owned()));
    }

    pub(super) fn prefix_line(&mut self, line: u64, prefix: &str, finding: usize) {
        self.add_change(line, finding, LineEdit::Prefix(prefix.to_owned()));
    }

    pub(super) fn set_level(&mut self, line: u64, level: u32, finding: usize) {
        self.add_change(line, finding, LineEdit::SetLevel(level));
    }

    /// Removes the leading zeros of the level on a line.
    pub(super) fn respell_level(&mut self, line: u64, finding: usize) {
        self.add_change(line, finding, LineEdit::RespellLevel);
    }

    /// Records that a finding is fixed by the changes for other findings.
    pub(super) fn mark_fixed(&mut self, finding: usize) {
        self.fixed.push(finding);
    }

    pub(super) fn remove_line(&mut self, line: u64, finding: usize) {
        self.add_change(line, finding, LineEdit::Remove);
    }

    /// Writes a line again as it was decoded.
    pub(super) fn respell_line(&mut self, line: u64, finding: usize) {
        self.add_change(line, finding, LineEdit::Respell);
        if self.irregularities(line).any(is_half_character) {
            self.respelled_halves.insert(line);
        }
    }

    /// Inserts a line before the line with this number. Findings that need the same line at the same place share one
    /// inserted line.
    pub(super) fn insert_line(&mut self, line: u64, text: &str, finding: usize) {
        let new = || InsertedLine { text: text.to_owned(), findings: Vec::new() };
        self.inserted.entry(line).or_insert_with(new).findings.push(finding);
    }

    fn irregularities(&self, line: u64) -> impl Iterator<Item = Irregularity> + use<'d> {
        let source = self.document.source();
        let all = source.irregular();
        let span = source.line(line).map(|line| line.text).filter(|_| !all.is_empty());
        let span = span.unwrap_or(Span::new(0, 0));
        let first = all.partition_point(|one| one.text.end < span.start);
        all[first..].iter().take_while(move |one| one.text.start <= span.end).map(|one| one.kind)
    }

    /// Returns whether a line can be written again without losing any bytes, except those of half a character.
    pub(super) fn is_rewritable(&self, line: u64) -> bool {
        if line >= self.end_line() {
            // The line is after the place at which reading stopped.
            return false;
        }
        let undecodable = self.irregularities(line).any(|kind| kind == Irregularity::Undecodable);
        !undecodable || self.may_guess && !self.line_text(line).contains('\u{FFFD}')
    }

    /// Returns whether a line can be written again without the lines beside it.
    pub(super) fn is_rewritable_alone(&self, line: u64) -> bool {
        self.is_rewritable(line)
            && !self.irregularities(line).any(is_half_character)
            && self.is_spelled_alike(line)
    }

    /// Finds the lines that share a character with a line beside them which cannot be written again.
    fn find_lines_tied_to_others(&mut self) -> BTreeSet<u64> {
        let source = self.document.source();
        let halves = source.irregular().iter().filter(|one| is_half_character(one.kind));
        let mut numbers: Vec<u64> = halves.map(|one| self.locator.line_number(one.text)).collect();
        numbers.dedup();
        let is_free = |line: &u64| self.respelled_halves.contains(line) && self.is_rewritable(*line);
        let chains = numbers.chunk_by(|one, other| *other == one + 1);
        chains.filter(|chain| !chain.iter().all(is_free)).flatten().copied().collect()
    }

    /// Returns whether encoding the text of a line gives the bytes of the line. Some encodings can spell a character in
    /// several ways, and the spelling is evidence for the encoding.
    fn is_spelled_alike(&self, line: u64) -> bool {
        let source = self.document.source();
        if self.may_guess || source.is_ascii() || self.irregularities(line).next().is_some() {
            return true;
        }
        let ending = source.line(line).and_then(|line| line.ending).map_or("", LineBreak::text);
        let text = [self.line_text(line), ending].concat();
        let mut bytes = Vec::new();
        let spelled = source.decision().used.encode_into(&text, &mut bytes);
        spelled.is_ok() && source.passage(line..line + 1).octets().ends_with(&bytes)
    }

    /// Returns the new lines. If a line cannot be written again, it is not changed, and the findings about it are not
    /// fixed.
    pub(super) fn finish(mut self) -> WrittenChanges {
        let tied = self.find_lines_tied_to_others();
        let locked = (!self.may_guess).then(|| LockedLines::of(self.document, &mut self.locator));
        let (mut lines, mut not_fixed) = (Vec::new(), BTreeSet::new());
        let mut fixed: BTreeSet<usize> = std::mem::take(&mut self.fixed).into_iter().collect();
        for (line, InsertedLine { text, findings }) in std::mem::take(&mut self.inserted) {
            fixed.extend(&findings);
            lines.push(ChangedLine { line, change: NewText::InsertedBefore(text), findings });
        }
        for (line, changes) in std::mem::take(&mut self.changes) {
            let findings: Vec<usize> = changes.iter().map(|change| change.finding).collect();
            let change = self.apply_changes(line, &changes);
            let is_kept = tied.contains(&line)
                || locked.as_ref().is_some_and(|locked| locked.contains(line))
                || self.may_begin_record(line)
                || self.is_joined(line);
            if is_kept
                || !self.is_rewritable(line)
                || !self.can_spell(&change)
                || !self.is_spelled_alike(line)
            {
                not_fixed.extend(findings);
                continue;
            }
            fixed.extend(&findings);
            lines.push(ChangedLine { line, change, findings });
        }
        // The sort is stable, so a line that is inserted before another line comes first.
        lines.sort_by_key(|changed| changed.line);
        WrittenChanges { lines, fixed: fixed.difference(&not_fixed).copied().collect() }
    }

    /// Returns whether the encoding has all characters of a text. A decoder may know more characters than the encoder.
    fn can_spell(&self, change: &NewText) -> bool {
        let NewText::Changed(text) = change else { return true };
        self.document.source().decision().used.encode_into(text, &mut Vec::new()).is_ok()
    }

    fn apply_changes(&self, line: u64, changes: &[LineChange]) -> NewText {
        let text = self.line_text(line);
        let (mut replaced, mut prefix, mut level): (Vec<(Range<usize>, &str)>, _, _) = (Vec::new(), "", None);
        for LineChange { edit, .. } in changes {
            match edit {
                LineEdit::Replace(range, with) => replaced.push((range.clone(), with)),
                LineEdit::Prefix(with) => prefix = with,
                LineEdit::SetLevel(new) => level = Some(*new),
                LineEdit::RespellLevel => level = level.or_else(|| leading_level(text)),
                LineEdit::Remove => return NewText::Removed,
                LineEdit::Respell => {}
            }
        }
        let level = level.map(|level| level.to_string());
        if let Some(level) = &level {
            let start = self.indent_length(line);
            let behind = text[start..].trim_start_matches(|c: char| c.is_ascii_digit());
            replaced.push((start..text.len() - behind.len(), level));
        }
        replaced.sort_by_key(|(range, _)| (range.start, range.end));
        replaced.dedup();
        let mut new = prefix.to_owned();
        let mut kept = 0;
        for (range, with) in replaced {
            // Two findings may have the same fix, or one fix may have removed the text that another one changes.
            if range.start < kept {
                continue;
            }
            new.push_str(&text[kept..range.start]);
            new.push_str(with);
            kept = range.end;
        }
        new.push_str(&text[kept..]);
        NewText::Changed(new)
    }
}

/// Returns whether bytes are half of a character that CONC cuts in two.
const fn is_half_character(kind: Irregularity) -> bool {
    matches!(kind, Irregularity::CutHead | Irregularity::CutTail)
}
