//! How the tags of a path get their types.

use crate::args::SchemaFormat;
use crate::render::{json, sanitise};
use elf_schema::{Definition, Resolver, Schema, TypeId};
use serde::Serialize;
use std::collections::{HashMap, VecDeque};
use std::io::{self, Write};

/// One step of a path: a tag in a superstructure.
#[derive(Serialize)]
struct Step<'a> {
    tag: &'a str,
    superstructure: String,
    r#type: String,
    definitions: Vec<Applied>,
}

/// A definition that applies.
#[derive(Serialize)]
struct Applied {
    superstructure: String,
    r#type: String,
    from: String,
    /// From the type of the superstructure to the one that the definition names.
    supertypes: Vec<String>,
}

/// Writes how each tag of `path` (`INDI/BIRT/DATE`, `HEAD/SOUR`) gets its type.
pub(crate) fn write(
    out: &mut impl Write,
    mut resolver: Resolver,
    path: &str,
    format: SchemaFormat,
) -> io::Result<()> {
    let schema = std::sync::Arc::clone(resolver.schema());
    let mut superstructure = TypeId::DOCUMENT;
    for (index, tag) in path.split('/').enumerate() {
        if index == 0 && tag == "HEAD" && resolver.dictionary().is_none() {
            superstructure = TypeId::METADATA;
            continue;
        }
        let found = resolver.resolve(superstructure, tag);
        let iri = |of| resolver.iri(of).unwrap_or_default().to_owned();
        let step = Step {
            tag,
            superstructure: iri(superstructure),
            r#type: iri(found),
            definitions: applied(&schema, superstructure, tag),
        };
        match format {
            SchemaFormat::Json => json::line(out, &step)?,
            _ if resolver.dictionary().is_some() => {
                writeln!(out, "{} is {}", sanitise(tag), sanitise(&step.r#type))?;
            }
            _ => human(out, &schema, &step)?,
        }
        superstructure = found;
    }
    Ok(())
}

fn human(out: &mut impl Write, schema: &Schema, step: &Step<'_>) -> io::Result<()> {
    let short = |iri: &str| sanitise(&schema.prefixes().shorten(iri)).into_owned();
    let (tag, superstructure) = (sanitise(step.tag), short(&step.superstructure));
    writeln!(out, "{tag} in {superstructure} is {}", short(&step.r#type))?;
    for applied in &step.definitions {
        let (above, of, from) = (short(&applied.superstructure), short(&applied.r#type), &applied.from);
        writeln!(out, "  {tag} in {above} is defined as {of}: {}", sanitise(from))?;
        if applied.supertypes.len() > 1 {
            let chain: Vec<String> = applied.supertypes.iter().map(|iri| short(iri)).collect();
            writeln!(out, "    {}", chain.join(" is a "))?;
        }
    }
    match &*step.definitions {
        [] => writeln!(out, "  nothing defines it"),
        [first, others @ ..] if others.iter().any(|other| other.r#type != first.r#type) => {
            writeln!(out, "  the definitions contradict one another, so none counts")
        }
        _ => Ok(()),
    }
}

/// The definitions that apply to `tag` in `superstructure`.
fn applied(schema: &Schema, superstructure: TypeId, tag: &str) -> Vec<Applied> {
    let above = Above::new(schema, superstructure);
    let mut applied = Vec::new();
    for of in schema.eventual_supertypes(superstructure) {
        for definition in schema.definitions_in(of).filter(|definition| definition.tag() == tag) {
            applied.push(Applied::new(schema, definition, above.chain(of)));
        }
    }
    applied
}

impl Applied {
    fn new(schema: &Schema, definition: Definition<'_>, chain: Vec<TypeId>) -> Applied {
        Applied {
            superstructure: definition.superstructure().to_owned(),
            r#type: definition.structure_type().to_owned(),
            from: definition.provenance().to_string(),
            supertypes: chain.into_iter().filter_map(|of| schema.iri(of).map(str::to_owned)).collect(),
        }
    }
}

/// What is above a type, each with the one it was reached from.
struct Above(HashMap<TypeId, TypeId>);

impl Above {
    fn new(schema: &Schema, start: TypeId) -> Above {
        let mut from = HashMap::from([(start, start)]);
        let mut next = VecDeque::from([start]);
        while let Some(of) = next.pop_front() {
            for (supertype, _) in schema.supertypes(of) {
                from.entry(supertype).or_insert_with(|| {
                    next.push_back(supertype);
                    of
                });
            }
        }
        Above(from)
    }

    /// The way from the start up to `of`.
    fn chain(&self, of: TypeId) -> Vec<TypeId> {
        let mut chain = vec![of];
        let mut at = of;
        while let Some(&below) = self.0.get(&at).filter(|&&below| below != at) {
            chain.push(below);
            at = below;
        }
        chain.reverse();
        chain
    }
}
