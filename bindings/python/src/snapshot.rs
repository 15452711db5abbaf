//! A document at a point in time, with its people and families.

use elf_edit::Editor;
use elf_lineage::{Lineage, LineageRecords, LineageView};
use elf_schema::{Node, TypedDocument};
use std::sync::{Arc, OnceLock};

/// A document at a point in time.
pub(crate) struct Snapshot {
    pub(crate) typed: Arc<TypedDocument<'static>>,
    /// For each node, the structure in the edited document. `None` if the nodes belong to the document without edits.
    handles: Option<Vec<Option<elf_edit::Structure>>>,
    lineage: OnceLock<Lineage>,
    records: OnceLock<Arc<LineageRecords>>,
}

impl Snapshot {
    pub(crate) fn of_document(typed: Arc<TypedDocument<'static>>) -> Snapshot {
        Snapshot { typed, handles: None, lineage: OnceLock::new(), records: OnceLock::new() }
    }

    /// `typed` is the edited document, written and read again.
    pub(crate) fn of_edits(typed: TypedDocument<'static>, editor: &Editor<'_>) -> Snapshot {
        let handles = Some(handles_of(&typed, editor));
        Snapshot { handles, ..Snapshot::of_document(Arc::new(typed)) }
    }

    /// The structure in the edited document that corresponds to a node.
    pub(crate) fn handle(&self, editor: &Editor<'_>, node: Node<'_>) -> Option<elf_edit::Structure> {
        match &self.handles {
            Some(handles) => handles.get(node.id().index()).copied().flatten(),
            None => editor.structure(node).ok(),
        }
    }

    pub(crate) fn lineage(&self) -> &Lineage {
        self.lineage.get_or_init(|| Lineage::with_notices(&self.typed))
    }

    pub(crate) fn view(&self) -> LineageView<'_, '_> {
        let records = self.records.get_or_init(|| Arc::new(LineageRecords::of(&self.typed)));
        LineageView::with_records(self.lineage(), &self.typed, Arc::clone(records))
    }
}

/// Finds the structure of the editor for each node of the document that the editor wrote.
fn handles_of(typed: &TypedDocument<'_>, editor: &Editor<'_>) -> Vec<Option<elf_edit::Structure>> {
    let document = typed.document();
    let mut handles = vec![None; document.len()];
    let is_structure = |node: &Node<'_>| !node.is_continuation() && !node.is_inserted();
    let records: Vec<Node<'_>> = document.lines().filter(is_structure).collect();
    let mut open: Vec<(Node<'_>, elf_edit::Structure)> = records.into_iter().zip(editor.records()).collect();
    while let Some((node, structure)) = open.pop() {
        if let Some(handle) = handles.get_mut(node.id().index()) {
            *handle = Some(structure);
        }
        let below = editor.substructures(structure).unwrap_or_default();
        open.extend(node.lines().filter(is_structure).zip(below));
    }
    handles
}
