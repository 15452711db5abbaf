//! The findings of a file, gathered part by part and printed in the order of its lines.

use super::choice::Choice;
use super::context::{BearerNumbers, Context, RecordTags, contexts};
use super::signature::signatures;
use crate::baseline::{Ledger, Signature};
use elf_base::{Class, Diagnostic, Excerpt, Place};
use elf_edit::{RepairedFinding, RepairedFindings};
use elf_render::findings::CodeCount;
use elf_tagged::Document;
use elf_tagged::elf_octets::Patch;
use std::collections::BTreeMap;
use std::io;
use std::sync::Arc;

/// The most findings that wait to be put in order.
const WAITING: usize = 100_000;

/// The most findings of one code in one file that are drawn for a person who did not ask for all.
pub(crate) const DRAWN: usize = 10;

/// The findings of a file that are kept to be printed; all are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Keep {
    /// None of them.
    Nothing,
    /// The first of each code.
    FirstOfEach,
    /// All, with the lines they stand in.
    All,
    /// All, without the lines they stand in.
    Related,
    /// All, without the lines they stand in and the other places they speak of.
    Bare,
}

/// A finding, and the structure that it is about.
#[derive(Debug)]
pub(crate) struct Located {
    pub(crate) finding: Diagnostic,
    pub(crate) context: Option<Context>,
    /// Known where there is a baseline.
    pub(crate) signature: Option<Arc<Signature>>,
    /// The lines that `--fix` changes for it; `None` where it repairs nothing.
    pub(crate) repair: Option<Box<[Patch]>>,
}

/// The number of findings of each code in a file.
#[derive(Clone, Debug, Default)]
pub(crate) struct CodeCounts {
    by_id: BTreeMap<&'static str, CodeCount>,
    /// The number of findings that were not chosen.
    pub(crate) ignored: u64,
    /// The number of findings that the baseline has.
    pub(crate) known: u64,
    /// The number of findings that make the exit status 1.
    pub(crate) failing: u64,
}

impl CodeCounts {
    /// Tells whether a finding is chosen, and counts it if it is not.
    fn is_chosen(&mut self, finding: &Diagnostic, choice: &Choice) -> bool {
        let is_chosen = choice.takes(finding);
        self.ignored += u64::from(!is_chosen);
        is_chosen
    }

    /// Counts a finding, and tells whether it is chosen.
    fn count(&mut self, finding: &Diagnostic, choice: &Choice) -> bool {
        if !self.is_chosen(finding, choice) {
            return false;
        }
        self.failing += u64::from(choice.fails(finding));
        let &Diagnostic { code, class, .. } = finding;
        self.by_id.entry(code.id()).or_insert(CodeCount { code, class, count: 0 }).count += 1;
        true
    }

    /// Adds the counts of more findings.
    pub(crate) fn add(&mut self, more: &CodeCounts) {
        for (id, more) in &more.by_id {
            self.by_id.entry(id).or_insert(CodeCount { count: 0, ..*more }).count += more.count;
        }
        self.ignored += more.ignored;
        self.known += more.known;
        self.failing += more.failing;
    }

    /// The codes that were found, in the order of their identifiers.
    pub(crate) fn codes(&self) -> impl Iterator<Item = CodeCount> {
        self.by_id.values().copied()
    }

    /// The number of findings of a class.
    pub(crate) fn of_class(&self, class: Class) -> u64 {
        self.codes().filter(|one| one.class == class).map(|one| one.count).sum()
    }
}

/// The findings of a part of a file, or of the whole of it.
#[derive(Debug)]
pub(crate) struct PartFindings {
    kept: Vec<Located>,
    counts: CodeCounts,
    records: RecordTags,
}

impl PartFindings {
    /// Counts the findings of `document`, and finds the structures of those that are kept.
    pub(crate) fn of(
        document: &Document<'_>,
        findings: Vec<Diagnostic>,
        repaired: Vec<RepairedFinding>,
        Sieve { choice, keep, keyed }: Sieve<'_>,
        is_whole: bool,
    ) -> PartFindings {
        let mut counts = CodeCounts::default();
        let mut chosen = findings;
        if keyed {
            // The baseline is asked where all findings come together.
            chosen.retain(|finding| counts.is_chosen(finding, choice));
        } else {
            chosen.retain(|finding| counts.count(finding, choice));
        }
        keep.or_all(keyed).prune(&mut chosen);
        let contexts = contexts(document, &chosen, is_whole);
        let signatures = if keyed { signatures(document, &chosen) } else { Vec::new() };
        let mut signatures = signatures.into_iter();
        let mut known = RepairedFindings::default();
        known.extend(repaired);
        let located = |(finding, context)| {
            let signature = signatures.next();
            Located { context, signature, ..Located::without_place(finding) }.repaired_by(&mut known)
        };
        let kept = chosen.into_iter().zip(contexts).map(located).collect();
        PartFindings { kept, counts, records: RecordTags::of(document) }
    }
}

