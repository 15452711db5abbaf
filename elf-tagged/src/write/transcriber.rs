//! Passes the structures of a document or a run to a writer.

use super::header_identity::{allows_header_xref, resolves_header};
use super::inserted::FirstPointers;
use super::left_out::{
    Omission, STRAY_LINE_LEFT_OUT, StrayLines, has_escapes, omissions, removed_escapes_except,
};
use super::{Content, DanglingTarget, Preamble, SchemaOverride, WriteError, Writer, shorten};
use crate::escape::Token;
use crate::offset::to_u32;
use crate::{Bearer, Document, Node, NodeId, Payload, Piece};
use elf_base::{Code, Diagnostic, Excerpt, Place, Sink, Span, codes};
use elf_octets::Locator;
use std::borrow::Cow;
use std::collections::HashSet;
use std::io;
use std::iter::Peekable;
use std::vec;

/// Facts about a file that must be known before it is written.
#[derive(Clone, Debug, Default)]
pub(super) struct TargetFacts {
    /// Whether the rules restrict the targets of pointers.
    pub(super) heeds: bool,
    /// The identifiers that their structures lose in the file.
    pub(super) absent: HashSet<Box<str>>,
}

/// Passes the structures of a document or a run to a writer, and reports losses at their places in the input.
pub(super) struct RunTranscriber<'p, 't, 'd, W: io::Write> {
    pub(super) document: &'d Document<'d>,
    pub(super) schema_override: Option<&'p SchemaOverride<'t>>,
    pub(super) target_facts: &'p TargetFacts,
    pub(super) writer: &'p mut Writer<'static, W>,
    sink: &'p mut dyn Sink,
    locator: Locator<'d>,
    /// The places for findings about inserted records. The places are set only if they are needed.
    first_pointers: Option<&'p FirstPointers>,
}

