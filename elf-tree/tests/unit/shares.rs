//! Entries in shares.

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
fn there_are_as_many_shares_as_are_needed_and_no_more_than_most() {
    let counts = [0, 1, IN_CACHE - 1, IN_CACHE, 3 * IN_CACHE, 100 * IN_CACHE, 500 * IN_CACHE, usize::MAX / 4]
        .map(count_for);
    assert_eq!(counts, [1, 1, 1, 1, 2, 64, MOST, MOST]);
}
