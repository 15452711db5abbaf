//! The findings of a file, gathered part by part and printed in the order of its lines.

use crate::config::Choice;
use crate::findings::baseline::Ledger;
use crate::findings::counts::CodeCounts;
use crate::findings::kept::{DRAWN, Keep, Kept, Sifted};
use crate::findings::located::Located;
use crate::findings::packed::PackedFindings;
use crate::findings::signature::Signer;
use elf_base::{Code, Diagnostic, Place, codes};
use elf_edit::{BearerNumbers, ContextFinder, RecordTags, RepairedFindings, Repairs};
use elf_tagged::Document;
use std::collections::BTreeMap;
use std::io;

/// The most octets of findings that wait to be put in order, where they are more than [`MOST_IN_ORDER`].
const WAITING: usize = 14 << 20;

/// The number of findings up to which all of a file come in the order of lines.
const MOST_IN_ORDER: usize = 100_000;

/// The most octets of findings which only the whole file shows that wait where others were printed before.
const LATE: usize = 8 << 20;

/// The place of a part in its record.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum OfRecord {
    /// The part has whole records.
    #[default]
    Whole,
    /// The part has the first lines of one.
    Start,
    /// The part has lines of the rest of one.
    Rest,
}

/// The findings of a part of a file, or of the whole of it.
#[derive(Debug, Default)]
pub struct PartFindings {
    kept: PackedFindings,
    /// The findings about parts before, and about the file as a whole.
    late: PackedFindings,
    counts: CodeCounts,
    records: RecordTags,
    /// The records that share an identifier, of a part; the contexts of a whole document know theirs.
    bearers: BearerNumbers,
    /// The place of the part in its record.
    record: OfRecord,
}

impl PartFindings {
    /// Finds the structures of the findings of `document` that are kept, and gives each its repair of those
    /// in `repaired`. `is_whole` says that the document is no part.
    pub fn of(
        document: &Document<'_>,
        Sifted { counts, mut kept, bearers, keyed, .. }: Sifted<'_>,
        repaired: RepairedFindings,
        is_whole: bool,
    ) -> PartFindings {
        let start = document.source().start().line;
        let mut known = repaired;
        let mut finder: Option<ContextFinder<'_, '_>> = None;
        let mut signer = keyed.then(|| Signer::of(document));
        let (mut located, mut late) = (PackedFindings::default(), PackedFindings::default());
        for mut one in kept.take_in_order() {
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
        let record = match (document.part_id().is_of_rest(), document.source().is_cut()) {
            (true, _) => OfRecord::Rest,
            (false, true) => OfRecord::Start,
            (false, false) => OfRecord::Whole,
        };
        // Of one of which nothing is printed, nobody asks for the number of a record; that of the rest of one
        // is counted with its start.
        let is_asked = record != OfRecord::Rest && (!is_whole || !located.is_empty());
        let records = if is_asked { RecordTags::of(document) } else { RecordTags::default() };
        let bearers = if is_whole { BearerNumbers::default() } else { bearers };
        PartFindings { kept: located, late, counts, records, bearers, record }
    }

    /// The findings that came behind the last part.
    pub fn of_end(Sifted { counts, mut kept, bearers, .. }: Sifted<'_>) -> PartFindings {
        let (located, records) = (PackedFindings::default(), RecordTags::default());
        PartFindings { kept: located, late: kept.take(), counts, records, bearers, record: OfRecord::Whole }
    }
}

fn is_among_first(met: &mut BTreeMap<&'static str, usize>, code: Code) -> bool {
    let met = met.entry(code.id()).or_default();
    *met += 1;
    *met <= DRAWN
}

/// The printer of some findings, one behind the other, with the records of the file up to there.
pub type Print<'p> = dyn FnMut(&[Located], &RecordTags) -> io::Result<()> + 'p;

/// The most findings that are printed at once: enough for several threads to have a share of the work.
const AT_ONCE: usize = 1 << 11;

/// The findings of a file, printed in the order of the lines that they are about, whichever layer found them
/// and when. Where they are too many for the memory, those of a part are printed as soon as it was read, and
/// those that only the whole file shows last.
pub struct Gathered<'g> {
    choice: &'g Choice,
    keep: Keep,
    print: &'g mut Print<'g>,
    /// The findings that wait, of each part.
    waiting: Vec<PackedFindings>,
    /// The octets that those take in memory.
    octets: usize,
    /// The number of findings that were taken, printed or not.
    taken: usize,
    /// Findings that only the whole file shows.
    late: Kept,
    /// True if some of those were printed where they were too many to look for their structures: then none
    /// is looked for.
    unplaced: bool,
    written: io::Result<()>,
    /// True if what waited was printed before the end.
    flushed: bool,
    records: RecordTags,
    /// The record whose rest may be yet to come, which counts among those behind it.
    started: RecordTags,
    /// The records that share an identifier, as the findings that only the whole file shows tell of them.
    bearers: BearerNumbers,
    counts: CodeCounts,
    /// The number of findings of each code that wait, where only the first are kept.
    met: BTreeMap<&'static str, usize>,
    ledger: Option<Ledger>,
}

