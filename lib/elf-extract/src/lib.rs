#![doc = include_str!("../README.md")]
//!
//! # Overview
//!
//! A [`Survey`] of a typed document lists its records and the pointers between them, with the graph of people
//! and families. A [`Plan`] decides what happens to each record, and [`extract`](Plan::extract) carries it out with
//! an [`Editor`](elf_edit::Editor). Lines that are kept keep their bytes, in any encoding.
//!
//! ```text
//! TypedDocument ─► Survey ─► Plan::branch, Plan::redaction ─► Plan::extract ─► Extraction
//! ```
//!
//! A branch removes:
//!
//! * the records of people outside of the branch, and families with too few people left
//! * pointers to removed records, with their substructures, and structures that are empty without them
//! * sources, notes, media objects, repositories and other records that only removed records referred to
//!
//! The header and submitters are kept; a redaction hides submitters as it hides living people. Records that nothing referred to before are kept too, because nobody knows
//! whom they are about. So are pointers that were unresolved before.
//!
//! A [`Redaction`] hides people: a placeholder keeps the links to families and nothing else of the record. A
//! redaction is a filter, not a guarantee.

#![forbid(unsafe_code)]

mod apply;
mod branch;
mod contacts;
mod doubts;
mod error;
mod extraction;
mod fate;
mod hidden;
mod links;
mod lists;
mod mentions;
mod names;
mod own_names;
mod plan;
mod planner;
mod records;
mod redaction;
mod references;
mod removals;
mod roles;
mod structures;
mod surname_forms;
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
pub use mentions::HiddenNames;
pub use plan::{Plan, RecordCounts};
pub use records::{RecordKind, RemovalReason};
pub use redaction::{PRIVATE, Redaction, Replacement};
pub use survey::{HiddenPerson, Survey};
