//! Payloads of the datatypes that the two standards write differently, both ways.
//!
//! What a payload of GEDCOM 7.0 cannot say stands in a PHRASE beside it. Coming back, a phrase that
//! would give the very payload it stands beside is what stood there once, and takes its place again.

use crate::enumerations::{self, Enumeration};
use crate::{ages, dates, files, languages, names};

/// A datatype for which the standards have two spellings.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Kind {
    Date,
    Period,
    ExactDate,
    Time,
    Age,
    Enumeration(&'static Enumeration),
    /// Values of an enumeration with commas between them.
    List(&'static Enumeration),
    Language,
    MediaType,
    FilePath,
    /// `Y`, or nothing.
    Happened,
    Count,
    /// A name of a person, with its surname between two slashes.
    Name,
    /// Letters and a decimal number of at most so many degrees, such as `N18.15`.
    Coordinate([char; 2], u16),
}

/// The events, which happened or of which more is said.
const EVENTS: &[&str] = &[
    "ADOP",
    "ANUL",
    "BAPM",
    "BARM",
    "BASM",
    "BIRT",
    "BLES",
    "BURI",
    "CHR",
    "CHRA",
    "CONF",
    "CREM",
    "DEAT",
    "DIV",
    "DIVF",
    "EMIG",
    "ENGA",
    "FAM-CENS",
    "FCOM",
    "GRAD",
    "IMMI",
    "INDI-CENS",
    "MARB",
    "MARC",
    "MARL",
    "MARR",
    "MARS",
    "NATU",
    "ORDN",
    "PROB",
    "RETI",
    "WILL",
];

/// A payload of GEDCOM 5.5.1 as GEDCOM 7.0 says it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Said {
    pub(crate) payload: String,
    /// The rest, which the payload cannot say.
    pub(crate) phrase: Option<String>,
    /// True if the phrase is the whole text, of which the payload says nothing.
    pub(crate) is_unread: bool,
}

/// The place of what a payload of GEDCOM 7.0 does not say of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Rest {
    /// A phrase beside it; none, where it says all.
    Phrase(Option<String>),
    /// The whole text as a phrase.
    Whole,
    /// An extension with the whole text.
    Kept,
}

impl Said {
    /// A payload that says all.
    pub(crate) fn plain(payload: impl Into<String>) -> Said {
        Said { payload: payload.into(), phrase: None, is_unread: false }
    }

    /// A payload beside which the phrase says the rest.
    pub(crate) fn with(payload: impl Into<String>, phrase: impl Into<String>) -> Said {
        Said { payload: payload.into(), phrase: Some(phrase.into()), is_unread: false }
    }

    /// A payload that says nothing of a text.
    pub(crate) fn unread(payload: impl Into<String>, text: impl Into<String>) -> Said {
        Said { is_unread: true, ..Said::with(payload, text) }
    }
}

impl Kind {
    pub(crate) const LATITUDE: Kind = Kind::Coordinate(['N', 'S'], 90);
    pub(crate) const LONGITUDE: Kind = Kind::Coordinate(['E', 'W'], 180);

    /// The datatype of a structure of GEDCOM 7.0, by its term and that of its superstructure.
    pub(crate) fn of(term: &str, above: &str) -> Option<Kind> {
        Some(match term {
            "DATE" | "SDATE" => Kind::Date,
            "DATA-EVEN-DATE" | "NO-DATE" => Kind::Period,
            "DATE-exact" | "HEAD-DATE" => Kind::ExactDate,
            "TIME" => Kind::Time,
            "AGE" => Kind::Age,
            "HEAD-LANG" | "LANG" | "SUBM-LANG" => Kind::Language,
            "FORM" | "MIME" => Kind::MediaType,
            "FILE" | "FILE-TRAN" => Kind::FilePath,
            "FAM-NCHI" | "INDI-NCHI" | "NMR" => Kind::Count,
            "INDI-NAME" | "NAME-TRAN" => Kind::Name,
            "LATI" => Kind::LATITUDE,
            "LONG" => Kind::LONGITUDE,
            "RESN" => Kind::List(&enumerations::RESTRICTION),
            "DATA-EVEN" => Kind::List(&enumerations::EVENT),
            _ if EVENTS.contains(&term) => Kind::Happened,
            _ => return enumerations::of(term, above).map(Kind::Enumeration),
        })
    }

