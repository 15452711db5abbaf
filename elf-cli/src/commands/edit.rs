//! `elf edit`: some structures changed, and nothing else.

use crate::args::{Edit as Args, Format};
use crate::commands::write_to;
use crate::console::Console;
use crate::exit::Exit;
use crate::findings::Findings;
use crate::io::{self, Source};
use crate::reading;
use crate::schemas::Schemas;
use elf_base::{Diagnostic, Sink, Tally, codes};
use elf_edit::{Cascaded, Edit, EditError, EditOptions, Edited, Editor};
use elf_render::json::{self, EditSummary};
use elf_render::{counted, diff};
use elf_schema::{PathTypes, ReadOptions};
use elf_tagged::TooLarge;
use elf_tagged::path::FindError;
use std::io::Write;

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
    if args.in_place && io::is_standard(&args.file) {
        return Some("standard input cannot be overwritten: name a file, or leave out `--in-place`");
    }
    if args.in_place && io::is_packed(&args.file) {
        return Some("a packed file cannot be overwritten: name another with `-o`");
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
    let Some(octets) = reading::octets(path, console) else { return Ok(Exit::Failed) };
    console.working(&format!("editing {}", summary.file));
    let options = EditOptions::new()
        .with_escapes(!args.no_escapes)
        .with_create(args.create)
        .with_cascade(args.cascade)
        .with_dangling(args.dangling);
    let schemas = match Schemas::of(&args.reading, console) {
        Ok(schemas) => schemas,
        Err(exit) => return Ok(exit),
    };
    let reading = schemas.options(args.encoding);
    let editor = match Editor::open_with(&octets, args.reading.rules(), &reading.octets, &reading) {
        Ok(editor) => editor.with_options(options),
        Err(error) => {
            console.unreadable(path, &error.to_string());
            return Ok(Exit::Failed);
        }
    };
    let Some(editor) = edit(args, editor, &octets, &reading, console) else { return Ok(Exit::Failed) };
    let Some(edited) = finish(args, &editor, &reading, summary, (out, console))? else {
        return Ok(Exit::Failed);
    };
    let exit = if edited.faults > 0 { Exit::Problems } else { Exit::Clean };
    if args.diff {
        return Ok(write_to(args.output.as_deref(), console, |out, _| {
            let coloured = out.is_coloured();
            diff::write(out, &reading::name(path), editor.document().source(), &edited.patches, coloured)?;
            Ok(exit)
        }));
    }
    if args.in_place && edited.patches.is_empty() {
        return Ok(exit);
    }
    Ok(write(args, &edited.octets, exit, console))
}

/// The edited file; what the edits bring about is printed, and why there is none is said on the console.
fn finish<'o>(
    args: &Args,
    editor: &Editor<'o>,
    options: &ReadOptions<'_>,
    summary: &mut EditSummary<'_>,
    (out, console): (&mut impl Write, &mut Console),
) -> std::io::Result<Option<Edited<'o>>> {
    let mut check = |octets: &[u8], sink: &mut dyn Sink| -> Result<(), TooLarge> {
        let mut news = |finding: Diagnostic| {
            if reading::is_news(&finding) {
                sink.report(finding);
            }
        };
        elf_schema::read(octets, args.reading.rules(), options, &mut news).map(drop)
    };
    let mut pointers = 0;
    let mut findings = Findings::of(summary.file, args.format, console, out);
    let mut tally = Tally::new(|finding: Diagnostic| {
        pointers += u64::from(finding.code == codes::POINTER_DANGLING);
        findings.report(finding);
    });
    let result = editor.finish_checked(&mut check, &mut tally);
    let Tally { malformed, non_conformant, deprecated, advice, .. } = tally;
    findings.finish()?;
    console.done();
    let cascaded = editor.cascaded();
    *summary = EditSummary {
        malformed,
        non_conformant,
        deprecated,
        advice,
        cascaded: cascaded.len() as u64,
        ..*summary
    };
    let edited = match result {
        Ok(edited) => edited,
        Err(error) => {
            console.failure(&format!("cannot edit {}: {error}", summary.file));
            return Ok(None);
        }
    };
    report_cascaded(args.format, summary.file, &cascaded, (out, console))?;
    if edited.faults > 0 {
        console.note("the edits bring about what is reported above: it stands in the edited file");
    }
    if pointers > 0 && !args.cascade {
        console.note("`--cascade` removes the pointers to what is removed, too");
    }
    Ok(Some(edited))
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
            json::cascaded(out, file, (path, *line, *structures))?;
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
                Some(octets) => write(args, &octets, Exit::Clean, console),
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

/// Makes the edits; what keeps them from being made is said on the console.
fn edit<'o>(
    args: &Args,
    mut editor: Editor<'o>,
    octets: &[u8],
    options: &ReadOptions<'_>,
    console: &mut Console,
) -> Option<Editor<'o>> {
    let mut types = if args.edits.0.iter().any(|(_, edit)| names_types(edit)) {
        let typed = elf_schema::read(octets, args.reading.rules(), options, &mut ());
        let typed = typed.map_err(|error| console.unreadable(&args.file, &error.to_string())).ok()?;
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
            console.failure(&format!("cannot make the edit `{text}`: {error}{help}"));
            return None;
        }
    }
    Some(editor)
}

/// Tells whether `--create` could make the structure that the edit's path lacks.
fn lacks(edit: &Edit) -> bool {
    matches!(edit, Edit::Set(..) | Edit::Insert(..))
}

/// Writes the edited file where the arguments say.
fn write(args: &Args, octets: &[u8], exit: Exit, console: &mut Console) -> Exit {
    let output = if args.in_place { Some(&*args.file) } else { args.output.as_deref() };
    write_to(output, console, |out, _| out.write_all(octets).map(|()| exit))
}

fn names_types(edit: &Edit) -> bool {
    match edit {
        Edit::Set(path, _) | Edit::Remove(path) | Edit::Insert(path, _) => path.names_types(),
        Edit::Move(from, to) => from.names_types() || to.names_types(),
        _ => false,
    }
}
