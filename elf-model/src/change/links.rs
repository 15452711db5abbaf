//! The links between neighbouring structures, by which a structure is inserted or removed in constant time.

use crate::nodes::NONE;

/// The root under which the metadata is.
pub(super) const METADATA: u32 = 0;
/// The root under which the records are.
pub(super) const DOCUMENT: u32 = 1;
/// The number of roots, which is the number of the first structure.
pub(super) const ROOTS: u32 = 2;

#[derive(Debug, Default)]
pub(super) struct Links {
    entries: Vec<Entry>,
}

/// The neighbours of a structure. A missing neighbour is [`NONE`].
#[derive(Clone, Copy, Debug)]
struct Entry {
    above: u32,
    before: u32,
    after: u32,
    first: u32,
    last: u32,
}

const ALONE: Entry = Entry { above: NONE, before: NONE, after: NONE, first: NONE, last: NONE };

/// A position under `above` and before `before`. If `before` is [`NONE`], the position is after all substructures of
/// `above`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Gap {
    pub(super) above: u32,
    pub(super) before: u32,
}

impl Links {
    pub(super) fn with_capacity(structures: usize) -> Links {
        let mut entries = Vec::with_capacity(structures + ROOTS as usize);
        entries.extend([ALONE; ROOTS as usize]);
        Links { entries }
    }

    pub(super) fn push(&mut self) {
        self.entries.push(ALONE);
    }

    pub(super) fn len(&self) -> usize {
        self.entries.len()
    }

    /// Removes the structures with the numbers from `len` on. The structures must not have neighbours.
    pub(super) fn truncate(&mut self, len: usize) {
        self.entries.truncate(len);
    }

    /// Returns the superstructure, which may be a root. Returns [`NONE`] for a root, for a removed structure and for an
    /// unused number.
    pub(super) fn superstructure(&self, number: u32) -> u32 {
        self.entries.get(number as usize).map_or(NONE, |entry| entry.above)
    }

    pub(super) fn next_sibling(&self, number: u32) -> u32 {
        self.entry(number).after
    }

    pub(super) fn first_substructure(&self, number: u32) -> u32 {
        self.entry(number).first
    }

    pub(super) fn substructures(&self, number: u32) -> impl Iterator<Item = u32> {
        let mut next = self.first_substructure(number);
        std::iter::from_fn(move || {
            let this = (next != NONE).then_some(next)?;
            next = self.next_sibling(this);
            Some(this)
        })
    }

    /// Returns a structure and all its substructures in document order, each with its depth.
    pub(super) fn subtree(&self, top: u32) -> impl Iterator<Item = (u32, usize)> {
        let mut next = Some((top, 0));
        std::iter::from_fn(move || {
            let (this, depth) = next?;
            next = self.next_in_subtree(top, this, depth);
            Some((this, depth))
        })
    }

    fn next_in_subtree(&self, top: u32, this: u32, depth: usize) -> Option<(u32, usize)> {
        let entry = self.entry(this);
        if entry.first != NONE {
            return Some((entry.first, depth + 1));
        }
        let (mut number, mut depth) = (this, depth);
        while number != top && number != NONE {
            let entry = self.entry(number);
            if entry.after != NONE {
                return Some((entry.after, depth));
            }
            (number, depth) = (entry.above, depth.saturating_sub(1));
        }
        None
    }

    pub(super) fn insert(&mut self, number: u32, gap: Gap) {
        let before = match gap.before {
            NONE => self.entry(gap.above).last,
            next => self.entry(next).before,
        };
        let entry = self.entry_mut(number);
        (entry.above, entry.before, entry.after) = (gap.above, before, gap.before);
        self.link_neighbours(gap.above, before, number);
        self.link_neighbours(gap.above, number, gap.before);
    }

    /// Removes the links between a structure and its neighbours. The structure keeps its substructures.
    pub(super) fn remove(&mut self, number: u32) {
        let Entry { above, before, after, .. } = self.entry(number);
        self.link_neighbours(above, before, after);
        let entry = self.entry_mut(number);
        (entry.above, entry.before, entry.after) = (NONE, NONE, NONE);
    }

    /// Removes the links of all structures in a subtree that has been removed.
    pub(super) fn unlink(&mut self, subtree: &[u32]) {
        for &number in subtree {
            *self.entry_mut(number) = ALONE;
        }
    }

    /// Makes two structures neighbours under `above`. If one of them is [`NONE`], the other becomes the first or the
    /// last structure under `above`.
    fn link_neighbours(&mut self, above: u32, one: u32, two: u32) {
        match one {
            NONE => self.entry_mut(above).first = two,
            one => self.entry_mut(one).after = two,
        }
        match two {
            NONE => self.entry_mut(above).last = one,
            two => self.entry_mut(two).before = one,
        }
    }

    fn entry(&self, number: u32) -> Entry {
        self.entries[number as usize]
    }

    fn entry_mut(&mut self, number: u32) -> &mut Entry {
        &mut self.entries[number as usize]
    }
}
