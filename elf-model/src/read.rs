//! The whole way up: octets to a dataset.

use crate::arena::{Arena, DatasetTooLarge, METADATA, RECORDS};
use crate::dataset::{Dataset, Header, SchemaLine};
use crate::nodes::{Kind, NONE};
use crate::types::{TypedBy, TypesInUse};
use elf_base::{Code, Detail, Diagnostic, PackedText, Place};
use elf_schema::{ReadOptions, Reader, Rules, Sink, TooLarge, TypeId, TypedDocument};
use elf_tagged::write::Preamble;
use elf_tagged::{Document, Node, NodeId, Payload, depend_on_whole};
use std::io::{self, Read};
use std::sync::Arc;

/// The reason why there is no dataset, or none that is whole.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReadError {
    /// A record is longer than 4 GiB; or the text is, by rules that read a file as a whole: January 2019 and
    /// the declarative draft.
    #[error(transparent)]
    TooLarge(#[from] TooLarge),
    /// The text to be kept is longer than 4 GiB.
    #[error(transparent)]
    DatasetTooLarge(#[from] DatasetTooLarge),
    /// The input could not be read.
    #[error("cannot read the input: {0}")]
    Input(io::Error),
    /// The rules ended the reading, or demand a trailer that is missing (D19 *Errors in structures*); what it
    /// was is reported. This is what was read.
    #[error("the rules ended the reading")]
    Partial(Box<Dataset>),
}

/// Reads a dataset by `rules`.
///
/// Faults of the content go to `sink`, and the dataset holds the structures that could be read. The document
/// is read part by part, and what is found comes part by part too; what only the whole shows comes last.
///
/// # Errors
///
/// [`ReadError::Partial`] where the rules end the reading, with what was read up to there;
/// [`ReadError::TooLarge`] where a record is longer than 4 GiB, [`ReadError::DatasetTooLarge`] where
/// identifiers and payloads together are.
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
    if depend_on_whole(rules) {
        // Any record may depend on any other, so the document is read as a whole, from where it is.
        let typed = elf_schema::read(octets, rules, options, sink)?;
        let dataset = Dataset::from_document(&typed)?;
        return whole(dataset, typed.document().is_complete());
    }
    // Guesses from the text, not from a number in it: real lines are 20 octets and more.
    let filler = Filler::with_room(octets.len() / 16, octets.len());
    read_parts(&mut { octets }, rules, options, filler, sink)
}

/// Reads a dataset by `rules` from `input`, of which no more than a part is in memory at any time: about a
/// mebioctet, or one record where that is longer. By rules that read a file as a whole, January 2019 and the
/// declarative draft, that part is the file.
///
/// Faults of the content go to `sink`, and the dataset holds the structures that could be read.
///
/// # Errors
///
/// Those of [`read`], and [`ReadError::Input`] where the input cannot be read.
///
/// ```
/// use elf_model::{ReadError, ReadOptions, Rules};
///
/// let file: &[u8] = b"0 HEAD\n0 @I1@ INDI\n1 NAME Ada\n0 TRLR\n";
/// let options = ReadOptions::default();
/// let dataset = elf_model::read_from(file, &Rules::WILD, &options, &mut ())?;
/// assert_eq!(dataset, elf_model::read(file, &Rules::WILD, &options, &mut ())?);
/// # Ok::<(), ReadError>(())
/// ```
pub fn read_from(
    mut input: impl Read,
    rules: &Rules,
    options: &ReadOptions<'_>,
    sink: &mut dyn Sink,
) -> Result<Dataset, ReadError> {
    read_parts(&mut input, rules, options, Filler::default(), sink)
}

fn read_parts(
    input: &mut dyn Read,
    rules: &Rules,
    options: &ReadOptions<'_>,
    mut filler: Filler,
    sink: &mut dyn Sink,
) -> Result<Dataset, ReadError> {
    let sink = &mut AllFindings(sink);
    let mut reader = elf_tagged::Reader::new(input, rules, &options.octets);
    if sink.detail() == Detail::Nothing {
        // Where a pointer leads is found out when it is asked for.
        reader = reader.without_lookup();
    }
    let mut reader = Reader::of(reader, options.clone());
    while let Some(part) = reader.next_run(sink).map_err(input_error)? {
        let type_of = |node: Node<'_>| part.type_id(node);
        let resolver = part.resolver();
        let has_only_tag = |of| resolver.has_only_tag(of);
        filler.add(part.document(), type_of, |of| resolver.iri(of), has_only_tag, |_| true);
        if filler.arena.is_too_large() {
            return Err(DatasetTooLarge.into());
        }
    }
    let typed_by = reader.resolver().map(TypedBy::of_resolver);
    let is_complete = reader.tagged().is_complete();
    whole(filler.finish(typed_by)?, is_complete)
}

