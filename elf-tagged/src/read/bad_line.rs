//! Handles lines that are invalid or at a wrong place.
//!
//! | rules | malformed line | level too deep | stray CONT or CONC |
//! | --- | --- | --- | --- |
//! | December 2019 | ends the reading | ends the reading | ends the reading |
//! | January 2019 (§6.1) | ERROR line | ERROR line, identifier kept | a structure of its own |
//! | declarative | rejected with the lines that depend on it | likewise | a structure of its own |
//! | 2017, `WILD` | ERROR at its own level, if it looks like a line; else text of the line before, if that has text; else ERROR | under the nearest superstructure | continues the nearest structure |
//!
//! Recovery loses nothing. Text that continues a payload without CONT is added to the payload, with its line break. A
//! damaged line ends the payload before it, so that no record continues into the next one.

use crate::offset::to_u32;
use crate::read::line_shape::{has_small_letters, is_prose};
use crate::read::report::SpanFinding;
use crate::read::tree::build::{Builder, Flow, Open, RejectedLine, Waiting};
use crate::read::tree::{NONE, NewNode, flag};
use crate::read::xref::Occurrence;
use elf_base::rules::BadLine;
use elf_base::{Excerpt, Fix, FixAction, Span, codes};
use elf_lines::{
    DamagedLine, Fault, JoinedLine, Line, MeantLine, damaged_line, lacks_level, may_begin_record,
    takes_no_text,
};
use std::borrow::Cow;

impl Builder<'_, '_> {
    /// Handles an invalid line string, as the rules require.
    #[cold]
    pub(crate) fn handle_bad_line_string(&mut self, span: Span, fault: &Fault) -> Flow {
        if fault.code == codes::LEVEL_ZEROS
            && self.rules.recovers()
            && let Some(flow) = self.read_line_with_zeros(span)
        {
            return flow;
        }
        let text = span.of(self.text);
        let blank = text.bytes().all(|octet| matches!(octet, b' ' | b'\t'));
        match self.rules.tagged.bad_line {
            BadLine::Terminate => {
                self.reporter.report_line_fault(
                    span.start,
                    fault,
                    "reading stops here; the rules `wild` continue",
                );
                Flow::Stop
            }
            BadLine::ErrorLine => {
                self.reporter.report_line_fault(span.start, fault, "the line is kept as an ERROR structure");
                self.add_error_line(span)
            }
            BadLine::Reject if blank => self.handle_blank_line(span),
            BadLine::Reject => {
                let finding = SpanFinding::of_line(span.start, fault);
                // In the declarative draft, whitespace before a level has no other meaning (RDX *Line*).
                let is_indented = fault.code == codes::LINE_MALFORMED && text.starts_with([' ', '\t']);
                let finding = match is_indented {
                    true => finding.fix(Fix::guess(FixAction::RemoveIndent)),
                    false => finding,
                };
                self.reporter
                    .report(finding.help("the line is rejected, with everything that depends on it"));
                // A line under a rejected line is rejected too (RDX *Level*).
                let level = elf_lines::leading_level(text);
                self.rejected = self.rejected.into_iter().chain(level).min();
                self.left_out.lines.push(RejectedLine { start: span.start, dependants: 0 });
                Flow::Continue
            }
            BadLine::Recover if blank => self.handle_blank_line(span),
            BadLine::Recover => self.recover_line_string(span, fault),
        }
    }

    /// Recovers an invalid line string. The line string is read as a damaged line or as the rest of a payload. A line
    /// string that is neither becomes an ERROR structure.
    fn recover_line_string(&mut self, span: Span, fault: &Fault) -> Flow {
        let text = span.of(self.text);
        match damaged_line(text, &self.rules.lines).filter(|damaged| damaged.level() <= self.deepest) {
            Some(DamagedLine::Meant(meant)) => self.read_meant_line(span, meant),
            Some(DamagedLine::Unclear(level)) => {
                self.reporter.report_line_fault(
                    span.start,
                    fault,
                    "the line is kept as an ERROR structure at its own level",
                );
                self.add_damaged_line(self.whole_line(span), level)
            }
            None if !lacks_level(text, &self.rules.lines) && self.owner_takes_text() => {
                self.add_raw_text(span)
            }
            None => {
                self.reporter.report_line_fault(span.start, fault, "the line is kept as an ERROR structure");
                self.add_error_line(self.whole_line(span))
            }
        }
    }

