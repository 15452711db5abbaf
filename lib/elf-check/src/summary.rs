//! The counts of a check, as the JSON of `elf check` has them.

use crate::check::Checked;
use elf_base::Class;
use serde::{Serialize, Serializer};
use std::collections::BTreeMap;

/// The counts for one file, or for all files.
#[derive(Clone, Debug, Default, Serialize)]
pub struct FindingCounts {
    /// The number of lines, including blank ones.
    pub lines: u64,
    /// The number of records, without header and trailer.
    pub records: u64,
    /// The number of structures of each type that the dictionary of vendor tags has, by the IRI of the type. The
    /// summary has their sum.
    #[serde(skip_serializing_if = "BTreeMap::is_empty", serialize_with = "serialize_sum")]
    pub vendor: BTreeMap<String, u64>,
    /// The number of malformed findings.
    pub malformed: u64,
    /// The number of non-conformant findings.
    pub non_conformant: u64,
    /// The number of deprecated findings.
    pub deprecated: u64,
    /// The number of advice findings.
    pub advice: u64,
    /// The number of questions.
    pub questions: u64,
    /// The number of findings that are not selected.
    pub ignored: u64,
    /// The number of findings in the baseline; `None` without a baseline.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub known: Option<u64>,
    /// The number of findings in the baseline that are no longer in the file; `None` without a
    /// baseline.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gone: Option<u64>,
    /// The number of findings that `--fix` fixes.
    pub repairable: u64,
    /// The number of findings that were fixed; `None` if no fixes were requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub repaired: Option<u64>,
    /// True if the file was read to its end.
    pub complete: bool,
}

impl From<&Checked> for FindingCounts {
    fn from(checked: &Checked) -> FindingCounts {
        let of_class = |class| checked.codes.of_class(class);
        FindingCounts {
            lines: checked.lines,
            records: checked.records,
            vendor: checked.vendor_tags.clone(),
            malformed: of_class(Class::Malformed),
            non_conformant: of_class(Class::NonConformant),
            deprecated: of_class(Class::Deprecated),
            advice: of_class(Class::Advice),
            questions: of_class(Class::Question),
            ignored: checked.codes.ignored,
            known: None,
            gone: None,
            repairable: checked.fixable,
            repaired: None,
            complete: checked.complete,
        }
    }
}

impl FindingCounts {
    /// Adds the counts of another file.
    pub fn add(&mut self, other: &FindingCounts) {
        self.lines += other.lines;
        self.records += other.records;
        for (iri, count) in &other.vendor {
            *self.vendor.entry(iri.clone()).or_default() += count;
        }
        self.malformed += other.malformed;
        self.non_conformant += other.non_conformant;
        self.deprecated += other.deprecated;
        self.advice += other.advice;
        self.questions += other.questions;
        self.ignored += other.ignored;
        self.repairable += other.repairable;
        self.repaired = add_if_known(self.repaired, other.repaired);
        self.known = add_if_known(self.known, other.known);
        self.gone = add_if_known(self.gone, other.gone);
        self.complete &= other.complete;
    }

    /// Returns the number of all reported findings.
    pub const fn findings(&self) -> u64 {
        self.malformed + self.non_conformant + self.deprecated + self.advice + self.questions
    }
}

fn add_if_known(one: Option<u64>, other: Option<u64>) -> Option<u64> {
    match (one, other) {
        (Some(one), Some(other)) => Some(one + other),
        (one, other) => one.or(other),
    }
}

fn serialize_sum<S: Serializer>(counts: &BTreeMap<String, u64>, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_u64(counts.values().sum())
}
