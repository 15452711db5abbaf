//! `elf table`: people, families, events, sources and structures of files as rows.

#[cfg(feature = "parquet")]
mod parquet;

use crate::args::{Table, TableFormat};
use crate::commands::each::{Aside, Files, Outlet};
use crate::commands::{listed, write_to};
use crate::console::Console;
use crate::exit::Exit;
use crate::io::{Input, Listed, Output};
use crate::parts;
use crate::progress::Meter;
use crate::reading::{self, Ending};
use crate::schemas::Schemas;
use elf_render::counted;
use elf_schema::{Part, ReadOptions};
use elf_tables::{PartSurvey, Rows, Survey, TableReader, TableWriter, TextFormat};
use elf_tagged::elf_octets::Rereading;
use std::io::{self, Read, Seek, Write};
use std::path::Path;
use std::sync::{Arc, OnceLock};

pub(crate) fn run(args: &Table, console: &mut Console) -> Exit {
    if let Some(problem) = contradiction(args) {
        console.failure(problem);
        return Exit::Failed;
    }
    let schemas = match Schemas::of(&args.reading, console) {
        Ok(schemas) => schemas,
        Err(exit) => return exit,
    };
    let options = schemas.options(args.encoding);
    let threads = parts::threads(args.jobs);
    let Some(list) = listed(&args.files, None, threads, &args.output, console) else { return Exit::Failed };
    let tables = Tables {
        args,
        options: &options,
        files: Files { list: &list, threads, doing: "reading", separators: [b"", b""] },
    };
    write_to(args.output.as_deref(), console, |out, console| match args.format {
        TableFormat::Csv => tables.text(TextFormat::Csv, out, console),
        TableFormat::Tsv => tables.text(TextFormat::Tsv, out, console),
        TableFormat::Json => tables.text(TextFormat::Json, out, console),
        TableFormat::Parquet => tables.parquet(out, console),
    })
}

/// Returns the reason why the arguments cannot be obeyed, if there is one.
fn contradiction(args: &Table) -> Option<&'static str> {
    match args.format {
        TableFormat::Csv | TableFormat::Tsv => None,
        TableFormat::Json | TableFormat::Parquet if args.excel => {
            Some("`--excel` is for `--format csv` and `--format tsv`")
        }
        TableFormat::Parquet if !cfg!(feature = "parquet") => Some(
            "this `elf` was built without Parquet: `cargo install elf-cli --features parquet` builds one that has it",
        ),
        TableFormat::Json | TableFormat::Parquet => None,
    }
}

/// The way in which rows are written.
type WriteRows<'w> = dyn Fn(&Rows, &mut dyn Write) -> io::Result<()> + Sync + 'w;

/// The files that a table is made of.
struct Tables<'t> {
    args: &'t Table,
    options: &'t ReadOptions<'t>,
    files: Files<'t, Listed>,
}

impl Tables<'_> {
    fn text(&self, format: TextFormat, out: &mut Output, console: &mut Console) -> io::Result<Exit> {
        let writer = TableWriter::new(self.args.table, format).with_guard(self.args.excel);
        writer.header(out)?;
        self.make(&|rows, out| writer.rows(rows, out), out, console)
    }

    #[cfg(feature = "parquet")]
    fn parquet(&self, out: &mut Output, console: &mut Console) -> io::Result<Exit> {
        if out.is_terminal() {
            console.failure("Parquet is not for a terminal: name a file with `-o`");
            return Ok(Exit::Failed);
        }
        let mut outlet = parquet::ParquetOutlet::new(self.args.table, out)?;
        let exit = self.make(&parquet::pack, &mut outlet, console)?;
        outlet.finish()?;
        Ok(exit)
    }

    #[cfg(not(feature = "parquet"))]
    #[allow(clippy::unused_self, reason = "the other build has one that needs it")]
    fn parquet(&self, _: &mut Output, _: &mut Console) -> io::Result<Exit> {
        Ok(Exit::Failed)
    }

    /// Makes the rows of all files, written to `out` by `write`, in the order of the files.
    fn make(&self, write: &WriteRows<'_>, out: &mut dyn Outlet, console: &mut Console) -> io::Result<Exit> {
        let (args, options) = (self.args, self.options);
        let make = |file: &Listed, threads: usize, meter: &Meter, out: &mut dyn Write| {
            let job = TableJob { args, options, threads, name: &name(args, &file.name), write };
            match crate::io::open_source(&file.source, meter) {
                Ok(input) => job.make(input, out),
                Err(error) => Ok(Made::Unread(crate::io::reason(&error))),
            }
        };
        let (mut exit, mut of_files, mut of_last) = (Exit::Clean, 0_u64, 0_u64);
        let add = |file: &Listed, made: Made, aside: &mut Aside<'_>| match made {
            Made::Whole { problems, left_out } => {
                of_files += u64::from(problems > 0);
                of_last = problems;
                if left_out > 0 {
                    let (name, rows) = (name(args, &file.name), counted(left_out, "row"));
                    aside.console().failure(&format!(
                        "{rows} of {name} lack relatives: of a family with more than a hundred partners the others are left out"
                    ));
                    exit = exit.max(Exit::Problems);
                }
            }
            Made::UpTo(ending) => {
                let (name, place) = (name(args, &file.name), ending.place());
                aside.console().failure(&format!(
                    "the rules ended the reading of {name}{place}; the table lacks what stands behind"
                ));
                exit = exit.max(Exit::Problems);
            }
            Made::Unread(reason) => {
                aside.console().unreadable(&file.name, &reason);
                exit = exit.max(Exit::Failed);
            }
        };
        self.files.each(out, console, make, add)?;
        match (self.files.list, of_files) {
            (_, 0) => {}
            ([file], _) => {
                let (name, problems) = (name(args, &file.name), counted(of_last, "problem"));
                console.note(&format!("the input has {problems}: `elf check {name}` shows them"));
            }
            _ => {
                let files = counted(of_files, "file");
                console.note(&format!("{files} with problems: `elf check` shows them"));
            }
        }
        Ok(exit)
    }
}

