//! `elf check --fix`: what can be repaired is, and the rest reported.

use crate::args::Check;
use crate::baseline::BaselineUse;
use crate::commands::check::{CheckedFile, Report};
use crate::commands::write_to;
use crate::config::Settings;
use crate::console::Console;
use crate::exit::Exit;
use crate::io::{Input, Output, is_standard};
use crate::reading;
use elf_edit::{FixOptions, Fixes, Safety, fixes, fixes_by_types};
use elf_render::diff;
use elf_render::findings::FindingFormat;
use elf_schema::{Diagnostic, PathTypes, ReadOptions};
use elf_tagged::{Document, codes, elf_octets::PatchError, read_with};
use std::io::Write;

pub(super) fn run(
    args: &Check,
    (files, baseline): (&[CheckedFile<'_>], Option<BaselineUse>),
    options: &ReadOptions<'_>,
    console: &mut Console,
) -> Exit {
    if let Some(problem) = contradiction(args) {
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
    for file in files {
        exit = exit.max(write(file, args, options, &mut report, &mut out, console).unwrap_or(Exit::Failed));
        console.pass_on(&mut out);
    }
    if report.finish(&mut out).is_err() {
        exit = Exit::Failed;
    }
    console.pass_on(&mut out);
    exit
}

/// Returns the reason why the arguments cannot be obeyed, if there is one.
fn contradiction(args: &Check) -> Option<&'static str> {
    if args.fixing.diff {
        return (args.format != FindingFormat::Human)
            .then_some("`--diff` is for people: it has no other format");
    }
    if !args.fixing.fix && !args.fixing.unsafe_fixes {
        return Some("`--in-place` says where repairs go: it needs `--fix` or `--unsafe-fixes`");
    }
    if args.fixing.in_place {
        let standard = args.files.iter().any(|path| is_standard(path));
        let message = "standard input cannot be overwritten: name a file, or leave out `--in-place`";
        return standard.then_some(message);
    }
    (args.files.len() > 1).then_some("several repaired files need `--in-place`")
}

/// A file with its repairs.
struct Repaired {
    octets: Vec<u8>,
    fixes: Fixes,
    /// True if the rules let the reading reach the end.
    complete: bool,
}

/// Repairs what was read from a file.
fn repair(
    octets: &[u8],
    args: &Check,
    Settings { rules, choice, .. }: &Settings,
    options: &ReadOptions<'_>,
    show: impl FnOnce(&Document<'_>, &Fixes),
) -> Result<Repaired, String> {
    let mut findings: Vec<Diagnostic> = Vec::new();
    let document = read_with(octets, rules, &options.octets, options, &mut findings)
        .map_err(|error| error.to_string())?;
    let most = if args.fixing.unsafe_fixes { Safety::Unsafe } else { Safety::Safe };
    // Only a guess puts a trailer behind a file, and only that asks for types.
    let ends = findings.iter().any(|finding| finding.code == codes::TRAILER_MISSING);
    let chosen = |finding: &Diagnostic| choice.takes(finding);
    let wanted = FixOptions::from(most).choosing(&chosen);
    let fixes = if most == Safety::Unsafe && ends {
        let typed = elf_schema::read(octets, rules, options, &mut ()).map_err(|error| error.to_string())?;
        let mut types = PathTypes::new(typed.typing(), rules);
        fixes_by_types(&document, &findings, wanted, &mut types)
    } else {
        fixes(&document, &findings, wanted)
    };
    show(&document, &fixes);
    let octets = document.source().splice(&fixes.patches).map_err(|error: PatchError| error.to_string())?;
    // Behind a missing trailer there is nothing.
    let at_end = findings.iter().any(|finding| finding.code == codes::TRAILER_MISSING);
    Ok(Repaired { octets, fixes, complete: document.is_complete() || at_end })
}

/// Shows what would be repaired.
fn show(
    file: &CheckedFile<'_>,
    args: &Check,
    options: &ReadOptions<'_>,
    out: &mut Output,
    console: &mut Console,
) -> std::io::Result<Exit> {
    let &CheckedFile { path, ref settings } = file;
    let Some(octets) = reading::octets(path, console) else { return Ok(Exit::Failed) };
    let coloured = out.is_coloured();
    let mut written = Ok(());
    let shown = repair(&octets, args, settings, options, |document, fixes| {
        written = diff::write(out, &reading::name(path), document.source(), &fixes.patches, coloured);
    });
    written?;
    match shown {
        Ok(Repaired { fixes, .. }) if fixes.patches.is_empty() => Ok(Exit::Clean),
        Ok(_) => Ok(Exit::Problems),
        Err(error) => {
            console.unreadable(path, &error);
            Ok(Exit::Failed)
        }
    }
}

/// Repairs a file where it stands or elsewhere, and reports what is left.
fn write(
    file: &CheckedFile<'_>,
    args: &Check,
    options: &ReadOptions<'_>,
    report: &mut Report<'_>,
    out: &mut Vec<u8>,
    console: &mut Console,
) -> std::io::Result<Exit> {
    let &CheckedFile { path, ref settings } = file;
    let repaired = match reading::octets(path, console) {
        Some(octets) => repair(&octets, args, settings, options, |_, _| {}),
        None => return Ok(report.failed(path, "it could not be read")),
    };
    let repaired = match repaired {
        Ok(repaired) => repaired,
        Err(error) => {
            console.unreadable(path, &error);
            return Ok(report.failed(path, &error));
        }
    };
    if !repaired.complete {
        let reads_on = if settings.rules.recovers() { "" } else { "; `--rules wild` reads on" };
        let reason = format!("the rules ended the reading, so it is not repaired{reads_on}");
        console.unreadable(path, &reason);
        return Ok(report.failed(path, &reason));
    }
    let place = if args.fixing.in_place { Some(path) } else { args.output.as_deref() };
    // A file that stays as it is is not written again.
    if !args.fixing.in_place || !repaired.fixes.patches.is_empty() {
        let written =
            write_to(place, console, |out, _| out.write_all(&repaired.octets).map(|()| Exit::Clean));
        if written != Exit::Clean {
            return Ok(report.failed(path, "what was repaired could not be written"));
        }
    }
    let count = Some(repaired.fixes.repaired.len() as u64);
    report.file(file, (Input::Whole(repaired.octets), count), out, console)
}
