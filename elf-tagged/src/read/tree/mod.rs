//! The arena: one small node for each line, in document order.
//!
//! Nodes keep offsets into the text, never strings; relations are indices. The substructures of a node and
//! everything under them follow it without a gap, so that a subtree is a range of nodes and data about nodes can
//! are in columns beside the arena. Continuation lines are nodes too, flagged, so that nothing that stood
//! in the file is lost; the tagged form passes over them.

mod arena;
pub(crate) mod build;
mod flags;
mod node;
mod payload;
mod record;
mod trace;
mod view;

pub(crate) use arena::{Arena, NONE, NewNode, NodeData};
pub use build::RejectedLine;
pub use flags::Flags;
pub(crate) use flags::flag;
pub use node::{Ancestors, Node, NodeId, Payload, Piece, Substructures};
pub use payload::{PayloadLine, PlainLine};
pub(crate) use trace::Stretch;
pub(crate) use view::{Children, View};
