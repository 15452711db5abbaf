//! Splits text into line strings.

use elf_base::Span;
use elf_base::rules::{BlankLines, OctetRules};

/// An iterator over the line strings of a text (D19 *Line strings*). The iterator returns the [`Span`] of each line
/// without its line break. Depending on the rules, leading whitespace and blank lines are skipped.
///
/// A line break is LF, CR, or CR LF. U+0085, U+2028 and similar characters are ordinary characters.
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
    /// Whether the text contains any CR.
    has_cr: bool,
    strip_leading: bool,
    blank_lines: BlankLines,
}

impl<'t> LineStrings<'t> {
    /// Creates an iterator over the line strings of `text`, which must not be longer than 4 GiB.
    pub fn new(text: &'t str, rules: &OctetRules) -> LineStrings<'t> {
        let has_cr = memchr::memchr(b'\r', text.as_bytes()).is_some();
        LineStrings::with_known_cr(text, has_cr, rules)
    }

    /// Creates an iterator over the line strings of `text`. `has_cr` is true if the text contains any CR.
    pub(crate) fn with_known_cr(text: &'t str, has_cr: bool, rules: &OctetRules) -> LineStrings<'t> {
        LineStrings {
            text: text.as_bytes(),
            at: 0,
            has_cr,
            strip_leading: rules.strip_leading,
            blank_lines: rules.blank_lines,
        }
    }

    /// Returns the end of the line that starts at `start`, and the start of the next line.
    #[inline]
    fn line_end(&self, start: usize) -> (usize, usize) {
        let rest = &self.text[start..];
        if self.has_cr {
            return LineStrings::line_end_with_cr(start, rest);
        }
        let end = start + find_break(rest, |word| mark_zero_octets(word ^ LFS), find_long_lf);
        (end, end + 1)
    }

    /// Does the work of `line_end` for a text that may contain CR. `rest` is the text from `start` on.
    #[inline(never)]
    fn line_end_with_cr(start: usize, rest: &[u8]) -> (usize, usize) {
        let length = find_break(
            rest,
            |word| mark_zero_octets(word ^ LFS) | mark_zero_octets(word ^ CRS),
            find_long_break,
        );
        // CR LF is one line break.
        let broken = if rest.get(length..).is_some_and(|rest| rest.starts_with(b"\r\n")) { 2 } else { 1 };
        (start + length, start + length + broken)
    }

    /// Returns the next line string if the next line starts with a blank or is empty. This is the slow path.
    #[inline(never)]
    fn next_with_blanks(&mut self) -> Option<Span> {
        while self.at < self.text.len() {
            let mut start = self.at;
            let (end, next) = self.line_end(start);
            self.at = next;
            let line = &self.text[start..end];
            let blank = line.iter().take_while(|octet| matches!(octet, b' ' | b'\t')).count();
            let skip = match self.blank_lines {
                BlankLines::Malformed => false,
                BlankLines::SkipEmpty => line.is_empty(),
                BlankLines::SkipBlank => blank == line.len(),
            };
            if skip {
                continue;
            }
            if self.strip_leading {
                start += blank;
            }
            return Some(span(start, end));
        }
        None
    }
}

impl Iterator for LineStrings<'_> {
    type Item = Span;

    // Always inline this, so that the position is kept in a register.
    #[inline(always)]
    fn next(&mut self) -> Option<Span> {
        let start = self.at;
        // This is the fast path: nearly every line starts with its level.
        if self.text.get(start).is_some_and(|octet| *octet > b' ') {
            let (end, next) = self.line_end(start);
            self.at = next;
            return Some(span(start, end));
        }
        self.next_with_blanks()
    }
}

/// Returns the offset of the first line break in `text`, or the length of `text`.
///
/// Most lines are short, so `in_word` searches the first four words of eight bytes. After the fourth word, `in_rest` is
/// faster.
#[inline]
fn find_break(text: &[u8], in_word: impl Fn(u64) -> u64, in_rest: impl Fn(&[u8], usize) -> usize) -> usize {
    let Some(start) = text.first_chunk::<32>() else { return in_rest(text, 0) };
    let mut at = 0;
    for word in start.as_chunks::<8>().0 {
        let found = in_word(u64::from_le_bytes(*word));
        if found != 0 {
            return at + found.trailing_zeros() as usize / 8;
        }
        at += 8;
    }
    in_rest(text, at)
}

/// Returns the offset of the first LF from `at` on, or the length of `text`.
#[inline(never)]
fn find_long_lf(text: &[u8], at: usize) -> usize {
    text.get(at..).and_then(|rest| memchr::memchr(b'\n', rest)).map_or(text.len(), |length| at + length)
}

/// Returns the offset of the first LF or CR from `at` on, or the length of `text`.
#[inline(never)]
fn find_long_break(text: &[u8], at: usize) -> usize {
    text.get(at..)
        .and_then(|rest| memchr::memchr2(b'\n', b'\r', rest))
        .map_or(text.len(), |length| at + length)
}

const LFS: u64 = u64::from_le_bytes([b'\n'; 8]);
const CRS: u64 = u64::from_le_bytes([b'\r'; 8]);

/// Sets the high bit of each byte of `word` that is zero. Only the lowest bit that is set is reliable.
#[inline]
const fn mark_zero_octets(word: u64) -> u64 {
    const ONES: u64 = u64::from_le_bytes([0x01; 8]);
    const HIGH: u64 = u64::from_le_bytes([0x80; 8]);
    word.wrapping_sub(ONES) & !word & HIGH
}

#[inline]
#[allow(clippy::cast_possible_truncation, reason = "the text is at most 4 GiB long")]
fn span(start: usize, end: usize) -> Span {
    Span::new(start as u32, end as u32)
}

#[cfg(test)]
mod tests {
    use super::*;
    use elf_base::Rules;

    #[test]
    fn a_line_of_any_length_ends_at_its_break() {
        // U+000B is next to LF, and U+000E is next to CR. In such bytes, the bits of neighbouring bytes influence each
        // other.
        for filler in ["x", "\u{B}", "\u{E}", "é"] {
            for length in 0..80 {
                let line = format!("0{}", filler.repeat(length));
                for line_break in ["\n", "\r", "\r\n"] {
                    for rest in
                        ["", "1 x", "\n\r\r\n1 \u{B}\u{E} is far more than what is looked at together\n"]
                    {
                        let text = format!("{line}{line_break}{rest}");
                        let found: Vec<_> = LineStrings::new(&text, &Rules::WILD.octets)
                            .map(|span| span.of(&text).to_owned())
                            .collect();
                        let split = text.split(['\n', '\r']).filter(|line| !line.is_empty());
                        assert_eq!(found, split.collect::<Vec<_>>(), "{text:?}");
                    }
                }
            }
        }
    }
}
