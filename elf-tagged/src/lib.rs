//! Lines to tagged structures, and back: everything but types.
//!
//! A *tagged structure* has a tag, substructures in order, and perhaps a cross-reference identifier and a payload (D19
//! *Overview*; J19 §2.4). [`read()`] reads a file into a [`Document`] and keeps everything that it read; its
//! [`Node`]s are small handles. [`write_document`](write::write_document) writes a document by the rules of any draft.
//!
//! ```
//! use elf_tagged::write::{WriteOptions, write_document};
//! use elf_tagged::{Options, Payload, Rules, read};
//!
//! let octets = b"0 HEAD\n0 @I1@ INDI\n1 NOTE two\n2 CONT lines\n1 FAMC @F1@\n0 @F1@ FAM\n0 TRLR\n";
//! let mut findings = Vec::new();
//! let document = read(octets, &Rules::WILD, &Options::default(), &mut findings)?;
//! let person = document.records().next().expect("a record");
//! let note = person.substructure("NOTE").expect("a note");
//! assert_eq!(note.payload(), Payload::Text("two\nlines".into()));
//! let family = person.substructure("FAMC").and_then(|link| link.target()).expect("a family");
//! assert_eq!(family.tag(), "FAM");
//!
//! let (mut written, mut losses) = (Vec::new(), Vec::new());
//! write_document(&document, &mut written, &Rules::JANUARY_2019, &WriteOptions::new(), &mut losses)?;
//! assert!(losses.is_empty());
//! assert!(written.ends_with(b"\n0 @I1@ INDI\n1 NOTE two\n2 CONT lines\n1 FAMC @F1@\n0 @F1@ FAM\n0 TRLR\n"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A program that needs no types needs this crate alone. It has two forms, each for reading and for building:
//!
//! | form | read | build and change | write |
//! | --- | --- | --- | --- |
//! | xref structures: payloads still escaped | [`Document::xref_structures`] | [`XrefStructure`] | [`XrefWriter`] |
//! | tagged structures | [`Document`], or [`Reader`] for large files | [`tree::Tree`] | [`write::write_document`], [`tree::Tree::write`] |
//!
//! It implements D19 *Parsing lines into structures*, *Payloads*, *Header metadata* and *Serialisation*; J19 §2.4, §4
//! and §5; O17 §5 to §7; and the rules on lines of GEDCOM 5.5.1 and 7.0. It does not know types: an
//! [`EscapeSource`](escape::EscapeSource) decides which escapes a tag preserves.
//!
//! It differs from the drafts in three points. Unresolved pointers keep their text (December 2019 has no rule). Invalid
//! serialisation metadata is read and kept, too. CONT adds the line break, not CONC (a misprint of December 2019).
//! [`write`](mod@write) has a list of its own, and [`elf_base::readings`] has all.
//!
//! # Which crate next
//!
//! * [`elf-schema`](https://docs.rs/elf-schema): types of structures, schemas in files, values by type
//! * [`elf-edit`](https://docs.rs/elf-edit): changes and fixes a file, and leaves every other line as it is

#![forbid(unsafe_code)]

mod offset;
mod read;
mod recognise;
pub mod tree;
pub mod write;
mod xref_structure;

pub use elf_base::{
    self, BoundedFindings, Class, Code, Diagnostic, Fix, FixAction, Place, Rules, Safety, Sink, Span,
    UntilBreak, Version, codes, is_language_tag,
};
pub use elf_lines::{self, starts_record};
pub use elf_octets::{self, Encoding, Options, Source, TooLarge};
pub use read::{
    ADVISED_TAG_LENGTH, ADVISED_XREF_LENGTH, Ancestors, Bearer, Document, DocumentId, Flags, Header,
    KnownXrefs, LinePlaces, Node, NodeId, Payload, PayloadLine, Piece, PlainLine, PreambleLine, Reader,
    Records, RejectedLine, RunOutcome, RunStart, Structures, Substructures, Target, UnreadRun, XrefEntries,
    XrefList, XrefNodes, depend_on_whole, escape, is_external_pointer, path, read, read_apart, read_with,
};
pub use recognise::{Recognition, recognise};
pub use xref_structure::{XrefPayload, XrefStructure, XrefWriteError, XrefWriter, merge_continuations};

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod readme {}
