//! Handles of the structures of a tree, for reading and for changes.

use super::{Parent, StructureId, Tree, TreeError, Value};
use std::borrow::Cow;
use std::slice;

/// A structure of a [`Tree`].
#[derive(Clone, Copy, Debug)]
pub struct Structure<'t> {
    tree: &'t Tree,
    id: StructureId,
}

/// A structure of a [`Tree`] that can be changed.
#[derive(Debug)]
pub struct StructureMut<'t> {
    tree: &'t mut Tree,
    id: StructureId,
}

/// An iterator over the structures of one parent, in order.
#[derive(Clone, Debug)]
pub struct Structures<'t> {
    tree: &'t Tree,
    ids: slice::Iter<'t, StructureId>,
}

impl<'t> Structures<'t> {
    pub(super) fn new(tree: &'t Tree, ids: &'t [StructureId]) -> Structures<'t> {
        Structures { tree, ids: ids.iter() }
    }
}

impl<'t> Iterator for Structures<'t> {
    type Item = Structure<'t>;

    fn next(&mut self) -> Option<Structure<'t>> {
        self.ids.next().map(|&id| Structure::new(self.tree, id))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.ids.size_hint()
    }
}

impl DoubleEndedIterator for Structures<'_> {
    fn next_back(&mut self) -> Option<Self::Item> {
        self.ids.next_back().map(|&id| Structure::new(self.tree, id))
    }
}

impl ExactSizeIterator for Structures<'_> {}

impl<'t> Structure<'t> {
    /// Creates the handle of a structure, which must be in the tree.
    pub(super) const fn new(tree: &'t Tree, id: StructureId) -> Structure<'t> {
        Structure { tree, id }
    }

    /// Returns the identity of the structure.
    pub const fn id(self) -> StructureId {
        self.id
    }

    /// Returns the tag.
    pub fn tag(self) -> &'t str {
        &self.tree.slots[self.id.0].tag
    }

    /// Returns the cross-reference identifier, without at signs.
    pub fn xref(self) -> Option<&'t str> {
        self.tree.slots[self.id.0].xref.as_deref()
    }

    /// Returns the payload.
    pub fn value(self) -> &'t Value {
        &self.tree.slots[self.id.0].value
    }

    /// Returns the payload as text. Returns `None` if there is no payload or the payload is a pointer.
    pub fn text(self) -> Option<Cow<'t, str>> {
        self.value().text()
    }

    /// Returns the structure to which the payload points. Returns `None` if the payload is not a pointer, or if the
    /// pointer is unresolved or ambiguous.
    pub fn target(self) -> Option<Structure<'t>> {
        match self.value() {
            Value::Pointer(xref) => self.tree.record(xref),
            Value::None | Value::Text(_) | Value::Pieces(_) => None,
        }
    }

    /// Returns the parent of the structure.
    pub fn parent(self) -> Parent {
        // A handle is made only for structures in the tree, and it borrows the tree, so the structure has a parent.
        self.tree.slots[self.id.0].parent.unwrap_or(Parent::File)
    }

    /// Returns the substructures, in order.
    pub fn substructures(self) -> Structures<'t> {
        Structures::new(self.tree, &self.tree.slots[self.id.0].beneath)
    }

    /// Returns the first substructure with this tag.
    pub fn substructure(self, tag: &str) -> Option<Structure<'t>> {
        self.substructures().find(|one| one.tag() == tag)
    }
}

impl<'t> StructureMut<'t> {
    /// Creates the handle of a structure, which must be in the tree.
    pub(super) const fn new(tree: &'t mut Tree, id: StructureId) -> StructureMut<'t> {
        StructureMut { tree, id }
    }

    /// Returns the identity of the structure.
    pub const fn id(&self) -> StructureId {
        self.id
    }

    /// Returns a handle for reading the structure.
    pub const fn structure(&self) -> Structure<'_> {
        Structure::new(self.tree, self.id)
    }

    /// Adds a substructure after the existing substructures.
    pub fn add(&mut self, tag: &str) -> StructureMut<'_> {
        let id = self.tree.insert_under(Parent::Structure(self.id), usize::MAX, tag);
        StructureMut::new(self.tree, id)
    }

    /// Sets the tag.
    pub fn set_tag(&mut self, tag: &str) -> &mut StructureMut<'t> {
        self.tree.slots[self.id.0].tag = tag.into();
        self
    }

    /// Sets the payload.
    pub fn set_value(&mut self, value: impl Into<Value>) -> &mut StructureMut<'t> {
        self.tree.slots[self.id.0].value = value.into();
        self
    }

    /// Sets the payload to plain text. Each LF, CR or CR LF is one line break.
    pub fn set_text(&mut self, text: &str) -> &mut StructureMut<'t> {
        self.set_value(text)
    }

    /// Sets the payload to a pointer.
    ///
    /// # Errors
    ///
    /// Returns [`TreeError::Gone`] if the target is not in the tree, and [`TreeError::TargetWithoutXref`] if the target
    /// has no identifier.
    pub fn set_pointer(&mut self, target: StructureId) -> Result<&mut StructureMut<'t>, TreeError> {
        let target = self.tree.get(target).ok_or(TreeError::Gone)?;
        let xref = target.xref().ok_or(TreeError::TargetWithoutXref)?.to_owned();
        Ok(self.set_value(Value::Pointer(xref)))
    }

    /// Sets the cross-reference identifier, which is given without at signs. Pointers to the old identifier are not
    /// changed.
    ///
    /// # Errors
    ///
    /// Returns [`TreeError::XrefTaken`] if another structure has the identifier, and [`TreeError::NoXref`] if the
    /// identifier is invalid under all rules.
    pub fn set_xref(&mut self, xref: &str) -> Result<&mut StructureMut<'t>, TreeError> {
        if xref.is_empty() || xref.contains(['@', '\n', '\r']) {
            return Err(TreeError::NoXref(xref.to_owned()));
        }
        if self.tree.bearers.get(xref).is_some_and(|bearers| bearers.iter().any(|one| *one != self.id)) {
            return Err(TreeError::XrefTaken(xref.to_owned()));
        }
        self.tree.remove_from_index(self.id);
        self.tree.add_to_index(self.id, xref);
        Ok(self)
    }

    /// Removes the cross-reference identifier.
    pub fn remove_xref(&mut self) -> &mut StructureMut<'t> {
        self.tree.remove_from_index(self.id);
        self
    }
}
