//! Finds the people of a tree, nearest relatives first, alternating between ancestors and descendants.

use super::{Branch, Direction, FamilyTree, Slot, TreeFamily, TreeOptions, TreePerson, Union};
use crate::pictures::years;
use elf_lineage::{Family, FamilyId, Parent, ParentLink, PartnerRole, Person, PersonId, Tie};
use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet, VecDeque};

/// The maximum number of references to the partners of a family that occurs again. The partners are already drawn, and
/// a damaged file may have very many partners and children in one family.
const PARTNERS_AGAIN: usize = 8;

/// A person whose parents or children are still to be added.
#[derive(Clone, Copy)]
struct OpenPerson<'l> {
    person: Person<'l>,
    direction: Direction,
    generation: u32,
    /// The box of the person. `None` if the maximum number of people is reached.
    drawn: Option<usize>,
}

/// A partner whose box is created after all other people are known.
struct OpenUnion {
    union: usize,
    partner: PersonId,
    generation: i64,
}

pub(super) struct Builder<'l> {
    tree: FamilyTree,
    /// The people that were found, with their indices if they are drawn.
    met: HashMap<PersonId, Option<usize>>,
    /// The people whose parents or children are drawn somewhere, or will be.
    opened: HashSet<(PersonId, Direction)>,
    /// The families whose partners or children were already added.
    expanded: HashSet<(FamilyId, Direction)>,
    /// The roles of partners in the families that were read.
    roles: HashMap<(PersonId, FamilyId), PartnerRole>,
    role_families: HashSet<FamilyId>,
    /// The children whose links to families were read.
    linked: HashSet<PersonId>,
    /// The links between children and families.
    parent_links: HashMap<(PersonId, FamilyId), ParentLink<'l>>,
    families: Vec<Family<'l>>,
    met_families: HashSet<usize>,
    open: VecDeque<OpenPerson<'l>>,
    open_unions: Vec<OpenUnion>,
    root: Person<'l>,
}

impl FamilyTree {
    /// Builds the tree of a person.
    pub fn of(person: Person<'_>, options: &TreeOptions) -> FamilyTree {
        Builder::new(person, *options).build()
    }
}

