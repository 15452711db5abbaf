//! Shares of identifiers, by their hashes: those that are looked up share by share find a table that stays in
//! the cache, however many there are. In a whole document nearly all identifiers are counted, and need none.

/// The most shares that are made. The table of a share of three million identifiers takes less than a
/// mebioctet.
pub(super) const MOST: u8 = 128;

/// The number of identifiers whose table stays in the cache.
const IN_CACHE: usize = 20_000;

/// The number of shares for so many identifiers: a power of two.
pub(in crate::read::xref) fn count_for(identifiers: usize) -> u8 {
    let shares = (identifiers / IN_CACHE + 1).next_power_of_two() / 2;
    u8::try_from(shares.max(1)).map_or(MOST, |shares| shares.min(MOST))
}

/// The share that a hash belongs to, of as many as a power of two says: not by the bits by which a table
/// tells its entries apart.
#[inline]
pub(in crate::read::xref) const fn share_of(hash: u64, shares: u8) -> u8 {
    hash.to_le_bytes()[4] & shares.wrapping_sub(1)
}

/// Sorts entries by their shares, those of a share in the order they come in. The entries, and where each
/// share ends.
///
/// It is done by counting: how many there are of each share says where each of them belongs.
pub(in crate::read::xref) fn sort<T: Copy>(
    entries: &[T],
    shares: u8,
    share: impl Fn(&T) -> u8,
) -> (Box<[T]>, Box<[u32]>) {
    let shares_of: Vec<u8> = entries.iter().map(share).collect();
    let mut next = vec![0_u32; usize::from(shares)];
    for &share in &shares_of {
        if let Some(count) = next.get_mut(usize::from(share)) {
            *count += 1;
        }
    }
    let mut sum = 0;
    for next in &mut next {
        (*next, sum) = (sum, sum + *next);
    }
    let mut sorted: Box<[T]> = entries.into();
    for (&share, entry) in shares_of.iter().zip(entries) {
        if let Some(at) = next.get_mut(usize::from(share)) {
            if let Some(slot) = sorted.get_mut(*at as usize) {
                *slot = *entry;
            }
            *at += 1;
        }
    }
    // Each share has been gone through, so that its next entry would be the first one of the next share.
    (sorted, next.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_are_sorted_by_share_and_keep_their_order() {
        let entries: Vec<u32> =
            (0..1000).map(|number: u32| number.wrapping_mul(2_654_435_761) >> 7).collect();
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
        let counts =
            [0, 1, IN_CACHE - 1, IN_CACHE, 3 * IN_CACHE, 100 * IN_CACHE, 500 * IN_CACHE, usize::MAX / 4]
                .map(count_for);
        assert_eq!(counts, [1, 1, 1, 1, 2, 64, MOST, MOST]);
    }
}
