//! A vector as it is in a file of `conformance/`. `conformance/README.md` describes each field.

use crate::notation::tree::{Tree, tree, trees};
use elf_base::Rules;
use elf_base::rules::{Duplicates, XrefErrors};
use elf_octets::Encoding;
use elf_tagged::write::{LineBreak, Versions, WriteOptions};
use serde::Deserialize;
use std::collections::BTreeMap;

/// A vector.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Vector {
    /// The identifier: the first requirement and a number.
    pub id: String,
    /// The requirements that it tests.
    pub requirements: Vec<String>,
    /// The clause of the first requirement.
    pub clause: String,
    /// Words of the draft that state the first requirement.
    pub words: Option<String>,
    /// The example of the requirement table that it comes from.
    pub example: Option<String>,
    /// A remark.
    pub note: Option<String>,
    /// The draft, if it is not the one of the file.
    pub draft: Option<String>,
    /// The question.
    pub form: Form,
    /// The datatype of a payload, by the last part of its IRI.
    pub datatype: Option<String>,
    /// The options by which the input is read or written.
    #[serde(default)]
    pub settings: Settings,
    input: Option<String>,
    input_octets: Option<String>,
    base: Option<String>,
    base_octets: Option<String>,
    /// The structures to write.
    pub dataset: Option<Dataset>,
    /// The expected outcome of a reading.
    pub outcome: Option<Outcome>,
    /// The layer of the expected violation.
    pub violation: Option<Layer>,
    /// The expected encodings.
    #[serde(default)]
    pub encoding: EncodingExpect,
    /// The expected header.
    #[serde(default)]
    pub header: HeaderExpect,
    /// Expected lines, each with its number.
    #[serde(default)]
    pub lines: Vec<Line>,
    /// The expected metadata.
    #[serde(default, deserialize_with = "tree")]
    pub metadata: Option<Tree>,
    /// The expected records.
    #[serde(default, deserialize_with = "tree")]
    pub records: Option<Tree>,
    /// Expected structures, in this order, anywhere in the file.
    #[serde(default, deserialize_with = "trees")]
    pub somewhere: Vec<Tree>,
    /// Expected facts about a value.
    #[serde(default)]
    pub value: BTreeMap<String, Fact>,
    /// All expected definitions of a schema.
    pub definitions: Option<Vec<String>>,
    /// The expected types of tags in a dictionary of 2017.
    #[serde(default)]
    pub types: Vec<TagType>,
    /// The type whose supertypes are expected.
    #[serde(rename = "type")]
    pub structure_type: Option<String>,
    /// The expected supertypes, in any order.
    #[serde(default)]
    pub supertypes: Vec<String>,
    /// The expected parts of a payload.
    #[serde(default)]
    pub tokens: Vec<String>,
    /// What is expected of the written file.
    #[serde(default)]
    pub written: WrittenExpect,
    /// The codes of `elf` that are expected.
    #[serde(default)]
    pub codes: CodesExpect,
    /// What the draft leaves open.
    pub open: Option<String>,
}

/// What a program is asked about the input.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Form {
    /// The character encodings: detected, specified, used.
    Encoding,
    /// Lines and line strings that are not lines.
    Lines,
    /// Structures with complete payloads.
    Tagged,
    /// Structures with types.
    Typed,
    /// The meaning of a payload.
    Value,
    /// The definitions of a schema.
    Schema,
    /// The types of tags by a dictionary of 2017.
    Dictionary,
    /// The supertypes of a type.
    Supertypes,
    /// The parts of a payload between its escapes.
    Tokens,
    /// The file that a conformant writer makes of the input.
    Written,
    /// The file that a conformant writer makes of typed structures.
    Serialised,
}

/// The options by which an input is read or written.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Settings {
    /// True if the program reads by its own rules for files as they are found.
    #[serde(default)]
    pub lenient: bool,
    /// An encoding that is known from outside, such as HTTP.
    pub external: Option<String>,
    /// The treatment of repeated identifiers: one of the four of the declarative draft.
    pub duplicates: Option<String>,
    /// The draft by which a file to be rewritten is read, if it is another one.
    pub from: Option<String>,
    /// The encoding of the output.
    pub encoding: Option<String>,
    /// The line ending of the output.
    pub line_break: Option<String>,
    /// True to write a byte-order mark, false to write none.
    pub mark: Option<bool>,
    /// The maximum length of a line.
    pub width: Option<u32>,
    /// The versions in the header of the output.
    pub versions: Option<String>,
    /// True to escape whitespace that some programs lose.
    #[serde(default)]
    pub guard: bool,
}

