//! `elf report`: one page about files, for eyes.

use crate::args::ReportArgs;
use crate::commands::check::{Checking, Reopen};
use crate::commands::each::{Aside, Files};
use crate::commands::learn::{DoneReader, Learning};
use crate::commands::{IS_INPUT, listed, write_to};
use crate::config::{Settings, settings_of, today};
use crate::console::Console;
use crate::exit::Exit;
use crate::io::{self, Input, Listed, Output, WaitingText};
use crate::parts;
use crate::progress::Meter;
use crate::reading;
use crate::schemas::Schemas;
use elf_check::findings::{Keep, Located};
use elf_edit::RecordTags;
use elf_report::page::{FileFindings, FileReport, FileReportBuilder, Page, PartReport, ReportReader, Total};
use elf_schema::{Part, ReadOptions};
use elf_tagged::elf_octets::Rereading;
use std::cell::RefCell;
use std::io::{Read, Write};
use std::path::Path;
use std::sync::OnceLock;

pub(crate) fn run(args: &ReportArgs, console: &mut Console) -> Exit {
    let schemas = match Schemas::of(&args.reading.common, console) {
        Ok(schemas) => schemas,
        Err(exit) => return exit,
    };
    let options = schemas.options(args.reading.encoding).with_check_values(true);
    let threads = parts::threads(args.reading.jobs);
    let Some(list) = listed(&args.files, None, threads, [&args.output], console) else { return Exit::Failed };
    let settings = match settings_of(args.into(), &list, [&args.output]) {
        Ok((settings, None)) => settings,
        Ok((_, Some(output))) => {
            console.unwritable(output, IS_INPUT);
            return Exit::Failed;
        }
        Err(error) => {
            console.misconfigured(&error);
            return Exit::Failed;
        }
    };
    let files: Vec<(Listed, Settings)> = list.into_iter().zip(settings).collect();
    let today = args.today.unwrap_or_else(today).today;
    let reporter = Reporter { args, options: &options };
    write_to(Some(&args.output), console, |out, console| {
        let page = Page::of(files.len()).with_today(today);
        reporter.write(&files, threads, &page, out, console)
    })
}

/// Reports on files, on any thread.
#[derive(Clone, Copy)]
struct Reporter<'r> {
    args: &'r ReportArgs,
    options: &'r ReadOptions<'r>,
}

impl Reporter<'_> {
    /// Writes the page: the files wait until their total is known, which stands before them.
    fn write(
        self,
        files: &[(Listed, Settings)],
        threads: usize,
        page: &Page,
        out: &mut Output,
        console: &mut Console,
    ) -> std::io::Result<Exit> {
        let (mut total, mut sections) = (Total::default(), WaitingText::default());
        let (mut exit, mut number, mut written) = (Exit::Clean, 0, Ok(()));
        let report = |file: &(Listed, Settings), threads: usize, meter: &Meter, _: &mut dyn Write| {
            let report = io::open_source(&file.0.source, meter);
            let report = report.and_then(|input| self.report(file, input, threads));
            Ok(report.map(Box::new).map_err(|error| io::reason(&error)))
        };
        let add = |file: &(Listed, Settings),
                   done: Result<Box<FileReport>, String>,
                   aside: &mut Aside<'_>| {
            number += 1;
            match done {
                Ok(report) => {
                    total.add(&report);
                    if !report.facts.is_complete {
                        aside.console().failure(&format!(
                                "the rules ended the reading of {}: the page lacks what stands behind; `elf check` shows where",
                                report.name
                            ));
                        exit = exit.max(Exit::Problems);
                    }
                    if written.is_ok() {
                        written = page.file(&mut sections, number, &report);
                    }
                }
                Err(reason) => {
                    aside.console().unreadable(&file.0.name, &reason);
                    total.add_unread(&self.name(&file.0.name), &reason);
                    exit = Exit::Failed;
                }
            }
        };
        Files { list: files, threads, doing: "reading", separators: [b"", b""] }
            .each(out, console, report, add)?;
        written?;
        // Where nothing could be read, there is nothing to say.
        if total.unread() < files.len() {
            page.start(out, &total)?;
            sections.pass_on(out)?;
            page.end(out)?;
        }
        Ok(exit)
    }

    /// The name of a file in the report.
    fn name(self, path: &Path) -> String {
        let named = self.args.stdin_filename.as_deref().filter(|_| io::is_standard(path));
        reading::name(named.unwrap_or(path))
    }

    /// Reads a file twice: for what it is and who is in it, and for what is wrong with it.
    fn report(
        self,
        (file, settings): &(Listed, Settings),
        input: Input,
        threads: usize,
    ) -> std::io::Result<FileReport> {
        let name = self.name(&file.name);
        let learning = Learning { rules: settings.rules, options: self.options, threads };
        let (mut report, findings) = match input {
            Input::Whole(octets) => {
                let xrefs = learning.xrefs(&*octets)?;
                let report = learned(&name, learning, (&mut &*octets, xrefs))?;
                (report, self.findings(settings, &mut &*octets, threads)?)
            }
            Input::Large(input) => {
                let mut file = Rereading::of(input.into_file()?);
                let xrefs = learning.xrefs(&mut file)?;
                let report = learned(&name, learning, (file.restart()?, xrefs))?;
                (report, self.findings(settings, &mut file, threads)?)
            }
        };
        report.findings = findings;
        Ok(report)
    }

    /// Checks a file as `elf check` does.
    fn findings(
        self,
        settings: &Settings,
        input: &mut dyn Reopen,
        threads: usize,
    ) -> std::io::Result<FileFindings> {
        let checking = Checking {
            rules: settings.rules,
            options: &settings.options(self.options),
            choice: &settings.choice,
            judging: settings.judging,
            keep: Keep::FirstOfEach,
            ledger: None,
            threads,
            repairs: false,
        };
        let mut findings = FileFindings::default();
        let mut take = |some: &[Located], records: &RecordTags| {
            for one in some {
                findings.take(&one.finding, || one.context.as_ref().map(|context| context.words(records)));
            }
            Ok(())
        };
        let counts = checking.in_parts(input, &mut take)?;
        findings.codes = counts.codes;
        findings.repairable = counts.repairable;
        findings.config = settings.config.as_deref().map(str::to_owned);
        Ok(findings)
    }
}

/// Reads an input for what it is and who is in it.
fn learned(
    name: &str,
    learning: Learning<'_>,
    input: (&mut dyn Read, Option<elf_tagged::Xrefs>),
) -> std::io::Result<FileReport> {
    let builder = RefCell::new(FileReportBuilder::default());
    let reader = OnceLock::new();
    let see = |part: &Part<'_>| reader.get_or_init(|| ReportReader::new(part.schema())).part(part);
    let take = |part: PartReport| builder.borrow_mut().take(part);
    let finish = |reader: &DoneReader<'_, '_>| builder.take().finish(name, reader);
    let (mut report, octets) = learning.read(input, see, take, finish, &mut ())?;
    report.facts.octets = octets;
    Ok(report)
}
