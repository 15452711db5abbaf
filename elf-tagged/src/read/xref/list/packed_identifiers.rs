//! A compact list of identifiers.

use std::ops::Range;

/// A list of identifiers, stored as numbers. The numbers are those of [`PackedText`](elf_base::PackedText), or others.
/// The usual identifier, a capital letter with up to eight digits, takes four bytes; others take twelve.
#[derive(Clone, Debug, Default)]
pub(super) struct PackedIdentifiers {
    /// A number for each identifier. From the highest bit on, it contains the letter, the number of digits less one,
    /// and the value of the digits. Other identifiers have [`ASIDE`] and an index in `aside`.
    short: Vec<u32>,
    aside: Vec<u64>,
}

/// The value in place of the letter, for an identifier that is stored in `aside`.
const ASIDE: u32 = 31;
const LETTER_SHIFT: u32 = 27;
const DIGITS_SHIFT: u32 = 24;
const FIRST_LETTER: u64 = b'A' as u64;

#[inline]
fn shorten_identifier(identifier: u64) -> Option<u32> {
    // A `PackedText` contains eight plus the number of digits, then the letter, then the value of the digits.
    let digits = (identifier >> 56).wrapping_sub(9);
    let letter = (identifier >> 48 & 0xFF).wrapping_sub(FIRST_LETTER);
    let number = identifier & ((1 << 48) - 1);
    let is_short = digits < 8 && letter < u64::from(ASIDE) && number >> DIGITS_SHIFT == 0;
    u32::try_from(letter << LETTER_SHIFT | digits << DIGITS_SHIFT | number).ok().filter(|_| is_short)
}

#[inline]
fn lengthen_identifier(short: u32) -> u64 {
    let (letter, digits) = (u64::from(short >> LETTER_SHIFT), u64::from(short >> DIGITS_SHIFT & 7));
    (digits + 9) << 56 | (letter + FIRST_LETTER) << 48 | u64::from(short & ((1 << DIGITS_SHIFT) - 1))
}

impl PackedIdentifiers {
    pub(super) fn with_room(count: usize) -> PackedIdentifiers {
        PackedIdentifiers { short: Vec::with_capacity(count), aside: Vec::new() }
    }

    #[inline]
    pub(super) fn push(&mut self, number: u64) {
        let short = shorten_identifier(number).unwrap_or_else(|| {
            self.aside.push(number);
            ASIDE << LETTER_SHIFT | u32::try_from(self.aside.len() - 1).unwrap_or(u32::MAX)
        });
        self.short.push(short);
    }

    pub(super) const fn len(&self) -> usize {
        self.short.len()
    }

    #[inline]
    pub(super) fn get(&self, at: usize) -> Option<u64> {
        let short = *self.short.get(at)?;
        if short >> LETTER_SHIFT != ASIDE {
            return Some(lengthen_identifier(short));
        }
        self.aside.get((short & ((1 << LETTER_SHIFT) - 1)) as usize).copied()
    }

    /// Returns the indices in a range at which this identifier occurs.
    pub(super) fn positions(&self, within: Range<usize>, number: u64) -> impl Iterator<Item = usize> {
        let wanted = shorten_identifier(number);
        let all = self.short.get(within.clone()).unwrap_or_default();
        let is_wanted = move |at: usize, short: u32| match wanted {
            Some(wanted) => short == wanted,
            None => short >> LETTER_SHIFT == ASIDE && self.get(at) == Some(number),
        };
        within.zip(all).filter(move |&(at, &short)| is_wanted(at, short)).map(|(at, _)| at)
    }

    pub(super) fn shrink(&mut self) {
        self.short.shrink_to_fit();
        self.aside.shrink_to_fit();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use elf_base::PackedText;

    #[test]
    fn identifiers_come_back() {
        let short = ["I1", "F0042", "A0", "_1", "Z16777215", "I00000001"];
        let aside = ["", "I", "i1", "I16777216", "I000000001", "I1a", "\u{E9}1", "0"];
        let all = short.iter().chain(&aside).filter_map(|text| Some(PackedText::of(text)?.number()));
        let all: Vec<u64> = all.chain([PackedText::END, u64::MAX]).collect();
        let mut list = PackedIdentifiers::with_room(1);
        all.iter().for_each(|number| list.push(*number));
        list.shrink();
        assert_eq!((list.len(), list.aside.len()), (all.len(), aside.len() + 2));
        assert_eq!((0..all.len()).filter_map(|at| list.get(at)).collect::<Vec<_>>(), all);
        assert_eq!(list.get(all.len()), None);
        list.push(all[1]);
        for (at, number) in all.iter().enumerate() {
            let expected: &[usize] = if at == 1 { &[1, all.len()] } else { &[at] };
            assert_eq!(list.positions(0..all.len() + 1, *number).collect::<Vec<_>>(), expected);
            assert_eq!(list.positions(at + 1..all.len(), *number).count(), 0);
        }
    }
}
