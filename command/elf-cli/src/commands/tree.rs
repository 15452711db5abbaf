//! `elf tree`: the ancestors and descendants of a person, as text or as a picture.

use crate::args::{Tree, TreeFormat};
use crate::commands::people::unknown_person;
use crate::commands::write_to;
use crate::console::Console;
use crate::exit::Exit;
use crate::io::{self, Output};
use crate::reading;
use crate::schemas::Schemas;
use elf_base::Excerpt;
use elf_check::Problems;
use elf_lineage::{Lineage, LineageBuilder, LineageReader, Person};
use elf_report::json;
use elf_report::pictures::{FamilyTree, TreeData};
use elf_schema::ReadOptions;
use serde::Serialize;
use std::io::Write;

pub(crate) fn run(args: &Tree, console: &mut Console) -> Exit {
    let schemas = match Schemas::of(&args.reading.common, console) {
        Ok(schemas) => schemas,
        Err(exit) => return exit,
    };
    let read = read(args, &schemas.options(args.reading.encoding), console);
    console.done();
    let (lineage, ending, is_complete) = match read {
        Ok(read) => read,
        Err(reason) => {
            console.unreadable(&args.file, &reason);
            return Exit::Failed;
        }
    };
    let name = reading::name(&args.file);
    let Some(person) = chosen(args, &lineage, &name, console) else { return Exit::Failed };
    if !is_complete {
        let place = ending.place();
        console.failure(&format!(
            "reading of {name} stopped early{place}: only the part that was read is drawn"
        ));
    } else if ending.count() > 0 {
        let problems = elf_report::counted(ending.count(), "problem");
        console.note(&format!("the input has {problems}: `elf check {name}` shows them"));
    }
    let tree = FamilyTree::of(person, &args.options());
    let exit = if is_complete { Exit::Clean } else { Exit::Problems };
    let drawn = write_to(args.output.as_deref(), console, |out, _| {
        draw(out, &tree, args, (&name, is_complete))?;
        Ok(exit)
    });
    if tree.left_out() > 0 && drawn == exit {
        let count = elf_report::counted(tree.left_out() as u64, "person");
        console.note(&format!("{name}: left out {count} further away; `--most` draws more"));
    }
    drawn
}

/// Reads the persons and families of the file; tells what is wrong with it, and whether all of it was read.
fn read(
    args: &Tree,
    options: &ReadOptions<'_>,
    console: &mut Console,
) -> Result<(Lineage, Problems, bool), String> {
    let source = io::one(&args.file)?;
    let meter = console.working(&format!("reading {}", reading::name(&args.file)));
    let bytes = io::read_source(&source, &meter).map_err(|error| io::reason(&error))?;
    let mut problems = Problems::default();
    let typed = elf_schema::read(&bytes, args.reading.common.rules(), options, &mut problems)
        .map_err(|error| error.to_string())?;
    let mut builder = LineageBuilder::default();
    builder.take(LineageReader::new(typed.schema()).with_whole_names().read(&typed));
    Ok((builder.build(), problems, typed.document().is_complete()))
}

/// The person that is asked for, or the first that has a family; what there is instead is said.
fn chosen<'l>(args: &Tree, lineage: &'l Lineage, name: &str, console: &mut Console) -> Option<Person<'l>> {
    if let Some(identifier) = &args.person {
        let found = lineage.find_person(identifier);
        if found.is_none() {
            console.failure(&unknown_person(lineage, identifier, name));
        }
        return found;
    }
    let has_family = |person: &Person<'_>| {
        person.families_as_partner().next().is_some() || person.families_as_child().next().is_some()
    };
    let first = lineage.persons().find(has_family).or_else(|| lineage.persons().next());
    match first {
        None => console.failure(&format!("{name}: no people in this file")),
        Some(person) => {
            let identifier = person.identifier().map(|one| format!("`@{one}@`, ")).unwrap_or_default();
            console.note(&format!(
                "{name}: this is the tree of {identifier}{}, the first person with a family; name an identifier to draw another tree",
                elf_report::sanitise(&Excerpt::short(person.name()))
            ));
        }
    }
    first
}

/// The object that `--format json` prints.
#[derive(Serialize)]
struct TreeLine<'t> {
    tree: TreeData<'t>,
    file: &'t str,
    complete: bool,
}

fn draw(
    out: &mut Output,
    tree: &FamilyTree,
    args: &Tree,
    (file, complete): (&str, bool),
) -> std::io::Result<()> {
    match args.format {
        TreeFormat::Human => out.write_all(tree.to_text(out.terminal_width()).as_bytes()),
        TreeFormat::Json => json::line(out, &TreeLine { tree: tree.data(), file, complete }),
        TreeFormat::Svg => out.write_all(tree.to_svg(&args.picture()).as_bytes()),
        TreeFormat::Dot => out.write_all(tree.to_dot().as_bytes()),
    }
}
