//! Finds the parents of a person and the kind of each bond: birth, adoption, foster care, or one that is not known.

use crate::graph::{FamilyId, ParentLink, Person, PersonId};
use crate::run::Tie;

/// The bond between a child and a parent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Bond {
    Birth,
    /// The file states that the tie is unknown.
    Uncertain,
    Adoption,
    FosterCare,
}

/// A parent of a person.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ParentBond {
    pub(crate) parent: PersonId,
    /// The family that connects child and parent.
    pub(crate) family: FamilyId,
    pub(crate) bond: Bond,
}

/// How many families of a child, and how many partners of each family, are examined at most. The
/// limit keeps a pass over all people linear.
const MAX_FAMILIES: usize = 8;

/// Returns the parents of a person, each parent once. A bond by birth takes priority over other
/// bonds with the same parent. Step-parents and disproven parents are left out.
///
/// A link whose tie is not stated counts as adoption if it cannot be by birth and nobody else in
/// that family is a parent. Examples are the family of a child with a bare `ADOP`, and a family
/// with two mothers.
pub(crate) fn parent_bonds(child: Person<'_>) -> Vec<ParentBond> {
    let by_birth: Vec<PersonId> = child
        .parent_links()
        .take(MAX_FAMILIES)
        .flat_map(|link| link.parents().take(MAX_FAMILIES).filter(|parent| parent.is_by_birth))
        .map(|parent| parent.person.id())
        .collect();
    let mut bonds: Vec<ParentBond> = Vec::new();
    for link in child.parent_links().take(MAX_FAMILIES) {
        let says_nothing = is_tie_unstated(link, &by_birth);
        for parent in link.parents().take(MAX_FAMILIES) {
            let bond = match parent.tie {
                _ if parent.is_by_birth => Bond::Birth,
                Tie::Birth => Bond::Birth,
                Tie::Uncertain => Bond::Uncertain,
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

/// Returns whether the file does not state how a child is tied to a family, and no partner of that
/// family is a parent by birth, in this family or in another one.
fn is_tie_unstated(link: ParentLink<'_>, by_birth: &[PersonId]) -> bool {
    let mut parents = link.parents().take(MAX_FAMILIES);
    parents.all(|parent| parent.tie == Tie::Unknown && !by_birth.contains(&parent.person.id()))
}
