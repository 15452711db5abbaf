//! The edits of an editor without its document. The edits are for a program that stores the document elsewhere.

use crate::cascaded::RemovedPointer;
use crate::editor::next_editor_number;
use crate::tree::{EditedTree, TOP, TreeChanges};
use crate::{EditError, EditOptions, Editor, Structure};
use elf_tagged::{Document, Node, NodeId};

/// The edits of a document. The edits do not borrow the document.
///
/// An object that owns a document cannot also hold an editor of it, because the editor borrows the document. Instead,
/// it holds the edits, and creates an editor for each access. Handles stay valid.
///
/// ```
/// use elf_edit::{Edits, Editor};
/// use elf_tagged::{Options, Rules};
///
/// let octets = b"0 HEAD\n1 CHAR UTF-8\n0 @I1@ INDI\n1 NAME Ada\n0 TRLR\n";
/// let document = elf_tagged::read(octets, &Rules::WILD, &Options::default(), &mut ())?;
/// let mut editor = Editor::with_edits(&document, Edits::new(&document))?;
/// let person = editor.structures_with_xref("I1")[0];
/// let name = editor.substructures(person)?[0];
/// editor.set(name, "Ada Lovelace")?;
/// let edits = editor.into_edits();
/// assert!(!edits.is_empty());
/// let editor = Editor::with_edits(&document, edits)?;
/// assert_eq!(editor.payload(name)?.text(), Some("Ada Lovelace"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Edits {
    number: u32,
    /// The number of structures of the document.
    structures: usize,
    options: EditOptions,
    tree: TreeChanges,
    cascaded: Vec<RemovedPointer>,
}

impl Edits {
    /// Creates an empty list of edits for a document.
    pub fn new(document: &Document<'_>) -> Edits {
        Edits {
            number: next_editor_number(),
            structures: document.len(),
            options: EditOptions::default(),
            tree: TreeChanges::default(),
            cascaded: Vec::new(),
        }
    }

    /// Returns whether no edit has been made.
    pub fn is_empty(&self) -> bool {
        !self.tree.has_changes(TOP)
    }
}

impl<'d> Editor<'d> {
    /// Creates an editor that continues after these edits.
    ///
    /// # Errors
    ///
    /// Returns [`EditError::Foreign`] if the edits belong to a document with another number of structures.
    pub fn with_edits(document: &'d Document<'d>, edits: Edits) -> Result<Editor<'d>, EditError> {
        let Edits { number, structures, options, tree, cascaded } = edits;
        if structures != document.len() {
            return Err(EditError::Foreign);
        }
        Ok(Editor { number, document, options, tree, cascaded })
    }

    /// Converts the editor into the edits that were made with it.
    pub fn into_edits(self) -> Edits {
        let Editor { number, document, options, tree, cascaded } = self;
        Edits { number, structures: document.len(), options, tree, cascaded }
    }

    /// Returns whether any edit has been made.
    pub fn is_edited(&self) -> bool {
        self.edited_tree().has_changes(TOP)
    }

    /// Returns the records in order, including header and trailer.
    pub fn records(&self) -> Vec<Structure> {
        self.edited_tree().substructures(TOP).map(|item| self.handle(item)).collect()
    }

    /// Returns the structures with an identifier, usually one. The identifier is given without at signs.
    pub fn structures_with_xref(&self, xref: &str) -> Vec<Structure> {
        self.edited_tree().items_with_xref(xref).into_iter().map(|item| self.handle(item)).collect()
    }

    /// Returns the node from which a structure was read. Returns `None` if an edit added the structure.
    ///
    /// # Errors
    ///
    /// Returns [`EditError::Removed`] if the structure was removed, and [`EditError::Foreign`] if it belongs to another
    /// editor.
    pub fn node(&self, structure: Structure) -> Result<Option<Node<'d>>, EditError> {
        let item = self.existing_item(structure)?;
        Ok(self.document.node(NodeId::new(item)))
    }

    /// Returns the tags from the record down to a structure.
    ///
    /// # Errors
    ///
    /// Returns the same errors as [`node`](Editor::node).
    pub fn tags(&self, structure: Structure) -> Result<Vec<&str>, EditError> {
        let item = self.existing_item(structure)?;
        Ok(EditedTree::tags(self.edited_tree(), item))
    }
}
