//! `elf convert`: read, and write again as a conformant writer.

mod manifest;
mod media;
mod migrate;

use crate::args::{Break, Convert, Format};
use crate::commands::each::{Files, OrderedConsole};
use crate::commands::{listed, write_to};
use crate::console::Console;
use crate::exit::Exit;
use crate::io::{self, Input, Listed, Output, Places, Source};
use crate::meter::Meter;
use crate::reading;
use crate::schemas::Schemas;
use elf_archive::{PlainOrPacked, is_gedzip};
use elf_base::{Class, Diagnostic, Rules, Sink};
use elf_check::runs::{RUN_SIZE, Restart, read_runs, survey_runs};
use elf_check::{Problems, SHOWN_PER_CODE};
use elf_report::human::Renderer;
use elf_report::json::{self, ConvertSummary, ConvertTotal};
use elf_report::{counted, grouped};
use elf_schema::{Conversion, ReadOptions};
use elf_tagged::elf_octets::LineBreaks;
use elf_tagged::write::{EncodedRun, LineBreak, RunEncoder, Summary, Survey, WriteError, WriteOptions};
use elf_tagged::{Document, KnownXrefs, Reader, UnreadRun};
use manifest::{Digest, Digested, InputFacts, Manifest, digest};
use media::{ConvertedFile, Media, OutputPlace};
use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

pub(crate) fn run(args: &Convert, console: &mut Console) -> Exit {
    let is_standard = |output: &Option<PathBuf>| output.as_deref().is_some_and(io::is_standard);
    if args.format == Format::Json && is_standard(&args.output) {
        console
            .failure("the converted file and JSON cannot both go to standard output: name a file with `-o`");
        return Exit::Failed;
    }
    if args.format == Format::Json && is_standard(&args.manifest) {
        console.failure("the manifest and JSON cannot both go to standard output: name a file");
        return Exit::Failed;
    }
    let schemas = match Schemas::of(&args.reading, console) {
        Ok(schemas) => schemas,
        Err(exit) => return exit,
    };
    crate::threads::start(args.jobs);
    let Some(files) = files(args, console) else { return Exit::Failed };
    let renderer = console.renderer();
    let converter = Converter { args, options: &schemas.options(args.from_encoding), renderer: &renderer };
    let (mut out, standard) = match args.format {
        Format::Human => (Output::standard_error(), "standard error"),
        Format::Json => (Output::standard(), "standard output"),
    };
    let mut manifest = Manifest::default();
    let done = converter.all(&files, &mut manifest, &mut out, console);
    let done = done.and_then(|done| out.finish().map(|()| done));
    // What was written is recorded, whatever became of the report.
    let exit = done.unwrap_or_else(|error| {
        console.failure(&format!("cannot write {standard}: {}", io::reason(&error)));
        Exit::Failed
    });
    let Some(place) = &args.manifest else { return exit };
    exit.max(write_to(Some(place), console, |out, _| manifest.write(out).map(|()| Exit::Clean)))
}

/// A file, and the place for what becomes of it, or the reason why it has none.
type Job = (Listed, Result<PathBuf, String>);

/// Returns the files that are converted; why there are none is said on the console.
fn files(args: &Convert, console: &mut Console) -> Option<Vec<Job>> {
    let Some(folder) = &args.out_dir else {
        let [path] = &args.files[..] else {
            console.failure("several files need a folder to be written to: name one with `--out-dir`");
            return None;
        };
        let place = args.output.clone().ok_or_else(|| "it has no place".to_owned());
        return match io::one(path) {
            Ok(source) => {
                let file = Listed { name: path.clone(), beneath: path.clone(), source };
                Some(vec![(file, place)])
            }
            Err(reason) => {
                console.unreadable(path, &reason);
                None
            }
        };
    };
    let mut list = listed(&args.files, Some(folder), &args.manifest, console)?;
    media::leave_media(&mut list, args.to_rules.is_none_or(migrate::is_7));
    let mut places = Places::new(folder, list.iter(), args.reading.schema_file(), args.manifest.as_deref());
    let places: Vec<_> = list.iter().map(|file| places.take(file)).collect();
    Some(list.into_iter().zip(places).collect())
}

