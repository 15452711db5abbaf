//! Options of an editor.

/// Options of an editor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct EditOptions {
    /// True if characters missing from the encoding of the file are written as Unicode escapes; if false,
    /// they are an error. Default: true.
    pub escape: bool,
    /// True if an [`Edit`](crate::Edit) may make an unresolved pointer; if false, such an edit is an error.
    /// Default: false.
    pub dangling: bool,
    /// True if removing a structure also removes the pointers to it, with their substructures. Default:
    /// false.
    pub cascade: bool,
    /// True if an [`Edit`](crate::Edit) creates the structures that are missing along its path: the path of
    /// the payload that it sets, or of the place where it inserts or moves a structure. Default: false.
    pub create: bool,
    /// True if a document whose reading the rules ended can be edited: the lines after its last structure are
    /// removed. If false, each edit of such a document is an error. Default: false.
    pub partial: bool,
}

impl EditOptions {
    /// The defaults.
    pub const fn new() -> EditOptions {
        EditOptions { escape: true, dangling: false, cascade: false, create: false, partial: false }
    }

    /// Sets whether edits may make unresolved pointers.
    #[must_use]
    pub const fn with_dangling(mut self, dangling: bool) -> EditOptions {
        self.dangling = dangling;
        self
    }

    /// Sets whether pointers to removed structures are removed too.
    #[must_use]
    pub const fn with_cascade(mut self, cascade: bool) -> EditOptions {
        self.cascade = cascade;
        self
    }

    /// Sets whether missing structures along a path are created.
    #[must_use]
    pub const fn with_create(mut self, create: bool) -> EditOptions {
        self.create = create;
        self
    }

    /// Sets whether characters missing from the encoding become Unicode escapes.
    #[must_use]
    pub const fn with_escapes(mut self, escape: bool) -> EditOptions {
        self.escape = escape;
        self
    }

    /// Sets whether a document whose reading the rules ended can be edited.
    #[must_use]
    pub const fn with_partial(mut self, partial: bool) -> EditOptions {
        self.partial = partial;
        self
    }
}

impl Default for EditOptions {
    fn default() -> EditOptions {
        EditOptions::new()
    }
}
