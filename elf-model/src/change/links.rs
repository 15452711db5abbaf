//! Structures linked to their neighbours, so that one can be put in or taken out in constant time.

use crate::nodes::NONE;

/// The root above the metadata.
pub(super) const METADATA: u32 = 0;
/// The root above the records.
pub(super) const DOCUMENT: u32 = 1;
/// The number of roots. Structures are numbered from here on.
pub(super) const ROOTS: u32 = 2;

/// Two trees of numbers, one for each root.
#[derive(Debug, Default)]
pub(super) struct Links {
    entries: Vec<Entry>,
}

/// The neighbours of a structure; [`NONE`] if there is none.
#[derive(Clone, Copy, Debug)]
struct Entry {
    above: u32,
    before: u32,
    after: u32,
    first: u32,
    last: u32,
}

const ALONE: Entry = Entry { above: NONE, before: NONE, after: NONE, first: NONE, last: NONE };

/// A position under `above` and before `before`; the last one if that is [`NONE`].
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

    /// Adds a structure without neighbours.
    pub(super) fn push(&mut self) {
        self.entries.push(ALONE);
    }

    pub(super) fn len(&self) -> usize {
        self.entries.len()
    }

    /// Removes the structures from `len` on, which have no neighbours.
    pub(super) fn truncate(&mut self, len: usize) {
        self.entries.truncate(len);
    }

    /// Returns the superstructure, which may be a root; [`NONE`] for a root, a structure that was taken out,
    /// and a number that no structure has.
    pub(super) fn above(&self, number: u32) -> u32 {
        self.entries.get(number as usize).map_or(NONE, |entry| entry.above)
    }

    pub(super) fn after(&self, number: u32) -> u32 {
        self.entry(number).after
    }

    pub(super) fn first(&self, number: u32) -> u32 {
        self.entry(number).first
    }

    /// Returns the substructures, in order.
    pub(super) fn beneath(&self, number: u32) -> impl Iterator<Item = u32> {
        let mut next = self.first(number);
        std::iter::from_fn(move || {
            let this = (next != NONE).then_some(next)?;
            next = self.after(this);
            Some(this)
        })
    }

    /// Returns a structure and all its substructures, in document order, each with its depth.
    pub(super) fn subtree(&self, top: u32) -> impl Iterator<Item = (u32, usize)> {
        let mut next = Some((top, 0));
        std::iter::from_fn(move || {
            let (this, depth) = next?;
            next = self.next_in(top, this, depth);
            Some((this, depth))
        })
    }

    fn next_in(&self, top: u32, this: u32, depth: usize) -> Option<(u32, usize)> {
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

    /// Puts a structure without neighbours into a gap.
    pub(super) fn put(&mut self, number: u32, gap: Gap) {
        let before = match gap.before {
            NONE => self.entry(gap.above).last,
            next => self.entry(next).before,
        };
        let entry = self.entry_mut(number);
        (entry.above, entry.before, entry.after) = (gap.above, before, gap.before);
        self.join(gap.above, before, number);
        self.join(gap.above, number, gap.before);
    }

    /// Takes a structure out, with all its substructures.
    pub(super) fn take(&mut self, number: u32) {
        let Entry { above, before, after, .. } = self.entry(number);
        self.join(above, before, after);
        let entry = self.entry_mut(number);
        (entry.above, entry.before, entry.after) = (NONE, NONE, NONE);
    }

    /// Unlinks all structures of a subtree that was taken out.
    pub(super) fn unlink(&mut self, subtree: &[u32]) {
        for &number in subtree {
            *self.entry_mut(number) = ALONE;
        }
    }

    /// Makes two structures under `above` neighbours. Either may be [`NONE`]: then the other is the first or
    /// the last one there.
    fn join(&mut self, above: u32, one: u32, two: u32) {
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
