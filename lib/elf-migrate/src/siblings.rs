//! Counts the substructures of a structure by tag.

use crate::grammar::Structure7;
use crate::record::{Id, Record};
use std::collections::HashMap;

/// Counts the substructures of a structure by tag. Counting starts on first use.
#[derive(Debug)]
pub(crate) struct Siblings {
    parent: Id,
    counts: Option<HashMap<String, usize>>,
}

impl Siblings {
    pub(crate) const fn under(parent: Id) -> Siblings {
        Siblings { parent, counts: None }
    }

    /// Moves one substructure from the count of one tag to that of another.
    pub(crate) fn retag(&mut self, old: &str, new: &str) {
        let Some(counts) = &mut self.counts else { return };
        if let Some(count) = counts.get_mut(old) {
            *count = count.saturating_sub(1);
        }
        *counts.entry(new.to_owned()).or_default() += 1;
    }

    /// Counts the substructures at once.
    pub(crate) fn counted(parent: Id, record: &Record<'_>) -> Siblings {
        Siblings { parent, counts: Some(count_by_tag(record, parent)) }
    }

    /// Returns the number of substructures with a tag. A `NOTE` with a pointer counts as the `SNOTE` of
    /// GEDCOM 7.0.
    pub(crate) fn count(&mut self, record: &Record<'_>, tag: &str) -> usize {
        let counts = self.counts.get_or_insert_with(|| count_by_tag(record, self.parent));
        counts.get(tag).copied().unwrap_or(0)
    }

    /// Returns whether GEDCOM 7.0 allows as many substructures with this tag as there are with it and with `others`,
    /// which have the same meaning.
    pub(crate) fn is_within_limit(
        &mut self,
        record: &Record<'_>,
        parent: Structure7,
        tag: &str,
        others: &[&str],
    ) -> bool {
        let Some(limit) = parent.max_count(tag) else { return true };
        let all: usize = [tag].iter().chain(others).map(|tag| self.count(record, tag)).sum();
        all <= limit as usize
    }
}

fn count_by_tag(record: &Record<'_>, parent: Id) -> HashMap<String, usize> {
    let mut counts: HashMap<String, usize> = HashMap::new();
    for &id in &record.get(parent).below {
        let structure = record.get(id);
        let is_shared_note = &*structure.tag == "NOTE" && structure.payload.is_pointer();
        let tag = if is_shared_note { "SNOTE" } else { &*structure.tag };
        match counts.get_mut(tag) {
            Some(count) => *count += 1,
            None => _ = counts.insert(tag.to_owned(), 1),
        }
    }
    counts
}
