//! A limit on the work that a schema of a stranger may cause.

/// The steps that are left for walks up the supertypes of a schema: one for each type and each supertype
/// definition passed.
///
/// One walk takes at most as many steps as the schema is long. The budget limits the sum of all walks, since
/// a file can ask for as many as it has structures.
#[derive(Clone, Debug)]
pub(crate) struct Budget {
    left: usize,
}

impl Budget {
    /// The steps for all lookups of one document: some tenths of a second. The completed schema takes some
    /// thousand steps, since no definition that is in the type itself needs a walk.
    pub(crate) const LOOKUPS: usize = 1 << 24;

    /// The steps for the search for conflicts in a schema.
    pub(crate) const CONFLICTS: usize = 1 << 22;

    pub(crate) const fn of(steps: usize) -> Budget {
        Budget { left: steps }
    }

    /// A budget for a single walk, which needs no limit.
    pub(crate) const fn unlimited() -> Budget {
        Budget { left: usize::MAX }
    }

    /// Takes so many steps. Returns false if there are fewer; then nothing is left.
    pub(crate) fn take(&mut self, steps: usize) -> bool {
        self.left = self.left.saturating_sub(steps);
        self.left > 0
    }

    pub(crate) const fn is_spent(&self) -> bool {
        self.left == 0
    }
}
