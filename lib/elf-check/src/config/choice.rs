//! Decides which findings are reported and fixed, and which of them set the exit status to 1.

use crate::config::FindingWord;
use elf_base::{Class, Code, Diagnostic};

/// The findings that the user selected, ignored and denied.
#[derive(Clone, Debug, Default)]
pub struct Choice {
    select: Vec<FindingWord>,
    ignore: Vec<FindingWord>,
    deny: Vec<FindingWord>,
}

impl Choice {
    /// Creates a choice. If `select` is empty, all findings are selected.
    pub const fn new(select: Vec<FindingWord>, ignore: Vec<FindingWord>, deny: Vec<FindingWord>) -> Choice {
        Choice { select, ignore, deny }
    }

    /// Restricts the selection to the findings of one code. Ignored findings stay ignored.
    #[must_use]
    pub fn only(self, code: Code) -> Choice {
        Choice { select: vec![FindingWord::Code(code)], ..self }
    }

    /// Returns whether a finding is reported, counted and fixed. Findings that are selected and not ignored are.
    pub fn reports(&self, finding: &Diagnostic) -> bool {
        self.reports_code(finding.code, finding.class)
    }

    /// Returns whether findings of a code with this class would be reported.
    pub fn reports_code(&self, code: Code, class: Class) -> bool {
        let has = |words: &[FindingWord]| words.iter().any(|word| word.is_about(code, class));
        (self.select.is_empty() || has(&self.select)) && !has(&self.ignore)
    }

    /// Returns whether a reported finding sets the exit status to 1.
    pub fn fails(&self, finding: &Diagnostic) -> bool {
        self.fails_code(finding.code, finding.class)
    }

    /// Returns whether findings of a code with this class would set the exit status to 1.
    pub fn fails_code(&self, code: Code, class: Class) -> bool {
        class.is_error() || self.deny.iter().any(|word| word.is_about(code, class))
    }
}
