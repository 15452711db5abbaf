//! `elf convert`: read, and write again as a conformant writer.

use crate::args::{Break, Convert, Format};
use crate::commands::write_to;
use crate::console::Console;
use crate::exit::Exit;
use crate::findings::Findings;
use crate::io::{self, Input, Output};
use crate::parts;
use crate::progress::Meter;
use crate::reading;
use crate::schemas::Schemas;
use elf_base::{Class, Diagnostic, Sink, Tally};
use elf_render::counted;
use elf_render::json::{self, ConvertSummary};
use elf_schema::{Conversion, ReadOptions};
use elf_tagged::elf_octets::LineBreaks;
use elf_tagged::write::{LineBreak, Summary, Survey, WriteError, WriteOptions};
use elf_tagged::{Document, NamesReader, Reader};
use std::io::{Cursor, Read, Seek, Write};
use std::sync::Arc;

pub(crate) fn run(args: &Convert, console: &mut Console) -> Exit {
    if args.format == Format::Json && io::is_standard(&args.output) {
        console
            .failure("the converted file and JSON cannot both go to standard output: name a file with `-o`");
        return Exit::Failed;
    }
    match args.format {
        Format::Human => report(args, &mut std::io::sink(), console).unwrap_or(Exit::Failed),
        Format::Json => write_to(None, console, |out, console| report(args, out, console)),
    }
}

/// Converts the file, and prints to `out` what a program is told.
fn report(args: &Convert, out: &mut impl Write, console: &mut Console) -> std::io::Result<Exit> {
    let schemas = match Schemas::of(&args.reading, console) {
        Ok(schemas) => schemas,
        Err(exit) => return Ok(exit),
    };
    let name = reading::name(&args.file);
    let meter = console.working(&format!("converting {name}"));
    let mut losses = Findings::of(&name, args.format, console, out);
    let done = convert(args, &schemas.options(args.from_encoding), &meter, &mut losses);
    losses.finish()?;
    console.done();
    let Converted { problems, written, ended } = match done {
        Ok(converted) => converted,
        Err(Failure::Ended(problems, ended)) => {
            if args.format == Format::Json {
                ended.iter().try_for_each(|finding| json::diagnostic(out, &name, finding))?;
                json::summary(out, &summary(&name, Summary::default(), problems, Some(&ended)))?;
            }
            let place = ended.as_deref().map_or_else(String::new, said);
            console.failure(&format!(
                "the rules ended the reading of {name}{place}; nothing is written: `--partial` writes what was read"
            ));
            return Ok(Exit::Failed);
        }
        Err(Failure::Reading(reason)) => {
            console.unreadable(&args.file, &reason);
            return Ok(Exit::Failed);
        }
        Err(Failure::Writing(reason)) => {
            console.unwritable(&args.output, &reason);
            return Ok(Exit::Failed);
        }
    };
    let losses = written.losses;
    if args.format == Format::Json {
        json::summary(out, &summary(&name, written, problems, ended.as_ref()))?;
    }
    if problems > 0 {
        let problems = counted(problems, "problem");
        console.note(&format!("the input has {problems}: `elf check {name}` shows them"));
    }
    if losses > 0 {
        console.note(&format!("{} could not be carried over", counted(losses, "thing")));
    }
    let complete = ended.is_none();
    if let Some(ended) = ended {
        let place = ended.as_deref().map_or_else(String::new, said);
        console.note(&format!("the rules ended the reading{place}: what follows is not in the output"));
    }
    Ok(if complete && (args.allow_loss || losses == 0) { Exit::Clean } else { Exit::Problems })
}

/// Makes the summary for a program; `ended` is there where the rules ended the reading.
fn summary<'n>(
    name: &'n str,
    written: Summary,
    problems: u64,
    ended: Option<&EndingFinding>,
) -> ConvertSummary<'n> {
    let Summary { lines, records, losses, .. } = written;
    let complete = ended.is_none();
    let ended = ended.and_then(|ended| ended.as_deref()).map(json::Ended::of);
    ConvertSummary { file: name, lines, records, losses, problems, complete, ended }
}

/// Says where the rules ended the reading, and why.
fn said(finding: &Diagnostic) -> String {
    let place = finding.place.map_or_else(String::new, |place| format!(" at line {}", place.line));
    format!("{place}: {} ({})", finding.message, finding.code)
}

/// The finding that ended a reading.
type EndingFinding = Option<Box<Diagnostic>>;

/// The result of converting a file.
struct Converted {
    problems: u64,
    written: Summary,
    /// The finding that ended the reading, if the rules did.
    ended: Option<EndingFinding>,
}

/// The first of the gravest findings: where rules end a reading, that is why.
#[derive(Default)]
struct WorstFinding(EndingFinding);

