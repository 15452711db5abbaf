//! `elf check --fix`: what can be repaired is, and the rest reported.

use crate::args::{Check, ConfigOptions};
use crate::baseline::BaselineUse;
use crate::commands::check::{
    Checkable, Checked, CheckedFile, Checking, FileCounts, Judging, ReplacedFile, Report,
};
use crate::commands::{Changed, write_to};
use crate::config::Settings;
use crate::console::Console;
use crate::exit::Exit;
use crate::io::{self, Input, Listed, Output, Places, Source, is_standard};
use crate::progress::Counting;
use crate::{parts, reading};
use elf_check::findings::{CodeCounts, Keep};
use elf_edit::{Changes, FixOptions, Fixes, RepairRefusal, Safety, answers, fixes, fixes_by_types};
use elf_report::diff;
use elf_report::findings::FindingFormat;
use elf_schema::{Diagnostic, PathTypes, ReadOptions};
use elf_tagged::elf_octets::{Patch, PatchError, Rereading};
use elf_tagged::{codes, read_with};
use std::fs::File;
use std::io::Read;
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
        return args.files.iter().find(|path| is_standard(path)).and_then(|path| io::not_in_place(path));
    }
    let has_place = files.len() < 2 || args.fixing.out_dir.is_some();
    (!has_place).then_some("several repaired files need `--in-place` or `--out-dir`")
}

/// A file with its repairs.
struct Repaired {
    content: Changed,
    /// The lines that change, and the text of those that go where it is shown.
    patches: Vec<Patch>,
    removed: Vec<String>,
    /// The number of findings that are repaired.
    count: u64,
}

/// The time at which links that lack one half are found: the other half of a link stands in another part, and
/// such a file is repaired as a whole.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Links {
    /// By the reading that finds the repairs.
    Asked,
    /// Later, when what they make is checked.
    Unasked,
}

/// Repairs a file: a large one part by part, where that is all the same.
fn repair(
    (file, settings): &CheckedFile,
    (args, links): (&Check, Links),
    options: &ReadOptions<'_>,
    console: &mut Console,
) -> Result<Repaired, String> {
    let reason = |error| io::reason(&error);
    let meter = console.working(&format!("reading {}", reading::name(&file.name)));
    let octets = match io::open_source(&file.source, &meter).map_err(reason)? {
        Input::Whole(octets) => octets,
        Input::Large(input) => {
            let mut file = Rereading::of(input.into_file().map_err(reason)?);
            // A guess may concern the end of the file, and the types of what stands there.
            let counts = match args.fixing.unsafe_fixes {
                true => None,
                false => Some(in_parts(&mut file, (args, links), settings, options).map_err(reason)?),
            };
            if let Some(refusal) = counts.as_ref().and_then(|counts| counts.refused) {
                return Err(refused(refusal, settings));
            }
            if let Some(counts) = counts.filter(|counts| !has_links(&counts.codes)) {
                let FileCounts { repairable: count, changes, .. } = counts;
                let Changes { replacements, patches, removed, .. } = changes;
                let content = Changed::Parts(ReplacedFile { file, replacements });
                return Ok(Repaired { content, patches, removed, count });
            }
            let mut octets = Vec::new();
            file.restart().and_then(|file| file.read_to_end(&mut octets)).map_err(reason)?;
            octets
        }
    };
    whole(&octets, args, settings, options)
}

fn has_links(codes: &CodeCounts) -> bool {
    codes.knows_links || codes.codes().any(|one| one.code == codes::LINK_ONE_SIDED)
}

/// Works out the safe repairs of a file that is read in parts.
fn in_parts(
    file: &mut Rereading<Counting<File>>,
    (args, links): (&Check, Links),
    settings: &Settings,
    options: &ReadOptions<'_>,
) -> std::io::Result<FileCounts> {
    let checking = Checking {
        rules: settings.rules,
        options: &settings.options(options),
        choice: &settings.choice,
        // No fact is repaired, and of what a standard says links alone.
        judging: match links {
            Links::Asked => Judging { facts: None, ..settings.judging },
            Links::Unasked => Judging { against: None, facts: None, ..settings.judging },
        },
        keep: Keep::Nothing,
        ledger: None,
        threads: parts::threads(args.jobs),
        repairs: true,
    };
    checking.in_parts(file, &mut |_, _| Ok(()))
}

