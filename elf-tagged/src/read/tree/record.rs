//! The checks that are made at the end of a record and of the document (D19 *Parsing lines into structures*; J19 §5.1).

use super::build::{Builder, Flow, Waiting};
use super::flag;
use crate::offset::to_u32;
use crate::read::header::Extraction;
use crate::read::report::SpanFinding;
use crate::read::xref::Occurrence;
use elf_base::rules::Metadata;
use elf_base::{Excerpt, Fix, FixAction, Span, codes};
use elf_octets::TwiceEncoded;

impl Builder<'_, '_> {
    /// Ends a record that is not the last one. The next line starts at `start`. If the record stops the reading, that
    /// line is not read.
    pub(crate) fn end_record(&mut self, start: u32) -> Flow {
        let record = self.record;
        let mut flow = self.close_record();
        let ended = record < self.record;
        if self.trailer && flow == Flow::Continue && ended && self.view().tag(record) == "TRLR" {
            flow = self.report_misplaced_trailer(record);
        }
        self.record_ended_reading = flow == Flow::Stop;
        self.check_encoded_twice(start);
        if flow == Flow::Stop {
            self.reporter.forget_from(start);
        }
        self.reporter.release();
        flow
    }

    /// Reports a record that was encoded as UTF-8 twice. The record ends before the offset `end`.
    fn check_encoded_twice(&mut self, end: u32) {
        let start = std::mem::replace(&mut self.record_text, end);
        let text = &self.text[start as usize..end as usize];
        if let Some(twice) = TwiceEncoded::find(text) {
            self.report_encoded_twice(start, text, twice);
        }
    }

    #[cold]
    fn report_encoded_twice(&mut self, start: u32, text: &str, twice: TwiceEncoded) {
        let is_garbled = |word: &&str| !word.is_ascii();
        let Some(word) = text.split_whitespace().find(is_garbled) else { return };
        let lines = text.split(['\n', '\r']).filter(is_garbled).count();
        let at = start + to_u32(text.find(word).unwrap_or(0));
        let span = Span::new(at, at + to_u32(word.len()));
        let words = self.reporter.words_if_wanted(|| {
            let more = if lines > 1 {
                format!(", here and in {} more lines of the record", lines - 1)
            } else {
                String::new()
            };
            let (word, meant) = (Excerpt::short(word), twice.decode(word));
            format!(
                "text was encoded as UTF-8 twice: `{word}` probably means `{}`{more}",
                Excerpt::short(&meant)
            )
        });
        let help = self.reporter.words_if_wanted(|| format!("a program read UTF-8 as {}", twice.page()));
        let finding = SpanFinding::new(codes::TEXT_ENCODED_TWICE, span, words).help(help);
        self.reporter.report(finding.fix(Fix::guess(FixAction::DecodeAgain)));
    }

    /// Reports that records follow a trailer. If reading continues, a trailer without content is not data.
    fn report_misplaced_trailer(&mut self, record: u32) -> Flow {
        let view = self.view();
        let is_bare = view.children(record).next().is_none()
            && view.xref(record).is_none()
            && view.line_payload(record).is_empty();
        // Under the rules of 2017, a trailer without content is a pseudo-structure at a wrong place.
        if is_bare && self.rules.recovers() && !self.rules.tagged.metadata.is_pseudo() {
            self.set_flags(record, flag::HIDDEN, 0);
        }
        let span = self.view().tag_span(record);
        let finding = SpanFinding::new(codes::TRAILER_MISPLACED, span, "the trailer is not the last record");
        let moved = (is_bare && self.rules.recovers()).then(|| Fix::guess(FixAction::MoveTrailer));
        let help = "the records after it are read; move the trailer to the end";
        let finding = if self.rules.recovers() { finding.help(help) } else { finding };
        self.report_finding(record, finding.fix(moved))
    }

    /// Makes all checks that had to wait for the end of a record.
    fn close_record(&mut self) -> Flow {
        let end = self.next_index();
        if end == self.record {
            return Flow::Continue;
        }
        if self.description.is_some() && self.check_description() == Flow::Stop {
            return Flow::Stop;
        }
        let record = std::mem::replace(&mut self.record, end);
        self.described.clear();
        if self.rules.tagged.escape.reads_merged() {
            self.find_merged_pointers(record, end);
        }
        // Invalid lines may come before the header, so the header may not be the first node.
        let mut flow = Flow::Continue;
        if self.first_record && self.flags(record) & flag::ERROR == 0 {
            self.first_record = false;
            flow = self.extract_header(record);
        }
        if std::mem::take(&mut self.escapes_in_record) {
            self.report_merged_escapes(record, end);
        }
        flow
    }

