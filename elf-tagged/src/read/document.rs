//! A document of tagged structures.

mod line_places;
mod lists;

pub use line_places::LinePlaces;
pub use lists::{Records, Structures};

use crate::offset::to_u32;
use crate::read::header::Header;
use crate::read::reader::RunStart;
use crate::read::tree::build::LeftOut;
use crate::read::tree::{Arena, Node, NodeId, RejectedLine, View, flag};
use crate::read::xref::{Bearer, Bearers, Resolution, XrefNodes};
use elf_base::Rules;
use elf_base::rules::Escape;
use elf_octets::{LineBreaks, Locator, Options, Source, TooLarge};
use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

/// A document: its header, its records, and the bytes from which it was read.
///
/// A document is read-only and completely in memory: the text, 12 bytes for each line, and an index of the identifiers.
#[derive(Debug)]
pub struct Document<'o> {
    pub(crate) source: Source<'o>,
    pub(crate) rules: Rules,
    pub(crate) nodes: Arena,
    pub(crate) made: String,
    pub(crate) header: Header,
    pub(crate) id: DocumentId,
    pub(crate) xrefs: Resolution,
    pub(crate) complete: bool,
    /// The offset in the text where the rules stopped reading, if they did.
    pub(crate) end: Option<u32>,
    pub(crate) left_out: LeftOut,
    /// Whether the first record may be the header. In a run after the first record, it cannot be the header.
    pub(crate) headless: bool,
    /// The number of the run, from 0.
    pub(crate) number: usize,
    /// Whether this is the whole document instead of a run.
    pub(crate) is_whole: bool,
}

/// The identity of a document in memory. No two documents have the same identity.
#[derive(Clone, Debug, Default)]
pub struct DocumentId(Arc<()>);

impl PartialEq for DocumentId {
    fn eq(&self, other: &DocumentId) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for DocumentId {}

/// The structure that has a cross-reference identifier, if exactly one structure has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target<'d> {
    /// No structure has the identifier.
    None,
    /// One structure has the identifier.
    One(Node<'d>),
    /// Several structures have the identifier, so pointers to it are ambiguous.
    Several,
    /// The document is a [run](crate::Reader), and nothing is known about the other runs.
    Unknown,
}

impl<'o> Document<'o> {
    /// Reads a document under the rules `wild`, which are meant for files as they are found in practice. Findings are
    /// ignored. For other rules and for findings, use [`read`](crate::read()).
    ///
    /// # Errors
    ///
    /// Returns [`TooLarge`] if the text is longer than 4 GiB.
    ///
    /// ```
    /// use elf_tagged::Document;
    ///
    /// let document = Document::parse(b"0 HEAD\n0 @I1@ INDI\n1 NAME Ada\n0 TRLR\n")?;
    /// let person = document.records().next().expect("a record");
    /// assert_eq!(person.substructure("NAME").expect("a name").text(), "Ada");
    /// # Ok::<(), elf_tagged::TooLarge>(())
    /// ```
    pub fn parse(octets: &'o [u8]) -> Result<Document<'o>, TooLarge> {
        crate::read(octets, &Rules::WILD, &Options::default(), &mut ())
    }

    /// Copies the bytes and the text if they are borrowed, so that the document can be returned and stored. The file is
    /// not read again.
    ///
    /// ```
    /// use elf_tagged::{Document, TooLarge};
    ///
    /// fn load() -> Result<Document<'static>, TooLarge> {
    ///     let octets = b"0 HEAD\n0 @I1@ INDI\n0 TRLR\n".to_vec();
    ///     Ok(Document::parse(&octets)?.into_owned())
    /// }
    /// assert_eq!(load()?.records().count(), 1);
    /// # Ok::<(), TooLarge>(())
    /// ```
    pub fn into_owned(self) -> Document<'static> {
        Document { source: self.source.into_owned(), ..self }
    }

    /// Returns the bytes of the document and the decoded text.
    #[inline]
    pub const fn source(&self) -> &Source<'o> {
        &self.source
    }

    /// Returns the decoded text, including line breaks.
    #[inline]
    pub fn text(&self) -> &str {
        self.source.text()
    }

