//! The report of `elf check` on each file and on all files together.

use crate::args::Check;
use crate::baseline::BaselineUse;
use crate::commands::each::SeparatedWriter;
use crate::config::{FileToCheck, Settings};
use crate::exit::Exit;
use crate::io::{self, FileOrMember, Listed};
use crate::reading;
use elf_base::{Class, Code};
use elf_check::runs::{Restart, RunError};
use elf_check::{Baseline, CodeCounts, Entries, Finding, Keep, Ledger, SHOWN_PER_CODE};
use elf_edit::RecordTags;
use elf_report::findings::{At, FindingCounts, FindingFormat, Log, Printer, Statistics, Summary, Total};
use elf_report::human;
use elf_report::vendor::VendorCount;
use elf_schema::ReadOptions;
use rayon::prelude::*;
use std::io::Write;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The report on all files.
pub(super) struct Report<'r> {
    pub(super) reporter: FileReporter<'r>,
    total: Total,
    /// The number of unreadable files that the baseline lists as unreadable.
    known_unread: u64,
    codes: CodeCounts,
    /// For the formats that write all files into one log.
    log: Log,
    /// True if any finding was printed.
    any_printed: bool,
}

/// Checks single files and prints their findings, on any thread.
#[derive(Clone)]
pub(super) struct FileReporter<'r> {
    args: &'r Check,
    options: &'r ReadOptions<'r>,
    pub(super) printer: Printer<'r>,
    /// The baseline, shared by all threads.
    baseline: Option<Arc<Mutex<BaselineUse>>>,
}

/// The result of checking a file, without the printed findings.
pub(super) enum Checked {
    /// The counts of a file.
    Read(Box<FileCounts>),
    /// Why the file could not be read.
    Unread(String),
}

/// What is known about a file after it was checked.
pub(super) struct FileCounts {
    findings: FindingCounts,
    codes: CodeCounts,
    /// The entries of the file in a new baseline.
    entries: Option<Entries>,
}

impl<'r> FileReporter<'r> {
    /// The name of a file for messages.
    fn display_name(&self, path: &Path) -> String {
        reading::display_name(self.displayed_path(path))
    }

    /// The path of a file for messages: that of `--stdin-filename` for standard input.
    fn displayed_path<'p>(&'p self, path: &'p Path) -> &'p Path {
        self.args.stdin_filename.as_deref().filter(|_| io::is_standard(path)).unwrap_or(path)
    }

    fn baseline_place<'p>(&'p self, file: &'p Listed) -> FileOrMember<'p> {
        let FileOrMember { path, member } = file.place();
        FileOrMember { path: self.displayed_path(path), member }
    }

    /// The findings that the output format needs.
    fn findings_to_keep(&self) -> Keep {
        let Check { quiet, statistics, all, format, .. } = self.args;
        match format {
            _ if *quiet > 0 || *statistics || self.args.configuring.write_baseline.is_some() => Keep::Nothing,
            FindingFormat::Human if *all => Keep::All,
            FindingFormat::Human => Keep::FirstOfEach(SHOWN_PER_CODE),
            FindingFormat::Sarif | FindingFormat::Json => Keep::Related,
            FindingFormat::Short | FindingFormat::Github => Keep::Bare,
        }
    }

