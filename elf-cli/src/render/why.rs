//! How the tags of a path get their types.

use crate::args::SchemaFormat;
use crate::render::{json, sanitise};
use elf_schema::{Applies, Reason, Resolver, TypeId, Why};
use serde::Serialize;
use std::io::{self, Write};

/// Writes how each tag of `path` (`INDI/BIRT/DATE`, `HEAD/SOUR`) gets its type.
pub(crate) fn write(
    out: &mut impl Write,
    mut resolver: Resolver,
    path: &str,
    format: SchemaFormat,
) -> io::Result<()> {
    let tags = path.split('/');
    if path == "HEAD" && resolver.dictionary().is_none() {
        // What stands in it is in elf:Metadata (J19 §3.3).
        return without_superstructure(out, path, None, format);
    }
    if resolver.dictionary().is_some() {
        for tag in tags {
            // Where a tag stands does not matter to it (O17 §6.2).
            let found = resolver.resolve(TypeId::DOCUMENT, tag);
            without_superstructure(out, tag, resolver.iri(found), format)?;
        }
        return Ok(());
    }
    for why in resolver.schema().why_path(tags) {
        if format == SchemaFormat::Json {
            json::line(out, &Step::of(&why))?;
            continue;
        }
        for (index, line) in why.lines(resolver.schema()).iter().enumerate() {
            writeln!(out, "{}{}", if index == 0 { "" } else { "  " }, sanitise(line))?;
        }
    }
    Ok(())
}

/// A tag whose type does not depend on where it stands.
fn without_superstructure(
    out: &mut impl Write,
    tag: &str,
    iri: Option<&str>,
    format: SchemaFormat,
) -> io::Result<()> {
    #[derive(Serialize)]
    struct Entry<'a> {
        tag: &'a str,
        r#type: Option<&'a str>,
    }
    if format == SchemaFormat::Json {
        return json::line(out, &Entry { tag, r#type: iri });
    }
    let iri = iri.map_or("of no type: the draft itself defines it".into(), sanitise);
    writeln!(out, "{} is {iri}", sanitise(tag))
}

/// One step of a path: a tag in a superstructure, and the definitions that apply.
#[derive(Serialize)]
struct Step<'a> {
    tag: &'a str,
    superstructure: &'a str,
    r#type: &'a str,
    definitions: Vec<Applied<'a>>,
}

#[derive(Serialize)]
struct Applied<'a> {
    superstructure: &'a str,
    r#type: &'a str,
    from: String,
    /// From the type of the superstructure to the one that the definition names.
    supertypes: &'a [&'a str],
}

impl<'a> Step<'a> {
    fn of(why: &'a Why<'a>) -> Step<'a> {
        let definitions: &[Applies<'_>] = match &why.reason {
            Reason::Defined(definitions) | Reason::Conflict(definitions) => definitions,
            _ => &[],
        };
        let applied = |applies: &'a Applies<'a>| Applied {
            superstructure: applies.definition.superstructure(),
            r#type: applies.definition.structure_type(),
            from: applies.definition.provenance().to_string(),
            supertypes: &applies.supertypes,
        };
        Step {
            tag: &why.tag,
            superstructure: &why.superstructure,
            r#type: &why.structure_type,
            definitions: definitions.iter().map(applied).collect(),
        }
    }
}
