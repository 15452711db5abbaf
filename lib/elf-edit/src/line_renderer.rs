//! Writes the lines of changed structures.

use crate::file_style::{FileStyle, indent_of};
use crate::nodes::to_u32;
use crate::payload::{PayloadDiff, PayloadParts};
use crate::tree::{Change, EditedTree};
use crate::{EditError, Value};
use elf_base::Span;
use elf_lines::{Line, leading_level, parse_characters_checked, parse_damaged};
use elf_octets::{Irregularity, Locator};
use elf_tagged::Node;
use elf_tagged::write::{Content, FragmentWriter};
use std::borrow::Cow;
use std::cell::OnceCell;
use std::ops::Range;

pub(super) struct LineRenderer<'e> {
    now: EditedTree<'e>,
    style: OnceCell<FileStyle<'e>>,
    locator: Locator<'e>,
    /// The structures whose payload starts or ends with whitespace that readers will remove.
    pub(super) trimmed: Vec<u32>,
}

/// The lines of a structure.
struct EncodedLines {
    /// The line strings. Each of them ends with LF.
    lines: String,
    /// The offset at which the tag of the first line ends.
    behind_tag: usize,
}

pub(super) struct LineReplacement {
    /// The lines that are replaced, as indices into the lines of the structure.
    pub(super) old: Range<usize>,
    /// The line strings. Each of them ends with LF.
    pub(super) new: String,
}

impl<'e> LineRenderer<'e> {
    pub(super) fn new(now: EditedTree<'e>) -> LineRenderer<'e> {
        LineRenderer { now, style: OnceCell::new(), locator: now.document.locator(), trimmed: Vec::new() }
    }

    pub(super) fn line_number(&mut self, node: u32) -> Result<u64, EditError> {
        let number = self.locate_line(node);
        if self.now.document.rules().octets.stream_escapes {
            let beside = [node.checked_sub(1), node.checked_add(1)].into_iter().flatten();
            let in_file = beside.filter(|&id| (id as usize) < self.now.document.len());
            for other in in_file.collect::<Vec<_>>() {
                if self.locate_line(other) == number {
                    return Err(EditError::SharedLine { line: number });
                }
            }
        }
        Ok(number)
    }

    /// Returns the number of the first line of a node. For a raw continuation line, this is the number of the first
    /// blank line before it.
    pub(super) fn first_line_number(&mut self, node: u32) -> Result<u64, EditError> {
        let number = self.line_number(node)?;
        let raw = self.now.flags(node).is_raw();
        let breaks = self.now.nodes().get(node).map_or(1, Node::raw_line_breaks) as u64;
        let blank = if raw { breaks - 1 } else { 0 };
        Ok(number.saturating_sub(blank))
    }

    fn locate_line(&mut self, node: u32) -> u64 {
        self.locator.place(self.now.nodes().line_start_span(node)).line
    }

    /// Returns the decoded text of a line. `number` comes from the locator of the document, so the line exists.
    fn line_text(&self, number: u64) -> &'e str {
        self.now.document.source().line_text(number).unwrap_or_default()
    }

    /// Returns the level that is written on the line of a node. Returns `None` if the line is malformed.
    pub(super) fn written_level(&self, item: u32) -> Option<u32> {
        let node = self.now.nodes().get(item)?;
        let flags = node.flags();
        let is_line = !flags.is_error() || flags.is_damaged_line();
        if flags.is_raw() || flags.is_inserted() || !is_line {
            return None;
        }
        leading_level(&self.now.document.text()[node.span().start as usize..])
    }

