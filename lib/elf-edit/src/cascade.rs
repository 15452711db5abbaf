//! Removing structures, and the pointers that lead to nothing then.

use super::nodes::Nodes;
use super::tree::EditedTree;
use super::{EditError, Editor, Structure};
use crate::PathFinder;
use elf_tagged::NodeId;

/// A structure that was taken away, with all beneath it, because what it pointed to was.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Cascaded {
    /// The path in the file that was opened; of one that an edit had added, the path it had then.
    pub path: String,
    /// The number of its line in the file that was opened, unless an edit had added it.
    pub line: Option<u64>,
    /// The number of structures that went: this one and those beneath it.
    pub structures: u64,
}

/// A structure that was taken away, as it is remembered until [`Editor::cascaded`] is called.
#[derive(Debug)]
pub(super) struct RemovedStructure {
    item: u32,
    /// The path of one that is not of the file.
    path: Option<String>,
    structures: u64,
}

impl Editor<'_> {
    /// The structures that were taken away because the structures they pointed to were, as
    /// [`EditOptions::cascade`](super::EditOptions::cascade) asks: in the order of the file, then those that
    /// edits had added.
    pub fn cascaded(&self) -> Vec<Cascaded> {
        let document = &self.document;
        let mut gone: Vec<&RemovedStructure> = self.cascaded.iter().collect();
        gone.sort_by_key(|one| one.item);
        let mut paths = PathFinder::of(document);
        let mut locator = document.locator();
        let told = gone.into_iter().map(|one| match &one.path {
            Some(path) => Cascaded { path: path.clone(), line: None, structures: one.structures },
            None => {
                let line = Some(locator.place(Nodes::of(document).start_span(one.item)).line);
                Cascaded { path: paths.path_of(NodeId::new(one.item)), line, structures: one.structures }
            }
        });
        told.collect()
    }

    /// The structure, if it may be removed.
    pub(super) fn removable(&self, structure: Structure) -> Result<u32, EditError> {
        let item = self.editable(structure)?;
        self.check_movable(item)?;
        Ok(item)
    }

    /// Takes a structure away and, if the options say so, what pointed to it or to anything beneath it, and
    /// so on.
    pub(super) fn remove_cascading(&mut self, item: u32) {
        if !self.options.cascade {
            self.tree.remove(&self.document, item);
            return;
        }
        let mut waiting = vec![item];
        let mut first = true;
        while let Some(item) = waiting.pop() {
            // One may stand within another, and what cannot be removed is reported as a pointer that leads
            // nowhere.
            if !first && self.removable(self.handle(item)).is_err() {
                continue;
            }
            let (gone, structures) = within(self.now(), item);
            if !first {
                let of_file = (item as usize) < self.document.len();
                let path = (!of_file).then(|| self.path_of(self.handle(item)));
                self.cascaded.push(RemovedStructure { item, path, structures });
            }
            self.tree.remove(&self.document, item);
            first = false;
            for xref in gone {
                if !self.tree.is_borne(&self.document, &xref) {
                    waiting.extend(self.tree.pointing(&self.document, &xref));
                }
            }
        }
    }
}

/// The identifiers that a structure and those beneath it bear, and how many structures that are.
fn within(now: EditedTree<'_>, item: u32) -> (Vec<String>, u64) {
    let mut found = Vec::new();
    let mut count = 0;
    let mut waiting = vec![item];
    while let Some(item) = waiting.pop() {
        count += 1;
        found.extend(now.xref(item).map(str::to_owned));
        waiting.extend(now.substructures(item));
    }
    (found, count)
}