    fn read_meant_line(&mut self, span: Span, meant: MeantLine<'_>) -> Flow {
        let MeantLine { skipped, line, message, head, is_guess } = meant;
        let start = span.start + skipped;
        let place = Span::new(span.start, start + line.payload_span().start);
        let help = self.reporter.words_if_wanted(|| format!("read as `{}`", head.trim_end()));
        let written = FixAction::Replace(Cow::Owned(head));
        let fix = if is_guess { Fix::guess(written) } else { Fix::safe(written) };
        self.reporter.report(SpanFinding::new(codes::LINE_DAMAGED, place, message).help(help).fix(fix));
        self.add_line(start, line)
    }

    pub(crate) fn report_joined(&mut self, start: u32, joined: JoinedLine) {
        let span = Span::new(start + joined.head.start, start + joined.head.end);
        let found = self.reporter.words_if_wanted(|| {
            format!("a line ending is missing before `{}`", Excerpt::short(span.of(self.text)))
        });
        let help = "read as part of the line; if these are two lines, split them";
        let fix = Fix::guess(FixAction::SplitLine);
        self.reporter.report(SpanFinding::new(codes::LINES_JOINED, span, found).help(help).fix(fix));
    }

    /// Makes an ERROR structure of a damaged line. Like every line of its level, the damaged line ends earlier
    /// structures, and the lines that follow may be under it.
    fn add_damaged_line(&mut self, payload: Span, level: u32) -> Flow {
        if self.continuation.is_some_and(|continuation| level > continuation.level)
            && self.handle_child_of_continuation() == Flow::Stop
        {
            return Flow::Stop;
        }
        let flags = flag::ERROR | flag::LEVELLED | flag::PAYLOAD;
        let flow = self.push_error_at(level, payload.start, payload, flags);
        if flow == Flow::Continue {
            let open = Open { level, node: self.next_index().saturating_sub(1) };
            self.open.push(open);
            self.owner = Some(open);
            self.deepest = level.saturating_add(1);
        }
        flow
    }

    fn handle_blank_line(&mut self, span: Span) -> Flow {
        let finding = SpanFinding::new(codes::BLANK_LINE, span, "unexpected blank line");
        let removed = Fix::safe(FixAction::RemoveBlankLine);
        self.reporter.report(finding.help("the line is skipped").fix(removed));
        Flow::Continue
    }

    pub(crate) fn owner_has_text(&self) -> bool {
        self.has_text(self.owner)
    }

    /// Returns whether a line string can be text of the structure before it. A line string can be such text if the
    /// structure has text, or may have text.
    pub(crate) fn owner_takes_text(&self) -> bool {
        self.owner_has_text()
            || self.owner.is_some_and(|owner| {
                let view = self.view();
                let is_open = view.flags(owner.node) & (flag::ERROR | flag::POINTER) == 0;
                is_open && !takes_no_text(view.tag(owner.node), owner.level == 0)
            })
    }

    /// Returns whether a line that is too deep is really text that starts with a number. If the structure has no text
    /// yet, the line must also have lower-case letters in place of a tag.
    pub(crate) fn is_text_of_owner(&self, line: &Line<'_>) -> bool {
        self.owner_has_text() && is_prose(line)
            || self.owner_takes_text() && is_prose(line) && has_small_letters(line)
    }

    /// Returns whether a structure has text. Returns false for a damaged line, whose payload is unknown.
    fn has_text(&self, structure: Option<Open>) -> bool {
        structure.is_some_and(|owner| {
            let flags = self.flags(owner.node);
            let empty = self.view().line_payload(owner.node).is_empty();
            let text = flags & flag::POINTER == 0 && !empty;
            flags & flag::ERROR == 0 && (text || flags & flag::CONTINUED != 0)
        })
    }

    fn whole_line(&self, span: Span) -> Span {
        let before = &self.text[..span.start as usize];
        let blanks = before.len() - before.trim_end_matches([' ', '\t']).len();
        Span::new(span.start - to_u32(blanks), span.end)
    }

