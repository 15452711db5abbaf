//! Prints what a standard means by a tag, and where it allows the tag.

use crate::json;
use elf_schema::{Definition, Schema, TypeId};
use serde::Serialize;
use std::io::{self, Write};

/// What a standard means by a tag.
#[derive(Debug, Serialize)]
pub struct StandardTag {
    tag: &'static str,
    /// The standard, such as `GEDCOM 5.5.1`.
    standard: &'static str,
    r#type: &'static str,
    supertypes: Vec<&'static str>,
    /// The types of the structures that the tag may stand under.
    under: Vec<&'static str>,
    #[serde(skip)]
    schema: &'static Schema,
}

/// The schemas in which a tag is looked up, in this order, with the names of their standards.
fn standards() -> [(&'static Schema, &'static str); 2] {
    [(Schema::completed(), "GEDCOM 5.5.1"), (Schema::gedcom_7(), "GEDCOM 7.0")]
}

impl StandardTag {
    /// Lists the meanings of a tag in GEDCOM 5.5.1; if it has none, those in GEDCOM 7.0. Empty if neither has the tag.
    pub fn list(tag: &str) -> Vec<StandardTag> {
        let mut found = standards().into_iter().map(|(schema, standard)| meanings(schema, standard, tag));
        found.find(|list| !list.is_empty()).unwrap_or_default()
    }

    /// Returns the tags of both standards. Tags with several meanings occur several times.
    pub fn known_tags() -> impl Iterator<Item = &'static str> {
        standards().into_iter().flat_map(|(schema, _)| schema.definitions().map(Definition::tag))
    }

    /// Returns the IRI of the type.
    pub const fn structure_type(&self) -> &'static str {
        self.r#type
    }

    /// Returns the IRIs of the types that the type is a kind of.
    pub fn supertypes(&self) -> &[&'static str] {
        &self.supertypes
    }

    /// Returns the IRIs of the types of the structures that the tag may stand under.
    pub fn under(&self) -> &[&'static str] {
        &self.under
    }

    /// Returns the schema of the standard.
    pub const fn schema(&self) -> &'static Schema {
        self.schema
    }
}

fn meanings(schema: &'static Schema, standard: &'static str, tag: &str) -> Vec<StandardTag> {
    let mut found: Vec<StandardTag> = Vec::new();
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
            schema,
        });
    }
    found
}

/// Writes the meanings of a tag for people.
///
/// # Errors
///
/// If writing to `out` fails.
pub fn write_page(out: &mut impl Write, meanings: &[StandardTag]) -> io::Result<()> {
    let Some(StandardTag { tag, standard, .. }) = meanings.first() else { return Ok(()) };
    writeln!(out, "{tag} is a tag of {standard}.")?;
    for one in meanings {
        writeln!(out, "\n{}", one.schema.prefixes().shorten(one.r#type))?;
        if !one.supertypes.is_empty() {
            write_names(out, "  a kind of  ", one.schema, &one.supertypes)?;
        }
        write_names(out, "  under      ", one.schema, &one.under)?;
    }
    Ok(())
}

/// Writes the names of types after a label, on as many lines as they need.
fn write_names(out: &mut impl Write, label: &str, schema: &Schema, iris: &[&str]) -> io::Result<()> {
    /// The longest line, in characters.
    const LONGEST: usize = 100;
    let mut line = label.to_owned();
    for (at, iri) in iris.iter().enumerate() {
        let mut name = name_with_tag(schema, iri);
        if at + 1 < iris.len() {
            name.push(',');
        }
        if line.chars().count() + name.chars().count() > LONGEST {
            writeln!(out, "{}", line.trim_end())?;
            line = " ".repeat(label.len());
        }
        line.push_str(&name);
        line.push(' ');
    }
    writeln!(out, "{}", line.trim_end())
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
pub fn write_json(out: &mut impl Write, meanings: &[StandardTag]) -> io::Result<()> {
    meanings.iter().try_for_each(|one| json::write_line(out, one))
}
