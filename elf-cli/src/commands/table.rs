//! `elf table`: people, families, events, sources and structures of files as rows.

use crate::args::{Table, TableFormat};
use crate::commands::each::{Aside, Files};
use crate::commands::{listed, write_to};
use crate::console::Console;
use crate::exit::Exit;
use crate::io::{Input, Listed};
use crate::parts;
use crate::progress::Meter;
use crate::reading::{self, Ending};
use crate::schemas::Schemas;
use elf_schema::{Part, ReadOptions};
use elf_tables::{PartSurvey, Rows, Survey, TableReader, TableWriter, TextFormat};
use elf_tagged::elf_octets::Rereading;
use elf_tagged::{Names, NamesReader};
use std::io::{self, Read, Seek, Write};
use std::path::Path;
use std::sync::{Arc, OnceLock};

pub(crate) fn run(args: &Table, console: &mut Console) -> Exit {
    if args.excel && args.format == TableFormat::Json {
        console.failure(
            "`--excel` is for `--format csv` and `--format tsv`: spreadsheets do not read JSON Lines",
        );
        return Exit::Failed;
    }
    let schemas = match Schemas::of(&args.reading, console) {
        Ok(schemas) => schemas,
        Err(exit) => return exit,
    };
    let options = schemas.options(args.encoding);
    let threads = parts::threads(args.jobs);
    let Some(files) = listed(&args.files, None, threads, &args.output, console) else { return Exit::Failed };
    write_to(args.output.as_deref(), console, |out, console| {
        let writer = writer(args);
        writer.header(out)?;
        let make = |file: &Listed, threads: usize, meter: &Meter, out: &mut dyn Write| {
            let name = name(args, &file.name);
            let mut take = |rows: &Rows| writer.rows(rows, out);
            let job = TableJob { args, options: &options, threads, name: &name };
            match crate::io::open_source(&file.source, meter) {
                Ok(input) => job.make(input, &mut take),
                Err(error) => Ok(Made::Unread(crate::io::reason(&error))),
            }
        };
        let mut exit = Exit::Clean;
        let add = |file: &Listed, made: Made, aside: &mut Aside<'_>| match made {
            Made::Whole => {}
            Made::UpTo(ending) => {
                let (name, place) = (name(args, &file.name), ending.place());
                let said = format!(
                    "the rules ended the reading of {name}{place}; the table lacks what stands behind"
                );
                aside.console().failure(&said);
                exit = exit.max(Exit::Problems);
            }
            Made::Unread(reason) => {
                aside.console().unreadable(&file.name, &reason);
                exit = exit.max(Exit::Failed);
            }
        };
        Files { list: &files, threads, doing: "reading", separators: [b"", b""] }
            .each(out, console, make, add)?;
        Ok(exit)
    })
}

/// The name of a file, as the table has it.
fn name(args: &Table, path: &Path) -> String {
    let named = args.stdin_filename.as_deref().filter(|_| crate::io::is_standard(path));
    reading::name(named.unwrap_or(path))
}

fn writer(args: &Table) -> TableWriter {
    let format = match args.format {
        TableFormat::Csv => TextFormat::Csv,
        TableFormat::Tsv => TextFormat::Tsv,
        TableFormat::Json => TextFormat::Json,
    };
    TableWriter::new(args.table, format).with_guard(args.excel)
}

/// The result of making rows of a file.
enum Made {
    /// All of it was read.
    Whole,
    /// The rules ended the reading.
    UpTo(Ending),
    /// The reason why it could not be read.
    Unread(String),
}

impl Made {
    fn of(is_complete: bool, ending: Ending) -> Made {
        if is_complete { Made::Whole } else { Made::UpTo(ending) }
    }
}

/// The reason why rows were not made: the file could not be read, or they could not be written.
enum RowsFailure {
    Reading(io::Error),
    Writing(io::Error),
}

