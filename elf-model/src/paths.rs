//! Paths of structures, which people can read and `elf edit` accepts.

use crate::dataset::Dataset;
use crate::nodes::{NONE, to_u32};
use crate::structure::Structure;
use elf_tagged::path::push_step;
use hashbrown::HashMap;

/// The paths of the structures of a dataset, such as `@I1@/BIRT/DATE[2]`.
///
/// Steps are separated by `/`. The first step is the identifier of the record or, if it has none, its tag. For each
/// further level, a step with a tag follows. If several structures have the same tag or identifier, `[N]` selects the
/// N-th. Paths of the metadata start with `HEAD`. To find the structure again, parse the path as a
/// [`Path`](elf_tagged::path::Path) and pass it to [`Dataset::find`].
///
/// The paths are created in one pass over all structures.
///
/// ```
/// use elf_model::{Paths, ReadOptions, Rules};
///
/// let octets = b"0 HEAD\n1 SOUR X\n0 @I1@ INDI\n1 NAME A\n1 SEX F\n1 NAME B\n0 NOTE a\n0 NOTE b\n0 TRLR\n";
/// let dataset = elf_model::read(octets, &Rules::WILD, &ReadOptions::default(), &mut ())?;
/// let paths = Paths::new(&dataset);
/// let all: Vec<String> = dataset.structures().map(|structure| paths.path_of(structure)).collect();
/// assert_eq!(all, ["HEAD/SOUR", "@I1@", "@I1@/NAME[1]", "@I1@/SEX", "@I1@/NAME[2]", "NOTE[1]", "NOTE[2]"]);
/// assert_eq!(dataset.find(&all[4].parse()?)?[0].text(), "B");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Paths {
    numbers: Vec<Number>,
}

/// The number of a structure among its siblings with the same tag. For a record, it is the number among the records
/// with the same identifier.
#[derive(Clone, Copy, Debug, Default)]
struct Number {
    before: u32,
    count: u32,
}

impl Paths {
    /// Assigns numbers to the structures of a dataset.
    pub fn new(dataset: &Dataset) -> Paths {
        let mut numbers = vec![Number::default(); dataset.len()];
        let mut counts: HashMap<(u32, u32), u32> = HashMap::new();
        let key = |structure: Structure<'_>| {
            let data = structure.node();
            let above = if structure.is_metadata() && data.parent == NONE { NONE - 1 } else { data.parent };
            (above, data.tag)
        };
        for structure in dataset.structures() {
            let count = counts.entry(key(structure)).or_default();
            numbers[structure.index()].before = *count;
            *count += 1;
        }
        for structure in dataset.structures() {
            numbers[structure.index()].count = counts[&key(structure)];
        }
        let bearers: Vec<Structure<'_>> =
            dataset.structures_by_xref().iter().map(|&id| Structure { dataset, id }).collect();
        for alike in bearers.chunk_by(|one, other| one.xref() == other.xref()) {
            let count = to_u32(alike.len());
            for (before, record) in (0..).zip(alike).filter(|(_, record)| is_record_with_xref(**record)) {
                numbers[record.index()] = Number { before, count };
            }
        }
        Paths { numbers }
    }

    /// Returns the path of a structure.
    ///
    /// # Panics
    ///
    /// May panic if the structure belongs to another dataset.
    pub fn path_of(&self, structure: Structure<'_>) -> String {
        let steps: Vec<Structure<'_>> = structure.with_ancestors().collect();
        let mut path = String::new();
        if structure.is_metadata() {
            path.push_str("HEAD");
        }
        for step in steps.into_iter().rev() {
            let xref = step.xref().filter(|_| is_record_with_xref(step));
            let Number { before, count } = self.numbers[step.index()];
            push_step(&mut path, xref, step.tag(), before + 1, count);
        }
        path
    }
}

fn is_record_with_xref(structure: Structure<'_>) -> bool {
    structure.node().parent == NONE && !structure.is_metadata() && structure.xref().is_some()
}
