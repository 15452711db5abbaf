//! Builds the nodes of a tree from lines, in one pass and without recursion (D19 *First pass: assembling*; J19 §6.1;
//! RDX; 2017 §6).
//!
//! The superstructure of a line is found on a stack of open structures. Continuation lines are never on the stack. A
//! line that does not fit into the tree is handled in [`super::super::bad_line`].

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

/// The parts of a document before its pointers are resolved.
pub(crate) struct Built {
    pub(crate) nodes: Arena,
    pub(crate) made: String,
    pub(crate) complete: bool,
    /// Whether the file was read to its end, so that no more identifiers can follow.
    pub(crate) to_end: bool,
    /// The offset in the text where the rules stopped reading, if they did. The offset is after the line that was the
    /// reason.
    pub(crate) end: Option<u32>,
    pub(crate) header: Header,
    pub(crate) occurrences: Occurrences,
    pub(crate) left_out: LeftOut,
    /// Whether the header may still follow, because all line strings so far were invalid.
    pub(crate) headless: bool,
}

/// Content of a file that is not part of the data.
#[derive(Debug, Default)]
pub(crate) struct LeftOut {
    /// The lines that the rules rejected, in the order of the file.
    pub(crate) lines: Vec<RejectedLine>,
    /// Whether the tree has structures or identifiers that are not data, in addition to serialisation metadata and an
    /// empty trailer.
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

/// A structure to which further substructures can be added.
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
    /// The highest level that the next line may have. The highest level is one more than the level of the previous line
    /// (D19 *Levels*). J19 §6.1 ignores continuation lines and ERROR lines here.
    pub(crate) deepest: u32,
    /// The last structure and a level, if the level of that structure is ignored. The second number is the deepest
    /// level that earlier lines allow.
    pub(crate) uncounted: Option<(u32, u32)>,
    /// The structure that the next line continues if it is a continuation line.
    pub(crate) owner: Option<Open>,
    /// The last structure, if it is still empty but must not stay empty.
    pub(crate) bare: u32,
    /// The last continuation line, with its level.
    pub(crate) continuation: Option<Open>,
    /// The level of a rejected line. Deeper lines depend on it (RDX).
    pub(crate) rejected: Option<u32>,
    pub(crate) left_out: LeftOut,
    /// The first node of the current record.
    pub(crate) record: u32,
    /// The offset in the text where the current record starts.
    pub(crate) record_text: u32,
    /// Whether the current record is the first one. The findings in it wait until the header is extracted.
    pub(crate) first_record: bool,
    /// The findings in the first record, which wait until its serialisation metadata is known.
    pub(crate) waiting: Vec<Waiting>,
    pub(crate) header: Header,
    /// The source of the escapes that tags preserve. The source is asked when the header is known.
    pub(crate) escapes: &'s dyn EscapeSource,
    /// The last PLANG or DTYPE, until its payload is complete.
    pub(crate) description: Option<u32>,
    /// The structures of the current record that have a PLANG or a DTYPE. The entry contains the tag of that
    /// substructure.
    pub(crate) described: HashSet<(u32, &'static str)>,
    /// Whether the current record has escapes that must be checked when the record is complete.
    pub(crate) escapes_in_record: bool,
    /// Whether an error in a record stopped the reading. The error was found when the next record started.
    pub(crate) record_ended_reading: bool,
    /// Whether a structure with the tag TRLR has been read. If none has, no record can be the trailer.
    pub(crate) trailer: bool,
    pub(crate) complete: bool,
    pub(crate) occurrences: Occurrences,
    /// The text has no at sign from the last search up to this offset. So payloads that end before it have none.
    next_at: usize,
    /// The offset of the next place where a joined line may start. The offset is the length of the text if there is no
    /// such place, or if the rules do not look for joined lines.
    next_joined: usize,
    check_characters: bool,
    /// Whether the text has lone line feeds that may be part of payloads.
    feeds_break_payloads: bool,
    /// Whether the current lines end with lone line feeds. This is known from the first of them, which cannot have
    /// text: its line feed cannot be part of a payload.
    feeds_end_lines: bool,
    /// Whether the file ends with this text.
    pub(super) last: bool,
}

/// The properties of a text that must be known before a builder reads it.
#[derive(Clone, Copy)]
pub(crate) struct TextFacts {
    /// Whether the text was decoded to its end.
    pub(crate) complete: bool,
    /// Whether the text may have U+0000, U+FFFE or U+FFFF.
    pub(crate) check_characters: bool,
    /// Whether the text has lone line feeds that may be part of payloads.
    pub(crate) feeds_break_payloads: bool,
    /// Whether the first record may be the header.
    pub(crate) first: bool,
    /// Whether the file ends with the text, so that the last record must be the trailer.
    pub(crate) last: bool,
    /// Whether pointers are listed, because they will be resolved.
    pub(crate) lists_pointers: bool,
}

/// A finding or a check in the first record that waits until its serialisation metadata is known.
pub(crate) enum Waiting {
    /// A finding about a node.
    Finding(u32, SpanFinding),
    /// A check of the escapes of a node.
    Escapes(u32),
}

/// The tags that have a meaning in this crate.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Special {
    No,
    Cont,
    Conc,
    Head,
    Trailer,
    Error,
    /// PLANG or DTYPE. These tags describe the payload of their superstructure.
    Description,
}

