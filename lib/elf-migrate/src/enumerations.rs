//! Converts enumerations between the words of GEDCOM 5.5.1, mostly in lower case, and the values of GEDCOM 7.0 (MG30 to
//! MG36, MG52 to MG58, MG112).

use crate::converted::Converted7;
use std::borrow::Cow;

#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Enumeration {
    /// The values of GEDCOM 7.0, separated by spaces.
    values: &'static str,
    words: Words,
    /// Values whose word in GEDCOM 5.5.1 does not follow `words`.
    irregular: &'static [(&'static str, &'static str)],
    /// Other words of GEDCOM 5.5.1, with their values.
    synonyms: &'static [(&'static str, &'static str)],
    unknown: Unknown,
    /// True if GEDCOM 5.5.1 writes unlisted words in parentheses.
    is_in_parentheses: bool,
}

/// How GEDCOM 5.5.1 spells values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Words {
    /// The same as GEDCOM 7.0.
    Same,
    /// In lower case.
    Lowercase,
}

/// What an unlisted word is converted to.
#[derive(Debug, PartialEq, Eq)]
enum Unknown {
    /// This value, with the word as its phrase.
    Other(&'static str),
    /// An extension tag made from the word.
    ExtensionTag,
    /// This value. The word is lost unless another structure keeps it.
    Dropped(&'static str),
}

/// Returns the enumeration of a structure of GEDCOM 7.0, by its term.
pub(crate) fn of_term(term: &str) -> Option<&'static Enumeration> {
    Some(match term {
        "MEDI" => &MEDIUM,
        "ROLE" => &ROLE,
        "NAME-TYPE" => &NAME_TYPE,
        "PEDI" => &PEDIGREE,
        "FAMC-STAT" => &LINK_STATUS,
        "FAMC-ADOP" => &ADOPTED_BY,
        "ord-STAT" => &ORDINANCE_STATUS,
        "SEX" => &SEX,
        "SOUR-EVEN" => &EVENT,
        "QUAY" => &CERTAINTY,
        _ => return None,
    })
}

impl Enumeration {
    pub(crate) fn to_7<'t>(&self, text: &'t str) -> Converted7<'t> {
        let word = text.trim();
        if let Some(value) = self.value_of_word(word) {
            return Converted7::exact(value);
        }
        // Any enumeration of GEDCOM 7.0 may have an extension tag as its value.
        if word.len() > 1 && word.starts_with('_') && extension_tag(word) == text {
            return Converted7::exact(text);
        }
        let inner = word.strip_prefix('(').and_then(|word| word.strip_suffix(')'));
        match self.unknown {
            Unknown::Other(other) => {
                Converted7::unread(other, inner.filter(|_| self.is_in_parentheses).unwrap_or(text))
            }
            Unknown::ExtensionTag => Converted7::unread(extension_tag(word), text),
            Unknown::Dropped(value) => Converted7::unread(value, text),
        }
    }

    pub(crate) fn to_551<'v>(&self, value: &'v str) -> Cow<'v, str> {
        self.word_of_value(value).unwrap_or(Cow::Borrowed(value))
    }

    /// The word of GEDCOM 5.5.1 that has both the value and its phrase, if there is one.
    pub(crate) fn with_phrase(&self, value: &str, phrase: &str) -> Option<String> {
        let is_other = matches!(self.unknown, Unknown::Other(other) if other == value);
        if is_other && self.is_in_parentheses {
            return Some(format!("({phrase})"));
        }
        let is_extension = self.unknown == Unknown::ExtensionTag && value == extension_tag(phrase.trim());
        (is_other || is_extension).then(|| phrase.to_owned())
    }

    /// Converts words separated by commas to GEDCOM 7.0.
    pub(crate) fn list_to_7(&self, text: &str) -> Converted7<'static> {
        let items = text.split(',').map(str::trim).filter(|item| !item.is_empty());
        let values =
            items.map(|item| self.value_of_word(item).map_or_else(|| extension_tag(item), str::to_owned));
        Converted7::exact(values.collect::<Vec<_>>().join(", "))
    }

    /// Converts values separated by commas to GEDCOM 5.5.1.
    pub(crate) fn list_to_551(&self, payload: &str) -> String {
        payload.split(',').map(|item| self.to_551(item.trim())).collect::<Vec<_>>().join(", ")
    }

    /// The word of GEDCOM 5.5.1 for a value; `None` for extension tags.
    pub(crate) fn word_of_value<'v>(&self, value: &'v str) -> Option<Cow<'v, str>> {
        if let Some((_, word)) = self.irregular.iter().find(|(known, _)| *known == value) {
            return Some((*word).into());
        }
        self.values().any(|known| known == value).then(|| match self.words {
            Words::Same => value.into(),
            Words::Lowercase => value.to_ascii_lowercase().into(),
        })
    }

    /// The value of a word of either standard, in any letters.
    fn value_of_word(&self, word: &str) -> Option<&'static str> {
        let words = self.irregular.iter().map(|(value, word)| (word, value));
        let mut words = words.chain(self.synonyms.iter().map(|(word, value)| (word, value)));
        let is_it = |spelled: &str| spelled.eq_ignore_ascii_case(word);
        let value = self.values().find(|value| is_it(value));
        value.or_else(|| words.find(|(spelled, _)| is_it(spelled)).map(|(_, value)| *value))
    }

    fn values(&self) -> impl Iterator<Item = &'static str> {
        self.values.split(' ')
    }
}

