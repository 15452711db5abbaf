//! A dataset as it was before a change that failed half-way.

use super::links::ROOTS;
use super::{Content, DatasetMut, number};
use crate::nodes::NONE;

/// The lengths of the lists of a dataset to which a change only adds.
#[derive(Clone, Copy, Debug)]
pub(super) struct Checkpoint {
    text: usize,
    escapes: usize,
    tags: usize,
    types: usize,
    xrefs: usize,
    nodes: usize,
    fresh: u64,
}

impl DatasetMut {
    /// Notes how long the lists are.
    pub(super) fn checkpoint(&self) -> Checkpoint {
        Checkpoint {
            text: self.base.text.len(),
            escapes: self.base.escapes.len(),
            tags: self.base.tags.len(),
            types: self.base.types.len(),
            xrefs: self.xrefs.len(),
            nodes: self.nodes.len(),
            fresh: self.fresh,
        }
    }

    /// Gives up all that was added since. What stood there before was not changed.
    pub(super) fn restore(&mut self, before: Checkpoint) {
        // The last first, so that nothing stands beneath what is taken out.
        let added = (before.nodes..self.nodes.len()).rev();
        for number in added.map(|index| number(index) + ROOTS) {
            self.set_bearer(number, NONE);
            self.set_content(number, Content::None);
            self.links.take(number);
        }
        self.nodes.truncate(before.nodes);
        self.links.truncate(before.nodes + ROOTS as usize);
        self.xrefs.truncate(before.xrefs);
        self.base.types.truncate(before.types);
        self.base.tags.truncate(before.tags);
        self.base.escapes.truncate(before.escapes);
        self.base.text.truncate(before.text);
        self.fresh = before.fresh;
    }
}
