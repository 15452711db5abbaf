//! Finds the kinds of uncommon characters that a text may contain, in one pass over the text.

use elf_base::rules::Controls;

/// The kinds of uncommon bytes in a text. The compiler makes vector instructions of this pass. Only the few texts with
/// such bytes must be examined more closely.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Survey {
    /// Whether the text contains a CR.
    pub(crate) cr: bool,
    /// Whether the text contains a non-ASCII byte.
    pub(crate) non_ascii: bool,
    /// Whether the text contains an ASCII control character other than tab, LF and CR. Includes 00 and DEL.
    control: bool,
    /// Whether the text contains the byte C2, with which C1 controls start.
    c2: bool,
    /// Whether the text contains the byte EF, with which U+FFFE and U+FFFF start.
    ef: bool,
    /// Whether the text contains a byte with which private-use characters start.
    private: bool,
}

impl Survey {
    pub(crate) fn of_text(text: &str) -> Survey {
        let mut survey = Survey::default();
        // A chunk of this size fits into the fastest cache, and the overhead for each chunk is negligible.
        for chunk in text.as_bytes().chunks(1 << 13) {
            let [mut most, mut low] = [0_u8; 2];
            let mut examine = |octet: u8| {
                most = most.max(octet);
                low |= u8::from((octet < 0x20) & (octet != b'\n') | (octet == 0x7F));
            };
            // A loop of a known length becomes vector instructions, even if a crate is compiled for size.
            let (blocks, rest) = chunk.as_chunks::<64>();
            blocks.iter().for_each(|block| block.iter().for_each(|octet| examine(*octet)));
            rest.iter().for_each(|octet| examine(*octet));
            if low != 0 {
                survey.examine_low(chunk);
            }
            if most >= 0x80 {
                survey.non_ascii = true;
                survey.c2 = survey.c2 || memchr::memchr(0xC2, chunk).is_some();
            }
            if most >= PRIVATE_START {
                survey.examine_high(chunk);
            }
        }
        survey
    }

    /// Examines the highest bytes of a chunk, if the chunk has non-ASCII bytes.
    #[cold]
    fn examine_high(&mut self, chunk: &[u8]) {
        let ef = memchr::memchr_iter(0xEF, chunk);
        self.ef = self.ef || ef.clone().next().is_some();
        // The character at the end of the chunk may continue in the next one.
        let in_plane_0 = |at: usize| chunk.get(at + 1).is_none_or(|next| *next <= 0xA3);
        self.private = self.private
            || memchr::memchr3(PRIVATE_START, 0xF3, 0xF4, chunk).is_some()
            || ef.into_iter().any(in_plane_0);
    }

    /// Finds the kinds of control characters in a chunk that has others than LF.
    fn examine_low(&mut self, chunk: &[u8]) {
        let [mut cr, mut control] = [0_u8; 2];
        for octet in chunk {
            cr |= u8::from(*octet == b'\r');
            let plain = (*octet == b'\n') | (*octet == b'\r') | (*octet == b'\t');
            control |= u8::from((*octet < 0x20) & !plain | (*octet == 0x7F));
        }
        self.cr |= cr != 0;
        self.control |= control != 0;
    }

    /// Returns whether `text` contains a C1 control other than U+0085. The survey must be that of `text`.
    pub(crate) fn has_c1(self, text: &str) -> bool {
        self.c2 && find_c1_controls(text).any(|(_, octet)| octet != 0x85)
    }

    /// Returns whether `text` contains U+0000, U+FFFE or U+FFFF, which are not characters. The survey must be that of
    /// `text`.
    pub(crate) fn has_forbidden(self, text: &str) -> bool {
        let octets = text.as_bytes();
        self.control && memchr::memchr(0, octets).is_some()
            || self.ef
                && memchr::memchr_iter(0xEF, octets)
                    .any(|at| matches!(octets.get(at + 1..at + 3), Some([0xBF, 0xBE | 0xBF])))
    }

    /// Finds the offsets of the replacement character U+FFFD in `text`. The survey must be that of `text`.
    pub(crate) fn find_replacement_characters(self, text: &str) -> impl Iterator<Item = usize> {
        memchr::memmem::find_iter(if self.ef { text.as_bytes() } else { b"" }, "\u{FFFD}")
    }

