//! The latest day on which a person may have been born, and who may be living.

use crate::days::{DayRange, years_later};
use crate::graph::{Event, Family, Lineage, Parent, ParentLink, Person};
use crate::run::PartnerRole;
use crate::{Role, Thresholds};
use elf_values::Calendar;

/// The least age at which somebody has a child, in years, where nothing but the child is known.
const LEAST_AGE_OF_PARENT: i32 = 10;

/// The greatest age, in years, that anybody reaches. Where somebody does something or dies at a greater one, one of the
/// dates is wrong.
const GREATEST_AGE: i32 = 120;

/// The years after the death of a parent in which a child may still be born.
const AFTER_DEATH_OF_PARENT: i32 = 1;

/// The most years between the births of siblings or partners, and between a birth and the marriage of the parents.
/// Where there are more, one of the dates is wrong.
const MOST_BETWEEN_PEERS: i32 = 60;

/// The greatest age, in years, at which somebody marries or has a child. Where it is greater, one of the dates
/// is wrong.
const MOST_AGE_OF_FAMILY: i32 = 90;

/// The most years between an event of a year of less than four digits and the event of a relative that confirms it.
const MOST_TO_CONFIRM: i32 = 120;

/// The number of generations of descendants whose births limit that of a person.
const GENERATIONS: u32 = 4;

/// The number of relatives of each kind that are compared, so that the time stays linear.
const RELATIVES: usize = 32;

/// The Julian day number of the first of January of the year 1000. A year of fewer digits may have lost some,
/// unless the dates of others confirm it.
const FIRST_DAY_OF_LONG_YEARS: i32 = 2_086_308;

/// The Julian day number of the first of January of the year 1.
pub(crate) const FIRST_DAY_OF_YEARS: i32 = 1_721_424;

/// The rule for whether a person may be living.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct LivingRule {
    /// The Julian day number of today.
    pub today: i64,
    /// The maximum number of years that people are expected to live.
    pub within: u32,
    /// Whether a bare DEAT line counts as a death.
    pub bare_death: bool,
}

impl LivingRule {
    /// Creates the default rule for a day: people born in the last 110 years may be living, and a bare DEAT line is
    /// ignored.
    pub const fn on(today: i64) -> LivingRule {
        LivingRule { today, within: 110, bare_death: false }
    }
}

/// The reason why a person may be living.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum LivingReason {
    /// The record is marked as private, or the person as living.
    Private,
    /// The record may contain lines of another person.
    Unclear,
    /// There is no death, and the latest possible birth is this Julian day number.
    Born(i64),
    /// There is no death, and an event of the person or of a family is farther from the latest possible birth than the
    /// rule expects anybody to live.
    LaterSign {
        /// The latest possible birth, a Julian day number.
        birth: i64,
        /// The first day of the event, a Julian day number.
        sign: i64,
    },
    /// There is no death, and the dates of the person or of relatives contradict each other.
    Contradicted,
    /// There is no death, and no date limits the birth.
    Undated,
}

/// What the births of a person say of the last day on which the person may have been born.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum LatestBirth {
    /// This day.
    By(i32),
    /// Nothing, but nothing that contradicts the dates of others either.
    Open,
    /// Something that nobody can be sure of: the dates of others do not count.
    Doubtful,
}

/// The last day of an event of a person or a couple; the greatest number where nothing bounds it, or a year that may
/// have lost digits, or several dates do, of which nobody knows the true one.
fn latest(person: Person<'_>, event: Event<'_>) -> i32 {
    if event.data.has_several_dates() || has_short_year(event) && !person.is_confirmed(event) {
        return i32::MAX;
    }
    event.range_within(Thresholds::default().years_of_approximation).latest
}

/// Returns whether the date has a year of less than four digits of our era.
fn has_short_year(event: Event<'_>) -> bool {
    let is_as_written = matches!(event.calendar(), Calendar::Gregorian | Calendar::Julian);
    is_as_written && (FIRST_DAY_OF_YEARS..FIRST_DAY_OF_LONG_YEARS).contains(&event.range_within(0).latest)
}

