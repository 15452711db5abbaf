//! Stores events in sixteen bytes each, because all events of a file are in memory at once.

use crate::days::DayRange;
use crate::event_data::EventData;
use crate::event_names::EventName;
use crate::lists::to_u32;
use crate::spot::LinePosition;
use elf_schema::Role;
use std::ops::Range;

/// A list of packed events.
#[derive(Clone, Debug, Default)]
pub(crate) struct EventList {
    packed: Vec<PackedEvent>,
    /// The days and positions that are too large for a packed event: ranges of centuries, and
    /// positions far after the start of a record.
    wide: Vec<DaysAndPosition>,
}

/// The days of an event and the position of its line.
#[derive(Clone, Copy, Debug)]
struct DaysAndPosition {
    range: DayRange,
    spot: LinePosition,
}

/// An [`EventData`] without the values that are too large.
#[derive(Clone, Copy, Debug)]
struct PackedEvent {
    /// The first day, or a value that depends on `length`.
    day: i32,
    /// The number of days after the first, or one of the constants below.
    length: u16,
    octet: u16,
    line: u16,
    name: EventName,
    column: u8,
    width: u8,
    role: Role,
    flags: u8,
}

/// All days.
const ANY: u16 = u16::MAX;
/// All days up to `day`.
const UP_TO: u16 = u16::MAX - 1;
/// All days from `day` on.
const FROM: u16 = u16::MAX - 2;
/// Days and position are stored in `wide`, at the index `day`.
const WIDE: u16 = u16::MAX - 3;

impl EventList {
    pub(crate) fn len(&self) -> usize {
        self.packed.len()
    }

    pub(crate) fn push(&mut self, event: EventData) {
        let EventData { range, spot, role, name, flags } = event;
        let small = u16::try_from(spot.octet).ok().zip(u16::try_from(spot.line).ok());
        let (day, length, (octet, line)) = match (pack_days(range), small) {
            (Some((day, length)), Some(small)) => (day, length, small),
            _ => {
                let index = to_u32(self.wide.len());
                self.wide.push(DaysAndPosition { range, spot });
                (index.cast_signed(), WIDE, (0, 0))
            }
        };
        let LinePosition { column, width, .. } = spot;
        self.packed.push(PackedEvent { day, length, octet, line, name, column, width, role, flags });
    }

    /// Returns the events with these numbers.
    pub(crate) fn events_in(&self, range: Range<usize>) -> impl Iterator<Item = EventData> {
        self.packed[range].iter().map(|event| self.unpack(*event))
    }

    /// Returns the numbers of the births, or of the deaths, of one person. The events of the person
    /// are sorted by rank.
    pub(crate) fn numbers_with_role(&self, range: Range<usize>, role: Role) -> Range<usize> {
        let first = if role == Role::Birth { 0 } else { 2 };
        let from = self.first_with_rank(range.clone(), first);
        from..self.first_with_rank(from..range.end, first + 2)
    }

    /// Returns the birth, or the death, that counts among the events of one person. The events of
    /// the person are sorted by rank.
    pub(crate) fn main_event(&self, range: Range<usize>, role: Role) -> Option<EventData> {
        // Births come first.
        let at = if role == Role::Birth { range.start } else { self.first_with_rank(range.clone(), 2) };
        let event = self.packed.get(at).filter(|event| at < range.end && event.role == role)?;
        Some(self.unpack(*event))
    }

    /// Sorts the events of the last person, from the number `first` on, by rank.
    pub(crate) fn sort_from(&mut self, first: usize) {
        let EventList { packed, wide } = self;
        let events = &mut packed[first..];
        // The events are nearly always sorted already.
        if !events.is_sorted_by_key(|event| event.rank(wide)) {
            events.sort_by_key(|event| event.rank(wide));
        }
    }

    /// Adds the events of another list, with their names renumbered.
    pub(crate) fn append_renamed(&mut self, other: &EventList, names: &[EventName]) {
        let wide_before = to_u32(self.wide.len());
        self.packed.extend(other.packed.iter().map(|event| {
            let day = match event.length {
                WIDE => event.day.cast_unsigned().saturating_add(wide_before).cast_signed(),
                _ => event.day,
            };
            PackedEvent { day, name: event.name.renumbered(names), ..*event }
        }));
        self.wide.extend(&other.wide);
    }

