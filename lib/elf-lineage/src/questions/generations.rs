//! Asks questions about people and their ancestors who are more than one generation above.

use super::circles::Circles;
use super::{Asker, related_event, words};
use crate::Role;
use crate::days::{DayRange, describe_days, describe_gap};
use crate::graph::{Lineage, Person, PersonId};
use elf_base::codes;

/// The maximum number of people between an ancestor and a descendant that a finding names.
const MAX_NAMED: usize = 8;

/// For each person, who was born last among the person and the ancestors by birth. The person
/// cannot be born before that ancestor. [`NOBODY`] if no birth is dated.
///
/// If another question, or this one, already covers a person, the search restarts at this person,
/// so that no fault is reported twice.
type LatestBornAncestors = Vec<u32>;

const NOBODY: u32 = u32::MAX;

impl<'l> Asker<'l, '_> {
    /// Asks about each person who was born before an ancestor by birth, unless a question about
    /// somebody in between covers it.
    pub(super) fn ask_about_generations(&mut self, circles: &Circles) {
        let mut latest: LatestBornAncestors = vec![NOBODY; self.lineage.person_count()];
        let born: Vec<DayRange> = self.lineage.persons().map(|person| self.birth_range(person)).collect();
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
        asked.sort_unstable();
        for (person, ancestor) in asked {
            self.ask_about_ancestor(person, ancestor, &latest, circles);
        }
    }

    /// Returns the days of the birth of a person, as far as a date limits them.
    fn birth_range(&self, person: Person<'l>) -> DayRange {
        self.dated_event(person, Role::Birth).map_or(DayRange::ANY, |birth| birth.days)
    }

    fn ask_about_ancestor(
        &mut self,
        person: u32,
        ancestor: u32,
        latest: &LatestBornAncestors,
        circles: &Circles,
    ) {
        let lineage: &'l Lineage = self.lineage;
        let one = |number| lineage.person(PersonId(number));
        let (Some(person), Some(older)) = (one(person), one(ancestor)) else { return };
        let (Some(birth), Some(other)) =
            (self.dated_event(person, Role::Birth), self.dated_event(older, Role::Birth))
        else {
            return;
        };
        let mut message = format!(
            "{} was born {}, {} before the ancestor {}, born {}",
            words::name_person(person),
            describe_days(birth.event.dated()),
            describe_gap(birth.days, other.days),
            words::name_person(older),
            describe_days(other.event.dated())
        );
        // Collect the people from child to parent, along those with the same latest-born ancestor.
        let mut between: Vec<String> = Vec::new();
        let mut below = person;
        loop {
            let by_ancestor = |parent: &u32| latest.get(*parent as usize) == Some(&ancestor);
            let Some(parent) = circles.parents(below.id().0).find(by_ancestor) else { break };
            if parent == ancestor {
                break;
            }
            if between.len() == MAX_NAMED {
                between.push("and so on".to_owned());
                break;
            }
            let Some(parent) = one(parent) else { break };
            between.push(words::name_person(parent));
            below = parent;
        }
        message.push_str("; between them: ");
        message.push_str(&between.join(", "));
        let others = self
            .mention_other_events(person, Role::Birth)
            .chain(self.mention_other_events(older, Role::Birth));
        let related: Vec<_> =
            std::iter::once(related_event("the birth of the ancestor", other.event)).chain(others).collect();
        self.report(codes::DESCENDANT_BEFORE_ANCESTOR, birth.event.position(), message, related);
    }
}
