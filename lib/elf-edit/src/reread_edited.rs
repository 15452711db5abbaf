//! Reads an edited file again, and reports the findings that the edits introduce.

use crate::edited::Edited;
use crate::known::KnownFindings;
use crate::tree::TOP;
use crate::{EditError, Editor};
use elf_base::{Diagnostic, Rules, Sink, codes};
use elf_octets::{DetectedBy, EncodingReason, Options, TooLarge};
use elf_tagged::escape::{EscapeSource, EscapeTable};
use elf_tagged::write::{Preamble, PreambleLine};
use elf_tagged::{Document, read_with};

impl Editor<'_> {
    /// Reads the edited file and reports the findings that are not among those of `before` (D19 *ELF applications*).
    /// Counts the faults among them. Reports nothing if the file does not have the structures that the edits should
    /// produce.
    pub(crate) fn report_new_findings(
        &self,
        edited: &mut Edited<'_>,
        before: impl FnOnce() -> Result<Vec<Diagnostic>, TooLarge>,
        read: impl for<'e> FnOnce(&'e [u8], &mut dyn Sink) -> Result<Document<'e>, TooLarge>,
        sink: &mut dyn Sink,
    ) -> Result<(), EditError> {
        let mut after: Vec<Diagnostic> = Vec::new();
        let again = read(&edited.octets, &mut after)?;
        self.check_encoding(&again)?;
        let mut known = KnownFindings::new(self.document, &edited.patches);
        if !after.is_empty() {
            before()?.iter().for_each(|finding| known.add_before(finding));
            after.into_iter().for_each(|finding| known.add_after(finding));
        }
        if known.has_new() {
            let mut origins = vec![TOP; again.len()];
            self.check_structures_if_complete(&again, |node, item| origins[node as usize] = item)?;
            for finding in known.into_new_findings(&again, &origins) {
                edited.faults += u64::from(is_fault(&finding));
                sink.report(finding);
            }
        } else {
            self.check_structures_if_complete(&again, |_, _| ())?;
        }
        edited.complete = again.is_complete();
        Ok(())
    }

    /// Checks that the edited file has the structures that the edits should produce, unless reading stopped early.
    pub(crate) fn check_structures_if_complete(
        &self,
        again: &Document<'_>,
        add_match: impl FnMut(u32, u32),
    ) -> Result<(), EditError> {
        // If reading stopped early, a finding reports that instead.
        let is_comparable = again.is_complete() || self.options.partial;
        if is_comparable { self.check_structures(again, add_match) } else { Ok(()) }
    }

    /// Checks that the edited file is decoded in the same encoding as the original file.
    pub(crate) fn check_encoding(&self, again: &Document<'_>) -> Result<(), EditError> {
        let (before, after) = (self.document.source().decision().used, again.source().decision().used);
        if before == after { Ok(()) } else { Err(EditError::EncodingChanged { before, after }) }
    }

    /// Makes the same check as [`check_encoding`](Editor::check_encoding), but accepts a file that now consists of
    /// ASCII. All encodings except UTF-16 decode ASCII alike.
    pub(crate) fn check_encoding_unless_ascii(&self, again: &Document<'_>) -> Result<(), EditError> {
        let is_utf16 = |document: &Document<'_>| document.source().decision().used.is_utf16();
        let is_ascii = !is_utf16(self.document) && !is_utf16(again) && again.source().octets().is_ascii();
        if is_ascii { Ok(()) } else { self.check_encoding(again) }
    }
}

/// Returns whether a finding is a fault. Unresolved and ambiguous pointers are faults, whatever their class is.
fn is_fault(finding: &Diagnostic) -> bool {
    finding.class.is_error() || [codes::POINTER_DANGLING, codes::POINTER_AMBIGUOUS].contains(&finding.code)
}

/// Reads the edited bytes of a document by the rules and options of the document.
pub(crate) fn read_again<'o>(
    octets: &'o [u8],
    document: &Document<'_>,
    sink: &mut dyn Sink,
) -> Result<Document<'o>, TooLarge> {
    read_with(octets, document.rules(), &reading_options(document), &SameSchema(document), sink)
}

/// Uses the escapes that the schema of a document preserves, unless the edits changed the schema in the header.
struct SameSchema<'d, 'o>(&'d Document<'o>);

impl EscapeSource for SameSchema<'_, '_> {
    fn table(&self, schema: &[PreambleLine<'_>], rules: &Rules) -> EscapeTable {
        let SameSchema(document) = self;
        match Preamble::of_document(document).schema.unwrap_or_default() == schema {
            true => document.header().escapes().clone(),
            false => ().table(schema, rules),
        }
    }
}

/// Returns the options that the caller chose when the document was decoded.
fn reading_options(document: &Document<'_>) -> Options {
    let decision = document.source().decision();
    let forced = (decision.because == EncodingReason::Forced).then_some(decision.used);
    let external = decision.detected.filter(|_| decision.detected_by == Some(DetectedBy::External));
    Options::default().with_forced(forced).with_external(external)
}
