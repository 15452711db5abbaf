//! Prints schemas for people, as data, as a SCHMA document, and as a graph.

use crate::pictures::{SvgOptions, type_graph};
use crate::{json, sanitise};
use elf_base::without_credentials;
use elf_schema::{Definition, Dictionary, ExtensionTag, Schema, SchemaForm, TypeId};
use elf_tagged::Rules;
use elf_tagged::write::{Preamble, WriteError, WriteOptions, Writer};
use serde::Serialize;
use std::borrow::Cow;
use std::collections::HashMap;
use std::io::{self, Write};

/// A format of schemas.
///
/// ```
/// use elf_report::schema::SchemaFormat;
///
/// assert_eq!(SchemaFormat::ALL.map(SchemaFormat::name), ["human", "json", "elf", "dot", "svg"]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SchemaFormat {
    /// Text for people.
    Human,
    /// JSON Lines.
    Json,
    /// A document that contains the schema as SCHMA.
    Elf,
    /// The supertype graph, for Graphviz.
    Dot,
    /// The supertype graph, as a picture.
    Svg,
}

impl SchemaFormat {
    /// All formats.
    pub const ALL: [SchemaFormat; 5] =
        [SchemaFormat::Human, SchemaFormat::Json, SchemaFormat::Elf, SchemaFormat::Dot, SchemaFormat::Svg];

    /// Returns the word for the format.
    pub const fn name(self) -> &'static str {
        match self {
            SchemaFormat::Human => "human",
            SchemaFormat::Json => "json",
            SchemaFormat::Elf => "elf",
            SchemaFormat::Dot => "dot",
            SchemaFormat::Svg => "svg",
        }
    }

    /// Returns whether a dictionary of 2017 can be written in this format. It has neither a SCHMA
    /// nor supertypes.
    pub const fn suits_dictionary(self) -> bool {
        match self {
            SchemaFormat::Human | SchemaFormat::Json => true,
            SchemaFormat::Elf | SchemaFormat::Dot | SchemaFormat::Svg => false,
        }
    }

    /// Returns a description in a few words.
    pub const fn about(self) -> &'static str {
        match self {
            SchemaFormat::Human => "Text for people",
            SchemaFormat::Json => "JSON Lines",
            SchemaFormat::Elf => "An ELF document that contains the schema as SCHMA",
            SchemaFormat::Dot => "The supertype graph for Graphviz",
            SchemaFormat::Svg => "The supertype graph as an SVG picture",
        }
    }
}

/// Writes a schema.
///
/// # Errors
///
/// If writing to `out` fails.
pub fn write(out: &mut impl Write, schema: &Schema, format: SchemaFormat) -> io::Result<()> {
    match format {
        SchemaFormat::Human => write_for_people(out, schema),
        SchemaFormat::Json => write_json(out, schema),
        SchemaFormat::Elf => write_document(out, schema),
        SchemaFormat::Dot => write_type_graph(out, schema),
        SchemaFormat::Svg => out.write_all(type_graph(schema, &SvgOptions::default()).as_bytes()),
    }
}

/// A type with its definitions.
struct TypeRow<'s> {
    id: TypeId,
    iri: &'s str,
    definitions: Vec<Definition<'s>>,
    /// The tags that have this type at any place.
    extensions: Vec<&'s ExtensionTag>,
}

/// Returns the types that a schema defines, in order. Types that are only mentioned are left out.
fn list_types(schema: &Schema) -> Vec<TypeRow<'_>> {
    let mut definitions: HashMap<&str, Vec<Definition<'_>>> = HashMap::new();
    for definition in schema.definitions() {
        definitions.entry(definition.structure_type()).or_default().push(definition);
    }
    let mut extensions: HashMap<&str, Vec<&ExtensionTag>> = HashMap::new();
    for one in schema.extension_tags() {
        extensions.entry(&one.uri).or_default().push(one);
    }
    schema
        .types()
        .map(|(id, iri)| TypeRow {
            id,
            iri,
            definitions: definitions.remove(iri).unwrap_or_default(),
            extensions: extensions.remove(iri).unwrap_or_default(),
        })
        .filter(|of| {
            !of.definitions.is_empty()
                || schema.declared(of.id).is_some()
                || schema.supertypes(of.id).next().is_some()
        })
        .collect()
}

