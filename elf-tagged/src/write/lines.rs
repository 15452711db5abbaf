//! Builds line strings, and splits them if they are too long.
//!
//! A payload consists of *atoms*, which are never split: a doubled at sign, an escape, or a character with its
//! combining marks. Between two atoms, the text may continue in a CONC line, but not beside whitespace, because some
//! readers remove whitespace there (D19 *Serialising structures*, *Line continuation*). If there is no place to split,
//! the line becomes longer than recommended.

use super::LineBreak;
use elf_base::rules::{LengthUnit, LineLimit};
use elf_octets::Encoding;

/// Appends line strings to a text, and splits them if they are too long.
#[derive(Debug)]
pub(crate) struct Lines {
    /// The line strings that have been built, with their line breaks. The writer takes them out.
    pub(crate) text: String,
    /// The number of line strings that have been built.
    pub(crate) count: u64,
    line_break: LineBreak,
    ruler: LineMeasure,
    /// The greatest length of a line string, without the line break.
    budget: u64,
    /// The level of the current structure.
    level: u32,
    /// The length of the current line string.
    length: u64,
    /// Whether the current line string has nothing after its tag.
    bare: bool,
    /// Whether the current line string ends in whitespace.
    blank: bool,
    /// The last place at which the line may be split. The place is stored as an offset in `text`, and the length of the
    /// line up to that offset.
    cut: Option<(usize, u64)>,
}

/// Measures the length of text in the unit of the line limit.
#[derive(Clone, Copy, Debug)]
struct LineMeasure {
    unit: LengthUnit,
    encoding: Encoding,
    /// The length of an ASCII character, in the unit of the limit.
    ascii: u64,
}

impl Lines {
    pub(crate) fn new(limit: LineLimit, encoding: Encoding, line_break: LineBreak) -> Lines {
        let unit = limit.unit();
        let ascii = match unit {
            LengthUnit::Encoded if encoding.is_utf16() => 2,
            LengthUnit::Encoded | LengthUnit::Characters | LengthUnit::Utf8 => 1,
        };
        let of_break = if limit.counts_break() { line_break.text().len() as u64 } else { 0 };
        let factor = if limit.doubles_in_utf_16() { ascii } else { 1 };
        let budget = limit.most().map_or(u64::MAX, |most| u64::from(most).saturating_sub(of_break) * factor);
        Lines {
            text: String::new(),
            count: 0,
            line_break,
            ruler: LineMeasure { unit, encoding, ascii },
            budget,
            level: 0,
            length: 0,
            bare: true,
            blank: false,
            cut: None,
        }
    }

    /// Starts the first line of a structure.
    pub(crate) fn start_structure(&mut self, level: u32, xref: Option<&str>, tag: &str) {
        self.level = level;
        let start = self.text.len();
        match (xref, u8::try_from(level)) {
            // This is the fast path.
            (None, Ok(digit @ 0..=9)) => {
                self.text.reserve(tag.len() + 2);
                self.text.push(char::from(b'0' + digit));
                self.text.push(' ');
                self.text.push_str(tag);
            }
            _ => elf_lines::write(&mut self.text, level, xref, tag, None),
        }
        self.write_start(start, xref.unwrap_or_default());
    }

    fn start_continuation(&mut self, tag: &str) {
        self.end_line();
        let start = self.text.len();
        elf_lines::write(&mut self.text, self.level.saturating_add(1), None, tag, None);
        self.write_start(start, "");
    }

    fn write_start(&mut self, start: usize, xref: &str) {
        // At the start of a line, only the identifier can contain characters that are not ASCII.
        let ascii = self.text.len() - start - xref.len();
        self.length = ascii as u64 * self.ruler.ascii + self.ruler.measure(xref);
        self.bare = true;
        self.blank = false;
        self.cut = None;
    }

    /// Calls `push` without a length limit. This is for serialisation metadata, because readers parse it before they
    /// merge CONC.
    pub(crate) fn without_limit(&mut self, push: impl FnOnce(&mut Lines)) {
        let budget = std::mem::replace(&mut self.budget, u64::MAX);
        push(self);
        self.budget = budget;
    }

    #[inline]
    pub(crate) fn end_line(&mut self) {
        match self.line_break {
            LineBreak::Lf => self.text.push('\n'),
            LineBreak::Cr => self.text.push('\r'),
            LineBreak::CrLf => self.text.push_str("\r\n"),
        }
        self.count += 1;
    }

