//! Long records divided: runs of lines that are much alike are handed out apart from their record.

use crate::LineBreaks;
use crate::decide::Detection;
use crate::decode::{self, CONC_REACH, DecodeOptions, Piece};
use crate::records::{self, Block, Records};
use crate::source::Position;
use crate::units::Units;
use elf_base::Rules;
use std::io::{self, Read};
use std::ops::Range;

/// The part of a line in runs: lines of one number, and blank ones among them, make a run. The middle of a
/// long run must change nothing of how the lines are read that stand around it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunLine {
    /// The line is in no run.
    Apart,
    /// The line is in any run.
    Blank,
    /// The line is in a run of such lines; true if it may hold octets that do not decode.
    Of(u64, bool),
}

/// The way in which long records are divided: [`Records::with_runs`].
#[derive(Clone, Copy, Debug)]
pub struct Runs {
    /// The most lines of a record that stays whole.
    pub most_lines: u64,
    /// The most octets of a record that stays whole.
    pub most_octets: usize,
    /// The octets of a run that stay in the record, and no less than five lines.
    pub kept: usize,
    /// The least length of what is handed out of a run, in octets.
    pub least: usize,
    /// Tells of a line, without its break, in which runs it is; and whether it may stand in the header.
    pub line: fn(&str, &Rules, bool) -> RunLine,
}

/// The least number of lines of a run that stay in the record, blank ones not counted.
const LEAST_LINES: u64 = 4;

/// Lines of a record that were handed out apart from it, of which its octets have none.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Gap {
    /// The offset in the octets of the record, byte-order mark included, at which they stood.
    pub(crate) at: usize,
    /// The number of lines of the record before them.
    pub(crate) behind: u64,
    pub(crate) octets: u64,
    pub(crate) lines: u64,
}

/// The start of a run: the octets before it, with those of its lines that stay in the record.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RunStart {
    pub(crate) end: usize,
    /// The number of its lines; none of blank ones.
    pub(crate) kind: Option<u64>,
}

/// A record that is divided, as far as it was read.
#[derive(Debug)]
pub(crate) struct Divided {
    /// The octets without the gaps.
    head: Vec<u8>,
    position: Position,
    /// The number of lines in `head`.
    lines: u64,
    gaps: Vec<Gap>,
    /// The run that is handed out.
    run: Option<u64>,
    /// True if `head` holds the start of a record.
    has_start: bool,
    /// True if the record may be the header.
    is_first: bool,
    /// True if any octet before the record was not ASCII.
    was_non_ascii: bool,
}

/// Tells in which run a line is, given its octets without the break.
struct LineTeller<'t> {
    detection: &'t Detection,
    rules: &'t Rules,
    runs: Runs,
    is_first: bool,
}

impl LineTeller<'_> {
    fn tell(&self, line: &[u8]) -> RunLine {
        if self.detection.open.is_some() && !line.is_ascii() {
            return RunLine::Apart;
        }
        let options = DecodeOptions::of(&self.rules.octets);
        let decoded = decode::piece(Piece::whole(line, 0), self.detection.decision.used, options);
        if !decoded.complete {
            return RunLine::Apart;
        }
        match (self.runs.line)(&decoded.text, self.rules, self.is_first) {
            told @ RunLine::Of(_, true) => told,
            told if decoded.irregular.is_empty() => told,
            // The rest of a character may stand on another line.
            _ => RunLine::Apart,
        }
    }
}

/// The kind of a run with a line more; `None` if the line is none of it.
fn joined(run: Option<u64>, line: RunLine) -> Option<Option<u64>> {
    match (run, line) {
        (_, RunLine::Apart) => None,
        (run, RunLine::Blank) => Some(run),
        (None, RunLine::Of(kind, _)) => Some(Some(kind)),
        (Some(run), RunLine::Of(kind, _)) => (run == kind).then_some(Some(run)),
    }
}

