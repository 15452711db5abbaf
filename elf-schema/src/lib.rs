#![doc = include_str!("../README.md")]
//!
//! # Overview
//!
//! The meaning of a tag depends on its place: `HUSB` in a family points to the husband, `HUSB` in a marriage has his
//! age. An *ELF schema* defines this. It contains *structure types*, which are named by IRIs, their *supertypes*, and
//! the tags that each type has in each superstructure. A file may define its own schema; otherwise a built-in one is
//! used. This crate implements J19 §3 and §4.2, the schemas of D19 and RDX, the dictionaries of O17 §6, and `SCHMA` of
//! GEDCOM 7.
//!
//! [`read()`] reads a file, finds its schema and gives each structure a type. [`convert`] goes the other way: it writes a
//! document by other rules, with the schema that readers of the output need to find the same types.
//!
//! ```
//! use elf_schema::{ReadOptions, Rules, read};
//!
//! let octets = b"0 HEAD\n0 @F1@ FAM\n1 HUSB @I1@\n1 MARR\n2 HUSB\n3 AGE 20y\n0 TRLR\n";
//! let typed = read(octets, &Rules::WILD, &ReadOptions::default(), &mut ())?;
//! let family = typed.records().next().expect("a record");
//! let types: Vec<_> = family.substructures().filter_map(|node| typed.type_of(node)).collect();
//! assert_eq!(types, ["https://terms.fhiso.org/elf/PARENT1_POINTER", "https://terms.fhiso.org/elf/MARRIAGE"]);
//! # Ok::<(), elf_schema::TooLarge>(())
//! ```
//!
//! The type says of which datatype a payload is, and [`TypedDocument::value`] reads it. [`TypedDocument::date`] is the
//! answer to "what date is this?": it also reads `20 Jun 1881`, which is outside the grammar.
//!
//! ```
//! use elf_schema::{ReadOptions, Rules, Value, read};
//!
//! let octets = b"0 HEAD\n0 INDI\n1 BIRT\n2 DATE BET 1881 AND 1885\n0 TRLR\n";
//! let typed = read(octets, &Rules::WILD, &ReadOptions::default(), &mut ())?;
//! let birth = typed.records().next().and_then(|person| person.substructure("BIRT")).expect("a birth");
//! match birth.substructure("DATE").and_then(|date| typed.value(date)) {
//!     Some(Value::Date(date)) => assert_eq!(date.edtf().as_deref(), Some("[1881..1885]")),
//!     other => panic!("{other:?}"),
//! }
//! # Ok::<(), elf_schema::TooLarge>(())
//! ```
//!
//! An unknown tag gets an *undefined tag identifier*, `elf:Undefined#TAG`. So does a tag with definitions that
//! conflict, because no definition has precedence (J19 §3.3). Both are reported. The tag itself is never lost.
//!
//! The drafts of 2017 have a [`Dictionary`] instead: one type for a tag wherever it stands. December 2019 has
//! only the reference to a schema; by its shape a SCHMA is read as that, or as January 2019 reads one
//! ([readings](elf_base::readings), AMB-19).
//!
//! A file of GEDCOM 7 has [its own schema](Schema::gedcom_7), whose types are under those of ELF, and its
//! header gives extension tags URIs, which are their types wherever they stand ([`Schema::extension_tags`]):
//!
//! ```
//! use elf_schema::{ReadOptions, Rules, read, vocabulary::elf};
//!
//! let octets = b"0 HEAD\n1 GEDC\n2 VERS 7.0\n1 SCHMA\n2 TAG _SKY https://e.example/sky\n0 INDI\n1 BIRT\n2 _SKY red\n0 TRLR\n";
//! let typed = read(octets, &Rules::WILD, &ReadOptions::default(), &mut ())?;
//! let birth = typed.of_type(elf::EVENT).next().expect("an event");
//! assert_eq!(typed.type_of(birth), Some("https://gedcom.io/terms/v7/BIRT"));
//! let sky = birth.substructure("_SKY").and_then(|sky| typed.type_of(sky));
//! assert_eq!(sky, Some("https://e.example/sky"));
//! # Ok::<(), elf_schema::TooLarge>(())
//! ```
//!
//! Where we depart from the drafts, or they leave it open: tags that are reserved for writers are disregarded
//! in schemas that are read; prefixes count for the document they are in, and those of external schemas
//! also for the file that refers to them (G26); under `WILD` rules the well-known IRI of the default schema
//! stands for the completed one. All readings are listed in [`elf_base::readings`].
//!
//! Schemas come from strangers. Circles of supertypes end, and looking up a tag takes at most as long as the
//! schema is. A tag that is defined in the type of its superstructure always has its type. The walks up to
//! supertypes for all other tags of a document are limited; a document that reaches the limit has an error,
//! E0420, and [`Resolver::gave_up`] says so. Nothing is fetched unless the caller does it ([`source`]).
//!
//! [`elf_base::readings`] says what citations such as D19 and AMB-05 mean.

#![forbid(unsafe_code)]

mod brief;
mod budget;
mod build;
mod builtin;
mod closure;
mod column;
mod common;
mod conflict;
mod convert;
mod correspondences;
mod cover;
mod datatypes;
mod definitions;
mod dictionary;
mod document;
mod escapes;
mod extension_names;
mod extension_tags;
mod extensions;
mod findings;
mod ids;
mod in_use;
mod lookup;
pub mod near;
mod path_types;
mod prefix;
mod provenance;
mod raw;
mod read;
mod read_options;
mod reader;
mod reserved;
mod resolve;
mod schema;
pub mod source;
mod statements;
mod suggest;
mod tag_index;
mod tagger;
pub mod tally;
pub mod term;
mod type_datatypes;
mod typing;
mod undefined;
mod undefined_scope;
mod values;
pub mod vendors;
pub mod vocabulary;
mod why;
mod write;

pub use builtin::DATA_MODEL;
pub use common::{tag_of_2017, types_of_2017};
pub use conflict::Conflict;
pub use convert::{Conversion, ConversionWriter, HeaderSchema, convert, header_schema};
pub use correspondences::{Correspondence, Counterpart, Counterparts, Role, joint_with_gedcom_7};
pub use definitions::{EscapeDefinition, Reference};
pub use dictionary::{Dictionary, DictionaryTagger};
pub use document::{TypedDocument, is_of_dates, read, read_document};
pub use elf_tagged::{
    self, BoundedFindings, Class, Code, Diagnostic, Document, Encoding, Fix, FixAction, Node, NodeId,
    Options, Payload, Place, Rules, Safety, Sink, Source, Span, TooLarge, UntilBreak, codes,
};
pub use elf_values::{self, Datatype, Value};
pub use extension_names::ExtensionNames;
pub use extensions::ExtensionTag;
pub use ids::TypeId;
pub use in_use::{DefinitionsInUse, Proposal, is_proposed, proposed_iri, proposed_tag};
pub use path_types::PathTypes;
pub use prefix::{Prefix, Prefixes};
pub use provenance::{Origin, Provenance};
pub use read::wanted;
pub use read_options::ReadOptions;
pub use reader::{Reader, RunTyper, UndefinedInRun};
pub use resolve::Resolver;
pub use schema::{Definition, Schema};
pub use tagger::{TagError, Tagger};
pub use type_datatypes::built_in as built_in_datatype;
pub use typing::Typing;
pub use values::{about_value, payload_fix};
pub use why::{ApplicableDefinition, Reason, TypeExplanation};
pub use write::SchemaForm;
