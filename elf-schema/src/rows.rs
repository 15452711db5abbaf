//! The tags that have a type beneath each type of a schema (J19 §3.3), worked out once for all documents that
//! go by the schema.

use crate::conflict::Budget;
use crate::schema::{Schema, TypeId};
use elf_base::PackedText;
use std::sync::OnceLock;

/// The rows of a schema, each worked out when it is first asked for, by whichever document.
#[derive(Clone, Debug)]
pub(crate) struct TagRows {
    /// For each type of the schema the one whose row is its own.
    sources: Box<[TypeId]>,
    /// The row of each type; `None` where so much stands above the types that not all can be followed. Which
    /// ones can then depends on the order in which a document asks for them.
    rows: Option<Box<[OnceLock<TagRow>]>>,
}

/// The tags that have a type beneath one type.
#[derive(Clone, Debug, Default)]
pub(crate) struct TagRow {
    /// The tags of the schema that are defined there, by their numbers, each with its type, sorted;
    /// [`TypeId::NONE`] for one on which definitions contradict one another.
    by_number: Box<[(u32, TypeId)]>,
    /// The tags that have a type and are short, sorted.
    by_tag: Box<[(PackedText, TypeId)]>,
}

impl TagRows {
    pub(crate) fn of(schema: &Schema) -> TagRows {
        let types = schema.len();
        // The most that the rows of all types can take together.
        let of_one = types + types / 2048 + schema.supertype_count() + schema.said().definitions.len() + 1;
        let can_follow = Budget::new().take(of_one.saturating_mul(types));
        TagRows {
            sources: schema.sources_of_rows().into(),
            rows: can_follow.then(|| vec![OnceLock::new(); types].into()),
        }
    }

    /// Returns whether the rows of all types can be followed.
    pub(crate) const fn are_shared(&self) -> bool {
        self.rows.is_some()
    }

    /// Returns the type whose row is that of `of`; `None` where the schema does not name it.
    #[inline]
    pub(crate) fn source(&self, of: TypeId) -> Option<TypeId> {
        self.sources.get(of.index()).copied()
    }

    /// The types whose rows are their own.
    pub(crate) fn sources(&self) -> impl Iterator<Item = TypeId> {
        let own = |(index, &source): (usize, &TypeId)| Some(source).filter(|_| source.index() == index);
        self.sources.iter().enumerate().filter_map(own)
    }

    /// Returns the row of a type whose row is its own, where rows are shared.
    #[inline]
    pub(crate) fn row(&self, source: TypeId, schema: &Schema) -> Option<&TagRow> {
        let row = self.rows.as_ref()?.get(source.index())?;
        Some(row.get_or_init(|| TagRow::of(schema, source, &mut Budget::new()).unwrap_or_default()))
    }
}

impl TagRow {
    /// Works the row of a type out; `None` where the budget is spent.
    pub(crate) fn of(schema: &Schema, of: TypeId, budget: &mut Budget) -> Option<TagRow> {
        // All that applies; two types for one tag are none (J19 §3.3).
        let all = schema.row(of, budget)?;
        let one_each = all.chunk_by(|one, other| one.tag == other.tag).filter_map(|group| {
            // They come in the order of the definitions.
            let first = group.partition_point(|one| (one.definition as usize) < schema.said().first_layer);
            let group = if first > 0 { group.get(..first)? } else { group };
            let first = group.first()?;
            let agree = group.iter().all(|other| other.structure_type == first.structure_type);
            Some((first.tag, if agree { first.structure_type } else { TypeId::NONE }))
        });
        let by_number: Box<[(u32, TypeId)]> = one_each.collect();
        let defined = by_number.iter().filter(|(_, found)| *found != TypeId::NONE);
        let mut by_tag: Box<[(PackedText, TypeId)]> =
            defined.filter_map(|&(tag, found)| Some((PackedText::of(schema.tag(tag))?, found))).collect();
        by_tag.sort_unstable();
        Some(TagRow { by_number, by_tag })
    }

    /// The tags by their numbers, with their types, sorted; [`TypeId::NONE`] is that of a tag on which
    /// definitions contradict one another.
    pub(crate) const fn by_number(&self) -> &[(u32, TypeId)] {
        &self.by_number
    }

    /// Returns the type of a packed tag, where it has one.
    #[inline]
    pub(crate) fn of_packed(&self, tag: PackedText) -> Option<TypeId> {
        let at = self.by_tag.binary_search_by_key(&tag, |(tag, _)| *tag).ok()?;
        self.by_tag.get(at).map(|(_, found)| *found)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_tell_the_same_of_a_tag_by_number_and_packed() {
        let schema = Schema::completed();
        let rows = schema.rows();
        assert!(rows.are_shared());
        for of in rows.sources() {
            let row = rows.row(of, schema).unwrap();
            for &(number, found) in row.by_number() {
                assert_eq!(row.of_packed(PackedText::of(schema.tag(number)).unwrap()), Some(found));
            }
            assert_eq!(row.of_packed(PackedText::of("@").unwrap()), None);
        }
    }
}
