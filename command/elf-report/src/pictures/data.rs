//! Family trees as data: people and families, in the order in which they are drawn.

use crate::pictures::family_tree::FamilyTree;
use crate::pictures::years::NamedEvent;
use elf_lineage::{Sex, Tie};
use serde::Serialize;

/// A [`FamilyTree`] that serde can write, for example as JSON.
///
/// People are numbered from 1, and families refer to them by these numbers. Identifiers cannot be used for this: they
/// may be missing or repeated.
#[derive(Clone, Debug, Serialize)]
pub struct TreeData<'t> {
    root: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    up: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    down: Option<u32>,
    persons: Vec<PersonEntry<'t>>,
    families: Vec<FamilyEntry<'t>>,
    left_out: usize,
}

#[derive(Clone, Debug, Serialize)]
struct PersonEntry<'t> {
    number: usize,
    line: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<&'t str>,
    #[serde(skip_serializing_if = "str::is_empty")]
    name: &'t str,
    #[serde(skip_serializing_if = "Option::is_none")]
    sex: Option<&'static str>,
    #[serde(skip_serializing_if = "str::is_empty")]
    years: &'t str,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    events: Vec<EventEntry<'t>>,
    generation: i64,
    #[serde(skip_serializing_if = "is_false")]
    more_parents: bool,
    #[serde(skip_serializing_if = "is_false")]
    more_children: bool,
}

#[derive(Clone, Debug, Serialize)]
struct FamilyEntry<'t> {
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<&'t str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    marriage: Option<&'t str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    events: Vec<EventEntry<'t>>,
    partners: Vec<usize>,
    children: Vec<ChildEntry>,
}

#[derive(Clone, Debug, Serialize)]
struct ChildEntry {
    person: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    tie: Option<&'static str>,
}

/// An event with a name that comes from the file or from a vendor tag.
#[derive(Clone, Debug, Serialize)]
struct EventEntry<'t> {
    name: &'t str,
    #[serde(skip_serializing_if = "str::is_empty")]
    years: &'t str,
}

fn entries(events: &[NamedEvent]) -> Vec<EventEntry<'_>> {
    events.iter().map(|NamedEvent { name, years }| EventEntry { name, years }).collect()
}

fn is_false(flag: &bool) -> bool {
    !flag
}

impl FamilyTree {
    /// Returns the tree as data.
    pub fn data(&self) -> TreeData<'_> {
        let generations = |asked: u32| (asked != u32::MAX).then_some(asked);
        let persons = self.persons.iter().enumerate().map(|(at, person)| {
            let [more_parents, more_children] = person.more;
            PersonEntry {
                number: at + 1,
                line: person.line,
                id: person.identifier.as_deref(),
                name: &person.name,
                sex: match person.sex {
                    Sex::Male => Some("M"),
                    Sex::Female => Some("F"),
                    Sex::Unknown => None,
                },
                years: &person.years,
                events: entries(&person.events),
                generation: person.generation,
                more_parents,
                more_children,
            }
        });
        let families = self.families.iter().map(|family| FamilyEntry {
            id: family.identifier.as_deref(),
            marriage: family.marriage.as_deref(),
            events: entries(&family.events),
            partners: family.partners.iter().map(|at| at + 1).collect(),
            children: family
                .children
                .iter()
                .map(|(at, tie)| ChildEntry {
                    person: at + 1,
                    tie: match tie {
                        Tie::Unknown => None,
                        Tie::Uncertain => Some("uncertain"),
                        Tie::Birth => Some("birth"),
                        Tie::Adopted => Some("adopted"),
                        Tie::Foster => Some("foster"),
                        Tie::Other => Some("other"),
                        Tie::Disproven => Some("disproven"),
                    },
                })
                .collect(),
        });
        TreeData {
            root: 1,
            up: generations(self.options.up),
            down: generations(self.options.down),
            persons: persons.collect(),
            families: families.collect(),
            left_out: self.left_out,
        }
    }
}