    /// Finds payloads that are pointers only after their lines have been merged (J19 §5.1; RDX).
    fn find_merged_pointers(&mut self, record: u32, end: u32) {
        for id in record..end {
            let flags = self.flags(id);
            if flags & flag::CONTINUED == 0 {
                continue;
            }
            let view = self.view();
            let mut lines =
                view.payload_lines(id).skip_while(|line| line.breaks == 0 && line.text.is_empty());
            if !lines.next().is_some_and(|line| line.breaks == 0 && line.text.starts_with('@')) {
                continue;
            }
            let merged = view.merged_payload(id);
            let label = merged.strip_prefix('@').and_then(|rest| rest.strip_suffix('@'));
            if label.is_some_and(|label| elf_lines::is_xref(label, self.rules.lines.xref)) {
                let made = self.add_generated_text(&merged);
                self.nodes.set_payload(id, made);
                if let Some(node) = self.nodes.get_mut(id as usize) {
                    node.flags = node.flags & !(flag::CONTINUED | flag::AT)
                        | flag::MADE
                        | flag::POINTER
                        | flag::PAYLOAD;
                }
                let key = self.occurrences.keys.key(merged.get(1..merged.len() - 1).unwrap_or_default());
                self.occurrences.pointers.push_late(Occurrence::new(key, id));
            }
        }
    }

    /// Extracts the serialisation metadata, if the first record is a header, and then reports the findings that waited
    /// for the header.
    fn extract_header(&mut self, record: u32) -> Flow {
        let Extraction { header, mut findings } =
            Extraction::of(self.view(), record, self.rules, self.escapes);
        self.header = header;
        self.hide_metadata();
        let mut flow = Flow::Continue;
        for waiting in std::mem::take(&mut self.waiting) {
            match waiting {
                Waiting::Finding(node, finding) if !self.is_in_metadata(node) => {
                    if self.flow_of(finding.code) == Flow::Stop {
                        flow = Flow::Stop;
                    }
                    findings.push(finding);
                }
                Waiting::Escapes(node) if !self.is_in_metadata(node) => self.report_escapes(node),
                // This has already been reported as a fault of serialisation metadata.
                Waiting::Finding(..) | Waiting::Escapes(_) => {}
            }
        }
        self.report_findings(findings);
        flow
    }

    /// Hides the serialisation metadata of the header.
    ///
    /// In December 2019, continuation lines in the metadata become structures, and the metadata is not unescaped (D19
    /// *Parsing serialisation metadata*).
    fn hide_metadata(&mut self) {
        let metadata = std::mem::take(&mut self.header.metadata);
        for node in &metadata {
            self.set_flags(node.0, flag::HIDDEN, 0);
            if self.rules.tagged.metadata.is_raw() {
                let end = self.nodes.end(node.0).unwrap_or(node.0);
                for id in node.0..end {
                    // Raw text lines do not become structures.
                    self.set_flags(id, 0, flag::CONT | flag::CONC | flag::CONTINUED | flag::AT);
                }
            }
        }
        self.header.metadata = metadata;
    }

    fn is_in_metadata(&self, node: u32) -> bool {
        let metadata = &self.header.metadata;
        let behind = metadata.partition_point(|start| start.0 <= node);
        let start = behind.checked_sub(1).and_then(|at| metadata.get(at));
        start.and_then(|start| self.nodes.end(start.0)).is_some_and(|end| node < end)
    }

    fn report_findings(&mut self, findings: Vec<SpanFinding>) {
        findings.into_iter().for_each(|finding| self.reporter.report(finding));
    }

    /// Hides the pseudo-structures of 2017. Pseudo-structures are not data, wherever they are (O17 §3.2). Those in the
    /// header are already hidden.
    fn hide_pseudo_structures(&mut self) {
        for id in 0..self.next_index() {
            let misplaced = self.flags(id) & (flag::HIDDEN | flag::CONTINUATION) == 0
                && is_pseudo_structure(self.rules.tagged.metadata, self.view().tag(id));
            if misplaced {
                self.set_flags(id, flag::HIDDEN, 0);
                self.left_out.in_tree = true;
                if self.view().tag(id) == "TRLR" {
                    // A pseudo-structure at a wrong place was reported when it was read.
                    continue;
                }
                let span = self.view().tag_span(id);
                let message = "misplaced pseudo-structure";
                self.reporter.report_at(codes::PSEUDO_STRUCTURE_MISPLACED, span, message);
            }
        }
    }

    pub(crate) fn add_generated_text(&mut self, text: &str) -> Span {
        let from = self.made.len();
        self.made.push_str(text);
        Span::new(to_u32(from), to_u32(self.made.len()))
    }

    /// Ends the document, or the part of it that has been read (D19 *Parsing lines into structures*).
    pub(super) fn finish(&mut self) {
        self.check_empty(0);
        self.close(0);
        let last = (self.record < self.next_index()).then_some(self.record);
        if self.close_record() == Flow::Stop {
            self.complete = false;
        }
        self.check_encoded_twice(to_u32(self.text.len()));
        self.reporter.release();
        if let Some(last) = last.filter(|_| self.first_record) {
            self.extract_header(last);
        }
        if self.rules.tagged.metadata.is_pseudo() {
            self.hide_pseudo_structures();
        }
        let Some(last) = last.filter(|_| self.complete) else { return };
        match (self.view().tag(last) == "TRLR", self.last) {
            (true, true) => self.end_with_trailer(last),
            (false, true) => self.report_missing_trailer(),
            (true, false) => self.complete = self.report_misplaced_trailer(last) == Flow::Continue,
            (false, false) => {}
        }
    }
}

/// Returns whether structures with this tag are never data. Metadata, continuations and trailers are never data (O17
/// §3.2).
fn is_pseudo_structure(metadata: Metadata, tag: &str) -> bool {
    metadata.includes(tag, false) || matches!(tag, "CONC" | "CONT" | "TRLR")
}
