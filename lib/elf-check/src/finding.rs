//! Findings with their structures, and the sink that collects the findings of a run.

use crate::baseline::Signature;
use crate::config::Choice;
use elf_base::{Code, Detail, Diagnostic, FlatFix, FlatLines, Place, Safety, Sink, codes};
use elf_edit::Context;
use elf_tagged::elf_octets::Patch;
use std::collections::HashMap;
use std::sync::Arc;

/// The maximum number of findings of one code in one file that are shown without `--all`.
pub const SHOWN_PER_CODE: usize = 10;

/// A finding with the structure that it is about.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// The finding as it was reported.
    pub diagnostic: Diagnostic,
    /// The structure that the finding is about, if there is one.
    pub context: Option<Context>,
    /// The signature by which a baseline identifies the finding. The signature is set only if there is a baseline.
    pub signature: Option<Arc<Signature>>,
    /// The lines that `--fix` changes for the finding. `None` if `--fix` does not fix the finding.
    pub fix: Option<Box<[Patch]>>,
}

/// Returns the lines that a fix changes, in the form that JSON and the language server use.
pub fn flat_fix(patches: &[Patch]) -> FlatFix<'_> {
    let lines = patches.iter().map(|Patch { lines, with, .. }| FlatLines {
        line: lines.start,
        remove: lines.end - lines.start,
        insert: with.split_terminator('\n').collect(),
    });
    FlatFix { safety: Safety::Safe.name(), lines: lines.collect() }
}

/// The amount of detail about findings that is kept for output. All findings are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keep {
    /// No findings are kept.
    Nothing,
    /// The first findings of each code are kept, up to this number.
    FirstOfEach(usize),
    /// All findings are kept, with excerpts of their lines.
    All,
    /// All findings are kept, without excerpts.
    Related,
    /// All findings are kept, without excerpts and without related places.
    Bare,
}

impl Keep {
    /// Removes the details that are not kept from a finding.
    pub(crate) fn remove_detail(self, finding: &mut Diagnostic) {
        match self {
            Keep::Nothing | Keep::Bare => {
                finding.excerpt = None;
                finding.related = Vec::new();
            }
            Keep::Related => {
                finding.excerpt = None;
                finding.related.iter_mut().for_each(|related| related.excerpt = None);
            }
            Keep::FirstOfEach(_) | Keep::All => {}
        }
    }

    /// Returns whether the output contains the lines that `--fix` changes.
    pub(crate) const fn keeps_fixes(self) -> bool {
        matches!(self, Keep::All | Keep::Related | Keep::Bare)
    }

    pub(crate) const fn keeps_excerpts(self) -> bool {
        matches!(self, Keep::FirstOfEach(_) | Keep::All)
    }
}

/// Returns the key by which findings are sorted: their place. Findings about the whole file come last.
pub(crate) fn sort_key(finding: &Diagnostic) -> SortKey {
    sort_key_of(finding.code, finding.place)
}

type SortKey = (u64, &'static str);

fn sort_key_of(code: Code, place: Option<Place>) -> SortKey {
    (place.map_or(u64::MAX, |place| place.octet), code.id())
}

/// Collects the selected findings of a run. Only findings that may be output get a message and an excerpt.
pub(crate) struct FindingSink<'s> {
    choice: &'s Choice,
    keep: Keep,
    pub(crate) findings: Vec<Diagnostic>,
    /// The number of findings that were not selected, or were ignored.
    pub(crate) ignored: u64,
    /// Whether a schema was too large to be resolved, so that types are missing.
    pub(crate) has_met_limit: bool,
    /// The places of the findings that may be output, sorted, for each code.
    first: HashMap<&'static str, Vec<SortKey>>,
}

impl<'s> FindingSink<'s> {
    pub(crate) fn new(choice: &'s Choice, keep: Keep) -> FindingSink<'s> {
        FindingSink {
            choice,
            keep,
            findings: Vec::new(),
            ignored: 0,
            has_met_limit: false,
            first: HashMap::new(),
        }
    }
}

impl Sink for FindingSink<'_> {
    fn report(&mut self, finding: Diagnostic) {
        self.has_met_limit |= finding.code == codes::SCHEMA_TOO_LARGE;
        if !self.choice.reports(&finding) {
            self.ignored += 1;
            return;
        }
        if let Keep::FirstOfEach(most) = self.keep {
            let position = sort_key(&finding);
            let first = self.first.entry(finding.code.id()).or_default();
            let at = first.partition_point(|one| *one <= position);
            if at < most {
                first.truncate(most - 1);
                first.insert(at, position);
            }
        }
        self.findings.push(finding);
    }

    fn detail(&self) -> Detail {
        match self.keep {
            Keep::Nothing => Detail::NoWords,
            Keep::Bare | Keep::Related => Detail::NoExcerpts,
            Keep::FirstOfEach(_) | Keep::All => Detail::Full,
        }
    }

    fn wants_words(&self, code: Code, place: Option<Place>) -> bool {
        match self.keep {
            Keep::Nothing => false,
            Keep::FirstOfEach(most) => {
                let last = self.first.get(code.id()).and_then(|first| first.get(most.checked_sub(1)?));
                last.is_none_or(|last| sort_key_of(code, place) < *last)
            }
            Keep::All | Keep::Related | Keep::Bare => true,
        }
    }
}
