//! The datatypes of the payloads of structures, by their types.

use crate::datatypes::DATATYPES;
use crate::definitions::Definitions;
use elf_values::Datatype;

/// The datatypes of all types of a schema, by their numbers: text, unless a type or its nearest supertypes
/// are known to have another.
pub(crate) fn of_types(definitions: &Definitions) -> Box<[Datatype]> {
    let found = definitions.by_nearest_supertype(built_in);
    found.into_iter().map(|datatype| datatype.unwrap_or(Datatype::Text)).collect()
}

/// Returns the datatype of a type of a built-in schema; `None` for other types, and for types whose payloads are
/// text.
pub fn built_in(iri: &str) -> Option<Datatype> {
    let at = DATATYPES.binary_search_by_key(&iri, |(of, _)| of).ok()?;
    Some(DATATYPES[at].1)
}
