//! `elf extract` and `elf redact`: a file without some of its people.

mod report;

use crate::args::{Extract, ExtractOptions, Format, Redact};
use crate::config::today;
use crate::console::Console;
use crate::exit::Exit;
use crate::io::{self, Input, Output, Rewindable};
use crate::parts;
use crate::reading;
use crate::schemas::Schemas;
use elf_check::findings::Problems;
use elf_extract::elf_edit::{EditError, EditedParts};
use elf_extract::{ExtractError, ExtractedPart, Plan, PlanError, Survey, SurveyReader, SurveyedDocument};
use elf_schema::{Run, ReadOptions};
use elf_tagged::elf_octets::Rereading;
use report::RemovalReport;
use std::io::{Cursor, Write};
use std::path::Path;
use std::sync::{Arc, OnceLock};

/// Runs `elf extract`.
pub(crate) fn extract(args: &Extract, console: &mut Console) -> Exit {
    let branch = args.branch();
    let plan = |document| Plan::branch(document, &branch);
    run(&args.file, &args.options, Wanted::Branch(&plan), console)
}

/// Runs `elf redact`.
pub(crate) fn redact(args: &Redact, console: &mut Console) -> Exit {
    let redaction = args.redaction(today);
    if args.check {
        let list = |document: SurveyedDocument| report::living(&document, &redaction);
        return run(&args.file, &args.options, Wanted::List(&list), console);
    }
    let plan = |document| Plan::redaction(document, &redaction);
    run(&args.file, &args.options, Wanted::Redaction(&plan), console)
}

