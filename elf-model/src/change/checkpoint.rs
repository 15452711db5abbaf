//! Undoes a change that failed halfway.

use super::links::ROOTS;
use super::{Content, DatasetMut};
use crate::build::XrefNumbers;
use crate::nodes::{NONE, to_u32};

/// The lengths of the lists to which a change appends.
#[derive(Clone, Debug)]
pub(super) struct Checkpoint {
    text: usize,
    escapes: usize,
    tags: usize,
    types: usize,
    xrefs: usize,
    nodes: usize,
    numbers: XrefNumbers,
}

impl DatasetMut {
    pub(super) fn create_checkpoint(&self) -> Checkpoint {
        Checkpoint {
            text: self.base.text.len(),
            escapes: self.base.escapes.len(),
            tags: self.base.tags.len(),
            types: self.base.types.len(),
            xrefs: self.xrefs.len(),
            nodes: self.nodes.len(),
            numbers: self.numbers.clone(),
        }
    }

    /// Removes everything that was added after the checkpoint `before`. Older data must not have changed since then.
    pub(super) fn restore_checkpoint(&mut self, before: Checkpoint) {
        // Start with the last structure, so that no structure has substructures when it is removed.
        for index in (before.nodes..self.nodes.len()).rev() {
            let number = to_u32(index) + ROOTS;
            self.set_bearer(number, NONE);
            self.set_content(number, Content::None);
            // The last structure may not have a position yet.
            if self.links.superstructure(number) != NONE {
                self.links.remove(number);
            }
        }
        self.nodes.truncate(before.nodes);
        self.links.truncate(before.nodes + ROOTS as usize);
        self.xrefs.truncate(before.xrefs);
        self.base.types.truncate(before.types);
        self.base.tags.truncate(before.tags);
        self.base.escapes.truncate(before.escapes);
        self.base.text.truncate(before.text);
        self.numbers = before.numbers;
    }
}
