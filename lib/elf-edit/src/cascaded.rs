//! Structures that are removed because they point to a removed structure.

/// A structure that was removed, with its substructures, because it pointed to a removed structure.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Cascaded {
    /// The path in the document that was read. For a structure that an edit had added, its last
    /// path.
    pub path: String,
    /// The line number in the document that was read; `None` if an edit had added the structure.
    pub line: Option<u64>,
    /// The number of structures removed: this one and those under it.
    pub structures: u64,
}

/// A removed pointer, kept until [`Editor::cascaded`](crate::Editor::cascaded) is called.
#[derive(Clone, Debug)]
pub(crate) struct RemovedPointer {
    pub(crate) item: u32,
    /// The path of a structure that an edit had added; `None` for a structure of the file.
    pub(crate) path: Option<String>,
    pub(crate) structures: u64,
}
