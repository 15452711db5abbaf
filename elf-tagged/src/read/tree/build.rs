//! Lines to nodes, in one pass and without recursion (D19 *First pass: assembling*; J19 §6.1; RDX; 2017 §6).
//!
//! A stack of the open structures finds the superstructure of a line. Continuation lines never open anything.
//! What becomes of a line that does not fit is in [`super::super::bad_line`].

use super::{Arena, NONE, NewNode, View, flag};
use crate::offset::to_u32;
use crate::read::escape::EscapeSource;
use crate::read::header::Header;
use crate::read::line_shape::is_long;
use crate::read::report::{Reporter, SpanFinding};
use crate::read::xref::{Key, Keys, Occurrence, Occurrences};
use elf_base::rules::LevelZeros;
use elf_base::{AtSigns, Code, Fix, FixAction, Rules, Span, codes};
use elf_lines::{
    Line, find_joined, is_known_tag, joined_line, parse, parse_characters_checked, takes_one_line,
};
use memchr::memchr;
use std::borrow::Cow;
use std::collections::HashSet;

/// The parts of a document before its pointers are looked at.
pub(crate) struct Built {
    pub(crate) nodes: Arena,
    pub(crate) made: String,
    pub(crate) complete: bool,
    /// True if all of the file was looked at, so that no pointer can name a structure of the rest.
    pub(crate) to_end: bool,
    /// The offset in the text where the rules ended the reading, if they did: after the line that did it.
    pub(crate) end: Option<u32>,
    pub(crate) header: Header,
    pub(crate) occurrences: Occurrences,
    pub(crate) left_out: LeftOut,
    /// True if the header may still come: nothing was read but line strings that are no lines.
    pub(crate) headless: bool,
}

/// The unusual content of a file that is no part of the data.
#[derive(Debug, Default)]
pub(crate) struct LeftOut {
    /// The lines that the rules rejected, in the order of the file.
    pub(crate) lines: Vec<RejectedLine>,
    /// True if the tree holds structures or identifiers that are no part of the data, serialisation metadata
    /// and a bare trailer excepted.
    pub(crate) in_tree: bool,
}

/// A line that the rules rejected and that is therefore not in the tree (RDX *Line*).
/// [`Document::rejected_lines`](crate::Document::rejected_lines) returns them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct RejectedLine {
    /// The offset of the line in the text.
    pub start: u32,
    /// The number of lines that were rejected because they depend on this one.
    pub dependants: u32,
}

/// A structure that further lines may fall under.
#[derive(Clone, Copy)]
pub(crate) struct Open {
    pub(crate) level: u32,
    pub(crate) node: u32,
}

