//! The engine that `elf check` still counts fixes with. `fix` replaces it.

mod answers;
mod batch;
mod by_finding;
mod changes;
mod file_encoding;
mod found;
mod levels;
mod lines;
mod locked;
mod long_records;
mod patches;
mod refusal;
mod repairable;
mod rounds;
mod same;
mod units;

use crate::fix::Chosen;
use crate::nodes::Nodes;
use elf_base::{AtSigns, Diagnostic, Fix, FixAction, Safety};
use elf_lines::leading_level;
use elf_octets::Irregularity;
use elf_tagged::Document;
use elf_tagged::escape::{Token, tokens};
use elf_tagged::path::Types;
use file_encoding::FileEncoding;
use found::{UnitFinding, UnitFindings};
use lines::Lines;
use patches::Patches;
use same::Reread;
use units::Unit;

use std::ops::Range;

pub use answers::Answers;
pub use by_finding::RepairedFindings;
pub use changes::Changes;
pub use long_records::long_records;
pub use refusal::RepairRefusal;
pub use repairable::{PartRepairs, Repairable, Repairs, WantedRepairs};

/// Repairs of the findings of a unit.
#[derive(Debug, Default)]
struct UnitFixes {
    /// The lines that change, with the findings that they change for: of those that were there before any
    /// repair.
    patches: Patches,
    /// The findings that the patches repair, by their indices, rising.
    repaired: Vec<u32>,
}

/// The repairs that are asked for: how safe they must be, and of which findings.
#[derive(Clone, Copy)]
struct FixOptions<'c> {
    most: Safety,
    chosen: Option<Chosen<'c>>,
}

impl<'c> FixOptions<'c> {
    const fn choosing(self, chosen: Chosen<'c>) -> FixOptions<'c> {
        FixOptions { chosen: Some(chosen), ..self }
    }

    fn takes(&self, finding: &Diagnostic) -> bool {
        self.chosen.is_none_or(|chosen| chosen(finding))
    }
}

impl From<Safety> for FixOptions<'_> {
    fn from(most: Safety) -> Self {
        FixOptions { most, chosen: None }
    }
}

/// Repairs what can be repaired at once; with the repaired lines as they read, where they were read.
fn round(
    unit: &Unit<'_>,
    document: &Document<'_>,
    findings: &UnitFindings,
    most: Safety,
    types: &mut dyn Types,
) -> (UnitFixes, Option<Reread>) {
    // What one repair does to the lines around it is known for all files seen, but not for all that can be.
    // So what is called safe is read again; where that tells another story, the repairs that reach furthest
    // are left out.
    for without in LADDER {
        let safe = repaired(unit, document, findings, (Safety::Safe, without), types);
        let reread = match safe.patches.is_empty() {
            true => None,
            false => match same::reread(unit, document, findings, &safe) {
                Some(reread) => Some(reread),
                None => continue,
            },
        };
        return match most {
            Safety::Safe => (safe, reread),
            Safety::Unsafe => {
                drop((safe, reread));
                (repaired(unit, document, findings, (most, without), types), None)
            }
        };
    }
    (UnitFixes::default(), None)
}

/// The repairs to leave out, more and more of them.
const LADDER: &[&[FixAction]] = &[
    &[],
    &[FixAction::Continue],
    &[FixAction::CorrectLevels],
    &[FixAction::Continue, FixAction::CorrectLevels],
    &[FixAction::Continue, FixAction::CorrectLevels, FixAction::NameEncoding],
    &[FixAction::Continue, FixAction::CorrectLevels, FixAction::NameEncoding, FixAction::RemoveBlankLine],
    &[
        FixAction::Continue,
        FixAction::CorrectLevels,
        FixAction::NameEncoding,
        FixAction::RemoveBlankLine,
        FixAction::Respell,
        FixAction::RespellBoth,
    ],
];

/// Tells whether a repair gives a file what GEDCOM 5.5.1 and ELF ask for and GEDCOM 7 forbids or reads as
/// text: CHAR, at signs doubled anywhere but at the start.
const fn is_of_5_5(action: &FixAction) -> bool {
    match action {
        FixAction::NameEncoding | FixAction::DoubleAtSigns(_) => true,
        FixAction::Replace(_)
        | FixAction::SetPayload(_)
        | FixAction::RemoveIndent
        | FixAction::RemoveLevelZeros
        | FixAction::RemoveXref
        | FixAction::RemoveBlankLine
        | FixAction::CorrectLevels
        | FixAction::Continue
        | FixAction::Respell
        | FixAction::RespellBoth
        | FixAction::AddTrailer
        | FixAction::AnswerLink(_) => false,
    }
}