/// Finds the start of the run that the lines before the offset `want` end with, if it is long enough.
fn run_before(octets: &[u8], want: usize, units: Units, teller: &LineTeller<'_>) -> Option<RunStart> {
    let Runs { kept: length, least, .. } = teller.runs;
    let mut ends = units.breaks_before(octets, want);
    let end = ends.next()?;
    let (mut start, mut run) = (end, None);
    for before in ends.chain([0]) {
        let line = without_break(octets.get(before..start).unwrap_or_default(), units);
        let Some(joined) = joined(run, teller.tell(line)) else { break };
        (start, run) = (before, joined);
    }
    if end - start < least.saturating_add(length) {
        return None;
    }
    let mut kept = 0;
    for line in units.lines(octets.get(start..end)?) {
        let at = start + line.octets.start;
        // The first ones may change what comes behind them, and all others what they changed it to.
        if at - start >= length && (kept > LEAST_LINES || run.is_none()) {
            return (at > start && end - at >= least.max(1)).then_some(RunStart { end: at, kind: run });
        }
        let told = teller.tell(octets.get(at..start + line.octets.end)?);
        kept += u64::from(told != RunLine::Blank);
    }
    None
}

fn without_break(line: &[u8], units: Units) -> &[u8] {
    let end = units.lines(line).next().map_or(0, |first| first.octets.end);
    line.get(..end).unwrap_or_default()
}

impl Runs {
    /// Looks for a run at the end of the octets before `want`, if they are more than a record may have that
    /// stays whole.
    pub(crate) fn start_at_end(
        octets: &[u8],
        want: usize,
        (detection, rules, runs, is_first): (&Detection, &Rules, Runs, bool),
    ) -> Option<RunStart> {
        let units = Units::of(Some(detection.decision.used));
        let looked_at = octets.get(..want).unwrap_or(octets);
        let is_long = looked_at.len() > runs.most_octets
            || looked_at.len() as u64 > runs.most_lines
                && LineBreaks::of_octets(looked_at, units).total() > runs.most_lines;
        if !is_long {
            return None;
        }
        run_before(octets, want, units, &LineTeller { detection, rules, runs, is_first })
    }
}

impl Divided {
    /// Adds octets up to the start of a run, of so many lines.
    fn append(&mut self, octets: &[u8], lines: u64, start: RunStart) {
        self.head.extend_from_slice(octets);
        self.lines += lines;
        self.run = start.kind;
        self.gaps.push(Gap { at: self.head.len(), behind: self.lines, octets: 0, lines: 0 });
    }
}

impl<R: Read> Records<R> {
    /// Divides records with more lines or octets than these: of a run in such a record, the middle is handed
    /// out in [blocks](Block::own_line) of its own, before the record, which has all the rest of it. So its
    /// places are those of the file, and memory is bounded by what is no run.
    #[must_use]
    pub fn with_runs(self, runs: Runs) -> Records<R> {
        Records { runs: Some(runs), ..self }
    }

    /// Starts to divide the record at hand before that run.
    pub(crate) fn divide(&mut self, mark: usize, run: RunStart) -> Divided {
        let reader = &self.reader;
        let before = reader.buffer.get(..run.end).unwrap_or_default().to_vec();
        let position = Position { start: mark, octet: reader.octet, line: reader.line };
        let mut has_start = reader.octet > 0;
        let mut lines = 0;
        if let Some(detection) = reader.detection.clone() {
            let units = Units::of(Some(detection.decision.used));
            lines = LineBreaks::of_octets(before.get(mark..).unwrap_or_default(), units).total();
            has_start = has_start || self.starts_within(mark..run.end, &detection);
        }
        self.pass(run.end, lines);
        let (head, gaps, is_first) = (Vec::new(), Vec::new(), position.octet == 0);
        let was_non_ascii = self.reader.history.non_ascii;
        let mut divided =
            Divided { head, position, lines: 0, gaps, run: None, has_start, is_first, was_non_ascii };
        divided.append(&before, lines, run);
        divided
    }

