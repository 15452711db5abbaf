//! A second reader of December 2019 and January 2019: slow, obvious, and made from the drafts alone.
//!
//! It shares no code with the layers and was written without knowledge of theirs, so that a fault of one is
//! seen by comparison with the other (`tests/suite/second_reader.rs`). It follows the drafts step by step:
//! one function a production, a whole copy of the file after each step, nesting by recursion. Where a draft
//! leaves something to the application, it says so ([`TaggedStructure::payload_is_unspecified`]) or takes the
//! letter; the readings that the product takes instead are listed beside the comparison.
//!
//! - Octets to characters: `encoding`, `decode`, `ansel`.
//! - Characters to line strings to lines: `line_strings`, `line` (December), `parseable` (January).
//! - Lines to tagged structures: `assemble`, `second_pass` and `escapes` (December), `january` and
//!   `escapes_january`.
//! - What the header says: `header`, `schema`. Types: `typing`.

mod ansel;
mod assemble;
mod characters;
mod december;
mod decode;
mod encoding;
mod escapes;
mod escapes_january;
mod header;
mod january;
mod language_tag;
mod line;
mod line_strings;
mod model;
mod parseable;
mod pointers;
mod schema;
mod schema_check;
mod second_pass;
mod typing;

pub use model::{
    CharacterEncoding, Draft, Fault, HeaderMetadata, LineString, ParsedLine, PayloadValue, Reading, Severity,
    TaggedStructure, Verdict,
};
pub use pointers::{Bearers, collect_identifiers, resolve_pointer};
pub use schema::{Definitions, TagDefinition};
use std::sync::LazyLock;

/// The definitions of the default schema as published by FHISO.
const PUBLISHED: &str = include_str!("published.ged");

static DEFAULTS: LazyLock<Definitions> = LazyLock::new(|| {
    let (_, definitions) = january::read_file(PUBLISHED.as_bytes(), &Definitions::default());
    Definitions { is_of_the_header: false, ..definitions }
});

/// Reads a file by the rules of a draft, from bytes to typed structures.
pub fn read(octets: &[u8], draft: Draft) -> Reading {
    let (mut reading, definitions) = match draft {
        Draft::December2019 => december::read_file(octets, &DEFAULTS),
        Draft::January2019 => january::read_file(octets, &DEFAULTS),
    };
    typing::assign_types(&mut reading.records, &definitions);
    reading
}
