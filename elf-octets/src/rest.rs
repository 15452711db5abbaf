//! The rest of a record that is too long to be read as one: handed out in blocks, each behind the lines that
//! are open where it starts.

use crate::Source;
use crate::decide::Detection;
use crate::decode::CONC_REACH;
use crate::records::{self, Block, Records};
use crate::runs::{Context, Divided, LineLevel, LineTeller, Runs};
use crate::units::Units;
use elf_base::{Diagnostic, Rules, Sink, codes};
use std::io::{self, Read};
use std::sync::Arc;

/// The most lines that are kept as open: what stands deeper is read behind the deepest of them.
const MOST_OPEN: usize = 128;

/// The most lines without a level that are kept, half of them the first, which may change what comes
/// behind them, half of them the last.
const MOST_OF_TEXT: usize = 8;

/// The most octets of an open line that are kept, without its break: what it says changes nothing of those
/// below it.
const MOST_OF_LINE: usize = 1 << 12;

/// The lines of a record that are open: each deeper than the one before it, the last line among them.
#[derive(Debug, Default)]
pub(crate) struct OpenLines {
    /// The level and the octets of each, with the break.
    lines: Vec<(LineLevel, Vec<u8>)>,
    /// The lines behind the last of those, with their breaks, which have no level.
    text: Vec<Vec<u8>>,
}

impl Source<'_> {
    /// Reports the lines that a record [lacks](Source::lines_left_out) since it is too long.
    pub fn report_left_out(&self, rules: &Rules, sink: &mut dyn Sink) {
        let Some(lines) = self.lines_left_out() else { return };
        let (first, last) = (lines.start, lines.end.saturating_sub(1));
        let message = format!(
            "the record is too long to be read as one: lines {first} to {last} were read each on its own"
        );
        let record = self.line_strings().next().unwrap_or_default();
        let mut locator = self.locator();
        let finding = Diagnostic::new(codes::RECORD_TOO_LONG, rules, message)
            .at(locator.place(record), locator.excerpt(record))
            .help("their tags, values and pointers were not looked at, and structures were not counted");
        sink.report(finding);
    }
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
    fn pass(&mut self, octets: &[u8], units: Units, teller: &LineTeller<'_>) {
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
    fn context(&self) -> (Vec<u8>, u64) {
        let all = self.lines.iter().map(|(_, line)| line).chain(&self.text);
        (all.flatten().copied().collect(), (self.lines.len() + self.text.len()) as u64)
    }
}

impl<R: Read> Records<R> {
    /// The next block of the rest of a record; `None` at its end.
    pub(crate) fn next_of_rest(&mut self, divided: &mut Divided, runs: Runs) -> io::Result<Option<Block>> {
        let Some(detection) = self.reader.detection.clone() else { return Ok(None) };
        let units = Units::of(Some(detection.decision.used));
        let end = self.end_within_rest(divided, &detection, runs)?;
        if end == 0 {
            return Ok(None);
        }
        self.settle(end)?;
        self.reader.fill(end + CONC_REACH)?;
        let Some(detection) = self.reader.detection.clone() else { return Ok(None) };
        let rules = *self.reader.rules();
        let teller = LineTeller { detection: &detection, rules: &rules, runs, is_first: divided.is_first };
        let mut open = divided.open.take().unwrap_or_else(|| {
            let mut open = OpenLines::default();
            open.pass(divided.record_so_far(), units, &teller);
            self.reader.history.non_ascii |= !divided.record_so_far().is_ascii();
            open
        });
        let (context, lines) = open.context();
        let own = self.reader.buffer.get(..end).unwrap_or_default();
        open.pass(own, units, &teller);
        let is_broken = units.lines(own).last().is_none_or(|line| line.broken);
        let context = Context { octets: &context, start: 0, lines };
        let (block, lines) = self.block_apart(context, end, Arc::clone(&detection));
        divided.add_apart(end, lines + u64::from(!is_broken));
        divided.open = Some(open);
        Ok(Some(block))
    }

    /// Finds the end of the next block of the rest: behind the size of a block, before a line that stands
    /// beneath none of the block, or before the next record.
    fn end_within_rest(
        &mut self,
        divided: &mut Divided,
        detection: &Detection,
        runs: Runs,
    ) -> io::Result<usize> {
        let units = Units::of(Some(detection.decision.used));
        let block = self.reader.block;
        let mut want = block;
        loop {
            self.reader.fill(want + CONC_REACH)?;
            let (octets, rules) = (&*self.reader.buffer, *self.reader.rules());
            let teller = LineTeller { detection, rules: &rules, runs, is_first: divided.is_first };
            let mut has_start = divided.has_start;
            let (mut end, mut before) = (None, None);
            for line in units.lines(octets) {
                let is_whole = line.broken || self.reader.at_end;
                let text = octets.get(line.octets.clone()).unwrap_or_default();
                let at = line.octets.start;
                let starts = units.starts_at_0(text)
                    && records::is_start(text, is_whole, detection, &rules, self.starts);
                if starts && std::mem::replace(&mut has_start, true) {
                    end = Some(at);
                    break;
                }
                // Where there is no better line, any has to do.
                let is_far = at / 4 >= block;
                let level = if at >= block { teller.level(text) } else { None };
                // What stands beneath the line before may show a fault of that.
                let is_beside = level.is_some_and(|level| before.is_some_and(|before| level.ends(before)));
                if is_far || is_whole && is_beside {
                    end = Some(at);
                    break;
                }
                if !is_whole {
                    break;
                }
                before = level.or(before);
            }
            let all = self.reader.at_end && end.is_none();
            if let Some(end) = end.or(all.then_some(octets.len())) {
                divided.has_start = has_start;
                return Ok(end);
            }
            want = want.saturating_mul(2);
        }
    }
}
