//! `elf check --fix`: fixes the findings that can be fixed, and reports the rest.

use crate::args::{Check, ConfigOptions};
use crate::baseline::BaselineUse;
use crate::commands::check::{Checkable, Checked, CheckedFile, Judging, Report};
use crate::commands::{Changed, write_to};
use crate::config::Settings;
use crate::console::Console;
use crate::exit::Exit;
use crate::io::{self, Listed, Output, Places, Source, is_standard};
use crate::reading;
use elf_edit::{FileRefusal, FixOptions, Safety, fix_document};
use elf_report::diff;
use elf_report::findings::FindingFormat;
use elf_schema::{Diagnostic, PathTypes, ReadOptions};
use elf_tagged::elf_octets::{Patch, PatchError};
use elf_tagged::read_with;
use std::path::PathBuf;

pub(super) fn run(
    args: &Check,
    (files, baseline): (&[CheckedFile], Option<BaselineUse>),
    options: &ReadOptions<'_>,
    console: &mut Console,
) -> Exit {
    if let Some(problem) = contradiction(args, files) {
        console.failure(problem);
        return Exit::Failed;
    }
    if args.fixing.diff {
        return write_to(args.output.as_deref(), console, |out, console| {
            let mut exit = Exit::Clean;
            for file in files {
                exit = exit.max(show(file, args, options, out, console)?);
            }
            Ok(exit)
        });
    }
    let renderer = console.renderer();
    let mut report = Report::new(args, options, baseline, &renderer);
    // The fixed file is the output: the findings that are left go to standard error in every format.
    let mut out = Vec::new();
    let mut exit = if report.start(&mut out).is_ok() { Exit::Clean } else { Exit::Failed };
    let ConfigOptions { config, baseline: known, .. } = &args.configuring;
    let others = config.iter().chain(known).map(|path| &**path).chain(args.reading.schema_file());
    let mut places = args
        .fixing
        .out_dir
        .as_deref()
        .map(|dir| Places::new(dir, files.iter().map(|(file, _)| file), others, None));
    for file in files {
        let place = match (&mut places, &args.output) {
            (Some(places), _) => places.take(&file.0).map(Place::Elsewhere),
            (None, _) if args.fixing.in_place => in_place(&file.0),
            (None, Some(output)) => Ok(Place::Elsewhere(output.clone())),
            (None, None) => Ok(Place::Elsewhere(PathBuf::from("-"))),
        };
        let written = write(file, (args, options), place, &mut report, &mut out, console);
        exit = exit.max(written.unwrap_or(Exit::Failed));
        console.pass_on(&mut out);
    }
    if report.finish(&mut out).is_err() {
        exit = Exit::Failed;
    }
    console.pass_on(&mut out);
    exit
}

/// The place for a fixed file.
enum Place {
    /// The file itself.
    Itself(PathBuf),
    /// Another file, or standard output.
    Elsewhere(PathBuf),
}

fn in_place(file: &Listed) -> Result<Place, String> {
    match &file.source {
        Source::File(path) if io::is_pipe_or_device(path) => {
            Err("it is a pipe or a device and cannot be overwritten: `--out-dir` writes it elsewhere"
                .to_owned())
        }
        Source::File(path) => Ok(Place::Itself(path.clone())),
        Source::Gzip(_) | Source::Entry(..) => {
            Err("it is packed and cannot be overwritten: `--out-dir` writes it elsewhere".to_owned())
        }
        Source::Unreadable(reason) => Err(reason.clone()),
    }
}

/// Returns a problem of the arguments, if there is one.
fn contradiction(args: &Check, files: &[CheckedFile]) -> Option<&'static str> {
    if args.fixing.diff {
        return (args.format != FindingFormat::Human)
            .then_some("`--diff` is for people: it has no other format");
    }
    if !args.fixing.fix && !args.fixing.unsafe_fixes {
        return Some(
            "`--in-place` and `--out-dir` say where fixes go: they need `--fix` or `--unsafe-fixes`",
        );
    }
    if args.fixing.in_place {
        return args.files.iter().find(|path| is_standard(path)).and_then(|path| io::not_in_place(path));
    }
    let has_place = files.len() < 2 || args.fixing.out_dir.is_some();
    (!has_place).then_some("several fixed files need `--in-place` or `--out-dir`")
}

/// A fixed file.
struct FixedFile {
    octets: Vec<u8>,
    /// The lines that change.
    patches: Vec<Patch>,
    /// The text of the lines that go, for `--diff`.
    removed: Vec<String>,
    /// The number of fixed findings.
    count: u64,
}

