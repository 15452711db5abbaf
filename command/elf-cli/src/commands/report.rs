//! `elf report`: writes an HTML page about files.

use crate::args::ReportArgs;
use crate::commands::each::{Files, OrderedConsole};
use crate::commands::{IS_INPUT, list_inputs, write_to};
use crate::config::{FileToCheck, find_settings, today};
use crate::console::Console;
use crate::exit::Exit;
use crate::io::{self, Output, WaitingText};
use crate::meter::Meter;
use crate::reading;
use crate::schemas::Schemas;
use elf_check::Keep;
use elf_lineage::LivingRule;
use elf_report::page::{FileReport, Page, PeopleOptions, ReportSettings, Total};
use elf_schema::ReadOptions;
use std::io::Write;
use std::path::Path;

pub(crate) fn run(args: &ReportArgs, console: &mut Console) -> Exit {
    let schemas = match Schemas::from_args(&args.reading.common, console) {
        Ok(schemas) => schemas,
        Err(exit) => return exit,
    };
    let options = schemas.read_options(args.reading.encoding).with_check_values(true);
    crate::threads::start_pool(args.reading.jobs);
    let Some(list) = list_inputs(&args.files, None, [&args.output], console) else { return Exit::Failed };
    let files = match find_settings(args.into(), list, [&args.output]) {
        Ok((files, None)) => files,
        Ok((_, Some(output))) => {
            console.print_unwritable(output, IS_INPUT);
            return Exit::Failed;
        }
        Err(error) => {
            console.print_config_error(&error);
            return Exit::Failed;
        }
    };
    let today = args.today.unwrap_or_else(today);
    let people = match (args.no_people, args.living) {
        (true, _) => None,
        (false, true) => Some(PeopleOptions::everybody()),
        (false, false) => Some(PeopleOptions::hiding_living(LivingRule::on(today))),
    };
    let reporter = Reporter { args, options: &options, people };
    write_to(Some(&args.output), console, |out, console| {
        let page = Page::of(files.len()).with_today(today);
        reporter.write_page(&files, &page, out, console)
    })
}

/// Makes the reports on single files, on any thread.
#[derive(Clone, Copy)]
struct Reporter<'r> {
    args: &'r ReportArgs,
    options: &'r ReadOptions<'r>,
    people: Option<PeopleOptions>,
}

impl Reporter<'_> {
    /// Writes the page. The total comes first, so the reports on the files wait until all are read.
    fn write_page(
        self,
        files: &[FileToCheck],
        page: &Page,
        out: &mut Output,
        console: &mut Console,
    ) -> std::io::Result<Exit> {
        let (mut total, mut sections) = (Total::default(), WaitingText::default());
        let (mut exit, mut number, mut written) = (Exit::Clean, 0, Ok(()));
        let report = |file: &FileToCheck, meter: &Meter, _: &mut dyn Write| {
            let bytes = io::read_source(&file.file.source, meter);
            let report = bytes.and_then(|bytes| self.report_on_file(file, &bytes));
            Ok(report.map(Box::new).map_err(|error| io::describe_error(&error)))
        };
        let add =
            |file: &FileToCheck, done: Result<Box<FileReport>, String>, console: &mut OrderedConsole<'_>| {
                number += 1;
                match done {
                    Ok(report) => {
                        total.add(&report);
                        if !report.facts.is_complete {
                            console.console().print_error(&format!(
                            "reading of {} stopped early: the report is incomplete; `elf check` shows where",
                            report.name
                        ));
                            exit = exit.max(Exit::Problems);
                        }
                        if written.is_ok() {
                            written = page.file(&mut sections, number, &report);
                        }
                    }
                    Err(reason) => {
                        console.console().print_unreadable(&file.file.name, &reason);
                        total.add_unread(&self.display_name(&file.file.name), &reason);
                        exit = Exit::Failed;
                    }
                }
            };
        Files { list: files, doing: "reading", separators: [b"", b""] }
            .for_each(out, console, report, add)?;
        written?;
        // If nothing was read, there is nothing to report.
        if total.unread_files() < files.len() {
            page.start(out, &total)?;
            sections.copy_to(out)?;
            page.end(out)?;
        }
        Ok(exit)
    }

    fn display_name(self, path: &Path) -> String {
        let named = self.args.stdin_filename.as_deref().filter(|_| io::is_standard(path));
        reading::display_name(named.unwrap_or(path))
    }

    /// Makes the report on a file whose bytes are in memory.
    fn report_on_file(
        self,
        FileToCheck { file, settings }: &FileToCheck,
        bytes: &[u8],
    ) -> std::io::Result<FileReport> {
        let check = settings.check.check(self.options, Keep::Nothing);
        let report = ReportSettings::new(check)
            .with_options(self.options.clone())
            .with_config(settings.config.as_deref().map(str::to_owned))
            .with_people(self.people);
        FileReport::read(&self.display_name(&file.name), bytes, &report)
    }
}
