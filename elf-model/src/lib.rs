#![doc = include_str!("../README.md")]
//!
//! # Overview
//!
//! A [`Dataset`] has metadata and records (J19 §2). Each [`Structure`] in them has a type, a tag, substructures in
//! order, and perhaps an identifier and a payload, which is a literal or a pointer. The tag is the one with which the
//! structure was read. A dataset borrows nothing from a file, so you can store it, send it to another thread, build it
//! from nothing, compare it and write it.
//!
//! # Form
//!
//! All structures are in one list in document order, each with the end of its subtree. So a dataset is dropped, cloned,
//! compared and serialised without recursion, however deep its structures are nested. All text is in one string.
//!
//! # Changes
//!
//! The function [`Dataset::into_mut`] returns a [`DatasetMut`]. In it, you can add, change, move and remove structures,
//! and append structures of other datasets. [`DatasetMut::finish`] makes it a [`Dataset`] again. [`Dataset::merge`]
//! merges two datasets, and [`Dataset::merge_by`] does so with your own criterion for equal records. To edit a file and
//! leave every other line unchanged, use `elf-edit` instead.
//!
//! # JSON
//!
//! With serde, a dataset is one object. Structures are in flat lists, each with its level: records have level 0, and
//! structures directly in the header have level 1. The members of a structure are those that `elf show` prints. Absent
//! members are omitted. An array in place of an object is rejected.
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
//! The member `header` contains the serialisation metadata (`gedcom_version`, `language`, `schema`). `supertypes`
//! contains the direct supertypes of the types in use and of their supertypes.
//!
//! Binary formats, such as CBOR and postcard, have the same members, and absent members are written too.
//!
//! [`elf_base::readings`] explains what citations such as D19 and AMB-05 mean.

#![forbid(unsafe_code)]

mod arena;
mod arrange;
mod build;
mod change;
mod common_schema;
mod compare;
mod dataset;
mod find;
mod header;
mod json;
mod meaning;
mod merge;
mod names;
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
pub use common_schema::{FileToCompare, common_schema};
pub use dataset::Dataset;
pub use elf_schema::{
    self, Class, Code, Diagnostic, Encoding, Options, Place, ReadOptions, Rules, Schema, SchemaForm, Sink,
    TooLarge, codes, elf_tagged, vocabulary,
};
pub use elf_tagged::Piece;
pub use elf_tagged::write::{LineBreak, Summary, WriteError, WriteOptions};
pub use header::{Header, SchemaLine};
pub use meaning::{Difference, keep_common_data};
pub use merge::{Differing, MergeError, MergeNote, Merged, NotedStructure, SameRecord};
pub use paths::Paths;
pub use read::{ReadError, read};
pub use structure::{Literal, Payload, Structure, Structures, Substructures, Target};
pub use write::write;
