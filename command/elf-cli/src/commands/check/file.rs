//! Reading one file through every layer: its findings, its counts, what repairs would do.

use super::judge::{Judged, Judging, PartJudge, PartJudged};
use crate::io::Input;
use crate::parts;
use elf_base::{Code, Diagnostic, Place, Rules, Sink};
use elf_check::config::Choice;
use elf_check::findings::{
    CodeCounts, Gathered, Keep, Ledger, Located, PackedFindings, PartFindings, Print, Sieve, Sifted,
};
use elf_edit::{Answers, Changes, PartRepairs, RecordTags, Repairable, RepairedFindings, long_records};
use elf_schema::{Part, ReadOptions};
use elf_tagged::elf_octets::{ReplacedReader, Replacement, Rereading};
use elf_tagged::{Document, Reader, Xrefs};
use std::cell::RefCell;
use std::io::{self, Read, Seek};
use std::sync::Arc;

/// The most octets of a file that is read as one document.
const WHOLE: usize = 1 << 19;

/// The way in which a file is checked.
#[derive(Clone, Copy)]
pub(crate) struct Checking<'c> {
    pub(crate) rules: &'c Rules,
    pub(crate) options: &'c ReadOptions<'c>,
    pub(crate) choice: &'c Choice,
    pub(crate) judging: Judging,
    pub(crate) keep: Keep,
    /// The account of its findings, where there is a baseline.
    pub(crate) ledger: Option<&'c Ledger>,
    /// The number of threads that read its parts.
    pub(crate) threads: usize,
    /// True if the changes of safe repairs are kept.
    pub(crate) repairs: bool,
}

/// The counts of a file.
#[derive(Debug, Default)]
pub(crate) struct FileCounts {
    pub(crate) lines: u64,
    pub(crate) records: u64,
    /// True if the rules let the reading reach the end.
    pub(crate) complete: bool,
    /// The number of findings that `--fix` repairs.
    pub(crate) repairable: u64,
    /// The number of records that are too long to be repaired.
    pub(crate) too_long: u64,
    pub(crate) codes: CodeCounts,
    /// The account of its findings at the end, where there is a baseline.
    pub(crate) ledger: Option<Ledger>,
    /// The changes of safe repairs, where they are kept.
    pub(crate) changes: Changes,
    /// The reason why nothing is repaired, where it is not.
    pub(crate) refused: Option<elf_edit::RepairRefusal>,
}

/// The share of a part in the counts of its file.
#[derive(Default)]
struct PartCounts {
    lines: u64,
    records: u64,
    /// None behind the last part.
    repairs: Option<PartRepairs>,
    changes: Changes,
    /// The codes of what was found of the encoding.
    encoding: Vec<Code>,
    findings: PartFindings,
    judged: PartJudged,
}

impl PartCounts {
    /// The share of a part of the rest of a long record, whose lines from that one on are its own.
    fn of_rest(document: &Document<'_>, own_line: u64, mut findings: Sifted<'_>) -> PartCounts {
        let encoding = std::mem::take(&mut findings.encoding);
        let findings = PartFindings::of(document, findings, RepairedFindings::default(), false);
        let lines = (document.source().start().line + document.line_count()).saturating_sub(own_line);
        PartCounts { lines, encoding, findings, ..PartCounts::default() }
    }

    /// The share of what came behind the last part.
    fn of_end(mut findings: Sifted<'_>) -> PartCounts {
        let encoding = std::mem::take(&mut findings.encoding);
        PartCounts { encoding, findings: PartFindings::of_end(findings), ..PartCounts::default() }
    }
}

