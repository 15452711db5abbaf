//! Writes a dataset as the bytes of a file.

use crate::dataset::Dataset;
use crate::nodes::to_u32;
use crate::structure::Payload;
use elf_base::codes;
use elf_schema::term::NAMESPACE;
use elf_schema::{HeaderSchema, ReadOptions, Resolver, Rules, Schema, Sink, TypeId};
use elf_tagged::Piece;
use elf_tagged::write::{
    Content, KnownLoss, Preamble, PreambleLine, StructureList, StructureToWrite, Summary, TakeStructure,
    WriteError, WriteOptions, Writer, write_structures,
};
use indexmap::IndexMap;
use std::io;
use std::sync::Arc;

/// Writes a dataset as a file under `rules`. The structures keep their order and their tags.
///
/// A payload, tag or identifier that cannot be written unchanged is reported with the path of its structure and counted
/// as a loss. Identifiers that `rules` do not allow are [replaced](elf_tagged::write::Identifiers), together with the
/// pointers to them. Parts of the schema that `rules` do not allow are left out and counted as losses, as in
/// [`elf_schema::convert`].
///
/// If another schema applies to the file, a tag may be read as another type. This is reported as E0501 and counted as a
/// loss. To avoid it, use [`Dataset::tagged_by`] first to choose the tags of that schema.
///
/// # Errors
///
/// Returns a [`WriteError`] if the output fails, or if the options are impossible.
///
/// ```
/// use elf_model::{DatasetBuilder, Rules, Schema, WriteOptions};
///
/// let mut builder = DatasetBuilder::new(Schema::published());
/// builder.record("NOTE").xref("N1").text("first line\nsecond @ line");
/// let mut octets = Vec::new();
/// elf_model::write(&builder.finish()?, &mut octets, &Rules::DECEMBER_2019, &WriteOptions::new(), &mut ())?;
/// assert!(String::from_utf8_lossy(&octets).contains("0 @N1@ NOTE first line\n1 CONT second @@ line\n0 TRLR"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn write(
    dataset: &Dataset,
    out: impl io::Write,
    rules: &Rules,
    options: &WriteOptions,
    sink: &mut dyn Sink,
) -> Result<Summary, WriteError> {
    let schema = convert_schema(dataset, rules)?;
    let preamble = build_preamble(dataset, schema.lines);
    let of_schema = schema.losses.into_iter().map(|loss| (codes::SCHEMA_CANNOT_BE_WRITTEN, loss));
    let of_types = find_changed_types(dataset, rules, &preamble).into_iter();
    let losses = of_schema.chain(of_types.map(|change| (codes::TYPE_CHANGES, change)));
    let losses = losses.map(|(code, message)| KnownLoss { code, message }).collect();
    write_structures(dataset, &preamble, losses, out, rules, options, sink)
}

impl StructureList for Dataset {
    fn each(&self, take: &mut TakeStructure<'_>) -> Result<(), WriteError> {
        let mut ends: Vec<u32> = Vec::new();
        for structure in self.structures() {
            while ends.pop_if(|end| *end <= structure.id).is_some() {}
            let level = to_u32(ends.len()) + u32::from(structure.is_metadata());
            ends.push(structure.node().next);
            let to_write =
                |content| StructureToWrite { level, xref: structure.xref(), tag: structure.tag(), content };
            match structure.payload() {
                Payload::None => take(to_write(Content::None))?,
                Payload::Pointer(xref) => take(to_write(Content::Pointer(xref)))?,
                Payload::Literal(literal) if literal.text.contains('@') => {
                    let pieces: Vec<Piece<'_>> = structure.pieces().collect();
                    take(to_write(Content::Pieces(&pieces)))?;
                }
                Payload::Literal(literal) => take(to_write(Content::Text(literal.text)))?,
            }
        }
        Ok(())
    }

    fn is_void(&self, xref: &str) -> bool {
        Dataset::is_void(self, xref)
    }
}

