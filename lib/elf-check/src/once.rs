//! Findings that are reported once for a file, with the number of places. One for each place would hide all others.

use crate::finding::Finding;
use elf_base::{Code, codes};
use elf_tagged::elf_octets::Patch;
use std::num::NonZero;

/// The codes that are reported once for a file.
const CODES: [Code; 4] =
    [codes::TAG_IN_FULL, codes::SPELLING_UNUSUAL, codes::IDENTIFIER_UNTYPED, codes::UID_UNUSUAL];

/// Returns whether a code is reported once for a file.
pub(crate) fn is_once_per_file(code: Code) -> bool {
    CODES.contains(&code)
}

/// Counts the findings that are reported once for a file, in the order of the file.
pub(crate) struct OncePerFile {
    /// True if the lines that `--fix` changes are handed out, and not only whether there are any.
    has_all_fixes: bool,
    counted: Vec<CountedFinding>,
}

/// The first finding of a code, and how many there are.
struct CountedFinding {
    first: Finding,
    count: u64,
    /// The lines that `--fix` changes at all places.
    fix: Option<Vec<Patch>>,
}

impl OncePerFile {
    pub(crate) const fn new(has_all_fixes: bool) -> OncePerFile {
        OncePerFile { has_all_fixes, counted: Vec::new() }
    }

    /// Moves the findings that are reported once out of those of a part of the file.
    pub(crate) fn take_from(&mut self, findings: &mut Vec<Finding>) {
        for finding in findings.extract_if(.., |finding| is_once_per_file(finding.diagnostic.code)) {
            self.add(finding);
        }
    }

    fn add(&mut self, mut finding: Finding) {
        let fix = finding.fix.take().map(Vec::from);
        let of_code = |one: &&mut CountedFinding| one.first.diagnostic.code == finding.diagnostic.code;
        let Some(counted) = self.counted.iter_mut().find(of_code) else {
            self.counted.push(CountedFinding { first: finding, count: 1, fix });
            return;
        };
        counted.count += 1;
        match (&mut counted.fix, fix) {
            (all @ None, fix) => *all = fix,
            (Some(all), Some(more)) if self.has_all_fixes => all.extend(more),
            (Some(_), _) => {}
        }
    }

    /// Returns one finding for each code, at its first place.
    pub(crate) fn finish(&mut self) -> Vec<Finding> {
        let one = |CountedFinding { first: mut finding, count, fix }: CountedFinding| {
            if count > 1 {
                let message = format!("{}, {}", finding.diagnostic.message, words_for_more(count - 1));
                finding.diagnostic.message = message.into();
            }
            finding.diagnostic.count = NonZero::new(count);
            finding.fix = fix.map(Into::into);
            finding
        };
        self.counted.drain(..).map(one).collect()
    }
}

/// The words for further places.
fn words_for_more(count: u64) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("here and in {count} more place{plural}")
}
