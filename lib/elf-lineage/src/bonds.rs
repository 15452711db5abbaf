//! The parents of a person with the kind of each bond: by birth, adoption or foster care.

use crate::graph::{FamilyId, ParentLink, Person, PersonId};
use crate::run::Tie;

/// The bond between a child and a parent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Bond {
    Birth,
    Adoption,
    FosterCare,
}

/// A parent of a person.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ParentBond {
    pub(crate) parent: PersonId,
    /// The family that makes the parent one.
    pub(crate) family: FamilyId,
    pub(crate) bond: Bond,
}

/// The most families of a child, and the most partners of each, that are looked at, so that asking this of all persons
/// takes linear time.
const MOST: usize = 8;

/// Returns the parents of a person, each once: a bond by birth comes before others with the same parent. Step-parents
/// and disproven parents are left out.
///
/// A link of which the file says nothing counts as adoption if it cannot be one by birth and nobody else in that family
/// is a parent: such is the family of a child with a bare `ADOP`, or that of two mothers.
pub(crate) fn parent_bonds(child: Person<'_>) -> Vec<ParentBond> {
    let by_birth: Vec<PersonId> = child
        .parent_links()
        .take(MOST)
        .flat_map(|link| link.parents().take(MOST).filter(|parent| parent.is_by_birth))
        .map(|parent| parent.person.id())
        .collect();
    let mut bonds: Vec<ParentBond> = Vec::new();
    for link in child.parent_links().take(MOST) {
        let says_nothing = says_nothing(link, &by_birth);
        for parent in link.parents().take(MOST) {
            let bond = match parent.tie {
                _ if parent.is_by_birth => Bond::Birth,
                Tie::Birth => Bond::Birth,
                Tie::Adopted => Bond::Adoption,
                Tie::Foster => Bond::FosterCare,
                Tie::Unknown if says_nothing => Bond::Adoption,
                Tie::Unknown | Tie::Other | Tie::Disproven => continue,
            };
            let found = ParentBond { parent: parent.person.id(), family: link.family(), bond };
            match bonds.iter_mut().find(|known| known.parent == found.parent) {
                Some(known) if found.bond < known.bond => *known = found,
                Some(_) => {}
                None => bonds.push(found),
            }
        }
    }
    bonds
}

/// Returns whether the file says nothing about the ties of a child to a family, and no partner of it is a parent by
/// birth, here or in another family.
fn says_nothing(link: ParentLink<'_>, by_birth: &[PersonId]) -> bool {
    let mut parents = link.parents().take(MOST);
    parents.all(|parent| parent.tie == Tie::Unknown && !by_birth.contains(&parent.person.id()))
}
