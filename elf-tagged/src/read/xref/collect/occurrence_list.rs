//! A list of occurrences, which the builder of the tree fills.

use super::Occurrence;

/// Occurrences in document order. Occurrences that are added [late](OccurrenceList::push_late) are out of order until
/// [`put_in_order`](OccurrenceList::put_in_order) is called.
#[derive(Debug, Default)]
pub(crate) struct OccurrenceList {
    all: Vec<Occurrence>,
    is_disordered: bool,
}

/// Memory is allocated in advance for texts of at least this length.
const LONG_TEXT: usize = 1 << 22;

impl OccurrenceList {
    /// Creates an empty list. For a long text, the list has room for one occurrence in every `each` bytes.
    pub(super) fn of_text(length: usize, each: usize) -> OccurrenceList {
        let expected = if length < LONG_TEXT { 0 } else { length / each };
        OccurrenceList { all: Vec::with_capacity(expected), is_disordered: false }
    }

    #[inline(always)]
    pub(crate) fn push(&mut self, occurrence: Occurrence) {
        self.all.push(occurrence);
    }

    /// Adds an occurrence that must come before others in the list. For example, a pointer that is merged from several
    /// lines is known only at the end of its record.
    #[cold]
    pub(crate) fn push_late(&mut self, occurrence: Occurrence) {
        self.push(occurrence);
        self.is_disordered = true;
    }

    pub(super) fn put_in_order(&mut self) {
        if std::mem::take(&mut self.is_disordered) {
            self.all.sort_by_key(Occurrence::node);
        }
    }

    pub(crate) fn remove_last_of(&mut self, node: u32) {
        self.all.pop_if(|occurrence| occurrence.node == node);
    }

    pub(super) fn retain(&mut self, keep: impl Fn(&Occurrence) -> bool) {
        self.all.retain(keep);
    }

    pub(in crate::read::xref) fn in_order(&self) -> &[Occurrence] {
        debug_assert!(
            self.all.is_sorted_by_key(|occurrence| occurrence.node),
            "late ones are in their places"
        );
        &self.all
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read::xref::key::Keys;

    #[test]
    fn an_occurrence_has_12_octets() {
        assert_eq!(size_of::<Occurrence>(), 12);
    }

    #[test]
    fn occurrences_come_back_in_order() {
        let keys = Keys::default();
        for length in [0, 9 * LONG_TEXT] {
            let mut list = OccurrenceList::of_text(length, 64);
            // Swap each pair of neighbours.
            for node in (0..1000).map(|number| number ^ 1) {
                list.push_late(Occurrence::new(keys.key(&format!("I{node}")), node));
                if node % 7 == 0 {
                    list.remove_last_of(node ^ 1);
                    list.remove_last_of(node);
                }
            }
            list.retain(|one| one.node % 2 == 0);
            list.put_in_order();
            let nodes: Vec<u32> = list.in_order().iter().map(|one| one.node).collect();
            assert_eq!(nodes, (0..1000).filter(|node| node % 2 == 0 && node % 7 > 0).collect::<Vec<_>>());
        }
    }
}
