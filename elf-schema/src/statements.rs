//! The statements of a schema, for comparison with another schema that numbers types and tags differently.

use crate::definitions::EscapeDefinition;
use crate::definitions::{SupertypeDefinition, TagDefinition};
use crate::ids::TypeId;
use crate::schema::Schema;
use elf_tagged::escape::EscapeTypes;
use hashbrown::HashMap;

/// The statements of a schema. Methods take the numbers of the other schema.
pub(crate) struct Statements<'s> {
    schema: &'s Schema,
    other: &'s Schema,
    /// The type here for each type of the other schema.
    types: Vec<Option<TypeId>>,
    /// The tag number here for each tag of the other schema.
    tags: Vec<Option<u32>>,
    /// The tag definitions, packed into numbers and sorted.
    definitions: Vec<u128>,
    /// The supertypes, packed into numbers and sorted.
    supertypes: Vec<u128>,
    escapes: HashMap<&'s str, EscapeTypes>,
}

impl<'s> Statements<'s> {
    /// Prepares the statements of `schema` for comparison with `other`.
    pub(crate) fn of(schema: &'s Schema, other: &'s Schema) -> Statements<'s> {
        let said = schema.content();
        let definitions = said.definitions.iter();
        let supertypes = said.supertypes.iter();
        Statements {
            schema,
            other,
            types: other.types().map(|(_, iri)| schema.type_of(iri)).collect(),
            tags: other.content().tags.iter().map(|tag| schema.tag_number(tag)).collect(),
            definitions: sorted(
                definitions.map(|one| pack([one.tag, one.superstructure.0, one.structure_type.0])),
            ),
            supertypes: sorted(supertypes.map(|one| pack([0, one.subtype.0, one.supertype.0]))),
            escapes: said.escapes.iter().map(|one| (&*one.tag, one.types)).collect(),
        }
    }

    /// Returns whether the schema makes all statements of the other one.
    pub(crate) fn have_all(&self) -> bool {
        let said = self.other.content();
        said.definitions.iter().all(|one| self.have_definition(one))
            && said.supertypes.iter().all(|one| self.have_supertype(one))
            && said.escapes.iter().all(|one| self.have_escape(one))
    }

    pub(crate) fn have_definition(&self, asked: &TagDefinition) -> bool {
        let tag = self.tags.get(asked.tag as usize).copied().flatten();
        let types = [asked.superstructure, asked.structure_type].map(|of| self.type_here(of));
        match (tag, types) {
            (Some(tag), [Some(superstructure), Some(of)]) => {
                self.definitions.binary_search(&pack([tag, superstructure.0, of.0])).is_ok()
            }
            _ => false,
        }
    }

    pub(crate) fn have_supertype(&self, asked: &SupertypeDefinition) -> bool {
        match [asked.subtype, asked.supertype].map(|of| self.type_here(of)) {
            [Some(below), Some(above)] => self.supertypes.binary_search(&pack([0, below.0, above.0])).is_ok(),
            _ => false,
        }
    }

    pub(crate) fn have_escape(&self, asked: &EscapeDefinition) -> bool {
        self.escapes.get(&*asked.tag) == Some(&asked.types)
    }

    pub(crate) fn declares(&self, asked: TypeId) -> bool {
        self.type_here(asked).is_some_and(|of| self.schema.declared(of).is_some())
    }

    fn type_here(&self, asked: TypeId) -> Option<TypeId> {
        self.types.get(asked.index()).copied().flatten()
    }
}

fn sorted(numbers: impl Iterator<Item = u128>) -> Vec<u128> {
    let mut numbers: Vec<u128> = numbers.collect();
    numbers.sort_unstable();
    numbers
}

fn pack(numbers: [u32; 3]) -> u128 {
    numbers.into_iter().fold(0, |all, one| all << u32::BITS | u128::from(one))
}
