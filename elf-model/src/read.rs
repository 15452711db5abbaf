//! Reads the bytes of a file as a dataset.

use crate::arena::{Arena, DatasetTooLarge, NewStructure, Section};
use crate::dataset::Dataset;
use crate::header::{Header, SchemaLine};
use crate::nodes::{Kind, NONE};
use crate::types::{TypedBy, TypesInUse};
use elf_base::PackedText;
use elf_schema::{ReadOptions, Rules, Sink, TooLarge, TypeId, TypedDocument};
use elf_tagged::write::Preamble;
use elf_tagged::{Document, Node, Payload};
use std::sync::Arc;

/// The reason why a dataset could not be read, or only a part of it.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReadError {
    /// The text of the file is longer than 4 GiB.
    #[error(transparent)]
    TooLarge(#[from] TooLarge),
    /// Identifiers and payloads together are longer than 4 GiB.
    #[error(transparent)]
    DatasetTooLarge(#[from] DatasetTooLarge),
    /// Reading stopped early, or a required trailer is missing (D19 *Errors in structures*). The reason was reported.
    /// The error contains the part that was read.
    #[error("reading stopped early under these rules")]
    Partial(Box<Dataset>),
}

/// Reads a dataset under `rules`.
///
/// Problems of the content are reported to `sink`. The dataset contains the structures that could be read.
///
/// # Errors
///
/// Returns [`ReadError::Partial`] with the part that was read, if the rules stop the reading. Returns
/// [`ReadError::TooLarge`] if the text is longer than 4 GiB, and [`ReadError::DatasetTooLarge`] if identifiers and
/// payloads are.
///
/// ```
/// use elf_model::{ReadError, ReadOptions, Rules};
///
/// let cut_off = b"0 HEAD\n0 @I1@ INDI\n";
/// let read = |rules| elf_model::read(cut_off, rules, &ReadOptions::default(), &mut ());
/// assert_eq!(read(&Rules::WILD)?.records().count(), 1);
/// let Err(ReadError::Partial(dataset)) = read(&Rules::DECEMBER_2019) else { panic!("the trailer is missing") };
/// assert_eq!(dataset.records().count(), 1);
/// # Ok::<(), ReadError>(())
/// ```
pub fn read(
    octets: &[u8],
    rules: &Rules,
    options: &ReadOptions<'_>,
    sink: &mut dyn Sink,
) -> Result<Dataset, ReadError> {
    let typed = elf_schema::read(octets, rules, options, sink)?;
    let dataset = Dataset::from_document(&typed)?;
    if typed.document().is_complete() { Ok(dataset) } else { Err(ReadError::Partial(Box::new(dataset))) }
}

impl Dataset {
    /// Creates a dataset from a typed document.
    ///
    /// # Errors
    ///
    /// Returns [`DatasetTooLarge`] if identifiers and payloads together are longer than 4 GiB.
    pub fn from_document(typed: &TypedDocument<'_>) -> Result<Dataset, DatasetTooLarge> {
        let mut copier = DocumentCopier::new(typed);
        copier.copy_structures();
        copier.finish()
    }
}

struct DocumentCopier<'t> {
    typed: &'t TypedDocument<'t>,
    arena: Arena,
    in_use: TypesInUse,
    /// The numbers for each type, by the type's index in the schema. `None` until a structure has the type.
    of_types: Vec<Option<TypeNumbers>>,
}

/// The number of a type in the dataset, and the number of its tag.
#[derive(Clone, Copy, Debug)]
struct TypeNumbers {
    structure_type: u32,
    /// The tag of the last structure with this type. Nearly all types have only one tag.
    tag: u32,
    packed_tag: Option<PackedText>,
}