/// The name of a file, as the table has it.
fn name(args: &Table, path: &Path) -> String {
    let named = args.stdin_filename.as_deref().filter(|_| crate::io::is_standard(path));
    reading::name(named.unwrap_or(path))
}

/// The result of making rows of a file.
enum Made {
    /// All of it was read: with so many problems, and so many rows that lack relatives.
    Whole { problems: u64, left_out: u64 },
    /// The rules ended the reading.
    UpTo(Ending),
    /// The reason why it could not be read.
    Unread(String),
}

impl Made {
    fn of(is_complete: bool, ending: Ending, left_out: u64) -> Made {
        match is_complete {
            true => Made::Whole { problems: ending.problems, left_out },
            false => Made::UpTo(ending),
        }
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
    write: &'j WriteRows<'j>,
}

/// The most octets of texts of a part that are written on the thread that reads it; more, as one long text in
/// many rows makes, are written when their turn comes, and never held.
const WRITTEN_APART: usize = 16 << 20;

/// The rows of a part.
enum RowsOfPart {
    Written(Vec<u8>),
    Packed(Rows),
}

impl TableJob<'_> {
    fn make(self, input: Input, out: &mut dyn Write) -> io::Result<Made> {
        let made = match input {
            Input::Whole(octets) => self.whole(&octets, out),
            Input::Large(input) => match input.into_file() {
                Ok(file) => self.in_parts(file, out),
                Err(error) => Err(error.into()),
            },
        };
        match made {
            Ok(made) => Ok(made),
            Err(RowsFailure::Reading(error)) => Ok(Made::Unread(crate::io::reason(&error))),
            Err(RowsFailure::Writing(error)) => Err(error),
        }
    }

    fn whole(self, octets: &[u8], out: &mut dyn Write) -> Result<Made, RowsFailure> {
        let (table, rules) = (self.args.table, self.args.reading.rules());
        let mut ending = Ending::default();
        let typed = elf_schema::read(octets, rules, self.options, &mut ending).map_err(io::Error::other)?;
        let reader = TableReader::new(table, typed.schema());
        let mut survey = Survey::of(table);
        survey.take(reader.survey(&typed));
        let mut rows = Rows::of(table.columns().len());
        reader.rows(&typed, &survey.finish(), self.name, &mut rows);
        (self.write)(&rows, out).map_err(RowsFailure::Writing)?;
        Ok(Made::of(typed.document().is_complete(), ending, rows.left_out()))
    }

    /// Reads the file to survey it, where the table asks for that, and again to make the rows.
    fn in_parts(self, input: impl Read + Seek, out: &mut dyn Write) -> Result<Made, RowsFailure> {
        let (table, rules) = (self.args.table, self.args.reading.rules());
        let mut input = Rereading::of(input);
        let names =
            parts::names(|| input.restart(), rules, &self.options.octets, self.threads)?.map(Arc::new);
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
            (rows.left_out(), self.written(rows), ending)
        };
        let (mut ending, mut late, mut written) = (Ending::default(), Ending::default(), Ok(()));
        let mut left_out = 0;
        let take = |(without, rows, of_part): (u64, io::Result<RowsOfPart>, Ending)| {
            left_out += without;
            ending.join(of_part);
            if written.is_ok() {
                written = rows.and_then(|rows| match rows {
                    RowsOfPart::Written(octets) => out.write_all(&octets),
                    RowsOfPart::Packed(rows) => (self.write)(&rows, out),
                });
            }
        };
        parts::read(&mut reader, self.threads, (Ending::default, see), take, &mut late)?;
        ending.join(late);
        written.map_err(RowsFailure::Writing)?;
        Ok(Made::of(reader.tagged().is_complete(), ending, left_out))
    }

    /// Writes the rows of a part, unless that would take too much memory.
    fn written(self, rows: Rows) -> io::Result<RowsOfPart> {
        if rows.text_octets() > WRITTEN_APART {
            return Ok(RowsOfPart::Packed(rows));
        }
        let mut octets = Vec::with_capacity(rows.text_octets());
        (self.write)(&rows, &mut octets)?;
        Ok(RowsOfPart::Written(octets))
    }
}
