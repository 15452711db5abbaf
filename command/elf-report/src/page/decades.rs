//! Counts events by decade.

use elf_lineage::{Event, Lineage};
use elf_schema::Role;
use elf_values::{Bound, Calendar};
use std::collections::BTreeMap;

/// The first and the last decade that are counted. No reliable date is outside this range.
const FIRST: i64 = -5_000;
const LAST: i64 = 2_190;

/// A group of events.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EventGroup {
    /// Births.
    Births,
    /// Marriages.
    Marriages,
    /// Deaths.
    Deaths,
    /// All other events and attributes.
    Others,
}

impl EventGroup {
    /// All groups.
    pub const ALL: [EventGroup; 4] =
        [EventGroup::Births, EventGroup::Marriages, EventGroup::Deaths, EventGroup::Others];

    /// Returns the name in lower case.
    pub const fn name(self) -> &'static str {
        match self {
            EventGroup::Births => "births",
            EventGroup::Marriages => "marriages",
            EventGroup::Deaths => "deaths",
            EventGroup::Others => "other events",
        }
    }

    fn of(role: Role) -> EventGroup {
        match role {
            Role::Birth => EventGroup::Births,
            Role::Marriage => EventGroup::Marriages,
            Role::Death => EventGroup::Deaths,
            _ => EventGroup::Others,
        }
    }

    pub(crate) const fn index(self) -> usize {
        self as usize
    }
}

/// The number of events in each decade, by group.
///
/// An event counts in a decade of the Gregorian calendar if all days that its date may mean are in it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Decades {
    /// The counts by the first year of the decade, with astronomical year numbers.
    counts: BTreeMap<i64, [u64; 4]>,
    wider: u64,
    outside: u64,
    undated: u64,
}

impl Decades {
    /// Counts the events of a document.
    pub(crate) fn of(lineage: &Lineage) -> Decades {
        let mut decades = Decades::default();
        lineage.persons().flat_map(elf_lineage::Person::events).for_each(|event| decades.count_event(event));
        lineage.families().flat_map(elf_lineage::Family::events).for_each(|event| decades.count_event(event));
        decades
    }

    fn count_event(&mut self, event: Event<'_>) {
        let days = event.days();
        match (days.earliest, days.latest) {
            (Bound::Day(earliest), Bound::Day(latest)) => match (decade_of(earliest), decade_of(latest)) {
                (one, other) if one != other => self.wider += 1,
                (Some(decade @ FIRST..=LAST), _) => {
                    self.counts.entry(decade).or_default()[EventGroup::of(event.role()).index()] += 1;
                }
                _ => self.outside += 1,
            },
            (Bound::Day(_), _) | (_, Bound::Day(_)) => self.wider += 1,
            _ => self.undated += 1,
        }
    }

    /// Adds the counts of another file.
    pub fn join(&mut self, more: &Decades) {
        for (decade, more) in &more.counts {
            let counts = self.counts.entry(*decade).or_default();
            counts.iter_mut().zip(more).for_each(|(count, more)| *count += more);
        }
        self.wider += more.wider;
        self.outside += more.outside;
        self.undated += more.undated;
    }

    /// Returns the decades with events: the first year, and the counts in the order of
    /// [`EventGroup::ALL`]. The year 0 is 1 BC.
    pub fn counts(&self) -> impl DoubleEndedIterator<Item = (i64, [u64; 4])> {
        self.counts.iter().map(|(&decade, &counts)| (decade, counts))
    }

    /// Returns the number of events whose date covers more than one decade, or is open.
    pub const fn spanning_decades(&self) -> u64 {
        self.wider
    }

    /// Returns the number of events before 5000 BC or after the year 2199.
    pub const fn out_of_range(&self) -> u64 {
        self.outside
    }

    /// Returns the number of events without a readable date.
    pub const fn undated(&self) -> u64 {
        self.undated
    }
}

/// Returns the first year of the decade of a day.
fn decade_of(day: i64) -> Option<i64> {
    Calendar::Gregorian.day(day).map(|day| day.year.div_euclid(10) * 10)
}

/// Returns the name of a decade, given its first year: `1850s`, or `51–42 B.C.` for years BC.
pub(crate) fn decade_name(decade: i64) -> String {
    match decade {
        0.. => format!("{decade}s"),
        _ => format!("{}–{} B.C.", 1 - decade, -8 - decade),
    }
}

#[cfg(test)]
mod tests {
    use super::decade_name;

    #[test]
    fn decades_are_named_by_their_years() {
        let names = [1850, 0, -10, -50].map(decade_name);
        assert_eq!(names, ["1850s", "0s", "11–2 B.C.", "51–42 B.C."]);
    }
}
