//! `elf edit`: some structures changed, and nothing else.

use crate::args::{Edit as Args, Format};
use crate::commands::check::ReplacedFile;
use crate::commands::{Changed, write_to};
use crate::console::Console;
use crate::exit::Exit;
use crate::findings::Findings;
use crate::io::{self, Input, Source};
use crate::parts;
use crate::progress::Counting;
use crate::reading;
use crate::schemas::Schemas;
use elf_base::{Diagnostic, Sink, Tally, codes};
use elf_edit::{
    Cascaded, Edit, EditError, EditOptions, EditScope, Edited, Editor, FileOutline, PartOutline, PlacedEdits,
};
use elf_report::json::{self, EditSummary, Event};
use elf_report::{counted, diff};
use elf_schema::{PathTypes, ReadOptions};
use elf_tagged::elf_octets::{Patch, Rereading};
use elf_tagged::path::FindError;
use elf_tagged::{Document, Reader, TooLarge, Xrefs};
use std::fs::File;
use std::io::{Read, Write};
use std::path::Path;

pub(crate) fn run(args: &Args, console: &mut Console) -> Exit {
    if let Some(problem) = contradiction(args) {
        console.failure(problem);
        return Exit::Failed;
    }
    match args.format {
        Format::Human => report(args, &mut std::io::sink(), console).unwrap_or(Exit::Failed),
        Format::Json => write_to(None, console, |out, console| report(args, out, console)),
    }
}

/// Returns the reason why the arguments cannot be obeyed, if there is one.
fn contradiction(args: &Args) -> Option<&'static str> {
    if let Some(reason) = args.in_place.then(|| io::not_in_place(&args.file)).flatten() {
        return Some(reason);
    }
    let standard = !args.in_place && args.output.as_deref().is_none_or(io::is_standard);
    match args.format {
        Format::Human => None,
        Format::Json if args.diff => Some("`--diff` is for people: it has no JSON"),
        Format::Json => standard
            .then_some("the edited file and JSON cannot both go to standard output: name a file with `-o`"),
    }
}

/// Edits the file, and prints to `out` what a program is told.
fn report(args: &Args, out: &mut impl Write, console: &mut Console) -> std::io::Result<Exit> {
    let name = reading::name(&args.file);
    let mut summary = EditSummary { file: &name, edits: args.edits.0.len(), ..EditSummary::default() };
    let exit = match args.edits.0.is_empty() {
        true => unedited(args, console),
        false => edited(args, &mut summary, out, console)?,
    };
    if args.format == Format::Json && exit != Exit::Failed {
        json::summary(out, &summary)?;
    }
    Ok(exit)
}

/// Makes the edits and writes the file.
fn edited(
    args: &Args,
    summary: &mut EditSummary<'_>,
    out: &mut impl Write,
    console: &mut Console,
) -> std::io::Result<Exit> {
    let path = &*args.file;
    let meter = console.working(&format!("reading {}", summary.file));
    let opened =
        io::one(path).and_then(|source| io::open_source(&source, &meter).map_err(|error| io::reason(&error)));
    let made = match opened {
        Err(reason) => Err(Refusal::Unreadable(reason)),
        Ok(input) => match Schemas::of(&args.reading, console) {
            Ok(schemas) => {
                console.working(&format!("editing {}", summary.file));
                input_edited(args, input, &schemas.options(args.encoding))
            }
            Err(exit) => return Ok(exit),
        },
    };
    let made = match made {
        Ok(made) => made,
        Err(Refusal::Unreadable(reason)) => {
            console.unreadable(path, &reason);
            return Ok(Exit::Failed);
        }
        Err(Refusal::Edit(findings, reason)) => {
            tell(args, (&findings, &[]), summary, (out, console))?;
            console.failure(&reason);
            return Ok(Exit::Failed);
        }
    };
    let EditedFile { findings, cascaded, faults, patches, removed, mut content } = made;
    tell(args, (&findings, &cascaded), summary, (out, console))?;
    if faults > 0 {
        console.note("the edits bring about what is reported above: it stands in the edited file");
    }
    let exit = if faults > 0 { Exit::Problems } else { Exit::Clean };
    if !args.cascade && findings.iter().any(|finding| finding.code == codes::POINTER_DANGLING) {
        console.note("`--cascade` removes the pointers to what is removed, too");
    }
    if args.diff {
        return Ok(write_to(args.output.as_deref(), console, |out, _| {
            let coloured = out.is_coloured();
            diff::write(out, &reading::name(path), removed, &patches, coloured)?;
            Ok(exit)
        }));
    }
    if args.in_place && patches.is_empty() {
        return Ok(exit);
    }
    let written = content.write(output(args), false, console);
    Ok(if written == Exit::Clean { exit } else { written })
}

