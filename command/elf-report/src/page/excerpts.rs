//! Findings as a report has them: their numbers, and the first few of each code with their lines.

use elf_base::{Class, Diagnostic};
use elf_check::CodeCounts;
use std::collections::BTreeMap;

/// The most findings of one code in one file that a report has.
pub const MOST: usize = 200;

/// The number of these that are shown at first; the others are folded.
pub const SHOWN: usize = 3;

/// What stands for the words of a finding about hidden people.
const HIDDEN: &str = "in a part about people who may be living";

/// The findings of a file.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct FileFindings {
    /// The number of findings of each code.
    pub codes: CodeCounts,
    /// The number of findings that a safe repair would make go away.
    pub repairable: u64,
    /// The name of the configuration that had a say, where one had.
    pub config: Option<String>,
    /// The first of each code, by its identifier.
    first: BTreeMap<&'static str, Vec<FindingExcerpt>>,
}

/// A finding, and the structure that it is about.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct FindingExcerpt {
    /// The finding, with the line that it stands in where that is at hand.
    pub finding: Diagnostic,
    /// The record, its person and the structures above, in words.
    pub structure: Option<String>,
}

impl FileFindings {
    /// Takes a finding, in the order of the lines; those past the first [`MOST`] of a code are not kept.
    /// `structure` makes the words for what it is about.
    pub fn take(&mut self, finding: &Diagnostic, structure: impl FnOnce() -> Option<String>) {
        let shown = self.first.entry(finding.code.id()).or_default();
        if shown.len() < MOST {
            shown.push(FindingExcerpt { finding: finding.clone(), structure: structure() });
        }
    }

    /// Takes a finding about hidden people: its code and its line, and none of its words.
    pub(crate) fn take_hidden(&mut self, finding: &Diagnostic) {
        let mut bare = finding.clone();
        bare.message = HIDDEN.into();
        (bare.excerpt, bare.help, bare.related) = (None, None, Vec::new());
        self.take(&bare, || None);
    }

    /// The first findings of a code, by its identifier.
    pub fn excerpts(&self, code: &str) -> &[FindingExcerpt] {
        self.first.get(code).map(Vec::as_slice).unwrap_or_default()
    }

    /// The number of findings of all classes, questions included.
    pub fn count(&self) -> u64 {
        Class::ALL.into_iter().map(|class| self.codes.of_class(class)).sum()
    }
}
