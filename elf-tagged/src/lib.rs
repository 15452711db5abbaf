//! Lines to tagged structures, and back.
//!
//! A *tagged structure* has a tag, perhaps a cross-reference identifier, perhaps a payload, and substructures
//! in order. This crate reads a document of them from octets and keeps everything it read: [`read()`] runs
//! the layers below and gives a [`Document`], whose [`Node`]s are small handles into an arena.
//!
//! ```text
//! line strings ── lines ── xref structures ── tagged structures
//!                          merged, escaped    unescaped, without serialisation metadata
//! ```
//!
//! An application that knows no schemas imports this crate and no other:
//!
//! ```
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
//! # Ok::<(), elf_tagged::TooLarge>(())
//! ```
//!
//! One engine reads by the rules of all five drafts. What they do with a bad line stands in `bad_line`, with
//! escapes in [`escape`], with the header in `header`, with pointers in `pointers`. The crate knows no IRIs:
//! what it needs of a schema, the escapes that tags keep, it reads itself or asks of an
//! [`EscapeSource`](escape::EscapeSource).
//!
//! Where we depart from the drafts: pointers that lead nowhere keep their text (December 2019 leaves a
//! section unwritten); serialisation metadata is extracted even where it is not conformant, and kept
//! verbatim; CONT adds the line break, not CONC (a misprint of December 2019). All readings are listed in
//! `docs/readings.md`.

pub mod write;

pub use elf_base::{self, Class, Code, Diagnostic, Place, Rules, Sink, Span, Version, codes};
pub use elf_lines;
pub use elf_octets::{self, Encoding, Options, Source, TooLarge};
pub use elf_tree::{
    self, ADVISED_TAG_LENGTH, ADVISED_XREF_LENGTH, Ancestors, Bearer, Document, Flags, Header, Names, Node,
    NodeId, Payload, PayloadLine, Piece, PlainLine, PreambleLine, Reader, Recognition, Records, RejectedLine,
    Remainder, Structures, Substructures, Target, UnreadPart, escape, is_external_pointer, is_language_tag,
    path, read, read_apart, read_source, read_with, recognise, starts_record,
};
