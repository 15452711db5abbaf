//! Patches in few octets: a unit may have one for each of its lines.

use elf_octets::{Patch, PatchLines};
use std::ops::Range;

/// Patches in the order of their lines, each with the findings that it is made for.
#[derive(Clone, Debug, Default)]
pub(super) struct Patches {
    /// The new lines of all.
    text: String,
    all: Vec<PackedPatch>,
    /// The findings that each is made for, by their indices.
    owners: Vec<u32>,
}

#[derive(Clone, Copy, Debug)]
struct PackedPatch {
    line: u64,
    /// The end of its new lines in the text of all.
    text_end: usize,
    /// The number of lines that go.
    removed: u32,
    /// The end of its findings among those of all.
    owners_end: u32,
}

impl Patches {
    /// Adds a patch behind the others.
    pub(super) fn push(&mut self, lines: Range<u64>, with: &str, owners: impl IntoIterator<Item = u32>) {
        self.text.push_str(with);
        self.owners.extend(owners);
        self.all.push(PackedPatch {
            line: lines.start,
            text_end: self.text.len(),
            removed: u32::try_from(lines.end - lines.start).unwrap_or(u32::MAX),
            owners_end: u32::try_from(self.owners.len()).unwrap_or(u32::MAX),
        });
    }

    /// Takes out the last patch and its findings, if `is_it` is true of its lines.
    pub(super) fn pop_if(&mut self, is_it: impl Fn(&Range<u64>) -> bool) -> Option<(Patch, Vec<u32>)> {
        let last = self.all.len().checked_sub(1)?;
        let patch = Patch::from(self.get(last).filter(|patch| is_it(&patch.lines))?);
        let owners = self.owners(last).to_vec();
        self.all.truncate(last);
        self.text.truncate(self.text.len() - patch.with.len());
        self.owners.truncate(self.owners.len() - owners.len());
        Some((patch, owners))
    }

    pub(super) const fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    pub(super) const fn len(&self) -> usize {
        self.all.len()
    }

    pub(super) fn get(&self, index: usize) -> Option<PatchLines<'_>> {
        let patch = self.all.get(index)?;
        let before = index.checked_sub(1).and_then(|before| self.all.get(before));
        let with = self.text.get(before.map_or(0, |before| before.text_end)..patch.text_end)?;
        Some(PatchLines::new(patch.line..patch.line + u64::from(patch.removed), with))
    }

    /// The findings that a patch is made for.
    pub(super) fn owners(&self, index: usize) -> &[u32] {
        let before = index.checked_sub(1).and_then(|before| self.all.get(before));
        let start = before.map_or(0, |before| before.owners_end as usize);
        self.all.get(index).and_then(|patch| self.owners.get(start..patch.owners_end as usize)).unwrap_or(&[])
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = PatchLines<'_>> + Clone {
        (0..self.all.len()).filter_map(|index| self.get(index))
    }

    /// The number of lines that a patch writes.
    pub(super) fn written(patch: &PatchLines<'_>) -> u64 {
        memchr::memchr_iter(b'\n', patch.with.as_bytes()).count() as u64
    }

    /// Has each change lines so many further down.
    pub(super) fn move_down(&mut self, lines: u64) {
        self.all.iter_mut().for_each(|patch| patch.line += lines);
    }

    /// Adds those of another, without the findings that they are made for.
    pub(super) fn append(&mut self, other: Patches) {
        if self.all.is_empty() {
            *self = Patches { owners: Vec::new(), ..other };
            self.all.iter_mut().for_each(|patch| patch.owners_end = 0);
            return;
        }
        let before = self.text.len();
        self.text.push_str(&other.text);
        self.all.extend(other.all.into_iter().map(|patch| PackedPatch {
            text_end: patch.text_end + before,
            owners_end: 0,
            ..patch
        }));
    }
}
