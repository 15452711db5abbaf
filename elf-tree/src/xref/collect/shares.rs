//! Shares of the identifiers, by their hashes: names that are looked up share by share find a table that
//! stays in the cache, however many there are.

use super::super::key::Keys;
use super::Occurrence;
use std::borrow::Cow;

/// The most shares that are made. The table of a share of three million identifiers takes less than a
/// mebioctet.
pub(super) const MOST: u8 = 128;

/// The length of a text that has no more identifiers than a table in the cache holds, in octets: with a
/// record every hundred octets, twenty thousand.
const TEXT: usize = 1 << 21;

/// Occurrences by the shares of their identifiers, those of a share in document order.
pub(crate) struct ShareLists {
    /// The lists of the shares, whose number is a power of two.
    lists: Vec<Vec<Occurrence>>,
    /// The share of the occurrence added last.
    last: u8,
    /// Set when an occurrence is added [late](ShareLists::push_late).
    disordered: bool,
}

impl Default for ShareLists {
    fn default() -> ShareLists {
        ShareLists::of_text(0, 1)
    }
}

impl ShareLists {
    /// Makes empty lists, with room for an occurrence in every `each` octets of a text of that length, if it
    /// is long.
    pub(crate) fn of_text(length: usize, each: usize) -> ShareLists {
        let shares = count_for(length);
        let expected = if shares > 1 { length / each / usize::from(shares) } else { 0 };
        ShareLists {
            lists: (0..shares).map(|_| Vec::with_capacity(expected)).collect(),
            last: 0,
            disordered: false,
        }
    }

    /// Adds an occurrence.
    #[inline(always)]
    pub(crate) fn push(&mut self, occurrence: Occurrence, keys: &Keys) {
        // Where there is but one share, as nearly always, nothing is worked out.
        match self.lists.as_mut_slice() {
            [only] => only.push(occurrence),
            _ => self.push_to_share(occurrence, keys),
        }
    }

    #[inline(never)]
    fn push_to_share(&mut self, occurrence: Occurrence, keys: &Keys) {
        self.last = keys.share_and_hash(occurrence.key, self.count()).0;
        if let Some(list) = self.lists.get_mut(usize::from(self.last)) {
            list.push(occurrence);
        }
    }

    /// Adds an occurrence that stands before others which were added: a pointer that is merged from several
    /// lines is known at the end of its record.
    #[cold]
    pub(crate) fn push_late(&mut self, occurrence: Occurrence, keys: &Keys) {
        self.push(occurrence, keys);
        self.disordered = true;
    }

    /// Puts those that were added late in their places.
    pub(super) fn put_in_order(&mut self) {
        if std::mem::take(&mut self.disordered) {
            self.lists.iter_mut().for_each(|list| list.sort_unstable_by_key(|occurrence| occurrence.node));
        }
    }

    /// Takes the last occurrence back, if it is that of `node`.
    pub(crate) fn take_back(&mut self, node: u32) {
        if let Some(list) = self.lists.get_mut(usize::from(self.last)) {
            list.pop_if(|occurrence| occurrence.node == node);
        }
    }

    /// Leaves those for which `keep` says so.
    pub(super) fn retain(&mut self, keep: impl Fn(&Occurrence) -> bool) {
        for list in self.lists.iter_mut().filter(|list| !list.iter().all(&keep)) {
            list.retain(&keep);
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.lists.iter().all(Vec::is_empty)
    }

    /// The occurrences of a share.
    pub(super) fn share(&self, share: u8) -> &[Occurrence] {
        self.lists.get(usize::from(share)).map_or(&[], Vec::as_slice)
    }

    /// Returns all occurrences, share by share.
    pub(super) fn all(&self) -> impl Iterator<Item = &Occurrence> {
        self.lists.iter().flatten()
    }

    /// Returns all occurrences in document order.
    pub(in crate::xref) fn in_order(&self) -> Cow<'_, [Occurrence]> {
        if let [only] = self.lists.as_slice() {
            debug_assert!(
                only.is_sorted_by_key(|occurrence| occurrence.node),
                "all but late ones come in order"
            );
            return Cow::Borrowed(only);
        }
        let mut all = self.lists.concat();
        all.sort_unstable_by_key(|occurrence| occurrence.node);
        Cow::Owned(all)
    }

    /// The number of shares: at most [`MOST`].
    pub(super) fn count(&self) -> u8 {
        u8::try_from(self.lists.len()).unwrap_or(MOST)
    }
}

/// The number of shares for the identifiers of a text of so many octets: a power of two.
fn count_for(length: usize) -> u8 {
    let shares = (length / TEXT + 1).next_power_of_two() / 2;
    u8::try_from(shares.max(1)).map_or(MOST, |shares| shares.min(MOST))
}

/// The share that a hash belongs to, of as many as a power of two says: not by the bits by which a table
/// tells its entries apart.
#[inline]
pub(in crate::xref) const fn share_of(hash: u64, shares: u8) -> u8 {
    hash.to_le_bytes()[4] & shares.wrapping_sub(1)
}

/// Sorts entries by their shares, those of a share in the order they come in. The entries, and where each
/// share ends.
///
/// It is done by counting: how many there are of each share says where each of them belongs.
pub(super) fn sort<T: Copy>(entries: &[T], shares: u8, share: impl Fn(&T) -> u8) -> (Box<[T]>, Box<[u32]>) {
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
#[path = "../../../tests/unit/shares.rs"]
mod tests;
