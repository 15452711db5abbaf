//! Questions about children of one mother.

use super::{Asker, at, words};
use crate::Role;
use crate::Sex;
use crate::days::{DayRange, gap_in_days, in_words};
use crate::graph::{PARTNERS, Person};
use elf_base::codes;

/// The most siblings born before a child that it is compared with.
const COMPARED: usize = 16;

/// The one that children are children of: the mother, or the family where she is not known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Mother {
    Person(u32),
    OfFamily(u32),
}

impl<'l> Asker<'l, '_> {
    /// Asks about all children of each mother whose births are dated well enough.
    pub(super) fn siblings(&mut self) {
        let most = super::signed(self.asking.thresholds.days_between_siblings);
        let mut children: Vec<(Mother, DayRange, u32)> = Vec::new();
        for family in self.lineage.families() {
            let mothers = family.partners().take(PARTNERS);
            let mothers = mothers.filter(|(person, role)| person.sex_as(*role) == Sex::Female);
            let mothers: Vec<_> = mothers.collect();
            for child in family.children() {
                let Some((_, born)) = self.first(child, Role::Birth) else { continue };
                // Only what is known better than that can be too close to anything.
                if born.latest.saturating_sub(born.earliest) >= most {
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
        for of_one in children.chunk_by(|one, other| one.0 == other.0) {
            for (at, (mother, born, child)) in of_one.iter().enumerate() {
                let before = &of_one[at.saturating_sub(COMPARED)..at];
                let close = before.iter().rev().find(|(_, other, _)| self.is_too_close(*other, *born));
                if let Some((_, _, sibling)) = close {
                    self.ask_about_siblings(*mother, child, sibling);
                }
            }
        }
    }

    /// Tells whether two births are too close whatever days are chosen, and too far for twins.
    fn is_too_close(&self, earlier: DayRange, later: DayRange) -> bool {
        let thresholds = self.asking.thresholds;
        let least = i64::from(later.earliest) - i64::from(earlier.latest);
        let most = i64::from(later.latest) - i64::from(earlier.earliest);
        least > i64::from(thresholds.days_of_twins) && most < i64::from(thresholds.days_between_siblings)
    }

    fn ask_about_siblings(&mut self, mother: Mother, child: &u32, sibling: &u32) {
        let person = |id: &u32| self.lineage.person(crate::PersonId(*id));
        let (Some(child), Some(sibling)): (Option<Person<'l>>, _) = (person(child), person(sibling)) else {
            return;
        };
        let (Some((birth, born)), Some((other, earlier))) =
            (self.first(child, Role::Birth), self.first(sibling, Role::Birth))
        else {
            return;
        };
        let whose = match mother {
            Mother::Person(_) => "of the same mother",
            Mother::OfFamily(_) => "of the same family",
        };
        let least = self.asking.thresholds.days_between_siblings;
        let message = format!(
            "{} was born {}, {} after {}, born {}, {whose}; {least} is the least that is expected",
            words::person(child),
            in_words(birth.dated()),
            gap_in_days(earlier, born),
            words::person(sibling),
            in_words(other.dated())
        );
        let others = self.others(child, Role::Birth).chain(self.others(sibling, Role::Birth));
        let related = std::iter::once(at("the birth of the sibling", other)).chain(others);
        self.ask(codes::SIBLINGS_TOO_CLOSE, birth.position(), message, related);
    }
}
