//! What a program says about the input of a vector: the same for our libraries and for a program behind the
//! protocol.

use crate::notation::tree::Tree;
use crate::vectors::vector::{EncodingExpect, HeaderExpect, Layer, Line, Outcome, TagType};
use elf_base::{Class, Diagnostic, codes};
use std::collections::BTreeMap;

/// An answer. A part that the form does not ask for is empty.
#[derive(Clone, Debug, Default)]
pub struct Answer {
    /// The findings about the input, or of the writer.
    pub findings: Vec<Finding>,
    /// Whether the reading reached the end; `None` if the program does not judge.
    pub is_complete: Option<bool>,
    /// The encodings; `none` for one that is absent.
    pub encoding: EncodingExpect,
    /// The header; `none` for what is absent.
    pub header: HeaderExpect,
    /// The lines.
    pub lines: Vec<Line>,
    /// The structures under the header.
    pub metadata: Tree,
    /// The records.
    pub records: Tree,
    /// Facts about a value.
    pub value: BTreeMap<String, String>,
    /// The definitions of the schema.
    pub definitions: Vec<String>,
    /// The types of the tags that the vector lists.
    pub types: Vec<TagType>,
    /// The supertypes of the type that the vector names.
    pub supertypes: Vec<String>,
    /// The parts of the payload.
    pub tokens: Vec<String>,
    /// The written file, or the reason why there is none.
    pub written: Option<Result<Vec<u8>, String>>,
    /// The reason why the program does not claim to answer.
    pub not_claimed: Option<String>,
}

/// A finding.
#[derive(Clone, Debug)]
pub struct Finding {
    /// The code, if the program is `elf`.
    pub code: Option<String>,
    /// The class.
    pub class: FindingClass,
    /// The layer that is violated, if the program says so.
    pub layer: Option<Layer>,
    /// The message with its place.
    pub message: String,
}

/// The class of a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FindingClass {
    /// A violation after which the reading must end by strict rules.
    Malformed,
    /// Any other violation.
    NonConformant,
    /// No violation.
    Advice,
}

impl Answer {
    /// Returns the outcome of the reading; `None` if the program does not judge.
    pub fn outcome(&self) -> Option<Outcome> {
        let is_complete = self.is_complete?;
        Some(match (is_complete, self.first_error()) {
            (false, _) => Outcome::Ends,
            (true, Some(_)) => Outcome::NonConformant,
            (true, None) => Outcome::Conformant,
        })
    }

    /// Returns the violation that ends the reading, or else the first one.
    pub fn first_error(&self) -> Option<&Finding> {
        let malformed = self.findings.iter().find(|found| found.class == FindingClass::Malformed);
        malformed.or_else(|| self.findings.iter().find(|found| found.is_error()))
    }
}

impl Finding {
    /// Makes a finding of one of our libraries.
    pub fn of_library(found: &Diagnostic) -> Finding {
        let line = found.place.map_or(0, |place| place.line);
        Finding {
            code: Some(found.code.id().to_owned()),
            class: match found.class {
                Class::Malformed => FindingClass::Malformed,
                class if class.is_error() => FindingClass::NonConformant,
                _ => FindingClass::Advice,
            },
            layer: Some(layer_of_code(found.code.id())),
            message: format!("{} {} at line {line} ({})", found.code, found.class, found.message),
        }
    }

    /// Returns whether it is a violation.
    pub fn is_error(&self) -> bool {
        match self.class {
            FindingClass::Malformed | FindingClass::NonConformant => true,
            FindingClass::Advice => false,
        }
    }
}

/// Returns the layer that a code of `elf` is about.
pub fn layer_of_code(id: &str) -> Layer {
    if [codes::NOT_ELF, codes::NO_LINES].iter().any(|code| code.id() == id) {
        return Layer::NotElf;
    }
    match id.get(..3) {
        Some("E01") => Layer::Characters,
        Some("E02") => Layer::Lines,
        Some("E03") => Layer::Structures,
        Some("E04") => Layer::Schema,
        _ => Layer::Later,
    }
}
