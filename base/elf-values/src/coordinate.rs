//! Places on a map: latitude and longitude (GEDCOM 5.5.1 `PLACE_LATITUDE`, `PLACE_LONGITUDE`;
//! `elf:PLACE_LATITUDE`).
//!
//! ```text
//! Latitude  ::= [NS] Degrees
//! Longitude ::= [EW] Degrees
//! Degrees   ::= [0-9]+ ( "." [0-9]+ )?
//! ```

use crate::problem::Malformed;
use crate::scan::{Cursor, span};
use std::fmt;

/// A latitude or a longitude in decimal degrees, exact to a thousand-millionth of a degree (a tenth of a
/// millimetre).
///
/// ```
/// use elf_values::Coordinate;
///
/// let south = Coordinate::latitude("S33.8650")?;
/// assert_eq!((south.billionths(), south.to_string()), (-33_865_000_000, "S33.865".to_owned()));
/// assert!(Coordinate::latitude("N95.0").is_err());
/// assert!(Coordinate::longitude("hello").is_err());
/// # Ok::<(), elf_values::Malformed>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Coordinate {
    billionths: i64,
    positive: char,
    negative: char,
}

/// Parts of a degree, and the digits that say them.
const DEGREE: i64 = 1_000_000_000;
const DIGITS: usize = 9;

impl Coordinate {
    /// Reads a latitude: `N` or `S` and up to 90 degrees.
    ///
    /// # Errors
    ///
    /// [`Malformed`] with the first place that does not fit, or the degrees that are too many.
    pub fn latitude(text: &str) -> Result<Coordinate, Malformed> {
        read(text, ('N', 'S'), 90, ["`N` or `S`", "from 0 to 90 degrees"])
    }

    /// Reads a longitude: `E` or `W` and up to 180 degrees.
    ///
    /// # Errors
    ///
    /// [`Malformed`] with the first place that does not fit, or the degrees that are too many.
    pub fn longitude(text: &str) -> Result<Coordinate, Malformed> {
        read(text, ('E', 'W'), 180, ["`E` or `W`", "from 0 to 180 degrees"])
    }

    /// The degrees in thousand-millionths, northwards and eastwards positive. Digits beyond are cut off.
    pub const fn billionths(self) -> i64 {
        self.billionths
    }
}

fn read(
    text: &str,
    (positive, negative): (char, char),
    most: i64,
    expected: [&'static str; 2],
) -> Result<Coordinate, Malformed> {
    let [direction, range] = expected;
    let mut cursor = Cursor::new(text);
    let is_negative = match text.chars().next() {
        Some(letter) if letter == positive => false,
        Some(letter) if letter == negative => true,
        _ => {
            return Err(Malformed::new(
                text,
                span(0, text.chars().next().map_or(0, char::len_utf8)),
                direction,
            ));
        }
    };
    cursor.take_while(|c| c == positive || c == negative);
    let start = cursor.at();
    let degrees = cursor.digits().filter(|_| start == 1);
    let fraction = if cursor.literal(".") { cursor.digits() } else { Some("") };
    let (Some(degrees), Some(fraction), true) = (degrees, fraction, cursor.is_done()) else {
        return Err(Malformed::new(
            text,
            span(1.min(text.len()), text.len()),
            "decimal degrees such as `12.5`",
        ));
    };
    let whole = degrees.trim_start_matches('0');
    let whole: i64 = if whole.is_empty() { 0 } else { whole.parse().unwrap_or(i64::MAX) };
    let parts = format!("{fraction:0<DIGITS$}");
    let parts: i64 = parts.get(..DIGITS).and_then(|digits| digits.parse().ok()).unwrap_or_default();
    let is_within = whole < most || whole == most && fraction.bytes().all(|digit| digit == b'0');
    if !is_within {
        return Err(Malformed::new(text, span(1, text.len()), range));
    }
    let magnitude = whole * DEGREE + parts;
    Ok(Coordinate { billionths: if is_negative { -magnitude } else { magnitude }, positive, negative })
}

impl fmt::Display for Coordinate {
    /// Writes the canonical spelling: no leading zeros, no zeros at the end of a fraction, at most nine
    /// digits.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let direction = if self.billionths < 0 { self.negative } else { self.positive };
        let magnitude = self.billionths.unsigned_abs();
        let (whole, parts) = (magnitude / DEGREE.unsigned_abs(), magnitude % DEGREE.unsigned_abs());
        write!(f, "{direction}{whole}")?;
        match parts {
            0 => Ok(()),
            _ => write!(f, ".{}", format!("{parts:09}").trim_end_matches('0')),
        }
    }
}
