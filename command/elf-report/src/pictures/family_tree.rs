//! The persons of a family tree that are to be drawn: who stands where, who is referred to, who is left out.

mod builder;

use crate::pictures::text::{clean, shortened_to_columns};
use crate::pictures::years::{self, NamedEvent};
use elf_lineage::{Person, PersonId, Sex, Tie};
use std::ops::Range;

/// The generations and the persons that a [`FamilyTree`] takes in.
///
/// ```
/// use elf_report::pictures::TreeOptions;
///
/// let options = TreeOptions::default().with_up(6).with_down(0);
/// assert_eq!((options.up, options.down, options.most), (6, 0, 2000));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct TreeOptions {
    /// The generations of ancestors, 1 for the parents; `u32::MAX` for all.
    pub up: u32,
    /// The generations of descendants, 1 for the children; `u32::MAX` for all.
    pub down: u32,
    /// The most persons; those nearest are taken.
    pub most: usize,
}

/// The ancestors and descendants of a person, with the partners of the descendants.
///
/// Each person is in it once. Whoever is met again, because cousins married or the data runs in a circle, is
/// referred to by a number. It borrows nothing.
#[derive(Clone, Debug)]
pub struct FamilyTree {
    /// The persons, the one that the tree is of first.
    pub(crate) persons: Vec<TreePerson>,
    /// The families that link them, in the order in which they were met.
    pub(crate) families: Vec<TreeFamily>,
    /// The boxes of the ancestors; that of the person itself is the first here as well as there.
    pub(crate) up: Vec<Branch>,
    /// The boxes of the descendants.
    pub(crate) down: Vec<Branch>,
    /// The families of the descendants as they are drawn, those of one person side by side.
    pub(crate) unions: Vec<Union>,
    pub(crate) options: TreeOptions,
    pub(crate) left_out: usize,
}

/// What stands for the name of a person who has none.
pub(crate) const NO_NAME: &str = "(no name)";

/// The most columns of a name where it stands only for a person who is drawn elsewhere, and in titles.
pub(crate) const LONG_NAME: usize = 60;

/// The most events that are listed for who points at a box.
const MOST_EVENTS: usize = 8;

/// A person of the tree.
#[derive(Clone, Debug)]
pub(crate) struct TreePerson {
    /// The number of the person in the graph.
    pub(crate) id: PersonId,
    /// The identifier of the record, without at signs.
    pub(crate) identifier: Option<String>,
    /// The name; empty where there is none.
    pub(crate) name: String,
    pub(crate) sex: Sex,
    pub(crate) years: String,
    /// The events that the file or a vendor tag names.
    pub(crate) events: Vec<NamedEvent>,
    /// The generation: 0 of the person that the tree is of, -1 of the parents, 1 of the children.
    pub(crate) generation: i64,
    /// The number by which other places refer to the person, if any do.
    pub(crate) number: Option<usize>,
    /// True if there are parents, or children or partners, that are not drawn.
    pub(crate) more: [bool; 2],
}

/// A family of the tree: the partners and children of it that are drawn.
#[derive(Clone, Debug)]
pub(crate) struct TreeFamily {
    pub(crate) identifier: Option<String>,
    pub(crate) marriage: Option<String>,
    /// The events that the file or a vendor tag names.
    pub(crate) events: Vec<NamedEvent>,
    pub(crate) partners: Vec<usize>,
    pub(crate) children: Vec<(usize, Tie)>,
}

/// The way in which a tree grows from the person that it is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Way {
    /// To the ancestors.
    Up,
    /// To the descendants.
    Down,
}

/// The person in a box.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Slot {
    /// A person, who is drawn here.
    Person(usize),
    /// A person who is drawn elsewhere.
    Reference(usize),
    /// A partner who is one of those left out.
    LeftOut,
    /// A partner or a parent of whom the file says nothing.
    Unknown,
}

/// A box of a parent above a child, or of a child beneath a parent.
#[derive(Clone, Debug)]
pub(crate) struct Branch {
    pub(crate) slot: Slot,
    /// The tie to the person next to it, nearer to the one that the tree is of.
    pub(crate) tie: Tie,
    /// The number of the family that links them, of those which link that person in this direction.
    pub(crate) family: usize,
    /// The boxes of the parents, or of the children.
    pub(crate) next: Range<usize>,
    /// The families of a descendant.
    pub(crate) unions: Range<usize>,
}

/// A family of a descendant: the partner, and which children come of it.
#[derive(Clone, Debug)]
pub(crate) struct Union {
    /// The other partner; `None` where the only family has none.
    pub(crate) partner: Option<Slot>,
    pub(crate) marriage: String,
}

impl Default for TreeOptions {
    fn default() -> TreeOptions {
        TreeOptions { up: 4, down: 2, most: 2000 }
    }
}

impl TreeOptions {
    /// The options with so many generations of ancestors.
    #[must_use]
    pub fn with_up(self, up: u32) -> TreeOptions {
        TreeOptions { up, ..self }
    }

    /// The options with so many generations of descendants.
    #[must_use]
    pub fn with_down(self, down: u32) -> TreeOptions {
        TreeOptions { down, ..self }
    }

    /// The options with at most so many persons.
    #[must_use]
    pub fn with_most(self, most: usize) -> TreeOptions {
        TreeOptions { most, ..self }
    }
}