impl<'p, 't, 'd, W: io::Write> RunTranscriber<'p, 't, 'd, W> {
    pub(super) fn new(
        document: &'d Document<'d>,
        schema_override: Option<&'p SchemaOverride<'t>>,
        target_facts: &'p TargetFacts,
        writer: &'p mut Writer<'static, W>,
        sink: &'p mut dyn Sink,
    ) -> RunTranscriber<'p, 't, 'd, W> {
        let locator = document.locator();
        RunTranscriber {
            document,
            schema_override,
            target_facts,
            writer,
            sink,
            locator,
            first_pointers: None,
        }
    }

    pub(super) const fn with_first_pointers(mut self, first_pointers: &'p FirstPointers) -> Self {
        self.first_pointers = Some(first_pointers);
        self
    }

    #[inline]
    pub(super) fn deliver(&mut self, node: Option<Node<'d>>) {
        if self.writer.reports.has_held() {
            self.deliver_held(node);
        }
    }

    #[cold]
    fn deliver_held(&mut self, node: Option<Node<'d>>) {
        for (finding, origin) in self.writer.reports.take() {
            let origin = origin.and_then(|id| self.document.node(id));
            let (place, excerpt) = self.place_of(origin.or(node));
            self.sink.report(self.under_reader_rules(finding).at(place, excerpt));
        }
    }

    fn deliver_at(&mut self, span: Span) {
        for (finding, _) in self.writer.reports.take() {
            let finding = self.under_reader_rules(finding);
            self.sink.report(finding.at(self.locator.place(span), self.locator.excerpt(span)));
        }
    }

    /// Converts a finding about something that the reader left out. The class and clause come from the rules of the
    /// reader.
    fn under_reader_rules(&self, finding: Diagnostic) -> Diagnostic {
        if [codes::LEFT_OUT_WHEN_READ, codes::OCTETS_REPLACED].contains(&finding.code) {
            Diagnostic::new(finding.code, self.document.rules(), finding.message)
        } else {
            finding
        }
    }

    /// Returns the place of a structure. For an inserted record, this is the place of the first pointer to it.
    fn place_of(&mut self, node: Option<Node<'d>>) -> (Place, Option<Excerpt>) {
        let inserted = node.filter(|node| node.is_inserted());
        if let Some(known) = self.first_pointers.zip(inserted).and_then(|(of, record)| of.place(record)) {
            return known;
        }
        let end = || to_u32(self.document.text().len());
        let span = match (inserted, node) {
            (None, node) => node.map_or_else(Span::default, Node::span),
            (Some(_), _) => Span::new(end(), end()),
        };
        (self.locator.place(span), self.locator.excerpt(span))
    }

    pub(super) fn report_loss(&mut self, node: Node<'d>, code: Code, message: impl Into<Cow<'static, str>>) {
        self.writer.lose(code, message);
        self.deliver(Some(node));
    }

    /// Reports the losses that are pending up to a node, including this node.
    #[cold]
    fn report_losses_until(&mut self, waiting: &mut PendingLosses<'_>, node: u32) {
        while let Some(next) = waiting.pop_until(node) {
            match next {
                Loss::Known((id, code, message)) => {
                    self.writer.lose(*code, message.clone());
                    self.deliver(self.document.node(*id));
                }
                Loss::LeftOut(Omission { span, code, message, .. }) => {
                    self.writer.lose(code, message);
                    self.deliver_at(span);
                }
            }
        }
    }

    /// Returns the target of a pointer to `xref`. Returns `None` if the target is a record, or if the rules do not
    /// restrict targets.
    fn target_of(&self, xref: &str) -> Option<DanglingTarget> {
        let &TargetFacts { heeds, ref absent } = self.target_facts;
        if self.document.header().is_void(xref) {
            return Some(DanglingTarget::Nowhere);
        }
        if !heeds && absent.is_empty() {
            return None;
        }
        match self.document.bearer(xref) {
            Bearer::None => heeds.then_some(DanglingTarget::Nowhere),
            _ if absent.contains(xref) => Some(DanglingTarget::ToWhatIsLeftOut),
            _ if !heeds => None,
            Bearer::Substructure => Some(DanglingTarget::ToSubstructure),
            // A run is written as if the other runs were present.
            Bearer::Record | Bearer::Unknown => None,
        }
    }

    /// Writes all structures. Reports the losses of the schema override, and the parts that the reader omitted, at
    /// their places.
    pub(super) fn write_structures(&mut self) -> Result<(), WriteError> {
        let mut waiting = PendingLosses::of(self.document, self.schema_override);
        let gedc = self.gedc_as_data();
        let skipped = gedc.map_or(0..0, |node| node.id().get()..node.subtree_end().get());
        let document = self.document;
        let head = document.head().map(|head| head.id().get()..head.subtree_end().get());
        let [all, none] = [u32::MAX, 0].map(|end| 0..end);
        // Structures under the header come first. Invalid lines that precede the header are written after it, as
        // records, because they were records in the input.
        let runs = match head.clone().filter(|head| head.start > 0) {
            Some(head) => [head.clone(), 0..head.start, head.end..u32::MAX],
            None => [all, none.clone(), none],
        };
        let mut above = head.map(|head| head.end);
        let mut ends: Vec<u32> = Vec::new();
        for run in runs {
            ends.clear();
            ends.extend(above.take());
            for node in document.structures_within(NodeId::new(run.start)..NodeId::new(run.end)) {
                let id = node.id().get();
                if waiting.next <= id {
                    self.report_losses_until(&mut waiting, id);
                }
                while ends.last().is_some_and(|&end| end <= id) {
                    ends.pop();
                }
                let level = to_u32(ends.len());
                ends.push(node.subtree_end().get());
                if skipped.contains(&id) {
                    // Identifiers are not allowed in metadata.
                    self.writer.add_lost_identifier(node.xref());
                    continue;
                }
                self.writer.node = Some(node.id());
                self.write_structure(level, node)?;
                self.deliver(Some(node));
            }
        }
        // A run ends where a record ends, so a structure at its end that is still empty stays empty.
        self.writer.leave_out_empty(0);
        self.deliver(None);
        self.report_losses_until(&mut waiting, u32::MAX);
        Ok(())
    }

    /// Writes the header with its serialisation metadata. Reports the losses.
    pub(super) fn write_header(&mut self, preamble: &Preamble<'_>) -> Result<(), WriteError> {
        let head = self.document.head();
        let own = head.filter(|_| allows_header_xref(&self.writer.rules));
        let payload = own.map_or(Payload::None, Node::payload);
        let with_escapes = own.filter(|head| has_escapes(*head));
        let mut pieces = Vec::new();
        if let Some(head) = with_escapes {
            head.pieces(|piece| {
                pieces.push(match piece {
                    Piece::Text(text) => (text.to_owned(), false),
                    Piece::Escape(escape) => (escape.to_owned(), true),
                });
            });
        }
        let pieces: Vec<Piece<'_>> = pieces
            .iter()
            .map(|(text, is_escape)| if *is_escape { Piece::Escape(text) } else { Piece::Text(text) })
            .collect();
        let content = match &payload {
            _ if !pieces.is_empty() => Content::Pieces(&pieces),
            Payload::None => Content::None,
            Payload::Pointer(id) => {
                self.target_of(id).map_or(Content::Pointer(id), |leads| Content::Dangling(id, leads))
            }
            Payload::Text(text) => Content::Text(text),
        };
        let xref = own.filter(|_| resolves_header(self.document)).and_then(Node::xref);
        self.writer.write_named_head(preamble, xref, content)?;
        if let Some(head) = with_escapes {
            self.report_removed_escapes(head, |escape| head.keeps(escape));
        }
        self.deliver(head);
        Ok(())
    }

    fn write_structure(&mut self, level: u32, node: Node<'d>) -> Result<(), WriteError> {
        let other = self.schema_override.and_then(|schema_override| (schema_override.tag)(node));
        if other.is_none()
            && let Some((tag, content, line)) = self.copyable_line(level, node)
            && self.writer.write_usual_line(level, tag, content, line)?
        {
            return Ok(());
        }
        // Leave out empty structures first, so that they do not count as the structure before this one.
        self.writer.leave_out_empty(level);
        if self.is_too_high(level, node) {
            self.writer.add_lost_identifier(node.xref());
            let message =
                format!("left out `{}`: its level is higher than levels can be", shorten(node.tag()));
            self.writer.summary.dropped += 1;
            self.report_loss(node, codes::STRUCTURE_DROPPED, message);
            return Ok(());
        }
        let dropped = self.writer.summary.dropped;
        self.write_unusual_structure(level, other, node)?;
        if self.writer.summary.dropped > dropped {
            self.deliver(Some(node));
            self.report_stray_lines(node);
        } else if node.is_error() {
            let message = "invalid line written as the payload of an ERROR structure";
            self.writer.lose(codes::FAULTY_LINE_WRITTEN, message);
        }
        Ok(())
    }

    fn write_unusual_structure(
        &mut self,
        level: u32,
        other: Option<&str>,
        node: Node<'d>,
    ) -> Result<(), WriteError> {
        let tag = other.unwrap_or_else(|| node.tag());
        let is_left = |xref: &str| self.document.is_repeated(xref) && !self.writer.may_repeat_xref(xref);
        let (left, xref) = match node.xref() {
            Some(xref) if is_left(xref) => (true, None),
            xref => (false, xref),
        };
        let dropped = self.writer.summary.dropped;
        let has_escapes = has_escapes(node);
        match has_escapes {
            true => self.writer.pieces(level, xref, tag, |take| node.pieces(take))?,
            false => self.write_content(level, xref, tag, node)?,
        }
        // If a structure was omitted, nothing else about it needs to be reported.
        if self.writer.summary.dropped > dropped {
            return Ok(());
        }
        if left {
            let message = "the structure loses its identifier: several structures have it";
            self.writer.lose(codes::XREF_CANNOT_BE_WRITTEN, message);
        }
        if has_escapes {
            self.report_removed_escapes(node, |escape| node.keeps(escape));
        }
        Ok(())
    }

    /// Returns whether a structure or its continuation lines would have a level that the rules do not allow.
    fn is_too_high(&self, level: u32, node: Node<'d>) -> bool {
        let highest = self.writer.rules.lines.highest_level;
        level >= highest && (level > highest || node.flags().is_continued())
    }

    /// Writes a structure without escapes at this level, with this identifier and this tag.
    fn write_content(
        &mut self,
        level: u32,
        xref: Option<&str>,
        tag: &str,
        node: Node<'d>,
    ) -> Result<(), WriteError> {
        match node.payload() {
            Payload::None => self.writer.structure(level, xref, tag, Content::None),
            Payload::Pointer(id) => {
                let content =
                    self.target_of(id).map_or(Content::Pointer(id), |leads| Content::Dangling(id, leads));
                self.writer.structure(level, xref, tag, content)
            }
            Payload::Text(text) => self.writer.structure(level, xref, tag, Content::Text(&text)),
        }
    }

    #[cold]
    pub(super) fn report_stray_lines(&mut self, node: Node<'d>) {
        let mut strays = StrayLines::default();
        let itself = Some(node).filter(|node| node.is_error());
        let text = node.lines().filter(|&line| line.is_continuation() && strays.has(line));
        for line in itself.into_iter().chain(text) {
            self.report_loss(line, codes::LEFT_OUT_WHEN_READ, STRAY_LINE_LEFT_OUT);
        }
    }

    /// Reports the escapes that were removed when the payload was read, except those that `keeps` accepts.
    pub(super) fn report_removed_escapes(&mut self, node: Node<'d>, keeps: impl Fn(Token<'_>) -> bool) {
        for (code, message) in removed_escapes_except(node, keeps) {
            self.writer.lose(code, message);
        }
    }

    /// Returns the parts of a line that can be copied. Such a line has a digit, a space, a tag, a space and a payload,
    /// exactly as a writer would write it.
    #[inline]
    fn copyable_line(&self, level: u32, node: Node<'d>) -> Option<(&'d str, Content<'d>, &'d str)> {
        let line = node.plain_line()?;
        let text = line.text();
        let [digit @ b'0'..=b'9', b' ', ..] = text.as_bytes() else { return None };
        if u32::from(digit - b'0') != level {
            return None;
        }
        let Some((head, payload)) = line.split_at_payload() else {
            let tag = text.get(2..)?;
            return elf_lines::is_tag(tag).then_some((tag, Content::None, text));
        };
        let content = match line.is_pointer() {
            false => Content::Text(payload),
            // In January 2019, some pointers refer to inserted records (J19 §5.1), so such a line cannot be copied.
            true if self.document.rules().tagged.xref_errors.inserts_records() => return None,
            true => {
                let id = payload.strip_prefix('@')?.strip_suffix('@')?;
                if self.target_of(id).is_some() {
                    return None;
                }
                Content::Pointer(id)
            }
        };
        let tag = head.get(2..)?.strip_suffix(' ')?;
        (elf_lines::is_tag(tag) && !payload.is_empty()).then_some((tag, content, text))
    }
}

