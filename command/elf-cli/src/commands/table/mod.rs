//! `elf table`: exports people, families, events, sources, structures and places as rows.

#[cfg(feature = "parquet")]
mod parquet;

use crate::args::{Table, TableFormat};
use crate::commands::each::{Files, OrderedConsole, Outlet};
use crate::commands::{list_inputs, write_to};
use crate::config::today;
use crate::console::Console;
use crate::exit::Exit;
use crate::io::{Input, Listed, Output};
use crate::meter::Meter;
use crate::reading;
use crate::schemas::Schemas;
use elf_base::{Code, Diagnostic, Sink, codes};
use elf_check::Problems;
use elf_check::runs::{CACHED_RUN_SIZE, Restart, RunError, RunReader};
use elf_report::counted;
use elf_schema::{ReadOptions, TypedDocument};
use elf_tables::{Rows, RunSurvey, Survey, Surveyed, TableReader, TableWriter, TextFormat};
use std::io::{self, Read, Write};
use std::path::Path;
use std::sync::OnceLock;

pub(crate) fn run(args: &Table, console: &mut Console) -> Exit {
    if let Some(problem) = find_contradiction(args) {
        console.print_error(problem);
        return Exit::Failed;
    }
    let schemas = match Schemas::from_args(&args.reading.common, console) {
        Ok(schemas) => schemas,
        Err(exit) => return exit,
    };
    let options = schemas.read_options(args.reading.encoding);
    crate::threads::start_pool(args.reading.jobs);
    let Some(list) = list_inputs(&args.files, None, &args.output, console) else { return Exit::Failed };
    let tables = Tables {
        args,
        options: &options,
        files: Files { list: &list, doing: "reading", separators: [b"", b""] },
    };
    write_to(args.output.as_deref(), console, |out, console| match args.format {
        TableFormat::Csv => tables.write_text(TextFormat::Csv, out, console),
        TableFormat::Tsv => tables.write_text(TextFormat::Tsv, out, console),
        TableFormat::Json => tables.write_text(TextFormat::Json, out, console),
        TableFormat::Parquet => tables.write_parquet(out, console),
    })
}

/// Returns what is wrong with the combination of arguments, if anything.
fn find_contradiction(args: &Table) -> Option<&'static str> {
    match args.format {
        TableFormat::Csv | TableFormat::Tsv => None,
        TableFormat::Json | TableFormat::Parquet if args.excel => {
            Some("`--excel` needs `--format csv` or `--format tsv`")
        }
        TableFormat::Parquet if !cfg!(feature = "parquet") => {
            Some("this build of elf has no Parquet: build it with `--features parquet`")
        }
        TableFormat::Json | TableFormat::Parquet => None,
    }
}

/// A function that writes rows in the format of the output.
type WriteRows<'w> = dyn Fn(&Rows, &mut dyn Write) -> io::Result<()> + Sync + 'w;

/// Exports the rows of files.
struct Tables<'t> {
    args: &'t Table,
    options: &'t ReadOptions<'t>,
    files: Files<'t, Listed>,
}

