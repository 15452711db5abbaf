//! The datatypes of payloads, by the types of their structures.

use crate::datatypes::DATATYPES;
use crate::definitions::Definitions;
use elf_values::Datatype;

/// Returns the datatypes of all types of a schema, by number. The datatype is text unless the type or its nearest
/// supertypes have another one.
pub(crate) fn of_types(definitions: &Definitions) -> Box<[Datatype]> {
    let mut own = vec![None; definitions.types.len()];
    for &(iri, datatype) in DATATYPES {
        if let Some(of) = definitions.types.get_index_of(iri) {
            own[of] = Some(datatype);
        }
    }
    let found = definitions.spread_to_subtypes(own);
    found.into_iter().map(|datatype| datatype.unwrap_or(Datatype::Text)).collect()
}

/// Returns the datatype of a type of a built-in schema; `None` for other types, and for types whose payloads are
/// text.
pub fn built_in(iri: &str) -> Option<Datatype> {
    let at = DATATYPES.binary_search_by_key(&iri, |(of, _)| of).ok()?;
    Some(DATATYPES[at].1)
}
