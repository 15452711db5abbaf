//! Doubts: what shows that a redaction may leave something of the living that no reading finds.

use crate::records::{RecordAction, RecordKind};
use crate::references::Settled;
use crate::survey::{LinkTable, VOID};

/// A place that shows that something of a person who is hidden may be left.
///
/// It is in what is written, or was never in the file: somebody has to look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Doubt {
    /// The kind of the doubt.
    pub reason: DoubtReason,
    /// The number of the line of the record.
    pub line: u64,
}

/// The kinds of [`Doubt`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum DoubtReason {
    /// Nothing refers to the record, so that nobody knows whom it is about. It stays.
    Unreferenced,
    /// Another record bears the identifier, too: which one those refer to who are hidden nobody knows. It
    /// stays.
    Ambiguous,
    /// A structure in the record bears an identifier, as a record does: what belongs to which nobody knows.
    Nested,
    /// The record points to what is not there. Where the first line of that is damaged, what it holds stands
    /// in another record.
    LostPointer,
    /// The file does not begin with a header: what belongs to its first lines may be missing.
    NoHeader,
    /// The file does not end with a trailer: its last lines may be missing, or be cut.
    NoTrailer,
}

impl DoubtReason {
    /// All of them.
    pub const ALL: [DoubtReason; 6] = [
        DoubtReason::Unreferenced,
        DoubtReason::Ambiguous,
        DoubtReason::Nested,
        DoubtReason::LostPointer,
        DoubtReason::NoHeader,
        DoubtReason::NoTrailer,
    ];

    /// A word for it in data.
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

    /// A clause about records or a file of which it is true.
    pub const fn about(self) -> &'static str {
        match self {
            DoubtReason::Unreferenced => {
                "stays, though nothing refers to it and nobody knows whom it is about"
            }
            DoubtReason::Ambiguous => "stays, and bears an identifier that another record bears, too",
            DoubtReason::Nested => {
                "holds a structure with an identifier, as records have them: it may hold what is another's"
            }
            DoubtReason::LostPointer => {
                "points to what is not there: if its first line is damaged, it is part of another record"
            }
            DoubtReason::NoHeader => "is the first, and no header: something before it may be missing",
            DoubtReason::NoTrailer => "is the last, and no trailer follows: something of it may be missing",
        }
    }
}

/// Finds what is in doubt when a redaction is planned, by kinds.
pub(crate) fn doubts(links: &LinkTable, settled: &Settled, has_trailer: bool) -> Vec<Doubt> {
    let LinkTable { records, bearers, pointers, .. } = links;
    let mut borne = vec![0_u8; links.identifiers.len()];
    let mut referred = borne.clone();
    for bearer in bearers {
        if let Some(count) = borne.get_mut(bearer.identifier as usize) {
            *count = count.saturating_add(1);
        }
    }
    for pointer in pointers {
        if let Some(count) = referred.get_mut(pointer.identifier as usize) {
            *count = 1;
        }
    }
    let count_of =
        |counts: &[u8], identifier: u32| counts.get(identifier as usize).copied().unwrap_or_default();
    let void = links.identifiers.get_index_of(VOID);
    let mut found = Vec::new();
    let mut add = |reason, record: u32| {
        let line = records.get(record as usize).map_or(0, |record| record.line);
        let doubt = Doubt { reason, line };
        if found.last() != Some(&doubt) {
            found.push(doubt);
        }
    };
    let is_kept_other = |record: u32| {
        let at = record as usize;
        records.get(at).is_some_and(|record| record.kind == RecordKind::Other)
            && settled.actions.get(at) == Some(&RecordAction::Keep)
    };
    // What is in a record that something refers to is that record's.
    let mut of_referred = vec![false; records.len()];
    for bearer in bearers.iter().filter(|bearer| count_of(&referred, bearer.identifier) > 0) {
        if let Some(is_referred) = of_referred.get_mut(bearer.record as usize) {
            *is_referred = true;
        }
    }
    for bearer in bearers.iter().filter(|bearer| is_kept_other(bearer.record)) {
        if of_referred.get(bearer.record as usize) == Some(&false) {
            add(DoubtReason::Unreferenced, bearer.record);
        }
    }
    for (record, _) in (0..).zip(records).filter(|&(number, record)| record.is_loose && is_kept_other(number))
    {
        add(DoubtReason::Unreferenced, record);
    }
    for bearer in bearers.iter().filter(|bearer| is_kept_other(bearer.record)) {
        if count_of(&borne, bearer.identifier) > 1 {
            add(DoubtReason::Ambiguous, bearer.record);
        }
    }
    for inner in &links.inner {
        let is_gone = settled.gone.binary_search(&(inner.record, inner.identifier)).is_ok();
        if !is_gone && settled.actions.get(inner.record as usize) == Some(&RecordAction::Keep) {
            add(DoubtReason::Nested, inner.record);
        }
    }
    for pointer in pointers.iter().filter(|pointer| count_of(&borne, pointer.identifier) == 0) {
        if Some(pointer.identifier as usize) == void {
            continue;
        }
        add(DoubtReason::LostPointer, pointer.record);
    }
    if records.first().is_some_and(|record| record.kind != RecordKind::Header) {
        add(DoubtReason::NoHeader, 0);
    }
    if !has_trailer {
        add(DoubtReason::NoTrailer, u32::try_from(records.len().saturating_sub(1)).unwrap_or(u32::MAX));
    }
    found.sort_by_key(|doubt| (doubt.reason, doubt.line));
    found.dedup();
    found
}