    /// Says a payload as GEDCOM 7.0 does.
    pub(crate) fn to_7(self, text: &str) -> Said {
        match self {
            Kind::Date => dates::to_7(text),
            Kind::Period => dates::period_to_7(text),
            Kind::ExactDate => dates::exact_to_7(text),
            Kind::Time => dates::time_to_7(text),
            Kind::Age => ages::to_7(text),
            Kind::Enumeration(of) => of.to_7(text),
            Kind::List(of) => of.list_to_7(text),
            Kind::Language => languages::to_7(text),
            Kind::MediaType => files::media_type_to_7(text),
            Kind::FilePath => files::path_to_7(text),
            Kind::Name => Said::plain(names::slashed(text)),
            Kind::Happened if text == "Y" || text.is_empty() => Said::plain(text),
            Kind::Count if !text.is_empty() && text.bytes().all(|octet| octet.is_ascii_digit()) => {
                Said::plain(text)
            }
            Kind::Coordinate(letters, most) if is_coordinate(text, letters, most) => Said::plain(text),
            Kind::Happened | Kind::Count | Kind::Coordinate(..) => Said::unread("", text),
        }
    }

    /// Says a payload as GEDCOM 5.5.1 does, whatever phrase stands beside it.
    fn spelled(self, payload: &str) -> String {
        match self {
            Kind::Date | Kind::Period | Kind::ExactDate => dates::to_551(payload),
            Kind::Age => ages::to_551(payload),
            Kind::Enumeration(of) => of.to_551(payload),
            Kind::List(of) => of.list_to_551(payload),
            Kind::Language => languages::to_551(payload),
            Kind::MediaType => files::media_type_to_551(payload),
            Kind::FilePath => files::path_to_551(payload),
            Kind::Time => dates::time_to_551(payload),
            Kind::Happened | Kind::Count | Kind::Name | Kind::Coordinate(..) => payload.to_owned(),
        }
    }

