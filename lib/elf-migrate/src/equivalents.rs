//! What GEDCOM 7.0 has for vendor tags, as the built-in dictionary says (MG125).
//!
//! A structure that is written in the form of GEDCOM 7.0 gets a mark under it with its tag, by which it comes back:
//!
//! ```text
//! 1 _MILT Militia          1 EVEN Militia
//!                          2 TYPE Military service
//!                          2 _VENDOR _MILT
//! ```

use elf_schema::vendors::{self, VendorTag};
use elf_schema::vocabulary::elf;
use std::borrow::Cow;

/// The tag of the mark under a structure that a vendor tag became. No other extension has its IRI.
pub(crate) const VENDOR: &str = "_VENDOR";

/// In the mark of a name that was under another name.
const UNDER_NAME: &str = "NAME/";

/// The structure of GEDCOM 7.0 that says the same as a vendor tag.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Equivalent {
    pub(crate) tag: &'static str,
    /// A substructure that says which kind it is.
    pub(crate) kind: Option<Kind>,
    pub(crate) payload: PayloadForm,
}

/// A substructure that says of which kind a structure is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Kind {
    pub(crate) tag: &'static str,
    pub(crate) text: Cow<'static, str>,
}

/// What the payload of a vendor tag becomes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PayloadForm {
    /// It stays.
    Same,
    /// It stays, and is `Y` or nothing.
    Happened,
    /// A name; a single word is a surname.
    MarriedName,
    /// `Y` becomes this word.
    Word(&'static str),
    /// A text becomes the phrase of a pointer to nothing.
    Phrase,
}

/// A payload in GEDCOM 7.0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum NewPayload {
    Same,
    Text(String),
    Phrase,
}

impl Equivalent {
    /// Returns what GEDCOM 7.0 has for a tag; `None` if it has nothing, or nothing at the same place.
    pub(crate) fn of(entry: VendorTag) -> Option<Equivalent> {
        use PayloadForm::{Happened, MarriedName, Phrase, Same, Word};
        let text = entry.gedcom_7()?;
        let (what, kind) = match text.split_once(" (") {
            Some((what, kind)) => (what, Some(kind.strip_suffix(')')?)),
            None => (text, None),
        };
        let made = |tag, payload| Some(Equivalent { tag, kind: None, payload });
        let of_type = |tag, payload| {
            let text = kind?.strip_prefix("TYPE ").filter(|text| *text != "of the label")?;
            // Types of names are words of GEDCOM 5.5.1 until their payload is converted.
            let text = if tag == "NAME" { text.to_ascii_lowercase().into() } else { Cow::Borrowed(text) };
            Some(Equivalent { tag, kind: Some(Kind { tag: "TYPE", text }), payload })
        };
        match what {
            "EVEN" | "FACT" | "IDNO" if kind.is_some() => of_type(what, Same),
            "MARR" if kind.is_some() => of_type("MARR", Happened),
            "NAME" if kind == Some("TYPE MARRIED") => of_type("NAME", MarriedName),
            "NAME" => of_type("NAME", Same),
            "ASSO" if entry.is_pointer() => match kind {
                Some(kind) => {
                    let text = kind.strip_prefix("ROLE ")?.into();
                    Some(Equivalent { tag: "ASSO", kind: Some(Kind { tag: "ROLE", text }), payload: Same })
                }
                None => made("ASSO", Same),
            },
            "ASSO" => {
                let text = kind?.strip_prefix("ROLE ")?.into();
                Some(Equivalent { tag: "ASSO", kind: Some(Kind { tag: "ROLE", text }), payload: Phrase })
            }
            "ASSO.PHRASE" => made("ASSO", Phrase),
            "NO MARR" if entry.tag() == "_NMR" => made("NO", Word("MARR")),
            "RESN" if entry.payload() == "boolean" => made("RESN", Word("privacy")),
            "DIV" | "MARR" => made(what, Happened),
            "AGNC" | "DSCR" | "NATI" | "NOTE" | "OCCU" | "TITL" | "WWW" => made(what, Same),
            "REFN" if entry.supertype() == Some(elf::USER_REFERENCE_NUMBER) => made("REFN", Same),
            _ => None,
        }
    }

    /// Returns what GEDCOM 7.0 has for a fact with a label, such as `_FA1` of Family Tree Maker.
    pub(crate) fn of_label(label: &str) -> Equivalent {
        let kind = Kind { tag: "TYPE", text: label.to_owned().into() };
        Equivalent { tag: "EVEN", kind: Some(kind), payload: PayloadForm::Same }
    }

