//! Selects the people of a family tree: who is drawn in which box, who is only referred to by a number, and who is left
//! out.

mod builder;

use crate::pictures::text::{clean_text, shorten_to_columns};
use crate::pictures::years::{self, NamedEvent};
use elf_lineage::{Person, PersonId, Sex, Tie};
use std::ops::Range;

/// The generations and people to include in a [`FamilyTree`].
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
    /// The number of generations of ancestors: 1 for the parents only, `u32::MAX` for all.
    pub up: u32,
    /// The number of generations of descendants: 1 for the children only, `u32::MAX` for all.
    pub down: u32,
    /// The maximum number of people. The nearest relatives are included first.
    pub most: usize,
}

/// The ancestors and descendants of a root person, with the partners of the descendants.
///
/// Each person is drawn once. A person who belongs in several places, for example because cousins married, has a
/// number, and the other places show this number. The tree does not borrow from the lineage.
#[derive(Clone, Debug)]
pub struct FamilyTree {
    /// The people, the root person first.
    pub(crate) persons: Vec<TreePerson>,
    /// The families that link them, in the order in which they were found.
    pub(crate) families: Vec<TreeFamily>,
    /// The boxes of the ancestors. Both this list and `down` start with the root person.
    pub(crate) up: Vec<Branch>,
    /// The boxes of the descendants.
    pub(crate) down: Vec<Branch>,
    /// The families of the descendants in the order of drawing. The families of one person are adjacent.
    pub(crate) unions: Vec<Union>,
    pub(crate) options: TreeOptions,
    pub(crate) left_out: usize,
}

/// The text that is shown for a person without a name.
pub(crate) const NO_NAME: &str = "(no name)";

/// The maximum number of columns of a name in titles, and of a person who is drawn elsewhere.
pub(crate) const LONG_NAME: usize = 60;

/// The maximum number of events in the text that is shown when the mouse points at a box.
const MOST_EVENTS: usize = 8;

#[derive(Clone, Debug)]
pub(crate) struct TreePerson {
    /// The person in the lineage.
    pub(crate) id: PersonId,
    /// The line on which the record starts.
    pub(crate) line: u64,
    /// The identifier of the record, without at signs.
    pub(crate) identifier: Option<String>,
    /// The name. Empty if there is none.
    pub(crate) name: String,
    pub(crate) sex: Sex,
    pub(crate) years: String,
    /// The events with names that come from the file or from vendor tags.
    pub(crate) events: Vec<NamedEvent>,
    /// The generation: 0 for the root person, -1 for the parents, 1 for the children.
    pub(crate) generation: i64,
    /// The number by which other places refer to the person, if there are any.
    pub(crate) number: Option<usize>,
    /// True if there are parents (first), or children or partners, that are not drawn.
    pub(crate) more: [bool; 2],
}

/// A family of the tree, with the partners and children that are drawn.
#[derive(Clone, Debug)]
pub(crate) struct TreeFamily {
    pub(crate) identifier: Option<String>,
    pub(crate) marriage: Option<String>,
    /// The events with names that come from the file or from vendor tags.
    pub(crate) events: Vec<NamedEvent>,
    pub(crate) partners: Vec<usize>,
    pub(crate) children: Vec<(usize, Tie)>,
}

/// The direction from the root person.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Direction {
    /// To the ancestors.
    Up,
    /// To the descendants.
    Down,
}

/// The content of a box.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Slot {
    /// A person.
    Person(usize),
    /// The number of a person who is drawn elsewhere.
    Reference(usize),
    /// A partner who is left out because the tree has the maximum number of people.
    LeftOut,
    /// A partner or parent who is not in the file.
    Unknown,
}

/// A box of an ancestor or a descendant, and the boxes that follow it.
#[derive(Clone, Debug)]
pub(crate) struct Branch {
    pub(crate) slot: Slot,
    /// The relationship to the next person in the direction of the root person.
    pub(crate) tie: Tie,
    /// The number of the family that links these two people, among the families of that person in this direction.
    pub(crate) family: usize,
    /// The branches of the parents, or of the children.
    pub(crate) next: Range<usize>,
    /// The families of a descendant.
    pub(crate) unions: Range<usize>,
}

