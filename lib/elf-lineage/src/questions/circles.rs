//! Persons who are among their own ancestors.

use super::{Asker, words};
use crate::graph::{Lineage, Person};
use crate::lists::{Lists, index};
use crate::{PersonId, TiesFollowed};
use elf_base::{Related, codes};
use std::collections::{HashMap, VecDeque};

/// The most persons of a circle that a finding names.
const NAMED: usize = 8;

/// The numbers of the parents of a person.
fn parents(lineage: &Lineage, person: u32, followed: TiesFollowed) -> impl Iterator<Item = u32> {
    let parents = lineage.person(PersonId(person)).into_iter().flat_map(Person::parents);
    parents.filter(move |parent| followed.takes(parent)).map(|parent| parent.person.id().0)
}

impl Asker<'_, '_> {
    /// Asks about each group of persons who are ancestors of each other, once.
    pub(super) fn circles(&mut self, by_birth: &Circles) {
        for circle in &by_birth.circles {
            self.ask_about_circle(circle, TiesFollowed::ByBirth);
        }
        if self.asking.unlikely {
            let all = Circles::of(self.lineage, TiesFollowed::All);
            for circle in &all.circles {
                if !circle.iter().any(|person| by_birth.has(*person)) {
                    self.ask_about_circle(circle, TiesFollowed::All);
                }
            }
        }
    }

    /// Asks about the persons of one group, in the order of the file.
    fn ask_about_circle(&mut self, circle: &[u32], followed: TiesFollowed) {
        let way = way_round(self.lineage, circle, followed);
        let persons: Vec<Person<'_>> =
            way.iter().filter_map(|&person| self.lineage.person(PersonId(person))).collect();
        let Some(&first) = persons.first() else { return };
        let mut message = format!("{} is among their own ancestors: child of ", words::person(first));
        let named = persons.iter().skip(1).chain([&first]);
        let names: Vec<String> = named.take(NAMED).map(|person| words::person(*person)).collect();
        message.push_str(&names.join(", child of "));
        if let Some(more) = persons.len().checked_sub(NAMED).filter(|more| *more > 0) {
            message.push_str(&format!(", and so on, {more} more"));
        }
        let related = persons.iter().skip(1).take(NAMED);
        let related: Vec<Related> =
            related.map(|person| Related::new("an ancestor", person.position(), None)).collect();
        self.ask(codes::OWN_ANCESTOR, first.position(), message, related);
    }
}

/// Groups of persons of whom each is an ancestor of each.
#[derive(Debug)]
pub(super) struct Circles {
    /// Each in the order of the file, and they by their first persons.
    circles: Vec<Vec<u32>>,
    /// The least number of a person of the circle that a person is in.
    least_of: HashMap<u32, u32>,
    /// All persons, each after the parents, but for those in one circle with the person.
    parents_first: Vec<u32>,
    /// The numbers of the parents of each person.
    parents: Lists<u32>,
}

/// A person whose parents are looked at: the number, and how many parents are left.
type Open = (u32, usize);

impl Circles {
    /// The circles of links by birth.
    pub(super) fn by_birth(lineage: &Lineage) -> Circles {
        Circles::of(lineage, TiesFollowed::ByBirth)
    }

    /// Returns whether both persons are in one circle.
    pub(super) fn has_both(&self, one: u32, other: u32) -> bool {
        // Nearly always there is no circle at all.
        !self.least_of.is_empty()
            && self.least_of.get(&one).is_some_and(|least| self.least_of.get(&other) == Some(least))
    }

    /// All persons, each after the parents, but for those in one circle with the person.
    pub(super) fn parents_first(&self) -> &[u32] {
        &self.parents_first
    }

    /// The numbers of the parents of a person, but for those in one circle with the person.
    pub(super) fn parents(&self, person: u32) -> impl Iterator<Item = u32> {
        let parents = self.parents.of(person).iter().copied();
        parents.filter(move |&parent| !self.has_both(person, parent))
    }

    fn has(&self, person: u32) -> bool {
        self.has_both(person, person)
    }

