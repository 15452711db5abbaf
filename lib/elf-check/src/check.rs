//! The pipeline of `elf check`: from bytes to findings.

use crate::baseline::Ledger;
use crate::config::Choice;
use crate::counts::CodeCounts;
use crate::finding::{Finding, FindingSink, Keep, order};
use crate::fix::moves_trailer;
use crate::judge::{FileShare, Judge, Questioning, RunShare};
use crate::once::OncePerFile;
use crate::reported_twice::merge_reported_twice;
use crate::runs::{RUN_SIZE, Restart, RunError, RunReader};
use crate::signature::Signer;
use elf_base::{Against, Diagnostic, FixAction, Rules, Safety, codes};
use elf_edit::{ContextFinder, FixOptions, LinkFixes, RecordTags, fix_document};
use elf_lineage::Asking;
use elf_schema::{ReadOptions, TypedDocument};
use elf_tagged::elf_octets::{Decision, Encoding, EncodingReason, Patch};
use elf_tagged::{Document, KnownXrefs};
use std::collections::HashMap;
use std::io;
use std::sync::Arc;

/// How files are checked.
#[derive(Clone)]
pub struct Check<'c> {
    /// The rules for reading.
    pub rules: &'c Rules,
    /// How types are found and values are checked.
    pub options: ReadOptions<'c>,
    /// The structural standard to validate against.
    pub against: Option<Against>,
    /// Whether every unknown tag is reported, instead of once for each kind of place. Other findings that are
    /// reported once for a file are then also reported each time.
    pub each_undefined: bool,
    /// The questions about facts; `None` if the facts are not checked.
    pub facts: Option<Asking>,
    /// Which findings are reported.
    pub choice: Choice,
    /// How much of the findings is kept for the caller.
    pub keep: Keep,
}

/// A callback for findings in the order of the file. It also gets the records up to there.
pub type Print<'p> = dyn FnMut(&[Finding], &RecordTags) -> io::Result<()> + 'p;

/// The result of checking a file, without its findings.
#[derive(Debug, Default)]
pub struct Checked {
    /// The number of lines.
    pub lines: u64,
    /// The number of records.
    pub records: u64,
    /// The number of structures under vendor tags that the built-in dictionary knows.
    pub vendor_tags: u64,
    /// True if the file was read to its end and its schema could be resolved.
    pub complete: bool,
    /// The number of findings that `--fix` fixes. 0 if reading stopped early, or if the fixed file would be read in
    /// another encoding.
    pub fixable: u64,
    /// The number of findings of each code.
    pub codes: CodeCounts,
    /// The rest of the baseline, or the findings to record for one.
    pub ledger: Option<Ledger>,
}

/// The findings of a file in memory.
#[derive(Debug, Default)]
pub struct Report {
    /// The findings, in the order of the file.
    pub findings: Vec<Finding>,
    /// The records, which contexts need for their numbers.
    pub records: RecordTags,
    /// The counts.
    pub checked: Checked,
}

