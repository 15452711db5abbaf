//! Reading an edited file again, to find what the edits introduce.

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
    /// Reads the edited file, reports its findings that are not among those that `before` returns (D19 *ELF
    /// applications*), and counts the faults among them. Nothing is reported if the file does not read as the
    /// edits intend.
    pub(crate) fn verify(
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
            before()?.iter().for_each(|finding| known.add(finding));
            after.into_iter().for_each(|finding| known.meet(finding));
        }
        if known.any_left() {
            let mut origins = vec![TOP; again.len()];
            self.check_again(&again, |node, item| origins[node as usize] = item)?;
            for finding in known.into_news(&again, &origins) {
                edited.faults += u64::from(is_fault(&finding));
                sink.report(finding);
            }
        } else {
            self.check_again(&again, |_, _| ())?;
        }
        edited.complete = again.is_complete();
        Ok(())
    }

    /// Checks that the edited file has the structures that the edits intend, as
    /// [`check_structures`](Editor::check_structures) does.
    pub(crate) fn check_again(
        &self,
        again: &Document<'_>,
        take: impl FnMut(u32, u32),
    ) -> Result<(), EditError> {
        // If reading stops, the finding that says so is reported.
        let is_comparable = again.is_complete() || self.options.partial;
        if is_comparable { self.check_structures(again, take) } else { Ok(()) }
    }

    /// Checks that the edited file is decoded as before.
    pub(crate) fn check_encoding(&self, again: &Document<'_>) -> Result<(), EditError> {
        let (before, after) = (self.document.source().decision().used, again.source().decision().used);
        if before == after { Ok(()) } else { Err(EditError::EncodingChanged { before, after }) }
    }

    /// Checks that the edited file is decoded as before, or is ASCII, which all encodings but UTF-16 decode
    /// alike.
    pub(crate) fn check_encoding_of_text(&self, again: &Document<'_>) -> Result<(), EditError> {
        let is_utf16 = |document: &Document<'_>| document.source().decision().used.is_utf16();
        let is_ascii = !is_utf16(self.document) && !is_utf16(again) && again.source().octets().is_ascii();
        if is_ascii { Ok(()) } else { self.check_encoding(again) }
    }
}

/// Returns whether a finding that the edits introduce is a fault. Unresolved and ambiguous pointers are faults
/// in any class.
fn is_fault(finding: &Diagnostic) -> bool {
    finding.class.is_error() || [codes::POINTER_DANGLING, codes::POINTER_AMBIGUOUS].contains(&finding.code)
}

/// Reads the bytes of a document after it was edited, with the rules and options of the document.
pub(crate) fn read_again<'o>(
    octets: &'o [u8],
    document: &Document<'_>,
    sink: &mut dyn Sink,
) -> Result<Document<'o>, TooLarge> {
    read_with(octets, document.rules(), &options_of(document), &SameSchema(document), sink)
}

/// Reads escapes by the schema of a document, unless the edits changed the schema in the header.
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

/// Returns the caller's options by which a document was decoded.
fn options_of(document: &Document<'_>) -> Options {
    let decision = document.source().decision();
    let forced = (decision.because == EncodingReason::Forced).then_some(decision.used);
    let external = decision.detected.filter(|_| decision.detected_by == Some(DetectedBy::External));
    Options::default().with_forced(forced).with_external(external)
}
