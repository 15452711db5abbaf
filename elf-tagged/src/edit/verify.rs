//! Reading what was edited, to say what the edits brought about.

use super::{EditError, Editor};
use crate::escape::{EscapeSource, EscapeTable};
use crate::write::{Preamble, PreambleLine};
use crate::{Document, read_with};
use elf_base::{Code, Diagnostic, Rules, Sink, codes};
use elf_octets::{Because, DetectedBy, Options, Patch, TooLarge};
use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};

/// A reader of the octets of a file, which reports its findings: [`Editor::finish_checked`] asks it twice.
pub type CheckAgain<'c> = dyn FnMut(&[u8], &mut dyn Sink) -> Result<(), TooLarge> + 'c;

impl Editor<'_> {
    /// Reports the findings of the edited file that the file did not have before (D19 *ELF applications*); returns how many
    /// of them are faults. Nothing is reported of one that does not read as the edits meant it.
    pub(super) fn verify(
        &self,
        octets: &[u8],
        patches: &[Patch],
        check: &mut CheckAgain<'_>,
        sink: &mut dyn Sink,
    ) -> Result<u64, EditError> {
        let source = self.document.source();
        let too_large = |_| EditError::TooLarge;
        let again = read_again(octets, &self.document, &mut ()).map_err(too_large)?;
        let (before, after) = (source.decision().used, again.source().decision().used);
        if after != before {
            return Err(EditError::EncodingChanged { before, after });
        }
        // Where the rules end the reading, the finding that says so is reported.
        if again.is_complete() {
            self.check_structures(&again)?;
        }
        let mut known =
            Known { regions: Regions::of(patches), hasher: RandomState::new(), ..Known::default() };
        check(source.octets(), &mut |finding: Diagnostic| known.add(&finding)).map_err(too_large)?;
        let mut moved = Vec::new();
        let mut take = |finding: Diagnostic| {
            if !known.take_in_place(&finding) {
                moved.push(finding);
            }
        };
        check(octets, &mut take).map_err(too_large)?;
        let mut faults = 0;
        for finding in moved {
            if !known.take_anywhere(&finding) {
                faults += u64::from(is_fault(&finding));
                sink.report(finding);
            }
        }
        Ok(faults)
    }
}

/// Whether a finding that edits bring about is a fault: a pointer that leads nowhere is one by all rules.
fn is_fault(finding: &Diagnostic) -> bool {
    finding.class.is_error() || [codes::POINTER_DANGLING, codes::POINTER_AMBIGUOUS].contains(&finding.code)
}

/// The findings of the file before the edits: how often each was made, told apart by hashes.
#[derive(Default)]
struct Known {
    hasher: RandomState,
    regions: Regions,
    /// By what is said and where.
    in_place: HashMap<u64, u32>,
    /// By what is said, and of which text.
    anywhere: HashMap<u64, u32>,
}

impl Known {
    fn add(&mut self, finding: &Diagnostic) {
        let (here, anywhere) = self.keys(finding, Regions::of_old);
        *self.in_place.entry(here).or_default() += 1;
        *self.anywhere.entry(anywhere).or_default() += 1;
    }

    /// Takes out a finding that stands where it stood.
    fn take_in_place(&mut self, finding: &Diagnostic) -> bool {
        let (here, anywhere) = self.keys(finding, Regions::of_new);
        take(&mut self.in_place, here) && {
            take(&mut self.anywhere, anywhere);
            true
        }
    }

    /// Takes out a finding that stood elsewhere: what is moved takes its faults along.
    fn take_anywhere(&mut self, finding: &Diagnostic) -> bool {
        let (_, anywhere) = self.keys(finding, Regions::of_new);
        take(&mut self.anywhere, anywhere)
    }

    fn keys(&self, finding: &Diagnostic, region: fn(&Regions, u64) -> Region) -> (u64, u64) {
        let said: (Code, &str, String) = (finding.code, &finding.message, covered(finding));
        let place = finding.place.map(|place| match region(&self.regions, place.line) {
            Region::Kept(line) => (0, line, place.column),
            Region::Patched(index) => (1, index as u64, 0),
        });
        (self.hasher.hash_one((&said, place)), self.hasher.hash_one(&said))
    }
}

fn take(counts: &mut HashMap<u64, u32>, key: u64) -> bool {
    match counts.get_mut(&key) {
        Some(count) if *count > 0 => {
            *count -= 1;
            true
        }
        _ => false,
    }
}

/// Findings about the file as a whole: where they stand is but the first evidence for them.
const OF_THE_FILE: [Code; 7] = [
    codes::ENCODING_UNKNOWN,
    codes::ENCODING_CONTRADICTED,
    codes::ENCODING_CONTRADICTS_MARK,
    codes::ENCODING_ALIAS,
    codes::ENCODING_BY_CONTENT,
    codes::ENCODING_DEPRECATED,
    codes::ENCODING_UNNAMED,
];

/// The text that a finding is about, as far as it is at hand; none if it is about the file.
fn covered(finding: &Diagnostic) -> String {
    if OF_THE_FILE.contains(&finding.code) {
        return String::new();
    }
    let (Some(place), Some(excerpt)) = (finding.place, &finding.excerpt) else { return String::new() };
    let skipped = usize::try_from(place.column.saturating_sub(excerpt.first_column)).unwrap_or(usize::MAX);
    let length = usize::try_from(place.end_column.saturating_sub(place.column)).unwrap_or(usize::MAX);
    excerpt.text.chars().skip(skipped).take(length).collect()
}

/// A place as the file before and after edits have it in common.
enum Region {
    /// A line that stays, by its number before.
    Kept(u64),
    /// What a patch replaces and what it puts there.
    Patched(usize),
}

/// The lines that patches change.
#[derive(Default)]
struct Regions(Vec<Changed>);

/// The lines that one patch changes, by their numbers before and after.
struct Changed {
    old: (u64, u64),
    new: (u64, u64),
}

impl Regions {
    fn of(patches: &[Patch]) -> Regions {
        let (mut added, mut removed) = (0, 0);
        let changed = patches.iter().map(|patch| {
            let count = memchr::memchr_iter(b'\n', patch.with.as_bytes()).count() as u64;
            let start = patch.lines.start + added - removed;
            added += count;
            removed += patch.lines.end - patch.lines.start;
            Changed { old: (patch.lines.start, patch.lines.end), new: (start, start + count) }
        });
        Regions(changed.collect())
    }

    fn of_old(&self, line: u64) -> Region {
        let after = self.0.partition_point(|changed| changed.old.1 <= line);
        match self.0.get(after) {
            Some(changed) if changed.old.0 <= line => Region::Patched(after),
            _ => Region::Kept(line),
        }
    }

    fn of_new(&self, line: u64) -> Region {
        let after = self.0.partition_point(|changed| changed.new.1 <= line);
        match self.0.get(after) {
            Some(changed) if changed.new.0 <= line => Region::Patched(after),
            _ => {
                let before = after.checked_sub(1).and_then(|before| self.0.get(before));
                Region::Kept(before.map_or(line, |changed| line - changed.new.1 + changed.old.1))
            }
        }
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
