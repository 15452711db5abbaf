//! The sections of a configuration: about all files, or about some.

use crate::config::FindingWord;
use elf_base::{Against, Rules, Standard};
use elf_lineage::{ThresholdError, Thresholds};
use std::str::FromStr;

/// The part of a configuration that speaks of some files, or of all. `None` is said of nothing.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Section {
    /// The rules by which the files are read.
    pub rules: Option<&'static Rules>,
    /// The findings that are reported, instead of all.
    pub select: Option<Vec<FindingWord>>,
    /// The findings that are not reported.
    pub ignore: Option<Vec<FindingWord>>,
    /// The findings that make the exit status 1, besides errors.
    pub deny: Option<Vec<FindingWord>>,
    /// The standard that the files are held against.
    pub against: Option<HeldAgainst>,
    /// The thresholds of questions about facts that are set.
    pub thresholds: ThresholdChanges,
}

/// Thresholds of questions about facts that somebody sets: the others stay as they are.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ThresholdChanges(Vec<(Box<str>, i64)>);

/// The standard that somebody names for files to be held against; or none, on purpose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HeldAgainst {
    /// The word `none`.
    Nothing,
    /// The name of a standard.
    Standard(Standard),
}

impl Section {
    /// Puts what `later` says in the place of what is said here.
    pub(crate) fn override_with(&mut self, later: &Section) {
        let Section { rules, select, ignore, deny, against, thresholds } = later;
        self.thresholds.0.extend(thresholds.0.iter().cloned());
        self.rules = rules.or(self.rules);
        self.against = against.or(self.against);
        for (here, later) in [(&mut self.select, select), (&mut self.ignore, ignore), (&mut self.deny, deny)]
        {
            if later.is_some() {
                here.clone_from(later);
            }
        }
    }
}

impl ThresholdChanges {
    /// Sets a threshold by its name; where it is set again, the later holds.
    ///
    /// # Errors
    ///
    /// Those of [`Thresholds::set`].
    pub fn set(&mut self, name: &str, number: i64) -> Result<(), ThresholdError> {
        Thresholds::default().set(name, number)?;
        self.0.push((name.into(), number));
        Ok(())
    }

    /// Tells whether none is set.
    pub const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The thresholds, those that are set among them.
    pub fn apply(&self) -> Thresholds {
        let mut all = Thresholds::default();
        for (name, number) in &self.0 {
            // Each was set before, so this one is a threshold and in its range.
            let set = all.set(name, *number);
            debug_assert!(set.is_ok());
        }
        all
    }
}

impl HeldAgainst {
    /// All that may be named: each standard, and nothing.
    pub const ALL: [HeldAgainst; Standard::ALL.len() + 1] = {
        let mut all = [HeldAgainst::Nothing; Standard::ALL.len() + 1];
        let mut at = 0;
        while at < Standard::ALL.len() {
            all[at] = HeldAgainst::Standard(Standard::ALL[at]);
            at += 1;
        }
        all
    };

    /// The standard that files read by `rules` are validated against: the named one, or the one whose types the rules
    /// have.
    pub fn or_of_rules(named: Option<HeldAgainst>, rules: &Rules) -> Option<Against> {
        match named {
            Some(HeldAgainst::Standard(standard)) => Some(Against { standard, is_named: true }),
            Some(HeldAgainst::Nothing) => None,
            None => rules.schema.default.standard().map(|standard| Against { standard, is_named: false }),
        }
    }

    /// The word for it: `data-model`, `5.5.1`, `none`.
    pub const fn name(self) -> &'static str {
        match self {
            HeldAgainst::Nothing => "none",
            HeldAgainst::Standard(standard) => standard.name(),
        }
    }

    /// The title of the standard: `GEDCOM 5.5.1`.
    pub const fn title(self) -> &'static str {
        match self {
            HeldAgainst::Nothing => "no standard",
            HeldAgainst::Standard(standard) => standard.title(),
        }
    }
}

impl FromStr for HeldAgainst {
    type Err = String;

    fn from_str(word: &str) -> Result<HeldAgainst, String> {
        HeldAgainst::ALL
            .into_iter()
            .find(|one| one.name() == word)
            .ok_or_else(|| format!("expected one of {}", HeldAgainst::ALL.map(HeldAgainst::name).join(", ")))
    }
}
