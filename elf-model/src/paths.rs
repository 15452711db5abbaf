//! Places of structures, as paths that a person can read and `elf edit` takes.

use crate::dataset::Dataset;
use crate::nodes::NONE;
use crate::structure::Structure;
use elf_tagged::path::push_step;
use hashbrown::HashMap;

/// The paths of the structures of a dataset, such as `@I1@/BIRT/DATE[2]`.
///
/// Steps are parted by `/`: the identifier of the record or, where it has none, its tag, then a tag for each
/// level. Where there are several of a tag, or of an identifier, `[N]` says that it is the N-th. A structure
/// of the metadata stands in `HEAD`. Read as a [`Path`](elf_tagged::path::Path), it leads
/// [`Dataset::find`] back to the structure.
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
/// assert_eq!(all, ["HEAD/SOUR", "@I1@", "@I1@/NAME[1]", "@I1@/SEX", "@I1@/NAME[2]", "NOTE[1]", "NOTE[2]"]);
/// assert_eq!(dataset.find(&all[4].parse()?)?[0].text(), "B");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Paths {
    /// The position of each structure, from 0, among those of its tag or of its identifier that stand there,
    /// and their number.
    numbers: Vec<(u32, u32)>,
}

impl Paths {
    /// The paths of that dataset.
    pub fn new(dataset: &Dataset) -> Paths {
        let mut numbers = vec![(0, 0); dataset.len()];
        let mut seen: HashMap<(u32, u32), u32> = HashMap::new();
        let key = |structure: Structure<'_>| {
            let data = structure.data();
            let above = if structure.is_metadata() && data.parent == NONE { NONE - 1 } else { data.parent };
            (above, data.tag)
        };
        for structure in dataset.structures() {
            let count = seen.entry(key(structure)).or_default();
            if let Some(entry) = numbers.get_mut(structure.index()) {
                entry.0 = *count;
            }
            *count += 1;
        }
        for structure in dataset.structures() {
            if let Some(entry) = numbers.get_mut(structure.index()) {
                entry.1 = seen.get(&key(structure)).copied().unwrap_or_default();
            }
        }
        let bearers: Vec<Structure<'_>> =
            dataset.bearers().iter().map(|&id| Structure { dataset, id }).collect();
        for alike in bearers.chunk_by(|one, other| one.xref() == other.xref()) {
            let count = u32::try_from(alike.len()).unwrap_or(NONE);
            for (number, record) in (0..).zip(alike) {
                if let Some(entry) = numbers.get_mut(record.index()).filter(|_| is_named(*record)) {
                    *entry = (number, count);
                }
            }
        }
        Paths { numbers }
    }

    /// The paths of a part of a dataset, whose records have these numbers in the whole: how many come before
    /// it, and how many there are, of its identifier or, where it has none, of its tag.
    pub(crate) fn with_numbers(mut self, part: &Dataset, records: &[(u32, u32)]) -> Paths {
        for (record, numbers) in part.records().zip(records) {
            if let Some(entry) = self.numbers.get_mut(record.index()) {
                *entry = *numbers;
            }
        }
        self
    }

    /// The path of a structure of the dataset this was made of.
    pub fn of(&self, structure: Structure<'_>) -> String {
        let steps: Vec<Structure<'_>> = structure.ancestors().collect();
        let mut path = String::new();
        if structure.is_metadata() {
            path.push_str("HEAD");
        }
        for step in steps.into_iter().rev() {
            let xref = step.xref().filter(|_| is_named(step));
            let (before, count) = self.numbers.get(step.index()).copied().unwrap_or_default();
            push_step(&mut path, xref, step.tag(), before.saturating_add(1), count);
        }
        path
    }
}

/// Tells whether a structure is a record with an identifier that a path can hold.
fn is_named(structure: Structure<'_>) -> bool {
    structure.data().parent == NONE && !structure.is_metadata() && structure.xref().is_some()
}
