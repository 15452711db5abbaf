//! A dataset that is being changed: structures are added, moved and removed anywhere.

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

/// A dataset that can be changed, made by [`Dataset::into_mut`].
///
/// Structures are referred to by [`StructureId`]s, which stay valid when other structures change. Added
/// structures get types from their tags by the [schema](Dataset::schema) of the dataset, as when a file is
/// read; moved and appended structures keep their types. [`finish`](DatasetMut::finish) makes it a [`Dataset`]
/// again. If the tag of a moved structure no longer implies its type, use [`Dataset::tagged_by`] to choose
/// tags before you write the dataset.
///
/// The time of a change is proportional to the structures that it changes, not to those around them.
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
    /// The original dataset, for its text, tags and types. New text is appended to it. Its nodes are no longer used.
    base: Dataset,
    resolver: Resolver,
    in_use: TypesInUse,
    /// Pairs of a type and one of its direct supertypes, by number.
    supertypes: HashSet<(u32, u32)>,
    links: Links,
    nodes: Vec<Node>,
    xrefs: Names,
    /// Pairs of an identifier and a structure that has it, by number.
    bearers: BTreeSet<(u32, u32)>,
    /// Pairs of an identifier and a pointer to it, by number.
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
    /// The number of its identifier; [`NONE`] if it has none.
    xref: u32,
    content: Content,
}

#[derive(Clone, Copy, Debug)]
enum Content {
    None,
    /// A range of the text.
    Literal(u32, u32),
    /// The number of an identifier.
    Pointer(u32),
}

/// Identifies a structure of a [`DatasetMut`] until the structure is removed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StructureId {
    owner: u64,
    number: u32,
}

/// A place for a structure. A [`StructureId`] can be used instead; it means last in that structure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Position {
    /// Before all other substructures of a structure.
    FirstIn(StructureId),
    /// After all other substructures of a structure.
    LastIn(StructureId),
    /// Directly before a structure.
    Before(StructureId),
    /// Directly after a structure.
    After(StructureId),
    /// After all other records.
    LastRecord,
    /// Directly in the metadata, after all other structures.
    LastMetadata,
}

impl From<StructureId> for Position {
    fn from(above: StructureId) -> Position {
        Position::LastIn(above)
    }
}

/// Why a change was not made. After an error, the dataset is unchanged.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ChangeError {
    /// The structure belongs to another dataset.
    #[error("the structure belongs to another dataset")]
    Foreign,
    /// The structure was removed.
    #[error("the structure was removed")]
    Removed,
    /// A structure would be moved into itself, or next to itself.
    #[error("a structure cannot be moved into itself")]
    IntoItself,
    /// Another structure has the identifier.
    #[error("another structure has the identifier `@{xref}@`")]
    XrefTaken {
        /// The identifier.
        xref: String,
    },
    /// The structures to append belong to several datasets.
    #[error("the structures belong to different datasets")]
    SeveralDatasets,
    /// There is more text than a dataset can hold, or there are more structures.
    #[error(transparent)]
    TooLarge(#[from] DatasetTooLarge),
}

impl DatasetMut {
    /// Returns the id of the structure that had an [index] in the original dataset; `None` if there was none,
    /// or it was removed.
    ///
    /// [index]: crate::Structure::index
    pub fn id(&self, index: usize) -> Option<StructureId> {
        let number = u32::try_from(index).ok()?.checked_add(ROOTS)?;
        (index < self.base.len() && self.is_present(number)).then_some(self.id_of(number))
    }

    /// Finds the structure with an identifier, given without at signs; `None` if several structures have it.
    /// In a dataset of GEDCOM 7, `VOID` identifies nothing.
    pub fn resolve(&self, xref: &str) -> Option<StructureId> {
        if self.base.is_void(xref) {
            return None;
        }
        let xref = self.xrefs.find(xref)?;
        let mut found = self.bearers.range((xref, 0)..=(xref, NONE)).map(|&(_, bearer)| bearer);
        let first = found.next()?;
        found.next().is_none().then(|| self.id_of(first))
    }

    /// Finds the structures whose payloads are pointers to an identifier, whether a structure has it or not.
    /// Structures that were added earlier come first.
    pub fn pointers_to(&self, xref: &str) -> impl Iterator<Item = StructureId> {
        let found = self.xrefs.find(xref).map(|xref| self.pointers.range((xref, 0)..=(xref, NONE)));
        found.into_iter().flatten().map(|&(_, pointer)| self.id_of(pointer))
    }

    /// Adds a structure with a tag, and returns its id. It gets a type from the schema, and has neither an
    /// identifier nor a payload.
    ///
    /// # Errors
    ///
    /// A [`ChangeError`] if the position is not in this dataset.
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

    /// Makes the payload of a structure a string. Each LF, CR or CR LF in it is one line break.
    ///
    /// # Errors
    ///
    /// A [`ChangeError`] if the structure is not in this dataset, or there would be too much text.
    pub fn set_text(&mut self, id: StructureId, text: &str) -> Result<(), ChangeError> {
        self.set_pieces(id, &[Piece::Text(text)])
    }

