//! Writing: a dataset to bytes.

use crate::dataset::Dataset;
use crate::nodes::to_u32;
use crate::structure::{Payload, Structure};
use elf_base::{Diagnostic, codes};
use elf_schema::term::NAMESPACE;
use elf_schema::{HeaderSchema, ReadOptions, Resolver, Rules, Schema, Sink, TypeId};
use elf_tagged::Piece;
use elf_tagged::write::{
    Content, DanglingTarget, Identifiers, Preamble, PreambleLine, Renaming, Summary, Use, Versions,
    WriteError, WriteOptions, Writer, is_ordinary,
};
use indexmap::IndexMap;
use std::cell::Cell;
use std::collections::HashSet;
use std::io;
use std::sync::Arc;

/// Writes a dataset as a file of `rules`: its structures in their order, with their tags.
///
/// A payload, tag or identifier that cannot be written as it is, is reported with the path of its structure
/// and counted as a loss. Identifiers that `rules` do not allow are
/// [replaced](elf_tagged::write::Identifiers), with the pointers to them. What a file of `rules` may not have
/// in its schema is left out and counted as a loss, as [`elf_schema::convert`] does. If a tag will be read as
/// another type, because another schema will be in force, E0501 is reported and counted as a loss; use
/// [`Dataset::tagged_by`] to choose tags of that schema first.
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
    let gedc = gedc_as_data(dataset, rules);
    let schema = schema(dataset, rules)?;
    let preamble = preamble(dataset, gedc, schema.lines);
    let changed_types = changed_types(dataset, rules, &preamble);
    let mut options = *options;
    let needs_elf = || dataset.structures().any(|each| matches!(each.tag(), "PLANG" | "DTYPE"));
    if options.versions == Versions::ElfIfNeeded && needs_elf() {
        options.versions = Versions::Both;
    }
    let mut absent = HashSet::new();
    let is_inner = |each: Structure<'_>| each.is_metadata() || each.superstructure().is_some();
    let doubtful = |each: Structure<'_>| !is_ordinary(each.tag()) || each.xref().is_some() && is_inner(each);
    if dataset.structures().any(doubtful) {
        let mut rehearsal = Writer::rehearsal(rules, &options)?;
        write_structures(dataset, &mut rehearsal, gedc, &absent, &Cell::new(None))?;
        absent = rehearsal.into_absent();
    }
    let at = Cell::new(None);
    let mut located = |finding: Diagnostic| {
        let help = at.get().map(|structure| format!("it is at {}", path(structure)));
        sink.report(match (help, &finding.help) {
            (Some(help), None) => finding.help(help),
            _ => finding,
        });
    };
    let mut writer = Writer::new(out, rules, &options, &mut located)?;
    writer.rename(renaming(dataset, rules, &options, &absent));
    for loss in schema.losses {
        writer.lose(codes::SCHEMA_CANNOT_BE_WRITTEN, loss);
    }
    writer.head(&preamble)?;
    for change in changed_types {
        writer.lose(codes::TYPE_CHANGES, change);
    }
    write_structures(dataset, &mut writer, gedc, &absent, &at)?;
    writer.finish()
}

/// Chooses replacements for the identifiers of the dataset that a file of `rules` cannot have. Structures with
/// `absent` identifiers are written without them.
fn renaming(
    dataset: &Dataset,
    rules: &Rules,
    options: &WriteOptions,
    absent: &HashSet<Box<str>>,
) -> Renaming {
    let mut identifiers = Identifiers::new(rules, options);
    let each = |take: &mut dyn FnMut(&str, Use)| {
        for structure in dataset.structures() {
            if let Some(xref) = structure.xref() {
                let several = dataset.bearers_of(xref).nth(1).is_some();
                take(
                    xref,
                    match (dataset.is_void(xref), several) {
                        (true, _) => Use::Void,
                        (false, true) => Use::OneOfSeveral,
                        (false, false) => Use::Bearer,
                    },
                );
            }
            if let Payload::Pointer(id) = structure.payload() {
                take(id, Use::Pointer);
            }
        }
    };
    each(&mut |id, of| identifiers.see(id, of));
    if identifiers.are_unusual() || !absent.is_empty() {
        each(&mut |id, of| identifiers.gather(id, of));
    }
    identifiers.into_renaming(absent)
}

/// Writes all structures except `left_out` and its substructures. `absent` has the identifiers that are not
/// written; `at` is set to each structure before it is written.
fn write_structures<'d, W: io::Write>(
    dataset: &'d Dataset,
    writer: &mut Writer<'_, W>,
    left_out: Option<Structure<'d>>,
    absent: &HashSet<Box<str>>,
    at: &Cell<Option<Structure<'d>>>,
) -> Result<(), WriteError> {
    let left_out = left_out.map_or(0..0, |gedc| gedc.id..gedc.data().next);
    let mut ends: Vec<u32> = Vec::new();
    for structure in dataset.structures() {
        while ends.last().is_some_and(|&end| end <= structure.id) {
            ends.pop();
        }
        let depth = to_u32(ends.len());
        ends.push(structure.data().next);
        if left_out.contains(&structure.id) {
            continue;
        }
        at.set(Some(structure));
        let level = depth + u32::from(structure.is_metadata());
        write_structure(writer, level, structure, absent)?;
    }
    Ok(())
}

