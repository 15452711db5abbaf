//! Octets with the text they decode to.

use crate::decide::Opening;
use crate::decode::{self, Decoded, Irregular, Manner};
use crate::line_table::LineTable;
use crate::locator::{self, Locator};
use crate::pages::Page;
use crate::prescan::Units;
use crate::{Decision, Encoding, LineStrings, Options};
use elf_base::rules::OctetRules;
use elf_base::{Diagnostic, Rules, Sink, codes};
use std::borrow::Cow;
use std::cell::OnceCell;
use std::fmt;

/// Octets with the text they decode to.
///
/// Text that is valid UTF-8 is borrowed from the octets; other text is owned. Positions are found by a
/// [`Locator`], whose tables are made when the first position is asked for.
#[derive(Debug)]
pub struct Source<'o> {
    octets: &'o [u8],
    text: Cow<'o, str>,
    /// How much of the text may be used: all of it, unless the rules end the reading before.
    usable: usize,
    irregular: Vec<Irregular>,
    decision: Decision,
    complete: bool,
    rules: OctetRules,
    /// Where the text starts in `octets`, behind the byte-order mark.
    start: usize,
    first_line: u64,
    first_octet: u64,
    table: OnceCell<LineTable>,
    has_cr: OnceCell<bool>,
    breaks: OnceCell<LineBreaks>,
}

/// A text over 4 GiB, which 32-bit offsets cannot address: read it block by block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct TooLarge;

/// How many line breaks of each form there are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct LineBreaks {
    /// LF alone.
    pub lf: u64,
    /// CR alone.
    pub cr: u64,
    /// CR LF.
    pub crlf: u64,
}

