//! `elf tree`: draws the ancestors and descendants of a person, as text or as a picture.

use crate::args::{Tree, TreeFormat};
use crate::commands::people::unknown_person_message;
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
#[cfg(feature = "pictures")]
use elf_report::pictures::PictureFonts;
use elf_report::pictures::{FamilyTree, TreeData};
use elf_schema::ReadOptions;
use serde::Serialize;
#[cfg(feature = "pictures")]
use std::collections::BTreeSet;
use std::io::Write;

pub(crate) fn run(args: &Tree, console: &mut Console) -> Exit {
    if matches!(args.format, TreeFormat::Png | TreeFormat::Pdf) && !cfg!(feature = "pictures") {
        console.print_error(NO_PICTURES);
        return Exit::Failed;
    }
    let schemas = match Schemas::from_args(&args.reading.common, console) {
        Ok(schemas) => schemas,
        Err(exit) => return exit,
    };
    let read = read_people(args, &schemas.read_options(args.reading.encoding), console);
    console.clear_progress();
    let (lineage, ending, is_complete) = match read {
        Ok(read) => read,
        Err(reason) => {
            console.print_unreadable(&args.file, &reason);
            return Exit::Failed;
        }
    };
    let name = reading::display_name(&args.file);
    let Some(person) = choose_root(args, &lineage, &name, console) else { return Exit::Failed };
    if !is_complete {
        let place = ending.place();
        console.print_error(&format!(
            "reading of {name} stopped early{place}: only the part that was read is drawn"
        ));
    } else if ending.count() > 0 {
        let problems = elf_report::counted(ending.count(), "problem");
        console.print_note(&format!("the input has {problems}: `elf check {name}` shows them"));
    }
    let tree = FamilyTree::of(person, &args.tree_options());
    let exit = if is_complete { Exit::Clean } else { Exit::Problems };
    let drawing = Drawing { tree: &tree, args, file: &name, complete: is_complete };
    let drawn = write_to(args.output.as_deref(), console, |out, console| {
        drawing.write(out, console)?;
        Ok(exit)
    });
    if tree.left_out() > 0 && drawn == exit {
        let count = elf_report::counted(tree.left_out() as u64, "person");
        console.print_note(&format!("{name}: left out {count} further away; `--most` draws more"));
    }
    drawn
}

/// Reads the people and families of the file. Returns its problems, and whether all of it was read.
fn read_people(
    args: &Tree,
    options: &ReadOptions<'_>,
    console: &mut Console,
) -> Result<(Lineage, Problems, bool), String> {
    let source = io::find_source(&args.file)?;
    let meter = console.show_progress(&format!("reading {}", reading::display_name(&args.file)));
    let bytes = io::read_source(&source, &meter).map_err(|error| io::describe_error(&error))?;
    let mut problems = Problems::default();
    let typed = elf_schema::read(&bytes, args.reading.common.rules(), options, &mut problems)
        .map_err(|error| error.to_string())?;
    let mut builder = LineageBuilder::default();
    builder.take(LineageReader::new(typed.schema()).with_whole_names().read(&typed));
    Ok((builder.build(), problems, typed.document().is_complete()))
}

/// The person that the arguments name or, without a name, the first person who has a family. Reports an unknown
/// identifier.
fn choose_root<'l>(
    args: &Tree,
    lineage: &'l Lineage,
    name: &str,
    console: &mut Console,
) -> Option<Person<'l>> {
    if let Some(identifier) = &args.person {
        let found = lineage.find_person(identifier);
        if found.is_none() {
            console.print_error(&unknown_person_message(lineage, identifier, name));
        }
        return found;
    }
    let has_family = |person: &Person<'_>| {
        person.families_as_partner().next().is_some() || person.families_as_child().next().is_some()
    };
    let first = lineage.persons().find(has_family).or_else(|| lineage.persons().next());
    match first {
        None => console.print_error(&format!("{name}: no people in this file")),
        Some(person) => {
            let identifier = person.identifier().map(|one| format!("`@{one}@`, ")).unwrap_or_default();
            console.print_note(&format!(
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

/// A tree to be written.
struct Drawing<'t> {
    tree: &'t FamilyTree,
    args: &'t Tree,
    file: &'t str,
    complete: bool,
}

impl Drawing<'_> {
    fn write(&self, out: &mut Output, console: &mut Console) -> std::io::Result<()> {
        let Drawing { tree, args, file, complete } = *self;
        match args.format {
            TreeFormat::Human => out.write_all(tree.to_text(out.terminal_width()).as_bytes()),
            TreeFormat::Json => json::write_line(out, &TreeLine { tree: tree.data(), file, complete }),
            TreeFormat::Svg => out.write_all(tree.to_svg(&args.svg_options()).as_bytes()),
            TreeFormat::Dot => out.write_all(tree.to_dot().as_bytes()),
            TreeFormat::Png | TreeFormat::Pdf => self.render_picture(out, console),
        }
    }

    /// Writes a PNG or a PDF, and reports characters that no font has.
    #[cfg(feature = "pictures")]
    fn render_picture(&self, out: &mut Output, console: &mut Console) -> std::io::Result<()> {
        let fonts = PictureFonts::built_in().with_system_fonts();
        let options = self.args.svg_options();
        let rendered = match self.args.format {
            TreeFormat::Pdf => fonts.pdf(&self.tree.to_svg_pages(&options)),
            TreeFormat::Png | TreeFormat::Human | TreeFormat::Json | TreeFormat::Svg | TreeFormat::Dot => {
                fonts.png(&self.tree.to_svg(&options))
            }
        };
        let picture = rendered.map_err(std::io::Error::other)?;
        if !picture.missing.is_empty() {
            console.print_note(&missing_characters_message(self.file, &picture.missing));
        }
        out.write_all(&picture.bytes)
    }

    #[cfg(not(feature = "pictures"))]
    #[allow(clippy::unused_self, reason = "it is there for builds with pictures")]
    fn render_picture(&self, _: &mut Output, _: &mut Console) -> std::io::Result<()> {
        Err(std::io::Error::other(NO_PICTURES))
    }
}

/// The message of a build without PNG and PDF.
const NO_PICTURES: &str = "this build of elf writes no PNG or PDF: install the one that has pictures \
    (`cargo install elf-cli --features pictures`), or use `--format svg`, which every browser shows and prints";

/// The message about characters that no font has.
#[cfg(feature = "pictures")]
fn missing_characters_message(file: &str, missing: &BTreeSet<char>) -> String {
    const SHOWN: usize = 10;
    let shown: Vec<String> = missing
        .iter()
        .take(SHOWN)
        .map(|char| format!("{} (U+{:04X})", elf_report::sanitise(&char.to_string()), u32::from(*char)))
        .collect();
    let more = match missing.len().saturating_sub(SHOWN) {
        0 => String::new(),
        more => format!(" and {} more", elf_report::grouped(more as u64)),
    };
    let count = elf_report::counted(missing.len() as u64, "character");
    format!("{file}: no font has {count}, drawn as empty boxes: {}{more}", shown.join(", "))
}
