//! Branches: people and their relatives.

use crate::error::PlanError;
use elf_lineage::{Lineage, Person, TiesFollowed};

/// A branch of a family tree: some people, with their ancestors, descendants or spouses.
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
    /// The generations of ancestors in the branch.
    pub ancestors: Generations,
    /// The generations of descendants in the branch.
    pub descendants: Generations,
    /// Include the partners of all these people.
    pub spouses: bool,
    /// What happens to families that are left with one person. Families that had only one person
    /// before are kept.
    pub lone_families: LoneFamilies,
}

/// A number of generations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Generations {
    /// The nearest N generations.
    UpTo(u32),
    /// All generations.
    All,
}

/// What happens to families that are left with one person.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LoneFamilies {
    /// They are removed.
    #[default]
    Remove,
    /// They are kept.
    Keep,
}

impl Default for Generations {
    fn default() -> Generations {
        Generations::UpTo(0)
    }
}

impl Generations {
    /// Returns the highest generation that is included.
    const fn limit(self) -> u32 {
        match self {
            Generations::UpTo(last) => last,
            Generations::All => u32::MAX,
        }
    }
}

impl Branch {
    /// Creates a branch that starts from these people, given by their identifiers without at signs.
    pub fn of(from: impl IntoIterator<Item = impl Into<String>>) -> Branch {
        Branch { from: from.into_iter().map(Into::into).collect(), ..Branch::default() }
    }

    /// Sets how many generations of ancestors are in the branch.
    #[must_use]
    pub const fn with_ancestors(mut self, generations: Generations) -> Branch {
        self.ancestors = generations;
        self
    }

    /// Sets how many generations of descendants are in the branch.
    #[must_use]
    pub const fn with_descendants(mut self, generations: Generations) -> Branch {
        self.descendants = generations;
        self
    }

    /// Sets whether the partners of all people are in the branch.
    #[must_use]
    pub const fn with_spouses(mut self, spouses: bool) -> Branch {
        self.spouses = spouses;
        self
    }

    /// Sets what happens to families that are left with one person.
    #[must_use]
    pub const fn with_lone_families(mut self, rule: LoneFamilies) -> Branch {
        self.lone_families = rule;
        self
    }

    /// Returns for each person of the graph whether the branch contains the person.
    pub(crate) fn members(&self, lineage: &Lineage) -> Result<Vec<bool>, PlanError> {
        let mut is_member = vec![false; lineage.person_count()];
        for identifier in &self.from {
            let person = find_person(lineage, identifier)?;
            is_member[person.id().index()] = true;
            let ancestors = person.ancestors(TiesFollowed::All);
            for (person, _) in ancestors.take_while(|(_, generation)| *generation <= self.ancestors.limit()) {
                is_member[person.id().index()] = true;
            }
            let descendants = person.descendants(TiesFollowed::All);
            for (person, _) in
                descendants.take_while(|(_, generation)| *generation <= self.descendants.limit())
            {
                is_member[person.id().index()] = true;
            }
        }
        if self.spouses {
            Self::add_spouses(lineage, &mut is_member);
        }
        Ok(is_member)
    }

    fn add_spouses(lineage: &Lineage, is_member: &mut [bool]) {
        // A family may have many partners. Examine each family only once.
        let mut is_family_of_member = vec![false; lineage.family_count()];
        for person in lineage.persons().filter(|person| is_member[person.id().index()]) {
            for family in person.families_as_partner() {
                is_family_of_member[family.id().index()] = true;
            }
        }
        for family in lineage.families().filter(|family| is_family_of_member[family.id().index()]) {
            for (partner, _) in family.partners() {
                is_member[partner.id().index()] = true;
            }
        }
    }
}

/// Finds the person with an identifier.
pub(crate) fn find_person<'l>(lineage: &'l Lineage, identifier: &str) -> Result<Person<'l>, PlanError> {
    lineage.find_person(identifier).ok_or_else(|| PlanError::NoPerson(identifier.to_owned()))
}
