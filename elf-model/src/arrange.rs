//! Advice of the drafts to writers, which no reader minds: side by side what belongs together, a name for
//! each record.

use crate::arena::DatasetTooLarge;
use crate::dataset::Dataset;
use crate::nodes::{NONE, NodeData, Nodes};
use crate::structure::{Structure, Substructures};
use hashbrown::{HashMap, HashSet};
use std::sync::OnceLock;

impl Dataset {
    /// Puts substructures of one tag side by side, in the order in which the tags first stand there (J19
    /// §3.2; O17 §5.2), and a SUBN record before all others (O17 §3.1). The result is equal to the dataset.
    ///
    /// ```
    /// use elf_model::{DatasetBuilder, Schema, Structure};
    ///
    /// let mut builder = DatasetBuilder::new(Schema::completed());
    /// builder.record("INDI").open("GRAD").close().open("BIRT").close().open("GRAD");
    /// let dataset = builder.finish()?;
    /// let arranged = dataset.arranged();
    /// let tags: Vec<_> = arranged.structures().map(Structure::tag).collect();
    /// assert_eq!(tags, ["INDI", "GRAD", "GRAD", "BIRT"]);
    /// assert!(arranged == dataset);
    /// # Ok::<(), elf_model::DatasetTooLarge>(())
    /// ```
    #[must_use]
    pub fn arranged(&self) -> Dataset {
        let mut nodes = Nodes::with_room(self.nodes.len());
        let mut place = vec![NONE; self.nodes.len()];
        let mut waiting: Vec<Structure<'_>> = Vec::new();
        let mut records: Vec<Structure<'_>> = self.records().collect();
        records.sort_by_key(|record| record.tag() != "SUBN");
        waiting.extend(records.into_iter().rev());
        waiting.extend(by_tag(self.metadata()).into_iter().rev());
        while let Some(structure) = waiting.pop() {
            let mut node = structure.data();
            let id = u32::try_from(nodes.len()).unwrap_or(NONE);
            // A subtree is as long as it was.
            node.next = id + (node.next - structure.id);
            node.parent = place.get(node.parent as usize).copied().unwrap_or(NONE);
            if let Some(entry) = place.get_mut(structure.index()) {
                *entry = id;
            }
            nodes.push(node);
            waiting.extend(by_tag(structure.substructures()).into_iter().rev());
        }
        Dataset { nodes, bearers: OnceLock::new(), ..self.clone() }
    }

    /// Gives an identifier to each record that has none (D19 *Pointer conversion*): the first letter of its
    /// tag and a number that no other has. The result means the same as the dataset.
    ///
    /// # Errors
    ///
    /// [`DatasetTooLarge`] where identifiers and payloads together are longer than 4 GiB.
    pub fn identified(&self) -> Result<Dataset, DatasetTooLarge> {
        let mut dataset = self.clone();
        dataset.bearers = OnceLock::new();
        let mut borne: HashSet<String> =
            self.structures().filter_map(Structure::xref).map(str::to_owned).collect();
        let mut numbers: HashMap<char, u64> = HashMap::new();
        for record in self.records().filter(|record| record.xref().is_none()) {
            let letter = record.tag().chars().next().unwrap_or('X');
            let number = numbers.entry(letter).or_default();
            let xref = loop {
                *number += 1;
                let xref = format!("{letter}{number}");
                if borne.insert(xref.clone()) {
                    break xref;
                }
            };
            let data = record.data();
            let start = offset(dataset.text.len())?;
            dataset.text.push_str(&xref);
            let payload = offset(dataset.text.len())?;
            dataset.text.push_str(record.raw());
            let end = offset(dataset.text.len())?;
            let moved = |at: u32| at - data.payload + payload;
            dataset.escapes.extend(record.escapes().iter().map(|&(from, to)| (moved(from), moved(to))));
            let place = |node: &mut NodeData| (node.start, node.payload, node.end) = (start, payload, end);
            dataset.nodes.update(record.id, place);
        }
        Ok(dataset)
    }
}

/// Structures by their tags, these in the order in which they first stand there.
fn by_tag(structures: Substructures<'_>) -> Vec<Structure<'_>> {
    let mut places: HashMap<u32, usize> = HashMap::new();
    let mut all: Vec<(usize, Structure<'_>)> = structures
        .map(|structure| {
            let next = places.len();
            (*places.entry(structure.data().tag).or_insert(next), structure)
        })
        .collect();
    all.sort_by_key(|&(place, _)| place);
    all.into_iter().map(|(_, structure)| structure).collect()
}

fn offset(at: usize) -> Result<u32, DatasetTooLarge> {
    u32::try_from(at).map_err(|_| DatasetTooLarge)
}
