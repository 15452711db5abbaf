//! Decides which escapes a tag preserves.
//!
//! The schema determines which escapes a tag preserves (J19 §4.2.4; D19 *Permitted escapes*). A schema may be in the
//! header, built in, given by the caller, or external. This crate reads ESC in the header. Another crate that knows
//! more about schemas can implement [`EscapeSource`], which is called once, after the header and before any payload is
//! checked.
//!
//! | schema | a tag with ESC | any other tag |
//! | --- | --- | --- |
//! | no schema, or (December 2019) one without ESC | – | the default of the draft: D anywhere; D in DATE |
//! | a schema | the types of its ESC | none |
//! | a schema with a missing external part | the types of its ESC | any type, because the rest is unknown |

use super::EscapeTypes;
use crate::read::preamble_line::PreambleLine;
use elf_base::Rules;
use elf_base::rules::EscapesWithoutSchema;
use std::collections::HashMap;
use std::error::Error;
use std::fmt;

/// The IRI of the default schema (J19 §4.2.1).
pub const DEFAULT_SCHEMA: &str = "https://fhiso.org/TR/elf-data-model/v1.0.0";

/// The IRI of the default schema without a version.
const DEFAULT_SCHEMA_LATEST: &str = "https://fhiso.org/TR/elf-data-model";

/// Returns whether `iri` is that of the default schema, which is built in (J19 §4.2.1).
pub fn names_default_schema(iri: &str) -> bool {
    matches!(iri, DEFAULT_SCHEMA | DEFAULT_SCHEMA_LATEST)
}

/// The types of escapes that each tag preserves.
///
/// ```
/// use elf_tagged::{Options, Rules, escape::EscapeTypes, read};
///
/// let octets = b"0 HEAD\n1 SCHMA\n2 ESC NOTE L\n0 NOTE x@#LAB@ y\n0 TRLR\n";
/// let document = read(octets, &Rules::JANUARY_2019, &Options::default(), &mut ())?;
/// let table = document.header().escapes();
/// assert_eq!(Some(table.of("NOTE")), EscapeTypes::of("L"));
/// assert_eq!(table.of("DATE"), EscapeTypes::NONE);
/// # Ok::<(), elf_tagged::TooLarge>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EscapeTable {
    by_tag: HashMap<Box<str>, EscapeTypes>,
    /// The types that are preserved by tags without an entry.
    others: EscapeTypes,
    /// Whether the escapes are determined by a schema instead of the draft.
    is_of_schema: bool,
    /// Whether everything that looks like an escape is an escape, in any text (O17 §5.4).
    is_by_shape: bool,
}

/// The escapes that an external schema preserves, as far as they are known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ExternalEscapes {
    /// The payload does not refer to a schema.
    NoReference,
    /// The schema is not available.
    Missing,
    /// The schema is available and has these ESC definitions.
    Of(Vec<(Box<str>, EscapeTypes)>),
}

/// The source of the escapes that each tag preserves. The source is asked once the header has been read. The layer that
/// knows schemas implements this trait. `()` knows only the header and the default schema.
pub trait EscapeSource {
    /// Returns the table of escapes for a document under `rules`. `schema` contains the SCHMA structures of the header,
    /// with their substructures.
    fn table(&self, schema: &[PreambleLine<'_>], rules: &Rules) -> EscapeTable;
}

impl EscapeSource for () {
    fn table(&self, schema: &[PreambleLine<'_>], rules: &Rules) -> EscapeTable {
        EscapeTable::of_schema(schema, rules, &mut |iri| {
            if names_default_schema(iri) {
                ExternalEscapes::Of(EscapeTable::dates().into_definitions())
            } else {
                ExternalEscapes::Missing
            }
        })
    }
}

/// A table that is already known is used whatever schema the header contains.
impl EscapeSource for EscapeTable {
    fn table(&self, _: &[PreambleLine<'_>], _: &Rules) -> EscapeTable {
        self.clone()
    }
}

/// The reason why the payload of an ESC is invalid (J19 §4.2.4).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EscapeDefinitionFault {
    /// The payload has this number of words instead of two.
    Words(usize),
    /// The first word is not a tag.
    Tag,
    /// The second word does not consist of capital letters other than U.
    Types,
}

impl fmt::Display for EscapeDefinitionFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EscapeDefinitionFault::Words(count) => {
                write!(f, "expected a tag and letters, such as `ESC DATE D`, but found {count} words")
            }
            EscapeDefinitionFault::Tag => f.write_str("expected a tag"),
            EscapeDefinitionFault::Types => f.write_str("expected capital letters other than U"),
        }
    }
}

impl Error for EscapeDefinitionFault {}

/// Parses the payload of an ESC: a tag, and the types of the escapes that it preserves (J19 §4.2.4).
///
/// # Errors
///
/// Returns [`EscapeDefinitionFault`] if the payload is invalid. Ignore the ESC in that case.
///
/// ```
/// use elf_tagged::escape::{EscapeDefinitionFault, EscapeTypes, read_definition};
///
/// assert_eq!(read_definition("DATE D").ok(), EscapeTypes::of("D").map(|types| ("DATE", types)));
/// assert_eq!(read_definition("DATE d"), Err(EscapeDefinitionFault::Types));
/// ```
pub fn read_definition(payload: &str) -> Result<(&str, EscapeTypes), EscapeDefinitionFault> {
    let mut words = payload.split([' ', '\t', '\n', '\r']).filter(|word| !word.is_empty());
    let (tag, letters) = match (words.next(), words.next(), words.count()) {
        (Some(tag), Some(letters), 0) => (tag, letters),
        (first, second, more) => {
            let words = usize::from(first.is_some()) + usize::from(second.is_some()) + more;
            return Err(EscapeDefinitionFault::Words(words));
        }
    };
    if !elf_lines::is_tag(tag) {
        return Err(EscapeDefinitionFault::Tag);
    }
    EscapeTypes::of(letters).map(|types| (tag, types)).ok_or(EscapeDefinitionFault::Types)
}

