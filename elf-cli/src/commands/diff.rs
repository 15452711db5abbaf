//! `elf diff`: what two files say differently.

use crate::args::{Diff, Format};
use crate::commands::write_to;
use crate::console::Console;
use crate::exit::Exit;
use crate::reading;
use crate::schemas::Schemas;
use elf_base::Tally;
use elf_model::{Common, Dataset, Paths, ReadError, ReadOptions, Rules, Schema};
use elf_render::counted;
use elf_render::meaning::{self, ComparedFile};
use elf_tagged::elf_octets;
use std::path::Path;
use std::sync::Arc;

pub(crate) fn run(args: &Diff, console: &mut Console) -> Exit {
    let schemas = match Schemas::of(&args.reading, console) {
        Ok(schemas) => schemas,
        Err(exit) => return exit,
    };
    let rules = args.reading.rules();
    let to_rules = args.to_rules.unwrap_or(rules);
    let common = Common::of([rules, to_rules]);
    let mut octets = |path: &Path| reading::octets(path, console);
    let (Some(octets_of_one), Some(octets_of_two)) = (octets(&args.one), octets(&args.two)) else {
        return Exit::Failed;
    };
    let sides = [(&args.one, &octets_of_one, rules), (&args.two, &octets_of_two, to_rules)];
    let is_of_7 = |(_, octets, rules): &(_, &Vec<u8>, &Rules)| {
        let decision = elf_octets::decide(octets, rules, &reading::options(args.encoding), &mut ());
        decision.rules.schema.mechanism.is_of_extension_tags()
    };
    let schema = match schemas.asked() {
        Some(asked) => asked,
        None if sides.iter().all(is_of_7) => Schema::gedcom_7(),
        None => Schema::completed(),
    };
    let options = schemas.options(args.encoding).with_schema(None).with_common(Some(Arc::clone(schema)));
    let [one, two] = sides.map(|(path, octets, rules)| dataset(path, octets, rules, &options, console));
    let (Some(mut one), Some(mut two)) = (one, two) else { return Exit::Failed };
    drop((octets_of_one, octets_of_two));
    console.working("comparing");
    [one.dataset, two.dataset] = common.reduce([&one.dataset, &two.dataset]);
    let found = one.dataset.differences(&two.dataset);
    console.done();
    let complete = one.complete && two.complete;
    let names = [&args.one, &args.two].map(|path| reading::name(path));
    let printed = write_to(args.output.as_deref(), console, |out, _| {
        let sides = [(&names[0], &one), (&names[1], &two)].map(|(file, of)| ComparedFile {
            file,
            // A pass over all structures, for nothing if nothing differs.
            paths: if found.is_empty() { None } else { Some(Paths::new(&of.dataset)) },
        });
        match args.format {
            Format::Human => {
                let coloured = out.is_coloured();
                meaning::human(out, &sides, &found, (coloured, complete))?;
            }
            Format::Json => meaning::json(out, &sides, &found, complete)?,
        }
        Ok(if found.is_empty() && complete { Exit::Clean } else { Exit::Problems })
    });
    if !complete {
        console.note("the rules ended the reading early: what follows was not compared");
    }
    printed
}

/// The dataset of a file.
struct ReadDataset {
    dataset: Dataset,
    /// True if the rules let the reading reach the end.
    complete: bool,
}

fn dataset(
    path: &Path,
    octets: &[u8],
    rules: &Rules,
    options: &ReadOptions<'_>,
    console: &mut Console,
) -> Option<ReadDataset> {
    let name = reading::name(path);
    console.working(&format!("reading {name}"));
    let mut tally = Tally::new(());
    let read = elf_model::read(octets, rules, options, &mut tally);
    console.done();
    let read = match read {
        Ok(dataset) => ReadDataset { dataset, complete: true },
        Err(ReadError::Partial(dataset)) => ReadDataset { dataset: *dataset, complete: false },
        Err(error) => {
            console.unreadable(path, &error.to_string());
            return None;
        }
    };
    if tally.errors() > 0 {
        let problems = counted(tally.errors(), "problem");
        console.note(&format!("{name} has {problems}: `elf check {name}` shows them"));
    }
    Some(read)
}
