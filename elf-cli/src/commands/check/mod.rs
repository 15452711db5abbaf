//! `elf check`: everything that is wrong with a file.

mod choice;
mod context;
mod file;
mod gather;
mod signature;

pub(crate) use choice::Choice;

use crate::args::{Check, CheckFormat};
use crate::baseline::{Baseline, BaselineUse, Entries, Ledger};
use crate::commands::{fix, write_to};
use crate::config::{ConfigError, Configs, Settings};
use crate::console::Console;
use crate::exit::Exit;
use crate::io::{self, Input};
use crate::parts;
use crate::reading;
use crate::render::findings::{At, CodeCount, FindingCounts, Log, Printer, Statistics, Summary, Total};
use crate::render::human;
use crate::schemas::Schemas;
use context::RecordTags;
use elf_base::{Class, Code};
use elf_schema::ReadOptions;
use file::{Checking, FileCounts};
use gather::{CodeCounts, DRAWN, Keep, Located};
use std::io::Write;
use std::path::{Path, PathBuf};

pub(crate) fn run(args: &Check, console: &mut Console) -> Exit {
    let schemas = match Schemas::of(&args.reading, console) {
        Ok(schemas) => schemas,
        Err(exit) => return exit,
    };
    let options = schemas.options(args.encoding).with_check_values(true).with_each_undefined(args.all);
    // What is wrong with a configuration is said before anything is done.
    let files: Result<Vec<CheckedFile<'_>>, ConfigError> = Configs::of(args).and_then(|configs| {
        let settings = |path: &'_ PathBuf| configs.settings(path, None);
        args.files.iter().map(|path| Ok(CheckedFile { path, settings: settings(path)? })).collect()
    });
    let files = match files {
        Ok(files) => files,
        Err(error) => {
            console.misconfigured(&error);
            return Exit::Failed;
        }
    };
    let baseline = match BaselineUse::of(&args.configuring) {
        Ok(baseline) => baseline,
        Err(reason) => {
            console.failure(&reason);
            return Exit::Failed;
        }
    };
    if args.fixing.any() {
        return fix::run(args, (&files, baseline), &options, console);
    }
    write_to(args.output.as_deref(), console, |out, console| {
        let renderer = human::Renderer::new(out.is_coloured(), io::terminal_width());
        let mut report = Report::new(args, &options, baseline, &renderer);
        let mut exit = Exit::Clean;
        report.start(out)?;
        for (number, file) in (1..).zip(&files) {
            console.at_file(number, files.len());
            let meter = console.working(&format!("checking {}", report.name(file.path)));
            exit = exit.max(match io::open(file.path, &meter) {
                Ok(input) => report.file(file, input, None, out, console)?,
                Err(error) => report.unreadable(file.path, &error, console),
            });
            // So that findings and failures of several files stand in their order.
            out.flush()?;
        }
        let baseline = report.baseline.take();
        report.finish(out)?;
        Ok(match (baseline, &args.configuring.write_baseline) {
            (Some(BaselineUse::Recorded(baseline)), Some(place)) => record(baseline, place, exit, console),
            _ => exit,
        })
    })
}

/// Writes the baseline that was made of files, unless one of them could not be read.
fn record(baseline: Baseline, place: &Path, exit: Exit, console: &mut Console) -> Exit {
    if exit == Exit::Failed {
        console.unwritable(place, "it would lack the files that could not be read");
        return exit;
    }
    write_to(Some(place), console, |file, _| baseline.write(file).map(|()| Exit::Clean))
}

/// A file, and the way in which it is checked.
pub(super) struct CheckedFile<'f> {
    pub(super) path: &'f Path,
    pub(super) settings: Settings,
}

/// The report on some files.
pub(super) struct Report<'r> {
    args: &'r Check,
    options: &'r ReadOptions<'r>,
    printer: Printer<'r>,
    total: Total,
    codes: CodeCounts,
    /// For programs that want all files in one log.
    log: Log,
    baseline: Option<BaselineUse>,
    /// True if any finding was printed.
    any_printed: bool,
}