fn write_for_people(out: &mut impl Write, schema: &Schema) -> io::Result<()> {
    let short = |iri: &str| sanitise(&without_credentials(&schema.prefixes().shorten(iri))).into_owned();
    for (prefix, definition) in schema.prefixes().iter() {
        writeln!(out, "prefix {} {}", sanitise(prefix), sanitise(&without_credentials(&definition.iri)))?;
    }
    for escape in schema.escapes() {
        writeln!(out, "escapes {} {}", sanitise(&escape.tag), escape.types.letters().collect::<String>())?;
    }
    for reference in schema.references() {
        let at_hand = if reference.at_hand { "" } else { " (not available)" };
        writeln!(out, "refers to {}{at_hand}", sanitise(&without_credentials(&reference.iri)))?;
    }
    for of in list_types(schema) {
        writeln!(out, "{}", short(of.iri))?;
        for (supertype, _) in schema.supertypes(of.id) {
            writeln!(out, "  is a {}", schema.iri(supertype).map(short).unwrap_or_default())?;
        }
        for definition in of.definitions {
            writeln!(out, "  {} in {}", sanitise(definition.tag()), short(definition.superstructure()))?;
        }
        for one in of.extensions {
            writeln!(out, "  {} everywhere", sanitise(&one.tag))?;
        }
    }
    for circle in schema.circles() {
        let types: Vec<String> = circle.into_iter().filter_map(|of| schema.iri(of)).map(short).collect();
        writeln!(out, "circle of supertypes: {}", types.join(", "))?;
    }
    for conflict in schema.conflicts() {
        let (tag, above) = (sanitise(conflict.tag), short(conflict.superstructure));
        writeln!(out, "conflict: {tag} in {above} has {} types", conflict.types.len())?;
        for definition in conflict.definitions {
            let (of, above) = (short(definition.structure_type()), short(definition.superstructure()));
            let from = definition.provenance().to_string();
            writeln!(out, "  {of}, defined in {above}: {}", sanitise(&from))?;
        }
    }
    Ok(())
}

/// Writes the prefixes, the escapes that tags keep, and the references of a schema as JSON.
fn preamble_data(out: &mut impl Write, schema: &Schema) -> io::Result<()> {
    #[derive(Serialize)]
    struct PrefixLine<'s> {
        prefix: &'s str,
        iris: [Cow<'s, str>; 1],
    }
    #[derive(Serialize)]
    struct EscapeLine<'s> {
        escapes: String,
        tag: &'s str,
        from: String,
    }
    #[derive(Serialize)]
    struct ReferenceLine<'s> {
        reference: Cow<'s, str>,
        at_hand: bool,
    }
    for (prefix, definition) in schema.prefixes().iter() {
        json::write_line(out, &PrefixLine { prefix, iris: [without_credentials(&definition.iri)] })?;
    }
    for escape in schema.escapes() {
        let (escapes, from) = (escape.types.letters().collect(), escape.provenance.to_string());
        json::write_line(out, &EscapeLine { escapes, tag: &escape.tag, from })?;
    }
    for reference in schema.references() {
        json::write_line(
            out,
            &ReferenceLine { reference: without_credentials(&reference.iri), at_hand: reference.at_hand },
        )?;
    }
    Ok(())
}

