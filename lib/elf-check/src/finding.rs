//! Findings, and the sink that collects those about a run.

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
    /// The finding itself.
    pub diagnostic: Diagnostic,
    /// The structure that it is about, if there is one.
    pub context: Option<Context>,
    /// The signature for the baseline. Only set if there is a baseline.
    pub signature: Option<Arc<Signature>>,
    /// The lines that `--fix` changes for it; `None` if it fixes nothing.
    pub fix: Option<Box<[Patch]>>,
}

/// Returns the lines that a fix changes, in the form that JSON and the language server share.
pub fn flat_fix(patches: &[Patch]) -> FlatFix<'_> {
    let lines = patches.iter().map(|Patch { lines, with, .. }| FlatLines {
        line: lines.start,
        remove: lines.end - lines.start,
        insert: with.split_terminator('\n').collect(),
    });
    FlatFix { safety: Safety::Safe.name(), lines: lines.collect() }
}

/// How much of the findings is kept for output. All findings are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keep {
    /// No findings.
    Nothing,
    /// The first findings of each code, up to this number.
    FirstOfEach(usize),
    /// All findings, with excerpts of the lines they are about.
    All,
    /// All findings, without excerpts.
    Related,
    /// All findings, without excerpts and related places.
    Bare,
}

impl Keep {
    /// Removes the details of a finding that are not kept.
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

    /// Returns whether the lines changed by `--fix` are output.
    pub(crate) const fn keeps_fixes(self) -> bool {
        matches!(self, Keep::All | Keep::Related | Keep::Bare)
    }

    pub(crate) const fn keeps_excerpts(self) -> bool {
        matches!(self, Keep::FirstOfEach(_) | Keep::All)
    }
}

/// Sorts by place; findings about the whole file come last.
pub(crate) fn sort_key(finding: &Diagnostic) -> SortKey {
    sort_key_of(finding.code, finding.place)
}

type SortKey = (u64, &'static str);

fn sort_key_of(code: Code, place: Option<Place>) -> SortKey {
    (place.map_or(u64::MAX, |place| place.octet), code.id())
}

/// Collects the findings of a run that are selected. Only findings that will be output get messages and excerpts.
pub(crate) struct FindingSink<'s> {
    choice: &'s Choice,
    keep: Keep,
    pub(crate) findings: Vec<Diagnostic>,
    /// The number of findings that are not selected, or ignored.
    pub(crate) ignored: u64,
    /// True if a schema was too large to resolve, so that types are missing.
    pub(crate) has_met_limit: bool,
    /// For each code, the sorted places of the findings that will be output.
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
