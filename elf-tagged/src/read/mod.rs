//! Parses lines to a tree of tagged structures.
//!
//! The levels of lines determine the tree (D19 *Parsing lines into structures*):
//!
//! ```text
//! Document  ::= Header Record* Trailer?
//! Structure ::= Line(n) Continuation(n + 1)* Structure(n + 1)*
//! ```
//!
//! A line of level *n* is a substructure of the last line of level *n* − 1. CONT and CONC continue the payload
//! of the structure above them. The tree holds every line as a node, marked with [`Flags`], so nothing in the
//! file is lost. The tagged form skips continuation lines, serialisation metadata and the trailer.
//!
//! One parser handles the rules of all five drafts. `bad_line` handles lines that do not fit, [`escape`] reads escapes,
//! `header` reads the header, and `xref` resolves pointers.
//!
//! The parser differs from the drafts in three points. Unresolved pointers keep their text, for which December 2019 has
//! no rule. Invalid serialisation metadata is read and kept too. The line break comes from CONT, not from CONC, which
//! is a misprint of December 2019.

mod bad_line;
mod document;
pub mod escape;
mod escape_checks;
mod header;
mod language;
mod line_checks;
mod line_shape;
pub mod path;
mod preamble_line;
mod reader;
mod report;
mod source;
mod tree;
mod xref;

pub use document::{Document, DocumentId, LinePlaces, Records, Structures, Target};
pub use header::Header;
pub use line_shape::{ADVISED_TAG_LENGTH, ADVISED_XREF_LENGTH};
pub use preamble_line::PreambleLine;
pub use reader::{Reader, RunOutcome, RunStart, UnreadRun};
pub use source::{read, read_apart, read_with};
pub use tree::{
    Ancestors, Flags, Node, NodeId, Payload, PayloadLine, Piece, PlainLine, RejectedLine, Substructures,
};
pub use xref::{Bearer, KnownXrefs, XrefEntries, XrefList, XrefNodes, depend_on_whole, is_external_pointer};
