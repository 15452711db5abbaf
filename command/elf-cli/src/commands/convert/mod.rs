//! `elf convert`: converts files to another encoding, draft or GEDCOM version.

mod manifest;
mod media;
mod rdf;
mod relink;

use crate::args::{self, Break, Format};
use crate::commands::each::{Files, OrderedConsole};
use crate::commands::{list_inputs, write_to};
use crate::console::Console;
use crate::exit::Exit;
use crate::io::{self, Input, Listed, Output, OutputPaths, Source};
use crate::meter::Meter;
use crate::reading;
use crate::schemas::Schemas;
use elf_archive::is_gedzip;
use elf_base::{Class, Diagnostic, Rules, Sink};
use elf_check::SHOWN_PER_CODE;
use elf_check::runs::Restart;
use elf_convert::{Convert, ConvertError, Converted, Ending, LineBreak, WriteOptions, is_gedcom_7};
use elf_rdf::RdfFormat;
use elf_report::human::Renderer;
use elf_report::json::{self, ConvertSummary, ConvertTotal};
use elf_report::{counted, grouped};
use elf_schema::ReadOptions;
use elf_tagged::Reader;
use elf_tagged::write::{Summary, WriteError};
use manifest::{Digest, Digested, InputFacts, Manifest, compute_digest};
use media::{ConvertedFile, Media};
use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};

pub(crate) fn run(args: &args::Convert, console: &mut Console) -> Exit {
    let is_standard = |output: &Option<PathBuf>| output.as_deref().is_some_and(io::is_standard);
    let reports = args.format.of_report();
    if reports == Format::Json && is_standard(&args.output) {
        console.print_error(
            "the converted file and JSON cannot both go to standard output: name a file with `-o`",
        );
        return Exit::Failed;
    }
    if reports == Format::Json && is_standard(&args.manifest) {
        console.print_error("the manifest and JSON cannot both go to standard output: name a file");
        return Exit::Failed;
    }
    if let Some(problem) = rdf::find_contradiction(args) {
        console.print_error(problem);
        return Exit::Failed;
    }
    if args.define && !args.to_rules.is_some_and(|to| to.schema.mechanism.defines_types()) {
        console.print_error(
            "`--define` needs rules that have schemas: `--to-rules 2019-01`, `2019-12` or `declarative`",
        );
        return Exit::Failed;
    }
    if let Some(folder) = args.media_folder.iter().find(|folder| !io::is_folder(folder)) {
        console.print_error(&format!("`--media-folder {}` is not a folder", folder.display()));
        return Exit::Failed;
    }
    let schemas = match Schemas::from_args(&args.reading, console) {
        Ok(schemas) => schemas,
        Err(exit) => return exit,
    };
    crate::threads::start_pool(args.jobs);
    let Some(files) = list_jobs(args, console) else { return Exit::Failed };
    let renderer = console.renderer();
    let converter = Converter {
        args,
        options: &schemas.read_options(args.from_encoding).with_vendor_tags(args.format.rdf().is_some()),
        renderer: &renderer,
    };
    let (mut out, standard) = match reports {
        Format::Human => (Output::standard_error(), "standard error"),
        Format::Json => (Output::standard_output(), "standard output"),
    };
    let mut manifest = Manifest::default();
    let done = converter.convert_all(&files, &mut manifest, &mut out, console);
    let done = done.and_then(|done| out.finish().map(|()| done));
    // The manifest records what was written, even if the report failed.
    let exit = done.unwrap_or_else(|error| {
        console.print_error(&format!("cannot write {standard}: {}", io::describe_error(&error)));
        Exit::Failed
    });
    let Some(place) = &args.manifest else { return exit };
    exit.max(write_to(Some(place), console, |out, _| manifest.write(out).map(|()| Exit::Clean)))
}

/// A file to convert.
struct ConversionJob {
    file: Listed,
    /// The path of the output, or the reason why there is none.
    place: Result<PathBuf, String>,
}

impl super::each::HasFile for ConversionJob {
    fn file(&self) -> &Listed {
        &self.file
    }
}

