//! Findings about the encoding: made while it is being decided, and placed once it is decided.

use crate::Encoding;
use crate::decode;
use crate::decode_buffer::DecodeOptions;
use crate::input_chunk::InputChunk;
use crate::units::{RawLines, Units};
use elf_base::rules::OctetRules;
use elf_base::{Code, Diagnostic, Excerpt, Fix, FixAction, Place, Rules, Sink};
use std::borrow::Cow;

/// A finding about the encoding, waiting for the encoding in which its line is shown.
#[derive(Clone, Debug)]
pub(crate) struct PendingFinding {
    pub(crate) finding: Diagnostic,
    /// The octet that the finding is about, counted from the first octet available.
    pub(crate) at: Option<usize>,
}

/// Makes a finding about the name of the encoding: where its code has a fix, CHAR is to name the one that
/// is used.
pub(crate) fn about_char(code: Code, rules: &Rules, message: impl Into<Cow<'static, str>>) -> Diagnostic {
    let finding = Diagnostic::new(code, rules, message);
    match code.fix() {
        Some(_) => finding.fix(Fix::safe(FixAction::NameEncoding)),
        None => finding,
    }
}

/// Quotes text from a file in a message, with its controls made visible.
pub(crate) fn quoted(text: &str) -> String {
    let mut quoted = String::from("`");
    for c in text.chars() {
        if c.is_control() { quoted.push_str(&format!("<U+{:04X}>", u32::from(c))) } else { quoted.push(c) }
    }
    quoted.push('`');
    quoted
}

/// Octets that start with a line, and their place in the file.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Region<'o> {
    /// The octets, byte-order mark included.
    pub(crate) octets: &'o [u8],
    /// The length of the byte-order mark.
    pub(crate) mark: usize,
    /// The octet of the file that the first one is.
    pub(crate) octet: u64,
    /// The line of the file that they start with.
    pub(crate) line: u64,
}

impl<'o> Region<'o> {
    /// The octets of a file from its start.
    pub(crate) const fn start_of_file(octets: &'o [u8], mark: usize) -> Region<'o> {
        Region { octets, mark, octet: 0, line: 1 }
    }

    /// Reports the pending findings, each with its line decoded as `used`.
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
                    let (place, excerpt) = self.place(at, used, rules);
                    finding.at(place, excerpt)
                }
                None => finding,
            });
        }
    }

    /// Returns whether the line of an octet is ASCII from its start to its end, so that it reads alike in
    /// nearly all encodings.
    pub(crate) fn is_ascii_at(&self, at: usize, units: Units) -> bool {
        let line = self.line_of(at, units).map(|(_, start, end)| &self.octets[start..end]);
        line.is_none_or(<[u8]>::is_ascii)
    }

    /// Finds the line of an octet: its number in the file, its start, and its end without the line break.
    fn line_of(&self, at: usize, units: Units) -> Option<(u64, usize, usize)> {
        let body = &self.octets[self.mark..];
        let mut lines = RawLines { octets: body, units, at: 0, number: self.line };
        while let Some(line) = lines.next() {
            if at < self.mark + lines.at || lines.at >= body.len() {
                return Some((line.number, self.mark + line.octets.start, self.mark + line.octets.end));
            }
        }
        None
    }

    /// The place from an octet to the end of its line, and that line, as `used` reads it.
    pub(crate) fn place(&self, at: usize, used: Encoding, rules: &OctetRules) -> (Place, Option<Excerpt>) {
        let Some((number, start, end)) = self.line_of(at, Units::of(Some(used))) else {
            return (Place::new(self.octet + at as u64, self.line, 1, 1), None);
        };
        let at = at.clamp(start, end);
        let options = DecodeOptions { stop: false, controls: rules.content, ..DecodeOptions::of(rules) };
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
