//! `elf schema`: prints a schema, and shows how a tag gets its type.

use crate::args::{Dictionary, Schema as Args};
use crate::commands::write_to;
use crate::console::Console;
use crate::exit::Exit;
use crate::reading;
use crate::schemas::Schemas;
use elf_base::{Diagnostic, Sink, Tally};
use elf_report::{schema, why};
use elf_schema::{DefinitionsInUse, Document, Proposal, Resolver, Schema, TypeId};
use elf_tagged::Target;
use elf_tagged::path::{Path, Selector};
use std::sync::Arc;

pub(crate) fn run(args: &Args, console: &mut Console) -> Exit {
    if let Some(Dictionary(producer)) = args.vendor {
        let dictionary = Schema::vendor_dictionary(producer);
        return write_to(args.output.as_deref(), console, |out, _| {
            schema::write(out, &dictionary, args.format)?;
            Ok(Exit::Clean)
        });
    }
    if args.infer {
        return print_inferred(args, console);
    }
    let (resolver, tags, exit) = match find_schema(args, console) {
        Ok(found) => found,
        Err(exit) => return exit,
    };
    if tags.is_none() && resolver.dictionary().is_some() && !args.format.suits_dictionary() {
        let format = args.format.name();
        console.print_error(&format!(
            "these rules have a dictionary without supertypes, which `--format {format}` cannot show: use `--format human` or `json`"
        ));
        return Exit::Failed;
    }
    let shown = write_to(args.output.as_deref(), console, |out, _| {
        match (&tags, resolver.dictionary()) {
            (Some(tags), _) => why::write(out, resolver, tags, args.reading.rules(), args.format)?,
            (None, Some(dictionary)) => schema::write_dictionary(out, dictionary, args.format)?,
            (None, None) => schema::write(out, resolver.schema(), args.format)?,
        }
        Ok(Exit::Clean)
    });
    shown.max(exit)
}

/// Prints the definitions that the extensions of a file need.
fn print_inferred(args: &Args, console: &mut Console) -> Exit {
    let (Some(path), rules) = (&args.file, args.reading.rules()) else { return Exit::Failed };
    let schemas = match Schemas::from_args(&args.reading, console) {
        Ok(schemas) => schemas,
        Err(exit) => return exit,
    };
    let Some(octets) = reading::read_file(path, console) else { return Exit::Failed };
    let typed = match elf_schema::read(&octets, rules, &schemas.read_options(args.judging.encoding), &mut ())
    {
        Ok(typed) => typed,
        Err(error) => {
            console.print_unreadable(path, &error.to_string());
            return Exit::Failed;
        }
    };
    let mut in_use = DefinitionsInUse::default();
    in_use.add(&typed);
    let schema = in_use.of_extensions();
    let shown = write_to(args.output.as_deref(), console, |out, _| {
        schema::write(out, &schema, args.format)?;
        Ok(Exit::Clean)
    });
    for Proposal { tag, iri, like, .. } in in_use.proposals() {
        let like = like.map_or_else(String::new, |like| format!(", like `{like}`"));
        console.print_note(&format!("`{tag}` is defined nowhere: `{iri}` is a proposal{like}"));
    }
    shown
}

/// Finds the schema of the file or, without a file, of the rules, and the tags of the path that `--why` names.
fn find_schema(args: &Args, console: &mut Console) -> Result<(Resolver, Option<Vec<String>>, Exit), Exit> {
    let rules = args.reading.rules();
    let schemas = Schemas::from_args(&args.reading, console)?;
    let Some(path) = &args.file else {
        let resolver = match schemas.without_file(rules, args.why.is_some()) {
            Some(schema) => Resolver::new(schema),
            None if rules.schema.mechanism.is_dictionary() => {
                Resolver::of_dictionary(Arc::new(elf_schema::Dictionary::default()))
            }
            None => Resolver::new(Arc::new(Schema::empty())),
        };
        let tags = tags_of_why(args, None, &resolver, console)?;
        return Ok((resolver, tags, Exit::Clean));
    };
    let name = reading::display_name(path);
    let octets = reading::read_file(path, console).ok_or(Exit::Failed)?;
    let mut tally = Tally::new(|diagnostic: Diagnostic| console.print_diagnostic(&name, &diagnostic));
    // Problems in the rest of the file are for `elf check`.
    let mut news = |found: Diagnostic| {
        if ["E04", "E07"].iter().any(|room| found.code.id().starts_with(room))
            && reading::is_worth_reporting(&found)
        {
            tally.report(found);
        }
    };
    // The built-in vendor tags would hide what the file defines.
    let options = schemas.read_options(args.judging.encoding).with_vendor_tags(args.why.is_some());
    let read = elf_schema::read(&octets, rules, &options, &mut news);
    let exit = reading::exit_status(&tally, &args.judging);
    let typed = read.map_err(|error| {
        console.print_unreadable(path, &error.to_string());
        Exit::Failed
    })?;
    let resolver = match typed.typing().dictionary() {
        Some(dictionary) => Resolver::of_dictionary(Arc::clone(dictionary)),
        None => Resolver::new(Arc::clone(typed.schema())),
    };
    let tags = tags_of_why(args, Some(typed.document()), &resolver, console)?;
    Ok((resolver, tags, exit))
}

/// Returns the tags along the path that `--why` names, from a record or from HEAD down. `None` without `--why`.
fn tags_of_why(
    args: &Args,
    document: Option<&Document<'_>>,
    resolver: &Resolver,
    console: &mut Console,
) -> Result<Option<Vec<String>>, Exit> {
    let Some(path) = &args.why else { return Ok(None) };
    tags_of(path, document, resolver).map(Some).map_err(|problem| {
        console.print_error(&format!("cannot follow `{path}`: {problem}"));
        Exit::Failed
    })
}

fn tags_of(path: &Path, document: Option<&Document<'_>>, resolver: &Resolver) -> Result<Vec<String>, String> {
    let mut tags: Vec<String> = Vec::new();
    for step in path.steps() {
        match &step.selector {
            Selector::Tag(tag) | Selector::Labelled(_, tag) => tags.push(String::from(&**tag)),
            Selector::Xref(xref) => {
                let document = document.ok_or("an identifier needs a file: name one")?;
                match document.resolve(xref) {
                    _ if !tags.is_empty() => {
                        return Err("an identifier can only be the first step".to_owned());
                    }
                    Target::One(node) => {
                        tags.extend(node.with_ancestors().map(|above| above.tag().to_owned()))
                    }
                    // The whole file is one document, so no identifier is unknown.
                    Target::None | Target::Unknown => {
                        return Err(format!("no record has the identifier `@{xref}@`"));
                    }
                    Target::Several => return Err(format!("several records have the identifier `@{xref}@`")),
                }
                tags.reverse();
            }
            Selector::Type(name) => {
                let schema = resolver.schema();
                let steps = schema.why_path(tags.iter().map(String::as_str));
                let above = match steps.last() {
                    Some(step) => step.structure_type.clone(),
                    None if tags.is_empty() => schema.iri(TypeId::DOCUMENT).unwrap_or_default().to_owned(),
                    None => schema.iri(TypeId::METADATA).unwrap_or_default().to_owned(),
                };
                let of = schema.tags_of(&schema.prefixes().expand(name), &above);
                let tag = of.first().ok_or_else(|| format!("no tag there has the type {name}"))?;
                tags.push((*tag).to_owned());
            }
        }
    }
    Ok(tags)
}
