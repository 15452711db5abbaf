//! A typed document in parts, in memory that does not grow with it.

use crate::document::{ReadOptions, preserve_escapes, resolver};
use crate::resolve::Resolver;
use crate::schema::{Schema, TypeId};
use crate::typing::{Lost, column, of_type};
use elf_base::{Rules, Sink};
use elf_tagged::{Document, Node};
use std::fmt;
use std::io::{self, Read};
use std::sync::Arc;

/// Reads a document part by part, with the types of its structures: each [`Part`] has some whole records.
///
/// What it takes to type them stands in the header, so the first part has it. Memory is bounded as that of
/// [`elf_tagged::Reader`] is; tags without a type are reported after the last part.
///
/// ```
/// use elf_schema::{ReadOptions, Reader, Rules, vocabulary::elf};
///
/// let file: &[u8] = b"0 HEAD\n1 CHAR UTF-8\n0 @I1@ INDI\n1 BIRT\n2 DATE 1881\n0 @I2@ INDI\n1 DEAT\n0 TRLR\n";
/// let mut reader = Reader::new(file, &Rules::WILD, ReadOptions::default());
/// let mut events = 0;
/// while let Some(part) = reader.next_part(&mut ())? {
///     events += part.of_type(elf::EVENT).count();
/// }
/// assert_eq!(events, 2);
/// # Ok::<(), std::io::Error>(())
/// ```
pub struct Reader<'e, R> {
    reader: elf_tagged::Reader<R>,
    rules: Rules,
    options: ReadOptions<'e>,
    resolver: Option<Resolver>,
    lost: Option<Lost>,
}

impl<'e, R: Read> Reader<'e, R> {
    /// Reads `input` by `rules`.
    pub fn new(input: R, rules: &Rules, options: ReadOptions<'e>) -> Reader<'e, R> {
        let reader = elf_tagged::Reader::new(input, rules, &options.octets);
        Reader { reader, rules: *rules, options, resolver: None, lost: Some(Lost::default()) }
    }

    /// The same in parts of about that many octets.
    #[must_use]
    pub fn with_part_size(mut self, octets: usize) -> Reader<'e, R> {
        self.reader = self.reader.with_part_size(octets);
        self
    }

    /// What is known of the document but its types: the decision on its encoding, its header, whether it was read to its
    /// end.
    pub const fn tagged(&self) -> &elf_tagged::Reader<R> {
        &self.reader
    }

    /// The schema in force: known from the first part on; an empty one under the rules of 2017.
    pub fn schema(&self) -> Option<&Arc<Schema>> {
        self.resolver.as_ref().map(Resolver::schema)
    }

    /// The next part; `None` after the last. There is at least one, be it empty.
    ///
    /// # Errors
    ///
    /// What reading the input returns; [`TooLarge`](elf_tagged::TooLarge), wrapped, where a record is over 4 GiB.
    pub fn next_part(&mut self, sink: &mut dyn Sink) -> io::Result<Option<Part<'_>>> {
        let Some(mut document) = self.reader.next_part(sink)? else {
            if let (Some(lost), Some(resolver)) = (self.lost.take(), &self.resolver) {
                lost.report(resolver, &self.rules, sink);
            }
            return Ok(None);
        };
        let options = &self.options;
        let resolver = self.resolver.get_or_insert_with(|| resolver(&document, options, sink));
        preserve_escapes(&mut document, resolver.schema());
        let lost = self.lost.get_or_insert_with(Lost::default);
        let column = column(&document, resolver, lost);
        Ok(Some(Part { document, resolver, column }))
    }
}

impl<R: fmt::Debug> fmt::Debug for Reader<'_, R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Reader").field("reader", &self.reader).finish_non_exhaustive()
    }
}

/// Some whole records of a document, with the types of their structures. The first part has the metadata too.
#[derive(Debug)]
pub struct Part<'r> {
    document: Document<'r>,
    resolver: &'r Resolver,
    column: Vec<TypeId>,
}

impl Part<'_> {
    /// The records as a document of tagged structures.
    pub const fn document(&self) -> &Document<'_> {
        &self.document
    }

    /// The number of the type of a structure of this part; numbers mean the same in all parts.
    pub fn type_id(&self, node: Node<'_>) -> Option<TypeId> {
        self.column.get(node.id().index()).copied().filter(|&of| of != TypeId::NONE)
    }

    /// The IRI of the type of a structure of this part.
    pub fn type_of(&self, node: Node<'_>) -> Option<&str> {
        self.resolver.iri(self.type_id(node)?)
    }

    /// What gives types their numbers.
    pub const fn resolver(&self) -> &Resolver {
        self.resolver
    }

    /// All structures of this part of that type or an eventual subtype of it, in document order.
    pub fn of_type(&self, iri: &str) -> impl Iterator<Item = Node<'_>> {
        let of = self.resolver.type_of(iri);
        of_type(&self.document, &self.column, self.resolver.schema(), of, self.resolver.type_count())
    }
}
