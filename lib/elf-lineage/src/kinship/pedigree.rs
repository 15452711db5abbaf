//! The ancestors of two people as a graph without circles, with children before their parents.

use crate::bonds::{Bond, ParentBond, parent_bonds};
use crate::graph::{FamilyId, Lineage, Person, PersonId};
use std::collections::HashMap;

/// Two people and their ancestors, numbered so that each person has a lower number than all of the
/// person's ancestors. A link that would close a circle is left out.
#[derive(Debug)]
pub(super) struct Pedigree {
    persons: Vec<PersonId>,
    parents: Vec<Vec<Edge>>,
    /// For each person, the number of links on the longest path from the two people.
    depths: Vec<u32>,
    /// The numbers of the two people.
    pub(super) pair: [usize; 2],
}

/// A link from a child to a parent.
#[derive(Clone, Copy, Debug)]
pub(super) struct Edge {
    /// The number of the parent.
    pub(super) parent: usize,
    pub(super) family: FamilyId,
    pub(super) bond: Bond,
}

/// A person whose ancestors are being visited.
struct Visit {
    person: PersonId,
    bonds: Vec<ParentBond>,
    next: usize,
    kept: Vec<ParentBond>,
}

/// The state of a person in the search for ancestors.
#[derive(Clone, Copy, PartialEq, Eq)]
enum SearchState {
    /// The ancestors are being visited. A link to this person closes a circle.
    Open,
    /// All ancestors were visited. The value is the number of people that were finished before.
    Done(usize),
}

/// A depth-first search for ancestors. It finishes parents before their children.
struct Search<'l> {
    lineage: &'l Lineage,
    progress: HashMap<PersonId, SearchState>,
    finished: Vec<(PersonId, Vec<ParentBond>)>,
}

impl Search<'_> {
    fn start_visit(&mut self, person: PersonId) -> Option<Visit> {
        self.progress.insert(person, SearchState::Open);
        let bonds = parent_bonds(self.lineage.person(person)?);
        Some(Visit { person, bonds, next: 0, kept: Vec::new() })
    }

    fn visit_ancestors(&mut self, person: PersonId) {
        if self.progress.contains_key(&person) {
            return;
        }
        let mut open: Vec<Visit> = self.start_visit(person).into_iter().collect();
        while let Some(visit) = open.last_mut() {
            let Some(&bond) = visit.bonds.get(visit.next) else {
                self.progress.insert(visit.person, SearchState::Done(self.finished.len()));
                self.finished.push((visit.person, std::mem::take(&mut visit.kept)));
                open.pop();
                continue;
            };
            visit.next += 1;
            match self.progress.get(&bond.parent) {
                Some(SearchState::Open) => {}
                Some(SearchState::Done(_)) => visit.kept.push(bond),
                None => {
                    visit.kept.push(bond);
                    let above = self.start_visit(bond.parent);
                    open.extend(above);
                }
            }
        }
    }
}

/// Returns, for each person, the number of links on the longest path to that person.
fn longest_paths(parents: &[Vec<Edge>]) -> Vec<u32> {
    let mut depths = vec![0; parents.len()];
    for (number, edges) in parents.iter().enumerate() {
        let above = depths[number] + 1;
        edges.iter().for_each(|edge| depths[edge.parent] = depths[edge.parent].max(above));
    }
    depths
}

impl Pedigree {
    pub(super) fn of(one: Person<'_>, other: Person<'_>) -> Pedigree {
        let mut search = Search { lineage: one.lineage(), progress: HashMap::new(), finished: Vec::new() };
        // Start with the lower number, so that the same links are left out in both directions.
        search.visit_ancestors(one.id().min(other.id()));
        search.visit_ancestors(one.id().max(other.id()));
        let Search { progress, finished, .. } = search;
        let count = finished.len();
        let number = |person: PersonId| match progress.get(&person) {
            Some(SearchState::Done(before)) => count - 1 - before,
            Some(SearchState::Open) | None => unreachable!("each person that was started is finished"),
        };
        let pair = [number(one.id()), number(other.id())];
        let (mut persons, mut parents) = (Vec::with_capacity(count), Vec::with_capacity(count));
        for (person, bonds) in finished.into_iter().rev() {
            persons.push(person);
            let edge =
                |bond: ParentBond| Edge { parent: number(bond.parent), family: bond.family, bond: bond.bond };
            parents.push(bonds.into_iter().map(edge).collect());
        }
        let depths = longest_paths(&parents);
        Pedigree { persons, parents, depths, pair }
    }

    /// Returns a key for sorting by generation. All ancestors of a person come after it, and people
    /// of one generation are near each other.
    pub(super) fn generation_order(&self, number: usize) -> (u32, usize) {
        (self.depths[number], number)
    }

    pub(super) fn len(&self) -> usize {
        self.persons.len()
    }

    pub(super) fn person(&self, number: usize) -> PersonId {
        self.persons[number]
    }

    /// Returns the links from a person to the parents.
    pub(super) fn parents(&self, number: usize) -> &[Edge] {
        &self.parents[number]
    }
}
