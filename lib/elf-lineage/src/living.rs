//! Estimates the latest day of a person's birth, and decides who may be living.

use crate::days::{DayRange, years_later};
use crate::graph::{Event, Family, Lineage, Parent, ParentLink, Person};
use crate::run::PartnerRole;
use crate::{Role, Thresholds};
use elf_values::Calendar;

/// The lowest assumed age of a parent at the birth of a child, in years.
const MIN_PARENT_AGE: i32 = 10;

/// The highest possible age in years. If dates give a higher age, one of the dates is wrong.
const MAX_AGE: i32 = 120;

/// The number of years after the death of a parent in which a child may still be born.
const YEARS_AFTER_PARENT_DEATH: i32 = 1;

/// The maximum number of years between the births of siblings or partners, and between a birth and
/// the marriage of the parents. If dates are farther apart, one of them is wrong.
const MAX_YEARS_BETWEEN_PEERS: i32 = 60;

/// The highest age, in years, at which a person marries or has a child. If dates give a higher age,
/// one of the dates is wrong.
const MAX_PARENT_AGE: i32 = 90;

/// The maximum number of years between two events of relatives if one of them confirms the other.
/// An event needs this if its year has less than four digits.
const MAX_YEARS_TO_CONFIRM: i32 = 120;

/// The number of generations of descendants whose births limit that of a person.
const MAX_GENERATIONS: u32 = 4;

/// The maximum number of relatives of each kind that are compared, so that the time stays linear.
const MAX_RELATIVES: usize = 32;

/// The Julian day number of 1 January 1000. A year with fewer than four digits may have lost
/// digits, unless the dates of other events confirm it.
const FIRST_DAY_OF_LONG_YEARS: i32 = 2_086_308;

/// The Julian day number of 1 January of the year 1.
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
    /// There is no death, and an event of the person or of a family is so long after the latest
    /// possible birth that the estimate must be wrong.
    LaterSign {
        /// The latest possible birth, as a Julian day number.
        birth: i64,
        /// The first day of the event, as a Julian day number.
        sign: i64,
    },
    /// There is no death, and the dates of the person or of relatives contradict each other.
    Contradicted,
    /// There is no death, and no date limits the birth.
    Undated,
}

/// The latest day of birth according to the birth events of a person.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum LatestBirth {
    /// The latest day of birth.
    By(i32),
    /// The births do not limit the day, and do not contradict other dates.
    Open,
    /// The births are unreliable. Then other dates do not count either.
    Doubtful,
}

/// Returns the last possible day of an event, or the highest number if nothing limits it. An event
/// has no limit if its year may have lost digits, or if it has several dates.
fn latest_day(person: Person<'_>, event: Event<'_>) -> i32 {
    if event.data.has_several_dates() || has_short_year(event) && !person.is_short_year_confirmed(event) {
        return i32::MAX;
    }
    event.range_with_tolerance(Thresholds::default().years_of_approximation).latest
}

/// Returns whether the date has a year AD of less than four digits.
fn has_short_year(event: Event<'_>) -> bool {
    let is_as_written = matches!(event.calendar(), Calendar::Gregorian | Calendar::Julian);
    is_as_written
        && (FIRST_DAY_OF_YEARS..FIRST_DAY_OF_LONG_YEARS).contains(&event.range_with_tolerance(0).latest)
}

/// Returns the last day of a person's deaths. If there are several deaths, the latest one is used,
/// because nobody knows which one is right. A death without any details is ignored.
fn latest_death(person: Person<'_>) -> i32 {
    if person.is_unclear() {
        return i32::MAX;
    }
    let events = person.events().filter(|event| event.role() == Role::Death);
    let dated =
        events.filter(|event| !event.data.has_unreadable_date() && !event.range_with_tolerance(0).is_any());
    dated.map(|event| latest_day(person, event)).max().unwrap_or(i32::MAX)
}

/// Returns whether a death, burial or cremation shows that the person is dead.
fn shows_death(event: Event<'_>, rule: &LivingRule) -> bool {
    let days = event.range_with_tolerance(0);
    if event.data.is_death_denied() || i64::from(days.earliest) > rule.today {
        return false;
    }
    let has_numbers = event.data.has_unreadable_date() && days.is_any();
    event.data.is_death_stated() || has_numbers || is_past(days, rule) || rule.bare_death
}

