//! A typed document in parts, in memory that does not grow with it.

use crate::column::TypeColumn;
use crate::document::resolver;
use crate::ids::TypeId;
use crate::read_options::ReadOptions;
use crate::resolve::Resolver;
use crate::schema::Schema;
use crate::tally::{UndefinedTag, UndefinedTally};
use crate::typing::{column, counts, is_of, with_subtypes};
use crate::undefined::{self, UndefinedTags};
use crate::values;
use elf_base::{Rules, Sink};
use elf_tagged::elf_octets::LongRecords;
use elf_tagged::{Document, Node, PartError, ReadingId, UnreadPart, XrefLists, Xrefs};
use elf_values::{Datatype, Value};
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
    part_reader: Option<PartReader>,
    /// The tags without types, until they are reported.
    tally: Option<UndefinedTally<TypeId>>,
}

/// Reads parts of a document, with the types of their structures: [`Divided::part_reader`] makes one, to be
/// cloned for each thread.
#[derive(Clone, Debug)]
pub struct PartReader {
    /// The reading whose parts it reads.
    reading: ReadingId,
    resolver: Resolver,
    finder: UndefinedTags,
    /// The number of the part that was read last.
    last: u64,
    check_values: bool,
}

/// The findings of a part that matter to others: for [`Divided::take`].
#[derive(Debug)]
pub struct PartOutcome {
    tagged: elf_tagged::PartOutcome,
    undefined: Vec<UndefinedTag<TypeId>>,
}

impl<'e, R: Read> Reader<'e, R> {
    /// Reads `input` by `rules`.
    pub fn new(input: R, rules: &Rules, options: ReadOptions<'e>) -> Reader<'e, R> {
        let reader = elf_tagged::Reader::new(input, rules, &options.octets);
        Reader { reader, rules: *rules, options, part_reader: None, tally: Some(UndefinedTally::default()) }
    }

    /// Reads `input` in parts, whatever the rules are, with the irregular identifiers of the document, by the
    /// rules of the reading that found them: see [`elf_tagged::Reader::with_xrefs`]. Encodings are what they
    /// were in that reading too, whatever `options` say of them.
    pub fn with_xrefs(input: R, options: ReadOptions<'e>, xrefs: impl Into<Arc<Xrefs>>) -> Reader<'e, R> {
        let xrefs = xrefs.into();
        let rules = *xrefs.rules();
        let reader = elf_tagged::Reader::with_xrefs(input, xrefs);
        Reader { reader, rules, options, part_reader: None, tally: Some(UndefinedTally::default()) }
    }

    /// Sets the size of the parts to come to about that many octets.
    #[must_use]
    pub fn with_part_size(mut self, octets: usize) -> Reader<'e, R> {
        self.reader = self.reader.with_part_size(octets);
        self
    }

    /// Cuts long records: see [`elf_tagged::Reader::with_long_records`]. Nothing of the rest has a type.
    #[must_use]
    pub fn with_long_records(self, long: LongRecords) -> Reader<'e, R> {
        Reader { reader: self.reader.with_long_records(long), ..self }
    }

