//! Answers of the writer.

use super::input;
use crate::answer::{Answer, Finding};
use crate::notation::tree::{Payload, Structure, Tree};
use crate::vectors::Case;
use crate::vectors::vector::Dataset;
use elf_base::{Diagnostic, Rules};
use elf_octets::Options;
use elf_tagged::write::{Content, Preamble, PreambleLine, WriteError, WriteOptions, Writer, write_document};

/// Tags of the header that the writer takes as its preamble.
const SERIALISATION_METADATA: [&str; 4] = ["PLANG", "SCHMA", "PRFX", "DEFN"];

/// The answer for the form `written`: of the dataset, or else of the input.
pub(super) fn answer(case: &Case) -> Result<Answer, String> {
    let options = case.vector.settings.write_options()?;
    let mut findings = Vec::new();
    let written = match &case.vector.dataset {
        Some(dataset) => write(dataset, &case.rules, &options, &mut findings),
        None => {
            let octets = input(case)?;
            let from = match case.vector.settings.from.as_deref() {
                Some("lenient") => &Rules::WILD,
                Some(name) => Rules::from_name(name).ok_or_else(|| format!("there is no draft {name:?}"))?,
                None => &case.rules,
            };
            let document = elf_tagged::read(&octets, from, &Options::default(), &mut ());
            let document = document.map_err(|error| error.to_string())?;
            let mut out = Vec::new();
            let options = options.with_partial(true);
            write_document(&document, &mut out, &case.rules, &options, &mut findings).map(|_| out)
        }
    };
    Ok(of_writer(written, &findings))
}

/// The answer that a writer gives.
pub(super) fn of_writer(written: Result<Vec<u8>, WriteError>, findings: &[Diagnostic]) -> Answer {
    Answer {
        findings: findings.iter().map(Finding::of_library).collect(),
        written: Some(written.map_err(|error| error.to_string())),
        ..Answer::default()
    }
}

/// Writes a dataset. The writer gives HEAD its CHAR, ELF and GEDC; PLANG and schemas are handed to it.
fn write(
    dataset: &Dataset,
    rules: &Rules,
    options: &WriteOptions,
    findings: &mut Vec<Diagnostic>,
) -> Result<Vec<u8>, WriteError> {
    let metadata = dataset.metadata.as_ref().map_or(&[][..], |tree| &tree.structures);
    let records = dataset.records.as_ref().map_or(&[][..], |tree| &tree.structures);
    let mut out = Vec::new();
    let mut writer = Writer::new(&mut out, rules, options, findings)?;
    writer.head(&preamble(metadata))?;
    let metadata =
        marked(metadata).filter(|(_, is_preamble)| !is_preamble).map(|(structure, _)| (structure, 1));
    for (structure, base) in metadata.chain(records.iter().map(|structure| (structure, 0))) {
        let content = match &structure.payload {
            Payload::None => Content::None,
            Payload::Text(text) => Content::Text(text),
            Payload::Pointer(id) | Payload::PointerTo(id) => Content::Pointer(id),
        };
        let level = u32::try_from(structure.depth + base).unwrap_or(u32::MAX);
        writer.structure(level, structure.xref.as_deref(), &structure.tag, content)?;
    }
    writer.finish()?;
    Ok(out)
}

/// Returns the preamble of a file: the serialisation metadata among the structures of the header.
fn preamble(metadata: &[Structure]) -> Preamble<'_> {
    let mut preamble = Preamble::new();
    let mut lines = Vec::new();
    for (structure, _) in marked(metadata).filter(|(_, is_preamble)| *is_preamble) {
        let payload = match &structure.payload {
            Payload::None => "",
            Payload::Text(text) | Payload::Pointer(text) | Payload::PointerTo(text) => text,
        };
        let level = u32::try_from(structure.depth + 1).unwrap_or(u32::MAX);
        match structure.tag.as_str() {
            "PLANG" if level == 1 => preamble = preamble.with_language(Some(payload)),
            tag => lines.push(PreambleLine::new(level, tag, payload)),
        }
    }
    if lines.is_empty() { preamble } else { preamble.with_schema(Some(lines)) }
}

/// Returns the structures that a reader finds in the file written of a dataset.
pub(crate) fn structures_to_read_back(dataset: &Dataset) -> (Tree, Tree) {
    let metadata = dataset.metadata.clone().unwrap_or_default();
    let metadata = marked(&metadata.structures).filter(|(_, is_preamble)| !is_preamble);
    let mut metadata = Tree { structures: metadata.map(|(structure, _)| structure.clone()).collect() };
    let mut records = dataset.records.clone().unwrap_or_default();
    for structure in metadata.structures.iter_mut().chain(&mut records.structures) {
        // The data does not include the form of a line break (D19 Merging continuation lines).
        if let Payload::Text(text) = &mut structure.payload {
            *text = text.replace("\r\n", "\n").replace('\r', "\n");
        }
    }
    (metadata, records)
}

/// Returns the structures of a header, each with whether it is, or is under, serialisation metadata.
fn marked(metadata: &[Structure]) -> impl Iterator<Item = (&Structure, bool)> {
    metadata.iter().scan(false, |is_preamble, structure| {
        if structure.depth == 0 {
            *is_preamble = SERIALISATION_METADATA.contains(&structure.tag.as_str());
        }
        Some((structure, *is_preamble))
    })
}
