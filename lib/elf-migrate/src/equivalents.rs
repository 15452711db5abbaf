//! What GEDCOM 7.0 has for vendor tags, as the built-in dictionary says (MG125).
//!
//! A structure that is written in the form of GEDCOM 7.0 gets a mark under it with its tag, by which it comes back:
//!
//! ```text
//! 1 _MILT Militia          1 EVEN Militia
//!                          2 TYPE Military service
//!                          2 _VENDOR _MILT
//! ```

use crate::names;
use crate::numbers;
use elf_schema::vendors::{self, VendorTag};
use elf_schema::vocabulary::elf;
use std::borrow::Cow;

/// The tag of the mark under a structure that a vendor tag became. No other extension has its IRI.
pub(crate) const VENDOR: &str = "_VENDOR";

/// In the mark of a name that was under another name.
const UNDER_NAME: &str = "NAME/";

/// Between the kind that a vendor tag means and the `TYPE` under it.
const AND_OWN: &str = ": ";

/// The structure of GEDCOM 7.0 that says the same as a vendor tag.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Equivalent {
    pub(crate) tag: &'static str,
    /// A substructure that says which kind it is.
    pub(crate) kind: Option<Kind>,
    pub(crate) payload: PayloadForm,
    /// True if only a `TYPE` under the structure says what it is.
    is_named_by_type: bool,
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
    /// There is none.
    Empty,
    /// A name.
    Name,
    /// A name; a single word is a surname.
    MarriedName,
    /// A unique identifier.
    UniqueId,
    /// This word, if the payload is one of these words; without words, if there is no payload or it is `Y`.
    Word { of: &'static [&'static str], word: &'static str },
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

/// The payload of a structure with a vendor tag.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum VendorPayload<'t> {
    None,
    Text(Cow<'t, str>),
    Pointer,
}

/// A structure with a vendor tag, as far as its form in GEDCOM 7.0 depends on it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct VendorStructure<'t> {
    pub(crate) payload: VendorPayload<'t>,
    /// Its own substructure of the kind that GEDCOM 7.0 requires, such as a `TYPE`.
    pub(crate) own_kind: Option<Cow<'t, str>>,
}

/// What a structure with a vendor tag becomes in GEDCOM 7.0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct NewForm {
    pub(crate) payload: NewPayload,
    pub(crate) kind: Option<NewKind>,
}

/// A substructure of GEDCOM 7.0 that says of which kind a structure is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct NewKind {
    pub(crate) tag: &'static str,
    pub(crate) text: String,
    pub(crate) phrase: Option<String>,
}