/// Structures to write.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Dataset {
    /// Structures under the header.
    #[serde(default, deserialize_with = "tree")]
    pub metadata: Option<Tree>,
    /// Records.
    #[serde(default, deserialize_with = "tree")]
    pub records: Option<Tree>,
}

/// The outcome of a reading.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    /// Nothing violates the draft.
    Conformant,
    /// Something violates the draft, and the reading may go on.
    NonConformant,
    /// Something violates the draft, and the reading must end.
    Ends,
}

/// The layer of the standard that is violated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Layer {
    /// The input is another kind of file.
    NotElf,
    /// Bytes and encodings.
    Characters,
    /// Lines.
    Lines,
    /// Structures, header and escapes.
    Structures,
    /// Schemas and types.
    Schema,
    /// Anything later.
    Later,
}

/// The expected encodings; `none` for one that is absent.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EncodingExpect {
    /// The one that the first bytes show.
    pub detected: Option<String>,
    /// The payload of CHAR.
    pub specified: Option<String>,
    /// The one by which the file is read.
    pub used: Option<String>,
    /// What decided: `detected`, `specified`, `default`.
    pub because: Option<String>,
}

/// The expected header; `none` for what is absent.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HeaderExpect {
    /// The version of ELF.
    pub elf_version: Option<String>,
    /// The version of GEDCOM.
    pub gedcom_version: Option<String>,
    /// The default language of payloads.
    pub language: Option<String>,
    /// The IRIs of schemas.
    pub schemas: Option<Vec<String>>,
}

/// A line, or a line string that is not a line.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Line {
    /// Its number, from 1.
    pub line: u64,
    /// True if it is not a line; `text` is then the line string.
    #[serde(default)]
    pub error: bool,
    /// Its level.
    pub level: Option<u64>,
    /// Its identifier, without at signs.
    pub xref: Option<String>,
    /// Its tag.
    pub tag: Option<String>,
    /// Its payload.
    pub payload: Option<LinePayload>,
    /// The line string.
    pub text: Option<String>,
    /// The code of `elf` for a line string that is not a line.
    pub code: Option<String>,
}

/// The payload of a line.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(untagged)]
pub enum LinePayload {
    /// Text.
    Text(String),
    /// A pointer.
    Pointer {
        /// Its text without at signs.
        pointer: String,
    },
}

/// A fact about a value.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(untagged)]
pub enum Fact {
    /// Whether something holds.
    Holds(bool),
    /// A number.
    Number(i64),
    /// Text.
    Text(String),
}

/// The type of a tag.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TagType {
    /// The tag.
    pub tag: String,
    /// The type and the types that it refines.
    pub iris: Vec<String>,
}

/// What is expected of a written file.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WrittenExpect {
    /// All of it.
    pub whole: Option<Octets>,
    /// Parts that it has.
    #[serde(default)]
    pub has: Vec<Octets>,
    /// Parts that it does not have.
    #[serde(default)]
    pub lacks: Vec<Octets>,
    /// Its first bytes.
    pub starts: Option<Octets>,
    /// The longest line, in bytes with its line ending.
    pub longest: Option<usize>,
    /// The reason of a writer that refuses.
    pub refused: Option<String>,
}

/// Bytes: text in UTF-8, or a text of which each character is one byte.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(untagged)]
pub enum Octets {
    /// Text in UTF-8.
    Text(String),
    /// A byte for each character, U+0000 to U+00FF.
    Octets {
        /// The characters.
        octets: String,
    },
}

/// The expected codes of `elf`.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CodesExpect {
    /// All malformed and non-conformant findings, in order.
    pub errors: Option<Vec<String>>,
    /// All findings, in order.
    pub all: Option<Vec<String>>,
    /// Codes that are reported, in any class.
    #[serde(default)]
    pub reports: Vec<String>,
    /// Codes that are not reported.
    #[serde(default)]
    pub never: Vec<String>,
}