    fn style(&self) -> &FileStyle<'e> {
        self.style.get_or_init(|| FileStyle::measure(self.now.document))
    }

    /// Returns the new lines of a structure that stays at its place. `lines` are its own line and its continuation
    /// lines.
    pub(super) fn render_in_place(
        &mut self,
        item: u32,
        change: &Change,
        lines: &[u32],
    ) -> Result<Vec<LineReplacement>, EditError> {
        let mut replaced = Vec::new();
        let number = self.line_number(item)?;
        let rest = change.payload.as_ref().and_then(|value| self.changed_payload(item, value, lines));
        let own = rest.as_ref().is_some_and(|(rest, _)| rest.lines.start == 0 && !rest.before);
        if !own && (change.xref.is_some() || change.tag.is_some()) {
            let mut new = self.render_own_line(number, None, change, None)?;
            new.push('\n');
            replaced.push(LineReplacement { old: 0..1, new });
        }
        let (Some((rest, content)), Some(value)) = (rest, &change.payload) else { return Ok(replaced) };
        let level = self.written_level(item).unwrap_or(0);
        let near = indent_of(self.line_text(number));
        let beneath = lines.get(1).copied().or_else(|| self.now.substructures(item).next());
        let beneath = beneath.filter(|&id| self.written_level(id) == Some(level.saturating_add(1)));
        let indent = match beneath {
            Some(id) if (id as usize) < self.now.document.len() => {
                let number = self.locate_line(id);
                indent_of(self.line_text(number))
            }
            _ => self.style().indent_for_level(level.saturating_add(1), near),
        };
        let fragment = self.encode_lines(item, level, content, indent, Some(number));
        let mut new = String::new();
        let spelled: Vec<&str> = fragment.lines.split_inclusive('\n').collect();
        let end = spelled.len() - usize::from(rest.behind);
        for (index, line) in spelled.iter().enumerate().take(end).skip(usize::from(rest.before)) {
            if index == 0 {
                let behind_tag = &line[fragment.behind_tag..];
                let tail = LineEnd { text: behind_tag.trim_end_matches('\n'), value };
                new.push_str(&self.render_own_line(number, None, change, Some(&tail))?);
                new.push('\n');
            } else {
                new.push_str(indent);
                new.push_str(line);
            }
        }
        replaced.push(LineReplacement { old: rest.lines, new });
        Ok(replaced)
    }

    /// Returns the part of a payload that changes, and the new text of this part.
    fn changed_payload<'v>(
        &self,
        item: u32,
        value: &'v Value,
        lines: &[u32],
    ) -> Option<(PayloadDiff, Content<'v>)> {
        let now = self.now;
        let all = PayloadDiff { lines: 0..lines.len(), text: 0..0, before: false, behind: false };
        let flags = now.flags(item);
        let new = match value {
            Value::Pointer(id) if now.nodes().pointer(item) == Some(id) => return None,
            Value::Pointer(id) => return Some((all, Content::Pointer(id))),
            Value::Text(text) if !flags.is_pointer() => text.as_str(),
            Value::None if !flags.is_pointer() => "",
            other => return Some((all, other.content())),
        };
        let parts = now.nodes().get(item).map(PayloadParts::of).unwrap_or_default();
        if self.is_read_without_escapes(item) {
            // Serialisation metadata has no escapes (D19 *Header metadata*).
            let same = now.nodes().line_payload(item) == new && lines.len() == 1;
            return (!same && !parts.has_text(new)).then_some((all, value.content()));
        }
        if new.is_empty() && now.document.rules().tagged.empty_payload.is_written() {
            // January 2019 and the declarative draft distinguish an empty payload from a missing one.
            let is_text = flags.has_payload() || flags.is_continued();
            let same = parts.has_text("") && is_text == matches!(value, Value::Text(_));
            return (!same).then_some((all, value.content()));
        }
        let rest = parts.diff(new)?;
        let content = match value {
            Value::Text(_) => Content::Text(&new[rest.text.clone()]),
            _ => Content::None,
        };
        Some((rest, content))
    }

    fn is_read_without_escapes(&self, item: u32) -> bool {
        self.now.document.rules().tagged.metadata.is_raw() && self.now.metadata_root(item).is_some()
    }

    fn encode_lines(
        &mut self,
        item: u32,
        level: u32,
        content: Content<'_>,
        indent: &str,
        number: Option<u64>,
    ) -> EncodedLines {
        let now = self.now;
        let (xref, tag) = (now.xref(item), now.tag(item));
        if self.is_read_without_escapes(item) {
            let payload = match content {
                Content::Text(text) => Some(elf_lines::Payload::Text(text)),
                Content::Pointer(id) => Some(elf_lines::Payload::Pointer(id)),
                _ => None,
            };
            let mut lines = String::new();
            elf_lines::write(&mut lines, level, xref, tag, None);
            let behind_tag = lines.len();
            lines.clear();
            elf_lines::write(&mut lines, level, xref, tag, payload);
            lines.push('\n');
            return EncodedLines { lines, behind_tag };
        }
        // Keep the characters before the payload that a writer would not write.
        let head = number.map(|number| self.line_text(number)).and_then(|raw| {
            let line = self.parse_line(raw)?;
            let level_and_tag = raw.len() - line.payload_span().len() as usize;
            let mut written = String::new();
            elf_lines::write(&mut written, line.level(), line.xref(), line.tag(), None);
            Some((level_and_tag).saturating_sub(written.len() + 1))
        });
        let extra = head.unwrap_or(0).max(indent.len());
        let writer =
            FragmentWriter::new(now.document).with_limit(self.style().line_limit(now.document, extra));
        let fragment = writer.write(level, xref, tag, content);
        if fragment.is_trimmed {
            self.trimmed.push(item);
        }
        EncodedLines { lines: fragment.lines, behind_tag: fragment.behind_tag }
    }

    fn parse_line<'t>(&self, raw: &'t str) -> Option<Line<'t>> {
        let body = raw.trim_start_matches([' ', '\t']);
        parse_characters_checked(body, &self.now.document.rules().lines).ok()
    }

    /// Returns the line of a structure of the file with another level and indentation, identifier, tag or payload. The
    /// rest of the line does not change.
    fn render_own_line(
        &self,
        number: u64,
        start: Option<LineStart<'_>>,
        change: &Change,
        tail: Option<&LineEnd<'_>>,
    ) -> Result<String, EditError> {
        let raw = self.line_text(number);
        let indent = indent_of(raw);
        // If a damaged line changes, it is written as the line that was meant.
        let body =
            parse_damaged(&raw[indent.len()..], &self.now.document.rules().lines).ok_or(EditError::NoLine)?;
        let body = &*body;
        let line = self.parse_line(body).ok_or(EditError::NoLine)?;
        let digits = body.len() - body.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        let mut out = String::new();
        match start.filter(|start| start.level != line.level()) {
            Some(LineStart { level, indent }) => {
                out.push_str(indent);
                out.push_str(&level.to_string());
            }
            None => {
                out.push_str(indent);
                out.push_str(&body[..digits]);
            }
        }
        let mut kept = digits;
        let mut replace = |out: &mut String, span: Span, with: &str| {
            out.push_str(&body[kept..span.start as usize]);
            out.push_str(with);
            kept = span.end as usize;
        };
        let tag = line.tag_span();
        match &change.xref {
            Some(xref) if line.xref().is_some() => replace(&mut out, line.xref_span(), xref),
            Some(xref) => replace(&mut out, Span::new(tag.start, tag.start), &format!("@{xref}@ ")),
            None => {}
        }
        if let Some(new) = &change.tag {
            replace(&mut out, tag, new);
        }
        let mut checked = body.len();
        if let Some(tail) = tail {
            let payload = line.payload_span();
            let (span, with) = match (tail.value, tail.text.strip_prefix(' ')) {
                // Keep the whitespace around a pointer.
                (Value::Pointer(id), _) if line.is_pointer() => (label_span(body, payload), id.as_str()),
                // Keep whitespace between tag and payload.
                (_, Some(text)) if line.has_payload() && !payload.is_empty() => {
                    (Span::new(payload.start, end_offset(body)), text)
                }
                _ => (Span::new(tag.end, end_offset(body)), tail.text),
            };
            checked = span.start as usize;
            replace(&mut out, span, with);
        }
        out.push_str(&body[kept..]);
        self.check_decoded(number, indent.len() + checked, true)?;
        Ok(out)
    }

    /// Checks that the text of a line up to an offset would be encoded as the same bytes again.
    fn check_decoded(&self, number: u64, up_to: usize, alone: bool) -> Result<(), EditError> {
        let source = self.now.document.source();
        let Some(line) = source.line(number) else { return Ok(()) };
        let (start, to) = (line.text.start, line.text.start as usize + up_to);
        let irregular = source.irregular();
        let first = irregular.partition_point(|one| one.text.end <= start);
        let lost = irregular.iter().skip(first).take_while(|one| (one.text.start as usize) < to).any(|one| {
            let at = one.text.start.saturating_sub(start) as usize;
            match one.kind {
                Irregularity::Undecodable => {
                    self.line_text(number).get(at..).is_some_and(|text| text.starts_with('\u{FFFD}'))
                }
                // The second half of the character is on the next line.
                Irregularity::CutHead => alone,
                _ => false,
            }
        });
        if lost { Err(EditError::Undecodable { line: number }) } else { Ok(()) }
    }

    /// Appends the lines of an added or moved structure at this level. Continuation lines of the
    /// file are not included. New lines are indented like the line of `like`.
    pub(super) fn render_elsewhere(
        &mut self,
        item: u32,
        level: u32,
        like: Option<u32>,
        out: &mut String,
    ) -> Result<(), EditError> {
        let now = self.now;
        let like = like.filter(|&id| self.written_level(id) == Some(level));
        let number = like.map(|id| self.locate_line(id));
        let indent = match number {
            Some(number) => indent_of(self.line_text(number)),
            None => self.style().indent_for_level(level, ""),
        };
        let change = now.change(item).cloned().unwrap_or_default();
        let in_file = (item as usize) < now.document.len();
        let deeper = level.saturating_add(1);
        if !in_file {
            let beneath = self.style().indent_for_level(deeper, indent);
            let content = change.payload.as_ref().map_or(Content::None, Value::content);
            let fragment = self.encode_lines(item, level, content, beneath, None);
            for (index, line) in fragment.lines.split_inclusive('\n').enumerate() {
                out.push_str(if index == 0 { indent } else { beneath });
                out.push_str(line);
            }
            return Ok(());
        }
        let number = self.line_number(item)?;
        let Some(value) = &change.payload else {
            if self.written_level(item).is_none() {
                return self.copy_line(item, number, out);
            }
            out.push_str(&self.render_with_level(number, LineStart { level, indent }, &change)?);
            out.push('\n');
            return Ok(());
        };
        let beneath = self.style().indent_for_level(deeper, indent);
        let fragment = self.encode_lines(item, level, value.content(), beneath, Some(number));
        for (index, line) in fragment.lines.split_inclusive('\n').enumerate() {
            if index == 0 {
                let text = line[fragment.behind_tag..].trim_end_matches('\n');
                let tail = LineEnd { text, value };
                out.push_str(&self.render_own_line(
                    number,
                    Some(LineStart { level, indent }),
                    &change,
                    Some(&tail),
                )?);
                out.push('\n');
            } else {
                out.push_str(beneath);
                out.push_str(line);
            }
        }
        Ok(())
    }

    /// Returns a line with another level. The rest of the line does not change. The continuation lines of the structure
    /// follow it as before.
    fn render_with_level(
        &self,
        number: u64,
        start: LineStart<'_>,
        change: &Change,
    ) -> Result<String, EditError> {
        let raw = self.line_text(number);
        self.check_decoded(number, raw.len(), false)?;
        if change.xref.is_some() || change.tag.is_some() {
            return self.render_own_line(number, Some(start), change, None);
        }
        let body = raw.trim_start_matches([' ', '\t']);
        let body = parse_damaged(body, &self.now.document.rules().lines).unwrap_or(Cow::Borrowed(body));
        let digits = body.len() - body.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        let LineStart { level, indent } = start;
        if leading_level(&body) == Some(level) {
            return Ok(raw.to_owned());
        }
        Ok(format!("{indent}{level}{}", &body[digits..]))
    }

    /// Appends an unchanged line that has no level, together with the blank lines that belong to it.
    fn copy_line(&mut self, item: u32, number: u64, out: &mut String) -> Result<(), EditError> {
        let raw = self.line_text(number);
        self.check_decoded(number, raw.len(), false)?;
        if self.now.flags(item).is_raw() {
            let breaks = self.now.nodes().get(item).map_or(1, Node::raw_line_breaks);
            out.extend(std::iter::repeat_n('\n', breaks - 1));
        }
        out.push_str(raw);
        out.push('\n');
        Ok(())
    }

    /// Returns the span of a structure of the file. Findings about the structure use this span.
    pub(super) fn span_of(&self, item: u32) -> Span {
        self.now.nodes().get(item).map(Node::span).unwrap_or_default()
    }
}

/// The new level of a line, and the indentation before it.
#[derive(Clone, Copy)]
struct LineStart<'t> {
    level: u32,
    indent: &'t str,
}

/// The new text that follows the tag on a structure's own line.
struct LineEnd<'t> {
    /// Either an empty text, or a space and the payload.
    text: &'t str,
    value: &'t Value,
}

fn end_offset(body: &str) -> u32 {
    to_u32(body.len())
}

/// Returns the span of the identifier in a pointer, without whitespace and at signs.
fn label_span(body: &str, payload: Span) -> Span {
    let text = payload.of(body);
    let before = to_u32(text.len() - text.trim_start_matches([' ', '\t']).len());
    let behind = to_u32(text.len() - text.trim_end_matches([' ', '\t']).len());
    Span::new(payload.start + before + 1, payload.end.saturating_sub(behind + 1))
}
