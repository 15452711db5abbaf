//! Parts of family trees as edits of their files: a branch of it, or all of it without the living.
//!
//! A file is read twice, part by part, so that it may be larger than memory. The first reading is a
//! [`Survey`]: which records there are, what points to what, and the graph of persons and families. A
//! [`Plan`] made of it says what becomes of each record, and the second reading carries it out in each part
//! ([`Plan::apply`]), through the editor: what stays is the same octets, in whatever encoding.
//!
//! ```text
//! parts ── SurveyReader ──► PartSurvey ── Survey ──► SurveyedDocument ── Plan::branch, Plan::redaction ─┐
//! parts, again ─────────────────────────────────────────────────────────────── Plan::apply ◄──────────┘
//!                                                                        octets, and what was removed
//! ```
//!
//! ```
//! use elf_extract::{Branch, Extraction, Generations, Plan, Survey};
//! use elf_schema::{ReadOptions, Reader, Rules};
//!
//! let file: &[u8] = b"0 HEAD\n0 @I1@ INDI\n1 NAME Ada\n1 FAMC @F1@\n0 @I2@ INDI\n1 FAMS @F1@\n1 SOUR @S1@\n\
//!     0 @I3@ INDI\n1 FAMS @F2@\n1 SOUR @S2@\n0 @F1@ FAM\n1 HUSB @I2@\n1 CHIL @I1@\n0 @F2@ FAM\n1 WIFE @I3@\n\
//!     0 @S1@ SOUR\n0 @S2@ SOUR\n0 TRLR\n";
//! let reader = || Reader::new(file, &Rules::WILD, ReadOptions::default());
//! let survey = Survey::read(&mut reader())?;
//! let plan = Plan::branch(survey, &Branch::of(["I1"]).with_ancestors(Generations::All))?;
//! let mut octets = Vec::new();
//! Extraction::of(&plan).run(&mut reader(), &mut octets, &mut |_| Ok(()))?;
//! let expected: &[u8] = b"0 HEAD\n0 @I1@ INDI\n1 NAME Ada\n1 FAMC @F1@\n0 @I2@ INDI\n1 FAMS @F1@\n1 SOUR @S1@\n\
//!     0 @F1@ FAM\n1 HUSB @I2@\n1 CHIL @I1@\n0 @S1@ SOUR\n0 TRLR\n";
//! assert_eq!(octets, expected);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! What goes: the records outside; pointers to what is gone, with all beneath them, and what nothing is left
//! of then; families of whose persons too few are left; sources, notes, objects, repositories and whatever
//! else only what is gone referred to. The header and submitters stay. Records that nothing referred to
//! before stay too, since nobody knows whom they are about; so does a pointer that led nowhere before.
//!
//! A redaction hides persons ([`Redaction`]): a placeholder keeps its links to families, and nothing else of
//! the record is left but what the placeholder shows. It is a filter, and no guarantee.
//!
//! # Which crate next
//!
//! * [`elf-lineage`](https://docs.rs/elf-lineage): persons, families, events and days as a graph
//! * [`elf-edit`](https://docs.rs/elf-edit): changes and repairs a file, and leaves every other line as
//!   it is
//! * [`elf-tables`](https://docs.rs/elf-tables): people, events and sources as CSV, TSV and JSON Lines

mod branch;
mod doubts;
mod edit;
mod extraction;
mod mentions;
mod names;
mod plan;
mod records;
mod redaction;
mod references;
mod survey;
mod unclear;

pub use branch::{Branch, Generations, LoneFamilies};
pub use doubts::{Doubt, DoubtReason};
pub use edit::{ExtractedPart, Removal, StructurePlace};
pub use elf_edit;
pub use elf_lineage::{self, LivingRule};
pub use elf_schema;
pub use extraction::{ExtractError, Extraction};
pub use plan::{Plan, PlanError, RecordCounts};
pub use records::{RecordKind, RemovalReason};
pub use redaction::{Redaction, Replacement};
pub use survey::{PartSurvey, Survey, SurveyReader, SurveyedDocument};

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod readme {}