impl<'o> Source<'o> {
    /// Decides in which encoding `octets` are, and decodes all of them.
    ///
    /// # Errors
    ///
    /// [`TooLarge`] where the text is longer than 4 GiB.
    pub fn read(
        octets: &'o [u8],
        rules: &Rules,
        options: &Options,
        sink: &mut dyn Sink,
    ) -> Result<Source<'o>, TooLarge> {
        let (decision, ended) = Opening::close(octets, rules, options, sink);
        let start = if decision.mark { decision.used_mark(octets) } else { 0 };
        let body = octets.get(start..).unwrap_or_default();
        let unit = if decision.used.is_utf16() { 2 } else { 1 };
        if u32::try_from(body.len() / unit).is_err() {
            return Err(TooLarge);
        }
        let decoded = if ended {
            Decoded { text: Cow::Borrowed(""), irregular: Vec::new(), ended: true }
        } else {
            decode::decode(body, start as u64, decision.used, Manner::of(&rules.octets))
        };
        if u32::try_from(decoded.text.len()).is_err() {
            return Err(TooLarge);
        }
        let mut source = Source {
            octets,
            usable: decoded.text.len(),
            text: decoded.text,
            irregular: decoded.irregular,
            decision,
            complete: !decoded.ended,
            rules: rules.octets,
            start,
            first_line: 1,
            first_octet: 0,
            table: OnceCell::new(),
            has_cr: OnceCell::new(),
            breaks: OnceCell::new(),
        };
        source.report(rules, sink);
        if !source.complete {
            // What stands on the line of the fault cannot be used.
            source.usable = source.text.rfind(['\n', '\r']).map_or(0, |at| at + 1);
        }
        Ok(source)
    }

    /// The decoded text, without the byte-order mark: all of it, or as much as may be used where the rules end
    /// the reading (see [`is_complete`](Source::is_complete)).
    pub fn text(&self) -> &str {
        self.text.get(..self.usable).unwrap_or_default()
    }

    /// The octets, byte-order mark included.
    pub fn octets(&self) -> &'o [u8] {
        self.octets
    }

    /// Which encoding was used, and why.
    pub fn decision(&self) -> &Decision {
        &self.decision
    }

    /// Whether [`text`](Source::text) is all there is: the rules did not end the reading in this layer.
    pub fn is_complete(&self) -> bool {
        self.complete
    }

    /// The line strings of the text, by the rules it was read with.
    pub fn line_strings(&self) -> LineStrings<'_> {
        LineStrings::knowing(self.text(), self.has_cr(), &self.rules)
    }

    /// Finds where spans of the text stand in the file.
    pub fn locator(&self) -> Locator<'_> {
        Locator::new(self)
    }

    /// Octets that do not correspond to text in the regular way, in the order of the text: those that could not be
    /// decoded, and those that were repaired. Nothing of the file is lost where the text says U+FFFD.
    pub fn irregular(&self) -> &[Irregular] {
        &self.irregular
    }

    /// How many line breaks of each form there are.
    pub fn line_breaks(&self) -> LineBreaks {
        *self.breaks.get_or_init(|| LineBreaks::of(self.text()))
    }

    /// How many lines there are, blank ones included; a last line without a break counts.
    pub fn line_count(&self) -> u64 {
        let breaks = self.line_breaks();
        let open = !self.text().is_empty() && !self.text().ends_with(['\n', '\r']);
        breaks.lf + breaks.cr + breaks.crlf + u64::from(open)
    }

    pub(crate) fn has_cr(&self) -> bool {
        *self.has_cr.get_or_init(|| memchr::memchr(b'\r', self.text.as_bytes()).is_some())
    }

    pub(crate) fn full_text(&self) -> &str {
        &self.text
    }

    pub(crate) fn first_line(&self) -> u64 {
        self.first_line
    }

    pub(crate) fn first_octet(&self) -> u64 {
        self.first_octet
    }

    pub(crate) fn lines(&self) -> &LineTable {
        self.table.get_or_init(|| LineTable {
            text: LineTable::of_text(&self.text),
            units: match self.decision.used {
                Encoding::Utf8 => Vec::new(),
                other => LineTable::of_octets(self.body(), Units::of(Some(other))),
            },
        })
    }

    fn body(&self) -> &'o [u8] {
        self.octets.get(self.start..).unwrap_or_default()
    }

    /// Where the line of that number (from 0) starts in the octets.
    pub(crate) fn octet_of_line(&self, line: usize, text: usize) -> usize {
        let units = self.lines().units.get(line).copied().unwrap_or(0) as usize;
        self.start
            + match self.decision.used {
                Encoding::Utf8 => self.utf8_octet(text),
                Encoding::Utf16Le | Encoding::Utf16Be => units * 2,
                _ => units,
            }
    }

    /// Where the character at `text` starts in UTF-8 octets, from the start of the body.
    fn utf8_octet(&self, text: usize) -> usize {
        let after = self.irregular.partition_point(|irregular| irregular.text.end as usize <= text);
        let Some(last) = after.checked_sub(1).and_then(|index| self.irregular.get(index)) else {
            return self
                .irregular
                .first()
                .filter(|one| one.text.range().contains(&text))
                .map_or(text, |one| {
                    usize::try_from(one.octets.start).unwrap_or(usize::MAX).saturating_sub(self.start)
                });
        };
        if let Some(here) = self.irregular.get(after).filter(|one| one.text.range().contains(&text)) {
            return usize::try_from(here.octets.start).unwrap_or(usize::MAX).saturating_sub(self.start);
        }
        let end = usize::try_from(last.octets.end).unwrap_or(usize::MAX).saturating_sub(self.start);
        end + (text - last.text.end as usize)
    }

    /// Moves from one character to the one that `target` lies in.
    pub(crate) fn walk(&self, text: &mut usize, octet: &mut usize, column: &mut u64, target: usize) {
        if self.decision.used == Encoding::Utf8 {
            *column += locator::count(&self.text, *text..target);
            *text = target;
            *octet = self.start + self.utf8_octet(target);
            return;
        }
        let page = Page::of(self.decision.used);
        while *text < target {
            let (octets, length, columns) = self.step(*octet, &page);
            if octets == 0 || *text + length > target {
                break;
            }
            *octet += octets;
            *text += length;
            *column += columns;
        }
    }

    /// The octets, text and characters of what starts at `octet`.
    fn step(&self, octet: usize, page: &Page) -> (usize, usize, u64) {
        let rest = self.octets.get(octet..).unwrap_or_default();
        let unit = |at: usize| {
            let pair = [*rest.get(at)?, *rest.get(at + 1)?];
            Some(match self.decision.used {
                Encoding::Utf16Le => u16::from_le_bytes(pair),
                _ => u16::from_be_bytes(pair),
            })
        };
        match self.decision.used {
            Encoding::Utf16Le | Encoding::Utf16Be => {
                let units = [unit(0), unit(2)].into_iter().flatten();
                match char::decode_utf16(units).next() {
                    Some(Ok(c)) => (c.len_utf16() * 2, c.len_utf8(), 1),
                    Some(Err(_)) => (2, 3, 1),
                    None => (rest.len().min(1), 3, 1),
                }
            }
            Encoding::Ansel => {
                let cluster = crate::ansel::Cluster::at(rest, 0);
                if cluster.end == 0 {
                    return (rest.len().min(1), 3, 1);
                }
                let mut text = String::new();
                cluster.push(rest, &mut text);
                (cluster.end, text.len(), text.chars().count() as u64)
            }
            _ => match rest.first() {
                None => (0, 0, 0),
                Some(octet) => (1, page.character(*octet).map_or(3, char::len_utf8), 1),
            },
        }
    }

    /// Reports what is irregular.
    fn report(&self, rules: &Rules, sink: &mut dyn Sink) {
        let mut locator = self.locator();
        for irregular in &self.irregular {
            let mut place = locator.place(irregular.text);
            place.octet = irregular.octets.start;
            let start = usize::try_from(irregular.octets.start).unwrap_or(usize::MAX);
            let end = usize::try_from(irregular.octets.end).unwrap_or(usize::MAX);
            let octets = Hex(self.octets.get(start..end).unwrap_or_default());
            let used = self.decision.used;
            let diagnostic = match irregular.kind {
                decode::Irregularity::Surrogates => Diagnostic::new(
                    codes::SURROGATES_IN_UTF_8,
                    rules,
                    format!("expected one character of four octets, but found two surrogates, {octets}"),
                )
                .help("read as the character they make"),
                _ => Diagnostic::new(
                    codes::OCTET_UNDECODABLE,
                    rules,
                    format!("expected text in {used}, but found {octets}"),
                ),
            };
            sink.report(diagnostic.at(place, locator.excerpt(irregular.text)));
        }
    }
}

