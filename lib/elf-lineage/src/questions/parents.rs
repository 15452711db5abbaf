//! Questions about a child and its parents by birth.

use super::circles::Circles;
use super::{Asker, related_event, to_i32, words};
use crate::days::{DayRange, describe_days, describe_gap, describe_gap_in_days};
use crate::graph::{Event, Parent, Person, PersonId};
use crate::{Role, Sex};
use elf_base::{Related, codes};

/// A birth and its days.
type DatedBirth<'l> = (Event<'l>, DayRange);

impl<'l> Asker<'l, '_> {
    /// Asks about a person and the parents by birth.
    ///
    /// A parent in a circle with the child is skipped, because the circle has its own question.
    pub(super) fn ask_about_parents(&mut self, child: Person<'l>, circles: &Circles) {
        let Some(born) = self.dated_event(child, Role::Birth) else { return };
        let parents = child.parents().filter(|parent| parent.is_by_birth);
        // A person may be a parent through several families. There are few parents, so a list is
        // enough.
        let mut met: Vec<PersonId> = Vec::new();
        for parent in parents.filter(|parent| !circles.contains_both(child.id().0, parent.person.id().0)) {
            if met.contains(&parent.person.id()) {
                continue;
            }
            met.push(parent.person.id());
            let sex = parent.person.sex_in_role(parent.role);
            if let Some(birth) = self.dated_event(parent.person, Role::Birth) {
                self.ask_about_births(child, born, (parent.person, sex), birth);
            }
            if let Some(death) = self.dated_event(parent.person, Role::Death) {
                self.ask_about_birth_after_death(child, born, (parent, sex), death);
            }
        }
    }

    /// Asks whether the births of a child and of a parent are possible together.
    fn ask_about_births(
        &mut self,
        child: Person<'l>,
        (birth, born): DatedBirth<'l>,
        (parent, sex): (Person<'l>, Sex),
        (other, older): DatedBirth<'l>,
    ) {
        let thresholds = self.asking.thresholds;
        let (youngest, oldest) = match sex {
            Sex::Female => (thresholds.youngest_mother, thresholds.oldest_mother),
            Sex::Male => (thresholds.youngest_father, thresholds.oldest_father),
            Sex::Unknown => (
                thresholds.youngest_mother.min(thresholds.youngest_father),
                thresholds.oldest_mother.max(thresholds.oldest_father),
            ),
        };
        let unlikely = self.asking.unlikely;
        let is_before = born.is_before(older);
        let is_young = unlikely && born.is_before(older.plus_years(to_i32(youngest)));
        let is_old = unlikely && older.plus_years(to_i32(oldest)).is_before(born);
        if !is_before && !is_young && !is_old {
            return;
        }
        let (what, who) = (parent_word(sex), words::name_person(parent));
        let day = describe_days(other.dated());
        let (code, behind) = if is_before {
            let gap = describe_gap(born, older);
            (codes::CHILD_BEFORE_PARENT, format!("{gap} before the {what} {who}, born {day}"))
        } else if is_young {
            let behind = format!("before the {what} {who}, born {day}, was {youngest} years old");
            (codes::PARENT_TOO_YOUNG, behind)
        } else {
            let behind = format!("when the {what} {who}, born {day}, was more than {oldest} years old");
            (codes::PARENT_TOO_OLD, behind)
        };
        let message =
            format!("{} was born {}, {behind}", words::name_person(child), describe_days(birth.dated()));
        let related =
            self.related_events(format!("the birth of the {what}"), other, (child, parent), Role::Birth);
        self.report(code, birth.position(), message, related);
    }

    /// Asks whether a child was born too long after the death of a parent.
    fn ask_about_birth_after_death(
        &mut self,
        child: Person<'l>,
        (birth, born): DatedBirth<'l>,
        (parent, sex): (Parent<'l>, Sex),
        (death, died): (Event<'l>, DayRange),
    ) {
        let days = self.asking.thresholds.days_after_father_death;
        let (code, last) = match sex {
            Sex::Female => (codes::BIRTH_AFTER_MOTHER_DEATH, died),
            Sex::Male => (codes::BIRTH_AFTER_FATHER_DEATH, died.plus_days(to_i32(days))),
            Sex::Unknown => return,
        };
        if !last.is_before(born) {
            return;
        }
        let (time, limit) = match sex {
            Sex::Male => (describe_gap_in_days(died, born), format!("; at most {days} are expected")),
            Sex::Female | Sex::Unknown => (describe_gap(died, born), String::new()),
        };
        let message = format!(
            "{} was born {}, {time} after the death of the {} {} {}{limit}",
            words::name_person(child),
            describe_days(birth.dated()),
            parent_word(sex),
            words::name_person(parent.person),
            describe_days(death.dated())
        );
        let what = format!("the death of the {}", parent_word(sex));
        let related = self.related_events(what, death, (child, parent.person), Role::Death);
        self.report(code, birth.position(), message, related);
    }

    /// Returns the event that is compared with the birth of the child, and the alternative events
    /// that were ignored.
    fn related_events(
        &self,
        what: String,
        event: Event<'l>,
        (child, parent): (Person<'l>, Person<'l>),
        role: Role,
    ) -> Vec<Related> {
        let others =
            self.mention_other_events(child, Role::Birth).chain(self.mention_other_events(parent, role));
        std::iter::once(related_event(what, event)).chain(others).collect()
    }
}

const fn parent_word(sex: Sex) -> &'static str {
    match sex {
        Sex::Female => "mother",
        Sex::Male => "father",
        Sex::Unknown => "parent",
    }
}
