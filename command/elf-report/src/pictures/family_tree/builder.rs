//! The search for the persons of a tree: nearer ones first, up and down by turns, each once.

use super::{Branch, FamilyTree, Slot, TreeFamily, TreeOptions, TreePerson, Union, Way};
use crate::pictures::years;
use elf_lineage::{Family, FamilyId, Parent, ParentLink, PartnerRole, Person, PersonId, Tie};
use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet, VecDeque};

/// The most partners of one family who are referred to where the family is met again: they are drawn already,
/// and a file may have any number of children with any number of parents.
const PARTNERS_AGAIN: usize = 8;

/// A person whose parents or children are still to be looked at.
#[derive(Clone, Copy)]
struct Open<'l> {
    person: Person<'l>,
    way: Way,
    generation: u32,
    /// The box of the person; none where there are as many as there may be.
    drawn: Option<usize>,
}

/// A partner whose box is made when it is known who else is drawn.
struct OpenUnion {
    union: usize,
    partner: PersonId,
    generation: i64,
}

pub(super) struct Builder<'l> {
    tree: FamilyTree,
    /// The persons met, with their numbers if they are drawn.
    met: HashMap<PersonId, Option<usize>>,
    /// The persons whose parents, or children, are drawn somewhere or will be.
    opened: HashSet<(PersonId, Way)>,
    /// The families whose partners were met as parents, and whose children were met.
    expanded: HashSet<(FamilyId, Way)>,
    /// The roles of the partners of those families whose partners are known.
    roles: HashMap<(PersonId, FamilyId), PartnerRole>,
    role_families: HashSet<FamilyId>,
    /// The children whose links to families are known.
    linked: HashSet<PersonId>,
    /// The links between children and families.
    parent_links: HashMap<(PersonId, FamilyId), ParentLink<'l>>,
    families: Vec<Family<'l>>,
    met_families: HashSet<usize>,
    open: VecDeque<Open<'l>>,
    open_unions: Vec<OpenUnion>,
    root: Person<'l>,
}