/// A family of a descendant: the partner and the children.
#[derive(Clone, Debug)]
pub(crate) struct Union {
    /// The other partner. `None` if the descendant has a single family without another partner.
    pub(crate) partner: Option<Slot>,
    pub(crate) marriage: String,
}

impl Default for TreeOptions {
    fn default() -> TreeOptions {
        TreeOptions { up: 4, down: 2, most: 2000 }
    }
}

impl TreeOptions {
    /// Sets the number of generations of ancestors.
    #[must_use]
    pub fn with_up(self, up: u32) -> TreeOptions {
        TreeOptions { up, ..self }
    }

    /// Sets the number of generations of descendants.
    #[must_use]
    pub fn with_down(self, down: u32) -> TreeOptions {
        TreeOptions { down, ..self }
    }

    /// Sets the maximum number of people.
    #[must_use]
    pub fn with_most(self, most: usize) -> TreeOptions {
        TreeOptions { most, ..self }
    }
}

impl FamilyTree {
    /// Returns the number of people in the tree.
    pub fn person_count(&self) -> usize {
        self.persons.len()
    }

    /// Returns the number of people within the requested generations who were left out because of
    /// [`TreeOptions::most`].
    pub fn left_out(&self) -> usize {
        self.left_out
    }

    /// Returns the name of the root person, shortened if it is long. A person without a name is `(no name)` with the
    /// identifier.
    pub fn title(&self) -> String {
        let title = match self.persons.first() {
            Some(TreePerson { name, identifier: Some(identifier), .. }) if name.is_empty() => {
                format!("{NO_NAME} @{}@", clean_text(identifier))
            }
            Some(person) => person.title().to_owned(),
            None => String::new(),
        };
        shorten_to_columns(&title, LONG_NAME)
    }

    /// Describes the numbers of generations and people in words.
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

    /// Returns a note about the people who are left out. Empty if there are none.
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

    /// Returns the name in a box. A long name is shortened if the box only refers to another box.
    pub(crate) fn name(&self, slot: Slot) -> String {
        match (slot, self.person(slot)) {
            (Slot::Reference(_), Some(person)) => shorten_to_columns(person.title(), LONG_NAME),
            (_, Some(person)) => person.title().to_owned(),
            (Slot::LeftOut, None) => "…".to_owned(),
            (Slot::Person(_) | Slot::Reference(_) | Slot::Unknown, None) => "?".to_owned(),
        }
    }
}

impl FamilyTree {
    /// Returns the text that is shown when the mouse points at a box: the parts that are not empty, the identifier and
    /// the custom events.
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

    /// Returns the CSS classes of a box.
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
            line: person.position().line,
            identifier: person.identifier(),
            name: clean_text(person.name()),
            sex: person.sex(),
            years: years::life(person),
            events: years::named_events(person.events()),
            generation,
            number: None,
            more: [false; 2],
        }
    }

    /// Returns the name, or `(no name)`.
    pub(crate) fn title(&self) -> &str {
        if self.name.is_empty() { NO_NAME } else { &self.name }
    }
}

/// Returns the words for a parent who is not the parent by birth, such as `by adoption`.
pub(crate) const fn parent_word(tie: Tie) -> Option<&'static str> {
    Direction::Up.tie_word(tie)
}

impl Direction {
    /// Returns the word for a parent or child who is not one by birth.
    pub(crate) const fn tie_word(self, tie: Tie) -> Option<&'static str> {
        match (self, tie) {
            (_, Tie::Unknown | Tie::Birth) => None,
            (Direction::Up, Tie::Adopted) => Some("by adoption"),
            (Direction::Up, Tie::Foster) => Some("by foster care"),
            (Direction::Down, Tie::Adopted) => Some("adopted"),
            (Direction::Down, Tie::Foster) => Some("foster child"),
            (_, Tie::Uncertain) => Some("unknown tie"),
            (_, Tie::Other) => Some("other tie"),
            (_, Tie::Disproven) => Some("disproven"),
        }
    }
}
