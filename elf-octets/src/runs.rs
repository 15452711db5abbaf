//! Long records divided: runs of lines that are much alike are handed out apart from their record.

use crate::LineBreaks;
use crate::decide::Detection;
use crate::decode::{self, CONC_REACH, DecodeOptions, Decoded, Piece};
use crate::records::{self, Block, Records};
use crate::rest::OpenLines;
use crate::source::Position;
use crate::units::Units;
use elf_base::Rules;
use std::io::{self, Read};
use std::ops::Range;
use std::sync::Arc;

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

/// The level at which a line stands in its record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LineLevel {
    /// The level.
    pub level: u32,
    /// True if the line goes on with the payload of another, and starts no structure.
    pub is_continuation: bool,
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
    /// The most lines of a record, without its runs, that is read as one.
    pub longest_lines: u64,
    /// The most octets of such a record.
    pub longest_octets: usize,
    /// Tells of a line, without its break, at which level it stands, if it has one.
    pub level: fn(&str, &Rules) -> Option<LineLevel>,
    /// Tells whether longer records are cut by such rules at all.
    pub cuts: fn(&Rules) -> bool,
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
    /// True of what the record had behind the most that is read as one.
    pub(crate) is_rest: bool,
}

/// The start of what is read apart from a record: the octets before it, with those lines of a run that
/// stay in the record.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RunStart {
    pub(crate) end: usize,
    pub(crate) what: Apart,
}

/// The lines of a record that are handed out apart from it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Apart {
    /// A run of lines of that number; of blank ones without.
    Run(Option<u64>),
    /// All that is left of it.
    Rest,
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
    /// The lines above what comes next of the rest, once some of it was handed out.
    pub(crate) open: Option<OpenLines>,
    /// True if `head` holds the start of a record: in the first block there may be lines before it.
    pub(crate) has_start: bool,
    /// True if the record may be the header.
    pub(crate) is_first: bool,
    /// True if any octet before the record was not ASCII.
    was_non_ascii: bool,
    /// The octets at hand that end it, once all else was handed out.
    end: usize,
}

/// Lines of a record for others of it to be read behind.
pub(crate) struct Context<'c> {
    pub(crate) octets: &'c [u8],
    /// The offset of the first line: behind a byte-order mark.
    pub(crate) start: usize,
    pub(crate) lines: u64,
}

/// The next block of a record that is divided.
enum Next {
    /// Lines that are read apart.
    Apart(Box<Block>),
    /// The record.
    Record,
}

/// Tells in which run and at which level a line is, given its octets without the break.
pub(crate) struct LineTeller<'t> {
    pub(crate) detection: &'t Detection,
    pub(crate) rules: &'t Rules,
    pub(crate) runs: Runs,
    pub(crate) is_first: bool,
}

impl LineTeller<'_> {
    fn tell(&self, line: &[u8]) -> RunLine {
        let Some(decoded) = self.decoded(line) else { return RunLine::Apart };
        match (self.runs.line)(&decoded.text, self.rules, self.is_first) {
            told @ RunLine::Of(_, true) => told,
            told if decoded.irregular.is_empty() => told,
            // The rest of a character may stand on another line.
            _ => RunLine::Apart,
        }
    }

    /// The level of a line; none of one that cannot be read alone.
    pub(crate) fn level(&self, line: &[u8]) -> Option<LineLevel> {
        let decoded = self.decoded(line).filter(|decoded| decoded.irregular.is_empty())?;
        (self.runs.level)(&decoded.text, self.rules)
    }

    fn decoded<'l>(&self, line: &'l [u8]) -> Option<Decoded<'l>> {
        if self.detection.open.is_some() && !line.is_ascii() {
            return None;
        }
        let options = DecodeOptions::of(&self.rules.octets);
        let decoded = decode::piece(Piece::whole(line, 0), self.detection.decision.used, options);
        decoded.complete.then_some(decoded)
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
            let what = Apart::Run(run);
            return (at > start && end - at >= least.max(1)).then_some(RunStart { end: at, what });
        }
        let told = teller.tell(octets.get(at..start + line.octets.end)?);
        kept += u64::from(told != RunLine::Blank);
    }
    None
}

