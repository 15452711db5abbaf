//! What is kept of an event.

use crate::days::{Dated, DayRange};
use crate::event_names::EventName;
use crate::spot::Spot;
use elf_schema::Role;
use elf_values::Calendar;

/// An event or attribute of a person or a family.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct EventData {
    pub(crate) range: DayRange,
    /// The place of its date, or its own where it has none.
    pub(crate) spot: Spot,
    pub(crate) role: Role,
    pub(crate) name: EventName,
    pub(crate) flags: u8,
}

const CALENDAR: u8 = 0b11;
const APPROXIMATE: u8 = 1 << 2;
const STATED: u8 = 1 << 3;
const SEVERAL_DATES: u8 = 1 << 4;

impl EventData {
    /// `is_stated`: the structure says that it happened, by `Y` or by a payload beneath it.
    pub(crate) fn new(role: Role, dated: Dated, spot: Spot, is_stated: bool) -> EventData {
        let calendar = match dated.calendar {
            Calendar::Gregorian => 0,
            Calendar::Julian => 1,
            Calendar::FrenchRepublican => 2,
            Calendar::Hebrew => 3,
        };
        let approximate = if dated.is_approximate { APPROXIMATE } else { 0 };
        let stated = if is_stated { STATED } else { 0 };
        EventData {
            range: dated.range,
            spot,
            role,
            name: EventName::default(),
            flags: calendar | approximate | stated,
        }
    }

    /// The event with another name.
    pub(crate) fn with_name(self, name: EventName) -> EventData {
        EventData { name, ..self }
    }

    /// The event as one that has further dates, besides the one that counts.
    pub(crate) fn with_several_dates(self) -> EventData {
        EventData { flags: self.flags | SEVERAL_DATES, ..self }
    }

    pub(crate) const fn has_several_dates(&self) -> bool {
        self.flags & SEVERAL_DATES != 0
    }

    pub(crate) fn dated(&self) -> Dated {
        let calendar = match self.flags & CALENDAR {
            0 => Calendar::Gregorian,
            1 => Calendar::Julian,
            2 => Calendar::FrenchRepublican,
            _ => Calendar::Hebrew,
        };
        Dated { range: self.range, calendar, is_approximate: self.flags & APPROXIMATE != 0 }
    }

    pub(crate) const fn is_stated(&self) -> bool {
        self.flags & STATED != 0
    }
}
