//! Structures that are removed because they point to something that is.

/// A structure that was removed, with its substructures, because it pointed to something that was removed.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Cascaded {
    /// The path in the document that was read; of a structure that an edit had added, its last path.
    pub path: String,
    /// The line number in the document that was read; `None` if an edit had added the structure.
    pub line: Option<u64>,
    /// The number of structures removed: this one and those under it.
    pub structures: u64,
}

/// A removed structure, kept until [`Editor::cascaded`](crate::Editor::cascaded) is called.
#[derive(Clone, Debug)]
pub(crate) struct RemovedPointer {
    pub(crate) item: u32,
    /// The path, if an edit had added the structure.
    pub(crate) path: Option<String>,
    pub(crate) structures: u64,
}
