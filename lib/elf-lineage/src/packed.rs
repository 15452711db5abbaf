//! Events in sixteen octets each: there are several for each person, and all are in memory at once.

use crate::days::DayRange;
use crate::event_data::EventData;
use crate::event_names::EventName;
use crate::lists::index;
use crate::spot::Spot;
use elf_schema::Role;
use std::ops::Range;

/// Events, one after the other.
#[derive(Clone, Debug, Default)]
pub(crate) struct EventList {
    packed: Vec<PackedEvent>,
    /// The days and places that do not fit in a packed event: days of centuries, places far after the start
    /// of a record.
    wide: Vec<(DayRange, Spot)>,
}

/// An [`EventData`], but for what is wide.
#[derive(Clone, Copy, Debug)]
struct PackedEvent {
    /// The first day; or what `length` says.
    day: i32,
    /// The number of days after the first; or one of the numbers below.
    length: u16,
    octet: u16,
    line: u16,
    name: EventName,
    column: u8,
    width: u8,
    role: Role,
    flags: u8,
}

/// Any day.
const ANY: u16 = u16::MAX;
/// Any day up to `day`.
const UP_TO: u16 = u16::MAX - 1;
/// Any day from `day` on.
const FROM: u16 = u16::MAX - 2;
/// The days and the place are wide, and `day` is their index.
const WIDE: u16 = u16::MAX - 3;

impl EventList {
    pub(crate) fn len(&self) -> usize {
        self.packed.len()
    }

    pub(crate) fn push(&mut self, event: EventData) {
        let EventData { range, spot, role, name, flags } = event;
        let small = u16::try_from(spot.octet).ok().zip(u16::try_from(spot.line).ok());
        let (day, length, (octet, line)) = match (days_in(range), small) {
            (Some((day, length)), Some(small)) => (day, length, small),
            _ => {
                let index = index(self.wide.len());
                self.wide.push((range, spot));
                (index.cast_signed(), WIDE, (0, 0))
            }
        };
        let Spot { column, width, .. } = spot;
        self.packed.push(PackedEvent { day, length, octet, line, name, column, width, role, flags });
    }

    /// The events of those numbers.
    pub(crate) fn within(&self, range: Range<usize>) -> impl Iterator<Item = EventData> {
        self.packed[range].iter().map(|event| self.unpack_event(*event))
    }

    /// The numbers of the births, or of the deaths, among the events of a person, which are in order of rank.
    pub(crate) fn ranked(&self, range: Range<usize>, role: Role) -> Range<usize> {
        let first = if role == Role::Birth { 0 } else { 2 };
        let from = self.first_ranked(range.clone(), first);
        from..self.first_ranked(from..range.end, first + 2)
    }

    /// The birth, or the death, that counts among the events of a person, which are in order of rank.
    pub(crate) fn first(&self, range: Range<usize>, role: Role) -> Option<EventData> {
        // Births come first.
        let at = if role == Role::Birth { range.start } else { self.first_ranked(range.clone(), 2) };
        let event = self.packed.get(at).filter(|event| at < range.end && event.role == role)?;
        Some(self.unpack_event(*event))
    }

    /// Puts the events of the last person, from a number on, in order of their ranks.
    pub(crate) fn rank_from(&mut self, first: usize) {
        let EventList { packed, wide } = self;
        let events = &mut packed[first..];
        // Nearly always they are in order.
        if !events.is_sorted_by_key(|event| event.rank(wide)) {
            events.sort_by_key(|event| event.rank(wide));
        }
    }

    /// Adds those of another list, each with the name that its own becomes by `names`.
    pub(crate) fn take(&mut self, other: &EventList, names: &[EventName]) {
        let wide_before = index(self.wide.len());
        self.packed.extend(other.packed.iter().map(|event| {
            let day = match event.length {
                WIDE => event.day.cast_unsigned().saturating_add(wide_before).cast_signed(),
                _ => event.day,
            };
            PackedEvent { day, name: event.name.translated(names), ..*event }
        }));
        self.wide.extend(&other.wide);
    }

    /// Counts the octets that they take.
    pub(crate) fn octets(&self) -> usize {
        self.packed.capacity() * size_of::<PackedEvent>()
            + self.wide.capacity() * size_of::<(DayRange, Spot)>()
    }

    pub(crate) fn shrink_to_fit(&mut self) {
        self.packed.shrink_to_fit();
        self.wide.shrink_to_fit();
    }

