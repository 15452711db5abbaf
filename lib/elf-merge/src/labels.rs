//! Keeps the names of facts whose tags have labels in the header, as Family Tree Maker writes them.

use elf_schema::vendors::{fact_labels, is_fact_tag};
use elf_tagged::{Document, Node};
use std::collections::{BTreeMap, HashMap, HashSet};

/// A tag of facts in a kind of record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct FactTag<'d> {
    record: &'d str,
    tag: &'d str,
}

/// New tags for the facts of B whose tags have another label in A, or none.
#[derive(Debug, Default)]
pub(crate) struct LabelMerge<'b> {
    pub(crate) new_tags: BTreeMap<FactTag<'b>, String>,
}

impl<'b> LabelMerge<'b> {
    pub(crate) fn of(a: &Document<'_>, b: &'b Document<'_>) -> LabelMerge<'b> {
        let (in_a, in_b) = (Facts::of(a), Facts::of(b));
        // The tags that no other fact may get.
        let mut taken: HashSet<(String, String)> = HashSet::new();
        for of in in_a.tags().chain(in_b.tags()) {
            taken.insert((of.record.to_owned(), of.tag.to_owned()));
        }
        let tags_by_label: HashMap<(&str, &str), &str> =
            in_a.labels.iter().map(|(of, label)| ((of.record, &**label), of.tag)).collect();
        let mut all: Vec<FactTag<'b>> = in_b.tags().collect();
        all.sort_unstable();
        all.dedup();
        let mut new_tags = BTreeMap::new();
        for of in all {
            let label = in_b.labels.get(&of);
            if !in_a.has(of) || in_a.labels.get(&of) == label {
                continue;
            }
            let known = label.and_then(|label| tags_by_label.get(&(of.record, &**label)));
            let new = known.map_or_else(|| choose_free_tag(of.record, &mut taken), |tag| (*tag).to_owned());
            new_tags.insert(of, new);
        }
        LabelMerge { new_tags }
    }

    /// Returns the new tag of a structure of B: of a fact, or of its label in the header.
    pub(crate) fn new_tag(&self, node: Node<'b>) -> Option<&str> {
        let above = node.superstructure()?;
        let is_fact = above.superstructure().is_none_or(|list| list.tag() == "_SCHEMA");
        self.new_tags
            .get(&FactTag { record: above.tag(), tag: node.tag() })
            .filter(|_| is_fact)
            .map(String::as_str)
    }
}

impl FactTag<'_> {
    /// Returns the tag.
    pub(crate) const fn tag(&self) -> &str {
        self.tag
    }
}

/// The facts of a file whose tags may have labels.
struct Facts<'d> {
    labels: HashMap<FactTag<'d>, String>,
    used: HashSet<FactTag<'d>>,
}

impl<'d> Facts<'d> {
    fn of(document: &'d Document<'_>) -> Facts<'d> {
        let mut labels = HashMap::new();
        for one in fact_labels(document) {
            labels.entry(FactTag { record: one.record, tag: one.tag }).or_insert(one.label);
        }
        let of_record = |record: Node<'d>| {
            let tags = record.substructures().map(Node::tag).filter(|tag| is_fact_tag(tag));
            tags.map(move |tag| FactTag { record: record.tag(), tag })
        };
        let used = document.records().flat_map(of_record).collect();
        Facts { labels, used }
    }

    fn has(&self, of: FactTag<'_>) -> bool {
        self.labels.contains_key(&of) || self.used.contains(&of)
    }

    fn tags(&self) -> impl Iterator<Item = FactTag<'d>> {
        self.labels.keys().chain(&self.used).copied()
    }
}

/// Returns the first tag `_FA1`, `_FA2`, … that neither file has in a kind of record.
fn choose_free_tag(record: &str, taken: &mut HashSet<(String, String)>) -> String {
    let mut number = 1_u64;
    loop {
        let tag = format!("_FA{number}");
        if taken.insert((record.to_owned(), tag.clone())) {
            return tag;
        }
        number += 1;
    }
}