    /// Finds the restricted characters of `text` and their offsets. The survey must be that of `text`.
    ///
    /// Restricted characters are the controls and private-use characters that D19 *Conventions used* discourages, or
    /// the controls that GEDCOM 7 forbids.
    pub(crate) fn find_restricted(
        self,
        text: &str,
        controls: Controls,
    ) -> impl Iterator<Item = (usize, char)> {
        let low = if self.control { text } else { "" };
        let high = if self.c2 { text } else { "" };
        let mut low = low
            .bytes()
            .enumerate()
            .filter(|(_, octet)| matches!(octet, 0x01..=0x08 | 0x0B | 0x0C | 0x0E..=0x1F | 0x7F))
            .map(|(at, octet)| (at, char::from(octet)))
            .peekable();
        let mut high = find_c1_controls(high)
            .filter(move |(_, octet)| *octet != 0x85 || controls.are_banned())
            .map(|(at, octet)| (at, char::from(octet)))
            .peekable();
        let both = std::iter::from_fn(move || match (low.peek(), high.peek()) {
            (Some((one, _)), Some((other, _))) if other < one => high.next(),
            (Some(_), _) => low.next(),
            _ => high.next(),
        });
        let mut both = both.peekable();
        let is_looked_for = self.private && !controls.are_banned();
        let mut private = find_private_use(if is_looked_for { text } else { "" }).peekable();
        std::iter::from_fn(move || match (both.peek(), private.peek()) {
            (Some((one, _)), Some((other, _))) if other < one => private.next(),
            (Some(_), _) => both.next(),
            _ => private.next(),
        })
    }
}

/// The lowest byte with which a private-use character starts.
const PRIVATE_START: u8 = 0xEE;

fn find_private_use(text: &str) -> impl Iterator<Item = (usize, char)> {
    let starts = text.bytes().enumerate().filter(|(_, octet)| *octet >= PRIVATE_START);
    let characters = starts.filter_map(|(at, _)| Some((at, text.get(at..)?.chars().next()?)));
    characters.filter(|(_, character)| is_private_use(*character))
}

/// Returns whether a character has no standard meaning (Basic Concepts *Private use characters*).
pub(crate) const fn is_private_use(character: char) -> bool {
    matches!(character, '\u{E000}'..='\u{F8FF}' | '\u{F0000}'..='\u{FFFFD}' | '\u{100000}'..='\u{10FFFD}')
}

/// Finds the C1 controls of a text. Returns their offsets and their code points, which fit into a byte.
pub(crate) fn find_c1_controls(text: &str) -> impl Iterator<Item = (usize, u8)> {
    let octets = text.as_bytes();
    memchr::memchr_iter(0xC2, octets)
        .filter_map(|at| Some((at, *octets.get(at + 1)?)))
        .filter(|(_, octet)| (0x80..0xA0).contains(octet))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn restricted_characters_come_in_order() {
        let text = "a\u{8}\u{E000}é\u{FFFD}，\u{92}\u{F8FF}\u{1F600}\u{F900}\u{F0000}\u{10FFFD}\u{7F}";
        let expected = ['\u{8}', '\u{E000}', '\u{92}', '\u{F8FF}', '\u{F0000}', '\u{10FFFD}', '\u{7F}'];
        assert!(
            Survey::of_text(text)
                .find_restricted(text, Controls::Restricted)
                .map(|(_, character)| character)
                .eq(expected)
        );
        // Chunks may end at any byte of the characters.
        for length in (1 << 13) - 4..=1 << 13 {
            let text = "x".repeat(length) + "\u{F000}";
            assert_eq!(
                Survey::of_text(&text).find_restricted(&text, Controls::Restricted).collect::<Vec<_>>(),
                [(length, '\u{F000}')]
            );
        }
        let plain = "，\u{FFFD}\u{1F600}é";
        assert_eq!(Survey::of_text(plain).find_restricted(plain, Controls::Restricted).next(), None);
    }
}
