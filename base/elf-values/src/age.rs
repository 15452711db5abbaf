//! Ages in the datatype `elf:Age` (ELF Dates *The elf:Age datatype*).
//!
//! ```text
//! Age      ::= ( [<>] S? )? ( Duration | BareYear ) | AgeWord
//! Duration ::= [0-9]+ "y" ( S? [0-9]+ "m" )? ( S? [0-9]+ "d")?
//!            | [0-9]+ "m" ( S? [0-9]+ "d" )? | [0-9]+ "d"
//! BareYear ::= [0-9]+
//! AgeWord  ::= "CHILD" | "INFANT" | "STILLBORN"
//! ```

use crate::Integer;
use crate::problem::Malformed;
use crate::scan::Cursor;
use std::fmt;

/// A payload of the datatype `elf:Age`.
///
/// Spelling does not matter: `2`, `02y` and `2y` are equal, and so are `0y 2m` and `2m`. The smallest unit shows the
/// precision, so `2y 0m`, `2y` and `24m` are three different ages.
///
/// ```
/// use elf_values::Age;
///
/// assert_eq!(Age::parse("<2y0m")?.to_string(), "< 2y 0m");
/// assert_eq!(Age::parse("0y 2m")?, Age::parse("2m")?);
/// assert_ne!(Age::parse("2y")?, Age::parse("24m")?);
/// # Ok::<(), elf_values::Malformed>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Age<'t> {
    /// The age is given by a word.
    Word(AgeWord),
    /// An age in years, months and days, perhaps with `<` or `>` before it.
    Quantity(Option<AgeBound>, Duration<'t>),
}

/// A word that describes an age. The word has no exact limits: a source may call a person of fifteen a child.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AgeWord {
    /// The word `CHILD`.
    Child,
    /// The word `INFANT`.
    Infant,
    /// The word `STILLBORN`. The person died just before, at or just after birth.
    Stillborn,
}

/// The meaning of `<` or `>` before an age. The age itself is included.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AgeBound {
    /// `<`: the person was at most this old.
    AtMost,
    /// `>`: the person was at least this old.
    AtLeast,
}

/// A number of years, months and days. The smallest unit that is written shows the precision.
#[derive(Clone, Debug)]
pub struct Duration<'t> {
    years: Option<Integer<'t>>,
    months: Option<Integer<'t>>,
    days: Option<Integer<'t>>,
}

impl<'t> Age<'t> {
    /// Parses a payload.
    ///
    /// # Errors
    ///
    /// Returns [`Malformed`] with the first place in the payload that does not match the production `Age`.
    pub fn parse(text: &'t str) -> Result<Age<'t>, Malformed> {
        let word = match text {
            "CHILD" => Some(AgeWord::Child),
            "INFANT" => Some(AgeWord::Infant),
            "STILLBORN" => Some(AgeWord::Stillborn),
            _ => None,
        };
        if let Some(word) = word {
            return Ok(Age::Word(word));
        }
        let mut cursor = Cursor::new(text);
        let bound = read_bound(&mut cursor);
        let duration = read_duration(&mut cursor);
        match duration {
            Some(duration) if cursor.is_done() => Ok(Age::Quantity(bound, duration)),
            found => {
                let start = cursor.position();
                let is_behind_digit = start
                    .checked_sub(1)
                    .and_then(|at| text.as_bytes().get(at as usize))
                    .is_some_and(u8::is_ascii_digit);
                let is_unit = !cursor.skip_space() && is_behind_digit;
                let start = if cursor.is_done() { start } else { cursor.position() };
                cursor.read_word();
                let expected = match found {
                    Some(_) if is_unit => "`y`, `m` or `d` after the number",
                    Some(_) => "nothing after the age",
                    None => "a number of years, months or days such as `15y 2m 3d`",
                };
                Err(Malformed::new(text, cursor.span_from(start), expected))
            }
        }
    }
}

impl Age<'_> {
    /// Copies the digits, so that the result borrows nothing.
    pub fn into_owned(self) -> Age<'static> {
        match self {
            Age::Word(word) => Age::Word(word),
            Age::Quantity(bound, Duration { years, months, days }) => {
                let [years, months, days] =
                    [years, months, days].map(|number| number.map(Integer::into_owned));
                Age::Quantity(bound, Duration { years, months, days })
            }
        }
    }
}

