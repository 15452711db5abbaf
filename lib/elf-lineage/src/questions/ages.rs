//! Asks questions about ages that events state.

use super::words::{self, noun_of_event};
use super::{Asker, DatedEvent, related_event, to_i32};
use crate::ages::{AgeOwner, Span, StatedAge};
use crate::days::{DayRange, describe_days, describe_gap};
use crate::graph::{FamilyId, MAX_PARTNERS, Person, PersonId};
use crate::spot::RecordPosition;
use crate::{PartnerRole, Role};
use elf_base::codes;

impl<'l> Asker<'l, '_> {
    pub(super) fn ask_about_ages(&mut self) {
        for stated in &self.lineage.ages {
            let role = match stated.of {
                AgeOwner::Person => {
                    if let Some(person) = self.lineage.person(PersonId(stated.record)) {
                        self.ask_about_age(person, person.data.spot, stated);
                    }
                    continue;
                }
                AgeOwner::Husband => PartnerRole::Husband,
                AgeOwner::Wife => PartnerRole::Wife,
            };
            let Some(family) = self.lineage.family(FamilyId(stated.record)) else { continue };
            let mut of_role = family.partners().take(MAX_PARTNERS).filter(|(_, other)| *other == role);
            // With two wives, nobody knows which one is meant.
            if let (Some((partner, _)), None) = (of_role.next(), of_role.next()) {
                self.ask_about_age(partner, family.data.spot, stated);
            }
        }
    }

    /// Asks whether a person could have had the stated age, with a tolerance of a few years.
    fn ask_about_age(&mut self, person: Person<'l>, record: RecordPosition, stated: &'l StatedAge) {
        let Some(DatedEvent { event: birth, days: born }) = self.dated_event(person, Role::Birth) else {
            return;
        };
        let event = self.lineage.event_of(stated.event, record);
        let range = self.range_of(event);
        // Another question covers an event before the birth.
        if range.is_any() || range.is_before(born) {
            return;
        }
        let beside = to_i32(self.options.thresholds.years_beside_age);
        let at_age = |Span { years, days }: Span, beside| born.plus_years(years + beside).plus_days(days);
        let (least, most) = stated.span.limits();
        // The age at a burial or a probate may be the age at death.
        let death = self.dated_event(person, Role::Death);
        let reached = death.map_or(range.earliest, |death| range.earliest.min(death.days.earliest));
        let is_high = most.is_some_and(|most| {
            let last = at_age(most, beside).latest;
            last < i32::MAX && last <= reached
        });
        let behind = if is_high {
            describe_gap(born, DayRange { earliest: reached, ..range })
        } else if range.is_before(at_age(least, -beside)) {
            let one = |day| DayRange { earliest: day, latest: day };
            format!("at most {}", describe_gap(one(born.earliest), one(range.latest)))
        } else {
            return;
        };
        let message = format!(
            "the {} of {} is dated {}, {behind} after the birth {}, and states {}",
            noun_of_event(event),
            words::name_person(person),
            describe_days(event.dated()),
            describe_days(birth.dated()),
            stated.span.describe()
        );
        let of_event = match event.role() {
            Role::Death => None,
            _ => death
                .filter(|_| is_high && reached < range.earliest)
                .map(|death| related_event("the death", death.event)),
        };
        let related =
            [Some(related_event("the birth", birth)), Some(related_event("the date", event)), of_event];
        let others: Vec<_> = self.mention_other_events(person, Role::Birth).collect();
        let place = stated.spot.to_place(record);
        self.report(codes::AGE_CONTRADICTED, place, message, related.into_iter().flatten().chain(others));
    }
}
