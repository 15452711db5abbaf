//! Tagged structures that a program builds and changes.
//!
//! A [`Tree`] is an owned tree of tagged structures. You can build a tree from nothing, or copy it from a [`Document`].
//! A tree needs no schema and no types, and can be written by the rules of any draft, in any encoding.
//!
//! ```
//! use elf_tagged::tree::Tree;
//! use elf_tagged::write::WriteOptions;
//! use elf_tagged::Rules;
//!
//! let mut tree = Tree::new();
//! let mut ada = tree.add_record("INDI");
//! ada.set_xref("I1")?;
//! ada.add("NAME").set_text("Ada /King/");
//! ada.add("BIRT").add("DATE").set_text("10 DEC 1815");
//! let ada = ada.id();
//! tree.add_record("FAM").add("CHIL").set_pointer(ada)?;
//!
//! let mut octets = Vec::new();
//! tree.write(&mut octets, &Rules::GEDCOM_5_5_1, &WriteOptions::new(), &mut ())?;
//! assert!(octets.ends_with(b"0 @I1@ INDI\n1 NAME Ada /King/\n1 BIRT\n2 DATE 10 DEC 1815\n0 FAM\n1 CHIL @I1@\n0 TRLR\n"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod structure;
mod write;

pub use structure::{Structure, StructureMut, Structures};

use crate::write::Preamble;
use crate::{Document, Node, Payload, Piece};
use std::collections::HashMap;
use std::error::Error;
use std::fmt;

/// An editable tree of tagged structures. The tree has the metadata in the header, and the records.
///
/// A [`StructureId`] identifies a structure of one tree, even after the structure was moved. Do not use it with another
/// tree.
#[derive(Clone, Debug, Default)]
pub struct Tree {
    slots: Vec<Slot>,
    metadata: Vec<StructureId>,
    records: Vec<StructureId>,
    /// The structures that have each identifier. Several structures can have the same one only if the tree was copied
    /// from a file.
    bearers: HashMap<Box<str>, Vec<StructureId>>,
    preamble: Preamble<'static>,
    /// Whether a pointer to `VOID` deliberately refers to no record.
    has_void: bool,
}

/// The identity of a structure in a [`Tree`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct StructureId(usize);

/// The parent of a structure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Parent {
    /// The parent is the header, so the structure is metadata.
    Header,
    /// The parent is the file, so the structure is a record.
    File,
    /// The parent is another structure.
    Structure(StructureId),
}

/// The payload of a structure in a [`Tree`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Value {
    /// The structure has no payload.
    #[default]
    None,
    /// The payload is a pointer. The identifier is given without at signs.
    Pointer(String),
    /// The payload is plain text. When it is written, its at signs are doubled, except in date escapes in a DATE.
    Text(String),
    /// The payload consists of text and escapes, which are separate as they were when they were read.
    Pieces(Vec<OwnedPiece>),
}

/// A piece of a payload. The piece is like a [`Piece`], but owns its text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OwnedPiece {
    /// Text that has been unescaped.
    Text(String),
    /// An escape as it is written in a file.
    Escape(String),
}

/// The reason why a tree cannot be changed.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum TreeError {
    /// Another structure already has the identifier.
    XrefTaken(String),
    /// The identifier is empty, or contains an at sign or a line break.
    NoXref(String),
    /// The target of a pointer has no identifier.
    TargetWithoutXref,
    /// The structure is not in the tree, or has been removed.
    Gone,
    /// A structure cannot be moved into itself.
    IntoItself,
}

impl fmt::Display for TreeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TreeError::XrefTaken(text) => write!(f, "another structure has the identifier `@{text}@`"),
            TreeError::NoXref(text) => write!(f, "invalid cross-reference identifier `{text}`"),
            TreeError::TargetWithoutXref => {
                f.write_str("the structure has no identifier that a pointer can use")
            }
            TreeError::Gone => f.write_str("the structure is not in the tree"),
            TreeError::IntoItself => f.write_str("a structure cannot be moved into itself"),
        }
    }
}

impl Error for TreeError {}

#[derive(Clone, Debug)]
struct Slot {
    tag: Box<str>,
    xref: Option<Box<str>>,
    value: Value,
    /// The parent. `None` after the structure was removed.
    parent: Option<Parent>,
    beneath: Vec<StructureId>,
}

impl Tree {
    /// Creates an empty tree.
    pub fn new() -> Tree {
        Tree::default()
    }