impl Checking<'_> {
    /// Reads a file and prints its findings. One that is not small is read in parts, and where some findings
    /// are of the whole, once more to find the structures that they are about.
    pub(crate) fn check(&self, input: Checkable<'_>, print: &mut Print<'_>) -> io::Result<FileCounts> {
        match input {
            Checkable::Input(Input::Whole(octets)) => self.check(Checkable::Octets(&octets), print),
            Checkable::Octets(octets) if octets.len() <= WHOLE => self.whole(octets, print),
            Checkable::Octets(mut octets) => self.in_parts(&mut octets, print),
            Checkable::Input(Input::Large(input)) if !self.may_read_again() => {
                self.in_parts(&mut Once(Some(input.into_read())), print)
            }
            // What can be read once only goes to a temporary file: some findings take a second reading.
            Checkable::Input(Input::Large(input)) => {
                self.in_parts(&mut Rereading::of(input.into_file()?), print)
            }
        }
    }

    fn whole(&self, octets: &[u8], print: &mut Print<'_>) -> io::Result<FileCounts> {
        let Checking { rules, options, .. } = *self;
        let mut findings = Sifted::new(self.sieve());
        let document = elf_tagged::read_with(octets, rules, &options.octets, options, &mut findings)
            .map_err(io::Error::other)?;
        let typed = elf_schema::read_document(document, options, &mut findings);
        self.judging.whole(&typed, &mut findings);
        let document = typed.document();
        let part = self.see(document, findings, true);
        let mut repairable = Repairable::new(rules);
        if let Some(repairs) = part.repairs {
            repairable.add(repairs);
        }
        let mut gathered = Gathered::new(self.choice, self.keep, self.ledger.cloned(), print);
        gathered.add(part.findings)?;
        let repairs = repairable.finish(document.source().decision(), &part.encoding, &self.chosen());
        let (repairable, too_long) = (repairs.count, repairs.too_long);
        let (codes, ledger) = gathered.finish(repairs, |_| Ok(Vec::new()))?;
        Ok(FileCounts {
            lines: part.lines,
            records: part.records,
            complete: document.is_complete(),
            repairable,
            too_long,
            codes,
            ledger,
            ..FileCounts::default()
        })
    }

    /// Reads an input in parts.
    pub(crate) fn in_parts(&self, input: &mut dyn Reopen, print: &mut Print<'_>) -> io::Result<FileCounts> {
        let Checking { rules, options, threads, .. } = *self;
        let xrefs = self.xrefs(input)?;
        let reader = parts::reader(input.reopen()?, rules, options.clone(), xrefs.clone());
        let mut reader = reader.with_long_records(long_records()).with_late_lookup();
        let gathered = RefCell::new(Gathered::new(self.choice, self.keep, self.ledger.cloned(), print));
        let (mut counts, mut written) = (FileCounts::default(), Ok(()));
        let (mut repairable, mut encoding) = (Repairable::new(rules), Vec::new());
        let (judge, mut judged) = (PartJudge::new(self.judging), Judged::default());
        let add = |part: PartCounts| {
            counts.lines += part.lines;
            counts.records += part.records;
            if let Some(repairs) = part.repairs {
                repairable.add(repairs);
            }
            counts.changes.append(part.changes);
            encoding.extend(part.encoding);
            judge.add(part.judged, &mut judged);
            if written.is_ok() {
                written = gathered.borrow_mut().add(part.findings);
            }
        };
        let start = || Sifted::new(self.sieve());
        let see = |part: Option<&Part<'_>>, mut findings: Sifted<'_>| match part {
            Some(part) => match part.document().part_id().own_line() {
                Some(own) => PartCounts::of_rest(part.document(), own, findings),
                None => {
                    let judged = judge.part(part, &mut findings);
                    PartCounts { judged, ..self.see(part.document(), findings, false) }
                }
            },
            None => PartCounts::of_end(findings),
        };
        let mut of_reader = Late { gathered: &gathered, repairs: None };
        parts::read(&mut reader, threads, (start, see), add, &mut of_reader)?;
        let repairs = Some((self.choice, &mut repairable));
        let mut of_judge = Late { gathered: &gathered, repairs };
        // Nothing that is found of pointers alone can be repaired.
        let xref_lists = reader.take_xrefs().filter(|_| !self.repairs);
        judge.finish((xref_lists, judged), threads, (&mut of_reader, &mut of_judge));
        written?;
        counts.complete = reader.tagged().is_complete();
        let decision = reader.tagged().decision();
        let repairs = decision.map(|decision| repairable.finish(decision, &encoding, &self.chosen()));
        let mut repairs = repairs.unwrap_or_default();
        (counts.repairable, counts.too_long) = (repairs.count, repairs.too_long);
        counts.refused = repairs.refused;
        let of_header = std::mem::take(&mut repairs.changes_of_header);
        counts.changes = of_header.followed_by(counts.changes);
        drop(reader);
        let locate = |late| self.locate(late, input, xrefs);
        (counts.codes, counts.ledger) = gathered.into_inner().finish(repairs, locate)?;
        Ok(counts)
    }

    fn xrefs(&self, input: &mut dyn Reopen) -> io::Result<Option<Arc<Xrefs>>> {
        let xrefs = parts::xrefs(|| input.reopen(), self.rules, &self.options.octets, self.threads)?;
        Ok(xrefs.map(Arc::new))
    }

    /// Tells whether a second reading may be needed, for identifiers or for findings that are printed.
    fn may_read_again(&self) -> bool {
        Xrefs::are_needed(self.rules) || self.keep != Keep::Nothing || self.ledger.is_some()
    }

    fn chosen(&self) -> impl Fn(&Diagnostic) -> bool + Sync {
        |finding| self.choice.takes(finding)
    }

    const fn sieve(&self) -> Sieve<'_> {
        Sieve { choice: self.choice, keep: self.keep, keyed: self.ledger.is_some() }
    }

    /// Looks at a part and its findings, on any thread.
    fn see(&self, document: &Document<'_>, mut findings: Sifted<'_>, is_whole: bool) -> PartCounts {
        let wanted = std::mem::take(&mut findings.wanted);
        let encoding = std::mem::take(&mut findings.encoding);
        // A header of which nothing was found is not looked at; of a part it is not known yet.
        let is_clean = is_whole && wanted.is_empty() && encoding.is_empty() && document.is_complete();
        let mut repairs = (!is_clean).then(|| Repairable::of_wanted(document, wanted, &self.chosen()));
        let changes = repairs.as_ref().filter(|_| self.repairs).map(|repairs| repairs.changes(document));
        let repaired = repairs.as_mut().map(PartRepairs::take_repaired).unwrap_or_default();
        PartCounts {
            lines: document.line_count(),
            records: document.records().count() as u64,
            repairs,
            changes: changes.unwrap_or_default(),
            encoding,
            findings: PartFindings::of(document, findings, repaired, is_whole),
            judged: PartJudged::default(),
        }
    }

    /// Finds the structures of findings, by reading the file once more.
    fn locate(
        &self,
        findings: PackedFindings,
        input: &mut dyn Reopen,
        xrefs: Option<Arc<Xrefs>>,
    ) -> io::Result<Vec<PackedFindings>> {
        /// So many, that reading all of the file costs less than finding them on one thread.
        const MANY: usize = 1 << 10;
        let answers = findings.answers();
        if self.threads > 1 && xrefs.is_none() && answers.is_complete() && findings.len() > MANY {
            return self.locate_many(findings, input);
        }
        Ok(vec![self.locate_few(findings, answers, input, xrefs)?])
    }

    /// Finds the structures of findings on all threads.
    fn locate_many(
        &self,
        mut findings: PackedFindings,
        input: &mut dyn Reopen,
    ) -> io::Result<Vec<PackedFindings>> {
        findings.sort();
        let keep = (self.keep, self.ledger.is_some());
        let see = |document: &Document<'_>| {
            if document.part_id().is_of_rest() {
                return Default::default();
            }
            let (source, mut located) = (document.source(), PackedFindings::default());
            let here = (source.start().octet, source.start().line + document.line_count());
            let here: Vec<Diagnostic> = findings.within(here).collect();
            if !here.is_empty() {
                Located::in_part(document, here, &RecordTags::default(), keep, &mut located);
            }
            (located, RecordTags::of(document))
        };
        let (mut all, mut records) = (Vec::new(), RecordTags::default());
        let reader =
            Reader::new(input.reopen()?, self.rules, &self.options.octets).with_part_size(parts::PART);
        let mut reader = reader.with_long_records(long_records());
        parts::look(&mut reader, self.options, self.threads, see, |(mut located, tags)| {
            located.behind(&records);
            records.add(tags);
            all.push(located);
        })?;
        all.push(findings.of_file());
        Ok(all)
    }

    /// Finds the structures of findings, and answers to links, as far as it takes.
    fn locate_few(
        &self,
        findings: PackedFindings,
        mut answers: Answers,
        input: &mut dyn Reopen,
        xrefs: Option<Arc<Xrefs>>,
    ) -> io::Result<PackedFindings> {
        let mut located = PackedFindings::default();
        let mut records = RecordTags::default();
        let mut rest = findings.in_order().map(|one| one.finding).peekable();
        let has_places = rest.peek().is_some_and(|first| first.place.is_some());
        if has_places {
            let (input, octets) = (input.reopen()?, &self.options.octets);
            let reader = match xrefs {
                Some(xrefs) => Reader::with_xrefs(input, xrefs),
                None => Reader::new(input, self.rules, octets),
            };
            let mut reader = reader.with_part_size(parts::PART).with_long_records(long_records());
            while let Some(document) = reader.next_part_with(self.options, &mut ())? {
                if document.part_id().is_of_rest() {
                    continue;
                }
                let end = document.source().start().line + document.line_count();
                let is_here = |finding: &Diagnostic| finding.place.is_some_and(|place| place.line < end);
                let here: Vec<Diagnostic> = std::iter::from_fn(|| rest.next_if(is_here)).collect();
                answers.find(&document);
                let has_more = rest.peek().is_some_and(|next| next.place.is_some());
                if !has_more && here.is_empty() && answers.is_complete() {
                    break;
                }
                let keep = (self.keep, self.ledger.is_some());
                Located::in_part(&document, here, &records, keep, &mut located);
                records.add(RecordTags::of(&document));
            }
        }
        rest.for_each(|finding| located.push(&Located::without_place(finding)));
        Ok(located.answered(&answers))
    }
}

