//! Datasets made from nothing.

use crate::arena::{Arena, DatasetTooLarge, METADATA, RECORDS};
use crate::dataset::{Dataset, Header};
use crate::nodes::NONE;
use crate::types::{TypedBy, TypesInUse};
use elf_schema::{Resolver, Schema, TypeId};
use elf_tagged::Piece;
use std::collections::HashSet;
use std::sync::Arc;

/// Builds a [`Dataset`] structure by structure, in document order.
///
/// Structures are opened and closed like parentheses; what is set applies to the one opened last. Their types
/// follow from their tags by the schema, as when a file is read.
///
/// ```
/// use elf_model::{DatasetBuilder, Schema};
///
/// let mut builder = DatasetBuilder::new(Schema::completed());
/// builder.metadata("SOUR").text("MY_PROGRAM");
/// let ada = builder.fresh_xref("I");
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
    /// The types of the open structures.
    types: Vec<TypeId>,
    in_use: TypesInUse,
    xrefs: HashSet<Box<str>>,
    fresh: u64,
}

impl DatasetBuilder {
    /// A builder of a dataset typed by `schema`.
    pub fn new(schema: &Arc<Schema>) -> DatasetBuilder {
        DatasetBuilder {
            arena: Arena::default(),
            resolver: Resolver::new(Arc::clone(schema)),
            types: Vec::new(),
            in_use: TypesInUse::new(),
            xrefs: HashSet::new(),
            fresh: 0,
        }
    }

    /// Says what the header says about the serialisation.
    pub fn header(&mut self, header: Header) -> &mut DatasetBuilder {
        self.arena.header = header;
        self
    }

    /// Closes what is open, and opens a structure that stands directly in the metadata.
    pub fn metadata(&mut self, tag: &str) -> &mut DatasetBuilder {
        self.push(METADATA, 0, tag)
    }

    /// Closes what is open, and opens a record.
    pub fn record(&mut self, tag: &str) -> &mut DatasetBuilder {
        self.push(RECORDS, 0, tag)
    }

    /// Opens a substructure of the structure opened last; a record where none is open.
    pub fn open(&mut self, tag: &str) -> &mut DatasetBuilder {
        match self.arena.depth() {
            0 => self.record(tag),
            depth => self.push(self.arena.part(), depth, tag),
        }
    }

    /// Closes the structure opened last.
    pub fn close(&mut self) -> &mut DatasetBuilder {
        self.arena.close_to(self.arena.depth().saturating_sub(1));
        self.types.pop();
        self
    }

    /// Gives the structure an identifier, without at signs. The rules to write by tell which identifiers can
    /// be written; ASCII letters and digits always can.
    pub fn xref(&mut self, xref: &str) -> &mut DatasetBuilder {
        self.arena.set_xref(Some(xref));
        self.xrefs.insert(xref.into());
        self
    }

    /// An identifier that no structure has been given so far: `prefix`, which may be empty, and a number. It
    /// is kept for the caller, and is not given out again.
    pub fn fresh_xref(&mut self, prefix: &str) -> String {
        let xrefs = &mut self.xrefs;
        fresh_xref(&mut self.fresh, prefix, |xref| xrefs.insert(xref.into()))
    }

    /// Gives the structure another type than its tag has here, by its IRI. A file can say so only if its
    /// schema does.
    pub fn structure_type(&mut self, iri: &str) -> &mut DatasetBuilder {
        let number = self.arena.structure_type(iri);
        self.arena.set_type(number);
        let known = self.resolver.schema().type_of(iri);
        self.in_use.extend(known.map(|of| (of, number)));
        if let Some(last) = self.types.last_mut() {
            *last = known.unwrap_or(TypeId::UNDEFINED);
        }
        self
    }

    /// Makes a type a subtype of another one, both given by their IRIs, as a schema of the file would say it.
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
        let number = self.arena.structure_type(supertype);
        if let Some(known) = self.resolver.schema().type_of(supertype) {
            self.in_use.entry(known).or_insert(number);
        }
        self
    }

    /// Gives the structure a string for payload. Each LF, CR or CR LF in it is one line break.
    pub fn text(&mut self, text: &str) -> &mut DatasetBuilder {
        self.pieces(&[Piece::Text(text)])
    }

    /// Gives the structure a string of text and escapes for payload.
    pub fn pieces(&mut self, pieces: &[Piece<'_>]) -> &mut DatasetBuilder {
        self.arena.begin_literal();
        for &piece in pieces {
            self.arena.add_piece(piece);
        }
        self
    }

    /// Gives the structure a pointer for payload, to the structure that bears or will bear `xref`.
    pub fn pointer(&mut self, xref: &str) -> &mut DatasetBuilder {
        self.arena.set_pointer(xref);
        self
    }

    /// The dataset.
    ///
    /// # Errors
    ///
    /// [`DatasetTooLarge`] where identifiers and payloads together are longer than 4 GiB.
    pub fn finish(mut self) -> Result<Dataset, DatasetTooLarge> {
        self.arena.add_supertypes(self.in_use, self.resolver.schema());
        self.arena.typed_by = Some(TypedBy::schema(Arc::clone(self.resolver.schema())));
        self.arena.finish()
    }

    fn push(&mut self, part: usize, depth: usize, tag: &str) -> &mut DatasetBuilder {
        self.types.truncate(depth);
        let root = if part == METADATA { TypeId::METADATA } else { TypeId::DOCUMENT };
        let above = self.types.last().copied().unwrap_or(root);
        let of = self.resolver.resolve(above, tag);
        let (resolver, arena) = (&self.resolver, &mut self.arena);
        let number = *self.in_use.entry(of).or_insert_with(|| match resolver.iri(of) {
            Some(iri) => arena.structure_type(iri),
            None => NONE,
        });
        let tag = self.arena.tag(tag);
        self.arena.push(part, depth, tag, number);
        self.types.push(of);
        self
    }
}

/// Makes an identifier of a prefix and the next number after the `last` for which `take` takes it.
pub(crate) fn fresh_xref(last: &mut u64, prefix: &str, mut take: impl FnMut(&str) -> bool) -> String {
    loop {
        *last += 1;
        let xref = format!("{prefix}{last}");
        if take(&xref) {
            return xref;
        }
    }
}
