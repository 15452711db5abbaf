//! Runs the steps of `elf check`, from the bytes of a file to its findings.

use crate::baseline::Ledger;
use crate::config::Choice;
use crate::counts::CodeCounts;
use crate::finding::{Finding, FindingSink, Keep, sort_key};
use crate::fix::moves_trailer;
use crate::judge::{FileContribution, Judge, JudgeOptions, RunContribution};
use crate::once::OncePerFile;
use crate::reported_twice::merge_reported_twice;
use crate::runs::{CACHED_RUN_SIZE, Restart, RunError, RunReader};
use crate::signature::SignatureMaker;
use elf_base::{Against, Diagnostic, FixAction, Rules, Safety, codes};
use elf_edit::{ContextFinder, FixOptions, LinkFixes, RecordTags, fix_document};
use elf_lineage::QuestionOptions;
use elf_schema::{ReadOptions, TypedDocument};
use elf_tagged::elf_octets::{Decision, Encoding, EncodingReason, Patch};
use elf_tagged::{Document, KnownXrefs};
use std::collections::{BTreeMap, HashMap};
use std::io;
use std::sync::Arc;

/// The options of a check.
#[derive(Clone)]
pub struct Check<'c> {
    /// The rules by which the file is read.
    pub rules: &'c Rules,
    /// The options for reading, such as schemas and whether values are checked.
    pub options: ReadOptions<'c>,
    /// The structural standard against which the file is validated.
    pub against: Option<Against>,
    /// Whether every occurrence of an unknown tag is reported. If false, there is one finding for each tag and parent.
    /// If true, other findings that are normally reported once for a file are also reported at each place.
    pub each_undefined: bool,
    /// The options for the questions about facts. `None` if facts are not checked.
    pub facts: Option<QuestionOptions>,
    /// The findings that are reported, fixed and counted as failures.
    pub choice: Choice,
    /// The amount of detail about findings that the caller needs.
    pub keep: Keep,
}

/// A callback that receives findings in the order of the file. The callback also receives the tags of all records up to
/// that place.
pub type Print<'p> = dyn FnMut(&[Finding], &RecordTags) -> io::Result<()> + 'p;

/// The result of checking a file, without its findings.
#[derive(Debug, Default)]
pub struct Checked {
    /// The number of lines in the file.
    pub lines: u64,
    /// The number of records in the file.
    pub records: u64,
    /// The number of structures of each type in the dictionary of vendor tags, by the IRI of the type.
    pub vendor_tags: BTreeMap<String, u64>,
    /// Whether the file was read to its end and its schema could be resolved.
    pub complete: bool,
    /// The number of findings that `--fix` fixes. The number is 0 if reading stopped early, or if the fixed file would
    /// be read in another encoding.
    pub fixable: u64,
    /// The number of findings of each code.
    pub codes: CodeCounts,
    /// The state of the baseline, if there is one. The state contains the entries that were not found again, or the
    /// findings recorded for a new baseline.
    pub ledger: Option<Ledger>,
}

/// The result of checking a file in memory.
#[derive(Debug, Default)]
pub struct Report {
    /// The findings, in the order of the file.
    pub findings: Vec<Finding>,
    /// The tags of the records. The tags are needed to number the records in the contexts of findings.
    pub records: RecordTags,
    /// The counts of the file and its findings.
    pub checked: Checked,
}

