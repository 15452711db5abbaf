//! Structures that are removed because they point to a removed structure.

/// A structure that was removed with its substructures, because it pointed to a removed structure.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Cascaded {
    /// The path of the structure in the document that was read. If an edit had added the structure, its path before it
    /// was removed.
    pub path: String,
    /// The line number of the structure in the document that was read. `None` if an edit had added the structure.
    pub line: Option<u64>,
    /// The number of structures that were removed: this structure and those under it.
    pub structures: u64,
}

/// A pointer that was removed. The pointer is kept until [`Editor::cascaded`](crate::Editor::cascaded) is called.
#[derive(Clone, Debug)]
pub(crate) struct RemovedPointer {
    pub(crate) item: u32,
    /// The path of the structure, if an edit had added it. `None` for a structure of the file.
    pub(crate) path: Option<String>,
    pub(crate) structures: u64,
}
