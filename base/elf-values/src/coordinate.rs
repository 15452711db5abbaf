//! Places on a map: latitude and longitude (GEDCOM 5.5.1 `PLACE_LATITUDE`, `PLACE_LONGITUDE`;
//! `elf:PLACE_LATITUDE`).
//!
//! ```text
//! Latitude  ::= [NS] Degrees
//! Longitude ::= [EW] Degrees
//! Degrees   ::= [0-9]+ ( "." [0-9]+ )?
//! ```

use crate::finding::Respelling;
use crate::problem::Malformed;
use crate::scan::{Cursor, span};
use elf_base::Safety;
use std::fmt;

/// A latitude or a longitude in decimal degrees, with a precision of a billionth of a degree (a tenth of a
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

const DEGREE: i64 = 1_000_000_000;
const DIGITS: usize = 9;

impl Coordinate {
    /// Parses a latitude: `N` or `S` and up to 90 degrees.
    ///
    /// # Errors
    ///
    /// Returns [`Malformed`] with the first place that does not match the grammar, or with the degrees if they are out
    /// of range.
    pub fn latitude(text: &str) -> Result<Coordinate, Malformed> {
        parse_coordinate(text, &LATITUDE)
    }

    /// Parses a longitude: `E` or `W` and up to 180 degrees.
    ///
    /// # Errors
    ///
    /// Returns [`Malformed`] with the first place that does not match the grammar, or with the degrees if they are out
    /// of range.
    pub fn longitude(text: &str) -> Result<Coordinate, Malformed> {
        parse_coordinate(text, &LONGITUDE)
    }

    /// Converts a latitude in other spellings, such as `52.1`, `-52.1`, `n52.1` and `52.1° N`, to the standard
    /// spelling. `None` if the text may mean something else.
    ///
    /// ```
    /// use elf_values::{Coordinate, elf_base::Safety};
    ///
    /// let respelled = Coordinate::respell_latitude("-33.8650").expect("a latitude");
    /// assert_eq!((respelled.text.as_str(), respelled.safety), ("S33.8650", Safety::Unsafe));
    /// assert_eq!(Coordinate::respell_latitude("33°51'54\""), None);
    /// ```
    pub fn respell_latitude(text: &str) -> Option<Respelling> {
        move_letter_first(text, &LATITUDE).filter(|respelled| Coordinate::latitude(&respelled.text).is_ok())
    }

    /// Converts a longitude in another spelling to the standard spelling. `None` if the text may mean something else.
    pub fn respell_longitude(text: &str) -> Option<Respelling> {
        move_letter_first(text, &LONGITUDE).filter(|respelled| Coordinate::longitude(&respelled.text).is_ok())
    }

    /// Returns the degrees in billionths, positive to the north and east. Digits after the ninth decimal are cut off.
    pub const fn billionths(self) -> i64 {
        self.billionths
    }
}

/// The letters, the limit and the messages of latitudes or of longitudes.
struct Axis {
    positive: char,
    negative: char,
    max_degrees: i64,
    expected_letter: &'static str,
    expected_range: &'static str,
}

const LATITUDE: Axis = Axis {
    positive: 'N',
    negative: 'S',
    max_degrees: 90,
    expected_letter: "`N` or `S`",
    expected_range: "from 0 to 90 degrees",
};

const LONGITUDE: Axis = Axis {
    positive: 'E',
    negative: 'W',
    max_degrees: 180,
    expected_letter: "`E` or `W`",
    expected_range: "from 0 to 180 degrees",
};

fn parse_coordinate(text: &str, axis: &Axis) -> Result<Coordinate, Malformed> {
    let &Axis { positive, negative, max_degrees, expected_letter, expected_range } = axis;
    let mut cursor = Cursor::new(text);
    let is_negative = match text.chars().next() {
        Some(letter) if letter == positive => false,
        Some(letter) if letter == negative => true,
        _ => {
            return Err(Malformed::new(
                text,
                span(0, text.chars().next().map_or(0, char::len_utf8)),
                expected_letter,
            ));
        }
    };
    cursor.read_while(|c| c == positive || c == negative);
    let start = cursor.position();
    let degrees = cursor.read_digits().filter(|_| start == 1);
    let fraction = if cursor.skip_literal(".") { cursor.read_digits() } else { Some("") };
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
    let is_within =
        whole < max_degrees || whole == max_degrees && fraction.bytes().all(|digit| digit == b'0');
    if !is_within {
        return Err(Malformed::new(text, span(1, text.len()), expected_range));
    }
    let magnitude = whole * DEGREE + parts;
    Ok(Coordinate { billionths: if is_negative { -magnitude } else { magnitude }, positive, negative })
}

/// Moves the letter to the front and replaces a comma by a point. Does not check the result.
fn move_letter_first(text: &str, axis: &Axis) -> Option<Respelling> {
    let &Axis { positive, negative, .. } = axis;
    let text = text.trim();
    let is_letter = |letter: char| {
        let upper = letter.to_ascii_uppercase();
        upper == positive || upper == negative
    };
    let (letter, degrees) = if let Some(degrees) = text.strip_prefix(is_letter) {
        (text.chars().next(), degrees)
    } else if let Some(degrees) = text.strip_suffix(is_letter) {
        (text.chars().next_back(), degrees)
    } else {
        (None, text)
    };
    let degrees = degrees.trim();
    let degrees = degrees.strip_suffix('\u{B0}').map_or(degrees, str::trim_end);
    let (sign, digits) = match degrees.strip_prefix(['+', '-', '\u{2212}']) {
        Some(digits) => (degrees.chars().next(), digits),
        None => (None, degrees),
    };
    let letter = match (letter, sign) {
        (Some(letter), None) => letter.to_ascii_uppercase(),
        (None, None | Some('+')) => positive,
        (None, Some(_)) => negative,
        // Both the sign and the letter state a direction, and may contradict each other.
        (Some(_), Some(_)) => return None,
    };
    // A comma may separate two numbers, so it is not certainly a decimal point.
    let is_certain = text.contains(is_letter) && !digits.contains(',');
    let safety = if is_certain { Safety::Safe } else { Safety::Unsafe };
    let digits = if digits.contains('.') { digits.to_owned() } else { digits.replacen(',', ".", 1) };
    Some(Respelling { text: format!("{letter}{digits}"), safety })
}

impl fmt::Display for Coordinate {
    /// Writes the canonical spelling: no leading or trailing zeros, at most nine decimals.
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
