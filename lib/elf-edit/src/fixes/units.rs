//! Runs of lines in which repairs are judged: each from one that starts a record, whatever stands before it,
//! to the next.
//!
//! One that is very long is not repaired, so that memory stays bounded.
//!
//! They do not depend on each other once the header is known, so a file has as many repairs read whole as in
//! parts. What does depend on the whole file is its encoding, which the header names: see [`FileEncoding`].

use super::file_encoding::FileEncoding;
use super::found::{FindingTaker, UnitFindings};
use super::same::Reread;
use super::{FixOptions, UnitFixes, round, rounds};
use elf_base::{Detail, Diagnostic, Fix, FixAction, Rules, Sink, codes};
use elf_octets::{Decision, LONGEST_START, Passage};
use elf_tagged::path::Types;
use elf_tagged::write::Preamble;
use elf_tagged::{Document, Header, read_apart, starts_record};
use std::ops::Range;

/// The most lines of a unit that is repaired: each takes some hundred octets while its repairs are judged.
pub(super) const MOST_LINES: u64 = 1 << 16;

/// The most octets of a unit that is repaired: it is read and written several times over.
pub(super) const MOST_OCTETS: usize = 1 << 22;

/// Tells whether a unit takes more memory to repair than there may be: then it is left as it is.
pub(super) fn is_too_long(lines: u64, passage: &Passage) -> bool {
    lines > MOST_LINES || passage.octets().len() > MOST_OCTETS || passage.is_cut()
}

/// A run of lines, and what it takes to read it.
pub(super) struct Unit<'u> {
    pub(super) passage: Passage,
    pub(super) rules: &'u Rules,
    pub(super) decision: &'u Decision,
    pub(super) header: &'u Header,
    /// The evidence for the encoding of the whole file, if the unit holds the header.
    pub(super) encoding: Option<FileEncoding<'u>>,
    /// The findings of its payloads: those that reading it again does not show.
    pub(super) of_payloads: UnitFindings,
    /// The repairs that are asked for.
    pub(super) options: FixOptions<'u>,
}

impl<'u> Unit<'u> {
    /// Reads octets in the place of its own; `None` where they would change how the rest of the file is read.
    pub(super) fn read<'o>(&self, octets: &'o [u8], sink: &mut dyn Sink) -> Option<Document<'o>>
    where
        'u: 'o,
    {
        let sink: &mut dyn Sink = &mut OfLines(sink);
        let source = self.passage.decode(octets, self.decision, self.rules).ok()?;
        if let Some(encoding) = &self.encoding {
            let findings = encoding.findings(octets, self.passage.is_last(), self.rules)?;
            findings.into_iter().for_each(|finding| sink.report(finding));
        }
        let (document, _) = read_apart(source, self.rules, self.header, self.encoding.is_some(), sink);
        Some(document)
    }

    /// Tells whether the lines behind the unit are read alike after both documents: the reading goes on, and
    /// what the header says is the same.
    pub(super) fn is_left_alike(&self, one: &Document<'_>, other: &Document<'_>) -> bool {
        let goes_on = self.passage.is_last() || one.is_complete() == other.is_complete();
        let schema = |document| Preamble::of_document(document).schema.unwrap_or_default();
        let alike = || one.header().says_as(other.header()) && schema(one) == schema(other);
        goes_on && (self.encoding.is_none() || alike())
    }

    /// Tells which findings are to be repaired.
    pub(super) fn chosen(&self) -> impl Fn(&Diagnostic) -> bool {
        |finding| self.options.takes(finding)
    }

    /// The document that it is read as, its repairs, and all its findings.
    pub(super) fn repaired(&self, types: &mut dyn Types) -> Option<(Document<'_>, UnitFixes, UnitFindings)> {
        let mut findings = UnitFindings::default();
        let mut taker = FindingTaker { findings: &mut findings, chosen: self.chosen() };
        let document = self.read(self.passage.octets(), &mut taker)?;
        let of_lines = findings.all().len();
        findings.extend(self.of_payloads.with_fixes());
        let first = round(self, &document, &findings, self.options.most, types);
        let (mut fixes, reread) = rounds::repeat(self, &document, &findings, first, types);
        self.settle(&document, (&findings, of_lines), reread, &mut fixes);
        Some((document, fixes, findings))
    }

    /// Calls those findings repaired that are gone, as far as they are known by reading the lines again.
    fn settle(
        &self,
        document: &Document<'_>,
        (findings, of_lines): (&UnitFindings, usize),
        reread: Option<Reread>,
        fixes: &mut UnitFixes,
    ) {
        if fixes.patches.is_empty() {
            fixes.repaired.clear();
            return;
        }
        if let Some(Reread { left, .. }) = reread.or_else(|| Reread::of(self, document, fixes)) {
            settle((findings, of_lines), &left, fixes);
        }
    }
}

