//! `elf info`: shows the encoding, version, producer and counts of files.

use crate::args::{Info, InfoFormat};
use crate::commands::each::{Files, OrderedConsole};
use crate::commands::{list_inputs, write_to};
use crate::console::Console;
use crate::exit::Exit;
use crate::io::{Input, Listed};
use crate::meter::Meter;
use crate::reading;
use crate::schemas::Schemas;
use elf_base::{Diagnostic, Sink, Tally};
use elf_check::runs::{Restart, RunReader};
use elf_report::page::{FileFacts, Overview, RunFacts};
use elf_report::{counted, grouped, json};
use elf_schema::{ReadOptions, TypedDocument};
use std::fmt;
use std::io::{self, Write};

pub(crate) fn run(args: &Info, console: &mut Console) -> Exit {
    let schemas = match Schemas::from_args(&args.reading, console) {
        Ok(schemas) => schemas,
        Err(exit) => return exit,
    };
    let options = schemas.read_options(args.judging.encoding);
    crate::threads::start_pool(args.jobs);
    let Some(files) = list_inputs(&args.files, None, &args.output, console) else { return Exit::Failed };
    write_to(args.output.as_deref(), console, |out, console| {
        let look =
            |file: &Listed, meter: &Meter, out: &mut dyn Write| print_info(file, args, &options, meter, out);
        let mut exit = Exit::Clean;
        let mut total = InfoTotal::default();
        let add =
            |file: &Listed, told: Result<InfoOfFile, String>, console: &mut OrderedConsole<'_>| match told {
                Ok(told) => {
                    exit = exit.max(told.exit);
                    total.add(&told);
                }
                Err(reason) => {
                    console.console().print_unreadable(&file.name, &reason);
                    exit = Exit::Failed;
                    total.unread += 1;
                }
            };
        if args.format == InfoFormat::Tsv {
            writeln!(out, "{}", Overview::COLUMNS.join("\t"))?;
        }
        Files { list: &files, doing: "reading", separators: [b"", b""] }.for_each(out, console, look, add)?;
        if files.len() > 1 && args.format == InfoFormat::Human {
            console.print_note(&total.to_string());
        }
        Ok(exit)
    })
}

/// The facts about a file that the exit status and the total need.
struct InfoOfFile {
    exit: Exit,
    octets: u64,
    records: u64,
    has_problems: bool,
}

#[derive(Default)]
struct InfoTotal {
    files: u64,
    unread: u64,
    octets: u64,
    records: u64,
    with_problems: u64,
}

impl InfoTotal {
    fn add(&mut self, file: &InfoOfFile) {
        self.files += 1;
        self.octets = self.octets.saturating_add(file.octets);
        self.records += file.records;
        self.with_problems += u64::from(file.has_problems);
    }
}

impl fmt::Display for InfoTotal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let InfoTotal { files, unread, octets, records, with_problems } = *self;
        write!(f, "{}", counted(files.saturating_add(unread), "file"))?;
        for (count, word) in [(with_problems, "with problems"), (unread, "not read")] {
            if count > 0 {
                write!(f, ", {} {word}", grouped(count))?;
            }
        }
        write!(f, ": {}, {}", counted(octets, "byte"), counted(records, "record"))
    }
}

/// Prints the facts about a file, or returns why it could not be read.
fn print_info(
    file: &Listed,
    args: &Info,
    options: &ReadOptions<'_>,
    meter: &Meter,
    out: &mut dyn Write,
) -> io::Result<Result<InfoOfFile, String>> {
    let name = reading::display_name(&file.name);
    let mut tally = Tally::new(());
    let mut repeated = reading::RepeatedFindings::default();
    let mut news = |found: Diagnostic| {
        if reading::is_worth_reporting(&found) && !repeated.is_repeated(&found) {
            tally.report(found)
        }
    };
    let opened = crate::io::open_source(&file.source, meter);
    let learned = match opened.and_then(|mut input| collect_facts(&mut input, args, options, &mut news)) {
        Ok(learned) => learned,
        Err(error) => return Ok(Err(crate::io::describe_error(&error))),
    };
    let facts = Overview::new(&name, &learned, args.reading.schema.as_deref(), &tally);
    match args.format {
        InfoFormat::Human if args.brief => facts.write_line(out)?,
        InfoFormat::Human => facts.write(out, &format!("`elf check {name}` shows them"))?,
        InfoFormat::Json => json::write_line(out, &facts)?,
        InfoFormat::Tsv => facts.write_row(out)?,
    }
    Ok(Ok(InfoOfFile {
        exit: reading::exit_status(&tally, &args.judging),
        octets: learned.octets,
        records: learned.counts.records,
        has_problems: tally.errors() > 0,
    }))
}

/// Reads a file and collects the facts about it. Findings go to `sink`.
fn collect_facts(
    input: &mut Input,
    args: &Info,
    options: &ReadOptions<'_>,
    sink: &mut dyn Sink,
) -> io::Result<FileFacts> {
    let size = input.size()?;
    let reader = elf_tagged::Reader::new(input.restart()?, args.reading.rules(), &options.octets);
    let mut runs = RunReader::new(reader, options.clone());
    let mut counted = RunFacts::default();
    let make = |run: &TypedDocument<'_>, findings: Vec<Diagnostic>| (RunFacts::of(run), findings);
    let mut late: Vec<Diagnostic> = Vec::new();
    let take = |(facts, findings): (RunFacts, Vec<Diagnostic>), _: &elf_tagged::Reader<_>| {
        counted.add(facts);
        findings.into_iter().for_each(|finding| sink.report(finding));
        Ok(())
    };
    runs.for_each(Vec::new, make, take, &mut late)?;
    late.into_iter().for_each(|finding| sink.report(finding));
    let facts = FileFacts::of(runs.tagged(), runs.resolver(), counted);
    let facts = facts.ok_or_else(|| io::Error::other("no line of it could be read"))?;
    Ok(facts.with_octets(size))
}
