//! Reading what was edited, to say what the edits brought about.

use super::known::KnownFindings;
use super::{EditError, Editor};
use elf_base::{Diagnostic, Rules, Sink, codes};
use elf_octets::{Because, DetectedBy, Options, Patch, TooLarge};
use elf_tagged::escape::{EscapeSource, EscapeTable};
use elf_tagged::write::{Preamble, PreambleLine};
use elf_tagged::{Document, read_with};

/// A reader of the octets of a file, which reports its findings: [`Editor::finish_checked`] asks it twice.
pub type CheckAgain<'c> = dyn FnMut(&[u8], &mut dyn Sink) -> Result<(), TooLarge> + 'c;

impl Editor<'_> {
    /// Reports the findings of the edited file that the file did not have before (D19 *ELF applications*);
    /// returns how many of them are faults, and whether the reading reached the end. Nothing is reported of
    /// one that does not read as the edits meant it.
    pub(super) fn verify(
        &self,
        octets: &[u8],
        patches: &[Patch],
        check: &mut CheckAgain<'_>,
        sink: &mut dyn Sink,
    ) -> Result<(u64, bool), EditError> {
        let source = self.document.source();
        let too_large = |_| EditError::TooLarge;
        let again = read_again(octets, &self.document, &mut ()).map_err(too_large)?;
        let (before, after) = (source.decision().used, again.source().decision().used);
        if after != before {
            return Err(EditError::EncodingChanged { before, after });
        }
        // Where the rules end the reading, the finding that says so is reported.
        let origins = if again.is_complete() { self.check_structures(&again)? } else { Vec::new() };
        let mut known = KnownFindings::new(&self.document, patches);
        check(source.octets(), &mut |finding: Diagnostic| known.add(&finding)).map_err(too_large)?;
        check(octets, &mut |finding: Diagnostic| known.meet(finding)).map_err(too_large)?;
        let mut faults = 0;
        for finding in known.into_news(&again, &origins) {
            faults += u64::from(is_fault(&finding));
            sink.report(finding);
        }
        Ok((faults, again.is_complete()))
    }
}

/// Tells whether a finding that edits bring about is a fault: a pointer that leads nowhere is a fault by all
/// rules.
fn is_fault(finding: &Diagnostic) -> bool {
    finding.class.is_error() || [codes::POINTER_DANGLING, codes::POINTER_AMBIGUOUS].contains(&finding.code)
}

/// Reads the octets that a document has become, as it was read itself.
pub(super) fn read_again<'o>(
    octets: &'o [u8],
    document: &Document<'_>,
    sink: &mut dyn Sink,
) -> Result<Document<'o>, TooLarge> {
    read_with(octets, document.rules(), &options_of(document), &SameSchema(document), sink)
}

/// Gives documents the escapes of one that they were made of, as long as their headers hold the same schemas.
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

/// Returns the options by which a document was decoded, as far as the caller had a say.
pub(crate) fn options_of(document: &Document<'_>) -> Options {
    let decision = document.source().decision();
    let forced = (decision.because == Because::Forced).then_some(decision.used);
    let external = decision.detected.filter(|_| decision.detected_by == Some(DetectedBy::External));
    Options::default().with_forced(forced).with_external(external)
}