impl<'c> Check<'c> {
    /// Creates a check under `rules` with the defaults of `elf check`: all findings are reported, the standard is
    /// that of the file, and facts are not checked.
    pub fn new(rules: &'c Rules) -> Check<'c> {
        let standard = rules.schema.default.standard();
        Check {
            rules,
            options: ReadOptions::default().with_check_values(true),
            against: standard.map(|standard| Against { standard, is_named: false }),
            each_undefined: false,
            facts: None,
            choice: Choice::default(),
            keep: Keep::All,
        }
    }

    /// Checks a file in memory.
    ///
    /// # Errors
    ///
    /// [`elf_tagged::TooLarge`], wrapped, where a run is over 4 GiB, and
    /// [`RecordTooLong`](elf_tagged::elf_octets::RecordTooLong), wrapped, where a record is over 1 GiB.
    pub fn check(&self, bytes: &[u8]) -> io::Result<Report> {
        let (mut findings, mut all_records) = (Vec::new(), RecordTags::default());
        let checked = self.run(&mut &*bytes, None, &mut |some, records| {
            findings.extend_from_slice(some);
            all_records = records.clone();
            Ok(())
        })?;
        Ok(Report { findings, records: all_records, checked })
    }

    /// Checks a file and passes its findings to `print`, run by run. If the file has several runs, findings about the
    /// whole file come last. With a `ledger`, known findings are not passed, or all are recorded for a new baseline.
    ///
    /// # Errors
    ///
    /// [`RunError::Read`] where the input cannot be read, [`RunError::Write`] where `print` fails.
    pub fn run(
        &self,
        input: &mut dyn Restart,
        ledger: Option<Ledger>,
        print: &mut Print<'_>,
    ) -> Result<Checked, RunError> {
        let judge = Judge::new(Questioning {
            against: self.against,
            each_undefined: self.each_undefined,
            facts: self.facts,
        });
        let has_ledger = ledger.is_some();
        let mut file = FileFindings::new(self, ledger, print);
        let mut late = self.sink(has_ledger);
        let mut has_met_limit = false;
        let mut share = FileShare::default();
        // The whole file is the evidence for its encoding.
        let mut of_encoding: Vec<Diagnostic> = Vec::new();
        let reader = elf_tagged::Reader::new(
            input.restart().map_err(RunError::Read)?,
            self.rules,
            &self.options.octets,
        );
        let mut runs = RunReader::new(reader.with_run_size(RUN_SIZE), self.options.clone());
        runs.for_each(
            || self.sink(has_ledger),
            |run, sink| self.check_run(&judge, run, sink, has_ledger),
            |run, before| {
                if let Some(of_run) = run.share {
                    judge.add(of_run, &mut share);
                }
                of_encoding.extend(run.of_encoding);
                has_met_limit |= run.has_met_limit;
                let bearers_before = |xref: &str| before.bearer_count(xref);
                file.add_run(run.findings, bearers_before)
            },
            &mut late,
        )?;
        has_met_limit |= late.has_met_limit;
        file.checked.complete = runs.tagged().is_complete();
        let asks_whole_file =
            runs.tagged().decision().is_some_and(is_guessed) || of_encoding.iter().any(names_encoding);
        let known = Arc::new(runs.into_tagged().into_known_xrefs());
        judge.judge_file(share, &mut late);
        file.checked.codes.ignored += late.ignored;
        late.findings.extend(of_encoding);
        let mut late = self.locate(late.findings, known, input, has_ledger).map_err(RunError::Read)?;
        if asks_whole_file
            && !file.is_one_run
            && (file.checked.fixable > 0 || late.iter().any(|one| is_of_encoding(&one.diagnostic)))
        {
            file.is_refused = !self.fix_encoding(&mut late, input).map_err(RunError::Read)?;
        }
        file.add_last(late).map_err(RunError::Write)?;
        let mut checked = file.finish();
        // Fixes do not depend on types, so they are counted anyway.
        checked.complete &= !has_met_limit;
        Ok(checked)
    }

    /// Returns a sink for the findings that count. Where there is a baseline, it decides later which findings
    /// are handed out.
    fn sink(&self, has_ledger: bool) -> FindingSink<'_> {
        let keep = match self.keep {
            Keep::Nothing if has_ledger => Keep::Bare,
            Keep::FirstOfEach(_) if has_ledger => Keep::All,
            keep => keep,
        };
        FindingSink::new(&self.choice, keep)
    }

    /// Judges a run that was read with its findings in `sink`, and finishes these findings.
    fn check_run(
        &self,
        judge: &Judge,
        run: &TypedDocument<'_>,
        mut sink: FindingSink<'_>,
        has_ledger: bool,
    ) -> CheckedRun {
        let document = run.document();
        let share = judge.judge_run(run, &mut sink);
        let share = if document.is_whole() {
            let mut file = FileShare::default();
            judge.add(share, &mut file);
            judge.judge_file(file, &mut sink);
            None
        } else {
            Some(share)
        };
        let FindingSink { mut findings, ignored, has_met_limit, .. } = sink;
        if document.run_number() == 0 {
            merge_reported_twice(&mut findings);
        }
        let mut of_encoding = Vec::new();
        if !document.is_whole() && is_open(document.source().decision()) {
            of_encoding = findings.extract_if(.., |finding| is_of_encoding(finding)).collect();
        }
        findings.sort_by_key(order);
        let fixes = self.fixes_of(document, &findings);
        let findings = self.describe(document, findings, has_ledger);
        let findings = findings.into_iter().zip(fixes).map(|(one, fix)| Finding { fix, ..one }).collect();
        CheckedRun {
            findings: RunFindings {
                lines: document.line_count(),
                records: document.records().count() as u64,
                vendor_tags: run.vendor_tag_count(),
                tags: RecordTags::of(document),
                findings,
                ignored,
                is_whole: document.is_whole(),
            },
            share,
            of_encoding,
            has_met_limit,
        }
    }

    /// Returns the patches that `--fix` makes for each finding.
    fn fixes_of(&self, document: &Document<'_>, findings: &[Diagnostic]) -> Vec<Option<Box<[Patch]>>> {
        let mut fixes_of = vec![None; findings.len()];
        if findings.iter().any(is_safe) {
            let is_chosen = |finding: &Diagnostic| self.choice.takes(finding);
            let options = FixOptions::from(Safety::Safe).choosing(&is_chosen);
            let fixes = fix_document(document, findings, options, &mut ());
            for fixed in &fixes.fixed {
                fixes_of[fixed.finding] = Some(fixes.patches_of(fixed).cloned().collect());
            }
        }
        fixes_of
    }

