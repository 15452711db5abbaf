//! Structures linked to what stands around them, so that one is put in or taken out in constant time.

use crate::nodes::NONE;

/// The root that stands above the metadata.
pub(super) const METADATA: u32 = 0;
/// The root that stands above the records.
pub(super) const DOCUMENT: u32 = 1;
/// The number of roots: structures are numbered behind them.
pub(super) const ROOTS: u32 = 2;

/// Two trees of numbers, one for each root.
#[derive(Debug, Default)]
pub(super) struct Links {
    entries: Vec<Entry>,
}

/// The neighbours of a structure; [`NONE`] where there is none.
#[derive(Clone, Copy, Debug)]
struct Entry {
    above: u32,
    before: u32,
    after: u32,
    first: u32,
    last: u32,
}

const ALONE: Entry = Entry { above: NONE, before: NONE, after: NONE, first: NONE, last: NONE };

/// A gap between structures: what is put there gets `above` for superstructure and stands before `before`, or
/// last.
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

    /// Adds a number that stands nowhere yet.
    pub(super) fn push(&mut self) {
        self.entries.push(ALONE);
    }

    pub(super) fn len(&self) -> usize {
        self.entries.len()
    }

    /// Gives up the numbers from `len` on, which stand nowhere.
    pub(super) fn truncate(&mut self, len: usize) {
        self.entries.truncate(len);
    }

    /// The superstructure, which may be a root; [`NONE`] for what was taken out.
    pub(super) fn above(&self, number: u32) -> u32 {
        self.entry(number).above
    }

    pub(super) fn after(&self, number: u32) -> u32 {
        self.entry(number).after
    }

    pub(super) fn first(&self, number: u32) -> u32 {
        self.entry(number).first
    }

    /// The numbers directly beneath one, in order.
    pub(super) fn beneath(&self, number: u32) -> impl Iterator<Item = u32> {
        let mut next = self.first(number);
        std::iter::from_fn(move || {
            let this = (next != NONE).then_some(next)?;
            next = self.after(this);
            Some(this)
        })
    }

    /// A number and all beneath it, in document order, each with its depth.
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

    /// Puts a number that stands nowhere into a gap.
    pub(super) fn put(&mut self, number: u32, gap: Gap) {
        let before = match gap.before {
            NONE => self.entry(gap.above).last,
            next => self.entry(next).before,
        };
        if let Some(entry) = self.get(number) {
            (entry.above, entry.before, entry.after) = (gap.above, before, gap.before);
        }
        self.join(gap.above, before, number);
        self.join(gap.above, number, gap.before);
    }

    /// Takes a number out, with all beneath it.
    pub(super) fn take(&mut self, number: u32) {
        let Entry { above, before, after, .. } = self.entry(number);
        match before {
            NONE => self.get(above).map(|entry| entry.first = after),
            before => self.get(before).map(|entry| entry.after = after),
        };
        match after {
            NONE => self.get(above).map(|entry| entry.last = before),
            after => self.get(after).map(|entry| entry.before = before),
        };
        if let Some(entry) = self.get(number) {
            (entry.above, entry.before, entry.after) = (NONE, NONE, NONE);
        }
    }

    /// Makes numbers that were taken out, and what stands beneath them, alone.
    pub(super) fn part(&mut self, numbers: &[u32]) {
        for &number in numbers {
            if let Some(entry) = self.get(number) {
                *entry = ALONE;
            }
        }
    }

    /// Makes two numbers neighbours, either of which may be [`NONE`].
    fn join(&mut self, above: u32, one: u32, two: u32) {
        match one {
            NONE => self.get(above).map(|entry| entry.first = two),
            one => self.get(one).map(|entry| entry.after = two),
        };
        match two {
            NONE => self.get(above).map(|entry| entry.last = one),
            two => self.get(two).map(|entry| entry.before = one),
        };
    }

    fn entry(&self, number: u32) -> Entry {
        self.entries.get(number as usize).copied().unwrap_or(ALONE)
    }

    fn get(&mut self, number: u32) -> Option<&mut Entry> {
        self.entries.get_mut(number as usize)
    }
}
