//! The check that an edited file reads as the edits meant it.
//!
//! What stands beside a line can depend on it: a line string that is no line is text of the payload before
//! it, where that has text; a line too deep falls under whatever is before it. So the tree of the edited file
//! is held against that of the editor, structure by structure, continuation lines and what the rules insert
//! apart.

use super::nodes::Nodes;
use super::tree::{EditedTree, TOP};
use super::{EditError, Editor};
use elf_tagged::{Document, Flags, Node};

impl Editor<'_> {
    /// Checks that `again`, the edited file, has the structures that the edits meant, and each that no edit
    /// gave another payload the one it had. Returns for each of its nodes that is a structure which one of
    /// the editor's it is; what stands for no structure has [`TOP`].
    pub(super) fn check_structures(&self, again: &Document<'_>) -> Result<Vec<u32>, EditError> {
        let now = self.now();
        let nodes = Nodes::of(again);
        let mut origins = vec![TOP; again.len()];
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
            if let Some(origin) = origins.get_mut(node as usize) {
                *origin = item;
            }
            push_below(now, item, depth + 1, &mut waiting);
        }
        match read.next() {
            None => Ok(origins),
            Some(_) => Err(self.read_otherwise(last)),
        }
    }

    /// Tells whether a node of the edited file is the structure `item`, as far as its line goes.
    fn is_same(&self, item: u32, again: Nodes<'_>, node: u32) -> bool {
        let now = self.now();
        let is_error = |flags: Flags| flags.is_error();
        if now.tag(item) != again.tag(node) || is_error(now.flags(item)) != is_error(again.flags(node)) {
            return false;
        }
        let before = Nodes::of(&self.document);
        let change = now.change(item);
        // As it stands on the line: the rules may give to another structure what one that is gone bore.
        let xref = match change.and_then(|change| change.xref.as_deref()) {
            Some(xref) => xref,
            None => before.written_xref(item),
        };
        if xref != again.written_xref(node) {
            return false;
        }
        let is_kept = (item as usize) < self.document.len()
            && change.is_none_or(|change| change.payload.is_none())
            && !is_error(now.flags(item));
        !is_kept || is_payload(before, item, again, node)
    }

    /// The error that a structure of the file, or one behind it, would be read otherwise.
    fn read_otherwise(&self, item: u32) -> EditError {
        let start = Nodes::of(&self.document).start_span(item);
        EditError::ReadOtherwise { line: self.document.locator().place(start).line }
    }
}

/// Puts what stands beneath a structure on the stack, the first of it on top.
fn push_below(now: EditedTree<'_>, item: u32, depth: usize, stack: &mut Vec<(u32, usize)>) {
    let from = stack.len();
    stack.extend(now.substructures(item).map(|below| (below, depth)));
    stack.get_mut(from..).unwrap_or_default().reverse();
}

/// Tells whether two payloads are the same as written, apart from the places where they are split.
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
    /// The nodes behind those that are open.
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
