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
        // What has no place is about the file.
        if self.own_line.is_none_or(|own| finding.place.is_none_or(|place| place.line >= own)) {
            self.sink.report(finding);
        }
    }

    fn detail(&self) -> Detail {
        self.sink.detail()
    }
}
