//! The options of an editor.

/// The options of an editor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct EditOptions {
    /// Whether characters that the encoding of the file lacks are written as Unicode escapes. If false, such characters
    /// are an error. The default is true.
    pub escape: bool,
    /// Whether an [`Edit`](crate::Edit) may make an unresolved pointer. If false, such an edit is an error. The default
    /// is false.
    pub dangling: bool,
    /// Whether the pointers to a removed structure are removed too, with their substructures. The default is false.
    pub cascade: bool,
    /// Whether missing structures along a path are created. This applies to an [`Edit`](crate::Edit) that sets a
    /// payload, or inserts or moves a structure. The default is false.
    pub create: bool,
    /// Whether a document can be edited although its reading stopped early. The lines after its last structure are then
    /// removed. If false, every edit of such a document is an error. The default is false.
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