impl Decision {
    /// The length of the byte-order mark.
    fn used_mark(&self, octets: &[u8]) -> usize {
        [Encoding::Utf8, Encoding::Utf16Le, Encoding::Utf16Be]
            .into_iter()
            .filter_map(Encoding::mark)
            .find(|mark| octets.starts_with(mark))
            .map_or(0, <[u8]>::len)
    }
}

impl LineBreaks {
    /// Counts those of `text`.
    pub fn of(text: &str) -> LineBreaks {
        let mut breaks = LineBreaks::default();
        let octets = text.as_bytes();
        for at in memchr::memchr2_iter(b'\n', b'\r', octets) {
            match octets.get(at) {
                Some(b'\r') if octets.get(at + 1) == Some(&b'\n') => breaks.crlf += 1,
                Some(b'\r') => breaks.cr += 1,
                _ if at > 0 && octets.get(at - 1) == Some(&b'\r') => {}
                _ => breaks.lf += 1,
            }
        }
        breaks
    }
}

impl fmt::Display for TooLarge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the text is longer than 4 GiB, so it cannot be read as a whole; read it block by block")
    }
}

impl std::error::Error for TooLarge {}

/// Octets as a person reads them: `octet E9`, `octets ED A0 80`.
struct Hex<'o>(&'o [u8]);

impl fmt::Display for Hex<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.len() == 1 { "octet" } else { "octets" })?;
        self.0.iter().try_for_each(|octet| write!(f, " {octet:02X}"))
    }
}