/// A structure in a file of GEDCOM 7.0 that may have been made from one with a vendor tag.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct FoundForm {
    pub(crate) tag: String,
    pub(crate) payload: FoundPayload,
    /// Its substructures with the tags `TYPE` and `ROLE`.
    pub(crate) kinds: Vec<FoundKind>,
    /// The texts of its phrases.
    pub(crate) phrases: Vec<String>,
    /// The tags of all its substructures.
    pub(crate) tags: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum FoundPayload {
    None,
    Text(String),
    Pointer,
    Void,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct FoundKind {
    pub(crate) tag: String,
    pub(crate) text: String,
    pub(crate) phrases: Vec<String>,
}

impl Equivalent {
    /// Returns what GEDCOM 7.0 has for a tag; `None` if it has nothing, or nothing at the same place.
    pub(crate) fn of(entry: VendorTag) -> Option<Equivalent> {
        use PayloadForm::{Empty, Happened, MarriedName, Name, Phrase, Same, UniqueId};
        const IF_YES: &[&str] = &["Y"];
        const IF_NOT_MARRIED: &[&str] = &["NOT MARRIED", "NEVER MARRIED"];
        let text = entry.gedcom_7()?;
        let (what, kind) = match text.split_once(" (") {
            Some((what, kind)) => (what, Some(kind.strip_suffix(')')?)),
            None => (text, None),
        };
        let made = |tag, payload| Some(Equivalent { tag, kind: None, payload, is_named_by_type: false });
        let word = |tag, of, word| made(tag, PayloadForm::Word { of, word });
        let of_kind =
            |tag, kind, payload| Some(Equivalent { tag, kind: Some(kind), payload, is_named_by_type: false });
        let of_type = |tag, payload| {
            let text = kind?.strip_prefix("TYPE ").filter(|text| *text != "of the label")?;
            // Types of names are words of GEDCOM 5.5.1 until their payload is converted.
            let text = if tag == "NAME" { text.to_ascii_lowercase().into() } else { Cow::Borrowed(text) };
            of_kind(tag, Kind { tag: "TYPE", text }, payload)
        };
        let of_role = |payload| {
            let text = kind?.strip_prefix("ROLE ")?.into();
            of_kind("ASSO", Kind { tag: "ROLE", text }, payload)
        };
        let is_of_family = entry.place() == "FAM";
        match what {
            "EVEN" | "FACT" | "IDNO" if kind.is_some() => of_type(what, Same),
            "FACT" => made("FACT", Same).map(|fact| Equivalent { is_named_by_type: true, ..fact }),
            "MARR" if kind.is_some() => of_type("MARR", Happened),
            "NAME" if kind == Some("TYPE MARRIED") => of_type("NAME", MarriedName),
            "NAME" => of_type("NAME", Name),
            "ASSO" if entry.is_pointer() && kind.is_none() => made("ASSO", Same),
            "ASSO" => of_role(if entry.is_pointer() { Same } else { Phrase }),
            "ASSO.PHRASE" => made("ASSO", Phrase),
            "NO MARR" if is_of_family && entry.payload().starts_with("enum:") => {
                word("NO", IF_NOT_MARRIED, "MARR")
            }
            // `_MARR N`.
            "NO MARR" if is_of_family && entry.payload() == "boolean" => word("NO", &["N"], "MARR"),
            "NO MARR" if is_of_family => word("NO", &[], "MARR"),
            "NCHI 0" => word("NCHI", &[], "0"),
            "DEAT Y" => word("DEAT", IF_YES, "Y"),
            "RESN" if entry.payload() == "boolean" && entry.tag().starts_with("_PRIV") => {
                word("RESN", IF_YES, "privacy")
            }
            "CREA" => made("CREA", Empty),
            "UID" => made("UID", UniqueId),
            "DIV" | "MARR" => made(what, Happened),
            "AGNC" | "DSCR" | "NATI" | "NOTE" | "OCCU" | "TITL" | "WWW" => made(what, Same),
            "REFN" if entry.supertype() == Some(elf::USER_REFERENCE_NUMBER) => made("REFN", Same),
            _ => made(tag_at_same_place(entry, what)?, Same),
        }
    }

    /// Returns what GEDCOM 7.0 has for a fact with a label, such as `_FA1` of Family Tree Maker.
    pub(crate) fn of_label(label: &str) -> Equivalent {
        let kind = Kind { tag: "TYPE", text: label.to_owned().into() };
        Equivalent { tag: "EVEN", kind: Some(kind), payload: PayloadForm::Same, is_named_by_type: false }
    }

    /// Returns what GEDCOM 7.0 has for `_EMAIL` (MG48). GEDCOM 5.5.1 has EMAIL in some of the places, too.
    pub(crate) const fn of_email() -> Equivalent {
        Equivalent { tag: "EMAIL", kind: None, payload: PayloadForm::Same, is_named_by_type: false }
    }

    /// Returns the tag of the substructure that says which kind it is.
    pub(crate) fn kind_tag(&self) -> Option<&'static str> {
        self.kind.as_ref().map(|kind| kind.tag).or(self.is_named_by_type.then_some("TYPE"))
    }

    /// Returns the tags that must not be beside the structure, because it would contradict or repeat them.
    pub(crate) fn excluded_tags(&self) -> &'static [&'static str] {
        match (self.tag, self.payload) {
            ("NO", PayloadForm::Word { .. }) => &["MARR"],
            ("NCHI", PayloadForm::Word { .. }) => &["NCHI", "_NCHI", "CHIL"],
            ("DEAT", PayloadForm::Word { .. }) => &["DEAT"],
            _ => &[],
        }
    }

    /// Returns whether a structure can have a substructure with this tag and come back: GEDCOM 5.5.1 has none under
    /// `NCHI`, and the date of `NO` is a period.
    pub(crate) fn keeps_substructure(&self, tag: &str) -> bool {
        match self.tag {
            "NCHI" => false,
            "NO" => tag != "DATE",
            _ => true,
        }
    }

    /// Returns what becomes of a structure with the vendor tag; `None` if it means something else.
    pub(crate) fn form_of(&self, structure: &VendorStructure<'_>) -> Option<NewForm> {
        let payload = match &structure.payload {
            VendorPayload::Pointer => NewPayload::Same,
            VendorPayload::Text(text) => self.payload_of(Some(text))?,
            VendorPayload::None => self.payload_of(None)?,
        };
        let own = structure.own_kind.as_deref();
        if self.is_named_by_type && own.is_none() {
            return None;
        }
        let kind = self.kind.as_ref().map(|kind| {
            let Kind { tag, text } = kind;
            let (text, phrase) = match own {
                Some(own) if self.has_listed_kinds() => (text.to_string(), Some(own.to_owned())),
                Some(own) => (format!("{text}{AND_OWN}{own}"), None),
                None => (text.to_string(), None),
            };
            NewKind { tag, text, phrase }
        });
        Some(NewForm { payload, kind })
    }

    /// Returns the structure with the vendor tag that became a structure of GEDCOM 7.0; `None` if none becomes that.
    /// `text` is the payload that the mark keeps.
    pub(crate) fn vendor_structure_of<'f>(
        &self,
        found: &'f FoundForm,
        text: Option<&'f str>,
    ) -> Option<VendorStructure<'f>> {
        let payload = match (text, self.payload, &found.payload) {
            (Some(text), ..) => VendorPayload::Text(text.into()),
            (None, PayloadForm::Phrase, FoundPayload::Void) => {
                VendorPayload::Text(found.phrases.first()?.into())
            }
            (None, PayloadForm::Word { .. }, _) | (None, _, FoundPayload::None) => VendorPayload::None,
            (None, _, FoundPayload::Text(text)) => VendorPayload::Text(text.into()),
            (None, _, FoundPayload::Pointer) => VendorPayload::Pointer,
            (None, _, FoundPayload::Void) => return None,
        };
        let own_kind = match (&self.kind, self.kind_tag().and_then(|tag| found.only_kind(tag))) {
            (Some(_), Some(of)) if self.has_listed_kinds() => of.phrases.first().map(|own| own.into()),
            (Some(kind), Some(of)) => {
                of.text.strip_prefix(&*kind.text)?.strip_prefix(AND_OWN).map(Cow::Borrowed)
            }
            (None, Some(of)) => Some(Cow::Borrowed(&*of.text)),
            (_, None) => None,
        };
        let structure = VendorStructure { payload, own_kind };
        let form = self.form_of(&structure)?;
        // A mark keeps a text only if GEDCOM 7.0 has another one.
        let is_kept = matches!(form.payload, NewPayload::Text(_)) || text.is_none();
        let is_whole = found.tags.iter().all(|tag| self.keeps_substructure(tag));
        (is_kept && is_whole && found.tag == self.tag && form.is_found_in(found)).then_some(structure)
    }

    /// Returns whether GEDCOM 7.0 lists the kinds, and has a phrase for others.
    fn has_listed_kinds(&self) -> bool {
        matches!(self.tag, "NAME" | "ASSO")
    }

    /// Returns what becomes of a text, or of no payload; `None` if the text means something else.
    fn payload_of(&self, text: Option<&str>) -> Option<NewPayload> {
        let made = |text: &str| Some(NewPayload::Text(text.to_owned()));
        match self.payload {
            PayloadForm::Same if self.tag == "EVEN" || text.is_some() => Some(NewPayload::Same),
            PayloadForm::Same => None,
            PayloadForm::Happened => text.is_none_or(|text| text == "Y").then_some(NewPayload::Same),
            PayloadForm::Empty => text.is_none().then_some(NewPayload::Same),
            PayloadForm::Word { of: [], word } if text.is_none() => made(word),
            PayloadForm::Word { of, word } => {
                let words = if of.is_empty() { &["Y"] } else { of };
                let text = text?.trim();
                words.iter().any(|one| text.eq_ignore_ascii_case(one)).then(|| made(word))?
            }
            PayloadForm::Name => Some(new_name(text?)),
            PayloadForm::MarriedName => match text? {
                text if text.matches('/').count() == 2 => Some(new_name(text)),
                text if text.contains(['/', ' ', '\n']) => None,
                surname => Some(NewPayload::Text(format!("/{surname}/"))),
            },
            PayloadForm::UniqueId => numbers::unique_id_of(text?).map(NewPayload::Text),
            PayloadForm::Phrase => text.map(|_| NewPayload::Phrase),
        }
    }
}