impl Tables<'_> {
    fn write_text(&self, format: TextFormat, out: &mut Output, console: &mut Console) -> io::Result<Exit> {
        let writer = TableWriter::new(self.args.table, format).with_guard(self.args.excel);
        let mut header = Vec::new();
        writer.header(&mut header)?;
        let mut outlet = HeaderWriter { out, header };
        let exit = self.export_all(&|rows, out| writer.rows(rows, out), &mut outlet, console)?;
        // If no file could be read, keep the existing output.
        if exit != Exit::Failed {
            outlet.write_header()?;
        }
        Ok(exit)
    }

    #[cfg(feature = "parquet")]
    fn write_parquet(&self, out: &mut Output, console: &mut Console) -> io::Result<Exit> {
        if out.is_terminal() {
            console.print_error("Parquet cannot be written to a terminal: name a file with `-o`");
            return Ok(Exit::Failed);
        }
        let mut outlet = parquet::ParquetOutlet::new(self.args.table, out)?;
        let exit = self.export_all(&parquet::write_packed, &mut outlet, console)?;
        if exit != Exit::Failed || outlet.is_begun() {
            outlet.finish()?;
        }
        Ok(exit)
    }

    #[cfg(not(feature = "parquet"))]
    #[allow(clippy::unused_self, reason = "the other build has one that needs it")]
    fn write_parquet(&self, _: &mut Output, _: &mut Console) -> io::Result<Exit> {
        Ok(Exit::Failed)
    }

    /// Writes the rows of all files to `out`, in the order of the files.
    fn export_all(
        &self,
        write: &WriteRows<'_>,
        out: &mut dyn Outlet,
        console: &mut Console,
    ) -> io::Result<Exit> {
        let (args, options) = (self.args, self.options);
        let make = |file: &Listed, meter: &Meter, out: &mut dyn Write| {
            let job = TableJob { args, options, name: &display_name(args, &file.name), write };
            match crate::io::open_source(&file.source, meter) {
                Ok(mut input) => job.export(&mut input, out),
                Err(error) => Ok(ExportResult::unread(&error, false)),
            }
        };
        let (mut exit, mut of_files, mut of_last, mut all_lost) = (Exit::Clean, 0_u64, 0_u64, 0_u64);
        let mut is_cut = false;
        let add = |file: &Listed, made: ExportResult, console: &mut OrderedConsole<'_>| match made {
            ExportResult::Whole { problems, left_out, lost_links } => {
                of_files += u64::from(problems > 0);
                all_lost = all_lost.saturating_add(lost_links);
                of_last = problems;
                if left_out > 0 {
                    let (name, rows) = (display_name(args, &file.name), counted(left_out, "row"));
                    console.console().print_error(&format!(
                        "relatives are missing in {rows} of {name}: only the first hundred partners of a family are listed"
                    ));
                    exit = exit.max(Exit::Problems);
                }
            }
            ExportResult::UpTo(ending) => {
                let (name, place) = (display_name(args, &file.name), ending.place());
                console
                    .console()
                    .print_error(&format!("reading of {name} stopped early{place}: the table is incomplete"));
                exit = exit.max(Exit::Problems);
            }
            ExportResult::Unread { reason, is_begun } => {
                console.console().print_unreadable(&file.name, &reason);
                is_cut |= is_begun;
                if is_begun {
                    let name = display_name(args, &file.name);
                    console
                        .console()
                        .print_error(&format!("the table contains only the first rows of {name}"));
                }
                exit = exit.max(Exit::Failed);
            }
        };
        self.files.for_each(out, console, make, add)?;
        if is_cut && !args.output.as_deref().is_none_or(crate::io::is_standard) {
            return Err(io::Error::other(
                "the output was not written, because an input could not be read completely",
            ));
        }
        if all_lost > 0 {
            let links = counted(all_lost, "relative");
            console.print_note(&format!(
                "the rows lack {links}, because pointers between people and families are unresolved, ambiguous or of the wrong type"
            ));
        }
        match (self.files.list, of_files) {
            (_, 0) => {}
            ([file], _) => {
                let (name, problems) = (display_name(args, &file.name), counted(of_last, "problem"));
                console.print_note(&format!("the input has {problems}: `elf check {name}` shows them"));
            }
            _ => {
                let files = counted(of_files, "file");
                console.print_note(&format!("{files} with problems: `elf check` shows them"));
            }
        }
        Ok(exit)
    }
}

/// The name of a file for the table.
fn display_name(args: &Table, path: &Path) -> String {
    let named = args.stdin_filename.as_deref().filter(|_| crate::io::is_standard(path));
    reading::display_name(named.unwrap_or(path))
}

/// The result of exporting a file.
enum ExportResult {
    /// The whole file was read. `left_out` rows lack relatives because a family has too many; `lost_links` pointers
    /// between people and families link nobody.
    Whole { problems: u64, left_out: u64, lost_links: u64 },
    /// The rules stopped reading early.
    UpTo(Problems),
    /// The file could not be read. If `is_begun`, some rows have been written.
    Unread { reason: String, is_begun: bool },
}

impl ExportResult {
    fn of(is_complete: bool, ending: Problems, left_out: u64, lost_links: u64) -> ExportResult {
        match is_complete {
            true => ExportResult::Whole { problems: ending.count(), left_out, lost_links },
            false => ExportResult::UpTo(ending),
        }
    }

    fn unread(error: &io::Error, is_begun: bool) -> ExportResult {
        ExportResult::Unread { reason: crate::io::describe_error(error), is_begun }
    }
}

/// A writer that writes the header before the first row.
struct HeaderWriter<'o> {
    out: &'o mut Output,
    header: Vec<u8>,
}

impl HeaderWriter<'_> {
    fn write_header(&mut self) -> io::Result<()> {
        self.out.write_all(&std::mem::take(&mut self.header))
    }
}

impl Write for HeaderWriter<'_> {
    fn write(&mut self, octets: &[u8]) -> io::Result<usize> {
        self.write_header()?;
        self.out.write(octets)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

impl Outlet for HeaderWriter<'_> {
    fn is_terminal(&self) -> bool {
        self.out.is_terminal()
    }
}

/// Counts the problems of a file. Tables of people and families follow links through a graph that counts broken
/// pointers itself, so findings about identifiers and pointers are not counted here.
struct TableFindings {
    ending: Problems,
    has_graph: bool,
}

impl TableFindings {
    fn of(table: elf_tables::Table) -> TableFindings {
        TableFindings { ending: Problems::default(), has_graph: follows_links(table) }
    }
}

impl Sink for TableFindings {
    fn report(&mut self, finding: Diagnostic) {
        const OF_IDENTIFIERS: [Code; 5] = [
            codes::XREF_REPEATED,
            codes::POINTER_DANGLING,
            codes::POINTER_AMBIGUOUS,
            codes::POINTER_TO_SUBSTRUCTURE,
            codes::POINTER_EXTERNAL,
        ];
        if !(self.has_graph && OF_IDENTIFIERS.contains(&finding.code)) {
            self.ending.report(finding);
        }
    }
}

