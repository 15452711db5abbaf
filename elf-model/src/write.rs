//! Writing: a dataset to bytes.

use crate::dataset::Dataset;
use crate::nodes::to_u32;
use crate::structure::Payload;
use elf_base::{Diagnostic, codes};
use elf_schema::{ReadOptions, Resolver, Rules, Sink, TypeId};
use elf_tagged::Piece;
use elf_tagged::write::{
    Content, Preamble, PreambleLine, StructureList, StructureToWrite, Summary, TakeStructure, WriteError,
    WriteOptions, Writer, write_structures,
};
use indexmap::IndexMap;
use std::io;
use std::sync::Arc;

/// Writes a dataset as a file of `rules`: its structures in their order, with their tags.
///
/// A payload, tag or identifier that cannot be written as it is, is reported with the path of its structure
/// and counted as a loss. Identifiers that `rules` do not allow are
/// [replaced](elf_tagged::write::Identifiers), with the pointers to them. If a tag will be read as another
/// type, because another schema will be in force, E0501 is reported; use [`Dataset::tagged_by`] to choose tags
/// of that schema first.
///
/// # Errors
///
/// A [`WriteError`] if the output fails, or the options cannot be satisfied.
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
    let preamble = preamble(dataset);
    report_types(dataset, rules, &preamble, sink);
    write_structures(dataset, &preamble, out, rules, options, sink)
}

impl StructureList for Dataset {
    fn each(&self, take: &mut TakeStructure<'_>) -> Result<(), WriteError> {
        let mut ends: Vec<u32> = Vec::new();
        for structure in self.structures() {
            while ends.pop_if(|end| *end <= structure.id).is_some() {}
            let level = to_u32(ends.len()) + u32::from(structure.is_metadata());
            ends.push(structure.data().next);
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

fn preamble(dataset: &Dataset) -> Preamble<'_> {
    let header = dataset.header();
    let lines = header.schema.as_ref().map(|lines| {
        lines.iter().map(|line| PreambleLine::new(line.level, &*line.tag, &*line.payload)).collect()
    });
    Preamble::new()
        .with_gedcom_version(header.gedcom_version.as_deref())
        .with_language(header.language.as_deref())
        .with_schema(lines)
}

/// Reports the structures that will have another type when the file is read, by the schema that will be in
/// force (J19 §3.2, §4.2).
fn report_types(dataset: &Dataset, rules: &Rules, preamble: &Preamble<'_>, sink: &mut dyn Sink) {
    let Some(mut resolver) = resolver(rules, preamble) else { return };
    let mut found: Vec<TypeId> = Vec::with_capacity(dataset.len());
    let mut changed: IndexMap<(u32, u32), (String, u64)> = IndexMap::new();
    for structure in dataset.structures() {
        let above = match structure.superstructure() {
            Some(above) => found[above.index()],
            None if structure.is_metadata() => TypeId::METADATA,
            None => TypeId::DOCUMENT,
        };
        let of = resolver.resolve(above, structure.tag());
        found.push(of);
        let (Some(is), Some(becomes)) = (structure.structure_type(), resolver.iri(of)) else { continue };
        // Under a structure whose type changes, other types are expected and not reported.
        let parent_changes = structure
            .superstructure()
            .is_some_and(|above| resolver.iri(found[above.index()]) != above.structure_type());
        if is != becomes && !parent_changes {
            let data = structure.data();
            let message = || format!("{} has the type {is}, and will be read as {becomes}", structure.tag());
            changed.entry((data.tag, data.structure_type)).or_insert_with(|| (message(), 0)).1 += 1;
        }
    }
    for (message, count) in changed.into_values() {
        let message = if count > 1 { format!("{message}; so with {count} structures") } else { message };
        sink.report(Diagnostic::new(codes::TYPE_CHANGES, rules, message));
    }
}

/// Makes the resolver that types the structures of a file with this header; `None` if the types depend on
/// schemas that are not available.
fn resolver(rules: &Rules, preamble: &Preamble<'_>) -> Option<Resolver> {
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