    /// The first of the events of a person, which are in order of rank, that has that even rank or a higher
    /// one; the end where none has. Births come first, so few are looked at.
    fn first_ranked(&self, range: Range<usize>, rank: u8) -> usize {
        let Range { start: mut low, end: mut high } = range;
        let mut step = 1;
        while low < high {
            let middle = low + (step - 1).min((high - low) / 2);
            if self.packed.get(middle).is_some_and(|event| event.least_rank() < rank) {
                (low, step) = (middle + 1, step.saturating_mul(2));
            } else {
                (high, step) = (middle, usize::MAX);
            }
        }
        low
    }

    fn unpack_event(&self, event: PackedEvent) -> EventData {
        let PackedEvent { octet, line, column, width, role, name, flags, .. } = event;
        let (range, far) = event.days(&self.wide);
        let spot = far.unwrap_or(Spot { octet: octet.into(), line: line.into(), column, width });
        EventData { range, spot, role, name, flags }
    }
}

impl PackedEvent {
    /// The days, and the place where that is wide.
    #[inline]
    fn days(self, wide: &[(DayRange, Spot)]) -> (DayRange, Option<Spot>) {
        let PackedEvent { day, length, .. } = self;
        let range = match length {
            ANY => DayRange::ANY,
            UP_TO => DayRange { latest: day, ..DayRange::ANY },
            FROM => DayRange { earliest: day, ..DayRange::ANY },
            WIDE => match wide.get(day.cast_unsigned() as usize) {
                Some(&(range, spot)) => return (range, Some(spot)),
                None => DayRange::ANY,
            },
            length => DayRange { earliest: day, latest: day.saturating_add(length.into()) },
        };
        (range, None)
    }

    /// The rank among the events of a person: births, deaths, others; of births and deaths those with a date
    /// that says something first. So the one that counts is found at once, however many there are.
    fn rank(&self, wide: &[(DayRange, Spot)]) -> u8 {
        let is_any = || u8::from(self.days(wide).0.is_any());
        match self.role {
            Role::Birth | Role::Death => self.least_rank() + is_any(),
            _ => self.least_rank(),
        }
    }

    /// The rank of an event of the role whose date says something; the one of those that say nothing is next.
    fn least_rank(self) -> u8 {
        match self.role {
            Role::Birth => 0,
            Role::Death => 2,
            _ => 4,
        }
    }
}

/// The days in six octets; `None` where they are too many.
fn days_in(range: DayRange) -> Option<(i32, u16)> {
    let DayRange { earliest, latest } = range;
    match (earliest == i32::MIN, latest == i32::MAX) {
        (true, true) => Some((0, ANY)),
        (true, false) => Some((latest, UP_TO)),
        (false, true) => Some((earliest, FROM)),
        (false, false) => {
            let length = i64::from(latest) - i64::from(earliest);
            let length = u16::try_from(length).ok().filter(|length| *length < WIDE)?;
            Some((earliest, length))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::days::Dated;
    use elf_values::Calendar;

    #[test]
    fn events_take_sixteen_octets_and_come_back() {
        assert_eq!(size_of::<PackedEvent>(), 16);
        let (mut list, mut all) = (EventList::default(), Vec::new());
        let days =
            [i32::MIN, i32::MIN + 1, -70_000, -1, 0, 1, 65_531, 65_532, 2_400_000, i32::MAX - 1, i32::MAX];
        for earliest in days {
            for latest in days.into_iter().filter(|latest| *latest >= earliest) {
                for (octet, line) in [(0, 0), (65_535, 65_535), (65_536, 3), (3, 65_536)] {
                    let dated = Dated {
                        range: DayRange { earliest, latest },
                        calendar: Calendar::Hebrew,
                        is_approximate: true,
                    };
                    let spot = Spot { octet, line, column: 3, width: 255 };
                    all.push(EventData::new(Role::Census, dated, spot, true));
                }
            }
        }
        let mut run = EventList::default();
        all.iter().for_each(|event| run.push(*event));
        list.take(&run, &[]);
        list.take(&run, &[]);
        assert!(list.within(0..list.len()).eq(all.iter().chain(&all).copied()));
        assert_eq!(list.within(all.len() - 1..list.len()).next(), all.last().copied());
        assert!(list.wide.len() < list.len());
    }
}
