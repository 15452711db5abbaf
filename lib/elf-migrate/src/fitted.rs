//! Payloads of GEDCOM 7.0 of which GEDCOM 5.5.1 can say a part: that stands in the structure, and the payload
//! itself in an extension beneath it, from which it comes back.

use crate::enumerations::RESTRICTION;
use crate::values::Kind;
use elf_validate::{Standard, Table};
use elf_values::language_name;

/// The part of a payload that GEDCOM 5.5.1 can say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Fit {
    Whole,
    Part(String),
    Nothing,
}

/// Fits a payload of GEDCOM 7.0 into GEDCOM 5.5.1: one restriction of a list, a time of day without its
/// zone, a language without its region.
pub(crate) fn fit(kind: Kind, payload: &str) -> Fit {
    if kind == Kind::List(&RESTRICTION) {
        let mut words = payload.split(',').map(str::trim).filter(|word| !word.is_empty());
        let is_alone = words.clone().count() < 2;
        let known = words.find_map(|word| RESTRICTION.word(word));
        return match known {
            Some(_) if is_alone => Fit::Whole,
            Some(word) => Fit::Part(word.to_owned()),
            None => Fit::Nothing,
        };
    }
    if kind == Kind::Language {
        let name = |tag: &str| language_name(tag).map(str::to_owned);
        let first = payload.split('-').next().unwrap_or_default();
        return match (name(payload), name(first)) {
            (Some(_), _) => Fit::Whole,
            (None, Some(name)) => Fit::Part(name),
            (None, None) => Fit::Nothing,
        };
    }
    match payload.strip_suffix('Z').filter(|_| kind == Kind::Time) {
        Some(time) => Fit::Part(kind.to_551(time, None).0),
        None => Fit::Whole,
    }
}

/// Tells whether a word is one of those that GEDCOM 5.5.1 lists for structures of a term; true where it has
/// no such list, or not the structure.
pub(crate) fn is_listed(term: &str, above: &str, word: &str) -> bool {
    let path: &[&str] = match term {
        "MEDI" => &["SOUR", "REPO", "CALN", "MEDI"],
        "PEDI" => &["INDI", "FAMC", "PEDI"],
        "FAMC-ADOP" => &["INDI", "ADOP", "FAMC", "ADOP"],
        "ord-STAT" if above == "SLGS" => &["FAM", "SLGS", "STAT"],
        "ord-STAT" => &["INDI", above, "STAT"],
        _ => return true,
    };
    let table = Table::of(Standard::Gedcom551);
    let mut tags = path.iter();
    let root = tags.next().and_then(|tag| table.root(tag)).and_then(|slot| table.kind(slot.kind));
    let kind = tags.try_fold(root, |kind, tag| Some(kind?.slot(tag).and_then(|slot| table.kind(slot.kind))));
    kind.flatten().is_none_or(|kind| kind.text.values.is_empty() || kind.text.values.contains(&word))
}

/// The tag of the extension that has the payload itself.
pub(crate) fn tag(kind: Kind) -> Option<&'static str> {
    match kind {
        Kind::Time => Some("_TIME"),
        Kind::Language => Some("_LANG"),
        Kind::List(of) => (*of == RESTRICTION).then_some("_RESN"),
        Kind::Date
        | Kind::Period
        | Kind::ExactDate
        | Kind::Age
        | Kind::Enumeration(_)
        | Kind::MediaType
        | Kind::FilePath
        | Kind::Happened
        | Kind::Count
        | Kind::Name
        | Kind::Coordinate(..) => None,
    }
}