impl Special {
    /// Returns the meaning of a tag. If the tag is a full name, it has already been replaced by its tag.
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

/// Whether reading continues or stops.
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
        header: Header,
        escapes: &'s dyn EscapeSource,
        keys: Keys,
        facts: TextFacts,
    ) -> Builder<'s, 'k> {
        Builder {
            text,
            rules,
            reporter: reporter.holding(),
            // A line of a real file has at least 20 bytes. The estimate depends on the length of the text, not on a
            // number in it.
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

    pub(crate) fn read_lines(mut self, line_strings: impl Iterator<Item = Span>) -> Built {
        let mut end = None;
        for span in line_strings {
            if self.read_line_string(span) == Flow::Stop {
                self.complete = false;
                end = Some(self.end_of_reading(span));
                break;
            }
        }
        let read = self.complete;
        self.finish();
        self.reporter.release();
        if read && !self.complete {
            // The last record was the reason to stop. The text may be the whole file or a run of it.
            end = Some(to_u32(self.text.len()));
        }
        // If reading stops in a run, the following runs are not read.
        let to_end = read && (self.complete || self.last);
        let Builder { nodes, made, complete, header, occurrences, left_out, first_record, .. } = self;
        Built { nodes, made, complete, to_end, end, header, occurrences, left_out, headless: first_record }
    }

    /// Returns the offset at which a line string at `span` ended the reading. The offset is after the line string, or
    /// before it if the previous record was the reason.
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
    fn read_line_string(&mut self, span: Span) -> Flow {
        // The line strings are spans of this text.
        let text = &self.text[span.range()];
        if self.feeds_break_payloads && self.is_behind_payload_feed(span) {
            return self.add_raw_text(span);
        }
        if self.next_joined < span.end as usize {
            self.check_joined(span);
        }
        if self.check_characters {
            return self.read_line_string_checking(text, span);
        }
        match parse_characters_checked(text, &self.rules.lines) {
            Ok(line) => self.add_line(span.start, line),
            Err(fault) => self.handle_bad_line_string(span, &fault),
        }
    }

    /// Returns the text from the start of a line to the end of the text.
    fn line_text(&self, start: u32) -> &'s str {
        self.text.get(start as usize..).unwrap_or_default()
    }

    /// Reports a joined line in a line string, and then searches for the next joined line.
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

    /// Returns whether a line string is part of a payload that contains lone line feeds. This needs a file whose lines
    /// end with CR LF, and a line before it that may have text. A continuation line is never part of the payload before
    /// it.
    #[cold]
    fn is_behind_payload_feed(&mut self, span: Span) -> bool {
        let before = self.text.as_bytes().get(..span.start as usize).unwrap_or_default();
        if !ends_with_lone_feed(before) {
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
                // A line that consists of a known tag and a pointer is not text either.
                let is_link = line.is_pointer() && line.xref().is_none() && is_known_tag(line.tag());
                is_deeper && matches!(line.tag(), "CONT" | "CONC") || is_link && line.level() <= self.deepest
            })
        };
        !self.feeds_end_lines && !text.trim().is_empty() && !continues()
    }

    #[cold]
    fn read_line_string_checking(&mut self, text: &str, span: Span) -> Flow {
        match self.parse_checking(text, span) {
            Ok(line) => self.add_line(span.start, line),
            Err(fault) => self.handle_bad_line_string(span, &fault),
        }
    }

    /// Reads a line whose level has leading zeros, which rules that recover accept. Returns `None` if the line has
    /// other faults.
    #[cold]
    pub(crate) fn read_line_with_zeros(&mut self, span: Span) -> Option<Flow> {
        let mut lenient = self.rules.lines;
        lenient.level_zeros = LevelZeros::Report;
        let line = parse_characters_checked(self.text.get(span.range())?, &lenient).ok()?;
        Some(self.add_line(span.start, line))
    }

    /// Parses a line string. Under rules that recover from errors, U+0000, U+FFFE and U+FFFF are reported and kept.
    fn parse_checking<'t>(&mut self, text: &'t str, span: Span) -> Result<Line<'t>, elf_lines::Fault> {
        match parse(text, &self.rules.lines) {
            Err(fault) if fault.code == codes::CHARACTER_FORBIDDEN && self.rules.recovers() => {
                self.reporter.report_line_fault(span.start, &fault, "the code point is kept");
                parse_characters_checked(text, &self.rules.lines)
            }
            result => result,
        }
    }

    /// Adds a line to the tree.
    ///
    /// This function contains only the checks that every line needs. Rare cases are in functions that receive a copy of
    /// the line, so that the parts of the line can stay in registers here.
    #[inline(always)]
    pub(crate) fn add_line(&mut self, start: u32, mut line: Line<'_>) -> Flow {
        let level = line.level();
        let lenience = line.lenience();
        if lenience.is_any() {
            if lenience.of_full_tag()
                && self.header.defines_full_name(line.tag_span().of(self.line_text(start)))
            {
                line = line.with_written_tag();
            }
            self.report_lenience(start, &{ line });
        }
        if is_long(&line) && self.rules.lines.lengths_advised && !line.lenience().of_full_tag() {
            self.report_lengths(start, &{ line });
        }
        if let Some(rejected) = self.rejected {
            if level > rejected {
                return self.reject_dependent_line(start);
            }
            self.rejected = None;
        }
        let special = self.find_special(start, &line);
        let continuation = match special {
            Special::Cont => flag::CONT,
            Special::Conc => flag::CONC,
            _ => 0,
        };
        if level > self.deepest {
            return self.handle_too_deep(start, &{ line }, continuation);
        }
        if continuation != 0 {
            return self.add_continuation_line(start, &{ line }, continuation);
        }
        if special == Special::Error && self.rules.tagged.bad_line.makes_error_lines() {
            return self.add_uncounted_structure(start, &{ line });
        }
        self.add_checked_structure(start, line, special)
    }

    /// Returns the meaning of a tag in this crate. Most tags have no meaning here. To find out, their first four bytes
    /// are compared as one number.
    #[inline(always)]
    fn find_special(&self, start: u32, line: &Line<'_>) -> Special {
        if line.lenience().of_full_tag() {
            Special::of_tag(line.tag())
        } else {
            self.find_special_at(start, line.tag_span())
        }
    }

    /// Returns the meaning of the tag at this span.
    #[inline(always)]
    fn find_special_at(&self, start: u32, tag: Span) -> Special {
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

    pub(crate) fn add_structure(&mut self, start: u32, line: &Line<'_>) -> Flow {
        self.add_checked_structure(start, *line, self.find_special(start, line))
    }

    /// Adds the structure of a line whose tag has been examined. This is inlined at the place where nearly every line
    /// is added.
    #[inline(always)]
    fn add_checked_structure(&mut self, start: u32, line: Line<'_>, special: Special) -> Flow {
        let level = line.level();
        if self.continuation.is_some_and(|continuation| level > continuation.level)
            && self.handle_child_of_continuation() == Flow::Stop
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
        let (node, flags) = self.push_node_under(parent, start, line, 0);
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
                if self.handle_reserved_tag(node, level) == Flow::Stop {
                    return Flow::Stop;
                }
            }
            // Before December 2019, PLANG and DTYPE are ordinary tags.
            Special::Description if self.rules.tagged.payload_language => {
                self.description = Some(node);
            }
            _ => {}
        }
        if flags & flag::AT != 0 { self.check_escapes(node) } else { Flow::Continue }
    }

    #[inline]
    pub(crate) fn close(&mut self, level: u32) {
        self.close_while(|open| open.level >= level);
    }

    #[inline]
    pub(crate) fn close_while(&mut self, is_over: impl Fn(Open) -> bool) {
        let end = self.next_index();
        while let Some(&open) = self.open.last() {
            if !is_over(open) {
                break;
            }
            // A new node already has the end of a node that has no substructures.
            if end != open.node + 1 {
                self.nodes.set_end(open.node, end);
            }
            self.open.pop();
        }
    }

    pub(crate) fn push_node(&mut self, start: u32, line: &Line<'_>, flags: u32) -> u32 {
        let parent = self.open.last().map_or(NONE, |open| open.node);
        self.push_node_under(parent, start, *line, flags).0
    }

    /// Adds a node. Returns the index and the flags of the node.
    #[inline(always)]
    fn push_node_under(&mut self, parent: u32, start: u32, line: Line<'_>, flags: u32) -> (u32, u32) {
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
            if self.has_at_sign(from, end) {
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

    /// Returns the key of the identifier in a pointer. The pointer may have blanks around it.
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

    /// Returns whether a range of the text contains an at sign. Every at sign of the text is searched only once.
    #[inline]
    fn has_at_sign(&mut self, start: u32, end: u32) -> bool {
        if self.next_at < start as usize {
            let rest = self.text.as_bytes().get(start as usize..).unwrap_or_default();
            self.next_at = memchr(b'@', rest).map_or(usize::MAX, |length| start as usize + length);
        }
        self.next_at < end as usize
    }

    #[inline]
    pub(crate) fn next_index(&self) -> u32 {
        self.nodes.next_index()
    }

    pub(crate) fn flags(&self, node: u32) -> u32 {
        self.nodes.get(node as usize).map_or(0, |node| node.flags)
    }

    pub(crate) fn set_flags(&mut self, node: u32, set: u32, clear: u32) {
        if let Some(node) = self.nodes.get_mut(node as usize) {
            node.flags = node.flags & !clear | set;
        }
    }

    /// Handles a CONT or CONC whose level is not too deep.
    fn add_continuation_line(&mut self, start: u32, line: &Line<'_>, kind: u32) -> Flow {
        let level = line.level();
        if kind == flag::CONC && !self.rules.tagged.conc {
            self.report_conc(start, line);
        }
        // Under the rules of December 2019 and the lenient rules, the level of every line counts. In January 2019 and
        // the declarative draft, the level of a continuation line does not.
        if self.rules.tagged.bad_line.counts_continuations() {
            self.deepest = level.saturating_add(1);
        }
        let continues = self.owner.filter(|owner| owner.level.checked_add(1) == Some(level));
        match continues {
            Some(owner) if self.may_continue(owner) => self.continue_structure(start, line, kind, owner),
            _ => self.handle_misplaced_continuation(start, line, kind),
        }
    }

    /// Returns whether the payload of `owner` can be continued. December 2019 merges continuations only into string
    /// payloads (D19 *Second pass: processing*).
    fn may_continue(&self, owner: Open) -> bool {
        self.flags(owner.node) & flag::POINTER == 0 || self.rules.tagged.escape.reads_merged()
    }

    pub(crate) fn continue_structure(&mut self, start: u32, line: &Line<'_>, kind: u32, owner: Open) -> Flow {
        let described = self.description.is_some_and(|node| node != owner.node);
        if described && self.check_description() == Flow::Stop {
            return Flow::Stop;
        }
        self.close_under(owner);
        let node = self.push_node(start, line, kind);
        self.make_continuation(node, owner);
        self.owner = Some(owner);
        self.continuation = Some(Open { level: line.level(), node });
        if self.rules.tagged.metadata.is_pseudo() {
            // Structures under a pseudo-structure are not data (O17 §4.2), so they must not be added to the structure
            // that is continued.
            self.open.push(Open { level: line.level(), node });
        }
        let mut flow = Flow::Continue;
        if !line.xref_span().is_empty() {
            self.left_out.in_tree = true;
            let message = "a continuation line has a cross-reference identifier";
            let span = self.view().tag_span(node);
            let finding = SpanFinding::new(codes::CONTINUATION_WITH_XREF, span, message);
            flow = self.report_finding(node, finding.fix(Fix::guess(FixAction::RemoveXref)));
        }
        if line.is_pointer() && !self.rules.tagged.escape.reads_merged() {
            let message = "the payload of a continuation line looks like a pointer";
            let span = self.view().tag_span(node);
            let finding = SpanFinding::new(codes::CONTINUATION_POINTER, span, message);
            let doubled = Fix::safe(FixAction::DoubleAtSigns(AtSigns::Bare));
            let stop = self.report_finding(node, finding.fix(doubled));
            flow = if flow == Flow::Stop { flow } else { stop };
        }
        if line.is_pointer() {
            self.set_flags(node, flag::AT, flag::POINTER);
            self.check_escapes_later();
        } else if flow == Flow::Continue && self.flags(node) & flag::AT != 0 {
            flow = self.check_escapes(node);
        }
        flow
    }

    /// Makes `node` a continuation of `owner`. The payload of `owner` is then text, even if it looks like a pointer.
    pub(crate) fn make_continuation(&mut self, node: u32, owner: Open) {
        self.nodes.set_parent(node, owner.node);
        let mut at = 0;
        if self.flags(owner.node) & flag::POINTER != 0 {
            at = flag::AT;
            // This pointer is usually the last one in the list. A pointer that is not the last one stays in the list
            // and is skipped later.
            self.occurrences.pointers.remove_last_of(owner.node);
            self.check_escapes_later();
        }
        self.set_flags(owner.node, flag::CONTINUED | at, flag::POINTER);
    }

    /// Reports a finding about a node. If the node is in the first record, the finding waits until the header is
    /// extracted.
    pub(crate) fn report_about(
        &mut self,
        code: Code,
        node: u32,
        message: impl Into<Cow<'static, str>>,
    ) -> Flow {
        self.report_finding(node, SpanFinding::new(code, self.view().tag_span(node), message))
    }

    /// Reports a complete finding about a node, as [`report_about`](Builder::report_about) does.
    pub(crate) fn report_finding(&mut self, node: u32, finding: SpanFinding) -> Flow {
        if self.first_record && self.rules.tagged.metadata.is_raw() {
            self.waiting.push(Waiting::Finding(node, finding));
            return Flow::Continue;
        }
        let code = finding.code;
        self.reporter.report(finding);
        self.flow_of(code)
    }

    /// Returns whether a finding with this code stops the reading (D19 *Errors in structures*).
    pub(crate) fn flow_of(&self, code: Code) -> Flow {
        if self.rules.end_at(code) { Flow::Stop } else { Flow::Continue }
    }
}

/// Returns whether a text ends with a lone line feed, perhaps followed by blanks. Returns false if that line feed
/// follows CR LF, because it then ends a blank line. Earlier lines are not examined.
fn ends_with_lone_feed(before: &[u8]) -> bool {
    let line = trim_blanks_at_end(before);
    let Some(line) = line.strip_suffix(b"\n") else { return false };
    !line.ends_with(b"\r") && !trim_blanks_at_end(line).ends_with(b"\r\n")
}

fn trim_blanks_at_end(octets: &[u8]) -> &[u8] {
    let end = octets.iter().rposition(|octet| !matches!(octet, b' ' | b'\t')).map_or(0, |last| last + 1);
    &octets[..end]
}
