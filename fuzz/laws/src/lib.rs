//! Laws of every input, as functions that panic where it does not.
//!
//! The fuzz targets feed them whatever they invent, and an ordinary test of `xtask` feeds them the seeds, so
//! that a law is kept on every machine. A law takes any octets, well-formed or not, and reads them by the
//! rules of every draft.

mod edit;
mod lines;
mod octets;
mod parts;
mod schema;
mod tree;
mod values;
mod write;

pub use edit::edit;
pub use lines::lines;
pub use octets::octets;
pub use parts::parts;
pub use schema::schema;
pub use tree::tree;
pub use values::values;
pub use write::write;

/// A law: it panics where the octets break it.
pub type Law = fn(&[u8]);

/// Every law by the name of its fuzz target and of its folder of seeds.
pub const LAWS: &[(&str, Law)] = &[
    ("octets", octets),
    ("lines", lines),
    ("tree", tree),
    ("parts", parts),
    ("edit", edit),
    ("schema", schema),
    ("write", write),
    ("values", values),
];

/// Level, identifier, tag and payload of a structure, to be compared and read.
fn summary(node: elf_tagged::Node<'_>) -> String {
    let level = node.ancestors().count() - 1;
    let payload = match node.payload() {
        // An empty text is written as none.
        elf_tagged::Payload::None => String::new(),
        elf_tagged::Payload::Text(text) if text.is_empty() => String::new(),
        elf_tagged::Payload::Text(text) => format!(" {text:?}"),
        elf_tagged::Payload::Pointer(id) => format!(" @{id}@"),
    };
    format!("{level} {}{}{payload}", node.xref().map(|id| format!("@{id}@ ")).unwrap_or_default(), node.tag())
}
