//! Occurrences that are added late or taken back.

use super::*;
use crate::xref::key::Keys;

#[test]
fn an_occurrence_has_12_octets() {
    assert_eq!(size_of::<Occurrence>(), 12);
}

#[test]
fn occurrences_come_back_in_order() {
    let keys = Keys::default();
    for length in [0, 9 * LONG_TEXT] {
        let mut list = OccurrenceList::of_text(length, 64);
        // Of two neighbours, the second one first.
        for node in (0..1000).map(|number| number ^ 1) {
            list.push_late(Occurrence::new(keys.key(&format!("I{node}")), node));
            if node % 7 == 0 {
                list.take_back(node ^ 1);
                list.take_back(node);
            }
        }
        list.retain(|one| one.node % 2 == 0);
        list.put_in_order();
        let nodes: Vec<u32> = list.in_order().iter().map(|one| one.node).collect();
        assert_eq!(nodes, (0..1000).filter(|node| node % 2 == 0 && node % 7 > 0).collect::<Vec<_>>());
    }
}
