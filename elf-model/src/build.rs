//! Builds a dataset from nothing.

use crate::arena::{Arena, DatasetTooLarge, NewStructure, Section};
use crate::dataset::Dataset;
use crate::header::Header;
use crate::nodes::NONE;
use crate::types::{TypedBy, TypesInUse};
use elf_schema::{Resolver, Schema, TypeId};
use elf_tagged::Piece;
use hashbrown::HashMap;
use std::collections::HashSet;
use std::sync::Arc;

/// Builds a [`Dataset`] structure by structure, in document order.
///
/// Structures are opened and closed like parentheses. A setter changes the structure that was added last. The schema
/// determines the types from the tags, as when a file is read.
///
/// ```
/// use elf_model::{DatasetBuilder, Schema};
///
/// let mut builder = DatasetBuilder::new(Schema::completed());
/// builder.metadata("SOUR").text("MY_PROGRAM");
/// let ada = builder.unused_xref("I");
/// builder.record("INDI").xref(&ada);
/// builder.open("NAME").text("Ada /King/").close();
/// builder.open("BIRT").open("DATE").text("10 DEC 1815");
/// builder.record("FAM").open("CHIL").pointer(&ada);
/// let dataset = builder.finish()?;
/// let child = dataset.records().nth(1).and_then(|family| family.substructures().next()).expect("a child");
/// assert_eq!(child.target(), dataset.records().next());
/// assert_eq!(child.structure_type(), Some(elf_model::vocabulary::elf::CHILD_POINTER));
/// # Ok::<(), elf_model::DatasetTooLarge>(())
/// ```
#[derive(Debug)]
pub struct DatasetBuilder {
    arena: Arena,
    resolver: Resolver,
    types: Vec<TypeId>,
    in_use: TypesInUse,
    xrefs: HashSet<Box<str>>,
    numbers: XrefNumbers,
}

impl DatasetBuilder {
    /// Starts a dataset whose types are determined by `schema`.
    pub fn new(schema: &Arc<Schema>) -> DatasetBuilder {
        DatasetBuilder {
            arena: Arena::default(),
            resolver: Resolver::new(Arc::clone(schema)),
            types: Vec::new(),
            in_use: TypesInUse::new(),
            xrefs: HashSet::new(),
            numbers: XrefNumbers::default(),
        }
    }

    /// Sets the serialisation metadata of the header.
    pub fn header(&mut self, header: Header) -> &mut DatasetBuilder {
        self.arena.header = header;
        self
    }

    /// Closes all structures, and then opens a structure directly in the metadata.
    pub fn metadata(&mut self, tag: &str) -> &mut DatasetBuilder {
        self.push(Section::Metadata, 0, tag)
    }

    /// Closes all structures, and then opens a record.
    pub fn record(&mut self, tag: &str) -> &mut DatasetBuilder {
        self.push(Section::Records, 0, tag)
    }

    /// Opens a substructure of the innermost open structure. If no structure is open, opens a record.
    pub fn open(&mut self, tag: &str) -> &mut DatasetBuilder {
        match self.arena.depth() {
            0 => self.record(tag),
            depth => self.push(self.arena.section(), depth, tag),
        }
    }

    /// Closes the innermost open structure.
    pub fn close(&mut self) -> &mut DatasetBuilder {
        self.arena.close_to_depth(self.arena.depth().saturating_sub(1));
        self.types.pop();
        self
    }

    /// Sets the identifier of the structure, which is given without at signs. The rules of a file decide which
    /// identifiers can be written in it. An identifier of ASCII letters and digits can always be written.
    pub fn xref(&mut self, xref: &str) -> &mut DatasetBuilder {
        self.arena.set_xref(Some(xref));
        self.xrefs.insert(xref.into());
        self
    }

    /// Returns an unused identifier, which consists of `prefix` and a number. The prefix may be empty, and each prefix
    /// counts from 1. The identifier is reserved for the caller and is not returned again.
    pub fn unused_xref(&mut self, prefix: &str) -> String {
        let xrefs = &mut self.xrefs;
        self.numbers.generate_unused(prefix, |xref| xrefs.insert(xref.into()))
    }