/// Calls those findings repaired that are gone and were asked for, where others are `left`: as many of each
/// code as there are less. Of those behind the first `of_lines` only those are that were aimed at, since
/// reading the lines shows none of them.
pub(super) fn settle(
    (findings, of_lines): (&UnitFindings, usize),
    left: &UnitFindings,
    fixes: &mut UnitFixes,
) {
    let (mut gone, left) = (findings.by_code(), left.by_code());
    for (code, count) in left.iter() {
        gone.of_mut(code).into_iter().for_each(|gone| *gone = gone.saturating_sub(count));
    }
    let mut is_gone = |index: u32| {
        let wanted = findings.get(index).filter(|finding| finding.is_wanted);
        match wanted.and_then(|finding| gone.of_mut(finding.code)) {
            Some(count) if *count > 0 => {
                *count -= 1;
                true
            }
            _ => false,
        }
    };
    let mut repaired = std::mem::take(&mut fixes.repaired);
    let aimed = repaired.clone();
    repaired.retain(|&index| is_gone(index));
    let others = (0..).take(of_lines).filter(|index| aimed.binary_search(index).is_err());
    repaired.extend(others.filter(|&index| is_gone(index)));
    repaired.sort();
    fixes.repaired = repaired;
}

/// Takes what is found of some lines of a file: that breaks are mixed is said of the file, and not of them.
struct OfLines<'k>(&'k mut dyn Sink);

impl Sink for OfLines<'_> {
    fn report(&mut self, finding: Diagnostic) {
        if finding.code != codes::LINE_BREAKS_MIXED {
            self.0.report(finding);
        }
    }

    fn detail(&self) -> Detail {
        self.0.detail()
    }
}

/// Tells whether the repair of a finding is another payload.
pub(super) fn is_of_payload(finding: &Diagnostic) -> bool {
    matches!(&finding.fix, Some(Fix { action: FixAction::SetPayload(_), .. }))
}

/// Divides a document, or a part of one.
pub(super) struct Divider<'d> {
    document: &'d Document<'d>,
    /// All its lines.
    pub(super) lines: Range<u64>,
}

impl<'d> Divider<'d> {
    pub(super) fn new(document: &'d Document<'d>) -> Divider<'d> {
        let source = document.source();
        let start = source.start().line;
        let mut end = start + source.line_count();
        while source.line(end).is_some() {
            // One that holds a fault that ended the reading.
            end += 1;
        }
        Divider { document, lines: start..end }
    }

    /// The lines up to the end of the first record, and whether those that follow may still hold the header;
    /// `None` where it stands in another part.
    pub(super) fn head(&self) -> Option<(Range<u64>, bool)> {
        let document = self.document;
        if !document.may_hold_header() {
            return None;
        }
        let mut lines = self.lines.start..self.lines.start;
        loop {
            let next = lines.end..self.next_start(lines.end + 1);
            let passage = document.source().passage(next.clone());
            let source = passage.decode(passage.octets(), document.source().decision(), document.rules());
            let headless = source
                .is_ok_and(|source| read_apart(source, document.rules(), document.header(), true, &mut ()).1);
            lines.end = next.end;
            if !headless || lines.end >= self.lines.end {
                return Some((lines, headless));
            }
        }
    }

    /// The units that hold lines of those numbers, which rise, from the line `from` on, where a unit starts;
    /// each with its lines.
    pub(super) fn units(&self, numbers: &[u64], from: u64) -> impl Iterator<Item = (Range<u64>, Passage)> {
        let mut done = from;
        numbers.iter().filter_map(move |&line| {
            // What is missing at the end is missed behind the last line.
            let line = line.min(self.lines.end.saturating_sub(1));
            if line < done || done >= self.lines.end {
                return None;
            }
            let start = (done..=line).rev().find(|&line| line == done || self.starts(line))?;
            done = self.next_start(line + 1);
            Some((start..done, self.document.source().passage(start..done)))
        })
    }

    fn next_start(&self, from: u64) -> u64 {
        (from..self.lines.end).find(|&line| self.starts(line)).unwrap_or(self.lines.end)
    }

    /// Tells whether a line starts a record, whatever stands before it.
    fn starts(&self, number: u64) -> bool {
        let source = self.document.source();
        let is_start = |text: &str| starts_record(text, self.document.rules());
        if !source.line_text(number).is_some_and(is_start) {
            return false;
        }
        let Some(line) = source.line(number) else { return false };
        let all = source.irregular();
        let first = all.partition_point(|one| one.text.end < line.text.start);
        let irregular = all.get(first).is_some_and(|one| one.text.start <= line.text.end);
        let broken = line.ending.map_or(0, |ending| ending.text().len() as u64);
        let length = line.octets.end - line.octets.start;
        !irregular && length <= LONGEST_START as u64 + broken
    }
}

/// The findings whose repair is another payload. They come from those who know the types of structures.
pub(super) struct PayloadFindings(UnitFindings);

impl PayloadFindings {
    /// Takes the ones that are to be repaired.
    pub(super) fn of(mut findings: UnitFindings) -> PayloadFindings {
        findings.sort();
        PayloadFindings(findings)
    }

    /// The ones that stand on some lines.
    pub(super) fn within(&self, lines: &Range<u64>) -> UnitFindings {
        let PayloadFindings(findings) = self;
        let [first, behind] =
            [lines.start, lines.end].map(|at| findings.all().partition_point(|finding| finding.line < at));
        let here = findings.all().get(first..behind).unwrap_or_default();
        let mut within = UnitFindings::default();
        within.extend(here.iter().map(|finding| (*finding, findings.fix_of(finding))));
        within
    }
}
