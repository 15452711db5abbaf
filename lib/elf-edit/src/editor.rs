//! The editor, which makes edits in a document that was read, one after the other.

use crate::cascaded::RemovedPointer;
use crate::tree::{Change, EditedTree, TreeChanges};
use crate::{EditError, EditOptions, Value};
use elf_tagged::Document;
use std::sync::atomic::{AtomicU32, Ordering};

/// Edits a document.
///
/// Edits are made in order. An edit that fails changes nothing. [`finish`](Editor::finish) writes the new lines.
#[derive(Debug)]
pub struct Editor<'d> {
    /// The number of this editor. Every [`Structure`] contains the number of its editor.
    pub(crate) number: u32,
    pub(crate) document: &'d Document<'d>,
    pub(crate) options: EditOptions,
    pub(crate) tree: TreeChanges,
    pub(crate) cascaded: Vec<RemovedPointer>,
}

/// A handle of a structure in an [`Editor`]. The structure is in the file, or was added by an edit.
///
/// A handle belongs to the editor that returned it. Every other editor refuses the handle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Structure {
    pub(crate) editor: u32,
    pub(crate) item: u32,
}

static EDITORS: AtomicU32 = AtomicU32::new(0);

pub(crate) fn next_editor_number() -> u32 {
    EDITORS.fetch_add(1, Ordering::Relaxed)
}

impl<'d> Editor<'d> {
    /// Creates an editor for a document.
    ///
    /// ```
    /// use elf_edit::Editor;
    /// use elf_tagged::{Options, Rules};
    ///
    /// let octets = b"0 HEAD\n1 CHAR UTF-8\n0 @I1@ INDI\n1 NAME Ada\n0 TRLR\n";
    /// let document = elf_tagged::read(octets, &Rules::WILD, &Options::default(), &mut ())?;
    /// let mut editor = Editor::new(&document);
    /// let person = document.records().next().expect("a record");
    /// let name = editor.structure(person.substructure("NAME").expect("a name"))?;
    /// editor.set(name, "Ada Lovelace")?;
    /// assert_eq!(editor.payload(name)?.text(), Some("Ada Lovelace"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new(document: &'d Document<'d>) -> Editor<'d> {
        Editor {
            number: next_editor_number(),
            document,
            options: EditOptions::default(),
            tree: TreeChanges::default(),
            cascaded: Vec::new(),
        }
    }

    /// Sets the options.
    #[must_use]
    pub const fn with_options(mut self, options: EditOptions) -> Editor<'d> {
        self.options = options;
        self
    }

    /// Sets the options for the edits that follow.
    pub const fn set_options(&mut self, options: EditOptions) {
        self.options = options;
    }

    /// Returns the document as it was read, without any edits.
    pub const fn document(&self) -> &'d Document<'d> {
        self.document
    }

    /// Sets the payload of a structure, including its continuation lines. If the text of a line does not change, the
    /// line keeps its bytes.
    ///
    /// # Errors
    ///
    /// Returns an error if the structure cannot have that payload. Also returns an error for HEAD.CHAR, because it
    /// names the encoding of the file.
    pub fn set(&mut self, structure: Structure, value: impl Into<Value>) -> Result<(), EditError> {
        let value = value.into();
        let item = self.settable_item(structure, &value)?;
        self.tree.set_payload(self.document, item, value);
        Ok(())
    }

    /// Sets the tag of a structure.
    ///
    /// # Errors
    ///
    /// Returns an error if `tag` is not a tag, or if it is reserved at this place.
    pub fn set_tag(&mut self, structure: Structure, tag: &str) -> Result<(), EditError> {
        let item = self.editable_item(structure)?;
        self.check_line_is_editable(item)?;
        self.check_tag(tag, self.edited_tree().superstructure(item))?;
        self.tree.change_mut(self.document, item).tag = Some(tag.into());
        Ok(())
    }

    /// Removes a structure and its substructures.
    ///
    /// # Errors
    ///
    /// Returns an error if the structure has been removed already. Also returns an error for HEAD.CHAR, and for a
    /// header that contains it.
    pub fn remove(&mut self, structure: Structure) -> Result<(), EditError> {
        let item = self.removable_item(structure)?;
        self.remove_cascading(item);
        Ok(())
    }

    /// Adds a substructure, or a record if `superstructure` is `None`. With `number`, the new structure becomes the
    /// N-th structure with its tag. Without `number`, it becomes the last substructure, or the last record before the
    /// trailer.
    ///
    /// # Errors
    ///
    /// Returns an error if the tag, the identifier, the payload or the number is not possible at this place.
    pub fn insert(
        &mut self,
        superstructure: Option<Structure>,
        xref: Option<&str>,
        tag: &str,
        value: impl Into<Value>,
        number: Option<u32>,
    ) -> Result<Structure, EditError> {
        let value = value.into();
        let above = self.superstructure_item(superstructure)?;
        self.check_tag(tag, above)?;
        if let Some(xref) = xref {
            self.check_new_xref(xref)?;
        }
        self.check_value(&value, self.is_metadata(above, tag))?;
        let before = self.find_nth(above, tag, number, None)?;
        let change = Change { xref: xref.map(Into::into), tag: Some(tag.into()), payload: Some(value) };
        let item = self.tree.add(self.document, change)?;
        self.tree.place_under(self.document, item, above, before);
        Ok(self.handle(item))
    }

    /// Moves a structure and its substructures under `superstructure`. If `superstructure` is `None`, the structure
    /// becomes a record. `number` has the same meaning as in [`insert`](Editor::insert).
    ///
    /// # Errors
    ///
    /// Returns an error if the structure is not possible at this place, or if it would be under itself.
    pub fn move_to(
        &mut self,
        structure: Structure,
        superstructure: Option<Structure>,
        number: Option<u32>,
    ) -> Result<(), EditError> {
        let item = self.editable_item(structure)?;
        let above = self.superstructure_item(superstructure)?;
        self.check_movable(item)?;
        self.check_tag(self.edited_tree().tag(item), above)?;
        if self.edited_tree().is_within(above, item) {
            return Err(EditError::WithinItself);
        }
        let before = self.find_nth(above, self.edited_tree().tag(item), number, Some(item))?;
        self.tree.place_under(self.document, item, above, before);
        Ok(())
    }

    /// Renames an identifier and updates every pointer to it. Both identifiers are given without at signs.
    ///
    /// # Errors
    ///
    /// Returns an error unless exactly one structure has the identifier `xref`. Also returns an error if `new` is not
    /// an identifier, or is already used.
    pub fn rename(&mut self, xref: &str, new: &str) -> Result<(), EditError> {
        self.check_complete()?;
        let bearer = match *self.edited_tree().items_with_xref(xref) {
            [] => return Err(EditError::XrefUnknown { xref: xref.to_owned() }),
            [one] => one,
            _ => return Err(EditError::XrefAmbiguous { xref: xref.to_owned() }),
        };
        if xref == new {
            return Ok(());
        }
        self.check_new_xref(new)?;
        let bearer = self.editable_item(self.handle(bearer))?;
        self.check_line_is_editable(bearer)?;
        self.tree.rename(self.document, bearer, new);
        for item in self.tree.items_pointing_to(self.document, xref) {
            self.tree.set_payload(self.document, item, Value::Pointer(new.to_owned()));
        }
        Ok(())
    }

    pub(crate) fn edited_tree(&self) -> EditedTree<'_> {
        EditedTree { document: self.document, tree: &self.tree }
    }
}
