//! The findings of lines that are read apart from their record.

use elf_base::{Detail, Diagnostic, Sink};

/// A sink for the findings of a run, which is read behind the lines of its record: what is found in those is
/// told when the record is read.
pub(super) struct OwnFindings<'k> {
    pub(super) sink: &'k mut dyn Sink,
    /// The first line of the run; none where all findings are told.
    pub(super) own_line: Option<u64>,
}

impl Sink for OwnFindings<'_> {
    fn report(&mut self, finding: Diagnostic) {
        let is_own = |own_line| finding.place.is_some_and(|place| place.line >= own_line);
        if self.own_line.is_none_or(is_own) {
            self.sink.report(finding);
        }
    }

    fn detail(&self) -> Detail {
        self.sink.detail()
    }
}
