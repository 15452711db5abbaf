//! Text to line strings.

use elf_base::Span;
use elf_base::rules::{BlankLines, OctetRules};

/// The line strings of a text (D19 *Line strings*): each as its [`Span`], without its line break, and as the
/// rules say without leading whitespace and without blank ones.
///
/// A line break is LF, CR, or CR LF. U+0085, U+2028 and their like are ordinary characters.
///
/// ```
/// use elf_octets::LineStrings;
/// use elf_base::Rules;
///
/// let text = "0 HEAD\r\n\n  1 CHAR UTF-8\r0 TRLR";
/// let lines: Vec<_> = LineStrings::new(text, &Rules::DECEMBER_2019.octets).map(|span| span.of(text)).collect();
/// assert_eq!(lines, ["0 HEAD", "1 CHAR UTF-8", "0 TRLR"]);
/// ```
#[derive(Clone, Debug)]
pub struct LineStrings<'t> {
    text: &'t [u8],
    at: usize,
    /// The next LF from `at` on, or the end of the text.
    lf: Option<usize>,
    /// Whether there is any CR.
    has_cr: bool,
    strip_leading: bool,
    blank_lines: BlankLines,
}

impl<'t> LineStrings<'t> {
    /// The line strings of `text`.
    pub fn new(text: &'t str, rules: &OctetRules) -> LineStrings<'t> {
        let has_cr = memchr::memchr(b'\r', text.as_bytes()).is_some();
        LineStrings::knowing(text, has_cr, rules)
    }

    /// The same, where it is known whether the text has any CR.
    pub(crate) fn knowing(text: &'t str, has_cr: bool, rules: &OctetRules) -> LineStrings<'t> {
        LineStrings {
            text: text.as_bytes(),
            at: 0,
            lf: None,
            has_cr,
            strip_leading: rules.strip_leading,
            blank_lines: rules.blank_lines,
        }
    }

    /// The start and end of the next line without its break.
    #[inline]
    fn next_raw(&mut self) -> Option<(usize, usize)> {
        let start = self.at;
        let rest = self.text.get(start..).filter(|rest| !rest.is_empty())?;
        if !self.has_cr {
            let end = start + find_lf(rest);
            self.at = end + 1;
            return Some((start, end));
        }
        // Found once for all the CRs before it, so that a file of CRs alone stays linear.
        let lf = match self.lf {
            Some(lf) if lf >= start => lf,
            _ => start + memchr::memchr(b'\n', rest).unwrap_or(rest.len()),
        };
        self.lf = Some(lf);
        let line = self.text.get(start..lf).unwrap_or_default();
        let Some(cr) = memchr::memchr(b'\r', line) else {
            self.at = lf + 1;
            return Some((start, lf));
        };
        let end = start + cr;
        // CR LF is one break.
        self.at = if end + 1 == lf && lf < self.text.len() { lf + 1 } else { end + 1 };
        Some((start, end))
    }
}

impl Iterator for LineStrings<'_> {
    type Item = Span;

    #[inline]
    fn next(&mut self) -> Option<Span> {
        loop {
            let (mut start, end) = self.next_raw()?;
            let line = self.text.get(start..end).unwrap_or_default();
            // Nearly every line starts with its level.
            if line.first().is_some_and(|octet| *octet > b' ') {
                return Some(span(start, end));
            }
            let blank = line.iter().take_while(|octet| matches!(octet, b' ' | b'\t')).count();
            let skip = match self.blank_lines {
                BlankLines::Malformed => false,
                BlankLines::SkipEmpty => line.is_empty(),
                _ => blank == line.len(),
            };
            if skip {
                continue;
            }
            if self.strip_leading {
                start += blank;
            }
            return Some(span(start, end));
        }
    }
}

/// Where the first LF of `text` stands, or its length. Lines are short: words of eight octets find it sooner than the
/// call that is best for long ones, which takes over where there is none in the first four.
#[inline]
fn find_lf(text: &[u8]) -> usize {
    const ONES: u64 = u64::from_le_bytes([0x01; 8]);
    const HIGH: u64 = u64::from_le_bytes([0x80; 8]);
    const LF: u64 = u64::from_le_bytes([b'\n'; 8]);
    let (words, _) = text.as_chunks::<8>();
    let mut at = 0;
    for word in words.iter().take(4) {
        let differs = u64::from_le_bytes(*word) ^ LF;
        // The lowest octet that is zero has its high bit left.
        let found = differs.wrapping_sub(ONES) & !differs & HIGH;
        if found != 0 {
            return at + found.trailing_zeros() as usize / 8;
        }
        at += 8;
    }
    let rest = text.get(at..).unwrap_or_default();
    at + memchr::memchr(b'\n', rest).unwrap_or(rest.len())
}

/// A span of text that is at most 4 GiB long.
pub(crate) fn span(start: usize, end: usize) -> Span {
    let cut = |offset| u32::try_from(offset).unwrap_or(u32::MAX);
    Span::new(cut(start), cut(end))
}
