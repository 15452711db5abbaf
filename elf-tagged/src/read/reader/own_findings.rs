//! The findings of the rest of a long record.

use elf_base::{Detail, Diagnostic, Sink};

/// A sink for the findings of the rest of a long record, without those of the lines it is read behind.
pub(super) struct OwnFindings<'k> {
    pub(super) sink: &'k mut dyn Sink,
    /// The first line of the rest; none where all findings are told.
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
