#![doc = include_str!("../README.md")]
//!
//! # Overview
//!
//! A *tagged structure* has a tag, substructures in order, and perhaps a cross-reference identifier and a payload (D19
//! *Overview*; J19 §2.4). [`read()`] reads a file into a [`Document`] and keeps everything that it read; its
//! [`Node`]s are small handles. [`write_document`](write::write_document) writes a document by the rules of any draft.
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
//! [`elf_base::readings`] says what citations such as D19 and AMB-05 mean.

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