/// Reads a file and fixes it.
fn fix_file(
    (file, settings): &CheckedFile,
    args: &Check,
    options: &ReadOptions<'_>,
    console: &mut Console,
) -> Result<FixedFile, String> {
    let meter = console.working(&format!("reading {}", reading::name(&file.name)));
    let octets = io::read_source(&file.source, &meter).map_err(|error| io::reason(&error))?;
    let options = &*settings.options(options);
    let mut findings: Vec<Diagnostic> = Vec::new();
    let document = read_with(&octets, settings.rules, &options.octets, options, &mut findings)
        .map_err(|error| error.to_string())?;
    let typed = elf_schema::read_document(document, options, &mut findings);
    // No fact is fixed.
    let judging = Judging { facts: None, ..settings.judging };
    judging.whole(&typed, &mut findings);
    let document = typed.document();
    let safety = if args.fixing.unsafe_fixes { Safety::Unsafe } else { Safety::Safe };
    let chosen = |finding: &Diagnostic| settings.choice.takes(finding);
    let mut types = PathTypes::new(typed.typing(), document.rules());
    let fixes = fix_document(document, &findings, FixOptions::from(safety).choosing(&chosen), &mut types);
    drop(findings);
    if let Some(refusal) = fixes.file_refusal {
        return Err(refused(refusal, settings));
    }
    let removed = match args.fixing.diff {
        true => diff::removed_lines(document.source(), &fixes.patches).map(str::to_owned).collect(),
        false => Vec::new(),
    };
    let octets = document.source().splice(&fixes.patches).map_err(|error: PatchError| error.to_string())?;
    Ok(FixedFile { octets, removed, count: fixes.fixed.len() as u64, patches: fixes.patches })
}

/// Returns the reason why a file is not fixed.
fn refused(refusal: FileRefusal, settings: &Settings) -> String {
    let advice = match refusal {
        FileRefusal::Ended if !settings.rules.recovers() => "; `--rules wild` reads on",
        _ => "",
    };
    format!("{refusal}{advice}")
}

/// Shows the fixes of a file.
fn show(
    file: &CheckedFile,
    args: &Check,
    options: &ReadOptions<'_>,
    out: &mut Output,
    console: &mut Console,
) -> std::io::Result<Exit> {
    let path = &*file.0.name;
    let shown = fix_file(file, args, options, console);
    console.done();
    match shown {
        Ok(FixedFile { patches, .. }) if patches.is_empty() => Ok(Exit::Clean),
        Ok(FixedFile { patches, removed, .. }) => {
            let coloured = out.is_coloured();
            diff::write(out, &reading::name(path), removed, &patches, coloured)?;
            Ok(Exit::Problems)
        }
        Err(reason) => {
            console.unrepairable(path, &reason);
            Ok(Exit::Failed)
        }
    }
}

/// Fixes a file, writes it to its place, and reports the findings that are left.
fn write(
    file: &CheckedFile,
    (args, options): (&Check, &ReadOptions<'_>),
    place: Result<Place, String>,
    report: &mut Report<'_>,
    out: &mut Vec<u8>,
    console: &mut Console,
) -> std::io::Result<Exit> {
    let path = &*file.0.name;
    let fixed = place.and_then(|place| Ok((place, fix_file(file, args, options, console)?)));
    let (place, FixedFile { octets, patches, count, .. }) = match fixed {
        Ok(fixed) => fixed,
        Err(reason) => {
            console.done();
            console.unrepairable(path, &reason);
            return Ok(report.failed(path, &reason));
        }
    };
    // The report is made before the file is written, but printed only if that succeeds.
    let mut printed = Vec::new();
    let checked = report.check(file, (Checkable::Octets(&octets), count), &mut printed);
    console.done();
    let checked = checked?;
    if let Checked::Unread(reason) = &checked {
        console.unreadable(path, reason);
        return Ok(report.failed(path, reason));
    }
    let mut content = Changed::Whole(octets);
    let written = match &place {
        // Nothing is fixed: the file stays as it is.
        Place::Itself(_) if patches.is_empty() => Exit::Clean,
        Place::Itself(place) => content.write(Some(place), args.fixing.backup, console),
        Place::Elsewhere(place) => {
            let folder = args.fixing.out_dir.as_ref().and_then(|_| place.parent());
            match folder.map_or(Ok(()), io::create_folder) {
                Ok(()) => content.write(Some(place), false, console),
                Err(error) => {
                    console.unwritable(place, &io::reason(&error));
                    Exit::Failed
                }
            }
        }
    };
    if written != Exit::Clean {
        return Ok(report.failed(path, "the fixed file could not be written"));
    }
    report.print(file, checked, &printed, out)
}
