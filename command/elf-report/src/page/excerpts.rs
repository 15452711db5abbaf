//! The findings in a report: their numbers, and the first few findings of each code with their lines.

use elf_base::{Class, Diagnostic};
use elf_check::CodeCounts;
use std::collections::BTreeMap;

/// The maximum number of findings of one code that a report keeps for a file.
pub const MOST: usize = 200;

/// The number of findings of one code that are visible at first. The others are folded.
pub const SHOWN: usize = 3;

/// The text that replaces the message of a finding about hidden people.
const HIDDEN: &str = "in a part about people who may be living";

/// The findings of a file.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct FileFindings {
    /// The number of findings of each code.
    pub codes: CodeCounts,
    /// The number of findings with a safe fix.
    pub repairable: u64,
    /// The name of the `elf.toml` that was used, if any.
    pub config: Option<String>,
    /// The first findings of each code, by the identifier of the code.
    first: BTreeMap<&'static str, Vec<FindingExcerpt>>,
}

/// A finding and the structure that it is about.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct FindingExcerpt {
    /// The finding. It contains its line if the line is available.
    pub finding: Diagnostic,
    /// A description of the record, its person and the structures above the finding.
    pub structure: Option<String>,
}

impl FileFindings {
    /// Adds a finding. Call it in the order of the lines, because only the first [`MOST`] findings of a code are kept.
    /// `structure` describes the structure that the finding is about.
    pub fn add(&mut self, finding: &Diagnostic, structure: impl FnOnce() -> Option<String>) {
        let shown = self.first.entry(finding.code.id()).or_default();
        if shown.len() < MOST {
            shown.push(FindingExcerpt { finding: finding.clone(), structure: structure() });
        }
    }

    /// Adds a finding about hidden people. Only its code and line are kept, not its message.
    pub(crate) fn add_hidden(&mut self, finding: &Diagnostic) {
        let mut bare = finding.clone();
        bare.message = HIDDEN.into();
        (bare.excerpt, bare.help, bare.related) = (None, None, Vec::new());
        self.add(&bare, || None);
    }

    /// Returns the first findings of a code, given by its identifier.
    pub fn excerpts(&self, code: &str) -> &[FindingExcerpt] {
        self.first.get(code).map(Vec::as_slice).unwrap_or_default()
    }

    /// Returns the number of findings of all classes, including questions.
    pub fn count(&self) -> u64 {
        Class::ALL.into_iter().map(|class| self.codes.of_class(class)).sum()
    }
}
