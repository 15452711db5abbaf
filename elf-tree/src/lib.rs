//! Lines to a tree of tagged structures.
//!
//! A *tagged structure* has a tag, perhaps a cross-reference identifier, perhaps a payload, and substructures
//! in order (D19 *Overview*; J19 §2.4). This crate reads a document of them from octets and keeps everything
//! it read: [`read()`] runs the layers below and gives a [`Document`], whose [`Node`]s are small handles into
//! an arena. `elf-tagged` hands all of this on, and writes.
//!
//! ```text
//! line strings ── lines ── xref structures ── tagged structures
//!                          merged, escaped    unescaped, without serialisation metadata
//! ```
//!
//! The grammar of the tree is that of levels (D19 *Parsing lines into structures*):
//!
//! ```text
//! Document  ::= Header Record* Trailer?
//! Structure ::= Line(n) Continuation(n + 1)* Structure(n + 1)*
//! ```
//!
//! A line of level *n* stands beneath the last one of level *n* − 1; CONT and CONC go on with the payload of
//! the structure above them. The tree holds them all, one node a line, flagged ([`Flags`]), so that nothing
//! that stood in the file is lost; the tagged form passes over lines that continue others, over serialisation
//! metadata and over the trailer.
//!
//! ```
//! use elf_tree::{Options, Payload, Rules, read};
//!
//! let octets = b"0 HEAD\n0 @I1@ INDI\n1 NOTE two\n2 CONT lines\n1 FAMC @F1@\n0 @F1@ FAM\n0 TRLR\n";
//! let mut findings = Vec::new();
//! let document = read(octets, &Rules::WILD, &Options::default(), &mut findings)?;
//! let person = document.records().next().expect("a record");
//! let note = person.substructure("NOTE").expect("a note");
//! assert_eq!(note.payload(), Payload::Text("two\nlines".into()));
//! let family = person.substructure("FAMC").and_then(|link| link.target()).expect("a family");
//! assert_eq!(family.tag(), "FAM");
//! # Ok::<(), elf_tree::TooLarge>(())
//! ```
//!
//! One engine reads by the rules of all five drafts. What they do with a bad line stands in `bad_line`, with
//! escapes in [`escape`], with the header in `header`, with pointers in `xref`. The crate knows no IRIs: what
//! it needs of a schema, the escapes that tags keep, it reads itself or asks of an
//! [`EscapeSource`](escape::EscapeSource).
//!
//! Where we depart from the drafts: pointers that lead nowhere keep their text (December 2019 leaves a
//! section unwritten); serialisation metadata is extracted even where it is not conformant, and kept
//! verbatim; CONT adds the line break, not CONC (a misprint of December 2019). All readings are listed in
//! [`elf_base::readings`].
//!
//! # Which crate next
//!
//! * [`elf-tagged`](https://docs.rs/elf-tagged): reads and writes files as trees of tags
//! * [`elf-schema`](https://docs.rs/elf-schema): types of structures, schemas in files, values by type

mod bad_line;
mod document;
pub mod escape;
mod escape_checks;
mod header;
mod language;
mod line_checks;
mod parts;
pub mod path;
mod preamble_line;
mod read;
mod reader;
mod report;
mod tree;
mod xref;

pub use document::{Document, LinePlaces, Records, Structures, Target};
pub use elf_base::{
    self, Class, Code, Diagnostic, Fix, FixAction, Place, Rules, Safety, Sink, Span, Version, XrefEntries,
    codes, is_language_tag,
};
pub use elf_lines::{self, starts_record};
pub use elf_octets::{self, Encoding, Options, Source, TooLarge};
pub use header::Header;
pub use line_checks::{ADVISED_TAG_LENGTH, ADVISED_XREF_LENGTH};
pub use parts::{PartError, PartId, ReadingId};
pub use preamble_line::PreambleLine;
pub use read::{read, read_apart, read_source, read_with};
pub use reader::{Divided, PartOutcome, Reader, UnreadPart, XrefReader};
pub use tree::{
    Ancestors, Flags, Node, NodeId, Payload, PayloadLine, Piece, PlainLine, RejectedLine, Substructures,
};
pub use xref::{
    Bearer, PointerFaults, PointerLookup, XrefList, XrefLists, XrefNodes, Xrefs, is_external_pointer,
};

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod readme {}
