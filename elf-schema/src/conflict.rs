//! Definitions that apply in a superstructure, and those that contradict one another (J19 §3.1.2, §3.3).

use crate::schema::{Definition, Schema, TypeId};
use hashbrown::{HashMap, HashSet};

/// The amount of work that a schema may cause. Each type met costs what stands above it, so a schema of very
/// many types, each of them far below the first, would cost the square of its length.
#[derive(Clone, Debug)]
pub(crate) struct Budget {
    left: usize,
}

impl Budget {
    /// Far more than any honest schema needs: the completed one takes some thousand steps.
    const STEPS: usize = 1 << 22;

    pub(crate) const fn new() -> Budget {
        Budget { left: Budget::STEPS }
    }

    /// Takes so many steps, if there are as many.
    pub(crate) fn take(&mut self, steps: usize) -> bool {
        match self.left.checked_sub(steps) {
            Some(left) => self.left = left,
            None => self.left = 0,
        }
        self.left > 0
    }

    pub(crate) const fn is_spent(&self) -> bool {
        self.left == 0
    }
}

/// Definitions that give one tag several types in one superstructure. There is no rule by which the more
/// specific one would win (J19 §3.3): such a tag has no type there.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Conflict<'s> {
    /// The IRI of the type of the superstructure. Its subtypes inherit the conflict.
    pub superstructure: &'s str,
    /// The tag.
    pub tag: &'s str,
    /// The IRIs of the types that it would have, sorted.
    pub types: Vec<&'s str>,
    /// All definitions of the tag that apply there, in the order of the schema.
    pub definitions: Vec<Definition<'s>>,
}

/// A conflict by numbers.
pub(crate) struct Numbers {
    pub(crate) superstructure: TypeId,
    pub(crate) tag: u32,
    /// The types, in the order of their numbers.
    pub(crate) types: Vec<TypeId>,
    /// The definitions, in the order of the schema.
    pub(crate) definitions: Vec<u32>,
}

impl Schema {
    /// Returns the tags on which definitions contradict one another, by the IRIs of the superstructures and
    /// then by the tags: each where it comes to be, and not again for subtypes that inherit it as it is.
    ///
    /// ```
    /// assert!(elf_schema::Schema::completed().conflicts().is_empty());
    /// ```
    pub fn conflicts(&self) -> Vec<Conflict<'_>> {
        let found = self.conflicts_within(&mut Budget::new());
        let conflict = |found: Numbers| {
            let mut types: Vec<&str> = found.types.iter().filter_map(|&of| self.iri(of)).collect();
            types.sort_unstable();
            let definitions = found.definitions.iter();
            let definitions = definitions
                .filter_map(|&number| Some(self.handle(self.said().definitions.get(number as usize)?)));
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

    pub(crate) fn conflicts_within(&self, budget: &mut Budget) -> Vec<Numbers> {
        let sources = self.sources_of_rows();
        let mut all = Vec::new();
        // The conflicts about the same types, by the types of superstructures in which they are.
        let mut groups: HashMap<(u32, Vec<TypeId>), HashSet<TypeId>> = HashMap::new();
        for (index, same) in sources.iter().enumerate() {
            let superstructure = TypeId::of(index);
            if *same != superstructure {
                continue;
            }
            let Some(row) = self.row(superstructure, budget) else { break };
            for group in row.chunk_by(|one, other| one.tag == other.tag) {
                let mut types: Vec<TypeId> = group.iter().map(|one| one.structure_type).collect();
                types.sort_by_key(|of| of.index());
                types.dedup();
                let (Some(first), 2..) = (group.first(), types.len()) else { continue };
                groups.entry((first.tag, types.clone())).or_default().insert(superstructure);
                let mut definitions: Vec<u32> = group.iter().map(|one| one.definition).collect();
                definitions.sort_unstable();
                all.push(Numbers { superstructure, tag: first.tag, types, definitions });
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
            // What holds of one type of a circle holds of all; one of them stands for the others.
            let is_first = circle.is_none()
                || !group.iter().any(|&other| is_with(other) && self.iri(other) < self.iri(of));
            is_first
                && !self.said().graph.neighbors(of.node()).map(|above| TypeId::of(above.index())).any(
                    |above| {
                        let source = sources.get(above.index()).copied().unwrap_or(above);
                        source != of && !is_with(above) && !is_with(source) && group.contains(&source)
                    },
                )
        });
        all
    }

    /// All definitions that apply beneath a structure of type `of`, sorted by tag, and by definition within a
    /// tag. `None` where the budget is spent.
    pub(crate) fn row(&self, of: TypeId, budget: &mut Budget) -> Option<Vec<Applicable>> {
        // A walk begins with a clean map of all types, one bit for each, which is cleared many at a time.
        if !budget.take(1 + self.said().types.len() / 2048) {
            return None;
        }
        let mut row = Vec::new();
        for above in self.eventual_supertypes(of) {
            let definitions =
                self.said().by_superstructure.get(above.index()).map(Vec::as_slice).unwrap_or_default();
            let edges = self.said().graph.neighbors(above.node()).count();
            if !budget.take(1 + edges + definitions.len()) {
                return None;
            }
            row.extend(definitions.iter().filter_map(|&number| {
                let definition = self.said().definitions.get(number as usize)?;
                Some(Applicable {
                    tag: definition.tag,
                    definition: number,
                    structure_type: definition.structure_type,
                })
            }));
        }
        row.sort_unstable();
        Some(row)
    }
}

/// A definition that applies somewhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Applicable {
    pub(crate) tag: u32,
    pub(crate) definition: u32,
    pub(crate) structure_type: TypeId,
}
