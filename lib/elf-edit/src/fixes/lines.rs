//! Lines under repair.

use super::locked::LockedLines;
use super::patches::Patches;
use super::{UnitFixes, is_cut};
use crate::file_style::indent_of;
use crate::nodes::Nodes;
use elf_base::Span;
use elf_lines::escape::have_same_calendars;
use elf_lines::{leading_level, may_begin_record, parse_characters_checked};
use elf_octets::{Irregularity, LineBreak, Locator};
use elf_tagged::Document;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::ops::Range;

/// The repairs of lines, with the findings that they are for.
pub(super) struct Lines<'d> {
    document: &'d Document<'d>,
    /// True if octets may be written as they were guessed.
    guesses: bool,
    locator: Locator<'d>,
    /// The changes of lines, in the order in which they were found.
    changes: Vec<LineChange>,
    texts: Texts,
    inserted: BTreeMap<u64, (String, Vec<u32>)>,
    /// The first node on the line that was asked for last, or behind it.
    node: u32,
    /// A column of a line that was asked for, and its offset.
    column: Option<(u64, u64, usize)>,
    /// Lines that hold a character which is cut in two, and are to be written again.
    whole: BTreeSet<u64>,
    repaired: Vec<u32>,
}

/// A change of a line, and the finding that it is for.
struct LineChange {
    line: u64,
    finding: u32,
    change: LineEdit,
}

enum LineEdit {
    /// A text comes in the place of a range of the line's.
    Replace(Range<u32>, Text),
    /// A text comes before the line.
    Prefix(Text),
    /// The level becomes another.
    Level(u32),
    /// The level is spelled anew.
    RespellLevel,
    /// The line goes.
    Cut,
    /// The line is written as it was decoded.
    Respell,
}

/// The range of a text among those that changes bring.
type Text = Range<u32>;

/// The texts that changes bring: many in one, since there may be as many as lines.
#[derive(Default)]
struct Texts {
    all: String,
    /// The texts added last.
    last: VecDeque<Text>,
}

impl Texts {
    /// The number of texts among which one is looked for: most of a unit are of a few kinds.
    const ALIKE: usize = 4;

    fn get(&self, text: &Text) -> &str {
        self.all.get(text.start as usize..text.end as usize).unwrap_or_default()
    }

    fn add(&mut self, with: &str) -> Text {
        if let Some(known) = self.last.iter().find(|known| self.get(known) == with) {
            return known.clone();
        }
        let start = small(self.all.len());
        self.all.push_str(with);
        let text = start..small(self.all.len());
        self.last.push_back(text.clone());
        if self.last.len() > Texts::ALIKE {
            self.last.pop_front();
        }
        text
    }
}

fn small(offset: usize) -> u32 {
    u32::try_from(offset).unwrap_or(u32::MAX)
}

/// The ranges of the parts of a line in its text, leading whitespace counted.
pub(super) struct Parsed {
    pub(super) xref: Range<usize>,
    pub(super) tag: Range<usize>,
    pub(super) payload: Range<usize>,
}

