//! `elf schema`: the schema in force, and how a tag gets its type.

use crate::args::Schema as Args;
use crate::commands::write_to;
use crate::console::Console;
use crate::exit::Exit;
use crate::reading;
use crate::render::{schema, why};
use crate::schemas::Schemas;
use elf_base::rules::Mechanism;
use elf_base::{Diagnostic, Sink, Tally};
use elf_schema::{Dictionary, Resolver, Schema};
use std::sync::Arc;

pub(crate) fn run(args: &Args, console: &mut Console) -> Exit {
    let (resolver, exit) = match in_force(args, console) {
        Ok(found) => found,
        Err(exit) => return exit,
    };
    let shown = write_to(args.output.as_deref(), console, |out, _| {
        match (&args.why, resolver.dictionary()) {
            (Some(path), _) => why::write(out, resolver, path, args.format)?,
            (None, Some(dictionary)) => schema::dictionary(out, dictionary, args.format)?,
            (None, None) => schema::write(out, resolver.schema(), args.format)?,
        }
        Ok(Exit::Clean)
    });
    shown.max(exit)
}

/// The schema in force for the file, or without one by the rules; and what the findings about it are worth.
fn in_force(args: &Args, console: &mut Console) -> Result<(Resolver, Exit), Exit> {
    let rules = args.reading.rules;
    let schemas = Schemas::of(&args.reading, console)?;
    let Some(path) = &args.file else {
        let resolver = match schemas.asked().or_else(|| Schema::default_of(rules)).cloned() {
            Some(schema) => Resolver::new(schema),
            None if rules.schema.mechanism == Mechanism::IriDictionary => {
                Resolver::of_dictionary(Arc::new(Dictionary::default()))
            }
            None => Resolver::new(Arc::new(Schema::empty())),
        };
        return Ok((resolver, Exit::Clean));
    };
    let name = reading::name(path);
    let octets = reading::octets(path, console).ok_or(Exit::Failed)?;
    let mut tally = Tally::new(|diagnostic: Diagnostic| console.diagnostic(&name, &diagnostic));
    // What is wrong with the rest of the file is for `elf check`.
    let mut news = |found: Diagnostic| {
        if ["E04", "E07"].iter().any(|room| found.code.id().starts_with(room)) && reading::is_news(&found) {
            tally.report(found);
        }
    };
    let options = schemas.options(args.judging.encoding);
    let read = elf_schema::read(&octets, rules, &options, &mut news);
    let exit = reading::status(&tally, &args.judging);
    let typed = read.map_err(|error| {
        console.unreadable(path, &error.to_string());
        Exit::Failed
    })?;
    let resolver = match typed.typing().dictionary() {
        Some(dictionary) => Resolver::of_dictionary(Arc::clone(dictionary)),
        None => Resolver::new(Arc::clone(typed.schema())),
    };
    Ok((resolver, exit))
}
