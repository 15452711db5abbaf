//! Finds people who are among their own ancestors.

use super::{Asker, words};
use crate::graph::{Lineage, Person};
use crate::lists::{Lists, to_u32};
use crate::{PersonId, TiesFollowed};
use elf_base::{Related, codes};
use std::collections::{HashMap, VecDeque};

/// The maximum number of people of a circle that a finding names.
const MAX_NAMED: usize = 8;

fn parents_of(lineage: &Lineage, person: u32, followed: TiesFollowed) -> impl Iterator<Item = u32> {
    let parents = lineage.person(PersonId(person)).into_iter().flat_map(Person::parents);
    parents.filter(move |parent| followed.follows(parent)).map(|parent| parent.person.id().0)
}

impl Asker<'_, '_> {
    /// Asks about each group of people who are ancestors of each other, once.
    pub(super) fn ask_about_circles(&mut self, by_birth: &Circles) {
        for circle in &by_birth.circles {
            self.ask_about_circle(circle, TiesFollowed::ByBirth);
        }
        if self.options.unlikely {
            let all = Circles::of(self.lineage, TiesFollowed::All);
            for circle in &all.circles {
                if !circle.iter().any(|person| by_birth.is_in_circle(*person)) {
                    self.ask_about_circle(circle, TiesFollowed::All);
                }
            }
        }
    }

    /// Reports the people of one group, in file order.
    fn ask_about_circle(&mut self, circle: &[u32], followed: TiesFollowed) {
        let way = shortest_circle(self.lineage, circle, followed);
        let persons: Vec<Person<'_>> =
            way.iter().filter_map(|&person| self.lineage.person(PersonId(person))).collect();
        let Some(&first) = persons.first() else { return };
        let mut message = format!("{} is among their own ancestors: child of ", words::name_person(first));
        let named = persons.iter().skip(1).chain([&first]);
        let names: Vec<String> = named.take(MAX_NAMED).map(|person| words::name_person(*person)).collect();
        message.push_str(&names.join(", child of "));
        if let Some(more) = persons.len().checked_sub(MAX_NAMED).filter(|more| *more > 0) {
            message.push_str(&format!(", and so on, {more} more"));
        }
        let related = persons.iter().skip(1).take(MAX_NAMED);
        let related: Vec<Related> =
            related.map(|person| Related::new("an ancestor", person.position(), None)).collect();
        self.report(codes::OWN_ANCESTOR, first.position(), message, related);
    }
}

/// Groups of people who are all ancestors of each other.
#[derive(Debug)]
pub(super) struct Circles {
    /// The circles in the order of their first people. Each circle is in file order.
    circles: Vec<Vec<u32>>,
    /// The lowest number in the circle of each person who is in one.
    lowest_of_circle: HashMap<u32, u32>,
    /// All people, in an order in which parents come before their children. Parents in the same
    /// circle are ignored.
    parents_first: Vec<u32>,
    /// The numbers of the parents of each person.
    parents: Lists<u32>,
}

/// A person whose parents are being visited.
type OpenPerson = (u32, usize);

impl Circles {
    /// Finds the circles of links by birth.
    pub(super) fn of_birth_links(lineage: &Lineage) -> Circles {
        Circles::of(lineage, TiesFollowed::ByBirth)
    }

    /// Returns whether both people are in the same circle.
    pub(super) fn contains_both(&self, one: u32, other: u32) -> bool {
        // Fast path: nearly always there is no circle.
        !self.lowest_of_circle.is_empty()
            && self
                .lowest_of_circle
                .get(&one)
                .is_some_and(|least| self.lowest_of_circle.get(&other) == Some(least))
    }

    /// Returns all people, in an order in which parents come before their children. Parents in the
    /// same circle are ignored.
    pub(super) fn parents_first(&self) -> &[u32] {
        &self.parents_first
    }

    /// Returns the numbers of the parents of a person, without those in the same circle.
    pub(super) fn parents(&self, person: u32) -> impl Iterator<Item = u32> {
        let parents = self.parents.of(person).iter().copied();
        parents.filter(move |&parent| !self.contains_both(person, parent))
    }

    fn is_in_circle(&self, person: u32) -> bool {
        self.contains_both(person, person)
    }

    /// Finds the circles of a graph. Uses Tarjan's algorithm with an explicit stack instead of
    /// recursion.
    fn of(lineage: &Lineage, followed: TiesFollowed) -> Circles {
        const NEW: u32 = u32::MAX;
        let count = lineage.person_count();
        let mut found = Circles {
            circles: Vec::new(),
            lowest_of_circle: HashMap::new(),
            parents_first: Vec::with_capacity(count),
            parents: Lists::of_each(count, |person| parents_of(lineage, person, followed)),
        };
        let (mut order, mut lowest) = (vec![NEW; count], vec![NEW; count]);
        let mut next = 0;
        let mut waiting: Vec<u32> = Vec::new();
        let mut is_waiting = vec![false; count];
        let mut open: Vec<OpenPerson> = Vec::new();
        for root in 0..to_u32(count) {
            if order.get(root as usize) != Some(&NEW) {
                continue;
            }
            let mut entered = Some(root);
            loop {
                if let Some(person) = entered.take() {
                    let at = person as usize;
                    set_at(&mut order, at, next);
                    set_at(&mut lowest, at, next);
                    next += 1;
                    waiting.push(person);
                    set_at(&mut is_waiting, at, true);
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
                            set_if_lower(&mut lowest, at, number);
                        }
                        _ => {}
                    }
                    continue;
                }
                open.pop();
                let low = lowest.get(at).copied().unwrap_or(NEW);
                if let Some((below, _)) = open.last() {
                    set_if_lower(&mut lowest, *below as usize, low);
                }
                if order.get(at) == Some(&low) {
                    // A person waits until the person's group is known. The group is everybody who
                    // waits after that person.
                    let start = waiting.iter().rposition(|&one| one == person).unwrap_or(0);
                    let group = &waiting[start..];
                    group.iter().for_each(|&one| set_at(&mut is_waiting, one as usize, false));
                    found.parents_first.extend(group);
                    found.add_circle(group);
                    waiting.truncate(start);
                }
            }
        }
        found.circles.sort_unstable();
        found
    }

    /// Adds a group if it has more than one person, or a person who is their own parent.
    fn add_circle(&mut self, group: &[u32]) {
        if let [only] = group
            && !self.parents.of(*only).contains(only)
        {
            return;
        }
        let mut group = group.to_vec();
        group.sort_unstable();
        let Some(&least) = group.first() else { return };
        self.lowest_of_circle.extend(group.iter().map(|&one| (one, least)));
        self.circles.push(group);
    }
}

fn set_at<T>(list: &mut [T], at: usize, value: T) {
    if let Some(entry) = list.get_mut(at) {
        *entry = value;
    }
}

fn set_if_lower(list: &mut [u32], at: usize, value: u32) {
    if let Some(entry) = list.get_mut(at) {
        *entry = value.min(*entry);
    }
}

/// Returns a shortest path from the first person of a circle back to the same person, from child to
/// parent.
fn shortest_circle(lineage: &Lineage, circle: &[u32], followed: TiesFollowed) -> Vec<u32> {
    let Some(&first) = circle.first() else { return Vec::new() };
    // The child from which each person was reached.
    let mut reached: HashMap<u32, u32> = HashMap::new();
    let mut open = VecDeque::from([first]);
    while let Some(person) = open.pop_front() {
        for parent in parents_of(lineage, person, followed) {
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