/// Lists the files to convert. If there are none, prints the reason and returns `None`.
fn list_jobs(args: &args::Convert, console: &mut Console) -> Option<Vec<ConversionJob>> {
    let Some(folder) = &args.out_dir else {
        let [path] = &args.files[..] else {
            console.print_error("several files need an output folder: name one with `--out-dir`");
            return None;
        };
        let place = args.output.clone().ok_or_else(|| "it has no output path".to_owned());
        return match io::find_source(path) {
            Ok(source) => {
                let file = Listed { name: path.clone(), path_in_folder: path.clone(), source };
                Some(vec![ConversionJob { file, place }])
            }
            Err(reason) => {
                console.print_unreadable(path, &reason);
                None
            }
        };
    };
    let mut list = list_inputs(&args.files, Some(folder), &args.manifest, console)?;
    media::remove_media(&mut list, args.to_rules.is_none_or(is_gedcom_7));
    let mut places =
        OutputPaths::new(folder, list.iter(), args.reading.schema_file(), args.manifest.as_deref());
    let ending = args.format.rdf().map(RdfFormat::extension);
    let mut place = |file: &Listed| match ending {
        Some(ending) => places
            .assign(&Listed { path_in_folder: file.path_in_folder.with_extension(ending), ..file.clone() }),
        None => places.assign(file),
    };
    let places: Vec<_> = list.iter().map(&mut place).collect();
    Some(list.into_iter().zip(places).map(|(file, place)| ConversionJob { file, place }).collect())
}

/// Converts single files, on any thread.
#[derive(Clone, Copy)]
struct Converter<'c> {
    args: &'c args::Convert,
    options: &'c ReadOptions<'c>,
    renderer: &'c Renderer,
}

impl Converter<'_> {
    /// Converts all files. Losses are printed to `out`, everything else to the console.
    fn convert_all(
        self,
        files: &[ConversionJob],
        manifest: &mut Manifest,
        out: &mut Output,
        console: &mut Console,
    ) -> std::io::Result<Exit> {
        let (mut exit, mut total) = (Exit::Clean, ConvertTotal::default());
        let work =
            |ConversionJob { file, place }: &ConversionJob, meter: &Meter, out: &mut dyn Write| match place {
                Ok(place) => self.convert_file(file, place, meter, out),
                Err(reason) => Ok(ConversionResult {
                    facts: self.facts_of(file),
                    outcome: Err(Failure::Writing(reason.clone())),
                }),
            };
        let add = |job: &ConversionJob, result: ConversionResult, console: &mut OrderedConsole<'_>| {
            let ConversionJob { file, place } = job;
            let ConversionResult { facts, outcome: done } = result;
            let place_name = place.as_deref().unwrap_or(&file.name);
            exit = exit.max(self.report_result(file, place_name, &done, console.console()));
            let converted = done.as_ref().ok().map(|put| &put.converted);
            match converted {
                Some(converted) => total.add_converted(&converted.written, converted.problems),
                None => total.add_failed(),
            }
            total.complete &= converted.is_some_and(Converted::is_complete);
            if self.args.manifest.is_some() {
                manifest.add(&reading::display_name(&file.name), facts, place.as_deref().ok(), &done);
            }
        };
        Files { list: files, doing: "converting", separators: [b"", b""] }
            .for_each(out, console, work, add)?;
        if files.len() > 1 {
            match self.args.format.of_report() {
                Format::Json => json::write_summary(out, &total)?,
                Format::Human => console.print_note(&total.to_string()),
            }
        }
        Ok(exit)
    }

    /// Converts a file and prints losses to `out`.
    fn convert_file(
        self,
        file: &Listed,
        place: &Path,
        meter: &Meter,
        out: &mut dyn Write,
    ) -> std::io::Result<ConversionResult> {
        let name = reading::display_name(&file.name);
        let mut losses = LossPrinter::new(self, &name, out);
        let ConversionResult { facts, outcome: done } = self.convert(file, place, meter, &mut losses);
        losses.finish()?;
        if self.args.format.of_report() == Format::Json {
            match &done {
                Ok(WrittenConversion {
                    converted: Converted { problems, written, ending, uncertain, .. },
                    ..
                }) => {
                    uncertain.iter().try_for_each(|finding| json::write_diagnostic(out, &name, finding))?;
                    json::write_summary(out, &summary_of(&name, written, *problems, ending))?;
                }
                Err(Failure::Ended { problems, ending }) => {
                    let finding = ending.finding();
                    finding.iter().try_for_each(|finding| json::write_diagnostic(out, &name, finding))?;
                    json::write_summary(out, &summary_of(&name, &Summary::default(), *problems, ending))?;
                }
                Err(Failure::Reading(_) | Failure::Writing(_)) => {}
            }
        }
        Ok(ConversionResult { facts, outcome: done })
    }

    /// Collects the facts about an input for the manifest. `None` if there is no manifest or the input cannot be
    /// opened.
    fn facts_of(self, file: &Listed) -> Option<InputFacts> {
        self.args.manifest.as_ref()?;
        let opened = io::open_source(&file.source, &Meter::default());
        match opened.and_then(|mut input| self.read_facts(&mut input)) {
            Ok(facts) => Some(facts),
            // If the file cannot be unpacked, describe the packed file.
            Err(_) => InputFacts::of_packed(file.place().path).ok(),
        }
    }

    fn read_facts(self, input: &mut Input) -> std::io::Result<InputFacts> {
        let digest = compute_digest(input)?;
        let mut reader = Reader::new(input.restart()?, self.args.reading.rules(), &self.options.octets);
        // The encoding is decided with the first run.
        _ = reader.next_run_with(self.options, &mut ());
        Ok(InputFacts::new(digest, reader.decision()))
    }

    /// Reports the result for a file.
    fn report_result(
        self,
        file: &Listed,
        place: &Path,
        done: &Result<WrittenConversion, Failure>,
        console: &mut Console,
    ) -> Exit {
        let name = reading::display_name(&file.name);
        let Converted { problems, written, ending, uncertain, .. } = match done {
            Ok(put) => &put.converted,
            Err(failure) => {
                match failure {
                    Failure::Ended { ending, .. } => {
                        let at = ending.finding().map_or_else(String::new, describe_ending);
                        console.print_error(&format!(
                            "reading of {name} stopped early{at}, so nothing is written; `--partial` writes the part that was read"
                        ));
                    }
                    Failure::Reading(reason) => console.print_unreadable(&file.name, reason),
                    Failure::Writing(reason) => console.print_unwritable(place, reason),
                }
                return Exit::Failed;
            }
        };
        // With several files, messages start with the name.
        let of = if self.args.out_dir.is_some() { format!("{name}: ") } else { String::new() };
        if *problems > 0 {
            let problems = counted(*problems, "problem");
            console.print_note(&format!("{of}the input has {problems}: `elf check {name}` shows them"));
        }
        if written.losses > 0 {
            console.print_note(&format!("{of}{} could not be converted", counted(written.losses, "thing")));
        }
        if let Some(finding) = uncertain {
            let message = &finding.message;
            console.print_note(&format!(
                "{of}{message}; if that is wrong, name the encoding with `--from-encoding`"
            ));
        }
        if !ending.is_complete() {
            let at = ending.finding().map_or_else(String::new, describe_ending);
            console.print_note(&format!("{of}reading stopped early{at}: the rest is not in the output"));
        }
        let is_whole =
            ending.is_complete() && uncertain.is_none() && (self.args.allow_loss || written.losses == 0);
        if is_whole { Exit::Clean } else { Exit::Problems }
    }
}