/// Takes what only the whole file shows, with the repairs of what is chosen of it.
struct Late<'l, 'g> {
    gathered: &'l RefCell<Gathered<'g>>,
    repairs: Option<(&'l Choice, &'l mut Repairable)>,
}

impl Sink for Late<'_, '_> {
    fn report(&mut self, finding: Diagnostic) {
        if let Some((_, repairable)) = self.repairs.as_mut().filter(|(choice, _)| choice.takes(&finding)) {
            repairable.add_late(&finding);
        }
        self.gathered.borrow_mut().add_late(finding);
    }

    fn wants_words(&self, code: Code, place: Option<Place>) -> bool {
        self.gathered.borrow().wants_words_of_late(code, place)
    }
}

/// A file to be checked.
pub(crate) enum Checkable<'i> {
    Input(Input),
    /// All octets of a file.
    Octets(&'i [u8]),
}

/// A file with some of its octets replaced.
pub(crate) struct ReplacedFile<R> {
    pub(crate) file: Rereading<R>,
    pub(crate) replacements: Vec<Replacement>,
}

impl<R: Read + Seek> Reopen for ReplacedFile<R> {
    fn reopen(&mut self) -> io::Result<Box<dyn Read + '_>> {
        Ok(Box::new(ReplacedReader::new(self.file.restart()?, &self.replacements)))
    }
}

/// An input that can be read from its start as often as need be.
pub(crate) trait Reopen {
    fn reopen(&mut self) -> io::Result<Box<dyn Read + '_>>;
}

impl Reopen for &[u8] {
    fn reopen(&mut self) -> io::Result<Box<dyn Read + '_>> {
        Ok(Box::new(*self))
    }
}

/// An input of which one reading is enough.
struct Once(Option<Box<dyn Read>>);

impl Reopen for Once {
    fn reopen(&mut self) -> io::Result<Box<dyn Read + '_>> {
        self.0.take().ok_or_else(|| io::Error::other("the input can be read once only"))
    }
}

impl<R: Read + Seek> Reopen for Rereading<R> {
    fn reopen(&mut self) -> io::Result<Box<dyn Read + '_>> {
        Ok(Box::new(self.restart()?))
    }
}
