//! Numbers records within the whole document. Paths need the numbers to distinguish records with
//! the same tag and structures with the same identifier.

use elf_schema::elf_tagged::NodeId;
use elf_schema::elf_tagged::path::PathTree;
use elf_schema::{Document, Node};
use siphasher::sip::SipHasher13;
use std::collections::{BTreeMap, HashMap};
use std::hash::{BuildHasher, RandomState};
#[cfg(feature = "parts")]
use std::ops::Range;

/// The records of a run by tag, and the hashed identifiers of its structures.
#[derive(Clone, Debug)]
pub(crate) struct RunRecords {
    tags: BTreeMap<Box<str>, u64>,
    bearers: Vec<u64>,
    keys: XrefKeys,
}

/// The random keys of the hashes of identifiers. They prevent that somebody writes a file in which
/// many identifiers have the same hash.
#[derive(Clone, Copy, Debug, Default)]
#[cfg_attr(feature = "parts", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct XrefKeys(u64, u64);

impl XrefKeys {
    pub(crate) fn new() -> XrefKeys {
        XrefKeys(RandomState::new().hash_one(0), RandomState::new().hash_one(1))
    }

    /// Returns the hash of an identifier. For a part of the document, another computer must get the
    /// same hash.
    fn hash(self, xref: &str) -> u64 {
        SipHasher13::new_with_keys(self.0, self.1).hash(xref.as_bytes())
    }
}

#[derive(Debug, Default)]
#[cfg_attr(feature = "parts", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct RecordNumbers {
    /// The number of records with each tag.
    tags: BTreeMap<Box<str>, u64>,
    /// The number of the first run in `counts_before_run` and `repeated_xrefs`.
    first_run: usize,
    /// For each run, the number of earlier records with each tag.
    counts_before_run: Vec<BTreeMap<Box<str>, u64>>,
    /// The hashed identifiers of structures, each with the number of its run. The list is empty
    /// after the last run.
    #[cfg_attr(feature = "parts", serde(skip))]
    xrefs: Vec<(u64, u32)>,
    /// For each run, the identifiers that several structures of the document have, ordered by their
    /// hashes. The list is empty before the last run.
    repeated_xrefs: Vec<Vec<RepeatedXref>>,
    keys: XrefKeys,
}

/// An identifier of several structures.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "parts", derive(serde::Serialize, serde::Deserialize))]
struct RepeatedXref {
    hash: u64,
    /// The number of structures with this identifier before the run.
    before: u64,
    /// The number of structures with this identifier in the document.
    all: u64,
}

/// The number of a record, from 1, among the records with the same tag or identifier, and the
/// number of these records.
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
        self.xrefs.extend(run.bearers.into_iter().map(|key| (key, number)));
    }

    /// Keeps only the identifiers that several structures have.
    pub(crate) fn keep_repeated(&mut self) {
        let mut xrefs = std::mem::take(&mut self.xrefs);
        xrefs.sort_unstable();
        self.repeated_xrefs.resize(self.counts_before_run.len(), Vec::new());
        for alike in xrefs.chunk_by(|one, other| one.0 == other.0).filter(|alike| alike.len() > 1) {
            let mut before = 0;
            for in_run in alike.chunk_by(|one, other| one.1 == other.1) {
                if let Some(&(hash, run)) = in_run.first()
                    && let Some(of_run) = self.repeated_xrefs.get_mut(run as usize)
                {
                    of_run.push(RepeatedXref { hash, before, all: alike.len() as u64 });
                }
                before += in_run.len() as u64;
            }
        }
    }

    /// Returns the numbers of the structures of some runs.
    #[cfg(feature = "parts")]
    pub(crate) fn of_runs(&self, runs: Range<usize>) -> RecordNumbers {
        let counts_before_run = self.counts_before_run.get(runs.clone()).unwrap_or_default();
        let tags = counts_before_run.iter().flat_map(BTreeMap::keys);
        RecordNumbers {
            tags: tags.filter_map(|tag| Some((tag.clone(), *self.tags.get(tag)?))).collect(),
            first_run: runs.start,
            counts_before_run: counts_before_run.to_vec(),
            xrefs: Vec::new(),
            repeated_xrefs: self.repeated_xrefs.get(runs).unwrap_or_default().to_vec(),
            keys: self.keys,
        }
    }

    /// Returns the numbers for the structures of a run.
    pub(crate) fn of_run<'a>(&'a self, document: &'a Document<'_>, number: usize) -> RunNumbers<'a> {
        let mut bearing = HashMap::new();
        let at = number.checked_sub(self.first_run);
        let repeated = at.and_then(|at| self.repeated_xrefs.get(at)).map(Vec::as_slice).unwrap_or_default();
        if !repeated.is_empty() {
            let mut met: HashMap<u64, u64> = HashMap::new();
            for (id, xref) in structures_with_xref(document) {
                let hash = self.keys.hash(xref);
                let found = repeated.binary_search_by_key(&hash, |one| one.hash).ok();
                if let Some(RepeatedXref { before, all, .. }) = found.and_then(|at| repeated.get(at)) {
                    let met = met.entry(hash).or_default();
                    *met += 1;
                    bearing.insert(id, (before + *met, *all));
                }
            }
        }
        let before = at.and_then(|at| self.counts_before_run.get(at));
        RunNumbers { numbers: self, before, seen: HashMap::new(), numbers_by_xref: bearing }
    }
}

/// The numbers of the records of a run, in file order.
#[derive(Debug)]
pub(crate) struct RunNumbers<'a> {
    numbers: &'a RecordNumbers,
    before: Option<&'a BTreeMap<Box<str>, u64>>,
    /// The number of records with each tag so far.
    seen: HashMap<&'a str, u64>,
    /// The number of each structure among those with the same identifier.
    numbers_by_xref: HashMap<NodeId, RecordNumber>,
}

impl<'a> RunNumbers<'a> {
    /// Returns the number of the next record. A record with an identifier is counted among the
    /// records with the same identifier, and any other record among those with the same tag.
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
