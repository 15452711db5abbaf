//! A dataset that is being changed: structures are added, moved and removed at any place.

mod append;
mod checkpoint;
mod convert;
mod find;
mod links;
mod view;

pub use append::Appended;
pub use view::StructureView;

use crate::arena::DatasetTooLarge;
use crate::build::fresh_xref;
use crate::dataset::{Dataset, Header, Names};
use crate::nodes::NONE;
use crate::types::TypesInUse;
use elf_schema::{Resolver, TypeId};
use elf_tagged::Piece;
use hashbrown::HashSet;
use links::{Gap, Links, ROOTS};
use std::collections::BTreeSet;
use std::fmt;

/// A dataset that can be changed, made by [`Dataset::into_mut`].
///
/// Structures are named by [`StructureId`]s, which stay what they are whatever happens to others. Those that
/// are added get types from their tags by the [schema](Dataset::schema) of the dataset, as when a file is
/// read; those that are moved or appended keep the types they have. [`finish`](DatasetMut::finish) makes it a
/// [`Dataset`] again. Where a tag no longer gives a structure its type, as it may where it was moved,
/// [`Dataset::tagged_by`] chooses tags that do before the dataset is written.
///
/// Each change takes time in proportion to what it changes, however many structures stand around it.
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
    /// A number that tells its handles from those of others.
    owner: u64,
    /// The dataset it was made of, for its text, tags and types; what is added to the text stands behind.
    /// Its nodes are not looked at.
    base: Dataset,
    resolver: Resolver,
    in_use: TypesInUse,
    /// Types and their direct supertypes, by their numbers.
    supertypes: HashSet<(u32, u32)>,
    links: Links,
    nodes: Vec<Node>,
    xrefs: Names,
    /// Identifiers, by their numbers, and the structures that bear them.
    bearers: BTreeSet<(u32, u32)>,
    /// Identifiers, by their numbers, and the pointers that name them.
    pointers: BTreeSet<(u32, u32)>,
    /// Identifiers that were given out and may come to be borne, by their numbers.
    reserved: HashSet<u32>,
    fresh: u64,
    /// The most octets of text; what would be more is refused.
    room: usize,
}

/// A structure that can be changed.
#[derive(Clone, Copy, Debug)]
struct Node {
    tag: u32,
    structure_type: u32,
    /// The number of its identifier; [`NONE`] where it has none.
    xref: u32,
    content: Content,
}

/// A payload.
#[derive(Clone, Copy, Debug)]
enum Content {
    None,
    /// A range of the text.
    Literal(u32, u32),
    /// The number of an identifier.
    Pointer(u32),
}

/// A structure of a [`DatasetMut`], by name: valid until it is removed, and nowhere else.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StructureId {
    owner: u64,
    number: u32,
}

/// A place where a structure is put. A [`StructureId`] is one: last in that structure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Position {
    /// Before all other substructures of a structure.
    FirstIn(StructureId),
    /// Behind all other substructures of a structure.
    LastIn(StructureId),
    /// Beside a structure, before it.
    Before(StructureId),
    /// Beside a structure, behind it.
    After(StructureId),
    /// Behind all other records.
    LastRecord,
    /// Directly in the metadata, behind all else.
    LastMetadata,
}

impl From<StructureId> for Position {
    fn from(above: StructureId) -> Position {
        Position::LastIn(above)
    }
}

/// The reason why a change is not made. Nothing has changed then.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ChangeError {
    /// The structure belongs to another dataset.
    #[error("the structure is one of another dataset")]
    Foreign,
    /// The structure was removed.
    #[error("the structure was removed")]
    Removed,
    /// A structure would stand beneath or beside itself.
    #[error("a structure cannot stand beneath itself")]
    BeneathItself,
    /// Another structure has the identifier.
    #[error("`@{xref}@` is borne by another structure")]
    XrefTaken {
        /// The identifier.
        xref: String,
    },
    /// The structures to be appended are not all of one dataset.
    #[error("expected structures of one dataset")]
    SeveralDatasets,
    /// There is more text than a dataset can hold, or there are more structures.
    #[error(transparent)]
    TooLarge(#[from] DatasetTooLarge),
}

