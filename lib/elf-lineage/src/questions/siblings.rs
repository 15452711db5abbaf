//! Asks questions about children of one mother.

use super::{Asker, related_event, words};
use crate::Role;
use crate::Sex;
use crate::days::{DayRange, describe_days, describe_gap_in_days};
use crate::fold::folded;
use crate::graph::{MAX_PARTNERS, Person};
use elf_base::codes;
use std::collections::HashMap;
use std::collections::hash_map::Entry;

/// The maximum number of earlier siblings that a child is compared with.
const MAX_COMPARED: usize = 16;

/// The mother of a group of children. If the mother is unknown, their family stands for her.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Mother {
    Person(u32),
    OfFamily(u32),
}

/// The first words of placeholder names. Two stillborn twins may both have such a name, so these
/// names are not compared.
const PLACEHOLDERS: [&str; 12] = [
    "unknown",
    "unbekannt",
    "nn",
    "n",
    "infant",
    "baby",
    "stillborn",
    "unnamed",
    "child",
    "son",
    "daughter",
    "twin",
];

/// Returns the name of a person in a form for comparison. `None` if the name is only a surname, a
/// placeholder or cut off.
fn comparable_name(person: Person<'_>) -> Option<String> {
    let name = folded(person.name());
    let first: String = name.split(' ').next()?.chars().filter(|c| c.is_alphabetic()).collect();
    let is_whole = !person.name().ends_with('…');
    let is_name = person.has_given_name() && !PLACEHOLDERS.contains(&&*first);
    (is_whole && is_name).then_some(name)
}

impl<'l> Asker<'l, '_> {
    /// Asks about children of one mother who have the same name and were born on the same day.
    pub(super) fn ask_about_same_siblings(&mut self) {
        let mut pairs: Vec<(u32, u32)> = Vec::new();
        let children = self.children_of_mothers(|born| born.earliest == born.latest);
        for of_one_day in children.chunk_by(|one, other| (one.0, one.1) == (other.0, other.1)) {
            if of_one_day.len() < 2 {
                continue;
            }
            let mut first_of_name: HashMap<String, u32> = HashMap::new();
            for &(_, _, child) in of_one_day {
                let person = self.lineage.person(crate::PersonId(child));
                let Some(name) = person.and_then(comparable_name) else { continue };
                match first_of_name.entry(name) {
                    Entry::Vacant(vacant) => _ = vacant.insert(child),
                    Entry::Occupied(first) => pairs.push((child, *first.get())),
                }
            }
        }
        pairs.sort_unstable();
        pairs.dedup();
        for (child, sibling) in pairs {
            self.ask_whether_siblings_are_same(child, sibling);
        }
    }

    fn ask_whether_siblings_are_same(&mut self, child: u32, sibling: u32) {
        let person = |id| self.lineage.person(crate::PersonId(id));
        let (Some(child), Some(sibling)): (Option<Person<'l>>, _) = (person(child), person(sibling)) else {
            return;
        };
        let (Some(birth), Some(other)) =
            (self.dated_event(child, Role::Birth), self.dated_event(sibling, Role::Birth))
        else {
            return;
        };
        let message = format!(
            "{} has the name, the birth {} and the mother of {}: are they one person?",
            words::name_person(child),
            describe_days(birth.event.dated()),
            words::name_person(sibling)
        );
        self.report(
            codes::SIBLINGS_SAME,
            birth.event.position(),
            message,
            [related_event("the birth of the sibling", other.event)],
        );
    }

    /// Returns the children by birth of each mother, sorted. Only children are included for whose
    /// days of birth `is_wanted` returns true.
    fn children_of_mothers(&self, is_wanted: impl Fn(DayRange) -> bool) -> Vec<(Mother, DayRange, u32)> {
        let mut children: Vec<(Mother, DayRange, u32)> = Vec::new();
        for family in self.lineage.families() {
            let mothers = family.partners().take(MAX_PARTNERS);
            let mothers = mothers.filter(|(person, role)| person.sex_in_role(*role) == Sex::Female);
            let mothers: Vec<_> = mothers.collect();
            for child in family.children() {
                let Some(birth) = self.dated_event(child, Role::Birth) else { continue };
                let born = birth.days;
                if !is_wanted(born) {
                    continue;
                }
                match mothers.as_slice() {
                    [] if child.is_born_to(family.id(), crate::PartnerRole::Wife) => {
                        children.push((Mother::OfFamily(family.id().0), born, child.id().0));
                    }
                    mothers => children.extend(
                        mothers
                            .iter()
                            .filter(|(_, role)| child.is_born_to(family.id(), *role))
                            .map(|(mother, _)| (Mother::Person(mother.id().0), born, child.id().0)),
                    ),
                }
            }
        }
        children.sort_unstable();
        children.dedup();
        children
    }

    /// Asks about all children of each mother whose births have sufficiently precise dates.
    pub(super) fn ask_about_siblings(&mut self) {
        let most = super::to_i32(self.options.thresholds.days_between_siblings);
        // Only births with a short enough range of days can be too close.
        let children = self.children_of_mothers(|born| born.latest.saturating_sub(born.earliest) < most);
        for of_one in children.chunk_by(|one, other| one.0 == other.0) {
            for (at, (mother, born, child)) in of_one.iter().enumerate() {
                let before = &of_one[at.saturating_sub(MAX_COMPARED)..at];
                let close = before.iter().rev().find(|(_, other, _)| self.is_too_close(*other, *born));
                if let Some((_, _, sibling)) = close {
                    self.ask_about_close_births(*mother, child, sibling);
                }
            }
        }
    }

    /// Returns whether two births are too close together for any choice of days, and too far apart
    /// for twins.
    fn is_too_close(&self, earlier: DayRange, later: DayRange) -> bool {
        let thresholds = self.options.thresholds;
        let least = i64::from(later.earliest) - i64::from(earlier.latest);
        let most = i64::from(later.latest) - i64::from(earlier.earliest);
        least > i64::from(thresholds.days_of_twins) && most < i64::from(thresholds.days_between_siblings)
    }

    fn ask_about_close_births(&mut self, mother: Mother, child: &u32, sibling: &u32) {
        let person = |id: &u32| self.lineage.person(crate::PersonId(*id));
        let (Some(child), Some(sibling)): (Option<Person<'l>>, _) = (person(child), person(sibling)) else {
            return;
        };
        let (Some(birth), Some(other)) =
            (self.dated_event(child, Role::Birth), self.dated_event(sibling, Role::Birth))
        else {
            return;
        };
        let whose = match mother {
            Mother::Person(_) => "of the same mother",
            Mother::OfFamily(_) => "of the same family",
        };
        let least = self.options.thresholds.days_between_siblings;
        let message = format!(
            "{} was born {}, {} after {}, born {}, {whose}; at least {least} days are expected",
            words::name_person(child),
            describe_days(birth.event.dated()),
            describe_gap_in_days(other.days, birth.days),
            words::name_person(sibling),
            describe_days(other.event.dated())
        );
        let others = self
            .mention_other_events(child, Role::Birth)
            .chain(self.mention_other_events(sibling, Role::Birth));
        let related = std::iter::once(related_event("the birth of the sibling", other.event)).chain(others);
        self.report(codes::SIBLINGS_TOO_CLOSE, birth.event.position(), message, related);
    }
}
