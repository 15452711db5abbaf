//! Questions about a child and its parents by birth.

use super::circles::Circles;
use super::{Asker, at, signed, words};
use crate::days::{DayRange, gap, gap_in_days, in_words};
use crate::graph::{Event, Parent, Person, PersonId};
use crate::{Role, Sex};
use elf_base::{Related, codes};

/// A birth and its days.
type Born<'l> = (Event<'l>, DayRange);

impl<'l> Asker<'l, '_> {
    /// Asks about a person and the parents by birth.
    ///
    /// A parent in one circle with the child is skipped: the circle itself is the question.
    pub(super) fn parents_of(&mut self, child: Person<'l>, circles: &Circles) {
        let Some(born) = self.first(child, Role::Birth) else { return };
        let parents = child.parents().filter(|parent| parent.is_by_birth);
        // One person may be a parent by several families; there are few.
        let mut met: Vec<PersonId> = Vec::new();
        for parent in parents.filter(|parent| !circles.has_both(child.id().0, parent.person.id().0)) {
            if met.contains(&parent.person.id()) {
                continue;
            }
            met.push(parent.person.id());
            let sex = parent.person.sex_as(parent.role);
            if let Some(birth) = self.first(parent.person, Role::Birth) {
                self.births(child, born, (parent.person, sex), birth);
            }
            if let Some(death) = self.first(parent.person, Role::Death) {
                self.after_death(child, born, (parent, sex), death);
            }
        }
    }

    /// Asks about the birth of a child and that of a parent.
    fn births(
        &mut self,
        child: Person<'l>,
        (birth, born): Born<'l>,
        (parent, sex): (Person<'l>, Sex),
        (other, older): Born<'l>,
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
        let is_young = unlikely && born.is_before(older.plus_years(signed(youngest)));
        let is_old = unlikely && older.plus_years(signed(oldest)).is_before(born);
        if !is_before && !is_young && !is_old {
            return;
        }
        let (what, who) = (kinship(sex), words::person(parent));
        let day = in_words(other.dated());
        let (code, behind) = if is_before {
            let gap = gap(born, older);
            (codes::CHILD_BEFORE_PARENT, format!("{gap} before the {what} {who}, born {day}"))
        } else if is_young {
            let behind = format!("before the {what} {who}, born {day}, was {youngest} years old");
            (codes::PARENT_TOO_YOUNG, behind)
        } else {
            let behind = format!("when the {what} {who}, born {day}, was more than {oldest} years old");
            (codes::PARENT_TOO_OLD, behind)
        };
        let message = format!("{} was born {}, {behind}", words::person(child), in_words(birth.dated()));
        let related = self.related(format!("the birth of the {what}"), other, (child, parent), Role::Birth);
        self.ask(code, birth.position(), message, related);
    }

    /// Asks whether a child was born too long after the death of a parent.
    fn after_death(
        &mut self,
        child: Person<'l>,
        (birth, born): Born<'l>,
        (parent, sex): (Parent<'l>, Sex),
        (death, died): (Event<'l>, DayRange),
    ) {
        let days = self.asking.thresholds.days_after_father_death;
        let (code, last) = match sex {
            Sex::Female => (codes::BIRTH_AFTER_MOTHER_DEATH, died),
            Sex::Male => (codes::BIRTH_AFTER_FATHER_DEATH, died.plus_days(signed(days))),
            Sex::Unknown => return,
        };
        if !last.is_before(born) {
            return;
        }
        let (time, limit) = match sex {
            Sex::Male => (gap_in_days(died, born), format!("; at most {days} are expected")),
            Sex::Female | Sex::Unknown => (gap(died, born), String::new()),
        };
        let message = format!(
            "{} was born {}, {time} after the death of the {} {} {}{limit}",
            words::person(child),
            in_words(birth.dated()),
            kinship(sex),
            words::person(parent.person),
            in_words(death.dated())
        );
        let what = format!("the death of the {}", kinship(sex));
        let related = self.related(what, death, (child, parent.person), Role::Death);
        self.ask(code, birth.position(), message, related);
    }

    /// The event that is compared with the birth of the child, and the others that were skipped.
    fn related(
        &self,
        what: String,
        event: Event<'l>,
        (child, parent): (Person<'l>, Person<'l>),
        role: Role,
    ) -> Vec<Related> {
        let others = self.others(child, Role::Birth).chain(self.others(parent, role));
        std::iter::once(at(what, event)).chain(others).collect()
    }
}

const fn kinship(sex: Sex) -> &'static str {
    match sex {
        Sex::Female => "mother",
        Sex::Male => "father",
        Sex::Unknown => "parent",
    }
}
