//! Finds doubts: signs that a redacted file may still contain something about a living person.

use crate::links::{IdentifiedStructure, InnerRecord, LinkTable};
use crate::records::{RecordAction, RecordKind};
use crate::references::{InnerStructure, SettledRecords};
use crate::structures::VOID;

/// A record that should be checked, because it may still contain information about a hidden person.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Doubt {
    /// The reason for the doubt.
    pub reason: DoubtReason,
    /// The line number of the record.
    pub line: u64,
}

/// Why a record should be checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum DoubtReason {
    /// The record is kept although no record refers to it, so nobody knows whom it is about.
    Unreferenced,
    /// The record is kept although another record has the same identifier. Pointers of hidden
    /// people may refer to either record.
    Ambiguous,
    /// A structure inside the record has an identifier, like a record, and may belong to someone
    /// else.
    Nested,
    /// The record has an unresolved pointer. If the first line of the target record is damaged, the
    /// other lines of that record are part of another one.
    LostPointer,
    /// The file does not start with a header, so the start of its first record may be missing.
    NoHeader,
    /// The file does not end with a trailer, so the end of its last record may be missing.
    NoTrailer,
}

impl DoubtReason {
    /// All reasons.
    pub const ALL: [DoubtReason; 6] = [
        DoubtReason::Unreferenced,
        DoubtReason::Ambiguous,
        DoubtReason::Nested,
        DoubtReason::LostPointer,
        DoubtReason::NoHeader,
        DoubtReason::NoTrailer,
    ];

    /// Returns the name in JSON.
    pub const fn name(self) -> &'static str {
        match self {
            DoubtReason::Unreferenced => "unreferenced",
            DoubtReason::Ambiguous => "ambiguous",
            DoubtReason::Nested => "nested",
            DoubtReason::LostPointer => "lost-pointer",
            DoubtReason::NoHeader => "no-header",
            DoubtReason::NoTrailer => "no-trailer",
        }
    }

    /// Returns a clause about such records, for messages.
    pub const fn about(self) -> &'static str {
        match self {
            DoubtReason::Unreferenced => "is kept, although no record refers to it and its person is unknown",
            DoubtReason::Ambiguous => "is kept, but another record has the same identifier",
            DoubtReason::Nested => {
                "contains a structure with an identifier, so it may contain lines of another record"
            }
            DoubtReason::LostPointer => {
                "has an unresolved pointer, so its first line may be damaged and it may belong to another record"
            }
            DoubtReason::NoHeader => "is the first and not a header, so lines before it may be missing",
            DoubtReason::NoTrailer => "is the last and no trailer follows, so its end may be missing",
        }
    }
}

/// Finds the doubts about a redacted file, by reason, and in file order for each reason.
pub(crate) fn find_doubts(links: &LinkTable, settled: &SettledRecords, has_trailer: bool) -> Vec<Doubt> {
    let finder = DoubtFinder::new(links, settled);
    let mut doubts = Vec::new();
    let mut add = |reason, records: Vec<u32>| {
        doubts.extend(records.into_iter().map(|record| Doubt { reason, line: links.record(record).line }));
    };
    add(DoubtReason::Unreferenced, finder.unreferenced_records());
    add(DoubtReason::Ambiguous, finder.ambiguous_records());
    add(DoubtReason::Nested, finder.records_with_nested_identifiers());
    add(DoubtReason::LostPointer, finder.records_with_unresolved_pointers());
    add(DoubtReason::NoHeader, finder.first_record_if_no_header());
    if !has_trailer {
        let last = links.records.last().map_or(0, |record| record.line);
        doubts.push(Doubt { reason: DoubtReason::NoTrailer, line: last });
    }
    doubts.sort_by_key(|doubt| (doubt.reason, doubt.line));
    doubts.dedup();
    doubts
}

struct DoubtFinder<'s> {
    links: &'s LinkTable,
    settled: &'s SettledRecords,
    /// The number of structures with each identifier.
    bearer_counts: Vec<u32>,
    /// For each identifier, whether any pointer has it.
    is_pointed_to: Vec<bool>,
}

impl<'s> DoubtFinder<'s> {
    fn new(links: &'s LinkTable, settled: &'s SettledRecords) -> DoubtFinder<'s> {
        let mut bearer_counts = vec![0; links.identifiers.len()];
        let mut is_referred = vec![false; links.identifiers.len()];
        links.bearers.iter().for_each(|bearer| bearer_counts[bearer.identifier as usize] += 1);
        links.pointers.iter().for_each(|pointer| is_referred[pointer.identifier as usize] = true);
        DoubtFinder { links, settled, bearer_counts, is_pointed_to: is_referred }
    }

    /// Finds kept records that nothing refers to. Includes kept records that may have been
    /// substructures.
    fn unreferenced_records(&self) -> Vec<u32> {
        // A structure that something refers to belongs to the record that contains it.
        let mut is_in_referred = vec![false; self.links.records.len()];
        for bearer in self.links.bearers.iter().filter(|one| self.is_pointed_to[one.identifier as usize]) {
            is_in_referred[bearer.record as usize] = true;
        }
        let bearers = self.links.bearers.iter().map(|bearer| bearer.record);
        let unreferenced = bearers.filter(|&record| !is_in_referred[record as usize]);
        let loose = (0..).zip(&self.links.records).filter(|(_, record)| record.is_loose);
        let all = unreferenced.chain(loose.map(|(number, _)| number));
        all.filter(|&record| self.is_kept_other_record(record)).collect()
    }

    /// Finds kept records whose identifier another structure also has.
    fn ambiguous_records(&self) -> Vec<u32> {
        let repeated = |bearer: &&IdentifiedStructure| self.bearer_counts[bearer.identifier as usize] > 1;
        let records = self.links.bearers.iter().filter(repeated).map(|bearer| bearer.record);
        records.filter(|&record| self.is_kept_other_record(record)).collect()
    }

    /// Finds kept records with a kept substructure that has an identifier.
    fn records_with_nested_identifiers(&self) -> Vec<u32> {
        let stays = |inner: &&InnerRecord| {
            let inner = InnerStructure { record: inner.record, identifier: inner.identifier };
            self.is_kept_record(inner.record) && self.settled.unreferenced.binary_search(&inner).is_err()
        };
        self.links.inner.iter().filter(stays).map(|inner| inner.record).collect()
    }

    fn records_with_unresolved_pointers(&self) -> Vec<u32> {
        let void = self.links.identifiers.get_index_of(VOID);
        let is_unresolved =
            |identifier: usize| self.bearer_counts[identifier] == 0 && Some(identifier) != void;
        let unresolved = self.links.pointers.iter().filter(|one| is_unresolved(one.identifier as usize));
        unresolved.map(|pointer| pointer.record).collect()
    }

    fn first_record_if_no_header(&self) -> Vec<u32> {
        let first = self.links.records.first();
        if first.is_some_and(|first| first.kind != RecordKind::Header) { vec![0] } else { Vec::new() }
    }

    fn is_kept_record(&self, record: u32) -> bool {
        self.settled.actions[record as usize] == RecordAction::Keep
    }

    fn is_kept_other_record(&self, record: u32) -> bool {
        self.links.record(record).kind == RecordKind::Other && self.is_kept_record(record)
    }
}