impl From<io::Error> for RowsFailure {
    fn from(error: io::Error) -> RowsFailure {
        RowsFailure::Reading(error)
    }
}

/// A file, and how rows are made of it.
#[derive(Clone, Copy)]
struct TableJob<'j> {
    args: &'j Table,
    options: &'j ReadOptions<'j>,
    threads: usize,
    name: &'j str,
}

impl TableJob<'_> {
    fn make(self, input: Input, take: &mut dyn FnMut(&Rows) -> io::Result<()>) -> io::Result<Made> {
        let made = match input {
            Input::Whole(octets) => self.whole(&octets, take),
            Input::Large(input) => match input.into_file() {
                Ok(file) => self.in_parts(file, take),
                Err(error) => Err(error.into()),
            },
        };
        match made {
            Ok(made) => Ok(made),
            Err(RowsFailure::Reading(error)) => Ok(Made::Unread(crate::io::reason(&error))),
            Err(RowsFailure::Writing(error)) => Err(error),
        }
    }

    fn whole(
        self,
        octets: &[u8],
        take: &mut dyn FnMut(&Rows) -> io::Result<()>,
    ) -> Result<Made, RowsFailure> {
        let (table, rules) = (self.args.table, self.args.reading.rules());
        let mut ending = Ending::default();
        let typed = elf_schema::read(octets, rules, self.options, &mut ending).map_err(io::Error::other)?;
        let reader = TableReader::new(table, typed.schema());
        let mut survey = Survey::of(table);
        survey.take(reader.survey(&typed));
        let mut rows = Rows::of(table.columns().len());
        reader.rows(&typed, &survey.finish(), self.name, &mut rows);
        take(&rows).map_err(RowsFailure::Writing)?;
        Ok(Made::of(typed.document().is_complete(), ending))
    }

    /// Reads the file to survey it, where the table asks for that, and again to make the rows.
    fn in_parts(
        self,
        input: impl Read + Seek,
        take: &mut dyn FnMut(&Rows) -> io::Result<()>,
    ) -> Result<Made, RowsFailure> {
        let (table, rules) = (self.args.table, self.args.reading.rules());
        let mut input = Rereading::of(input);
        let names = match Names::are_needed(rules) {
            false => None,
            true => {
                let reader = NamesReader::new(input.restart()?, rules, &self.options.octets);
                Some(Arc::new(parts::read_names(reader.with_part_size(parts::PART), self.threads)?))
            }
        };
        let table_reader = OnceLock::new();
        let reader_of = |part: &Part<'_>| table_reader.get_or_init(|| TableReader::new(table, part.schema()));
        let mut survey = Survey::of(table);
        if TableReader::needs_survey(table) {
            let mut reader = parts::reader(input.restart()?, rules, self.options.clone(), names.clone());
            let see = |part: Option<&Part<'_>>, ()| part.map(|part| reader_of(part).survey(part));
            let take = |part: Option<PartSurvey>| part.into_iter().for_each(|part| survey.take(part));
            parts::read(&mut reader, self.threads, (|| (), see), take, &mut ())?;
        }
        let surveyed = survey.finish();
        let mut reader = parts::reader(input.restart()?, rules, self.options.clone(), names);
        let see = |part: Option<&Part<'_>>, ending: Ending| {
            let mut rows = Rows::of(table.columns().len());
            if let Some(part) = part {
                reader_of(part).rows(part, &surveyed, self.name, &mut rows);
            }
            (rows, ending)
        };
        let (mut ending, mut late, mut written) = (Ending::default(), Ending::default(), Ok(()));
        let take = |(rows, of_part): (Rows, Ending)| {
            ending.join(of_part);
            if written.is_ok() {
                written = take(&rows);
            }
        };
        parts::read(&mut reader, self.threads, (Ending::default, see), take, &mut late)?;
        ending.join(late);
        written.map_err(RowsFailure::Writing)?;
        Ok(Made::of(reader.tagged().is_complete(), ending))
    }
}
