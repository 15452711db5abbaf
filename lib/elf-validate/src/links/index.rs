//! The bearers of identifiers, as pointers find them.

use super::part::{Bearer, PartLinks};
use elf_base::{CountedIndex, PartNumbers};

/// The number of a run, and the index of a bearer in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct BearerId {
    part: u32,
    at: u32,
}

/// The bearers of all identifiers.
#[derive(Debug)]
pub(super) struct BearerIndex {
    /// By the numbers that they have in the document.
    index: CountedIndex<u32>,
    numbers: PartNumbers,
}

impl BearerId {
    pub(super) fn new(part: u32, at: usize) -> BearerId {
        BearerId { part, at: u32::try_from(at).unwrap_or(u32::MAX) }
    }

    pub(super) const fn part(self) -> u32 {
        self.part
    }

    pub(super) const fn at(self) -> usize {
        self.at as usize
    }

    /// The identifier, where it has one.
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
    /// Indexes the bearers of all runs, and marks those that share an identifier.
    pub(super) fn of(parts: &mut [PartLinks]) -> BearerIndex {
        let keys = parts.iter().flat_map(|part| (0..part.bearers.len()).filter_map(|at| part.key(at)));
        let mut index = CountedIndex::with_room(PartNumbers::NONE, keys);
        let numbers = PartNumbers::of(parts.iter().map(|part| part.bearers.len()));
        let id_of = |number: u32| numbers.place(number).map(|(part, at)| BearerId { part, at });
        let mut next = 0..PartNumbers::NONE;
        for number in 0..parts.len() {
            let count = parts.get(number).map_or(0, |part| part.bearers.len());
            for this in next.by_ref().take(count) {
                let key_of = |number: u32| id_of(number)?.key(parts);
                let Some(first) = key_of(this).and_then(|key| index.add(key, this, key_of)) else { continue };
                for id in [first, this].into_iter().filter_map(id_of) {
                    let part = parts.get_mut(id.part as usize);
                    let bearer = part.and_then(|part| part.bearers.get_mut(id.at as usize));
                    bearer.into_iter().for_each(|bearer| bearer.is_repeated = true);
                }
            }
        }
        BearerIndex { index, numbers }
    }

    /// The first bearer of an identifier.
    #[inline]
    pub(super) fn bearer<'l>(&self, key: u64, parts: &'l [PartLinks]) -> Option<(BearerId, &'l Bearer)> {
        let id = |number| self.numbers.place(number).map(|(part, at)| BearerId { part, at });
        let id = id(self.index.get(key, |number| id(number)?.key(parts))?)?;
        Some((id, id.of(parts)?))
    }
}
