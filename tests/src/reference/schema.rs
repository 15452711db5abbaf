//! ELF Schemas in a header (J19 §4.2; ELF Schemas, *ELF Schema*).

use super::model::{PayloadValue, TaggedStructure};
use std::collections::{BTreeMap, BTreeSet};

/// The addresses under which the data model publishes the default schema (J19 §4.2.1; `docs/readings.md`,
/// S18).
const DEFAULT_SCHEMA: [&str; 2] =
    ["https://fhiso.org/TR/elf-data-model/v1.0.0", "https://fhiso.org/TR/elf-data-model"];

/// A tag definition: the type of a tag under a superstructure type (J19 §3.1.2).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TagDefinition {
    /// The tag.
    pub tag: String,
    /// The superstructure type identifier.
    pub superstructure: String,
    /// The structure type identifier.
    pub structure_type: String,
}

impl TagDefinition {
    /// Returns whether J19 §3.2 forbids the definition.
    fn is_reserved(&self) -> bool {
        let elf = |iri: &str| iri.strip_prefix(super::typing::ELF).unwrap_or_default().to_owned();
        let (superstructure, structure_type) = (elf(&self.superstructure), elf(&self.structure_type));
        let undefined_tag = structure_type.strip_prefix("Undefined#");
        matches!(self.tag.as_str(), "CONT" | "CONC" | "ERROR" | "UNDEF")
            || matches!(structure_type.as_str(), "Document" | "Metadata" | "Undefined")
            || undefined_tag.is_some_and(super::schema_check::is_tag)
            || matches!(
                (self.tag.as_str(), superstructure.as_str()),
                ("HEAD" | "TRLR", "Document") | ("CHAR" | "SCHMA", "Metadata")
            )
    }
}

/// The definitions of a schema.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Definitions {
    /// Supertype definitions: a type and one of its supertypes (J19 §3.1.1).
    pub supertypes: Vec<(String, String)>,
    /// Tag definitions.
    pub tags: Vec<TagDefinition>,
    /// Escape-preserving tags and their preserved escape types (J19 §4.2.4).
    pub escapes: Vec<(String, String)>,
    /// True if the schema is in the header; false for the default one.
    pub is_of_the_header: bool,
    /// Prefixes and their IRIs (J19 §4.2.2).
    pub prefixes: Vec<(String, String)>,
    /// True if a prefix has two values.
    pub prefixes_differ: bool,
    /// True if the schema contains forbidden tag definitions (J19 §3.2).
    pub has_reserved: bool,
    /// True if the schema refers to another schema, which this reader does not have (J19 §4.2.1).
    pub lacks_a_part: bool,
}

impl Definitions {
    /// "Two escape preservation structures must not differ only in the set of preserved escape sequences they
    /// define for a given tag" (J19 §4.2.4).
    pub(super) fn has_escapes_that_differ(&self) -> bool {
        self.escapes.iter().any(|(tag, _)| self.escapes_differ(tag))
    }

    /// Returns whether the schema contradicts itself about the escape types that a tag preserves.
    pub(super) fn escapes_differ(&self, tag: &str) -> bool {
        let types = |kinds: &str| kinds.chars().collect::<BTreeSet<char>>();
        let of_tag = self.escapes.iter().filter(|(other, _)| other == tag);
        of_tag.map(|(_, kinds)| types(kinds)).collect::<BTreeSet<_>>().len() > 1
    }

    /// "The set of tag definitions and supertype definitions must not provide two different structure type
    /// identifiers for any single structure" (J19 §3.1.2).
    pub(super) fn has_conflicts(&self) -> bool {
        let types =
            self.tags.iter().flat_map(|definition| [&definition.structure_type, &definition.superstructure]);
        let types: BTreeSet<&String> =
            types.chain(self.supertypes.iter().flat_map(|(one, other)| [one, other])).collect();
        types.into_iter().any(|above| {
            let supertypes = super::typing::eventual_supertypes(above, self);
            let mut found: BTreeMap<&str, &str> = BTreeMap::new();
            let applies =
                |definition: &&TagDefinition| supertypes.contains(definition.superstructure.as_str());
            self.tags.iter().filter(applies).any(|definition| {
                let first = found.entry(&definition.tag).or_insert(&definition.structure_type);
                *first != definition.structure_type
            })
        })
    }
}

impl Definitions {
    /// Adds the definitions of a schema that this one refers to (J19 §4.2.1), and its prefixes unless this one defines
    /// the same prefix (`docs/readings.md`, G26).
    fn include(&mut self, other: &Definitions) {
        self.supertypes.extend(other.supertypes.iter().cloned());
        self.tags.extend(other.tags.iter().cloned());
        self.escapes.extend(other.escapes.iter().cloned());
        for (prefix, iri) in &other.prefixes {
            if !self.prefixes.iter().any(|(own, _)| own == prefix) {
                self.prefixes.push((prefix.clone(), iri.clone()));
            }
        }
    }

    /// Returns whether a tag preserves escapes of a type (J19 §5.2). If a part of the schema is missing, it might
    /// define the tag (`docs/readings.md`, G13).
    pub fn preserves(&self, tag: &str, kind: char) -> bool {
        let mut of_tag = self.escapes.iter().filter(|(preserving, _)| preserving == tag).peekable();
        if of_tag.peek().is_none() {
            return self.lacks_a_part;
        }
        of_tag.any(|(_, kinds)| kinds.contains(kind))
    }

