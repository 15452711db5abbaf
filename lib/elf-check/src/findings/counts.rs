//! The numbers of findings, by code and class.

use crate::config::Choice;
use elf_base::{Class, Code, Diagnostic, Safety};
use elf_edit::Repairs;
use std::collections::BTreeMap;

/// The number of findings of a code.
#[derive(Clone, Copy, Debug)]
pub struct CodeCount {
    /// The code.
    pub code: Code,
    /// The class of its findings, or the gravest of them.
    pub class: Class,
    /// The number of its findings.
    pub count: u64,
    /// The number of its findings that `--fix` repairs.
    pub repairable: u64,
    /// True if an unsafe repair is proposed of any.
    pub guessable: bool,
}

impl CodeCount {
    /// No findings of a code.
    pub const fn none(code: Code, class: Class) -> CodeCount {
        CodeCount { code, class, count: 0, repairable: 0, guessable: false }
    }

    /// The safety of what repairs any of its findings.
    pub const fn safety(&self) -> Option<Safety> {
        match (self.repairable, self.guessable) {
            (1.., _) => Some(Safety::Safe),
            (0, true) => Some(Safety::Unsafe),
            (0, false) => None,
        }
    }
}

/// The number of findings of each code in a file.
#[derive(Clone, Debug, Default)]
pub struct CodeCounts {
    /// By identifier and class: of one code some findings may be graver than others.
    by_code: BTreeMap<(&'static str, Class), CodeCount>,
    /// The number of findings that were not chosen.
    pub ignored: u64,
    /// The number of findings that the baseline has.
    pub known: u64,
    /// True if the baseline has links with one half only (E0907): they are repaired like others.
    pub knows_links: bool,
    /// The number of findings that make the exit status 1.
    pub failing: u64,
}

impl CodeCounts {
    /// Tells whether a finding is chosen, and counts it if it is not.
    pub(crate) fn is_chosen(&mut self, finding: &Diagnostic, choice: &Choice) -> bool {
        let is_chosen = choice.takes(finding);
        self.ignored += u64::from(!is_chosen);
        is_chosen
    }

    /// Counts a finding, and tells whether it is chosen.
    pub(crate) fn count(&mut self, finding: &Diagnostic, choice: &Choice) -> bool {
        if !self.is_chosen(finding, choice) {
            return false;
        }
        self.failing += u64::from(choice.fails(finding));
        let &Diagnostic { code, class, .. } = finding;
        let count = self.by_code.entry((code.id(), class)).or_insert(CodeCount::none(code, class));
        count.count += 1;
        count.guessable |= finding.fix.as_ref().is_some_and(|fix| fix.safety == Safety::Unsafe);
        true
    }

    /// Counts a finding that was counted as another one of its code, which is graver.
    pub(crate) fn raise(&mut self, finding: &Diagnostic, raised: &Diagnostic, choice: &Choice) {
        let key = (finding.code.id(), finding.class);
        if let Some(count) = self.by_code.get_mut(&key) {
            count.count = count.count.saturating_sub(1);
            if count.count == 0 {
                self.by_code.remove(&key);
            }
        }
        self.failing -= u64::from(choice.fails(finding)).min(self.failing);
        self.count(raised, choice);
    }

    /// Adds the counts of more findings.
    pub fn add(&mut self, more: &CodeCounts) {
        for (key, more) in &more.by_code {
            let count = self.by_code.entry(*key).or_insert(CodeCount::none(more.code, more.class));
            count.count += more.count;
            count.repairable += more.repairable;
            count.guessable |= more.guessable;
        }
        self.ignored += more.ignored;
        self.known += more.known;
        self.knows_links |= more.knows_links;
        self.failing += more.failing;
    }

    /// Takes what was judged of the repairs of a file.
    pub(crate) fn judge(&mut self, repairs: &Repairs) {
        let mut left = repairs.by_code.clone();
        for (&(id, _), count) in &mut self.by_code {
            let repaired = left.get_mut(id).map(|left| {
                let repaired = (*left).min(count.count);
                *left -= repaired;
                repaired
            });
            count.repairable = repaired.unwrap_or_default();
            count.guessable &= repairs.refused.is_none();
        }
    }

    /// The codes that were found, in the order of their identifiers, the mildest class of each first.
    pub fn codes(&self) -> impl Iterator<Item = CodeCount> {
        self.by_code.values().copied()
    }

    /// The codes that were found, each once with its gravest class.
    pub fn merged(&self) -> Vec<CodeCount> {
        let mut merged: Vec<CodeCount> = Vec::new();
        for one in self.codes() {
            match merged.last_mut().filter(|last| last.code == one.code) {
                Some(last) => {
                    last.class = one.class;
                    last.count += one.count;
                    last.repairable += one.repairable;
                    last.guessable |= one.guessable;
                }
                None => merged.push(one),
            }
        }
        merged
    }

    /// The number of findings of a class.
    pub fn of_class(&self, class: Class) -> u64 {
        self.codes().filter(|one| one.class == class).map(|one| one.count).sum()
    }
}