/// The way in which findings of a part are picked out.
#[derive(Clone, Copy)]
pub(crate) struct Sieve<'s> {
    pub(crate) choice: &'s Choice,
    pub(crate) keep: Keep,
    /// True if there is a baseline: then all chosen ones are kept, with their signatures.
    pub(crate) keyed: bool,
}

impl Keep {
    /// Keeps all for now where it is only known later which are to be.
    const fn or_all(self, keyed: bool) -> Keep {
        match self {
            Keep::Nothing if keyed => Keep::Bare,
            Keep::FirstOfEach if keyed => Keep::All,
            keep => keep,
        }
    }

    /// Leaves out what is not kept of some findings, which come in the order of the lines then.
    fn prune(self, findings: &mut Vec<Diagnostic>) {
        match self {
            Keep::Nothing => return findings.clear(),
            Keep::Bare => {
                for finding in findings.iter_mut() {
                    finding.excerpt = None;
                    finding.related = Vec::new();
                }
            }
            Keep::Related => {
                for finding in findings.iter_mut() {
                    finding.excerpt = None;
                    finding.related.iter_mut().for_each(|related| related.excerpt = None);
                }
            }
            Keep::FirstOfEach | Keep::All => {}
        }
        findings.sort_by_key(order);
        if self == Keep::FirstOfEach {
            let mut met: BTreeMap<&str, usize> = BTreeMap::new();
            findings.retain(|finding| is_among_first(&mut met, finding));
        }
    }
}

fn is_among_first(met: &mut BTreeMap<&'static str, usize>, finding: &Diagnostic) -> bool {
    let met = met.entry(finding.code.id()).or_default();
    *met += 1;
    *met <= DRAWN
}

/// The key by which findings are put in order: those about the file as a whole come last.
fn order(finding: &Diagnostic) -> (u64, &'static str) {
    (finding.place.map_or(u64::MAX, |place| place.octet), finding.code.id())
}

/// The printer of a finding, with the records of the file up to there.
pub(crate) type Print<'p> = dyn FnMut(&Located, &RecordTags) -> io::Result<()> + 'p;

/// The findings of a file, printed in the order of the lines that they are about, whichever layer found them
/// and when. Where they are too many for the memory, so many at once are put in order.
pub(crate) struct Gathered<'g> {
    choice: &'g Choice,
    keep: Keep,
    print: &'g mut Print<'g>,
    waiting: Vec<Located>,
    /// Findings that only the whole file shows.
    late: Vec<Diagnostic>,
    written: io::Result<()>,
    /// True if what waited was printed before the end.
    flushed: bool,
    records: RecordTags,
    /// The records that share an identifier, as the findings that only the whole file shows tell of them.
    bearers: BearerNumbers,
    counts: CodeCounts,
    /// The number of findings of each code that wait, where only the first are kept.
    met: BTreeMap<&'static str, usize>,
    ledger: Option<Ledger>,
}