    /// Returns whether an escape type is permitted in a structure (D19 *Permitted escapes*). A schema in the header
    /// that defines escapes decides. Otherwise, the type D is permitted everywhere (`docs/readings.md`, AMB-54).
    pub fn permits(&self, tag: &str, kind: char) -> bool {
        let speaks_of_escapes = self.is_of_the_header && (!self.escapes.is_empty() || self.lacks_a_part);
        if speaks_of_escapes { self.preserves(tag, kind) } else { kind == 'D' }
    }
}

/// Reads all SCHMA structures of a header as one schema, or the default one if there is none (J19 §4.2). A payload is a
/// reference to a schema: December 2019 has it, and January, which allows no payload, is read in the same way
/// (`docs/readings.md`, AMB-19, G37).
pub(super) fn read_schema(schemas: &[&TaggedStructure], defaults: &Definitions) -> Definitions {
    if schemas.is_empty() {
        return defaults.clone();
    }
    let references = schemas.iter().filter(|schema| !payload_text(schema).is_empty()).copied();
    let parts: Vec<&TaggedStructure> =
        references.chain(schemas.iter().flat_map(|schema| &schema.substructures)).collect();
    let mut definitions = Definitions { is_of_the_header: true, ..Definitions::default() };
    for part in parts.iter().filter(|part| part.tag == "PRFX") {
        // A prefix whose value is not an IRI is ignored.
        let abbreviation = two_tokens(payload_text(part)).filter(|(_, iri)| super::schema_check::is_iri(iri));
        let Some((prefix, iri)) = abbreviation else { continue };
        let is_rebound = |(other, old): &(String, String)| *other == prefix && *old != iri;
        definitions.prefixes_differ |= definitions.prefixes.iter().any(is_rebound);
        definitions.prefixes.push((prefix.to_owned(), iri.to_owned()));
    }
    for part in parts.iter().filter(|part| part.tag == "SCHMA") {
        match one_token(part) {
            default if DEFAULT_SCHEMA.contains(&default) => definitions.include(defaults),
            other => definitions.lacks_a_part |= super::schema_check::is_iri(other),
        }
    }
    let prefixes = definitions.prefixes.clone();
    for part in parts {
        match part.tag.as_str() {
            "IRI" => read_iri_definition(part, &prefixes, &mut definitions),
            "ESC" => definitions.escapes.extend(read_escape_preservation(part)),
            _ => {}
        }
    }
    definitions
}

/// Returns the payload, or an empty string for a pointer.
fn payload_text(structure: &TaggedStructure) -> &str {
    match &structure.payload {
        PayloadValue::Text(text) => text,
        PayloadValue::Pointer(_) => "",
    }
}

/// Splits into whitespace-separated tokens.
fn split_tokens(text: &str) -> Vec<&str> {
    text.split(super::characters::is_whitespace).filter(|token| !token.is_empty()).collect()
}

/// Returns the only token of a payload, or an empty string if there are several.
fn one_token(structure: &TaggedStructure) -> &str {
    match *split_tokens(payload_text(structure)) {
        [only] => only,
        _ => "",
    }
}

/// Splits into exactly two tokens.
fn two_tokens(text: &str) -> Option<(&str, &str)> {
    match *split_tokens(text) {
        [first, second] => Some((first, second)),
        _ => None,
    }
}

/// Expands a prefix: "if that string begins with a defined prefix followed by a colon" (J19 §4.2.2). The longest such
/// prefix counts (`docs/readings.md`, G31), and its first value.
fn expand_prefix(text: &str, prefixes: &[(String, String)]) -> String {
    let mut longest: Option<(&str, &str, &str)> = None;
    for (prefix, iri) in prefixes {
        let rest = text.strip_prefix(prefix.as_str()).and_then(|rest| rest.strip_prefix(':'));
        if let Some(rest) = rest.filter(|_| longest.is_none_or(|(found, ..)| found.len() < prefix.len())) {
            longest = Some((prefix, iri, rest));
        }
    }
    longest.map_or_else(|| text.to_owned(), |(_, iri, rest)| format!("{iri}{rest}"))
}

/// Reads an IRI definition structure with its supertype and tag definition structures (J19 §4.2.3).
fn read_iri_definition(
    structure: &TaggedStructure,
    prefixes: &[(String, String)],
    definitions: &mut Definitions,
) {
    let defined = expand_prefix(one_token(structure), prefixes);
    // What stands for no IRI defines nothing.
    if !super::schema_check::is_iri(&defined) {
        return;
    }
    for part in &structure.substructures {
        match part.tag.as_str() {
            "ISA" => definitions.supertypes.push((defined.clone(), expand_prefix(one_token(part), prefixes))),
            "TAG" => {
                let [tag, superstructures @ ..] = &*split_tokens(payload_text(part)) else { continue };
                for superstructure in superstructures {
                    let definition = TagDefinition {
                        tag: (*tag).to_owned(),
                        superstructure: expand_prefix(superstructure, prefixes),
                        structure_type: defined.clone(),
                    };
                    // Those that must not be define nothing (`docs/readings.md`, G18).
                    if definition.is_reserved() {
                        definitions.has_reserved = true;
                    } else {
                        definitions.tags.push(definition);
                    }
                }
            }
            _ => {}
        }
    }
}

/// Reads an escape preservation structure: a tag, and escape types of `[A-TV-Z]` (J19 §4.2.4).
fn read_escape_preservation(structure: &TaggedStructure) -> Option<(String, String)> {
    let (tag, kinds) = two_tokens(payload_text(structure))?;
    let is_kind = |kind: char| matches!(kind, 'A'..='T' | 'V'..='Z');
    let is_preservation = super::schema_check::is_tag(tag) && kinds.chars().all(is_kind);
    is_preservation.then(|| (tag.to_owned(), kinds.to_owned()))
}