impl NewForm {
    /// Returns whether a structure of GEDCOM 7.0 has this form.
    fn is_found_in(&self, found: &FoundForm) -> bool {
        let has_payload = match &self.payload {
            NewPayload::Same => found.payload != FoundPayload::Void,
            // Words of GEDCOM 7.0 are in upper case.
            NewPayload::Text(text) => {
                matches!(&found.payload, FoundPayload::Text(own) if own == text || *own == text.to_ascii_uppercase())
            }
            NewPayload::Phrase => found.payload == FoundPayload::Void && found.phrases.len() == 1,
        };
        let has_kind = self.kind.as_ref().is_none_or(|kind| {
            found.only_kind(kind.tag).is_some_and(|own| {
                (own.text == kind.text || own.text == kind.text.to_ascii_uppercase())
                    && own.phrases.len() <= 1
                    && own.phrases.first() == kind.phrase.as_ref()
            })
        });
        has_payload && has_kind
    }
}

impl FoundForm {
    /// Returns the substructure with a tag, if there is only one.
    fn only_kind(&self, tag: &str) -> Option<&FoundKind> {
        let mut found = self.kinds.iter().filter(|kind| kind.tag == tag);
        found.next().filter(|_| found.next().is_none())
    }
}

/// Returns what becomes of a name.
fn new_name(text: &str) -> NewPayload {
    let made = names::name_to_7(text);
    if made == text { NewPayload::Same } else { NewPayload::Text(made.to_string()) }
}

