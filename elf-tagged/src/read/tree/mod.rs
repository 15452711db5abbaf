//! Stores a small node for each line, in document order.
//!
//! Nodes have offsets into the text and indices of other nodes. All nodes under a node follow it directly, so a subtree
//! is a range of nodes, and data about nodes can be stored in arrays. Continuation lines are nodes with a flag, so that
//! nothing in the file is lost. The tagged form skips continuation lines.

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
