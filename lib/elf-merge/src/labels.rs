//! Keeps the names of facts whose tags have labels in the header, as Family Tree Maker writes them.

use elf_schema::vendors::{is_fact_tag, listed_facts};
use elf_tagged::{Document, Node};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// A tag of facts in a kind of record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct FactTag<'d> {
    pub(crate) record: &'d str,
    pub(crate) tag: &'d str,
}

/// New tags for the facts of B whose tags have another label in A, or none.
#[derive(Debug, Default)]
pub(crate) struct LabelMerge<'b> {
    pub(crate) new_tags: BTreeMap<FactTag<'b>, String>,
}

impl<'b> LabelMerge<'b> {
    pub(crate) fn of(a: &Document<'_>, b: &'b Document<'_>) -> LabelMerge<'b> {
        let (in_a, in_b) = (Facts::of(a), Facts::of(b));
        let mut free_tags = FreeTags::of([&in_a, &in_b]);
        let mut new_tags = BTreeMap::new();
        for of in &in_b.tags {
            let label = in_b.labels.get(of);
            if !in_a.tags.contains(of) || in_a.labels.get(of) == label {
                continue;
            }
            let known = label.and_then(|label| in_a.tags_by_label.get(&(of.record, label.clone())).copied());
            let new = known.map_or_else(|| free_tags.choose(of.record), str::to_owned);
            new_tags.insert(*of, new);
        }
        LabelMerge { new_tags }
    }

    /// Returns the new tag of a structure of B: of a fact, or of its label in the header.
    pub(crate) fn new_tag(&self, node: Node<'b>) -> Option<&str> {
        let above = node.superstructure()?;
        let is_fact = above.superstructure().is_none_or(|list| list.tag() == "_SCHEMA");
        let of = FactTag { record: above.tag(), tag: node.tag() };
        self.new_tags.get(&of).filter(|_| is_fact).map(String::as_str)
    }
}

/// The facts of a file whose tags may have labels.
#[derive(Default)]
struct Facts<'d> {
    /// The tags that the header lists, also without a label, and those in records.
    tags: BTreeSet<FactTag<'d>>,
    labels: HashMap<FactTag<'d>, String>,
    /// The first tag with a label in a kind of record.
    tags_by_label: HashMap<(&'d str, String), &'d str>,
}

impl<'d> Facts<'d> {
    fn of(document: &'d Document<'_>) -> Facts<'d> {
        let mut facts = Facts::default();
        for one in listed_facts(document) {
            let of = FactTag { record: one.record, tag: one.tag };
            facts.tags.insert(of);
            if let Some(label) = one.label {
                facts.tags_by_label.entry((of.record, label.clone())).or_insert(of.tag);
                facts.labels.insert(of, label);
            }
        }
        for record in document.records() {
            let tags = record.substructures().map(Node::tag).filter(|tag| is_fact_tag(tag));
            facts.tags.extend(tags.map(|tag| FactTag { record: record.tag(), tag }));
        }
        facts
    }
}

/// The tags `_FA1`, `_FA2`, … that neither file has.
struct FreeTags<'d> {
    taken: BTreeSet<FactTag<'d>>,
    /// The next number to try, by the tag of the records.
    next: HashMap<String, u64>,
}

impl<'d> FreeTags<'d> {
    fn of(files: [&Facts<'d>; 2]) -> FreeTags<'d> {
        FreeTags {
            taken: files.into_iter().flat_map(|facts| &facts.tags).copied().collect(),
            next: HashMap::new(),
        }
    }

    /// Returns the first free tag in a kind of record, each only once.
    fn choose(&mut self, record: &str) -> String {
        let next = self.next.entry(record.to_owned()).or_insert(1);
        loop {
            let tag = format!("_FA{next}");
            *next += 1;
            if !self.taken.contains(&FactTag { record, tag: &tag }) {
                return tag;
            }
        }
    }
}
