//! Prints the answer to `schema --why`: how the tags of a path get their types.

use crate::schema::SchemaFormat;
use crate::{json, sanitise};
use elf_schema::{ApplicableDefinition, ExtensionTag, Reason, Resolver, Rules, TypeExplanation, TypeId};
use serde::Serialize;
use std::io::{self, Write};

/// Writes how each tag of a path (`INDI/BIRT/DATE`, `HEAD/SOUR`) gets its type.
///
/// # Errors
///
/// If writing to `out` fails.
pub fn write(
    out: &mut impl Write,
    mut resolver: Resolver,
    tags: &[String],
    rules: &Rules,
    format: SchemaFormat,
) -> io::Result<()> {
    // Only the tags up to the first one that the draft defines, because nothing under it has a
    // type.
    let reserved = tags.iter().enumerate().find_map(|(depth, tag)| {
        let above = depth.checked_sub(1).and_then(|above| tags.get(above));
        why_reserved(depth, above.map(String::as_str), tag, rules).map(|what| (depth, what))
    });
    let (typed, rest) = tags.split_at(reserved.map_or(tags.len(), |(depth, _)| depth));
    if resolver.dictionary().is_some() {
        for tag in typed {
            // The superstructure does not matter (O17 §6.2).
            let found = resolver.resolve(TypeId::DOCUMENT, tag);
            write_placeless_tag(out, tag, resolver.iri(found).ok_or(DEFINED), format)?;
        }
    } else if rest.is_empty() && typed.len() == 1 && typed.iter().all(|tag| tag == "HEAD") {
        // The content of HEAD has types in elf:Metadata (J19 §3.3).
        write_placeless_tag(out, "HEAD", Err(DEFINED), format)?;
    } else {
        for why in resolver.schema().why_path(typed.iter().map(String::as_str)) {
            if format == SchemaFormat::Json {
                json::write_line(out, &Step::of(&why))?;
                continue;
            }
            for (index, line) in why.lines(resolver.schema()).iter().enumerate() {
                writeln!(out, "{}{}", if index == 0 { "" } else { "  " }, sanitise(line))?;
            }
        }
    }
    for tag in rest {
        write_placeless_tag(out, tag, Err(reserved.map_or(DEFINED, |(_, what)| what)), format)?;
    }
    Ok(())
}

const DEFINED: &str = "the draft itself defines it";

/// Returns the purpose of a tag that is not a structure under the rules.
fn why_reserved(depth: usize, above: Option<&str>, tag: &str, rules: &Rules) -> Option<&'static str> {
    match (depth, above, tag) {
        (_, _, "CONT" | "CONC") => Some("it continues the payload of its superstructure"),
        (0, _, "TRLR") => Some("it ends the document"),
        (1, Some("HEAD"), tag) if rules.tagged.metadata.includes(tag, true) => {
            Some("it is serialisation metadata")
        }
        _ => None,
    }
}

/// Writes a tag whose type does not depend on its place.
fn write_placeless_tag(
    out: &mut impl Write,
    tag: &str,
    iri: Result<&str, &str>,
    format: SchemaFormat,
) -> io::Result<()> {
    #[derive(Serialize)]
    struct Entry<'a> {
        tag: &'a str,
        r#type: Option<&'a str>,
    }
    if format == SchemaFormat::Json {
        return json::write_line(out, &Entry { tag, r#type: iri.ok() });
    }
    match iri {
        Ok(iri) => writeln!(out, "{} is {}", sanitise(tag), sanitise(iri)),
        Err(what) => writeln!(out, "{} has no type: {what}", sanitise(tag)),
    }
}

/// A step of a path: a tag under a superstructure, and the applicable definitions.
#[derive(Serialize)]
struct Step<'a> {
    tag: &'a str,
    superstructure: &'a str,
    r#type: &'a str,
    definitions: Vec<Applied<'a>>,
}

#[derive(Serialize)]
struct Applied<'a> {
    /// The superstructure type that the definition names. `None` for an extension tag, which has
    /// its type at any place.
    superstructure: Option<&'a str>,
    r#type: &'a str,
    from: String,
    /// The types from that of the superstructure up to the one that the definition names.
    supertypes: &'a [&'a str],
}

impl<'a> Step<'a> {
    fn of(why: &'a TypeExplanation<'a>) -> Step<'a> {
        let (definitions, extensions): (&[ApplicableDefinition<'_>], &[&ExtensionTag]) = match &why.reason {
            Reason::Defined(definitions) | Reason::Conflict(definitions) => (definitions, &[]),
            Reason::Documented(tag) => (&[], std::slice::from_ref(tag)),
            Reason::Ambiguous(tags) => (&[], tags),
            _ => (&[], &[]),
        };
        let extension = |tag: &&'a ExtensionTag| Applied {
            superstructure: None,
            r#type: &tag.uri,
            from: tag.provenance.to_string(),
            supertypes: &[],
        };
        let applied = |applies: &'a ApplicableDefinition<'a>| Applied {
            superstructure: Some(applies.definition.superstructure()),
            r#type: applies.definition.structure_type(),
            from: applies.definition.provenance().to_string(),
            supertypes: &applies.supertypes,
        };
        Step {
            tag: &why.tag,
            superstructure: &why.superstructure,
            r#type: &why.structure_type,
            definitions: definitions.iter().map(applied).chain(extensions.iter().map(extension)).collect(),
        }
    }
}