fn write_structure<W: io::Write>(
    writer: &mut Writer<'_, W>,
    level: u32,
    structure: Structure<'_>,
    absent: &HashSet<Box<str>>,
) -> Result<(), WriteError> {
    let dataset = structure.dataset;
    let xref = structure.xref();
    match structure.payload() {
        Payload::None => writer.structure(level, xref, structure.tag(), Content::None),
        Payload::Pointer(id) => {
            let is_checked = writer.heeds_pointers() || !absent.is_empty() || dataset.is_void(id);
            let content = if is_checked { pointer(dataset, id, absent) } else { Content::Pointer(id) };
            writer.structure(level, xref, structure.tag(), content)
        }
        Payload::Literal(literal) if literal.text.contains('@') => {
            let pieces: Vec<Piece<'_>> = structure.pieces().collect();
            writer.structure(level, xref, structure.tag(), Content::Pieces(&pieces))
        }
        Payload::Literal(literal) => {
            writer.structure(level, xref, structure.tag(), Content::Text(literal.text))
        }
    }
}

/// Returns the content to write for a pointer to `id`.
fn pointer<'p>(dataset: &Dataset, id: &'p str, absent: &HashSet<Box<str>>) -> Content<'p> {
    match dataset.bearers_of(id).next() {
        None => Content::Dangling(id, DanglingTarget::Nowhere),
        Some(_) if absent.contains(id) => Content::Dangling(id, DanglingTarget::ToWhatIsLeftOut),
        Some(bearer) if bearer.is_metadata() || bearer.superstructure().is_some() => {
            Content::Dangling(id, DanglingTarget::ToSubstructure)
        }
        Some(_) => Content::Pointer(id),
    }
}

/// Returns GEDC of the metadata if it is not data in a file of `rules` (D19 *Header metadata*).
fn gedc_as_data<'d>(dataset: &'d Dataset, rules: &Rules) -> Option<Structure<'d>> {
    if !rules.tagged.metadata.has_versions() {
        return None;
    }
    dataset.metadata().find(|structure| structure.tag() == "GEDC")
}

/// Returns the schema of the dataset as a file of `rules` may have it.
fn schema(dataset: &Dataset, rules: &Rules) -> Result<HeaderSchema, WriteError> {
    let Some(lines) = &dataset.header().schema else { return Ok(HeaderSchema::default()) };
    let lines: Vec<PreambleLine<'_>> =
        lines.iter().map(|line| PreambleLine::new(line.level, &*line.tag, &*line.payload)).collect();
    elf_schema::header_schema(&lines, &ReadOptions::default(), rules)
}

fn preamble<'d>(
    dataset: &'d Dataset,
    gedc: Option<Structure<'d>>,
    schema: Option<Vec<PreambleLine<'static>>>,
) -> Preamble<'d> {
    let header = dataset.header();
    let as_data = gedc.and_then(|gedc| gedc.substructures().find(|each| each.tag() == "VERS"));
    let version = header.gedcom_version.as_deref().or(as_data.map(Structure::text));
    Preamble::new().with_gedcom_version(version).with_language(header.language.as_deref()).with_schema(schema)
}

/// Finds the structures that will have another type when the file is read, by the schema that will be in force
/// (J19 §3.2, §4.2). Returns a sentence for each tag and type.
fn changed_types(dataset: &Dataset, rules: &Rules, preamble: &Preamble<'_>) -> Vec<String> {
    let Some(mut resolver) = resolver(rules, preamble) else { return Vec::new() };
    let mut found: Vec<TypeId> = Vec::with_capacity(dataset.len());
    // Whether each structure keeps its type.
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
        let keeps =
            types.is_none_or(|(is, becomes)| is == becomes || is_of_2017(is, structure.tag(), becomes));
        is_kept.push(keeps);
        // Under a structure whose type changes, other types are expected and not reported.
        let parent_changes = structure.superstructure().is_some_and(|above| !is_kept[above.index()]);
        if let Some((is, becomes)) = types.filter(|_| !keeps && !parent_changes) {
            let data = structure.data();
            let message = || format!("{} has the type {is}, and will be read as {becomes}", structure.tag());
            changed.entry((data.tag, data.structure_type)).or_insert_with(|| (message(), 0)).1 += 1;
        }
    }
    let sentence = |(message, count): (String, u64)| {
        if count > 1 { format!("{message}; so with {count} structures") } else { message }
    };
    changed.into_values().map(sentence).collect()
}

/// Returns whether a tag of ELF or GEDCOM keeps its meaning in a file of 2017, which has another IRI for it.
fn is_of_2017(is: &str, tag: &str, becomes: &str) -> bool {
    let is_standard = is.starts_with(NAMESPACE) || Schema::completed().type_of(is).is_some();
    is_standard && elf_schema::tag_of_2017(becomes) == Some(tag)
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

/// Renders the path of a structure: the tags from its record on, with their identifiers.
fn path(structure: Structure<'_>) -> String {
    const DEEPEST: usize = 12;
    let mut steps: Vec<String> = structure
        .ancestors()
        .take(DEEPEST)
        .map(|each| match each.xref() {
            Some(xref) => format!("{} @{xref}@", each.tag()),
            None => each.tag().to_owned(),
        })
        .collect();
    if structure.is_metadata() && steps.len() < DEEPEST {
        steps.push("HEAD".to_owned());
    }
    steps.reverse();
    steps.join(" / ")
}
