//! Branches of family trees, and family trees without living persons, as edits of their files.
//!
//! A [`Survey`] of a typed document lists its records and the pointers between them, with the graph of people
//! and families. A [`Plan`] decides what happens to each record, and [`extract`](Plan::extract) carries it out with
//! an [`Editor`](elf_edit::Editor). Lines that are kept keep their bytes, in any encoding.
//!
//! ```text
//! TypedDocument ─► Survey ─► Plan::branch, Plan::redaction ─► Plan::extract ─► Extraction
//! ```
//!
//! ```
//! use elf_extract::{Branch, Generations, Plan, Survey};
//! use elf_schema::TypedDocument;
//!
//! let file = b"0 HEAD\n0 @I1@ INDI\n1 NAME Ada\n1 FAMC @F1@\n0 @I2@ INDI\n1 FAMS @F1@\n1 SOUR @S1@\n\
//!     0 @I3@ INDI\n1 FAMS @F2@\n1 SOUR @S2@\n0 @F1@ FAM\n1 HUSB @I2@\n1 CHIL @I1@\n0 @F2@ FAM\n1 WIFE @I3@\n\
//!     0 @S1@ SOUR\n0 @S2@ SOUR\n0 TRLR\n";
//! let typed = TypedDocument::parse(file)?;
//! let branch = Branch::of(["I1"]).with_ancestors(Generations::All);
//! let plan = Plan::branch(Survey::of(&typed), &branch)?;
//! let expected: &[u8] = b"0 HEAD\n0 @I1@ INDI\n1 NAME Ada\n1 FAMC @F1@\n0 @I2@ INDI\n1 FAMS @F1@\n1 SOUR @S1@\n\
//!     0 @F1@ FAM\n1 HUSB @I2@\n1 CHIL @I1@\n0 @S1@ SOUR\n0 TRLR\n";
//! assert_eq!(&*plan.extract()?.octets, expected);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A branch removes:
//!
//! * the records of people outside of the branch, and families with too few people left
//! * pointers to removed records, with their substructures, and structures that are empty without them
//! * sources, notes, media objects, repositories and other records that only removed records referred to
//!
//! The header and submitters are kept. Records that nothing referred to before are kept too, because nobody knows
//! whom they are about. So are pointers that were unresolved before.
//!
//! A [`Redaction`] hides people: a placeholder keeps the links to families and nothing else of the record. A
//! redaction is a filter, not a guarantee.
//!
//! # Which crate next
//!
//! * [`elf-lineage`](https://docs.rs/elf-lineage): persons, families, events and days as a graph
//! * [`elf-edit`](https://docs.rs/elf-edit): changes and fixes a file, and leaves every other line as
//!   it is
//! * [`elf-tables`](https://docs.rs/elf-tables): people, events and sources as CSV, TSV and JSON Lines

#![forbid(unsafe_code)]

mod apply;
mod branch;
mod doubts;
mod error;
mod extraction;
mod fate;
mod links;
mod lists;
mod mentions;
mod names;
mod plan;
mod planner;
mod records;
mod redaction;
mod references;
mod removals;
mod roles;
mod structures;
mod survey;
mod unclear;
mod words;

pub use branch::{Branch, Generations, LoneFamilies};
pub use doubts::{Doubt, DoubtReason};
pub use elf_edit;
pub use elf_lineage::{self, LivingRule};
pub use elf_schema;
pub use error::PlanError;
pub use extraction::{ExtractPlaces, Extraction, Mention, Removal, StructurePlace};
pub use plan::{Plan, RecordCounts};
pub use records::{RecordKind, RemovalReason};
pub use redaction::{PRIVATE, Redaction, Replacement};
pub use survey::{HiddenPerson, Survey};

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod readme {}
