//! Finds the relationships of two people: by blood, adoption, foster care and marriage, and step
//! relations.

mod coefficient;
mod marriage;
mod paths;
mod pedigree;
mod route;
mod words;

use crate::bonds::Bond;
use crate::graph::{Person, PersonId};
use crate::run::Sex;
use paths::{LastLink, Meeting, Meetings};
use pedigree::Pedigree;
pub use route::{RelationStep, StepLink};
use std::collections::HashMap;

/// All relationships of one person to another, as returned by [`Person::kinship`].
#[derive(Clone, Debug, PartialEq)]
pub struct Kinship {
    relationships: Vec<Relationship>,
    coefficient: f64,
    is_complete: bool,
}

/// A relationship of a person to another.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Relationship {
    /// The basis of the relationship.
    pub kind: RelationshipKind,
    /// What the person is to the other person.
    pub relation: Relation,
    /// The common ancestors of this line of descent, in the order of the file: one person or a
    /// couple. The list is empty for relationships by marriage and for step relations.
    pub common_ancestors: Vec<PersonId>,
}

/// The basis of a relationship.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RelationshipKind {
    /// Both people descend from a common ancestor by birth, or one from the other.
    Blood,
    /// The file states that the tie of one of the links to the common ancestor is unknown.
    Uncertain,
    /// One of the links to the common ancestor is an adoption.
    Adoptive,
    /// One of the links to the common ancestor is foster care.
    Foster,
    /// One person is married to the other, or to a near relative.
    Marriage,
    /// One person is married to a parent of the other.
    Step,
}

/// What a person is to another person.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Relation {
    /// Ancestor, descendant, or relative by a common ancestor.
    Kin(Generations),
    /// Husband, wife, or partner in a family.
    Spouse,
    /// Parent of a spouse.
    ParentInLaw,
    /// Spouse of a child.
    ChildInLaw,
    /// Sibling of a spouse, or spouse of a sibling.
    SiblingInLaw,
    /// Spouse of a parent, if the spouse is not a parent.
    StepParent,
    /// Child of a spouse, if the child is not the person's own.
    StepChild,
}

/// The distances of two people from a common ancestor. One of the two may be the ancestor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Generations {
    /// The generations from the person up to the common ancestor; 0 if the person is the ancestor.
    pub up: u32,
    /// The generations from the common ancestor down to the other person; 0 if the other person is
    /// the ancestor.
    pub down: u32,
    /// True if the common ancestor's children on the two sides have different other parents.
    pub half: bool,
}

impl RelationshipKind {
    /// Returns the name in data, such as `blood`.
    pub const fn name(self) -> &'static str {
        match self {
            RelationshipKind::Blood => "blood",
            RelationshipKind::Uncertain => "uncertain",
            RelationshipKind::Adoptive => "adoptive",
            RelationshipKind::Foster => "foster",
            RelationshipKind::Marriage => "marriage",
            RelationshipKind::Step => "step",
        }
    }
}

impl Relation {
    /// Returns the number of links between the two people. A marriage is one link.
    const fn distance(self) -> u64 {
        match self {
            Relation::Kin(Generations { up, down, .. }) => up as u64 + down as u64,
            Relation::Spouse => 1,
            Relation::ParentInLaw | Relation::ChildInLaw | Relation::StepParent | Relation::StepChild => 2,
            Relation::SiblingInLaw => 3,
        }
    }

    /// Returns what the other person is to this person.
    #[must_use]
    pub const fn inverse(self) -> Relation {
        match self {
            Relation::Kin(Generations { up, down, half }) => {
                Relation::Kin(Generations { up: down, down: up, half })
            }
            Relation::Spouse => Relation::Spouse,
            Relation::ParentInLaw => Relation::ChildInLaw,
            Relation::ChildInLaw => Relation::ParentInLaw,
            Relation::SiblingInLaw => Relation::SiblingInLaw,
            Relation::StepParent => Relation::StepChild,
            Relation::StepChild => Relation::StepParent,
        }
    }