pub(crate) struct Builder<'s, 'k> {
    pub(crate) text: &'s str,
    pub(crate) rules: &'s Rules,
    pub(crate) reporter: Reporter<'s, 'k>,
    pub(crate) nodes: Arena,
    pub(crate) made: String,
    pub(crate) open: Vec<Open>,
    /// The highest level that the next line may have: one more than the one before (D19 *Levels*; J19 §6.1
    /// leaves continuations and ERROR out).
    pub(crate) deepest: u32,
    /// The structure whose level does not count, if it is the last one, and the deepest level that the lines
    /// before it allow.
    pub(crate) uncounted: Option<(u32, u32)>,
    /// The structure that a continuation line at the next place would continue.
    pub(crate) owner: Option<Open>,
    /// The structure read last, where nothing may be empty and nothing is in its line.
    pub(crate) bare: u32,
    /// The continuation line just read, with its level.
    pub(crate) continuation: Option<Open>,
    /// The level of a rejected line: deeper ones depend on it (RDX).
    pub(crate) rejected: Option<u32>,
    pub(crate) left_out: LeftOut,
    /// The first node of the record being read.
    pub(crate) record: u32,
    /// The offset in the text at which the record being read starts.
    pub(crate) record_text: u32,
    /// True if the record being read is the first one, in which findings wait for the header to be extracted.
    pub(crate) first_record: bool,
    /// Findings in the first record, until its serialisation metadata is known.
    pub(crate) waiting: Vec<Waiting>,
    pub(crate) header: Header,
    /// The source that is asked which escapes tags keep, when the header is known.
    pub(crate) escapes: &'s dyn EscapeSource,
    /// The PLANG or DTYPE read last, until its payload is complete.
    pub(crate) description: Option<u32>,
    /// The structures of the record being read that have a PLANG or a DTYPE, with that tag.
    pub(crate) described: HashSet<(u32, &'static str)>,
    /// True if the record being read holds escapes to be looked at when it is whole.
    pub(crate) escapes_in_record: bool,
    /// True if the reading ended with a record that was found to be at fault when the next one began.
    pub(crate) record_ended_reading: bool,
    /// True if a structure tagged TRLR was met; before that, no record needs to be asked for its tag.
    pub(crate) trailer: bool,
    pub(crate) complete: bool,
    pub(crate) occurrences: Occurrences,
    /// An offset up to which the text holds no further at sign: payloads that end before it have none.
    next_at: usize,
    /// The offset of the next place that is like a line within another one; the length of the text if there is
    /// none, or nobody asks.
    next_joined: usize,
    check_characters: bool,
    /// True if a line feed alone may be within a payload, and the text has any.
    feeds_break_payloads: bool,
    /// True if the current lines end with line feeds alone, as the first of them shows: since it has no text, it
    /// holds no line break.
    feeds_end_lines: bool,
    /// True if the file ends with this text.
    pub(super) last: bool,
}

/// The properties of a text that a builder has to know before it starts.
#[derive(Clone, Copy)]
pub(crate) struct TextFacts {
    /// True if the text is all there is: the layer below did not end the reading.
    pub(crate) complete: bool,
    /// True if the text may hold code points that are no characters.
    pub(crate) check_characters: bool,
    /// True if a line feed alone may be within a payload, and the text has any.
    pub(crate) feeds_break_payloads: bool,
    /// True if the first record may be the header.
    pub(crate) first: bool,
    /// True if the file ends with the text, so that the last record should be the trailer.
    pub(crate) last: bool,
    /// True if pointers are to be listed, since anybody wants to know where they lead.
    pub(crate) lists_pointers: bool,
}

/// A finding or a check in the first record that waits until the serialisation metadata is known.
pub(crate) enum Waiting {
    /// A finding about a node.
    Finding(u32, SpanFinding),
    /// The escapes of a node are to be looked at.
    Escapes(u32),
}

/// The tags that mean something to this layer.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Special {
    No,
    Cont,
    Conc,
    Head,
    Trailer,
    Error,
    /// PLANG or DTYPE, which describe the payload of their superstructure.
    Description,
}

impl Special {
    /// The meaning of a tag whose full name is in the line.
    #[cold]
    fn of_tag(tag: &str) -> Special {
        match tag {
            "CONT" => Special::Cont,
            "CONC" => Special::Conc,
            "HEAD" => Special::Head,
            "TRLR" => Special::Trailer,
            _ => Special::No,
        }
    }
}

/// The decision to read on or to stop.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Flow {
    Continue,
    Stop,
}