    /// The next block of a record that is divided: of its run, or the record itself.
    pub(crate) fn next_of_divided(&mut self, mut divided: Divided, runs: Runs) -> io::Result<Option<Block>> {
        loop {
            if let Some(block) = self.next_of_run(&mut divided, runs)? {
                self.divided = Some(divided);
                return Ok(Some(block));
            }
            let Some(detection) = self.reader.detection.clone() else { return Ok(None) };
            let units = Units::of(Some(detection.decision.used));
            match self.end_of_record(&divided, &detection, runs)? {
                Ok(end) => return self.divided_record(divided, end).map(Some),
                Err(start) => {
                    self.settle(start.end)?;
                    divided.has_start |= self.starts_within(0..start.end, &detection);
                    let octets = self.reader.buffer.get(..start.end).unwrap_or_default();
                    let breaks = LineBreaks::of_octets(octets, units);
                    divided.append(octets, breaks.total(), start);
                    self.pass(start.end, breaks.total());
                }
            }
        }
    }

    /// The next block of the run; `None` if it is at its end.
    fn next_of_run(&mut self, divided: &mut Divided, runs: Runs) -> io::Result<Option<Block>> {
        let Some(detection) = self.reader.detection.clone() else { return Ok(None) };
        let units = Units::of(Some(detection.decision.used));
        let mut want = self.reader.block.max(divided.head.len());
        let end = loop {
            self.reader.fill(want + CONC_REACH)?;
            let (octets, rules) = (&*self.reader.buffer, *self.reader.rules());
            let teller =
                LineTeller { detection: &detection, rules: &rules, runs, is_first: divided.is_first };
            let (mut end, mut is_open) = (0, !self.reader.at_end);
            for line in units.lines(octets) {
                let is_cut = !line.broken && !self.reader.at_end;
                let text = octets.get(line.octets.clone()).unwrap_or_default();
                // What stays of blank lines shows nothing of what others do.
                let told = teller.tell(text);
                let is_of_run = !is_cut && joined(divided.run, told) == Some(divided.run);
                if is_of_run && (told != RunLine::Blank || divided.run.is_none()) {
                    // The last line of a run stays in the record: what stands behind it may concern it.
                    end = line.octets.start;
                }
                // Blank lines behind what is looked at show nothing: the record is asked for them.
                let is_enough = line.behind > want && (end > 0 || told == RunLine::Blank);
                if !is_of_run || is_enough {
                    is_open = is_cut;
                    break;
                }
            }
            if end > 0 || !is_open {
                break end;
            }
            want = want.saturating_mul(2);
        };
        if end == 0 {
            return Ok(None);
        }
        let reader = &self.reader;
        let own = reader.buffer.get(..end).unwrap_or_default();
        let (breaks, is_ascii) = (LineBreaks::of_octets(own, units), own.is_ascii());
        let lines = breaks.total();
        let mut octets = self.spare.pop().unwrap_or_default();
        octets.clear();
        octets.extend_from_slice(&divided.head);
        octets.extend_from_slice(reader.buffer.get(..end + CONC_REACH).unwrap_or(&reader.buffer));
        let head = divided.head.len();
        let start = divided.position.start;
        let block = Block {
            end: head + end,
            position: Position {
                start,
                octet: reader.octet - head as u64,
                line: reader.line - divided.lines,
            },
            history: reader.history,
            breaks: LineBreaks::of_octets(octets.get(start..head + end).unwrap_or_default(), units),
            rules: *reader.rules(),
            last: false,
            findings: Vec::new(),
            gaps: Vec::new(),
            own_line: Some(reader.line),
            octets,
            detection,
        };
        if let Some(gap) = divided.gaps.last_mut() {
            gap.octets += end as u64;
            gap.lines += lines;
        }
        self.reader.history.breaks.add(breaks);
        self.reader.history.non_ascii |= !is_ascii;
        self.pass(end, lines);
        Ok(Some(block))
    }

