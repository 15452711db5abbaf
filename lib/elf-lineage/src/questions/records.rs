//! Questions about what a record has: several births or deaths, no death, no source, a person twice.

use super::{Asker, at, words};
use crate::days::{DayRange, gap, in_words, years_later};
use crate::graph::{Event, Family, NamedAgain, PARTNERS, Person};
use crate::run::Member;
use crate::{PartnerRole, Role, Sex};
use elf_base::{Related, codes};

/// The years after the latest death within which a burial or cremation is expected.
const YEARS_TO_BURIAL: i32 = 1;

/// The years after a birth within which a death need not be recorded.
const YEARS_WITHOUT_DEATH: i32 = 120;

/// An event and its days.
#[derive(Clone, Copy)]
struct DatedEvent<'l> {
    event: Event<'l>,
    days: DayRange,
}

/// Of some events whose days have one day in common, those that bound it.
struct CommonDays<'l> {
    last_to_start: DatedEvent<'l>,
    first_to_end: DatedEvent<'l>,
}

impl<'l> CommonDays<'l> {
    const fn of(one: DatedEvent<'l>) -> CommonDays<'l> {
        CommonDays { last_to_start: one, first_to_end: one }
    }

    /// Takes a further event, or returns one of those taken that has no day in common with it.
    fn take(&mut self, one: DatedEvent<'l>) -> Result<(), DatedEvent<'l>> {
        if one.days.is_before(self.last_to_start.days) {
            return Err(self.last_to_start);
        }
        if self.first_to_end.days.is_before(one.days) {
            return Err(self.first_to_end);
        }
        if one.days.earliest > self.last_to_start.days.earliest {
            self.last_to_start = one;
        }
        if one.days.latest < self.first_to_end.days.latest {
            self.first_to_end = one;
        }
        Ok(())
    }
}

impl<'l> Asker<'l, '_> {
    /// Asks about the record of a person.
    pub(super) fn record_of(&mut self, person: Person<'l>) {
        if self.asking.unlikely {
            self.conflicts(person, Role::Birth);
            self.conflicts(person, Role::Death);
            self.late_burials(person);
            self.missing_death(person);
        }
        if person.is_unsourced() {
            let message = format!("{} has no source", words::person(person));
            self.ask(codes::NO_SOURCE, person.position(), message, None);
        }
    }

    /// The dated events of a role.
    fn dated_events(&self, person: Person<'l>, role: Role) -> impl Iterator<Item = DatedEvent<'l>> + use<'l> {
        let years = self.asking.thresholds.years_of_approximation;
        let of_role = person.events().filter(move |event| event.role() == role);
        let dated = of_role.map(move |event| DatedEvent { event, days: event.range_within(years) });
        dated.filter(|one| !one.days.is_any())
    }

    /// Asks about births, or deaths, of which not all can be on one day.
    fn conflicts(&mut self, person: Person<'l>, role: Role) {
        let (code, done) = match role {
            Role::Birth => (codes::BIRTHS_CONFLICTING, "was born"),
            _ => (codes::DEATHS_CONFLICTING, "died"),
        };
        let mut common: Option<CommonDays<'l>> = None;
        for one in self.dated_events(person, role) {
            let Some(known) = &mut common else {
                common = Some(CommonDays::of(one));
                continue;
            };
            let Err(other) = known.take(one) else { continue };
            let (day, other_day) = (in_words(one.event.dated()), in_words(other.event.dated()));
            let name = words::person(person);
            let message = format!("{name} {done} {day}, but also {other_day}");
            let related = at(format!("the other {}", words::noun(role)), other.event);
            self.ask(code, one.event.position(), message, [related]);
        }
    }

    /// Asks about burials and cremations more than a year after the latest death.
    fn late_burials(&mut self, person: Person<'l>) {
        let deaths = self.dated_events(person, Role::Death);
        let Some(death) = deaths.max_by_key(|one| one.days.latest) else { return };
        let end = years_later(death.days.latest, YEARS_TO_BURIAL);
        for role in [Role::Burial, Role::Cremation] {
            for burial in self.dated_events(person, role).filter(|one| one.days.earliest > end) {
                let message = format!(
                    "{} {} {}, {} after the death {}",
                    words::person(person),
                    words::done(role),
                    in_words(burial.event.dated()),
                    gap(death.days, burial.days),
                    in_words(death.event.dated())
                );
                let related = [at("the death", death.event)];
                self.ask(codes::BURIAL_TOO_LATE, burial.event.position(), message, related);
            }
        }
    }

    /// Asks about a person who was born long ago, and of whom no death, burial or cremation is recorded.
    fn missing_death(&mut self, person: Person<'l>) {
        let births = self.dated_events(person, Role::Birth);
        let Some(birth) = births.max_by_key(|one| one.days.latest) else { return };
        let end = years_later(birth.days.latest, YEARS_WITHOUT_DEATH);
        let is_of_death =
            |event: Event<'_>| matches!(event.role(), Role::Death | Role::Burial | Role::Cremation);
        if i64::from(end) >= self.asking.today || person.events().any(is_of_death) {
            return;
        }
        let message = format!(
            "{} was born {}, more than {YEARS_WITHOUT_DEATH} years ago, and has no death, burial or cremation",
            words::person(person),
            in_words(birth.event.dated())
        );
        self.ask(codes::DEATH_NOT_RECORDED, birth.event.position(), message, None);
    }

    /// Asks about the partners and children of a family.
    pub(super) fn members_of(&mut self, family: Family<'l>) {
        for NamedAgain { person, member, place } in family.repeated_members() {
            let name = words::person(person);
            let of = family.identifier().map_or_else(|| "the family".to_owned(), |id| format!("@{id}@"));
            let (code, message) = match member {
                Member::Child => (codes::CHILD_LISTED_TWICE, format!("{of} lists the child {name} twice")),
                Member::Partner => (codes::PARTNERS_SAME, format!("{name} is both partners of {of}")),
            };
            let related = Related::new("the person", person.position(), None);
            self.ask(code, place, message, [related]);
        }
        if self.asking.by_name.sex_against_role {
            self.sexes(family);
        }
        if self.asking.by_name.child_before_marriage {
            self.children_before_marriage(family);
        }
    }

    /// Asks about a female husband and a male wife.
    fn sexes(&mut self, family: Family<'l>) {
        for (partner, role) in family.partners().take(PARTNERS) {
            let (sex, what) = match (role, partner.sex()) {
                (PartnerRole::Husband, Sex::Female) => ("female", "the husband"),
                (PartnerRole::Wife, Sex::Male) => ("male", "the wife"),
                (PartnerRole::Husband | PartnerRole::Wife | PartnerRole::Partner, _) => continue,
            };
            let message = format!("{}, {what} of a family, is {sex}", words::person(partner));
            let related = Related::new("the person", partner.position(), None);
            self.ask(codes::SEX_AGAINST_ROLE, family.position(), message, [related]);
        }
    }

    /// Asks about children by birth who were born before every marriage of their parents.
    fn children_before_marriage(&mut self, family: Family<'l>) {
        let marriages = family.events().filter(|event| event.role() == Role::Marriage);
        let marriages = marriages.map(|event| DatedEvent { event, days: self.range(event) });
        let Some(first) = marriages.min_by_key(|one| one.days.earliest) else { return };
        let of_both = [PartnerRole::Husband, PartnerRole::Wife];
        for child in family.children() {
            let Some((birth, born)) = self.first(child, Role::Birth) else { continue };
            let is_by_birth = of_both.into_iter().all(|role| child.is_born_to(family.id(), role));
            if !is_by_birth || !born.is_before(first.days) {
                continue;
            }
            let message = format!(
                "{} was born {}, {} before the marriage of the parents {}",
                words::person(child),
                in_words(birth.dated()),
                gap(born, first.days),
                in_words(first.event.dated())
            );
            let others = self.others(child, Role::Birth);
            let related = std::iter::once(at("the marriage", first.event)).chain(others);
            self.ask(codes::CHILD_BEFORE_MARRIAGE, birth.position(), message, related);
        }
    }
}
