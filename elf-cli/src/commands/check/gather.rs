//! The findings of a file, gathered part by part and printed in the order of its lines.

use super::kept::{DRAWN, Keep, Kept, Sifted};
use super::packed::PackedFindings;
use super::signature::Signer;
use crate::baseline::{Ledger, Signature};
use elf_base::{Class, Code, Diagnostic, Safety};
use elf_config::Choice;
use elf_edit::{
    BearerNumbers, Context, ContextFinder, RecordTags, RepairedFinding, RepairedFindings, Repairs,
};
use elf_render::findings::CodeCount;
use elf_tagged::Document;
use elf_tagged::elf_octets::Patch;
use std::collections::BTreeMap;
use std::io;
use std::sync::Arc;

/// The most octets of findings that wait to be put in order: those of a hundred thousand, or so.
const WAITING: usize = 14 << 20;

/// A finding, and the structure that it is about.
#[derive(Debug, PartialEq)]
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
    kept: PackedFindings,
    /// The findings about parts before, and about the file as a whole.
    late: PackedFindings,
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
        let start = document.source().start().line;
        let mut known = RepairedFindings::default();
        known.extend(repaired);
        let mut finder: Option<ContextFinder<'_, '_>> = None;
        let mut signer = keyed.then(|| Signer::of(document));
        let (mut located, mut late) = (PackedFindings::default(), PackedFindings::default());
        for mut one in kept.take().in_order() {
            if one.finding.place.is_some_and(|place| place.line < start) {
                late.push(&one);
                continue;
            }
            let finder = finder.get_or_insert_with(|| ContextFinder::of(document, is_whole));
            one.context = finder.context_of(&one.finding);
            one.signature = signer.as_mut().map(|signer| signer.signature_of(&one.finding));
            one.repair_by(&mut known);
            located.push(&one);
        }
        located.shrink();
        // Of one of which nothing is printed, nobody asks for the number of a record.
        let is_asked = !is_whole || located.len() > 0;
        let records = if is_asked { RecordTags::of(document) } else { RecordTags::default() };
        let bearers = if is_whole { BearerNumbers::default() } else { bearers };
        PartFindings { kept: located, late, counts, records, bearers }
    }

    /// The findings that came behind the last part.
    pub(crate) fn of_end(Sifted { counts, mut kept, bearers, .. }: Sifted<'_>) -> PartFindings {
        let (located, records) = (PackedFindings::default(), RecordTags::default());
        PartFindings { kept: located, late: kept.take(), counts, records, bearers }
    }
}

