//! Questions about persons and their ancestors more than one generation above.

use super::circles::Circles;
use super::{Asker, at, words};
use crate::Role;
use crate::days::{DayRange, gap, in_words};
use crate::graph::{Lineage, Person, PersonId};
use elf_base::codes;

/// The most persons between an ancestor and a descendant that a finding names.
const NAMED: usize = 8;

/// For each person the one of them and their ancestors by birth of whose birth the first possible day is the
/// latest: no earlier was the person born. [`NOBODY`] where no date says so.
///
/// It goes up by what is dated as it can be: a date that another question asks about, or this one, stands for
/// itself, so that nothing is asked twice of one fault.
type Latest = Vec<u32>;

const NOBODY: u32 = u32::MAX;

impl<'l> Asker<'l, '_> {
    /// Asks about each person who was born before an ancestor by birth, with nobody between of whom that is
    /// asked already.
    pub(super) fn generations(&mut self, circles: &Circles) {
        let mut latest: Latest = vec![NOBODY; self.lineage.person_count()];
        let born: Vec<DayRange> = self.lineage.persons().map(|person| self.born(person)).collect();
        let born = |person: u32| born.get(person as usize).copied().unwrap_or(DayRange::ANY);
        let mut asked: Vec<(u32, u32)> = Vec::new();
        for &number in circles.parents_first() {
            let own = born(number);
            let mut is_asked = false;
            let mut above: Option<(u32, DayRange)> = None;
            for parent in circles.parents(number) {
                is_asked |= own.is_before(born(parent));
                let ancestor = latest.get(parent as usize).copied().unwrap_or(NOBODY);
                let days = born(ancestor);
                if !days.is_any() && above.is_none_or(|(_, known)| known.earliest < days.earliest) {
                    above = Some((ancestor, days));
                }
            }
            if let Some((ancestor, older)) = above.filter(|_| !is_asked)
                && own.is_before(older)
            {
                asked.push((number, ancestor));
                is_asked = true;
            }
            let above = above.filter(|(_, older)| !is_asked && older.earliest > own.earliest);
            let own = (own.earliest > i32::MIN).then_some(number);
            if let (Some(entry), Some(of)) =
                (latest.get_mut(number as usize), above.map(|(ancestor, _)| ancestor).or(own))
            {
                *entry = of;
            }
        }
        asked.sort();
        for (person, ancestor) in asked {
            self.ask_about_generations(person, ancestor, &latest, circles);
        }
    }

    /// The days of the birth of a person, as far as a date bounds them.
    fn born(&self, person: Person<'l>) -> DayRange {
        self.first(person, Role::Birth).map_or(DayRange::ANY, |(_, born)| born)
    }

    fn ask_about_generations(&mut self, person: u32, ancestor: u32, latest: &Latest, circles: &Circles) {
        let lineage: &'l Lineage = self.lineage;
        let one = |number| lineage.person(PersonId(number));
        let (Some(person), Some(older)) = (one(person), one(ancestor)) else { return };
        let (Some((birth, born)), Some((other, days))) =
            (self.first(person, Role::Birth), self.first(older, Role::Birth))
        else {
            return;
        };
        let mut message = format!(
            "{} was born {}, {} before the ancestor {}, born {}",
            words::person(person),
            in_words(birth.dated()),
            gap(born, days),
            words::person(older),
            in_words(other.dated())
        );
        // From child to parent, along people with the same latest-born ancestor.
        let mut between: Vec<String> = Vec::new();
        let mut below = person;
        loop {
            let by_ancestor = |parent: &u32| latest.get(*parent as usize) == Some(&ancestor);
            let Some(parent) = circles.parents(below.id().0).find(by_ancestor) else { break };
            if parent == ancestor {
                break;
            }
            if between.len() == NAMED {
                between.push("and so on".to_owned());
                break;
            }
            let Some(parent) = one(parent) else { break };
            between.push(words::person(parent));
            below = parent;
        }
        message.push_str("; between them: ");
        message.push_str(&between.join(", "));
        let others = self.others(person, Role::Birth).chain(self.others(older, Role::Birth));
        let related: Vec<_> = std::iter::once(at("the birth of the ancestor", other)).chain(others).collect();
        self.ask(codes::DESCENDANT_BEFORE_ANCESTOR, birth.position(), message, related);
    }
}
