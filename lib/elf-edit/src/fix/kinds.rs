//! The changes that the fixes of each kind make to the lines of a document.

use super::levels::{self, LevelFinding, RawLineFinding};
use super::lines::{LineChanges, WrittenChanges};
use crate::nodes::Nodes;
use elf_base::{AtSigns, Diagnostic, FixAction};
use elf_lines::leading_level;
use elf_octets::TwiceEncoded;
use elf_tagged::Document;
use elf_tagged::escape::{Token, tokens};
use elf_tagged::path::Types;
use std::ops::Range;

/// The conditions under which fixes are made.
pub(super) struct FixConditions<'t> {
    /// Whether fixes that guess are allowed.
    pub(super) may_guess: bool,
    /// Whether the level of a `CHAR` line may be changed. This is allowed in the header, where CHAR can name the
    /// encoding.
    pub(super) holds_header: bool,
    pub(super) types: &'t mut dyn Types,
}

/// Makes the fixes of those `findings` of a document whose indices are in `chosen`.
pub(super) fn make_fixes(
    document: &Document<'_>,
    findings: &[Diagnostic],
    chosen: &[usize],
    conditions: FixConditions<'_>,
) -> WrittenChanges {
    let FixConditions { may_guess, holds_header, types } = conditions;
    let mut maker = FixMaker {
        lines: LineChanges::new(document, may_guess),
        levels: Vec::new(),
        raw: Vec::new(),
        payload: None,
        types,
    };
    for &index in chosen {
        maker.make_fix(index, &findings[index]);
    }
    let FixMaker { mut lines, levels, raw, .. } = maker;
    let corrected = levels::correct_levels(&mut lines, levels, holds_header);
    levels::continue_raw_lines(&mut lines, raw, &corrected);
    lines.finish()
}

/// Returns whether a fix is right for GEDCOM 5.5.1 and ELF, but wrong for GEDCOM 7. Such fixes add CHAR, or double at
/// signs that are not at the start.
pub(super) const fn is_for_gedcom_5(action: &FixAction) -> bool {
    matches!(action, FixAction::NameEncoding | FixAction::DoubleAtSigns(_))
}

/// Returns how far a fix reaches beyond its own text. If several fixes together make the file worse, the fixes with the
/// shorter reach are kept.
pub(super) const fn reach_of(action: &FixAction) -> u8 {
    match action {
        FixAction::Replace(_)
        | FixAction::SetPayload(_)
        | FixAction::RemoveIndent
        | FixAction::RemoveLevelZeros
        | FixAction::RemoveXref
        | FixAction::IdentifierFirst
        | FixAction::DoubleAtSigns(_)
        | FixAction::RestorePointer(_)
        | FixAction::AddTrailer
        | FixAction::SplitLine
        | FixAction::MoveTrailer
        | FixAction::AnswerLink(_) => 0,
        FixAction::Respell | FixAction::RespellBoth | FixAction::DecodeAgain => 1,
        FixAction::RemoveBlankLine => 2,
        FixAction::NameEncoding => 3,
        FixAction::CorrectLevels => 4,
        FixAction::Continue => 5,
    }
}

struct FixMaker<'d, 't> {
    lines: LineChanges<'d>,
    levels: Vec<LevelFinding>,
    raw: Vec<RawLineFinding>,
    /// The line whose at signs were examined last, with the result.
    payload: Option<AtSignLine>,
    types: &'t mut dyn Types,
}

struct AtSignLine {
    line: u64,
    /// The payload in which at signs can be doubled. `None` if the line has no such payload.
    payload: Option<Range<usize>>,
}

