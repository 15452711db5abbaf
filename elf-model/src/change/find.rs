//! Finds structures by their paths in a dataset that is being changed.

use super::{DatasetMut, StructureId, StructureView, links};
use crate::find::{match_types, require_found};
use crate::nodes::NONE;
use elf_tagged::path::{FindError, Path, PathTree, find};
use std::borrow::Cow;
use std::collections::HashMap;

impl DatasetMut {
    /// Finds all structures to which a path refers, in document order. See [`Dataset::find`](crate::Dataset::find).
    ///
    /// # Errors
    ///
    /// Returns [`FindError::NotFound`] if there is no such structure.
    ///
    /// ```
    /// use elf_model::{ReadOptions, Rules};
    ///
    /// let octets = b"0 HEAD\n0 @I1@ INDI\n1 BIRT\n2 DATE 1815\n0 TRLR\n";
    /// let mut dataset = elf_model::read(octets, &Rules::WILD, &ReadOptions::default(), &mut ())?.into_mut();
    /// for date in dataset.find(&"@I1@/elf:IndividualEvent/DATE".parse()?)? {
    ///     dataset.set_text(date, "10 DEC 1815")?;
    /// }
    /// let dates = dataset.find(&"@I1@/BIRT/DATE[=10 DEC 1815]".parse()?)?;
    /// assert_eq!(dates.len(), 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn find(&self, path: &Path) -> Result<Vec<StructureId>, FindError> {
        let covered =
            if path.names_types() { match_types(&self.current_types(), path) } else { HashMap::new() };
        let found = find(&TreeInChange { dataset: self, covered }, path, &mut ())?;
        let structures = found.into_iter().filter(|&number| number != links::METADATA);
        require_found(structures.map(|number| self.id_of(number)).collect(), path)
    }
}

/// The tree in which the path finder searches. In it, the root of the metadata is the header.
struct TreeInChange<'d, 'p> {
    dataset: &'d DatasetMut,
    covered: HashMap<&'p str, Vec<bool>>,
}

impl<'d> TreeInChange<'d, '_> {
    fn view(&self, number: u32) -> Option<StructureView<'d>> {
        self.dataset.get(self.dataset.id_of(number))
    }
}

impl PathTree for TreeInChange<'_, '_> {
    type Structure = u32;

    fn visit(&self, above: Option<u32>, visit: &mut dyn FnMut(u32)) {
        if above.is_none() {
            visit(links::METADATA);
        }
        self.dataset.links.substructures(above.unwrap_or(links::DOCUMENT)).for_each(visit);
    }

    fn superstructure(&self, number: u32) -> Option<u32> {
        Some(self.dataset.links.superstructure(number))
            .filter(|&above| above != NONE && above != links::DOCUMENT)
    }

    fn tag(&self, number: u32) -> &str {
        self.view(number).map_or("HEAD", StructureView::tag)
    }

    fn xref(&self, number: u32) -> Option<&str> {
        self.view(number)?.xref()
    }

    fn value(&self, number: u32) -> Cow<'_, str> {
        let Some(view) = self.view(number) else { return "".into() };
        view.pointer().map_or_else(|| view.text().into(), |xref| format!("@{xref}@").into())
    }

    fn bearers(&self, xref: &str) -> Vec<u32> {
        let DatasetMut { xrefs, bearers, links, .. } = self.dataset;
        let Some(xref) = xrefs.find(xref) else { return Vec::new() };
        let found: Vec<u32> = bearers.range((xref, 0)..=(xref, NONE)).map(|&(_, bearer)| bearer).collect();
        if found.len() < 2 {
            return found;
        }
        // Structures with the same identifier are sorted by number. To sort them by place, all structures must be
        // visited, but this is rarely needed.
        let all = [links::METADATA, links::DOCUMENT].into_iter().flat_map(|root| links.subtree(root));
        all.map(|(number, _)| number).filter(|number| found.binary_search(number).is_ok()).collect()
    }

    fn is_of(&self, number: u32, name: &str) -> Option<bool> {
        let covered = self.covered.get(name)?;
        let structure_type = match number {
            links::METADATA => NONE,
            _ => self.dataset.node(number).structure_type,
        };
        Some(structure_type != NONE && covered[structure_type as usize])
    }
}