/// A file as the edits make it.
struct EditedFile {
    /// The findings that the edits bring about, and how many faults are among them.
    findings: Vec<Diagnostic>,
    cascaded: Vec<Cascaded>,
    faults: u64,
    /// The lines that change, and the text of those that go.
    patches: Vec<Patch>,
    removed: Vec<String>,
    content: Changed,
}

/// The reason why a file is not edited.
enum Refusal {
    Unreadable(String),
    /// An edit that cannot be made, or not written; with what was found before.
    Edit(Vec<Diagnostic>, String),
}

/// Edits an input: a large one by the parts that the edits concern, where those are enough.
fn input_edited(args: &Args, input: Input, reading: &ReadOptions<'_>) -> Result<EditedFile, Refusal> {
    let unreadable = |error| Refusal::Unreadable(io::reason(&error));
    let octets = match input {
        Input::Whole(octets) => octets,
        Input::Large(input) => {
            let mut file = Rereading::of(input.into_file().map_err(unreadable)?);
            let parts = parts_edited(args, &mut file, reading).map_err(unreadable)?;
            if let Some((placed, faults)) = parts {
                let PlacedEdits { replacements, patches, removed, findings, cascaded, .. } = placed;
                let content = Changed::Parts(ReplacedFile { file, replacements });
                return Ok(EditedFile { findings, cascaded, faults, patches, removed, content });
            }
            let mut octets = Vec::new();
            file.restart().and_then(|file| file.read_to_end(&mut octets)).map_err(unreadable)?;
            octets
        }
    };
    let editor = Editor::open_with(&octets, args.reading.rules(), &reading.octets, reading)
        .map_err(|error| Refusal::Unreadable(error.to_string()))?;
    let editor = edit(args, editor.with_options(options(args)), &octets, reading)?;
    let mut findings = Vec::new();
    let edited = match checked(args, &editor, reading, &mut findings) {
        Ok(edited) => edited,
        Err(error) => {
            let reason = format!("cannot edit {}: {error}", reading::name(&args.file));
            return Err(Refusal::Edit(findings, reason));
        }
    };
    let Edited { patches, faults, .. } = edited;
    let removed = match args.diff {
        true => diff::removed_lines(editor.document().source(), &patches).map(str::to_owned).collect(),
        false => Vec::new(),
    };
    let (cascaded, content) = (editor.cascaded(), Changed::Whole(edited.octets.into_owned()));
    Ok(EditedFile { findings, cascaded, faults, patches, removed, content })
}

/// Edits the parts of a file that the edits concern, and counts the faults that they bring about; `None`
/// where that would not be the same for sure.
fn parts_edited(
    args: &Args,
    file: &mut Rereading<Counting<File>>,
    reading: &ReadOptions<'_>,
) -> std::io::Result<Option<(PlacedEdits, u64)>> {
    let (rules, octets) = (args.reading.rules(), &reading.octets);
    let scope = EditScope::of(args.edits.0.iter().map(|(_, edit)| edit));
    let Some(scope) = scope.filter(|_| !Xrefs::are_needed(rules)) else { return Ok(None) };
    let mut outline = FileOutline::new();
    let mut reader = Reader::new(parts::any_read(file.restart()?), rules, octets).with_run_size(parts::PART);
    let see = |part: &Document<'_>| PartOutline::of(part, &scope);
    parts::look(&mut reader, reading, parts::threads(None), see, |part| outline.add(part))?;
    let breaks = reader.line_breaks();
    drop(reader);
    let Some(parts) = outline.concerned(&scope, args.cascade, breaks) else { return Ok(None) };
    drop(outline);
    let mut joined = Vec::new();
    parts.ranges().try_for_each(|range| file.read_range(range, &mut joined))?;
    let editor = Editor::open_with(&joined, rules, octets, reading).map_err(std::io::Error::other)?;
    let editor = parts.style(editor.with_options(options(args)));
    let Some(Ok(editor)) = editor.map(|editor| edit(args, editor, &joined, reading)) else { return Ok(None) };
    let mut findings = Vec::new();
    let Ok(edited) = checked(args, &editor, reading, &mut findings) else { return Ok(None) };
    let Some(placed) = parts.place(&editor, &edited, findings) else { return Ok(None) };
    let keeps_encoding = parts.keep_encoding(file, &placed.replacements, (rules, octets))?;
    Ok(keeps_encoding.then_some((placed, edited.faults)))
}

fn options(args: &Args) -> EditOptions {
    EditOptions::new()
        .with_escapes(!args.no_escapes)
        .with_create(args.create)
        .with_cascade(args.cascade)
        .with_dangling(args.dangling)
}

/// The edited file; what the edits bring about goes to `findings`.
fn checked<'o>(
    args: &Args,
    editor: &Editor<'o>,
    reading: &ReadOptions<'_>,
    findings: &mut Vec<Diagnostic>,
) -> Result<Edited<'o>, EditError> {
    let mut check = |octets: &[u8], sink: &mut dyn Sink| -> Result<(), TooLarge> {
        let mut news = |finding: Diagnostic| {
            if reading::is_news(&finding) {
                sink.report(finding);
            }
        };
        elf_schema::read(octets, args.reading.rules(), reading, &mut news).map(drop)
    };
    editor.finish_checked(&mut check, findings)
}