    /// Finds the structures that findings about a document concern.
    fn describe(&self, document: &Document<'_>, findings: Vec<Diagnostic>, has_ledger: bool) -> Vec<Finding> {
        let mut finder = None;
        let mut signer = has_ledger.then(|| Signer::of(document));
        let mut describe = |mut diagnostic: Diagnostic| {
            let finder = finder.get_or_insert_with(|| ContextFinder::of(document));
            let is_kept = self.keep != Keep::Nothing;
            let context = if is_kept { finder.context_of(&diagnostic) } else { None };
            let signature = signer.as_mut().map(|signer| signer.signature_of(&diagnostic));
            if self.keep.has_excerpts() {
                let source = document.source();
                let add = |place, excerpt: &mut Option<_>| {
                    *excerpt = excerpt.take().or_else(|| source.excerpt(place));
                };
                diagnostic.place.into_iter().for_each(|place| add(place, &mut diagnostic.excerpt));
                diagnostic.related.iter_mut().for_each(|one| add(one.place, &mut one.excerpt));
            }
            self.keep.strip(&mut diagnostic);
            Finding { diagnostic, context, signature, fix: None }
        };
        findings.into_iter().map(&mut describe).collect()
    }

    /// Finds the structures that findings of the whole file concern, by reading the file once more.
    fn locate(
        &self,
        mut findings: Vec<Diagnostic>,
        known: Arc<KnownXrefs>,
        input: &mut dyn Restart,
        has_ledger: bool,
    ) -> io::Result<Vec<Finding>> {
        findings.sort_by_key(order);
        let mut links = LinkFixes::default();
        findings.iter().filter(|finding| is_safe(finding)).for_each(|finding| links.want(finding));
        let mut located = Vec::new();
        let mut rest = findings.into_iter().peekable();
        let has_place = |finding: &Diagnostic| finding.place.is_some();
        let asks_for_place = self.keep != Keep::Nothing || has_ledger || !links.is_complete();
        if asks_for_place && rest.peek().is_some_and(has_place) {
            let reader = elf_tagged::Reader::new(input.restart()?, self.rules, &self.options.octets);
            let mut reader = reader.with_run_size(RUN_SIZE).with_known_xrefs(known);
            let mut records = RecordTags::default();
            // The number of structures so far that have each repeated identifier.
            let mut bearers: HashMap<String, u64> = HashMap::new();
            while let Some(document) = reader.next_run_with(&self.options, &mut ())? {
                let end = document.source().start().line + document.line_count();
                let is_here = |finding: &Diagnostic| finding.place.is_some_and(|place| place.line < end);
                let here: Vec<Diagnostic> = std::iter::from_fn(|| rest.next_if(is_here)).collect();
                let mut here = self.describe(&document, here, has_ledger);
                let before = |xref: &str| bearers.get(xref).copied().unwrap_or(0);
                here.iter_mut()
                    .filter_map(|one| one.context.as_mut())
                    .for_each(|one| one.record.behind(&records, before));
                located.append(&mut here);
                links.find(&document, Safety::Safe);
                records.add(RecordTags::of(&document));
                if document.any_repeated() {
                    for (xref, here) in document.repeated_bearers() {
                        *bearers.entry(xref.to_owned()).or_default() += here.len() as u64;
                    }
                }
                if links.is_complete() && !rest.peek().is_some_and(has_place) {
                    break;
                }
            }
        }
        located.extend(rest.map(|diagnostic| Finding {
            diagnostic,
            context: None,
            signature: None,
            fix: None,
        }));
        for one in &mut located {
            one.fix = links.patches_of(&one.diagnostic).map(Into::into);
        }
        Ok(located)
    }
}

/// Returns whether bytes further on may still decide the encoding of a file.
fn is_open(decision: &Decision) -> bool {
    let is_unicode = decision.used == Encoding::Utf8 || decision.used.is_utf16();
    is_guessed(decision) || decision.because == EncodingReason::Specified && !is_unicode
}

/// Returns whether the encoding of a file is a guess: the bytes of the whole file decide it.
fn is_guessed(decision: &Decision) -> bool {
    use EncodingReason::{Detected, Forced, Specified};
    !matches!(decision.because, Detected | Forced | Specified)
}

/// Returns whether the fix of a finding names the encoding of the file.
fn names_encoding(finding: &Diagnostic) -> bool {
    finding.fix.as_ref().is_some_and(|fix| fix.action == FixAction::NameEncoding)
}

/// Returns whether a finding goes when the header names another encoding.
fn is_of_encoding(finding: &Diagnostic) -> bool {
    names_encoding(finding) || finding.code == codes::ENCODING_DEPRECATED
}

