//! Changes a dataset: structures are added, moved and removed at any place.

mod append;
mod checkpoint;
mod convert;
mod find;
mod links;
mod view;

pub use append::Appended;
pub(crate) use append::Batch;
pub use view::StructureView;

use crate::arena::DatasetTooLarge;
use crate::build::XrefNumbers;
use crate::dataset::Dataset;
use crate::header::Header;
use crate::names::Names;
use crate::nodes::{NONE, to_u32};
use crate::types::TypesInUse;
use elf_schema::{Resolver, TypeId};
use elf_tagged::Piece;
use hashbrown::HashSet;
use links::{Gap, Links, ROOTS};
use std::collections::BTreeSet;
use std::fmt;

/// A dataset that can be changed. [`Dataset::into_mut`] creates it.
///
/// You refer to structures by [`StructureId`]s, which stay valid when other structures change. An added structure gets
/// its type from its tag by the [schema](Dataset::schema) of the dataset, as when a file is read. Moved and appended
/// structures keep their types. If the tag of a moved structure no longer implies its type, use [`Dataset::tagged_by`]
/// to choose tags before you write the dataset. [`finish`](DatasetMut::finish) makes it a [`Dataset`] again.
///
/// The time for a change depends on the structures that it changes, not on the structures around them.
///
/// ```
/// use elf_model::{Position, ReadOptions, Rules};
///
/// let octets = b"0 HEAD\n0 @I1@ INDI\n1 NAME Ada /Byron/\n1 NOTE private\n0 TRLR\n";
/// let dataset = elf_model::read(octets, &Rules::WILD, &ReadOptions::default(), &mut ())?;
/// let note = dataset.find(&"@I1@/NOTE".parse()?)?[0].index();
///
/// let mut dataset = dataset.into_mut();
/// let ada = dataset.resolve("I1").expect("a person");
/// let birth = dataset.add(ada, "BIRT")?;
/// let date = dataset.add(birth, "DATE")?;
/// dataset.set_text(date, "10 DEC 1815")?;
/// dataset.remove(dataset.id(note).expect("it is there"))?;
/// let family = dataset.add(Position::LastRecord, "FAM")?;
/// let wife = dataset.add(family, "WIFE")?;
/// dataset.set_target(wife, ada)?;
/// let dataset = dataset.finish()?;
///
/// let tags: Vec<_> = dataset.structures().map(|structure| structure.tag()).collect();
/// assert_eq!(tags, ["INDI", "NAME", "BIRT", "DATE", "FAM", "WIFE"]);
/// assert_eq!(dataset.of_type(elf_model::vocabulary::elf::EVENT).count(), 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct DatasetMut {
    /// A number that identifies this dataset in its [`StructureId`]s.
    owner: u64,
    /// The original dataset, which provides text, tags and types. New text is appended to its text. The nodes of this
    /// dataset are no longer used.
    base: Dataset,
    resolver: Resolver,
    in_use: TypesInUse,
    /// Pairs of a type and one of its direct supertypes, both by their numbers.
    supertypes: HashSet<(u32, u32)>,
    links: Links,
    nodes: Vec<Node>,
    xrefs: Names,
    /// Pairs of an identifier and a structure that has it, both by their numbers.
    bearers: BTreeSet<(u32, u32)>,
    /// Pairs of an identifier and a structure that points to it, both by their numbers.
    pointers: BTreeSet<(u32, u32)>,
    /// The numbers of identifiers that are reserved for the caller.
    reserved: HashSet<u32>,
    numbers: XrefNumbers,
    /// The maximum number of bytes of text.
    room: usize,
}

#[derive(Clone, Copy, Debug)]
struct Node {
    tag: u32,
    structure_type: u32,
    /// The number of the structure's identifier. [`NONE`] if it has no identifier.
    xref: u32,
    content: Content,
}

#[derive(Clone, Copy, Debug)]
enum Content {
    None,
    /// The payload is a string. The numbers are the range of the string in the text.
    Literal(u32, u32),
    /// The payload is a pointer. The number is that of the identifier.
    Pointer(u32),
}

/// Identifies a structure of a [`DatasetMut`] until the structure is removed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StructureId {
    owner: u64,
    number: u32,
}

/// A position at which a structure is placed. Instead of a position, you can use a [`StructureId`], which means the
/// last position in that structure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Position {
    /// Before all other substructures of this structure.
    FirstIn(StructureId),
    /// After all other substructures of this structure.
    LastIn(StructureId),
    /// Directly before this structure, with the same superstructure.
    Before(StructureId),
    /// Directly after this structure, with the same superstructure.
    After(StructureId),
    /// At the end of the records, as a record.
    LastRecord,
    /// Directly in the metadata, after all other structures.
    LastMetadata,
}

