//! Integers of any length that occur in payloads.

use crate::scan::into_owned_text;
use std::borrow::Cow;
use std::cmp::Ordering;
use std::fmt;

/// An integer of any length, as written in a payload. Two integers are compared by value.
///
/// Leading zeros have no significance (ELF Dates *Days*, *Years*): `007` and `7` are equal. Numbers of more than 64
/// bits are stored as digits.
///
/// ```
/// use elf_values::Integer;
///
/// assert_eq!(Integer::parse("0044"), Integer::parse("44"));
/// assert_eq!(Integer::parse("-12").and_then(|n| n.to_i64()), Some(-12));
/// assert!(Integer::parse("1.5").is_none());
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Integer<'t>(Repr<'t>);

#[derive(Clone, PartialEq, Eq, Hash)]
enum Repr<'t> {
    /// A value that is never `i64::MIN`, so that every value can be negated.
    Small(i64),
    /// Digits without leading zeros, of a number that does not fit into an `i64`.
    Large { negative: bool, digits: Cow<'t, str> },
}

impl<'t> Integer<'t> {
    /// Parses an optional minus sign and decimal digits.
    pub fn parse(text: &'t str) -> Option<Integer<'t>> {
        let digits = text.strip_prefix('-').unwrap_or(text);
        let all_digits = !digits.is_empty() && digits.bytes().all(|octet| octet.is_ascii_digit());
        all_digits.then(|| Integer::from_digits(digits, digits.len() != text.len()))
    }

    /// Parses a text of ASCII digits, perhaps after a minus sign. The caller has checked the text.
    pub(crate) fn parse_valid(text: &'t str) -> Integer<'t> {
        match text.strip_prefix('-') {
            None => Integer::from_digits(text, false),
            Some(digits) => Integer::from_digits(digits, true),
        }
    }

    pub(crate) fn from_digits(digits: &'t str, negative: bool) -> Integer<'t> {
        /// Every number with this many digits fits into 64 bits.
        const SHORT: usize = 18;
        if digits.len() > SHORT {
            return Integer::from_many_digits(digits, negative);
        }
        let magnitude =
            digits.bytes().fold(0, |value, octet| value * 10 + i64::from(octet.wrapping_sub(b'0')));
        Integer(Repr::Small(if negative { -magnitude } else { magnitude }))
    }

    #[cold]
    fn from_many_digits(digits: &'t str, negative: bool) -> Integer<'t> {
        let digits = digits.trim_start_matches('0');
        let magnitude = digits.bytes().try_fold(0_i64, |value, octet| {
            value.checked_mul(10)?.checked_add(i64::from(octet.wrapping_sub(b'0')))
        });
        Integer(match magnitude {
            Some(value) => Repr::Small(if negative { -value } else { value }),
            None => Repr::Large { negative, digits: Cow::Borrowed(digits) },
        })
    }

    /// Returns the value, if it fits into 64 bits.
    pub const fn to_i64(&self) -> Option<i64> {
        match self.0 {
            Repr::Small(value) => Some(value),
            Repr::Large { .. } => None,
        }
    }

    /// Copies the digits, so that the result borrows nothing.
    pub fn into_owned(self) -> Integer<'static> {
        Integer(match self.0 {
            Repr::Small(value) => Repr::Small(value),
            Repr::Large { negative, digits } => Repr::Large { negative, digits: into_owned_text(digits) },
        })
    }

    /// Returns whether the value is greater than 0.
    pub const fn is_positive(&self) -> bool {
        match self.0 {
            Repr::Small(value) => value > 0,
            Repr::Large { negative, .. } => !negative,
        }
    }

    /// Returns whether the value is less than 0.
    pub const fn is_negative(&self) -> bool {
        match self.0 {
            Repr::Small(value) => value < 0,
            Repr::Large { negative, .. } => negative,
        }
    }

    /// Returns the non-negative remainder of a division; 0 if `divisor` is 0.
    pub(crate) fn modulo(&self, divisor: u32) -> u32 {
        let divisor = u64::from(divisor.max(1));
        let remainder = match &self.0 {
            Repr::Small(value) => value.unsigned_abs() % divisor,
            Repr::Large { digits, .. } => digits
                .bytes()
                .fold(0, |rest, octet| (rest * 10 + u64::from(octet.wrapping_sub(b'0'))) % divisor),
        };
        let remainder = if self.is_negative() { (divisor - remainder) % divisor } else { remainder };
        u32::try_from(remainder).unwrap_or_default()
    }

    pub(crate) fn negated(&self) -> Integer<'t> {
        Integer(match &self.0 {
            Repr::Small(value) => Repr::Small(value.saturating_neg()),
            Repr::Large { negative, digits } => Repr::Large { negative: !negative, digits: digits.clone() },
        })
    }

    pub(crate) fn plus(&self, distance: i8) -> Integer<'t> {
        match &self.0 {
            Repr::Small(value) => match value.checked_add(i64::from(distance)) {
                Some(sum) if sum != i64::MIN => Integer(Repr::Small(sum)),
                _ => Integer::add_to_long(&value.unsigned_abs().to_string(), *value < 0, distance),
            },
            Repr::Large { negative, digits } => Integer::add_to_long(digits, *negative, distance),
        }
    }

    /// Adds a small distance to a number that is too long, or nearly too long, for 64 bits.
    fn add_to_long(digits: &str, negative: bool, distance: i8) -> Integer<'t> {
        // A number this large cannot change its sign.
        let grows = (distance < 0) == negative;
        let mut carry = distance.unsigned_abs();
        let mut reversed: Vec<u8> = Vec::with_capacity(digits.len() + 1);
        for octet in digits.bytes().rev() {
            let digit = octet.wrapping_sub(b'0');
            let units = carry % 10;
            carry /= 10;
            let (digit, over) = if grows {
                let sum = digit + units;
                (sum % 10, sum / 10)
            } else if digit < units {
                (digit + 10 - units, 1)
            } else {
                (digit - units, 0)
            };
            carry += over;
            reversed.push(b'0' + digit);
        }
        if carry > 0 {
            reversed.push(b'0' + carry % 10);
        }
        while reversed.last() == Some(&b'0') {
            reversed.pop();
        }
        let digits: String = reversed.into_iter().rev().map(char::from).collect();
        match Integer::parse(&digits) {
            Some(Integer(Repr::Small(value))) => Integer(Repr::Small(if negative { -value } else { value })),
            _ => Integer(Repr::Large { negative, digits: Cow::Owned(digits) }),
        }
    }
}

