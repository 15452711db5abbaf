//! Lines on their way out: level, tag and payload to octets in the encoding asked for.

use elf_octets::Encoding;
use std::fmt::Display;
use std::fmt::Write as _;
use std::io::{self, Write};

/// Writes lines, and counts them.
pub(super) struct Lines<'w> {
    out: &'w mut dyn Write,
    encoding: Encoding,
    line_break: &'static str,
    line: String,
    encoded: Vec<u8>,
    /// The number of octets of the lines in UTF-8, breaks included.
    pub(super) octets: u64,
    /// The number of lines.
    pub(super) count: u64,
}

impl<'w> Lines<'w> {
    pub(super) fn new(out: &'w mut dyn Write, encoding: Encoding, line_break: &'static str) -> Lines<'w> {
        Lines { out, encoding, line_break, line: String::new(), encoded: Vec::new(), octets: 0, count: 0 }
    }

    /// The byte-order mark, where December 2019 wants one: in UTF-16.
    pub(super) fn mark(&mut self) -> io::Result<()> {
        let mark = self.encoding.mark().filter(|_| self.encoding.is_utf16());
        self.out.write_all(mark.unwrap_or_default())
    }

    /// A record's line: `0 @I7@ INDI`.
    pub(super) fn record(&mut self, letter: char, number: u64, tag: &str) -> io::Result<()> {
        let _ = write!(self.line, "0 @{letter}{number}@ {tag}");
        self.end()
    }

    /// A line without a payload.
    pub(super) fn bare(&mut self, level: u32, tag: &str) -> io::Result<()> {
        let _ = write!(self.line, "{level} {tag}");
        self.end()
    }

    /// A line whose payload is short and holds no line break.
    pub(super) fn line(&mut self, level: u32, tag: &str, payload: impl Display) -> io::Result<()> {
        let _ = write!(self.line, "{level} {tag} {payload}");
        self.end()
    }

    /// A line that points to a record.
    pub(super) fn pointer(&mut self, level: u32, tag: &str, letter: char, number: u64) -> io::Result<()> {
        self.line(level, tag, format_args!("@{letter}{number}@"))
    }

    /// A text of any length: CONT for its line breaks, CONC where a line would have more than `width` octets.
    pub(super) fn text(&mut self, level: u32, tag: &str, text: &str, width: usize) -> io::Result<()> {
        let mut tag = tag;
        let mut level = level;
        for paragraph in text.split('\n') {
            let mut rest = paragraph;
            loop {
                let (head, tail) = rest.split_at(cut(rest, width));
                self.line(level, tag, head)?;
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

    fn end(&mut self) -> io::Result<()> {
        self.line.push_str(self.line_break);
        self.octets += self.line.len() as u64;
        self.count += 1;
        if self.encoding == Encoding::Utf8 {
            self.out.write_all(self.line.as_bytes())?;
        } else {
            encode(&self.line, self.encoding, &mut self.encoded);
            self.out.write_all(&self.encoded)?;
            self.encoded.clear();
        }
        self.line.clear();
        Ok(())
    }
}

/// Appends `line` to `octets`; what the encoding cannot spell becomes a Unicode escape (D19 *Unicode
/// escapes*). Only payloads have such characters.
fn encode(line: &str, encoding: Encoding, octets: &mut Vec<u8>) {
    let mut rest = line;
    while let Err(fault) = encoding.encode_into(rest, octets) {
        let escape = format!("@#U{:X}@", u32::from(fault.character));
        // Every encoding with a name in CHAR spells ASCII.
        let _ = encoding.encode_into(&escape, octets);
        rest = rest.get(fault.offset + fault.character.len_utf8()..).unwrap_or_default();
    }
}

/// Returns the offset at which to cut `text` so that its head has at most `width` octets: within a word,
/// because many programs trim, and not within a doubled at sign (D19 *Line continuation*).
fn cut(text: &str, width: usize) -> usize {
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
        Lines::new(&mut out, Encoding::Utf8, "\n").text(1, "NOTE", text, width).unwrap();
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
        encode("1 NAME Łucja Żak\n", Encoding::Ascii, &mut octets);
        assert_eq!(octets, b"1 NAME @#U141@ucja @#U17B@ak\n");
    }

    #[test]
    fn a_doubled_at_sign_stays_whole() {
        assert_eq!(lines("ab@@cd", 3), "1 NOTE ab\n2 CONC @@c\n2 CONC d\n");
    }
}