impl FixMaker<'_, '_> {
    fn make_fix(&mut self, index: usize, finding: &Diagnostic) {
        let Some(fix) = &finding.fix else { return };
        match (&fix.action, finding.place) {
            (FixAction::NameEncoding, _) => self.name_encoding(index),
            (FixAction::AddTrailer, _) => self.add_trailer(index),
            // Other modules make these fixes. `links` inserts the line into another record, and `trailer` moves the
            // trailer after the last record.
            (FixAction::AnswerLink(_) | FixAction::MoveTrailer, _) | (_, None) => {}
            (FixAction::SplitLine, Some(place)) => self.split_line(index, place.line, place.column),
            (FixAction::Replace(with), Some(place)) => {
                let start = self.lines.offset_of_column(place.line, place.column);
                let end = self.lines.offset_of_column(place.line, place.end_column);
                self.lines.replace_range(place.line, start..end, with, index);
            }
            (FixAction::SetPayload(text), Some(place)) => {
                if let Some((_, payload)) = self.lines.replaceable_payload(place.line, text) {
                    self.lines.replace_range(place.line, payload, text, index);
                }
            }
            (FixAction::RemoveIndent, Some(place)) => self.remove_indent(index, place.line),
            (FixAction::RemoveLevelZeros, Some(place)) => self.lines.respell_level(place.line, index),
            (FixAction::RemoveXref, Some(place)) => self.remove_xref(index, place.line),
            (FixAction::IdentifierFirst, Some(place)) => self.put_identifier_first(index, place.line),
            (FixAction::RemoveBlankLine, Some(place)) => self.remove_blank_line(index, place.line),
            (FixAction::CorrectLevels, Some(place)) => {
                let node = self.lines.node_on_line(place.line);
                self.levels.extend(node.map(|node| LevelFinding { node, finding: index }));
            }
            (FixAction::Continue, Some(place)) => {
                let document = self.lines.document();
                let node = self.lines.node_on_line(place.line);
                let raw = node.filter(|&node| Nodes::of(document).flags(node).is_raw());
                self.raw.extend(raw.map(|node| RawLineFinding { node, finding: index }));
            }
            (FixAction::DoubleAtSigns(which), Some(place)) => {
                self.double_at_signs(index, place.line, place.column, *which);
            }
            (FixAction::RestorePointer(identifier), Some(place)) => {
                self.restore_pointer(index, place.line, identifier);
            }
            (FixAction::DecodeAgain, Some(place)) => self.decode_again(index, place.line),
            (FixAction::Respell, Some(place)) => self.lines.respell_line(place.line, index),
            (FixAction::RespellBoth, Some(place)) => {
                self.lines.respell_line(place.line, index);
                self.lines.respell_line(place.line + 1, index);
            }
        }
    }

    /// Decodes text a second time, from a line to the end of its record, because it was encoded twice.
    fn decode_again(&mut self, index: usize, line: u64) {
        let is_start = |text| leading_level(text) == Some(0);
        let end = (line + 1..self.lines.end_line()).find(|&other| is_start(self.lines.line_text(other)));
        let lines = line..end.unwrap_or(self.lines.end_line());
        let texts: Vec<&str> = lines.clone().map(|line| self.lines.line_text(line)).collect();
        let Some(twice) = TwiceEncoded::find(&texts.join("\n")) else { return };
        for (line, text) in lines.zip(texts).filter(|(_, text)| !text.is_ascii()) {
            self.lines.replace_range(line, 0..text.len(), &twice.decode(text), index);
        }
    }

    fn remove_indent(&mut self, index: usize, line: u64) {
        let blanks = self.lines.indent_length(line);
        if blanks > 0 && self.lines.parse_line(line).is_some() {
            self.lines.replace_range(line, 0..blanks, "", index);
        }
    }

    fn remove_xref(&mut self, index: usize, line: u64) {
        if let Some(parsed) = self.lines.parse_line(line).filter(|parsed| !parsed.xref.is_empty()) {
            self.lines.replace_range(line, parsed.xref.start - 1..parsed.tag.start, "", index);
        }
    }