/// A loss that is known before its structure is written.
enum Loss<'k> {
    Known(&'k (NodeId, Code, String)),
    LeftOut(Omission),
}

/// The losses of a document that are known before it is written, in document order.
struct PendingLosses<'k> {
    known: &'k [(NodeId, Code, String)],
    left_out: Peekable<vec::IntoIter<Omission>>,
    /// The node of the next loss.
    next: u32,
}

impl<'k> PendingLosses<'k> {
    fn of(document: &Document<'_>, schema_override: Option<&'k SchemaOverride<'_>>) -> PendingLosses<'k> {
        let known = schema_override.map(|schema_override| &*schema_override.losses).unwrap_or_default();
        let mut waiting =
            PendingLosses { known, left_out: omissions(document).into_iter().peekable(), next: 0 };
        waiting.find_next();
        waiting
    }

    fn find_next(&mut self) {
        let left_out = self.left_out.peek().map_or(u32::MAX, |omission| omission.node.get());
        self.next = self.known.first().map_or(u32::MAX, |(id, ..)| id.get()).min(left_out);
    }

    /// Removes and returns the next loss, if its node is `node` or an earlier one.
    fn pop_until(&mut self, node: u32) -> Option<Loss<'k>> {
        let at = self.next;
        let loss = match self.known.split_first() {
            Some((first, rest)) if first.0.get() == at && at <= node => {
                self.known = rest;
                Loss::Known(first)
            }
            _ => Loss::LeftOut(self.left_out.next_if(|omission| omission.node.get() <= node)?),
        };
        self.find_next();
        Some(loss)
    }
}
