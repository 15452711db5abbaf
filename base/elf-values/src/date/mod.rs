//! Dates: `elf:DateValue`, `elf:DatePeriod` and `elf:DateExact` (ELF Dates *Date formats*).
//!
//! ```text
//! DateValue  ::= Date | DateApprox | DateInterp | DateRange | DatePeriod
//! DateApprox ::= ( "ABT" | "CAL" | "EST" ) S Date
//! DateInterp ::= ( "INT" S Date S )? "(" DatePhrase ")"
//! DatePhrase ::= [^#xA#xD()]*
//! DateRange  ::= ( "BEF" | "AFT" ) S Date | "BET" S Date S "AND" S Date
//! DatePeriod ::= "FROM" S Date ( S "TO" S Date )? | "TO" S Date
//! GregDate   ::= GregDay S GregMonth S GregYear
//! ```
//!
//! | file | subject |
//! | --- | --- |
//! | `value` | the forms above |
//! | `single`, `year` | one date, and its year |
//! | `canonical` | the canonical spelling, and equality |
//! | `fault` | reasons why a date does not exist |
//! | `days` | the interval of days of a date, and comparison |
//! | `lenient` | the meaning of a date in any of the known spellings |
//! | `iso` | ISO 8601 and EDTF spelling |
//! | `calendars` | conversion to another calendar |
//! | `exact` | `elf:DateExact` |
//! | `parts` | building a date from its parts |
//! | `wild` | dates outside the grammar, as producers write them |

mod calendars;
mod canonical;
mod days;
mod exact;
mod fault;
mod iso;
mod lenient;
mod parts;
mod single;
mod value;
mod wild;
mod year;

pub use days::{Bound, Days, Relation};
pub use exact::DateExact;
pub use fault::Fault;
pub use iso::{iso_day, parse_iso_day};
pub use parts::DateParts;
pub use single::{CalendarName, Date};
pub use value::{Approximation, DateForm, DatePeriod, DateValue};
pub(crate) use wild::has_misspelled_escape;
pub use wild::{Recovered, in_capitals, recover};
pub(crate) use wild::{is_temple, spell_both_orders};
pub use year::Year;
