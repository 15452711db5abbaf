//! The whole way up: octets to a dataset.

use crate::arena::{Arena, DatasetTooLarge, METADATA, RECORDS};
use crate::dataset::{Dataset, Header, Kind, NONE, SchemaLine};
use crate::types::{TypedBy, TypesInUse};
use elf_base::PackedText;
use elf_schema::{ReadOptions, Rules, Sink, TooLarge, TypedDocument};
use elf_tagged::write::Preamble;
use elf_tagged::{NodeId, Payload};

/// The reason why there is no dataset, or none that is whole.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReadError {
    /// The text is longer than 4 GiB.
    #[error(transparent)]
    TooLarge(#[from] TooLarge),
    /// The text to be kept is longer than 4 GiB.
    #[error(transparent)]
    DatasetTooLarge(#[from] DatasetTooLarge),
    /// The rules ended the reading, or demand a trailer that is missing (D19 *Errors in structures*); what it
    /// was is reported. This is what was read.
    #[error("the rules ended the reading")]
    Partial(Box<Dataset>),
}

/// Reads a dataset by `rules`.
///
/// Faults of the content go to `sink`, and the dataset holds the structures that could be read.
///
/// # Errors
///
/// [`ReadError::Partial`] where the rules end the reading, with what was read up to there;
/// [`ReadError::TooLarge`] where the text is longer than 4 GiB.
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
    let typed = elf_schema::read(octets, rules, options, sink)?; // octets to typed structures
    let dataset = Dataset::from_document(&typed)?; // to a dataset of their own
    if typed.document().is_complete() { Ok(dataset) } else { Err(ReadError::Partial(Box::new(dataset))) }
}

impl Dataset {
    /// The dataset of a document that is read and typed already.
    ///
    /// # Errors
    ///
    /// [`DatasetTooLarge`] where identifiers and payloads together are longer than 4 GiB.
    pub fn from_document(typed: &TypedDocument<'_>) -> Result<Dataset, DatasetTooLarge> {
        let document = typed.document();
        let arena = Arena::with_room(document.len(), document.source().text().len());
        Dataset::fill(arena, typed, |_| true)
    }

    /// The dataset of a part of a document. `wanted` is told 0 for the metadata, and the numbers of records,
    /// from 1.
    pub(crate) fn of_units(
        typed: &TypedDocument<'_>,
        wanted: impl Fn(usize) -> bool,
    ) -> Result<Dataset, DatasetTooLarge> {
        Dataset::fill(Arena::default(), typed, wanted)
    }

    fn fill(
        mut arena: Arena,
        typed: &TypedDocument<'_>,
        wanted: impl Fn(usize) -> bool,
    ) -> Result<Dataset, DatasetTooLarge> {
        let document = typed.document();
        let mut ends: Vec<usize> = Vec::new();
        let metadata_end = document.head().map_or(0, |head| head.subtree_end().index());
        let mut in_use = TypesInUse::new();
        // By type, its number here and the tag it was met with last, with the number of that: mostly there is
        // but one.
        let mut met: Vec<Option<(u32, Option<PackedText>, u32)>> = Vec::new();
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
            let of = typed.type_id(node);
            let packed = node.packed_tag();
            let known = of.and_then(|of| met.get(of.index()).copied().flatten());
            let (structure_type, tag) = match known {
                Some((number, met_with, tag))
                    if packed == met_with && (packed.is_some() || arena.is_tag(tag, node.tag())) =>
                {
                    (number, tag)
                }
                _ => {
                    let tag = arena.tag(node.tag());
                    let number = of.map_or(NONE, |of| {
                        let number = arena.type_in_use(of, &mut in_use, typed.typing());
                        if met.len() <= of.index() {
                            met.resize(of.index() + 1, None);
                        }
                        if let Some(entry) = met.get_mut(of.index()) {
                            *entry = Some((number, packed, tag));
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
            if let Some(line) = node.plain_line().filter(|line| !line.is_pointer()) {
                let payload = match line.split_at_payload() {
                    Some((_, text)) if !text.is_empty() => Some((Kind::Literal, text)),
                    // What is empty may be absent.
                    Some(_) => None,
                    None => Some((Kind::None, "")),
                };
                if let Some(payload) = payload {
                    arena.push_line(part, depth, [tag, structure_type], payload);
                    continue;
                }
            }
            arena.push(part, depth, tag, structure_type);
            let flags = node.flags();
            if flags.has_xref() {
                arena.set_xref(node.xref());
            }
            match node.payload() {
                Payload::None => {}
                Payload::Pointer(id) => arena.set_payload(Kind::Pointer, id),
                Payload::Text(text) if flags.is_plain_text() => arena.set_payload(Kind::Literal, &text),
                Payload::Text(text) if text.contains("@#") => {
                    arena.begin_literal();
                    node.pieces(|piece| arena.add_piece(piece));
                }
                Payload::Text(text) => arena.set_payload(Kind::Literal, &text),
            }
        }
        arena.add_supertypes(in_use, typed.schema());
        arena.header = header(&Preamble::of_document(document));
        let (schema, dictionary) = (typed.schema().clone(), typed.typing().dictionary().cloned());
        arena.typed_by = Some(TypedBy { schema, dictionary });
        arena.plain_plang = !document.rules().tagged.payload_language;
        arena.finish()
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
