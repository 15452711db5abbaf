//! The table of a structural standard: the kinds of structures, and what each may contain.

use elf_values::Datatype;
use std::borrow::Cow;

/// The rules of a structural standard as a table.
#[derive(Debug)]
pub struct Table {
    /// Whether structures are identified by tag or by type.
    pub naming: Naming,
    /// The kinds of structures, sorted by name. In GEDCOM 5.5.1, several kinds can have one name.
    pub kinds: &'static [Kind],
    /// The structures at level 0, including header and trailer, sorted by name. If structures are
    /// identified by type, the list contains the types of records.
    pub roots: &'static [Slot],
    /// The rules for pointers between two records.
    pub links: &'static [Link],
    /// If structures are identified by tag but also have types, the IRIs of the types, sorted, each
    /// with the number of its kind.
    pub types: &'static [(&'static str, u16)],
}

/// A rule for the pointers in all structures of one type and its subtypes.
#[derive(Debug)]
pub struct Link {
    /// The kind of the record that contains the pointer.
    pub record: u16,
    /// The kind of the pointer.
    pub pointer: u16,
    /// The rule.
    pub rule: LinkRule,
    /// Whether the standard states the rule; otherwise it is implied.
    pub is_required: bool,
}

/// What a rule requires of the record that a pointer refers to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LinkRule {
    /// The record has a pointer of one of these kinds back to the first record, directly under it.
    Answered {
        /// The kinds of the pointer back.
        by: &'static [u16],
        /// The tags that structures of those kinds have by default.
        tags: &'static [&'static str],
    },
    /// The record does not have a pointer of one of these kinds back to the first record, at any depth.
    Unanswered {
        /// The kinds of the pointer back.
        by: &'static [u16],
    },
    /// The record is not the same as the one that contains the pointer.
    Elsewhere,
    /// Pointers with this rule do not form a circle.
    Acyclic,
    /// No other pointer of this kind, directly under the record, refers to the same record.
    Once,
}

/// How a standard identifies the kind of a structure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Naming {
    /// By its tag and the kind of its superstructure. A structure has no kind if the table does not
    /// list it at this place. Then nothing under it has a kind either.
    Tag,
    /// By its type or, if the type is not in the table, by the nearest supertype that is. The place
    /// of the structure does not matter.
    Type,
}

/// A kind of structure.
#[derive(Debug)]
pub struct Kind {
    /// The tag, or the IRI of the type.
    pub name: &'static str,
    /// The tag. For a type, this is the default tag, which abstract types do not have.
    pub tag: Option<&'static str>,
    /// The payloads that are allowed.
    pub payloads: Payloads,
    /// The kinds that a pointer may refer to. An empty list allows any kind.
    pub targets: &'static [&'static str],
    /// The texts that are allowed.
    pub text: Text,
    /// The numbers of all supertypes.
    pub supertypes: &'static [u16],
    /// The allowed substructures, sorted by name.
    pub slots: &'static [Slot],
    /// Whether any of its substructures is required.
    pub(crate) is_demanding: bool,
    /// Whether any text is valid. No payload is then valid, too.
    pub(crate) takes_any_text: bool,
    /// Whether any of its slots has limits.
    pub(crate) is_counting: bool,
    /// Recommendations of GEDCOM beyond its grammar.
    pub(crate) advice: Option<Advice>,
    /// Whether it must have a payload or a substructure.
    pub(crate) must_say_something: bool,
}

/// The texts that are allowed for a kind of structure.
#[derive(Clone, Copy, Debug)]
pub struct Text {
    /// The grammar of the text.
    pub grammar: Grammar,
    /// The allowed values. An empty list allows any value.
    pub values: &'static [&'static str],
    /// Whether the standard forbids other texts. Otherwise, it only advises against them.
    pub is_required: bool,
    /// The number of characters that programs must support, if the standard states one.
    pub longest: Option<u32>,
}