fn whole(dataset: Dataset, is_complete: bool) -> Result<Dataset, ReadError> {
    if is_complete { Ok(dataset) } else { Err(ReadError::Partial(Box::new(dataset))) }
}

fn input_error(error: io::Error) -> ReadError {
    match error.downcast::<TooLarge>() {
        Ok(error) => error.into(),
        Err(error) => ReadError::Input(error),
    }
}

/// A sink that never has enough: a dataset is read to its end.
struct AllFindings<'k>(&'k mut dyn Sink);

impl Sink for AllFindings<'_> {
    fn report(&mut self, diagnostic: Diagnostic) {
        self.0.report(diagnostic);
    }

    fn detail(&self) -> Detail {
        self.0.detail()
    }

    fn wants_words(&self, code: Code, place: Option<Place>) -> bool {
        self.0.wants_words(code, place)
    }
}

impl Dataset {
    /// The dataset of a document that is read and typed already.
    ///
    /// # Errors
    ///
    /// [`DatasetTooLarge`] where identifiers and payloads together are longer than 4 GiB.
    pub fn from_document(typed: &TypedDocument<'_>) -> Result<Dataset, DatasetTooLarge> {
        let document = typed.document();
        let filler = Filler::with_room(document.len(), document.source().text().len());
        filler.of_document(typed, |_| true)
    }

    /// The dataset of a part of a document. `wanted` is told 0 for the metadata, and the numbers of records,
    /// from 1.
    pub(crate) fn of_units(
        typed: &TypedDocument<'_>,
        wanted: impl Fn(usize) -> bool,
    ) -> Result<Dataset, DatasetTooLarge> {
        Filler::default().of_document(typed, wanted)
    }
}

/// Fills an arena with the structures of a document, or of one part of it after the other.
#[derive(Debug, Default)]
struct Filler {
    arena: Arena,
    in_use: TypesInUse,
    /// By type, what it was met with last.
    met: Vec<Option<Met>>,
    /// True if a part was added.
    is_begun: bool,
    has_header: bool,
}

/// A type that was met, and the tag it was met with: mostly there is but one.
#[derive(Clone, Copy, Debug)]
struct Met {
    /// The number of the type here.
    structure_type: u32,
    /// The number of the tag here.
    tag: u32,
    packed: Option<PackedText>,
    /// True if all structures of that type have that tag.
    has_only_tag: bool,
}

impl Filler {
    fn with_room(structures: usize, octets: usize) -> Filler {
        Filler { arena: Arena::with_room(structures, octets), ..Filler::default() }
    }

    fn of_document(
        mut self,
        typed: &TypedDocument<'_>,
        wanted: impl Fn(usize) -> bool,
    ) -> Result<Dataset, DatasetTooLarge> {
        let typing = typed.typing();
        self.add(typed.document(), |node| typed.type_id(node), |of| typing.iri(of), |_| false, wanted);
        let (schema, dictionary) = (Arc::clone(typed.schema()), typing.dictionary().cloned());
        self.finish(Some(TypedBy { schema, dictionary }))
    }

