//! Asks questions about a child and the parents by birth.

use super::circles::Circles;
use super::{Asker, DatedEvent, related_event, to_i32, words};
use crate::days::{describe_days, describe_gap, describe_gap_in_days};
use crate::graph::{Event, Person, PersonId};
use crate::{Role, Sex};
use elf_base::{Related, codes};

impl<'l> Asker<'l, '_> {
    /// Asks questions about a person and the parents by birth.
    ///
    /// A parent in a circle with the child is skipped, because the circle has its own question.
    pub(super) fn ask_about_parents(&mut self, child: Person<'l>, circles: &Circles) {
        let Some(birth) = self.dated_event(child, Role::Birth) else { return };
        let parents = child.parents().filter(|parent| parent.is_by_birth);
        // A person may be a parent through several families. There are few parents, so a list is
        // enough.
        let mut asked: Vec<PersonId> = Vec::new();
        for parent in parents.filter(|parent| !circles.contains_both(child.id().0, parent.person.id().0)) {
            if asked.contains(&parent.person.id()) {
                continue;
            }
            asked.push(parent.person.id());
            let sex = parent.person.sex_in_role(parent.role);
            if let Some(of_parent) = self.dated_event(parent.person, Role::Birth) {
                self.ask_about_births(child, birth, parent.person, sex, of_parent);
            }
            if let Some(death) = self.dated_event(parent.person, Role::Death) {
                self.ask_about_birth_after_death(child, birth, parent.person, sex, death);
            }
        }
    }

    /// Asks whether the births of a child and of a parent are possible together. `sex` is the sex
    /// of the parent.
    fn ask_about_births(
        &mut self,
        child: Person<'l>,
        birth: DatedEvent<'l>,
        parent: Person<'l>,
        sex: Sex,
        of_parent: DatedEvent<'l>,
    ) {
        let (born, older) = (birth.days, of_parent.days);
        let thresholds = self.options.thresholds;
        let (youngest, oldest) = match sex {
            Sex::Female => (thresholds.youngest_mother, thresholds.oldest_mother),
            Sex::Male => (thresholds.youngest_father, thresholds.oldest_father),
            Sex::Unknown => (
                thresholds.youngest_mother.min(thresholds.youngest_father),
                thresholds.oldest_mother.max(thresholds.oldest_father),
            ),
        };
        let unlikely = self.options.unlikely;
        let is_before = born.is_before(older);
        let is_young = unlikely && born.is_before(older.plus_years(to_i32(youngest)));
        let is_old = unlikely && older.plus_years(to_i32(oldest)).is_before(born);
        if !is_before && !is_young && !is_old {
            return;
        }
        let (what, who) = (parent_word(sex), words::name_person(parent));
        let day = describe_days(of_parent.event.dated());
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
        let message = format!(
            "{} was born {}, {behind}",
            words::name_person(child),
            describe_days(birth.event.dated())
        );
        let what = format!("the birth of the {what}");
        let related = self.related_events(what, of_parent.event, child, parent, Role::Birth);
        self.report(code, birth.event.position(), message, related);
    }

    /// Asks whether a child was born too long after the death of a parent. `sex` is the sex of the
    /// parent.
    fn ask_about_birth_after_death(
        &mut self,
        child: Person<'l>,
        birth: DatedEvent<'l>,
        parent: Person<'l>,
        sex: Sex,
        death: DatedEvent<'l>,
    ) {
        let (born, died) = (birth.days, death.days);
        let days = self.options.thresholds.days_after_father_death;
        let (code, last) = match sex {
            Sex::Female => (codes::BIRTH_AFTER_MOTHER_DEATH, died),
            Sex::Male => (codes::BIRTH_AFTER_FATHER_DEATH, died.plus_days(to_i32(days))),
            Sex::Unknown => return,
        };
        if !last.is_before(born) {
            return;
        }
        let (time, limit) = match sex {
            Sex::Male => (describe_gap_in_days(died, born), format!("; at most {days} days are expected")),
            Sex::Female | Sex::Unknown => (describe_gap(died, born), String::new()),
        };
        let message = format!(
            "{} was born {}, {time} after the death of the {} {} {}{limit}",
            words::name_person(child),
            describe_days(birth.event.dated()),
            parent_word(sex),
            words::name_person(parent),
            describe_days(death.event.dated())
        );
        let what = format!("the death of the {}", parent_word(sex));
        let related = self.related_events(what, death.event, child, parent, Role::Death);
        self.report(code, birth.event.position(), message, related);
    }

    /// Returns the event of the parent that is compared with the birth of the child, and the alternative
    /// events that were ignored.
    fn related_events(
        &self,
        what: String,
        event: Event<'l>,
        child: Person<'l>,
        parent: Person<'l>,
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
