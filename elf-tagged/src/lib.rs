//! Lines to tagged structures, and back.
//!
//! A *tagged structure* has a tag, perhaps a cross-reference identifier, perhaps a payload, and substructures
//! in order. Two halves make a document of them: `elf-tree` reads octets into one and keeps everything it
//! read, and [`write`](mod@write) makes octets of one, by the rules of any draft. All of `elf-tree` is here
//! again, so that an application that knows no schemas imports this crate and no other:
//!
//! ```text
//!          elf-tree: read()
//! octets ─────────────────────────▶ tagged structures
//!        ◀─────────────────────────
//!          write: write_document()
//! ```
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
//! The writer sees a document as any caller does: its [`Node`]s with their [`Flags`], line by line where it
//! must. Neither half knows an IRI: what it needs of a schema, the escapes that tags keep, it reads itself or
//! asks of an [`EscapeSource`](escape::EscapeSource).
//!
//! Where we depart from the drafts stands with each half: in [`elf_tree`] for reading, in
//! [`write`](mod@write) for writing. All readings are listed in [`elf_base::readings`].
//!
//! # Which crate next
//!
//! * [`elf-schema`](https://docs.rs/elf-schema): types of structures, schemas in files, values by type
//! * [`elf-edit`](https://docs.rs/elf-edit): changes and repairs a file, and leaves every other line as
//!   it is

mod recognise;
pub mod write;

pub use elf_base::{
    self, BoundedFindings, Class, Code, Diagnostic, Fix, FixAction, Place, Rules, Safety, Sink, Span,
    UntilBreak, Version, codes,
};
pub use elf_lines;
pub use elf_octets::{self, Encoding, Options, Source, TooLarge};
pub use elf_tree::{
    self, ADVISED_TAG_LENGTH, ADVISED_XREF_LENGTH, Ancestors, Bearer, Divided, Document, Flags, Header,
    LinePlaces, Node, NodeId, PartError, PartId, PartOutcome, Payload, PayloadLine, Piece, PlainLine,
    PointerFaults, PointerLookup, PreambleLine, Reader, ReadingId, Records, RejectedLine, Structures,
    Substructures, Target, UnreadPart, XrefEntries, XrefList, XrefLists, XrefNodes, XrefReader, Xrefs,
    escape, is_external_pointer, is_language_tag, path, read, read_apart, read_source, read_with,
    starts_record,
};
pub use recognise::{Recognition, recognise};

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod readme {}