    /// Looks no identifiers and no pointers up: see [`elf_tagged::Reader::without_lookup`].
    #[must_use]
    pub fn without_lookup(self) -> Reader<'e, R> {
        Reader { reader: self.reader.without_lookup(), ..self }
    }

    /// Leaves identifiers and pointers to be looked up by whoever calls: see
    /// [`elf_tagged::Reader::with_late_lookup`].
    #[must_use]
    pub fn with_late_lookup(self) -> Reader<'e, R> {
        Reader { reader: self.reader.with_late_lookup(), ..self }
    }

    /// The identifiers and pointers that are to be looked up: see [`elf_tagged::Reader::take_xrefs`].
    pub fn take_xrefs(&mut self) -> Option<XrefLists> {
        self.reader.take_xrefs()
    }

    /// Returns what is known of the document but its types: the decision on its encoding, its header, whether
    /// it was read to its end.
    pub const fn tagged(&self) -> &elf_tagged::Reader<R> {
        &self.reader
    }

    /// The schema in force: known from the first part on; an empty one under the rules of 2017.
    pub fn schema(&self) -> Option<&Arc<Schema>> {
        self.part_reader.as_ref().map(|part_reader| part_reader.resolver.schema())
    }

    /// Returns the resolver that gives types their numbers: known from the first part on.
    pub fn resolver(&self) -> Option<&Resolver> {
        self.part_reader.as_ref().map(|part_reader| &part_reader.resolver)
    }

    /// The next part; `None` after the last. There is at least one, be it empty.
    ///
    /// # Errors
    ///
    /// Those of [`elf_tagged::Reader::next_part`].
    pub fn next_part(&mut self, sink: &mut dyn Sink) -> io::Result<Option<Part<'_>>> {
        let reading = self.reader.id().clone();
        let Some(document) = self.reader.next_part_with(&self.options, sink)? else {
            if !sink.has_enough()
                && let (Some(tally), Some(part_reader)) = (self.tally.take(), &mut self.part_reader)
            {
                undefined::report(tally, &mut part_reader.resolver, &self.rules, sink);
            }
            return Ok(None);
        };
        let options = &self.options;
        let part_reader = self.part_reader.get_or_insert_with(|| {
            let resolver = resolver(&document, options, sink);
            let finder = UndefinedTags::by_options(&resolver, options);
            PartReader { reading, resolver, finder, last: 0, check_values: options.check_values }
        });
        let (part, undefined) = part_reader.part(document, sink);
        self.tally.get_or_insert_default().take(undefined);
        Ok(Some(part))
    }

    /// Divides the rest into parts that are read apart: see [`elf_tagged::Reader::divide`].
    ///
    /// `None` as long as that cannot be: before what stands in the header is known, or where the schema is so
    /// large that some of it may have to be left out, which then depends on what was met before.
    ///
    /// ```
    /// use elf_schema::{ReadOptions, Reader, Rules};
    ///
    /// let file: &[u8] = b"0 HEAD\n0 @I1@ INDI\n1 QUAY 1\n0 @I2@ INDI\n1 QUAY 2\n0 TRLR\n";
    /// let mut reader = Reader::new(file, &Rules::WILD, ReadOptions::default()).with_part_size(1);
    /// let mut findings: Vec<elf_schema::Diagnostic> = Vec::new();
    /// loop {
    ///     if let Some(mut divided) = reader.divide() {
    ///         let mut other = divided.part_reader();
    ///         while let Some(unread) = divided.next_unread()? {
    ///             let (_part, outcome) = other.read(&unread, &mut findings)?;
    ///             divided.take(outcome, (), &mut findings, |(), _| ())?;
    ///         }
    ///     }
    ///     // What only the whole document shows comes after the last part.
    ///     if reader.next_part(&mut findings)?.is_none() {
    ///         break;
    ///     }
    /// }
    /// let last = findings.pop().expect("a finding");
    /// assert_eq!(last.message, "`QUAY` has no meaning beneath `INDI`, here and in 1 more place");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn divide<T>(&mut self) -> Option<Divided<'_, R, T>> {
        let part_reader = self.part_reader.as_ref().filter(|one| one.resolver.never_gives_up())?;
        let tagged = self.reader.divide()?;
        Some(Divided { tagged, part_reader, tally: self.tally.get_or_insert_default() })
    }
}

/// The rest of a document in parts, which can be read in any order and on any thread: [`Reader::divide`].
#[derive(Debug)]
pub struct Divided<'r, R: Read, T> {
    tagged: elf_tagged::Divided<'r, R, (Vec<UndefinedTag<TypeId>>, T)>,
    part_reader: &'r PartReader,
    tally: &'r mut UndefinedTally<TypeId>,
}

impl<R: Read, T> Divided<'_, R, T> {
    /// Makes a reader of parts, to be cloned for each thread.
    pub fn part_reader(&self) -> PartReader {
        PartReader { finder: self.part_reader.finder.anew(), ..self.part_reader.clone() }
    }

    /// The next part, not read yet, for a [`PartReader`]; `None` after the last.
    ///
    /// # Errors
    ///
    /// What reading the input returns.
    pub fn next_unread(&mut self) -> io::Result<Option<UnreadPart>> {
        self.tagged.next_unread()
    }

    /// Takes the outcome of a part, and the value that was made of it: see [`elf_tagged::Divided::take`].
    /// After the last one, [`next_part`](Reader::next_part) says what only the whole document shows about
    /// types.
    ///
    /// # Errors
    ///
    /// [`PartError::Foreign`] for the outcome of a part that another reader handed out, and
    /// [`PartError::Repeated`] for that of a part that was taken already; neither counts.
    pub fn take(
        &mut self,
        outcome: PartOutcome,
        value: T,
        sink: &mut dyn Sink,
        mut fold: impl FnMut(T, &mut dyn Sink),
    ) -> Result<(), PartError> {
        let tally = &mut *self.tally;
        self.tagged.take(outcome.tagged, (outcome.undefined, value), sink, |(tags, value), sink| {
            tally.take(tags);
            fold(value, sink);
        })
    }

    /// Takes back the room of a part that is no longer needed.
    pub fn recycle(&mut self, part: UnreadPart) {
        self.tagged.recycle(part);
    }

    /// The number of parts that were handed out and whose turn has not come.
    pub fn pending(&self) -> u64 {
        self.tagged.pending()
    }

    /// Tells whether the reading has come to its end, so that no further part counts.
    pub const fn is_done(&self) -> bool {
        self.tagged.is_done()
    }
}

