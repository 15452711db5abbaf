//! Runs vectors that write typed structures: they choose tags, and write the schema or dictionary that defines them.

use super::reading;
use super::writing::{check, check_refusal};
use crate::notation::typed::{Forest, Pattern, Structure, Target};
use crate::vectors::{Expect, OutputExpect};
use elf_base::rules::Mechanism;
use elf_base::{Diagnostic, Rules};
use elf_schema::{Dictionary, DictionaryTagger, Schema, SchemaForm, TagError, Tagger, term};
use elf_tagged::write::{Content, Preamble, PreambleLine, WriteError, Writer};
use std::sync::Arc;

/// The type of the superstructure of metadata (J19 §2.4).
const METADATA: &str = "https://terms.fhiso.org/elf/Metadata";

/// The type of the superstructure of records.
const DOCUMENT: &str = "https://terms.fhiso.org/elf/Document";

/// Runs a vector of kind `serialise`. Structures that must occur somewhere are written as records.
pub(super) fn run_serialise(
    pattern: &Pattern,
    base: Option<&[u8]>,
    output: &OutputExpect,
    rules: &Rules,
    expect: &Expect,
) -> Result<(), String> {
    let metadata = pattern.metadata.iter().map(|forest| (1, METADATA, forest));
    let records = pattern.document.iter().chain(&pattern.somewhere).map(|forest| (0, DOCUMENT, forest));
    let parts: Vec<(usize, &str, &Forest)> = metadata.chain(records).collect();
    let mut names = TagSource::new(base, rules)?;
    for structure in parts.iter().flat_map(|(_, _, forest)| &forest.structures) {
        names.avoid(&structure.kind);
    }
    let mut findings = Vec::new();
    let mut tagged: Vec<(usize, Arc<str>, &Structure)> = Vec::new();
    for (level, root, forest) in parts {
        let mut above: Vec<&str> = Vec::new();
        for structure in &forest.structures {
            above.truncate(structure.depth);
            let level = level + structure.depth;
            match names.tag(above.last().copied().unwrap_or(root), &structure.kind) {
                Ok(tag) => tagged.push((level, tag, structure)),
                Err(error) => {
                    findings.push(Diagnostic::new(error.code(), rules, error.to_string()));
                    // A structure without a type has a tag too.
                    tagged.extend(
                        term::undefined_tag(&structure.kind).map(|tag| (level, tag.into(), structure)),
                    );
                }
            }
            above.push(&structure.kind);
        }
    }
    let preamble = Preamble::new().with_schema(names.into_lines(rules));
    let mut octets = Vec::new();
    let mut write = || -> Result<(), WriteError> {
        let mut writer = Writer::new(&mut octets, rules, &output.options, &mut findings)?;
        writer.head(&preamble)?;
        for (level, tag, structure) in &tagged {
            let content = match (&structure.payload, &structure.target) {
                (_, Some(Target::Xref(id) | Target::Kind(id))) => Content::Pointer(id),
                (Some(text), None) => Content::Text(text),
                (None, None) => Content::None,
            };
            writer.structure(u32::try_from(*level).unwrap_or(u32::MAX), None, tag, content)?;
        }
        writer.finish().map(|_| ())
    };
    let written = write().map(|()| octets);
    let Some(octets) = check_refusal(written, output)? else { return Ok(()) };
    check(&octets, output, rules, expect, &findings)
}

/// Where tags come from: a schema, or a dictionary of 2017.
enum TagSource {
    Schema(Box<Tagger>),
    Dictionary(Box<DictionaryTagger>),
}

impl TagSource {
    fn new(base: Option<&[u8]>, rules: &Rules) -> Result<TagSource, String> {
        let mut findings = Vec::new();
        let document = match base {
            Some(octets) => Some(reading::read_file(octets, rules, &reading::utf8_options(), &mut findings)?),
            None => None,
        };
        if rules.schema.mechanism == Mechanism::IriDictionary {
            let dictionary =
                document.map(|document| Dictionary::of_document(&document, &mut ())).unwrap_or_default();
            return Ok(TagSource::Dictionary(Box::new(DictionaryTagger::new(&dictionary))));
        }
        let own = document.and_then(|document| Schema::of_document(&document, &(), &mut ()));
        let schema = match &own {
            Some(schema) => schema,
            None => Schema::default_of(rules).ok_or("expected rules with schemas")?.as_ref(),
        };
        Ok(TagSource::Schema(Box::new(Tagger::new(schema))))
    }

    fn avoid(&mut self, kind: &str) {
        if let (TagSource::Schema(tagger), Some(tag)) = (self, term::undefined_tag(kind)) {
            tagger.avoid(tag);
        }
    }

    fn tag(&mut self, superstructure: &str, kind: &str) -> Result<Arc<str>, TagError> {
        match self {
            TagSource::Schema(tagger) => tagger.tag(superstructure, kind),
            TagSource::Dictionary(tagger) => tagger.tag(kind),
        }
    }

    fn into_lines(self, rules: &Rules) -> Option<Vec<PreambleLine<'static>>> {
        match self {
            TagSource::Schema(tagger) => tagger.into_schema().to_lines(rules, SchemaForm::Reference),
            TagSource::Dictionary(tagger) => Some(tagger.into_dictionary().to_lines()),
        }
    }
}