/// Makes an extension tag from a word.
fn extension_tag(word: &str) -> String {
    let upper =
        word.chars().map(|one| if one.is_ascii_alphanumeric() { one.to_ascii_uppercase() } else { '_' });
    let made: String = upper.collect();
    // The word may have no letter that a tag can have.
    let made = Some(made.trim_start_matches('_')).filter(|made| !made.is_empty());
    format!("_{}", made.unwrap_or("OTHER"))
}

/// Creates an enumeration that has a value for all unlisted words.
const fn new_open(values: &'static str, words: Words, other: &'static str) -> Enumeration {
    let unknown = Unknown::Other(other);
    Enumeration { values, words, irregular: &[], synonyms: &[], unknown, is_in_parentheses: false }
}

/// Creates an enumeration whose unlisted words become extension tags.
const fn new_closed(values: &'static str, words: Words) -> Enumeration {
    let unknown = Unknown::ExtensionTag;
    Enumeration { values, words, irregular: &[], synonyms: &[], unknown, is_in_parentheses: false }
}

static MEDIUM: Enumeration = new_open(
    "AUDIO BOOK CARD ELECTRONIC FICHE FILM MAGAZINE MANUSCRIPT MAP NEWSPAPER OTHER PHOTO \
     TOMBSTONE VIDEO",
    Words::Lowercase,
    "OTHER",
);

const ROLES: &str = "CHIL CLERGY FATH FRIEND GODP HUSB MOTH MULTIPLE NGHBR OFFICIATOR OTHER PARENT SPOU WIFE \
     WITN";

/// `ROLE` under `ASSO`.
static ROLE: Enumeration = Enumeration {
    irregular: &[
        ("CHIL", "child"),
        ("FATH", "father"),
        ("GODP", "godparent"),
        ("HUSB", "husband"),
        ("MOTH", "mother"),
        ("NGHBR", "neighbour"),
        ("SPOU", "spouse"),
        ("WITN", "witness"),
    ],
    synonyms: &[("neighbor", "NGHBR"), ("godfather", "GODP"), ("godmother", "GODP")],
    ..new_open(ROLES, Words::Lowercase, "OTHER")
};

/// `ROLE` under the `EVEN` of a source.
pub(crate) static ROLE_IN_EVENT: Enumeration =
    Enumeration { is_in_parentheses: true, ..new_open(ROLES, Words::Same, "OTHER") };

static NAME_TYPE: Enumeration =
    new_open("AKA BIRTH IMMIGRANT MAIDEN MARRIED OTHER PROFESSIONAL", Words::Lowercase, "OTHER");

static PEDIGREE: Enumeration = new_open("ADOPTED BIRTH FOSTER OTHER SEALING", Words::Lowercase, "OTHER");

static LINK_STATUS: Enumeration = new_closed("CHALLENGED DISPROVEN PROVEN", Words::Lowercase);

static ADOPTED_BY: Enumeration = new_closed("HUSB WIFE BOTH", Words::Same);

static ORDINANCE_STATUS: Enumeration = Enumeration {
    irregular: &[("DNS_CAN", "DNS/CAN"), ("PRE_1970", "PRE-1970")],
    ..new_closed(
        "BIC CANCELED CHILD COMPLETED DNS DNS_CAN EXCLUDED INFANT PRE_1970 STILLBORN SUBMITTED \
     UNCLEARED",
        Words::Same,
    )
};

static SEX: Enumeration = Enumeration {
    // Only whole words are listed: the first letter is not enough, because Spanish `Mujer`, for example, is a woman.
    synonyms: &[("male", "M"), ("man", "M"), ("female", "F"), ("woman", "F"), ("unknown", "U")],
    unknown: Unknown::Dropped("U"),
    ..new_closed("M F X U", Words::Same)
};

static CERTAINTY: Enumeration = new_closed("0 1 2 3", Words::Same);

pub(crate) static RESTRICTION: Enumeration = new_closed("CONFIDENTIAL LOCKED PRIVACY", Words::Lowercase);

pub(crate) static EVENT: Enumeration = new_open(
    "ADOP ANUL BAPM BARM BASM BIRT BLES BURI CAST CENS CHR CHRA CONF CREM DEAT DIV DIVF DSCR \
     EDUC EMIG ENGA EVEN FACT FCOM GRAD IDNO IMMI MARB MARC MARL MARR MARS NATI NATU NCHI NMR \
     OCCU ORDN PROB PROP RELI RESI RETI SSN TITL WILL",
    Words::Same,
    "EVEN",
);