    /// Adds a line string to the payload before it, as text after a line break without CONT.
    pub(crate) fn add_raw_text(&mut self, span: Span) -> Flow {
        let Some(owner) = self.owner else { return Flow::Continue };
        let level = u64::from(owner.level) + 1;
        let help = self.reporter.words_if_wanted(|| {
            format!("the line is added to the text before it; write `{level} CONT ` in front of it")
        });
        let fix = if may_begin_record(span.of(self.text)) { Fix::guess } else { Fix::safe };
        let finding = SpanFinding::new(codes::LINE_BREAK_RAW, span, "text continues without `CONT`");
        self.reporter.report(finding.help(help).fix(fix(FixAction::Continue)));
        if self.rules.tagged.joined_lines.are_reported()
            && let Some(joined) = elf_lines::joined_text(span.of(self.text))
        {
            self.report_joined(span.start, joined);
        }
        self.close_under(owner);
        let line = self.whole_line(span);
        let at = memchr::memchr(b'@', line.of(self.text).as_bytes()).map_or(0, |_| flag::AT);
        let node = self.next_index();
        let flags = flag::RAW | flag::PAYLOAD | at;
        self.nodes.push(NewNode { start: line.start, parent: owner.node, flags }, line);
        self.make_continuation(node, owner);
        self.continuation = None;
        if at != 0 { self.check_escapes(node) } else { Flow::Continue }
    }

    /// Closes all structures under `owner`, and the continuation lines at the level of `owner`.
    pub(crate) fn close_under(&mut self, owner: Open) {
        self.close_while(|open| open.node > owner.node);
        debug_assert!(
            self.open.last().is_some_and(|open| open.node == owner.node),
            "the structure continued is open"
        );
    }

    /// Adds an ERROR line whose payload is a part of the file (J19 §6.1).
    fn add_error_line(&mut self, payload: Span) -> Flow {
        self.push_error(payload.start, payload, flag::ERROR | flag::PAYLOAD)
    }

    /// Adds an ERROR line one level deeper than the previous line. This ERROR line cannot have substructures or
    /// continuations.
    fn push_error(&mut self, start: u32, payload: Span, flags: u32) -> Flow {
        self.push_error_at(self.deepest, start, payload, flags)
    }

    /// Adds an ERROR line at the given level.
    fn push_error_at(&mut self, level: u32, start: u32, payload: Span, mut flags: u32) -> Flow {
        if self.description.is_some() && self.check_description() == Flow::Stop {
            return Flow::Stop;
        }
        self.close(level);
        if level == 0 && self.end_record(start) == Flow::Stop {
            return Flow::Stop;
        }
        let made = flags & flag::MADE != 0;
        let text = if made { &*self.made } else { self.text };
        if memchr::memchr(b'@', payload.of(text).as_bytes()).is_some() {
            flags |= flag::AT;
            self.check_escapes_later();
        }
        if self.owner.is_some_and(|owner| self.uncounted.is_some_and(|(node, _)| node != owner.node)) {
            self.uncounted = None;
        }
        let parent = self.open.last().map_or(NONE, |open| open.node);
        // Structures under a pseudo-structure are not data (O17 §4.2).
        self.left_out.in_tree |= parent != NONE && self.flags(parent) & flag::CONTINUATION != 0;
        let node = NewNode { start, parent, flags };
        if made {
            self.nodes.push_aside(node, payload)
        } else {
            self.nodes.push(node, payload)
        }
        self.owner = None;
        self.continuation = None;
        Flow::Continue
    }