impl<'g> Gathered<'g> {
    /// Makes one of a file that prints by `print`, with the account of its baseline where there is one.
    pub fn new(
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
            taken: 0,
            late: Kept::new(keep, ledger.is_some()),
            unplaced: false,
            written: Ok(()),
            flushed: false,
            records: RecordTags::default(),
            started: RecordTags::default(),
            bearers: BearerNumbers::default(),
            counts: CodeCounts::default(),
            met: BTreeMap::new(),
            ledger,
        }
    }

    /// Takes the findings of the next part in the order of the file.
    ///
    /// # Errors
    ///
    /// That of printing.
    pub fn add(&mut self, part: PartFindings) -> io::Result<()> {
        let PartFindings { mut kept, late, counts, records, bearers, record } = part;
        self.counts.add(&counts);
        if !self.unplaced {
            self.bearers.add(bearers);
        }
        if self.ledger.is_none() && self.keep == Keep::FirstOfEach {
            kept.retain(|code| is_among_first(&mut self.met, code));
        }
        if record != OfRecord::Rest {
            self.records.add(std::mem::take(&mut self.started));
        }
        kept.behind(&self.records);
        match record {
            OfRecord::Start => self.started = records,
            OfRecord::Rest | OfRecord::Whole => self.records.add(records),
        }
        self.wait(kept);
        self.taken += late.len();
        late.in_order().for_each(|one| self.late.add(one.finding));
        self.keep_late_bounded();
        let is_full = self.octets >= WAITING && self.taken > MOST_IN_ORDER;
        if self.flushed || is_full { self.flush_early() } else { Ok(()) }
    }

    fn wait(&mut self, findings: PackedFindings) {
        if !findings.is_empty() {
            self.octets += findings.octets();
            self.taken += findings.len();
            self.waiting.push(findings);
        }
    }

    /// Takes a finding that only the whole file shows.
    pub fn add_late(&mut self, finding: Diagnostic) {
        if !self.unplaced && self.keep != Keep::Nothing {
            self.bearers.see(&finding);
        }
        let is_chosen = match self.ledger {
            Some(_) => self.counts.is_chosen(&finding, self.choice),
            None => self.counts.count(&finding, self.choice),
        };
        if is_chosen {
            self.taken += 1;
            self.late.add(finding);
            self.keep_late_bounded();
        }
    }

    /// Tells whether the words of a finding that only the whole file shows may be printed.
    pub fn wants_words_of_late(&self, code: Code, place: Option<Place>) -> bool {
        self.late.wants_words(code, place)
    }

    /// Prints those that only the whole file shows where there are too many of them to look for their
    /// structures. With a baseline all wait for it to be asked: without their structures it cannot be.
    fn keep_late_bounded(&mut self) {
        let most = match (self.unplaced, self.flushed) {
            // No structures are looked for any more: nothing is gained by waiting.
            (true, _) => LATE / 16,
            (_, true) => LATE,
            (_, false) => WAITING,
        };
        let is_full = self.late.octets() + self.octets >= most && self.taken > MOST_IN_ORDER;
        let too_many = is_full && !self.late.is_empty();
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
        let mut some: Vec<Located> = Vec::new();
        loop {
            some.clear();
            some.extend(late.by_ref().take(AT_ONCE));
            if some.is_empty() {
                return Ok(());
            }
            (self.print)(&some, &self.records)?;
        }
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
    ///
    /// # Errors
    ///
    /// That of printing, or of `locate`.
    pub fn finish(
        mut self,
        mut repairs: Repairs,
        locate: impl FnOnce(PackedFindings) -> io::Result<Vec<PackedFindings>>,
    ) -> io::Result<(CodeCounts, Option<Ledger>)> {
        std::mem::replace(&mut self.written, Ok(()))?;
        self.records.add(std::mem::take(&mut self.started));
        self.bearers.number();
        self.records.set_bearers(std::mem::take(&mut self.bearers));
        let late = self.late.take();
        let refused = repairs.refused.is_some();
        let mut known = std::mem::take(&mut repairs.of_header);
        let mut repair =
            |one: &mut Located| if refused { one.unrepaired() } else { one.repair_by(&mut known) };
        if self.flushed {
            self.flush(&mut repair)?;
        }
        if !late.is_empty() {
            let late = if self.unplaced { vec![late] } else { locate(late)? };
            late.into_iter().for_each(|some| self.wait(some));
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
        let mut some: Vec<Located> = Vec::new();
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
                some.push(one);
                if some.len() == AT_ONCE {
                    (self.print)(&some, &self.records)?;
                    some.clear();
                }
            }
        }
        if some.is_empty() { Ok(()) } else { (self.print)(&some, &self.records) }
    }

    /// Returns whether the baseline has a finding; if there is one, it is asked now, and what it does not
    /// have is counted.
    fn is_known(&mut self, one: &Located) -> bool {
        let Some(ledger) = &mut self.ledger else { return false };
        let is_known = ledger.meet(&one.finding, one.signature.as_ref());
        if is_known {
            self.counts.known += 1;
            self.counts.knows_links |= one.finding.code == codes::LINK_ONE_SIDED;
        } else {
            self.counts.count(&one.finding, self.choice);
        }
        is_known
    }
}