fn repaired(
    unit: &Unit<'_>,
    document: &Document<'_>,
    findings: &UnitFindings,
    (most, without): (Safety, &[FixAction]),
    types: &mut dyn Types,
) -> UnitFixes {
    let mut repair = Repair {
        document,
        lines: Lines::new(document, most == Safety::Unsafe),
        levels: Vec::new(),
        raw: Vec::new(),
        payload: None,
    };
    let is_gedcom_7 = document.header().says_gedcom_7();
    for (index, finding, Fix { safety, action, .. }) in findings.wanted() {
        let is_shown = || unit.encoding.as_ref().is_some_and(FileEncoding::is_shown);
        let safety = if *action == FixAction::NameEncoding && !is_shown() { Safety::Unsafe } else { *safety };
        if safety <= most && !without.contains(action) && !(is_gedcom_7 && is_of_5_5(action)) {
            repair.finding(index, finding, action, types);
        }
    }
    let Repair { mut lines, levels, raw, .. } = repair;
    let adjusted = levels::adjust(document, &mut lines, &levels, unit.encoding.is_some());
    levels::continue_raw(document, &mut lines, &raw, &adjusted);
    lines.finish()
}

struct Repair<'d> {
    document: &'d Document<'d>,
    lines: Lines<'d>,
    /// Findings about levels, with the node they are about.
    levels: Vec<(u32, u32)>,
    /// Findings about raw line breaks, with the node behind them.
    raw: Vec<(u32, u32)>,
    /// A line, and the payload in which at signs can be doubled, if it has one.
    payload: Option<(u64, Option<Range<usize>>)>,
}

