//! Which definitions apply in a superstructure, and where they contradict one another (J19 §3.1.2, §3.3).

use crate::schema::{Definition, Schema, TypeId};
use std::collections::HashSet;

/// How much work a schema may cause. Each type met costs what stands above it, so a schema of very many types, each of
/// them far below the first, would cost the square of its length.
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

/// Two definitions that give one tag two types in one superstructure. There is no rule by which the more specific one
/// would win (J19 §3.3): such a tag has no type there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Conflict<'s> {
    /// The IRI of a type they both apply in; the first one found.
    pub superstructure: &'s str,
    /// The definitions, in the order of the schema.
    pub definitions: [Definition<'s>; 2],
}

/// The same by numbers.
pub(crate) struct Numbers {
    pub(crate) superstructure: TypeId,
    pub(crate) numbers: [u32; 2],
}

impl Schema {
    /// The definitions that contradict one another, each pair once.
    ///
    /// ```
    /// assert!(elf_schema::Schema::completed().conflicts().is_empty());
    /// ```
    pub fn conflicts(&self) -> Vec<Conflict<'_>> {
        let mut budget = Budget::new();
        let found = self.conflicts_within(&mut budget);
        found
            .into_iter()
            .filter_map(|Numbers { superstructure, numbers }| {
                let [one, other] = numbers.map(|number| self.definitions.get(number as usize));
                Some(Conflict {
                    superstructure: self.iri(superstructure)?,
                    definitions: [self.handle(one?), self.handle(other?)],
                })
            })
            .collect()
    }

    pub(crate) fn conflicts_within(&self, budget: &mut Budget) -> Vec<Numbers> {
        let mut seen = HashSet::new();
        let mut conflicts = Vec::new();
        for (index, same) in self.sources_of_rows().into_iter().enumerate() {
            let superstructure = TypeId::of(index);
            if same != superstructure {
                continue;
            }
            let Some(row) = self.row(superstructure, budget) else { break };
            for group in row.chunk_by(|one, other| one.tag == other.tag) {
                let Some((first, rest)) = group.split_first() else { continue };
                for other in rest.iter().filter(|other| other.structure_type != first.structure_type) {
                    let mut numbers = [first.definition, other.definition];
                    numbers.sort_unstable();
                    if seen.insert(numbers) {
                        conflicts.push(Numbers { superstructure, numbers });
                    }
                }
            }
        }
        conflicts
    }

    /// All definitions that apply beneath a structure of type `of`, sorted by tag, and by definition within a tag.
    /// `None` where the budget is spent.
    pub(crate) fn row(&self, of: TypeId, budget: &mut Budget) -> Option<Vec<Applicable>> {
        // A walk begins with a clean map of all types, one bit for each, which is cleared many at a time.
        if !budget.take(1 + self.types.len() / 2048) {
            return None;
        }
        let mut row = Vec::new();
        for above in self.eventual_supertypes(of) {
            let definitions =
                self.by_superstructure.get(above.index()).map(Vec::as_slice).unwrap_or_default();
            let edges = self.graph.neighbors(above.node()).count();
            if !budget.take(1 + edges + definitions.len()) {
                return None;
            }
            row.extend(definitions.iter().filter_map(|&number| {
                let definition = self.definitions.get(number as usize)?;
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