    /// Adds the structures of a document or a part. Those are left out of which `wanted` does not want the
    /// number: 0 for the metadata, and the numbers of records, from 1. Of a type that `has_only_tag`, no tag
    /// is looked at but that of the first structure.
    fn add<'i>(
        &mut self,
        document: &Document<'_>,
        type_of: impl Fn(Node<'_>) -> Option<TypeId>,
        iri: impl Fn(TypeId) -> Option<&'i str>,
        has_only_tag: impl Fn(TypeId) -> bool,
        wanted: impl Fn(usize) -> bool,
    ) {
        // The first part has the header. Where lines that could not be read fill it, a later one may.
        if !self.has_header && (self.is_begun, document.head()) != (true, None) {
            self.has_header = document.head().is_some();
            self.arena.header = header(&Preamble::of_document(document));
            self.arena.plain_plang = !document.rules().tagged.payload_language;
        }
        self.is_begun = true;
        let Filler { arena, in_use, met, .. } = self;
        let mut ends: Vec<usize> = Vec::new();
        let metadata_end = document.head().map_or(0, |head| head.subtree_end().index());
        let mut unit = 0;
        let mut nodes = document.structures();
        while let Some(node) = nodes.next() {
            let at = node.id().index();
            while ends.last().is_some_and(|&end| end <= at) {
                ends.pop();
            }
            if ends.is_empty() {
                unit += usize::from(at >= metadata_end);
                if !wanted(unit) {
                    nodes = document.structures_within(node.subtree_end()..NodeId::new(u32::MAX));
                    continue;
                }
            }
            let of = type_of(node);
            let known = of.and_then(|of| met.get(of.index()).copied().flatten());
            let is_tag_of = |known: Met| {
                let packed = node.packed_tag();
                packed == known.packed && (packed.is_some() || arena.is_tag(known.tag, node.tag()))
            };
            let (structure_type, tag) = match known {
                Some(known) if known.has_only_tag || is_tag_of(known) => (known.structure_type, known.tag),
                _ => {
                    let tag = arena.tag(node.tag());
                    let number = of.map_or(NONE, |of| {
                        let number = *in_use
                            .entry(of)
                            .or_insert_with(|| iri(of).map_or(NONE, |iri| arena.structure_type(iri)));
                        if met.len() <= of.index() {
                            met.resize(of.index() + 1, None);
                        }
                        if let Some(entry) = met.get_mut(of.index()) {
                            let (packed, has_only_tag) = (node.packed_tag(), has_only_tag(of));
                            *entry = Some(Met { structure_type: number, tag, packed, has_only_tag });
                        }
                        number
                    });
                    (number, tag)
                }
            };
            let part = if at < metadata_end { METADATA } else { RECORDS };
            let depth = ends.len();
            ends.push(node.subtree_end().index());
            // Nearly every structure is one line that means what it says. No CR stands in a line.
            let payload = node.plain_line().and_then(|line| match line.split_at_payload() {
                None => Some((Kind::None, "")),
                Some(_) if line.is_pointer() => match node.payload() {
                    Payload::Pointer(id) => Some((Kind::Pointer, id)),
                    Payload::Text(_) | Payload::None => None,
                },
                // What is empty may be absent.
                Some((_, text)) => Some((Kind::Literal, text)).filter(|_| !text.is_empty()),
            });
            if let Some(payload) = payload {
                arena.push_line(part, depth, [tag, structure_type], payload);
                continue;
            }
            arena.push(part, depth, tag, structure_type);
            if node.flags().has_xref() {
                arena.set_xref(node.xref());
            }
            match node.payload() {
                Payload::None => {}
                Payload::Pointer(id) => arena.set_payload(Kind::Pointer, id),
                Payload::Text(text) if text.contains("@#") && !node.flags().is_plain_text() => {
                    arena.begin_literal();
                    node.pieces(|piece| arena.add_piece(piece));
                }
                Payload::Text(text) => arena.set_payload(Kind::Literal, &text),
            }
        }
    }

    /// The dataset of what was added, typed by `typed_by`.
    fn finish(mut self, typed_by: Option<TypedBy>) -> Result<Dataset, DatasetTooLarge> {
        if let Some(typed_by) = &typed_by {
            self.arena.add_supertypes(self.in_use, &typed_by.schema);
        }
        self.arena.typed_by = typed_by;
        self.arena.finish()
    }
}

/// Returns the metadata of the serialisation in the header, owned.
fn header(preamble: &Preamble<'_>) -> Header {
    let lines = preamble.schema.as_ref().map(|lines| {
        lines.iter().map(|line| SchemaLine::new(line.level, &*line.tag, &*line.payload)).collect()
    });
    Header::new()
        .with_gedcom_version(preamble.gedcom_version.as_deref())
        .with_language(preamble.language.as_deref())
        .with_schema(lines)
}
