//! Finds relationships by marriage, and step relationships.

use super::Relation;
use crate::bonds::{Bond, ParentBond, parent_bonds};
use crate::graph::{Person, PersonId};
use std::collections::HashSet;

/// Returns the relations of `one` to `other` by marriage, and step relations.
pub(super) fn relations_by_marriage(one: Person<'_>, other: Person<'_>) -> Vec<Relation> {
    let (of_one, of_other) = (Relatives::of(one), Relatives::of(other));
    let has = [
        (Relation::Spouse, of_one.spouses.contains(&other.id())),
        (Relation::ParentInLaw, of_other.has_parent_in_law(one)),
        (Relation::ChildInLaw, of_one.has_parent_in_law(other)),
        (Relation::StepParent, of_other.has_step_parent(one)),
        (Relation::StepChild, of_one.has_step_parent(other)),
        (
            Relation::SiblingInLaw,
            of_one.has_sibling_in_law(&of_other) || of_other.has_sibling_in_law(&of_one),
        ),
    ];
    has.into_iter().filter(|(_, is_so)| *is_so).map(|(relation, _)| relation).collect()
}

struct Relatives<'l> {
    person: Person<'l>,
    spouses: HashSet<PersonId>,
    parents: Vec<ParentBond>,
}

impl<'l> Relatives<'l> {
    fn of(person: Person<'l>) -> Relatives<'l> {
        Relatives { person, spouses: spouses(person), parents: parent_bonds(person) }
    }

    fn person_of(&self, id: PersonId) -> Option<Person<'l>> {
        self.person.lineage().person(id)
    }

    fn parents_of_spouses(&self) -> impl Iterator<Item = (PersonId, ParentBond)> {
        let spouses = self.spouses.iter().filter_map(|&id| self.person_of(id));
        spouses.flat_map(|spouse| legal_parents(parent_bonds(spouse)).map(move |bond| (spouse.id(), bond)))
    }

    fn has_parent_in_law(&self, parent: Person<'_>) -> bool {
        self.parents_of_spouses().any(|(_, bond)| bond.parent == parent.id())
    }

    /// Returns whether a spouse of the person is a sibling of the other.
    fn has_sibling_in_law(&self, other: &Relatives<'_>) -> bool {
        let parents: HashSet<PersonId> =
            legal_parents(other.parents.iter().copied()).map(|bond| bond.parent).collect();
        let is_sibling = |(spouse, bond): (PersonId, ParentBond)| {
            spouse != other.person.id() && parents.contains(&bond.parent)
        };
        !parents.is_empty() && self.parents_of_spouses().any(is_sibling)
    }

    /// Returns whether `other` is a spouse of a parent of the person, but not a parent.
    fn has_step_parent(&self, other: Person<'_>) -> bool {
        if self.parents.iter().any(|bond| bond.parent == other.id()) {
            return false;
        }
        let spouses_of_other = spouses(other);
        let mut parents = legal_parents(self.parents.iter().copied());
        other.id() != self.person.id() && parents.any(|bond| spouses_of_other.contains(&bond.parent))
    }
}

/// Keeps parents by birth, adoption or an unknown tie. Foster care makes no relation by marriage.
fn legal_parents(bonds: impl IntoIterator<Item = ParentBond>) -> impl Iterator<Item = ParentBond> {
    bonds.into_iter().filter(|bond| match bond.bond {
        Bond::Birth | Bond::Uncertain | Bond::Adoption => true,
        Bond::FosterCare => false,
    })
}

fn spouses(person: Person<'_>) -> HashSet<PersonId> {
    let families = person.families_as_partner();
    let partners = families.flat_map(|family| family.partners().map(|(partner, _)| partner.id()));
    partners.filter(|partner| *partner != person.id()).collect()
}
