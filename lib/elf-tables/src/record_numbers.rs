//! Numbers of records in the whole document, by which paths tell apart those of one tag, and structures that
//! bear one identifier.

use elf_schema::elf_tagged::NodeId;
use elf_schema::elf_tagged::path::PathTree;
use elf_schema::{Document, Node};
use std::collections::{BTreeMap, HashMap};
use std::hash::{BuildHasher, RandomState};

/// The records of a run by their tags, and the keys of the identifiers that its structures have.
#[derive(Clone, Debug)]
pub(crate) struct RunRecords {
    tags: BTreeMap<Box<str>, u64>,
    bearers: Vec<u64>,
}

/// The numbers of records in a document.
#[derive(Debug, Default)]
pub(crate) struct RecordNumbers {
    /// The number of records of each tag.
    tags: BTreeMap<Box<str>, u64>,
    /// For each run, of the tags of its records, how many there are before it.
    before: Vec<BTreeMap<Box<str>, u64>>,
    /// The keys of the identifiers that are borne, with the run in which; only those that are borne several
    /// times, in order, once all runs were taken.
    bearers: Vec<(u64, u32)>,
}

/// The number of a record among its like, from 1, and how many there are.
pub(crate) type Numbered = (u64, u64);

impl RunRecords {
    pub(crate) fn of(document: &Document<'_>, keys: &RandomState) -> RunRecords {
        let mut tags: BTreeMap<&str, u64> = BTreeMap::new();
        document.visit(None, &mut |id| *tags.entry(document.tag(id)).or_default() += 1);
        let tags = tags.into_iter().map(|(tag, count)| (tag.into(), count)).collect();
        let bearers = bearers(document).map(|(_, xref)| keys.hash_one(xref)).collect();
        RunRecords { tags, bearers }
    }
}

/// The structures of a document that have identifiers.
fn bearers<'a>(document: &'a Document<'_>) -> impl Iterator<Item = (NodeId, &'a str)> {
    let nodes = document.nodes_with_xref().filter(|node| !node.is_inserted());
    nodes.filter_map(|node| Some((node.id(), node.xref()?)))
}

impl RecordNumbers {
    pub(crate) fn take(&mut self, run: RunRecords) {
        let number = u32::try_from(self.before.len()).unwrap_or(u32::MAX);
        let mut before = BTreeMap::new();
        for (tag, count) in run.tags {
            let all = self.tags.entry(tag.clone()).or_default();
            before.insert(tag, *all);
            *all += count;
        }
        self.before.push(before);
        self.bearers.extend(run.bearers.into_iter().map(|key| (key, number)));
    }

    /// Forgets what is borne once.
    pub(crate) fn finish(&mut self) {
        self.bearers.sort_unstable();
        let several = self.bearers.chunk_by(|one, other| one.0 == other.0).filter(|alike| alike.len() > 1);
        self.bearers = several.flatten().copied().collect();
    }

    /// The numbers that the structures of a run have.
    pub(crate) fn of_run<'a>(
        &'a self,
        document: &'a Document<'_>,
        number: usize,
        keys: &RandomState,
    ) -> RunNumbers<'a> {
        let mut bearing = HashMap::new();
        if !self.bearers.is_empty() {
            let mut met: HashMap<u64, u64> = HashMap::new();
            for (id, xref) in bearers(document) {
                let key = keys.hash_one(xref);
                if let Some((before, all)) = self.before_run(key, number) {
                    let met = met.entry(key).or_default();
                    *met += 1;
                    bearing.insert(id, (before + *met, all));
                }
            }
        }
        let before = self.before.get(number);
        RunNumbers { numbers: self, before, met: HashMap::new(), bearing }
    }

    /// The number of structures before a run that have an identifier, and of all that do; `None` where only
    /// one does.
    fn before_run(&self, key: u64, run: usize) -> Option<Numbered> {
        let run = u32::try_from(run).unwrap_or(u32::MAX);
        let first = self.bearers.partition_point(|one| one.0 < key);
        let end = self.bearers.partition_point(|one| one.0 <= key);
        let here = self.bearers.partition_point(|one| *one < (key, run));
        (end > first).then_some(((here - first) as u64, (end - first) as u64))
    }
}

/// The numbers of the records of a run, asked for in the order of the file.
#[derive(Debug)]
pub(crate) struct RunNumbers<'a> {
    numbers: &'a RecordNumbers,
    before: Option<&'a BTreeMap<Box<str>, u64>>,
    /// The number of records of each tag that were asked for.
    met: HashMap<&'a str, u64>,
    /// The numbers of structures among those that have the same identifier.
    bearing: HashMap<NodeId, Numbered>,
}

impl<'a> RunNumbers<'a> {
    /// The number of the next record among those of its tag or, where it has an identifier, among those
    /// that have it.
    pub(crate) fn next(&mut self, record: Node<'a>) -> Numbered {
        let tag = record.tag();
        let met = self.met.entry(tag).or_default();
        *met += 1;
        match record.xref() {
            Some(_) => self.bearing.get(&record.id()).copied().unwrap_or((1, 1)),
            None => {
                let before = self.before.and_then(|before| before.get(tag)).copied().unwrap_or_default();
                (before + *met, self.numbers.tags.get(tag).copied().unwrap_or(1))
            }
        }
    }
}