    /// Copies the metadata, the records and the serialisation metadata of a document or a run.
    ///
    /// ```
    /// use elf_tagged::Document;
    /// use elf_tagged::tree::Tree;
    ///
    /// let document = Document::parse(b"0 HEAD\n1 SOUR X\n0 @I1@ INDI\n1 NAME Ada\n0 TRLR\n")?;
    /// let tree = Tree::of(&document);
    /// let person = tree.record("I1").expect("a record");
    /// assert_eq!(person.substructure("NAME").and_then(|name| name.text()).as_deref(), Some("Ada"));
    /// # Ok::<(), elf_tagged::TooLarge>(())
    /// ```
    pub fn of(document: &Document<'_>) -> Tree {
        let has_void = document.header().is_void(elf_lines::VOID);
        let preamble = Preamble::of_document(document).into_owned();
        let mut tree = Tree { preamble, has_void, ..Tree::default() };
        let head_end = document.head().map_or(0, |head| head.subtree_end().get());
        // The structures to which substructures are still added, each with the index after the last node under it.
        let mut open: Vec<(u32, StructureId)> = Vec::new();
        for node in document.structures() {
            let at = node.id().get();
            while open.pop_if(|(end, _)| *end <= at).is_some() {}
            let parent = match open.last() {
                Some((_, above)) => Parent::Structure(*above),
                None if at < head_end => Parent::Header,
                None => Parent::File,
            };
            let id = tree.insert_under(parent, usize::MAX, node.tag());
            if let Some(xref) = node.xref() {
                tree.add_to_index(id, xref);
            }
            tree.slots[id.0].value = Value::of(node);
            open.push((node.subtree_end().get(), id));
        }
        tree
    }

    /// Returns the serialisation metadata of the header: GEDCOM version, language and schema.
    pub const fn preamble(&self) -> &Preamble<'static> {
        &self.preamble
    }

    /// Sets the serialisation metadata of the header.
    pub fn set_preamble(&mut self, preamble: Preamble<'static>) {
        self.preamble = preamble;
    }

    /// Returns the structures directly in the header, in order.
    pub fn metadata(&self) -> Structures<'_> {
        Structures::new(self, &self.metadata)
    }

    /// Returns the records of the tree, in order.
    pub fn records(&self) -> Structures<'_> {
        Structures::new(self, &self.records)
    }

    /// Returns the structure with this identity. Returns `None` if it was removed.
    pub fn get(&self, id: StructureId) -> Option<Structure<'_>> {
        self.is_there(id).then(|| Structure::new(self, id))
    }

    /// Returns the structure with this identity for changes. Returns `None` if it was removed.
    pub fn get_mut(&mut self, id: StructureId) -> Option<StructureMut<'_>> {
        self.is_there(id).then(|| StructureMut::new(self, id))
    }

    /// Returns the structure with an identifier, which is given without at signs. Returns `None` if no structure has
    /// the identifier, or if several structures have it.
    pub fn record(&self, xref: &str) -> Option<Structure<'_>> {
        match self.bearers.get(xref).map(Vec::as_slice) {
            Some(&[only]) => Some(Structure::new(self, only)),
            Some(_) | None => None,
        }
    }

    /// Adds metadata at the end of the header.
    pub fn add_metadata(&mut self, tag: &str) -> StructureMut<'_> {
        let id = self.insert_under(Parent::Header, usize::MAX, tag);
        StructureMut::new(self, id)
    }

    /// Adds a record after all other records.
    pub fn add_record(&mut self, tag: &str) -> StructureMut<'_> {
        let id = self.insert_under(Parent::File, usize::MAX, tag);
        StructureMut::new(self, id)
    }

    /// Inserts a structure at a position among the substructures of the parent, or at the end.
    ///
    /// # Errors
    ///
    /// Returns [`TreeError::Gone`] if the parent is not in the tree.
    pub fn insert(&mut self, parent: Parent, at: usize, tag: &str) -> Result<StructureMut<'_>, TreeError> {
        self.check_parent(parent)?;
        let id = self.insert_under(parent, at, tag);
        Ok(StructureMut::new(self, id))
    }

    /// Removes a structure and everything under it. Pointers to it are kept, but they become unresolved. When the tree
    /// is written, they are reported.
    ///
    /// # Errors
    ///
    /// Returns [`TreeError::Gone`] if the structure is not in the tree.
    pub fn remove(&mut self, id: StructureId) -> Result<(), TreeError> {
        self.detach(id)?;
        let mut all = vec![id];
        while let Some(id) = all.pop() {
            self.remove_from_index(id);
            let slot = &mut self.slots[id.0];
            slot.parent = None;
            slot.value = Value::None;
            all.append(&mut slot.beneath);
        }
        Ok(())
    }

    /// Moves a structure and everything under it to a position among the substructures of the parent, or to the end.
    ///
    /// # Errors
    ///
    /// Returns [`TreeError::Gone`] if the structure or the parent is not in the tree. Returns [`TreeError::IntoItself`]
    /// if the parent is the structure itself or is under it.
    pub fn move_to(&mut self, id: StructureId, parent: Parent, at: usize) -> Result<(), TreeError> {
        self.check_parent(parent)?;
        let mut above = parent;
        while let Parent::Structure(one) = above {
            if one == id {
                return Err(TreeError::IntoItself);
            }
            above = self.slots[one.0].parent.ok_or(TreeError::Gone)?;
        }
        self.detach(id)?;
        self.slots[id.0].parent = Some(parent);
        let siblings = self.siblings_mut(parent);
        siblings.insert(at.min(siblings.len()), id);
        Ok(())
    }

    /// Returns an identifier that is not used. The identifier consists of the prefix and the lowest unused number.
    ///
    /// ```
    /// use elf_tagged::tree::Tree;
    ///
    /// let mut tree = Tree::new();
    /// tree.add_record("INDI").set_xref("I1")?;
    /// assert_eq!(tree.unused_xref("I"), "I2");
    /// # Ok::<(), elf_tagged::tree::TreeError>(())
    /// ```
    pub fn unused_xref(&self, prefix: &str) -> String {
        let mut numbers = 1_u64..;
        let new = numbers.find_map(|number| {
            let xref = format!("{prefix}{number}");
            (!self.bearers.contains_key(&*xref)).then_some(xref)
        });
        // This never happens, because there are more numbers than structures.
        new.unwrap_or_else(|| prefix.to_owned())
    }

    fn is_there(&self, id: StructureId) -> bool {
        self.slots.get(id.0).is_some_and(|slot| slot.parent.is_some())
    }

    fn check_parent(&self, parent: Parent) -> Result<(), TreeError> {
        match parent {
            Parent::Header | Parent::File => Ok(()),
            Parent::Structure(id) => self.is_there(id).then_some(()).ok_or(TreeError::Gone),
        }
    }

    fn insert_under(&mut self, parent: Parent, at: usize, tag: &str) -> StructureId {
        let id = StructureId(self.slots.len());
        let parent_of = Some(parent);
        self.slots.push(Slot {
            tag: tag.into(),
            xref: None,
            value: Value::None,
            parent: parent_of,
            beneath: Vec::new(),
        });
        let siblings = self.siblings_mut(parent);
        siblings.insert(at.min(siblings.len()), id);
        id
    }

    fn siblings_mut(&mut self, parent: Parent) -> &mut Vec<StructureId> {
        match parent {
            Parent::Header => &mut self.metadata,
            Parent::File => &mut self.records,
            Parent::Structure(above) => &mut self.slots[above.0].beneath,
        }
    }

    fn detach(&mut self, id: StructureId) -> Result<(), TreeError> {
        let parent = self.slots.get(id.0).and_then(|slot| slot.parent).ok_or(TreeError::Gone)?;
        self.siblings_mut(parent).retain(|one| *one != id);
        Ok(())
    }

    fn add_to_index(&mut self, id: StructureId, xref: &str) {
        self.slots[id.0].xref = Some(xref.into());
        self.bearers.entry(xref.into()).or_default().push(id);
    }

    fn remove_from_index(&mut self, id: StructureId) {
        let Some(xref) = self.slots[id.0].xref.take() else { return };
        if let Some(bearers) = self.bearers.get_mut(&xref) {
            bearers.retain(|one| *one != id);
            if bearers.is_empty() {
                self.bearers.remove(&xref);
            }
        }
    }
}