    pub(crate) fn push_line_break(&mut self) {
        self.start_continuation("CONT");
    }

    /// Appends the separator that follows the tag, but no payload, if an empty payload differs from a missing one.
    pub(crate) fn push_empty_payload(&mut self) {
        self.text.push(' ');
    }

    pub(crate) fn push_pointer(&mut self, xref: &str) {
        self.text.push_str(" @");
        self.text.push_str(xref);
        self.text.push('@');
    }

    /// Returns whether text with at most `octets` bytes certainly fits into the current line. Count bytes in UTF-8 or
    /// in the encoding, whichever has more.
    pub(crate) fn fits(&self, octets: usize) -> bool {
        self.length.saturating_add((octets as u64 + 1) * self.ruler.ascii) <= self.budget
    }

    /// Returns whether text with at most `octets` bytes fits into a line that contains nothing else. Count bytes as in
    /// [`fits`](Lines::fits).
    pub(crate) fn fits_alone(&self, octets: usize) -> bool {
        octets as u64 * self.ruler.ascii <= self.budget
    }

    #[inline]
    pub(crate) fn push_line(&mut self, line: &str) {
        self.text.push_str(line);
        self.end_line();
    }

    /// Appends a complete payload. The payload must [fit](Lines::fits) into the line.
    pub(crate) fn push_whole_payload(&mut self, text: &str) {
        if !text.is_empty() {
            self.text.push(' ');
            self.text.push_str(text);
        }
    }

    /// Appends an atom. If `joined` is true, the line may not be split before it.
    pub(crate) fn push_atom(&mut self, atom: &str, joined: bool) {
        if !joined {
            self.mark_cut(atom.as_bytes().first());
        }
        self.push_text(atom);
        if self.length > self.budget {
            self.split_at_last_break();
        }
    }

    /// Records that the blank at the end of the line belongs to an escape, so that the line may be split after it.
    pub(super) const fn end_escape(&mut self) {
        self.blank = false;
    }

    /// Appends ASCII characters. Each of them is an atom.
    pub(crate) fn push_ascii(&mut self, mut run: &str) {
        while !run.is_empty() {
            self.mark_cut(run.as_bytes().first());
            let room = self.room_left();
            if run.len() <= room {
                self.push_run(run);
                return;
            }
            let octets = run.as_bytes();
            match last_cut(octets, room) {
                Some(at) => {
                    let (head, tail) = run.split_at(at);
                    self.push_text(head);
                    self.start_continuation("CONC");
                    run = tail;
                }
                None if self.cut.is_some() => {
                    let (head, tail) = run.split_at((room + 1).min(run.len()));
                    self.push_text(head);
                    self.split_at_last_break();
                    run = tail;
                }
                // The line is already too long, so use the next place at which it can be split.
                None => match first_cut(octets, room + 1) {
                    Some(at) => {
                        let (head, tail) = run.split_at(at);
                        self.push_text(head);
                        self.start_continuation("CONC");
                        run = tail;
                    }
                    None => {
                        self.push_text(run);
                        return;
                    }
                },
            }
        }
    }

    fn room_left(&self) -> usize {
        let separator = if self.bare { self.ruler.ascii } else { 0 };
        let left = self.budget.saturating_sub(self.length.saturating_add(separator));
        usize::try_from(left / self.ruler.ascii).unwrap_or(usize::MAX)
    }

    /// Records that the line may be split at this place, before `next`. Splits the line if it is too long.
    fn mark_cut(&mut self, next: Option<&u8>) {
        if self.bare || self.blank || next.is_none_or(|&octet| is_blank(octet)) {
            return;
        }
        if self.length > self.budget {
            self.start_continuation("CONC");
        } else {
            self.cut = Some((self.text.len(), self.length));
        }
    }

    fn push_text(&mut self, text: &str) {
        if std::mem::replace(&mut self.bare, false) {
            self.text.push(' ');
            self.length += self.ruler.ascii;
        }
        self.text.push_str(text);
        self.length += self.ruler.measure(text);
        if let Some(&last) = text.as_bytes().last() {
            self.blank = is_blank(last);
        }
    }