    /// Returns the memory use in bytes.
    pub(crate) fn octets(&self) -> usize {
        self.packed.capacity() * size_of::<PackedEvent>()
            + self.wide.capacity() * size_of::<DaysAndPosition>()
    }

    pub(crate) fn shrink_to_fit(&mut self) {
        self.packed.shrink_to_fit();
        self.wide.shrink_to_fit();
    }

    /// Returns the number of the first event of a person with at least this rank, which is even;
    /// the end if there is none. The events are sorted by rank. Few are examined, because births
    /// come first.
    fn first_with_rank(&self, range: Range<usize>, rank: u8) -> usize {
        let Range { start: mut low, end: mut high } = range;
        let mut step = 1;
        while low < high {
            let middle = low + (step - 1).min((high - low) / 2);
            if self.packed.get(middle).is_some_and(|event| event.lowest_rank() < rank) {
                (low, step) = (middle + 1, step.saturating_mul(2));
            } else {
                (high, step) = (middle, usize::MAX);
            }
        }
        low
    }

    fn unpack(&self, event: PackedEvent) -> EventData {
        let PackedEvent { octet, line, column, width, role, name, flags, .. } = event;
        let (range, far) = event.days(&self.wide);
        let spot = far.unwrap_or(LinePosition { octet: octet.into(), line: line.into(), column, width });
        EventData { range, spot, role, name, flags }
    }
}

impl PackedEvent {
    /// Returns the days, and the position if it is stored in `wide`.
    #[inline]
    fn days(self, wide: &[DaysAndPosition]) -> (DayRange, Option<LinePosition>) {
        let PackedEvent { day, length, .. } = self;
        let range = match length {
            ANY => DayRange::ANY,
            UP_TO => DayRange { latest: day, ..DayRange::ANY },
            FROM => DayRange { earliest: day, ..DayRange::ANY },
            WIDE => match wide.get(day.cast_unsigned() as usize) {
                Some(&DaysAndPosition { range, spot }) => return (range, Some(spot)),
                None => DayRange::ANY,
            },
            length => DayRange { earliest: day, latest: day.saturating_add(length.into()) },
        };
        (range, None)
    }

    /// Returns the rank among the events of a person: births come first, then deaths, then other
    /// events. Among births and among deaths, those with a usable date come first, so that the main
    /// event is found at once.
    fn rank(&self, wide: &[DaysAndPosition]) -> u8 {
        let is_any = || u8::from(self.days(wide).0.is_any());
        match self.role {
            Role::Birth | Role::Death => self.lowest_rank() + is_any(),
            _ => self.lowest_rank(),
        }
    }

    /// Returns the rank of an event with a usable date. Events with an unusable date have the next
    /// rank.
    fn lowest_rank(self) -> u8 {
        match self.role {
            Role::Birth => 0,
            Role::Death => 2,
            _ => 4,
        }
    }
}

/// Packs the days into six bytes. `None` if the range is too long.
fn pack_days(range: DayRange) -> Option<(i32, u16)> {
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
    use crate::days::DateRange;
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
                    let dated = DateRange {
                        range: DayRange { earliest, latest },
                        calendar: Calendar::Hebrew,
                        is_approximate: true,
                    };
                    let spot = LinePosition { octet, line, column: 3, width: 255 };
                    all.push(EventData::new(Role::Census, dated, spot, true));
                }
            }
        }
        let mut run = EventList::default();
        all.iter().for_each(|event| run.push(*event));
        list.append_renamed(&run, &[]);
        list.append_renamed(&run, &[]);
        assert!(list.events_in(0..list.len()).eq(all.iter().chain(&all).copied()));
        assert_eq!(list.events_in(all.len() - 1..list.len()).next(), all.last().copied());
        assert!(list.wide.len() < list.len());
    }
}