impl PartReader {
    /// Reads a part. What is wrong with the records goes to `sink`.
    ///
    /// # Errors
    ///
    /// [`TooLarge`](elf_tagged::TooLarge), wrapped, where the text is over 4 GiB; [`PartError::Foreign`],
    /// wrapped, for a part of another reading, whose types may be others.
    pub fn read<'p>(
        &'p mut self,
        part: &'p UnreadPart,
        sink: &mut dyn Sink,
    ) -> io::Result<(Part<'p>, PartOutcome)> {
        if *part.reading() != self.reading {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, PartError::Foreign(part.number())));
        }
        let (document, tagged) = part.read(sink)?;
        // Where a tag is met first is told once, which is enough as long as parts come in order, each once.
        if part.number() <= self.last {
            self.finder = self.finder.anew();
        }
        self.last = part.number();
        let (part, undefined) = self.part(document, sink);
        Ok((part, PartOutcome { tagged, undefined }))
    }

    fn part<'p>(
        &'p mut self,
        document: Document<'p>,
        sink: &mut dyn Sink,
    ) -> (Part<'p>, Vec<UndefinedTag<TypeId>>) {
        let PartReader { resolver, finder, check_values, .. } = self;
        if document.part_id().is_of_rest() {
            return (Part { document, resolver, column: TypeColumn::untyped(0) }, Vec::new());
        }
        let column = column(&document, resolver, Some((&mut *finder, &mut *sink)));
        let undefined = finder.of_part(resolver);
        if *check_values {
            values::report(&document, &column, resolver.schema(), sink);
        }
        (Part { document, resolver, column }, undefined)
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
    column: TypeColumn,
}

impl Part<'_> {
    /// The records as a document of tagged structures.
    pub const fn document(&self) -> &Document<'_> {
        &self.document
    }

    /// The schema in force.
    pub fn schema(&self) -> &Arc<Schema> {
        self.resolver.schema()
    }

    /// The number of the type of a structure of this part; numbers mean the same in all parts that one reader
    /// reads. `None` for a structure of another part.
    pub fn type_id(&self, node: Node<'_>) -> Option<TypeId> {
        let of = self.column.get(node.id().index());
        of.filter(|_| std::ptr::eq(node.document(), self.document()))
    }

    /// The IRI of the type of a structure of this part.
    pub fn type_of(&self, node: Node<'_>) -> Option<&str> {
        self.resolver.iri(self.type_id(node)?)
    }

    /// The datatype of the payload of a structure of this part; see
    /// [`TypedDocument::datatype`](crate::TypedDocument::datatype).
    pub fn datatype(&self, node: Node<'_>) -> Datatype {
        values::datatype(node, self.resolver.schema(), self.type_id(node))
    }

    /// The value of the payload of a structure of this part; see
    /// [`TypedDocument::value`](crate::TypedDocument::value).
    pub fn value<'d>(&self, node: Node<'d>) -> Option<Value<'d>> {
        std::ptr::eq(node.document(), self.document()).then(|| values::value(node, self.datatype(node)))?
    }

    /// Returns the resolver that gives types their numbers.
    pub const fn resolver(&self) -> &Resolver {
        self.resolver
    }

    /// Counts the structures of each type, in the order in which the types are met.
    pub fn counts(&self) -> impl Iterator<Item = (TypeId, u64)> {
        counts(&self.column)
    }

    /// All structures of this part of that type or an eventual subtype of it, in document order.
    pub fn of_type(&self, iri: &str) -> impl Iterator<Item = Node<'_>> {
        let resolver = &self.resolver;
        let wanted = with_subtypes(resolver.schema(), resolver.type_of(iri), resolver.type_count());
        self.document.structures().filter(move |node| is_of(*node, &self.column, &wanted))
    }
}