    /// Appends characters that fit into the line. Records the last place among them at which the line may be split.
    fn push_run(&mut self, run: &str) {
        self.push_text(run);
        if let Some(at) = last_cut(run.as_bytes(), run.len().saturating_sub(1)) {
            let behind = run.len() - at;
            self.cut = Some((self.text.len() - behind, self.length - behind as u64 * self.ruler.ascii));
        }
    }

    /// Splits the line at the last place at which this is possible, if there is such a place.
    fn split_at_last_break(&mut self) {
        let Some((at, length)) = self.cut.take() else { return };
        // The tail is no longer than the limit, so each character is moved only a few times.
        let tail = self.text.split_off(at);
        let behind = self.length - length;
        let blank = self.blank;
        self.start_continuation("CONC");
        self.text.push(' ');
        self.text.push_str(&tail);
        self.length += self.ruler.ascii + behind;
        self.bare = false;
        self.blank = blank;
    }
}

/// Returns the last offset up to `most` at which `run` may be split, which is between two characters that are not
/// whitespace.
fn last_cut(run: &[u8], most: usize) -> Option<usize> {
    let most = most.min(run.len().saturating_sub(1));
    (1..=most).rev().find(|&at| is_cut(run, at))
}

/// Returns the first offset from `least` on at which `run` may be split.
fn first_cut(run: &[u8], least: usize) -> Option<usize> {
    (least.max(1)..run.len()).find(|&at| is_cut(run, at))
}

fn is_cut(run: &[u8], at: usize) -> bool {
    matches!(run.get(at - 1..=at), Some(&[before, after]) if !is_blank(before) && !is_blank(after))
}

const fn is_blank(octet: u8) -> bool {
    matches!(octet, b' ' | b'\t')
}

impl LineMeasure {
    fn measure(self, text: &str) -> u64 {
        if text.is_ascii() {
            return text.len() as u64 * self.ascii;
        }
        match self.unit {
            // In ANSEL, a mark is always a character of its own, even if it is composed with its letter in `text`.
            LengthUnit::Characters if self.encoding == Encoding::Ansel => {
                self.encoding.encoded_len(text) as u64
            }
            LengthUnit::Characters => text.chars().count() as u64,
            LengthUnit::Utf8 => text.len() as u64,
            LengthUnit::Encoded => self.encoding.encoded_len(text) as u64,
        }
    }
}

/// Iterates over the ends of the lines of a payload. Each end comes with the start of the next line. Each LF, CR or CR
/// LF is one line break.
pub(crate) struct LineEnds<'t> {
    octets: &'t [u8],
    at: Option<usize>,
}

impl LineEnds<'_> {
    pub(crate) fn of(text: &str) -> LineEnds<'_> {
        LineEnds { octets: text.as_bytes(), at: Some(0) }
    }
}

impl Iterator for LineEnds<'_> {
    type Item = (usize, Option<usize>);

    fn next(&mut self) -> Option<(usize, Option<usize>)> {
        let start = self.at?;
        let rest = self.octets.get(start..)?;
        let Some(length) = memchr::memchr2(b'\n', b'\r', rest) else {
            self.at = None;
            return Some((self.octets.len(), None));
        };
        let width = if rest.get(length..length + 2) == Some(b"\r\n") { 2 } else { 1 };
        self.at = Some(start + length + width);
        Some((start + length, self.at))
    }
}

/// Returns the number of ASCII characters at the start of `text` that need no escape. The last of these characters has
/// no combining mark.
pub(crate) fn ascii_run(text: &str) -> usize {
    let octets = text.as_bytes();
    let run = octets.iter().take_while(|&&octet| octet != b'@' && octet != 0 && octet < 0x80).count();
    match text.get(run..).and_then(|rest| rest.chars().next()) {
        Some(next) if run > 0 && is_combining_mark(next) => run - 1,
        _ => run,
    }
}

/// Returns the first character of `text` with its combining marks.
pub(crate) fn first_cluster(text: &str) -> &str {
    let mut characters = text.char_indices().skip(1);
    let end = characters.find(|&(_, c)| !is_combining_mark(c)).map_or(text.len(), |(at, _)| at);
    text.get(..end).unwrap_or(text)
}

pub(crate) fn is_combining_mark(c: char) -> bool {
    // The block of combining marks starts at U+0300.
    c >= '\u{300}' && unicode_normalization::char::is_combining_mark(c)
}
