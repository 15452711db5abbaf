//! Reports the faults of lines that lenient rules accept, and gives advice about lines.

use crate::is_external_pointer;
use crate::read::line_shape::{ADVISED_TAG_LENGTH, ADVISED_XREF_LENGTH};
use crate::read::report::SpanFinding;
use crate::read::tree::build::{Builder, Flow};
use elf_base::{Span, codes};
use elf_lines::{Line, Payload};

impl Builder<'_, '_> {
    #[cold]
    pub(crate) fn report_lengths(&mut self, start: u32, line: &Line<'_>) {
        let at = |span: Span| Span::new(start + span.start, start + span.end);
        if line.tag_span().len() > ADVISED_TAG_LENGTH {
            let found = line.tag().len();
            let message = format!("expected at most {ADVISED_TAG_LENGTH} characters, but found {found}");
            self.reporter.report_at(codes::TAG_LONG, at(line.tag_span()), message);
        }
        let found = line.xref().map_or(0, |xref| xref.chars().count());
        if found > ADVISED_XREF_LENGTH as usize {
            let message = format!("expected at most {ADVISED_XREF_LENGTH} characters, but found {found}");
            self.reporter.report_at(codes::XREF_LONG, at(line.xref_span()), message);
        }
    }

    /// Reports the faults of a line that lenient rules accept.
    #[cold]
    pub(crate) fn report_lenience(&mut self, start: u32, line: &Line<'_>) {
        // A pointer to another file is not reported here, but when pointers are resolved.
        let elsewhere = matches!(line.payload(), Some(Payload::Pointer(id)) if is_external_pointer(id));
        // A level that is too high is reported as one fault, even if it also has leading zeros.
        let deep = line.level() > self.deepest;
        let is_text = deep && self.is_text_of_owner(line);
        let not_said =
            [(elsewhere, codes::POINTER_MALFORMED), (is_text, codes::LEVEL_HIGH), (deep, codes::LEVEL_ZEROS)];
        let is_said_here = |code| !not_said.contains(&(true, code));
        for fault in line.passed().into_iter().filter(|fault| is_said_here(fault.code)) {
            let span = Span::new(start + fault.span.start, start + fault.span.end);
            let finding = SpanFinding::new(fault.code, span, fault.message).help(fault.help);
            self.reporter.report(finding.fix(fault.fix));
        }
    }

    /// Reports that the last structure is empty, if a line at `level` shows that it has no substructures (GEDCOM 7.0
    /// *Structures*). A record with an identifier may be empty, because other structures can point to it.
    #[cold]
    pub(crate) fn check_empty(&mut self, level: u32) {
        if let Some(last) = self.owner
            && level <= last.level
            && last.node == self.bare
            && last.node + 1 == self.next_index()
        {
            self.report_empty(last.node, last.level == 0);
        }
    }

    #[cold]
    fn report_empty(&mut self, node: u32, is_record: bool) {
        let view = self.view();
        let can_be_pointed_to = is_record && !view.xref_span(node).is_empty();
        if view.tag(node) != "TRLR" && !can_be_pointed_to && view.line_payload(node).is_empty() {
            let message = "expected a payload or substructures, but found neither";
            self.reporter.report_at(codes::STRUCTURE_EMPTY, view.tag_span(node), message);
        }
    }

    #[cold]
    pub(crate) fn reject_dependent_line(&mut self, start: u32) -> Flow {
        let span = Span::new(start, start + 1);
        self.reporter.report_at(codes::STRUCTURE_REJECTED, span, "the structure depends on a rejected line");
        if let Some(line) = self.left_out.lines.last_mut() {
            line.dependants = line.dependants.saturating_add(1);
        }
        Flow::Continue
    }

    #[cold]
    pub(crate) fn report_inner_xref(&mut self, node: u32) {
        let span = self.view().xref_span(node);
        self.reporter.report_at(codes::XREF_ON_SUBSTRUCTURE, span, "only records can have identifiers");
    }

    /// Reports a CONC if the format does not have CONC.
    #[cold]
    pub(crate) fn report_conc(&mut self, start: u32, line: &Line<'_>) {
        let tag = Span::new(start + line.tag_span().start, start + line.tag_span().end);
        let message = "GEDCOM 7 does not have `CONC`";
        self.reporter.report_with_help(
            codes::CONC_UNKNOWN,
            tag,
            message,
            "its text is added to the text before it",
        );
    }
}