    /// Describes the structure that a finding is about, as far as the format shows it.
    fn describe_structure<'l>(&self, one: &'l Finding, records: &RecordTags) -> At<'l> {
        let at = At { repair: one.fix.as_deref(), ..At::default() };
        let Some(context) = &one.context else { return at };
        match self.printer.format {
            FindingFormat::Short => at,
            FindingFormat::Human | FindingFormat::Github => {
                At { words: Some(context.describe(records)), ..at }
            }
            FindingFormat::Json | FindingFormat::Sarif => {
                At { record: Some(context.record(records)), path: context.path(records), ..at }
            }
        }
    }

    /// Prints the findings of a file. Their texts are formatted on all threads.
    fn print_findings(
        &self,
        name: &str,
        findings: &[Finding],
        records: &RecordTags,
        out: &mut SeparatedFindings<'_>,
    ) -> std::io::Result<()> {
        /// The number of findings that one task formats.
        const SHARE: usize = 1 << 6;
        let texts: Vec<std::io::Result<Vec<Vec<u8>>>> = findings
            .par_chunks(SHARE)
            .map(|share| {
                share
                    .iter()
                    .map(|one| {
                        let mut text = Vec::new();
                        self.printer.write_finding(
                            &mut text,
                            name,
                            &one.diagnostic,
                            &self.describe_structure(one, records),
                        )?;
                        Ok(text)
                    })
                    .collect()
            })
            .collect();
        for texts in texts {
            texts?.iter().try_for_each(|text| out.write(text))?;
        }
        Ok(())
    }

    /// Checks a file and prints the findings to `out`. `fixed` is the number of findings that were fixed before, if
    /// fixes were requested.
    pub(super) fn check_file(
        &self,
        FileToCheck { file, settings }: &FileToCheck,
        input: &mut dyn Restart,
        fixed: Option<u64>,
        out: &mut dyn Write,
    ) -> std::io::Result<Checked> {
        let (keep, printer) = (self.findings_to_keep(), self.printer);
        let name = &*self.display_name(&file.name);
        let ledger = self
            .baseline
            .as_ref()
            .map(|baseline| lock_baseline(baseline).open_ledger(self.baseline_place(file)));
        let mut findings = SeparatedFindings { out, separator: printer.separators()[1], is_first: true };
        let mut print =
            |some: &[Finding], records: &RecordTags| self.print_findings(name, some, records, &mut findings);
        let mut checked = match settings.check.check(self.options, keep).run(input, ledger, &mut print) {
            Ok(checked) => checked,
            Err(RunError::Read(error)) => return Ok(Checked::Unread(io::describe_error(&error))),
            Err(RunError::Write(error)) => return Err(error),
        };
        if keep == Keep::FirstOfEach(SHOWN_PER_CODE) {
            for one in checked.codes.merged() {
                if let Some(more) = one.count.checked_sub(SHOWN_PER_CODE as u64).filter(|more| *more > 0) {
                    printer.write_more(out, one.class, one.code, more)?;
                }
            }
        }
        let mut counts = counts_of(&checked, fixed);
        let entries = match checked.ledger.take() {
            Some(Ledger::Known(left)) => {
                counts.known = Some(checked.codes.known);
                counts.gone = checked.complete.then(|| count_gone(&left, settings));
                None
            }
            Some(Ledger::Recorded(entries)) => Some(entries),
            None => None,
        };
        let config = settings.config.as_deref();
        let summary = Summary { file: name, counts, config };
        if self.args.quiet < 2 {
            printer.write_summary(out, &summary)?;
        }
        Ok(Checked::Read(Box::new(FileCounts { findings: summary.counts, codes: checked.codes, entries })))
    }
}

/// Writes the findings of a file with a separator between them. The caller writes the separator before the first one,
/// because only it knows what comes before the file.
struct SeparatedFindings<'o> {
    out: &'o mut dyn Write,
    separator: &'static [u8],
    is_first: bool,
}

impl SeparatedFindings<'_> {
    fn write(&mut self, text: &[u8]) -> std::io::Result<()> {
        if !std::mem::replace(&mut self.is_first, false) {
            self.out.write_all(self.separator)?;
        }
        self.out.write_all(text)
    }
}

