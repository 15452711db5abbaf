//! Changing a file and nothing else in it.
//!
//! An [`Editor`] opens any octets whatever, takes edits one after the other, and gives octets in which every
//! line that no edit named is the same as before, octet for octet: its encoding, its spelling, its line
//! break, even what could not be decoded (D19 *ELF applications*, *ELF editor*). Without an edit the output
//! is the input.
//!
//! ```
//! use elf_edit::{Editor, Value};
//! use elf_tagged::{Options, Rules};
//!
//! let file = b"0 HEAD\r\n1 CHAR ANSEL\r\n0 @I1@ INDI\r\n1 NAME Jo\xE4ao\r\n  1   SEX M\r\n0 TRLR";
//! let mut editor = Editor::open(file, &Rules::WILD, &Options::default())?;
//! let name = editor.find(&"@I1@/NAME".parse()?, &mut ())?;
//! editor.set(name, Value::from("Jo\u{e3}o /Reis/"))?;
//! let edited = editor.finish(&mut ())?;
//! assert_eq!(
//!     &*edited.octets,
//!     b"0 HEAD\r\n1 CHAR ANSEL\r\n0 @I1@ INDI\r\n1 NAME Jo\xE4ao /Reis/\r\n  1   SEX M\r\n0 TRLR"
//! );
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! How it works: edits change a tree that is laid over the document as it was read (`tree`), so that each
//! sees what those before it did, and the file is read once. At the end the changed structures become line
//! strings (`line_renderer`, in the style of the file: `file_style`), those become patches of whole lines
//! (`render`), and `elf-octets` puts the patches between the octets that stay. What comes out is read again
//! by the same rules, and every finding that the input did not have (`known`) is reported.
//!
//! What it does not do: it never spells anew what need not be, so a file that is not conformant stays so.
//! Ask for fixes with [`fix_document`].
//!
//! It knows no types: who names structures by them in paths hands it an answer to questions about types
//! ([`Types`](elf_tagged::path::Types)).
//!
//! # Which crate next
//!
//! * [`elf-schema`](https://docs.rs/elf-schema): types of structures, schemas in files, values by type
//! * [`elf-extract`](https://docs.rs/elf-extract): branches of a tree, and a tree without the living

mod by_path;
mod cascade;
mod concerned;
mod context;
mod edit_scope;
mod editor;
mod error;
mod evidence;
mod file_outline;
mod file_style;
mod fix;
mod fixes;
mod known;
mod line_renderer;
mod nodes;
mod part_editor;
mod path_finder;
mod payload;
mod render;
mod reread;
mod state;
mod tree;
mod verify;

pub use by_path::Edit;
pub use cascade::Cascaded;
pub use concerned::{ConcernedParts, PlacedEdits};
pub use context::{BearerNumbers, Context, ContextFinder, FoundNodes, NumberedRecord, RecordTags};
pub use edit_scope::EditScope;
pub use editor::{EditOptions, Edited, Editor, Structure, Value};
pub use elf_base::Safety;
pub use elf_tagged;
pub use error::EditError;
pub use file_outline::{FileOutline, PartOutline};
pub use fix::{
    Chosen, FileRefusal, FixOptions, FixedFinding, Fixes, HeaderFixer, LinkFixes, PartEvidence, PartFixes,
    Refusal, RefusedFix, fix_document, fix_part,
};
pub use fixes::{
    Answers, Changes, PartRepairs, RepairRefusal, Repairable, RepairedFindings, Repairs, WantedRepairs,
    long_records,
};
pub use known::is_about_file;
pub use part_editor::{EditedPart, EditedParts, PartEditor};
pub use path_finder::PathFinder;
pub use verify::CheckAgain;

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod readme {}
