//! `elf diff`: what two files say differently.

use crate::args::{Diff, Format};
use crate::commands::write_to;
use crate::console::Console;
use crate::exit::Exit;
use crate::schemas::Schemas;
use crate::{parts, reading};
use elf_base::Tally;
use elf_model::{Common, Comparison, Rules, Schema, elf_schema};
use elf_report::counted;
use elf_report::meaning::{self, ComparedFile};
use elf_tagged::elf_octets;
use std::sync::Arc;

pub(crate) fn run(args: &Diff, console: &mut Console) -> Exit {
    let schemas = match Schemas::of(&args.reading, console) {
        Ok(schemas) => schemas,
        Err(exit) => return exit,
    };
    let rules = args.reading.rules();
    let to_rules = args.to_rules.unwrap_or(rules);
    let Some([octets_of_one, octets_of_two]) = reading::octets_of_two([&args.one, &args.two], console) else {
        return Exit::Failed;
    };
    let sides = [(&args.one, &octets_of_one, rules), (&args.two, &octets_of_two, to_rules)];
    let is_of_7 = |(_, octets, rules): &(_, &Vec<u8>, &Rules)| {
        let decision = elf_octets::decide(octets, rules, &reading::options(args.encoding), &mut ());
        decision.rules.schema.mechanism.is_of_extension_tags()
    };
    let schema = match (schemas.asked(), sides.each_ref().map(is_of_7)) {
        (Some(asked), _) => asked,
        (None, [true, true]) => Schema::gedcom_7(),
        (None, [false, false]) => Schema::completed(),
        (None, _) => elf_schema::joint_with_gedcom_7(),
    };
    let options = schemas.options(args.encoding).with_schema(None).with_common(Some(Arc::clone(schema)));
    let names = [&args.one, &args.two].map(|path| reading::name(path));
    console.working(&format!("reading {} and {}", names[0], names[1]));
    let read = |side: usize| {
        let (_, octets, rules) = sides[side];
        let mut tally = Tally::new(());
        elf_schema::read(octets, rules, &options, &mut tally).map(|document| (document, tally.errors()))
    };
    let (one, two) = parts::beside(2, || read(0), || read(1));
    let read = [one, two.unwrap_or_else(|| read(1))];
    console.done();
    let mut documents = Vec::with_capacity(2);
    for ((name, read), (path, ..)) in names.iter().zip(read).zip(sides) {
        match read {
            Ok((document, errors)) => {
                if errors > 0 {
                    let problems = counted(errors, "problem");
                    console.note(&format!("{name} has {problems}: `elf check {name}` shows them"));
                }
                documents.push(document);
            }
            Err(error) => console.unreadable(path, &error.to_string()),
        }
    }
    let [one, two] = &*documents else { return Exit::Failed };
    console.working("comparing");
    let comparison = Comparison::new([one, two], Common::of([rules, to_rules]));
    let (one, two) = parts::beside(2, || comparison.sketch(), || comparison.sketch());
    let two = two.unwrap_or_else(|| comparison.sketch());
    let compared = match comparison.finish(one, two) {
        Ok(compared) => compared,
        Err(error) => {
            console.done();
            console.unreadable(&args.one, &error.to_string());
            return Exit::Failed;
        }
    };
    let found = compared.differences();
    console.done();
    let complete = documents.iter().all(|document| document.document().is_complete());
    let printed = write_to(args.output.as_deref(), console, |out, _| {
        // Paths are for nothing if nothing differs.
        let mut paths = if found.is_empty() { [None, None] } else { compared.paths().map(Some) };
        let sides = [0, 1].map(|side| ComparedFile { file: &names[side], paths: paths[side].take() });
        match args.format {
            Format::Human => {
                let coloured = out.is_coloured();
                meaning::human(out, &sides, &found, coloured, complete)?;
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