impl<'r> Report<'r> {
    pub(super) fn new(
        args: &'r Check,
        options: &'r ReadOptions<'r>,
        baseline: Option<BaselineUse>,
        renderer: &'r human::Renderer,
    ) -> Report<'r> {
        let printer = Printer { format: args.format, renderer };
        let baseline = baseline.map(|baseline| Arc::new(Mutex::new(baseline)));
        let reporter = FileReporter { args, options, printer, baseline };
        let (total, codes, log) = (Total::default(), CodeCounts::default(), Log::default());
        Report { reporter, total, known_unread: 0, codes, log, any_printed: false }
    }

    pub(super) fn start(&self, out: &mut dyn Write) -> std::io::Result<()> {
        self.reporter.printer.write_start(out)
    }

    /// Checks a fixed file and prints the findings to `printed`. `fixed` is the number of findings that were fixed.
    pub(super) fn check_fixed(
        &self,
        file: &FileToCheck,
        mut bytes: &[u8],
        fixed: u64,
        printed: &mut Vec<u8>,
    ) -> std::io::Result<Checked> {
        self.reporter.check_file(file, &mut bytes, Some(fixed), printed)
    }

    /// Adds the result of a file to the total, and prints its findings.
    pub(super) fn print_file(
        &mut self,
        file: &FileToCheck,
        checked: Checked,
        printed: &[u8],
        out: &mut dyn Write,
    ) -> std::io::Result<Exit> {
        let mut out = SeparatedWriter::new(out, self.reporter.printer.separators(), self.any_printed);
        out.write_all(printed)?;
        self.any_printed |= out.is_started();
        Ok(self.add_file(file, checked))
    }

    /// Adds the result of a file to the total.
    pub(super) fn add_file(
        &mut self,
        FileToCheck { file, settings }: &FileToCheck,
        checked: Checked,
    ) -> Exit {
        match checked {
            Checked::Read(counts) => {
                let FileCounts { findings: counts, codes, entries } = *counts;
                let config = settings.config.as_deref();
                let summary = Summary { file: &self.reporter.display_name(&file.name), counts, config };
                self.reporter.printer.add_to_log(&summary, &mut self.log);
                self.total.add(&summary);
                self.codes.add(&codes);
                if let (Some(entries), Some(baseline)) = (entries, &self.reporter.baseline)
                    && let BaselineUse::Recorded(baseline) = &mut *lock_baseline(baseline)
                {
                    baseline.record_findings(self.reporter.baseline_place(file), entries);
                }
                if codes.failing > 0 { Exit::Problems } else { Exit::Clean }
            }
            Checked::Unread(reason) => self.add_unread(file, &reason),
        }
    }

    /// Adds an unreadable file to the total, and to a new baseline.
    fn add_unread(&mut self, file: &Listed, reason: &str) -> Exit {
        if let Some(baseline) = &self.reporter.baseline {
            let place = self.reporter.baseline_place(file);
            match &mut *lock_baseline(baseline) {
                BaselineUse::Recorded(baseline) => baseline.record_unreadable(place, reason),
                BaselineUse::Known(baseline) if baseline.knows_unreadable(place, reason) => {
                    self.total.unread();
                    self.known_unread += 1;
                    return Exit::Clean;
                }
                BaselineUse::Known(_) => {}
            }
        }
        self.add_failed(&file.name, reason)
    }

    /// Counts a file that could not be read or fixed. The reason has been reported.
    pub(super) fn add_failed(&mut self, path: &Path, reason: &str) -> Exit {
        self.log.unreadable(&self.reporter.display_name(path), reason);
        self.total.unread();
        Exit::Failed
    }

    /// Returns the new baseline of the files, if one was requested.
    pub(super) fn take_baseline(&mut self) -> Option<Baseline> {
        let baseline = Arc::into_inner(self.reporter.baseline.take()?)?;
        match baseline.into_inner().unwrap_or_else(PoisonError::into_inner) {
            BaselineUse::Recorded(baseline) => Some(baseline.into_inner()),
            BaselineUse::Known(_) => None,
        }
    }

    /// Prints the statistics, the total and the log of all files.
    pub(super) fn finish(self, out: &mut dyn Write) -> std::io::Result<()> {
        if self.reporter.args.statistics {
            let mut statistics: Vec<Statistics> = self
                .codes
                .codes()
                .map(|one| Statistics {
                    code: one.code.id(),
                    name: one.code.name(),
                    class: one.class.name(),
                    count: one.count,
                    repairable: one.fixable,
                    fix: one.safety().map(elf_base::Safety::name),
                })
                .collect();
            statistics.sort_by_key(|one| std::cmp::Reverse(one.count));
            self.reporter.printer.write_statistics(out, &statistics)?;
            self.reporter.printer.write_vendor_tags(out, &VendorCount::list(&self.total.counts.vendor))?;
        }
        if self.total.files > 1 || self.reporter.args.quiet > 1 {
            self.reporter.printer.write_total(out, &self.total)?;
        }
        let met = self.codes.merged();
        let exit = match (self.total.unread - self.known_unread, self.codes.failing) {
            (0, 0) => Exit::Clean,
            // The new baseline contains the findings, so they do not count.
            (0, _) if self.reporter.args.configuring.write_baseline.is_some() => Exit::Clean,
            (0, _) => Exit::Problems,
            _ => Exit::Failed,
        };
        self.reporter.printer.write_end(out, &self.log, &met, exit.status())
    }
}

fn lock_baseline(baseline: &Mutex<BaselineUse>) -> MutexGuard<'_, BaselineUse> {
    baseline.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The number of findings in the baseline that were not found any more. Findings that would not be reported are not
/// counted.
fn count_gone(left: &Entries, settings: &Settings) -> u64 {
    let is_wanted = |id: &str| {
        Code::from_name(id).is_none_or(|code| {
            settings.check.choice.reports_code(code, code.class(settings.check.rules.format))
        })
    };
    left.iter().filter(|((code, _), _)| is_wanted(code)).map(|(_, count)| count).sum()
}

fn counts_of(checked: &elf_check::Checked, fixed: Option<u64>) -> FindingCounts {
    let of_class = |class| checked.codes.of_class(class);
    FindingCounts {
        lines: checked.lines,
        records: checked.records,
        vendor: checked.vendor_tags.clone(),
        malformed: of_class(Class::Malformed),
        non_conformant: of_class(Class::NonConformant),
        deprecated: of_class(Class::Deprecated),
        advice: of_class(Class::Advice),
        questions: of_class(Class::Question),
        ignored: checked.codes.ignored,
        known: None,
        gone: None,
        repairable: checked.fixable,
        repaired: fixed,
        complete: checked.complete,
    }
}
