//! The people and families of one run of a document, with unresolved pointers.

use crate::ages::StatedAge;
use crate::event_names::EventNames;
use crate::identifiers::{LongIdentifiers, XrefKey};
use crate::packed::EventList;
use crate::spot::{LinePosition, RecordPosition};
use elf_values::ChildTie;

/// The people and families of a run. A [`LineageReader`](crate::LineageReader) creates a
/// `RunLineage`, and a [`LineageBuilder`](crate::LineageBuilder) adds it to a graph. It does not
/// borrow from the document.
#[derive(Clone, Debug, Default)]
pub struct RunLineage {
    pub(crate) persons: Vec<PersonData>,
    pub(crate) families: Vec<FamilyData>,
    /// The events of all people, in the order of the people. Each person's events are sorted by
    /// rank.
    pub(crate) events: EventList,
    /// The events of all families, in the order of the families.
    pub(crate) family_events: EventList,
    pub(crate) ages: Vec<StatedAge>,
    /// The beginnings of all names in one string, in the order of the people.
    pub(crate) names: String,
    /// The names that the file gives to its events.
    pub(crate) event_names: EventNames,
    pub(crate) links: Vec<Link>,
    /// The lines of families that name a person for the second time or later, in file order.
    pub(crate) repeated: Vec<RepeatedMember<XrefKey>>,
    pub(crate) long: LongIdentifiers,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct PersonData {
    pub(crate) key: XrefKey,
    pub(crate) spot: RecordPosition,
    /// The end of the person's name. It starts where the previous person's name ends.
    pub(crate) name_end: u32,
    /// The number of the first event.
    pub(crate) first_event: u32,
    pub(crate) sex: Sex,
    /// True if the record is marked as private or confidential.
    pub(crate) is_private: bool,
    /// True if the record may contain lines of another record.
    pub(crate) is_unclear: bool,
    /// True if the first name has more than a surname.
    pub(crate) has_given_name: bool,
    pub(crate) sourcing: Sourcing,
}

/// Whether the record of a person has a source.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Sourcing {
    /// Nobody looked for a source, because no question needs it.
    #[default]
    Unknown,
    /// The record has a source.
    Sourced,
    /// The record has no source at any level.
    Unsourced,
}

/// A line of a family that names a person whom an earlier line already names in the same role.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RepeatedMember<P> {
    pub(crate) family: u32,
    pub(crate) person: P,
    pub(crate) member: Member,
    pub(crate) spot: LinePosition,
}

/// The part of a person in a family.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Member {
    /// The husband, the wife or a partner.
    Partner,
    /// A child.
    Child,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct FamilyData {
    pub(crate) key: XrefKey,
    pub(crate) spot: RecordPosition,
    pub(crate) first_event: u32,
    /// True if the record may contain lines of another record.
    pub(crate) is_unclear: bool,
}

/// The sex of a person, according to the record.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Sex {
    /// Male.
    Male,
    /// Female.
    Female,
    /// Another sex, or unknown.
    #[default]
    Unknown,
}

/// A link between a person and a family, as one of the two records states it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Link {
    /// The number of the person or the family with the link, within the run.
    pub(crate) from: u32,
    pub(crate) kind: LinkRole,
    /// The identifier of the other record.
    pub(crate) to: XrefKey,
}

/// The meaning of a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LinkRole {
    /// From a person to the family in which the person is a child.
    AsChild(Ties),
    /// From a person to a family in which the person is a partner.
    AsSpouse,
    /// A person was adopted, and no family is named. The link has no target.
    AdoptedSomewhere,
    /// From a family to a partner.
    Partner(PartnerRole),
    /// From a family to a child.
    Child(Ties),
}

/// The role of a partner in a family.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PartnerRole {
    /// The husband, or the first partner.
    Husband,
    /// The wife, or the second partner.
    Wife,
    /// A partner whose role is not stated.
    Partner,
}

/// How a child is tied to a parent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Tie {
    /// The tie is not stated. It is usually by birth.
    #[default]
    Unknown,
    /// The file states that the tie is unknown, or withholds it. It may be by birth, but proves nothing.
    Uncertain,
    /// By birth, as stated in the file.
    Birth,
    /// By adoption.
    Adopted,
    /// In foster care.
    Foster,
    /// Another tie, such as that to a step-parent.
    Other,
    /// A disproven tie.
    Disproven,
}

/// The ties of a child to the husband and to the wife of a family.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Ties {
    husband: Tie,
    wife: Tie,
    word: OtherWord,
}

/// Whether a PEDI contains a word that names no known tie, such as `OTHER`. If the ties to father
/// and mother differ, PEDI cannot say which parent has which tie.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
enum OtherWord {
    /// There is no such word.
    #[default]
    Missing,
    /// The word counts for the ties to both parents.
    Counts,
    /// The file names the ties to each parent, so the word adds nothing.
    Overruled,
}

impl Tie {
    /// Parses a payload of PEDI, or the words that producers write under a child in place of PEDI.
    pub(crate) fn of(text: &str) -> Tie {
        match ChildTie::of(text) {
            ChildTie::Unknown if text.trim().is_empty() => Tie::Unknown,
            ChildTie::Unknown => Tie::Uncertain,
            ChildTie::Birth => Tie::Birth,
            ChildTie::Adopted => Tie::Adopted,
            ChildTie::Foster => Tie::Foster,
            ChildTie::Sealing | ChildTie::Other => Tie::Other,
            ChildTie::Disproven => Tie::Disproven,
        }
    }
}

impl Ties {
    pub(crate) const fn new(husband: Tie, wife: Tie) -> Ties {
        Ties { husband, wife, word: OtherWord::Missing }
    }

    pub(crate) const fn both(tie: Tie) -> Ties {
        Ties::new(tie, tie)
    }

    /// Returns the ties that the payload of a PEDI states.
    pub(crate) fn of_pedigree(text: &str) -> Ties {
        match Tie::of(text) {
            Tie::Other => Ties { word: OtherWord::Counts, ..Ties::default() },
            tie @ (Tie::Unknown
            | Tie::Uncertain
            | Tie::Birth
            | Tie::Adopted
            | Tie::Foster
            | Tie::Disproven) => Ties::both(tie),
        }
    }

    /// Returns the ties that the words of a program name for each parent; `None` if there is no word. The words take
    /// priority over a PEDI that contains another word.
    pub(crate) fn named(husband: Option<Tie>, wife: Option<Tie>) -> Ties {
        let is_named = husband.or(wife).is_some();
        let word = if is_named { OtherWord::Overruled } else { OtherWord::Missing };
        Ties { husband: husband.unwrap_or_default(), wife: wife.unwrap_or_default(), word }
    }

    pub(crate) fn to_husband(self) -> Tie {
        self.husband.max(self.of_word())
    }

    pub(crate) fn to_wife(self) -> Tie {
        self.wife.max(self.of_word())
    }

    const fn of_word(self) -> Tie {
        match self.word {
            OtherWord::Counts => Tie::Other,
            OtherWord::Missing | OtherWord::Overruled => Tie::Unknown,
        }
    }

    /// Merges the ties of two links between the same child and family. A tie other than by birth
    /// takes priority.
    pub(crate) fn merge_with(self, other: Ties) -> Ties {
        Ties {
            husband: self.husband.max(other.husband),
            wife: self.wife.max(other.wife),
            word: self.word.max(other.word),
        }
    }
}
