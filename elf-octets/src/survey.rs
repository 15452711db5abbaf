//! What a text holds that is not plain: found in one pass over its octets.

use crate::utf8::c1_controls;

/// Which uncommon octets a text holds. One pass that compiles to vector instructions finds all of them together;
/// what it leaves open is looked at more closely, which few texts need.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Survey {
    /// Any CR.
    pub(crate) cr: bool,
    /// Any octet that is not ASCII.
    pub(crate) non_ascii: bool,
    /// Any control of ASCII but tab, LF and CR: octet 00 and DEL included.
    control: bool,
    /// Any octet C2, which C1 controls start with.
    c2: bool,
    /// Any octet EF, which U+FFFE and U+FFFF start with.
    ef: bool,
}

impl Survey {
    /// Looks at `text`.
    pub(crate) fn of(text: &str) -> Survey {
        let mut survey = Survey::default();
        // Small enough to stay in the nearest cache, large enough that what is done once a chunk does not count.
        for chunk in text.as_bytes().chunks(1 << 13) {
            let [mut any, mut low] = [0_u8; 2];
            for octet in chunk {
                any |= octet;
                low |= u8::from((*octet < 0x20) & (*octet != b'\n') | (*octet == 0x7F));
            }
            if low != 0 {
                survey.look_low(chunk);
            }
            if any >= 0x80 {
                survey.non_ascii = true;
                survey.c2 = survey.c2 || memchr::memchr(0xC2, chunk).is_some();
                survey.ef = survey.ef || memchr::memchr(0xEF, chunk).is_some();
            }
        }
        survey
    }

    /// Tells apart what is below the space, where there is more than LF.
    fn look_low(&mut self, chunk: &[u8]) {
        let [mut cr, mut control] = [0_u8; 2];
        for octet in chunk {
            cr |= u8::from(*octet == b'\r');
            let plain = (*octet == b'\n') | (*octet == b'\r') | (*octet == b'\t');
            control |= u8::from((*octet < 0x20) & !plain | (*octet == 0x7F));
        }
        self.cr |= cr != 0;
        self.control |= control != 0;
    }

    /// Whether `text`, of which this is the survey, holds a C1 control other than U+0085.
    pub(crate) fn has_c1(self, text: &str) -> bool {
        self.c2 && c1_controls(text).any(|(_, octet)| octet != 0x85)
    }

    /// Whether `text`, of which this is the survey, holds what is no character: U+0000, U+FFFE or U+FFFF.
    pub(crate) fn has_forbidden(self, text: &str) -> bool {
        let octets = text.as_bytes();
        self.control && memchr::memchr(0, octets).is_some()
            || self.ef
                && memchr::memchr_iter(0xEF, octets)
                    .any(|at| matches!(octets.get(at + 1..at + 3), Some([0xBF, 0xBE | 0xBF])))
    }

    /// Where the restricted characters of `text` stand, of which this is the survey: the controls that D19
    /// *Conventions used* would rather not see.
    pub(crate) fn restricted(self, text: &str) -> impl Iterator<Item = (usize, char)> {
        let low = if self.control { text } else { "" };
        let high = if self.c2 { text } else { "" };
        let mut low = low
            .bytes()
            .enumerate()
            .filter(|(_, octet)| matches!(octet, 0x01..=0x08 | 0x0B | 0x0C | 0x0E..=0x1F | 0x7F))
            .map(|(at, octet)| (at, char::from(octet)))
            .peekable();
        let mut high = c1_controls(high)
            .filter(|(_, octet)| *octet != 0x85)
            .map(|(at, octet)| (at, char::from(octet)))
            .peekable();
        std::iter::from_fn(move || match (low.peek(), high.peek()) {
            (Some((one, _)), Some((other, _))) if other < one => high.next(),
            (Some(_), _) => low.next(),
            _ => high.next(),
        })
    }
}
