//! Finds the family of A that is the same as a given family of B.

use crate::content::payload_key;
use elf_lineage::{FamilyId, LineageView};
use elf_tagged::{Document, Node, NodeId};
use std::collections::{HashMap, HashSet};

/// The maximum number of families of one couple, or of one child, that are compared.
const MAX_FAMILIES: usize = 64;

/// A family and the records of its members. Partners are sorted, regardless of their roles.
pub(crate) struct Family {
    pub(crate) record: NodeId,
    pub(crate) partners: Vec<NodeId>,
    pub(crate) children: Vec<NodeId>,
}

/// The members of a family of B, as records of A. `None` stands for a partner whom A does not have.
pub(crate) struct FamilyOfB<'f> {
    pub(crate) record: Node<'f>,
    pub(crate) partners: Vec<Option<NodeId>>,
    pub(crate) children: Vec<NodeId>,
}

/// Finds families of A by their members.
pub(crate) struct FamilyFinder<'d> {
    document: &'d Document<'d>,
    families: Vec<Family>,
    by_partners: HashMap<Vec<NodeId>, Vec<usize>>,
    by_child: HashMap<NodeId, Vec<usize>>,
    /// The families of A that a family of B was already united with.
    used: HashSet<NodeId>,
}

/// Returns the families of a file that have partners.
pub(crate) fn families_of(view: &LineageView<'_, '_>) -> Vec<Family> {
    let lineage = view.lineage();
    let ids = (0..).map_while(FamilyId::of_index);
    let families = ids.map_while(|id| Some((view.family(id)?, lineage.family(id)?)));
    let with_members = families.map(|(record, family)| {
        let partners = family.partners().filter_map(|(partner, _)| view.person(partner.id()));
        let mut partners: Vec<NodeId> = partners.map(Node::id).collect();
        partners.sort_unstable();
        partners.dedup();
        let children = family.children().filter_map(|child| view.person(child.id()));
        Family { record: record.id(), partners, children: children.map(Node::id).collect() }
    });
    with_members.filter(|family| !family.partners.is_empty()).collect()
}

impl<'d> FamilyFinder<'d> {
    /// Collects the families of A. Those in `used` are already united with families of B.
    pub(crate) fn of(view: &LineageView<'_, 'd>, used: HashSet<NodeId>) -> FamilyFinder<'d> {
        let families = families_of(view);
        let (mut by_partners, mut by_child) = (HashMap::new(), HashMap::new());
        for (number, family) in families.iter().enumerate() {
            let list: &mut Vec<usize> = by_partners.entry(family.partners.clone()).or_default();
            list.push(number);
            for child in &family.children {
                let list: &mut Vec<usize> = by_child.entry(*child).or_default();
                list.push(number);
            }
        }
        FamilyFinder { document: view.typed().document(), families, by_partners, by_child, used }
    }

    /// Returns the family of A with the same partners. If there is none, returns a family that has
    /// a child and a partner in common with it, if the other partner is missing in one of the
    /// files.
    pub(crate) fn find_match(&mut self, family: &FamilyOfB<'_>) -> Option<NodeId> {
        let found = self.find_by_partners(family).or_else(|| self.find_by_child(family))?;
        self.used.insert(found);
        Some(found)
    }

    /// Returns the family of A whose partners match. If only one partner is known, the family
    /// matches only if there is no other candidate.
    fn find_by_partners(&self, family: &FamilyOfB<'_>) -> Option<NodeId> {
        let mut partners = family.partners.iter().copied().collect::<Option<Vec<NodeId>>>()?;
        partners.sort_unstable();
        partners.dedup();
        match self.by_partners.get(&partners)?.as_slice() {
            [one] => {
                let record = self.families[*one].record;
                (partners.len() > 1 || !self.used.contains(&record)).then_some(record)
            }
            several if partners.len() > 1 => self.find_by_facts(several, family.record),
            _ => None,
        }
    }

    /// Returns the family that has the most facts in common with a family of B. If several families
    /// have equally many, returns the first one.
    fn find_by_facts(&self, numbers: &[usize], record: Node<'_>) -> Option<NodeId> {
        let facts = facts_of(record);
        let mut best: Option<(NodeId, (usize, bool))> = None;
        for number in numbers.iter().take(MAX_FAMILIES) {
            let found = self.families[*number].record;
            let of_a = self.document.node(found).map(facts_of)?;
            let rank = (facts.intersection(&of_a).count(), !self.used.contains(&found));
            if best.is_none_or(|(_, most)| rank > most) {
                best = Some((found, rank));
            }
        }
        best.map(|(found, _)| found)
    }

    fn find_by_child(&self, family: &FamilyOfB<'_>) -> Option<NodeId> {
        let known: HashSet<NodeId> = family.partners.iter().copied().flatten().collect();
        let has_all = family.partners.iter().all(Option::is_some);
        let fits = |number: &&usize| {
            let one = &self.families[**number];
            let common = one.partners.iter().filter(|partner| known.contains(partner)).count();
            // One side has all partners of the other, and at least one partner.
            let is_part = common == one.partners.len() || has_all && common == known.len();
            common > 0 && is_part && !self.used.contains(&one.record)
        };
        let lists = family.children.iter().filter_map(|child| self.by_child.get(child));
        let mut found = lists.flat_map(|list| list.iter().take(MAX_FAMILIES)).filter(fits);
        let first = *found.next()?;
        found.all(|other| *other == first).then_some(self.families[first].record)
    }
}

/// Returns the facts of a family, each with its date, place and other substructures.
fn facts_of(record: Node<'_>) -> HashSet<String> {
    let is_link = |node: &Node<'_>| ["HUSB", "WIFE", "CHIL", "CHAN"].contains(&node.tag());
    let mut facts = HashSet::new();
    for event in record.substructures().filter(|node| !is_link(node)) {
        for below in event.substructures().chain([event]) {
            let payload = payload_key(below.tag(), &below.payload(), str::to_owned);
            if !payload.is_empty() {
                facts.insert(format!("{} {} {payload}", event.tag(), below.tag()));
            }
        }
    }
    facts
}
