//! Where structures stand, as paths that a person can read and `elf edit` takes.

use crate::dataset::{Dataset, NONE};
use crate::structure::Structure;
use hashbrown::HashMap;
use std::fmt::Write;

/// The paths of the structures of a dataset, such as `@I1@/BIRT/DATE[2]`.
///
/// Steps are parted by `/`: the identifier of the record or, where it has none, its tag, then a tag for each level. `[N]`
/// says that it is the N-th of its tag there, or of its identifier; the first goes without. What stands in the metadata
/// stands in `HEAD`.
///
/// Making it takes a pass over all structures.
///
/// ```
/// use elf_model::{Paths, ReadOptions, Rules};
///
/// let octets = b"0 HEAD\n1 SOUR X\n0 @I1@ INDI\n1 NAME A\n1 SEX F\n1 NAME B\n0 NOTE a\n0 NOTE b\n0 TRLR\n";
/// let dataset = elf_model::read(octets, &Rules::WILD, &ReadOptions::default(), &mut ())?;
/// let paths = Paths::new(&dataset);
/// let all: Vec<String> = dataset.structures().map(|structure| paths.of(structure)).collect();
/// assert_eq!(all, ["HEAD/SOUR", "@I1@", "@I1@/NAME", "@I1@/SEX", "@I1@/NAME[2]", "NOTE", "NOTE[2]"]);
/// # Ok::<(), elf_model::ReadError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Paths {
    /// For each structure how many of its tag, or of its identifier, stand before it there.
    before: Vec<u32>,
}

impl Paths {
    /// The paths of that dataset.
    pub fn new(dataset: &Dataset) -> Paths {
        let mut before = vec![0; dataset.len()];
        let mut seen: HashMap<(u32, u32), u32> = HashMap::new();
        for structure in dataset.structures() {
            let data = structure.data();
            let above = if structure.is_metadata() && data.parent == NONE { NONE - 1 } else { data.parent };
            let count = seen.entry((above, data.tag)).or_default();
            if let Some(entry) = before.get_mut(structure.index()) {
                *entry = *count;
            }
            *count += 1;
        }
        let bearers: Vec<Structure<'_>> =
            dataset.bearers().iter().map(|&id| Structure { dataset, id }).collect();
        for alike in bearers.chunk_by(|one, other| one.xref() == other.xref()) {
            for (number, record) in (0..).zip(alike) {
                if let Some(entry) = before.get_mut(record.index()).filter(|_| is_named(*record)) {
                    *entry = number;
                }
            }
        }
        Paths { before }
    }

    /// The path of a structure of the dataset this was made of.
    pub fn of(&self, structure: Structure<'_>) -> String {
        let steps: Vec<Structure<'_>> = structure.ancestors().collect();
        let mut path = String::new();
        if structure.is_metadata() {
            path.push_str("HEAD");
        }
        for step in steps.into_iter().rev() {
            if !path.is_empty() {
                path.push('/');
            }
            match step.xref().filter(|_| is_named(step)) {
                Some(xref) => {
                    path.push('@');
                    path.push_str(xref);
                    path.push('@');
                }
                None => path.push_str(step.tag()),
            }
            let before = self.before.get(step.index()).copied().unwrap_or_default();
            if before > 0 {
                // Writing to a string cannot fail.
                let _ = write!(path, "[{}]", u64::from(before) + 1);
            }
        }
        path
    }
}

/// Whether it is a record with an identifier that a path can hold.
fn is_named(structure: Structure<'_>) -> bool {
    structure.data().parent == NONE && !structure.is_metadata() && structure.xref().is_some()
}
