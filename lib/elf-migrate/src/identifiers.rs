//! Identifiers: those of records, which GEDCOM 7.0 has in capitals (MG15, MG16), and numbers that
//! records bear (MG40 to MG47).

use elf_base::rules::XrefChars;
use elf_tagged::elf_lines::is_xref;
use indexmap::IndexMap;
use std::collections::{HashMap, HashSet};
use std::fmt;

/// The start of the identifiers of records that stood within others once.
pub(crate) const INLINE: &str = "INLINE_";

/// The identifier of a record that is made of what stood within another one: no record that was read
/// is called so once it has the name that GEDCOM 7.0 has for it.
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

/// The identifiers of the records of a file.
#[derive(Clone, Debug, Default)]
pub(crate) struct Identifiers {
    borne: HashSet<Box<str>>,
    /// The identifiers that several records bear, with the number of these.
    repeated: IndexMap<Box<str>, u64>,
    /// The identifiers that structures within records bear.
    within: HashSet<Box<str>>,
    /// The ones that GEDCOM 7.0 does not have, in the order in which they are met.
    unfit: Vec<Box<str>>,
}

impl Identifiers {
    /// Takes note of an identifier that a record bears.
    pub(crate) fn meet(&mut self, xref: &str) {
        if !self.borne.contains(xref) {
            self.borne.insert(xref.into());
            if !is_fit(xref) {
                self.unfit.push(xref.into());
            }
        } else if let Some(bearers) = self.repeated.get_mut(xref) {
            *bearers += 1;
        } else {
            self.repeated.insert(xref.into(), 2);
        }
    }

    /// Takes note of an identifier that a structure within a record bears.
    pub(crate) fn meet_within(&mut self, xref: &str) {
        if !self.within.contains(xref) {
            self.within.insert(xref.into());
        }
    }

    /// Gives each identifier that GEDCOM 7.0 does not have another one.
    pub(crate) fn settle(self) -> Renamed {
        let mut renamed: HashMap<Box<str>, Box<str>> = HashMap::new();
        let mut repeated: HashMap<Box<str>, Vec<Box<str>>> = HashMap::new();
        let mut taken: HashSet<Box<str>> = self.borne.iter().filter(|xref| is_fit(xref)).cloned().collect();
        let mut numbers: HashMap<String, u64> = HashMap::new();
        let mut fresh = |xref: &str| {
            let spelled =
                |one: char| if one.is_ascii_alphanumeric() { one.to_ascii_uppercase() } else { '_' };
            let mut base: String = xref.chars().map(spelled).collect();
            if !is_fit(&base) {
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
        for xref in self.unfit.into_iter().filter(|xref| !self.repeated.contains_key(xref)) {
            let made = fresh(&xref);
            renamed.insert(xref, made);
        }
        for (xref, bearers) in self.repeated {
            let names = (0..bearers).map(|_| fresh(&xref)).collect();
            repeated.insert(xref, names);
        }
        Renamed { borne: self.borne, renamed, repeated, within: self.within }
    }
}

/// Tells whether it is an identifier of GEDCOM 7.0, and none that is made here.
fn is_fit(xref: &str) -> bool {
    is_xref(xref, XrefChars::Capitals) && !xref.starts_with(INLINE)
}

/// The identifiers of a file, with the names that GEDCOM 7.0 has for them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Renamed {
    borne: HashSet<Box<str>>,
    renamed: HashMap<Box<str>, Box<str>>,
    /// The other names of those that several records bear, in their order.
    repeated: HashMap<Box<str>, Vec<Box<str>>>,
    within: HashSet<Box<str>>,
}

impl Renamed {
    /// Returns whether a record bears the identifier.
    pub(crate) fn is_borne(&self, xref: &str) -> bool {
        self.borne.contains(xref)
    }

    /// Returns whether several structures bear the identifier, a record among them, so that no pointer says
    /// which is meant.
    pub(crate) fn is_ambiguous(&self, xref: &str) -> bool {
        self.repeated.contains_key(xref) || self.is_borne(xref) && self.within.contains(xref)
    }

    /// The other name of an identifier that GEDCOM 7.0 does not have, and that one record bears.
    pub(crate) fn new_name(&self, xref: &str) -> Option<&str> {
        self.renamed.get(xref).map(|xref| &**xref)
    }