impl Vector {
    /// Returns the bytes of the input, if there is one.
    ///
    /// # Errors
    ///
    /// An error if there are two inputs, or a character of `input_octets` is not a byte.
    pub fn input(&self) -> Result<Option<Vec<u8>>, String> {
        either(self.input.as_deref(), self.input_octets.as_deref())
    }

    /// Returns the bytes of the file whose schema or dictionary gives tags to types.
    ///
    /// # Errors
    ///
    /// The errors of [`Vector::input`].
    pub fn base(&self) -> Result<Option<Vec<u8>>, String> {
        either(self.base.as_deref(), self.base_octets.as_deref())
    }

    /// Returns the rules of the vector in a file of `draft`.
    ///
    /// # Errors
    ///
    /// An error if there is no such draft.
    pub fn rules(&self, draft: &str) -> Result<Rules, String> {
        let name = self.draft.as_deref().unwrap_or(draft);
        let mut rules = *match name {
            // Values mean the same in all drafts.
            "dates" => &Rules::DECEMBER_2019,
            _ if self.settings.lenient => &Rules::WILD,
            _ => Rules::from_name(name).ok_or_else(|| format!("there is no draft {name:?}"))?,
        };
        if let Some(option) = self.settings.duplicates()? {
            rules.tagged.xref_errors = XrefErrors::Options(option);
        }
        Ok(rules)
    }

    /// Returns whether anything is expected.
    pub fn expects_something(&self) -> bool {
        let EncodingExpect { detected, specified, used, because } = &self.encoding;
        let HeaderExpect { elf_version, gedcom_version, language, schemas } = &self.header;
        let words = [detected, specified, used, because, elf_version, gedcom_version, language];
        self.outcome.is_some()
            || words.iter().any(|word| word.is_some())
            || schemas.is_some()
            || !self.lines.is_empty()
            || self.metadata.is_some()
            || self.records.is_some()
            || !self.somewhere.is_empty()
            || !self.value.is_empty()
            || self.definitions.is_some()
            || !self.types.is_empty()
            || !self.supertypes.is_empty()
            || !self.tokens.is_empty()
            || self.written.expects_something()
            || self.codes.errors.is_some()
            || self.codes.all.is_some()
            || !self.codes.reports.is_empty()
            || !self.codes.never.is_empty()
    }
}

impl WrittenExpect {
    fn expects_something(&self) -> bool {
        let WrittenExpect { whole, has, lacks, starts, longest, refused } = self;
        whole.is_some()
            || !has.is_empty()
            || !lacks.is_empty()
            || starts.is_some()
            || longest.is_some()
            || refused.is_some()
    }
}

impl Settings {
    fn duplicates(&self) -> Result<Option<Duplicates>, String> {
        match self.duplicates.as_deref() {
            None => Ok(None),
            Some("reject-all") => Ok(Some(Duplicates::RejectAll)),
            Some("reject-bearers") => Ok(Some(Duplicates::RejectBearers)),
            Some("drop-unused") => Ok(Some(Duplicates::DropUnused)),
            Some("keep-record") => Ok(Some(Duplicates::KeepRecord)),
            Some(name) => Err(format!("there is no option {name:?}")),
        }
    }

    /// Returns the encoding that is known from outside.
    ///
    /// # Errors
    ///
    /// An error if there is no such encoding.
    pub fn external_encoding(&self) -> Result<Option<Encoding>, String> {
        encoding(self.external.as_deref())
    }

    /// Returns the options of the writer.
    ///
    /// # Errors
    ///
    /// An error if a word is not an option.
    pub fn write_options(&self) -> Result<WriteOptions, String> {
        let mut options = WriteOptions::new()
            .with_mark(self.mark)
            .with_width(self.width)
            .with_guarded_whitespace(self.guard);
        if let Some(encoding) = encoding(self.encoding.as_deref())? {
            options = options.with_encoding(encoding);
        }
        options = options.with_line_break(match self.line_break.as_deref() {
            None | Some("lf") => LineBreak::Lf,
            Some("cr") => LineBreak::Cr,
            Some("crlf") => LineBreak::CrLf,
            Some(other) => return Err(format!("there is no line break {other:?}")),
        });
        Ok(options.with_versions(match self.versions.as_deref() {
            None | Some("both") => Versions::Both,
            Some("elf-if-needed") => Versions::ElfIfNeeded,
            Some("elf-alone") => Versions::ElfAlone,
            Some(other) => return Err(format!("there are no versions {other:?}")),
        }))
    }

