//! Numbers records within the whole document. Paths need the numbers to distinguish records with
//! the same tag and structures with the same identifier.

use elf_schema::elf_tagged::NodeId;
use elf_schema::elf_tagged::path::PathTree;
use elf_schema::{Document, Node};
use std::collections::{BTreeMap, HashMap};
use std::hash::{BuildHasher, DefaultHasher, Hash, Hasher, RandomState};
#[cfg(feature = "parts")]
use std::ops::Range;

/// The records of a run by tag, and the hashed identifiers of its structures.
#[derive(Clone, Debug)]
pub(crate) struct RunRecords {
    tags: BTreeMap<Box<str>, u64>,
    bearers: Vec<u64>,
    keys: XrefKeys,
}

/// The random start of the hashes of identifiers. Nobody can write a file in which many identifiers have the same hash.
#[derive(Clone, Copy, Debug, Default)]
#[cfg_attr(feature = "parts", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct XrefKeys(u64, u64);

impl XrefKeys {
    pub(crate) fn new() -> XrefKeys {
        XrefKeys(RandomState::new().hash_one(0), RandomState::new().hash_one(1))
    }

    fn hash(self, xref: &str) -> u64 {
        let mut hasher = DefaultHasher::new();
        (self.0, self.1, xref).hash(&mut hasher);
        hasher.finish()
    }
}

#[derive(Debug, Default)]
#[cfg_attr(feature = "parts", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct RecordNumbers {
    /// The number of records with each tag.
    tags: BTreeMap<Box<str>, u64>,
    /// The number of the first run in `counts_before_run`.
    first_run: usize,
    /// For each run, the number of earlier records with each tag.
    counts_before_run: Vec<BTreeMap<Box<str>, u64>>,
    /// The hashed identifiers of structures, each with its run, in order. After the last run, only
    /// repeated identifiers are kept.
    repeated_xrefs: Vec<(u64, u32)>,
    keys: XrefKeys,
}

/// The number of a record among those with the same tag or identifier, from 1, and their count.
pub(crate) type RecordNumber = (u64, u64);

impl RunRecords {
    pub(crate) fn of(document: &Document<'_>, keys: XrefKeys) -> RunRecords {
        let mut tags: BTreeMap<&str, u64> = BTreeMap::new();
        document.visit(None, &mut |id| *tags.entry(document.tag(id)).or_default() += 1);
        let tags = tags.into_iter().map(|(tag, count)| (tag.into(), count)).collect();
        let bearers = structures_with_xref(document).map(|(_, xref)| keys.hash(xref)).collect();
        RunRecords { tags, bearers, keys }
    }
}

fn structures_with_xref<'a>(document: &'a Document<'_>) -> impl Iterator<Item = (NodeId, &'a str)> {
    let nodes = document.nodes_with_xref().filter(|node| !node.is_inserted());
    nodes.filter_map(|node| Some((node.id(), node.xref()?)))
}

impl RecordNumbers {
    pub(crate) fn add_run(&mut self, run: RunRecords) {
        let number = u32::try_from(self.counts_before_run.len()).unwrap_or(u32::MAX);
        let mut before = BTreeMap::new();
        self.keys = run.keys;
        for (tag, count) in run.tags {
            let all = self.tags.entry(tag.clone()).or_default();
            before.insert(tag, *all);
            *all += count;
        }
        self.counts_before_run.push(before);
        self.repeated_xrefs.extend(run.bearers.into_iter().map(|key| (key, number)));
    }

    /// Keeps only the identifiers that several structures have.
    pub(crate) fn keep_repeated(&mut self) {
        self.repeated_xrefs.sort_unstable();
        let several =
            self.repeated_xrefs.chunk_by(|one, other| one.0 == other.0).filter(|alike| alike.len() > 1);
        self.repeated_xrefs = several.flatten().copied().collect();
    }

    /// Returns the numbers of the structures of some runs.
    #[cfg(feature = "parts")]
    pub(crate) fn of_runs(&self, runs: Range<usize>) -> RecordNumbers {
        let is_in_runs = |entry: &(u64, u32)| runs.contains(&(entry.1 as usize));
        let groups = self.repeated_xrefs.chunk_by(|one, other| one.0 == other.0);
        let repeated = groups.filter(|group| group.iter().any(is_in_runs));
        RecordNumbers {
            tags: self.tags.clone(),
            first_run: runs.start,
            repeated_xrefs: repeated.flatten().copied().collect(),
            counts_before_run: self.counts_before_run.get(runs).unwrap_or_default().to_vec(),
            keys: self.keys,
        }
    }

    /// Returns the numbers for the structures of a run.
    pub(crate) fn of_run<'a>(&'a self, document: &'a Document<'_>, number: usize) -> RunNumbers<'a> {
        let mut bearing = HashMap::new();
        if !self.repeated_xrefs.is_empty() {
            let mut met: HashMap<u64, u64> = HashMap::new();
            for (id, xref) in structures_with_xref(document) {
                let key = self.keys.hash(xref);
                if let Some((before, all)) = self.number_before_run(key, number) {
                    let met = met.entry(key).or_default();
                    *met += 1;
                    bearing.insert(id, (before + *met, all));
                }
            }
        }
        let at = number.checked_sub(self.first_run);
        let before = at.and_then(|at| self.counts_before_run.get(at));
        RunNumbers { numbers: self, before, seen: HashMap::new(), numbers_by_xref: bearing }
    }

    /// Returns the number of structures with an identifier before a run, and their total number.
    /// `None` if only one structure has the identifier.
    fn number_before_run(&self, key: u64, run: usize) -> Option<RecordNumber> {
        let run = u32::try_from(run).unwrap_or(u32::MAX);
        let first = self.repeated_xrefs.partition_point(|one| one.0 < key);
        let end = self.repeated_xrefs.partition_point(|one| one.0 <= key);
        let here = self.repeated_xrefs.partition_point(|one| *one < (key, run));
        (end > first).then_some(((here - first) as u64, (end - first) as u64))
    }
}

/// The numbers of the records of a run, in file order.
#[derive(Debug)]
pub(crate) struct RunNumbers<'a> {
    numbers: &'a RecordNumbers,
    before: Option<&'a BTreeMap<Box<str>, u64>>,
    /// The number of records with each tag so far.
    seen: HashMap<&'a str, u64>,
    /// The numbers of structures among those with the same identifier.
    numbers_by_xref: HashMap<NodeId, RecordNumber>,
}

impl<'a> RunNumbers<'a> {
    /// Returns the number of the next record. Records with an identifier are counted among those
    /// with the same identifier, others among those with the same tag.
    pub(crate) fn next_number(&mut self, record: Node<'a>) -> RecordNumber {
        let tag = record.tag();
        let met = self.seen.entry(tag).or_default();
        *met += 1;
        match record.xref() {
            Some(_) => self.numbers_by_xref.get(&record.id()).copied().unwrap_or((1, 1)),
            None => {
                let before = self.before.and_then(|before| before.get(tag)).copied().unwrap_or_default();
                (before + *met, self.numbers.tags.get(tag).copied().unwrap_or(1))
            }
        }
    }
}
