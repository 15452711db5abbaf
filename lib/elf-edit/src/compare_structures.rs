//! Compares the structures of an edited file with the structures that the edits should produce.
//!
//! The meaning of a line can depend on the lines before it. For example, a malformed line becomes text of the payload
//! before it, and a line that is too deep goes under the structure before it. So the tree of the edited file is
//! compared with the tree of the editor, structure by structure. Continuation lines and structures that the rules
//! insert are skipped.

use crate::nodes::Nodes;
use crate::tree::{EditedTree, TOP};
use crate::{EditError, Editor};
use elf_tagged::{Document, Node};

impl Editor<'_> {
    /// Checks that `again`, the edited file, has the structures that the edits should produce. Payloads must be the
    /// same, unless an edit set them. `add_match` receives the node of each structure in `again`, and its item in the
    /// editor.
    pub(super) fn check_structures(
        &self,
        again: &Document<'_>,
        mut add_match: impl FnMut(u32, u32),
    ) -> Result<(), EditError> {
        let now = self.edited_tree();
        let nodes = Nodes::of(again);
        let mut read = StructureWalk { nodes, at: 0, ends: Vec::new() };
        let mut last = 0;
        let mut waiting: Vec<(u32, usize)> = Vec::new();
        push_substructures(now, TOP, 0, &mut waiting);
        while let Some((item, depth)) = waiting.pop() {
            if (item as usize) < self.document.len() {
                last = item;
            }
            let found = read.next();
            let node = found.filter(|&(node, at)| at == depth && self.is_same_line(item, nodes, node));
            let Some((node, _)) = node else { return Err(self.read_otherwise_error(last)) };
            add_match(node, item);
            push_substructures(now, item, depth + 1, &mut waiting);
        }
        match read.next() {
            None => Ok(()),
            Some(_) => Err(self.read_otherwise_error(last)),
        }
    }

    /// Returns whether a node of the edited file has the same line as `item`. The level of the line is not compared.
    fn is_same_line(&self, item: u32, again: Nodes<'_>, node: u32) -> bool {
        let now = self.edited_tree();
        let (flags, flags_again) = (now.flags(item), again.flags(node));
        if flags.is_error() != flags_again.is_error() {
            return false;
        }
        let before = Nodes::of(self.document);
        let change = now.change(item);
        // This is the fast path: nearly all lines are unchanged, and equal lines have equal tags, identifiers and
        // payloads.
        let is_one_line = !flags.is_continued() && !flags_again.is_continued();
        if change.is_none() && is_one_line && before.line(item) == again.line(node) {
            return true;
        }
        if now.tag(item) != again.tag(node) {
            return false;
        }
        // Compare the identifiers on the lines. The rules may have removed a repeated identifier. If another structure
        // with it has been removed, the identifier may now belong to this structure.
        let xref = match change.and_then(|change| change.xref.as_deref()) {
            Some(xref) => xref,
            None => before.written_xref(item),
        };
        if xref != again.written_xref(node) {
            return false;
        }
        let is_kept = (item as usize) < self.document.len()
            && change.is_none_or(|change| change.payload.is_none())
            && !flags.is_error();
        !is_kept || have_same_payload(before, item, again, node)
    }

    /// Returns the error for a structure of the file that would be read differently, or for the structure after it.
    fn read_otherwise_error(&self, item: u32) -> EditError {
        let start = Nodes::of(self.document).line_start_span(item);
        EditError::ReadOtherwise { line: self.document.locator().place(start).line }
    }
}

/// Pushes the substructures onto the stack, so that the first one is on top.
fn push_substructures(now: EditedTree<'_>, item: u32, depth: usize, stack: &mut Vec<(u32, usize)>) {
    let from = stack.len();
    stack.extend(now.substructures(item).map(|below| (below, depth)));
    stack[from..].reverse();
}

/// Returns whether two payloads are written as the same text, even if the text is split into lines differently.
fn have_same_payload(one: Nodes<'_>, id: u32, other: Nodes<'_>, node: u32) -> bool {
    match one.flags(id).is_continued() || other.flags(node).is_continued() {
        false => one.line_payload(id) == other.line_payload(node),
        true => one.get(id).map(Node::merged) == other.get(node).map(Node::merged),
    }
}

/// Visits the structures of a document in order, with their depths.
struct StructureWalk<'d> {
    nodes: Nodes<'d>,
    at: u32,
    /// The ends of the structures that contain the current structure.
    ends: Vec<u32>,
}

impl Iterator for StructureWalk<'_> {
    type Item = (u32, usize);

    fn next(&mut self) -> Option<(u32, usize)> {
        loop {
            let id = self.at;
            let node = self.nodes.get(id)?;
            while self.ends.pop_if(|end| *end <= id).is_some() {}
            if node.is_continuation() || node.is_inserted() {
                self.at = node.subtree_end().get().max(id + 1);
                continue;
            }
            self.at = id + 1;
            let depth = self.ends.len();
            self.ends.push(node.subtree_end().get());
            return Some((id, depth));
        }
    }
}
