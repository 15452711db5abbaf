//! The arguments of `elf date`.

use super::PrintOptions;
use clap::{Args, ValueEnum};
use elf_values::{Calendar, Datatype};

/// Explain a date, period, age or time: its form, possible days and standard spelling.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Date {
    /// The dates, periods, ages or times to explain. Write each of them as one argument.
    #[arg(required = true, value_name = "TEXT", allow_negative_numbers = true)]
    pub(crate) texts: Vec<String>,
    /// Read the texts as this datatype. By default, they are read as dates. A text that is not a valid date is then
    /// read as an age or a time, if possible.
    #[arg(long, value_name = "TYPE", value_enum)]
    pub(crate) datatype: Option<ValueType>,
    /// Show the days in this calendar, too.
    #[arg(long, value_name = "CALENDAR", value_enum)]
    pub(crate) to: Option<InCalendar>,
    #[command(flatten)]
    pub(crate) printing: PrintOptions,
}

const EXAMPLES: &str = "\
Examples:
  elf date \"ABT @#DJULIAN@ 3 MAR 1701/02\"
  elf date --to hebrew \"10 SEP 2018\"
  elf date --datatype age \"< 52y\" --format json";

/// The datatypes that the specification ELF Dates defines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ValueType {
    /// Any form of date.
    Value,
    /// A period, such as `FROM 1904 TO 1915`.
    Period,
    /// One day of the Gregorian calendar.
    Exact,
    /// An age.
    Age,
    /// A time of day.
    Time,
}

/// The calendars that the specification ELF Dates defines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum InCalendar {
    /// The calendar in use today.
    Gregorian,
    /// The calendar before the Gregorian reform.
    Julian,
    /// The Hebrew calendar.
    Hebrew,
    /// The French Republican calendar, years 1 to 18.
    French,
}

impl From<ValueType> for Datatype {
    fn from(datatype: ValueType) -> Datatype {
        match datatype {
            ValueType::Value => Datatype::DateValue,
            ValueType::Period => Datatype::DatePeriod,
            ValueType::Exact => Datatype::DateExact,
            ValueType::Age => Datatype::Age,
            ValueType::Time => Datatype::Time,
        }
    }
}

impl From<InCalendar> for Calendar {
    fn from(calendar: InCalendar) -> Calendar {
        match calendar {
            InCalendar::Gregorian => Calendar::Gregorian,
            InCalendar::Julian => Calendar::Julian,
            InCalendar::Hebrew => Calendar::Hebrew,
            InCalendar::French => Calendar::FrenchRepublican,
        }
    }
}
