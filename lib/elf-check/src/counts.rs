//! Counts findings by code and class.

use crate::config::Choice;
use elf_base::{Class, Code, Diagnostic, Safety};
use std::collections::BTreeMap;

/// The number of findings with one code.
#[derive(Clone, Copy, Debug)]
pub struct CodeCount {
    /// The code of the findings.
    pub code: Code,
    /// The most severe class of the findings.
    pub class: Class,
    /// The number of findings with this code.
    pub count: u64,
    /// The number of findings with this code that `--fix` fixes.
    pub fixable: u64,
    /// Whether any finding with this code has an unsafe fix.
    pub guessable: bool,
}

impl CodeCount {
    /// Creates a count of 0.
    pub const fn zero(code: Code, class: Class) -> CodeCount {
        CodeCount { code, class, count: 0, fixable: 0, guessable: false }
    }

    /// Returns the safety of the fixes that the findings have. Returns `None` if the findings have no fixes.
    pub const fn safety(&self) -> Option<Safety> {
        match (self.fixable, self.guessable) {
            (1.., _) => Some(Safety::Safe),
            (0, true) => Some(Safety::Unsafe),
            (0, false) => None,
        }
    }
}

/// The number of findings of each code in a file.
#[derive(Clone, Debug, Default)]
pub struct CodeCounts {
    /// The counts by code and class. The findings of one code can have different classes.
    by_code: BTreeMap<(&'static str, Class), CodeCount>,
    /// The number of findings that were not selected, or were ignored.
    pub ignored: u64,
    /// The number of findings that are in the baseline.
    pub known: u64,
    /// The number of findings that set the exit status to 1.
    pub failing: u64,
}

impl CodeCounts {
    /// Counts a finding that is reported. `is_fixed` is true if `--fix` fixes the finding.
    pub(crate) fn count_finding(&mut self, finding: &Diagnostic, choice: &Choice, is_fixed: bool) {
        self.failing += u64::from(choice.fails(finding));
        let &Diagnostic { code, class, .. } = finding;
        let count = self.by_code.entry((code.id(), class)).or_insert(CodeCount::zero(code, class));
        count.count += 1;
        count.fixable += u64::from(is_fixed);
        count.guessable |= finding.fix.as_ref().is_some_and(|fix| fix.safety == Safety::Unsafe);
    }

    /// Adds the counts of another file.
    pub fn add(&mut self, more: &CodeCounts) {
        for (key, more) in &more.by_code {
            let count = self.by_code.entry(*key).or_insert(CodeCount::zero(more.code, more.class));
            count.count += more.count;
            count.fixable += more.fixable;
            count.guessable |= more.guessable;
        }
        self.ignored += more.ignored;
        self.known += more.known;
        self.failing += more.failing;
    }

    /// Returns the counts, sorted by code. If a code was found with several classes, the mildest class comes first.
    pub fn codes(&self) -> impl Iterator<Item = CodeCount> {
        self.by_code.values().copied()
    }

    /// Returns one count for each code, with the most severe class of the code.
    pub fn merged(&self) -> Vec<CodeCount> {
        let mut merged: Vec<CodeCount> = Vec::new();
        for one in self.codes() {
            match merged.last_mut().filter(|last| last.code == one.code) {
                Some(last) => {
                    last.class = one.class;
                    last.count += one.count;
                    last.fixable += one.fixable;
                    last.guessable |= one.guessable;
                }
                None => merged.push(one),
            }
        }
        merged
    }

    /// Returns the number of findings of a class.
    pub fn of_class(&self, class: Class) -> u64 {
        self.codes().filter(|one| one.class == class).map(|one| one.count).sum()
    }
}
