//! Questions about the events of one person.

use super::words::{self, noun_of};
use super::{Asker, at, signed};
use crate::Role;
use crate::days::{DayRange, gap, in_words};
use crate::graph::{Event, Person};
use crate::living::takes_birth;
use elf_base::codes;
use elf_values::{Calendar, CalendarDay};

/// Returns whether an event may be before the birth, or whether another question asks about that.
const fn may_precede_birth(role: Role) -> bool {
    let is_asked_elsewhere = matches!(
        role,
        Role::Birth | Role::Death | Role::Baptism | Role::Christening | Role::AdultChristening
    );
    is_asked_elsewhere || !takes_birth(role)
}

/// Returns whether an event may be after the death: done or recorded then; or whether another question asks
/// about that.
const fn may_follow_death(role: Role) -> bool {
    matches!(
        role,
        Role::Death
            | Role::Birth
            | Role::Burial
            | Role::Cremation
            | Role::Probate
            | Role::Will
            | Role::GenericEvent
            | Role::GenericAttribute
            | Role::Property
            | Role::Title
            | Role::Graduation
            | Role::Census
            | Role::Ordinance
    )
}

impl<'l> Asker<'l, '_> {
    pub(super) fn person(&mut self, person: Person<'l>) {
        let birth = self.first(person, Role::Birth);
        let death = self.first(person, Role::Death);
        if let (Some(birth), Some(death)) = (birth, death) {
            self.life(person, birth, death);
        }
        for event in person.events() {
            let range = self.range(event);
            self.future(event, range, || words::person(person));
            if range.is_any() {
                continue;
            }
            if let Some(birth) = birth {
                self.with_birth(person, (event, range), birth);
            }
            if let Some(death) = death {
                self.with_death(person, (event, range), death);
            }
        }
    }

    fn life(&mut self, person: Person<'l>, birth: (Event<'l>, DayRange), death: (Event<'l>, DayRange)) {
        let ((birth, born), (death, died)) = (birth, death);
        let years = self.asking.thresholds.longest_life;
        let is_old = self.asking.unlikely && born.plus_years(signed(years)).is_before(died);
        if died.is_before(born) {
            let message = format!(
                "{} died {}, {} before the birth {}",
                words::person(person),
                in_words(death.dated()),
                gap(died, born),
                in_words(birth.dated())
            );
            let others = self.others(person, Role::Birth).chain(self.others(person, Role::Death));
            let related = std::iter::once(at("the birth", birth)).chain(others);
            self.ask(codes::DEATH_BEFORE_BIRTH, death.position(), message, related);
        } else if is_old {
            let message = format!(
                "{}, born {}, died {}, more than {years} years old",
                words::person(person),
                in_words(birth.dated()),
                in_words(death.dated())
            );
            let others = self.others(person, Role::Birth).chain(self.others(person, Role::Death));
            let related = std::iter::once(at("the birth", birth)).chain(others);
            self.ask(codes::AGE_TOO_HIGH, death.position(), message, related);
        }
    }

    /// Asks whether an event was before the birth.
    fn with_birth(
        &mut self,
        person: Person<'l>,
        (event, range): (Event<'l>, DayRange),
        (birth, born): (Event<'l>, DayRange),
    ) {
        let role = event.role();
        if !range.is_before(born) {
            return;
        }
        let is_baptism = matches!(role, Role::Baptism | Role::Christening | Role::AdultChristening);
        let name = words::person(person);
        let (day, gap) = (in_words(event.dated()), gap(range, born));
        let behind = format!("{day}, {gap} before the birth {}", in_words(birth.dated()));
        let others = self.others(person, Role::Birth);
        let related = std::iter::once(at("the birth", birth)).chain(others);
        if is_baptism && self.asking.unlikely {
            let message = format!("{name} {} {behind}", words::done(role));
            self.ask(codes::BAPTISM_BEFORE_BIRTH, event.position(), message, related);
        } else if !may_precede_birth(role) {
            let message = format!("the {} of {name} is dated {behind}", noun_of(event));
            self.ask(codes::EVENT_BEFORE_BIRTH, event.position(), message, related);
        }
    }

    /// Asks whether a burial was before the death, and other events after it.
    fn with_death(
        &mut self,
        person: Person<'l>,
        (event, range): (Event<'l>, DayRange),
        (death, died): (Event<'l>, DayRange),
    ) {
        let role = event.role();
        let is_burial = matches!(role, Role::Burial | Role::Cremation) && range.is_before(died);
        let is_after =
            self.asking.unlikely && died.is_before(range) && (role == Role::Will || !may_follow_death(role));
        // Fast path: nearly always there is nothing to ask.
        if !is_burial && !is_after {
            return;
        }
        let (name, day) = (words::person(person), in_words(event.dated()));
        let of_death = in_words(death.dated());
        let (code, message) = match role {
            _ if is_burial => {
                let (done, gap) = (words::done(role), gap(range, died));
                let message = format!("{name} {done} {day}, {gap} before the death {of_death}");
                (codes::BURIAL_BEFORE_DEATH, message)
            }
            Role::Will => {
                let gap = gap(died, range);
                let message = format!("{name} made a will {day}, {gap} after the death {of_death}");
                (codes::WILL_AFTER_DEATH, message)
            }
            _ => {
                let (what, gap) = (noun_of(event), gap(died, range));
                let message =
                    format!("the {what} of {name} is dated {day}, {gap} after the death {of_death}");
                (codes::EVENT_AFTER_DEATH, message)
            }
        };
        let others = self.others(person, Role::Death);
        let related = std::iter::once(at("the death", death)).chain(others);
        self.ask(code, event.position(), message, related);
    }

    /// Asks whether an event is later than today.
    pub(super) fn future(&mut self, event: Event<'_>, range: DayRange, whose: impl FnOnce() -> String) {
        if i64::from(range.earliest) <= self.asking.today {
            return;
        }
        let day = in_words(event.dated());
        let what = noun_of(event);
        let today = match Calendar::Gregorian.day(self.asking.today) {
            Some(CalendarDay { year, month, day }) => format!("{year:04}-{month:02}-{day:02}"),
            None => "known".to_owned(),
        };
        let message = format!("the {what} of {} is dated {day}, but today is {today}", whose());
        self.ask(codes::DATE_IN_FUTURE, event.position(), message, None);
    }
}