impl DatasetMut {
    /// Returns what names the structure that had an [index] in the dataset this was made of; `None` where
    /// there was none, or it was removed.
    ///
    /// [index]: crate::Structure::index
    pub fn id(&self, index: usize) -> Option<StructureId> {
        let number = u32::try_from(index).ok()?.checked_add(ROOTS)?;
        self.stands(number).then_some(self.id_of(number)).filter(|_| index < self.base.len())
    }

    /// Finds the structure with an identifier, given without at signs; `None` where several bear it.
    pub fn resolve(&self, xref: &str) -> Option<StructureId> {
        let xref = number(self.xrefs.get_index_of(xref)?);
        let mut found = self.bearers.range((xref, 0)..=(xref, NONE)).map(|&(_, bearer)| bearer);
        let first = found.next()?;
        found.next().is_none().then(|| self.id_of(first))
    }

    /// Finds the structures whose payloads are pointers to an identifier, whether a structure bears it or
    /// not; those first that have been there longest.
    pub fn pointers_to(&self, xref: &str) -> impl Iterator<Item = StructureId> {
        let named = self.xrefs.get_index_of(xref).map_or(NONE, number);
        self.pointers.range((named, 0)..=(named, NONE)).map(|&(_, pointer)| self.id_of(pointer))
    }

    /// Adds a structure of that tag, and returns what names it. It has a type by the schema, and nothing
    /// else.
    ///
    /// # Errors
    ///
    /// A [`ChangeError`] where the position is not in this dataset.
    pub fn add(&mut self, at: impl Into<Position>, tag: &str) -> Result<StructureId, ChangeError> {
        let gap = self.gap(at.into())?;
        let above = match gap.above {
            links::METADATA => TypeId::METADATA,
            links::DOCUMENT => TypeId::DOCUMENT,
            above => {
                let of = self.node(above).map_or(NONE, |node| node.structure_type);
                self.base
                    .types
                    .iri(of)
                    .and_then(|iri| self.resolver.type_of(iri))
                    .unwrap_or(TypeId::UNDEFINED)
            }
        };
        let of = self.resolver.resolve(above, tag);
        let structure_type = match self.resolver.iri(of) {
            Some(iri) => *self.in_use.entry(of).or_insert_with(|| self.base.types.intern(iri)),
            None => NONE,
        };
        let tag = intern(&mut self.base.tags, tag);
        let added = self.push(Node { tag, structure_type, xref: NONE, content: Content::None })?;
        self.links.put(added, gap);
        Ok(self.id_of(added))
    }

    /// Makes the payload of a structure a string. Each LF, CR or CR LF in it is one line break.
    ///
    /// # Errors
    ///
    /// A [`ChangeError`] where the structure is not in this dataset, or there would be too much text.
    pub fn set_text(&mut self, id: StructureId, text: &str) -> Result<(), ChangeError> {
        self.set_pieces(id, &[Piece::Text(text)])
    }

