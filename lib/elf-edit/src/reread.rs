//! The check that an edited file has the structures that the edits intend.
//!
//! How a line is read can depend on the lines before it: a malformed line is text of the payload before it, and
//! a line that is too deep is under whatever comes before it. So the tree of the edited file is compared with
//! the tree of the editor, structure by structure, without continuation lines and structures that the rules
//! insert.

use crate::nodes::Nodes;
use crate::tree::{EditedTree, TOP};
use crate::{EditError, Editor};
use elf_tagged::{Document, Node};

impl Editor<'_> {
    /// Checks that `again`, the edited file, has the structures that the edits intend, with the same payloads
    /// except where an edit set them. `take` is given each node of `again` that is a structure, and the structure
    /// of the editor that it is.
    pub(super) fn check_structures(
        &self,
        again: &Document<'_>,
        mut take: impl FnMut(u32, u32),
    ) -> Result<(), EditError> {
        let now = self.now();
        let nodes = Nodes::of(again);
        let mut read = Read { nodes, at: 0, ends: Vec::new() };
        let mut last = 0;
        let mut waiting: Vec<(u32, usize)> = Vec::new();
        push_below(now, TOP, 0, &mut waiting);
        while let Some((item, depth)) = waiting.pop() {
            if (item as usize) < self.document.len() {
                last = item;
            }
            let found = read.next();
            let node = found.filter(|&(node, at)| at == depth && self.is_same(item, nodes, node));
            let Some((node, _)) = node else { return Err(self.read_otherwise(last)) };
            take(node, item);
            push_below(now, item, depth + 1, &mut waiting);
        }
        match read.next() {
            None => Ok(()),
            Some(_) => Err(self.read_otherwise(last)),
        }
    }

    /// Returns whether a node of the edited file is the structure `item`, as far as its line goes.
    fn is_same(&self, item: u32, again: Nodes<'_>, node: u32) -> bool {
        let now = self.now();
        let (flags, flags_again) = (now.flags(item), again.flags(node));
        if flags.is_error() != flags_again.is_error() {
            return false;
        }
        let before = Nodes::of(self.document);
        let change = now.change(item);
        // Equal lines have equal tags, identifiers and payloads; nearly all lines are as they were.
        let is_one_line = !flags.is_continued() && !flags_again.is_continued();
        if change.is_none() && is_one_line && before.line(item) == again.line(node) {
            return true;
        }
        if now.tag(item) != again.tag(node) {
            return false;
        }
        // Compare the identifiers on the lines: if the rules took away a repeated identifier, it may belong to
        // this structure now that another one is removed.
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
        !is_kept || is_payload(before, item, again, node)
    }

    /// The error that a structure of the file, or the one after it, would be read differently.
    fn read_otherwise(&self, item: u32) -> EditError {
        let start = Nodes::of(self.document).start_span(item);
        EditError::ReadOtherwise { line: self.document.locator().place(start).line }
    }
}

/// Pushes the substructures of a structure, the first one on top.
fn push_below(now: EditedTree<'_>, item: u32, depth: usize, stack: &mut Vec<(u32, usize)>) {
    let from = stack.len();
    stack.extend(now.substructures(item).map(|below| (below, depth)));
    stack[from..].reverse();
}

/// Returns whether two payloads are written with the same text, wherever it is split into lines.
fn is_payload(one: Nodes<'_>, id: u32, other: Nodes<'_>, node: u32) -> bool {
    match one.flags(id).is_continued() || other.flags(node).is_continued() {
        false => one.line_payload(id) == other.line_payload(node),
        true => one.get(id).map(Node::merged) == other.get(node).map(Node::merged),
    }
}

/// The structures of a document in order, with their depths.
struct Read<'d> {
    nodes: Nodes<'d>,
    at: u32,
    /// The end of each structure that contains the current one.
    ends: Vec<u32>,
}

impl Iterator for Read<'_> {
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