/// The way in which files are converted, on any thread.
#[derive(Clone, Copy)]
struct Converter<'c> {
    args: &'c Convert,
    options: &'c ReadOptions<'c>,
    renderer: &'c Renderer,
}

impl Converter<'_> {
    /// Converts all files. What was lost goes to `out`; the rest is said on the console.
    fn all(
        self,
        files: &[Job],
        manifest: &mut Manifest,
        out: &mut Output,
        console: &mut Console,
    ) -> std::io::Result<Exit> {
        let (mut exit, mut total) = (Exit::Clean, ConvertTotal::default());
        let work = |(file, place): &Job, meter: &Meter, out: &mut dyn Write| match place {
            Ok(place) => self.file(file, place, meter, out),
            Err(reason) => Ok((self.facts_of(file), Err(Failure::Writing(reason.clone())))),
        };
        let add = |(file, place): &Job, (facts, done): Done, console: &mut OrderedConsole<'_>| {
            let place_name = place.as_deref().unwrap_or(&file.name);
            exit = exit.max(self.say(file, place_name, &done, console.console()));
            total.add(done.as_ref().ok().map(|converted| (&converted.written, converted.problems)));
            total.complete &= done.as_ref().is_ok_and(|converted| converted.ended.is_none());
            if self.args.manifest.is_some() {
                manifest.add(&reading::name(&file.name), facts, place.as_deref().ok(), &done);
            }
        };
        Files { list: files, doing: "converting", separators: [b"", b""] }.each(out, console, work, add)?;
        if files.len() > 1 {
            match self.args.format {
                Format::Json => json::summary(out, &total)?,
                Format::Human => console.note(&total.to_string()),
            }
        }
        Ok(exit)
    }

    /// Converts a file, and prints to `out` what was lost.
    fn file(self, file: &Listed, place: &Path, meter: &Meter, out: &mut dyn Write) -> std::io::Result<Done> {
        let name = reading::name(&file.name);
        let mut losses = LossPrinter::new(self, &name, out);
        let (facts, done) = self.convert(file, place, meter, &mut losses);
        losses.finish()?;
        if self.args.format == Format::Json {
            match &done {
                Ok(Converted { problems, written, ended, uncertain, .. }) => {
                    uncertain.iter().try_for_each(|finding| json::diagnostic(out, &name, finding))?;
                    json::summary(out, &summary(&name, written, *problems, ended.as_ref()))?;
                }
                Err(Failure::Ended(problems, ended)) => {
                    ended.iter().try_for_each(|finding| json::diagnostic(out, &name, finding))?;
                    json::summary(out, &summary(&name, &Summary::default(), *problems, Some(ended)))?;
                }
                Err(Failure::Reading(_) | Failure::Writing(_)) => {}
            }
        }
        Ok((facts, done))
    }

    /// Finds what the manifest says of an input, if there is a manifest and the input can be opened.
    fn facts_of(self, file: &Listed) -> Option<InputFacts> {
        self.args.manifest.as_ref()?;
        let opened = io::open_source(&file.source, &Meter::default());
        match opened.and_then(|mut input| self.facts(&mut input)) {
            Ok(facts) => Some(facts),
            // What cannot be unpacked is described as it is packed.
            Err(_) => InputFacts::of_packed(file.place().0).ok(),
        }
    }

    fn facts(self, input: &mut Input) -> std::io::Result<InputFacts> {
        let digest = digest(input, true)?;
        let reading = InputReading { rules: self.args.reading.rules(), options: self.options };
        let mut reader = reading.reader(input, None)?;
        // The encoding is decided with the first run.
        _ = reader.next_run_with(reading.options, &mut ());
        Ok(InputFacts::new(digest, reader.decision()))
    }

    /// Says what became of a file.
    fn say(
        self,
        file: &Listed,
        place: &Path,
        done: &Result<Converted, Failure>,
        console: &mut Console,
    ) -> Exit {
        let name = reading::name(&file.name);
        let Converted { problems, written, ended, uncertain, .. } = match done {
            Ok(converted) => converted,
            Err(failure) => {
                match failure {
                    Failure::Ended(_, ended) => {
                        let at = ended.as_deref().map_or_else(String::new, said);
                        console.failure(&format!(
                            "the rules ended the reading of {name}{at}; nothing is written: `--partial` writes what was read"
                        ));
                    }
                    Failure::Reading(reason) => console.unreadable(&file.name, reason),
                    Failure::Writing(reason) => console.unwritable(place, reason),
                }
                return Exit::Failed;
            }
        };
        // Of several files the name says which one is meant.
        let of = if self.args.out_dir.is_some() { format!("{name}: ") } else { String::new() };
        if *problems > 0 {
            let problems = counted(*problems, "problem");
            console.note(&format!("{of}the input has {problems}: `elf check {name}` shows them"));
        }
        if written.losses > 0 {
            console.note(&format!("{of}{} could not be carried over", counted(written.losses, "thing")));
        }
        if let Some(finding) = uncertain {
            let message = &finding.message;
            console.note(&format!("{of}{message}; name the right one with `--from-encoding NAME`"));
        }
        if let Some(ended) = ended {
            let at = ended.as_deref().map_or_else(String::new, said);
            console.note(&format!("{of}the rules ended the reading{at}: what follows is not in the output"));
        }
        let is_whole =
            ended.is_none() && uncertain.is_none() && (self.args.allow_loss || written.losses == 0);
        if is_whole { Exit::Clean } else { Exit::Problems }
    }
}