impl FamilyTree {
    /// The number of persons in it.
    pub fn person_count(&self) -> usize {
        self.persons.len()
    }

    /// The number of persons within the generations asked for who are not in it, since it has as many as it
    /// may have.
    pub fn left_out(&self) -> usize {
        self.left_out
    }

    /// The name of the person that it is of, or `(no name)` with the identifier; of a long name the beginning.
    pub fn title(&self) -> String {
        let title = match self.persons.first() {
            Some(TreePerson { name, identifier: Some(identifier), .. }) if name.is_empty() => {
                format!("{NO_NAME} @{}@", clean(identifier))
            }
            Some(person) => person.title().to_owned(),
            None => String::new(),
        };
        shortened_to_columns(&title, LONG_NAME)
    }

    /// The tree in words: how many generations and persons it has.
    pub(crate) fn description(&self) -> String {
        let generations = |least: bool| {
            let all =
                self.persons.iter().map(|person| if least { -person.generation } else { person.generation });
            all.max().unwrap_or(0)
        };
        let (up, down) = (generations(true), generations(false));
        let of = |count: i64, what: &str| {
            let plural = if count == 1 { "" } else { "s" };
            format!("{count} generation{plural} of {what}")
        };
        let persons = match self.persons.len() {
            1 => "1 person".to_owned(),
            count => format!("{count} people"),
        };
        match (up, down) {
            (0, 0) => persons,
            (up, 0) => format!("{}, {persons}", of(up, "ancestors")),
            (0, down) => format!("{}, {persons}", of(down, "descendants")),
            (up, down) => format!("{} and {}, {persons}", of(up, "ancestors"), of(down, "descendants")),
        }
    }

    /// A note about those who are left out; empty where nobody is.
    pub(crate) fn note(&self) -> String {
        match self.left_out {
            0 => String::new(),
            1 => "1 person further away is left out".to_owned(),
            count => format!("{count} people further away are left out"),
        }
    }

    pub(crate) fn person(&self, slot: Slot) -> Option<&TreePerson> {
        match slot {
            Slot::Person(number) | Slot::Reference(number) => self.persons.get(number),
            Slot::LeftOut | Slot::Unknown => None,
        }
    }

    /// The name that stands in a box; where another box is referred to, its beginning, if it is long.
    pub(crate) fn name(&self, slot: Slot) -> String {
        match (slot, self.person(slot)) {
            (Slot::Reference(_), Some(person)) => shortened_to_columns(person.title(), LONG_NAME),
            (_, Some(person)) => person.title().to_owned(),
            (Slot::LeftOut, None) => "…".to_owned(),
            (Slot::Person(_) | Slot::Reference(_) | Slot::Unknown, None) => "?".to_owned(),
        }
    }
}

impl FamilyTree {
    /// The text for who points at a box: the parts that are not empty, the identifier, and events with names of their
    /// own.
    pub(crate) fn box_title(&self, slot: Slot, parts: [&str; 4]) -> String {
        let parts = parts.into_iter().filter(|part| !part.is_empty());
        let mut title = parts.collect::<Vec<&str>>().join(", ");
        if let Some(identifier) = self.person(slot).and_then(|person| person.identifier.as_ref()) {
            title.push_str(&format!(" (@{identifier}@)"));
        }
        let events = self.person(slot).map_or(&[][..], |person| &person.events);
        for NamedEvent { name, years } in events.iter().take(MOST_EVENTS) {
            title.push_str(format!("\n{name} {years}").trim_end_matches(' '));
        }
        title
    }

    /// The classes of a box, which its colours follow from.
    pub(crate) fn box_class(&self, slot: Slot) -> &'static str {
        match (slot, self.person(slot).map(|person| person.sex)) {
            (Slot::Person(0), _) => "person root",
            (Slot::Reference(_), _) => "person again",
            (_, Some(Sex::Male)) => "person male",
            (_, Some(Sex::Female)) => "person female",
            (_, Some(Sex::Unknown)) => "person",
            (_, None) => "person unknown",
        }
    }
}

impl TreePerson {
    fn of(person: Person<'_>, generation: i64) -> TreePerson {
        TreePerson {
            id: person.id(),
            identifier: person.identifier(),
            name: clean(person.name()),
            sex: person.sex(),
            years: years::life(person),
            events: years::named_events(person.events()),
            generation,
            number: None,
            more: [false; 2],
        }
    }

    /// The name, or what stands for it.
    pub(crate) fn title(&self) -> &str {
        if self.name.is_empty() { NO_NAME } else { &self.name }
    }
}

/// The words for the tie to a parent that is none by birth: `by adoption`.
pub(crate) const fn parent_word(tie: Tie) -> Option<&'static str> {
    Way::Up.tie_word(tie)
}

impl Way {
    /// The word for the tie of a parent or of a child that is none by birth.
    pub(crate) const fn tie_word(self, tie: Tie) -> Option<&'static str> {
        match (self, tie) {
            (_, Tie::Unknown | Tie::Birth) => None,
            (Way::Up, Tie::Adopted) => Some("by adoption"),
            (Way::Up, Tie::Foster) => Some("by foster care"),
            (Way::Down, Tie::Adopted) => Some("adopted"),
            (Way::Down, Tie::Foster) => Some("foster child"),
            (_, Tie::Other) => Some("other tie"),
            (_, Tie::Disproven) => Some("disproven"),
        }
    }
}
