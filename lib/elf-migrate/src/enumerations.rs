//! Enumerations: the words of GEDCOM 5.5.1, in small letters, and those of GEDCOM 7.0 (MG30 to MG36,
//! MG52 to MG58, MG112).

use crate::values::Said;

/// The values of a structure.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Enumeration {
    /// Each value of GEDCOM 7.0, and the word for it in GEDCOM 5.5.1.
    values: &'static [(&'static str, &'static str)],
    /// Other words of GEDCOM 5.5.1 for values.
    synonyms: &'static [(&'static str, &'static str)],
    unknown: Unknown,
    /// True if GEDCOM 5.5.1 has other words in parentheses.
    in_parentheses: bool,
}

/// The outcome for a word that is none of the values.
#[derive(Debug, PartialEq, Eq)]
enum Unknown {
    /// The value for all such words, which a phrase explains.
    Other(&'static str),
    /// The word itself, as a tag of an extension.
    Extension,
    /// This value, of which the word itself is kept.
    Unsaid(&'static str),
}

/// The enumeration of a structure, by its term and that of its superstructure.
pub(crate) fn of(term: &str, above: &str) -> Option<&'static Enumeration> {
    Some(match term {
        "MEDI" => &MEDIUM,
        "ROLE" if above == "SOUR-EVEN" => &ROLE_IN_EVENT,
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
    /// Says a word as GEDCOM 7.0 does.
    pub(crate) fn to_7(&self, text: &str) -> Said {
        let word = text.trim();
        if let Some(value) = self.value(word) {
            return Said::plain(value);
        }
        // A tag of an extension may be a value of any enumeration.
        if word.len() > 1 && word.starts_with('_') && extension(word) == text {
            return Said::plain(text);
        }
        let inner = word.strip_prefix('(').and_then(|word| word.strip_suffix(')'));
        match (&self.unknown, inner.filter(|_| self.in_parentheses)) {
            (Unknown::Other(other), Some(inner)) => Said::unread(*other, inner),
            (Unknown::Other(other), None) => Said::unread(*other, text),
            (Unknown::Extension, _) => Said::unread(extension(word), text),
            (Unknown::Unsaid(value), _) => Said::unread(*value, text),
        }
    }

    /// Says a value as GEDCOM 5.5.1 does.
    pub(crate) fn to_551(&self, value: &str) -> String {
        self.word(value).unwrap_or(value).to_owned()
    }

    /// The word for a value that a phrase explains.
    pub(crate) fn with_phrase(&self, value: &str, phrase: &str) -> Option<String> {
        let is_other = matches!(self.unknown, Unknown::Other(other) if other == value);
        match is_other {
            true if self.in_parentheses => Some(format!("({phrase})")),
            _ => {
                let is_extension = self.unknown == Unknown::Extension && value == extension(phrase.trim());
                (is_other || is_extension).then(|| phrase.to_owned())
            }
        }
    }

    /// Says words with commas between them as GEDCOM 7.0 does.
    pub(crate) fn list_to_7(&self, text: &str) -> Said {
        let items = text.split(',').map(str::trim).filter(|item| !item.is_empty());
        let values = items.map(|item| self.value(item).map_or_else(|| extension(item), str::to_owned));
        Said::plain(values.collect::<Vec<_>>().join(", "))
    }

    /// Says values with commas between them as GEDCOM 5.5.1 does.
    pub(crate) fn list_to_551(&self, payload: &str) -> String {
        payload.split(',').map(|item| self.to_551(item.trim())).collect::<Vec<_>>().join(", ")
    }

    /// The word of GEDCOM 5.5.1 for a value, where it has one.
    pub(crate) fn word(&self, value: &str) -> Option<&'static str> {
        self.values.iter().find(|(known, _)| *known == value).map(|(_, word)| *word)
    }

    fn value(&self, word: &str) -> Option<&'static str> {
        let known = self.values.iter().flat_map(|&(value, word)| [(value, value), (word, value)]);
        let mut all = known.chain(self.synonyms.iter().copied());
        all.find(|(spelled, _)| spelled.eq_ignore_ascii_case(word)).map(|(_, value)| value)
    }
}

/// A word as a tag of an extension, which any enumeration of GEDCOM 7.0 permits.
fn extension(word: &str) -> String {
    let upper =
        word.chars().map(|one| if one.is_ascii_alphanumeric() { one.to_ascii_uppercase() } else { '_' });
    let made: String = upper.collect();
    // A word may have no letter that a tag can have.
    let made = Some(made.trim_start_matches('_')).filter(|made| !made.is_empty());
    format!("_{}", made.unwrap_or("OTHER"))
}

/// An enumeration with a value for all that is none of them.
const fn open(values: &'static [(&'static str, &'static str)], other: &'static str) -> Enumeration {
    Enumeration { values, synonyms: &[], unknown: Unknown::Other(other), in_parentheses: false }
}

const fn closed(values: &'static [(&'static str, &'static str)]) -> Enumeration {
    Enumeration { values, synonyms: &[], unknown: Unknown::Extension, in_parentheses: false }
}

static MEDIUM: Enumeration = open(
    &[
        ("AUDIO", "audio"),
        ("BOOK", "book"),
        ("CARD", "card"),
        ("ELECTRONIC", "electronic"),
        ("FICHE", "fiche"),
        ("FILM", "film"),
        ("MAGAZINE", "magazine"),
        ("MANUSCRIPT", "manuscript"),
        ("MAP", "map"),
        ("NEWSPAPER", "newspaper"),
        ("OTHER", "other"),
        ("PHOTO", "photo"),
        ("TOMBSTONE", "tombstone"),
        ("VIDEO", "video"),
    ],
    "OTHER",
);

static ROLE: Enumeration = Enumeration {
    values: &[
        ("CHIL", "child"),
        ("CLERGY", "clergy"),
        ("FATH", "father"),
        ("FRIEND", "friend"),
        ("GODP", "godparent"),
        ("HUSB", "husband"),
        ("MOTH", "mother"),
        ("MULTIPLE", "multiple"),
        ("NGHBR", "neighbour"),
        ("OFFICIATOR", "officiator"),
        ("OTHER", "other"),
        ("PARENT", "parent"),
        ("SPOU", "spouse"),
        ("WIFE", "wife"),
        ("WITN", "witness"),
    ],
    synonyms: &[("neighbor", "NGHBR"), ("godfather", "GODP"), ("godmother", "GODP")],
    unknown: Unknown::Other("OTHER"),
    in_parentheses: false,
};

static ROLE_IN_EVENT: Enumeration = Enumeration {
    values: &[
        ("CHIL", "CHIL"),
        ("CLERGY", "CLERGY"),
        ("FATH", "FATH"),
        ("FRIEND", "FRIEND"),
        ("GODP", "GODP"),
        ("HUSB", "HUSB"),
        ("MOTH", "MOTH"),
        ("MULTIPLE", "MULTIPLE"),
        ("NGHBR", "NGHBR"),
        ("OFFICIATOR", "OFFICIATOR"),
        ("OTHER", "OTHER"),
        ("PARENT", "PARENT"),
        ("SPOU", "SPOU"),
        ("WIFE", "WIFE"),
        ("WITN", "WITN"),
    ],
    synonyms: &[],
    unknown: Unknown::Other("OTHER"),
    in_parentheses: true,
};

static NAME_TYPE: Enumeration = open(
    &[
        ("AKA", "aka"),
        ("BIRTH", "birth"),
        ("IMMIGRANT", "immigrant"),
        ("MAIDEN", "maiden"),
        ("MARRIED", "married"),
        ("OTHER", "other"),
        ("PROFESSIONAL", "professional"),
    ],
    "OTHER",
);

static PEDIGREE: Enumeration = open(
    &[
        ("ADOPTED", "adopted"),
        ("BIRTH", "birth"),
        ("FOSTER", "foster"),
        ("OTHER", "other"),
        ("SEALING", "sealing"),
    ],
    "OTHER",
);

static LINK_STATUS: Enumeration =
    closed(&[("CHALLENGED", "challenged"), ("DISPROVEN", "disproven"), ("PROVEN", "proven")]);

static ADOPTED_BY: Enumeration = closed(&[("HUSB", "HUSB"), ("WIFE", "WIFE"), ("BOTH", "BOTH")]);

static ORDINANCE_STATUS: Enumeration = closed(&[
    ("BIC", "BIC"),
    ("CANCELED", "CANCELED"),
    ("CHILD", "CHILD"),
    ("COMPLETED", "COMPLETED"),
    ("DNS", "DNS"),
    ("DNS_CAN", "DNS/CAN"),
    ("EXCLUDED", "EXCLUDED"),
    ("INFANT", "INFANT"),
    ("PRE_1970", "PRE-1970"),
    ("STILLBORN", "STILLBORN"),
    ("SUBMITTED", "SUBMITTED"),
    ("UNCLEARED", "UNCLEARED"),
]);

static SEX: Enumeration = Enumeration {
    values: &[("M", "M"), ("F", "F"), ("X", "X"), ("U", "U")],
    // Words of other languages start with other letters: `Mujer` is a woman.
    synonyms: &[("male", "M"), ("man", "M"), ("female", "F"), ("woman", "F"), ("unknown", "U")],
    unknown: Unknown::Unsaid("U"),
    in_parentheses: false,
};

static CERTAINTY: Enumeration = closed(&[("0", "0"), ("1", "1"), ("2", "2"), ("3", "3")]);

/// `RESN`
pub(crate) static RESTRICTION: Enumeration =
    closed(&[("CONFIDENTIAL", "confidential"), ("LOCKED", "locked"), ("PRIVACY", "privacy")]);

/// Events and attributes.
pub(crate) static EVENT: Enumeration = open(
    &[
        ("ADOP", "ADOP"),
        ("ANUL", "ANUL"),
        ("BAPM", "BAPM"),
        ("BARM", "BARM"),
        ("BASM", "BASM"),
        ("BIRT", "BIRT"),
        ("BLES", "BLES"),
        ("BURI", "BURI"),
        ("CAST", "CAST"),
        ("CENS", "CENS"),
        ("CHR", "CHR"),
        ("CHRA", "CHRA"),
        ("CONF", "CONF"),
        ("CREM", "CREM"),
        ("DEAT", "DEAT"),
        ("DIV", "DIV"),
        ("DIVF", "DIVF"),
        ("DSCR", "DSCR"),
        ("EDUC", "EDUC"),
        ("EMIG", "EMIG"),
        ("ENGA", "ENGA"),
        ("EVEN", "EVEN"),
        ("FACT", "FACT"),
        ("FCOM", "FCOM"),
        ("GRAD", "GRAD"),
        ("IDNO", "IDNO"),
        ("IMMI", "IMMI"),
        ("MARB", "MARB"),
        ("MARC", "MARC"),
        ("MARL", "MARL"),
        ("MARR", "MARR"),
        ("MARS", "MARS"),
        ("NATI", "NATI"),
        ("NATU", "NATU"),
        ("NCHI", "NCHI"),
        ("NMR", "NMR"),
        ("OCCU", "OCCU"),
        ("ORDN", "ORDN"),
        ("PROB", "PROB"),
        ("PROP", "PROP"),
        ("RELI", "RELI"),
        ("RESI", "RESI"),
        ("RETI", "RETI"),
        ("SSN", "SSN"),
        ("TITL", "TITL"),
        ("WILL", "WILL"),
    ],
    "EVEN",
);
