//! Options of an editor.

/// Options of an editor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct EditOptions {
    /// Write characters that the encoding of the file lacks as Unicode escapes. If false, such
    /// characters are an error. Default: true.
    pub escape: bool,
    /// Allow an [`Edit`](crate::Edit) to make an unresolved pointer. If false, such an edit is an
    /// error. Default: false.
    pub dangling: bool,
    /// Remove the pointers to a removed structure too, with their substructures. Default: false.
    pub cascade: bool,
    /// Create missing structures along the path of an [`Edit`](crate::Edit) that sets a payload, or
    /// inserts or moves a structure. Default: false.
    pub create: bool,
    /// Allow edits of a document whose reading stopped early, and remove the lines after its last
    /// structure. If false, each edit of such a document is an error. Default: false.
    pub partial: bool,
}

impl EditOptions {
    /// Creates the default options.
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

    /// Sets whether characters that the encoding lacks become Unicode escapes.
    #[must_use]
    pub const fn with_escapes(mut self, escape: bool) -> EditOptions {
        self.escape = escape;
        self
    }

    /// Sets whether a document whose reading stopped early can be edited.
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