/// The last day of the deaths of a person: of several nobody knows which is true, but one of which nothing is
/// said bounds nothing and widens nothing.
fn latest_death(person: Person<'_>) -> i32 {
    if person.is_unclear() {
        return i32::MAX;
    }
    let events = person.events().filter(|event| event.role() == Role::Death);
    let dated = events.filter(|event| !event.data.has_unreadable_date() && !event.range_within(0).is_any());
    dated.map(|event| latest(person, event)).max().unwrap_or(i32::MAX)
}

/// Returns whether a death, burial or cremation shows that the person is dead.
fn shows_death(event: Event<'_>, rule: &LivingRule) -> bool {
    let days = event.range_within(0);
    if event.data.is_death_denied() || i64::from(days.earliest) > rule.today {
        return false;
    }
    let has_numbers = event.data.has_unreadable_date() && days.is_any();
    event.data.is_death_told() || has_numbers || is_past(days, rule) || rule.bare_death
}

/// Returns whether a date is past. Of days that end in the future, those within a year of each other count, such as
/// the current year; so do those after a day so long ago that nobody who saw it is living.
fn is_past(days: DayRange, rule: &LivingRule) -> bool {
    let [earliest, latest] = [days.earliest, days.latest].map(i64::from);
    if days.earliest == i32::MIN {
        return latest <= rule.today;
    }
    let within = i32::try_from(rule.within).unwrap_or(i32::MAX);
    latest <= rule.today
        || latest - earliest < 366
        || i64::from(years_later(days.earliest, within)) < rule.today
}

/// Returns whether an event is one of which only the living have any.
fn is_of_life(event: &Event<'_>) -> bool {
    takes_birth(event.role())
        && !matches!(
            event.role(),
            Role::Birth | Role::Death | Role::Burial | Role::Cremation | Role::Probate | Role::Will
        )
}

/// Returns whether an event shows that the person had been born by then.
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

impl Lineage {
    /// For each person the last day on which the person may have been born by the births of children, or of their
    /// children where theirs are not dated, and so on for some generations; the greatest number if nothing bounds it.
    ///
    /// Only ties by birth count. A child whose dates contradict each other bounds nobody's birth: whichever of them is
    /// wrong, the parent is as hidden as the child.
    fn latest_births_by_descendants(&self) -> &[i32] {
        self.births_of_descendants.get_or_init(|| {
            let stated: Vec<LatestBirth> = self.persons().map(Person::latest_credible_birth).collect();
            let mut latest = vec![i32::MAX; stated.len()];
            for _ in 0..GENERATIONS {
                let births = |child: Person<'_>| match stated[child.id().index()] {
                    LatestBirth::By(day) => day,
                    LatestBirth::Open if !child.is_unclear() => latest[child.id().index()],
                    LatestBirth::Open | LatestBirth::Doubtful => i32::MAX,
                };
                let bound = |person: Person<'_>| {
                    let day = person.latest_as_parent(births);
                    if day != i32::MAX && person.is_doubted(day) { i32::MAX } else { day }
                };
                latest = self.persons().map(bound).collect();
            }
            latest
        })
    }
}