    /// Handles a line that is more than one level deeper than the previous one (D19 *Levels*; J19 §6.1; RDX).
    #[cold]
    pub(crate) fn handle_too_deep(&mut self, start: u32, line: &Line<'_>, continuation: u32) -> Flow {
        let level_end = line.tag_span().start.min(line.xref_span().start.wrapping_sub(1));
        let level = Span::new(start, start + level_end);
        let level = Span::new(level.start, level.start + to_u32(level.of(self.text).trim_end().len()));
        let most = self.deepest;
        let found = || Excerpt::short(line.level_digits());
        let message = self.reporter.words_if_wanted(|| match most {
            0 => format!("expected level 0, but found {}", found()),
            1 => format!("expected level 0 or 1, but found {}", found()),
            DEEPEST => {
                format!(
                    "expected a level at most one higher than that of the line before, but found {}",
                    found()
                )
            }
            _ => format!("expected a level from 0 to {most}, but found {}", found()),
        });
        match self.rules.tagged.bad_line {
            BadLine::Terminate => {
                self.reporter.report_with_help(
                    codes::LEVEL_TOO_DEEP,
                    level,
                    message,
                    "reading stops here; the rules `wild` continue",
                );
                Flow::Stop
            }
            BadLine::ErrorLine => {
                self.reporter.report_with_help(
                    codes::LEVEL_TOO_DEEP,
                    level,
                    message,
                    "the line is kept as an ERROR structure",
                );
                self.add_too_deep_error(start, line)
            }
            BadLine::Reject => {
                self.reporter.report_with_help(
                    codes::LEVEL_TOO_DEEP,
                    level,
                    message,
                    "the line is rejected, with everything that depends on it",
                );
                self.rejected = Some(line.level());
                self.left_out.lines.push(RejectedLine { start, dependants: 0 });
                Flow::Continue
            }
            BadLine::Recover if self.is_text_of_owner(line) => {
                let end = start + line.payload_span().end.max(line.tag_span().end);
                self.add_raw_text(Span::new(start, end))
            }
            BadLine::Recover => {
                let help = match most {
                    0 => Cow::Borrowed("the line is read as a record"),
                    DEEPEST => Cow::Borrowed(
                        "the line is read as a substructure of the last line with a lower level",
                    ),
                    _ => self.reporter.words_if_wanted(|| {
                        format!("the line is read as a substructure of the line before; write level {most}")
                    }),
                };
                let finding = SpanFinding::new(codes::LEVEL_TOO_DEEP, level, message);
                self.reporter.report(finding.help(help).fix(Fix::safe(FixAction::CorrectLevels)));
                let beneath = self.continuation.take().is_some() && continuation == 0;
                self.left_out.in_tree |= beneath && self.rules.tagged.metadata.is_pseudo();
                let flow = match self.owner {
                    Some(owner) if continuation != 0 => {
                        self.deepest = line.level().saturating_add(1);
                        self.continue_structure(start, line, continuation, owner)
                    }
                    _ => self.add_structure(start, line),
                };
                self.deepest = self.deepest.min(DEEPEST);
                flow
            }
        }
    }

    /// Adds an ERROR line for a line that is too deep. The ERROR line keeps the identifier. The payload of the ERROR
    /// line consists of the level, the tag and the payload of the line (J19 §6.1).
    fn add_too_deep_error(&mut self, start: u32, line: &Line<'_>) -> Flow {
        let mut serialised = String::new();
        serialised.push_str(line.level_digits());
        serialised.push(' ');
        serialised.push_str(line.tag());
        if line.has_payload() {
            serialised.push(' ');
            serialised.push_str(line.payload_text());
        }
        let made = self.add_generated_text(&serialised);
        let xref = if line.xref().is_some() { flag::XREF } else { 0 };
        let before = self.next_index();
        let flow = self.push_error(start, made, flag::ERROR | flag::PAYLOAD | flag::MADE | xref);
        if let Some(xref) = line.xref().filter(|_| before < self.next_index()) {
            let key = self.occurrences.keys.key(xref);
            self.occurrences.has_nested |= self.nodes.parent(before) != NONE;
            self.occurrences.bearers.push(Occurrence::new(key, before));
        }
        flow
    }

