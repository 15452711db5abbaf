//! Occurrences in shares, and back in their order.

use super::*;

#[test]
fn entries_are_sorted_by_share_and_keep_their_order() {
    let entries: Vec<u32> = (0..1000).map(|number: u32| number.wrapping_mul(2_654_435_761) >> 7).collect();
    let share = |entry: &u32| entry.to_le_bytes()[0] % 8;
    let (sorted, ends) = sort(&entries, 8, share);
    let mut expected = entries.clone();
    expected.sort_by_key(share);
    assert_eq!(*sorted, *expected);
    let in_share = |number: u8| entries.iter().filter(|entry| share(entry) <= number).count();
    assert_eq!(*ends, *(0..8).map(|number| u32::try_from(in_share(number)).unwrap()).collect::<Vec<_>>());
}

#[test]
fn there_are_as_many_shares_as_a_text_needs_and_no_more_than_most() {
    let counts = [0, 1, TEXT - 1, TEXT, 3 * TEXT, 100 * TEXT, 500 * TEXT, usize::MAX / 4].map(count_for);
    assert_eq!(counts, [1, 1, 1, 1, 2, 64, MOST, MOST]);
}

#[test]
fn occurrences_come_back_in_order_whatever_their_shares() {
    let keys = Keys::default();
    for length in [0, 9 * TEXT] {
        let mut lists = ShareLists::of_text(length, 64);
        // Of two neighbours, the second one first.
        for node in (0..1000).map(|number| number ^ 1) {
            lists.push_late(Occurrence::new(keys.key(&format!("I{node}")), node, false), &keys);
            if node % 7 == 0 {
                lists.take_back(node ^ 1);
                lists.take_back(node);
            }
        }
        lists.retain(|one| one.node % 2 == 0);
        lists.put_in_order();
        let nodes: Vec<u32> = lists.in_order().iter().map(|one| one.node).collect();
        assert_eq!(nodes, (0..1000).filter(|node| node % 2 == 0 && node % 7 > 0).collect::<Vec<_>>());
    }
}
