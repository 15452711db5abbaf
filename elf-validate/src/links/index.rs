//! The bearers of identifiers, as pointers find them.

use super::part::{Bearer, PartLinks};
use elf_base::CountedIndex;

/// The number of a part, and the index of a bearer in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct BearerId {
    part: u32,
    at: u32,
}

/// The bearers of all identifiers.
#[derive(Debug)]
pub(super) struct BearerIndex(CountedIndex<BearerId>);

impl BearerId {
    const NONE: BearerId = BearerId { part: u32::MAX, at: u32::MAX };

    pub(super) fn new(part: u32, at: usize) -> BearerId {
        BearerId { part, at: u32::try_from(at).unwrap_or(u32::MAX) }
    }

    pub(super) const fn part(self) -> u32 {
        self.part
    }

    pub(super) const fn at(self) -> usize {
        self.at as usize
    }

    /// Its identifier, where it has one.
    #[inline]
    pub(super) fn key(self, parts: &[PartLinks]) -> Option<u64> {
        parts.get(self.part as usize)?.key(self.at as usize)
    }

    #[inline]
    pub(super) fn of(self, parts: &[PartLinks]) -> Option<&Bearer> {
        parts.get(self.part as usize)?.bearers.get(self.at as usize)
    }
}

impl BearerIndex {
    /// Indexes the bearers of all parts, and marks those that share an identifier.
    pub(super) fn of(parts: &mut [PartLinks]) -> BearerIndex {
        let keys = parts.iter().flat_map(|part| (0..part.bearers.len()).filter_map(|at| part.key(at)));
        let mut index = CountedIndex::with_room(BearerId::NONE, keys);
        for number in 0..parts.len() {
            let part = u32::try_from(number).unwrap_or(u32::MAX);
            for at in 0..parts.get(number).map_or(0, |part| part.bearers.len()) {
                let id = BearerId::new(part, at);
                let key_of = |id: BearerId| id.key(parts);
                let Some(first) = key_of(id).and_then(|key| index.add(key, id, key_of)) else { continue };
                for id in [first, id] {
                    let part = parts.get_mut(id.part as usize);
                    let bearer = part.and_then(|part| part.bearers.get_mut(id.at as usize));
                    bearer.into_iter().for_each(|bearer| bearer.is_repeated = true);
                }
            }
        }
        BearerIndex(index)
    }

    /// The first bearer of an identifier.
    #[inline]
    pub(super) fn bearer<'l>(&self, key: u64, parts: &'l [PartLinks]) -> Option<(BearerId, &'l Bearer)> {
        let id = self.0.get(key, |id| id.key(parts))?;
        Some((id, id.of(parts)?))
    }
}
