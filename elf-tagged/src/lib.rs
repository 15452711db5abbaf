#![doc = include_str!("../README.md")]
//!
//! # Overview
//!
//! A *tagged structure* has a tag, substructures in order, and perhaps a cross-reference identifier and a payload (D19
//! *Overview*; J19 §2.4). [`read()`] reads a file into a [`Document`], which keeps everything that was read; its
//! [`Node`]s are small handles. [`write_document`](write::write_document) writes a document by the rules of any draft.
//!
//! If your program needs no types, it needs only this crate. There are two forms of structures, and each form can be
//! read and built:
//!
//! | form | read | build and change | write |
//! | --- | --- | --- | --- |
//! | xref structures: payloads still escaped | [`Document::xref_structures`] | [`XrefStructure`] | [`XrefWriter`] |
//! | tagged structures | [`Document`], or [`Reader`] for large files | [`tree::Tree`] | [`write::write_document`], [`tree::Tree::write`] |
//!
//! The crate implements D19 *Parsing lines into structures*, *Payloads*, *Header metadata* and *Serialisation*; J19
//! §2.4, §4 and §5; O17 §5 to §7; and the rules on lines of GEDCOM 5.5.1 and 7.0. The crate does not know types: an
//! [`EscapeSource`](escape::EscapeSource) decides which escapes a tag preserves.
//!
//! The crate differs from the drafts in three points. Unresolved pointers keep their text, for which December 2019 has
//! no rule. Invalid serialisation metadata is read and kept too. The line break comes from CONT, not from CONC, which
//! is a misprint of December 2019. The documentation of [`write`](mod@write) lists how writing differs, and
//! [`elf_base::readings`] lists all differences.
//!
//! [`elf_base::readings`] explains what citations such as D19 and AMB-05 mean.

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