impl From<StructureId> for Position {
    fn from(above: StructureId) -> Position {
        Position::LastIn(above)
    }
}

/// The reason why a change was not made. After such an error, the dataset is the same as before.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ChangeError {
    /// The structure belongs to another dataset.
    #[error("the structure belongs to another dataset")]
    Foreign,
    /// The structure was removed.
    #[error("the structure was removed")]
    Removed,
    /// The structure would be moved into itself, or next to itself.
    #[error("a structure cannot be moved into itself")]
    IntoItself,
    /// Another structure has the identifier.
    #[error("another structure has the identifier `@{xref}@`")]
    XrefTaken {
        /// The identifier that is already used.
        xref: String,
    },
    /// The structures that are to be appended belong to several datasets.
    #[error("the structures belong to different datasets")]
    SeveralDatasets,
    /// The dataset would have more text or more structures than it can hold.
    #[error(transparent)]
    TooLarge(#[from] DatasetTooLarge),
}

impl DatasetMut {
    /// Returns the id of the structure that had an [index] in the original dataset. Returns `None` if there was no such
    /// structure, or if it was removed.
    ///
    /// [index]: crate::Structure::index
    pub fn id(&self, index: usize) -> Option<StructureId> {
        let number = u32::try_from(index).ok()?.checked_add(ROOTS)?;
        (index < self.base.len() && self.is_present(number)).then_some(self.id_of(number))
    }

    /// Finds the structure with an identifier, which is given without at signs. Returns `None` if no structure or
    /// several structures have it. In a dataset of GEDCOM 7, no structure is found for `VOID`.
    pub fn resolve(&self, xref: &str) -> Option<StructureId> {
        if self.base.is_void(xref) {
            return None;
        }
        let xref = self.xrefs.find(xref)?;
        let mut found = self.bearers.range((xref, 0)..=(xref, NONE)).map(|&(_, bearer)| bearer);
        let first = found.next()?;
        found.next().is_none().then(|| self.id_of(first))
    }

    /// Finds the structures whose payloads are pointers to an identifier, even if no structure has it. Structures that
    /// were added earlier come first.
    pub fn pointers_to(&self, xref: &str) -> impl Iterator<Item = StructureId> {
        let found = self.xrefs.find(xref).map(|xref| self.pointers.range((xref, 0)..=(xref, NONE)));
        found.into_iter().flatten().map(|&(_, pointer)| self.id_of(pointer))
    }

    /// Adds a structure with a tag, and returns its id. The structure gets its type from the schema. The new structure
    /// has no identifier and no payload yet.
    ///
    /// # Errors
    ///
    /// Returns a [`ChangeError`] if the position is not in this dataset.
    pub fn add(&mut self, at: impl Into<Position>, tag: &str) -> Result<StructureId, ChangeError> {
        let gap = self.find_gap(at.into())?;
        let above = match gap.above {
            links::METADATA => TypeId::METADATA,
            links::DOCUMENT => TypeId::DOCUMENT,
            above => {
                let iri = self.base.types.iri(self.node(above).structure_type);
                iri.and_then(|iri| self.resolver.type_of(iri)).unwrap_or(TypeId::UNDEFINED)
            }
        };
        let of = self.resolver.resolve(above, tag);
        let structure_type = match self.resolver.iri(of) {
            Some(iri) => *self.in_use.entry(of).or_insert_with(|| self.base.types.intern(iri)),
            None => NONE,
        };
        let tag = self.base.tags.intern(tag);
        let added = self.push_node(Node { tag, structure_type, xref: NONE, content: Content::None })?;
        self.links.insert(added, gap);
        Ok(self.id_of(added))
    }

    /// Sets the payload of a structure to a string. Each LF, CR or CR LF in it is one line break.
    ///
    /// # Errors
    ///
    /// Returns a [`ChangeError`] if the structure is not in this dataset, or if the dataset would have too much text.
    pub fn set_text(&mut self, id: StructureId, text: &str) -> Result<(), ChangeError> {
        self.set_pieces(id, &[Piece::Text(text)])
    }

