//! Writes the edited file, and finds the findings that the edits introduce.

use crate::edited::Edited;
use crate::reread_edited::read_again;
use crate::{EditError, Editor};
use elf_base::{Diagnostic, Sink};
use elf_octets::{Patch, TooLarge};
use elf_tagged::Document;
use std::borrow::Cow;

impl<'d> Editor<'d> {
    /// Returns the edited file. Reports every finding that the edits introduce, of any class, at its place in the
    /// edited file. Findings that the document already had are not reported again.
    ///
    /// # Errors
    ///
    /// Returns an error if a line whose bytes cannot be decoded would have to be written again. Also returns an error
    /// if the edits would change how the file is decoded or how an unchanged line is read.
    pub fn finish(&self, sink: &mut dyn Sink) -> Result<Edited<'d>, EditError> {
        let read = |octets, sink: &mut dyn Sink| read_again(octets, self.document, sink).map(drop);
        let before = || {
            let mut findings: Vec<Diagnostic> = Vec::new();
            read(self.document.source().octets(), &mut findings).map(|()| findings)
        };
        self.finish_with(before, |octets, sink| read_again(octets, self.document, sink), sink)
    }

    /// Returns the edited file, as [`finish`](Editor::finish) does, but with the findings of another reader, for
    /// example one that knows types. `read` reads the edited bytes by the same rules and options. `before` returns the
    /// reader's findings about the original document. The function `before` is called only if there are findings about
    /// the edited bytes.
    ///
    /// # Errors
    ///
    /// Returns the same errors as [`finish`](Editor::finish).
    pub fn finish_with(
        &self,
        before: impl FnOnce() -> Result<Vec<Diagnostic>, TooLarge>,
        read: impl for<'e> FnOnce(&'e [u8], &mut dyn Sink) -> Result<Document<'e>, TooLarge>,
        sink: &mut dyn Sink,
    ) -> Result<Edited<'d>, EditError> {
        let mut edited = self.splice_new_lines(sink)?;
        if !edited.patches.is_empty() {
            self.report_new_findings(&mut edited, before, read, sink)?;
        }
        Ok(edited)
    }

    /// Returns the edited file, but does not search for findings that the edits introduce. The file is read again to
    /// check that it has the structures that the edits should produce. If only ASCII is left in the file, its detected
    /// encoding may change.
    ///
    /// # Errors
    ///
    /// Returns the same errors as [`finish`](Editor::finish).
    pub fn finish_quietly(&self) -> Result<Edited<'d>, EditError> {
        let mut edited = self.splice_new_lines(&mut ())?;
        if !edited.patches.is_empty() {
            let again = read_again(&edited.octets, self.document, &mut ())?;
            self.check_encoding_unless_ascii(&again)?;
            self.check_structures_if_complete(&again, |_, _| ())?;
            edited.complete = again.is_complete();
        }
        Ok(edited)
    }

    /// Returns the lines that the edits change, but does not make the edited file. Nothing is checked, and the lines after
    /// the place at which reading stopped are not among them: this is for finding out where the edits are.
    ///
    /// # Errors
    ///
    /// Returns an error if a line whose bytes cannot be decoded would have to be written again.
    pub fn changed_lines(&self) -> Result<Vec<Patch>, EditError> {
        self.render_patches(&mut ())
    }

    /// Inserts the new lines between the unchanged lines. The result has not been checked yet.
    fn splice_new_lines(&self, sink: &mut dyn Sink) -> Result<Edited<'d>, EditError> {
        let mut faults = 0;
        let mut patches = self.render_patches(&mut |finding: Diagnostic| {
            faults += u64::from(finding.class.is_error());
            sink.report(finding);
        })?;
        if self.options.partial {
            patches.extend(patch_removing_unread_lines(self.document));
        }
        let octets = match patches.is_empty() {
            true => Cow::Borrowed(self.document.source().octets()),
            false => Cow::Owned(self.document.source().splice(&patches)?),
        };
        Ok(Edited { octets, patches, faults, complete: self.document.is_complete() })
    }
}

/// Returns the patch that removes the lines after the place at which reading stopped.
fn patch_removing_unread_lines(document: &Document<'_>) -> Option<Patch> {
    let source = document.source();
    if document.end().is_none() && source.is_complete() {
        return None;
    }
    let last = document.nodes().rev().find(|node| !node.is_inserted());
    let first_unread = match last {
        Some(last) => source.locator().place(last.line_span()).line + 1,
        None => source.start().line,
    };
    let end = source.start().line + source.line_count();
    (first_unread < end).then(|| Patch::new(first_unread..end, ""))
}