/// Prints what was lost of a file: for people at most ten findings of each code.
struct LossPrinter<'p> {
    converter: Converter<'p>,
    file: &'p str,
    out: &'p mut dyn Write,
    /// The number of findings of each code and class.
    counts: BTreeMap<(&'static str, Class), u64>,
    printed: std::io::Result<()>,
}

impl<'p> LossPrinter<'p> {
    fn new(converter: Converter<'p>, file: &'p str, out: &'p mut dyn Write) -> LossPrinter<'p> {
        LossPrinter { converter, file, out, counts: BTreeMap::new(), printed: Ok(()) }
    }

    fn print(&mut self, finding: &Diagnostic, number: u64) -> std::io::Result<()> {
        let Converter { args, renderer, .. } = self.converter;
        match args.format {
            _ if args.quiet => Ok(()),
            Format::Human if number > SHOWN_PER_CODE as u64 => Ok(()),
            Format::Human => writeln!(self.out, "{}", renderer.diagnostic(self.file, finding)),
            Format::Json => json::diagnostic(self.out, self.file, finding),
        }
    }

    /// Prints for people how many findings of each code there are, where not all were printed.
    fn finish(self) -> std::io::Result<()> {
        let LossPrinter { converter: Converter { args, .. }, file, out, counts, printed } = self;
        printed?;
        if args.format == Format::Json {
            return Ok(());
        }
        for ((code, class), count) in counts {
            let more = count.saturating_sub(SHOWN_PER_CODE as u64);
            if args.quiet {
                writeln!(out, "{file}: {class}[{code}]: {}", grouped(count))?;
            } else if more > 0 {
                writeln!(out, "{file}: {class}[{code}]: {} more; `--format json` lists all", grouped(more))?;
            }
        }
        Ok(())
    }
}

impl Sink for LossPrinter<'_> {
    fn report(&mut self, finding: Diagnostic) {
        let count = self.counts.entry((finding.code.id(), finding.class)).or_default();
        *count += 1;
        let number = *count;
        if self.printed.is_ok() {
            self.printed = self.print(&finding, number);
        }
    }
}