impl Sink for WorstFinding {
    fn report(&mut self, finding: Diagnostic) {
        let octet = |of: &Diagnostic| of.place.map_or(0, |place| place.octet);
        let rank = |of: &Diagnostic| (of.class != Class::Malformed, octet(of));
        if finding.class.is_error() && self.0.as_ref().is_none_or(|known| rank(&finding) < rank(known)) {
            self.0 = Some(Box::new(finding));
        }
    }
}

/// The reason why a file is not converted.
enum Failure {
    /// The rules ended the reading, and what there is is not to be written; with the number of problems up to
    /// there.
    Ended(u64, EndingFinding),
    Reading(String),
    Writing(String),
}

impl From<std::io::Error> for Failure {
    fn from(error: std::io::Error) -> Failure {
        Failure::Reading(io::reason(&error))
    }
}

impl From<WriteError> for Failure {
    fn from(error: WriteError) -> Failure {
        match error {
            WriteError::Io(error) => Failure::Writing(io::reason(&error)),
            error @ WriteError::Empty => Failure::Reading(error.to_string()),
            error => Failure::Writing(error.to_string()),
        }
    }
}

fn convert(
    args: &Convert,
    read: &ReadOptions<'_>,
    meter: &Meter,
    losses: &mut dyn Sink,
) -> Result<Converted, Failure> {
    let options = WriteOptions::new()
        .with_encoding(args.encoding)
        .with_mark(args.bom.then_some(true))
        .with_width(args.width)
        .with_partial(args.partial);
    let survey = Survey::new(args.to_rules, &options).map_err(WriteError::from)?;
    match io::open(&args.file, meter)? {
        Input::Whole(octets) => in_parts(Cursor::new(octets), 1, survey, args, read, losses),
        Input::Large(input) => {
            let file = input.into_file()?;
            in_parts(file, parts::threads(None), survey, args, read, losses)
        }
    }
}

/// Converts a file part by part. It is read once for what only the whole of it shows, on several threads, and
/// once to be written; between that, as far as its types ask for it.
fn in_parts(
    mut input: impl Read + Seek,
    threads: usize,
    mut survey: Survey,
    args: &Convert,
    read: &ReadOptions<'_>,
    losses: &mut dyn Sink,
) -> Result<Converted, Failure> {
    let rules = args.reading.rules();
    let blank = survey.clone();
    let see = |part: &Document<'_>| {
        let mut one = blank.clone();
        one.see(part);
        one
    };
    let mut reader = NamesReader::new(&mut input, rules, &read.octets).with_part_size(parts::PART);
    parts::survey(&mut reader, threads, see, |one| survey.join(one))?;
    let complete = reader.tagged().is_complete();
    let line_break = args.line_break.map_or_else(|| commonest(reader.tagged().line_breaks()), line_break);
    let names = Arc::new(reader.into_names()?);
    let rehearsal = survey.with_line_break(line_break).finish(&names);

    input.rewind()?;
    let reader = Reader::with_names(&mut input, rules, &read.octets, Arc::clone(&names));
    let mut reader = reader.with_part_size(parts::PART);
    if !complete && !args.partial {
        return Err(ending(reader, read));
    }
    let mut conversion = Conversion::new(rehearsal, read.clone());
    while !conversion.is_settled() {
        let Some(mut part) = reader.next_part_with(read, &mut ())? else { break };
        conversion.study(&mut part)?;
    }

    let mut out = Output::create(&args.output).map_err(WriteError::from)?;
    let mut writer = conversion.into_writer(&mut out, losses)?;
    let mut tally = Tally::new(WorstFinding::default());
    input.rewind()?;
    let reader = Reader::with_names(&mut input, rules, &read.octets, names);
    let mut reader = reader.with_part_size(parts::PART);
    while let Some(mut part) = reader.next_part_with(read, &mut tally)? {
        writer.part(&mut part)?;
    }
    let written = writer.finish()?;
    let complete = reader.is_complete();
    out.finish().map_err(WriteError::from)?;
    let ended = (!complete).then(|| std::mem::take(&mut tally.next.0));
    Ok(Converted { problems: tally.errors(), written, ended })
}

/// Reads a file whose reading the rules end, to find out where.
fn ending(mut reader: Reader<impl Read>, read: &ReadOptions<'_>) -> Failure {
    let mut tally = Tally::new(WorstFinding::default());
    loop {
        match reader.next_part_with(read, &mut tally) {
            Ok(Some(_)) => {}
            Ok(None) => return Failure::Ended(tally.errors(), tally.next.0),
            Err(error) => return error.into(),
        }
    }
}

fn line_break(asked: Break) -> LineBreak {
    match asked {
        Break::Lf => LineBreak::Lf,
        Break::Cr => LineBreak::Cr,
        Break::Crlf => LineBreak::CrLf,
    }
}

/// The commonest line break of the input.
fn commonest(breaks: LineBreaks) -> LineBreak {
    if breaks.lf >= breaks.crlf.max(breaks.cr) {
        LineBreak::Lf
    } else if breaks.crlf >= breaks.cr {
        LineBreak::CrLf
    } else {
        LineBreak::Cr
    }
}