    /// Sets the payload of a structure to a string that consists of text and escapes.
    ///
    /// # Errors
    ///
    /// Returns a [`ChangeError`] if the structure is not in this dataset, or if the dataset would have too much text.
    pub fn set_pieces(&mut self, id: StructureId, pieces: &[Piece<'_>]) -> Result<(), ChangeError> {
        let number = self.number_of(id)?;
        let content = append_text(&mut self.base, self.room, pieces.iter().copied())?;
        self.set_content(number, content);
        Ok(())
    }

    /// Sets the payload of a structure to a pointer. The payload points to the structure that has or will have the
    /// identifier `xref`.
    ///
    /// # Errors
    ///
    /// Returns a [`ChangeError`] if the structure is not in this dataset.
    pub fn set_pointer(&mut self, id: StructureId, xref: &str) -> Result<(), ChangeError> {
        let number = self.number_of(id)?;
        let content = Content::Pointer(self.xrefs.intern(xref));
        self.set_content(number, content);
        Ok(())
    }

    /// Sets the payload of a structure to a pointer to another structure. If the target has no identifier, it gets one,
    /// which consists of the first letter of its tag and a number.
    ///
    /// # Errors
    ///
    /// Returns a [`ChangeError`] if one of the two structures is not in this dataset. Returns
    /// [`ChangeError::XrefTaken`] if other structures also have the identifier of the target, because the pointer would
    /// then be unresolved.
    pub fn set_target(&mut self, id: StructureId, target: StructureId) -> Result<(), ChangeError> {
        let (pointer, bearer) = (self.number_of(id)?, self.number_of(target)?);
        let Node { tag, xref, .. } = *self.node(bearer);
        let xref = match self.xrefs.get(xref).map(str::to_owned) {
            Some(xref) if self.resolve(&xref) == Some(target) => xref,
            Some(xref) => return Err(ChangeError::XrefTaken { xref }),
            None => {
                // An empty tag has no first letter.
                let letter = self.base.tags[tag].chars().next().unwrap_or('X');
                let xref = self.generate_xref(letter.encode_utf8(&mut [0; 4]));
                self.set_xref(target, Some(&xref))?;
                xref
            }
        };
        let content = Content::Pointer(self.xrefs.intern(&xref));
        self.set_content(pointer, content);
        Ok(())
    }

    /// Removes the payload of a structure.
    ///
    /// # Errors
    ///
    /// Returns a [`ChangeError`] if the structure is not in this dataset.
    pub fn clear_payload(&mut self, id: StructureId) -> Result<(), ChangeError> {
        let number = self.number_of(id)?;
        self.set_content(number, Content::None);
        Ok(())
    }

    /// Sets the identifier of a structure, which is given without at signs. `None` or an empty identifier removes it.
    /// Pointers do not change: use [`rename`](DatasetMut::rename) to change them too.
    ///
    /// # Errors
    ///
    /// Returns [`ChangeError::XrefTaken`] if another structure has the identifier, and another [`ChangeError`] if the
    /// structure is not in this dataset.
    pub fn set_xref(&mut self, id: StructureId, xref: Option<&str>) -> Result<(), ChangeError> {
        let number = self.number_of(id)?;
        let named = match xref.filter(|xref| !xref.is_empty()) {
            Some(xref) => self.intern_free_xref(number, xref)?,
            None => NONE,
        };
        self.set_bearer(number, named);
        Ok(())
    }

    /// Changes the identifier of a structure and all pointers to it. Returns the number of these pointers.
    ///
    /// # Errors
    ///
    /// Returns [`ChangeError::XrefTaken`] if another structure has the identifier, and another [`ChangeError`] if the
    /// structure is not in this dataset.
    pub fn rename(&mut self, id: StructureId, xref: &str) -> Result<usize, ChangeError> {
        let number = self.number_of(id)?;
        let before = self.node(number).xref;
        let leads_here = self.bearers.range((before, 0)..=(before, NONE)).count() == 1 && before != NONE;
        self.set_xref(id, Some(xref))?;
        let after = self.node(number).xref;
        if !leads_here || after == before || after == NONE {
            return Ok(0);
        }
        let moved: Vec<u32> =
            self.pointers.range((before, 0)..=(before, NONE)).map(|&(_, pointer)| pointer).collect();
        for &pointer in &moved {
            self.set_content(pointer, Content::Pointer(after));
        }
        Ok(moved.len())
    }

    /// Returns an identifier that no structure has and no pointer contains. The identifier consists of `prefix` and a
    /// number. The prefix may be empty, and each prefix counts from 1. The identifier is reserved for the caller and is
    /// not returned again.
    pub fn unused_xref(&mut self, prefix: &str) -> String {
        let xref = self.generate_xref(prefix);
        self.reserved.insert(self.xrefs.intern(&xref));
        xref
    }

    fn generate_xref(&mut self, prefix: &str) -> String {
        let xrefs = &mut self.xrefs;
        self.numbers.generate_unused(prefix, |xref| xrefs.insert(xref))
    }

    /// Returns whether an identifier cannot be given to a new structure. An identifier is taken if a structure has it,
    /// if a pointer contains it, if it is reserved for the caller, or if it is `VOID` in GEDCOM 7.
    fn is_xref_taken(&self, xref: &str) -> bool {
        if self.base.is_void(xref) {
            return true;
        }
        let Some(number) = self.xrefs.find(xref) else { return false };
        let here = (number, 0)..=(number, NONE);
        self.reserved.contains(&number)
            || self.bearers.range(here.clone()).next().is_some()
            || self.pointers.range(here).next().is_some()
    }

    /// Sets the type of a structure, by its IRI, without changing its tag. To keep that type, a file needs a schema
    /// that defines it.
    ///
    /// # Errors
    ///
    /// Returns a [`ChangeError`] if the structure is not in this dataset.
    pub fn set_type(&mut self, id: StructureId, iri: &str) -> Result<(), ChangeError> {
        let number = self.number_of(id)?;
        self.node_mut(number).structure_type = self.intern_type(iri);
        Ok(())
    }

    /// Makes a type a subtype of another type, as a schema in the file would. Both types are given by their IRIs.
    pub fn add_supertype(&mut self, subtype: &str, supertype: &str) {
        let [of, above] = [subtype, supertype].map(|iri| self.intern_type(iri));
        self.supertypes.insert((of, above));
    }

    /// Moves a structure with all its substructures. The types, tags and identifiers of these structures do not change.
    ///
    /// # Errors
    ///
    /// Returns [`ChangeError::IntoItself`] if the position is in the structure or next to it. Returns another
    /// [`ChangeError`] if the structure or the position is not in this dataset.
    pub fn move_to(&mut self, id: StructureId, to: impl Into<Position>) -> Result<(), ChangeError> {
        let moved = self.number_of(id)?;
        let to = to.into();
        let mut gap = self.find_gap(to)?;
        if matches!(to, Position::Before(beside) | Position::After(beside) if beside == id) {
            return Err(ChangeError::IntoItself);
        }
        // A structure without substructures cannot contain the position.
        let mut above = gap.above;
        while above != NONE && above >= ROOTS {
            if above == moved {
                return Err(ChangeError::IntoItself);
            }
            above = if self.links.first_substructure(moved) == NONE {
                NONE
            } else {
                self.links.superstructure(above)
            };
        }
        if gap.before == moved {
            gap.before = self.links.next_sibling(moved);
        }
        self.links.remove(moved);
        self.links.insert(moved, gap);
        Ok(())
    }

    /// Removes a structure with all its substructures. Returns the structures whose pointers have become unresolved.
    /// These pointers are not changed.
    ///
    /// # Errors
    ///
    /// Returns a [`ChangeError`] if the structure is not in this dataset.
    pub fn remove(&mut self, id: StructureId) -> Result<Vec<StructureId>, ChangeError> {
        let top = self.number_of(id)?;
        let gone: Vec<u32> = self.links.subtree(top).map(|(number, _)| number).collect();
        let mut names = Vec::new();
        for &number in &gone {
            names.extend(Some(self.node(number).xref).filter(|&xref| xref != NONE));
            self.set_bearer(number, NONE);
            self.set_content(number, Content::None);
        }
        self.links.remove(top);
        self.links.unlink(&gone);
        names.sort();
        names.dedup();
        names.retain(|&xref| self.bearers.range((xref, 0)..=(xref, NONE)).next().is_none());
        let led = names.iter().flat_map(|&xref| self.pointers.range((xref, 0)..=(xref, NONE)));
        Ok(led.map(|&(_, pointer)| self.id_of(pointer)).collect())
    }

    /// Returns the serialisation metadata of the header.
    pub const fn header(&self) -> &Header {
        self.base.header()
    }

    /// Sets the header.
    pub fn set_header(&mut self, header: Header) {
        self.base.header = header;
    }

    /// Checks the id of a structure and returns the number of the structure.
    ///
    /// # Errors
    ///
    /// Returns [`ChangeError::Foreign`] or [`ChangeError::Removed`] if the structure is not in this dataset.
    fn number_of(&self, id: StructureId) -> Result<u32, ChangeError> {
        if id.owner != self.owner {
            return Err(ChangeError::Foreign);
        }
        if self.is_present(id.number) { Ok(id.number) } else { Err(ChangeError::Removed) }
    }

    fn is_present(&self, number: u32) -> bool {
        number >= ROOTS && self.links.superstructure(number) != NONE
    }

    const fn id_of(&self, number: u32) -> StructureId {
        StructureId { owner: self.owner, number }
    }

    fn find_gap(&self, position: Position) -> Result<Gap, ChangeError> {
        Ok(match position {
            Position::LastRecord => Gap { above: links::DOCUMENT, before: NONE },
            Position::LastMetadata => Gap { above: links::METADATA, before: NONE },
            Position::LastIn(above) => Gap { above: self.number_of(above)?, before: NONE },
            Position::FirstIn(above) => {
                let above = self.number_of(above)?;
                Gap { above, before: self.links.first_substructure(above) }
            }
            Position::Before(beside) => {
                let before = self.number_of(beside)?;
                Gap { above: self.links.superstructure(before), before }
            }
            Position::After(beside) => {
                let beside = self.number_of(beside)?;
                Gap { above: self.links.superstructure(beside), before: self.links.next_sibling(beside) }
            }
        })
    }

    fn push_node(&mut self, node: Node) -> Result<u32, DatasetTooLarge> {
        let added = u32::try_from(self.links.len()).ok().filter(|&added| added != NONE);
        let added = added.ok_or(DatasetTooLarge)?;
        self.links.push();
        self.nodes.push(Node { xref: NONE, content: Content::None, ..node });
        self.set_bearer(added, node.xref);
        self.set_content(added, node.content);
        Ok(added)
    }

    fn set_content(&mut self, number: u32, content: Content) {
        let before = std::mem::replace(&mut self.node_mut(number).content, content);
        if let Content::Pointer(to) = before {
            self.pointers.remove(&(to, number));
        }
        if let Content::Pointer(to) = content {
            self.pointers.insert((to, number));
        }
    }

    fn set_bearer(&mut self, number: u32, xref: u32) {
        let before = std::mem::replace(&mut self.node_mut(number).xref, xref);
        if before != NONE {
            self.bearers.remove(&(before, number));
        }
        if xref != NONE {
            self.bearers.insert((xref, number));
        }
    }

    /// Interns an identifier for the structure `bearer`. Returns an error if another structure has it.
    fn intern_free_xref(&mut self, bearer: u32, xref: &str) -> Result<u32, ChangeError> {
        let named = self.xrefs.intern(xref);
        match self.bearers.range((named, 0)..=(named, NONE)).any(|&(_, other)| other != bearer) {
            true => Err(ChangeError::XrefTaken { xref: xref.to_owned() }),
            false => Ok(named),
        }
    }

    fn intern_type(&mut self, iri: &str) -> u32 {
        let number = self.base.types.intern(iri);
        self.in_use.extend(self.resolver.schema().type_of(iri).map(|of| (of, number)));
        number
    }

    /// Returns the node of a structure. `number` must not be that of a root.
    fn node(&self, number: u32) -> &Node {
        &self.nodes[(number - ROOTS) as usize]
    }

    fn node_mut(&mut self, number: u32) -> &mut Node {
        &mut self.nodes[(number - ROOTS) as usize]
    }
}

impl fmt::Debug for DatasetMut {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DatasetMut")
            .field("header", self.header())
            .field("metadata", &self.metadata().collect::<Vec<_>>())
            .field("records", &self.records().collect::<Vec<_>>())
            .finish_non_exhaustive()
    }
}

/// Appends `pieces` to the text of a dataset. The text may have at most `room` bytes in total.
fn append_text<'p>(
    to: &mut Dataset,
    room: usize,
    pieces: impl Iterator<Item = Piece<'p>>,
) -> Result<Content, DatasetTooLarge> {
    let from = to.text.len();
    let mut escapes = Vec::new();
    for piece in pieces {
        let start = to.text.len();
        match piece {
            Piece::Text(text) if text.contains('\r') => {
                to.text.push_str(&text.replace("\r\n", "\n").replace('\r', "\n"));
            }
            Piece::Text(text) | Piece::Escape(text) => to.text.push_str(text),
        }
        if matches!(piece, Piece::Escape(_)) {
            escapes.push((start, to.text.len()));
        }
    }
    if to.text.len() > room {
        to.text.truncate(from);
        return Err(DatasetTooLarge);
    }
    to.escapes.extend(escapes.into_iter().map(|(from, to)| (to_u32(from), to_u32(to))));
    Ok(Content::Literal(to_u32(from), to_u32(to.text.len())))
}