impl From<&Document<'_>> for Tree {
    fn from(document: &Document<'_>) -> Tree {
        Tree::of(document)
    }
}

impl Value {
    /// Returns the payload of a structure of a document.
    pub fn of(node: Node<'_>) -> Value {
        match node.payload() {
            Payload::None => Value::None,
            Payload::Pointer(xref) => Value::Pointer(xref.to_owned()),
            Payload::Text(text) if text.contains("@#") && !node.flags().is_plain_text() => {
                let mut pieces = Vec::new();
                node.pieces(|piece| pieces.push(OwnedPiece::of(piece)));
                Value::Pieces(pieces)
            }
            Payload::Text(text) => Value::Text(text.into_owned()),
        }
    }

    /// Returns the payload as text, with escapes as written. Returns `None` if the payload is not text.
    pub fn text(&self) -> Option<std::borrow::Cow<'_, str>> {
        match self {
            Value::None | Value::Pointer(_) => None,
            Value::Text(text) => Some(text.into()),
            Value::Pieces(pieces) => Some(pieces.iter().map(OwnedPiece::as_str).collect::<String>().into()),
        }
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Value {
        Value::Text(text.to_owned())
    }
}

impl From<String> for Value {
    fn from(text: String) -> Value {
        Value::Text(text)
    }
}

impl OwnedPiece {
    /// Copies a piece.
    pub fn of(piece: Piece<'_>) -> OwnedPiece {
        match piece {
            Piece::Text(text) => OwnedPiece::Text(text.to_owned()),
            Piece::Escape(raw) => OwnedPiece::Escape(raw.to_owned()),
        }
    }

    /// Returns the piece as a borrowed [`Piece`].
    pub fn as_piece(&self) -> Piece<'_> {
        match self {
            OwnedPiece::Text(text) => Piece::Text(text),
            OwnedPiece::Escape(raw) => Piece::Escape(raw),
        }
    }

    fn as_str(&self) -> &str {
        match self {
            OwnedPiece::Text(text) | OwnedPiece::Escape(text) => text,
        }
    }
}