/// The work that is done on a file.
#[derive(Clone, Copy)]
pub(crate) enum Wanted<'w> {
    Branch(&'w dyn Fn(SurveyedDocument) -> Result<Plan, PlanError>),
    Redaction(&'w dyn Fn(SurveyedDocument) -> Result<Plan, PlanError>),
    /// The records of those who may be living are listed.
    List(&'w dyn Fn(SurveyedDocument) -> Result<report::Living, PlanError>),
}

/// The reason why nothing is made of a file.
enum ExtractFailure {
    Reading(String),
    Writing(String),
    Plan(PlanError),
    Edit(EditError),
    /// The rules ended the reading.
    Ended(Problems),
}

impl From<std::io::Error> for ExtractFailure {
    fn from(error: std::io::Error) -> ExtractFailure {
        ExtractFailure::Reading(io::reason(&error))
    }
}

impl From<ExtractError> for ExtractFailure {
    fn from(error: ExtractError) -> ExtractFailure {
        match error {
            ExtractError::Edit(error) => ExtractFailure::Edit(error),
            ExtractError::Write(error) => ExtractFailure::Writing(io::reason(&error)),
            ExtractError::Read(error) => error.into(),
            other => ExtractFailure::Reading(other.to_string()),
        }
    }
}

fn run(file: &Path, options: &ExtractOptions, wanted: Wanted<'_>, console: &mut Console) -> Exit {
    if let Some(problem) = contradiction(file, options, wanted) {
        console.failure(problem);
        return Exit::Failed;
    }
    let schemas = match Schemas::of(&options.reading.common, console) {
        Ok(schemas) => schemas,
        Err(exit) => return exit,
    };
    let job = ExtractJob { file, options, reading: &schemas.options(options.reading.encoding) };
    let done = job.open(wanted, console);
    console.done();
    done.unwrap_or_else(|failure| {
        let name = reading::name(file);
        match failure {
            ExtractFailure::Reading(reason) => console.unreadable(file, &reason),
            ExtractFailure::Writing(reason) => console.unwritable(job.place(), &reason),
            ExtractFailure::Plan(error) => console.failure(&format!("{name}: {error}")),
            ExtractFailure::Edit(error) => {
                let help = match error {
                    EditError::ReadOtherwise { .. } => "; `elf check --fix` may repair what stands there",
                    EditError::EncodingChanged { .. } => "; `elf convert` writes one that all programs know",
                    _ => "",
                };
                console.failure(&format!("nothing is written of {name}: {error}{help}"));
            }
            ExtractFailure::Ended(ending) => console.failure(&format!(
                "the rules ended the reading of {name}{}; nothing is written: `--partial` writes what was read",
                ending.place()
            )),
        }
        Exit::Failed
    })
}

/// Returns the reason why the arguments cannot be obeyed, if there is one.
fn contradiction(file: &Path, options: &ExtractOptions, wanted: Wanted<'_>) -> Option<&'static str> {
    if let Some(reason) = options.in_place.then(|| io::not_in_place(file)).flatten() {
        return Some(reason);
    }
    let to_standard = !options.in_place && options.output.as_deref().is_none_or(io::is_standard);
    let is_file = !matches!(wanted, Wanted::List(_));
    (options.format == Format::Json && to_standard && is_file)
        .then_some("the file and JSON cannot both go to standard output: name a file with `-o`")
}

/// A file, and how it is read.
#[derive(Clone, Copy)]
struct ExtractJob<'j> {
    file: &'j Path,
    options: &'j ExtractOptions,
    reading: &'j ReadOptions<'j>,
}

impl ExtractJob<'_> {
    /// The place of what is written.
    fn place(&self) -> &Path {
        let place = if self.options.in_place { Some(self.file) } else { self.options.output.as_deref() };
        place.unwrap_or(Path::new("-"))
    }

    fn open(self, wanted: Wanted<'_>, console: &mut Console) -> Result<Exit, ExtractFailure> {
        let source = io::one(self.file).map_err(ExtractFailure::Reading)?;
        let meter = console.working(&format!("reading {}", reading::name(self.file)));
        match io::open_source(&source, &meter)? {
            Input::Whole(octets) => self.read(&mut Cursor::new(octets), 1, wanted, console),
            Input::Large(input) => {
                let threads = parts::threads(self.options.reading.jobs);
                self.read(&mut input.into_file()?, threads, wanted, console)
            }
        }
    }

    /// Reads the file to survey it, and again to write what is left.
    fn read(
        self,
        input: &mut dyn Rewindable,
        threads: usize,
        wanted: Wanted<'_>,
        console: &mut Console,
    ) -> Result<Exit, ExtractFailure> {
        let mut input = Rereading::of(input);
        let rules = self.options.reading.common.rules();
        let xrefs = parts::xrefs(|| input.restart(), rules, &self.reading.octets, threads)?.map(Arc::new);
        let mut reader = parts::reader(input.restart()?, rules, self.reading.clone(), xrefs.clone());
        let survey_reader = OnceLock::new();
        let of_part =
            |part: &Run<'_>| survey_reader.get_or_init(|| SurveyReader::new(part.schema())).part(part);
        let (mut survey, mut ending, mut late) =
            (Survey::default(), Problems::default(), Problems::default());
        let see = |part: Option<&Run<'_>>, ending: Problems| (part.map(of_part), ending);
        let take = |(part, of_part): (Option<_>, Problems)| {
            ending.join(of_part);
            part.into_iter().for_each(|part| survey.take(part));
        };
        parts::read(&mut reader, threads, (Problems::default, see), take, &mut late)?;
        ending.join(late);
        let has_ended = !reader.tagged().is_complete();
        drop(reader);
        let document = survey.finish();
        let is_allowed = self.options.partial && document.has_records() || matches!(wanted, Wanted::List(_));
        if has_ended && !is_allowed {
            return Err(ExtractFailure::Ended(ending));
        }
        let name = reading::name(self.file);
        let plan = match wanted {
            Wanted::Branch(plan) | Wanted::Redaction(plan) => plan(document).map_err(ExtractFailure::Plan)?,
            Wanted::List(list) => {
                let living = list(document).map_err(ExtractFailure::Plan)?;
                return Ok(living.print(&name, self.options.format, !has_ended, console));
            }
        };
        let mut report = RemovalReport::new(&name, self.options.format);
        let mut out =
            Output::create(self.place()).map_err(|error| ExtractFailure::Writing(io::reason(&error)))?;
        let mut reader = parts::reader(input.restart()?, rules, self.reading.clone(), xrefs);
        let Some(survey_reader) = survey_reader.get() else { return Ok(Exit::Failed) };
        let apply = |part: Option<&Run<'_>>, ()| part.map(|part| plan.apply(part, survey_reader));
        let (mut edited, mut done) = (EditedParts::default(), Ok(()));
        let take = |part: Option<Result<ExtractedPart, EditError>>| {
            if done.is_ok()
                && let Some(part) = part
            {
                done = part.map_err(ExtractError::Edit).and_then(|part| {
                    out.write_all(&part.part.octets).map_err(ExtractError::Write)?;
                    report.add(&part).map_err(ExtractError::Write)?;
                    edited.add(part.part).map_err(ExtractError::Edit)
                });
            }
        };
        parts::read(&mut reader, threads, (|| (), apply), take, &mut ())?;
        done?;
        edited.finish().map_err(ExtractFailure::Edit)?;
        out.finish().map_err(|error| ExtractFailure::Writing(io::reason(&error)))?;
        console.done();
        let exit = report
            .finish(&plan, (ending, has_ended), console)
            .map_err(|error| ExtractFailure::Writing(io::reason(&error)))?;
        Ok(exit)
    }
}
