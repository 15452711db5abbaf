#![doc = include_str!("../README.md")]
//!
//! # Overview
//!
//! Each standard names things in its own way: a birth is `1 BIRT`, `elf:BIRTH`, or a type that the
//! file defines. One table for all standards (`elf_schema::Correspondence`) gives the [`Role`] of
//! each structure. This crate builds a graph from the roles, [`Lineage`]. The graph consists of
//! arrays of numbers and borrows nothing from the document.
//!
//! ```text
//! typed structures ── LineageReader ──► RunLineage ─┐
//!   of each run                         (small)     ├─ LineageBuilder ──► Lineage ──► questions, ancestors, …
//!                                     RunLineage ───┘
//! ```
//!
//! A [`LineageReader`] reads the runs of a stream, on any thread. A [`LineageBuilder`] takes the
//! results in the order of the file, so the graph does not depend on how the stream was divided.
//! Pointers are resolved at the end, by identifiers.
//!
//! [`LineageView`] combines the graph with the document, which has the texts.
//! [`facts`](LineageView::facts) returns the names, dates and places of a person, [`PersonQuery`]
//! finds people by them, and [`Person::kinship`] returns how two people are related.
//!
//! Nothing recurses, because a family tree in a file may contain circles, and chains of any length.

#![forbid(unsafe_code)]

mod ages;
mod bonds;
mod builder;
mod days;
mod deaths;
mod event_data;
mod event_names;
mod facts;
mod find;
mod fold;
mod graph;
mod identifiers;
mod kinship;
mod lists;
mod living;
mod matching;
mod names;
mod notices;
mod packed;
mod questions;
mod reader;
mod run;
mod sounds;
mod spot;
mod text_years;
mod thresholds;
mod type_names;
mod unclear;
mod view;
mod walk;

pub use builder::LineageBuilder;
pub use days::{days_in_words, dual_year_in_words, years_between};
pub use elf_schema::{self, Role, TypedDocument};
pub use event_names::{fact_noun, noun_of_tag};
pub use facts::{PersonFacts, VitalEvent};
pub use find::{PersonError, PersonQuery, SexCode, YearRange, YearRangeError};
pub use fold::folded;
pub use graph::{Event, Family, FamilyId, Lineage, Parent, ParentLink, Person, PersonId};
pub use kinship::{Generations, Kinship, Relation, RelationStep, Relationship, RelationshipKind, StepLink};
pub use living::{LivingReason, LivingRule};
pub use matching::{MatchField, MatchPerson, MatchSide, PersonMatch, PersonMatcher};
pub use names::{NAME_PLACEHOLDERS, NameKind, PersonName, vendor_name_type};
pub use notices::{is_notice_of_privacy, names_privacy, restriction_tags, restricts_readers};
pub use questions::{OptionalQuestions, QuestionOptions, Questions};
pub use reader::LineageReader;
pub use run::{PartnerRole, RunLineage, Sex, Tie};
pub use sounds::SoundPattern;
pub use thresholds::{Threshold, ThresholdError, Thresholds};
pub use type_names::type_in_words;
pub use unclear::unclear_line;
pub use view::{EventStructure, LineageRecords, LineageView, RoleNode};
pub use walk::{Ancestors, Descendants, TiesFollowed};

impl Lineage {
    /// Builds the graph of a whole document.
    pub fn of(typed: &TypedDocument<'_>) -> Lineage {
        let mut builder = LineageBuilder::default();
        builder.take(LineageReader::new(typed.schema()).read(typed));
        builder.build()
    }

    /// Builds the graph of a whole document. It has full names, and the marks that show which people
    /// may be living.
    pub fn with_notices(typed: &TypedDocument<'_>) -> Lineage {
        let reader = LineageReader::new(typed.schema()).with_whole_names().with_unclear_records();
        let mut builder = LineageBuilder::default();
        builder.take(reader.with_restriction_tags(restriction_tags(typed)).read(typed));
        builder.build()
    }
}
