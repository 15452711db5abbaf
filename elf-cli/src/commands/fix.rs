//! `elf check --fix`: what can be repaired is, and the rest reported.

use crate::args::{Check, ConfigOptions};
use crate::baseline::BaselineUse;
use crate::commands::check::{CheckedFile, Report};
use crate::commands::write_to;
use crate::config::Settings;
use crate::console::Console;
use crate::exit::Exit;
use crate::io::{self, Input, Listed, Output, Places, Source, backup, is_standard};
use crate::reading;
use elf_edit::{FixOptions, Fixes, Safety, answers, fixes, fixes_by_types};
use elf_render::diff;
use elf_render::findings::FindingFormat;
use elf_schema::{Diagnostic, PathTypes, ReadOptions};
use elf_tagged::elf_octets::{Patch, PatchError};
use elf_tagged::{Document, codes, read_with};
use std::io::Write;
use std::path::{Path, PathBuf};

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
    // The repaired file is the output: what is left goes where failures go, in every format.
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

/// The place for a repaired file.
enum Place {
    /// The file itself.
    Itself(PathBuf),
    /// Another file, or standard output.
    Elsewhere(PathBuf),
}

fn in_place(file: &Listed) -> Result<Place, String> {
    match &file.source {
        Source::File(path) => Ok(Place::Itself(path.clone())),
        Source::Gzip(_) | Source::Entry(..) => {
            Err("it is packed and cannot be overwritten: `--out-dir` writes it elsewhere".to_owned())
        }
        Source::Unreadable(reason) => Err(reason.clone()),
    }
}

/// Returns the reason why the arguments cannot be obeyed, if there is one.
fn contradiction(args: &Check, files: &[CheckedFile]) -> Option<&'static str> {
    if args.fixing.diff {
        return (args.format != FindingFormat::Human)
            .then_some("`--diff` is for people: it has no other format");
    }
    if !args.fixing.fix && !args.fixing.unsafe_fixes {
        return Some(
            "`--in-place` and `--out-dir` say where repairs go: they need `--fix` or `--unsafe-fixes`",
        );
    }
    if args.fixing.in_place {
        let standard = args.files.iter().any(|path| is_standard(path));
        let message = "standard input cannot be overwritten: name a file, or leave out `--in-place`";
        return standard.then_some(message);
    }
    let has_place = files.len() < 2 || args.fixing.out_dir.is_some();
    (!has_place).then_some("several repaired files need `--in-place` or `--out-dir`")
}

/// A file with its repairs.
struct Repaired {
    octets: Vec<u8>,
    patches: Vec<Patch>,
    /// The number of findings that the patches repair.
    count: u64,
    /// True if the rules let the reading reach the end.
    complete: bool,
}