    /// Handles a CONT or CONC for which there is no structure to continue at its level.
    #[cold]
    pub(crate) fn handle_misplaced_continuation(&mut self, start: u32, line: &Line<'_>, kind: u32) -> Flow {
        let level = line.level();
        let nested = self.continuation.filter(|continuation| level > continuation.level);
        match self.rules.tagged.bad_line {
            BadLine::Recover => {
                if nested.is_some() && self.rules.tagged.metadata.is_pseudo() {
                    return self.add_structure(start, line);
                }
                if let (Some(_), Some(owner)) = (nested, self.owner) {
                    let flow = self.handle_child_of_continuation();
                    self.continue_structure(start, line, kind, owner);
                    return flow;
                }
                let above = self.open.iter().rev().find(|open| open.level < level).copied();
                let continued = self.find_continued_at(level);
                if let Some(owner) = continued.filter(|owner| owner.level < level) {
                    return self.continue_structure(start, line, kind, owner);
                }
                let tag = Span::new(start + line.tag_span().start, start + line.tag_span().end);
                // Continue the line before, unless that line has no text and its superstructure has text. By its level,
                // the continuation line belongs to the superstructure (O17 §5.4).
                let by_level = self.rules.tagged.metadata.is_pseudo();
                let beside = self.owner.filter(|owner| owner.level == level);
                let follows = !self.has_text(above) || self.owner_has_text() && !by_level;
                // If the line before was also added to the structure of the same level, add this line too.
                if let Some(owner) = continued.or(beside.filter(|_| follows)) {
                    let deeper = u64::from(level) + 1;
                    let message = "the continuation line has the level of the structure that it continues";
                    let help = format!("read as a continuation of the line before; write level {deeper}");
                    let finding = SpanFinding::new(codes::CONTINUATION_AT_PARENT_LEVEL, tag, message);
                    self.reporter.report(finding.help(help).fix(Fix::safe(FixAction::CorrectLevels)));
                    return self.continue_structure(start, line, kind, owner);
                }
                self.close(level);
                match self.open.last().copied() {
                    Some(owner) => {
                        self.reporter.report_with_help(
                            codes::CONTINUATION_MISPLACED,
                            tag,
                            "the continuation line does not follow the structure that it continues",
                            "its text is added to the payload of its superstructure",
                        );
                        self.continue_structure(start, line, kind, owner)
                    }
                    None => {
                        self.reporter.report_with_help(
                            codes::CONTINUATION_MISPLACED,
                            tag,
                            "there is nothing to continue",
                            "the line is kept as a record",
                        );
                        self.add_structure(start, line)
                    }
                }
            }
            BadLine::Terminate => {
                let misplaced = if nested.is_some() {
                    let flow = self.handle_child_of_continuation();
                    self.continuation = None;
                    flow
                } else {
                    Flow::Continue
                };
                if misplaced == Flow::Stop {
                    return Flow::Stop;
                }
                if self.add_structure(start, line) == Flow::Stop {
                    return Flow::Stop;
                }
                let Some(node) = self.owner.take() else { return Flow::Continue };
                self.report_about(
                    codes::CONTINUATION_MISPLACED,
                    node.node,
                    "the continuation line does not follow the structure that it continues",
                )
            }
            BadLine::ErrorLine | BadLine::Reject => self.add_stray_continuation(start, line),
        }
    }

    /// Returns the structure that the previous continuation line at `level` continues. All lines after that line must
    /// be under it, so that they are not data (O17 §4.2).
    fn find_continued_at(&self, level: u32) -> Option<Open> {
        let same = self.open.iter().rev().find(|open| open.level <= level)?;
        let continues = same.level == level && self.flags(same.node) & flag::CONTINUATION != 0;
        let owner = continues.then(|| self.nodes.parent(same.node))?;
        self.open.iter().rev().find(|open| open.node == owner).copied()
    }

    /// Makes a structure of a CONT or CONC that has nothing to continue (J19 §6, §6.1; RDX *Extended Line*).
    fn add_stray_continuation(&mut self, start: u32, line: &Line<'_>) -> Flow {
        let node = self.next_index();
        if self.add_uncounted_structure(start, line) == Flow::Stop {
            return Flow::Stop;
        }
        self.report_about(
            codes::CONTINUATION_MISPLACED,
            node,
            "the continuation line does not follow the structure that it continues",
        )
    }

    /// Adds a structure whose level does not affect the level of the next line (J19 §6.1).
    ///
    /// The next line may be one level deeper only if an earlier line allows that level.
    pub(crate) fn add_uncounted_structure(&mut self, start: u32, line: &Line<'_>) -> Flow {
        // If the line before is such a line too, the level of the line before that one still counts.
        let before = self.uncounted.filter(|(node, _)| self.owner.is_none_or(|owner| owner.node == *node));
        let counted = before.map_or(self.deepest, |(_, counted)| counted);
        let flow = self.add_structure(start, line);
        self.deepest = self.deepest.min(counted);
        self.uncounted = self.owner.map(|owner| (owner.node, counted));
        flow
    }