impl<'c> Check<'c> {
    /// Creates a check under `rules` with the defaults of `elf check`. All findings are reported, the standard is that
    /// of the file, and facts are not checked.
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
    /// Returns an I/O error. The error contains [`elf_tagged::TooLarge`] if a run is larger than 4 GiB, and
    /// [`RecordTooLong`](elf_tagged::elf_octets::RecordTooLong) if a record is larger than 1 GiB.
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
    /// whole file come last. With [`Ledger::Known`], known findings are skipped. With [`Ledger::Recorded`], all
    /// findings are recorded.
    ///
    /// # Errors
    ///
    /// Returns [`RunError::Read`] if the input cannot be read, and [`RunError::Write`] if `print` fails.
    pub fn run(
        &self,
        input: &mut dyn Restart,
        ledger: Option<Ledger>,
        print: &mut Print<'_>,
    ) -> Result<Checked, RunError> {
        let judge = Judge::new(JudgeOptions {
            against: self.against,
            each_undefined: self.each_undefined,
            facts: self.facts,
        });
        let has_ledger = ledger.is_some();
        let mut file = FileFindings::new(self, ledger, print);
        let mut late = self.new_sink(has_ledger);
        let mut has_met_limit = false;
        let mut share = FileContribution::default();
        // A guessed encoding is certain only after the whole file has been read, so the findings about it must wait.
        let mut of_encoding: Vec<Diagnostic> = Vec::new();
        let reader = elf_tagged::Reader::new(
            input.restart().map_err(RunError::Read)?,
            self.rules,
            &self.options.octets,
        );
        let mut runs = RunReader::new(reader.with_run_size(CACHED_RUN_SIZE), self.options.clone());
        runs.for_each(
            || self.new_sink(has_ledger),
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
        let asks_whole_file = runs.tagged().decision().is_some_and(is_encoding_guessed)
            || of_encoding.iter().any(has_encoding_fix);
        let known = Arc::new(runs.into_tagged().into_known_xrefs());
        judge.judge_file(share, &mut late);
        file.checked.codes.ignored += late.ignored;
        late.findings.extend(of_encoding);
        let mut late =
            self.locate_findings(late.findings, known, input, has_ledger).map_err(RunError::Read)?;
        if asks_whole_file
            && !file.is_one_run
            && (file.checked.fixable > 0 || late.iter().any(|one| is_about_encoding_name(&one.diagnostic)))
        {
            file.is_refused = !self.fix_encoding(&mut late, input).map_err(RunError::Read)?;
        }
        file.hand_out_last(late).map_err(RunError::Write)?;
        let mut checked = file.finish();
        // If types are missing, the file counts as not completely checked. The fixes of the file are counted anyway,
        // because they do not depend on types.
        checked.complete &= !has_met_limit;
        Ok(checked)
    }

    // With a baseline, it is known only later whether a finding is printed. So every finding must get its message now.
    fn new_sink(&self, has_ledger: bool) -> FindingSink<'_> {
        let keep = match self.keep {
            Keep::Nothing if has_ledger => Keep::Bare,
            Keep::FirstOfEach(_) if has_ledger => Keep::All,
            keep => keep,
        };
        FindingSink::new(&self.choice, keep)
    }

