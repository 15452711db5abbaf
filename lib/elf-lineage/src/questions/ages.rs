//! Questions about the ages that events state, and the births of those whose ages they are.

use super::words::{self, noun_of};
use super::{Asker, at, signed};
use crate::ages::{AgeOf, Span, StatedAge};
use crate::days::{DayRange, gap, in_words};
use crate::graph::{FamilyId, PARTNERS, Person, PersonId};
use crate::spot::RecordSpot;
use crate::{PartnerRole, Role};
use elf_base::codes;

impl<'l> Asker<'l, '_> {
    /// Asks about each age that is stated.
    pub(super) fn ages(&mut self) {
        for stated in &self.lineage.ages {
            let role = match stated.of {
                AgeOf::Person => {
                    if let Some(person) = self.lineage.person(PersonId(stated.record)) {
                        self.age(person, person.data.spot, stated);
                    }
                    continue;
                }
                AgeOf::Husband => PartnerRole::Husband,
                AgeOf::Wife => PartnerRole::Wife,
            };
            let Some(family) = self.lineage.family(FamilyId(stated.record)) else { continue };
            let mut of_role = family.partners().take(PARTNERS).filter(|(_, other)| *other == role);
            // With two wives, it is not known which one is meant.
            if let (Some((partner, _)), None) = (of_role.next(), of_role.next()) {
                self.age(partner, family.data.spot, stated);
            }
        }
    }

    /// Asks whether somebody may have been so old, a few years more or less.
    fn age(&mut self, person: Person<'l>, record: RecordSpot, stated: &'l StatedAge) {
        let Some((birth, born)) = self.first(person, Role::Birth) else { return };
        let event = self.lineage.event_of(stated.event, record);
        let range = self.range(event);
        // Another question asks about an event before the birth.
        if range.is_any() || range.is_before(born) {
            return;
        }
        let beside = signed(self.asking.thresholds.years_beside_age);
        let at_age = |Span { years, days }: Span, beside| born.plus_years(years + beside).plus_days(days);
        let (least, most) = stated.span.limits();
        // The age at a burial or a probate may be the age at death.
        let death = self.first(person, Role::Death);
        let reached = death.map_or(range.earliest, |(_, died)| range.earliest.min(died.earliest));
        let is_high = most.is_some_and(|most| {
            let last = at_age(most, beside).latest;
            last < i32::MAX && last <= reached
        });
        let behind = if is_high {
            gap(born, DayRange { earliest: reached, ..range })
        } else if range.is_before(at_age(least, -beside)) {
            let one = |day| DayRange { earliest: day, latest: day };
            format!("at most {}", gap(one(born.earliest), one(range.latest)))
        } else {
            return;
        };
        let message = format!(
            "the {} of {} is dated {}, {behind} after the birth {}, and states {}",
            noun_of(event),
            words::person(person),
            in_words(event.dated()),
            in_words(birth.dated()),
            stated.span.in_words()
        );
        let of_event = match event.role() {
            Role::Death => None,
            _ => {
                death.filter(|_| is_high && reached < range.earliest).map(|(death, _)| at("the death", death))
            }
        };
        let related = [Some(at("the birth", birth)), Some(at("the date", event)), of_event];
        let others: Vec<_> = self.others(person, Role::Birth).collect();
        let place = stated.spot.place(record);
        self.ask(codes::AGE_CONTRADICTED, place, message, related.into_iter().flatten().chain(others));
    }
}