    #[cold]
    pub(crate) fn handle_child_of_continuation(&mut self) -> Flow {
        let Some(Open { node, .. }) = self.continuation else { return Flow::Continue };
        if self.rules.tagged.metadata.is_pseudo() {
            // This draft ignores such lines and does not forbid them (O17 §4.2).
            self.left_out.in_tree = true;
            let message = "structures under a continuation line are ignored";
            return self.report_about(codes::METADATA_NOT_BARE, node, message);
        }
        let span = self.view().tag_span(node);
        let message = "a continuation line has substructures";
        let finding = SpanFinding::new(codes::CONTINUATION_WITH_SUBSTRUCTURES, span, message);
        let fix = self.rules.recovers().then(|| Fix::safe(FixAction::CorrectLevels));
        self.report_finding(node, finding.fix(fix))
    }

    /// Handles a structure with the tag HEAD or TRLR (D19 *Second pass: processing*).
    #[cold]
    pub(crate) fn handle_reserved_tag(&mut self, node: u32, level: u32) -> Flow {
        let tag = self.view().tag(node);
        let head = tag == "HEAD";
        let in_place = match level {
            // HEAD must be the first record. The place of TRLR is checked when its record ends.
            0 => self.first_record || !head,
            _ => !self.rules.tagged.metadata.reserves_within_records(tag),
        };
        if in_place {
            return Flow::Continue;
        }
        if head {
            self.report_about(codes::HEADER_MISPLACED, node, "the header is not the first record")
        } else {
            self.report_about(codes::TRAILER_MISPLACED, node, "the trailer is inside a record")
        }
    }

    /// Handles a last record that has the tag TRLR.
    pub(crate) fn end_with_trailer(&mut self, record: u32) {
        let view = self.view();
        let alone = view.children(record).next().is_none();
        let unlabelled = view.xref(record).is_none() && view.line_payload(record).is_empty();
        let may_hold = self.rules.tagged.metadata.is_pseudo();
        let bare = unlabelled && (alone || may_hold);
        if may_hold && !alone {
            // This draft ignores such structures and does not forbid them (O17 §4.2).
            let message = "structures under the trailer are ignored";
            self.report_about(codes::METADATA_NOT_BARE, record, message);
        }
        self.trailer = true;
        // Before December 2019, the trailer is never data.
        if bare || self.rules.tagged.metadata.includes_any_trailer() {
            self.set_flags(record, flag::HIDDEN, 0);
        }
        self.left_out.in_tree |= !(unlabelled && alone);
        if !bare {
            let message = "the trailer has an identifier, a payload or substructures";
            if self.report_about(codes::TRAILER_NOT_BARE, record, message) == Flow::Stop {
                self.complete = false;
            }
        }
    }

    /// Reports that the trailer is missing.
    pub(crate) fn report_missing_trailer(&mut self) {
        let end = to_u32(self.text.len());
        let is_broken = self.text.trim_end_matches([' ', '\t']).ends_with(['\n', '\r']);
        let help = match is_broken {
            true => "the file may be cut off; if it is complete, add the line `0 TRLR`",
            false => "the file is cut off: its last line has no line ending",
        };
        let message = "expected the trailer, but the file ends";
        let finding = SpanFinding::new(codes::TRAILER_MISSING, Span::new(end, end), message);
        // If the line ending is missing too, the end of the file was cut off. A fix must not hide that.
        let whole = is_broken || self.text.is_empty();
        let added = whole.then(|| Fix::guess(FixAction::AddTrailer));
        self.reporter.report(finding.help(help).fix(added));
        if self.flow_of(codes::TRAILER_MISSING) == Flow::Stop {
            self.complete = false;
        }
    }

    /// Postpones the check of the escapes of `node` until the header is known.
    pub(crate) fn wait_for_escapes(&mut self, node: u32) -> Flow {
        self.waiting.push(Waiting::Escapes(node));
        Flow::Continue
    }
}

/// The greatest level that is distinguished. Higher levels are always too deep, because no file in memory has such a
/// depth.
const DEEPEST: u32 = u32::MAX - 1;
