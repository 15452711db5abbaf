//! The meaning of tags under a type, by the definitions of a schema (J19 §3.3).
//!
//! A definition applies in the type that it names and in all eventual subtypes of that. All definitions of a
//! tag that apply must name the same type: there is no rule by which a more specific one would win.

use crate::budget::Budget;
use crate::ids::TypeId;
use crate::schema::Schema;

/// The meaning that definitions give a tag under a type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Meaning {
    /// All definitions that apply name this type.
    Type(TypeId),
    /// The definitions that apply name several types, so that none of them counts.
    Conflict,
    /// No definition applies.
    Undefined,
}

/// A definition that applies under a type. The order is by tag, and by definition within a tag.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Applicable {
    pub(crate) tag: u32,
    pub(crate) definition: u32,
    pub(crate) structure_type: TypeId,
}

impl Schema {
    /// Looks up one tag under a type.
    ///
    /// Takes time in proportion to the supertypes of the type, and none of the budget if a definition in the
    /// type itself settles it. If the budget ends before the walk does, only definitions that were reached
    /// count.
    pub(crate) fn meaning(&self, superstructure: TypeId, tag: u32, budget: &mut Budget) -> Meaning {
        let index = self.tag_index();
        let direct = index.in_context(superstructure, tag);
        // If all definitions of the tag name one type, they cannot contradict one another.
        if let Some(only) = index.only_type(tag) {
            let is_defined = |above: TypeId| !index.in_context(above, tag).is_empty();
            let applies = !direct.is_empty() || self.walk_up(superstructure, budget).any(is_defined);
            return if applies { Meaning::Type(only) } else { Meaning::Undefined };
        }
        let above = self.walk_up(superstructure, budget).flat_map(|above| index.in_context(above, tag));
        let mut applicable: Vec<u32> = direct.iter().chain(above).copied().collect();
        applicable.sort_unstable();
        self.agreed_type(&applicable)
    }

    /// The definitions of one tag that apply under a type, in the order of the schema.
    pub(crate) fn applicable_to(&self, superstructure: TypeId, tag: u32) -> Vec<u32> {
        let index = self.tag_index();
        let above = self.content().eventual_supertypes(superstructure);
        let mut numbers: Vec<u32> = above.flat_map(|above| index.in_context(above, tag)).copied().collect();
        numbers.sort_unstable();
        numbers
    }

    /// All tags that are defined under a type, in the order of their numbers, with their meanings.
    pub(crate) fn meanings_in(&self, superstructure: TypeId) -> Vec<(u32, Meaning)> {
        let all = self.applicable_in(superstructure, &mut Budget::unlimited());
        let meaning = |group: &[Applicable]| {
            let numbers: Vec<u32> = group.iter().map(|one| one.definition).collect();
            (group[0].tag, self.agreed_type(&numbers))
        };
        // A chunk has at least one element.
        all.chunk_by(|one, other| one.tag == other.tag).map(meaning).collect()
    }

    /// The tags that have a type under a type, in the order of their numbers, with their types.
    pub(crate) fn defined_in(&self, superstructure: TypeId) -> impl Iterator<Item = (u32, TypeId)> {
        self.meanings_in(superstructure).into_iter().filter_map(|(tag, meaning)| match meaning {
            Meaning::Type(of) => Some((tag, of)),
            Meaning::Conflict | Meaning::Undefined => None,
        })
    }

    /// All definitions that apply under a type, sorted; not all of them if that spends the budget.
    pub(crate) fn applicable_in(&self, superstructure: TypeId, budget: &mut Budget) -> Vec<Applicable> {
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

    /// The type that the definitions of those numbers agree on, as far as they are of the lowest layer.
    fn agreed_type(&self, numbers: &[u32]) -> Meaning {
        let content = self.content();
        let definitions = || numbers.iter().map(|&number| content.definition(number));
        let lowest = definitions().map(|one| one.layer).min();
        let mut types = definitions().filter(|one| Some(one.layer) == lowest).map(|one| one.structure_type);
        match types.next() {
            Some(first) if types.all(|other| other == first) => Meaning::Type(first),
            Some(_) => Meaning::Conflict,
            None => Meaning::Undefined,
        }
    }

    /// Walks up from a type to its eventual supertypes, nearer ones first, as far as the budget goes. Leaves
    /// out types at the beginning in which nothing is defined.
    pub(crate) fn walk_up<'s>(
        &'s self,
        of: TypeId,
        budget: &'s mut Budget,
    ) -> impl Iterator<Item = TypeId> + 's {
        let content = self.content();
        // A walk begins with a clean bit for each type.
        let can_begin = budget.take(1 + content.types.len() / 2048);
        let start = self.walk_starts().get(of.index()).filter(|_| can_begin);
        let above = start.into_iter().flat_map(|&start| content.eventual_supertypes(start));
        above.map_while(move |above| {
            let steps = 1 + content.direct_supertypes(above).count();
            budget.take(steps).then_some(above)
        })
    }
}
