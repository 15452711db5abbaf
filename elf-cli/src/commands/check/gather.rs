//! The findings of a file, gathered part by part and printed in the order of its lines.

use super::context::{BearerNumbers, Context, RecordTags, contexts};
use super::kept::{DRAWN, Keep, Kept, Sifted, octets_of, order};
use super::signature::signatures;
use crate::baseline::{Ledger, Signature};
use elf_base::{Class, Diagnostic, Excerpt, Place, Safety};
use elf_config::Choice;
use elf_edit::{RepairedFinding, RepairedFindings, Repairs};
use elf_render::findings::CodeCount;
use elf_tagged::Document;
use elf_tagged::elf_octets::Patch;
use std::collections::BTreeMap;
use std::io;
use std::sync::Arc;

/// The most findings that wait to be put in order.
const WAITING: usize = 100_000;

/// The most octets of them.
const WAITING_OCTETS: usize = 36 << 20;

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
    /// By identifier and class: of one code some findings may be graver than others.
    by_code: BTreeMap<(&'static str, Class), CodeCount>,
    /// The number of findings that were not chosen.
    pub(crate) ignored: u64,
    /// The number of findings that the baseline has.
    pub(crate) known: u64,
    /// The number of findings that make the exit status 1.
    pub(crate) failing: u64,
}

impl CodeCounts {
    /// Tells whether a finding is chosen, and counts it if it is not.
    pub(super) fn is_chosen(&mut self, finding: &Diagnostic, choice: &Choice) -> bool {
        let is_chosen = choice.takes(finding);
        self.ignored += u64::from(!is_chosen);
        is_chosen
    }

    /// Counts a finding, and tells whether it is chosen.
    pub(super) fn count(&mut self, finding: &Diagnostic, choice: &Choice) -> bool {
        if !self.is_chosen(finding, choice) {
            return false;
        }
        self.failing += u64::from(choice.fails(finding));
        let &Diagnostic { code, class, .. } = finding;
        let count = self.by_code.entry((code.id(), class)).or_insert(CodeCount::none(code, class));
        count.count += 1;
        count.guessable |= finding.fix.as_ref().is_some_and(|fix| fix.safety == Safety::Unsafe);
        true
    }

    /// Adds the counts of more findings.
    pub(crate) fn add(&mut self, more: &CodeCounts) {
        for (key, more) in &more.by_code {
            let count = self.by_code.entry(*key).or_insert(CodeCount::none(more.code, more.class));
            count.count += more.count;
            count.repairable += more.repairable;
            count.guessable |= more.guessable;
        }
        self.ignored += more.ignored;
        self.known += more.known;
        self.failing += more.failing;
    }

    /// Takes what was judged of the repairs of a file.
    fn judge(&mut self, repairs: &Repairs) {
        let mut left = repairs.by_code.clone();
        for (&(id, _), count) in &mut self.by_code {
            let repaired = left.get_mut(id).map(|left| {
                let repaired = (*left).min(count.count);
                *left -= repaired;
                repaired
            });
            count.repairable = repaired.unwrap_or_default();
            count.guessable &= !repairs.ended;
        }
    }

    /// The codes that were found, in the order of their identifiers, the mildest class of each first.
    pub(crate) fn codes(&self) -> impl Iterator<Item = CodeCount> {
        self.by_code.values().copied()
    }

    /// The codes that were found, each once with its gravest class.
    pub(crate) fn merged(&self) -> Vec<CodeCount> {
        let mut merged: Vec<CodeCount> = Vec::new();
        for one in self.codes() {
            match merged.last_mut().filter(|last| last.code == one.code) {
                Some(last) => {
                    last.class = one.class;
                    last.count += one.count;
                    last.repairable += one.repairable;
                    last.guessable |= one.guessable;
                }
                None => merged.push(one),
            }
        }
        merged
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
    /// The findings about parts before, and about the file as a whole.
    late: Vec<Diagnostic>,
    counts: CodeCounts,
    records: RecordTags,
    /// The records that share an identifier, of a part; the contexts of a whole document know theirs.
    bearers: BearerNumbers,
}

impl PartFindings {
    /// Finds the structures of the findings of `document` that are kept.
    pub(crate) fn of(
        document: &Document<'_>,
        Sifted { counts, mut kept, bearers, .. }: Sifted<'_>,
        repaired: Vec<RepairedFinding>,
        keyed: bool,
        is_whole: bool,
    ) -> PartFindings {
        let mut findings = kept.take();
        let start = document.source().start().line;
        let before = findings.partition_point(|one| one.place.is_some_and(|place| place.line < start));
        let late = findings.drain(..before).collect();
        let contexts = contexts(document, &findings, is_whole);
        let signatures = if keyed { signatures(document, &findings) } else { Vec::new() };
        let mut signatures = signatures.into_iter();
        let mut known = RepairedFindings::default();
        known.extend(repaired);
        let located = |(finding, context)| {
            let signature = signatures.next();
            Located { context, signature, ..Located::without_place(finding) }.repaired_by(&mut known)
        };
        let kept: Vec<Located> = findings.into_iter().zip(contexts).map(located).collect();
        // Of one of which nothing is printed, nobody asks for the number of a record.
        let is_asked = !is_whole || !kept.is_empty();
        let records = if is_asked { RecordTags::of(document) } else { RecordTags::default() };
        let bearers = if is_whole { BearerNumbers::default() } else { bearers };
        PartFindings { kept, late, counts, records, bearers }
    }

