//! A section of a configuration: settings for all files, or for some.

use crate::config::FindingWord;
use elf_base::{Rules, Standard};
use elf_lineage::{ThresholdError, Thresholds};
use std::str::FromStr;

/// Settings for some files or for all. `None` means not set.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Section {
    /// The rules for reading the files.
    pub rules: Option<&'static Rules>,
    /// The findings that are reported, instead of all.
    pub select: Option<Vec<FindingWord>>,
    /// The findings that are not reported.
    pub ignore: Option<Vec<FindingWord>>,
    /// The findings that set the exit status to 1, besides format violations.
    pub deny: Option<Vec<FindingWord>>,
    /// The standard that the files are validated against.
    pub against: Option<StandardChoice>,
    /// The thresholds for checking facts.
    pub thresholds: ThresholdChanges,
}

/// Thresholds that the user has set.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ThresholdChanges(Vec<(Box<str>, i64)>);

/// The standard to validate against, or none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StandardChoice {
    /// No standard (`none`).
    Nothing,
    /// A standard, by its name.
    Standard(Standard),
}

impl Section {
    /// Overrides these settings with those that `later` sets.
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
    /// Sets a threshold by name. A later value replaces an earlier one.
    ///
    /// # Errors
    ///
    /// The errors of [`Thresholds::set`].
    pub fn set(&mut self, name: &str, number: i64) -> Result<(), ThresholdError> {
        Thresholds::default().set(name, number)?;
        self.0.push((name.into(), number));
        Ok(())
    }

    /// Returns whether no threshold is set.
    pub const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns all thresholds, including the defaults.
    pub fn apply(&self) -> Thresholds {
        let mut all = Thresholds::default();
        for (name, number) in &self.0 {
            // The name and the number were checked when the threshold was set.
            let set = all.set(name, *number);
            debug_assert!(set.is_ok());
        }
        all
    }
}

impl StandardChoice {
    /// All possible values: each standard, and `none`.
    pub const ALL: [StandardChoice; Standard::ALL.len() + 1] = {
        let mut all = [StandardChoice::Nothing; Standard::ALL.len() + 1];
        let mut at = 0;
        while at < Standard::ALL.len() {
            all[at] = StandardChoice::Standard(Standard::ALL[at]);
            at += 1;
        }
        all
    };

    /// Returns the word that the user writes: `data-model`, `5.5.1`, `none`.
    pub const fn name(self) -> &'static str {
        match self {
            StandardChoice::Nothing => "none",
            StandardChoice::Standard(standard) => standard.name(),
        }
    }

    /// Returns the title of the standard, such as `GEDCOM 5.5.1`.
    pub const fn title(self) -> &'static str {
        match self {
            StandardChoice::Nothing => "no standard",
            StandardChoice::Standard(standard) => standard.title(),
        }
    }
}

impl FromStr for StandardChoice {
    type Err = String;

    fn from_str(word: &str) -> Result<StandardChoice, String> {
        StandardChoice::ALL.into_iter().find(|one| one.name() == word).ok_or_else(|| {
            format!("expected one of {}", StandardChoice::ALL.map(StandardChoice::name).join(", "))
        })
    }
}
