//! The latest day on which a person may have been born, and who may be living.

use crate::days::years_later;
use crate::graph::{Event, Family, Person};
use crate::run::PartnerRole;
use crate::{Role, Thresholds};

/// The least age at which somebody has a child, in years, where nothing but the child is known.
const LEAST_AGE_OF_PARENT: i32 = 10;

/// The years after the death of a parent in which a child may still be born.
const AFTER_DEATH_OF_PARENT: i32 = 1;

/// The Julian day number of the first of January of the year 100. A year of two digits is one of a century
/// that nobody wrote, not of the first: before this day a date says nothing of who is living.
const FIRST_DAY_OF_LONG_YEARS: i32 = 1_757_585;

/// The Julian day number of the first of January of the year 1.
const FIRST_DAY_OF_YEARS: i32 = 1_721_424;

/// The conditions under which a person counts as living.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct LivingRule {
    /// The Julian day number of today.
    pub today: i64,
    /// The most years that somebody is expected to live.
    pub within: u32,
    /// True if a death of which nothing but its tag is said counts as one.
    pub bare_death: bool,
}

impl LivingRule {
    /// The rule on a day: somebody born within 110 years before it may be living, and a bare DEAT says
    /// nothing.
    pub const fn on(today: i64) -> LivingRule {
        LivingRule { today, within: 110, bare_death: false }
    }
}

/// The last day of an event; the greatest number where nothing bounds it, or a year of two digits, or where
/// several dates do, of which nobody knows the true one.
fn latest(event: Event<'_>) -> i32 {
    if event.data.has_several_dates() {
        return i32::MAX;
    }
    if (FIRST_DAY_OF_YEARS..FIRST_DAY_OF_LONG_YEARS).contains(&event.range_within(0).latest) {
        return i32::MAX;
    }
    event.range_within(Thresholds::default().years_of_approximation).latest
}

/// The last day of the births, or of the deaths, of a person: of several nobody knows which is true, but one
/// of which nothing is said bounds nothing and widens nothing.
fn latest_of(person: Person<'_>, role: Role) -> i32 {
    if person.is_unclear() {
        return i32::MAX;
    }
    let events = person.events().filter(|event| event.role() == role);
    let dated = events.filter(|event| !event.range_within(0).is_any());
    dated.map(latest).max().unwrap_or(i32::MAX)
}

/// Tells whether an event shows that the person had been born by then.
pub(crate) const fn takes_birth(role: Role) -> bool {
    !matches!(
        role,
        Role::GenericEvent
            | Role::GenericAttribute
            | Role::Title
            | Role::Property
            | Role::Adoption
            | Role::Ordinance
            | Role::GenericFamilyEvent
            | Role::FamilyOrdinance
    )
}