/// Returns whether a finding proposes a safe fix.
fn is_safe(finding: &Diagnostic) -> bool {
    finding.fix.as_ref().is_some_and(|fix| fix.safety == Safety::Safe)
}

/// A run that was checked.
struct CheckedRun {
    findings: RunFindings,
    /// What the run contributes to the questions about the whole file; `None` if it is the whole file.
    share: Option<RunShare>,
    /// The findings about an encoding that is a guess: only the whole file shows how they are fixed.
    of_encoding: Vec<Diagnostic>,
    /// True if a schema was too large to follow.
    has_met_limit: bool,
}

/// The findings of a run.
struct RunFindings {
    lines: u64,
    records: u64,
    vendor_tags: u64,
    tags: RecordTags,
    findings: Vec<Finding>,
    ignored: u64,
    is_whole: bool,
}

/// The findings of a file, as they are handed out.
struct FileFindings<'f, 'p> {
    keep: Keep,
    choice: &'f Choice,
    print: &'f mut Print<'p>,
    records: RecordTags,
    /// The findings that are reported once; `None` if each is reported at its place.
    once: Option<OncePerFile>,
    /// The number of findings of each code that were handed out.
    shown: HashMap<&'static str, usize>,
    checked: Checked,
    is_one_run: bool,
    /// True if a trailer that is before other records was reported: then none is missing at the end.
    has_misplaced_trailer: bool,
    /// True if the whole file shows that nothing in it is fixed.
    is_refused: bool,
}

impl<'f, 'p> FileFindings<'f, 'p> {
    fn new(check: &'f Check<'_>, ledger: Option<Ledger>, print: &'f mut Print<'p>) -> FileFindings<'f, 'p> {
        FileFindings {
            keep: check.keep,
            choice: &check.choice,
            print,
            records: RecordTags::default(),
            once: (!check.each_undefined).then(|| OncePerFile::new(check.keep.has_fixes())),
            shown: HashMap::new(),
            checked: Checked { ledger, ..Checked::default() },
            is_one_run: false,
            has_misplaced_trailer: false,
            is_refused: false,
        }
    }

    /// Adds the findings of the next run; `bearers_before` tells how many structures of the runs before bear an
    /// identifier.
    fn add_run(&mut self, run: RunFindings, bearers_before: impl Fn(&str) -> u64) -> io::Result<()> {
        let RunFindings { lines, records, vendor_tags, tags, mut findings, ignored, is_whole } = run;
        self.checked.lines += lines;
        self.checked.records += records;
        self.checked.vendor_tags += vendor_tags;
        self.checked.codes.ignored += ignored;
        let contexts = findings.iter_mut().filter_map(|one| one.context.as_mut());
        contexts.for_each(|context| context.record.behind(&self.records, &bearers_before));
        self.records.add(tags);
        // More records with this tag may follow.
        self.records.set_open(!is_whole);
        self.is_one_run = is_whole;
        if let Some(once) = &mut self.once {
            once.take_from(&mut findings);
        }
        if is_whole { self.add_last(findings) } else { self.add(findings) }
    }

    /// Adds the last findings, and those that are reported once.
    fn add_last(&mut self, mut findings: Vec<Finding>) -> io::Result<()> {
        findings.extend(self.once.iter_mut().flat_map(OncePerFile::finish));
        findings.sort_by_key(|one| order(&one.diagnostic));
        self.add(findings)
    }

    /// Counts findings and hands out those that are new and kept.
    fn add(&mut self, mut findings: Vec<Finding>) -> io::Result<()> {
        let FileFindings { keep, choice, shown, checked, has_misplaced_trailer, .. } = self;
        let Checked { fixable, codes, ledger, .. } = checked;
        findings.retain(|one| {
            let diagnostic = &one.diagnostic;
            *has_misplaced_trailer |= moves_trailer(diagnostic);
            if *has_misplaced_trailer && diagnostic.code == codes::TRAILER_MISSING {
                return false;
            }
            *fixable += u64::from(one.fix.is_some());
            if ledger.as_mut().is_some_and(|ledger| ledger.meet(diagnostic, one.signature.as_ref())) {
                codes.known += 1;
                return false;
            }
            codes.count(diagnostic, choice, one.fix.is_some());
            let shown = shown.entry(diagnostic.code.id()).or_default();
            *shown += 1;
            match keep {
                Keep::Nothing => false,
                Keep::FirstOfEach(most) => *shown <= *most,
                Keep::All | Keep::Related | Keep::Bare => true,
            }
        });
        if findings.is_empty() { Ok(()) } else { (self.print)(&findings, &self.records) }
    }

    fn finish(self) -> Checked {
        let fixable = if self.checked.complete && !self.is_refused { self.checked.fixable } else { 0 };
        Checked { fixable, ..self.checked }
    }
}
