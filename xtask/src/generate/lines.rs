//! Writes lines: converts level, tag and payload to bytes in the chosen encoding.

use elf_octets::Encoding;
use std::fmt::Display;
use std::fmt::Write as _;
use std::io::{self, Write};

/// Writes lines and counts them.
pub(super) struct Lines<'w> {
    out: &'w mut dyn Write,
    encoding: Encoding,
    line_break: &'static str,
    line: String,
    encoded: Vec<u8>,
    /// The number of bytes of the lines in UTF-8, including line breaks.
    pub(super) octets: u64,
    /// The number of lines.
    pub(super) count: u64,
}

impl<'w> Lines<'w> {
    pub(super) fn new(out: &'w mut dyn Write, encoding: Encoding, line_break: &'static str) -> Lines<'w> {
        Lines { out, encoding, line_break, line: String::new(), encoded: Vec::new(), octets: 0, count: 0 }
    }

    /// Writes the byte-order mark, which December 2019 requires in UTF-16.
    pub(super) fn write_mark(&mut self) -> io::Result<()> {
        let mark = self.encoding.mark().filter(|_| self.encoding.is_utf16());
        self.out.write_all(mark.unwrap_or_default())
    }

    /// Writes the line of a record: `0 @I7@ INDI`.
    pub(super) fn write_record(&mut self, letter: char, number: u64, tag: &str) -> io::Result<()> {
        let _ = write!(self.line, "0 @{letter}{number}@ {tag}");
        self.end_line()
    }

    /// Writes a line without a payload.
    pub(super) fn write_bare(&mut self, level: u32, tag: &str) -> io::Result<()> {
        let _ = write!(self.line, "{level} {tag}");
        self.end_line()
    }

    /// Writes a line with a short payload without line breaks.
    pub(super) fn write_line(&mut self, level: u32, tag: &str, payload: impl Display) -> io::Result<()> {
        let _ = write!(self.line, "{level} {tag} {payload}");
        self.end_line()
    }

    /// Writes a line that points to a record.
    pub(super) fn write_pointer(
        &mut self,
        level: u32,
        tag: &str,
        letter: char,
        number: u64,
    ) -> io::Result<()> {
        self.write_line(level, tag, format_args!("@{letter}{number}@"))
    }

    /// Writes a text of any length, with CONT for line breaks, and CONC where a line would exceed `width` bytes.
    pub(super) fn write_text(&mut self, level: u32, tag: &str, text: &str, width: usize) -> io::Result<()> {
        let mut tag = tag;
        let mut level = level;
        for paragraph in text.split('\n') {
            let mut rest = paragraph;
            loop {
                let (head, tail) = rest.split_at(cut_point(rest, width));
                self.write_line(level, tag, head)?;
                if tag != "CONT" && tag != "CONC" {
                    level += 1;
                }
                if tail.is_empty() {
                    break;
                }
                (tag, rest) = ("CONC", tail);
            }
            tag = "CONT";
        }
        Ok(())
    }

    fn end_line(&mut self) -> io::Result<()> {
        self.line.push_str(self.line_break);
        self.octets += self.line.len() as u64;
        self.count += 1;
        if self.encoding == Encoding::Utf8 {
            self.out.write_all(self.line.as_bytes())?;
        } else {
            encode_line(&self.line, self.encoding, &mut self.encoded);
            self.out.write_all(&self.encoded)?;
            self.encoded.clear();
        }
        self.line.clear();
        Ok(())
    }
}

/// Appends `line` to `octets`. Characters that the encoding lacks become Unicode escapes (D19 *Unicode escapes*), which
/// are only valid in payloads.
fn encode_line(line: &str, encoding: Encoding, octets: &mut Vec<u8>) {
    let mut rest = line;
    while let Err(fault) = encoding.encode_into(rest, octets) {
        let escape = format!("@#U{:X}@", u32::from(fault.character));
        // Every encoding that CHAR can name has all ASCII characters.
        let _ = encoding.encode_into(&escape, octets);
        rest = rest.get(fault.offset + fault.character.len_utf8()..).unwrap_or_default();
    }
}

/// Returns the offset at which to cut `text` so that the first part has at most `width` bytes. It cuts within a word,
/// because many programs trim spaces, but not within a doubled at sign (D19 *Line continuation*).
fn cut_point(text: &str, width: usize) -> usize {
    if text.len() <= width {
        return text.len();
    }
    let inside = |&at: &usize| {
        let neighbours = text
            .get(..at)
            .and_then(|head| head.chars().next_back())
            .zip(text.get(at..).and_then(|tail| tail.chars().next()));
        neighbours.is_some_and(|(a, b)| !a.is_whitespace() && !b.is_whitespace() && a != '@')
    };
    (1..=width).rev().find(inside).unwrap_or(text.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &str, width: usize) -> String {
        let mut out = Vec::new();
        Lines::new(&mut out, Encoding::Utf8, "\n").write_text(1, "NOTE", text, width).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn a_text_is_split_within_words_and_at_its_line_breaks() {
        assert_eq!(lines("one two\nthree", 20), "1 NOTE one two\n2 CONT three\n");
        assert_eq!(lines("one two", 4), "1 NOTE on\n2 CONC e tw\n2 CONC o\n");
        assert_eq!(lines("äöü", 3), "1 NOTE ä\n2 CONC ö\n2 CONC ü\n");
    }

    #[test]
    fn what_an_encoding_lacks_becomes_an_escape() {
        let mut octets = Vec::new();
        encode_line("1 NAME Łucja Żak\n", Encoding::Ascii, &mut octets);
        assert_eq!(octets, b"1 NAME @#U141@ucja @#U17B@ak\n");
    }

    #[test]
    fn a_doubled_at_sign_stays_whole() {
        assert_eq!(lines("ab@@cd", 3), "1 NOTE ab\n2 CONC @@c\n2 CONC d\n");
    }
}