/// Prints what the edits bring about, and counts it.
fn tell(
    args: &Args,
    (findings, cascaded): (&[Diagnostic], &[Cascaded]),
    summary: &mut EditSummary<'_>,
    (out, console): (&mut impl Write, &mut Console),
) -> std::io::Result<()> {
    let mut printed = Findings::of(summary.file, args.format, console, out);
    let mut tally = Tally::new(|finding: Diagnostic| printed.report(finding));
    findings.iter().for_each(|finding| tally.report(finding.clone()));
    let Tally { malformed, non_conformant, deprecated, advice, .. } = tally;
    printed.finish()?;
    console.done();
    let cascades = cascaded.len() as u64;
    *summary = EditSummary { malformed, non_conformant, deprecated, advice, cascaded: cascades, ..*summary };
    report_cascaded(args.format, summary.file, cascaded, (out, console))
}

/// Prints each structure that went because what it pointed to did.
fn report_cascaded(
    format: Format,
    file: &str,
    cascaded: &[Cascaded],
    (out, console): (&mut impl Write, &mut Console),
) -> std::io::Result<()> {
    for Cascaded { path, line, structures, .. } in cascaded {
        if format == Format::Json {
            json::line(out, &Event::Cascaded { path, file, line: *line, structures: *structures })?;
            continue;
        }
        let line = line.map(|line| format!(" (line {line})")).unwrap_or_default();
        let beneath = match structures - 1 {
            0 => String::new(),
            count => format!(", and {} beneath it", counted(count, "structure")),
        };
        console.note(&format!("`{path}`{line} pointed to what was removed, and went with it{beneath}"));
    }
    Ok(())
}

/// Writes the file as it is: what is not looked at cannot be changed.
fn unedited(args: &Args, console: &mut Console) -> Exit {
    let path = &*args.file;
    let opened = match io::one(path) {
        Ok(Source::File(path)) => io::open_to_copy(&path).map_err(|error| io::reason(&error)),
        Ok(source) => {
            return match reading::octets_from(path, &source, console) {
                Some(_) if args.diff => Exit::Clean,
                Some(octets) => Changed::Whole(octets).write(output(args), false, console),
                None => Exit::Failed,
            };
        }
        Err(reason) => Err(reason),
    };
    let input = match opened {
        Ok(input) => input,
        Err(reason) => {
            console.unreadable(path, &reason);
            return Exit::Failed;
        }
    };
    if args.in_place || args.diff {
        return Exit::Clean;
    }
    write_to(args.output.as_deref(), console, |out, _| out.copy(input).map(|()| Exit::Clean))
}

/// Makes the edits.
fn edit<'o>(
    args: &Args,
    mut editor: Editor<'o>,
    octets: &[u8],
    options: &ReadOptions<'_>,
) -> Result<Editor<'o>, Refusal> {
    let mut types = if args.edits.0.iter().any(|(_, edit)| names_types(edit)) {
        let typed = elf_schema::read(octets, args.reading.rules(), options, &mut ());
        let typed = typed.map_err(|error| Refusal::Unreadable(error.to_string()))?;
        Some(PathTypes::new(typed.typing(), typed.document().rules()))
    } else {
        None
    };
    for (text, edit) in &args.edits.0 {
        let done = match &mut types {
            Some(types) => editor.apply(edit, types),
            None => editor.apply(edit, &mut ()),
        };
        if let Err(error) = done {
            let help = match error {
                EditError::XrefUnknown { .. } if !matches!(edit, Edit::Rename(..)) => {
                    "; `--dangling` makes a pointer all the same, `--text` sets text"
                }
                EditError::Path(FindError::NotFound { .. }) if !args.create && lacks(edit) => {
                    "; `--create` makes what is lacking"
                }
                EditError::CharacterEncoding => "; `elf convert` writes it in another",
                _ => "",
            };
            let reason = format!("cannot make the edit `{text}`: {error}{help}");
            return Err(Refusal::Edit(Vec::new(), reason));
        }
    }
    Ok(editor)
}

/// Tells whether `--create` could make the structure that the edit's path lacks.
fn lacks(edit: &Edit) -> bool {
    matches!(edit, Edit::Set(..) | Edit::Insert(..))
}

/// The place that the arguments say for the edited file.
fn output(args: &Args) -> Option<&Path> {
    if args.in_place { Some(&args.file) } else { args.output.as_deref() }
}

fn names_types(edit: &Edit) -> bool {
    match edit {
        Edit::Set(path, _) | Edit::Remove(path) | Edit::Insert(path, _) => path.names_types(),
        Edit::Move(from, to) => from.names_types() || to.names_types(),
        _ => false,
    }
}