fn is_among_first(met: &mut BTreeMap<&'static str, usize>, code: Code) -> bool {
    let met = met.entry(code.id()).or_default();
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
    /// The findings that wait, of each part.
    waiting: Vec<PackedFindings>,
    /// The octets that those take in memory.
    octets: usize,
    /// Findings that only the whole file shows.
    late: Kept,
    /// True if some of those were printed where they were too many to look for their structures: then none
    /// is looked for.
    unplaced: bool,
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
            unplaced: false,
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
        let PartFindings { mut kept, late, counts, records, bearers } = part;
        self.counts.add(&counts);
        if !self.unplaced {
            self.bearers.add(bearers);
        }
        if self.ledger.is_none() && self.keep == Keep::FirstOfEach {
            kept.retain(|code| is_among_first(&mut self.met, code));
        }
        kept.behind(&self.records);
        self.records.add(records);
        self.wait(kept);
        late.in_order().for_each(|one| self.late.add(one.finding));
        self.keep_late_bounded();
        if self.flushed || self.octets >= WAITING { self.flush_early() } else { Ok(()) }
    }

    fn wait(&mut self, findings: PackedFindings) {
        if findings.len() > 0 {
            self.octets += findings.octets();
            self.waiting.push(findings);
        }
    }

    /// Takes a finding that only the whole file shows.
    pub(crate) fn add_late(&mut self, finding: Diagnostic) {
        if !self.unplaced && self.keep != Keep::Nothing {
            self.bearers.see(&finding);
        }
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
        let too_many = self.late.octets() + self.octets >= WAITING && !self.late.is_empty();
        if too_many && self.ledger.is_none() && self.written.is_ok() {
            self.written = self.print_late();
        }
    }

    /// Prints what waits, and behind it what only the whole file shows.
    fn print_late(&mut self) -> io::Result<()> {
        self.flush_early()?;
        if !std::mem::replace(&mut self.unplaced, true) {
            self.bearers = BearerNumbers::default();
        }
        let mut late = self.late.take().in_order();
        late.try_for_each(|one| (self.print)(&one, &self.records))
    }

    /// Prints what waits while more records may come.
    fn flush_early(&mut self) -> io::Result<()> {
        self.records.set_open(true);
        let printed = self.flush(&mut |_| {});
        self.records.set_open(false);
        printed
    }

    /// Prints what waits, once `locate` has found the structures of what only the whole file shows. What is
    /// repaired of the header is known by now, and whether anything is.
    pub(crate) fn finish(
        mut self,
        mut repairs: Repairs,
        locate: impl FnOnce(PackedFindings) -> io::Result<PackedFindings>,
    ) -> io::Result<(CodeCounts, Option<Ledger>)> {
        std::mem::replace(&mut self.written, Ok(()))?;
        self.bearers.number();
        self.records.set_bearers(std::mem::take(&mut self.bearers));
        let late = self.late.take();
        let mut known = RepairedFindings::default();
        let ended = repairs.ended;
        known.extend(std::mem::take(&mut repairs.of_header));
        let mut repair = |one: &mut Located| if ended { one.unrepaired() } else { one.repair_by(&mut known) };
        if self.flushed {
            self.flush(&mut repair)?;
        }
        if late.len() > 0 {
            self.wait(if self.unplaced { late } else { locate(late)? });
        }
        self.flush(&mut repair)?;
        self.counts.judge(&repairs);
        Ok((self.counts, self.ledger))
    }

    /// Prints what waits, each when `repair` has taken its repair.
    fn flush(&mut self, repair: &mut dyn FnMut(&mut Located)) -> io::Result<()> {
        self.flushed = true;
        self.octets = 0;
        let mut first = BTreeMap::new();
        for mut one in PackedFindings::all_in_order(std::mem::take(&mut self.waiting)) {
            if self.is_known(&one) {
                continue;
            }
            let met = if self.ledger.is_some() { &mut self.met } else { &mut first };
            let is_printed = match self.keep {
                Keep::Nothing => false,
                Keep::FirstOfEach => is_among_first(met, one.finding.code),
                Keep::All | Keep::Related | Keep::Bare => true,
            };
            if is_printed {
                repair(&mut one);
                (self.print)(&one, &self.records)?;
            }
        }
        Ok(())
    }

    /// Returns whether the baseline has a finding; if there is one, it is asked now, and what it does not
    /// have is counted.
    fn is_known(&mut self, one: &Located) -> bool {
        let Some(ledger) = &mut self.ledger else { return false };
        let is_known = ledger.meet(&one.finding, one.signature.as_ref());
        if is_known {
            self.counts.known += 1;
        } else {
            self.counts.count(&one.finding, self.choice);
        }
        is_known
    }
}

impl Located {
    /// A finding whose structure nobody looks for.
    pub(crate) const fn without_place(finding: Diagnostic) -> Located {
        Located { finding, context: None, signature: None, repair: None }
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
    /// that they stand in; adds them to `located`.
    pub(crate) fn in_part(
        document: &Document<'_>,
        findings: Vec<Diagnostic>,
        records: &RecordTags,
        (keep, keyed): (Keep, bool),
        located: &mut PackedFindings,
    ) {
        let mut finder = ContextFinder::of(document, false);
        let mut signer = keyed.then(|| Signer::of(document));
        for mut finding in findings {
            if !matches!(keep, Keep::Bare | Keep::Related) && finding.excerpt.is_none() {
                finding.excerpt = finding.place.and_then(|place| document.source().excerpt(place));
            }
            let mut one = Located::without_place(finding);
            one.context = finder.context_of(&one.finding);
            one.context.iter_mut().for_each(|context| context.record.behind(records));
            one.signature = signer.as_mut().map(|signer| signer.signature_of(&one.finding));
            located.push(&one);
        }
    }
}