impl<'s, 'k> Builder<'s, 'k> {
    pub(crate) fn new(
        text: &'s str,
        rules: &'s Rules,
        reporter: Reporter<'s, 'k>,
        (header, escapes): (Header, &'s dyn EscapeSource),
        keys: Keys,
        facts: TextFacts,
    ) -> Builder<'s, 'k> {
        Builder {
            text,
            rules,
            reporter: reporter.holding(),
            // Real lines have at least 20 bytes. This estimate depends on the length of the text, not on a number in
            // it.
            nodes: Arena::with_capacity(text.len() / 16 + 1),
            made: String::new(),
            open: Vec::new(),
            deepest: 0,
            uncounted: None,
            owner: None,
            bare: NONE,
            continuation: None,
            rejected: None,
            left_out: LeftOut::default(),
            record: 0,
            record_text: 0,
            first_record: facts.first,
            waiting: Vec::new(),
            description: None,
            described: HashSet::new(),
            escapes_in_record: false,
            header,
            escapes,
            record_ended_reading: false,
            trailer: false,
            complete: facts.complete,
            occurrences: Occurrences::of_text(text.len(), keys, facts.lists_pointers),
            next_at: 0,
            next_joined: if rules.tagged.joined_lines.are_reported() {
                find_joined(text, 0)
            } else {
                text.len()
            },
            check_characters: facts.check_characters,
            feeds_break_payloads: facts.feeds_break_payloads,
            feeds_end_lines: false,
            last: facts.last,
        }
    }

    /// Reads all line strings.
    pub(crate) fn run(mut self, line_strings: impl Iterator<Item = Span>) -> Built {
        let mut end = None;
        for span in line_strings {
            if self.line_string(span) == Flow::Stop {
                self.complete = false;
                end = Some(self.end_of_reading(span));
                break;
            }
        }
        let read = self.complete;
        self.finish();
        self.reporter.release();
        if read && !self.complete {
            // The last record of the text stopped reading, whether the text is the file or a run.
            end = Some(to_u32(self.text.len()));
        }
        // If reading stops in a run, the following runs are not read.
        let to_end = read && (self.complete || self.last);
        let Builder { nodes, made, complete, header, occurrences, left_out, first_record, .. } = self;
        Built { nodes, made, complete, to_end, end, header, occurrences, left_out, headless: first_record }
    }

    /// Returns the offset of the end of a reading that the line string at `span` ended: after it, or before
    /// it where the record before was at fault.
    fn end_of_reading(&self, span: Span) -> u32 {
        let (octets, start) = (self.text.as_bytes(), span.start as usize);
        let offset = if self.record_ended_reading {
            let before = &octets[..start];
            before.iter().rposition(|octet| matches!(octet, b'\n' | b'\r')).map_or(0, |at| at + 1)
        } else {
            let end = span.end as usize;
            match &octets[end..] {
                [b'\r', b'\n', ..] => end + 2,
                [b'\r' | b'\n', ..] => end + 1,
                _ => end,
            }
        };
        to_u32(offset)
    }

    pub(crate) fn view(&self) -> View<'_> {
        View { text: self.text, made: &self.made, nodes: &self.nodes }
    }

    #[inline]
    fn line_string(&mut self, span: Span) -> Flow {
        // The line strings are spans of this text.
        let text = &self.text[span.range()];
        if self.feeds_break_payloads && self.is_behind_payload_feed(span) {
            return self.raw_line_break(span);
        }
        if self.next_joined < span.end as usize {
            self.check_joined(span);
        }
        if self.check_characters {
            return self.line_string_checking(text, span);
        }
        match parse_characters_checked(text, &self.rules.lines) {
            Ok(line) => self.line(span.start, line),
            Err(fault) => self.bad_line_string(span, &fault),
        }
    }

