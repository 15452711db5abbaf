//! Terms by which two datasets of different drafts can be compared.

use crate::dataset::Dataset;
use crate::nodes::{Kind, NONE, NodeData};
use elf_base::Rules;
use elf_base::rules::Metadata;
use elf_octets::nfc;
use std::borrow::Cow;
use std::collections::HashSet;
use std::sync::OnceLock;

/// The part of two datasets that the rules of both count as data: what is serialisation to one of them, or
/// what it cannot tell apart, is no difference.
///
/// ```
/// use elf_model::{Common, ReadOptions, Rules};
///
/// let octets = b"0 HEAD\n1 CHAR UTF-8\n1 GEDC\n2 VERS 5.5.1\n2 FORM LINEAGE-LINKED\n0 NOTE x\n0 TRLR\n";
/// let rules = [&Rules::DECLARATIVE, &Rules::DECEMBER_2019];
/// let datasets = rules.map(|rules| elf_model::read(octets, rules, &ReadOptions::default(), &mut ()));
/// let [one, two] = datasets.map(|dataset| dataset.expect("a whole file"));
/// let [one, two] = Common::of(rules).reduce([&one, &two]);
/// // GEDC is data in the declarative draft, and serialisation metadata in December.
/// assert_eq!(one.differences(&two), []);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Common {
    /// True if an empty payload is no payload.
    empty_is_absent: bool,
    /// True if records UNDEF may stand for the missing targets of pointers.
    undef: bool,
    rules: [Metadata; 2],
}

impl Common {
    /// Returns the parts of datasets that files read by these rules have in common.
    pub fn of(rules: [&Rules; 2]) -> Common {
        let kinds = rules.map(|rules| rules.tagged.metadata);
        Common {
            // Only rules that write both tell the two apart.
            empty_is_absent: rules.iter().any(|rules| rules.tagged.empty_payload.is_absent()),
            undef: rules.iter().any(|rules| rules.tagged.xref_errors.inserts_records()),
            rules: kinds,
        }
    }

    /// The parts of two datasets that are data by both rules.
    pub fn reduce(&self, datasets: [&Dataset; 2]) -> [Dataset; 2] {
        let [one, two] = datasets.map(|dataset| self.loose_names(dataset));
        let [first, second] = datasets;
        [self.reduce_beside(first, &two), self.reduce_beside(second, &one)]
    }

    /// Tells whether records may be no data, as they were made for pointers.
    pub(super) const fn makes_records(self) -> bool {
        self.undef
    }

    /// Tells whether an empty payload is no payload.
    pub(super) const fn empty_is_absent(self) -> bool {
        self.empty_is_absent
    }

    /// Tells whether a structure of that tag is no data where it stands directly in the metadata.
    pub(super) fn is_serialisation(self, tag: &str) -> bool {
        self.rules.iter().any(|rules| rules.takes(tag, true))
    }

    /// Returns what pointers name that lead nowhere, where January 2019 may have made records for it.
    fn loose_names<'d>(&self, dataset: &'d Dataset) -> HashSet<Cow<'d, str>> {
        if !self.undef {
            return HashSet::new();
        }
        let targets = super::side::targets(dataset);
        let loose = dataset.structures().zip(targets).filter(|(_, target)| *target == NONE);
        loose.filter_map(|(structure, _)| structure.pointer().map(nfc)).collect()
    }

    /// Returns the part of a dataset that is data by both rules; `loose` are the names in the other dataset
    /// that lead nowhere.
    fn reduce_beside(&self, dataset: &Dataset, loose: &HashSet<Cow<'_, str>>) -> Dataset {
        let mut reduced = dataset.clone();
        let mut nodes: Vec<NodeData> = Vec::new();
        reduced.bearers = OnceLock::new();
        // How many nodes were kept before each.
        let mut kept_before: Vec<u32> = Vec::with_capacity(dataset.nodes.len() + 1);
        let mut gone_to = 0;
        for (id, node) in (0..).zip(dataset.nodes.iter()) {
            kept_before.push(super::side::count(nodes.len()));
            if id < gone_to {
                continue;
            }
            if self.is_no_data((dataset, loose), id, &node) {
                gone_to = node.next.max(id + 1);
                continue;
            }
            let is_empty = node.kind == Kind::Literal && node.payload == node.end;
            let kind = if is_empty && self.empty_is_absent { Kind::None } else { node.kind };
            nodes.push(NodeData { kind, ..node });
        }
        kept_before.push(super::side::count(nodes.len()));
        let now = |id: u32| kept_before.get(id as usize).copied().unwrap_or(NONE);
        for node in &mut nodes {
            node.next = now(node.next);
            if node.parent != NONE {
                node.parent = now(node.parent);
            }
        }
        reduced.nodes = nodes.into_iter().collect();
        reduced.metadata = now(dataset.metadata);
        reduced
    }

    fn is_no_data(
        &self,
        (dataset, loose): (&Dataset, &HashSet<Cow<'_, str>>),
        id: u32,
        node: &NodeData,
    ) -> bool {
        if node.parent != NONE {
            return false;
        }
        let tag = dataset.tags.get_index(node.tag as usize).map(|tag| &**tag).unwrap_or_default();
        if id < dataset.metadata {
            return self.is_serialisation(tag);
        }
        // What January 2019 makes of a pointer that leads nowhere (J19 §5.1), where it still does in the
        // other dataset.
        let is_made = tag == "UNDEF" && node.kind == Kind::None && node.next == id + 1;
        is_made && loose.contains(&nfc(dataset.slice(node.start, node.payload)))
    }
}