fn write_json(out: &mut impl Write, schema: &Schema) -> io::Result<()> {
    #[derive(Serialize)]
    struct Line<'s> {
        r#type: &'s str,
        supertypes: Vec<&'s str>,
        tags: Vec<Tag<'s>>,
        from: Option<String>,
    }
    #[derive(Serialize)]
    struct Tag<'s> {
        tag: &'s str,
        superstructure: Option<&'s str>,
        from: String,
    }
    #[derive(Serialize)]
    struct ConflictLine<'s> {
        conflict: ConflictOf<'s>,
    }
    #[derive(Serialize)]
    struct ConflictOf<'s> {
        tag: &'s str,
        superstructure: &'s str,
        types: Vec<&'s str>,
    }
    preamble_data(out, schema)?;
    for of in list_types(schema) {
        let line = Line {
            r#type: of.iri,
            supertypes: schema.supertypes(of.id).filter_map(|(supertype, _)| schema.iri(supertype)).collect(),
            tags: of
                .definitions
                .iter()
                .map(|definition| Tag {
                    tag: definition.tag(),
                    superstructure: Some(definition.superstructure()),
                    from: definition.provenance().to_string(),
                })
                .chain(of.extensions.iter().map(|one| Tag {
                    tag: &one.tag,
                    superstructure: None,
                    from: one.provenance.to_string(),
                }))
                .collect(),
            from: schema.declared(of.id).map(ToString::to_string),
        };
        json::write_line(out, &line)?;
    }
    for conflict in schema.conflicts() {
        let conflict =
            ConflictOf { tag: conflict.tag, superstructure: conflict.superstructure, types: conflict.types };
        json::write_line(out, &ConflictLine { conflict })?;
    }
    Ok(())
}

/// Writes the schema as a document of January 2019, which can be read again (J19 §4.2).
fn write_document(out: &mut impl Write, schema: &Schema) -> io::Result<()> {
    let rules = &Rules::JANUARY_2019;
    let lines = schema.to_lines(rules, SchemaForm::Inline);
    // The content of a schema was read from lines, so it can be written as lines. Contradictory
    // definitions are left out; they were reported when the schema was read.
    let written = Writer::new(out, rules, &WriteOptions::new(), &mut ())
        .map_err(WriteError::Options)
        .and_then(|mut writer| {
            writer.head(&Preamble::new().with_schema(lines))?;
            writer.finish()
        });
    match written {
        Ok(_) => Ok(()),
        Err(WriteError::Io(error)) => Err(error),
        Err(error) => Err(io::Error::other(error)),
    }
}

/// Writes the supertype graph for Graphviz.
fn write_type_graph(out: &mut impl Write, schema: &Schema) -> io::Result<()> {
    for line in schema.to_dot().lines() {
        writeln!(out, "{}", sanitise(line))?;
    }
    Ok(())
}

/// Writes a dictionary of 2017. It has namespaces and tags, but neither supertypes nor a SCHMA.
///
/// # Errors
///
/// If writing to `out` fails.
pub fn write_dictionary(
    out: &mut impl Write,
    dictionary: &Dictionary,
    format: SchemaFormat,
) -> io::Result<()> {
    #[derive(Serialize)]
    struct Entry<'d> {
        #[serde(skip_serializing_if = "Option::is_none")]
        prefix: Option<&'d str>,
        #[serde(skip_serializing_if = "Option::is_none")]
        tag: Option<&'d str>,
        iris: Vec<&'d str>,
    }
    let default = dictionary.default_namespace().map(|iri| ("", iri));
    let namespaces = default.into_iter().chain(dictionary.namespaces()).map(|(prefix, iri)| Entry {
        prefix: Some(prefix),
        tag: None,
        iris: vec![iri],
    });
    let mappings =
        dictionary.mappings().map(|(tag, iris)| Entry { prefix: None, tag: Some(tag), iris: iris.collect() });
    if !format.suits_dictionary() {
        return Err(io::Error::other("a dictionary of 2017 has neither a SCHMA nor supertypes"));
    }
    for entry in namespaces.chain(mappings) {
        if format == SchemaFormat::Json {
            json::write_line(out, &entry)?;
            continue;
        }
        let (kind, key) = match (entry.prefix, entry.tag) {
            (Some(""), _) => ("default", ""),
            (Some(prefix), _) => ("prefix", prefix),
            (None, tag) => ("tag", tag.unwrap_or_default()),
        };
        writeln!(out, "{kind} {} {}", sanitise(key), sanitise(&entry.iris.join(" ")))?;
    }
    Ok(())
}
