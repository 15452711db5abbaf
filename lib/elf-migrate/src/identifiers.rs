//! Renames identifiers of records. GEDCOM 7.0 allows only upper-case letters, digits and underscores (MG15, MG16).

use elf_base::rules::XrefChars;
use elf_tagged::elf_lines::is_xref;
use indexmap::IndexMap;
use std::collections::{HashMap, HashSet};
use std::fmt;

/// The start of the identifiers that the migration generates.
pub(crate) const INLINE: &str = "INLINE_";

/// A generated identifier of a record. It is unique, because identifiers of the file that start the same are renamed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Made {
    pub(crate) letter: char,
    pub(crate) number: u64,
}

impl fmt::Display for Made {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{INLINE}{}{}", self.letter, self.number)
    }
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Identifiers {
    of_records: HashSet<Box<str>>,
    /// Identifiers of several records, with the number of records.
    repeated: IndexMap<Box<str>, u64>,
    /// Identifiers of structures within records.
    within: HashSet<Box<str>>,
    /// Identifiers that GEDCOM 7.0 does not allow, in document order.
    invalid: Vec<Box<str>>,
}

impl Identifiers {
    pub(crate) fn add(&mut self, xref: &str) {
        if !self.of_records.contains(xref) {
            self.of_records.insert(xref.into());
            if !is_valid(xref) {
                self.invalid.push(xref.into());
            }
        } else if let Some(bearers) = self.repeated.get_mut(xref) {
            *bearers += 1;
        } else {
            self.repeated.insert(xref.into(), 2);
        }
    }

    pub(crate) fn add_within(&mut self, xref: &str) {
        if !self.within.contains(xref) {
            self.within.insert(xref.into());
        }
    }

    /// Chooses new identifiers for those that GEDCOM 7.0 does not allow or that several records have.
    pub(crate) fn choose_new_names(self) -> Renamed {
        let mut renamed: HashMap<Box<str>, Box<str>> = HashMap::new();
        let mut repeated: HashMap<Box<str>, Vec<Box<str>>> = HashMap::new();
        let mut taken: HashSet<Box<str>> =
            self.of_records.iter().filter(|xref| is_valid(xref)).cloned().collect();
        let mut numbers: HashMap<String, u64> = HashMap::new();
        let mut fresh = |xref: &str| {
            let spelled =
                |one: char| if one.is_ascii_alphanumeric() { one.to_ascii_uppercase() } else { '_' };
            let mut base: String = xref.chars().map(spelled).collect();
            if !is_valid(&base) {
                base.insert_str(0, "X_");
            }
            let mut made: Box<str> = base.as_str().into();
            while !taken.insert(made.clone()) {
                let number = numbers.entry(base.clone()).or_insert(1);
                *number += 1;
                made = format!("{base}_{number}").into();
            }
            made
        };
        for xref in self.invalid.into_iter().filter(|xref| !self.repeated.contains_key(xref)) {
            let made = fresh(&xref);
            renamed.insert(xref, made);
        }
        for (xref, bearers) in self.repeated {
            let names = (0..bearers).map(|_| fresh(&xref)).collect();
            repeated.insert(xref, names);
        }
        Renamed { of_records: self.of_records, renamed, repeated, within: self.within }
    }
}

/// Returns whether GEDCOM 7.0 allows an identifier, and it cannot be a generated one.
fn is_valid(xref: &str) -> bool {
    is_xref(xref, XrefChars::Capitals) && !xref.starts_with(INLINE)
}

/// The identifiers of a file, with their new names in GEDCOM 7.0.
#[derive(Clone, Debug, Default)]
pub(crate) struct Renamed {
    of_records: HashSet<Box<str>>,
    renamed: HashMap<Box<str>, Box<str>>,
    /// The new names of identifiers that several records have, one for each record in document order.
    repeated: HashMap<Box<str>, Vec<Box<str>>>,
    within: HashSet<Box<str>>,
}

impl Renamed {
    pub(crate) fn is_of_record(&self, xref: &str) -> bool {
        self.of_records.contains(xref)
    }

    /// Returns whether several structures have the identifier, at least one of them a record. Pointers to it are
    /// ambiguous.
    pub(crate) fn is_ambiguous(&self, xref: &str) -> bool {
        self.repeated.contains_key(xref) || self.is_of_record(xref) && self.within.contains(xref)
    }

    /// Returns whether exactly one record has the identifier and keeps it.
    pub(crate) fn is_kept(&self, xref: &str) -> bool {
        self.is_of_record(xref)
            && !self.repeated.contains_key(xref)
            && !self.within.contains(xref)
            && !self.renamed.contains_key(xref)
    }

    /// Returns the new name of an identifier of one record; `None` if it stays.
    pub(crate) fn new_name(&self, xref: &str) -> Option<&str> {
        self.renamed.get(xref).map(|xref| &**xref)
    }

    /// Returns the new name for the next record with this identifier; `None` if it stays. `written` counts the earlier
    /// records.
    pub(crate) fn next_name(&self, xref: &str, written: &mut HashMap<Box<str>, usize>) -> Option<&str> {
        let Some(names) = self.repeated.get(xref) else { return self.new_name(xref) };
        let before = written.entry(xref.into()).or_default();
        let name = names.get(*before);
        *before += 1;
        name.map(|name| &**name)
    }
}
