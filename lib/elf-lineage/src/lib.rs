#![doc = include_str!("../README.md")]
//!
//! # Overview
//!
//! A file says `1 BIRT`, or `elf:BIRTH`, or a type of its own that is one; what it means by that is a birth.
//! The [`Role`]s of structures are data, one table for all standards (`elf_schema::Correspondence`). This
//! crate makes a graph of them, [`Lineage`]: arrays of numbers that borrow nothing of the document.
//!
//! ```text
//! typed structures ── LineageReader ──► RunLineage ─┐
//!   of each run                         (small)     ├─ LineageBuilder ──► Lineage ──► questions, ancestors, …
//!                                     RunLineage ───┘
//! ```
//!
//! The runs of a stream are read by a [`LineageReader`], on any thread, and taken by a [`LineageBuilder`] in
//! their order; what comes of it is the same. Pointers are followed at the end, by identifiers.
//!
//! [`LineageView`] puts the graph beside the document, for the texts: [`facts`](LineageView::facts) has names, dates and
//! places of a person, [`PersonQuery`] finds persons by them, and [`Person::kinship`] tells how two are related.
//!
//! Nothing recurses: a family tree in a file may have circles, and chains of any length.

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
mod unclear;
mod view;
mod walk;

pub use builder::LineageBuilder;
pub use days::{days_in_words, years_between};
pub use elf_schema::{self, Role, TypedDocument};
pub use event_names::event_noun;
pub use facts::{PersonFacts, VitalEvent};
pub use find::{PersonError, PersonQuery, SexCode, YearRange, YearRangeError};
pub use fold::folded;
pub use graph::{Event, Family, FamilyId, Lineage, Parent, ParentLink, Person, PersonId};
pub use kinship::{Generations, Kinship, Relation, Relationship, RelationshipKind};
pub use living::{LivingReason, LivingRule};
pub use matching::{MatchField, MatchPerson, MatchSide, PersonMatch, PersonMatcher};
pub use names::{NameKind, PersonName, is_extension_name};
pub use notices::{is_notice_of_privacy, names_privacy, restriction_tags, restricts_readers};
pub use questions::{OptionalQuestions, QuestionOptions, Questions};
pub use reader::LineageReader;
pub use run::{PartnerRole, RunLineage, Sex, Tie};
pub use sounds::SoundPattern;
pub use thresholds::{Threshold, ThresholdError, Thresholds};
pub use unclear::unclear_line;
pub use view::{EventStructure, LineageRecords, LineageView, RoleNode};
pub use walk::{Ancestors, Descendants, TiesFollowed};

impl Lineage {
    /// Reads a whole document.
    pub fn of(typed: &TypedDocument<'_>) -> Lineage {
        let mut builder = LineageBuilder::default();
        builder.take(LineageReader::new(typed.schema()).read(typed));
        builder.build()
    }

    /// Reads a whole document with full names, and with the marks that show which people may be
    /// living.
    pub fn with_notices(typed: &TypedDocument<'_>) -> Lineage {
        let reader = LineageReader::new(typed.schema()).with_whole_names().with_unclear_records();
        let mut builder = LineageBuilder::default();
        builder.take(reader.with_restriction_tags(restriction_tags(typed)).read(typed));
        builder.build()
    }
}