    /// Says a payload and the phrase beside it as GEDCOM 5.5.1 does. The phrase is left over where
    /// there is no place for it in the payload.
    pub(crate) fn to_551<'p>(self, payload: &str, phrase: Option<&'p str>) -> (String, Option<&'p str>) {
        // What stood there once is a phrase that would be one again.
        self.joined(payload, phrase, |phrase| self.phrase_of(phrase).as_deref() == Some(phrase))
    }

    /// Returns the phrase that stands beside what GEDCOM 7.0 has for a payload, where one may.
    pub(crate) fn phrase_of(self, text: &str) -> Option<String> {
        let said = self.to_7(text);
        match self.rest(text, &said, true).0 {
            Rest::Phrase(phrase) => phrase,
            Rest::Whole => Some(text.to_owned()),
            Rest::Kept => None,
        }
    }

    /// Tells where the rest of a payload goes that GEDCOM 7.0 says so, and whether what is written comes back
    /// as it was.
    pub(crate) fn rest(self, text: &str, said: &Said, has_phrase: bool) -> (Rest, bool) {
        let comes_back = |phrase: Option<&str>| {
            let (back, left) = self.joined(&said.payload, phrase, |_| true);
            let is_same = text == said.payload || self.is_same(text, &back);
            (back == text && left.is_none(), is_same && left.is_none())
        };
        let phrase = said.phrase.clone().filter(|_| has_phrase);
        let (is_equal, is_same) = comes_back(phrase.as_deref());
        let is_lost = said.is_unread && phrase.is_none();
        let rest = if (is_equal || is_same) && !is_lost {
            Rest::Phrase(phrase)
        } else if has_phrase && (comes_back(Some(text)).1 || !self.has(text)) {
            Rest::Whole
        } else {
            Rest::Kept
        };
        (rest, is_equal)
    }

    /// Joins a payload and the phrase beside it. A phrase that gives the payload by itself takes its place,
    /// where `is_whole` says so.
    fn joined<'p>(
        self,
        payload: &str,
        phrase: Option<&'p str>,
        is_whole: impl FnOnce(&str) -> bool,
    ) -> (String, Option<&'p str>) {
        let spelled = self.spelled(payload);
        let Some(phrase) = phrase else { return (spelled, None) };
        let said = self.to_7(phrase);
        let gives = !said.is_unread && said.payload == payload && spelled != phrase && self.has(phrase);
        if gives && is_whole(phrase) {
            return (phrase.to_owned(), None);
        }
        let joined = match self {
            Kind::Date | Kind::Period => dates::with_phrase(&spelled, phrase),
            Kind::Age if payload.is_empty() => Some(phrase.to_owned()),
            Kind::Enumeration(of) => of.with_phrase(payload, phrase),
            _ => None,
        };
        match joined {
            Some(joined) => (joined, None),
            None => (spelled, Some(phrase)),
        }
    }

    /// Tells whether what is written of a payload means the same, whatever it is spelled like.
    pub(crate) fn keeps_meaning(self, payload: &str, back: &str) -> bool {
        match self {
            Kind::Age => payload.is_empty() == back.is_empty(),
            Kind::FilePath => files::is_same_address(payload, back),
            Kind::Date
            | Kind::Period
            | Kind::ExactDate
            | Kind::Time
            | Kind::Enumeration(_)
            | Kind::List(_)
            | Kind::Language
            | Kind::MediaType
            | Kind::Happened
            | Kind::Count
            | Kind::Name
            | Kind::Coordinate(..) => self.is_same(payload, back),
        }
    }

    /// Tells whether GEDCOM 5.5.1 has such a payload, so that it may be written.
    pub(crate) fn has(self, text: &str) -> bool {
        match self {
            Kind::Date | Kind::Period | Kind::ExactDate => {
                dates::is_date(text) && !dates::names_calendar(text)
            }
            Kind::Time
            | Kind::Age
            | Kind::Enumeration(_)
            | Kind::List(_)
            | Kind::Language
            | Kind::MediaType
            | Kind::FilePath
            | Kind::Happened
            | Kind::Count
            | Kind::Name
            | Kind::Coordinate(..) => true,
        }
    }

    /// Tells whether a payload is in the grammar of GEDCOM 5.5.1, whatever days it names.
    pub(crate) fn is_of_551(self, text: &str) -> bool {
        match self {
            Kind::Date | Kind::Period | Kind::ExactDate => dates::is_in_grammar(text),
            other => other != Kind::Age || ages::is_of_551(text),
        }
    }

    /// Tells whether two payloads differ in what has no significance alone.
    pub(crate) fn is_same(self, one: &str, other: &str) -> bool {
        match self {
            Kind::Date | Kind::Period | Kind::ExactDate => dates::is_same(one, other),
            Kind::Age | Kind::FilePath => self.to_7(one) == self.to_7(other),
            Kind::MediaType => files::is_same_media_type(one, other),
            Kind::List(_) => {
                let items = |text: &str| -> Vec<String> {
                    text.split(',').map(|item| item.trim().to_ascii_lowercase()).collect()
                };
                items(one) == items(other)
            }
            Kind::Time => dates::time_to_551(one.trim()) == dates::time_to_551(other),
            Kind::Enumeration(_)
            | Kind::Language
            | Kind::Happened
            | Kind::Count
            | Kind::Name
            | Kind::Coordinate(..) => one.trim().eq_ignore_ascii_case(other),
        }
    }
}

/// Tells whether it is one of the letters and a decimal number of at most so many degrees.
fn is_coordinate(text: &str, letters: [char; 2], most: u16) -> bool {
    let Some(number) = text.strip_prefix(letters) else { return false };
    let (whole, fraction) = number.split_once('.').unwrap_or((number, "0"));
    let is_number = |part: &str| !part.is_empty() && part.bytes().all(|octet| octet.is_ascii_digit());
    is_number(whole) && is_number(fraction) && whole.parse::<u16>().is_ok_and(|degrees| degrees <= most)
}
