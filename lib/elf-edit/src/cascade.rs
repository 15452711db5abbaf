//! Removes structures together with the pointers to them.

use crate::cascaded::{Cascaded, RemovedPointer};
use crate::nodes::Nodes;
use crate::tree::EditedTree;
use crate::{EditError, Editor, PathFinder, Structure};
use elf_tagged::NodeId;

impl Editor<'_> {
    /// Returns the structures that were removed because they pointed to a removed structure (see
    /// [`EditOptions::cascade`](crate::EditOptions::cascade)). Structures of the file come first, in order. Structures
    /// that edits had added follow.
    pub fn cascaded(&self) -> Vec<Cascaded> {
        let document = self.document;
        let mut removed: Vec<&RemovedPointer> = self.cascaded.iter().collect();
        removed.sort_by_key(|one| one.item);
        let mut paths = PathFinder::of(document);
        let mut locator = document.locator();
        let mut cascaded = |one: &RemovedPointer| match &one.path {
            Some(path) => Cascaded { path: path.clone(), line: None, structures: one.structures },
            None => {
                let line = locator.place(Nodes::of(document).line_start_span(one.item)).line;
                let path = paths.path_of(NodeId::new(one.item));
                Cascaded { path, line: Some(line), structures: one.structures }
            }
        };
        removed.into_iter().map(&mut cascaded).collect()
    }

    pub(crate) fn removable_item(&self, structure: Structure) -> Result<u32, EditError> {
        let item = self.editable_item(structure)?;
        self.check_movable(item)?;
        Ok(item)
    }

    /// Removes a structure. If the options require it, also removes the pointers to it and to the structures under it,
    /// then the pointers to the structures removed in this way, and so on.
    pub(crate) fn remove_cascading(&mut self, item: u32) {
        if !self.options.cascade {
            self.tree.remove(self.document, item);
            return;
        }
        let mut pointers = self.remove_and_find_pointers(item);
        while let Some(pointer) = pointers.pop() {
            // If the pointer was under a removed structure, it has been removed already. A pointer that cannot be
            // removed, such as one in CHAR, is kept and reported as unresolved.
            if self.removable_item(self.handle(pointer)).is_err() {
                continue;
            }
            let is_of_file = (pointer as usize) < self.document.len();
            let path = (!is_of_file).then(|| self.path_of(self.handle(pointer)));
            let structures = subtree_of(self.edited_tree(), pointer).structures;
            self.cascaded.push(RemovedPointer { item: pointer, path, structures });
            pointers.extend(self.remove_and_find_pointers(pointer));
        }
    }

    /// Removes a structure. Returns the pointers that have become unresolved.
    fn remove_and_find_pointers(&mut self, item: u32) -> Vec<u32> {
        let removed = subtree_of(self.edited_tree(), item);
        self.tree.remove(self.document, item);
        let mut pointers = Vec::new();
        for xref in removed.xrefs {
            if !self.tree.is_xref_in_use(self.document, &xref) {
                pointers.extend(self.tree.items_pointing_to(self.document, &xref));
            }
        }
        pointers
    }
}

struct Subtree {
    /// The identifiers in the subtree, including that of its top structure.
    xrefs: Vec<String>,
    /// The number of structures in the subtree, including its top structure.
    structures: u64,
}

fn subtree_of(now: EditedTree<'_>, item: u32) -> Subtree {
    let mut subtree = Subtree { xrefs: Vec::new(), structures: 0 };
    let mut waiting = vec![item];
    while let Some(item) = waiting.pop() {
        subtree.structures += 1;
        subtree.xrefs.extend(now.xref(item).map(str::to_owned));
        waiting.extend(now.substructures(item));
    }
    subtree
}