/// Reads the bound before an age, `( [<>] S? )?`.
fn read_bound(cursor: &mut Cursor<'_>) -> Option<AgeBound> {
    let bound = if cursor.skip_literal("<") {
        AgeBound::AtMost
    } else if cursor.skip_literal(">") {
        AgeBound::AtLeast
    } else {
        return None;
    };
    cursor.skip_space();
    Some(bound)
}

/// Reads the production `Duration | BareYear`. Text that follows it stays unread.
fn read_duration<'t>(cursor: &mut Cursor<'t>) -> Option<Duration<'t>> {
    let start = cursor.position();
    let years = read_component(cursor, start, "y");
    let months = read_component(cursor, start, "m");
    let days = read_component(cursor, start, "d");
    if cursor.position() > start {
        return Some(Duration { years, months, days });
    }
    let years = Integer::from_digits(cursor.read_digits()?, false);
    Some(Duration { years: Some(years), months: None, days: None })
}

/// Reads `S? [0-9]+ suffix`, or nothing if the text does not match. No blank is allowed before the first component,
/// which starts at `start`.
fn read_component<'t>(cursor: &mut Cursor<'t>, start: u32, suffix: &'static str) -> Option<Integer<'t>> {
    let mut ahead = *cursor;
    if ahead.position() > start {
        ahead.skip_space();
    }
    let digits = ahead.read_digits()?;
    if !ahead.skip_literal(suffix) {
        return None;
    }
    *cursor = ahead;
    Some(Integer::from_digits(digits, false))
}

impl<'t> Duration<'t> {
    /// Returns the number of years as written.
    pub const fn years(&self) -> Option<&Integer<'t>> {
        self.years.as_ref()
    }

    /// Returns the number of months as written.
    pub const fn months(&self) -> Option<&Integer<'t>> {
        self.months.as_ref()
    }

    /// Returns the number of days as written.
    pub const fn days(&self) -> Option<&Integer<'t>> {
        self.days.as_ref()
    }

    /// Returns years, months and days without the zeros that do not matter. Only the smallest unit may be 0.
    fn significant_components(&self) -> [Option<&Integer<'t>>; 3] {
        let not_zero = |number: &&Integer<'_>| number.is_positive();
        let days = self.days.as_ref();
        let months = self.months.as_ref().filter(|months| days.is_none() || not_zero(months));
        let smaller = days.is_some() || self.months.is_some();
        let years = self.years.as_ref().filter(|years| !smaller || not_zero(years));
        [years, months, days]
    }
}

impl PartialEq for Duration<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.significant_components() == other.significant_components()
    }
}

impl Eq for Duration<'_> {}

impl fmt::Display for AgeWord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            AgeWord::Child => "CHILD",
            AgeWord::Infant => "INFANT",
            AgeWord::Stillborn => "STILLBORN",
        })
    }
}

impl fmt::Display for Duration<'_> {
    /// Writes the canonical spelling: every component has its unit, one blank separates components, and zeros are
    /// written only where they matter.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut separator = "";
        for (number, unit) in self.significant_components().into_iter().zip(["y", "m", "d"]) {
            if let Some(number) = number {
                write!(f, "{separator}{number}{unit}")?;
                separator = " ";
            }
        }
        Ok(())
    }
}

impl fmt::Display for Age<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Age::Word(word) => write!(f, "{word}"),
            Age::Quantity(None, duration) => write!(f, "{duration}"),
            Age::Quantity(Some(AgeBound::AtMost), duration) => write!(f, "< {duration}"),
            Age::Quantity(Some(AgeBound::AtLeast), duration) => write!(f, "> {duration}"),
        }
    }
}