    /// Splits a line before a column at which another line starts.
    fn split_line(&mut self, index: usize, line: u64, column: u64) {
        let at = self.lines.offset_of_column(line, column);
        let (text, end) = (self.lines.line_text(line), self.lines.end_line());
        let (Some(first), Some(second)) = (text.get(..at), text.get(at..)) else { return };
        if self.lines.is_rewritable_alone(line) && line < end {
            let kept = first.trim_end_matches([' ', '\t']).len();
            self.lines.replace_range(line, kept..text.len(), "", index);
            self.lines.insert_line(line + 1, second, index);
        }
    }

    /// Moves the pointer on the line of a record to the front of the tag.
    fn put_identifier_first(&mut self, index: usize, line: u64) {
        let Some(parsed) = self.lines.parse_line(line).filter(|parsed| parsed.xref.is_empty()) else {
            return;
        };
        let text = self.lines.line_text(line);
        let (tag, pointer) =
            (&text[parsed.tag.clone()], text[parsed.payload.clone()].trim_matches([' ', '\t']));
        let identified = format!("{pointer} {tag}");
        self.lines.replace_range(line, parsed.tag.start..parsed.payload.end, &identified, index);
    }

    /// Removes a blank line, unless it is inside a payload.
    fn remove_blank_line(&mut self, index: usize, line: u64) {
        let next = self.lines.first_node_after(line);
        let is_blank = self.lines.indent_length(line) == self.lines.line_text(line).len();
        let is_raw = |node| Nodes::of(self.lines.document()).flags(node).is_raw();
        if is_blank && !next.is_some_and(is_raw) {
            self.lines.remove_line(line, index);
        }
    }

    /// Doubles at signs in a payload. If the finding is about bare at signs, all of them are doubled, because they are
    /// reported once. If the finding is about an escape, the at signs of the escape at its place are doubled.
    fn double_at_signs(&mut self, index: usize, line: u64, column: u64, which: AtSigns) {
        let Some(payload) = self.payload_with_at_signs(line) else { return };
        let here = self.lines.offset_of_column(line, column);
        let first = match which {
            AtSigns::Bare => payload.start,
            // Each escape has its own finding, and a line may have many escapes.
            AtSigns::OfBrokenEscape | AtSigns::OfEscape => here.clamp(payload.start, payload.end),
        };
        let text = &self.lines.line_text(line)[first..payload.end];
        let count = if which == AtSigns::Bare { usize::MAX } else { 1 };
        for (offset, token) in tokens(text, self.lines.document().escape()).take(count) {
            let at = first + offset;
            let last = (at + token.raw().trim_end_matches(' ').len()).saturating_sub(1);
            let doubled: &[usize] = match (which, token) {
                (AtSigns::Bare, Token::Bare) | (AtSigns::OfBrokenEscape, Token::Broken) => &[at],
                (AtSigns::OfEscape, Token::Escape(_) | Token::Unicode(_)) => &[at, last],
                (AtSigns::Bare | AtSigns::OfBrokenEscape | AtSigns::OfEscape, _) => &[],
            };
            for &at in doubled {
                self.lines.replace_range(line, at..at, "@", index);
            }
        }
    }

    /// Replaces a payload that is an identifier with wrong at signs by a pointer.
    fn restore_pointer(&mut self, index: usize, line: u64, identifier: &str) {
        let Some(payload) = self.lines.parse_line(line).map(|parsed| parsed.payload) else { return };
        let text = &self.lines.line_text(line)[payload.clone()];
        if text.trim_matches([' ', '\t']).trim_matches('@') == identifier {
            self.lines.replace_range(line, payload, &format!("@{identifier}@"), index);
        }
    }

    /// Returns the range of the payload of a line, if its at signs can be read without other lines. The result is
    /// stored, because the next finding is often about the same line.
    fn payload_with_at_signs(&mut self, line: u64) -> Option<Range<usize>> {
        if self.payload.as_ref().is_none_or(|known| known.line != line) {
            self.payload = Some(AtSignLine { line, payload: self.find_payload_with_at_signs(line) });
        }
        self.payload.as_ref()?.payload.clone()
    }

