//! Reduces two datasets of different drafts to the data that both drafts can express.

use super::targets::resolve_all_pointers;
use crate::dataset::Dataset;
use crate::nodes::{Kind, NONE, NodeData, Nodes};
use elf_base::Rules;
use elf_base::rules::Metadata;
use elf_octets::nfc;
use std::borrow::Cow;
use std::collections::HashSet;
use std::sync::OnceLock;

/// Removes the data from two datasets that the rules of the other one cannot express, so that they can be compared.
/// `rules` are the rules by which each dataset was read.
///
/// Data that is serialisation metadata under either draft is removed from both datasets. If either draft does not
/// distinguish an empty payload from a missing one, empty payloads are removed from both datasets. Records `UNDEF` that
/// January 2019 inserted for unresolved pointers are removed, if the pointer is unresolved in the other dataset too.
///
/// ```
/// use elf_model::{ReadOptions, Rules};
///
/// let octets = b"0 HEAD\n1 CHAR UTF-8\n1 GEDC\n2 VERS 5.5.1\n2 FORM LINEAGE-LINKED\n0 NOTE x\n0 TRLR\n";
/// let rules = [&Rules::DECLARATIVE, &Rules::DECEMBER_2019];
/// let datasets = rules.map(|rules| elf_model::read(octets, rules, &ReadOptions::default(), &mut ()));
/// let datasets = datasets.map(|dataset| dataset.expect("a whole file"));
/// let [one, two] = elf_model::keep_common_data(datasets, rules);
/// // GEDC is data in the declarative draft, and serialisation metadata in December.
/// assert_eq!(one.differences(&two), []);
/// ```
#[must_use]
pub fn keep_common_data(datasets: [Dataset; 2], rules: [&Rules; 2]) -> [Dataset; 2] {
    let terms = CommonTerms::of(rules);
    let [one, two] = &datasets;
    let unresolved = [terms.unresolved_names(one), terms.unresolved_names(two)];
    let removed = [terms.find_removed(one, &unresolved[1]), terms.find_removed(two, &unresolved[0])];
    let [one, two] = datasets;
    let [removed_of_one, removed_of_two] = removed;
    [terms.remove_uncommon(one, &removed_of_one), terms.remove_uncommon(two, &removed_of_two)]
}

/// The data that two sets of rules can both express.
struct CommonTerms {
    /// Whether an empty payload equals a missing payload.
    empty_is_absent: bool,
    /// Whether a record UNDEF may have been inserted for a pointer without a target.
    has_undef_records: bool,
    metadata: [Metadata; 2],
}

impl CommonTerms {
    fn of(rules: [&Rules; 2]) -> CommonTerms {
        CommonTerms {
            // An empty payload differs from a missing one only if both sets of rules distinguish them.
            empty_is_absent: rules.iter().any(|rules| rules.tagged.empty_payload.is_absent()),
            has_undef_records: rules.iter().any(|rules| rules.tagged.xref_errors.inserts_records()),
            metadata: rules.map(|rules| rules.tagged.metadata),
        }
    }

    /// Returns the identifiers of unresolved pointers, if January 2019 may have inserted records for them.
    fn unresolved_names<'d>(&self, dataset: &'d Dataset) -> HashSet<Cow<'d, str>> {
        if !self.has_undef_records {
            return HashSet::new();
        }
        let targets = resolve_all_pointers(dataset);
        let unresolved = dataset.structures().zip(targets).filter(|(_, target)| *target == NONE);
        unresolved.filter_map(|(structure, _)| structure.pointer().map(nfc)).collect()
    }

    /// Finds the records and the structures of the header that are not data under both sets of rules.
    fn find_removed(&self, dataset: &Dataset, unresolved_in_other: &HashSet<Cow<'_, str>>) -> Vec<u32> {
        let metadata = dataset
            .metadata()
            .filter(|structure| self.metadata.iter().any(|rules| rules.includes(structure.tag(), true)));
        let made = dataset.records().filter(|record| {
            // January 2019 inserts such a record for an unresolved pointer (J19 §5.1).
            record.tag() == "UNDEF"
                && record.node().kind == Kind::None
                && record.node().next == record.id + 1
                && unresolved_in_other.contains(&nfc(record.xref().unwrap_or_default()))
        });
        metadata.chain(made).map(|structure| structure.id).collect()
    }

    /// Removes the top structures `removed`, which are given in document order. If an empty payload equals a missing
    /// one, removes the empty payloads too.
    fn remove_uncommon(&self, mut dataset: Dataset, removed: &[u32]) -> Dataset {
        let is_emptied =
            |node: &NodeData| self.empty_is_absent && node.kind == Kind::Literal && node.payload == node.end;
        let mut removed = removed.iter().copied().peekable();
        if removed.peek().is_none() && !dataset.nodes.iter().any(|node| is_emptied(&node)) {
            return dataset;
        }
        let mut nodes = Nodes::with_capacity(dataset.nodes.len());
        // The number of nodes that have been removed. All of them are in earlier subtrees.
        let mut gone = 0;
        let mut metadata = dataset.metadata;
        let mut gone_to = 0;
        for (id, node) in (0..).zip(dataset.nodes.iter()) {
            if removed.next_if_eq(&id).is_some() {
                let length = node.next - id;
                gone += length;
                gone_to = node.next;
                metadata -= if id < dataset.metadata { length } else { 0 };
            }
            if id < gone_to {
                continue;
            }
            let kind = if is_emptied(&node) { Kind::None } else { node.kind };
            let parent = if node.parent == NONE { NONE } else { node.parent - gone };
            nodes.push(NodeData { kind, parent, next: node.next - gone, ..node });
        }
        dataset.nodes = nodes;
        dataset.metadata = metadata;
        dataset.bearers = OnceLock::new();
        dataset
    }
}