impl FamilyTree {
    /// The tree of a person.
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
        let open = |way| Open { person: root, way, generation: 0, drawn: Some(0) };
        Builder {
            tree,
            met: HashMap::from([(root.id(), Some(0))]),
            opened: HashSet::from([(root.id(), Way::Up), (root.id(), Way::Down)]),
            expanded: HashSet::new(),
            roles: HashMap::new(),
            role_families: HashSet::new(),
            parent_links: HashMap::new(),
            linked: HashSet::new(),
            families: Vec::new(),
            met_families: HashSet::new(),
            open: VecDeque::from([open(Way::Up), open(Way::Down)]),
            open_unions: Vec::new(),
            root,
        }
    }

    fn build(mut self) -> FamilyTree {
        while let Some(open) = self.open.pop_front() {
            match open.way {
                Way::Up => self.up(open),
                Way::Down => self.down(open),
            }
        }
        self.partners();
        self.link_families();
        self.number();
        self.tree
    }

    fn up(&mut self, open: Open<'l>) {
        if open.generation >= self.tree.options.up {
            let has_more = open.person.parent_links().any(|link| link.parents().next().is_some());
            self.mark_more(open, has_more);
            return;
        }
        let start = self.tree.up.len();
        for (number, parents) in self.families_of(open).into_iter().enumerate() {
            if let Some(family) = parents.first().and_then(|one| self.root.lineage().family(one.family)) {
                self.add_family(family);
            }
            let lone = match parents.as_slice() {
                [only] => Some(only.role),
                _ => None,
            };
            if lone == Some(PartnerRole::Wife) {
                self.add(open, Slot::Unknown, Tie::Unknown, number);
            }
            for parent in parents {
                self.meet(open, parent.person, parent.tie, number);
            }
            if lone.is_some_and(|role| role != PartnerRole::Wife) {
                self.add(open, Slot::Unknown, Tie::Unknown, number);
            }
        }
        let end = self.tree.up.len();
        if let Some(branch) = open.drawn.and_then(|at| self.tree.up.get_mut(at)) {
            branch.next = start..end;
        }
    }

    fn down(&mut self, open: Open<'l>) {
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
            let is_first = self.expanded.insert((family.id(), Way::Down));
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
                self.unions(open, family, several, most);
            } else {
                for partner in partners {
                    if let Entry::Vacant(entry) = self.met.entry(partner.id()) {
                        entry.insert(None);
                        self.tree.left_out += 1;
                    }
                }
            }
            for child in children {
                let tie = self.tie(child, family, open.person);
                self.meet(open, child, tie, number);
            }
        }
        let (end, last_union) = (self.tree.down.len(), self.tree.unions.len());
        if let Some(branch) = open.drawn.and_then(|at| self.tree.down.get_mut(at)) {
            branch.next = start..end;
            branch.unions = first_union..last_union;
        }
    }

    /// Adds the partners of a descendant in a family; the children come of the first.
    fn unions(&mut self, open: Open<'l>, family: Family<'l>, several: bool, most: usize) {
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

    /// Meets a parent or a child: for the first time, or again.
    fn meet(&mut self, from: Open<'l>, person: Person<'l>, tie: Tie, family: usize) {
        let generation = from.generation.saturating_add(1);
        let is_new_way = self.opened.insert((person.id(), from.way));
        match self.met.get(&person.id()) {
            Some(&known) => {
                let drawn = known.and_then(|number| self.add(from, Slot::Reference(number), tie, family));
                self.mark_more(from, known.is_none());
                // An ancestor who is a descendant as well has children who stand nowhere else.
                if is_new_way {
                    self.open.push_back(Open { person, way: from.way, generation, drawn });
                }
            }
            None => {
                let has_room = self.tree.persons.len() < self.tree.options.most.max(1);
                let number = (has_room && from.drawn.is_some()).then_some(self.tree.persons.len());
                self.met.insert(person.id(), number);
                let drawn = number.and_then(|number| {
                    let of = i64::from(generation);
                    let of = if from.way == Way::Up { -of } else { of };
                    self.tree.persons.push(TreePerson::of(person, of));
                    self.add(from, Slot::Person(number), tie, family)
                });
                if drawn.is_none() {
                    self.tree.left_out += 1;
                    self.mark_more(from, true);
                }
                self.open.push_back(Open { person, way: from.way, generation, drawn });
            }
        }
    }

    /// Adds a box next to that of a person, if that has one.
    fn add(&mut self, from: Open<'_>, slot: Slot, tie: Tie, family: usize) -> Option<usize> {
        from.drawn?;
        let boxes = match from.way {
            Way::Up => &mut self.tree.up,
            Way::Down => &mut self.tree.down,
        };
        boxes.push(Branch::of(slot, tie, family));
        Some(boxes.len() - 1)
    }

    /// Notes that the parents, or the children and partners, of a person are not all drawn.
    fn mark_more(&mut self, open: Open<'_>, has_more: bool) {
        let number = self.met.get(&open.person.id()).copied().flatten();
        if let Some(person) = number.and_then(|number| self.tree.persons.get_mut(number)) {
            let [up, down] = &mut person.more;
            *(if open.way == Way::Up { up } else { down }) |= has_more;
        }
    }

    /// Makes the boxes of the partners, now that it is known who is drawn as a descendant or an ancestor.
    fn partners(&mut self) {
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

    /// The parents of a person by family, those by birth first; of each family the husband first.
    fn families_of(&mut self, open: Open<'l>) -> Vec<Vec<Parent<'l>>> {
        let mut families = Vec::new();
        for link in open.person.parent_links() {
            let is_first = self.expanded.insert((link.family(), Way::Up));
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

    /// The tie of a child to a partner of a family.
    fn tie(&mut self, child: Person<'l>, family: Family<'l>, parent: Person<'l>) -> Tie {
        self.link(child);
        let Some(link) = self.parent_links.get(&(child.id(), family.id())) else { return Tie::Unknown };
        if self.role_families.insert(family.id()) {
            // Whoever is a partner twice has the first role.
            for (one, role) in family.partners() {
                self.roles.entry((one.id(), family.id())).or_insert(role);
            }
        }
        let role = self.roles.get(&(parent.id(), family.id())).copied();
        link.tie(role.unwrap_or(PartnerRole::Partner))
    }

    /// Takes down the families that a person is a child of.
    fn link(&mut self, child: Person<'l>) {
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

    /// Links the persons that are drawn by the families that were met.
    fn link_families(&mut self) {
        for family in self.families.clone() {
            family.children().for_each(|child| self.link(child));
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

    /// Numbers the persons who are referred to, nearer ones first.
    fn number(&mut self) {
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

/// The roles of partners, each of which may be of another tie.
const ROLES: [PartnerRole; 3] = [PartnerRole::Husband, PartnerRole::Wife, PartnerRole::Partner];

/// The other partners of a family.
fn partners_of<'l>(person: Person<'l>, family: Family<'l>) -> impl Iterator<Item = Person<'l>> {
    family.partners().map(|(one, _)| one).filter(move |one| one.id() != person.id())
}
