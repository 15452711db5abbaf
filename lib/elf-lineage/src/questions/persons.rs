//! Asks questions about the events of one person.

use super::words::{self, noun_of_event};
use super::{Asker, DatedEvent, related_event, to_i32};
use crate::Role;
use crate::days::{describe_days, describe_gap};
use crate::graph::Person;
use crate::living::follows_birth;
use elf_base::codes;
use elf_values::{Calendar, CalendarDay};

/// Returns whether an event may happen before the birth, or another question covers this.
const fn may_precede_birth(role: Role) -> bool {
    let is_asked_elsewhere = matches!(
        role,
        Role::Birth | Role::Death | Role::Baptism | Role::Christening | Role::AdultChristening
    );
    is_asked_elsewhere || !follows_birth(role)
}

/// Returns whether an event may happen or be recorded after the death, or another question covers
/// this.
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
    pub(super) fn ask_about_person(&mut self, person: Person<'l>) {
        let birth = self.dated_event(person, Role::Birth);
        let death = self.dated_event(person, Role::Death);
        if let (Some(birth), Some(death)) = (birth, death) {
            self.ask_about_life_span(person, birth, death);
        }
        for event in person.events() {
            let dated = DatedEvent { event, days: self.range_of(event) };
            self.ask_about_future_event(dated, || words::name_person(person));
            if dated.days.is_any() {
                continue;
            }
            if let Some(birth) = birth {
                self.ask_about_event_before_birth(person, dated, birth);
            }
            if let Some(death) = death {
                self.ask_about_event_after_death(person, dated, death);
            }
        }
    }

    fn ask_about_life_span(&mut self, person: Person<'l>, birth: DatedEvent<'l>, death: DatedEvent<'l>) {
        let (born, died) = (birth.days, death.days);
        let years = self.options.thresholds.longest_life;
        let is_old = self.options.unlikely && born.plus_years(to_i32(years)).is_before(died);
        if died.is_before(born) {
            let message = format!(
                "{} died {}, {} before the birth {}",
                words::name_person(person),
                describe_days(death.event.dated()),
                describe_gap(died, born),
                describe_days(birth.event.dated())
            );
            let others = self
                .mention_other_events(person, Role::Birth)
                .chain(self.mention_other_events(person, Role::Death));
            let related = std::iter::once(related_event("the birth", birth.event)).chain(others);
            self.report(codes::DEATH_BEFORE_BIRTH, death.event.position(), message, related);
        } else if is_old {
            let message = format!(
                "{}, born {}, died {}, more than {years} years old",
                words::name_person(person),
                describe_days(birth.event.dated()),
                describe_days(death.event.dated())
            );
            let others = self
                .mention_other_events(person, Role::Birth)
                .chain(self.mention_other_events(person, Role::Death));
            let related = std::iter::once(related_event("the birth", birth.event)).chain(others);
            self.report(codes::AGE_TOO_HIGH, death.event.position(), message, related);
        }
    }

    /// Asks whether an event happened before the birth.
    fn ask_about_event_before_birth(
        &mut self,
        person: Person<'l>,
        dated: DatedEvent<'l>,
        birth: DatedEvent<'l>,
    ) {
        let DatedEvent { event, days } = dated;
        let role = event.role();
        if !days.is_before(birth.days) {
            return;
        }
        let is_baptism = matches!(role, Role::Baptism | Role::Christening | Role::AdultChristening);
        let name = words::name_person(person);
        let (day, gap) = (describe_days(event.dated()), describe_gap(days, birth.days));
        let behind = format!("{day}, {gap} before the birth {}", describe_days(birth.event.dated()));
        let others = self.mention_other_events(person, Role::Birth);
        let related = std::iter::once(related_event("the birth", birth.event)).chain(others);
        if is_baptism && self.options.unlikely {
            let message = format!("{name} {} {behind}", words::participle_of(role));
            self.report(codes::BAPTISM_BEFORE_BIRTH, event.position(), message, related);
        } else if !may_precede_birth(role) {
            let message = format!("the {} of {name} is dated {behind}", noun_of_event(event));
            self.report(codes::EVENT_BEFORE_BIRTH, event.position(), message, related);
        }
    }

    /// Asks whether a burial happened before the death, or another event after it.
    fn ask_about_event_after_death(
        &mut self,
        person: Person<'l>,
        dated: DatedEvent<'l>,
        death: DatedEvent<'l>,
    ) {
        let DatedEvent { event, days } = dated;
        let died = death.days;
        let role = event.role();
        let is_burial = matches!(role, Role::Burial | Role::Cremation) && days.is_before(died);
        let is_after =
            self.options.unlikely && died.is_before(days) && (role == Role::Will || !may_follow_death(role));
        // Fast path: nearly always, the dates are possible.
        if !is_burial && !is_after {
            return;
        }
        let (name, day) = (words::name_person(person), describe_days(event.dated()));
        let of_death = describe_days(death.event.dated());
        let (code, message) = match role {
            _ if is_burial => {
                let (done, gap) = (words::participle_of(role), describe_gap(days, died));
                let message = format!("{name} {done} {day}, {gap} before the death {of_death}");
                (codes::BURIAL_BEFORE_DEATH, message)
            }
            Role::Will => {
                let gap = describe_gap(died, days);
                let message = format!("{name} made a will {day}, {gap} after the death {of_death}");
                (codes::WILL_AFTER_DEATH, message)
            }
            _ => {
                let (what, gap) = (noun_of_event(event), describe_gap(died, days));
                let message =
                    format!("the {what} of {name} is dated {day}, {gap} after the death {of_death}");
                (codes::EVENT_AFTER_DEATH, message)
            }
        };
        let others = self.mention_other_events(person, Role::Death);
        let related = std::iter::once(related_event("the death", death.event)).chain(others);
        self.report(code, event.position(), message, related);
    }

    /// Asks whether an event is in the future.
    pub(super) fn ask_about_future_event(&mut self, dated: DatedEvent<'_>, whose: impl FnOnce() -> String) {
        let DatedEvent { event, days } = dated;
        if i64::from(days.earliest) <= self.options.today {
            return;
        }
        let day = describe_days(event.dated());
        let what = noun_of_event(event);
        let today = match Calendar::Gregorian.day(self.options.today) {
            Some(CalendarDay { year, month, day }) => format!("{year:04}-{month:02}-{day:02}"),
            None => "known".to_owned(),
        };
        let message = format!("the {what} of {} is dated {day}, but today is {today}", whose());
        self.report(codes::DATE_IN_FUTURE, event.position(), message, None);
    }
}