    /// Sets the type of the structure, by its IRI, if it is not the type that the schema gives to its tag. To keep that
    /// type, a file needs a schema that defines it.
    pub fn structure_type(&mut self, iri: &str) -> &mut DatasetBuilder {
        let number = self.arena.intern_type(iri);
        self.arena.set_type(number);
        let known = self.resolver.schema().type_of(iri);
        self.in_use.extend(known.map(|of| (of, number)));
        if let Some(last) = self.types.last_mut() {
            *last = known.unwrap_or(TypeId::UNDEFINED);
        }
        self
    }

    /// Makes a type a subtype of another type, as a schema in the file would. Both types are given by their IRIs.
    ///
    /// ```
    /// use elf_model::{DatasetBuilder, Schema, vocabulary::elf};
    ///
    /// let mut builder = DatasetBuilder::new(Schema::completed());
    /// builder.record("INDI").open("_PEAL").structure_type("https://e.example/Peal");
    /// builder.supertype("https://e.example/Peal", elf::INDIVIDUAL_EVENT);
    /// assert_eq!(builder.finish()?.of_type(elf::EVENT).count(), 1);
    /// # Ok::<(), elf_model::DatasetTooLarge>(())
    /// ```
    pub fn supertype(&mut self, subtype: &str, supertype: &str) -> &mut DatasetBuilder {
        self.arena.add_supertype(subtype, supertype);
        let number = self.arena.intern_type(supertype);
        if let Some(known) = self.resolver.schema().type_of(supertype) {
            self.in_use.entry(known).or_insert(number);
        }
        self
    }

    /// Sets the payload of the structure to a string. Each LF, CR or CR LF in it is one line break.
    pub fn text(&mut self, text: &str) -> &mut DatasetBuilder {
        self.pieces(&[Piece::Text(text)])
    }

    /// Sets the payload of the structure to a string that consists of text and escapes.
    pub fn pieces(&mut self, pieces: &[Piece<'_>]) -> &mut DatasetBuilder {
        self.arena.begin_literal();
        for &piece in pieces {
            self.arena.add_piece(piece);
        }
        self
    }

    /// Sets the payload of the structure to a pointer. The payload points to the structure that has or will have the
    /// identifier `xref`.
    pub fn pointer(&mut self, xref: &str) -> &mut DatasetBuilder {
        self.arena.set_pointer(xref);
        self
    }

    /// Finishes the dataset.
    ///
    /// # Errors
    ///
    /// Returns [`DatasetTooLarge`] if identifiers and payloads together are longer than 4 GiB.
    pub fn finish(mut self) -> Result<Dataset, DatasetTooLarge> {
        self.arena.add_supertypes(self.in_use, self.resolver.schema());
        self.arena.typed_by = Some(TypedBy::of_schema(Arc::clone(self.resolver.schema())));
        self.arena.finish()
    }

    fn push(&mut self, section: Section, depth: usize, tag: &str) -> &mut DatasetBuilder {
        self.types.truncate(depth);
        let root = match section {
            Section::Metadata => TypeId::METADATA,
            Section::Records => TypeId::DOCUMENT,
        };
        let above = self.types.last().copied().unwrap_or(root);
        let of = self.resolver.resolve(above, tag);
        let (resolver, arena) = (&self.resolver, &mut self.arena);
        let structure_type = *self.in_use.entry(of).or_insert_with(|| match resolver.iri(of) {
            Some(iri) => arena.intern_type(iri),
            None => NONE,
        });
        let tag = self.arena.intern_tag(tag);
        self.arena.push(NewStructure { section, depth, tag, structure_type });
        self.types.push(of);
        self
    }
}

/// The last number that was used for each prefix of generated identifiers.
#[derive(Clone, Debug, Default)]
pub(crate) struct XrefNumbers(HashMap<String, u64>);

impl XrefNumbers {
    /// Returns the first identifier for which `reserve` returns true. The candidates consist of the prefix and a
    /// number.
    pub(crate) fn generate_unused(&mut self, prefix: &str, mut reserve: impl FnMut(&str) -> bool) -> String {
        let last = self.0.entry_ref(prefix).or_insert(0);
        loop {
            *last += 1;
            let xref = format!("{prefix}{last}");
            if reserve(&xref) {
                return xref;
            }
        }
    }
}
