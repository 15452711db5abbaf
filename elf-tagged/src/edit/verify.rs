//! Reading what was edited, to say what the edits broke.

use super::{EditError, Editor};
use crate::escape::{EscapeSource, EscapeTable};
use crate::write::{Preamble, PreambleLine};
use crate::{Document, read_with};
use elf_base::{Diagnostic, Rules, Sink};
use elf_octets::{Because, DetectedBy, Options, Patch, TooLarge};
use std::ops::Range;

impl Editor<'_> {
    /// Reads the edited file by the rules of the old one, and reports what is not conformant in it and can be laid to the
    /// edits (D19 *ELF applications*). How much that was.
    pub(super) fn verify(
        &self,
        octets: &[u8],
        patches: &[Patch],
        sink: &mut dyn Sink,
    ) -> Result<u64, EditError> {
        let written = written_lines(patches);
        let mut faults = 0;
        let mut report = |finding: Diagnostic| {
            let here = finding.place.is_some_and(|place| {
                let after = written.partition_point(|lines| lines.end <= place.line);
                written.get(after).is_some_and(|lines| lines.contains(&place.line))
            });
            if finding.class.is_error() && (self.conformant || here) {
                faults += 1;
                sink.report(finding);
            }
        };
        let before = self.document.source().decision();
        let again = read_again(octets, &self.document, &mut report).map_err(|_| EditError::TooLarge)?;
        let after = again.source().decision().used;
        if after != before.used {
            return Err(EditError::EncodingChanged { before: before.used, after });
        }
        Ok(faults)
    }
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

/// How a document was decoded, as far as the caller had a say.
pub(super) fn options_of(document: &Document<'_>) -> Options {
    let decision = document.source().decision();
    let forced = (decision.because == Because::Forced).then_some(decision.used);
    let external = decision.detected.filter(|_| decision.detected_by == Some(DetectedBy::External));
    Options::default().with_forced(forced).with_external(external)
}

/// The numbers of the new lines in the new file.
fn written_lines(patches: &[Patch]) -> Vec<Range<u64>> {
    let mut written = Vec::new();
    let mut added = 0;
    let mut removed = 0;
    for patch in patches {
        let count = memchr::memchr_iter(b'\n', patch.with.as_bytes()).count() as u64;
        let start = patch.lines.start + added - removed;
        if count > 0 {
            written.push(start..start + count);
        }
        added += count;
        removed += patch.lines.end - patch.lines.start;
    }
    written
}