/// The grammar of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Grammar {
    /// The grammar of a datatype. Dates, ages and times follow the grammar of the standard, which
    /// is not always that of ELF Dates.
    Datatype(Datatype),
    /// A language tag (RFC 5646).
    LanguageTag,
    /// A media type (RFC 2045 §5.1).
    MediaType,
    /// A file URL that GEDCOM 7.0 supports, or a relative path.
    FilePath,
    /// A URI reference (RFC 3986 §4.1).
    Uri,
    /// An extension tag, a space and a URI.
    TagDefinition,
    /// A UUID (RFC 9562 §4), which GEDCOM 7.0 recommends.
    Uuid,
    /// A version of GEDCOM 7.0, with or without a patch number.
    Version,
    /// One of the listed values, in exactly these letters.
    Word,
    /// One of the listed values, in exactly these letters, or an extension tag.
    Enumeration,
    /// One or more listed values or extension tags, separated by commas.
    Enumerations,
}

/// The allowed number of substructures of one kind.
#[derive(Debug)]
pub struct Slot {
    /// The name of the kind.
    pub name: &'static str,
    /// The number of the kind in [`Table::kinds`].
    pub kind: u16,
    /// The minimum number.
    pub min: u32,
    /// The maximum number; `None` for any number.
    pub max: Option<u32>,
}

/// The payloads that are allowed for a kind of structure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Payloads {
    /// Whether the payload may be missing.
    pub none: bool,
    /// Whether a non-empty text is allowed.
    pub text: bool,
    /// Whether a pointer is allowed.
    pub pointer: bool,
}

/// A recommendation about structures of a kind. The numbers are the indices of the slots that the
/// recommendation depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Advice {
    /// An address should have its lines as payload.
    Address,
    /// An event without a tag of its own should have a `TYPE`.
    Named(u8),
    /// The pieces of a name, in `SURN` and `GIVN`, should occur in the name.
    Pieces([u8; 2]),
    /// A place should have as many parts as its `FORM` names.
    Hierarchy(u8),
    /// An event should state that it happened, by `Y`, `DATE`, `PLAC` or the family `FAMC`.
    Happened([u8; 3]),
    /// A source citation is a pointer or a text. Each form has substructures that the other one lacks (GEDCOM 5.5.1
    /// `SOURCE_CITATION`).
    Citation,
    /// An external identifier should have a `TYPE`, which says whose identifier it is.
    Typed(u8),
    /// A translation of a note must have its language, `LANG`, or its format, `MIME` (GEDCOM 7.0 *NOTE-TRAN*).
    Either([u8; 2]),
}

/// The index that stands for no slot.
const NO_PLACE: u8 = u8::MAX;

impl Advice {
    /// Returns the recommendation about the kind that has this name, these listed values and these
    /// slots.
    pub(crate) const fn of(name: &str, values: &[&str], slots: &[Slot]) -> Option<Advice> {
        if slots.is_empty() {
            return None;
        }
        match name.as_bytes() {
            b"ADDR" => Some(Advice::Address),
            b"EVEN" => match slot_index_of(slots, b"TYPE") {
                NO_PLACE => None,
                place => Some(Advice::Named(place)),
            },
            b"FONE" | b"NAME" | b"ROMN" => {
                Some(Advice::Pieces([slot_index_of(slots, b"SURN"), slot_index_of(slots, b"GIVN")]))
            }
            b"PLAC" => Some(Advice::Hierarchy(slot_index_of(slots, b"FORM"))),
            b"EXID" => Some(Advice::Typed(slot_index_of(slots, b"TYPE"))),
            b"SOUR"
                if slot_index_of(slots, b"TEXT") != NO_PLACE && slot_index_of(slots, b"PAGE") != NO_PLACE =>
            {
                Some(Advice::Citation)
            }
            b"TRAN" => match slot_index_of(slots, b"MIME") {
                NO_PLACE => None,
                format => Some(Advice::Either([slot_index_of(slots, b"LANG"), format])),
            },
            _ => match values {
                [one] if matches!(one.as_bytes(), b"Y") => {
                    let places = [
                        slot_index_of(slots, b"DATE"),
                        slot_index_of(slots, b"PLAC"),
                        slot_index_of(slots, b"FAMC"),
                    ];
                    Some(Advice::Happened(places))
                }
                _ => None,
            },
        }
    }
}

