//! The stored data of an event.

use crate::days::{DateRange, DayRange};
use crate::deaths::DeathEvidence;
use crate::event_names::EventName;
use crate::spot::LinePosition;
use elf_schema::Role;
use elf_values::Calendar;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct EventData {
    pub(crate) range: DayRange,
    /// The position of its date or, without a date, of the event.
    pub(crate) spot: LinePosition,
    pub(crate) role: Role,
    pub(crate) name: EventName,
    pub(crate) flags: u8,
}

const CALENDAR: u8 = 0b11;
const APPROXIMATE: u8 = 1 << 2;
const STATED: u8 = 1 << 3;
const SEVERAL_DATES: u8 = 1 << 4;
const TOLD: u8 = 1 << 5;
const DENIED: u8 = 1 << 6;
const UNREADABLE: u8 = 1 << 7;

impl EventData {
    /// Creates the data of an event. `is_stated` is true if the structure states the event by `Y`
    /// or by a substructure with a payload.
    pub(crate) fn new(role: Role, dated: DateRange, spot: LinePosition, is_stated: bool) -> EventData {
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

    /// Returns the event with another name.
    pub(crate) fn with_name(self, name: EventName) -> EventData {
        EventData { name, ..self }
    }

    /// Marks the event as one that has further dates. The further dates do not count.
    pub(crate) fn with_several_dates(self) -> EventData {
        EventData { flags: self.flags | SEVERAL_DATES, ..self }
    }

    /// Adds the evidence of a death.
    pub(crate) const fn with_death_evidence(self, evidence: DeathEvidence) -> EventData {
        let told = if evidence.is_stated { TOLD } else { 0 };
        let denied = if evidence.is_denied { DENIED } else { 0 };
        EventData { flags: self.flags | told | denied, ..self }
    }

    /// Marks the date as unreadable. `range` covers the years that the text of the date contains,
    /// or is [`DayRange::ANY`] if the text contains other numbers.
    pub(crate) const fn with_unreadable_date(self, range: DayRange) -> EventData {
        EventData { range, flags: self.flags | UNREADABLE, ..self }
    }

    /// Returns whether the event states a death, apart from its date.
    pub(crate) const fn is_death_stated(&self) -> bool {
        self.flags & TOLD != 0
    }

    /// Returns whether the event denies a death.
    pub(crate) const fn is_death_denied(&self) -> bool {
        self.flags & DENIED != 0
    }

    /// Returns whether the date contains numbers but cannot be read.
    pub(crate) const fn has_unreadable_date(&self) -> bool {
        self.flags & UNREADABLE != 0
    }

    pub(crate) const fn has_several_dates(&self) -> bool {
        self.flags & SEVERAL_DATES != 0
    }

    pub(crate) fn dated(&self) -> DateRange {
        let calendar = match self.flags & CALENDAR {
            0 => Calendar::Gregorian,
            1 => Calendar::Julian,
            2 => Calendar::FrenchRepublican,
            _ => Calendar::Hebrew,
        };
        DateRange { range: self.range, calendar, is_approximate: self.flags & APPROXIMATE != 0 }
    }

    pub(crate) const fn is_stated(&self) -> bool {
        self.flags & STATED != 0
    }
}