/// Returns whether a date is past. A range that ends in the future counts as past if it is at most
/// a year long, such as the current year, or if it starts so long ago that no witness is living.
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

/// Returns whether only a living person can have such an event.
fn requires_living_person(event: &Event<'_>) -> bool {
    follows_birth(event.role())
        && !matches!(
            event.role(),
            Role::Birth | Role::Death | Role::Burial | Role::Cremation | Role::Probate | Role::Will
        )
}

/// Returns whether an event shows that the person was already born.
pub(crate) const fn follows_birth(role: Role) -> bool {
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
    /// Returns, for each person, the latest day of birth that the births of children allow. A child
    /// without dates is replaced by the child's own children, for some generations. The highest
    /// number means that there is no limit.
    ///
    /// Only ties by birth count. A child whose dates contradict each other limits nobody's birth.
    /// The parent is then as hidden as the child, whichever date is wrong.
    fn latest_births_by_descendants(&self) -> &[i32] {
        self.births_of_descendants.get_or_init(|| {
            let stated: Vec<LatestBirth> = self.persons().map(Person::latest_credible_birth).collect();
            let mut latest = vec![i32::MAX; stated.len()];
            for _ in 0..MAX_GENERATIONS {
                let births = |child: Person<'_>| match stated[child.id().index()] {
                    LatestBirth::By(day) => day,
                    LatestBirth::Open if !child.is_unclear() => latest[child.id().index()],
                    LatestBirth::Open | LatestBirth::Doubtful => i32::MAX,
                };
                let bound = |person: Person<'_>| {
                    let day = person.latest_birth_by_children(births);
                    if day != i32::MAX && person.is_birth_doubtful(day) { i32::MAX } else { day }
                };
                latest = self.persons().map(bound).collect();
            }
            latest
        })
    }
}

