//! The current state of the edited file, which consists of handles of its structures, and their content.

use crate::tree::{EditedTree, TOP};
use crate::{EditError, Editor, Structure};
use elf_tagged::{Node, Payload};

impl Editor<'_> {
    /// Returns the handle of a structure of the [document](Editor::document).
    ///
    /// # Errors
    ///
    /// Returns [`EditError::Foreign`] if the node belongs to another document.
    pub fn structure(&self, node: Node<'_>) -> Result<Structure, EditError> {
        match std::ptr::eq(node.document(), self.document()) {
            true => Ok(self.handle(node.id().get())),
            false => Err(EditError::Foreign),
        }
    }

    /// Returns the tag of a structure.
    ///
    /// # Errors
    ///
    /// Returns [`EditError::Removed`] if the structure was removed, and [`EditError::Foreign`] if it belongs to another
    /// editor.
    pub fn tag(&self, structure: Structure) -> Result<&str, EditError> {
        let item = self.existing_item(structure)?;
        Ok(EditedTree::tag(self.edited_tree(), item))
    }

    /// Returns the cross-reference identifier of a structure, without at signs, if it has one.
    ///
    /// # Errors
    ///
    /// Returns the same errors as [`tag`](Editor::tag).
    pub fn xref(&self, structure: Structure) -> Result<Option<&str>, EditError> {
        let item = self.existing_item(structure)?;
        Ok(EditedTree::xref(self.edited_tree(), item))
    }

    /// Returns the payload of a structure.
    ///
    /// # Errors
    ///
    /// Returns the same errors as [`tag`](Editor::tag).
    pub fn payload(&self, structure: Structure) -> Result<Payload<'_>, EditError> {
        let item = self.existing_item(structure)?;
        Ok(self.edited_tree().payload(item))
    }

    /// Returns the substructures of a structure, in order.
    ///
    /// # Errors
    ///
    /// Returns the same errors as [`tag`](Editor::tag).
    pub fn substructures(&self, structure: Structure) -> Result<Vec<Structure>, EditError> {
        let item = self.existing_item(structure)?;
        Ok(self.edited_tree().substructures(item).map(|item| self.handle(item)).collect())
    }

    /// Returns the superstructure of a structure. Returns `None` for a record.
    ///
    /// # Errors
    ///
    /// Returns the same errors as [`tag`](Editor::tag).
    pub fn superstructure(&self, structure: Structure) -> Result<Option<Structure>, EditError> {
        let item = self.existing_item(structure)?;
        let above = EditedTree::superstructure(self.edited_tree(), item);
        Ok((above != TOP).then(|| self.handle(above)))
    }

    pub(crate) const fn handle(&self, item: u32) -> Structure {
        Structure { editor: self.number, item }
    }

    /// Returns the item of a handle. Returns an error if the handle belongs to another editor.
    pub(crate) fn item(&self, structure: Structure) -> Result<u32, EditError> {
        if structure.editor == self.number { Ok(structure.item) } else { Err(EditError::Foreign) }
    }

    /// Returns the item of a structure. Returns an error if the structure was removed.
    pub(crate) fn existing_item(&self, structure: Structure) -> Result<u32, EditError> {
        let item = self.item(structure)?;
        if self.edited_tree().exists(item) { Ok(item) } else { Err(EditError::Removed) }
    }
}
