#![doc = include_str!("../README.md")]
//!
//! # Overview
//!
//! An [`Editor`] of a document takes edits one after the other, and returns bytes in which every line that no
//! edit touched is the same as before, byte for byte: its encoding, its spelling, its line ending, even bytes
//! that could not be decoded (D19 *ELF applications*, *ELF editor*). Without an edit the output is the input.
//!
//! How it works: edits change a tree that is laid over the document (`tree`), so that each edit sees those
//! before it. At the end the changed structures become lines in the style of the file (`line_renderer`,
//! `file_style`), the lines become patches (`render`), and `elf-octets` puts the patches between the bytes that
//! stay. The result is read again with the same rules, and every finding that the input did not have (`known`)
//! is reported.
//!
//! An editor does not rewrite lines without need, so a file that is not conformant stays so. To fix faults, use
//! [`fix_document`].
//!
//! The editor knows no types. To name structures by types in paths, pass something that answers questions about
//! types ([`Types`](elf_tagged::path::Types)).
//!
//! [`elf_base::readings`] says what citations such as D19 and AMB-05 mean.

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