    /// The text of the line at `start`, and what follows it.
    fn line_text(&self, start: u32) -> &'s str {
        self.text.get(start as usize..).unwrap_or_default()
    }

    /// Reports the line that runs on from a line string, if there is one, and looks for the next.
    #[cold]
    fn check_joined(&mut self, span: Span) {
        let text = span.of(self.text);
        if self.next_joined >= span.start as usize
            && let Ok(line) = parse_characters_checked(text, &self.rules.lines)
            && let Some(joined) = joined_line(text, &line)
        {
            self.report_joined(span.start, joined);
        }
        self.next_joined = find_joined(self.text, span.end as usize);
    }

    /// Returns whether a line string is after a line feed that is part of a payload: the file ends its lines
    /// in CR LF, and the line before may have text. A continuation of that text has a line of its own.
    #[cold]
    fn is_behind_payload_feed(&mut self, span: Span) -> bool {
        let before = self.text.as_bytes().get(..span.start as usize).unwrap_or_default();
        if !is_behind_lone_feed(before) {
            self.feeds_end_lines = false;
            return false;
        }
        let text = span.of(self.text);
        let is_of_one_line = self.owner.is_some_and(|owner| takes_one_line(self.view().tag(owner.node)));
        self.feeds_end_lines |= is_of_one_line || !self.owner_takes_text();
        let continues = || {
            let line = parse_characters_checked(text, &self.rules.lines);
            line.is_ok_and(|line| {
                let is_deeper =
                    self.owner.is_some_and(|owner| owner.level.checked_add(1) == Some(line.level()));
                // So does a line with a known tag and only a pointer, which is not text.
                let is_link = line.is_pointer() && line.xref().is_none() && is_known_tag(line.tag());
                is_deeper && matches!(line.tag(), "CONT" | "CONC") || is_link && line.level() <= self.deepest
            })
        };
        !self.feeds_end_lines && !text.trim().is_empty() && !continues()
    }

    /// Reads a line string like `line_string`, in a text that may hold code points that are no characters.
    #[cold]
    fn line_string_checking(&mut self, text: &str, span: Span) -> Flow {
        match self.parse_checking(text, span) {
            Ok(line) => self.line(span.start, line),
            Err(fault) => self.bad_line_string(span, &fault),
        }
    }

    /// Takes a line whose level has leading zeros, which recovery passes over; `None` where more is wrong
    /// with it.
    #[cold]
    pub(crate) fn line_with_zeros(&mut self, span: Span) -> Option<Flow> {
        let mut lenient = self.rules.lines;
        lenient.level_zeros = LevelZeros::Report;
        let line = parse_characters_checked(self.text.get(span.range())?, &lenient).ok()?;
        Some(self.line(span.start, line))
    }

    /// Parses a line string; where the rules recover, a code point that is no character is reported and kept.
    fn parse_checking<'t>(&mut self, text: &'t str, span: Span) -> Result<Line<'t>, elf_lines::Fault> {
        match parse(text, &self.rules.lines) {
            Err(fault) if fault.code == codes::CHARACTER_FORBIDDEN && self.rules.recovers() => {
                self.reporter.line_fault(span.start, &fault, "the code point is kept");
                parse_characters_checked(text, &self.rules.lines)
            }
            result => result,
        }
    }

    /// Adds a line to the tree. Only the questions asked of every line are here; unusual cases are left to
    /// functions that get a copy of the line, so that the parts of this one can stay in registers.
    #[inline(always)]
    pub(crate) fn line(&mut self, start: u32, mut line: Line<'_>) -> Flow {
        let level = line.level();
        let lenience = line.lenience();
        if lenience.is_any() {
            if lenience.of_full_tag() && self.header.defines(line.tag_span().of(self.line_text(start))) {
                line = line.with_written_tag();
            }
            self.report_lenience(start, &{ line });
        }
        if is_long(&line) && self.rules.lines.lengths_advised && !line.lenience().of_full_tag() {
            self.report_lengths(start, &{ line });
        }
        if let Some(rejected) = self.rejected {
            if level > rejected {
                return self.depends_on_rejected(start);
            }
            self.rejected = None;
        }
        let special = self.special(start, &line);
        let continuation = match special {
            Special::Cont => flag::CONT,
            Special::Conc => flag::CONC,
            _ => 0,
        };
        if level > self.deepest {
            return self.too_deep(start, &{ line }, continuation);
        }
        if continuation != 0 {
            return self.continuation_line(start, &{ line }, continuation);
        }
        if special == Special::Error && self.rules.tagged.bad_line.makes_error_lines() {
            return self.uncounted(start, &{ line });
        }
        self.new_structure(start, line, special)
    }

    /// Returns the meaning of a tag to this layer. Nearly no tag has any, as the first four octets tell when
    /// they are compared as one number.
    #[inline(always)]
    fn special(&self, start: u32, line: &Line<'_>) -> Special {
        if line.lenience().of_full_tag() {
            Special::of_tag(line.tag())
        } else {
            self.special_at(start, line.tag_span())
        }
    }

    /// Returns the meaning of a tag that is there.
    #[inline(always)]
    fn special_at(&self, start: u32, tag: Span) -> Special {
        const CONT: u32 = u32::from_le_bytes(*b"CONT");
        const CONC: u32 = u32::from_le_bytes(*b"CONC");
        const HEAD: u32 = u32::from_le_bytes(*b"HEAD");
        const TRLR: u32 = u32::from_le_bytes(*b"TRLR");
        const ERRO: u32 = u32::from_le_bytes(*b"ERRO");
        const PLAN: u32 = u32::from_le_bytes(*b"PLAN");
        const DTYP: u32 = u32::from_le_bytes(*b"DTYP");
        let rest = self.text.as_bytes().get((start + tag.start) as usize..).unwrap_or_default();
        match (rest.first_chunk().map_or(0, |four| u32::from_le_bytes(*four)), tag.len()) {
            (CONT, 4) => Special::Cont,
            (CONC, 4) => Special::Conc,
            (HEAD, 4) => Special::Head,
            (TRLR, 4) => Special::Trailer,
            (ERRO, 5) if rest.get(4) == Some(&b'R') => Special::Error,
            (PLAN, 5) if rest.get(4) == Some(&b'G') => Special::Description,
            (DTYP, 5) if rest.get(4) == Some(&b'E') => Special::Description,
            _ => Special::No,
        }
    }

    /// A line that starts a structure.
    pub(crate) fn structure(&mut self, start: u32, line: &Line<'_>) -> Flow {
        self.new_structure(start, *line, self.special(start, line))
    }

    /// Adds the structure of a line whose tag has been looked at. Inlined where nearly every line comes by.
    #[inline(always)]
    fn new_structure(&mut self, start: u32, line: Line<'_>, special: Special) -> Flow {
        let level = line.level();
        if self.continuation.is_some_and(|continuation| level > continuation.level)
            && self.child_of_continuation() == Flow::Stop
        {
            return Flow::Stop;
        }
        if self.description.is_some() && self.check_description() == Flow::Stop {
            return Flow::Stop;
        }
        if self.bare != NONE {
            if self.open.last().is_some_and(|open| level <= open.level) {
                self.check_empty(level);
            }
            self.bare = NONE;
        }
        self.close(level);
        if level == 0 && self.end_record(start) == Flow::Stop {
            return Flow::Stop;
        }
        let parent = self.open.last().map_or(NONE, |open| open.node);
        let (node, flags) = self.push_under(parent, start, line, 0);
        if flags & flag::XREF != 0 && parent != NONE && !self.rules.tagged.inner_xrefs {
            self.report_inner_xref(node);
        }
        let open = Open { level, node };
        self.open.push(open);
        self.owner = Some(open);
        if line.says_nothing() && !self.rules.tagged.empty_structures {
            self.bare = node;
        }
        self.continuation = None;
        self.deepest = level.saturating_add(1);
        match special {
            Special::Head | Special::Trailer => {
                self.trailer |= special == Special::Trailer;
                if self.reserved(node, level) == Flow::Stop {
                    return Flow::Stop;
                }
            }
            // Before December 2019, these are ordinary tags.
            Special::Description if self.rules.tagged.payload_language => {
                self.description = Some(node);
            }
            _ => {}
        }
        if flags & flag::AT != 0 { self.check_escapes(node) } else { Flow::Continue }
    }

    /// Closes the structures that a line at `level` does not fall under.
    #[inline]
    pub(crate) fn close(&mut self, level: u32) {
        self.close_while(|open| open.level >= level);
    }

    /// Closes the innermost structures as long as `is_over` says so.
    #[inline]
    pub(crate) fn close_while(&mut self, is_over: impl Fn(Open) -> bool) {
        let end = self.next_index();
        while let Some(&open) = self.open.last() {
            if !is_over(open) {
                break;
            }
            // New nodes get the end of a leaf.
            if end != open.node + 1 {
                self.nodes.set_end(open.node, end);
            }
            self.open.pop();
        }
    }

    /// Adds a node under the innermost open structure.
    pub(crate) fn push(&mut self, start: u32, line: &Line<'_>, flags: u32) -> u32 {
        let parent = self.open.last().map_or(NONE, |open| open.node);
        self.push_under(parent, start, *line, flags).0
    }

    /// Adds a node; the node and its flags.
    #[inline(always)]
    fn push_under(&mut self, parent: u32, start: u32, line: Line<'_>, flags: u32) -> (u32, u32) {
        let payload = line.payload_span();
        let (from, end) = (start + payload.start, start + payload.end);
        let node = self.next_index();
        let mut flags = flags;
        if line.lenience().of_head() {
            flags |= flag::SCANNED;
        }
        if line.is_pointer() {
            flags |= flag::PAYLOAD | flag::POINTER;
            if self.occurrences.lists_pointers {
                let key = self.key_of_pointer(from, end);
                self.occurrences.pointers.push(Occurrence::new(key, node));
            }
        } else if line.has_payload() {
            flags |= flag::PAYLOAD;
            if self.holds_at(from, end) {
                flags |= flag::AT;
            }
        }
        let xref = line.xref_span();
        if !xref.is_empty() {
            flags |= flag::XREF;
            if flags & flag::CONTINUATION == 0 {
                let key = self.occurrences.keys.key_at(self.text, start + xref.start, start + xref.end);
                self.occurrences.has_nested |= parent != NONE;
                self.occurrences.bearers.push(Occurrence::new(key, node));
            }
        }
        self.nodes.push(NewNode { start, parent, flags }, Span::new(from, end));
        (node, flags)
    }

    /// The key of what a pointer names, whose payload is there, perhaps with blanks around it.
    #[inline]
    fn key_of_pointer(&self, start: u32, end: u32) -> Key {
        let octets = self.text.as_bytes();
        match octets.get(start as usize..end as usize) {
            Some([b'@', .., b'@']) => self.occurrences.keys.key_at(self.text, start + 1, end - 1),
            _ => {
                let label = Span::new(start, end).of(self.text).trim_matches([' ', '\t']);
                self.occurrences.keys.key(label.get(1..label.len() - 1).unwrap_or_default())
            }
        }
    }

    /// Returns whether an at sign is in a range of the text. Each at sign of the text is looked for once.
    #[inline]
    fn holds_at(&mut self, start: u32, end: u32) -> bool {
        if self.next_at < start as usize {
            let rest = self.text.as_bytes().get(start as usize..).unwrap_or_default();
            self.next_at = memchr(b'@', rest).map_or(usize::MAX, |length| start as usize + length);
        }
        self.next_at < end as usize
    }

    /// The index the next node will have.
    #[inline]
    pub(crate) fn next_index(&self) -> u32 {
        self.nodes.next_index()
    }

    pub(crate) fn flags(&self, node: u32) -> u32 {
        self.nodes.get(node as usize).map_or(0, |node| node.flags)
    }

    pub(crate) fn set(&mut self, node: u32, set: u32, clear: u32) {
        if let Some(node) = self.nodes.get_mut(node as usize) {
            node.flags = node.flags & !clear | set;
        }
    }

    /// A CONT or CONC line whose level is not too deep.
    fn continuation_line(&mut self, start: u32, line: &Line<'_>, kind: u32) -> Flow {
        let level = line.level();
        if kind == flag::CONC && !self.rules.tagged.conc {
            self.report_conc(start, line);
        }
        // In December 2019 and the lenient rules, the level of every line counts; in January 2019 and the declarative
        // draft, it does not.
        if self.rules.tagged.bad_line.counts_continuations() {
            self.deepest = level.saturating_add(1);
        }
        let continues = self.owner.filter(|owner| owner.level.checked_add(1) == Some(level));
        match continues {
            Some(owner) if self.may_continue(owner) => self.continue_structure(start, line, kind, owner),
            _ => self.misplaced_continuation(start, line, kind),
        }
    }

    /// December 2019 merges continuations into string payloads only (D19 *Second pass: processing*).
    fn may_continue(&self, owner: Open) -> bool {
        self.flags(owner.node) & flag::POINTER == 0 || self.rules.tagged.escape.reads_merged()
    }

    /// Adds a continuation line to the structure it continues.
    pub(crate) fn continue_structure(&mut self, start: u32, line: &Line<'_>, kind: u32, owner: Open) -> Flow {
        let described = self.description.is_some_and(|node| node != owner.node);
        if described && self.check_description() == Flow::Stop {
            return Flow::Stop;
        }
        self.close_beneath(owner);
        let node = self.push(start, line, kind);
        self.adopt(node, owner);
        self.owner = Some(owner);
        self.continuation = Some(Open { level: line.level(), node });
        if self.rules.tagged.metadata.is_pseudo() {
            // Structures under a pseudo-structure are not data (O17 §4.2), so they must not be added to the owner.
            self.open.push(Open { level: line.level(), node });
        }
        let mut flow = Flow::Continue;
        if !line.xref_span().is_empty() {
            self.left_out.in_tree = true;
            let message = "a continuation line has a cross-reference identifier";
            let span = self.view().tag_span(node);
            let finding = SpanFinding::new(codes::CONTINUATION_WITH_XREF, span, message);
            flow = self.finding_of(node, finding.fix(Fix::guess(FixAction::RemoveXref)));
        }
        if line.is_pointer() && !self.rules.tagged.escape.reads_merged() {
            let message = "the payload of a continuation line looks like a pointer";
            let span = self.view().tag_span(node);
            let finding = SpanFinding::new(codes::CONTINUATION_POINTER, span, message);
            let doubled = Fix::safe(FixAction::DoubleAtSigns(AtSigns::Bare));
            let stop = self.finding_of(node, finding.fix(doubled));
            flow = if flow == Flow::Stop { flow } else { stop };
        }
        if line.is_pointer() {
            self.set(node, flag::AT, flag::POINTER);
            self.check_escapes_later();
        } else if flow == Flow::Continue && self.flags(node) & flag::AT != 0 {
            flow = self.check_escapes(node);
        }
        flow
    }

    /// Makes `node` a continuation of `owner`, whose payload is then a string, whatever its shape.
    pub(crate) fn adopt(&mut self, node: u32, owner: Open) {
        self.nodes.set_parent(node, owner.node);
        let mut at = 0;
        if self.flags(owner.node) & flag::POINTER != 0 {
            at = flag::AT;
            // Usually the last pointer, unless recovery went up. A pointer that stays in the list is skipped later.
            self.occurrences.pointers.take_back(owner.node);
            self.check_escapes_later();
        }
        self.set(owner.node, flag::CONTINUED | at, flag::POINTER);
    }

    /// Reports a finding about a node; in the first record it waits for the header to be extracted.
    pub(crate) fn finding(&mut self, code: Code, node: u32, message: impl Into<Cow<'static, str>>) -> Flow {
        self.finding_of(node, SpanFinding::new(code, self.view().tag_span(node), message))
    }

    /// Reports a finding about a node, as [`finding`](Builder::finding) does.
    pub(crate) fn finding_of(&mut self, node: u32, finding: SpanFinding) -> Flow {
        if self.first_record && self.rules.tagged.metadata.is_raw() {
            self.waiting.push(Waiting::Finding(node, finding));
            return Flow::Continue;
        }
        let code = finding.code;
        self.reporter.report(finding);
        self.flow_of(code)
    }

    /// A malformed structure ends the reading where the rules say so (D19 *Errors in structures*).
    pub(crate) fn flow_of(&self, code: Code) -> Flow {
        if self.rules.end_at(code) { Flow::Stop } else { Flow::Continue }
    }
}

/// Returns whether a text ends with a line feed that is no part of CR LF, and blanks; false of one that stands
/// after CR LF, for then it ends a line that is blank. No line further back is looked at.
fn is_behind_lone_feed(before: &[u8]) -> bool {
    let line = without_blanks(before);
    let Some(line) = line.strip_suffix(b"\n") else { return false };
    !line.ends_with(b"\r") && !without_blanks(line).ends_with(b"\r\n")
}

/// Returns octets without the blanks that they end with.
fn without_blanks(octets: &[u8]) -> &[u8] {
    let end = octets.iter().rposition(|octet| !matches!(octet, b' ' | b'\t')).map_or(0, |last| last + 1);
    &octets[..end]
}
