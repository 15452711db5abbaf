//! Branches: the persons around some of them.

use crate::plan::PlanError;
use elf_lineage::{Lineage, Person, TiesFollowed};

/// A branch of a family tree: some persons, and those who are related to them in ways that are asked for.
///
/// ```
/// use elf_extract::{Branch, Generations};
/// let branch = Branch::of(["I1"]).with_ancestors(Generations::All).with_spouses(true);
/// assert_eq!(branch.from, ["I1"]);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Branch {
    /// The identifiers of the records that the branch starts from, without at signs.
    pub from: Vec<String>,
    /// The generations of ancestors that belong to it.
    pub ancestors: Generations,
    /// The generations of descendants that belong to it.
    pub descendants: Generations,
    /// True if the partners of all these belong to it.
    pub spouses: bool,
    /// The fate of a family of whose persons one alone is left. One that had no more before stays.
    pub lone_families: LoneFamilies,
}

/// A number of generations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Generations {
    /// The nearest ones, so many; none where it is 0.
    UpTo(u32),
    /// All there are.
    All,
}

/// The rule about families of whose persons one alone is left.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LoneFamilies {
    /// Such families are removed.
    #[default]
    Remove,
    /// Such families stay.
    Keep,
}

impl Default for Generations {
    fn default() -> Generations {
        Generations::UpTo(0)
    }
}

impl Generations {
    /// The greatest number of a generation that is among them.
    const fn last(self) -> u32 {
        match self {
            Generations::UpTo(last) => last,
            Generations::All => u32::MAX,
        }
    }
}

impl Branch {
    /// The branch of these persons alone, by their identifiers without at signs.
    pub fn of(from: impl IntoIterator<Item = impl Into<String>>) -> Branch {
        Branch { from: from.into_iter().map(Into::into).collect(), ..Branch::default() }
    }

    /// Sets how many generations of ancestors belong to it.
    #[must_use]
    pub const fn with_ancestors(mut self, generations: Generations) -> Branch {
        self.ancestors = generations;
        self
    }

    /// Sets how many generations of descendants belong to it.
    #[must_use]
    pub const fn with_descendants(mut self, generations: Generations) -> Branch {
        self.descendants = generations;
        self
    }

    /// Sets whether the partners of all belong to it.
    #[must_use]
    pub const fn with_spouses(mut self, spouses: bool) -> Branch {
        self.spouses = spouses;
        self
    }

    /// Sets what becomes of families of whose persons one alone is left.
    #[must_use]
    pub const fn with_lone_families(mut self, rule: LoneFamilies) -> Branch {
        self.lone_families = rule;
        self
    }

    /// Tells of each person of the graph whether the branch holds it.
    pub(crate) fn members(&self, lineage: &Lineage) -> Result<Vec<bool>, PlanError> {
        let mut members = vec![false; lineage.person_count()];
        let mut enter = |person: Person<'_>| {
            if let Some(member) = members.get_mut(person.id().index()) {
                *member = true;
            }
        };
        for identifier in &self.from {
            let person = find(lineage, identifier)?;
            enter(person);
            let up = person.ancestors(TiesFollowed::All);
            up.take_while(|(_, generation)| *generation <= self.ancestors.last())
                .for_each(|(person, _)| enter(person));
            let down = person.descendants(TiesFollowed::All);
            down.take_while(|(_, generation)| *generation <= self.descendants.last())
                .for_each(|(person, _)| enter(person));
        }
        if self.spouses {
            let of_branch: Vec<Person<'_>> = lineage
                .persons()
                .filter(|person| members.get(person.id().index()).copied().unwrap_or_default())
                .collect();
            // A family may have any number of partners, each of whom would look at all.
            let mut families = vec![false; lineage.family_count()];
            let of_families = of_branch.into_iter().flat_map(Person::families_as_partner);
            for family in of_families {
                let Some(met) = families.get_mut(family.id().index()) else { continue };
                if !std::mem::replace(met, true) {
                    for (partner, _) in family.partners() {
                        if let Some(member) = members.get_mut(partner.id().index()) {
                            *member = true;
                        }
                    }
                }
            }
        }
        Ok(members)
    }
}

/// The person whose record bears an identifier.
pub(crate) fn find<'l>(lineage: &'l Lineage, identifier: &str) -> Result<Person<'l>, PlanError> {
    lineage.find(identifier).ok_or_else(|| PlanError::NoPerson(identifier.to_owned()))
}