    const fn kind(self) -> RelationshipKind {
        match self {
            Relation::Kin(_) => RelationshipKind::Blood,
            Relation::Spouse | Relation::ParentInLaw | Relation::ChildInLaw | Relation::SiblingInLaw => {
                RelationshipKind::Marriage
            }
            Relation::StepParent | Relation::StepChild => RelationshipKind::Step,
        }
    }
}

impl Relationship {
    /// Returns how far both people are from the common ancestor, if there is one.
    pub const fn generations(&self) -> Option<Generations> {
        match self.relation {
            Relation::Kin(generations) => Some(generations),
            Relation::Spouse
            | Relation::ParentInLaw
            | Relation::ChildInLaw
            | Relation::SiblingInLaw
            | Relation::StepParent
            | Relation::StepChild => None,
        }
    }

    /// Returns the English name of the relation, for a person with this sex: `great-aunt`, `second
    /// cousin once removed`.
    ///
    /// ```
    /// use elf_lineage::{Generations, Relation, Relationship, RelationshipKind, Sex};
    ///
    /// let relation = Relation::Kin(Generations { up: 1, down: 3, half: false });
    /// let relationship = Relationship::new(RelationshipKind::Blood, relation);
    /// assert_eq!(relationship.name(Sex::Female), "great-aunt");
    /// assert_eq!(relationship.name(Sex::Unknown), "great-aunt or great-uncle");
    /// ```
    pub fn name(&self, sex: Sex) -> String {
        words::name_relationship(self, sex)
    }

    /// Creates a relationship without common ancestors.
    pub const fn new(kind: RelationshipKind, relation: Relation) -> Relationship {
        Relationship { kind, relation, common_ancestors: Vec::new() }
    }

    fn sort_key(&self) -> impl Ord + use<> {
        let half = self.generations().is_some_and(|generations| generations.half);
        let up = self.generations().map(|generations| generations.up);
        (self.relation.distance(), self.kind, half, up, self.common_ancestors.clone())
    }
}

impl Kinship {
    /// Returns the relationships, nearest first. At the same distance, relationships by blood come
    /// first.
    pub fn relationships(&self) -> &[Relationship] {
        &self.relationships
    }

    /// Returns whether the two persons are related in any way.
    pub fn is_related(&self) -> bool {
        !self.relationships.is_empty()
    }

    /// Returns Wright's coefficient of relationship by birth. It counts all pairs of paths from the
    /// two people to a common ancestor X. Each pair adds ½ to the power of the length of both
    /// paths, times one plus the inbreeding of X. The sum is divided by the square root of a
    /// product, whose factors are one plus the inbreeding of each person. The coefficient is 0.5
    /// for a parent and 0.125 for first cousins, unless their ancestors were related. If neither
    /// person is inbred, it is twice the coefficient of kinship.
    pub const fn coefficient(&self) -> f64 {
        self.coefficient
    }

    /// Returns false if the ancestors are related in so many ways that only the nearest relationships were found.
    pub const fn is_complete(&self) -> bool {
        self.is_complete
    }
}

