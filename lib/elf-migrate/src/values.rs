//! Converts payloads that the standards spell differently, in both directions.
//!
//! The part of a payload that GEDCOM 7.0 cannot express goes to a `PHRASE` beside it. When converting back, a phrase
//! that converts to exactly the payload beside it is the original text, and replaces the payload.

use crate::converted::Converted7;
use crate::enumerations::{self, Enumeration};
use crate::{ages, dates, files, languages, names};
use elf_values::{Coordinate, Gedcom70, Respelling, is_canonical_date};
use std::borrow::Cow;

/// A kind of payload that the two standards spell differently.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum PayloadKind {
    Date,
    Period,
    ExactDate,
    Time,
    Age,
    Enumeration(&'static Enumeration),
    /// Values of an enumeration, separated by commas.
    List(&'static Enumeration),
    Language,
    /// The format of a file: a name in GEDCOM 5.5.1, a media type in GEDCOM 7.0.
    Format,
    /// The media type of a text.
    MediaType,
    FilePath,
    /// `Y`, or nothing.
    Happened,
    Count,
    /// A name of a person, with its surname between two slashes.
    Name,
    /// Degrees with a letter, such as `N18.15`.
    Latitude,
    Longitude,
}

/// The terms of events whose payload is `Y` or nothing.
const EVENTS: &[&str] = &[
    "ADOP", "ANUL", "BAPM", "BARM", "BASM", "BIRT", "BLES", "BURI", "CHR", "CHRA", "CONF", "CREM", "DEAT",
    "DIV", "DIVF", "EMIG", "ENGA", "FCOM", "GRAD", "IMMI", "MARB", "MARC", "MARL", "MARR", "MARS", "NATU",
    "ORDN", "PROB", "RETI", "WILL",
];

/// Where the part of a text goes that GEDCOM 7.0 cannot express.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Unexpressed {
    /// To a phrase; `None` if the payload expresses everything.
    Phrase(Option<String>),
    /// The whole text becomes a phrase.
    WholePhrase,
    /// The whole text goes to an extension.
    Extension,
}

/// Where the unexpressed part goes, and whether converting back returns the same payload.
pub(crate) struct Placement {
    pub(crate) unexpressed: Unexpressed,
    pub(crate) is_equal: bool,
}

/// A payload of GEDCOM 5.5.1, and the phrase that it cannot include.
pub(crate) struct Converted551<'p> {
    pub(crate) text: String,
    pub(crate) phrase: Option<&'p str>,
}

impl PayloadKind {
    pub(crate) const RESTRICTIONS: PayloadKind = PayloadKind::List(&enumerations::RESTRICTION);
    pub(crate) const ROLE_IN_EVENT: PayloadKind = PayloadKind::Enumeration(&enumerations::ROLE_IN_EVENT);

    /// Returns the payload kind of a structure of GEDCOM 7.0, by its term.
    pub(crate) fn of_term(term: &str) -> Option<PayloadKind> {
        Some(match term {
            "DATE" | "SDATE" => PayloadKind::Date,
            "DATA-EVEN-DATE" | "NO-DATE" => PayloadKind::Period,
            "DATE-exact" | "HEAD-DATE" => PayloadKind::ExactDate,
            "TIME" => PayloadKind::Time,
            "AGE" => PayloadKind::Age,
            "HEAD-LANG" | "LANG" | "SUBM-LANG" => PayloadKind::Language,
            "FORM" => PayloadKind::Format,
            "MIME" => PayloadKind::MediaType,
            "FILE" | "FILE-TRAN" => PayloadKind::FilePath,
            "FAM-NCHI" | "INDI-NCHI" | "NMR" => PayloadKind::Count,
            "INDI-NAME" | "NAME-TRAN" => PayloadKind::Name,
            "LATI" => PayloadKind::Latitude,
            "LONG" => PayloadKind::Longitude,
            "RESN" => PayloadKind::RESTRICTIONS,
            "DATA-EVEN" => PayloadKind::List(&enumerations::EVENT),
            "FAM-CENS" | "INDI-CENS" => PayloadKind::Happened,
            _ if EVENTS.contains(&term) => PayloadKind::Happened,
            _ => PayloadKind::Enumeration(enumerations::of_term(term)?),
        })
    }

