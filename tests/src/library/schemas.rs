//! Answers about schemas and dictionaries.

use super::{input, reading, utf8};
use crate::answer::Answer;
use crate::vectors::Case;
use crate::vectors::vector::TagType;
use elf_base::{Diagnostic, Rules};
use elf_schema::{Dictionary, Schema};
use elf_tagged::Document;

/// Returns the definitions of a schema: `PRFX prefix IRI`, `TYPE IRI`, `ISA subtype supertype`, `TAG tag
/// superstructure = type`, `ESC tag types`, `SCHMA IRI`.
pub fn definitions(schema: &Schema) -> Vec<String> {
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
        let [tag, superstructure, structure_type] =
            [definition.tag(), definition.superstructure(), definition.structure_type()];
        parts.push(format!("TAG {tag} {superstructure} = {structure_type}"));
    }
    for escape in schema.escapes() {
        let mut part = format!("ESC {} ", escape.tag);
        escape.types.letters().for_each(|letter| part.push(letter));
        parts.push(part);
    }
    for reference in schema.references() {
        parts.push(format!("SCHMA {}", reference.iri));
    }
    parts
}

/// The answer for the form `schema`.
pub(super) fn schema(case: &Case) -> Result<Answer, String> {
    let octets = input(case)?;
    let mut findings = Vec::new();
    let document = read(&octets, &case.rules, &mut findings)?;
    let schema = Schema::of_document(&document, &(), &mut findings);
    let mut answer = reading::of_document(&document, &findings);
    answer.definitions = schema.as_ref().map(definitions).unwrap_or_default();
    Ok(answer)
}

/// The answer for the form `supertypes`.
pub(super) fn supertypes(case: &Case) -> Result<Answer, String> {
    let octets = input(case)?;
    let document = read(&octets, &case.rules, &mut Vec::new())?;
    let own = Schema::of_document(&document, &(), &mut ());
    let schema = match &own {
        Some(schema) => schema,
        None => Schema::default_of(&case.rules).ok_or("expected a schema")?.as_ref(),
    };
    let name = case.vector.structure_type.as_deref().ok_or("expected a type")?;
    let iri = schema.prefixes().expand(name);
    let id = schema.type_of(&iri).ok_or_else(|| format!("there is no type {iri}"))?;
    let supertypes = schema.eventual_supertypes(id).filter(|&supertype| supertype != id);
    let names =
        supertypes.filter_map(|id| schema.iri(id)).map(|iri| schema.prefixes().shorten(iri).into_owned());
    Ok(Answer { supertypes: names.collect(), ..Answer::default() })
}

/// The answer for the form `dictionary`, for the tags that the vector lists.
pub(super) fn dictionary(case: &Case) -> Result<Answer, String> {
    let octets = input(case)?;
    let mut findings = Vec::new();
    let document = read(&octets, &case.rules, &mut findings)?;
    let dictionary = Dictionary::of_document(&document, &mut findings);
    let mut answer = reading::of_document(&document, &findings);
    for TagType { tag, .. } in &case.vector.types {
        let iri = dictionary.resolve(tag).map(|iri| iri.to_string());
        let iris = iri.into_iter().chain(dictionary.hints(tag).into_iter().map(str::to_owned)).collect();
        answer.types.push(TagType { tag: tag.clone(), iris });
    }
    Ok(answer)
}

fn read<'o>(octets: &'o [u8], rules: &Rules, findings: &mut Vec<Diagnostic>) -> Result<Document<'o>, String> {
    elf_tagged::read(octets, rules, &utf8(), findings).map_err(|error| error.to_string())
}