impl Person<'_> {
    /// The last day on which the person may have been born, given those of the children.
    fn latest_as_parent(self, births: impl Fn(Self) -> i32) -> i32 {
        let families = self.families_as_partner();
        let families = families.filter_map(|family| Some((family, family.role_of(self.id())?)));
        let children = families.flat_map(|(family, role)| {
            family.children().filter(move |child| child.is_born_to(family.id(), role))
        });
        children.map(|child| years_later(births(child), -LEAST_AGE_OF_PARENT)).min().unwrap_or(i32::MAX)
    }

    /// Returns the Julian day number of the last day on which the person may have been born; `None` if nothing limits
    /// it, or if the dates contradict each other.
    ///
    /// Of several births or deaths the latest counts; a birth with several dates, or with a date that cannot be
    /// read and does not contain a year, bounds nothing. Where there is no date of a birth, other dates bound it:
    /// those of the person's own events, of the marriages, of the births of children, less ten years, and of the
    /// deaths of parents, plus one. Dates with ABT, CAL and EST are as wide as [`Thresholds`] have them unless
    /// they are set.
    pub fn latest_birth(self) -> Option<i64> {
        let latest = self.bounded_birth();
        let is_known = latest != i32::MAX && self.earliest_birth() <= latest && !self.is_contradicted(latest);
        is_known.then_some(i64::from(latest))
    }

    /// What the births of the person say, unless other dates contradict them.
    fn latest_credible_birth(self) -> LatestBirth {
        match self.latest_stated_birth() {
            LatestBirth::By(day) if self.is_doubted(day) => LatestBirth::Doubtful,
            stated => stated,
        }
    }

    /// Tells whether other dates of the person or of the family contradict a birth by that day, so that it says nothing
    /// about the parents.
    fn is_doubted(self, latest: i32) -> bool {
        let end = years_later(latest, GREATEST_AGE);
        self.earliest_birth() > latest
            || self.last_sign_of_life() > end
            || self.earliest_death() > end
            || self.is_contradicted(latest)
    }

    /// The first day of the deaths that are dated, of several the latest; the least number where none is.
    fn earliest_death(self) -> i32 {
        let deaths = self.events().filter(|event| event.role() == Role::Death);
        deaths.map(|event| event.range_within(0).earliest).max().unwrap_or(i32::MIN)
    }

    fn latest_stated_birth(self) -> LatestBirth {
        if self.is_unclear() {
            return LatestBirth::Open;
        }
        let births = self.events().filter(|event| event.role() == Role::Birth);
        let mut latest_day = None;
        for birth in births {
            let range = birth.range_within(0);
            let is_unreadable = birth.data.has_unreadable_date();
            if birth.data.has_several_dates()
                || is_unreadable && range.is_any()
                || has_short_year(birth) && !self.is_confirmed(birth)
            {
                return LatestBirth::Doubtful;
            }
            if !range.is_any() {
                let day = birth.range_within(Thresholds::default().years_of_approximation).latest;
                latest_day = latest_day.max(Some(day));
            }
        }
        match latest_day {
            Some(i32::MAX) | None => LatestBirth::Open,
            Some(day) => LatestBirth::By(day),
        }
    }

    /// Returns whether an event of another kind of the person, or any of a near relative, is near to one.
    fn is_confirmed(self, event: Event<'_>) -> bool {
        let role = event.role();
        let near = event.range_within(0).widened(MOST_TO_CONFIRM);
        let is_near = |event: Event<'_>| {
            let range = event.range_within(0);
            let is_closed = range.earliest != i32::MIN && range.latest != i32::MAX;
            is_closed && range.earliest <= near.latest && range.latest >= near.earliest
        };
        let relatives =
            self.parents().map(|parent| parent.person).chain(self.partners()).chain(self.children());
        let of_relatives = relatives.take(RELATIVES).flat_map(|relative| relative.events().take(RELATIVES));
        let of_couples = self.families_as_partner().take(RELATIVES).flat_map(Family::events);
        let own = self.events().chain(of_couples).filter(|event| event.role() != role);
        own.chain(of_relatives).any(is_near)
    }

    /// The partners in all families.
    fn partners(self) -> impl Iterator<Item = Self> {
        let partners = self.families_as_partner().flat_map(|family| family.partners().take(RELATIVES));
        partners.map(|(partner, _)| partner).filter(move |partner| partner.id() != self.id())
    }

    /// Returns whether the dates of the family show that a birth by that day is wrong: a parent is born too late for
    /// it, the parents marry or a sibling or a partner is born long after it, or the person marries or has
    /// children at a great age.
    fn is_contradicted(self, latest: i32) -> bool {
        let after = |years: i32| years_later(latest, years);
        let too_young = |parent: &Parent<'_>| {
            parent.is_by_birth && years_later(parent.person.earliest_birth(), LEAST_AGE_OF_PARENT) > latest
        };
        let of_peers = after(MOST_BETWEEN_PEERS);
        let is_by_birth = |link: &ParentLink<'_>| {
            link.is_by_birth(PartnerRole::Husband) || link.is_by_birth(PartnerRole::Wife)
        };
        let by_birth = || self.parent_links().filter(is_by_birth);
        let families = || by_birth().take(RELATIVES).filter_map(|link| self.lineage().family(link.family()));
        let siblings = families().flat_map(|family| family.children().take(RELATIVES));
        let is_late = |marriage: Event<'_>| marriage.range_within(0).earliest > of_peers;
        self.parents().any(|parent| too_young(&parent))
            || families().filter_map(|family| family.event(Role::Marriage)).any(is_late)
            || siblings.chain(self.partners()).take(RELATIVES).any(|peer| peer.earliest_birth() > of_peers)
            || self.last_sign_of_family() > after(MOST_AGE_OF_FAMILY)
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
        let own = self.events().filter(is_of_life).map(|event| event.range_within(0).earliest);
        own.max().unwrap_or(i32::MIN).max(self.last_sign_of_family())
    }

    /// The first day of the last event of a family of the person, the birth of a child among them.
    fn last_sign_of_family(self) -> i32 {
        let families = || self.families_as_partner().filter(|family| !family.data.is_unclear);
        let children = families().flat_map(|family| {
            let role = family.role_of(self.id());
            family
                .children()
                .filter(move |child| role.is_some_and(|role| child.is_born_to(family.id(), role)))
        });
        let births = children.flat_map(|child| child.events().filter(|event| event.role() == Role::Birth));
        // A father may die before the birth.
        let births = births.map(|event| years_later(event.range_within(0).earliest, -AFTER_DEATH_OF_PARENT));
        let of_couples = families().flat_map(|family| family.events()).filter(is_of_life);
        of_couples.map(|event| event.range_within(0).earliest).chain(births).max().unwrap_or(i32::MIN)
    }

    fn latest_birth_by_others(self) -> i32 {
        let is_clear = |family: &Family<'_>| !family.data.is_unclear && family.role_of(self.id()).is_some();
        let of_couples = self.families_as_partner().filter(is_clear).flat_map(Family::events);
        let own = self.events().chain(of_couples);
        let is_later = |event: &Event<'_>| event.role() != Role::Birth && takes_birth(event.role());
        let own = own.filter(is_later).map(|event| latest(self, event));
        let children = self.lineage.latest_births_by_descendants().get(self.id().index()).copied();
        let parents = self
            .parents()
            .filter(|parent| parent.is_by_birth)
            .map(|parent| years_later(latest_death(parent.person), AFTER_DEATH_OF_PARENT));
        own.chain(children).chain(parents).min().unwrap_or(i32::MAX)
    }

    /// Returns whether the file shows that the person died: by a death, burial or cremation with `Y`, a past date, a
    /// place or another substructure about it, or by a bare one if the rule accepts it. An event that is denied or in
    /// the future does not count, and a denied death makes the others doubtful.
    pub fn is_dead(self, rule: &LivingRule) -> bool {
        let of_death =
            |event: &Event<'_>| matches!(event.role(), Role::Death | Role::Burial | Role::Cremation);
        let is_denied = |event: Event<'_>| event.role() == Role::Death && event.data.is_death_denied();
        !self.events().any(is_denied) && self.events().filter(of_death).any(|event| shows_death(event, rule))
    }

    /// Returns whether the person may be living: the record is marked as private or confidential, or [is
    /// unclear](Person::is_unclear); or there is no death, and the latest possible birth is within the years of the
    /// rule, unknown, or too far from an event of the person's life.
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
        self.living_reason(rule).is_some()
    }

    /// Returns the reason why the person [may be living](Person::may_be_living); `None` if the person is not.
    pub fn living_reason(self, rule: &LivingRule) -> Option<LivingReason> {
        if self.is_private() {
            return Some(LivingReason::Private);
        }
        if self.is_unclear() {
            return Some(LivingReason::Unclear);
        }
        if self.is_dead(rule) {
            return None;
        }
        let within = i32::try_from(rule.within).unwrap_or(i32::MAX);
        match self.latest_birth().and_then(|day| i32::try_from(day).ok()) {
            Some(day) if i64::from(years_later(day, within)) >= rule.today => {
                Some(LivingReason::Born(day.into()))
            }
            // One who did something at a greater age than the rule knows is not the one whom the bound is about.
            Some(day) if self.last_sign_of_life() > years_later(day, within) => {
                Some(LivingReason::LaterSign { birth: day.into(), sign: self.last_sign_of_life().into() })
            }
            Some(_) => None,
            None if self.bounded_birth() != i32::MAX => Some(LivingReason::Contradicted),
            None => Some(LivingReason::Undated),
        }
    }

    /// The last day of the birth, whether or not other dates contradict it; the greatest number if nothing bounds it.
    fn bounded_birth(self) -> i32 {
        match self.latest_stated_birth() {
            LatestBirth::By(day) => day,
            LatestBirth::Open => self.latest_birth_by_others(),
            LatestBirth::Doubtful => i32::MAX,
        }
    }
}
