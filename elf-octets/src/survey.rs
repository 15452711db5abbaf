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
        // Small enough to stay in the nearest cache, large enough that the sums outside the loop do not count.
        for chunk in text.as_bytes().chunks(4096) {
            let [mut cr, mut high, mut control, mut c2, mut ef] = [0_u8; 5];
            for octet in chunk {
                cr |= u8::from(*octet == b'\r');
                high |= octet & 0x80;
                control |= u8::from(
                    (*octet < 0x20) & (*octet != b'\n') & (*octet != b'\r') & (*octet != b'\t')
                        | (*octet == 0x7F),
                );
                c2 |= u8::from(*octet == 0xC2);
                ef |= u8::from(*octet == 0xEF);
            }
            survey.cr |= cr != 0;
            survey.non_ascii |= high != 0;
            survey.control |= control != 0;
            survey.c2 |= c2 != 0;
            survey.ef |= ef != 0;
        }
        survey
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
