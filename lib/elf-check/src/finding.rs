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
    /// What a layer reported.
    pub diagnostic: Diagnostic,
    /// The structure that it is about, if there is one.
    pub context: Option<Context>,
    /// The signature for the baseline. Only set if there is a baseline.
    pub signature: Option<Arc<Signature>>,
    /// The lines that `--fix` changes for it; `None` if it fixes nothing.
    pub fix: Option<Box<[Patch]>>,
}

/// Returns the lines that a fix changes as programs exchange them.
pub fn flat_fix(patches: &[Patch]) -> FlatFix<'_> {
    let lines = patches.iter().map(|Patch { lines, with, .. }| FlatLines {
        line: lines.start,
        remove: lines.end - lines.start,
        insert: with.split_terminator('\n').collect(),
    });
    FlatFix { safety: Safety::Safe.name(), lines: lines.collect() }
}

/// How much of the findings is kept. All are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keep {
    /// None.
    Nothing,
    /// The first of each code, this number of them.
    FirstOfEach(usize),
    /// All, with the lines of their places.
    All,
    /// All, without lines.
    Related,
    /// All, without lines and without related places.
    Bare,
}

impl Keep {
    /// Removes what is not kept of a finding.
    pub(crate) fn strip(self, finding: &mut Diagnostic) {
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

    /// Returns whether the lines that `--fix` changes are shown.
    pub(crate) const fn has_fixes(self) -> bool {
        matches!(self, Keep::All | Keep::Related | Keep::Bare)
    }

    /// Returns whether a person sees the line that a finding is in.
    pub(crate) const fn has_excerpts(self) -> bool {
        matches!(self, Keep::FirstOfEach(_) | Keep::All)
    }
}

/// The order of findings: by place, those about the file as a whole last.
pub(crate) fn order(finding: &Diagnostic) -> Position {
    position(finding.code, finding.place)
}

/// A position in the order of findings.
type Position = (u64, &'static str);

fn position(code: Code, place: Option<Place>) -> Position {
    (place.map_or(u64::MAX, |place| place.octet), code.id())
}

/// Collects the findings that count. Only those that are handed out get words and excerpts.
pub(crate) struct FindingSink<'s> {
    choice: &'s Choice,
    keep: Keep,
    pub(crate) findings: Vec<Diagnostic>,
    /// The number of findings that do not count.
    pub(crate) ignored: u64,
    /// True if a schema was too large to follow, so that types are missing.
    pub(crate) has_met_limit: bool,
    /// The positions of the first findings of each code, in order.
    first: HashMap<&'static str, Vec<Position>>,
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
        if !self.choice.takes(&finding) {
            self.ignored += 1;
            return;
        }
        if let Keep::FirstOfEach(most) = self.keep {
            let position = order(&finding);
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
                last.is_none_or(|last| position(code, place) < *last)
            }
            Keep::All | Keep::Related | Keep::Bare => true,
        }
    }
}