    /// Fast check whether a payload is certainly spelled the same in both standards. It avoids parsing most dates of a
    /// file.
    pub(crate) fn is_same_in_both(self, text: &str) -> bool {
        let is_of_kind = match self {
            PayloadKind::Date => true,
            PayloadKind::Period => Gedcom70::Period.is_plain(text),
            PayloadKind::ExactDate => Gedcom70::Exact.is_plain(text),
            _ => false,
        };
        is_of_kind && is_canonical_date(text)
    }

    pub(crate) fn to_7(self, text: &str) -> Converted7<'_> {
        match self {
            PayloadKind::Date => dates::to_7(text),
            PayloadKind::Period => dates::period_to_7(text),
            PayloadKind::ExactDate => dates::exact_to_7(text),
            PayloadKind::Time => dates::time_to_7(text),
            PayloadKind::Age => ages::to_7(text),
            PayloadKind::Enumeration(of) => of.to_7(text),
            PayloadKind::List(of) => of.list_to_7(text),
            PayloadKind::Language => languages::to_7(text),
            PayloadKind::Format => files::format_to_7(text),
            PayloadKind::MediaType => files::media_type_to_7(text),
            PayloadKind::FilePath => files::path_to_7(text),
            PayloadKind::Name => Converted7::exact(names::name_to_7(text)),
            PayloadKind::Latitude => coordinate_to_7(text, Coordinate::respell_latitude),
            PayloadKind::Longitude => coordinate_to_7(text, Coordinate::respell_longitude),
            PayloadKind::Happened if text == "Y" || text.is_empty() => Converted7::exact(text),
            PayloadKind::Count if is_number(text) => Converted7::exact(text),
            PayloadKind::Happened | PayloadKind::Count => Converted7::unread("", text),
        }
    }

    fn payload_to_551(self, payload: &str) -> Cow<'_, str> {
        match self {
            PayloadKind::Date | PayloadKind::Period | PayloadKind::ExactDate => dates::to_551(payload).into(),
            PayloadKind::Age => ages::to_551(payload).into(),
            PayloadKind::Enumeration(of) => of.to_551(payload),
            PayloadKind::List(of) => of.list_to_551(payload).into(),
            PayloadKind::Language => languages::to_551(payload).into(),
            PayloadKind::Format => files::format_to_551(payload).into(),
            PayloadKind::FilePath => files::path_to_551(payload).into(),
            PayloadKind::Time => dates::time_to_551(payload).into(),
            PayloadKind::MediaType
            | PayloadKind::Happened
            | PayloadKind::Count
            | PayloadKind::Name
            | PayloadKind::Latitude
            | PayloadKind::Longitude => payload.into(),
        }
    }

    pub(crate) fn to_551<'p>(self, payload: &str, phrase: Option<&'p str>) -> Converted551<'p> {
        // The phrase is the original text only if converting it again returns the same phrase.
        self.join_phrase(payload, phrase, |phrase| self.phrase_of(phrase).as_deref() == Some(phrase))
    }

    /// Returns the phrase for a text of GEDCOM 5.5.1, if GEDCOM 7.0 allows a phrase.
    pub(crate) fn phrase_of(self, text: &str) -> Option<String> {
        match self.place_unexpressed(text, &self.to_7(text), true).unexpressed {
            Unexpressed::Phrase(phrase) => phrase,
            Unexpressed::WholePhrase => Some(text.to_owned()),
            Unexpressed::Extension => None,
        }
    }

    /// Decides where the part of `text` goes that `converted` does not express.
    pub(crate) fn place_unexpressed(
        self,
        text: &str,
        converted: &Converted7<'_>,
        allows_phrase: bool,
    ) -> Placement {
        let payload = &*converted.payload;
        let phrase = converted.phrase.as_deref().filter(|_| allows_phrase);
        let back = self.join_phrase(payload, phrase, |_| true);
        let is_complete = back.phrase.is_none();
        let is_equal = is_complete && back.text == text;
        let comes_back = |back: &Converted551<'_>| {
            back.phrase.is_none() && (text == payload || self.is_equivalent(text, &back.text))
        };
        let is_dropped = converted.is_unread && phrase.is_none();
        let unexpressed = if (is_equal || comes_back(&back)) && !is_dropped {
            Unexpressed::Phrase(phrase.map(str::to_owned))
        } else if allows_phrase
            && (comes_back(&self.join_phrase(payload, Some(text), |_| true)) || !self.is_writable(text))
        {
            Unexpressed::WholePhrase
        } else {
            Unexpressed::Extension
        };
        Placement { unexpressed, is_equal }
    }

    /// Joins a payload and its phrase. If the phrase converts to the payload and `is_original` agrees, it replaces the
    /// payload.
    fn join_phrase<'p>(
        self,
        payload: &str,
        phrase: Option<&'p str>,
        is_original: impl FnOnce(&str) -> bool,
    ) -> Converted551<'p> {
        let spelled = self.payload_to_551(payload);
        let Some(phrase) = phrase else { return Converted551 { text: spelled.into_owned(), phrase: None } };
        let gives_payload = || {
            let converted = self.to_7(phrase);
            !converted.is_unread && converted.payload == payload && self.is_writable(phrase)
        };
        if spelled != phrase && gives_payload() && is_original(phrase) {
            return Converted551 { text: phrase.to_owned(), phrase: None };
        }
        let joined = match self {
            PayloadKind::Date | PayloadKind::Period => dates::with_phrase(&spelled, phrase),
            PayloadKind::Age if payload.is_empty() => Some(phrase.to_owned()),
            PayloadKind::Enumeration(of) => of.with_phrase(payload, phrase),
            _ => None,
        };
        match joined {
            Some(text) => Converted551 { text, phrase: None },
            None => Converted551 { text: spelled.into_owned(), phrase: Some(phrase) },
        }
    }

    /// Returns whether two payloads of GEDCOM 7.0 mean the same, regardless of spelling.
    pub(crate) fn keeps_meaning(self, payload: &str, back: &str) -> bool {
        match self {
            PayloadKind::Age => payload.is_empty() == back.is_empty(),
            PayloadKind::FilePath => files::is_same_address(payload, back),
            PayloadKind::Latitude | PayloadKind::Longitude => self.to_7(payload).payload == back,
            _ => self.is_equivalent(payload, back),
        }
    }

    /// Returns whether GEDCOM 5.5.1 can express a payload. Only dates have a grammar that may forbid it.
    pub(crate) fn is_writable(self, text: &str) -> bool {
        !self.is_date() || dates::is_date(text) && !dates::names_calendar(text)
    }

    pub(crate) fn is_in_grammar_of_551(self, text: &str) -> bool {
        match self {
            PayloadKind::Age => ages::is_of_551(text),
            _ => !self.is_date() || dates::is_in_grammar(text),
        }
    }

    /// Returns whether two payloads differ only in spelling.
    fn is_equivalent(self, one: &str, other: &str) -> bool {
        match self {
            PayloadKind::Date | PayloadKind::Period | PayloadKind::ExactDate => {
                dates::is_equivalent(one, other)
            }
            PayloadKind::Age | PayloadKind::FilePath => self.to_7(one) == self.to_7(other),
            PayloadKind::Format => files::is_same_format(one, other),
            PayloadKind::List(_) => {
                let items = |text: &str| -> Vec<String> {
                    text.split(',').map(|item| item.trim().to_ascii_lowercase()).collect()
                };
                items(one) == items(other)
            }
            PayloadKind::Time => dates::time_to_551(one.trim()) == dates::time_to_551(other),
            _ => one.trim().eq_ignore_ascii_case(other),
        }
    }

    const fn is_date(self) -> bool {
        matches!(self, PayloadKind::Date | PayloadKind::Period | PayloadKind::ExactDate)
    }
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Converts degrees to GEDCOM 7.0. A sign, or none, becomes a letter (MG94).
fn coordinate_to_7(text: &str, respell: fn(&str) -> Option<Respelling>) -> Converted7<'_> {
    match respell(text) {
        Some(respelled) => Converted7::exact(respelled.text),
        None => Converted7::unread("", text),
    }
}