    /// Makes the payload of a structure a string of text and escapes.
    ///
    /// # Errors
    ///
    /// A [`ChangeError`] if the structure is not in this dataset, or there would be too much text.
    pub fn set_pieces(&mut self, id: StructureId, pieces: &[Piece<'_>]) -> Result<(), ChangeError> {
        let number = self.number_of(id)?;
        let content = append_text(&mut self.base, self.room, pieces.iter().copied())?;
        self.set_content(number, content);
        Ok(())
    }

    /// Makes the payload of a structure a pointer to the structure that has or will have the identifier `xref`.
    ///
    /// # Errors
    ///
    /// A [`ChangeError`] if the structure is not in this dataset.
    pub fn set_pointer(&mut self, id: StructureId, xref: &str) -> Result<(), ChangeError> {
        let number = self.number_of(id)?;
        let content = Content::Pointer(self.xrefs.intern(xref));
        self.set_content(number, content);
        Ok(())
    }

    /// Makes the payload of a structure a pointer to another one. If the target has no identifier, it gets one:
    /// the first letter of its tag and a number.
    ///
    /// # Errors
    ///
    /// A [`ChangeError`] if one of the two is not in this dataset; [`ChangeError::XrefTaken`] if other
    /// structures have the identifier of the target too, so that a pointer to it would be unresolved.
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
    /// A [`ChangeError`] if the structure is not in this dataset.
    pub fn clear_payload(&mut self, id: StructureId) -> Result<(), ChangeError> {
        let number = self.number_of(id)?;
        self.set_content(number, Content::None);
        Ok(())
    }

    /// Sets the identifier of a structure, without at signs, or removes it; an empty one is none. Pointers
    /// stay as they are: use [`rename`](DatasetMut::rename) to change them too.
    ///
    /// # Errors
    ///
    /// [`ChangeError::XrefTaken`] if another structure has it; another [`ChangeError`] if the structure is not
    /// in this dataset.
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
    /// [`ChangeError::XrefTaken`] if another structure has it; another [`ChangeError`] if the structure is not
    /// in this dataset.
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

    /// Returns an identifier that no structure has and no pointer names, made of `prefix`, which may be empty, and a
    /// number that each prefix counts from 1. The identifier is reserved for the caller and is not returned again.
    pub fn unused_xref(&mut self, prefix: &str) -> String {
        let xref = self.generate_xref(prefix);
        self.reserved.insert(self.xrefs.intern(&xref));
        xref
    }

    fn generate_xref(&mut self, prefix: &str) -> String {
        let xrefs = &mut self.xrefs;
        self.numbers.generate_unused(prefix, |xref| xrefs.insert(xref))
    }

    /// Returns whether an identifier cannot be given to a new structure: a structure has it, a pointer names it, the
    /// caller has reserved it, or it is `VOID` in GEDCOM 7.
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

    /// Gives a structure another type, by its IRI, and leaves its tag as it is. To keep that type, a file needs
    /// a schema that defines it.
    ///
    /// # Errors
    ///
    /// A [`ChangeError`] if the structure is not in this dataset.
    pub fn set_type(&mut self, id: StructureId, iri: &str) -> Result<(), ChangeError> {
        let number = self.number_of(id)?;
        self.node_mut(number).structure_type = self.intern_type(iri);
        Ok(())
    }

    /// Makes a type a subtype of another one, both given by their IRIs, as a schema in the file would.
    pub fn add_supertype(&mut self, subtype: &str, supertype: &str) {
        let [of, above] = [subtype, supertype].map(|iri| self.intern_type(iri));
        self.supertypes.insert((of, above));
    }

    /// Moves a structure with all its substructures. Types, tags and identifiers stay.
    ///
    /// # Errors
    ///
    /// [`ChangeError::IntoItself`] if the position is in the structure or next to it; another [`ChangeError`]
    /// if either is not in this dataset.
    pub fn move_to(&mut self, id: StructureId, to: impl Into<Position>) -> Result<(), ChangeError> {
        let moved = self.number_of(id)?;
        let to = to.into();
        let mut gap = self.find_gap(to)?;
        if matches!(to, Position::Before(beside) | Position::After(beside) if beside == id) {
            return Err(ChangeError::IntoItself);
        }
        // Only a structure with substructures can contain the position.
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

    /// Removes a structure with all its substructures. Returns the structures whose pointers are unresolved
    /// now. They are left as they are.
    ///
    /// # Errors
    ///
    /// A [`ChangeError`] if the structure is not in this dataset.
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

    /// Returns the number of a structure after checking its id.
    ///
    /// # Errors
    ///
    /// [`ChangeError::Foreign`] and [`ChangeError::Removed`] if it is not in this dataset.
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

    /// Interns an identifier for `bearer`. Fails if another structure has it.
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

/// Appends `pieces` to the text of a dataset, up to `room` bytes in total.
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
