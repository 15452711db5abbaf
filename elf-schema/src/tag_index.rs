//! Indexes the definitions of a schema.

use crate::definitions::{Definitions, TagDefinition};
use crate::ids::TypeId;
use std::cmp::Ordering;

/// The numbers of definitions by tag and superstructure, and by type.
#[derive(Clone, Debug)]
pub(crate) struct TagIndex {
    by_place: Vec<Placed>,
    /// The type and the number of each definition, sorted.
    by_type: Vec<(TypeId, u32)>,
    /// The type in all definitions of each tag; `None` if they differ.
    only_types: Vec<Option<TypeId>>,
}

/// The place that a definition gives a tag. Sorted by tag, then by superstructure, then by definition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Placed {
    tag: u32,
    superstructure: TypeId,
    definition: u32,
}

impl TagIndex {
    pub(crate) fn of(definitions: &Definitions) -> TagIndex {
        let all = || (0..).zip(&definitions.definitions);
        let placed = |(definition, one): (u32, &TagDefinition)| Placed {
            tag: one.tag,
            superstructure: one.superstructure,
            definition,
        };
        let mut by_place: Vec<Placed> = all().map(placed).collect();
        by_place.sort_unstable();
        let mut by_type: Vec<(TypeId, u32)> =
            all().map(|(number, one)| (one.structure_type, number)).collect();
        by_type.sort_unstable();
        let mut only_types = vec![None; definitions.tags.len()];
        for of_tag in by_place.chunk_by(|one, other| one.tag == other.tag) {
            let mut types = of_tag.iter().map(|one| definitions.definition(one.definition).structure_type);
            let first = types.next().filter(|first| types.all(|other| other == *first));
            // Tags of definitions are interned in the same schema, so their numbers are in range.
            only_types[of_tag[0].tag as usize] = first;
        }
        TagIndex { by_place, by_type, only_types }
    }

    /// Returns the definitions of a tag, by superstructure.
    pub(crate) fn of_tag(&self, tag: u32) -> impl Iterator<Item = u32> {
        find_equal(&self.by_place, |one| one.tag.cmp(&tag)).iter().map(|one| one.definition)
    }

    /// Returns the definitions of a type, in order.
    pub(crate) fn of_type(&self, of: TypeId) -> impl Iterator<Item = u32> {
        find_equal(&self.by_type, |(other, _)| other.cmp(&of)).iter().map(|(_, number)| *number)
    }

    /// Returns the definitions of a tag whose superstructure is exactly this type, in order.
    pub(crate) fn in_context(&self, superstructure: TypeId, tag: u32) -> impl Iterator<Item = u32> {
        let place = |one: &Placed| one.tag.cmp(&tag).then(one.superstructure.cmp(&superstructure));
        find_equal(&self.by_place, place).iter().map(|one| one.definition)
    }

    /// Returns the type in all definitions of a tag; `None` if they differ.
    pub(crate) fn only_type(&self, tag: u32) -> Option<TypeId> {
        self.only_types[tag as usize]
    }
}

/// Returns the part of a sorted list for which `compare` returns [`Ordering::Equal`].
fn find_equal<T>(sorted: &[T], compare: impl Fn(&T) -> Ordering) -> &[T] {
    let from = &sorted[sorted.partition_point(|one| compare(one).is_lt())..];
    &from[..from.partition_point(|one| compare(one).is_eq())]
}
