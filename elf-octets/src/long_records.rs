//! Records that are too long to be read as one: the first lines are the record, and what is left is handed
//! out in blocks, each behind the lines that are open where it starts.

use crate::decide::Detection;
use crate::decode::CONC_REACH;
use crate::open_lines::{LevelTeller, LineLevel, OpenLines};
use crate::records::{self, Block, Records};
use crate::source::Position;
use crate::units::Units;
use crate::{LineBreaks, Source};
use elf_base::{Diagnostic, Rules, Sink, codes};
use std::io::{self, Read};

/// The way in which records are cut that are too long to be read as one: [`Records::with_long_records`].
#[derive(Clone, Copy, Debug)]
pub struct LongRecords {
    /// The most lines of a record that is read as one.
    pub most_lines: u64,
    /// The most octets of such a record.
    pub most_octets: usize,
    /// Tells of a line, without its break, at which level it stands, if it has one.
    pub level: fn(&str, &Rules) -> Option<LineLevel>,
    /// Tells whether longer records are cut by such rules at all.
    pub cuts: fn(&Rules) -> bool,
}

/// The lines of a block of the rest that are enough: each may have findings, which take more than a short
/// line.
const MOST_OF_BLOCK: u64 = 1 << 13;

/// The rest of a record whose first lines were handed out.
#[derive(Debug)]
pub(crate) struct RestOfRecord {
    /// The lines above what comes next.
    open: OpenLines,
    /// True if a record has started: in the first block there may be lines before it.
    has_start: bool,
}

impl Source<'_> {
    /// Reports that a record is [cut](Source::is_cut) since it is too long.
    pub fn report_cut(&self, rules: &Rules, sink: &mut dyn Sink) {
        if !self.is_cut() {
            return;
        }
        let first = self.start().line + self.line_count();
        let message = format!(
            "the record is too long to be read as one: from line {first} on, each line was read on its own"
        );
        let record = self.line_strings().next().unwrap_or_default();
        let mut locator = self.locator();
        let finding = Diagnostic::new(codes::RECORD_TOO_LONG, rules, message)
            .at(locator.place(record), locator.excerpt(record))
            .help("their tags, values and pointers were not looked at, and structures were not counted");
        sink.report(finding);
    }
}

impl LongRecords {
    /// Finds where a record is cut of which these octets are the start: the end of the lines that come to the
    /// most that is read as one, among those whose break starts before the offset `want`. `None` where they
    /// do not come to that.
    pub(crate) fn cut_within(
        self,
        octets: &[u8],
        want: usize,
        (detection, rules): (&Detection, &Rules),
    ) -> Option<usize> {
        let LongRecords { most_lines, most_octets, cuts, .. } = self;
        let units = Units::of(Some(detection.decision.used));
        let looked_at = octets.get(..want).unwrap_or(octets);
        let is_long = looked_at.len() > most_octets
            || looked_at.len() as u64 > most_lines
                && LineBreaks::of_octets(looked_at, units).total() > most_lines;
        if !is_long || !cuts(rules) {
            return None;
        }
        let teller = LevelTeller { detection, rules, long: self };
        let (mut before, mut is_behind_text) = (None, false);
        for line in units.lines(octets).take_while(|line| line.broken && line.octets.end < want) {
            if line.number <= most_lines && line.behind <= most_octets {
                continue;
            }
            let level = teller.level(octets.get(line.octets.clone()).unwrap_or_default());
            // What stands beneath a line, or continues it, may show a fault of that.
            let is_beside = level.is_some_and(|level| before.is_some_and(|before| level.ends(before)));
            if is_beside || level.is_none() && is_behind_text {
                return Some(line.octets.start);
            }
            // Where there is no such line in as many again, any has to do.
            if line.number / 2 > most_lines || line.behind / 2 > most_octets {
                return Some(line.behind);
            }
            (before, is_behind_text) = (level.or(before), level.is_none());
        }
        None
    }
}

impl RestOfRecord {
    /// The rest of a record with those octets, byte-order mark apart.
    pub(crate) fn behind(
        record: &[u8],
        has_start: bool,
        (detection, rules, long): (&Detection, &Rules, LongRecords),
    ) -> RestOfRecord {
        let units = Units::of(Some(detection.decision.used));
        let mut open = OpenLines::default();
        open.pass(record, units, &LevelTeller { detection, rules, long });
        RestOfRecord { open, has_start }
    }
}

