//! Creates new tags for types whose own tag means something else in the output.

use super::shapes::Tags;
use crate::schema::Schema;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// Creates tags that are neither in the document nor in the default schema.
pub(super) struct UnusedTags {
    taken: HashSet<Box<str>>,
    given: HashMap<(Box<str>, Arc<str>), Box<str>>,
    /// The last number used for each tag.
    numbers: HashMap<Box<str>, u64>,
}

impl UnusedTags {
    pub(super) fn of(tags: &Tags, base: &Schema) -> UnusedTags {
        let of_base = base.definitions().map(|one| one.tag().into());
        let taken = tags.0.iter().cloned().chain(of_base).collect();
        UnusedTags { taken, given: HashMap::new(), numbers: HashMap::new() }
    }

    /// Returns a tag similar to `tag`, always the same one for the same type.
    pub(super) fn similar_tag(&mut self, tag: &str, iri: &Arc<str>) -> Box<str> {
        let key = (Box::from(tag), Arc::clone(iri));
        if let Some(given) = self.given.get(&key) {
            return given.clone();
        }
        let stem = if tag.starts_with('_') { tag.to_owned() } else { format!("_{tag}") };
        let number = self.numbers.entry(stem.as_str().into()).or_default();
        let new = loop {
            *number += 1;
            let new = if *number == 1 { stem.clone() } else { format!("{stem}{number}") };
            if self.taken.insert(new.as_str().into()) {
                break Box::<str>::from(new);
            }
        };
        self.given.insert(key, new.clone());
        new
    }
}
