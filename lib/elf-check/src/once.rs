//! Findings that are reported once for a file, with the number of their places. If such findings were reported at each
//! place, they would hide all other findings.

use crate::finding::Finding;
use elf_base::{Code, codes};
use elf_tagged::elf_octets::Patch;
use std::num::NonZero;

const CODES: [Code; 4] =
    [codes::TAG_IN_FULL, codes::SPELLING_UNUSUAL, codes::IDENTIFIER_UNTYPED, codes::UID_UNUSUAL];

pub(crate) fn is_once_per_file(code: Code) -> bool {
    CODES.contains(&code)
}

/// Merges findings of the same code that are reported once for a file.
pub(crate) struct OncePerFile {
    /// Whether the caller needs the fixes of all places. If not, the fix of the first place is enough.
    has_all_fixes: bool,
    counted: Vec<CountedFinding>,
}

struct CountedFinding {
    first: Finding,
    count: u64,
    /// The patches for all places of the finding.
    fix: Option<Vec<Patch>>,
}

impl OncePerFile {
    pub(crate) const fn new(has_all_fixes: bool) -> OncePerFile {
        OncePerFile { has_all_fixes, counted: Vec::new() }
    }

    /// Removes the findings that are reported once for a file from `findings`, and merges them.
    pub(crate) fn extract_from(&mut self, findings: &mut Vec<Finding>) {
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

    /// Returns one finding for each code, at its first place. After the call, no findings are stored.
    pub(crate) fn finish(&mut self) -> Vec<Finding> {
        let one = |CountedFinding { first: mut finding, count, fix }: CountedFinding| {
            if count > 1 {
                let message = format!("{}, {}", finding.diagnostic.message, format_more_places(count - 1));
                finding.diagnostic.message = message.into();
            }
            finding.diagnostic.count = NonZero::new(count);
            finding.fix = fix.map(Into::into);
            finding
        };
        self.counted.drain(..).map(one).collect()
    }
}

fn format_more_places(count: u64) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("here and in {count} more place{plural}")
}