    /// Returns the settings as words `NAME=VALUE`, for a program.
    pub fn words(&self) -> Vec<String> {
        let Settings {
            lenient,
            external,
            duplicates,
            from,
            encoding,
            line_break,
            mark,
            width,
            versions,
            guard,
        } = self;
        let texts = [
            ("external", external),
            ("duplicates", duplicates),
            ("from", from),
            ("encoding", encoding),
            ("line_break", line_break),
            ("versions", versions),
        ];
        let texts = texts.into_iter().filter_map(|(name, value)| Some((name, value.clone()?)));
        let others = [
            ("lenient", lenient.then(|| "true".to_owned())),
            ("mark", mark.map(|mark| mark.to_string())),
            ("width", width.map(|width| width.to_string())),
            ("guard", guard.then(|| "true".to_owned())),
        ];
        let others = others.into_iter().filter_map(|(name, value)| Some((name, value?)));
        texts.chain(others).map(|(name, value)| format!("{name}={value}")).collect()
    }
}

impl Form {
    /// The name in vectors and in the protocol.
    pub const fn name(self) -> &'static str {
        match self {
            Form::Encoding => "encoding",
            Form::Lines => "lines",
            Form::Tagged => "tagged",
            Form::Typed => "typed",
            Form::Value => "value",
            Form::Schema => "schema",
            Form::Dictionary => "dictionary",
            Form::Supertypes => "supertypes",
            Form::Tokens => "tokens",
            Form::Written => "written",
            Form::Serialised => "serialised",
        }
    }
}

impl Outcome {
    /// The name in vectors.
    pub const fn name(self) -> &'static str {
        match self {
            Outcome::Conformant => "conformant",
            Outcome::NonConformant => "non-conformant",
            Outcome::Ends => "ends",
        }
    }
}

impl Layer {
    /// The name in vectors and in the protocol.
    pub const fn name(self) -> &'static str {
        match self {
            Layer::NotElf => "not-elf",
            Layer::Characters => "characters",
            Layer::Lines => "lines",
            Layer::Structures => "structures",
            Layer::Schema => "schema",
            Layer::Later => "later",
        }
    }

    /// Returns the layer of that name.
    pub fn from_name(name: &str) -> Option<Layer> {
        let layers =
            [Layer::NotElf, Layer::Characters, Layer::Lines, Layer::Structures, Layer::Schema, Layer::Later];
        layers.into_iter().find(|layer| layer.name() == name)
    }
}

impl Fact {
    /// Returns the fact as a word.
    pub fn word(&self) -> String {
        match self {
            Fact::Holds(true) => "yes".to_owned(),
            Fact::Holds(false) => "no".to_owned(),
            Fact::Number(number) => number.to_string(),
            Fact::Text(text) => text.clone(),
        }
    }
}

impl Octets {
    /// Returns the bytes.
    ///
    /// # Errors
    ///
    /// An error if a character is not a byte.
    pub fn bytes(&self) -> Result<Vec<u8>, String> {
        match self {
            Octets::Text(text) => Ok(text.as_bytes().to_vec()),
            Octets::Octets { octets } => bytes(octets),
        }
    }
}

fn either(text: Option<&str>, octets: Option<&str>) -> Result<Option<Vec<u8>>, String> {
    match (text, octets) {
        (None, None) => Ok(None),
        (Some(text), None) => Ok(Some(text.as_bytes().to_vec())),
        (None, Some(octets)) => bytes(octets).map(Some),
        (Some(_), Some(_)) => Err("expected text or octets, but found both".to_owned()),
    }
}

fn bytes(octets: &str) -> Result<Vec<u8>, String> {
    let byte = |c| u8::try_from(u32::from(c)).map_err(|_| format!("expected a byte, but found {c:?}"));
    octets.chars().map(byte).collect()
}

fn encoding(name: Option<&str>) -> Result<Option<Encoding>, String> {
    let Some(name) = name else { return Ok(None) };
    Encoding::from_name(name).map(Some).ok_or_else(|| format!("there is no encoding {name:?}"))
}