/// Returns the index of the slot for a tag with four letters.
const fn slot_index_of(slots: &[Slot], tag: &[u8; 4]) -> u8 {
    let (mut rest, mut at) = (slots, 0);
    while let [slot, others @ ..] = rest {
        match slot.name.as_bytes() {
            [a, b, c, d] if *a == tag[0] && *b == tag[1] && *c == tag[2] && *d == tag[3] => return at,
            _ => {}
        }
        (rest, at) = (others, at + 1);
    }
    NO_PLACE
}

impl Text {
    /// Returns whether the text has the grammar of dates, ages or times, and no other requirement.
    pub(crate) fn is_only_date(&self) -> bool {
        let is_of_dates = matches!(self.grammar, Grammar::Datatype(datatype) if datatype.is_of_dates());
        is_of_dates && self.values.is_empty() && self.longest.is_none()
    }

    /// Returns whether any text of `length` bytes is valid.
    pub(crate) const fn accepts_any(&self, length: u32) -> bool {
        let is_short = match self.longest {
            Some(longest) => length <= longest,
            None => true,
        };
        is_short && self.values.is_empty() && matches!(self.grammar, Grammar::Datatype(Datatype::Text))
    }
}

impl Payloads {
    /// Returns whether a pointer is allowed where another payload, or no payload, is expected.
    pub(crate) const fn has_two_forms(self) -> bool {
        self.pointer && (self.none || self.text)
    }
}

impl Table {
    /// Returns the kind with this number.
    pub fn kind(&self, number: u16) -> Option<&'static Kind> {
        self.kinds.get(usize::from(number))
    }

    /// Returns the name of a kind for messages: its tag, or its IRI with a prefix if it has no default tag.
    pub(crate) fn display_name(&self, name: &'static str) -> Cow<'static, str> {
        let tag = self.kind_number(name).and_then(|number| self.kind(number)?.tag);
        match (tag, name.strip_prefix("https://terms.fhiso.org/elf/")) {
            (Some(tag), _) => tag.into(),
            (None, Some(local)) => format!("elf:{local}").into(),
            (None, None) => name.into(),
        }
    }

    /// Returns the slot of a tag at level 0.
    pub fn root(&self, tag: &str) -> Option<&'static Slot> {
        self.roots.get(self.root_index(tag)?)
    }

    /// Returns the kinds that a structure on this path may have, if the standard identifies structures by tag. The path
    /// contains the tags from the record to the structure. The result is empty if the standard does not allow the
    /// structure there.
    ///
    /// ```
    /// use elf_validate::{Standard, Table};
    ///
    /// let sexes = |standard| Table::of(standard).kinds_on_path(["INDI", "SEX"])[0].text.values;
    /// assert_eq!(sexes(Standard::Gedcom551), ["M", "F", "U"]);
    /// assert_eq!(sexes(Standard::Gedcom70), ["F", "M", "U", "X"]);
    /// assert!(Table::of(Standard::Gedcom551).kinds_on_path(["FAM", "SEX"]).is_empty());
    /// ```
    pub fn kinds_on_path<'p>(&self, path: impl IntoIterator<Item = &'p str>) -> Vec<&'static Kind> {
        let mut slots = vec![self.roots];
        let mut kinds = Vec::new();
        for tag in path {
            let fitting = slots.iter().flat_map(|slots| slots.iter()).filter(|slot| slot.name == tag);
            kinds = fitting.filter_map(|slot| self.kind(slot.kind)).collect();
            slots = kinds.iter().map(|kind: &&'static Kind| kind.slots).collect();
        }
        kinds
    }

    /// Returns the index of the slot of a top-level structure.
    pub(crate) fn root_index(&self, tag: &str) -> Option<usize> {
        self.roots.binary_search_by_key(&tag, |slot| slot.name).ok()
    }

    /// Returns the kind number of a type, if the standard identifies structures by tag.
    pub(crate) fn kind_of_type(&self, iri: &str) -> Option<u16> {
        let at = self.types.binary_search_by_key(&iri, |(of, _)| *of).ok()?;
        self.types.get(at).map(|(_, number)| *number)
    }

    /// Returns the number of the first kind with this name.
    pub(crate) fn kind_number(&self, name: &str) -> Option<u16> {
        let at = self.kinds.partition_point(|kind| kind.name < name);
        self.kinds.get(at).filter(|kind| kind.name == name)?;
        u16::try_from(at).ok()
    }
}

