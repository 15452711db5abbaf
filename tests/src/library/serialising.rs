//! Answers of the writer for typed structures: first they get tags, and the schema or dictionary that says so.

use super::utf8;
use super::writing::of_writer;
use crate::answer::Answer;
use crate::notation::tree::{Payload, Structure};
use crate::vectors::Case;
use elf_base::rules::Mechanism;
use elf_base::{Diagnostic, Rules};
use elf_schema::{Dictionary, DictionaryTagger, Schema, SchemaForm, TagError, Tagger, term};
use elf_tagged::write::{Content, Preamble, PreambleLine, WriteError, Writer};
use std::sync::Arc;

/// The type of what is directly in the metadata (J19 §2.4).
const METADATA: &str = "https://terms.fhiso.org/elf/Metadata";

/// The type of what records are in.
const DOCUMENT: &str = "https://terms.fhiso.org/elf/Document";

/// A structure and its tag.
struct Tagged<'v> {
    level: usize,
    tag: Arc<str>,
    structure: &'v Structure,
}

/// The answer for the form `serialised`.
pub(super) fn answer(case: &Case) -> Result<Answer, String> {
    let rules = &case.rules;
    let dataset = case.vector.dataset.as_ref().ok_or("expected a dataset")?;
    let mut names = Names::new(case.vector.base()?.as_deref(), rules)?;
    let parts = [(1, METADATA, &dataset.metadata), (0, DOCUMENT, &dataset.records)];
    let parts = parts
        .map(|(level, root, tree)| (level, root, tree.as_ref().map_or(&[][..], |tree| &tree.structures)));
    for structure in parts.iter().flat_map(|(_, _, structures)| *structures) {
        names.avoid(type_of(structure));
    }
    let mut findings = Vec::new();
    let mut tagged: Vec<Tagged<'_>> = Vec::new();
    for (level, root, structures) in parts {
        let mut above: Vec<&str> = Vec::new();
        for structure in structures {
            above.truncate(structure.depth);
            let level = level + structure.depth;
            match names.tag(above.last().copied().unwrap_or(root), type_of(structure)) {
                Ok(tag) => tagged.push(Tagged { level, tag, structure }),
                Err(error) => {
                    findings.push(Diagnostic::new(error.code(), rules, error.to_string()));
                    // An undefined type still has a tag.
                    let tag = term::undefined_tag(type_of(structure));
                    tagged.extend(tag.map(|tag| Tagged { level, tag: tag.into(), structure }));
                }
            }
            above.push(type_of(structure));
        }
    }
    let preamble = Preamble::new().with_schema(names.into_lines(rules));
    let options = case.vector.settings.write_options()?;
    let mut octets = Vec::new();
    let mut write = || -> Result<(), WriteError> {
        let mut writer = Writer::new(&mut octets, rules, &options, &mut findings)?;
        writer.head(&preamble)?;
        for Tagged { level, tag, structure } in &tagged {
            let content = match &structure.payload {
                Payload::None => Content::None,
                Payload::Text(text) => Content::Text(text),
                Payload::Pointer(id) | Payload::PointerTo(id) => Content::Pointer(id),
            };
            writer.structure(u32::try_from(*level).unwrap_or(u32::MAX), None, tag, content)?;
        }
        writer.finish().map(|_| ())
    };
    let written = write().map(|()| octets);
    Ok(of_writer(written, &findings))
}

fn type_of(structure: &Structure) -> &str {
    structure.structure_type.as_deref().unwrap_or_default()
}

/// The source of tags: a schema, or a dictionary of 2017.
enum Names {
    Schema(Box<Tagger>),
    Dictionary(Box<DictionaryTagger>),
}

impl Names {
    fn new(base: Option<&[u8]>, rules: &Rules) -> Result<Names, String> {
        let read = |octets| elf_tagged::read(octets, rules, &utf8(), &mut ());
        let document = base.map(read).transpose().map_err(|error| error.to_string())?;
        if rules.schema.mechanism == Mechanism::IriDictionary {
            let dictionary =
                document.map(|document| Dictionary::of_document(&document, &mut ())).unwrap_or_default();
            return Ok(Names::Dictionary(Box::new(DictionaryTagger::new(&dictionary))));
        }
        let own = document.and_then(|document| Schema::of_document(&document, &(), &mut ()));
        let schema = match &own {
            Some(schema) => schema,
            None => Schema::default_of(rules).ok_or("expected rules with schemas")?.as_ref(),
        };
        Ok(Names::Schema(Box::new(Tagger::new(schema))))
    }

    fn avoid(&mut self, kind: &str) {
        if let (Names::Schema(tagger), Some(tag)) = (self, term::undefined_tag(kind)) {
            tagger.avoid(tag);
        }
    }

    fn tag(&mut self, superstructure: &str, kind: &str) -> Result<Arc<str>, TagError> {
        match self {
            Names::Schema(tagger) => tagger.tag(superstructure, kind),
            Names::Dictionary(tagger) => tagger.tag(kind),
        }
    }

    fn into_lines(self, rules: &Rules) -> Option<Vec<PreambleLine<'static>>> {
        match self {
            Names::Schema(tagger) => tagger.into_schema().to_lines(rules, SchemaForm::Reference),
            Names::Dictionary(tagger) => Some(tagger.into_dictionary().to_lines()),
        }
    }
}