impl Repair<'_> {
    /// Repairs a finding: at its place, or in the whole file.
    fn finding(&mut self, index: u32, finding: UnitFinding, action: &FixAction, types: &mut dyn Types) {
        let UnitFinding { line, column, end_column, .. } = finding;
        match action {
            FixAction::NameEncoding => self.encoding(index),
            FixAction::AddTrailer => self.trailer(index, types),
            // It stands in another record, and is judged there.
            FixAction::AnswerLink(_) => {}
            // Without a place there is no line to repair.
            _ if line == 0 => {}
            FixAction::Replace(with) => {
                let [start, end] = [column, end_column].map(|column| self.lines.offset(line, column.into()));
                self.lines.replace(line, start..end, with, index);
            }
            FixAction::SetPayload(text) => {
                if let Some((_, payload)) = self.lines.payload_in_place_of(line, text) {
                    self.lines.replace(line, payload, text, index);
                }
            }
            FixAction::RemoveIndent => {
                let blanks = self.lines.indent(line);
                if blanks > 0 && self.lines.parse(line).is_some() {
                    self.lines.replace(line, 0..blanks, "", index);
                }
            }
            FixAction::RemoveLevelZeros => self.lines.level(line, None, index),
            FixAction::RemoveXref => {
                if let Some(parsed) = self.lines.parse(line).filter(|parsed| !parsed.xref.is_empty()) {
                    self.lines.replace(line, parsed.xref.start - 1..parsed.tag.start, "", index);
                }
            }
            FixAction::RemoveBlankLine => {
                // Blank lines in a payload that was broken are part of it.
                let next = self.lines.node_behind(line);
                let blank = self.lines.indent(line) == self.lines.text(line).len();
                if blank && next.is_none_or(|node| !Nodes::of(self.document).flags(node).is_raw()) {
                    self.lines.cut(line, index);
                }
            }
            FixAction::CorrectLevels => {
                self.levels.extend(self.lines.node_at(line).map(|node| (index, node)));
            }
            FixAction::Continue => {
                let node = self.lines.node_at(line);
                let raw = node.filter(|&node| Nodes::of(self.document).flags(node).is_raw());
                self.raw.extend(raw.map(|node| (index, node)));
            }
            FixAction::DoubleAtSigns(which) => self.at_signs(index, (line, column.into()), *which),
            FixAction::Respell => self.lines.respell(line, index),
            FixAction::RespellBoth => {
                self.lines.respell(line, index);
                self.lines.respell(line + 1, index);
            }
        }
    }

    /// Doubles at signs of a payload: all bare ones, for a finding that is reported once a payload, or those
    /// of the escape at its place.
    fn at_signs(&mut self, index: u32, (line, column): (u64, u64), which: AtSigns) {
        let Some(payload) = self.payload_with_at_signs(line) else { return };
        let text = self.lines.text(line).get(payload.clone()).unwrap_or_default();
        let grammar = self.document.escape();
        let here = self.lines.offset(line, column);
        let first = match which {
            AtSigns::Bare => payload.start,
            // Each is found by itself, and there may be as many as the line is long.
            AtSigns::OfBrokenEscape | AtSigns::OfEscape => here.clamp(payload.start, payload.end),
        };
        let text = text.get(first - payload.start..).unwrap_or_default();
        let count = if which == AtSigns::Bare { usize::MAX } else { 1 };
        for (offset, token) in tokens(text, grammar).take(count) {
            let at = first + offset;
            let last = (at + token.raw().trim_end_matches(' ').len()).saturating_sub(1);
            let doubled: &[usize] = match (which, token) {
                (AtSigns::Bare, Token::Bare) | (AtSigns::OfBrokenEscape, Token::Broken) => &[at],
                (AtSigns::OfEscape, Token::Escape(_) | Token::Unicode(_)) => &[at, last],
                (AtSigns::Bare | AtSigns::OfBrokenEscape | AtSigns::OfEscape, _) => &[],
            };
            for &at in doubled {
                self.lines.replace(line, at..at, "@", index);
            }
        }
    }

    /// Returns the range of the payload of a line, if its at signs are known by themselves. The answer is
    /// kept for the next finding, which is mostly one of the same line.
    fn payload_with_at_signs(&mut self, line: u64) -> Option<Range<usize>> {
        match &self.payload {
            Some((known, payload)) if *known == line => payload.clone(),
            _ => {
                let payload = self.find_payload_with_at_signs(line);
                self.payload = Some((line, payload.clone()));
                payload
            }
        }
    }

    fn find_payload_with_at_signs(&mut self, line: u64) -> Option<Range<usize>> {
        let document = self.document;
        let node = self.lines.node_at(line)?;
        let flags = Nodes::of(document).flags(node);
        let merged = document.escape().reads_merged();
        if merged && (flags.is_continued() || flags.is_continuation()) {
            // What is an at sign there is known only of the payload as a whole.
            return None;
        }
        let payload = match flags.is_raw() {
            false => self.lines.parse(line).map(|parsed| parsed.payload),
            true => Some(0..self.lines.text(line).len()),
        }?;
        let text = self.lines.text(line).get(payload.clone()).unwrap_or_default();
        let is_of_stream = document.rules().octets.stream_escapes && text.contains("@#U");
        (!is_of_stream).then_some(payload)
    }

    /// Adds a trailer behind the last line, unless that shows that the file is cut off.
    fn trailer(&mut self, index: u32, types: &mut dyn Types) {
        if self.is_cut_off(types) {
            return;
        }
        let end = self.lines.end();
        // One that is no line for the whitespace before it is another finding.
        let last = (self.lines.start()..end)
            .rev()
            .map(|line| self.lines.text(line))
            .find(|text| !text.trim().is_empty());
        let is_one = last.is_some_and(|text| text.split_whitespace().eq(["0", "TRLR"]));
        if end == self.lines.start() || !is_one && self.lines.is_known(end - 1) {
            self.lines.insert(end, "0 TRLR\n", index);
        }
    }

    /// Tells whether the last line is none, or has a tag without a type.
    fn is_cut_off(&self, types: &mut dyn Types) -> bool {
        let document = self.document;
        let Some(last) = document.nodes().rev().find(|node| !node.is_inserted()) else { return false };
        let owner = if last.is_continuation() { last.superstructure() } else { Some(last) };
        let Some(node) = owner else { return false };
        if node.is_error() {
            return true;
        }
        let mut tags: Vec<&str> = node.ancestors().map(elf_tagged::Node::tag).collect();
        tags.reverse();
        !types.is_defined(&tags)
    }

    /// Has CHAR name the encoding that was used.
    fn encoding(&mut self, index: u32) {
        let document = self.document;
        let name = document.source().decision().used.char_name();
        let (Some(name), Some(head)) = (name, document.head()) else { return };
        match head.lines().find(|node| node.tag() == "CHAR") {
            Some(char) => {
                let line = self.lines.number(char.id().get());
                let Some(parsed) = self.lines.parse(line) else { return };
                let payload = self.lines.text(line).get(parsed.payload.clone()).unwrap_or_default();
                let said = payload.trim_matches([' ', '\t']);
                if said == name {
                    return;
                }
                if !self.is_followed_well(line, u32::MAX) {
                    return;
                }
                let behind_tag = parsed.tag.end..self.lines.text(line).len();
                self.lines.replace(line, behind_tag, &format!(" {name}"), index);
            }
            None => {
                let last = head.lines().take_while(|line| line.is_continuation()).last().unwrap_or(head);
                let line = self.lines.number(last.id().get());
                let is_record = leading_level(self.lines.text(line)) == Some(0);
                // Where the reading ended within the header, there may be one that was not reached.
                if !is_record || !document.is_complete() || !self.is_followed_well(line, 1) {
                    return;
                }
                self.lines.insert(line + 1, &format!("1 CHAR {name}\n"), index);
            }
        }
    }

    /// Tells whether the line behind `line` is a good line of a level up to `most`, or there is none, so that
    /// it does not come to depend on what is put before it.
    fn is_followed_well(&mut self, line: u64, most: u32) -> bool {
        let Some(next) = self.lines.next_line(line) else { return true };
        let node = self.lines.node_at(next);
        let flags = |node: u32| Nodes::of(self.document).flags(node);
        let good = |node: u32| !flags(node).is_error() && !flags(node).is_raw();
        node.is_some_and(good) && leading_level(self.lines.text(next)).is_some_and(|level| level <= most)
    }
}

/// Tells whether octets are lost if a line is written again alone: those of half a character, which is whole
/// only where both its lines are.
const fn is_cut(kind: Irregularity) -> bool {
    matches!(kind, Irregularity::CutHead | Irregularity::CutTail)
}