    /// Validates a run and completes the findings in `sink`, which were reported when the run was read.
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
            let mut file = FileContribution::default();
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
        if !document.is_whole() && is_encoding_undecided(document.source().decision()) {
            of_encoding = findings.extract_if(.., |finding| is_about_encoding_name(finding)).collect();
        }
        findings.sort_by_key(sort_key);
        let fixes = self.find_safe_fixes(document, &findings);
        let findings = self.add_contexts(document, findings, has_ledger);
        let findings = findings.into_iter().zip(fixes).map(|(one, fix)| Finding { fix, ..one }).collect();
        CheckedRun {
            findings: RunFindings {
                lines: document.line_count(),
                records: document.records().count() as u64,
                vendor_tags: run.vendor_counts().map(|(iri, count)| (iri.to_owned(), count)).collect(),
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

    /// Returns the patches of each finding that `--fix` fixes.
    fn find_safe_fixes(&self, document: &Document<'_>, findings: &[Diagnostic]) -> Vec<Option<Box<[Patch]>>> {
        let mut fixes_of = vec![None; findings.len()];
        if findings.iter().any(has_safe_fix) {
            let is_chosen = |finding: &Diagnostic| self.choice.reports(finding);
            let options = FixOptions::from(Safety::Safe).choosing(&is_chosen);
            let fixes = fix_document(document, findings, options, &mut ());
            for fixed in &fixes.fixed {
                fixes_of[fixed.finding] = Some(fixes.patches_of(fixed).cloned().collect());
            }
        }
        fixes_of
    }

    /// Finds the structure that each finding is about, and adds it to the finding.
    fn add_contexts(
        &self,
        document: &Document<'_>,
        findings: Vec<Diagnostic>,
        has_ledger: bool,
    ) -> Vec<Finding> {
        let mut finder = None;
        let mut signer = has_ledger.then(|| SignatureMaker::of(document));
        let mut describe = |mut diagnostic: Diagnostic| {
            let finder = finder.get_or_insert_with(|| ContextFinder::of(document));
            let is_kept = self.keep != Keep::Nothing;
            let context = if is_kept { finder.context_of(&diagnostic) } else { None };
            let signature = signer.as_mut().map(|signer| signer.signature_of(&diagnostic));
            if self.keep.keeps_excerpts() {
                let source = document.source();
                let add = |place, excerpt: &mut Option<_>| {
                    *excerpt = excerpt.take().or_else(|| source.excerpt(place));
                };
                diagnostic.place.into_iter().for_each(|place| add(place, &mut diagnostic.excerpt));
                diagnostic.related.iter_mut().for_each(|one| add(one.place, &mut one.excerpt));
            }
            self.keep.remove_detail(&mut diagnostic);
            Finding { diagnostic, context, signature, fix: None }
        };
        findings.into_iter().map(&mut describe).collect()
    }

    /// Reads the file a second time to find the structures that the findings about the whole file concern.
    fn locate_findings(
        &self,
        mut findings: Vec<Diagnostic>,
        known: Arc<KnownXrefs>,
        input: &mut dyn Restart,
        has_ledger: bool,
    ) -> io::Result<Vec<Finding>> {
        findings.sort_by_key(sort_key);
        let mut links = LinkFixes::default();
        findings.iter().filter(|finding| has_safe_fix(finding)).for_each(|finding| links.want(finding));
        let mut located = Vec::new();
        let mut rest = findings.into_iter().peekable();
        let has_place = |finding: &Diagnostic| finding.place.is_some();
        let asks_for_place = self.keep != Keep::Nothing || has_ledger || !links.is_complete();
        if asks_for_place && rest.peek().is_some_and(has_place) {
            let reader = elf_tagged::Reader::new(input.restart()?, self.rules, &self.options.octets);
            let mut reader = reader.with_run_size(CACHED_RUN_SIZE).with_known_xrefs(known);
            let mut records = RecordTags::default();
            // The number of structures with each repeated identifier that have been read.
            let mut bearers: HashMap<String, u64> = HashMap::new();
            while let Some(document) = reader.next_run_with(&self.options, &mut ())? {
                let end = document.source().start().line + document.line_count();
                let is_here = |finding: &Diagnostic| finding.place.is_some_and(|place| place.line < end);
                let here: Vec<Diagnostic> = std::iter::from_fn(|| rest.next_if(is_here)).collect();
                let mut here = self.add_contexts(&document, here, has_ledger);
                let before = |xref: &str| bearers.get(xref).copied().unwrap_or(0);
                here.iter_mut()
                    .filter_map(|one| one.context.as_mut())
                    .for_each(|one| one.record.count_earlier_runs(&records, before));
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

/// Returns whether later bytes of the file can still change the decision about its encoding.
fn is_encoding_undecided(decision: &Decision) -> bool {
    let is_unicode = decision.used == Encoding::Utf8 || decision.used.is_utf16();
    is_encoding_guessed(decision) || decision.because == EncodingReason::Specified && !is_unicode
}

fn is_encoding_guessed(decision: &Decision) -> bool {
    use EncodingReason::{Detected, Forced, Specified};
    !matches!(decision.because, Detected | Forced | Specified)
}

fn has_encoding_fix(finding: &Diagnostic) -> bool {
    finding.fix.as_ref().is_some_and(|fix| fix.action == FixAction::NameEncoding)
}

/// Returns whether a finding disappears if HEAD.CHAR names another encoding.
fn is_about_encoding_name(finding: &Diagnostic) -> bool {
    has_encoding_fix(finding) || finding.code == codes::ENCODING_DEPRECATED
}

fn has_safe_fix(finding: &Diagnostic) -> bool {
    finding.fix.as_ref().is_some_and(|fix| fix.safety == Safety::Safe)
}

struct CheckedRun {
    findings: RunFindings,
    /// The data of this run for the checks of the whole file. `None` if this run is the whole file.
    share: Option<RunContribution>,
    /// The findings about a guessed encoding, whose fixes are known only after the whole file has been read.
    of_encoding: Vec<Diagnostic>,
    /// Whether a schema was too large to be resolved.
    has_met_limit: bool,
}

struct RunFindings {
    lines: u64,
    records: u64,
    vendor_tags: Vec<(String, u64)>,
    tags: RecordTags,
    findings: Vec<Finding>,
    ignored: u64,
    is_whole: bool,
}

/// Counts the findings of a file and hands them out.
struct FileFindings<'f, 'p> {
    keep: Keep,
    choice: &'f Choice,
    print: &'f mut Print<'p>,
    records: RecordTags,
    /// The findings that are reported once for a file. `None` if every finding is reported at its place.
    once: Option<OncePerFile>,
    /// The number of findings of each code that have been handed out.
    shown: HashMap<&'static str, usize>,
    checked: Checked,
    is_one_run: bool,
    /// Whether a misplaced trailer was reported. If one was reported, no missing trailer is reported at the end.
    has_misplaced_trailer: bool,
    /// Whether the fixes were refused for the whole file.
    is_refused: bool,
}

impl<'f, 'p> FileFindings<'f, 'p> {
    fn new(check: &'f Check<'_>, ledger: Option<Ledger>, print: &'f mut Print<'p>) -> FileFindings<'f, 'p> {
        FileFindings {
            keep: check.keep,
            choice: &check.choice,
            print,
            records: RecordTags::default(),
            once: (!check.each_undefined).then(|| OncePerFile::new(check.keep.keeps_fixes())),
            shown: HashMap::new(),
            checked: Checked { ledger, ..Checked::default() },
            is_one_run: false,
            has_misplaced_trailer: false,
            is_refused: false,
        }
    }

    /// Adds the findings of the next run. `bearers_before` returns the number of structures in earlier runs that have
    /// an identifier.
    fn add_run(&mut self, run: RunFindings, bearers_before: impl Fn(&str) -> u64) -> io::Result<()> {
        let RunFindings { lines, records, vendor_tags, tags, mut findings, ignored, is_whole } = run;
        self.checked.lines += lines;
        self.checked.records += records;
        for (iri, count) in vendor_tags {
            *self.checked.vendor_tags.entry(iri).or_default() += count;
        }
        self.checked.codes.ignored += ignored;
        let contexts = findings.iter_mut().filter_map(|one| one.context.as_mut());
        contexts.for_each(|context| context.record.count_earlier_runs(&self.records, &bearers_before));
        self.records.add(tags);
        // Later runs may have more records with the same tag, so the numbers of records are not final yet.
        self.records.set_open(!is_whole);
        self.is_one_run = is_whole;
        if let Some(once) = &mut self.once {
            once.extract_from(&mut findings);
        }
        if is_whole { self.hand_out_last(findings) } else { self.hand_out(findings) }
    }

    /// Hands out the findings about the whole file, and the findings that are reported once for a file.
    fn hand_out_last(&mut self, mut findings: Vec<Finding>) -> io::Result<()> {
        findings.extend(self.once.iter_mut().flat_map(OncePerFile::finish));
        findings.sort_by_key(|one| sort_key(&one.diagnostic));
        self.hand_out(findings)
    }

    /// Counts findings. Hands out the findings that are not in the baseline and that `keep` allows.
    fn hand_out(&mut self, mut findings: Vec<Finding>) -> io::Result<()> {
        let FileFindings { keep, choice, shown, checked, has_misplaced_trailer, .. } = self;
        let Checked { fixable, codes, ledger, .. } = checked;
        findings.retain(|one| {
            let diagnostic = &one.diagnostic;
            *has_misplaced_trailer |= moves_trailer(diagnostic);
            if *has_misplaced_trailer && diagnostic.code == codes::TRAILER_MISSING {
                return false;
            }
            *fixable += u64::from(one.fix.is_some());
            if ledger
                .as_mut()
                .is_some_and(|ledger| ledger.match_or_record(diagnostic, one.signature.as_ref()))
            {
                codes.known += 1;
                return false;
            }
            codes.count_finding(diagnostic, choice, one.fix.is_some());
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