/// Finds the end of the lines that come to the most that is read as one, behind so many lines and octets
/// of the record, among those whose break starts before the offset `want`; `None` where they do not come
/// to that.
fn longest_end(
    octets: &[u8],
    want: usize,
    (lines, length): (u64, usize),
    (units, teller): (Units, &LineTeller<'_>),
) -> Option<usize> {
    let LineTeller { rules, runs, .. } = teller;
    let (most_lines, most_octets) =
        (runs.longest_lines.saturating_sub(lines), runs.longest_octets.saturating_sub(length));
    let looked_at = octets.get(..want).unwrap_or(octets);
    let is_long = looked_at.len() > most_octets
        || looked_at.len() as u64 > most_lines
            && LineBreaks::of_octets(looked_at, units).total() > most_lines;
    if !is_long || !(runs.cuts)(rules) {
        return None;
    }
    let (mut end, mut before) = (None, None);
    for line in units.lines(octets).take_while(|line| line.broken && line.octets.end < want) {
        if line.number > most_lines || line.behind > most_octets {
            let level = teller.level(octets.get(line.octets.clone()).unwrap_or_default());
            // What stands beneath a line may show a fault of that.
            if level.is_some_and(|level| before.is_some_and(|before| level.ends(before))) {
                return Some(line.octets.start);
            }
            before = level.or(before);
        }
        // Where there is no such line in as many again, any has to do.
        if line.number / 2 > most_lines || line.behind / 2 > most_octets {
            end = Some(line.behind);
        }
    }
    end
}

fn without_break(line: &[u8], units: Units) -> &[u8] {
    let end = units.lines(line).next().map_or(0, |first| first.octets.end);
    line.get(..end).unwrap_or_default()
}

impl Runs {
    /// Looks for a run at the end of the octets before `want`, if they are more than a record may have that
    /// stays whole. Where there is none and they are more than is read as one, behind so many lines and
    /// octets of the record, all that is left is read apart.
    pub(crate) fn start_at_end(
        octets: &[u8],
        want: usize,
        before: (u64, usize),
        (detection, rules, runs, is_first): (&Detection, &Rules, Runs, bool),
    ) -> Option<RunStart> {
        let units = Units::of(Some(detection.decision.used));
        let looked_at = octets.get(..want).unwrap_or(octets);
        let is_long = looked_at.len() > runs.most_octets
            || looked_at.len() as u64 > runs.most_lines
                && LineBreaks::of_octets(looked_at, units).total() > runs.most_lines;
        let teller = LineTeller { detection, rules, runs, is_first };
        let run = if is_long { run_before(octets, want, units, &teller) } else { None };
        run.or_else(|| {
            let end = longest_end(octets, want, before, (units, &teller))?;
            Some(RunStart { end, what: Apart::Rest })
        })
    }
}

impl Divided {
    /// Adds octets up to the start of a run, of so many lines.
    fn append(&mut self, octets: &[u8], lines: u64, start: RunStart) {
        self.head.extend_from_slice(octets);
        self.lines += lines;
        let is_rest = start.what == Apart::Rest;
        self.gaps.push(Gap { at: self.head.len(), behind: self.lines, octets: 0, lines: 0, is_rest });
        self.run = match start.what {
            Apart::Run(kind) => kind,
            Apart::Rest => None,
        };
    }

    /// Tells whether all that is left of it is handed out apart.
    fn is_rest(&self) -> bool {
        self.gaps.last().is_some_and(|gap| gap.is_rest)
    }

    /// The octets of the record so far, without what is read apart.
    pub(crate) fn record_so_far(&self) -> &[u8] {
        self.head.get(self.position.start..).unwrap_or_default()
    }

    /// Counts octets and lines that were handed out apart from the record.
    pub(crate) fn add_apart(&mut self, octets: usize, lines: u64) {
        if let Some(gap) = self.gaps.last_mut() {
            gap.octets += octets as u64;
            gap.lines += lines;
        }
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
        let mut divided = Divided {
            head,
            position,
            lines: 0,
            gaps,
            run: None,
            open: None,
            has_start,
            is_first,
            was_non_ascii,
            end: 0,
        };
        divided.append(&before, lines, run);
        divided
    }

    /// The next block of a record that is divided: of what is read apart, or the record itself.
    pub(crate) fn next_of_divided(&mut self, mut divided: Divided, runs: Runs) -> io::Result<Option<Block>> {
        let next = self.next_apart(&mut divided, runs);
        if matches!(next, Ok(Next::Record)) {
            return Ok(self.divided_record(divided));
        }
        // After an error of the input it goes on where it was.
        self.divided = Some(divided);
        next.map(|next| match next {
            Next::Apart(block) => Some(*block),
            Next::Record => None,
        })
    }

    /// The next block of what is read apart from a record, or that there is none, and the end of the record
    /// is at hand.
    fn next_apart(&mut self, divided: &mut Divided, runs: Runs) -> io::Result<Next> {
        loop {
            if divided.is_rest() {
                return match self.next_of_rest(divided, runs)? {
                    Some(block) => Ok(Next::Apart(Box::new(block))),
                    None => self.prepare_end(divided, 0),
                };
            }
            if let Some(block) = self.next_of_run(divided, runs)? {
                return Ok(Next::Apart(Box::new(block)));
            }
            let Some(detection) = self.reader.detection.clone() else {
                return Err(io::Error::other("the encoding is decided on before the first block"));
            };
            let units = Units::of(Some(detection.decision.used));
            match self.end_of_record(divided, &detection, runs)? {
                Ok(end) => return self.prepare_end(divided, end),
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

    /// Reads what it takes to hand out the record, which ends with so many octets at hand.
    fn prepare_end(&mut self, divided: &mut Divided, end: usize) -> io::Result<Next> {
        self.settle(end)?;
        self.reader.fill(end + CONC_REACH)?;
        divided.end = end;
        Ok(Next::Record)
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
        let context = Context { octets: &divided.head, start: divided.position.start, lines: divided.lines };
        let (block, lines) = self.block_apart(context, end, detection);
        divided.add_apart(end, lines);
        Ok(Some(block))
    }

    /// Makes a block of the first octets at hand, and of lines of the record for it to be read behind;
    /// returns how many lines of its own it has.
    pub(crate) fn block_apart(
        &mut self,
        Context { octets: context, start, lines: context_lines }: Context<'_>,
        end: usize,
        detection: Arc<Detection>,
    ) -> (Block, u64) {
        let units = Units::of(Some(detection.decision.used));
        let reader = &self.reader;
        let own = reader.buffer.get(..end).unwrap_or_default();
        let (breaks, is_ascii) = (LineBreaks::of_octets(own, units), own.is_ascii());
        let lines = breaks.total();
        let mut octets = self.spare.pop().unwrap_or_default();
        octets.clear();
        octets.extend_from_slice(context);
        octets.extend_from_slice(reader.buffer.get(..end + CONC_REACH).unwrap_or(&reader.buffer));
        let head = context.len();
        let block = Block {
            end: head + end,
            position: Position {
                start,
                octet: reader.octet.saturating_sub(head as u64),
                line: reader.line.saturating_sub(context_lines),
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
        self.reader.history.breaks.add(breaks);
        self.reader.history.non_ascii |= !is_ascii;
        self.pass(end, lines);
        (block, lines)
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
            if let Some(start) = Runs::start_at_end(
                octets,
                want,
                (divided.lines, divided.head.len()),
                (detection, rules, limits, divided.is_first),
            ) {
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
    pub(crate) fn settle(&mut self, end: usize) -> io::Result<()> {
        let open = self.reader.detection.clone().filter(|detection| detection.open.is_some());
        open.map_or(Ok(()), |detection| self.reader.settle(&detection, 0, end, &mut self.findings))
    }

    /// The record itself, of which the last lines are the first octets at hand.
    fn divided_record(&mut self, divided: Divided) -> Option<Block> {
        let Divided { head: mut octets, position, gaps, end, was_non_ascii, .. } = divided;
        let is_ascii = octets.get(position.start..).unwrap_or_default().is_ascii();
        let reader = &mut self.reader;
        let detection = reader.detection.clone()?;
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
        Some(Block {
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