    /// Finds the end of a record behind a run, or another run in it.
    fn end_of_record(
        &mut self,
        divided: &Divided,
        detection: &Detection,
        runs: Runs,
    ) -> io::Result<Result<usize, RunStart>> {
        let units = Units::of(Some(detection.decision.used));
        let starts = self.starts;
        let mut want = self.reader.block;
        let mut searched = 0;
        let mut first = if divided.has_start { Ok(0) } else { Err(0) };
        loop {
            self.reader.fill(want + CONC_REACH)?;
            let reader = &self.reader;
            let (octets, rules) = (&*reader.buffer, reader.rules());
            let all = reader.at_end && octets.len() <= want;
            let is_start = |line: &[u8], whole| {
                records::is_start(line, whole || reader.at_end, detection, rules, starts)
            };
            let starts_here = divided.has_start && units.first_record(octets, 0, is_start) == Ok(0);
            if starts_here || octets.is_empty() {
                return Ok(Ok(0));
            }
            first = first.or_else(|from| units.first_record(octets, from, is_start));
            let found = first
                .ok()
                .and_then(|first| units.record_end(octets, searched.max(first).max(1), want, is_start));
            if let Some(end) = found {
                return Ok(Ok(end));
            }
            if all {
                return Ok(Ok(octets.len()));
            }
            // Each run is handed out behind what the record has so far: short ones would copy that too often.
            let least = runs.least.max(divided.head.len() / 4);
            let limits = Runs { most_lines: 0, least, ..runs };
            if let Some(start) =
                Runs::start_at_end(octets, want, (detection, rules, limits, divided.is_first))
            {
                return Ok(Err(start));
            }
            searched = want;
            want = want.saturating_mul(2);
        }
    }

    /// Tells whether a record starts in a range of the octets at hand.
    fn starts_within(&self, within: Range<usize>, detection: &Detection) -> bool {
        let units = Units::of(Some(detection.decision.used));
        let is_start =
            |line: &[u8], whole| records::is_start(line, whole, detection, self.reader.rules(), self.starts);
        units.first_record(self.reader.buffer.get(within).unwrap_or_default(), 0, is_start).is_ok()
    }

    /// Decides on the encoding, if the first octets at hand do that.
    fn settle(&mut self, end: usize) -> io::Result<()> {
        let open = self.reader.detection.clone().filter(|detection| detection.open.is_some());
        open.map_or(Ok(()), |detection| self.reader.settle(&detection, 0, end, &mut self.findings))
    }

    /// The record itself, of which the last lines are the first octets at hand.
    fn divided_record(&mut self, divided: Divided, end: usize) -> io::Result<Block> {
        let Divided { head: mut octets, position, gaps, was_non_ascii, .. } = divided;
        let is_ascii = octets.get(position.start..).unwrap_or_default().is_ascii();
        self.settle(end)?;
        let reader = &mut self.reader;
        reader.fill(end + CONC_REACH)?;
        let Some(detection) = reader.detection.clone() else {
            return Err(io::Error::other("the encoding is decided on before the first block"));
        };
        let units = Units::of(Some(detection.decision.used));
        let rest = reader.buffer.get(..end).unwrap_or_default();
        let lines = LineBreaks::of_octets(rest, units).total();
        octets.extend_from_slice(reader.buffer.get(..end + CONC_REACH).unwrap_or(&reader.buffer));
        let whole = octets.len() - (reader.buffer.len().min(end + CONC_REACH) - end);
        let mut history = reader.history;
        // What is not ASCII in the record came before that of the runs.
        history.non_ascii &= is_ascii || was_non_ascii;
        let body = octets.get(position.start..whole).unwrap_or_default();
        let breaks = LineBreaks::of_octets(body, units);
        reader.history.breaks.add(breaks);
        reader.history.non_ascii |= !body.is_ascii();
        let last = reader.at_end && reader.buffer.len() == end;
        reader.done = last;
        let rules = *reader.rules();
        let findings = std::mem::take(&mut self.findings);
        self.pass(end, lines);
        Ok(Block {
            octets,
            end: whole,
            detection,
            position,
            history,
            breaks,
            rules,
            last,
            findings,
            gaps,
            own_line: None,
        })
    }

    /// Goes on behind the first octets at hand, which have so many lines.
    pub(crate) fn pass(&mut self, octets: usize, lines: u64) {
        self.reader.buffer.drain(..octets.min(self.reader.buffer.len()));
        self.reader.octet += octets as u64;
        self.reader.line += lines;
    }
}