    /// Finds them by Tarjan's algorithm, with a stack of its own instead of recursion.
    fn of(lineage: &Lineage, followed: TiesFollowed) -> Circles {
        const NEW: u32 = u32::MAX;
        let count = lineage.person_count();
        let mut found = Circles {
            circles: Vec::new(),
            least_of: HashMap::new(),
            parents_first: Vec::with_capacity(count),
            parents: Lists::of_each(count, |person| parents(lineage, person, followed)),
        };
        let (mut order, mut lowest) = (vec![NEW; count], vec![NEW; count]);
        let mut next = 0;
        let mut waiting: Vec<u32> = Vec::new();
        let mut is_waiting = vec![false; count];
        let mut open: Vec<Open> = Vec::new();
        for root in 0..index(count) {
            if order.get(root as usize) != Some(&NEW) {
                continue;
            }
            let mut entered = Some(root);
            loop {
                if let Some(person) = entered.take() {
                    let at = person as usize;
                    set(&mut order, at, next);
                    set(&mut lowest, at, next);
                    next += 1;
                    waiting.push(person);
                    set(&mut is_waiting, at, true);
                    open.push((person, found.parents.of(person).len()));
                }
                let Some((person, left)) = open.last_mut() else { break };
                let person = *person;
                let at = person as usize;
                if let Some(before) = left.checked_sub(1) {
                    *left = before;
                    let Some(&parent) = found.parents.of(person).get(before) else { continue };
                    match order.get(parent as usize).copied() {
                        Some(NEW) => entered = Some(parent),
                        Some(number) if is_waiting.get(parent as usize) == Some(&true) => {
                            lower(&mut lowest, at, number);
                        }
                        _ => {}
                    }
                    continue;
                }
                open.pop();
                let low = lowest.get(at).copied().unwrap_or(NEW);
                if let Some((below, _)) = open.last() {
                    lower(&mut lowest, *below as usize, low);
                }
                if order.get(at) == Some(&low) {
                    // A person waits until its group is known; the group is everything that waits after it.
                    let start = waiting.iter().rposition(|&one| one == person).unwrap_or(0);
                    let group = &waiting[start..];
                    group.iter().for_each(|&one| set(&mut is_waiting, one as usize, false));
                    found.parents_first.extend(group);
                    found.take(group);
                    waiting.truncate(start);
                }
            }
        }
        found.circles.sort_unstable();
        found
    }

    /// Takes a group, if it is more than one person who is no own parent.
    fn take(&mut self, group: &[u32]) {
        if let [only] = group
            && !self.parents.of(*only).contains(only)
        {
            return;
        }
        let mut group = group.to_vec();
        group.sort_unstable();
        let Some(&least) = group.first() else { return };
        self.least_of.extend(group.iter().map(|&one| (one, least)));
        self.circles.push(group);
    }
}

fn set<T>(list: &mut [T], at: usize, value: T) {
    if let Some(entry) = list.get_mut(at) {
        *entry = value;
    }
}

fn lower(list: &mut [u32], at: usize, value: u32) {
    if let Some(entry) = list.get_mut(at) {
        *entry = value.min(*entry);
    }
}

/// One of the shortest ways from the first person of a circle back to the same, from child to parent.
fn way_round(lineage: &Lineage, circle: &[u32], followed: TiesFollowed) -> Vec<u32> {
    let Some(&first) = circle.first() else { return Vec::new() };
    // The child by which each person was reached.
    let mut reached: HashMap<u32, u32> = HashMap::new();
    let mut open = VecDeque::from([first]);
    while let Some(person) = open.pop_front() {
        for parent in parents(lineage, person, followed) {
            if circle.binary_search(&parent).is_err() || reached.contains_key(&parent) {
                continue;
            }
            reached.insert(parent, person);
            if parent == first {
                let mut way = Vec::new();
                let mut at = person;
                while at != first {
                    way.push(at);
                    let Some(&child) = reached.get(&at) else { break };
                    at = child;
                }
                way.push(first);
                way.reverse();
                return way;
            }
            open.push_back(parent);
        }
    }
    vec![first]
}