    /// Returns the identity of the document. Use the identity to check that derived data belongs to this document.
    pub const fn id(&self) -> &DocumentId {
        &self.id
    }

    /// Returns the rules by which the document was read.
    #[inline]
    pub const fn rules(&self) -> &Rules {
        &self.rules
    }

    /// Returns the serialisation metadata of the header.
    pub const fn header(&self) -> &Header {
        &self.header
    }

    /// Returns the grammar of at signs and escapes under the [rules](Document::rules) of the document.
    pub const fn escape(&self) -> Escape {
        self.rules.tagged.escape
    }

    /// Returns whether the whole document was read. Returns false if the rules stopped reading early, or if a required
    /// trailer is missing.
    pub const fn is_complete(&self) -> bool {
        self.complete
    }

    /// Returns whether this is a whole document, not a [run](crate::Reader). Only a whole document can resolve its
    /// pointers.
    pub const fn is_whole(&self) -> bool {
        self.is_whole
    }

    /// Returns the number of the run, from 0. A whole document has the number 0.
    pub const fn run_number(&self) -> usize {
        self.number
    }

    /// Returns where the run starts in its file. A run that starts with a byte-order mark starts at the mark.
    pub fn run_start(&self) -> RunStart {
        let start = self.source.start();
        let octet = if self.number == 0 { 0 } else { start.octet };
        RunStart { number: self.number, octet, line: start.line }
    }

    /// Returns the offset in the text where the rules stopped reading, if they did.
    pub const fn end(&self) -> Option<u32> {
        self.end
    }

    /// Returns whether the first record may be the header. Returns false for a run after the first record.
    pub const fn may_hold_header(&self) -> bool {
        self.headless
    }

    /// Returns the number of lines that were read, including blank lines.
    pub fn line_count(&self) -> u64 {
        match self.end {
            None => self.source.line_count(),
            Some(end) => {
                let read = self.text().get(..end as usize).unwrap_or_default();
                let unbroken = !read.is_empty() && !read.ends_with(['\n', '\r']);
                self.line_breaks().total() + u64::from(unbroken)
            }
        }
    }

    /// Returns the number of line breaks of each form in the part that was read.
    pub fn line_breaks(&self) -> LineBreaks {
        self.end.map_or_else(|| self.source.line_breaks(), |end| self.source.line_breaks_before(end))
    }

    /// Returns the number of nodes, including continuation lines and serialisation metadata.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Returns whether the document has no nodes.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// Returns the level of the deepest node. Records have level 0.
    pub fn depth(&self) -> usize {
        let mut deepest = 0;
        let mut ends: Vec<u32> = Vec::new();
        for (id, end) in (0..).map_while(|id| Some((id, self.nodes.end(id)?))) {
            while ends.pop_if(|end| *end <= id).is_some() {}
            deepest = deepest.max(ends.len());
            if end > id + 1 {
                ends.push(end);
            }
        }
        deepest
    }

