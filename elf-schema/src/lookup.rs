//! Looks up the meaning of tags under a type (J19 §3.3).
//!
//! A definition applies in the type that it names and in all subtypes of that type. All definitions of a tag that apply
//! must agree on the type: a more specific one has no precedence.

use crate::budget::Budget;
use crate::ids::TypeId;
use crate::schema::Schema;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Meaning {
    /// All definitions that apply agree on this type.
    Type(TypeId),
    /// The definitions that apply name several types, so none of them is used.
    Conflict,
    /// No definition applies.
    Undefined,
}

/// A definition that applies under a type. Sorted by tag, then by definition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Applicable {
    pub(crate) tag: u32,
    pub(crate) definition: u32,
    pub(crate) structure_type: TypeId,
}

impl Schema {
    /// Looks up a tag under a type. The time is proportional to the number of supertypes. If a definition in the type
    /// itself decides, the budget is not used. If the budget ends during the walk, only the definitions found so far
    /// count.
    pub(crate) fn find_meaning(&self, superstructure: TypeId, tag: u32, budget: &mut Budget) -> Meaning {
        let index = self.tag_index();
        let mut direct = index.in_context(superstructure, tag).peekable();
        // If all definitions of the tag name the same type, there can be no conflict.
        if let Some(only) = index.only_type(tag) {
            let is_defined = |above: TypeId| index.in_context(above, tag).next().is_some();
            let applies = direct.peek().is_some() || self.walk_up(superstructure, budget).any(is_defined);
            return if applies { Meaning::Type(only) } else { Meaning::Undefined };
        }
        let above = self.walk_up(superstructure, budget).flat_map(|above| index.in_context(above, tag));
        self.agreed_type(direct.chain(above).collect())
    }

    /// Returns the definitions of a tag that apply under a type, in the order of the schema. Only those of the lowest
    /// layer apply.
    pub(crate) fn definitions_of_tag(&self, superstructure: TypeId, tag: u32) -> Vec<u32> {
        let index = self.tag_index();
        let above = self.content().eventual_supertypes(superstructure);
        let mut numbers: Vec<u32> = above.flat_map(|above| index.in_context(above, tag)).collect();
        numbers.sort_unstable();
        self.keep_lowest_layer(&mut numbers);
        numbers
    }

    /// Returns all tags that are defined under a type, with their meanings, by tag number.
    pub(crate) fn meanings_in(&self, superstructure: TypeId) -> Vec<(u32, Meaning)> {
        let all = self.definitions_under(superstructure, &mut Budget::unlimited());
        let meaning = |group: &[Applicable]| {
            (group[0].tag, self.agreed_type(group.iter().map(|one| one.definition).collect()))
        };
        // A chunk has at least one element.
        all.chunk_by(|one, other| one.tag == other.tag).map(meaning).collect()
    }

    /// Returns the tags that have a type under a type, with their types, by tag number.
    pub(crate) fn typed_tags_under(&self, superstructure: TypeId) -> impl Iterator<Item = (u32, TypeId)> {
        self.meanings_in(superstructure).into_iter().filter_map(|(tag, meaning)| match meaning {
            Meaning::Type(of) => Some((tag, of)),
            Meaning::Conflict | Meaning::Undefined => None,
        })
    }

    /// Returns all definitions that apply under a type, sorted. The list is incomplete if the budget ends.
    pub(crate) fn definitions_under(&self, superstructure: TypeId, budget: &mut Budget) -> Vec<Applicable> {
        let content = self.content();
        let mut all = Vec::new();
        for above in self.walk_up(superstructure, budget) {
            all.extend(content.definitions_in(above).iter().map(|&number| {
                let one = content.definition(number);
                Applicable { tag: one.tag, definition: number, structure_type: one.structure_type }
            }));
        }
        all.sort_unstable();
        all
    }

    /// Removes the definitions that are not in the lowest layer.
    pub(crate) fn keep_lowest_layer(&self, numbers: &mut Vec<u32>) {
        let layer = |number: &u32| self.content().definition(*number).layer;
        if let Some(lowest) = numbers.iter().map(layer).min() {
            numbers.retain(|number| layer(number) == lowest);
        }
    }

    /// Returns the type that these definitions agree on. Only those of the lowest layer count.
    pub(crate) fn agreed_type(&self, mut numbers: Vec<u32>) -> Meaning {
        self.keep_lowest_layer(&mut numbers);
        let mut types = numbers.iter().map(|&number| self.content().definition(number).structure_type);
        match types.next() {
            Some(first) if types.all(|other| other == first) => Meaning::Type(first),
            Some(_) => Meaning::Conflict,
            None => Meaning::Undefined,
        }
    }

    /// Returns the supertypes of a type, nearest first, as far as the budget goes. Skips types at the start that have
    /// no definitions.
    pub(crate) fn walk_up<'s>(
        &'s self,
        of: TypeId,
        budget: &'s mut Budget,
    ) -> impl Iterator<Item = TypeId> + 's {
        let content = self.content();
        // A walk clears a bit for each type first, which takes time, too.
        let can_begin = budget.spend(1 + content.types.len() / 2048);
        let start = self.walk_starts().get(of.index()).filter(|_| can_begin);
        let above = start.into_iter().flat_map(|&start| content.eventual_supertypes(start));
        above.map_while(move |above| {
            let steps = 1 + content.direct_supertypes(above).count();
            budget.spend(steps).then_some(above)
        })
    }
}