impl<'g> Gathered<'g> {
    pub(crate) fn new(
        choice: &'g Choice,
        keep: Keep,
        ledger: Option<Ledger>,
        print: &'g mut Print<'g>,
    ) -> Gathered<'g> {
        Gathered {
            choice,
            keep,
            print,
            waiting: Vec::new(),
            late: Vec::new(),
            written: Ok(()),
            flushed: false,
            records: RecordTags::default(),
            bearers: BearerNumbers::default(),
            counts: CodeCounts::default(),
            met: BTreeMap::new(),
            ledger,
        }
    }

    /// Takes the findings of the next part in the order of the file.
    pub(crate) fn add(&mut self, part: PartFindings) -> io::Result<()> {
        let PartFindings { kept, counts, records } = part;
        self.counts.add(&counts);
        for mut one in kept {
            let is_settled = self.ledger.is_none() && self.keep == Keep::FirstOfEach;
            if is_settled && !is_among_first(&mut self.met, &one.finding) {
                continue;
            }
            if let Some(context) = &mut one.context {
                context.behind(&self.records);
            }
            self.waiting.push(one);
        }
        self.records.add(records);
        if self.waiting.len() < WAITING {
            return Ok(());
        }
        self.flush_early()
    }

    /// Takes a finding that only the whole file shows.
    pub(crate) fn add_late(&mut self, finding: Diagnostic) {
        self.bearers.see(&finding);
        if self.ledger.is_some() {
            // All wait for the baseline to be asked: without their structures it cannot be.
            if self.counts.is_chosen(&finding, self.choice) {
                self.late.push(finding);
            }
            return;
        }
        if !self.counts.count(&finding, self.choice) {
            return;
        }
        self.late.push(finding);
        if self.late.len() >= WAITING {
            self.keep.prune(&mut self.late);
        }
        if self.late.len() >= WAITING && self.written.is_ok() {
            self.written = self.print_late();
        }
    }

    /// Prints what waits, and behind it what only the whole file shows.
    fn print_late(&mut self) -> io::Result<()> {
        self.flush_early()?;
        let late = std::mem::take(&mut self.late);
        self.waiting.extend(late.into_iter().map(Located::without_place));
        self.flush_early()
    }

    /// Prints what waits while more records may come.
    fn flush_early(&mut self) -> io::Result<()> {
        self.records.set_open(true);
        let printed = self.flush();
        self.records.set_open(false);
        printed
    }

    /// Prints what waits, once `locate` has found the structures of what only the whole file shows. What is
    /// repaired of the header is known by now.
    pub(crate) fn finish(
        mut self,
        of_header: Vec<RepairedFinding>,
        locate: impl FnOnce(Vec<Diagnostic>) -> io::Result<Vec<Located>>,
    ) -> io::Result<(CodeCounts, Option<Ledger>)> {
        std::mem::replace(&mut self.written, Ok(()))?;
        self.bearers.number();
        self.records.set_bearers(std::mem::take(&mut self.bearers));
        let mut late = std::mem::take(&mut self.late);
        self.keep.or_all(self.ledger.is_some()).prune(&mut late);
        let mut known = RepairedFindings::default();
        known.extend(of_header);
        self.waiting.iter_mut().for_each(|one| one.repair_by(&mut known));
        if self.flushed {
            self.flush()?;
        }
        if !late.is_empty() {
            let mut late = locate(late)?;
            late.iter_mut().for_each(|one| one.repair_by(&mut known));
            self.waiting.extend(late);
        }
        self.flush()?;
        Ok((self.counts, self.ledger))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.flushed = true;
        let mut waiting = std::mem::take(&mut self.waiting);
        waiting.sort_by_key(|one| order(&one.finding));
        if let Some(ledger) = &mut self.ledger {
            let (counts, met) = (&mut self.counts, &mut self.met);
            waiting.retain(|one| {
                if ledger.meet(&one.finding, one.signature.as_ref()) {
                    counts.known += 1;
                    return false;
                }
                counts.count(&one.finding, self.choice);
                match self.keep {
                    Keep::Nothing => false,
                    Keep::FirstOfEach => is_among_first(met, &one.finding),
                    _ => true,
                }
            });
        } else if self.keep == Keep::FirstOfEach {
            let mut met = BTreeMap::new();
            waiting.retain(|one| is_among_first(&mut met, &one.finding));
        }
        waiting.iter().try_for_each(|one| (self.print)(one, &self.records))
    }
}

impl Located {
    /// A finding whose structure nobody looks for.
    pub(crate) const fn without_place(finding: Diagnostic) -> Located {
        Located { finding, context: None, signature: None, repair: None }
    }

    fn repaired_by(mut self, known: &mut RepairedFindings) -> Located {
        self.repair_by(known);
        self
    }

    /// Takes its repair from those of some findings, if it is among them.
    fn repair_by(&mut self, known: &mut RepairedFindings) {
        if self.repair.is_none() && self.finding.fix.is_some() {
            self.repair = known.take(&self.finding).map(Vec::into_boxed_slice);
        }
    }

    /// Finds the structures that findings about a part concern, behind `records`, and for a person the lines
    /// that they stand in.
    pub(crate) fn in_part(
        document: &Document<'_>,
        mut findings: Vec<Diagnostic>,
        records: &RecordTags,
        (keep, keyed): (Keep, bool),
    ) -> Vec<Located> {
        if !matches!(keep, Keep::Bare | Keep::Related) {
            for finding in findings.iter_mut().filter(|finding| finding.excerpt.is_none()) {
                finding.excerpt = finding.place.and_then(|place| excerpt(document, place));
            }
        }
        let contexts = contexts(document, &findings, false);
        let signatures = if keyed { signatures(document, &findings) } else { Vec::new() };
        let mut signatures = signatures.into_iter();
        let located = |(finding, context): (Diagnostic, Option<Context>)| {
            let behind = |mut context: Context| {
                context.behind(records);
                context
            };
            let (context, signature) = (context.map(behind), signatures.next());
            Located { context, signature, ..Located::without_place(finding) }
        };
        findings.into_iter().zip(contexts).map(located).collect()
    }
}

/// The line that a place is in.
fn excerpt(document: &Document<'_>, place: Place) -> Option<Excerpt> {
    let text = document.source().line_text(place.line)?;
    let start = text.char_indices().nth(usize::try_from(place.column.checked_sub(1)?).ok()?);
    Some(Excerpt::around(text, start.map_or(text.len(), |(start, _)| start), place.column))
}
