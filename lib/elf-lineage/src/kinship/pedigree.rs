//! The ancestors of two persons as a graph without circles, children before their parents.

use crate::bonds::{Bond, ParentBond, parent_bonds};
use crate::graph::{FamilyId, Lineage, Person, PersonId};
use std::collections::HashMap;

/// The ancestors of two persons, and these two. Persons are numbered so that each has a lower number than all its
/// ancestors. A link that would close a circle is left out.
#[derive(Debug)]
pub(super) struct Pedigree {
    persons: Vec<PersonId>,
    parents: Vec<Vec<Edge>>,
    /// The most links by which each is reached from the two persons.
    depths: Vec<u32>,
    /// The numbers of the two persons.
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
enum Progress {
    /// The ancestors are being visited: a link to this person closes a circle.
    Open,
    /// All ancestors were visited; the value counts the persons that were finished before.
    Done(usize),
}

/// The search for ancestors, depth first, so that parents are finished before their children.
struct Search<'l> {
    lineage: &'l Lineage,
    progress: HashMap<PersonId, Progress>,
    finished: Vec<(PersonId, Vec<ParentBond>)>,
}

impl Search<'_> {
    fn start(&mut self, person: PersonId) -> Option<Visit> {
        self.progress.insert(person, Progress::Open);
        let bonds = parent_bonds(self.lineage.person(person)?);
        Some(Visit { person, bonds, next: 0, kept: Vec::new() })
    }

    fn visit(&mut self, person: PersonId) {
        if self.progress.contains_key(&person) {
            return;
        }
        let mut open: Vec<Visit> = self.start(person).into_iter().collect();
        while let Some(visit) = open.last_mut() {
            let Some(&bond) = visit.bonds.get(visit.next) else {
                self.progress.insert(visit.person, Progress::Done(self.finished.len()));
                self.finished.push((visit.person, std::mem::take(&mut visit.kept)));
                open.pop();
                continue;
            };
            visit.next += 1;
            match self.progress.get(&bond.parent) {
                Some(Progress::Open) => {}
                Some(Progress::Done(_)) => visit.kept.push(bond),
                None => {
                    visit.kept.push(bond);
                    let above = self.start(bond.parent);
                    open.extend(above);
                }
            }
        }
    }
}

/// For each person, the most links of a path that leads there.
fn depths(parents: &[Vec<Edge>]) -> Vec<u32> {
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
        // Leave out the same links in both directions.
        search.visit(one.id().min(other.id()));
        search.visit(one.id().max(other.id()));
        let Search { progress, finished, .. } = search;
        let count = finished.len();
        let number = |person: PersonId| match progress.get(&person) {
            Some(Progress::Done(before)) => count - 1 - before,
            Some(Progress::Open) | None => unreachable!("each person that was started is finished"),
        };
        let pair = [number(one.id()), number(other.id())];
        let (mut persons, mut parents) = (Vec::with_capacity(count), Vec::with_capacity(count));
        for (person, bonds) in finished.into_iter().rev() {
            persons.push(person);
            let edge =
                |bond: ParentBond| Edge { parent: number(bond.parent), family: bond.family, bond: bond.bond };
            parents.push(bonds.into_iter().map(edge).collect());
        }
        let depths = depths(&parents);
        Pedigree { persons, parents, depths, pair }
    }

    /// A place in the order of generations: all ancestors of a person come after it, and persons of one generation are
    /// near each other.
    pub(super) fn age(&self, number: usize) -> (u32, usize) {
        (self.depths[number], number)
    }

    /// The number of persons.
    pub(super) fn len(&self) -> usize {
        self.persons.len()
    }

    /// The person with a number.
    pub(super) fn person(&self, number: usize) -> PersonId {
        self.persons[number]
    }

    /// The links of a person to the parents.
    pub(super) fn parents(&self, number: usize) -> &[Edge] {
        &self.parents[number]
    }
}