    /// Returns the node with this index.
    #[inline]
    pub fn node(&self, id: NodeId) -> Option<Node<'_>> {
        (id.index() < self.nodes.len()).then_some(Node { document: self, id: id.0 })
    }

    /// Returns all nodes in document order, one for each line, followed by records that the rules insert. Includes
    /// continuation lines, serialisation metadata and the trailer; see [`Flags`](crate::Flags).
    #[inline]
    pub fn nodes(&self) -> impl DoubleEndedIterator<Item = Node<'_>> + ExactSizeIterator {
        let count = to_u32(self.nodes.len());
        (0..count).map(|id| Node { document: self, id })
    }

    /// Returns the nodes at level 0, including header and trailer, followed by records that the rules insert.
    pub fn lines(&self) -> impl DoubleEndedIterator<Item = Node<'_>> {
        self.view().roots().map(|id| Node { document: self, id })
    }

    /// Returns the header, if the first record is a header.
    pub fn head(&self) -> Option<Node<'_>> {
        self.node(NodeId(self.header.head?))
    }

    /// Returns the structures of the header that are not serialisation metadata.
    pub fn metadata(&self) -> impl Iterator<Item = Node<'_>> {
        // Under the declarative draft, a header is rejected like other structures if it points to a repeated
        // identifier.
        let rejected = |head: &Node<'_>| {
            self.nodes.get(head.id().index()).is_some_and(|node| node.flags & flag::HIDDEN != 0)
        };
        self.head().filter(|head| !rejected(head)).into_iter().flat_map(Node::substructures)
    }

    /// Returns the serialisation metadata of the header: CHAR and SCHMA and, depending on the rules, ELF, GEDC,
    /// PLANG, DEFN and PRFX.
    pub fn serialisation_metadata(&self) -> impl Iterator<Item = Node<'_>> {
        self.header.metadata.iter().filter_map(|&id| self.node(id))
    }

    /// Returns the records without the header and the trailer, followed by the records that the rules insert.
    pub fn records(&self) -> Records<'_> {
        Records::of(self)
    }

    /// Returns the [structures](Document::structures) in a range of nodes.
    pub fn structures_within(&self, run: Range<NodeId>) -> Structures<'_> {
        Structures::within(self, run.start.0..run.end.0)
    }

    /// Returns all structures of the [`metadata`](Document::metadata) and the [`records`](Document::records), at any
    /// depth, in document order.
    pub fn structures(&self) -> Structures<'_> {
        Structures::of(self)
    }

    /// Finds the structure with a cross-reference identifier, given without at signs.
    pub fn resolve(&self, xref: &str) -> Target<'_> {
        match self.xrefs.bearers(self.view(), xref) {
            Bearers::None => Target::None,
            Bearers::One(id) => Target::One(Node { document: self, id }),
            Bearers::Several => Target::Several,
            Bearers::Unknown => Target::Unknown,
        }
    }

    /// Returns the structures that point to an identifier, given without at signs, in document order. Searches all
    /// structures.
    ///
    /// ```
    /// use elf_tagged::Document;
    ///
    /// let document = Document::parse(b"0 HEAD\n0 @I1@ INDI\n1 FAMS @F1@\n0 @F1@ FAM\n1 HUSB @I1@\n0 TRLR\n")?;
    /// let tags: Vec<&str> = document.pointers_to("I1").map(|node| node.tag()).collect();
    /// assert_eq!(tags, ["HUSB"]);
    /// # Ok::<(), elf_tagged::TooLarge>(())
    /// ```
    pub fn pointers_to(&self, xref: &str) -> impl Iterator<Item = Node<'_>> {
        let bearer = match self.resolve(xref) {
            Target::One(node) => Some(node.id()),
            Target::None | Target::Several | Target::Unknown => None,
        };
        let leads_there = move |node: &Node<'_>| node.target().map(Node::id) == bearer;
        let pointers = self.structures().filter(|node| self.view().flags(node.id) & flag::POINTER != 0);
        pointers.filter(move |node| bearer.is_some() && leads_there(node))
    }

    /// Returns a locator, which converts positions in the text to places in the file.
    pub fn locator(&self) -> Locator<'_> {
        self.source.locator()
    }

    /// Returns a locator for the lines of nodes. Use this locator if you need many places.
    pub fn line_places(&self) -> LinePlaces<'_> {
        LinePlaces::of(self)
    }

    /// Returns the last node whose line starts at or before an offset of the text. Records that the rules insert are
    /// not included.
    pub fn node_at(&self, offset: u32) -> Option<Node<'_>> {
        // Inserted records are not in the text, and they come after all other nodes.
        let behind = self.nodes.partition_point(|node| node.flags & flag::UNDEF == 0 && node.start <= offset);
        self.node(NodeId(u32::try_from(behind.checked_sub(1)?).ok()?))
    }

    /// Returns the lines that the rules rejected and that are therefore not in the tree (RDX *Line*).
    pub fn rejected_lines(&self) -> &[RejectedLine] {
        &self.left_out.lines
    }

    /// Returns whether the tree may contain structures or identifiers that are not data, in addition to serialisation
    /// metadata and the trailer. These are rejected structures, removed identifiers and misplaced pseudo-structures.
    pub const fn may_exclude_nodes(&self) -> bool {
        self.left_out.in_tree
    }

    #[inline]
    pub(crate) fn view(&self) -> View<'_> {
        View { text: self.source.text(), made: &self.made, nodes: &self.nodes }
    }

    /// Returns the identifiers and pointers of the document. The list is made on demand, except for runs that were read
    /// with a list.
    ///
    /// ```
    /// use elf_tagged::{Document, elf_base::PackedText};
    ///
    /// let document = Document::parse(b"0 HEAD\n0 @I1@ INDI\n1 FAMC @F1@\n0 @F1@ FAM\n0 TRLR\n")?;
    /// let nodes = document.xref_nodes();
    /// let (bearers, pointers) = (nodes.list().bearers(), nodes.list().pointers());
    /// assert_eq!((bearers.len(), pointers.len()), (2, 1));
    /// assert_eq!((pointers.key(0), bearers.key(1)), (bearers.key(1), PackedText::of("F1").map(PackedText::number)));
    /// let pointer = document.node(nodes.pointers()[0]).expect("a node");
    /// assert_eq!(pointers.place(0), Some(document.locator().place(pointer.payload_span())));
    /// # Ok::<(), elf_tagged::TooLarge>(())
    /// ```
    pub fn xref_nodes(&self) -> Arc<XrefNodes> {
        match self.xrefs.listed() {
            Ok(nodes) => Arc::clone(nodes),
            Err(keys) => Arc::new(XrefNodes::of_document(self, &keys)),
        }
    }

    /// Returns the kind of the structure that has an identifier in the whole document, even if this document is a run
    /// of it. If several structures have the identifier, returns the kind of the first one. `xref` is written as in the
    /// [`Payload`](crate::Payload) of a pointer.
    pub fn bearer(&self, xref: &str) -> Bearer {
        if self.header.is_void(xref) { Bearer::None } else { self.xrefs.bearer(self.view(), xref) }
    }

    /// Returns all nodes with a cross-reference identifier in document order, including identifiers that the rules
    /// removed. The records that the rules insert follow these nodes.
    #[inline]
    pub fn nodes_with_xref(&self) -> impl Iterator<Item = Node<'_>> {
        let nodes = (0..).zip(self.nodes.iter()).filter(|(_, node)| node.flags & flag::XREF != 0);
        nodes.map(|(id, _)| Node { document: self, id })
    }

    /// Returns whether any identifier is known to be repeated in the whole document.
    pub fn any_repeated(&self) -> bool {
        self.xrefs.any_repeated()
    }

    /// Returns whether an identifier is repeated in the whole document, even if this document is a run of it. The
    /// identifier is given without at signs.
    pub fn is_repeated(&self, xref: &str) -> bool {
        self.xrefs.is_repeated(self.view(), xref)
    }

    /// Returns the structures that have each repeated identifier, in the order of the file.
    ///
    /// For a run, returns the structures of this run whose identifier is repeated in the run or known to be repeated in
    /// the document. Searches all structures.
    pub fn repeated_bearers(&self) -> HashMap<&str, Vec<NodeId>> {
        let view = self.view();
        let mut found: HashMap<&str, Vec<NodeId>> = HashMap::new();
        for (id, node) in (0..).zip(self.nodes.iter()) {
            if node.flags & (flag::XREF | flag::UNDEF) == flag::XREF
                && let Some(xref) = view.xref(id)
                && matches!(self.resolve(xref), Target::Several | Target::Unknown)
            {
                found.entry(xref).or_default().push(NodeId(id));
            }
        }
        found.retain(|xref, bearers| bearers.len() > 1 || self.is_repeated(xref));
        found
    }

    /// Returns whether the rules insert records into the whole document, even if this document is a run of it (J19
    /// §5.1).
    pub fn inserts_records(&self) -> bool {
        self.xrefs.inserts_records()
    }

    /// Returns the identifier of the record that the rules insert for pointers to `xref` (J19 §5.1). Returns `None` if
    /// they insert no record. Both identifiers are without at signs.
    pub fn inserted_for<'d>(&'d self, xref: &'d str) -> Option<&'d str> {
        self.xrefs.inserted_for(xref)
    }

    /// Returns the identifier of the inserted record to which a pointer to `xref` refers (J19 §5.1). Returns `xref` if
    /// no record was inserted.
    pub(crate) fn redirect<'d>(&'d self, xref: &'d str) -> &'d str {
        self.xrefs.redirect(xref)
    }
}