impl Person<'_> {
    /// Returns the latest day of birth that the births of the children allow. `births` returns the
    /// latest birth of a child.
    fn latest_birth_by_children(self, births: impl Fn(Self) -> i32) -> i32 {
        let families = self.families_as_partner();
        let families = families.filter_map(|family| Some((family, family.parental_role_of(self.id())?)));
        let children = families.flat_map(|(family, role)| {
            family.children().filter(move |child| child.is_born_to(family.id(), role))
        });
        children.map(|child| years_later(births(child), -MIN_PARENT_AGE)).min().unwrap_or(i32::MAX)
    }

    /// Returns the Julian day number of the latest possible day of birth. `None` if nothing limits
    /// it, or if the dates contradict each other.
    ///
    /// If there are several births or deaths, the latest one counts. A birth with several dates, or
    /// with an unreadable date that does not contain a year, limits nothing. Without a birth date,
    /// other dates are used: the person's own events, marriages, births of children minus ten
    /// years, and deaths of parents plus one year. Dates with ABT, CAL and EST are extended by the
    /// default of [`Thresholds`].
    pub fn latest_birth(self) -> Option<i64> {
        let latest = self.latest_birth_even_if_contradicted();
        let is_known =
            latest != i32::MAX && self.earliest_birth() <= latest && !self.is_birth_contradicted(latest);
        is_known.then_some(i64::from(latest))
    }

    /// Returns the latest day according to the birth events. The result is `Doubtful` if other
    /// dates contradict them.
    fn latest_credible_birth(self) -> LatestBirth {
        match self.latest_stated_birth() {
            LatestBirth::By(day) if self.is_birth_doubtful(day) => LatestBirth::Doubtful,
            stated => stated,
        }
    }

    /// Returns whether other dates of the person or the family contradict a birth up to this day.
    /// If they do, the birth says nothing about the parents.
    fn is_birth_doubtful(self, latest: i32) -> bool {
        let end = years_later(latest, MAX_AGE);
        self.earliest_birth() > latest
            || self.last_sign_of_life() > end
            || self.earliest_death() > end
            || self.is_birth_contradicted(latest)
    }

    /// Returns the first day of the latest dated death; the lowest number if none is dated.
    fn earliest_death(self) -> i32 {
        let deaths = self.events().filter(|event| event.role() == Role::Death);
        deaths.map(|event| event.range_with_tolerance(0).earliest).max().unwrap_or(i32::MIN)
    }

    fn latest_stated_birth(self) -> LatestBirth {
        if self.is_unclear() {
            return LatestBirth::Open;
        }
        let births = self.events().filter(|event| event.role() == Role::Birth);
        let mut latest_day = None;
        for birth in births {
            let range = birth.range_with_tolerance(0);
            let is_unreadable = birth.data.has_unreadable_date();
            if birth.data.has_several_dates()
                || is_unreadable && range.is_any()
                || has_short_year(birth) && !self.is_short_year_confirmed(birth)
            {
                return LatestBirth::Doubtful;
            }
            if !range.is_any() {
                let day = birth.range_with_tolerance(Thresholds::default().years_of_approximation).latest;
                latest_day = latest_day.max(Some(day));
            }
        }
        match latest_day {
            Some(i32::MAX) | None => LatestBirth::Open,
            Some(day) => LatestBirth::By(day),
        }
    }

    /// Returns whether another event of the person, or an event of a near relative, is close in
    /// time to this event.
    fn is_short_year_confirmed(self, event: Event<'_>) -> bool {
        let role = event.role();
        let near = event.range_with_tolerance(0).widened(MAX_YEARS_TO_CONFIRM);
        let is_near = |event: Event<'_>| {
            let range = event.range_with_tolerance(0);
            let is_closed = range.earliest != i32::MIN && range.latest != i32::MAX;
            is_closed && range.earliest <= near.latest && range.latest >= near.earliest
        };
        let relatives =
            self.parents().map(|parent| parent.person).chain(self.partners()).chain(self.children());
        let of_relatives =
            relatives.take(MAX_RELATIVES).flat_map(|relative| relative.events().take(MAX_RELATIVES));
        let of_couples = self.families_as_partner().take(MAX_RELATIVES).flat_map(Family::events);
        let own = self.events().chain(of_couples).filter(|event| event.role() != role);
        own.chain(of_relatives).any(is_near)
    }

    fn partners(self) -> impl Iterator<Item = Self> {
        let partners = self.families_as_partner().flat_map(|family| family.partners().take(MAX_RELATIVES));
        partners.map(|(partner, _)| partner).filter(move |partner| partner.id() != self.id())
    }

    /// Returns whether the dates of the family show that a birth up to this day is wrong. They do
    /// if a parent is born too late, if the parents marry or a sibling or partner is born long
    /// after the day, or if the person marries or has children at a great age.
    fn is_birth_contradicted(self, latest: i32) -> bool {
        let after = |years: i32| years_later(latest, years);
        let too_young = |parent: &Parent<'_>| {
            parent.is_by_birth && years_later(parent.person.earliest_birth(), MIN_PARENT_AGE) > latest
        };
        let of_peers = after(MAX_YEARS_BETWEEN_PEERS);
        let is_by_birth = |link: &ParentLink<'_>| {
            link.is_by_birth(PartnerRole::Husband) || link.is_by_birth(PartnerRole::Wife)
        };
        let by_birth = || self.parent_links().filter(is_by_birth);
        let families =
            || by_birth().take(MAX_RELATIVES).filter_map(|link| self.lineage().family(link.family()));
        let siblings = families().flat_map(|family| family.children().take(MAX_RELATIVES));
        let is_late = |marriage: Event<'_>| marriage.range_with_tolerance(0).earliest > of_peers;
        self.parents().any(|parent| too_young(&parent))
            || families().filter_map(|family| family.event(Role::Marriage)).any(is_late)
            || siblings
                .chain(self.partners())
                .take(MAX_RELATIVES)
                .any(|peer| peer.earliest_birth() > of_peers)
            || self.last_family_event() > after(MAX_PARENT_AGE)
    }

    /// Returns the first day of the latest dated birth; the lowest number if none is dated.
    fn earliest_birth(self) -> i32 {
        let births = self.events().filter(|event| event.role() == Role::Birth);
        let dated =
            births.map(|event| event.range_with_tolerance(Thresholds::default().years_of_approximation));
        dated.filter(|range| !range.is_any()).map(|range| range.earliest).max().unwrap_or(i32::MIN)
    }

    /// Returns the first day of the person's last event that requires a living person, including
    /// marriages and births of children. The lowest number if there is none.
    fn last_sign_of_life(self) -> i32 {
        let own =
            self.events().filter(requires_living_person).map(|event| event.range_with_tolerance(0).earliest);
        own.max().unwrap_or(i32::MIN).max(self.last_family_event())
    }

    /// Returns the first day of the last event of the person's families, including births of
    /// children.
    fn last_family_event(self) -> i32 {
        let families = || self.families_as_partner().filter(|family| !family.data.is_unclear);
        let children = families().flat_map(|family| {
            let role = family.parental_role_of(self.id());
            family
                .children()
                .filter(move |child| role.is_some_and(|role| child.is_born_to(family.id(), role)))
        });
        let births = children.flat_map(|child| child.events().filter(|event| event.role() == Role::Birth));
        // A father may die before the birth.
        let births = births
            .map(|event| years_later(event.range_with_tolerance(0).earliest, -YEARS_AFTER_PARENT_DEATH));
        let of_couples = families().flat_map(|family| family.events()).filter(requires_living_person);
        of_couples.map(|event| event.range_with_tolerance(0).earliest).chain(births).max().unwrap_or(i32::MIN)
    }

    fn latest_birth_by_other_dates(self) -> i32 {
        let is_clear =
            |family: &Family<'_>| !family.data.is_unclear && family.parental_role_of(self.id()).is_some();
        let of_couples = self.families_as_partner().filter(is_clear).flat_map(Family::events);
        let own = self.events().chain(of_couples);
        let is_later = |event: &Event<'_>| event.role() != Role::Birth && follows_birth(event.role());
        let own = own.filter(is_later).map(|event| latest_day(self, event));
        let children = self.lineage.latest_births_by_descendants().get(self.id().index()).copied();
        let parents = self
            .parents()
            .filter(|parent| parent.is_by_birth)
            .map(|parent| years_later(latest_death(parent.person), YEARS_AFTER_PARENT_DEATH));
        own.chain(children).chain(parents).min().unwrap_or(i32::MAX)
    }

    /// Returns whether the file shows that the person is dead. A death, burial or cremation proves
    /// it by `Y`, a past date, a place or another substructure about the event. A bare event proves
    /// it only if the rule accepts it. A denied or future event does not count, nor does one before the
    /// birth. If one death is denied, other deaths are doubtful.
    pub fn is_dead(self, rule: &LivingRule) -> bool {
        let of_death =
            |event: &Event<'_>| matches!(event.role(), Role::Death | Role::Burial | Role::Cremation);
        let is_denied = |event: Event<'_>| event.role() == Role::Death && event.data.is_death_denied();
        let birth = self.earliest_birth();
        let approximation = Thresholds::default().years_of_approximation;
        // One of the dates is wrong, or the death is that of another person.
        let is_before_birth = |event: &Event<'_>| event.range_with_tolerance(approximation).latest < birth;
        let mut deaths = self.events().filter(of_death).filter(|event| !is_before_birth(event));
        !self.events().any(is_denied) && deaths.any(|event| shows_death(event, rule))
    }

    /// Returns whether the person may be living. This is so if the record is marked as private or
    /// confidential, or [is unclear](Person::is_unclear). It is also so if there is no death, and
    /// the latest possible birth is within the years of the rule, unknown, or too far from an event
    /// of the person's life.
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

    /// Returns the reason why the person [may be living](Person::may_be_living), or `None` if the
    /// person may not be living.
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
            // If a person was active at a higher age than the rule allows, the limit is not about
            // this person.
            Some(day) if self.last_sign_of_life() > years_later(day, within) => {
                Some(LivingReason::LaterSign { birth: day.into(), sign: self.last_sign_of_life().into() })
            }
            Some(_) => None,
            None if self.latest_birth_even_if_contradicted() != i32::MAX => Some(LivingReason::Contradicted),
            None => Some(LivingReason::Undated),
        }
    }

    /// Returns the latest day of birth, even if other dates contradict it. Returns the highest
    /// number if there is no limit.
    fn latest_birth_even_if_contradicted(self) -> i32 {
        match self.latest_stated_birth() {
            LatestBirth::By(day) => day,
            LatestBirth::Open => self.latest_birth_by_other_dates(),
            LatestBirth::Doubtful => i32::MAX,
        }
    }
}
