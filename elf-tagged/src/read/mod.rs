//! Reading: lines to a tree of tagged structures.
//!
//! The grammar of the tree is that of levels (D19 *Parsing lines into structures*):
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
//! One engine reads by the rules of all five drafts. `bad_line` decides what happens to a line that does not
//! fit, [`escape`] reads escapes, `header` the header, and `xref` resolves pointers.
//!
//! Where we depart from the drafts: unresolved pointers keep their text (December 2019 leaves a section
//! unwritten); serialisation metadata is extracted even where it is not conformant, and kept verbatim; CONT
//! adds the line break, not CONC (a misprint of December 2019).

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
pub use reader::{Reader, RunOutcome, UnreadRun};
pub use source::{read, read_apart, read_with};
pub use tree::{
    Ancestors, Flags, Node, NodeId, Payload, PayloadLine, Piece, PlainLine, RejectedLine, Substructures,
};
pub use xref::{Bearer, KnownXrefs, XrefEntries, XrefList, XrefNodes, depend_on_whole, is_external_pointer};