impl<'d> Lines<'d> {
    pub(super) fn new(document: &'d Document<'d>, guesses: bool) -> Lines<'d> {
        Lines {
            document,
            guesses,
            locator: document.locator(),
            changes: Vec::new(),
            texts: Texts::default(),
            inserted: BTreeMap::new(),
            node: 0,
            column: None,
            whole: BTreeSet::new(),
            repaired: Vec::new(),
        }
    }

    /// The text of a line, as decoded.
    pub(super) fn text(&self, line: u64) -> &'d str {
        self.document.source().line_text(line).unwrap_or_default()
    }

    /// The number of the first line.
    pub(super) fn start(&self) -> u64 {
        self.document.source().start().line
    }

    /// The number behind that of the last line.
    pub(super) fn end(&self) -> u64 {
        self.start() + self.document.source().line_count()
    }

    /// Tells whether a line may begin a record of somebody else though it is read as text of this one: what
    /// is done to it is a guess.
    pub(super) fn may_begin_record(&mut self, line: u64) -> bool {
        if self.guesses || !may_begin_record(self.text(line)) {
            return false;
        }
        let node = self.node_at(line);
        node.is_some_and(|node| Nodes::of(self.document).flags(node).is_raw())
    }

    /// The length of the whitespace before a line.
    pub(super) fn indent(&self, line: u64) -> usize {
        indent_of(self.text(line)).len()
    }

    /// The parts of a line, if it is one but for the whitespace before it.
    pub(super) fn parse(&self, line: u64) -> Option<Parsed> {
        let indent = self.indent(line);
        let body = self.text(line).get(indent..)?;
        let line = parse_characters_checked(body, &self.document.rules().lines).ok()?;
        let range = |span: Span| indent + span.start as usize..indent + span.end as usize;
        Some(Parsed {
            xref: range(line.xref_span()),
            tag: range(line.tag_span()),
            payload: range(line.payload_span()),
        })
    }

    /// Returns the offset of the character in a column of a line. Columns that rise along one line cost no
    /// more than the line is long.
    pub(super) fn offset(&mut self, line: u64, column: u64) -> usize {
        let text = self.text(line);
        let (known_column, known_offset) = match self.column {
            Some((known, column_there, offset)) if known == line && column_there <= column => {
                (column_there, offset)
            }
            _ => (1, 0),
        };
        let characters = usize::try_from(column.saturating_sub(known_column)).unwrap_or(usize::MAX);
        let rest = text.get(known_offset..).unwrap_or_default();
        let offset = rest.char_indices().nth(characters).map_or(text.len(), |(at, _)| known_offset + at);
        if offset < text.len() {
            self.column = Some((line, column.max(1), offset));
        }
        offset
    }

    /// The number of the line of a node.
    pub(super) fn number(&mut self, node: u32) -> u64 {
        self.locator.line_number(Nodes::of(self.document).start_span(node))
    }

    /// The first node that stands on that line or behind it: looked for from the last answer on, since lines
    /// rise as a rule.
    fn first_from(&mut self, line: u64) -> u32 {
        let mut high = Nodes::of(self.document).count_in_file();
        let last = self.node.min(high);
        let is_behind = last.checked_sub(1).is_none_or(|before| self.number(before) < line);
        let (mut low, mut step) = (if is_behind { last } else { 0 }, 1_u32);
        while low < high {
            let middle = low + (step - 1).min((high - low) / 2);
            if self.number(middle) < line {
                low = middle + 1;
                step = step.saturating_mul(2);
            } else {
                high = middle;
                step = u32::MAX;
            }
        }
        self.node = low;
        low
    }

    /// The node on that line.
    pub(super) fn node_at(&mut self, line: u64) -> Option<u32> {
        let node = self.first_from(line);
        ((node as usize) < self.document.len() && self.number(node) == line).then_some(node)
    }

    /// The structure of a line, and the range of its payload, if that is all on the line and another text can
    /// be written in its place as it is: there is no at sign but those of calendars that both name.
    pub(super) fn payload_in_place_of(&mut self, line: u64, other: &str) -> Option<(u32, Range<usize>)> {
        let node = self.node_at(line)?;
        let flags = Nodes::of(self.document).flags(node);
        let payload = self.parse(line)?.payload;
        let is_alone = !flags.is_continued() && !flags.is_continuation() && !flags.is_raw();
        let is_read = !flags.is_error() && !flags.has_made_payload();
        let grammar = self.document.escape();
        let text = self.text(line).get(payload.clone()).filter(|text| !text.is_empty())?;
        (is_alone && is_read && have_same_calendars(text, other, grammar)).then_some((node, payload))
    }

    /// The next line that is not blank.
    pub(super) fn next_line(&self, line: u64) -> Option<u64> {
        let source = self.document.source();
        (line + 1..).map_while(|line| Some((line, source.line_text(line)?))).find_map(|(line, text)| {
            let blank = text.bytes().all(|octet| matches!(octet, b' ' | b'\t'));
            (!blank).then_some(line)
        })
    }

    /// The first node behind that line.
    pub(super) fn node_behind(&mut self, line: u64) -> Option<u32> {
        let node = self.first_from(line + 1);
        ((node as usize) < self.document.len()).then_some(node)
    }

    fn change(&mut self, line: u64, finding: u32, change: LineEdit) {
        self.changes.push(LineChange { line, finding, change });
    }

    /// Puts `with` in place of a range of a line.
    pub(super) fn replace(&mut self, line: u64, range: Range<usize>, with: &str, finding: u32) {
        let with = self.texts.add(with);
        self.change(line, finding, LineEdit::Replace(small(range.start)..small(range.end), with));
    }

    /// Puts `prefix` before the text of a line.
    pub(super) fn prefix(&mut self, line: u64, prefix: &str, finding: u32) {
        let prefix = self.texts.add(prefix);
        self.change(line, finding, LineEdit::Prefix(prefix));
    }

    /// Gives a line another level; `None`: the same, spelled anew.
    pub(super) fn level(&mut self, line: u64, level: Option<u32>, finding: u32) {
        self.change(line, finding, level.map_or(LineEdit::RespellLevel, LineEdit::Level));
    }

    /// Notes that a finding is repaired by what is done to lines that can be written again.
    pub(super) fn repaired(&mut self, finding: u32) {
        self.repaired.push(finding);
    }

    /// Cuts a line out.
    pub(super) fn cut(&mut self, line: u64, finding: u32) {
        self.change(line, finding, LineEdit::Cut);
    }

    /// Writes a line as it was decoded.
    pub(super) fn respell(&mut self, line: u64, finding: u32) {
        self.change(line, finding, LineEdit::Respell);
        if self.irregular(line).any(is_cut) {
            self.whole.insert(line);
        }
    }

    /// Puts lines, each ended by LF, before that of a number.
    pub(super) fn insert(&mut self, line: u64, text: &str, finding: u32) {
        let (_, findings) = self.inserted.entry(line).or_insert_with(|| (text.to_owned(), Vec::new()));
        findings.push(finding);
    }

    /// Returns the irregularities of the octets of a line.
    fn irregular(&self, line: u64) -> impl Iterator<Item = Irregularity> + use<'d> {
        let source = self.document.source();
        let all = source.irregular();
        let span = || source.line(line).map(|line| line.text).unwrap_or_default();
        let span = if all.is_empty() { Span::default() } else { span() };
        let first = all.partition_point(|one| one.text.end < span.start);
        all.iter().skip(first).take_while(move |one| one.text.start <= span.end).map(|one| one.kind)
    }

    /// Tells whether a line can be written again without losing octets, a cut character apart.
    pub(super) fn is_known(&self, line: u64) -> bool {
        if line >= self.end() {
            // The reading ended before it.
            return false;
        }
        let undecodable = self.irregular(line).any(|kind| kind == Irregularity::Undecodable);
        !undecodable || self.guesses && !self.text(line).contains('\u{FFFD}')
    }

    /// Tells whether a line can be written again by itself.
    pub(super) fn is_whole(&self, line: u64) -> bool {
        self.is_known(line) && !self.irregular(line).any(is_cut) && self.is_spelled_alike(line)
    }

    /// The lines that share a character with their neighbours, where not all of those can be written again.
    fn tied(&mut self) -> BTreeSet<u64> {
        let source = self.document.source();
        let cut = source.irregular().iter().filter(|one| is_cut(one.kind));
        let mut numbers: Vec<u64> = cut.map(|one| self.locator.line_number(one.text)).collect();
        numbers.dedup();
        let free = |line: &u64| self.whole.contains(line) && self.is_known(*line);
        let chains = numbers.chunk_by(|one, other| *other == one + 1);
        chains.filter(|chain| !chain.iter().all(free)).flatten().copied().collect()
    }

    /// Tells whether a line has the octets that its text is written with: the octets of an encoding may stand
    /// in several orders, and the order is evidence for the encoding.
    fn is_spelled_alike(&self, line: u64) -> bool {
        let source = self.document.source();
        if self.guesses || source.is_ascii() || self.irregular(line).next().is_some() {
            return true;
        }
        let mut octets = Vec::new();
        let ending = source.line(line).and_then(|line| line.ending).map_or("", LineBreak::text);
        let text = [self.text(line), ending].concat();
        let spelled = source.decision().used.encode_into(&text, &mut octets);
        spelled.is_ok() && source.passage(line..line + 1).octets().ends_with(&octets)
    }

    /// The patches, and which findings they repair.
    pub(super) fn finish(mut self) -> UnitFixes {
        let tied = self.tied();
        let locked = (!self.guesses).then(|| LockedLines::of(self.document, &mut self.locator));
        let is_locked = |line: u64| locked.as_ref().is_some_and(|locked| locked.has(line));
        let encoding = self.document.source().decision().used;
        let mut changes = std::mem::take(&mut self.changes);
        if !changes.is_sorted_by_key(|change| change.line) {
            changes.sort_by_key(|change| change.line);
        }
        let mut inserted = std::mem::take(&mut self.inserted).into_iter().peekable();
        let (mut left, mut repaired) = (Vec::new(), std::mem::take(&mut self.repaired));
        let mut patches = Patches::default();
        let mut insert = |line: u64, patches: &mut Patches, repaired: &mut Vec<u32>| {
            while let Some((line, (text, findings))) = inserted.next_if(|(before, _)| *before <= line) {
                repaired.extend(&findings);
                patches.push(line..line, &text, findings);
            }
        };
        let (mut with, mut spelled) = (String::new(), Vec::new());
        for changes in changes.chunk_by(|one, other| one.line == other.line) {
            let Some(line) = changes.first().map(|first| first.line) else { continue };
            insert(line, &mut patches, &mut repaired);
            let findings = changes.iter().map(|change| change.finding);
            with.clear();
            self.spell(line, changes, &mut with);
            spelled.clear();
            // A decoder may know more characters than the encoder.
            let is_spelled = encoding.encode_into(&with, &mut spelled).is_ok();
            let is_kept = tied.contains(&line) || is_locked(line) || self.may_begin_record(line);
            if is_kept || !self.is_known(line) || !is_spelled || !self.is_spelled_alike(line) {
                left.extend(findings);
                continue;
            }
            repaired.extend(findings.clone());
            patches.push(line..line + 1, &with, findings);
        }
        insert(u64::MAX, &mut patches, &mut repaired);
        left.sort_unstable();
        repaired.sort_unstable();
        repaired.dedup();
        repaired.retain(|finding| left.binary_search(finding).is_err());
        UnitFixes { patches, repaired }
    }

    /// Appends a line with its changes; nothing if one of them cuts it out.
    fn spell(&self, line: u64, changes: &[LineChange], out: &mut String) {
        let text = self.text(line);
        let (mut replaced, mut prefix, mut level): (Vec<(Range<usize>, &str)>, _, _) = (Vec::new(), "", None);
        for LineChange { change, .. } in changes {
            match change {
                LineEdit::Replace(range, with) => {
                    replaced.push((range.start as usize..range.end as usize, self.texts.get(with)));
                }
                LineEdit::Prefix(with) => prefix = self.texts.get(with),
                LineEdit::Level(new) => level = Some(*new),
                LineEdit::RespellLevel => level = level.or_else(|| leading_level(text)),
                LineEdit::Cut => return,
                LineEdit::Respell => {}
            }
        }
        let level = level.map(|level| level.to_string());
        if let Some(level) = &level {
            let start = self.indent(line);
            let digits = text.get(start..).unwrap_or_default();
            let digits = digits.len() - digits.trim_start_matches(|c: char| c.is_ascii_digit()).len();
            replaced.push((start..start + digits, level));
        }
        replaced.sort_by_key(|(range, _)| (range.start, range.end));
        replaced.dedup();
        out.push_str(prefix);
        let mut kept = 0;
        for (range, with) in replaced {
            // Two findings may have the same repair, or one may have cut what the other would change.
            if range.start < kept {
                continue;
            }
            out.push_str(text.get(kept..range.start).unwrap_or_default());
            out.push_str(with);
            kept = range.end;
        }
        out.push_str(text.get(kept..).unwrap_or_default());
        out.push('\n');
    }
}