    /// Makes the payload of a structure a string of text and escapes.
    ///
    /// # Errors
    ///
    /// A [`ChangeError`] where the structure is not in this dataset, or there would be too much text.
    pub fn set_pieces(&mut self, id: StructureId, pieces: &[Piece<'_>]) -> Result<(), ChangeError> {
        let number = self.number(id)?;
        let content = store(&mut self.base, self.room, pieces.iter().copied())?;
        self.set_content(number, content);
        Ok(())
    }

    /// Makes the payload of a structure a pointer to the structure that bears or will bear `xref`.
    ///
    /// # Errors
    ///
    /// A [`ChangeError`] where the structure is not in this dataset.
    pub fn set_pointer(&mut self, id: StructureId, xref: &str) -> Result<(), ChangeError> {
        let number = self.number(id)?;
        let content = Content::Pointer(intern(&mut self.xrefs, xref));
        self.set_content(number, content);
        Ok(())
    }

    /// Makes the payload of a structure a pointer to another one. That gets an identifier where it has none:
    /// the first letter of its tag and a number.
    ///
    /// # Errors
    ///
    /// A [`ChangeError`] where one of the two is not in this dataset; [`ChangeError::XrefTaken`] where others
    /// bear the identifier of the target too, so that a pointer to it would lead nowhere.
    pub fn set_target(&mut self, id: StructureId, target: StructureId) -> Result<(), ChangeError> {
        let (pointer, bearer) = (self.number(id)?, self.number(target)?);
        let Some(&Node { tag, xref, .. }) = self.node(bearer) else { return Err(ChangeError::Removed) };
        let xref = match self.xrefs.get_index(xref as usize).map(|xref| String::from(&**xref)) {
            Some(xref) if self.resolve(&xref) == Some(target) => xref,
            Some(xref) => return Err(ChangeError::XrefTaken { xref }),
            None => {
                let tag = self.base.tags.get_index(tag as usize).and_then(|tag| tag.chars().next());
                let xref = self.next_xref(tag.unwrap_or('X').encode_utf8(&mut [0; 4]));
                self.set_xref(target, Some(&xref))?;
                xref
            }
        };
        let content = Content::Pointer(intern(&mut self.xrefs, &xref));
        self.set_content(pointer, content);
        Ok(())
    }

    /// Takes the payload of a structure away.
    ///
    /// # Errors
    ///
    /// A [`ChangeError`] where the structure is not in this dataset.
    pub fn clear_payload(&mut self, id: StructureId) -> Result<(), ChangeError> {
        let number = self.number(id)?;
        self.set_content(number, Content::None);
        Ok(())
    }

    /// Gives a structure an identifier, without at signs, or takes it away; an empty one is none. Pointers
    /// stay as they are: [`rename`](DatasetMut::rename) takes them along.
    ///
    /// # Errors
    ///
    /// [`ChangeError::XrefTaken`] where another structure bears it; another [`ChangeError`] where the
    /// structure is not in this dataset.
    pub fn set_xref(&mut self, id: StructureId, xref: Option<&str>) -> Result<(), ChangeError> {
        let number = self.number(id)?;
        let named = match xref.filter(|xref| !xref.is_empty()) {
            Some(xref) => self.free_xref(number, xref)?,
            None => NONE,
        };
        self.set_bearer(number, named);
        Ok(())
    }

    /// Gives a structure another identifier, and all pointers that lead to it, and returns their number.
    ///
    /// # Errors
    ///
    /// [`ChangeError::XrefTaken`] where another structure bears it; another [`ChangeError`] where the
    /// structure is not in this dataset.
    pub fn rename(&mut self, id: StructureId, xref: &str) -> Result<usize, ChangeError> {
        let number = self.number(id)?;
        let before = self.node(number).map_or(NONE, |node| node.xref);
        let leads_here = self.bearers.range((before, 0)..=(before, NONE)).count() == 1 && before != NONE;
        self.set_xref(id, Some(xref))?;
        let after = self.node(number).map_or(NONE, |node| node.xref);
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

    /// Returns an identifier that no structure bears and no pointer names: `prefix`, which may be empty, and
    /// a number. It is kept for the caller, and is not given out again.
    pub fn fresh_xref(&mut self, prefix: &str) -> String {
        let xref = self.next_xref(prefix);
        self.reserved.insert(intern(&mut self.xrefs, &xref));
        xref
    }

    /// An identifier that nothing here has ever borne or named.
    fn next_xref(&mut self, prefix: &str) -> String {
        let xrefs = &mut self.xrefs;
        fresh_xref(&mut self.fresh, prefix, |xref| xrefs.insert(xref.into()))
    }

    /// Tells whether a structure bears an identifier, a pointer names it, or the caller has it in hand.
    fn is_taken(&self, xref: &str) -> bool {
        let Some(number) = self.xrefs.get_index_of(xref).map(number) else { return false };
        let here = (number, 0)..=(number, NONE);
        self.reserved.contains(&number)
            || self.bearers.range(here.clone()).next().is_some()
            || self.pointers.range(here).next().is_some()
    }

    /// Gives a structure another type, by its IRI, and leaves its tag as it is. A file can say so only if its
    /// schema does.
    ///
    /// # Errors
    ///
    /// A [`ChangeError`] where the structure is not in this dataset.
    pub fn set_type(&mut self, id: StructureId, iri: &str) -> Result<(), ChangeError> {
        let number = self.number(id)?;
        let structure_type = self.intern_type(iri);
        if let Some(node) = self.node_mut(number) {
            node.structure_type = structure_type;
        }
        Ok(())
    }

    /// Makes a type a subtype of another one, both given by their IRIs, as a schema of the file would say it.
    pub fn supertype(&mut self, subtype: &str, supertype: &str) {
        let [of, above] = [subtype, supertype].map(|iri| self.intern_type(iri));
        self.supertypes.insert((of, above));
    }

    /// Moves a structure, with all beneath it. Types, tags and identifiers stay.
    ///
    /// # Errors
    ///
    /// [`ChangeError::BeneathItself`] where the position is beneath or beside the structure itself; another
    /// [`ChangeError`] where either is not in this dataset.
    pub fn move_to(&mut self, id: StructureId, to: impl Into<Position>) -> Result<(), ChangeError> {
        let moved = self.number(id)?;
        let to = to.into();
        let mut gap = self.gap(to)?;
        if matches!(to, Position::Before(beside) | Position::After(beside) if beside == id) {
            return Err(ChangeError::BeneathItself);
        }
        // What has nothing beneath it need not be looked for there.
        let mut above = gap.above;
        while above != NONE && above >= ROOTS {
            if above == moved {
                return Err(ChangeError::BeneathItself);
            }
            above = if self.links.first(moved) == NONE { NONE } else { self.links.above(above) };
        }
        if gap.before == moved {
            gap.before = self.links.after(moved);
        }
        self.links.take(moved);
        self.links.put(moved, gap);
        Ok(())
    }

    /// Removes a structure, with all beneath it, and returns the structures whose pointers led to one of them
    /// and now lead nowhere. They are left as they are.
    ///
    /// # Errors
    ///
    /// A [`ChangeError`] where the structure is not in this dataset.
    pub fn remove(&mut self, id: StructureId) -> Result<Vec<StructureId>, ChangeError> {
        let top = self.number(id)?;
        let gone: Vec<u32> = self.links.subtree(top).map(|(number, _)| number).collect();
        let mut names = Vec::new();
        for &number in &gone {
            names.extend(self.node(number).map(|node| node.xref).filter(|&xref| xref != NONE));
            self.set_bearer(number, NONE);
            self.set_content(number, Content::None);
        }
        self.links.take(top);
        self.links.part(&gone);
        names.sort();
        names.dedup();
        names.retain(|&xref| self.bearers.range((xref, 0)..=(xref, NONE)).next().is_none());
        let led = names.iter().flat_map(|&xref| self.pointers.range((xref, 0)..=(xref, NONE)));
        Ok(led.map(|&(_, pointer)| self.id_of(pointer)).collect())
    }

    /// Returns the metadata of the serialisation, from the header.
    pub const fn header(&self) -> &Header {
        self.base.header()
    }

    /// Sets the header.
    pub fn set_header(&mut self, header: Header) {
        self.base.header = header;
    }

    /// The structure of that name.
    ///
    /// # Errors
    ///
    /// [`ChangeError::Foreign`] and [`ChangeError::Removed`], where there is none here.
    fn number(&self, id: StructureId) -> Result<u32, ChangeError> {
        if id.owner != self.owner {
            return Err(ChangeError::Foreign);
        }
        if self.stands(id.number) { Ok(id.number) } else { Err(ChangeError::Removed) }
    }

    fn stands(&self, number: u32) -> bool {
        number >= ROOTS && self.links.above(number) != NONE
    }

    const fn id_of(&self, number: u32) -> StructureId {
        StructureId { owner: self.owner, number }
    }

    fn gap(&self, position: Position) -> Result<Gap, ChangeError> {
        Ok(match position {
            Position::LastRecord => Gap { above: links::DOCUMENT, before: NONE },
            Position::LastMetadata => Gap { above: links::METADATA, before: NONE },
            Position::LastIn(above) => Gap { above: self.number(above)?, before: NONE },
            Position::FirstIn(above) => {
                let above = self.number(above)?;
                Gap { above, before: self.links.first(above) }
            }
            Position::Before(beside) => {
                let before = self.number(beside)?;
                Gap { above: self.links.above(before), before }
            }
            Position::After(beside) => {
                let beside = self.number(beside)?;
                Gap { above: self.links.above(beside), before: self.links.after(beside) }
            }
        })
    }

    /// Adds a node that stands nowhere yet.
    fn push(&mut self, node: Node) -> Result<u32, DatasetTooLarge> {
        let added = u32::try_from(self.links.len()).ok().filter(|&added| added < NONE);
        let added = added.ok_or(DatasetTooLarge)?;
        self.links.push();
        self.nodes.push(Node { xref: NONE, content: Content::None, ..node });
        self.set_bearer(added, node.xref);
        self.set_content(added, node.content);
        Ok(added)
    }

    fn set_content(&mut self, number: u32, content: Content) {
        let Some(node) = self.node_mut(number) else { return };
        let before = std::mem::replace(&mut node.content, content);
        if let Content::Pointer(to) = before {
            self.pointers.remove(&(to, number));
        }
        if let Content::Pointer(to) = content {
            self.pointers.insert((to, number));
        }
    }

    fn set_bearer(&mut self, number: u32, xref: u32) {
        let Some(node) = self.node_mut(number) else { return };
        let before = std::mem::replace(&mut node.xref, xref);
        if before != NONE {
            self.bearers.remove(&(before, number));
        }
        if xref != NONE {
            self.bearers.insert((xref, number));
        }
    }

    /// The number of an identifier that no other structure bears.
    fn free_xref(&mut self, bearer: u32, xref: &str) -> Result<u32, ChangeError> {
        let named = intern(&mut self.xrefs, xref);
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

    fn node(&self, number: u32) -> Option<&Node> {
        self.nodes.get(number.checked_sub(ROOTS)? as usize)
    }

    fn node_mut(&mut self, number: u32) -> Option<&mut Node> {
        self.nodes.get_mut(number.checked_sub(ROOTS)? as usize)
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

/// Adds a string to the text of a dataset, behind all else, where there is room for it.
fn store<'p>(
    to: &mut Dataset,
    room: usize,
    pieces: impl Iterator<Item = Piece<'p>>,
) -> Result<Content, DatasetTooLarge> {
    let (from, escapes) = (to.text.len(), to.escapes.len());
    for piece in pieces {
        let start = to.text.len();
        match piece {
            Piece::Text(text) if text.contains('\r') => {
                to.text.push_str(&text.replace("\r\n", "\n").replace('\r', "\n"));
            }
            Piece::Text(text) | Piece::Escape(text) => to.text.push_str(text),
        }
        if matches!(piece, Piece::Escape(_)) {
            to.escapes.push((number(start), number(to.text.len())));
        }
    }
    if to.text.len() > room {
        to.text.truncate(from);
        to.escapes.truncate(escapes);
        return Err(DatasetTooLarge);
    }
    Ok(Content::Literal(number(from), number(to.text.len())))
}

fn intern(names: &mut Names, name: &str) -> u32 {
    number(match names.get_index_of(name) {
        Some(index) => index,
        None => names.insert_full(name.into()).0,
    })
}

/// A number of 32 bits: there are fewer names than octets in 4 GiB of text.
fn number(index: usize) -> u32 {
    u32::try_from(index).unwrap_or(NONE)
}