/// Prints the losses of a file. As text, prints at most ten findings of each code.
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
        match args.format.of_report() {
            _ if args.quiet => Ok(()),
            Format::Human if number > SHOWN_PER_CODE as u64 => Ok(()),
            Format::Human => writeln!(self.out, "{}", renderer.diagnostic(self.file, finding)),
            Format::Json => json::write_diagnostic(self.out, self.file, finding),
        }
    }

    /// As text, prints how many further findings of each code there are.
    fn finish(self) -> std::io::Result<()> {
        let LossPrinter { converter: Converter { args, .. }, file, out, counts, printed } = self;
        printed?;
        if args.format.of_report() == Format::Json {
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

/// Makes the summary in JSON.
fn summary_of<'n>(name: &'n str, written: &Summary, problems: u64, ending: &'n Ending) -> ConvertSummary<'n> {
    let Summary { lines, records, losses, .. } = *written;
    let complete = ending.is_complete();
    ConvertSummary {
        file: name,
        lines,
        records,
        losses,
        problems,
        complete,
        ended: ending.finding().map(json::Ended::of),
    }
}

/// Describes where and why the rules stopped reading.
fn describe_ending(finding: &Diagnostic) -> String {
    let place = finding.place.map_or_else(String::new, |place| format!(" at line {}", place.line));
    format!("{place}: {} ({})", finding.message, finding.code)
}

/// The result of converting a file.
struct ConversionResult {
    /// The facts about the input for the manifest.
    facts: Option<InputFacts>,
    outcome: Result<WrittenConversion, Failure>,
}

/// A file that was converted and written.
struct WrittenConversion {
    converted: Converted,
    /// The digest of the output, if there is a manifest.
    digest: Option<Digest>,
}

/// Why a file was not converted.
enum Failure {
    /// The rules stopped reading early, and `--partial` is missing. `problems` counts the problems before that point.
    Ended {
        problems: u64,
        ending: Ending,
    },
    Reading(String),
    Writing(String),
}

impl From<std::io::Error> for Failure {
    fn from(error: std::io::Error) -> Failure {
        Failure::Reading(io::describe_error(&error))
    }
}

impl From<ConvertError> for Failure {
    fn from(error: ConvertError) -> Failure {
        match error {
            ConvertError::Ended { problems, finding } => {
                Failure::Ended { problems, ending: Ending::Early(finding) }
            }
            ConvertError::Read(error) => error.into(),
            ConvertError::Write(error @ WriteError::Empty) => Failure::Reading(error.to_string()),
            ConvertError::Write(WriteError::Io(error)) => Failure::Writing(io::describe_error(&error)),
            ConvertError::Write(error) => Failure::Writing(error.to_string()),
            error => Failure::Reading(error.to_string()),
        }
    }
}

/// Between GEDCOM 7.0 and other versions, more bytes than this are buffered in a temporary file.
const MOST_IN_MEMORY: usize = 8 << 20;

impl Converter<'_> {
    fn convert(self, file: &Listed, place: &Path, meter: &Meter, losses: &mut dyn Sink) -> ConversionResult {
        let mut input = match io::open_source(&file.source, meter) {
            Ok(input) => input,
            Err(error) => return ConversionResult { facts: self.facts_of(file), outcome: Err(error.into()) },
        };
        let facts = match &self.args.manifest {
            Some(_) => self.read_facts(&mut input).ok().or_else(|| self.facts_of(file)),
            None => None,
        };
        let outcome = match self.args.format.rdf() {
            Some(format) => self.convert_to_rdf(file, &mut input, place, format),
            None => self.convert_input(&file.source, &mut input, place, losses),
        };
        ConversionResult { facts, outcome }
    }

    fn convert_input(
        self,
        source: &Source,
        input: &mut Input,
        place: &Path,
        losses: &mut dyn Sink,
    ) -> Result<WrittenConversion, Failure> {
        let is_gedzip = is_gedzip(&place.to_string_lossy());
        let to = self.args.to_rules.or(is_gedzip.then_some(&Rules::GEDCOM_7));
        if is_gedzip && !to.is_some_and(is_gedcom_7) {
            return Err(Failure::Writing(
                "a `.gdz` archive must contain GEDCOM 7.0: use `--to-rules gedcom-7`".to_owned(),
            ));
        }
        let media = Media::find(source, &self.args.media_folder)?;
        let mut scratch_file = tempfile::spooled_tempfile(MOST_IN_MEMORY);
        let open = || self.open_output(place, &media);
        let (out, mut converted) = self.conversion_to(to).run(input, &mut scratch_file, open, losses)?;
        let (digest, lost) = media.finish(out, losses).map_err(ConvertError::from)?;
        converted.written.losses += lost;
        Ok(WrittenConversion { converted, digest })
    }

    /// Prepares a conversion to the rules `to`, or to the default rules.
    fn conversion_to<'r>(&'r self, to: Option<&'r Rules>) -> Convert<'r> {
        let args = self.args;
        let writing = WriteOptions::new()
            .with_encoding(args.encoding)
            .with_mark(args.bom.then_some(true))
            .with_width(args.width)
            .with_partial(args.partial);
        let how = Convert::new(args.reading.rules()).with_reading(self.options.clone()).with_writing(writing);
        let how = how.with_definitions(args.define);
        let how = to.into_iter().fold(how, Convert::to);
        args.line_break.map(line_break).into_iter().fold(how, Convert::with_line_break)
    }

    /// Opens the output of a file.
    fn open_output(self, place: &Path, media: &Media) -> std::io::Result<ConvertedFile> {
        media.start_output(self.open_file(place)?, place)
    }

    /// Opens the file at a place, in a folder that is made if need be.
    fn open_file(self, place: &Path) -> std::io::Result<Digested<Output>> {
        if let Some(folder) = self.args.out_dir.as_ref().and_then(|_| place.parent()) {
            io::create_folder(folder)?;
        }
        Ok(Digested::new(Output::create(place)?, self.args.manifest.is_some()))
    }
}

fn line_break(asked: Break) -> LineBreak {
    match asked {
        Break::Lf => LineBreak::Lf,
        Break::Cr => LineBreak::Cr,
        Break::Crlf => LineBreak::CrLf,
    }
}