/// Repairs what was read from a file: first the lines of each record, and then the links of which one half is
/// missing.
fn repair(
    octets: &[u8],
    args: &Check,
    settings: &Settings,
    options: &ReadOptions<'_>,
    show: impl FnOnce(&Document<'_>, &[Patch]),
) -> Result<Repaired, String> {
    let Settings { rules, choice, judging, .. } = settings;
    let options = &*settings.options(options);
    let mut findings: Vec<Diagnostic> = Vec::new();
    let document = read_with(octets, rules, &options.octets, options, &mut findings)
        .map_err(|error| error.to_string())?;
    let typed = elf_schema::read_document(document, options, &mut findings);
    judging.whole(&typed, &mut findings);
    let document = typed.document();
    let most = if args.fixing.unsafe_fixes { Safety::Unsafe } else { Safety::Safe };
    // Only a guess puts a trailer behind a file, and only that asks for types; behind a missing one there is
    // nothing.
    let ends = findings.iter().any(|finding| finding.code == codes::TRAILER_MISSING);
    let chosen = |finding: &Diagnostic| choice.takes(finding);
    let wanted = FixOptions::from(most).choosing(&chosen);
    let fixes = if most == Safety::Unsafe && ends {
        let mut types = PathTypes::new(typed.typing(), document.rules());
        fixes_by_types(document, &findings, wanted, &mut types)
    } else {
        fixes(document, &findings, wanted)
    };
    // Safe repairs leave all links as they are.
    let has_links = most == Safety::Unsafe
        || findings.iter().any(|finding| finding.code == codes::LINK_ONE_SIDED && chosen(finding));
    drop(findings);
    let complete = document.is_complete() || ends;
    let repaired = document.source().splice(&fixes.patches).map_err(|error: PatchError| error.to_string())?;
    let (octets, patches, count) = if has_links && complete {
        let (octets, links) = answer(repaired, settings, options, wanted)?;
        (octets, fixes.then(&links), fixes.repaired.len() + links.repaired.len())
    } else {
        (repaired, fixes.patches, fixes.repaired.len())
    };
    if complete {
        show(document, &patches);
    }
    Ok(Repaired { octets, patches, count: count as u64, complete })
}

/// Answers the one-sided links of a file in which all else is repaired.
fn answer(
    octets: Vec<u8>,
    settings: &Settings,
    options: &ReadOptions<'_>,
    wanted: FixOptions<'_>,
) -> Result<(Vec<u8>, Fixes), String> {
    let mut findings: Vec<Diagnostic> = Vec::new();
    let document = read_with(&octets, settings.rules, &options.octets, options, &mut ())
        .map_err(|error| error.to_string())?;
    let typed = elf_schema::read_document(document, options, &mut ());
    settings.judging.links(&typed, &mut findings);
    let document = typed.document();
    let links = answers(document, &findings, wanted);
    if links.patches.is_empty() {
        drop(typed);
        return Ok((octets, links));
    }
    let answered = document.source().splice(&links.patches).map_err(|error: PatchError| error.to_string())?;
    Ok((answered, links))
}

/// The reason why a file is not repaired whose reading the rules ended.
fn ended(settings: &Settings) -> String {
    let reads_on = if settings.rules.recovers() { "" } else { "; `--rules wild` reads on" };
    format!("the rules ended the reading, so it is not repaired{reads_on}")
}

/// Shows what would be repaired.
fn show(
    (file, settings): &CheckedFile,
    args: &Check,
    options: &ReadOptions<'_>,
    out: &mut Output,
    console: &mut Console,
) -> std::io::Result<Exit> {
    let path = &*file.name;
    let Some(octets) = reading::octets_from(path, &file.source, console) else { return Ok(Exit::Failed) };
    let coloured = out.is_coloured();
    let mut written = Ok(());
    let shown = repair(&octets, args, settings, options, |document, patches| {
        let removed = diff::removed_lines(document.source(), patches);
        written = diff::write(out, &reading::name(path), removed, patches, coloured);
    });
    written?;
    match shown {
        Ok(Repaired { complete: false, .. }) => {
            console.unreadable(path, &ended(settings));
            Ok(Exit::Failed)
        }
        Ok(Repaired { patches, .. }) if patches.is_empty() => Ok(Exit::Clean),
        Ok(_) => Ok(Exit::Problems),
        Err(error) => {
            console.unreadable(path, &error);
            Ok(Exit::Failed)
        }
    }
}

/// Repairs a file where it stands or elsewhere, and reports what is left.
fn write(
    file: &CheckedFile,
    (args, options): (&Check, &ReadOptions<'_>),
    place: Result<Place, String>,
    report: &mut Report<'_>,
    out: &mut Vec<u8>,
    console: &mut Console,
) -> std::io::Result<Exit> {
    let (listed, settings) = file;
    let path = &*listed.name;
    let refuse = |reason: &str, report: &mut Report<'_>, console: &mut Console| {
        console.unreadable(path, reason);
        Ok(report.failed(path, reason))
    };
    let place = match place {
        Ok(place) => place,
        Err(reason) => return refuse(&reason, report, console),
    };
    let repaired = match reading::octets_from(path, &listed.source, console) {
        Some(octets) => repair(&octets, args, settings, options, |_, _| {}),
        None => return Ok(report.failed(path, "it could not be read")),
    };
    let repaired = match repaired {
        Ok(repaired) => repaired,
        Err(error) => return refuse(&error, report, console),
    };
    if !repaired.complete {
        return refuse(&ended(settings), report, console);
    }
    let written = match &place {
        // A file that stays as it is is not written again.
        Place::Itself(_) if repaired.patches.is_empty() => Exit::Clean,
        Place::Itself(place) if args.fixing.backup => match backup(place) {
            Ok(_) => write_octets(place, &repaired.octets, console),
            Err(error) => {
                console.failure(&format!("cannot keep a copy of {}: {}", path.display(), io::reason(&error)));
                Exit::Failed
            }
        },
        Place::Itself(place) => write_octets(place, &repaired.octets, console),
        Place::Elsewhere(place) => {
            let folder = args.fixing.out_dir.as_ref().and_then(|_| place.parent());
            match folder.map_or(Ok(()), io::create_folder) {
                Ok(()) => write_octets(place, &repaired.octets, console),
                Err(error) => {
                    console.unwritable(place, &io::reason(&error));
                    Exit::Failed
                }
            }
        }
    };
    if written != Exit::Clean {
        return Ok(report.failed(path, "what was repaired could not be written"));
    }
    let count = Some(repaired.count);
    report.file(file, (Input::Whole(repaired.octets), count), out, console)
}

fn write_octets(place: &Path, octets: &[u8], console: &mut Console) -> Exit {
    write_to(Some(place), console, |out, _| out.write_all(octets).map(|()| Exit::Clean))
}
