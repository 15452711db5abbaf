//! `elf diff`: compares the content of two files.

use crate::args::{Diff, Format};
use crate::commands::write_to;
use crate::console::Console;
use crate::exit::Exit;
use crate::reading;
use crate::schemas::Schemas;
use elf_base::Tally;
use elf_model::{Dataset, FileToCompare, Paths, ReadError, Rules, common_schema, keep_common_data};
use elf_report::counted;
use elf_report::meaning::{self, ComparedFile};
use std::path::Path;
use std::sync::Arc;

struct DiffInput<'a> {
    path: &'a Path,
    octets: Vec<u8>,
    rules: &'a Rules,
}

struct ReadFile {
    dataset: Dataset,
    /// False if the rules stopped reading early.
    is_complete: bool,
    /// The number of problems in the file.
    errors: u64,
}

pub(crate) fn run(args: &Diff, console: &mut Console) -> Exit {
    let schemas = match Schemas::from_args(&args.reading, console) {
        Ok(schemas) => schemas,
        Err(exit) => return exit,
    };
    let rules = args.reading.rules();
    let to_rules = args.to_rules.unwrap_or(rules);
    let Some([of_one, of_two]) = reading::read_two_files([&args.one, &args.two], console) else {
        return Exit::Failed;
    };
    let one = DiffInput { path: &args.one, octets: of_one, rules };
    let two = DiffInput { path: &args.two, octets: of_two, rules: to_rules };
    let Some([one, two]) = read_sides(args, &schemas, [one, two], console) else { return Exit::Failed };
    let is_complete = one.is_complete && two.is_complete;
    console.show_progress("comparing");
    let [one, two] = keep_common_data([one.dataset, two.dataset], [rules, to_rules]);
    let found = one.differences(&two);
    console.clear_progress();
    let names = [&args.one, &args.two].map(|path| reading::display_name(path));
    let printed = write_to(args.output.as_deref(), console, |out, _| {
        // Paths are needed only to print differences.
        let paths = |dataset| if found.is_empty() { None } else { Some(Paths::new(dataset)) };
        let sides = [
            ComparedFile { file: &names[0], paths: paths(&one) },
            ComparedFile { file: &names[1], paths: paths(&two) },
        ];
        match args.format {
            Format::Human => {
                let coloured = out.is_coloured();
                meaning::write_for_people(out, &sides, &found, coloured, is_complete)?;
            }
            Format::Json => meaning::write_json(out, &sides, &found, is_complete)?,
        }
        Ok(if found.is_empty() && is_complete { Exit::Clean } else { Exit::Problems })
    });
    if !is_complete {
        console.print_note("reading stopped early: the rest was not compared");
    }
    printed
}

/// Reads both files, each on a thread if possible, and reports how many problems they have.
fn read_sides(
    args: &Diff,
    schemas: &Schemas,
    sides: [DiffInput<'_>; 2],
    console: &mut Console,
) -> Option<[ReadFile; 2]> {
    let schema = match schemas.named_schema() {
        Some(asked) => asked,
        None => {
            let files =
                sides.each_ref().map(|side| FileToCompare { octets: &side.octets, rules: side.rules });
            Arc::clone(common_schema(files, &reading::decoding_options(args.encoding)))
        }
    };
    let options = schemas
        .read_options(args.encoding)
        .with_vendor_tags(false)
        .with_schema(None)
        .with_common(Some(schema));
    let names = sides.each_ref().map(|side| reading::display_name(side.path));
    console.show_progress(&format!("reading {} and {}", names[0], names[1]));
    let read = |side: &DiffInput<'_>| {
        let mut tally = Tally::new(());
        let (dataset, is_complete) = match elf_model::read(&side.octets, side.rules, &options, &mut tally) {
            Ok(dataset) => (dataset, true),
            Err(ReadError::Partial(dataset)) => (*dataset, false),
            Err(error) => return Err(error),
        };
        Ok(ReadFile { dataset, is_complete, errors: tally.errors() })
    };
    let [one, two] = sides;
    let (read_one, read_two) = rayon::join(|| read(&one), || read(&two));
    let files = [read_one, read_two];
    console.clear_progress();
    for (side, file) in [&one, &two].into_iter().zip(&files) {
        let name = reading::display_name(side.path);
        match file {
            Ok(file) if file.errors > 0 => {
                let problems = counted(file.errors, "problem");
                console.print_note(&format!("{name} has {problems}: `elf check {name}` shows them"));
            }
            Ok(_) => {}
            Err(error) => console.print_unreadable(side.path, &error.to_string()),
        }
    }
    let [Ok(one), Ok(two)] = files else { return None };
    Some([one, two])
}