/// Returns the tag of a structure of GEDCOM 7.0 that is under the same structures as a vendor tag, such as `OBJE.FILE`
/// for a tag under `OBJE`.
fn tag_at_same_place(entry: VendorTag, what: &'static str) -> Option<&'static str> {
    let (above, tag) = what.rsplit_once('.')?;
    // PEDI and numbers are converted elsewhere. Name pieces with the same tag are joined, and so are dates and phrases.
    if matches!(tag, "PEDI" | "EXID" | "PHRASE") || names::PIECES.contains(&tag) {
        return None;
    }
    let mut places = entry.place().rsplit('/');
    above.rsplit('.').all(|above| places.next() == Some(above)).then_some(tag)
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

    /// Reads a mark; `None` if its tag is neither in the dictionary nor one of facts that users define.
    pub(crate) fn read(text: &str) -> Option<Mark> {
        let (place, text) = match text.split_once(' ') {
            Some((place, text)) => (place, Some(text.to_owned())),
            None => (text, None),
        };
        let below_name = place.strip_prefix(UNDER_NAME);
        let tag = below_name.unwrap_or(place);
        if !vendors::is_fact_tag(tag) {
            vendors::tags_named(tag).next()?;
        }
        Some(Mark { tag: tag.to_owned(), text, was_under_name: below_name.is_some() })
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
        assert_eq!(one("_NMR").payload_of(Some("N")), None);
        assert_eq!(one("_NMR").payload_of(None), Some(NewPayload::Text("MARR".to_owned())));
        assert_eq!(one("_NONE").payload_of(Some("Y")), Some(NewPayload::Text("0".to_owned())));
        assert_eq!(one("_FILE").tag, "FILE");
        assert_eq!(one("_UID").payload_of(Some("3")), None);
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
        for (tag, text, was_under_name) in
            [("_MILT", None, false), ("_MARNM", Some("Lee"), true), ("_FA47", Some("x"), false)]
        {
            let mark = Mark { tag: tag.to_owned(), text: text.map(str::to_owned), was_under_name };
            assert_eq!(Mark::read(&mark.spell()), Some(mark));
        }
        for unknown in ["HEAD", "_FA", "_FATHERS"] {
            assert_eq!(Mark::read(unknown), None, "{unknown}");
        }
    }
}
