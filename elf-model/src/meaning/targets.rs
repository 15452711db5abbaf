//! Resolves all pointers of a dataset at once.

use crate::dataset::Dataset;
use crate::nodes::NONE;
use crate::structure::Structure;
use hashbrown::HashMap;

/// Returns the index of each pointer's target. The index is [`NONE`] if there is no target. The result is the same as
/// that of [`Structure::target`].
pub(super) fn resolve_all_pointers(dataset: &Dataset) -> Vec<u32> {
    let mut bearers: HashMap<&str, u32> = HashMap::new();
    for bearer in dataset.structures() {
        if let Some(xref) = bearer.xref() {
            // A pointer is unresolved if several structures have its identifier.
            bearers.entry(xref).and_modify(|of| *of = NONE).or_insert(bearer.id);
        }
    }
    let target = |structure: Structure<'_>| bearers.get(structure.pointer()?).copied();
    dataset.structures().map(|structure| target(structure).unwrap_or(NONE)).collect()
}