/// Returns the schema of the dataset in the form that `rules` allow.
fn convert_schema(dataset: &Dataset, rules: &Rules) -> Result<HeaderSchema, WriteError> {
    let Some(lines) = &dataset.header().schema else { return Ok(HeaderSchema::default()) };
    let lines: Vec<PreambleLine<'_>> =
        lines.iter().map(|line| PreambleLine::new(line.level, &*line.tag, &*line.payload)).collect();
    elf_schema::header_schema(&lines, &ReadOptions::default(), rules)
}

fn build_preamble<'d>(dataset: &'d Dataset, schema: Option<Vec<PreambleLine<'static>>>) -> Preamble<'d> {
    let header = dataset.header();
    Preamble::new()
        .with_gedcom_version(header.gedcom_version.as_deref())
        .with_language(header.language.as_deref())
        .with_schema(schema)
}

/// Returns a sentence for each tag and type that will be read as another type under the schema of the written file (J19
/// §3.2, §4.2).
fn find_changed_types(dataset: &Dataset, rules: &Rules, preamble: &Preamble<'_>) -> Vec<String> {
    let Some(mut resolver) = new_resolver(rules, preamble) else { return Vec::new() };
    let mut found: Vec<TypeId> = Vec::with_capacity(dataset.len());
    // Whether each structure will keep its type.
    let mut is_kept: Vec<bool> = Vec::with_capacity(dataset.len());
    let mut changed: IndexMap<(u32, u32), (String, u64)> = IndexMap::new();
    for structure in dataset.structures() {
        let above = match structure.superstructure() {
            Some(above) => found[above.index()],
            None if structure.is_metadata() => TypeId::METADATA,
            None => TypeId::DOCUMENT,
        };
        let of = resolver.resolve(above, structure.tag());
        found.push(of);
        let types = structure.structure_type().zip(resolver.iri(of));
        let keeps = types
            .is_none_or(|(is, becomes)| is == becomes || is_2017_equivalent(is, structure.tag(), becomes));
        is_kept.push(keeps);
        // If a type changes only because the superstructure's type changes, it is not reported.
        let parent_changes = structure.superstructure().is_some_and(|above| !is_kept[above.index()]);
        if let Some((is, becomes)) = types.filter(|_| !keeps && !parent_changes) {
            let data = structure.node();
            let message = || {
                format!("{} has the type {is}, but readers will give it the type {becomes}", structure.tag())
            };
            changed.entry((data.tag, data.structure_type)).or_insert_with(|| (message(), 0)).1 += 1;
        }
    }
    let sentence = |(message, count): (String, u64)| {
        if count > 1 { format!("{message} ({count} structures)") } else { message }
    };
    changed.into_values().map(sentence).collect()
}

/// Returns whether a tag of ELF or GEDCOM keeps its meaning in a file of 2017. There, its type has another IRI.
fn is_2017_equivalent(is: &str, tag: &str, becomes: &str) -> bool {
    let is_standard = is.starts_with(NAMESPACE) || Schema::completed().type_of(is).is_some();
    is_standard && elf_schema::tag_of_2017(becomes) == Some(tag)
}

/// Returns the resolver for a file with this header. Returns `None` if the types depend on schemas that are not
/// available.
fn new_resolver(rules: &Rules, preamble: &Preamble<'_>) -> Option<Resolver> {
    let mut header = Vec::new();
    let mut findings = ();
    let mut writer = Writer::new(&mut header, rules, &WriteOptions::new(), &mut findings).ok()?;
    writer.head(preamble).ok()?;
    writer.finish().ok()?;
    let typed = elf_schema::read(&header, rules, &ReadOptions::default(), &mut ()).ok()?;
    if typed.schema().references().iter().any(|reference| !reference.at_hand) {
        return None;
    }
    Some(match typed.typing().dictionary() {
        Some(dictionary) => Resolver::of_dictionary(Arc::clone(dictionary)),
        None => Resolver::new(Arc::clone(typed.schema())),
    })
}
