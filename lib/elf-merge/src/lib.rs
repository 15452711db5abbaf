#![doc = include_str!("../README.md")]
//!
//! # Overview
//!
//! [`merge`] adds file B to file A. A's lines stay byte for byte. Everything in B that A does not
//! have is inserted, in the encoding of A and by the rules of A. First, a plan is made (`plan`). It
//! decides which records of B are united with which records of A, and which identifiers the other
//! records get (`identifiers`). Then each record of B is inserted. If it is united with another
//! record, only the content that the other record lacks is inserted (`apply`).
//!
//! The content of both files is kept, with three exceptions: the header of B, the change dates
//! (CHAN) of united records if the record of A has one, and everything that cannot be written in A,
//! such as characters that A's encoding lacks. The change dates are counted in the
//! [`MergeSummary`]. Content that cannot be written is reported as [`MergeAction::Lost`].
//!
//! [`merge_records`] merges two records of one file (`within`). The first record gets the content
//! that it lacks, by the same rules and with the same exceptions. Only two kinds of lines change:
//! the lines of the second record, which is removed, and lines with a pointer to the second record.

mod apply;
mod content;
mod equal;
mod families;
mod identifiers;
mod labels;
mod plan;
mod schema;
mod within;

pub use plan::{MergeError, RecordKind, UnitedPersons};
pub use within::{MergedRecords, RecordPair, merge_records};

use apply::Merger;
use elf_edit::{Edited, Editor};
use elf_lineage::LineageView;
use plan::Plan;

/// The merged file.
#[derive(Debug)]
#[non_exhaustive]
pub struct Merged<'d> {
    /// The merged file as bytes, with the findings of the edits.
    pub edited: Edited<'d>,
    /// The actions of the merge, in the order of B.
    pub actions: Vec<MergeAction>,
    /// The number of actions of each kind.
    pub summary: MergeSummary,
}

/// An action of a merge. Identifiers are given without at signs. If a record has no identifier, the
/// text is empty.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum MergeAction {
    /// A record of B was merged with a record of the merged file.
    United {
        /// The tag of the record.
        tag: String,
        /// The identifier in the merged file.
        a: String,
        /// The identifier in B.
        b: String,
    },
    /// A record of B was added.
    Added {
        /// The tag of the record.
        tag: String,
        /// The identifier in the merged file.
        id: String,
        /// The identifier in B.
        b: String,
    },
    /// An identifier of B was changed, because it is used in A or cannot be written in A.
    Renamed {
        /// The identifier in the merged file.
        id: String,
        /// The identifier in B.
        b: String,
    },
    /// The files disagree about a fact that a person can have only once. Both are kept.
    Conflict {
        /// The tag of the fact.
        tag: String,
        /// The identifier of the person in the merged file.
        a: String,
        /// The identifier of the person in B.
        b: String,
        /// The value in A.
        kept: String,
        /// The value in B.
        added: String,
    },
    /// The files give a partner of a family different roles. The role in A is kept.
    RoleDiffers {
        /// The identifier of the family in the merged file.
        a: String,
        /// The identifier of the family in B.
        b: String,
        /// The identifier of the partner in the merged file.
        person: String,
        /// The tag of the partner in A.
        kept: String,
        /// The tag of the partner in B.
        left_out: String,
    },
    /// A tag of B got another name, because it has another meaning in A.
    RenamedTag {
        /// The tag in the merged file.
        tag: String,
        /// The tag in B.
        b: String,
        /// The tag of the records in which it was renamed; `None` if it was renamed everywhere.
        record: Option<String>,
    },
    /// A part of B cannot be written in A.
    Lost {
        /// The line in B.
        line: u64,
        /// What was lost.
        reason: String,
    },
}

/// The number of actions of a merge.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct MergeSummary {
    /// People of B that were merged with people of A or B.
    pub persons_united: u64,
    /// People of B that were added.
    pub persons_added: u64,
    /// Families of B that were merged with families of A or B.
    pub families_united: u64,
    /// Families of B that were added.
    pub families_added: u64,
    /// Other records of B that were added.
    pub records_added: u64,
    /// Conflicting facts.
    pub conflicts: u64,
    /// Change dates of B that were left out, because the record of A has one.
    pub change_dates_left_out: u64,
    /// Structures and characters of B that cannot be written in A.
    pub lost: u64,
}

/// Adds file B to file A.
///
/// # Errors
///
/// Returns an error if a file was not read to its end, if the files are of different standards, or
/// if A cannot be edited.
pub fn merge<'d>(
    a: &LineageView<'_, 'd>,
    b: &LineageView<'_, '_>,
    united: &UnitedPersons,
) -> Result<Merged<'d>, MergeError> {
    let plan = Plan::of(a, b, united)?;
    let mut merger = Merger::new(Editor::new(a.typed().document()), b.typed().document(), plan);
    merger.add_schema()?;
    merger.add_records()?;
    merger.finish()
}