    /// Returns what becomes of a text, or of no payload; `None` if the text means something else.
    pub(crate) fn payload_of(&self, text: Option<&str>) -> Option<NewPayload> {
        let is_yes = |text: &str| text.trim().eq_ignore_ascii_case("Y");
        match self.payload {
            PayloadForm::Same if self.tag == "EVEN" || text.is_some() => Some(NewPayload::Same),
            PayloadForm::Same => None,
            PayloadForm::Happened => text.is_none_or(|text| text == "Y").then_some(NewPayload::Same),
            PayloadForm::Word("MARR") if text.is_none() => Some(NewPayload::Text("MARR".to_owned())),
            PayloadForm::Word(word) => {
                text.filter(|text| is_yes(text)).map(|_| NewPayload::Text(word.to_owned()))
            }
            PayloadForm::MarriedName => match text? {
                text if text.matches('/').count() == 2 => Some(NewPayload::Same),
                text if text.contains(['/', ' ']) => None,
                surname => Some(NewPayload::Text(format!("/{surname}/"))),
            },
            PayloadForm::Phrase => text.map(|_| NewPayload::Phrase),
        }
    }
}

/// What a mark says about the structure that it stands under.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Mark {
    pub(crate) tag: String,
    /// The text of the structure, if GEDCOM 7.0 has another one.
    pub(crate) text: Option<String>,
    /// True for a name that was under another name.
    pub(crate) was_under_name: bool,
}

impl Mark {
    /// Writes the mark.
    pub(crate) fn spell(&self) -> String {
        let Mark { tag, text, was_under_name } = self;
        let place = if *was_under_name { UNDER_NAME } else { "" };
        match text {
            Some(text) => format!("{place}{tag} {text}"),
            None => format!("{place}{tag}"),
        }
    }

    /// Reads a mark; `None` if no vendor tag has it.
    pub(crate) fn read(text: &str) -> Option<Mark> {
        let (place, text) = match text.split_once(' ') {
            Some((place, text)) => (place, Some(text.to_owned())),
            None => (text, None),
        };
        let below_name = place.strip_prefix(UNDER_NAME);
        let tag = below_name.unwrap_or(place);
        vendors::tags_named(tag).next()?;
        Some(Mark { tag: tag.to_owned(), text, was_under_name: below_name.is_some() })
    }

    /// Returns the kinds that were added under the structure, as far as they follow from its tag.
    pub(crate) fn kinds(&self) -> impl Iterator<Item = Kind> {
        let equivalents = vendors::tags_named(&self.tag).filter_map(Equivalent::of);
        let kinds: Vec<Kind> = equivalents.filter_map(|one| one.kind).collect();
        kinds.into_iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn equivalents(tag: &str) -> Vec<Equivalent> {
        vendors::tags_named(tag).filter_map(Equivalent::of).collect()
    }

    #[test]
    fn equivalents_follow_from_the_dictionary() {
        let military = &equivalents("_MILT")[0];
        assert!(matches!(military.tag, "EVEN" | "FACT"));
        assert_eq!(military.kind.as_ref().map(|kind| &*kind.text), Some("Military service"));
        assert!(equivalents("_MARNM").iter().all(|one| one.payload == PayloadForm::MarriedName));
        assert!(equivalents("_SHAR").iter().all(|one| one.tag == "ASSO" && one.payload == PayloadForm::Same));
        // A label that only the file knows, and links to other records.
        for tag in ["_FA1", "_PHOTO", "_APID", "_DCAUSE"] {
            assert_eq!(equivalents(tag), [], "{tag}");
        }
    }

    #[test]
    fn payloads_that_mean_something_else_have_no_equivalent() {
        let one = |tag: &str| equivalents(tag).remove(0);
        assert_eq!(one("_MARNM").payload_of(Some("Ann /Lee/")), Some(NewPayload::Same));
        assert_eq!(one("_MARNM").payload_of(Some("Lee")), Some(NewPayload::Text("/Lee/".to_owned())));
        assert_eq!(one("_MARNM").payload_of(Some("Ann Lee")), None);
        assert_eq!(one("_PRIV").payload_of(Some("Y")), Some(NewPayload::Text("privacy".to_owned())));
        assert_eq!(one("_PRIV").payload_of(Some("N")), None);
        assert_eq!(one("_DIV").payload_of(Some("in 1900")), None);
        assert_eq!(one("_SHAN").payload_of(Some("Ann")), Some(NewPayload::Phrase));
    }

    #[test]
    fn marks_come_back() {
        for (tag, text, was_under_name) in [("_MILT", None, false), ("_MARNM", Some("Lee"), true)] {
            let mark = Mark { tag: tag.to_owned(), text: text.map(str::to_owned), was_under_name };
            assert_eq!(Mark::read(&mark.spell()), Some(mark));
        }
        assert_eq!(Mark::read("HEAD"), None);
    }
}
