//! A section of a configuration. The section has settings for all files, or for some of them.

use crate::config::FindingWord;
use elf_base::{Rules, Standard};
use elf_lineage::{ThresholdError, Thresholds};
use std::str::FromStr;

/// The settings for some files or for all files. A setting that is `None` is not set.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Section {
    /// The rules by which the files are read.
    pub rules: Option<&'static Rules>,
    /// The findings that are reported. If this is not set, all findings are reported.
    pub select: Option<Vec<FindingWord>>,
    /// The findings that are not reported.
    pub ignore: Option<Vec<FindingWord>>,
    /// The findings that set the exit status to 1, in addition to format violations.
    pub deny: Option<Vec<FindingWord>>,
    /// The standard against which the files are validated.
    pub against: Option<StandardChoice>,
    /// The thresholds for checking facts.
    pub thresholds: ThresholdChanges,
}

/// The thresholds that the user has set.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ThresholdChanges(Vec<(Box<str>, i64)>);

/// The standard against which files are validated, or the choice not to validate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StandardChoice {
    /// The files are not validated against a standard (`none`).
    Nothing,
    /// The files are validated against this standard.
    Standard(Standard),
}

impl Section {
    /// Replaces the settings that `later` also sets by those of `later`.
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
    /// Sets the threshold with this name. A later value replaces an earlier one.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`Thresholds::set`].
    pub fn set(&mut self, name: &str, number: i64) -> Result<(), ThresholdError> {
        Thresholds::default().set(name, number)?;
        self.0.push((name.into(), number));
        Ok(())
    }

    /// Returns whether no threshold is set.
    pub const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns all thresholds. Those that the user has not set have their default values.
    pub fn apply(&self) -> Thresholds {
        let mut all = Thresholds::default();
        for (name, number) in &self.0 {
            // The name and the number are valid, because they were checked when the threshold was set.
            let set = all.set(name, *number);
            debug_assert!(set.is_ok());
        }
        all
    }
}

impl StandardChoice {
    /// All possible values: every standard, and `none`.
    pub const ALL: [StandardChoice; Standard::ALL.len() + 1] = {
        let mut all = [StandardChoice::Nothing; Standard::ALL.len() + 1];
        let mut at = 0;
        while at < Standard::ALL.len() {
            all[at] = StandardChoice::Standard(Standard::ALL[at]);
            at += 1;
        }
        all
    };

    /// Returns the word that the user writes, such as `data-model`, `5.5.1` or `none`.
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
