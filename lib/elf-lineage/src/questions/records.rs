//! Asks questions about the content of a record: several births or deaths, a missing death or
//! source, and a person who is named twice.

use super::{Asker, DatedEvent, related_event, words};
use crate::days::{describe_days, describe_gap, years_later};
use crate::graph::{Event, Family, MAX_PARTNERS, Person, RepeatedMention};
use crate::run::Member;
use crate::{PartnerRole, Role, Sex};
use elf_base::{Related, codes};

/// The number of years after the latest death within which a burial or cremation is expected.
const YEARS_TO_BURIAL: i32 = 1;

/// The number of years after a birth within which a death need not be recorded.
const YEARS_WITHOUT_DEATH: i32 = 120;

/// Several events that have at least one day in common. Only the events that limit the common days
/// are stored.
struct CommonDays<'l> {
    last_to_start: DatedEvent<'l>,
    first_to_end: DatedEvent<'l>,
}

impl<'l> CommonDays<'l> {
    const fn of(one: DatedEvent<'l>) -> CommonDays<'l> {
        CommonDays { last_to_start: one, first_to_end: one }
    }

    /// Adds an event. If the event has no day in common with the events so far, returns one of
    /// those.
    fn add(&mut self, one: DatedEvent<'l>) -> Result<(), DatedEvent<'l>> {
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
    pub(super) fn ask_about_record(&mut self, person: Person<'l>) {
        if self.options.unlikely {
            self.ask_about_conflicting_dates(person, Role::Birth);
            self.ask_about_conflicting_dates(person, Role::Death);
            self.ask_about_late_burials(person);
            self.ask_about_missing_death(person);
        }
        if person.is_unsourced() {
            let message = format!("{} has no source", words::name_person(person));
            self.report(codes::NO_SOURCE, person.position(), message, None);
        }
    }

    /// Returns the dated events with a role.
    fn dated_events(&self, person: Person<'l>, role: Role) -> impl Iterator<Item = DatedEvent<'l>> + use<'l> {
        let years = self.options.thresholds.years_of_approximation;
        let of_role = person.events().filter(move |event| event.role() == role);
        let dated = of_role.map(move |event| DatedEvent { event, days: event.range_with_tolerance(years) });
        dated.filter(|one| !one.days.is_any())
    }

    /// Asks about births, or deaths, that cannot all be on one day.
    fn ask_about_conflicting_dates(&mut self, person: Person<'l>, role: Role) {
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
            let Err(other) = known.add(one) else { continue };
            let (day, other_day) = (describe_days(one.event.dated()), describe_days(other.event.dated()));
            let name = words::name_person(person);
            let message = format!("{name} {done} {day}, but also {other_day}");
            let related = related_event(format!("the other {}", words::noun_of_role(role)), other.event);
            self.report(code, one.event.position(), message, [related]);
        }
    }

    /// Asks about burials and cremations more than a year after the latest death.
    fn ask_about_late_burials(&mut self, person: Person<'l>) {
        let deaths = self.dated_events(person, Role::Death);
        let Some(death) = deaths.max_by_key(|one| one.days.latest) else { return };
        let end = years_later(death.days.latest, YEARS_TO_BURIAL);
        for role in [Role::Burial, Role::Cremation] {
            for burial in self.dated_events(person, role).filter(|one| one.days.earliest > end) {
                let message = format!(
                    "{} {} {}, {} after the death {}",
                    words::name_person(person),
                    words::participle_of(role),
                    describe_days(burial.event.dated()),
                    describe_gap(death.days, burial.days),
                    describe_days(death.event.dated())
                );
                let related = [related_event("the death", death.event)];
                self.report(codes::BURIAL_TOO_LATE, burial.event.position(), message, related);
            }
        }
    }

    /// Asks about people who were born long ago without a recorded death, burial or cremation.
    fn ask_about_missing_death(&mut self, person: Person<'l>) {
        let births = self.dated_events(person, Role::Birth);
        let Some(birth) = births.max_by_key(|one| one.days.latest) else { return };
        let end = years_later(birth.days.latest, YEARS_WITHOUT_DEATH);
        let is_of_death =
            |event: Event<'_>| matches!(event.role(), Role::Death | Role::Burial | Role::Cremation);
        if i64::from(end) >= self.options.today || person.events().any(is_of_death) {
            return;
        }
        let message = format!(
            "{} was born {}, more than {YEARS_WITHOUT_DEATH} years ago, and has no death, burial or cremation",
            words::name_person(person),
            describe_days(birth.event.dated())
        );
        self.report(codes::DEATH_NOT_RECORDED, birth.event.position(), message, None);
    }

    /// Asks about the partners and children of a family.
    pub(super) fn ask_about_members(&mut self, family: Family<'l>) {
        for RepeatedMention { person, member, place } in family.repeated_members() {
            let name = words::name_person(person);
            let of = family.identifier().map_or_else(|| "the family".to_owned(), |id| format!("@{id}@"));
            let (code, message) = match member {
                Member::Child => (codes::CHILD_LISTED_TWICE, format!("{of} lists the child {name} twice")),
                Member::Partner => (codes::PARTNERS_SAME, format!("{name} is both partners of {of}")),
            };
            let related = Related::new("the person", person.position(), None);
            self.report(code, place, message, [related]);
        }
        if self.options.optional.sex_against_role {
            self.ask_about_sexes(family);
        }
        if self.options.optional.child_before_marriage {
            self.ask_about_children_before_marriage(family);
        }
    }

    /// Asks about a female husband and a male wife.
    fn ask_about_sexes(&mut self, family: Family<'l>) {
        for (partner, role) in family.partners().take(MAX_PARTNERS) {
            let (sex, what) = match (role, partner.sex()) {
                (PartnerRole::Husband, Sex::Female) => ("female", "the husband"),
                (PartnerRole::Wife, Sex::Male) => ("male", "the wife"),
                (PartnerRole::Husband | PartnerRole::Wife | PartnerRole::Partner, _) => continue,
            };
            let message = format!("{}, {what} of a family, is {sex}", words::name_person(partner));
            let related = Related::new("the person", partner.position(), None);
            self.report(codes::SEX_AGAINST_ROLE, family.position(), message, [related]);
        }
    }

    /// Asks about children by birth who were born before all marriages of their parents.
    fn ask_about_children_before_marriage(&mut self, family: Family<'l>) {
        let marriages = family.events().filter(|event| event.role() == Role::Marriage);
        let marriages = marriages.map(|event| DatedEvent { event, days: self.range_of(event) });
        let Some(first) = marriages.min_by_key(|one| one.days.earliest) else { return };
        let of_both = [PartnerRole::Husband, PartnerRole::Wife];
        for child in family.children() {
            let Some(birth) = self.dated_event(child, Role::Birth) else { continue };
            let is_by_birth = of_both.into_iter().all(|role| child.is_born_to(family.id(), role));
            if !is_by_birth || !birth.days.is_before(first.days) {
                continue;
            }
            let message = format!(
                "{} was born {}, {} before the marriage of the parents {}",
                words::name_person(child),
                describe_days(birth.event.dated()),
                describe_gap(birth.days, first.days),
                describe_days(first.event.dated())
            );
            let others = self.mention_other_events(child, Role::Birth);
            let related = std::iter::once(related_event("the marriage", first.event)).chain(others);
            self.report(codes::CHILD_BEFORE_MARRIAGE, birth.event.position(), message, related);
        }
    }
}
