//! Asks questions about the events of a couple.

use super::words::{self, noun_of_event};
use super::{Asker, DatedEvent, related_event, to_i32};
use crate::Role;
use crate::days::{describe_days, describe_gap};
use crate::graph::{Event, Family, MAX_PARTNERS, Person};
use elf_base::{Related, codes};

/// Returns whether an event of a couple requires that both are born, and no other question covers
/// this.
const fn requires_births(role: Role) -> bool {
    matches!(
        role,
        Role::Divorce | Role::Annulment | Role::DivorceFiled | Role::Engagement | Role::OtherFamilyEvent
    )
}

/// Returns whether an event of a couple requires that both are alive.
const fn requires_living_partners(role: Role) -> bool {
    matches!(role, Role::Divorce | Role::Annulment | Role::DivorceFiled | Role::Engagement)
}

impl<'l> Asker<'l, '_> {
    pub(super) fn ask_about_family(&mut self, family: Family<'l>) {
        let mut divorce: Option<DatedEvent<'l>> = None;
        let mut marriage: Option<DatedEvent<'l>> = None;
        for event in family.events() {
            let (role, days) = (event.role(), self.range_of(event));
            let dated = DatedEvent { event, days };
            self.ask_about_future_event(dated, || words::name_couple(family));
            match role {
                // Of several marriages, use the one that starts last. Of several divorces, use the
                // one that ends first.
                Role::Marriage if marriage.is_none_or(|known| days.earliest < known.days.earliest) => {
                    marriage = Some(dated);
                }
                Role::Divorce if divorce.is_none_or(|known| days.latest > known.days.latest) => {
                    divorce = Some(dated);
                }
                _ => {}
            }
            if !days.is_any()
                && (role == Role::Marriage || requires_births(role) || requires_living_partners(role))
            {
                for (partner, _) in family.partners().take(MAX_PARTNERS) {
                    self.ask_about_partner(partner, dated);
                }
            }
        }
        let (Some(marriage), Some(divorce)) = (marriage, divorce) else { return };
        if self.options.unlikely && divorce.days.is_before(marriage.days) {
            let message = format!(
                "{} {} divorced {}, {} before the marriage {}",
                words::name_couple(family),
                if family.partners().nth(1).is_some() { "were" } else { "was" },
                describe_days(divorce.event.dated()),
                describe_gap(divorce.days, marriage.days),
                describe_days(marriage.event.dated())
            );
            self.report(
                codes::DIVORCE_BEFORE_MARRIAGE,
                divorce.event.position(),
                message,
                [related_event("the marriage", marriage.event)],
            );
        }
    }

    /// Asks whether an event of a couple is possible within the life of one partner.
    fn ask_about_partner(&mut self, partner: Person<'l>, dated: DatedEvent<'l>) {
        let DatedEvent { event, days } = dated;
        let role = event.role();
        let unlikely = self.options.unlikely;
        if let Some(birth) = self.dated_event(partner, Role::Birth) {
            let years = self.options.thresholds.youngest_partner;
            let is_young = unlikely && days.is_before(birth.days.plus_years(to_i32(years)));
            if days.is_before(birth.days) && (role == Role::Marriage || requires_births(role)) {
                let code = match role {
                    Role::Marriage => codes::MARRIAGE_BEFORE_BIRTH,
                    _ => codes::EVENT_BEFORE_BIRTH,
                };
                let gap = describe_gap(days, birth.days);
                let behind = format!("{gap} before the birth {}", describe_days(birth.event.dated()));
                let message = describe_event(partner, event, &behind);
                let related = self.related_to_partner("the birth", birth.event, partner, Role::Birth);
                self.report(code, event.position(), message, related);
            } else if is_young && role == Role::Marriage {
                let behind =
                    format!("less than {years} years after the birth {}", describe_days(birth.event.dated()));
                let message = describe_event(partner, event, &behind);
                let related = self.related_to_partner("the birth", birth.event, partner, Role::Birth);
                self.report(codes::MARRIAGE_TOO_YOUNG, event.position(), message, related);
            }
        }
        let Some(death) = self.dated_event(partner, Role::Death) else { return };
        if unlikely
            && death.days.is_before(days)
            && (role == Role::Marriage || requires_living_partners(role))
        {
            let code = match role {
                Role::Marriage => codes::MARRIAGE_AFTER_DEATH,
                _ => codes::EVENT_AFTER_DEATH,
            };
            let behind = format!(
                "{} after the death {}",
                describe_gap(death.days, days),
                describe_days(death.event.dated())
            );
            let message = describe_event(partner, event, &behind);
            let related = self.related_to_partner("the death", death.event, partner, Role::Death);
            self.report(code, event.position(), message, related);
        }
    }

    fn related_to_partner(
        &self,
        what: &'static str,
        event: Event<'l>,
        partner: Person<'l>,
        role: Role,
    ) -> Vec<Related> {
        std::iter::once(related_event(what, event)).chain(self.mention_other_events(partner, role)).collect()
    }
}

/// Describes an event of a couple from the view of one partner: `John Doe (@I1@) married in 1830,
/// …`.
fn describe_event(partner: Person<'_>, event: Event<'_>, behind: &str) -> String {
    let (who, day) = (words::name_person(partner), describe_days(event.dated()));
    match event.role() {
        Role::Marriage => format!("{who} married {day}, {behind}"),
        _ => format!("the {} of {who} is dated {day}, {behind}", noun_of_event(event)),
    }
}