    fn find_payload_with_at_signs(&mut self, line: u64) -> Option<Range<usize>> {
        let document = self.lines.document();
        let flags = Nodes::of(document).flags(self.lines.node_on_line(line)?);
        if document.escape().reads_merged() && (flags.is_continued() || flags.is_continuation()) {
            // If a payload has continuation lines, its at signs are read only after the lines are merged.
            return None;
        }
        let payload = match flags.is_raw() {
            false => self.lines.parse_line(line)?.payload,
            true => 0..self.lines.line_text(line).len(),
        };
        let text = &self.lines.line_text(line)[payload.clone()];
        let is_of_stream = document.rules().octets.stream_escapes && text.contains("@#U");
        (!is_of_stream).then_some(payload)
    }

    /// Adds a trailer after the last line, unless the end of the file seems to be missing.
    fn add_trailer(&mut self, index: usize) {
        if self.is_cut_off() {
            return;
        }
        let (start, end) = (self.lines.first_line(), self.lines.end_line());
        let mut texts = (start..end).rev().map(|line| self.lines.line_text(line));
        let last = texts.find(|text| !text.trim().is_empty());
        // A trailer with malformed whitespace has a finding of its own.
        let is_trailer = last.is_some_and(|text| text.split_whitespace().eq(["0", "TRLR"]));
        if end == start || !is_trailer && self.lines.is_rewritable(end - 1) {
            self.lines.insert_line(end, "0 TRLR", index);
        }
    }

    /// Returns whether the end of the file seems to be missing. The end seems to be missing if the last line is
    /// malformed, or has a tag without a type.
    fn is_cut_off(&mut self) -> bool {
        let document = self.lines.document();
        let Some(last) = document.nodes().rev().find(|node| !node.is_inserted()) else { return false };
        let owner = if last.is_continuation() { last.superstructure() } else { Some(last) };
        let Some(node) = owner else { return false };
        if node.is_error() {
            return true;
        }
        let mut tags: Vec<&str> = node.with_ancestors().map(elf_tagged::Node::tag).collect();
        tags.reverse();
        !self.types.is_defined(&tags)
    }

    /// Sets CHAR to the encoding in which the file was read.
    fn name_encoding(&mut self, index: usize) {
        let document = self.lines.document();
        let name = document.source().decision().used.char_name();
        let (Some(name), Some(head)) = (name, document.head()) else { return };
        match head.lines().find(|node| node.tag() == "CHAR") {
            Some(char) => {
                let line = self.lines.line_of_node(char.id().get());
                let Some(parsed) = self.lines.parse_line(line) else { return };
                let text = self.lines.line_text(line);
                let is_named = text[parsed.payload].trim_matches([' ', '\t']) == name;
                if !is_named && self.is_followed_by_good_line(line, u32::MAX) {
                    self.lines.replace_range(line, parsed.tag.end..text.len(), &format!(" {name}"), index);
                }
            }
            None => {
                let last = head.lines().take_while(|line| line.is_continuation()).last().unwrap_or(head);
                let line = self.lines.line_of_node(last.id().get());
                let is_record = leading_level(self.lines.line_text(line)) == Some(0);
                // If reading stopped within the header, there may be a CHAR after the last line that was read.
                if is_record && document.is_complete() && self.is_followed_by_good_line(line, 1) {
                    self.lines.insert_line(line + 1, &format!("1 CHAR {name}"), index);
                }
            }
        }
    }

    /// Returns whether the line after `line` is well-formed and has at most the level `most`, or whether there is no
    /// such line. If so, the meaning of the following lines does not depend on `line`.
    fn is_followed_by_good_line(&mut self, line: u64, most: u32) -> bool {
        let Some(next) = self.lines.next_line(line) else { return true };
        let nodes = Nodes::of(self.lines.document());
        let is_good = |node: u32| !nodes.flags(node).is_error() && !nodes.flags(node).is_raw();
        self.lines.node_on_line(next).is_some_and(is_good)
            && leading_level(self.lines.line_text(next)).is_some_and(|level| level <= most)
    }
}
