//! The persons and families of one run of a document: small, owned, pointers not yet followed.

use crate::ages::StatedAge;
use crate::event_names::EventNames;
use crate::identifiers::{Key, LongIdentifiers};
use crate::packed::EventList;
use crate::spot::{RecordSpot, Spot};

/// The people and families of a run. A [`LineageReader`](crate::LineageReader) creates it and a
/// [`LineageBuilder`](crate::LineageBuilder) takes it. It borrows nothing.
#[derive(Clone, Debug, Default)]
pub struct RunLineage {
    pub(crate) persons: Vec<PersonData>,
    pub(crate) families: Vec<FamilyData>,
    /// The events of the persons, in the order of the persons, and for each by their ranks.
    pub(crate) events: EventList,
    /// The events of the families, in the order of the families.
    pub(crate) family_events: EventList,
    /// The ages that events state.
    pub(crate) ages: Vec<StatedAge>,
    /// The beginnings of the names of the persons, one after the other.
    pub(crate) names: String,
    /// The names that events have of their own.
    pub(crate) event_names: EventNames,
    pub(crate) links: Vec<Link>,
    /// The lines of families that name a person once more, in the order of the file.
    pub(crate) repeated: Vec<RepeatedMember<Key>>,
    pub(crate) long: LongIdentifiers,
}

/// A person.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PersonData {
    pub(crate) key: Key,
    pub(crate) spot: RecordSpot,
    /// The end of the name, which begins where that of the person before ends.
    pub(crate) name_end: u32,
    /// The number of the first event.
    pub(crate) first_event: u32,
    pub(crate) sex: Sex,
    /// True if a notice of the record says that it is private or confidential.
    pub(crate) is_private: bool,
    /// True if the record may hold what is another's.
    pub(crate) is_unclear: bool,
    /// True if the first name has more than a surname.
    pub(crate) has_given_name: bool,
    pub(crate) sourcing: Sourcing,
}

/// Whether the record of a person has a source.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Sourcing {
    /// Nobody asks, so nobody has looked.
    #[default]
    Unknown,
    /// It has a source.
    Sourced,
    /// It has none, at any level.
    Unsourced,
}

/// A line of a family that names a person whom an earlier line names in the same way.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RepeatedMember<P> {
    pub(crate) family: u32,
    pub(crate) person: P,
    pub(crate) member: Member,
    pub(crate) spot: Spot,
}

/// What a person is in a family.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Member {
    /// The husband, the wife or a partner.
    Partner,
    /// A child.
    Child,
}

/// A family.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FamilyData {
    pub(crate) key: Key,
    pub(crate) spot: RecordSpot,
    pub(crate) first_event: u32,
    /// True if the record may hold what is another's.
    pub(crate) is_unclear: bool,
}

/// The sex of a person, according to the record.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Sex {
    /// Male.
    Male,
    /// Female.
    Female,
    /// Another one, or none that is known.
    #[default]
    Unknown,
}

/// A link between a person and a family, as one of the two records has it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Link {
    /// The number of the person or the family whose record it is in, within the run.
    pub(crate) from: u32,
    pub(crate) kind: LinkRole,
    /// The identifier of the other record.
    pub(crate) to: Key,
}

/// The meaning of a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LinkRole {
    /// A person's, to the family that the person is a child of.
    AsChild(Ties),
    /// A person's, to a family that the person is a partner in.
    AsSpouse,
    /// A person was adopted, and no family is named. It leads nowhere.
    AdoptedSomewhere,
    /// A family's, to a partner.
    Partner(PartnerRole),
    /// A family's, to a child.
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
    /// Not stated; usually by birth.
    #[default]
    Unknown,
    /// By birth, as stated in the file.
    Birth,
    /// By adoption.
    Adopted,
    /// In foster care.
    Foster,
    /// Another one, or stated to be unknown.
    Other,
    /// One that was disproven.
    Disproven,
}

/// The ties of a child to the husband and to the wife of a family.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Ties {
    pub(crate) husband: Tie,
    pub(crate) wife: Tie,
}

impl Tie {
    /// Reads a payload of PEDI, or what producers write for it under a child.
    pub(crate) fn of(text: &str) -> Tie {
        let text = text.trim();
        let is = |word: &str| text.eq_ignore_ascii_case(word);
        if text.is_empty() {
            Tie::Unknown
        } else if is("birth") || is("natural") || is("biological") {
            Tie::Birth
        } else if is("adopted") {
            Tie::Adopted
        } else if is("foster") {
            Tie::Foster
        } else {
            Tie::Other
        }
    }
}

impl Ties {
    pub(crate) const fn both(tie: Tie) -> Ties {
        Ties { husband: tie, wife: tie }
    }

    /// The ties where two links speak of one child and family: whatever is no tie by birth goes before.
    pub(crate) fn and(self, other: Ties) -> Ties {
        Ties { husband: self.husband.max(other.husband), wife: self.wife.max(other.wife) }
    }
}
