//! Finds nodes that are not data.

use crate::read::tree::{Arena, flag};
use std::ops::Range;

/// Ranges of nodes that are not data.
pub(in crate::read::xref) struct HiddenNodes(Vec<Range<u32>>);

impl HiddenNodes {
    /// Finds the hidden nodes before the index `end`.
    pub(in crate::read::xref) fn find_before(end: u32, nodes: &Arena) -> HiddenNodes {
        let mut ranges: Vec<Range<u32>> = Vec::new();
        let mut at = 0;
        while let Some(node) = nodes.get(at as usize).filter(|_| at < end) {
            if node.flags & (flag::HIDDEN | flag::CONTINUATION) == 0 {
                at += 1;
                continue;
            }
            let until = nodes.end(at).unwrap_or(at + 1);
            match ranges.last_mut().filter(|last| last.end == at) {
                Some(last) => last.end = until,
                None => ranges.push(at..until),
            }
            at = until;
        }
        HiddenNodes(ranges)
    }

    pub(in crate::read::xref) const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(in crate::read::xref) fn has(&self, node: u32) -> bool {
        let behind = self.0.partition_point(|range| range.end <= node);
        self.0.get(behind).is_some_and(|range| range.contains(&node))
    }
}
