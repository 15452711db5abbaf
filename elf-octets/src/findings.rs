//! Findings about the encoding. Such a finding is made while the encoding is being decided, and gets its place
//! afterwards.

use crate::Encoding;
use crate::decode;
use crate::decode_buffer::DecodeOptions;
use crate::input_chunk::InputChunk;
use crate::units::{RawLine, RawLines, Units};
use elf_base::rules::OctetRules;
use elf_base::{Code, Diagnostic, Excerpt, Fix, FixAction, Place, Rules, Sink};
use std::borrow::Cow;
use std::ops::Range;

/// A finding about the encoding that has no place yet, because the encoding of its line has not been decided.
#[derive(Clone, Debug)]
pub(crate) struct PendingFinding {
    pub(crate) finding: Diagnostic,
    /// The offset of the byte that the finding is about, counted from the first available byte.
    pub(crate) at: Option<usize>,
}

/// Makes a finding about CHAR. If its code has a fix, the fix puts the name of the encoding that is used into CHAR.
pub(crate) fn char_finding(code: Code, rules: &Rules, message: impl Into<Cow<'static, str>>) -> Diagnostic {
    let finding = Diagnostic::new(code, rules, message);
    match code.fix() {
        Some(_) => finding.fix(Fix::safe(FixAction::NameEncoding)),
        None => finding,
    }
}

/// Quotes text from a file in a message. Control characters are made visible.
pub(crate) fn quote_visibly(text: &str) -> String {
    let mut quoted = String::from("`");
    for c in text.chars() {
        if c.is_control() { quoted.push_str(&format!("<U+{:04X}>", u32::from(c))) } else { quoted.push(c) }
    }
    quoted.push('`');
    quoted
}

/// Bytes that begin at the start of a line, with their position in the file.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Region<'o> {
    /// The bytes, including a byte-order mark if there is one.
    pub(crate) octets: &'o [u8],
    /// The length of the byte-order mark.
    pub(crate) mark: usize,
    /// The offset in the file of the first byte.
    pub(crate) octet: u64,
    /// The line number of the first line.
    pub(crate) line: u64,
}

impl<'o> Region<'o> {
    pub(crate) const fn start_of_file(octets: &'o [u8], mark: usize) -> Region<'o> {
        Region { octets, mark, octet: 0, line: 1 }
    }

    /// Reports the findings. The line of each finding is decoded as `used`.
    pub(crate) fn report(
        &self,
        waiting: Vec<PendingFinding>,
        used: Encoding,
        rules: &OctetRules,
        sink: &mut dyn Sink,
    ) {
        for PendingFinding { finding, at } in waiting {
            sink.report(match at {
                Some(at) => {
                    let (place, excerpt) = self.place_of_octet(at, used, rules);
                    finding.at(place, excerpt)
                }
                None => finding,
            });
        }
    }

    /// Returns whether the line that contains a byte is ASCII. Such a line is the same in nearly all encodings.
    pub(crate) fn is_ascii_at(&self, at: usize, units: Units) -> bool {
        let line = self.find_line(at, units).map(|line| &self.octets[line.octets]);
        line.is_none_or(<[u8]>::is_ascii)
    }

    fn find_line(&self, at: usize, units: Units) -> Option<RawLine> {
        let body = &self.octets[self.mark..];
        let mut lines = RawLines { octets: body, units, at: 0, number: self.line };
        while let Some(line) = lines.next() {
            if at < self.mark + lines.at || lines.at >= body.len() {
                let octets = self.mark + line.octets.start..self.mark + line.octets.end;
                return Some(RawLine { octets, ..line });
            }
        }
        None
    }

    /// Returns the place from a byte to the end of its line, and that line. The line is decoded as `used`.
    pub(crate) fn place_of_octet(
        &self,
        at: usize,
        used: Encoding,
        rules: &OctetRules,
    ) -> (Place, Option<Excerpt>) {
        let Some(RawLine { number, octets: Range { start, end }, .. }) =
            self.find_line(at, Units::of(Some(used)))
        else {
            return (Place::new(self.octet + at as u64, self.line, 1, 1), None);
        };
        let at = at.clamp(start, end);
        let options =
            DecodeOptions { stop: false, controls: rules.content, ..DecodeOptions::from_rules(rules) };
        let text = |from: usize, to: usize| {
            let octets = &self.octets[from..to];
            let ahead = &self.octets[to..];
            decode::decode_chunk(InputChunk { ahead, ..InputChunk::whole(octets, 0) }, used, options).text
        };
        let (before, after) = (text(start, at), text(at, end));
        let count = |text: &str| text.chars().count() as u64;
        let column = count(&before) + 1;
        let place = Place::new(self.octet + at as u64, number, column, column + count(&after));
        let offset = before.len();
        let excerpt = Excerpt::around(&(before.into_owned() + &after), offset, column);
        (place, Some(excerpt))
    }
}
