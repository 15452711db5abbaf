//! Fingerprints: whether a second reading was given what the first one was.

use memchr::memchr2_iter;
use std::hash::BuildHasher;

/// A hash of a text that does not depend on the blocks in which the text is read, as long as each starts with
/// a line of level 0, as those of [`Records`](crate::Records) do.
///
/// ```
/// use elf_octets::Fingerprint;
/// use std::hash::RandomState;
///
/// let hasher = RandomState::new();
/// let mut joined = Fingerprint::of("0 HEAD\n1 CHAR UTF-8\n", &hasher);
/// joined.join(Fingerprint::of("0 TRLR\n", &hasher));
/// assert_eq!(joined, Fingerprint::of("0 HEAD\n1 CHAR UTF-8\n0 TRLR\n", &hasher));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fingerprint {
    /// The hashes of the pieces of the text, as digits of a number.
    value: u64,
    /// The value of a digit before them.
    scale: u64,
}

/// The base of the number: odd, so that no digit is lost.
const BASE: u64 = 0x9E37_79B9_7F4A_7C15;

impl Default for Fingerprint {
    /// The fingerprint of an empty text.
    fn default() -> Fingerprint {
        Fingerprint { value: 0, scale: 1 }
    }
}

impl Fingerprint {
    /// The fingerprint of a text, in which pieces are told apart by the lines that may be of level 0.
    pub fn of(text: &str, hasher: &impl BuildHasher) -> Fingerprint {
        let mut fingerprint = Fingerprint::default();
        let octets = text.as_bytes();
        let mut start = 0;
        for at in memchr2_iter(b'\n', b'\r', octets) {
            let end = at + 1;
            let rest = octets.get(end..).unwrap_or_default();
            let first = rest.iter().find(|octet| !matches!(octet, b' ' | b'\t'));
            // All levels but 0 start with another digit; a line break of two octets is one.
            let is_within = matches!(first, Some(b'1'..=b'9' | b'\n')) || end == octets.len();
            if !is_within {
                fingerprint.push(octets.get(start..end).unwrap_or_default(), hasher);
                start = end;
            }
        }
        if start < octets.len() {
            fingerprint.push(octets.get(start..).unwrap_or_default(), hasher);
        }
        fingerprint
    }

    fn push(&mut self, piece: &[u8], hasher: &impl BuildHasher) {
        self.join(Fingerprint { value: hasher.hash_one(piece), scale: BASE });
    }

    /// Adds that of the text that follows.
    pub const fn join(&mut self, next: Fingerprint) {
        self.value = self.value.wrapping_mul(next.scale).wrapping_add(next.value);
        self.scale = self.scale.wrapping_mul(next.scale);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_together_have_the_fingerprint_of_the_whole() {
        let hasher = std::hash::RandomState::new();
        let text = "0 HEAD\r\n1 CHAR UTF-8\r\n\r\n 0 @I1@ INDI\r\n1 NAME Ada\r\n0 @I2@ INDI\n\n0 TRLR";
        let whole = Fingerprint::of(text, &hasher);
        for (at, _) in text.match_indices("0 ").filter(|(at, _)| text[..*at].ends_with(['\n', ' '])) {
            let at = text[..at].rfind('\n').map_or(0, |end| end + 1);
            let (before, behind) = text.split_at(at);
            let mut joined = Fingerprint::of(before, &hasher);
            joined.join(Fingerprint::of(behind, &hasher));
            assert_eq!(joined, whole, "{before:?} and {behind:?}");
        }
        let others =
            [text.replace("Ada", "Eva"), text.replace("I1@ INDI\r\n1", "I1@ INDI\r\n2"), format!("{text}\n")];
        for other in others {
            assert_ne!(Fingerprint::of(&other, &hasher), whole, "{other:?}");
        }
        let swapped = "0 HEAD\r\n1 CHAR UTF-8\r\n\r\n0 @I2@ INDI\n\n 0 @I1@ INDI\r\n1 NAME Ada\r\n0 TRLR";
        assert_ne!(Fingerprint::of(swapped, &hasher), whole);
    }
}