impl<R: Read> Records<R> {
    /// Cuts records with more lines or octets than these, by rules that allow it. Their first lines make the
    /// record, whose source is [cut](Source::is_cut); what is left is handed out behind it in [blocks of its
    /// own](Block::own_line). So memory is bounded whatever the file.
    #[must_use]
    pub fn with_long_records(self, long: LongRecords) -> Records<R> {
        Records { long: Some(long), ..self }
    }

    /// The next block of the rest of a record; `None` at its end.
    pub(crate) fn next_of_rest(
        &mut self,
        rest: &mut RestOfRecord,
        long: LongRecords,
    ) -> io::Result<Option<Block>> {
        let Some(detection) = self.reader.detection.clone() else { return Ok(None) };
        let end = self.end_within_rest(rest, &detection, long)?;
        if end == 0 {
            return Ok(None);
        }
        self.settle(end)?;
        self.reader.fill(end + CONC_REACH)?;
        let Some(detection) = self.reader.detection.clone() else { return Ok(None) };
        let units = Units::of(Some(detection.decision.used));
        let (context, context_lines) = rest.open.context();
        let reader = &mut self.reader;
        let rules = *reader.rules();
        let own = reader.buffer.get(..end).unwrap_or_default();
        rest.open.pass(own, units, &LevelTeller { detection: &detection, rules: &rules, long });
        let breaks = LineBreaks::of_octets(own, units);
        let is_ascii = own.is_ascii();
        let last = reader.at_end && reader.buffer.len() == end;
        let mut octets = self.spare.pop().unwrap_or_default();
        octets.clear();
        octets.extend_from_slice(&context);
        octets.extend_from_slice(reader.buffer.get(..end + CONC_REACH).unwrap_or(&reader.buffer));
        let of_context = LineBreaks::of_octets(&context, units);
        let mut history = reader.history;
        // Those of the context are counted with the record.
        history.breaks.take_off(of_context);
        let mut of_block = breaks;
        of_block.add(of_context);
        let block = Block {
            end: context.len() + end,
            octets,
            position: Position {
                start: 0,
                octet: reader.octet.saturating_sub(context.len() as u64),
                line: reader.line.saturating_sub(context_lines),
            },
            history,
            breaks: of_block,
            rules,
            last,
            findings: std::mem::take(&mut self.findings),
            is_cut: false,
            own_line: Some(reader.line),
            detection,
        };
        reader.history.breaks.add(breaks);
        reader.history.non_ascii |= !is_ascii;
        reader.done = last;
        reader.buffer.drop_front(end);
        reader.octet += end as u64;
        reader.line += breaks.total();
        Ok(Some(block))
    }

    /// Decides on the encoding, if the first octets at hand do that.
    fn settle(&mut self, end: usize) -> io::Result<()> {
        let open = self.reader.detection.clone().filter(|detection| detection.open.is_some());
        open.map_or(Ok(()), |detection| self.reader.settle(&detection, 0, end, &mut self.findings))
    }

    /// Finds the end of the next block of the rest: behind the size of a block, before a line that stands
    /// beneath none of the block, or before the next record.
    fn end_within_rest(
        &mut self,
        rest: &mut RestOfRecord,
        detection: &Detection,
        long: LongRecords,
    ) -> io::Result<usize> {
        let units = Units::of(Some(detection.decision.used));
        let block = self.reader.block;
        let mut want = block;
        loop {
            self.reader.fill(want + CONC_REACH)?;
            let (octets, rules) = (&*self.reader.buffer, *self.reader.rules());
            let teller = LevelTeller { detection, rules: &rules, long };
            let mut has_start = rest.has_start;
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
                let is_enough = at >= block || line.number > MOST_OF_BLOCK;
                // Where there is no better line, any has to do.
                let is_far = at / 4 >= block || line.number / 4 > MOST_OF_BLOCK;
                let level = if is_enough { teller.level(text) } else { None };
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
                rest.has_start = has_start;
                return Ok(end);
            }
            want = want.saturating_mul(2);
        }
    }
}
