//! Tags to structure type identifiers (J19 §3; ELF Schemas, *Tags*).

use super::model::TaggedStructure;
use super::schema::Definitions;
use std::collections::BTreeSet;

/// The namespace of ELF's own terms.
pub(super) const ELF: &str = "https://terms.fhiso.org/elf/";

/// Types all records, and recursively their substructures.
pub(super) fn assign_types(records: &mut [TaggedStructure], definitions: &Definitions) {
    for (at, record) in records.iter_mut().enumerate() {
        // The first line of December is `0 HEAD` in any case (D19 *Specified character encodings*).
        if at == 0 && record.tag.eq_ignore_ascii_case("HEAD") {
            // The header's substructures are the metadata (J19 §2.4 *Superstructure type identifier*).
            for structure in &mut record.substructures {
                assign_type(structure, &format!("{ELF}Metadata"), definitions);
            }
        } else {
            assign_type(record, &format!("{ELF}Document"), definitions);
        }
    }
}

/// Types a structure and recursively its substructures (J19 §3.3).
fn assign_type(structure: &mut TaggedStructure, superstructure_type: &str, definitions: &Definitions) {
    structure.structure_type = type_of(&structure.tag, superstructure_type, definitions);
    for substructure in &mut structure.substructures {
        assign_type(substructure, &structure.structure_type, definitions);
    }
}

/// Returns the types that applicable tag definitions give a tag under a superstructure type (J19 §3.1.2).
pub(super) fn applicable_types<'a>(
    tag: &str,
    superstructure_type: &str,
    definitions: &'a Definitions,
) -> BTreeSet<&'a str> {
    let of_tag: Vec<_> = definitions.tags.iter().filter(|definition| definition.tag == tag).collect();
    if of_tag.is_empty() {
        return BTreeSet::new();
    }
    let supertypes = eventual_supertypes(superstructure_type, definitions);
    let applies = |above: &str| supertypes.contains(above);
    let of_tag = of_tag.into_iter().filter(|definition| applies(&definition.superstructure));
    of_tag.map(|definition| definition.structure_type.as_str()).collect()
}

/// Returns the type of a tag under a superstructure type, or the undefined tag identifier (J19 §3.3).
pub(super) fn type_of(tag: &str, superstructure_type: &str, definitions: &Definitions) -> String {
    let applicable = applicable_types(tag, superstructure_type, definitions);
    match (applicable.len(), applicable.first()) {
        (1, Some(structure_type)) => (*structure_type).to_owned(),
        _ if tag == "UNDEF" => format!("{ELF}Undefined"),
        _ => format!("{ELF}Undefined#{tag}"),
    }
}

/// Returns the eventual supertypes of a type: itself and those of its supertypes (J19 §3.1.1).
pub(super) fn eventual_supertypes<'a>(of: &'a str, definitions: &'a Definitions) -> BTreeSet<&'a str> {
    let mut found = BTreeSet::from([of]);
    loop {
        let more: Vec<&str> = definitions
            .supertypes
            .iter()
            .filter(|(subtype, supertype)| {
                found.contains(subtype.as_str()) && !found.contains(supertype.as_str())
            })
            .map(|(_, supertype)| supertype.as_str())
            .collect();
        if more.is_empty() {
            return found;
        }
        found.extend(more);
    }
}