/// Returns whether the rows of a table follow links through the graph of people and families. Then the reader does not
/// resolve pointers too, which would need as much memory again.
const fn follows_links(table: elf_tables::Table) -> bool {
    match table {
        elf_tables::Table::People | elf_tables::Table::Families => true,
        elf_tables::Table::Events
        | elf_tables::Table::Sources
        | elf_tables::Table::Structures
        | elf_tables::Table::Places => false,
    }
}

#[derive(Clone, Copy)]
struct TableJob<'j> {
    args: &'j Table,
    options: &'j ReadOptions<'j>,
    name: &'j str,
    write: &'j WriteRows<'j>,
}

/// A run with at most this many bytes of text is formatted on the thread that reads it. The rows of a larger one, such
/// as a long text that is repeated in many rows, are formatted when it is their turn, so that they need no buffer.
const WRITTEN_APART: usize = 16 << 20;

/// The rows of a run.
enum RunRows {
    Written(Vec<u8>),
    Packed(Rows),
}

impl TableJob<'_> {
    /// Surveys the file if the table needs it, and writes the rows in a second reading.
    fn export(self, input: &mut Input, out: &mut dyn Write) -> io::Result<ExportResult> {
        let reader = OnceLock::new();
        let surveyed = match self.survey_file(input, &reader) {
            Ok(surveyed) => surveyed,
            Err(error) => return Ok(ExportResult::unread(&error.into(), false)),
        };
        let mut is_begun = false;
        match self.write_rows(input, &reader, &surveyed, out, &mut is_begun) {
            Ok(made) => Ok(made),
            Err(RunError::Read(error)) => Ok(ExportResult::unread(&error, is_begun)),
            Err(RunError::Write(error)) => Err(error),
        }
    }

    /// Returns a reader of the file. Tables of people and families resolve pointers themselves.
    fn run_reader<'i>(
        self,
        input: &'i mut Input,
        resolves: bool,
    ) -> io::Result<RunReader<'i, Box<dyn Read + 'i>>>
    where
        Self: 'i,
    {
        let rules = self.args.reading.common.rules();
        let reader = elf_tagged::Reader::new(input.restart()?, rules, &self.options.octets);
        let reader = reader.with_run_size(CACHED_RUN_SIZE);
        let reader = if resolves { reader } else { reader.without_lookup() };
        Ok(RunReader::new(reader, self.options.clone()))
    }

    fn survey_file(self, input: &mut Input, reader: &OnceLock<TableReader>) -> Result<Surveyed, RunError> {
        let table = self.args.table;
        let mut survey = Survey::of(table);
        if TableReader::needs_survey(table) {
            let make =
                |run: &TypedDocument<'_>, ()| reader.get_or_init(|| self.table_reader(run)).survey(run);
            let take = |run: RunSurvey, _: &elf_tagged::Reader<_>| {
                survey.take(run);
                Ok(())
            };
            self.run_reader(input, false)?.for_each(|| (), make, take, &mut ())?;
        }
        Ok(survey.finish())
    }

    fn write_rows(
        self,
        input: &mut Input,
        reader: &OnceLock<TableReader>,
        surveyed: &Surveyed,
        out: &mut dyn Write,
        is_begun: &mut bool,
    ) -> Result<ExportResult, RunError> {
        let table = self.args.table;
        let mut runs = self.run_reader(input, !follows_links(table))?;
        let make = |run: &TypedDocument<'_>, findings: TableFindings| {
            let mut rows = Rows::of(table.columns().len());
            let reader = reader.get_or_init(|| self.table_reader(run));
            reader.rows(run, surveyed, self.name, &mut rows);
            (rows.left_out(), self.format_rows(rows), findings.ending)
        };
        let (mut ending, mut late, mut left_out) = (Problems::default(), TableFindings::of(table), 0);
        let take = |(without, rows, of_run): (u64, io::Result<RunRows>, Problems),
                    _: &elf_tagged::Reader<_>| {
            left_out += without;
            ending.join(of_run);
            *is_begun = true;
            match rows? {
                RunRows::Written(bytes) => out.write_all(&bytes),
                RunRows::Packed(rows) => (self.write)(&rows, out),
            }
        };
        runs.for_each(|| TableFindings::of(table), make, take, &mut late)?;
        ending.join(late.ending);
        Ok(ExportResult::of(runs.tagged().is_complete(), ending, left_out, surveyed.lost_links()))
    }

    fn table_reader(self, run: &TypedDocument<'_>) -> TableReader {
        TableReader::new(self.args.table, run.schema()).with_living(self.args.living_rule(today))
    }

    /// Formats the rows of a run, unless that would need too much memory.
    fn format_rows(self, rows: Rows) -> io::Result<RunRows> {
        if rows.text_octets() > WRITTEN_APART {
            return Ok(RunRows::Packed(rows));
        }
        let mut bytes = Vec::with_capacity(rows.text_octets());
        (self.write)(&rows, &mut bytes)?;
        Ok(RunRows::Written(bytes))
    }
}
