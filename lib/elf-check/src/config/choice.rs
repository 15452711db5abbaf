//! The choice among findings: which are reported and repaired, and which make the exit status 1.

use crate::config::FindingWord;
use elf_base::{Class, Code, Diagnostic};

/// The findings that somebody wants to hear of.
#[derive(Clone, Debug, Default)]
pub struct Choice {
    select: Vec<FindingWord>,
    ignore: Vec<FindingWord>,
    deny: Vec<FindingWord>,
}

impl Choice {
    /// Makes a choice of what is selected (everything where nothing is), ignored and denied.
    pub const fn new(select: Vec<FindingWord>, ignore: Vec<FindingWord>, deny: Vec<FindingWord>) -> Choice {
        Choice { select, ignore, deny }
    }

    /// Denies these findings too.
    #[must_use]
    pub fn denying(mut self, words: &[FindingWord]) -> Choice {
        self.deny.extend(words);
        self
    }

    /// Selects only the findings of one code, among those that are not ignored.
    #[must_use]
    pub fn only(self, code: Code) -> Choice {
        Choice { select: vec![FindingWord::Code(code)], ..self }
    }

    /// Tells whether a finding is reported, counted and repaired: it is selected, as all are where nothing
    /// is, and not ignored.
    pub fn takes(&self, finding: &Diagnostic) -> bool {
        self.takes_code(finding.code, finding.class)
    }

    /// Tells whether findings of a code would be taken, which are of that class.
    pub fn takes_code(&self, code: Code, class: Class) -> bool {
        let has = |words: &[FindingWord]| words.iter().any(|word| word.is_about(code, class));
        (self.select.is_empty() || has(&self.select)) && !has(&self.ignore)
    }

    /// Tells whether a finding that is reported makes the exit status 1.
    pub fn fails(&self, finding: &Diagnostic) -> bool {
        self.fails_code(finding.code, finding.class)
    }

    /// Tells whether findings of a code would make the exit status 1, which are of that class.
    pub fn fails_code(&self, code: Code, class: Class) -> bool {
        class.is_error() || self.deny.iter().any(|word| word.is_about(code, class))
    }
}
