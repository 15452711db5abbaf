//! Follows recommendations of the drafts for files that are written: groups substructures, and gives each record an
//! identifier.

use crate::arena::DatasetTooLarge;
use crate::dataset::Dataset;
use crate::nodes::{NONE, NodeData, Nodes, to_u32};
use crate::structure::{Structure, Substructures};
use hashbrown::{HashMap, HashSet};
use std::sync::OnceLock;

impl Dataset {
    /// Returns a copy in which substructures are grouped by tag, in the order in which the tags first occur (J19 §3.2;
    /// O17 §5.2). A SUBN record comes before all other records (O17 §3.1). The copy is equal to the dataset.
    ///
    /// ```
    /// use elf_model::{DatasetBuilder, Schema, Structure};
    ///
    /// let mut builder = DatasetBuilder::new(Schema::completed());
    /// builder.record("INDI").open("GRAD").close().open("BIRT").close().open("GRAD");
    /// let dataset = builder.finish()?;
    /// let grouped = dataset.with_grouped_substructures();
    /// let tags: Vec<_> = grouped.structures().map(Structure::tag).collect();
    /// assert_eq!(tags, ["INDI", "GRAD", "GRAD", "BIRT"]);
    /// assert!(grouped == dataset);
    /// # Ok::<(), elf_model::DatasetTooLarge>(())
    /// ```
    #[must_use]
    pub fn with_grouped_substructures(&self) -> Dataset {
        let mut nodes = Nodes::with_capacity(self.nodes.len());
        // The new index of each node; [`NONE`] until it is known.
        let mut moved = vec![NONE; self.nodes.len()];
        let mut waiting: Vec<Structure<'_>> = Vec::new();
        let mut records: Vec<Structure<'_>> = self.records().collect();
        records.sort_by_key(|record| record.tag() != "SUBN");
        waiting.extend(records.into_iter().rev());
        waiting.extend(group_by_tag(self.metadata()).into_iter().rev());
        while let Some(structure) = waiting.pop() {
            let mut node = structure.node();
            let id = to_u32(nodes.len());
            // The length of a subtree stays the same.
            node.next = id + (node.next - structure.id);
            if node.parent != NONE {
                node.parent = moved[node.parent as usize];
            }
            moved[structure.index()] = id;
            nodes.push(node);
            waiting.extend(group_by_tag(structure.substructures()).into_iter().rev());
        }
        Dataset { nodes, bearers: OnceLock::new(), ..self.clone() }
    }

    /// Returns a copy in which each record has an identifier (D19 *Pointer conversion*). A new identifier consists of
    /// the first letter of the tag and an unused number.
    ///
    /// # Errors
    ///
    /// Returns [`DatasetTooLarge`] if identifiers and payloads together are longer than 4 GiB.
    pub fn with_identifiers(&self) -> Result<Dataset, DatasetTooLarge> {
        let mut dataset = self.clone();
        dataset.bearers = OnceLock::new();
        let mut used: HashSet<String> =
            self.structures().filter_map(Structure::xref).map(str::to_owned).collect();
        let mut numbers: HashMap<char, u64> = HashMap::new();
        for record in self.records().filter(|record| record.xref().is_none()) {
            // An empty tag has no first letter.
            let letter = record.tag().chars().next().unwrap_or('X');
            let number = numbers.entry(letter).or_default();
            let xref = loop {
                *number += 1;
                let xref = format!("{letter}{number}");
                if used.insert(xref.clone()) {
                    break xref;
                }
            };
            let data = record.node();
            let start = checked_offset(dataset.text.len())?;
            dataset.text.push_str(&xref);
            let payload = checked_offset(dataset.text.len())?;
            dataset.text.push_str(record.raw_payload());
            let end = checked_offset(dataset.text.len())?;
            let moved = |at: u32| at - data.payload + payload;
            dataset.escapes.extend(record.escapes().iter().map(|&(from, to)| (moved(from), moved(to))));
            let place = |node: &mut NodeData| (node.start, node.payload, node.end) = (start, payload, end);
            dataset.nodes.update(record.id, place);
        }
        Ok(dataset)
    }
}

/// Groups structures by tag. The tags are in the order in which they first occur.
fn group_by_tag(structures: Substructures<'_>) -> Vec<Structure<'_>> {
    let mut places: HashMap<u32, usize> = HashMap::new();
    let mut all: Vec<(usize, Structure<'_>)> = structures
        .map(|structure| {
            let next = places.len();
            (*places.entry(structure.node().tag).or_insert(next), structure)
        })
        .collect();
    all.sort_by_key(|&(place, _)| place);
    all.into_iter().map(|(_, structure)| structure).collect()
}

fn checked_offset(at: usize) -> Result<u32, DatasetTooLarge> {
    u32::try_from(at).map_err(|_| DatasetTooLarge)
}
