#![doc = include_str!("../README.md")]
//!
//! # Overview
//!
//! A structure is a node of the graph. If it has an identifier, it is named by an IRI: that of the file ([`Base`]), `#`,
//! and the identifier. Otherwise it is a blank node. A structure has these properties:
//!
//! | property | value |
//! | --- | --- |
//! | `rdf:type` | its type, as the schema of the file says; a tag that nothing defines has the type `elf:Undefined#TAG` |
//! | `rdf:value` | its payload, with the language if the file names it |
//! | `dcterms:identifier` | its identifier |
//! | [`elfp:substructure`](vocabulary::SUBSTRUCTURE) | each of its substructures; the file has its records |
//! | [`elfp:position`](vocabulary::POSITION) | its number, from 1, among the substructures of the same type beside it |
//! | [`elfp:pointsTo`](vocabulary::POINTS_TO) | the structure that its payload points to |
//! | [`elfp:edtf`](vocabulary::EDTF) | its date in EDTF, if EDTF can express it |
//! | [`elfp:firstDay`](vocabulary::FIRST_DAY), [`elfp:lastDay`](vocabulary::LAST_DAY) | the first and the last day that its date may mean |
//!
//! After the structures, the types that the file uses follow, with their supertypes (`rdfs:subClassOf`) and, for vendor
//! tags, their meaning (`rdfs:label`). So a query for events also finds events of the file's own types:
//!
//! ```sparql
//! SELECT ?person ?date WHERE {
//!   ?person elfp:substructure ?event .
//!   ?event a/rdfs:subClassOf* elf:Event ; elfp:substructure/elfp:firstDay ?date .
//! }
//! ```
//!
//! Structures that say how the file is serialised, such as its encoding and its schema, are not in
//! the graph. If several structures have the same identifier, they are one node; the reader reports
//! this.

#![forbid(unsafe_code)]

mod base;
mod format;
pub mod vocabulary;
mod writer;

pub use base::{Base, InvalidBase};
pub use elf_schema;
pub use format::RdfFormat;
pub use writer::RdfWriter;