impl<'l> Person<'l> {
    /// Returns all relationships of the person to another person. Nobody has a relationship to
    /// themselves.
    ///
    /// ```
    /// use elf_lineage::{Lineage, Sex};
    /// use elf_schema::{ReadOptions, Rules};
    ///
    /// let file = b"0 HEAD\n0 @I1@ INDI\n1 SEX F\n1 FAMC @F1@\n0 @I2@ INDI\n1 FAMC @F2@\n0 @I3@ INDI\n\
    ///     0 @F1@ FAM\n1 HUSB @I3@\n1 CHIL @I1@\n0 @F2@ FAM\n1 HUSB @I3@\n1 CHIL @I2@\n0 TRLR\n";
    /// let typed = elf_schema::read(file, &Rules::WILD, &ReadOptions::default(), &mut ())?;
    /// let lineage = Lineage::of(&typed);
    /// let person = |id| lineage.find_person(id).expect("a person");
    /// let kinship = person("I1").kinship(person("I2"));
    /// let [relationship] = kinship.relationships() else { panic!("one relationship") };
    /// assert_eq!(relationship.name(Sex::Female), "half-sister");
    /// assert_eq!(relationship.common_ancestors, [person("I3").id()]);
    /// assert_eq!(kinship.coefficient(), 0.25);
    /// # Ok::<(), elf_schema::TooLarge>(())
    /// ```
    pub fn kinship(self, other: Person<'l>) -> Kinship {
        let pedigree = Pedigree::of(self, other);
        let coefficient = coefficient::relationship_coefficient(&pedigree);
        if self.id() == other.id() {
            return Kinship { relationships: Vec::new(), coefficient, is_complete: true };
        }
        let meetings = Meetings::of(&pedigree);
        let mut relationships = group_meetings(&pedigree, &meetings.found);
        let by_marriage = marriage::relations_by_marriage(self, other).into_iter();
        relationships.extend(by_marriage.map(|relation| Relationship::new(relation.kind(), relation)));
        relationships.sort_by_cached_key(Relationship::sort_key);
        relationships.dedup();
        Kinship { relationships, coefficient, is_complete: meetings.is_complete }
    }
}

/// The children of a common ancestor on the two sides, and the bond. Two meetings with the two
/// parents of the same children have the same key.
type DescentKey = ([u32; 2], Bond, [Option<usize>; 2]);

/// Combines the meetings with both parents of the same children into one relationship.
fn group_meetings(pedigree: &Pedigree, meetings: &[Meeting]) -> Vec<Relationship> {
    let mut numbers: HashMap<DescentKey, usize> = HashMap::new();
    let mut lines: Vec<Vec<Meeting>> = Vec::new();
    for &meeting in meetings {
        let children = meeting.last.map(|last| last.map(|last| last.child));
        let number = *numbers.entry((meeting.generations, meeting.bond, children)).or_insert_with(|| {
            lines.push(Vec::new());
            lines.len() - 1
        });
        lines[number].push(meeting);
    }
    lines.iter().filter_map(|line| relationship_of_meetings(pedigree, line)).collect()
}

fn relationship_of_meetings(pedigree: &Pedigree, line: &[Meeting]) -> Option<Relationship> {
    let &Meeting { generations: [up, down], bond, .. } = line.first()?;
    let mut common_ancestors: Vec<PersonId> =
        line.iter().map(|meeting| pedigree.person(meeting.ancestor)).collect();
    common_ancestors.sort_unstable();
    let kind = match bond {
        Bond::Birth => RelationshipKind::Blood,
        Bond::Uncertain => RelationshipKind::Uncertain,
        Bond::Adoption => RelationshipKind::Adoptive,
        Bond::FosterCare => RelationshipKind::Foster,
    };
    let half = kind == RelationshipKind::Blood
        && common_ancestors.len() == 1
        && has_different_other_parents(pedigree, line.first()?);
    let relation = Relation::Kin(Generations { up, down, half });
    Some(Relationship { kind, relation, common_ancestors })
}

/// Returns whether the two children of a common ancestor have different other parents. This is so
/// if both other parents are known and differ, or if the children belong to different families.
fn has_different_other_parents(pedigree: &Pedigree, meeting: &Meeting) -> bool {
    let [Some(one), Some(other)] = meeting.last else { return false };
    let family = |link: LastLink| pedigree.parents(link.child)[link.edge].family;
    let has_other_parent = |link: LastLink| {
        let mut parents = pedigree.parents(link.child).iter();
        parents.any(|edge| edge.bond == Bond::Birth && edge.parent != meeting.ancestor)
    };
    family(one) != family(other) || has_other_parent(one) || has_other_parent(other)
}
