//! Strings that a dataset stores once and refers to by number: tags, types and identifiers.

use crate::nodes::to_u32;
use hashbrown::DefaultHashBuilder;
use indexmap::IndexSet;

#[derive(Clone, Debug, Default)]
pub(crate) struct Names(IndexSet<Box<str>, DefaultHashBuilder>);

impl Names {
    /// Returns the number of a name. Adds the name if it is new.
    pub(crate) fn intern(&mut self, name: &str) -> u32 {
        match self.0.get_index_of(name) {
            Some(index) => to_u32(index),
            None => to_u32(self.0.insert_full(name.into()).0),
        }
    }

    pub(crate) fn insert(&mut self, name: &str) -> bool {
        self.0.insert(name.into())
    }

    pub(crate) fn find(&self, name: &str) -> Option<u32> {
        self.0.get_index_of(name).map(to_u32)
    }

    /// Returns the name with a number. Returns `None` for [`NONE`](crate::nodes::NONE).
    pub(crate) fn get(&self, number: u32) -> Option<&str> {
        self.0.get_index(number as usize).map(|name| &**name)
    }

    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    pub(crate) fn truncate(&mut self, len: usize) {
        self.0.truncate(len);
    }
}

/// Finds a name by the number that [`Names::intern`] returned.
impl std::ops::Index<u32> for Names {
    type Output = str;

    fn index(&self, number: u32) -> &str {
        &self.0[number as usize]
    }
}
