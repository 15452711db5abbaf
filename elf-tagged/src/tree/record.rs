//! The end of a record, and of the document (D19 *Parsing lines into structures*; J19 §5.1).

use super::build::{Builder, Flow, Name};
use super::flag;
use elf_base::rules::{Escape, Metadata};
use elf_base::{Span, codes};

impl Builder<'_, '_> {
    /// The end of a record that is not the last.
    pub(crate) fn end_record(&mut self) -> Flow {
        let record = self.record;
        let flow = self.close_record();
        let ended = record < self.record;
        if self.trailer && flow == Flow::Continue && ended && self.view().tag(record) == "TRLR" {
            return self.trailer_misplaced(record);
        }
        flow
    }

    fn trailer_misplaced(&mut self, record: u32) -> Flow {
        self.finding(codes::TRAILER_MISPLACED, record, "records follow the trailer")
    }

    /// Does what waited for the end of a record.
    fn close_record(&mut self) -> Flow {
        let end = self.next_index();
        if end == self.record {
            return Flow::Continue;
        }
        let record = std::mem::replace(&mut self.record, end);
        if matches!(self.rules.tagged.escape, Escape::TypedSpace { .. }) {
            self.join_pointers(record, end);
        }
        // Lines that are none before the header do not keep it from being one.
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

    /// A payload merged from several lines may be a pointer as a whole (J19 §5.1; RDX).
    fn join_pointers(&mut self, record: u32, end: u32) {
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
                let made = self.make(&merged);
                self.nodes.set_payload(id, made);
                if let Some(node) = self.nodes.get_mut(id as usize) {
                    node.flags = node.flags & !(flag::CONTINUED | flag::AT)
                        | flag::MADE
                        | flag::POINTER
                        | flag::PAYLOAD;
                }
                let key = self.names.keys.key(merged.get(1..merged.len() - 1).unwrap_or_default());
                self.names.pointers.push(Name { key, node: id, nested: true }, &self.names.keys);
            }
        }
    }

    /// Keeps text that stands nowhere in the file; its range in `made`.
    pub(crate) fn make(&mut self, text: &str) -> Span {
        let from = self.made.len();
        self.made.push_str(text);
        let offset = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
        Span::new(offset(from), offset(self.made.len()))
    }

    /// The end of the file, or of what is read of it (D19 *Parsing lines into structures*).
    pub(super) fn finish(&mut self) {
        self.close(0);
        let last = (self.record < self.next_index()).then_some(self.record);
        if self.close_record() == Flow::Stop {
            self.complete = false;
        }
        if let Some(last) = last.filter(|_| self.first_record) {
            self.extract_header(last);
        }
        if self.rules.tagged.metadata == Metadata::PseudoStructures {
            self.hide_pseudo_structures();
        }
        let Some(last) = last.filter(|_| self.complete) else { return };
        match (self.view().tag(last) == "TRLR", self.last) {
            (true, true) => self.end_with_trailer(last),
            (false, true) => self.end_without_trailer(),
            (true, false) => self.complete = self.trailer_misplaced(last) == Flow::Continue,
            (false, false) => {}
        }
    }
}