impl Person<'_> {
    /// The Julian day number of the last day on which the person may have been born; `None` where nothing
    /// bounds it, or where a birth is dated after what other dates leave: the file contradicts itself.
    ///
    /// Of several births or deaths the latest counts; an event with several dates bounds nothing. Where no
    /// date of a birth bounds it, other dates do: those of the person's own events, of the marriages, of the
    /// births of children, less ten years, and of the deaths of parents, plus one. Dates with ABT, CAL and
    /// EST are as wide as [`Thresholds`] have them unless they are set.
    pub fn latest_birth(self) -> Option<i64> {
        let born = latest_of(self, Role::Birth);
        let latest = if born == i32::MAX { self.latest_birth_by_others() } else { born };
        // A file that says both contradicts itself: nobody knows which is true.
        let latest = if self.earliest_birth() > latest { i32::MAX } else { latest };
        (latest != i32::MAX).then_some(i64::from(latest))
    }

    /// The first day of the births that are dated, of several the latest; the least number where none is.
    fn earliest_birth(self) -> i32 {
        let births = self.events().filter(|event| event.role() == Role::Birth);
        let dated = births.map(|event| event.range_within(Thresholds::default().years_of_approximation));
        dated.filter(|range| !range.is_any()).map(|range| range.earliest).max().unwrap_or(i32::MIN)
    }

    /// The first day of the last of the events of which only the living have any, a marriage and the birth
    /// of a child among them; the least number where there is none.
    fn last_sign_of_life(self) -> i32 {
        let is_of_life = |event: &Event<'_>| {
            takes_birth(event.role())
                && !matches!(
                    event.role(),
                    Role::Birth | Role::Death | Role::Burial | Role::Cremation | Role::Probate | Role::Will
                )
        };
        let families = || self.families_as_partner().filter(|family| !family.data.is_unclear);
        let children = families().flat_map(|family| {
            let role = family.role_of(self.id());
            family
                .children()
                .filter(move |child| role.is_some_and(|role| child.is_born_to(family.id(), role)))
        });
        let births = children.flat_map(|child| child.events().filter(|event| event.role() == Role::Birth));
        // A father need not live to see the birth.
        let births = births.map(|event| years_later(event.range_within(0).earliest, -AFTER_DEATH_OF_PARENT));
        let of_couples = families().flat_map(|family| family.events()).filter(is_of_life);
        let own = self.events().filter(is_of_life).chain(of_couples);
        own.map(|event| event.range_within(0).earliest).chain(births).max().unwrap_or(i32::MIN)
    }

    fn latest_birth_by_others(self) -> i32 {
        let as_parent = self.families_as_partner();
        let as_parent = as_parent.filter_map(|family| Some((family, family.role_of(self.id())?)));
        let as_parent: Vec<(Family<'_>, PartnerRole)> = as_parent.collect();
        let is_clear = |family: &&(Family<'_>, PartnerRole)| !family.0.data.is_unclear;
        let of_couples = as_parent.iter().filter(is_clear).flat_map(|(family, _)| family.events());
        let own = self.events().chain(of_couples);
        let is_later = |event: &Event<'_>| event.role() != Role::Birth && takes_birth(event.role());
        let own = own.filter(is_later).map(latest);
        let children = as_parent.iter().flat_map(|&(family, role)| {
            family.children().filter(move |child| child.is_born_to(family.id(), role))
        });
        let children = children.map(|child| years_later(latest_of(child, Role::Birth), -LEAST_AGE_OF_PARENT));
        let parents = self
            .parents()
            .filter(|parent| parent.is_by_birth)
            .map(|parent| years_later(latest_of(parent.person, Role::Death), AFTER_DEATH_OF_PARENT));
        own.chain(children).chain(parents).min().unwrap_or(i32::MAX)
    }

    /// Tells whether the file shows that the person died: by a death, burial or cremation that
    /// [is stated](Event::is_stated), or by a bare death where that counts. One whose date is still to come
    /// shows nothing.
    pub fn is_dead(self, rule: &LivingRule) -> bool {
        let has_come = |event: Event<'_>| i64::from(event.range_within(0).earliest) <= rule.today;
        self.events().any(|event| match event.role() {
            Role::Burial | Role::Cremation => event.is_stated() && has_come(event),
            Role::Death => (rule.bare_death || event.is_stated()) && has_come(event),
            _ => false,
        })
    }

    /// Tells whether the person may be living: a notice says that the record is private or confidential; or
    /// the record [is unclear](Person::is_unclear); or nothing shows a death, and the latest possible birth
    /// is within the years of the rule, or not known, or farther from an event of the person's life.
    ///
    /// ```
    /// use elf_lineage::{Lineage, LivingRule};
    /// use elf_schema::{ReadOptions, Rules};
    ///
    /// let file = b"0 HEAD\n0 @I1@ INDI\n1 BIRT\n2 DATE 1899\n0 @I2@ INDI\n1 BIRT\n2 DATE 1990\n0 @I3@ INDI\n0 TRLR\n";
    /// let typed = elf_schema::read(file, &Rules::WILD, &ReadOptions::default(), &mut ())?;
    /// let lineage = Lineage::of(&typed);
    /// let rule = LivingRule::on(2_461_367);
    /// let living: Vec<bool> = lineage.persons().map(|person| person.may_be_living(&rule)).collect();
    /// assert_eq!(living, [false, true, true]);
    /// # Ok::<(), elf_schema::TooLarge>(())
    /// ```
    pub fn may_be_living(self, rule: &LivingRule) -> bool {
        if self.is_private() || self.is_unclear() {
            return true;
        }
        if self.is_dead(rule) {
            return false;
        }
        let within = i32::try_from(rule.within).unwrap_or(i32::MAX);
        // One who did something at a greater age than anybody reaches is not the one whom the bound is about.
        let is_bound = |latest: i32| {
            let end = years_later(latest, within);
            i64::from(end) < rule.today && self.last_sign_of_life() <= end
        };
        !self.latest_birth().and_then(|day| i32::try_from(day).ok()).is_some_and(is_bound)
    }
}
