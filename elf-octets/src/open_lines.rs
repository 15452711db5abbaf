//! The lines of a record that are open at its end: those that lines behind it may stand beneath.

use crate::decide::Detection;
use crate::decode::{self, DecodeOptions, Piece};
use crate::long_records::LongRecords;
use crate::units::Units;
use elf_base::Rules;

/// The most lines that are kept as open: what stands deeper is read behind the deepest of them.
const MOST_OPEN: usize = 128;

/// The most lines without a level that are kept, half of them the first, which may change what comes
/// behind them, half of them the last.
const MOST_OF_TEXT: usize = 8;

/// The most octets of an open line that are kept, without its break: what it says changes nothing of those
/// below it.
const MOST_OF_LINE: usize = 1 << 12;

/// The level at which a line stands in its record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LineLevel {
    /// The level.
    pub level: u32,
    /// True if the line goes on with the payload of another, and starts no structure.
    pub is_continuation: bool,
}

/// The lines of a record that are open: each deeper than the one before it, the last line among them.
#[derive(Debug, Default)]
pub(crate) struct OpenLines {
    /// The level and the octets of each, with the break.
    lines: Vec<(LineLevel, Vec<u8>)>,
    /// The lines behind the last of those, with their breaks, which have no level.
    text: Vec<Vec<u8>>,
}

/// Tells at which level a line is, given its octets without the break.
pub(crate) struct LevelTeller<'t> {
    pub(crate) detection: &'t Detection,
    pub(crate) rules: &'t Rules,
    pub(crate) long: LongRecords,
}

impl LineLevel {
    /// Tells whether a line of this level is open behind a line of that one.
    fn stays_above(self, next: LineLevel) -> bool {
        self.level < next.level || self.level == next.level && next.is_continuation && !self.is_continuation
    }

    /// Tells whether a line of this level starts a structure that does not stand beneath the line before it.
    pub(crate) fn ends(self, before: LineLevel) -> bool {
        !self.is_continuation && self.level <= before.level
    }
}

impl OpenLines {
    /// Passes the lines of `octets`.
    pub(crate) fn pass(&mut self, octets: &[u8], units: Units, teller: &LevelTeller<'_>) {
        for line in units.lines(octets) {
            let text = octets.get(line.octets.clone()).unwrap_or_default();
            let kept = text.len().min(MOST_OF_LINE) / units.len() * units.len();
            let mut kept = text.get(..kept).unwrap_or_default().to_vec();
            kept.extend_from_slice(octets.get(line.octets.end..line.behind).unwrap_or_default());
            let Some(level) = teller.level(text) else {
                if self.text.len() == MOST_OF_TEXT {
                    self.text.remove(MOST_OF_TEXT / 2);
                }
                self.text.push(kept);
                continue;
            };
            self.text.clear();
            let open = self.lines.partition_point(|(above, _)| above.stays_above(level));
            self.lines.truncate(open);
            if open == MOST_OPEN {
                // The record stays, with what is deepest.
                self.lines.remove(1);
            }
            self.lines.push((level, kept));
        }
    }

    /// The octets of the lines, and how many they are.
    pub(crate) fn context(&self) -> (Vec<u8>, u64) {
        let all = self.lines.iter().map(|(_, line)| line).chain(&self.text);
        (all.flatten().copied().collect(), (self.lines.len() + self.text.len()) as u64)
    }
}

impl LevelTeller<'_> {
    /// The level of a line; none of one that cannot be read alone.
    pub(crate) fn level(&self, line: &[u8]) -> Option<LineLevel> {
        if self.detection.open.is_some() && !line.is_ascii() {
            return None;
        }
        let options = DecodeOptions::of(&self.rules.octets);
        let decoded = decode::piece(Piece::whole(line, 0), self.detection.decision.used, options);
        // The rest of a character may stand on another line.
        let is_whole = decoded.complete && decoded.irregular.is_empty();
        is_whole.then(|| (self.long.level)(&decoded.text, self.rules)).flatten()
    }
}
