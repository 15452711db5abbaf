//! Indexes the definitions of a schema.

use crate::definitions::Definitions;
use crate::ids::TypeId;
use hashbrown::HashMap;

/// The numbers of definitions by tag, by type, and by tag and superstructure.
#[derive(Clone, Debug)]
pub(crate) struct TagIndex {
    by_tag: Vec<Vec<u32>>,
    by_type: Vec<Vec<u32>>,
    by_context: HashMap<(TypeId, u32), Vec<u32>>,
    /// The type in all definitions of each tag; `None` if they differ.
    only_types: Vec<Option<TypeId>>,
}

impl TagIndex {
    pub(crate) fn of(definitions: &Definitions) -> TagIndex {
        let mut index = TagIndex {
            by_tag: vec![Vec::new(); definitions.tags.len()],
            by_type: vec![Vec::new(); definitions.types.len()],
            by_context: HashMap::with_capacity(definitions.definitions.len()),
            only_types: Vec::new(),
        };
        // Tags and types of definitions are interned in the same schema, so their numbers are in range.
        for (number, one) in (0..).zip(&definitions.definitions) {
            index.by_tag[one.tag as usize].push(number);
            index.by_type[one.structure_type.index()].push(number);
            index.by_context.entry((one.superstructure, one.tag)).or_default().push(number);
        }
        let type_of = |number: &u32| definitions.definitions[*number as usize].structure_type;
        let only_type = |numbers: &Vec<u32>| {
            let first = type_of(numbers.first()?);
            numbers.iter().all(|number| type_of(number) == first).then_some(first)
        };
        index.only_types = index.by_tag.iter().map(only_type).collect();
        index
    }

    pub(crate) fn of_tag(&self, tag: u32) -> &[u32] {
        &self.by_tag[tag as usize]
    }

    pub(crate) fn of_type(&self, of: TypeId) -> &[u32] {
        &self.by_type[of.index()]
    }

    /// Returns the definitions of a tag whose superstructure is exactly this type.
    pub(crate) fn in_context(&self, superstructure: TypeId, tag: u32) -> &[u32] {
        self.by_context.get(&(superstructure, tag)).map_or(&[], Vec::as_slice)
    }

    /// Returns the type in all definitions of a tag; `None` if they differ.
    pub(crate) fn only_type(&self, tag: u32) -> Option<TypeId> {
        self.only_types[tag as usize]
    }
}