impl<'r> Report<'r> {
    pub(super) fn new(
        args: &'r Check,
        options: &'r ReadOptions<'r>,
        baseline: Option<BaselineUse>,
        renderer: &'r human::Renderer,
    ) -> Report<'r> {
        Report {
            args,
            options,
            printer: Printer { format: args.format, renderer },
            total: Total::default(),
            codes: CodeCounts::default(),
            log: Log::default(),
            baseline,
            any_printed: false,
        }
    }

    /// Prints what stands before all findings.
    pub(super) fn start(&self, out: &mut dyn Write) -> std::io::Result<()> {
        self.printer.start(out)
    }

    /// The name of a file in what is reported.
    fn name(&self, path: &Path) -> String {
        let named = self.args.stdin_filename.as_deref().filter(|_| io::is_standard(path));
        reading::name(named.unwrap_or(path))
    }

    /// The findings that are kept for the format.
    fn keep(&self) -> Keep {
        let Check { quiet, statistics, all, format, .. } = self.args;
        match format {
            _ if *quiet || *statistics || self.args.configuring.write_baseline.is_some() => Keep::Nothing,
            CheckFormat::Human if *all => Keep::All,
            CheckFormat::Human => Keep::FirstOfEach,
            CheckFormat::Sarif => Keep::Related,
            CheckFormat::Short | CheckFormat::Json | CheckFormat::Github => Keep::Bare,
        }
    }

    /// Checks what was read from `file`, of which so many findings were repaired, if any were to be.
    pub(super) fn file(
        &mut self,
        &CheckedFile { path, ref settings }: &CheckedFile<'_>,
        input: Input,
        repaired: Option<u64>,
        out: &mut dyn Write,
        console: &mut Console,
    ) -> std::io::Result<Exit> {
        let name = self.name(path);
        let (keep, printer) = (self.keep(), self.printer);
        let named = self.args.stdin_filename.as_deref().filter(|_| io::is_standard(path)).unwrap_or(path);
        let ledger = self.baseline.as_ref().map(|baseline| baseline.ledger(named));
        let checking = Checking {
            rules: settings.rules,
            options: self.options,
            choice: &settings.choice,
            keep,
            ledger: ledger.as_ref(),
            threads: parts::threads(self.args.jobs),
        };
        let mut written = Ok(());
        let any_printed = &mut self.any_printed;
        let mut print = |one: &Located, records: &RecordTags| {
            if written.is_ok() {
                let is_first = !std::mem::replace(any_printed, true);
                written = printer
                    .separator(out, is_first)
                    .and_then(|()| printer.finding(out, &name, &one.finding, &at(one, records)));
            }
            Ok(())
        };
        let checked = checking.check(input, &mut print);
        console.done();
        written?;
        let mut counts = match checked {
            Ok(counts) => counts,
            Err(error) => return Ok(self.unreadable(path, &error, console)),
        };
        if keep == Keep::FirstOfEach {
            for one in counts.codes.codes() {
                if let Some(more) = one.count.checked_sub(DRAWN as u64).filter(|more| *more > 0) {
                    printer.more(out, (one.class, one.code), more)?;
                }
            }
        }
        let mut found = summed(&counts, repaired);
        match counts.ledger.take() {
            Some(Ledger::Known(left)) => {
                found.known = Some(counts.codes.known);
                found.gone = counts.complete.then(|| gone(&left, settings));
            }
            Some(Ledger::Recorded(entries)) => {
                if let Some(BaselineUse::Recorded(baseline)) = &mut self.baseline {
                    baseline.record(named, entries);
                }
            }
            None => {}
        }
        let config = settings.config.as_deref();
        let summary = Summary { file: &name, counts: found, config };
        printer.summary(out, &summary, &mut self.log)?;
        self.total.add(&summary);
        self.codes.add(&counts.codes);
        Ok(if counts.codes.failing > 0 { Exit::Problems } else { Exit::Clean })
    }

    /// Says that a file could not be read.
    pub(super) fn unreadable(&mut self, path: &Path, error: &std::io::Error, console: &mut Console) -> Exit {
        let reason = io::reason(error);
        console.unreadable(path, &reason);
        self.failed(path, &reason)
    }

    /// Counts a file with which nothing could be done, as was said already.
    pub(super) fn failed(&mut self, path: &Path, reason: &str) -> Exit {
        self.log.unreadable(&self.name(path), reason);
        self.total.unread();
        Exit::Failed
    }

    /// Prints what all files have in common.
    pub(super) fn finish(self, out: &mut dyn Write) -> std::io::Result<()> {
        if self.args.statistics {
            let mut statistics: Vec<Statistics> = self
                .codes
                .codes()
                .map(|one| Statistics {
                    code: one.code.id(),
                    name: one.code.name(),
                    class: one.class.name(),
                    count: one.count,
                    fix: one.code.fix().map(elf_base::Safety::name),
                })
                .collect();
            statistics.sort_by_key(|one| std::cmp::Reverse(one.count));
            self.printer.statistics(out, &statistics)?;
        }
        if self.total.files > 1 {
            self.printer.total(out, &self.total)?;
        }
        let met: Vec<CodeCount> = self.codes.codes().collect();
        let exit = match (self.total.unread, self.codes.failing) {
            (0, 0) => Exit::Clean,
            (0, _) => Exit::Problems,
            _ => Exit::Failed,
        };
        self.printer.finish(out, &self.log, &met, exit)
    }
}

/// The structure that a finding is about, behind those records.
fn at<'l>(one: &'l Located, records: &RecordTags) -> At<'l> {
    let repair = one.repair.as_deref();
    one.context.as_ref().map_or_else(
        || At { repair, ..At::default() },
        |context| At {
            record: Some(context.record(records)),
            path: context.path(records),
            words: Some(context.words(records)),
            repair,
        },
    )
}

/// The number of findings of a baseline that were not met, of those that would have been reported.
fn gone(left: &Entries, settings: &Settings) -> u64 {
    let is_wanted = |id: &str| {
        Code::from_name(id)
            .is_none_or(|code| settings.choice.takes_code(code, code.class(settings.rules.draft)))
    };
    left.iter().filter(|((code, _), _)| is_wanted(code)).map(|(_, count)| count).sum()
}

fn summed(counts: &FileCounts, repaired: Option<u64>) -> FindingCounts {
    let of_class = |class| counts.codes.of_class(class);
    FindingCounts {
        lines: counts.lines,
        records: counts.records,
        malformed: of_class(Class::Malformed),
        non_conformant: of_class(Class::NonConformant),
        deprecated: of_class(Class::Deprecated),
        advice: of_class(Class::Advice),
        ignored: counts.codes.ignored,
        known: None,
        gone: None,
        repairable: counts.repairable,
        repaired,
        complete: counts.complete,
    }
}
