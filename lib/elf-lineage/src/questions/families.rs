//! Questions about the events of a couple.

use super::words::{self, noun_of};
use super::{Asker, at, signed};
use crate::Role;
use crate::days::{DayRange, gap, in_words};
use crate::graph::{Event, Family, PARTNERS, Person};
use elf_base::{Related, codes};

/// Returns whether an event of a couple takes both to have been born, though another question does not ask it.
const fn takes_birth(role: Role) -> bool {
    matches!(
        role,
        Role::Divorce | Role::Annulment | Role::DivorceFiled | Role::Engagement | Role::OtherFamilyEvent
    )
}

/// Returns whether an event of a couple takes both to be still alive.
const fn takes_life(role: Role) -> bool {
    matches!(role, Role::Divorce | Role::Annulment | Role::DivorceFiled | Role::Engagement)
}

impl<'l> Asker<'l, '_> {
    pub(super) fn family(&mut self, family: Family<'l>) {
        let mut divorces: Option<(Event<'l>, DayRange)> = None;
        let mut marriages: Option<(Event<'l>, DayRange)> = None;
        for event in family.events() {
            let (role, range) = (event.role(), self.range(event));
            self.future(event, range, || words::couple(family));
            match role {
                // Of several marriages, use the one that starts last; of several divorces, the one that ends first.
                Role::Marriage if marriages.is_none_or(|(_, known)| range.earliest < known.earliest) => {
                    marriages = Some((event, range));
                }
                Role::Divorce if divorces.is_none_or(|(_, known)| range.latest > known.latest) => {
                    divorces = Some((event, range));
                }
                _ => {}
            }
            if !range.is_any() && (role == Role::Marriage || takes_birth(role) || takes_life(role)) {
                for (partner, _) in family.partners().take(PARTNERS) {
                    self.partner(partner, (event, range));
                }
            }
        }
        let (Some((marriage, married)), Some((divorce, divorced))) = (marriages, divorces) else { return };
        if self.asking.unlikely && divorced.is_before(married) {
            let message = format!(
                "{} {} divorced {}, {} before the marriage {}",
                words::couple(family),
                if family.partners().nth(1).is_some() { "were" } else { "was" },
                in_words(divorce.dated()),
                gap(divorced, married),
                in_words(marriage.dated())
            );
            self.ask(
                codes::DIVORCE_BEFORE_MARRIAGE,
                divorce.position(),
                message,
                [at("the marriage", marriage)],
            );
        }
    }

    /// Asks about an event of a couple and the life of one of them.
    fn partner(&mut self, partner: Person<'l>, (event, range): (Event<'l>, DayRange)) {
        let role = event.role();
        let unlikely = self.asking.unlikely;
        if let Some((birth, born)) = self.first(partner, Role::Birth) {
            let years = self.asking.thresholds.youngest_partner;
            let is_young = unlikely && range.is_before(born.plus_years(signed(years)));
            if range.is_before(born) && (role == Role::Marriage || takes_birth(role)) {
                let code = match role {
                    Role::Marriage => codes::MARRIAGE_BEFORE_BIRTH,
                    _ => codes::EVENT_BEFORE_BIRTH,
                };
                let gap = gap(range, born);
                let behind = format!("{gap} before the birth {}", in_words(birth.dated()));
                let message = describe_event(partner, event, &behind);
                let related = self.of_partner("the birth", birth, partner, Role::Birth);
                self.ask(code, event.position(), message, related);
            } else if is_young && role == Role::Marriage {
                let behind = format!("less than {years} years after the birth {}", in_words(birth.dated()));
                let message = describe_event(partner, event, &behind);
                let related = self.of_partner("the birth", birth, partner, Role::Birth);
                self.ask(codes::MARRIAGE_TOO_YOUNG, event.position(), message, related);
            }
        }
        let Some((death, died)) = self.first(partner, Role::Death) else { return };
        if unlikely && died.is_before(range) && (role == Role::Marriage || takes_life(role)) {
            let code = match role {
                Role::Marriage => codes::MARRIAGE_AFTER_DEATH,
                _ => codes::EVENT_AFTER_DEATH,
            };
            let behind = format!("{} after the death {}", gap(died, range), in_words(death.dated()));
            let message = describe_event(partner, event, &behind);
            let related = self.of_partner("the death", death, partner, Role::Death);
            self.ask(code, event.position(), message, related);
        }
    }

    fn of_partner(
        &self,
        what: &'static str,
        event: Event<'l>,
        partner: Person<'l>,
        role: Role,
    ) -> Vec<Related> {
        std::iter::once(at(what, event)).chain(self.others(partner, role)).collect()
    }
}

/// An event of a couple as one of one partner: `John Doe (@I1@) married in 1830, …`.
fn describe_event(partner: Person<'_>, event: Event<'_>, behind: &str) -> String {
    let (who, day) = (words::person(partner), in_words(event.dated()));
    match event.role() {
        Role::Marriage => format!("{who} married {day}, {behind}"),
        _ => format!("the {} of {who} is dated {day}, {behind}", noun_of(event)),
    }
}