/// Makes the summary for a program; `ended` is there where the rules ended the reading.
fn summary<'n>(
    name: &'n str,
    written: &Summary,
    problems: u64,
    ended: Option<&EndingFinding>,
) -> ConvertSummary<'n> {
    let Summary { lines, records, losses, .. } = *written;
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

/// What became of a file, with what the manifest says of the input.
type Done = (Option<InputFacts>, Result<Converted, Failure>);

/// The result of converting a file.
struct Converted {
    problems: u64,
    written: Summary,
    /// The finding that ended the reading, if the rules did.
    ended: Option<EndingFinding>,
    /// The finding that the encoding of the input is uncertain, if it is: then the text may be wrong.
    uncertain: Option<Box<Diagnostic>>,
    /// The digests of what was read and of what was written, where a manifest wants them.
    digests: Option<(Digest, Digest)>,
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

impl Converter<'_> {
    fn convert(self, file: &Listed, place: &Path, meter: &Meter, losses: &mut dyn Sink) -> Done {
        let mut input = match io::open_source(&file.source, meter) {
            Ok(input) => input,
            Err(error) => return (self.facts_of(file), Err(error.into())),
        };
        let facts = match &self.args.manifest {
            Some(_) => self.facts(&mut input).ok().or_else(|| self.facts_of(file)),
            None => None,
        };
        (facts, self.convert_input(&file.source, &mut input, place, losses))
    }

    fn convert_input(
        self,
        source: &Source,
        input: &mut Input,
        place: &Path,
        losses: &mut dyn Sink,
    ) -> Result<Converted, Failure> {
        let args = self.args;
        let options = WriteOptions::new()
            .with_encoding(args.encoding)
            .with_mark(args.bom.then_some(true))
            .with_width(args.width)
            .with_partial(args.partial);
        let to = OutputPlace { place, media: &Media::of(source, &args.media_folder)? };
        self.by_standard(input, &options, to, losses)
    }

    /// Converts a file, and migrates it first where the output is of another standard.
    fn by_standard(
        self,
        input: &mut Input,
        options: &WriteOptions,
        output: OutputPlace<'_>,
        losses: &mut dyn Sink,
    ) -> Result<Converted, Failure> {
        let start = migrate::StartOfFile::read(input, self.args.reading.rules(), self.options)?;
        let is_of_7 = start.is_of_7;
        let is_gedzip = is_gedzip(&output.place.to_string_lossy());
        let default =
            || if is_gedzip { &Rules::GEDCOM_7 } else { start.rules_to_write(self.args.reading.rules()) };
        let to = self.args.to_rules.unwrap_or_else(default);
        if is_gedzip && !migrate::is_7(to) {
            return Err(Failure::Writing(
                "an archive called `.gdz` holds a file of GEDCOM 7.0: write it by `--to-rules gedcom-7`"
                    .to_owned(),
            ));
        }
        let survey = Survey::new(to, options).map_err(WriteError::from)?;
        let reading = InputReading { rules: self.args.reading.rules(), options: self.options };
        if is_of_7 == migrate::is_7(to) {
            self.within_standard(input, reading, survey, output, losses)
        } else {
            self.migrated(input, to, survey, output, losses)
        }
    }

    /// Converts a file within one standard. It is read once for what only the whole file shows, and once to be
    /// written; between these as far as its types ask for it.
    pub(super) fn within_standard(
        self,
        input: &mut Input,
        reading: InputReading<'_>,
        mut survey: Survey,
        output: OutputPlace<'_>,
        losses: &mut dyn Sink,
    ) -> Result<Converted, Failure> {
        let args = self.args;
        let blank = survey.clone();
        let make = |run: &Document<'_>| {
            let mut one = blank.clone();
            one.add_run(run);
            one
        };
        let mut reader = reading.reader(input, None)?;
        let [mut problems, mut late] = [Problems::default(), Problems::default()];
        survey_runs(&mut reader, make, |one| survey.join(one), &mut late)?;
        let complete = reader.is_complete();
        let line_break = args.line_break.map_or_else(|| commonest(reader.line_breaks()), line_break);
        let known = Arc::new(reader.into_known_xrefs());
        let before = digest(input, args.manifest.is_some())?;
        let rehearsal = survey.with_line_break(line_break).finish(&known)?;