impl EscapeTable {
    /// Returns the table for a document without a schema. December 2019 preserves the type D under any tag (D19
    /// *Permitted escapes*). Drafts with schemas have `ESC DATE D` (J19 §9). 2017 and GEDCOM 5.5.1 preserve all types.
    pub fn default_of(rules: &Rules) -> EscapeTable {
        let grammar = rules.tagged.escape;
        match grammar.without_schema() {
            EscapesWithoutSchema::Dates => {
                EscapeTable { others: EscapeTypes::DATE, ..EscapeTable::default() }
            }
            EscapesWithoutSchema::DatesUnderDate => {
                EscapeTable { is_of_schema: false, ..EscapeTable::dates() }
            }
            EscapesWithoutSchema::All => EscapeTable {
                others: EscapeTypes::ALL,
                is_by_shape: grammar.is_untyped(),
                ..EscapeTable::default()
            },
        }
    }

    /// Builds the table from ESC definitions. The first definition of a tag is used. `is_missing` is true if a part of
    /// the schema is not available.
    pub fn of_definitions(
        rules: &Rules,
        definitions: impl IntoIterator<Item = (Box<str>, EscapeTypes)>,
        is_missing: bool,
    ) -> EscapeTable {
        let mut by_tag = HashMap::new();
        for (tag, types) in definitions {
            by_tag.entry(tag).or_insert(types);
        }
        let grammar = rules.tagged.escape;
        // If a schema does not mention escapes, the default of December 2019 applies (docs/readings.md, AMB-54).
        let is_silent =
            grammar.without_schema().apply_with_silent_schema() && by_tag.is_empty() && !is_missing;
        if is_silent || !grammar.is_set_by_schema() {
            return EscapeTable::default_of(rules);
        }
        let others = if is_missing { EscapeTypes::ALL } else { EscapeTypes::NONE };
        EscapeTable { by_tag, others, is_of_schema: true, is_by_shape: false }
    }

    /// Builds the table from all schemas in a header together (J19 §4.2). `external` returns the escapes of an external
    /// schema.
    ///
    /// An invalid ESC and a SCHMA of another kind, such as that of GEDCOM 7, are ignored.
    pub fn of_schema(
        schema: &[PreambleLine<'_>],
        rules: &Rules,
        external: &mut dyn FnMut(&str) -> ExternalEscapes,
    ) -> EscapeTable {
        let mut definitions: Vec<(Box<str>, EscapeTypes)> = Vec::new();
        let mut further = Vec::new();
        let refers = rules.schema.mechanism.may_refer();
        // In January 2019 and the declarative draft, every SCHMA is an inline schema.
        let by_shape = rules.schema.mechanism.is_by_shape();
        let mut is_schema = !by_shape && schema.iter().any(|line| (line.level, &*line.tag) == (1, "SCHMA"));
        let mut is_missing = false;
        for line in schema {
            let payload = line.payload.trim_matches([' ', '\t', '\n', '\r']);
            match (line.level, &*line.tag) {
                (1 | 2, "SCHMA") if !payload.is_empty() && refers => match external(payload) {
                    ExternalEscapes::NoReference => {}
                    ExternalEscapes::Missing => (is_schema, is_missing) = (true, true),
                    ExternalEscapes::Of(of) => {
                        is_schema = true;
                        further.extend(of);
                    }
                },
                (2, "ESC") => {
                    is_schema = true;
                    if let Ok((tag, types)) = read_definition(payload) {
                        definitions.push((tag.into(), types));
                    }
                }
                (2, "PRFX" | "IRI") => is_schema = true,
                _ => {}
            }
        }
        if !is_schema {
            return EscapeTable::default_of(rules);
        }
        EscapeTable::of_definitions(rules, definitions.into_iter().chain(further), is_missing)
    }

    /// Creates the table that contains only `ESC DATE D`, as in the default schema (J19 §9).
    fn dates() -> EscapeTable {
        let by_tag = HashMap::from([(Box::from("DATE"), EscapeTypes::DATE)]);
        EscapeTable { by_tag, others: EscapeTypes::NONE, is_of_schema: true, is_by_shape: false }
    }

    /// Returns the types of escapes that this tag preserves.
    pub fn of(&self, tag: &str) -> EscapeTypes {
        self.by_tag.get(tag).copied().unwrap_or(self.others)
    }

    /// Returns the types of escapes that a schema defines for this tag. Returns `None` if it defines none.
    pub fn named(&self, tag: &str) -> Option<EscapeTypes> {
        self.by_tag.get(tag).copied()
    }

    /// Returns the types of escapes that are recognised in plain text under this tag. These are the types that a schema
    /// defines, and the type of dates in a DATE (docs/readings.md, AMB-11). In other text, at signs are doubled.
    pub fn of_text(&self, tag: &str) -> EscapeTypes {
        match self.by_tag.get(tag) {
            Some(&types) => types,
            None if self.is_by_shape => EscapeTypes::ALL,
            None if tag == "DATE" => self.others.and(EscapeTypes::DATE),
            None => EscapeTypes::NONE,
        }
    }

    /// Returns whether the table comes from a schema instead of only from the draft.
    pub const fn is_of_schema(&self) -> bool {
        self.is_of_schema
    }

    /// Returns the ESC definitions of the table.
    pub fn into_definitions(self) -> Vec<(Box<str>, EscapeTypes)> {
        self.by_tag.into_iter().collect()
    }
}