/// Repairs what was read from a file: first lines, and then the links of which one half is missing.
fn whole(
    octets: &[u8],
    args: &Check,
    settings: &Settings,
    options: &ReadOptions<'_>,
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
    // Only a guess puts a trailer behind a file, and only that asks for types.
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
    let has_ended = (!document.is_complete() && !ends).then_some(RepairRefusal::Ended);
    if let Some(refusal) = has_ended.or(fixes.refused) {
        return Err(refused(refusal, settings));
    }
    let repaired = document.source().splice(&fixes.patches).map_err(|error: PatchError| error.to_string())?;
    let (octets, patches, count) = if has_links {
        let (octets, links) = answer(repaired, settings, options, wanted)?;
        (octets, fixes.then(&links), fixes.repaired.len() + links.repaired.len())
    } else {
        (repaired, fixes.patches, fixes.repaired.len())
    };
    let removed = match args.fixing.diff {
        true => diff::removed_lines(document.source(), &patches).map(str::to_owned).collect(),
        false => Vec::new(),
    };
    Ok(Repaired { content: Changed::Whole(octets), patches, removed, count: count as u64 })
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

/// The reason why a file is not repaired.
fn refused(refusal: RepairRefusal, settings: &Settings) -> String {
    let goes_on = refusal != RepairRefusal::Ended || settings.rules.recovers();
    let advice = if goes_on { "" } else { "; `--rules wild` reads on" };
    format!("{refusal}{advice}")
}

/// Shows what would be repaired.
fn show(
    file: &CheckedFile,
    args: &Check,
    options: &ReadOptions<'_>,
    out: &mut Output,
    console: &mut Console,
) -> std::io::Result<Exit> {
    let path = &*file.0.name;
    let shown = repair(file, (args, Links::Asked), options, console);
    console.done();
    match shown {
        Ok(Repaired { patches, .. }) if patches.is_empty() => Ok(Exit::Clean),
        Ok(Repaired { patches, removed, .. }) => {
            let coloured = out.is_coloured();
            diff::write(out, &reading::name(path), removed, &patches, coloured)?;
            Ok(Exit::Problems)
        }
        Err(error) => {
            console.unrepairable(path, &error);
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
    let path = &*file.0.name;
    let repaired =
        place.and_then(|place| Ok((place, repair(file, (args, Links::Unasked), options, console)?)));
    let made = repaired.and_then(|(place, mut repaired)| {
        let mut printed = Vec::new();
        let mut checked = check(file, &mut repaired, report, &mut printed);
        if let (Changed::Parts(parts), Ok(Checked::Read(_, codes, _))) = (&mut repaired.content, &checked)
            && has_links(codes)
        {
            let mut octets = Vec::new();
            parts
                .file
                .restart()
                .and_then(|file| file.read_to_end(&mut octets))
                .map_err(|error| io::reason(&error))?;
            repaired = whole(&octets, args, &file.1, options)?;
            printed.clear();
            checked = check(file, &mut repaired, report, &mut printed);
        }
        Ok((place, repaired, checked, printed))
    });
    console.done();
    let (place, mut repaired, checked, printed) = match made {
        Ok(made) => made,
        Err(reason) => {
            console.unrepairable(path, &reason);
            return Ok(report.failed(path, &reason));
        }
    };
    let checked = checked?;
    if let Checked::Unread(reason) = &checked {
        console.unreadable(path, reason);
        return Ok(report.failed(path, reason));
    }
    let written = match &place {
        // A file that stays as it is is not written again.
        Place::Itself(_) if repaired.patches.is_empty() => Exit::Clean,
        Place::Itself(place) => repaired.content.write(Some(place), args.fixing.backup, console),
        Place::Elsewhere(place) => {
            let folder = args.fixing.out_dir.as_ref().and_then(|_| place.parent());
            match folder.map_or(Ok(()), io::create_folder) {
                Ok(()) => repaired.content.write(Some(place), false, console),
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
    report.print(file, checked, &printed, out)
}

/// Checks a repaired file before it is written.
fn check(
    file: &CheckedFile,
    repaired: &mut Repaired,
    report: &Report<'_>,
    printed: &mut Vec<u8>,
) -> std::io::Result<Checked> {
    let input = match &mut repaired.content {
        Changed::Whole(octets) => Checkable::Octets(octets),
        Changed::Parts(file) => Checkable::Repaired(file),
    };
    report.check(file, (input, repaired.count), printed)
}