impl<'l> Builder<'l> {
    fn new(root: Person<'l>, options: TreeOptions) -> Builder<'l> {
        let tree = FamilyTree {
            persons: vec![TreePerson::of(root, 0)],
            families: Vec::new(),
            up: vec![Branch::of(Slot::Person(0), Tie::Unknown, 0)],
            down: vec![Branch::of(Slot::Person(0), Tie::Unknown, 0)],
            unions: Vec::new(),
            options,
            left_out: 0,
        };
        let open = |direction| OpenPerson { person: root, direction, generation: 0, drawn: Some(0) };
        Builder {
            tree,
            met: HashMap::from([(root.id(), Some(0))]),
            opened: HashSet::from([(root.id(), Direction::Up), (root.id(), Direction::Down)]),
            expanded: HashSet::new(),
            roles: HashMap::new(),
            role_families: HashSet::new(),
            parent_links: HashMap::new(),
            linked: HashSet::new(),
            families: Vec::new(),
            met_families: HashSet::new(),
            open: VecDeque::from([open(Direction::Up), open(Direction::Down)]),
            open_unions: Vec::new(),
            root,
        }
    }

    fn build(mut self) -> FamilyTree {
        while let Some(open) = self.open.pop_front() {
            match open.direction {
                Direction::Up => self.add_parents(open),
                Direction::Down => self.add_children(open),
            }
        }
        self.add_partner_boxes();
        self.link_families();
        self.number_references();
        self.tree
    }

    fn add_parents(&mut self, open: OpenPerson<'l>) {
        if open.generation >= self.tree.options.up {
            let has_more = open.person.parent_links().any(|link| link.parents().next().is_some());
            self.mark_more(open, has_more);
            return;
        }
        let start = self.tree.up.len();
        for (number, parents) in self.group_parents(open).into_iter().enumerate() {
            if let Some(family) = parents.first().and_then(|one| self.root.lineage().family(one.family)) {
                self.add_family(family);
            }
            let lone = match parents.as_slice() {
                [only] => Some(only.role),
                _ => None,
            };
            if lone == Some(PartnerRole::Wife) {
                self.add_box(open, Slot::Unknown, Tie::Unknown, number);
            }
            for parent in parents {
                self.add_relative(open, parent.person, parent.tie, number);
            }
            if lone.is_some_and(|role| role != PartnerRole::Wife) {
                self.add_box(open, Slot::Unknown, Tie::Unknown, number);
            }
        }
        let end = self.tree.up.len();
        if let Some(branch) = open.drawn.and_then(|at| self.tree.up.get_mut(at)) {
            branch.next = start..end;
        }
    }

    fn add_children(&mut self, open: OpenPerson<'l>) {
        if open.generation >= self.tree.options.down {
            let has_more = open.person.families_as_partner().any(|family| {
                partners_of(open.person, family).next().is_some() || family.children().next().is_some()
            });
            self.mark_more(open, has_more);
            return;
        }
        let (start, first_union) = (self.tree.down.len(), self.tree.unions.len());
        let several = open.person.families_as_partner().nth(1).is_some();
        for family in open.person.families_as_partner() {
            let number = self.tree.unions.len() - first_union;
            let is_first = self.expanded.insert((family.id(), Direction::Down));
            let most = if is_first { usize::MAX } else { PARTNERS_AGAIN };
            let has_more = partners_of(open.person, family).nth(most).is_some();
            self.mark_more(open, has_more);
            let mut partners = partners_of(open.person, family).take(most).peekable();
            let mut children = family.children().take_while(|_| is_first).peekable();
            if partners.peek().is_none() && children.peek().is_none() {
                continue;
            }
            if is_first {
                self.add_family(family);
            }
            if open.drawn.is_some() {
                self.add_unions(open, family, several, most);
            } else {
                for partner in partners {
                    if let Entry::Vacant(entry) = self.met.entry(partner.id()) {
                        entry.insert(None);
                        self.tree.left_out += 1;
                    }
                }
            }
            for child in children {
                let tie = self.tie_to_parent(child, family, open.person);
                self.add_relative(open, child, tie, number);
            }
        }
        let (end, last_union) = (self.tree.down.len(), self.tree.unions.len());
        if let Some(branch) = open.drawn.and_then(|at| self.tree.down.get_mut(at)) {
            branch.next = start..end;
            branch.unions = first_union..last_union;
        }
    }

    /// Adds the partners of a descendant in a family. The children belong to the first partner.
    fn add_unions(&mut self, open: OpenPerson<'l>, family: Family<'l>, several: bool, most: usize) {
        let marriage = years::marriage(family);
        let mut is_first = true;
        for partner in partners_of(open.person, family).take(most) {
            let union = self.tree.unions.len();
            let marriage = if is_first { marriage.clone() } else { String::new() };
            is_first = false;
            self.tree.unions.push(Union { partner: None, marriage });
            let generation = i64::from(open.generation);
            self.open_unions.push(OpenUnion { union, partner: partner.id(), generation });
        }
        if is_first {
            self.tree.unions.push(Union { partner: several.then_some(Slot::Unknown), marriage });
        }
    }

    /// Adds a parent or a child. If the person is already in the tree, adds a reference.
    fn add_relative(&mut self, from: OpenPerson<'l>, person: Person<'l>, tie: Tie, family: usize) {
        let generation = from.generation.saturating_add(1);
        let is_new_way = self.opened.insert((person.id(), from.direction));
        match self.met.get(&person.id()) {
            Some(&known) => {
                let drawn = known.and_then(|number| self.add_box(from, Slot::Reference(number), tie, family));
                self.mark_more(from, known.is_none());
                // The children of an ancestor who is also a descendant are not drawn anywhere else.
                if is_new_way {
                    self.open.push_back(OpenPerson { person, direction: from.direction, generation, drawn });
                }
            }
            None => {
                let has_room = self.tree.persons.len() < self.tree.options.most.max(1);
                let number = (has_room && from.drawn.is_some()).then_some(self.tree.persons.len());
                self.met.insert(person.id(), number);
                let drawn = number.and_then(|number| {
                    let of = i64::from(generation);
                    let of = if from.direction == Direction::Up { -of } else { of };
                    self.tree.persons.push(TreePerson::of(person, of));
                    self.add_box(from, Slot::Person(number), tie, family)
                });
                if drawn.is_none() {
                    self.tree.left_out += 1;
                    self.mark_more(from, true);
                }
                self.open.push_back(OpenPerson { person, direction: from.direction, generation, drawn });
            }
        }
    }

    /// Adds a box next to the box of a person, if there is one.
    fn add_box(&mut self, from: OpenPerson<'_>, slot: Slot, tie: Tie, family: usize) -> Option<usize> {
        from.drawn?;
        let boxes = match from.direction {
            Direction::Up => &mut self.tree.up,
            Direction::Down => &mut self.tree.down,
        };
        boxes.push(Branch::of(slot, tie, family));
        Some(boxes.len() - 1)
    }

    /// Marks a person as having relatives that are not drawn.
    fn mark_more(&mut self, open: OpenPerson<'_>, has_more: bool) {
        let number = self.met.get(&open.person.id()).copied().flatten();
        if let Some(person) = number.and_then(|number| self.tree.persons.get_mut(number)) {
            let [up, down] = &mut person.more;
            *(if open.direction == Direction::Up { up } else { down }) |= has_more;
        }
    }

    /// Creates the boxes of the partners. All descendants and ancestors must be known by now.
    fn add_partner_boxes(&mut self) {
        let lineage = self.root.lineage();
        for OpenUnion { union, partner, generation } in std::mem::take(&mut self.open_unions) {
            let slot = match self.met.get(&partner) {
                Some(&Some(number)) => Slot::Reference(number),
                known => {
                    let has_room = self.tree.persons.len() < self.tree.options.most.max(1);
                    let person = lineage.person(partner).filter(|_| has_room);
                    let number = person.map(|person| {
                        self.tree.persons.push(TreePerson::of(person, generation));
                        self.tree.persons.len() - 1
                    });
                    if number.is_none() && known.is_none() {
                        self.tree.left_out += 1;
                    }
                    self.met.insert(partner, number);
                    number.map_or(Slot::LeftOut, Slot::Person)
                }
            };
            if let Some(union) = self.tree.unions.get_mut(union) {
                union.partner = Some(slot);
            }
        }
    }

    /// Returns the parents of a person by family: birth parents first, and the husband first in each family.
    fn group_parents(&mut self, open: OpenPerson<'l>) -> Vec<Vec<Parent<'l>>> {
        let mut families = Vec::new();
        for link in open.person.parent_links() {
            let is_first = self.expanded.insert((link.family(), Direction::Up));
            let most = if is_first { usize::MAX } else { PARTNERS_AGAIN };
            let mut parents: Vec<Parent<'_>> = link.parents().take(most).collect();
            self.mark_more(open, link.parents().nth(most).is_some());
            parents.sort_by_key(|parent| match parent.role {
                PartnerRole::Husband => 0,
                PartnerRole::Partner => 1,
                PartnerRole::Wife => 2,
            });
            if !parents.is_empty() {
                families.push(parents);
            }
        }
        families.sort_by_key(|parents| !parents.iter().any(|parent| parent.is_by_birth));
        families
    }

    /// Returns the relationship of a child to a partner of the family.
    fn tie_to_parent(&mut self, child: Person<'l>, family: Family<'l>, parent: Person<'l>) -> Tie {
        self.read_parent_links(child);
        let Some(link) = self.parent_links.get(&(child.id(), family.id())) else { return Tie::Unknown };
        if self.role_families.insert(family.id()) {
            // A person who is a partner twice has the first role.
            for (one, role) in family.partners() {
                self.roles.entry((one.id(), family.id())).or_insert(role);
            }
        }
        let role = self.roles.get(&(parent.id(), family.id())).copied();
        link.tie(role.unwrap_or(PartnerRole::Partner))
    }

    /// Reads the links of a person to the families of the parents.
    fn read_parent_links(&mut self, child: Person<'l>) {
        if self.linked.insert(child.id()) {
            let links = child.parent_links().map(|link| ((child.id(), link.family()), link));
            self.parent_links.extend(links);
        }
    }

    fn add_family(&mut self, family: Family<'l>) {
        if self.met_families.insert(family.id().index()) {
            self.families.push(family);
        }
    }

    /// Adds the families, with the members that are drawn.
    fn link_families(&mut self) {
        for family in self.families.clone() {
            family.children().for_each(|child| self.read_parent_links(child));
            let number = |person: Person<'_>| self.met.get(&person.id()).copied().flatten();
            let partners: Vec<usize> = family.partners().filter_map(|(one, _)| number(one)).collect();
            let children = family.children().filter_map(|child| Some((child, number(child)?)));
            let children: Vec<(usize, Tie)> = children
                .map(|(child, number)| {
                    let link = self.parent_links.get(&(child.id(), family.id()));
                    let ties = link.into_iter().flat_map(|link| ROLES.map(|role| link.tie(role)));
                    (number, ties.max().unwrap_or(Tie::Unknown))
                })
                .collect();
            if partners.len() + children.len() > 1 {
                let marriage = years::marriage(family);
                let marriage = marriage.strip_prefix("⚭ ").map(str::to_owned);
                self.tree.families.push(TreeFamily {
                    identifier: family.identifier(),
                    marriage,
                    events: years::named_events(family.events()),
                    partners,
                    children,
                });
            }
        }
    }

    /// Numbers the people that other boxes refer to, nearest relatives first.
    fn number_references(&mut self) {
        let tree = &mut self.tree;
        let slots = tree.up.iter().chain(&tree.down).map(|branch| branch.slot);
        let slots = slots.chain(tree.unions.iter().filter_map(|union| union.partner));
        let referred: HashSet<usize> = slots
            .filter_map(|slot| match slot {
                Slot::Reference(number) => Some(number),
                Slot::Person(_) | Slot::LeftOut | Slot::Unknown => None,
            })
            .collect();
        let referred = tree.persons.iter_mut().enumerate().filter(|(at, _)| referred.contains(at));
        for (number, (_, person)) in (1..).zip(referred) {
            person.number = Some(number);
        }
    }
}

impl Branch {
    fn of(slot: Slot, tie: Tie, family: usize) -> Branch {
        Branch { slot, tie, family, next: 0..0, unions: 0..0 }
    }
}

/// The roles of partners.
const ROLES: [PartnerRole; 3] = [PartnerRole::Husband, PartnerRole::Wife, PartnerRole::Partner];

/// Returns the other partners of a family.
fn partners_of<'l>(person: Person<'l>, family: Family<'l>) -> impl Iterator<Item = Person<'l>> {
    family.partners().map(|(one, _)| one).filter(move |one| one.id() != person.id())
}
