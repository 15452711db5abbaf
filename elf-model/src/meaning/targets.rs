//! The targets of all pointers of a dataset.

use crate::dataset::Dataset;
use crate::nodes::NONE;
use crate::structure::Structure;
use hashbrown::HashMap;

/// Returns the index of the target of each structure's pointer, [`NONE`] if it has none: what
/// [`Structure::target`] returns, but in one pass.
pub(super) fn targets(dataset: &Dataset) -> Vec<u32> {
    let mut bearers: HashMap<&str, u32> = HashMap::new();
    for bearer in dataset.structures() {
        if let Some(xref) = bearer.xref() {
            // A pointer with an identifier of several structures is unresolved.
            bearers.entry(xref).and_modify(|of| *of = NONE).or_insert(bearer.id);
        }
    }
    let target = |structure: Structure<'_>| bearers.get(structure.pointer()?).copied();
    dataset.structures().map(|structure| target(structure).unwrap_or(NONE)).collect()
}
