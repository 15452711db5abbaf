//! Vectors about schemas and dictionaries.

use super::{compare, reading};
use crate::vectors::Expect;
use elf_base::Rules;
use elf_schema::{Dictionary, Schema};
use std::fmt::Write;

/// Prints a schema on one line with parts separated by ` ; `: `PRFX prefix IRI`, `TYPE IRI`, `ISA subtype supertype`,
/// `TAG tag superstructure = type`, `ESC tag types`, `SCHMA IRI`.
pub fn print_schema(schema: &Schema) -> String {
    let mut parts: Vec<String> = Vec::new();
    for (prefix, bound) in schema.prefixes().iter() {
        parts.push(format!("PRFX {prefix} {}", bound.iri));
    }
    for (id, iri) in schema.types() {
        if schema.declared(id).is_some() {
            parts.push(format!("TYPE {iri}"));
        }
        for (supertype, _) in schema.supertypes(id) {
            parts.push(format!("ISA {iri} {}", schema.iri(supertype).unwrap_or_default()));
        }
    }
    for definition in schema.definitions() {
        let [tag, superstructure, kind] =
            [definition.tag(), definition.superstructure(), definition.structure_type()];
        parts.push(format!("TAG {tag} {superstructure} = {kind}"));
    }
    for escape in schema.escapes() {
        let mut part = format!("ESC {} ", escape.tag);
        escape.types.letters().for_each(|letter| part.push(letter));
        parts.push(part);
    }
    for reference in schema.references() {
        parts.push(format!("SCHMA {}", reference.iri));
    }
    parts.join(" ; ")
}

/// Runs a vector of kind `schema`.
pub(super) fn run_schema(
    octets: &[u8],
    expected: Option<&str>,
    rules: &Rules,
    expect: &Expect,
) -> Result<(), String> {
    let mut findings = Vec::new();
    let document = reading::read_file(octets, rules, &reading::utf8_options(), &mut findings)?;
    let schema = Schema::of_document(&document, &(), &mut findings);
    if let Some(expected) = expected {
        let found = schema.as_ref().map_or("none".to_owned(), print_schema);
        compare("the schema", expected, &found)
            .map_err(|e| format!("{e}: {}", reading::list_findings(&findings)))?;
    }
    reading::check_assertions(&document, &findings, expect)
}

/// Runs a vector of kind `supertypes`.
pub(super) fn run_supertypes(octets: &[u8], of: &str, expected: &str, rules: &Rules) -> Result<(), String> {
    let document = reading::read_file(octets, rules, &reading::utf8_options(), &mut Vec::new())?;
    let own = Schema::of_document(&document, &(), &mut ());
    let schema = match &own {
        Some(schema) => schema,
        None => Schema::default_of(rules).ok_or("expected a schema")?.as_ref(),
    };
    let iri = schema.prefixes().expand(of);
    let id = schema.type_of(&iri).ok_or_else(|| format!("there is no type {iri}"))?;
    let mut found: Vec<String> = schema
        .eventual_supertypes(id)
        .filter_map(|id| schema.iri(id))
        .map(|iri| schema.prefixes().shorten(iri).into_owned())
        .collect();
    let mut expected: Vec<&str> = expected.split(' ').collect();
    // The type itself comes first. The order of the others does not matter.
    expected.get_mut(1..).unwrap_or_default().sort_unstable();
    found.get_mut(1..).unwrap_or_default().sort_unstable();
    compare("the supertypes", &expected.join(" "), &found.join(" "))
}

/// Runs a vector of kind `dictionary`, for the tags in the expected result.
pub(super) fn run_dictionary(
    octets: &[u8],
    expected: Option<&str>,
    rules: &Rules,
    expect: &Expect,
) -> Result<(), String> {
    let mut findings = Vec::new();
    let document = reading::read_file(octets, rules, &reading::utf8_options(), &mut findings)?;
    let dictionary = Dictionary::of_document(&document, &mut findings);
    if let Some(expected) = expected {
        let mut found = String::new();
        for part in expected.split(" ; ") {
            let tag = part.split_once('=').map_or(part, |(tag, _)| tag);
            let iri = dictionary.resolve(tag).unwrap_or("none".into());
            let separator = if found.is_empty() { "" } else { " ; " };
            let _ = write!(found, "{separator}{tag}={iri}");
            for hint in dictionary.hints(tag) {
                let _ = write!(found, " {hint}");
            }
        }
        compare("the types", expected, &found)
            .map_err(|e| format!("{e}: {}", reading::list_findings(&findings)))?;
    }
    reading::check_assertions(&document, &findings, expect)
}
