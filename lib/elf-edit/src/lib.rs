#![doc = include_str!("../README.md")]
//!
//! # Overview
//!
//! An [`Editor`] of a document makes edits one after the other, and returns the bytes of the edited file. Every line
//! that no edit changed is the same as before, byte for byte: its encoding, its spelling, its line ending, and even
//! bytes that could not be decoded (D19 *ELF applications*, *ELF editor*). If there is no edit, the output is the same
//! as the input.
//!
//! The edits change a tree that is laid over the document (`tree`), so each edit is applied to the result of the edits
//! before it. At the end, the changed structures become lines in the style of the file (`line_renderer`, `file_style`),
//! and the lines become patches (`render`). The crate `elf-octets` puts the patches between the bytes that do not
//! change. The result is read again by the same rules, and every finding that the input did not have (`known`) is
//! reported.
//!
//! An editor changes only the lines that an edit affects, so a file that does not conform to the standard stays so. To
//! fix faults, use [`fix_document`].
//!
//! The editor knows no types. If paths contain types, pass a source of types ([`Types`](elf_tagged::path::Types)).
//!
//! [`elf_base::readings`] explains what citations such as D19 and AMB-05 mean.

#![forbid(unsafe_code)]

mod by_path;
mod cascade;
mod cascaded;
mod checkpoint;
mod checks;
mod compare_structures;
mod context;
mod edited;
mod editor;
mod edits;
mod error;
mod file_style;
mod finish;
mod fix;
mod known;
mod line_renderer;
mod nodes;
mod options;
mod path_finder;
mod payload;
mod render;
mod replace;
mod reread_edited;
mod state;
mod tree;
mod value;

pub use by_path::Edit;
pub use cascaded::Cascaded;
pub use checkpoint::Checkpoint;
pub use context::{Context, ContextFinder, FoundNodes, NumberedRecord, RecordTags};
pub use edited::Edited;
pub use editor::{Editor, Structure};
pub use edits::Edits;
pub use elf_base::Safety;
pub use elf_tagged;
pub use error::EditError;
pub use fix::{
    Chosen, FileRefusal, FixOptions, FixedFinding, Fixes, LinkFixes, Refusal, RefusedFix, fix_document,
};
pub use known::is_about_file;
pub use options::EditOptions;
pub use path_finder::PathFinder;
pub use replace::{ReplaceError, ReplaceOptions, ReplacePlaces, Replacement};
pub use value::Value;