impl<'t> DocumentCopier<'t> {
    fn new(typed: &'t TypedDocument<'t>) -> DocumentCopier<'t> {
        let document = typed.document();
        let mut arena = Arena::with_capacity(document.len(), document.source().text().len());
        arena.header = convert_header(&Preamble::of_document(document));
        arena.plain_plang = !document.rules().tagged.payload_language;
        DocumentCopier { typed, arena, in_use: TypesInUse::new(), of_types: Vec::new() }
    }

    fn document(&self) -> &'t Document<'t> {
        self.typed.document()
    }

    fn copy_structures(&mut self) {
        let document = self.document();
        let metadata_end = document.head().map_or(0, |head| head.subtree_end().index());
        // The ends of the subtrees that contain the current structure.
        let mut ends: Vec<usize> = Vec::new();
        for node in document.structures() {
            let at = node.id().index();
            while ends.last().is_some_and(|&end| end <= at) {
                ends.pop();
            }
            let section = if at < metadata_end { Section::Metadata } else { Section::Records };
            let (tag, structure_type) = self.intern_tag_and_type(node);
            self.copy_structure(node, NewStructure { section, depth: ends.len(), tag, structure_type });
            ends.push(node.subtree_end().index());
        }
    }

    fn intern_tag_and_type(&mut self, node: Node<'_>) -> (u32, u32) {
        let Some(of) = self.typed.type_id(node) else { return (self.arena.intern_tag(node.tag()), NONE) };
        let packed_tag = node.packed_tag();
        if let Some(Some(known)) = self.of_types.get(of.index())
            && packed_tag == known.packed_tag
            && (packed_tag.is_some() || self.arena.is_number_of_tag(known.tag, node.tag()))
        {
            return (known.tag, known.structure_type);
        }
        let tag = self.arena.intern_tag(node.tag());
        let structure_type = self.intern_type(of);
        if self.of_types.len() <= of.index() {
            self.of_types.resize(of.index() + 1, None);
        }
        self.of_types[of.index()] = Some(TypeNumbers { structure_type, tag, packed_tag });
        (tag, structure_type)
    }

    fn intern_type(&mut self, of: TypeId) -> u32 {
        let (typing, arena) = (self.typed.typing(), &mut self.arena);
        let number = || typing.iri(of).map_or(NONE, |iri| arena.intern_type(iri));
        *self.in_use.entry(of).or_insert_with(number)
    }

    fn copy_structure(&mut self, node: Node<'_>, new: NewStructure) {
        if let Some((kind, payload)) = simple_payload(node) {
            return self.arena.push_line(new, kind, payload);
        }
        self.arena.push(new);
        if node.flags().has_xref() {
            self.arena.set_xref(node.xref());
        }
        match node.payload() {
            Payload::None => {}
            Payload::Pointer(id) => self.arena.set_payload(Kind::Pointer, id),
            Payload::Text(text) if text.contains("@#") && !node.flags().is_plain_text() => {
                self.arena.begin_literal();
                node.pieces(|piece| self.arena.add_piece(piece));
            }
            Payload::Text(text) => self.arena.set_payload(Kind::Literal, &text),
        }
    }

    fn finish(mut self) -> Result<Dataset, DatasetTooLarge> {
        let schema = Arc::clone(self.typed.schema());
        self.arena.add_supertypes(self.in_use, &schema);
        let dictionary = self.typed.typing().dictionary().cloned();
        self.arena.typed_by = Some(TypedBy { schema, dictionary });
        self.arena.finish()
    }
}

/// Returns the payload if the structure is simple, as nearly all structures are. A simple structure has no identifier,
/// and its payload is a single line without escapes. Such a structure needs no further decoding.
fn simple_payload(node: Node<'_>) -> Option<(Kind, &str)> {
    let line = node.plain_line()?;
    match line.split_at_payload() {
        None => Some((Kind::None, "")),
        Some(_) if line.is_pointer() => match node.payload() {
            Payload::Pointer(id) => Some((Kind::Pointer, id)),
            Payload::Text(_) | Payload::None => None,
        },
        // The rules decide whether an empty payload is the same as a missing one, so the caller handles it.
        Some((_, text)) => (!text.is_empty()).then_some((Kind::Literal, text)),
    }
}

fn convert_header(preamble: &Preamble<'_>) -> Header {
    let lines = preamble.schema.as_ref().map(|lines| {
        lines.iter().map(|line| SchemaLine::new(line.level, &*line.tag, &*line.payload)).collect()
    });
    Header::new()
        .with_gedcom_version(preamble.gedcom_version.as_deref())
        .with_language(preamble.language.as_deref())
        .with_schema(lines)
}
