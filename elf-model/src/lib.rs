//! Typed structures, owned: the dataset of an application.
//!
//! A [`Dataset`] is metadata and a document, that is records (J19 §2). Each [`Structure`] in them has a type,
//! the tag it was read with, perhaps an identifier, perhaps a payload that is a literal or a pointer, and
//! substructures in order. It keeps no text of a file and borrows nothing, so it can be stored, sent, built
//! from nothing, compared, and written.
//!
//! [`read()`] is the whole way up, from octets to a dataset; [`write()`] is the whole way down:
//!
//! ```
//! use elf_model::{DatasetBuilder, ReadOptions, Rules, WriteOptions, vocabulary::elf};
//!
//! let octets = b"0 HEAD\n0 @I1@ INDI\n1 BIRT\n2 DATE 20 JUN 1881\n0 TRLR\n";
//! let dataset = elf_model::read(octets, &Rules::WILD, &ReadOptions::default(), &mut ())?;
//! let date = dataset.of_type(elf::DATE_VALUE).next().expect("a date");
//! assert_eq!((date.text(), date.tag()), ("20 JUN 1881", "DATE"));
//!
//! let mut written = Vec::new();
//! elf_model::write(&dataset, &mut written, &Rules::WILD, &WriteOptions::new(), &mut ())?;
//! assert_eq!(elf_model::read(&written, &Rules::WILD, &ReadOptions::default(), &mut ())?, dataset);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Form
//!
//! All structures stand in one list in document order, each with the index behind its last substructure:
//! dropping, cloning, comparing and serialising take no recursion, however deep a file nests. What is text
//! stands in one string.
//!
//! # Changes
//!
//! [`Dataset::into_mut`] makes a dataset one in which structures are added, set, moved, removed, and appended
//! from other datasets; [`DatasetMut::finish`] makes it a [`Dataset`] again. [`Dataset::merge`] makes one of
//! two. To change a file and leave every other line as it is, see `elf-edit` instead.
//!
//! # JSON
//!
//! With serde, a dataset is one object. Structures stand in flat lists, each with its level; records have
//! level 0, what stands in the header directly level 1. The members of a structure are those that `elf show`
//! prints; what is absent is left out. Members are named: an array in place of an object is refused.
//!
//! ```
//! # use elf_model::{ReadOptions, Rules};
//! # let octets = b"0 HEAD\n1 PLANG fr\n1 LANG French\n0 @I1@ INDI\n1 FAMC @F1@\n1 DATE @#DJULIAN@ 1\n0 TRLR\n";
//! # let dataset = elf_model::read(octets, &Rules::WILD, &ReadOptions::default(), &mut ())?;
//! let expected = serde_json::json!({
//!     "header": { "language": "fr" },
//!     "metadata": [
//!         { "level": 1, "tag": "LANG", "type": "https://terms.fhiso.org/elf/LANGUAGE_OF_TEXT", "payload": "French" }
//!     ],
//!     "records": [
//!         { "level": 0, "xref": "I1", "tag": "INDI", "type": "https://terms.fhiso.org/elf/INDIVIDUAL_RECORD" },
//!         { "level": 1, "tag": "FAMC", "type": "https://terms.fhiso.org/elf/CHILD_TO_FAMILY_LINK",
//!           "payload": { "pointer": "F1" } },
//!         // Octets 0 to 10 of the payload are an escape, not text that looks like one.
//!         { "level": 1, "tag": "DATE", "type": "https://terms.fhiso.org/elf/Undefined#DATE",
//!           "payload": "@#DJULIAN@ 1", "escapes": [[0, 10]] }
//!     ],
//!     "supertypes": { "https://terms.fhiso.org/elf/INDIVIDUAL_RECORD": ["https://terms.fhiso.org/elf/Record"] }
//! });
//! assert_eq!(serde_json::to_value(&dataset)?, expected);
//! assert_eq!(serde_json::from_value::<elf_model::Dataset>(expected)?, dataset);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! `header` holds what the header says about the serialisation (`gedcom_version`, `language`, `schema`),
//! `supertypes` the direct supertypes of the types in use and of those above them.
//!
//! Formats that are not for people, such as CBOR and postcard, hold the same, with every member present.
//!
//! # Which crate next
//!
//! * [`elf-schema`](https://docs.rs/elf-schema): types of structures, schemas in files, values by type
//! * [`elf-migrate`](https://docs.rs/elf-migrate): GEDCOM 5.5.1 and ELF to GEDCOM 7.0 and back
//! * [`elf-edit`](https://docs.rs/elf-edit): changes and repairs a file, and leaves every other line as
//!   it is

mod arena;
mod arrange;
mod build;
mod change;
mod compare;
mod dataset;
mod find;
mod json;
mod meaning;
mod merge;
mod nodes;
mod paths;
mod read;
mod retag;
mod structure;
mod types;
mod write;

pub use arena::DatasetTooLarge;
pub use build::DatasetBuilder;
pub use change::{Appended, ChangeError, DatasetMut, Position, StructureId, StructureView};
pub use dataset::{Dataset, Header, SchemaLine, Target};
pub use elf_schema::{
    self, Class, Code, Diagnostic, Encoding, Options, Place, ReadOptions, Rules, Schema, SchemaForm, Sink,
    TooLarge, codes, elf_tagged, vocabulary,
};
pub use elf_tagged::Piece;
pub use elf_tagged::write::{LineBreak, Summary, WriteError, WriteOptions};
pub use meaning::{Common, Compared, Comparison, Difference, Sketch};
pub use merge::{Differing, MergeNote, Merged};
pub use paths::Paths;
pub use read::{ReadError, read, read_from};
pub use structure::{Ancestors, Literal, Payload, Structure, Structures, Substructures};
pub use write::write;

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod readme {}
