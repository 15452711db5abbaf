//! Limits the work that a schema from a stranger can cause.

/// The remaining steps for walks up the supertypes of a schema: one step for each type and each supertype definition
/// visited. A single walk takes at most as many steps as the schema is long. The budget limits all walks together,
/// because a file can cause one for each structure.
#[derive(Clone, Debug)]
pub(crate) struct Budget {
    left: usize,
}

impl Budget {
    /// The steps for all lookups of one document, which take some tenths of a second. The completed schema takes some
    /// thousand steps, because a definition in the type itself needs no walk.
    pub(crate) const LOOKUPS: usize = 1 << 24;

    /// The steps for finding conflicts in a schema.
    pub(crate) const CONFLICTS: usize = 1 << 22;

    pub(crate) const fn with_steps(steps: usize) -> Budget {
        Budget { left: steps }
    }

    /// For a single walk, which needs no limit.
    pub(crate) const fn unlimited() -> Budget {
        Budget { left: usize::MAX }
    }

    /// Uses up `steps`. Returns false if fewer are left; then none are left afterwards.
    pub(crate) fn spend(&mut self, steps: usize) -> bool {
        self.left = self.left.saturating_sub(steps);
        self.left > 0
    }

    pub(crate) const fn is_spent(&self) -> bool {
        self.left == 0
    }
}