impl From<i64> for Integer<'_> {
    fn from(value: i64) -> Self {
        if value == i64::MIN { Integer::from(value + 1).plus(-1) } else { Integer(Repr::Small(value)) }
    }
}

impl PartialOrd for Integer<'_> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Integer<'_> {
    fn cmp(&self, other: &Self) -> Ordering {
        match (&self.0, &other.0) {
            (Repr::Small(one), Repr::Small(two)) => one.cmp(two),
            (Repr::Small(_), Repr::Large { negative, .. }) => {
                if *negative {
                    Ordering::Greater
                } else {
                    Ordering::Less
                }
            }
            (Repr::Large { negative, .. }, Repr::Small(_)) => {
                if *negative {
                    Ordering::Less
                } else {
                    Ordering::Greater
                }
            }
            (Repr::Large { negative: false, digits: one }, Repr::Large { negative: false, digits: two }) => {
                one.len().cmp(&two.len()).then_with(|| one.cmp(two))
            }
            (Repr::Large { negative: true, digits: one }, Repr::Large { negative: true, digits: two }) => {
                two.len().cmp(&one.len()).then_with(|| two.cmp(one))
            }
            (Repr::Large { negative: one, .. }, Repr::Large { negative: two, .. }) => two.cmp(one),
        }
    }
}

impl fmt::Display for Integer<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Repr::Small(value) => write!(f, "{value}"),
            Repr::Large { negative, digits } => {
                f.write_str(if *negative { "-" } else { "" })?;
                f.write_str(digits)
            }
        }
    }
}

impl fmt::Debug for Integer<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn integer(text: &str) -> Integer<'_> {
        Integer::parse(text).expect("an integer")
    }

    #[test]
    fn sums_agree_with_128_bits_on_both_sides_of_64() {
        for start in [0, 9, 10, 99, i128::from(i64::MAX) - 3, i128::from(i64::MAX) + 4, 10_i128.pow(30)] {
            for sign in [1, -1] {
                for distance in -9..=9_i8 {
                    let text = (start * sign).to_string();
                    let sum = (start * sign + i128::from(distance)).to_string();
                    assert_eq!(integer(&text).plus(distance), integer(&sum), "{text} + {distance}");
                }
            }
        }
    }

    #[test]
    fn remainders_are_those_of_euclid() {
        for value in
            [-401_i128, -400, -1, 0, 1, 399, 12_345_678_901_234_567_890_123, -12_345_678_901_234_567_890_123]
        {
            let text = value.to_string();
            assert_eq!(i128::from(integer(&text).modulo(400)), value.rem_euclid(400), "{text}");
        }
    }

    #[test]
    fn numbers_of_any_length_are_ordered() {
        let ordered = [
            "-100000000000000000000",
            "-99999999999999999999",
            "-5",
            "0",
            "7",
            "99999999999999999999",
            "100000000000000000000",
        ];
        for (at, one) in ordered.iter().enumerate() {
            for (beside, two) in ordered.iter().enumerate() {
                assert_eq!(integer(one).cmp(&integer(two)), at.cmp(&beside), "{one} {two}");
            }
        }
    }
}