impl Kind {
    /// Returns the slot for substructures with exactly this tag or type.
    pub fn slot(&self, name: &str) -> Option<&'static Slot> {
        self.slots.get(self.slots.binary_search_by_key(&name, |slot| slot.name).ok()?)
    }
}

/// Creates a kind; called by the generated tables.
pub(crate) const fn kind(
    name: &'static str,
    tag: Option<&'static str>,
    payloads: Payloads,
    targets: &'static [&'static str],
    text: Text,
    supertypes: &'static [u16],
    slots: &'static [Slot],
) -> Kind {
    let is_demanding = is_demanding(slots);
    let takes_any_text = payloads.none && payloads.text && text.accepts_any(u32::MAX);
    Kind {
        name,
        tag,
        payloads,
        targets,
        text,
        supertypes,
        slots,
        is_demanding,
        takes_any_text,
        is_counting: is_counting(slots),
        advice: Advice::of(name, text.values, slots),
        must_say_something: false,
    }
}

/// Creates a kind whose structures must not be empty; called by the generated tables.
pub(crate) const fn non_empty(mut kind: Kind) -> Kind {
    kind.advice = match kind.advice {
        Some(Advice::Either(places)) => Some(Advice::Either(places)),
        Some(Advice::Typed(place)) => Some(Advice::Typed(place)),
        _ => None,
    };
    kind.must_say_something = true;
    kind
}

const fn is_counting(slots: &[Slot]) -> bool {
    let mut rest = slots;
    while let [slot, others @ ..] = rest {
        if slot.min > 0 || slot.max.is_some() {
            return true;
        }
        rest = others;
    }
    false
}

const fn is_demanding(slots: &[Slot]) -> bool {
    let mut rest = slots;
    while let [slot, others @ ..] = rest {
        if slot.min > 0 {
            return true;
        }
        rest = others;
    }
    false
}

/// Any text of any length; used by the generated tables.
pub(crate) const ANY: Text = text(Datatype::Text, &[], false, 0);

/// Creates a text of a limited length; called by the generated tables.
pub(crate) const fn text_up_to(longest: u32) -> Text {
    text(Datatype::Text, &[], false, longest)
}

/// Creates a text; called by the generated tables. A `longest` of 0 means any length.
pub(crate) const fn text(
    grammar: Datatype,
    values: &'static [&'static str],
    is_required: bool,
    longest: u32,
) -> Text {
    let longest = if longest == 0 { None } else { Some(longest) };
    Text { grammar: Grammar::Datatype(grammar), values, is_required, longest }
}

/// Creates a text that must follow a grammar; called by the generated tables.
pub(crate) const fn text_of_grammar(grammar: Grammar, values: &'static [&'static str]) -> Text {
    Text { grammar, values, is_required: true, longest: None }
}

/// Creates a slot with a maximum; called by the generated tables.
pub(crate) const fn limited_slot(name: &'static str, kind: u16, min: u32, max: u32) -> Slot {
    Slot { name, kind, min, max: Some(max) }
}

/// Creates a slot without a maximum; called by the generated tables.
pub(crate) const fn unlimited_slot(name: &'static str, kind: u16, min: u32) -> Slot {
    Slot { name, kind, min, max: None }
}

/// Creates the allowed payloads; called by the generated tables.
pub(crate) const fn payloads(none: bool, text: bool, pointer: bool) -> Payloads {
    Payloads { none, text, pointer }
}

#[cfg(test)]
mod tests {
    use super::*;
    use elf_base::Standard;

    #[test]
    fn types_have_their_tags_in_messages_and_those_without_their_prefix() {
        let types = Table::of(Standard::DataModel);
        assert_eq!(types.display_name("https://terms.fhiso.org/elf/Parent1Age"), "HUSB");
        assert_eq!(types.display_name("https://terms.fhiso.org/elf/Event"), "elf:Event");
        assert_eq!(Table::of(Standard::Gedcom551).display_name("BIRT"), "BIRT");
    }
}
