//! Iterates over ancestors and descendants.

use crate::graph::{Lineage, Parent, Person, PersonId};
use crate::run::PartnerRole;
use std::collections::{HashMap, HashSet, VecDeque};
use std::iter::FusedIterator;

/// Which links between parents and children to follow.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TiesFollowed {
    /// Links that count as links by birth.
    ByBirth,
    /// All links, including adoption and foster care.
    All,
}

/// An iterator over the ancestors of a person. It returns the nearest first, and each only once.
/// [`Person::ancestors`] creates it.
#[derive(Clone, Debug)]
pub struct Ancestors<'l> {
    lineage: &'l Lineage,
    ties: TiesFollowed,
    met: HashSet<u32>,
    /// The families whose partners were already added, each with the role of these partners.
    families: HashSet<(u32, PartnerRole)>,
    open: VecDeque<(u32, u32)>,
}

/// An iterator over the descendants of a person. It returns the nearest first, and each only once.
/// [`Person::descendants`] creates it.
#[derive(Clone, Debug)]
pub struct Descendants<'l> {
    lineage: &'l Lineage,
    ties: TiesFollowed,
    met: HashSet<u32>,
    /// The families whose children were already added, with the role of the parent.
    families: HashSet<(u32, PartnerRole)>,
    /// The role of each partner in each visited family.
    roles: HashMap<(u32, u32), PartnerRole>,
    open: VecDeque<(u32, u32)>,
}

impl TiesFollowed {
    /// Returns whether the link to a parent is followed.
    pub(crate) fn follows(self, parent: &Parent<'_>) -> bool {
        self == TiesFollowed::All || parent.is_by_birth
    }
}

impl<'l> Person<'l> {
    /// Returns the ancestors with their generations, 1 for parents. Each ancestor is returned once,
    /// by the shortest path. The person is not included, not even if the links form a circle.
    ///
    /// ```
    /// use elf_lineage::{Lineage, TiesFollowed};
    /// use elf_schema::{ReadOptions, Rules};
    ///
    /// let file = b"0 HEAD\n0 @I1@ INDI\n1 FAMC @F1@\n0 @F1@ FAM\n1 WIFE @I2@\n1 CHIL @I1@\n0 @I2@ INDI\n\
    ///     1 FAMC @F2@\n0 @F2@ FAM\n1 WIFE @I3@\n1 CHIL @I2@\n0 @I3@ INDI\n0 TRLR\n";
    /// let typed = elf_schema::read(file, &Rules::WILD, &ReadOptions::default(), &mut ())?;
    /// let lineage = Lineage::of(&typed);
    /// let person = lineage.find_person("I1").expect("a person");
    /// let names: Vec<_> = person
    ///     .ancestors(TiesFollowed::ByBirth)
    ///     .map(|(person, generation)| (person.identifier(), generation))
    ///     .collect();
    /// assert_eq!(names, [(Some("I2".to_owned()), 1), (Some("I3".to_owned()), 2)]);
    /// # Ok::<(), elf_schema::TooLarge>(())
    /// ```
    pub fn ancestors(self, ties: TiesFollowed) -> Ancestors<'l> {
        let mut ancestors = Ancestors {
            lineage: self.lineage,
            ties,
            met: HashSet::from([self.id().0]),
            families: HashSet::new(),
            open: VecDeque::new(),
        };
        ancestors.add_parents_of(self, 0);
        ancestors
    }

    /// Returns the descendants with their generations, 1 for children. Each descendant is returned
    /// once, by the shortest path. The person is not included, not even if the links form a circle.
    pub fn descendants(self, ties: TiesFollowed) -> Descendants<'l> {
        let mut descendants = Descendants {
            lineage: self.lineage,
            ties,
            met: HashSet::from([self.id().0]),
            families: HashSet::new(),
            roles: HashMap::new(),
            open: VecDeque::new(),
        };
        descendants.add_children_of(self, 0);
        descendants
    }
}

impl<'l> Ancestors<'l> {
    /// Adds the parents of a person. Parents with one role in a family are added once, even if
    /// several of their children are visited.
    fn add_parents_of(&mut self, person: Person<'l>, generation: u32) {
        for link in person.parent_links() {
            let roles = [PartnerRole::Husband, PartnerRole::Wife, PartnerRole::Partner];
            let [husband, wife, partner] = roles.map(|role| {
                let counts = self.ties == TiesFollowed::All || link.is_by_birth(role);
                counts && self.families.insert((link.family().0, role))
            });
            if !(husband || wife || partner) {
                continue;
            }
            for parent in link.parents() {
                let is_new = match parent.role {
                    PartnerRole::Husband => husband,
                    PartnerRole::Wife => wife,
                    PartnerRole::Partner => partner,
                };
                let id = parent.person.id().0;
                if is_new && self.met.insert(id) {
                    self.open.push_back((id, generation.saturating_add(1)));
                }
            }
        }
    }
}

impl<'l> Iterator for Ancestors<'l> {
    type Item = (Person<'l>, u32);

    fn next(&mut self) -> Option<(Person<'l>, u32)> {
        let (id, generation) = self.open.pop_front()?;
        let person = self.lineage.person(PersonId(id))?;
        self.add_parents_of(person, generation);
        Some((person, generation))
    }
}

impl FusedIterator for Ancestors<'_> {}

impl<'l> Descendants<'l> {
    fn add_children_of(&mut self, person: Person<'l>, generation: u32) {
        for family in person.families_as_partner() {
            let of_person = (family.id().0, person.id().0);
            if !self.roles.contains_key(&of_person) {
                let partners = family.partners();
                self.roles.extend(partners.map(|(one, role)| ((family.id().0, one.id().0), role)));
            }
            let Some(&role) = self.roles.get(&of_person) else { continue };
            if !self.families.insert((family.id().0, role)) {
                continue;
            }
            for child in family.children() {
                let counts = self.ties == TiesFollowed::All || child.is_born_to(family.id(), role);
                if counts && self.met.insert(child.id().0) {
                    self.open.push_back((child.id().0, generation.saturating_add(1)));
                }
            }
        }
    }
}

impl<'l> Iterator for Descendants<'l> {
    type Item = (Person<'l>, u32);

    fn next(&mut self) -> Option<(Person<'l>, u32)> {
        let (id, generation) = self.open.pop_front()?;
        let person = self.lineage.person(PersonId(id))?;
        self.add_children_of(person, generation);
        Some((person, generation))
    }
}

impl FusedIterator for Descendants<'_> {}
