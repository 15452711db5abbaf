//! Definitions that apply in a superstructure, and those that contradict one another (J19 §3.1.2, §3.3).

use crate::budget::Budget;
use crate::ids::TypeId;
use crate::schema::{Definition, Schema};
use hashbrown::{HashMap, HashSet};

/// Definitions that give a tag several types in one superstructure. No definition has priority (J19 §3.3), so the tag
/// has no type there.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Conflict<'s> {
    /// The IRI of the type of the superstructure. Its subtypes have the same conflict.
    pub superstructure: &'s str,
    /// The tag.
    pub tag: &'s str,
    /// The IRIs of the conflicting types, sorted.
    pub types: Vec<&'s str>,
    /// All definitions of the tag that apply there, in the order of the schema.
    pub definitions: Vec<Definition<'s>>,
}

pub(crate) struct ConflictNumbers {
    pub(crate) superstructure: TypeId,
    pub(crate) tag: u32,
    /// The types, in ascending order.
    pub(crate) types: Vec<TypeId>,
    /// The definitions, in the order of the schema.
    pub(crate) definitions: Vec<u32>,
}

impl Schema {
    /// Returns the tags with conflicting definitions, sorted by the IRI of the superstructure and by tag. Subtypes
    /// that only inherit a conflict are not listed.
    ///
    /// ```
    /// assert!(elf_schema::Schema::completed().conflicts().is_empty());
    /// ```
    pub fn conflicts(&self) -> Vec<Conflict<'_>> {
        let found = self.conflicts_within(&mut Budget::with_steps(Budget::CONFLICTS));
        let conflict = |found: ConflictNumbers| {
            let mut types: Vec<&str> = found.types.iter().filter_map(|&of| self.iri(of)).collect();
            types.sort_unstable();
            let definitions = found.definitions.iter();
            let definitions =
                definitions.map(|&number| self.definition_handle(self.content().definition(number)));
            Some(Conflict {
                superstructure: self.iri(found.superstructure)?,
                tag: self.tag(found.tag),
                types,
                definitions: definitions.collect(),
            })
        };
        let mut conflicts: Vec<_> = found.into_iter().filter_map(conflict).collect();
        conflicts.sort_by_key(|conflict| (conflict.superstructure, conflict.tag));
        conflicts
    }

    pub(crate) fn conflicts_within(&self, budget: &mut Budget) -> Vec<ConflictNumbers> {
        let (content, index) = (self.content(), self.tag_index());
        // Only tags with several types can have conflicts.
        let is_ambiguous = |&number: &u32| index.only_type(content.definition(number).tag).is_none();
        let is_interesting = |of| content.definitions_in(of).iter().any(is_ambiguous);
        if !content.type_ids().any(is_interesting) {
            return Vec::new();
        }
        let sources = content.walk_starts(is_interesting);
        let mut all = Vec::new();
        // Superstructures by tag and conflicting types.
        let mut groups: HashMap<(u32, Vec<TypeId>), HashSet<TypeId>> = HashMap::new();
        for (index, same) in sources.iter().enumerate() {
            let superstructure = TypeId::of(index);
            if *same != superstructure {
                continue;
            }
            let row = self.definitions_under(superstructure, budget);
            if budget.is_spent() {
                break;
            }
            for group in row.chunk_by(|one, other| one.tag == other.tag) {
                let mut definitions: Vec<u32> = group.iter().map(|one| one.definition).collect();
                self.keep_lowest_layer(&mut definitions);
                let types = definitions.iter().map(|&number| content.definition(number).structure_type);
                let mut types: Vec<TypeId> = types.collect();
                types.sort_by_key(|of| of.index());
                types.dedup();
                let (Some(first), 2..) = (group.first(), types.len()) else { continue };
                groups.entry((first.tag, types.clone())).or_default().insert(superstructure);
                definitions.sort_unstable();
                all.push(ConflictNumbers { superstructure, tag: first.tag, types, definitions });
            }
        }
        let circles = self.circles();
        let circles =
            circles.iter().zip(0..).flat_map(|(circle, number)| circle.iter().map(move |&of| (of, number)));
        let circle_of: HashMap<TypeId, u32> = circles.collect();
        all.retain(|one| {
            let Some(group) = groups.get(&(one.tag, one.types.clone())) else { return true };
            let of = one.superstructure;
            let circle = circle_of.get(&of);
            let is_with = |other: TypeId| circle.is_some() && circle_of.get(&other) == circle;
            // All types of a circle behave alike, so one of them represents the others.
            let is_first = circle.is_none()
                || !group.iter().any(|&other| is_with(other) && self.iri(other) < self.iri(of));
            is_first
                && !self.content().direct_supertypes(of).any(|above| {
                    let source = sources[above.index()];
                    source != of && !is_with(above) && !is_with(source) && group.contains(&source)
                })
        });
        all
    }
}
