//! What holds of every input, as functions that panic where it does not.
//!
//! The fuzz targets feed them whatever they invent, and an ordinary test of `xtask` feeds them the seeds, so that a
//! law is kept on every machine. A law takes any octets, well-formed or not, and reads them by the rules of every
//! draft.

mod lines;
mod octets;
mod schema;
mod tree;
mod write;

pub use lines::lines;
pub use octets::octets;
pub use schema::schema;
pub use tree::tree;
pub use write::write;

/// A law: it panics where the octets break it.
pub type Law = fn(&[u8]);

/// Every law by the name of its fuzz target and of its folder of seeds.
pub const LAWS: &[(&str, Law)] =
    &[("octets", octets), ("lines", lines), ("tree", tree), ("schema", schema), ("write", write)];
