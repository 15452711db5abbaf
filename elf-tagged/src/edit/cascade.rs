//! Removing structures, and the pointers that lead to nothing then.

use super::{EditError, Editor, Structure};

impl Editor<'_> {
    /// The structure, if it may be removed.
    pub(super) fn removable(&self, structure: Structure) -> Result<u32, EditError> {
        let item = self.editable(structure)?;
        self.may_leave(item)?;
        Ok(item)
    }

    /// Takes a structure away and, if the options say so, what pointed to it or to anything beneath it, and so on.
    pub(super) fn remove_cascading(&mut self, item: u32) {
        let mut waiting = vec![item];
        let mut first = true;
        while let Some(item) = waiting.pop() {
            // One may stand within another, and what cannot be removed is reported as a pointer that leads nowhere.
            if !first && self.removable(Structure(item)).is_err() {
                continue;
            }
            let gone = if self.options.cascade { self.identifiers_within(item) } else { Vec::new() };
            self.tree.remove(&self.document, item);
            self.cascaded += u64::from(!first);
            first = false;
            for xref in gone {
                if self.now().bearers(&xref).is_empty() {
                    waiting.extend(self.tree.pointing(&self.document, &xref));
                }
            }
        }
    }

    /// The identifiers that a structure and those beneath it bear.
    fn identifiers_within(&self, item: u32) -> Vec<String> {
        let now = self.now();
        let mut found = Vec::new();
        let mut waiting = vec![item];
        while let Some(item) = waiting.pop() {
            found.extend(now.xref(item).map(str::to_owned));
            waiting.extend(now.substructures(item));
        }
        found
    }
}
