//! Prints what a standard means by a tag, and where it allows the tag.

use crate::json;
use elf_schema::{Definition, Schema, TypeId};
use serde::Serialize;
use std::io::{self, Write};

/// What a standard means by a tag.
#[derive(Debug, Serialize)]
pub struct StandardTag<'s> {
    tag: &'s str,
    /// The standard, such as `GEDCOM 5.5.1`.
    standard: &'static str,
    r#type: &'s str,
    supertypes: Vec<&'s str>,
    /// The types of the structures that the tag may stand under.
    under: Vec<&'s str>,
}

impl StandardTag<'static> {
    /// Lists the meanings of a tag in GEDCOM 5.5.1; if it has none, those in GEDCOM 7.0. Empty if neither has the tag.
    pub fn list(tag: &str) -> Vec<StandardTag<'static>> {
        let standards = [(Schema::completed(), "GEDCOM 5.5.1"), (Schema::gedcom_7(), "GEDCOM 7.0")];
        let mut found = standards.into_iter().map(|(schema, standard)| meanings(schema, standard, tag));
        found.find(|list| !list.is_empty()).unwrap_or_default()
    }
}

fn meanings(schema: &'static Schema, standard: &'static str, tag: &str) -> Vec<StandardTag<'static>> {
    let mut found: Vec<StandardTag<'static>> = Vec::new();
    for definition in schema.definitions().filter(|one| one.tag() == tag) {
        let iri = definition.structure_type();
        if let Some(known) = found.iter_mut().find(|one| one.r#type == iri) {
            known.under.push(definition.superstructure());
            continue;
        }
        let supertypes = schema.type_of(iri).into_iter().flat_map(|of| schema.supertypes(of));
        found.push(StandardTag {
            tag: definition.tag(),
            standard,
            r#type: iri,
            supertypes: supertypes.filter_map(|(above, _)| schema.iri(above)).collect(),
            under: vec![definition.superstructure()],
        });
    }
    found
}

/// Writes the meanings of a tag for people.
///
/// # Errors
///
/// If writing to `out` fails.
pub fn write_page(out: &mut impl Write, meanings: &[StandardTag<'_>]) -> io::Result<()> {
    let Some(StandardTag { tag, standard, .. }) = meanings.first() else { return Ok(()) };
    let schema = if *standard == "GEDCOM 7.0" { Schema::gedcom_7() } else { Schema::completed() };
    writeln!(out, "{tag} is a tag of {standard}.")?;
    for one in meanings {
        let names = |iris: &[&str]| {
            let names: Vec<String> = iris.iter().map(|iri| name_with_tag(schema, iri)).collect();
            names.join(", ")
        };
        writeln!(out, "\n{}", schema.prefixes().shorten(one.r#type))?;
        if !one.supertypes.is_empty() {
            writeln!(out, "  a kind of  {}", names(&one.supertypes))?;
        }
        writeln!(out, "  under      {}", names(&one.under))?;
    }
    Ok(())
}

/// Returns the short name of a type, with its tag if the type has only one and the name does not end with it.
fn name_with_tag(schema: &Schema, iri: &str) -> String {
    let name = match schema.type_of(iri) {
        Some(TypeId::DOCUMENT) => return "the file itself, as a record".to_owned(),
        Some(TypeId::METADATA) => return "the header (HEAD)".to_owned(),
        _ => schema.prefixes().shorten(iri),
    };
    let mut tags = schema.definitions().filter(|one| one.structure_type() == iri).map(Definition::tag);
    match tags.next() {
        Some(tag) if tags.all(|other| other == tag) && name.rsplit(':').next() != Some(tag) => {
            format!("{name} ({tag})")
        }
        _ => name.into_owned(),
    }
}

/// Writes the meanings of a tag as JSON Lines.
///
/// # Errors
///
/// If writing to `out` fails.
pub fn write_json(out: &mut impl Write, meanings: &[StandardTag<'_>]) -> io::Result<()> {
    meanings.iter().try_for_each(|one| json::write_line(out, one))
}