    /// The other name of the next record that bears an identifier, where it needs one; `met` counts
    /// the ones before it.
    pub(crate) fn next_name(&self, xref: &str, met: &mut HashMap<Box<str>, usize>) -> Option<&str> {
        let Some(names) = self.repeated.get(xref) else { return self.new_name(xref) };
        let before = met.entry(xref.into()).or_default();
        let name = names.get(*before);
        *before += 1;
        name.map(|name| &**name)
    }
}

/// The type of external identifiers that are numbers of the Ancestral File.
const ANCESTRAL_FILE: &str = "https://gedcom.io/terms/v7/AFN";

/// The type of those that are numbers in a file of permanent records, behind which the file may stand.
const RECORD_FILE: &str = "https://gedcom.io/terms/v7/RFN";

/// The type of those that a program gave to records, behind which the program may stand.
const RECORD_ID: &str = "https://gedcom.io/terms/v7/RIN";

/// The type of identifiers of persons in the tree of `FamilySearch`.
const FAMILY_SEARCH: &str = "https://gedcom.io/exid-type/FamilySearch-PersonId";

/// An identifier that GEDCOM 5.5.1 or a program has, as GEDCOM 7.0 says it: its text and its type.
pub(crate) fn external(tag: &str, text: &str, system: Option<&str>) -> Option<(String, String)> {
    let (text, of) = match tag {
        "AFN" => (text, ANCESTRAL_FILE.to_owned()),
        "RFN" => match text.split_once(':') {
            Some((file, number)) if is_plain(file) && !number.is_empty() => {
                (number, format!("{RECORD_FILE}#{file}"))
            }
            _ => (text, RECORD_FILE.to_owned()),
        },
        "RIN" => match system.filter(|system| is_plain(system)) {
            Some(system) => (text, format!("{RECORD_ID}#{system}")),
            None => (text, RECORD_ID.to_owned()),
        },
        "_FSFTID" | "_FID" | "FSFTID" => (text, FAMILY_SEARCH.to_owned()),
        _ => return None,
    };
    Some((text.to_owned(), of))
}

/// The tag and the text that GEDCOM 5.5.1 has for an external identifier of a type.
pub(crate) fn internal(text: &str, of: &str) -> Option<(&'static str, String)> {
    let behind = |start: &str| match of.strip_prefix(start)? {
        "" => Some(""),
        rest => rest.strip_prefix('#'),
    };
    if of == ANCESTRAL_FILE {
        return Some(("AFN", text.to_owned()));
    }
    if of == FAMILY_SEARCH {
        return Some(("_FSFTID", text.to_owned()));
    }
    if let Some(file) = behind(RECORD_FILE) {
        return Some(("RFN", if file.is_empty() { text.to_owned() } else { format!("{file}:{text}") }));
    }
    behind(RECORD_ID).map(|_| ("RIN", text.to_owned()))
}

/// The tag of a number that a record has once in GEDCOM 5.5.1, or that a program gave it.
pub(crate) fn number(tag: &str) -> Option<&'static str> {
    ["AFN", "RFN", "RIN", "_FSFTID"].into_iter().find(|one| *one == tag)
}

/// Tells whether a text can stand in an address as it is.
fn is_plain(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|octet| octet.is_ascii_alphanumeric() || b"-._~".contains(&octet))
}

/// The octets of an identifier that is meant to be unique everywhere.
const UNIQUE: usize = 16;

/// An identifier of `_UID` as GEDCOM 7.0 says it: the form of PAF, whose last four digits are a
/// checksum, in capitals; one with hyphens in small letters. `None` for any other text.
pub(crate) fn unique_to_7(text: &str) -> Option<String> {
    if is_hyphenated(text) {
        return text.bytes().all(|octet| !octet.is_ascii_uppercase()).then(|| text.to_owned());
    }
    let digits = text.get(..2 * UNIQUE)?;
    (checked(digits).as_deref() == Some(text)).then(|| {
        let part = |from: usize, to: usize| digits.get(from..to).unwrap_or_default();
        [part(0, 8), part(8, 12), part(12, 16), part(16, 20), part(20, 32)].join("-")
    })
}

/// An identifier of GEDCOM 7.0 as `_UID` has it.
pub(crate) fn unique_to_551(payload: &str) -> String {
    let has_capitals = payload.bytes().all(|octet| !octet.is_ascii_lowercase());
    let digits = payload.replace('-', "");
    let checked = checked(&digits).filter(|_| has_capitals && is_hyphenated(payload));
    checked.unwrap_or_else(|| payload.to_owned())
}

fn is_hyphenated(text: &str) -> bool {
    text.len() == 36
        && text.bytes().enumerate().all(|(at, octet)| match at {
            8 | 13 | 18 | 23 => octet == b'-',
            _ => octet.is_ascii_hexdigit(),
        })
}

/// Sixteen octets in digits, with the checksum of PAF behind them.
fn checked(digits: &str) -> Option<String> {
    let is_capital = |octet: u8| octet.is_ascii_digit() || (b'A'..=b'F').contains(&octet);
    if digits.len() != 2 * UNIQUE || !digits.bytes().all(is_capital) {
        return None;
    }
    let (mut sum, mut sums) = (0_u8, 0_u8);
    for at in 0..UNIQUE {
        let octet = u8::from_str_radix(digits.get(2 * at..2 * at + 2)?, 16).ok()?;
        sum = sum.wrapping_add(octet);
        sums = sums.wrapping_add(sum);
    }
    Some(format!("{digits}{sum:02X}{sums:02X}"))
}
