//! Undoing a change that failed half-way.

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
    /// Returns the lengths of the lists.
    pub(super) fn checkpoint(&self) -> Checkpoint {
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

    /// Removes everything that was added since `before`. Nothing older may have been changed.
    pub(super) fn restore(&mut self, before: Checkpoint) {
        // From the last one, so that a structure has no substructures when it is taken out.
        for index in (before.nodes..self.nodes.len()).rev() {
            let number = to_u32(index) + ROOTS;
            self.set_bearer(number, NONE);
            self.set_content(number, Content::None);
            // The last one may have been added without a place.
            if self.links.above(number) != NONE {
                self.links.take(number);
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
