//! Many keys in few octets.

use super::super::key::Key;

/// Keys in their order: four octets for that of a capital letter with up to eight digits, as nearly all are.
#[derive(Debug, Default)]
pub(super) struct KeyList {
    /// For each key, from the highest bit: its letter, the number of digits less one, and what those say; or
    /// [`ASIDE`] and its number there.
    short: Vec<u32>,
    aside: Vec<u64>,
}

/// In place of a letter: the key is kept aside.
const ASIDE: u32 = 31;
const LETTER_SHIFT: u32 = 27;
const DIGITS_SHIFT: u32 = 24;
const FIRST_LETTER: u64 = b'A' as u64;

/// The short form of a key, where it has one.
#[inline]
fn shortened(key: u64) -> Option<u32> {
    // As `PackedText` has it: eight and the number of digits, the letter, and what the digits say.
    let digits = (key >> 56).wrapping_sub(9);
    let letter = (key >> 48 & 0xFF).wrapping_sub(FIRST_LETTER);
    let number = key & ((1 << 48) - 1);
    let is_short = digits < 8 && letter < u64::from(ASIDE) && number >> DIGITS_SHIFT == 0;
    u32::try_from(letter << LETTER_SHIFT | digits << DIGITS_SHIFT | number).ok().filter(|_| is_short)
}

/// The key that was shortened.
#[inline]
fn lengthened(short: u32) -> u64 {
    let (letter, digits) = (u64::from(short >> LETTER_SHIFT), u64::from(short >> DIGITS_SHIFT & 7));
    (digits + 9) << 56 | (letter + FIRST_LETTER) << 48 | u64::from(short & ((1 << DIGITS_SHIFT) - 1))
}

impl KeyList {
    pub(super) fn with_room(count: usize) -> KeyList {
        KeyList { short: Vec::with_capacity(count), aside: Vec::new() }
    }

    #[inline]
    pub(super) fn push(&mut self, key: Key) {
        let short = shortened(key.number()).unwrap_or_else(|| {
            self.aside.push(key.number());
            ASIDE << LETTER_SHIFT | u32::try_from(self.aside.len() - 1).unwrap_or(u32::MAX)
        });
        self.short.push(short);
    }

    pub(super) fn len(&self) -> usize {
        self.short.len()
    }

    #[inline]
    pub(super) fn get(&self, at: usize) -> Option<Key> {
        let short = *self.short.get(at)?;
        if short >> LETTER_SHIFT != ASIDE {
            return Some(Key::of_number(lengthened(short)));
        }
        self.aside.get((short & ((1 << LETTER_SHIFT) - 1)) as usize).copied().map(Key::of_number)
    }

    pub(super) fn shrink(&mut self) {
        self.short.shrink_to_fit();
        self.aside.shrink_to_fit();
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::key::Keys;
    use super::*;

    #[test]
    fn keys_come_back() {
        let keys = Keys::default();
        let short = ["I1", "F0042", "A0", "_1", "Z16777215", "I00000001"];
        let aside = ["", "I", "i1", "I16777216", "I000000001", "I1a", "\u{E9}1", "a long identifier", "0"];
        let all: Vec<Key> = short.iter().chain(&aside).map(|xref| keys.key(xref)).collect();
        let mut list = KeyList::with_room(1);
        all.iter().for_each(|key| list.push(*key));
        list.shrink();
        assert_eq!((list.len(), list.aside.len()), (all.len(), aside.len()));
        assert_eq!((0..all.len()).filter_map(|at| list.get(at)).collect::<Vec<_>>(), all);
        assert_eq!(list.get(all.len()), None);
    }
}
