//! The `Year` of a date, with its dual form (ELF Dates *Years*).
//!
//! ```text
//! Year ::= "-"? [0-9]+ ( "/" "-"? [0-9]+ )?
//! ```

use crate::Integer;
use crate::scan::{Cursor, Number};
use std::fmt;
use std::hash::{Hash, Hasher};

/// The greatest distance between the historical year and a logical year that is abbreviated to two digits. The next
/// constant is the distance for one digit.
const TWO_DIGITS: i8 = 9;
const ONE_DIGIT: i8 = 1;

/// A year: the historical year, as it was counted at the time, and the logical year, as it is counted today.
///
/// The historical and the logical year differ only in a *dual year* such as `1648/49`. Spelling does not matter:
/// `1648/9`, `1648/49` and `1648/1649` are equal. `1649/1649` and `1649` are equal too, although calendars without dual
/// years reject the former (see [`Date::fault`](crate::Date::fault)).
///
/// ```
/// use elf_values::DateValue;
///
/// let date = DateValue::parse("@#DJULIAN@ 30 JAN 1648/9")?;
/// let year = date.first().expect("a date").year();
/// assert_eq!((year.historical().to_i64(), year.logical().to_i64()), (Some(1648), Some(1649)));
/// assert_eq!(year.to_string(), "1648/49");
/// # Ok::<(), elf_values::Malformed>(())
/// ```
#[derive(Clone, Debug)]
pub struct Year<'t> {
    historical: Integer<'t>,
    logical: Option<Integer<'t>>,
}

impl<'t> Year<'t> {
    /// Reads a year. Leaves a solidus unread if no integer follows. For a year with a sign or a solidus, only the text
    /// is stored.
    pub(super) fn read(cursor: &mut Cursor<'_>) -> Option<Number> {
        let number = cursor.read_number();
        match (number.is_empty(), cursor.peek()) {
            (false, Some(b'/')) | (true, Some(b'-')) => read_long(cursor, number),
            (false, _) => Some(number),
            (true, _) => None,
        }
    }

    pub(super) fn from_number(number: Number, text: &'t str) -> Year<'t> {
        match number.value() {
            Some(year) => Year { historical: Integer::from(i64::from(year)), logical: None },
            None => Year::of_text(number.place.of(text)),
        }
    }

    #[cold]
    fn of_text(text: &'t str) -> Year<'t> {
        let Some((first, second)) = text.split_once('/') else {
            return Year { historical: Integer::parse_valid(text), logical: None };
        };
        let historical = Integer::parse_valid(first);
        let is_signed = second.starts_with('-');
        let short = if is_signed { None } else { expand_abbreviated(&historical, second) };
        Year { historical, logical: Some(short.unwrap_or_else(|| Integer::parse_valid(second))) }
    }

    /// Creates a year with these two numbers. If the numbers differ, the year is a dual year.
    pub fn new(historical: Integer<'t>, logical: Integer<'t>) -> Year<'t> {
        let logical = Some(logical).filter(|logical| *logical != historical);
        Year { historical, logical }
    }

    /// Returns the historical year: the first year of a dual year.
    pub const fn historical(&self) -> &Integer<'t> {
        &self.historical
    }

    /// Returns the logical year: the second year of a dual year.
    pub const fn logical(&self) -> &Integer<'t> {
        match &self.logical {
            Some(logical) => logical,
            None => &self.historical,
        }
    }

    /// Returns whether the date has two years. In `1649/1649` they are equal, which is invalid but occurs.
    pub const fn is_dual(&self) -> bool {
        self.logical.is_some()
    }

    pub(super) fn without_equal_logical_year(&self) -> Year<'t> {
        Year::new(self.historical.clone(), self.logical().clone())
    }

    /// Returns whether the logical year is the next year in time. If years count backwards, the next year has the
    /// smaller number.
    pub(super) fn is_followed_by_next(&self, counts_backwards: bool) -> bool {
        self.historical.plus(if counts_backwards { -1 } else { 1 }) == *self.logical()
    }

    pub(super) fn is_one_apart(&self) -> bool {
        [-1, 1].into_iter().any(|distance| self.historical.plus(distance) == *self.logical())
    }
}

/// Reads `"-"? [0-9]+ ( "/" "-"? [0-9]+ )?`, or nothing if the text does not match. The digits of `first` are read
/// already. `first` is empty if a minus sign comes next.
#[cold]
fn read_long(cursor: &mut Cursor<'_>, first: Number) -> Option<Number> {
    let mut ahead = *cursor;
    if first.is_empty() && !skip_integer(&mut ahead) {
        return None;
    }
    *cursor = ahead;
    if ahead.skip_octet(b'/') && skip_integer(&mut ahead) {
        *cursor = ahead;
    }
    Some(Number::long(cursor.span_from(first.place.start)))
}

/// Skips an integer with an optional minus sign. Returns whether there was an integer. May skip a sign although no
/// digits follow it.
fn skip_integer(cursor: &mut Cursor<'_>) -> bool {
    cursor.skip_octet(b'-');
    !cursor.read_number().is_empty()
}

/// Returns the logical year that one or two digits stand for: the year near `historical` that ends in them.
fn expand_abbreviated<'t>(historical: &Integer<'t>, digits: &str) -> Option<Integer<'t>> {
    let (farthest, modulus) = match digits.len() {
        1 => (ONE_DIGIT, 10),
        2 => (TWO_DIGITS, 100),
        _ => return None,
    };
    let ending: u32 = digits.parse().ok()?;
    (1..=farthest)
        .flat_map(|distance| [distance, -distance])
        .map(|distance| historical.plus(distance))
        .find(|logical| magnitude_ending(logical, modulus) == ending)
}

/// Returns the last digits of a number without its sign.
fn magnitude_ending(number: &Integer<'_>, modulus: u32) -> u32 {
    let ending = number.modulo(modulus);
    if number.is_negative() { (modulus - ending) % modulus } else { ending }
}

impl PartialEq for Year<'_> {
    fn eq(&self, other: &Self) -> bool {
        (&self.historical, self.logical()) == (&other.historical, other.logical())
    }
}

impl Eq for Year<'_> {}

impl Hash for Year<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (&self.historical, self.logical()).hash(state);
    }
}

impl fmt::Display for Year<'_> {
    /// Writes the year without leading zeros. Abbreviates the logical year to two digits, if these parse to the same
    /// year.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.historical)?;
        if !self.is_dual() {
            return Ok(());
        }
        let ending = magnitude_ending(self.logical(), 100);
        let short = format!("{ending:02}");
        let has_two_digits = self.logical().to_i64().is_none_or(|year| year.unsigned_abs() >= 10);
        if has_two_digits && expand_abbreviated(&self.historical, &short).as_ref() == Some(self.logical()) {
            return write!(f, "/{short}");
        }
        let whole = self.logical().to_string();
        let misread =
            expand_abbreviated(&self.historical, &whole).is_some_and(|read| read != *self.logical());
        // Three digits are never read as an abbreviation.
        if misread { write!(f, "/{whole:0>3}") } else { write!(f, "/{whole}") }
    }
}