        let mut reader = reading.reader(input, Some(&known))?;
        if !complete && !args.partial {
            return Err(ending(reader, reading.options));
        }
        let mut conversion = Conversion::new(rehearsal, reading.options.clone());
        while !conversion.is_settled() {
            let Some(mut run) = reader.next_run_with(reading.options, &mut ())? else { break };
            conversion.study(&mut run)?;
        }
        drop(reader);

        let mut out = self.outlet(output)?;
        let mut writer = conversion.into_writer(&mut out, losses)?;
        let mut reader = reading.reader(input, Some(&known))?;
        loop {
            if let Some(encoder) = writer.encoder() {
                let mut encoders = vec![encoder; rayon::current_num_threads()];
                let encode = |encoder: &mut RunEncoder, run: &UnreadRun| {
                    let mut found = Problems::default();
                    let (document, outcome) = run.read(&mut found)?;
                    Ok(((encoder.encode(&document), found), outcome))
                };
                let put = |(run, found): (Result<EncodedRun, WriteError>, Problems),
                           _: &elf_tagged::Reader<_>| {
                    problems.join(found);
                    writer.put(run?).map_err(Failure::from)
                };
                read_runs(&mut reader, &mut encoders, encode, put, &mut late)?;
            }
            let Some(mut run) = reader.next_run_with(reading.options, &mut problems)? else { break };
            writer.run(&mut run)?;
        }
        problems.join(late);
        let mut written = writer.finish()?;
        let complete = reader.is_complete();
        let (after, lost) = output.media.finish(out, losses)?;
        written.losses += lost;
        let (count, uncertain) = (problems.count(), problems.take_uncertain());
        let ended = (!complete).then(|| problems.into_worst());
        Ok(Converted { problems: count, written, ended, uncertain, digests: before.zip(after) })
    }
}

impl Converter<'_> {
    /// Opens the place that a file is written to.
    fn outlet(self, OutputPlace { place, media }: OutputPlace<'_>) -> Result<ConvertedFile, WriteError> {
        if let Some(folder) = self.args.out_dir.as_ref().and_then(|_| place.parent()) {
            io::create_folder(folder)?;
        }
        let out = Digested::new(Output::create(place)?, self.args.manifest.is_some());
        Ok(PlainOrPacked::new(out, &place.to_string_lossy(), media.names())?)
    }
}

/// The way in which an input is read.
#[derive(Clone, Copy)]
struct InputReading<'r> {
    rules: &'r Rules,
    options: &'r ReadOptions<'r>,
}

impl InputReading<'_> {
    /// Returns a reader of `input` from its start, with the identifiers that another reader found.
    fn reader<'i>(
        self,
        input: &'i mut Input,
        known: Option<&Arc<KnownXrefs>>,
    ) -> std::io::Result<Reader<Box<dyn Read + 'i>>> {
        let reader = Reader::new(input.restart()?, self.rules, &self.options.octets);
        let reader = reader.with_run_size(RUN_SIZE);
        Ok(match known {
            Some(known) => reader.with_known_xrefs(Arc::clone(known)),
            None => reader,
        })
    }
}

/// Reads a file whose reading the rules end, to find out where.
fn ending(mut reader: Reader<impl Read>, read: &ReadOptions<'_>) -> Failure {
    let mut problems = Problems::default();
    loop {
        match reader.next_run_with(read, &mut problems) {
            Ok(Some(_)) => {}
            Ok(None) => return Failure::Ended(problems.count(), problems.into_worst()),
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
