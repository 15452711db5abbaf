//! Finds the people between two relatives.

use super::{Generations, Relation, Relationship, RelationshipKind};
use crate::bonds::{Bond, ParentBond, parent_bonds};
use crate::graph::{FamilyId, Person, PersonId};
use std::collections::{HashMap, HashSet};

/// A step from a person to a relative, on the way from one person to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct RelationStep {
    /// What the next person is to the person before.
    pub link: StepLink,
    /// The next person.
    pub person: PersonId,
    /// The family that links the two.
    pub family: FamilyId,
}

/// What a person is to the person before, on the way from one person to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum StepLink {
    /// A parent.
    Parent,
    /// A child.
    Child,
    /// A partner.
    Partner,
}

impl StepLink {
    /// Returns the name in JSON.
    pub const fn name(self) -> &'static str {
        match self {
            StepLink::Parent => "parent",
            StepLink::Child => "child",
            StepLink::Partner => "partner",
        }
    }
}

impl Relationship {
    /// Returns the steps that lead from `one` to `other`, the two people of this relationship. If several ways are
    /// equally long, this is one of them. The last step leads to `other`. Empty if these are not the two people.
    pub fn steps(&self, one: Person<'_>, other: Person<'_>) -> Vec<RelationStep> {
        use StepLink::{Child, Parent, Partner};
        let found = match self.relation {
            Relation::Kin(generations) => self.steps_by_descent(one, other, generations),
            Relation::Spouse => follow_links(one, other, &[Partner]),
            Relation::ParentInLaw => follow_links(one, other, &[Child, Partner]),
            Relation::ChildInLaw => follow_links(one, other, &[Partner, Parent]),
            Relation::StepParent => follow_links(one, other, &[Partner, Child]),
            Relation::StepChild => follow_links(one, other, &[Parent, Partner]),
            Relation::SiblingInLaw => follow_links(one, other, &[Partner, Parent, Child])
                .or_else(|| follow_links(one, other, &[Parent, Child, Partner])),
        };
        found.unwrap_or_default()
    }

    fn steps_by_descent(
        &self,
        one: Person<'_>,
        other: Person<'_>,
        Generations { up, down, .. }: Generations,
    ) -> Option<Vec<RelationStep>> {
        let weakest = match self.kind {
            RelationshipKind::Uncertain => Bond::Uncertain,
            RelationshipKind::Adoptive => Bond::Adoption,
            RelationshipKind::Foster => Bond::FosterCare,
            RelationshipKind::Blood | RelationshipKind::Marriage | RelationshipKind::Step => Bond::Birth,
        };
        let ancestor = *self.common_ancestors.first()?;
        let first = climb(one, ancestor, up, weakest, &HashSet::new())?;
        // The two lines have nobody else in common.
        let used: HashSet<PersonId> = first.iter().map(|(child, _)| *child).collect();
        let second = climb(other, ancestor, down, weakest, &used)
            .or_else(|| climb(other, ancestor, down, weakest, &HashSet::new()))?;
        let steps_up = first.into_iter().map(|(_, bond)| RelationStep {
            link: StepLink::Parent,
            person: bond.parent,
            family: bond.family,
        });
        let steps_down = second.into_iter().rev().map(|(child, bond)| RelationStep {
            link: StepLink::Child,
            person: child,
            family: bond.family,
        });
        Some(steps_up.chain(steps_down).collect())
    }
}

/// Returns a line of descent with a number of generations, as the child and the bond of each link. People in `avoided` are not
/// on it, and no bond is weaker than `weakest`.
fn climb(
    from: Person<'_>,
    to: PersonId,
    generations: u32,
    weakest: Bond,
    avoided: &HashSet<PersonId>,
) -> Option<Vec<(PersonId, ParentBond)>> {
    let lineage = from.lineage();
    let mut levels: Vec<HashMap<PersonId, (PersonId, ParentBond)>> = Vec::new();
    let mut level = vec![from.id()];
    for _ in 0..generations {
        let mut next: HashMap<PersonId, (PersonId, ParentBond)> = HashMap::new();
        let mut parents = Vec::new();
        for child in level {
            let bonds = lineage.person(child).map(parent_bonds).unwrap_or_default();
            for bond in bonds {
                let is_usable = bond.bond <= weakest && !avoided.contains(&bond.parent);
                if is_usable && !next.contains_key(&bond.parent) {
                    next.insert(bond.parent, (child, bond));
                    parents.push(bond.parent);
                }
            }
        }
        levels.push(next);
        level = parents;
    }
    let mut at = to;
    let mut links = Vec::new();
    for level in levels.iter().rev() {
        let &(child, bond) = level.get(&at)?;
        links.push((child, bond));
        at = child;
    }
    links.reverse();
    (at == from.id()).then_some(links)
}

/// Returns the steps from `one` to `other` by these links, if there are any.
fn follow_links(one: Person<'_>, other: Person<'_>, links: &[StepLink]) -> Option<Vec<RelationStep>> {
    let lineage = one.lineage();
    let mut visited: HashSet<PersonId> = HashSet::from([one.id()]);
    let mut ways: Vec<Vec<RelationStep>> = vec![Vec::new()];
    for (number, link) in links.iter().enumerate() {
        let is_last = number + 1 == links.len();
        let mut next = Vec::new();
        for way in &ways {
            let at = way.last().map_or(one.id(), |step| step.person);
            let steps = lineage.person(at).map(|at| neighbours(at, *link)).unwrap_or_default();
            for step in steps {
                let is_wanted = (step.person == other.id()) == is_last;
                if is_wanted && visited.insert(step.person) {
                    next.push(way.iter().copied().chain([step]).collect());
                }
            }
        }
        ways = next;
    }
    ways.into_iter().next()
}

/// Returns the steps from a person by one link. Foster care makes no relation by marriage.
fn neighbours(person: Person<'_>, link: StepLink) -> Vec<RelationStep> {
    let legal_parents = |child: Person<'_>| {
        let bonds = parent_bonds(child).into_iter();
        bonds.filter(|bond| bond.bond != Bond::FosterCare).collect::<Vec<ParentBond>>()
    };
    match link {
        StepLink::Parent => legal_parents(person)
            .into_iter()
            .map(|bond| RelationStep { link, person: bond.parent, family: bond.family })
            .collect(),
        StepLink::Child => person
            .children()
            .filter_map(|child| {
                let bond = legal_parents(child).into_iter().find(|bond| bond.parent == person.id())?;
                Some(RelationStep { link, person: child.id(), family: bond.family })
            })
            .collect(),
        StepLink::Partner => person
            .families_as_partner()
            .flat_map(|family| {
                let step = move |partner: Person<'_>| RelationStep {
                    link,
                    person: partner.id(),
                    family: family.id(),
                };
                family.partners().map(move |(partner, _)| step(partner))
            })
            .filter(|step| step.person != person.id())
            .collect(),
    }
}