    /// The findings that came behind the last part.
    pub(crate) fn of_end(Sifted { counts, mut kept, bearers, .. }: Sifted<'_>) -> PartFindings {
        let records = RecordTags::default();
        PartFindings { kept: Vec::new(), late: kept.take(), counts, records, bearers }
    }
}

fn is_among_first(met: &mut BTreeMap<&'static str, usize>, finding: &Diagnostic) -> bool {
    let met = met.entry(finding.code.id()).or_default();
    *met += 1;
    *met <= DRAWN
}

/// The printer of a finding, with the records of the file up to there.
pub(crate) type Print<'p> = dyn FnMut(&Located, &RecordTags) -> io::Result<()> + 'p;

/// The findings of a file, printed in the order of the lines that they are about, whichever layer found them
/// and when. Where they are too many for the memory, those of a part are printed as soon as it was read, and
/// those that only the whole file shows come last.
pub(crate) struct Gathered<'g> {
    choice: &'g Choice,
    keep: Keep,
    print: &'g mut Print<'g>,
    waiting: Vec<Located>,
    /// The octets that those take in memory, about.
    octets: usize,
    /// Findings that only the whole file shows.
    late: Kept,
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
            octets: 0,
            late: Kept::new(keep, ledger.is_some()),
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
        let PartFindings { kept, late, counts, records, bearers } = part;
        self.counts.add(&counts);
        self.bearers.add(bearers);
        for mut one in kept {
            let is_settled = self.ledger.is_none() && self.keep == Keep::FirstOfEach;
            if is_settled && !is_among_first(&mut self.met, &one.finding) {
                continue;
            }
            if let Some(context) = &mut one.context {
                context.behind(&self.records);
            }
            self.octets += one.octets();
            self.waiting.push(one);
        }
        self.records.add(records);
        late.into_iter().for_each(|finding| self.late.add(finding));
        self.keep_late_bounded();
        if !self.flushed && self.waiting.len() < WAITING && self.octets < WAITING_OCTETS {
            return Ok(());
        }
        self.flush_early()
    }

    /// Takes a finding that only the whole file shows.
    pub(crate) fn add_late(&mut self, finding: Diagnostic) {
        self.bearers.see(&finding);
        let is_chosen = match self.ledger {
            Some(_) => self.counts.is_chosen(&finding, self.choice),
            None => self.counts.count(&finding, self.choice),
        };
        if is_chosen {
            self.late.add(finding);
            self.keep_late_bounded();
        }
    }

    /// Prints those that only the whole file shows where there are too many of them to look for their
    /// structures. With a baseline all wait for it to be asked: without their structures it cannot be.
    fn keep_late_bounded(&mut self) {
        let too_many = self.late.len() >= WAITING || self.late.octets() >= WAITING_OCTETS;
        if too_many && self.ledger.is_none() && self.written.is_ok() {
            self.written = self.print_late();
        }
    }

    /// Prints what waits, and behind it what only the whole file shows.
    fn print_late(&mut self) -> io::Result<()> {
        self.flush_early()?;
        let late = self.late.take();
        let mut late = late.into_iter().map(Located::without_place);
        late.try_for_each(|one| (self.print)(&one, &self.records))
    }

    /// Prints what waits while more records may come.
    fn flush_early(&mut self) -> io::Result<()> {
        self.records.set_open(true);
        let printed = self.flush();
        self.records.set_open(false);
        printed
    }

    /// Prints what waits, once `locate` has found the structures of what only the whole file shows. What is
    /// repaired of the header is known by now, and whether anything is.
    pub(crate) fn finish(
        mut self,
        mut repairs: Repairs,
        locate: impl FnOnce(Vec<Diagnostic>) -> io::Result<Vec<Located>>,
    ) -> io::Result<(CodeCounts, Option<Ledger>)> {
        std::mem::replace(&mut self.written, Ok(()))?;
        self.bearers.number();
        self.records.set_bearers(std::mem::take(&mut self.bearers));
        let late = self.late.take();
        let mut known = RepairedFindings::default();
        let ended = repairs.ended;
        known.extend(std::mem::take(&mut repairs.of_header));
        let mut repair = |one: &mut Located| if ended { one.unrepaired() } else { one.repair_by(&mut known) };
        self.waiting.iter_mut().for_each(&mut repair);
        if self.flushed {
            self.flush()?;
        }
        if !late.is_empty() {
            let mut late = locate(late)?;
            late.iter_mut().for_each(&mut repair);
            self.waiting.extend(late);
        }
        self.flush()?;
        self.counts.judge(&repairs);
        Ok((self.counts, self.ledger))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.flushed = true;
        self.octets = 0;
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
        waiting.into_iter().try_for_each(|one| (self.print)(&one, &self.records))
    }
}

impl Located {
    /// A finding whose structure nobody looks for.
    pub(crate) const fn without_place(finding: Diagnostic) -> Located {
        Located { finding, context: None, signature: None, repair: None }
    }

    /// Counts the octets that it takes in memory, about.
    fn octets(&self) -> usize {
        let patches = self.repair.iter().flat_map(|patches| patches.iter());
        let patches = patches.map(|patch| size_of::<Patch>() + patch.with.len());
        let beside = size_of::<Located>() - size_of::<Diagnostic>();
        let context = self.context.as_ref().map_or(0, Context::octets);
        octets_of(&self.finding) + beside + context + patches.sum::<usize>()
    }

    fn repaired_by(mut self, known: &mut RepairedFindings) -> Located {
        self.repair_by(known);
        self
    }

    /// Takes its repair from those of some findings, if it is among them.
    fn repair_by(&mut self, known: &mut RepairedFindings) {
        if self.repair.is_none() {
            self.repair = known.take(&self.finding).map(Vec::into_boxed_slice);
        }
    }

    /// Takes its repair away: nothing is repaired of a file whose reading the rules ended.
    fn unrepaired(&mut self) {
        self.repair = None;
        self.finding.fix = None;
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
