//! Paths followed in a dataset.

use crate::dataset::{Dataset, NONE};
use crate::structure::{Payload, Structure};
use elf_schema::Schema;
use elf_tagged::path::{FindError, Path, PathTree, Types, find};
use std::borrow::Cow;
use std::collections::HashMap;

impl Dataset {
    /// Finds all structures that a path names, in document order. The types that it names are those of the
    /// dataset, given by IRI or with the prefixes of the built-in schemas; subtypes are included. The
    /// metadata stands in `HEAD`, as in the file, but neither the header itself nor the trailer is a
    /// structure of a dataset.
    ///
    /// # Errors
    ///
    /// [`FindError::NotFound`] where there is none.
    ///
    /// ```
    /// use elf_model::{ReadOptions, Rules};
    ///
    /// let octets = b"0 HEAD\n1 SOUR X\n0 @I1@ INDI\n1 NAME A\n1 NAME B\n0 TRLR\n";
    /// let dataset = elf_model::read(octets, &Rules::WILD, &ReadOptions::default(), &mut ())?;
    /// let names = dataset.find(&"elf:INDIVIDUAL_RECORD/NAME".parse()?)?;
    /// assert_eq!(names.iter().map(|name| name.text()).collect::<Vec<_>>(), ["A", "B"]);
    /// assert_eq!(dataset.find(&"HEAD/SOUR".parse()?)?[0].text(), "X");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn find(&self, path: &Path) -> Result<Vec<Structure<'_>>, FindError> {
        let found = match path.names_types() {
            true => find(&Tree(self), path, &mut TypesByTags::of(self))?,
            false => find(&Tree(self), path, &mut ())?,
        };
        let structures: Vec<Structure<'_>> =
            found.into_iter().filter_map(|place| Tree(self).structure(place)).collect();
        match structures.is_empty() {
            // The header alone, which is none.
            true => Err(FindError::NotFound { path: path.to_string(), there: String::new() }),
            false => Ok(structures),
        }
    }
}

/// A dataset as a tree in which paths are followed.
struct Tree<'d>(&'d Dataset);

/// A place in the tree: the header, which is no structure of the dataset, or a structure by its index.
#[derive(Clone, Copy, PartialEq)]
enum TreePlace {
    Header,
    Structure(u32),
}

impl<'d> Tree<'d> {
    fn structure(&self, place: TreePlace) -> Option<Structure<'d>> {
        match place {
            TreePlace::Header => None,
            TreePlace::Structure(id) => self.0.structure(id as usize),
        }
    }
}

impl PathTree for Tree<'_> {
    type Structure = TreePlace;

    fn visit(&self, above: Option<TreePlace>, visit: &mut dyn FnMut(TreePlace)) {
        let below = match above {
            None => {
                visit(TreePlace::Header);
                self.0.records()
            }
            Some(TreePlace::Header) => self.0.metadata(),
            Some(TreePlace::Structure(id)) => match self.0.structure(id as usize) {
                Some(structure) => structure.substructures(),
                None => return,
            },
        };
        below.for_each(|structure| visit(TreePlace::Structure(structure.id)));
    }

    fn superstructure(&self, place: TreePlace) -> Option<TreePlace> {
        let structure = self.structure(place)?;
        match structure.data().parent {
            NONE if structure.is_metadata() => Some(TreePlace::Header),
            NONE => None,
            above => Some(TreePlace::Structure(above)),
        }
    }

    fn tag(&self, place: TreePlace) -> &str {
        self.structure(place).map_or("HEAD", Structure::tag)
    }

    fn xref(&self, place: TreePlace) -> Option<&str> {
        self.structure(place)?.xref()
    }

    fn value(&self, place: TreePlace) -> Cow<'_, str> {
        match self.structure(place).map_or(Payload::None, Structure::payload) {
            Payload::None => "".into(),
            Payload::Pointer(id) => format!("@{id}@").into(),
            Payload::Literal(literal) => literal.text.into(),
        }
    }

    fn bearers(&self, xref: &str) -> Vec<TreePlace> {
        self.0.bearers_of(xref).map(|bearer| TreePlace::Structure(bearer.id)).collect()
    }
}

/// The types that the structures of a dataset have, by the tags from their records down.
struct TypesByTags<'d> {
    dataset: &'d Dataset,
    by_tags: HashMap<Vec<&'d str>, u32>,
    /// For each name met, which types it covers.
    covered: HashMap<String, Vec<bool>>,
}

impl<'d> TypesByTags<'d> {
    fn of(dataset: &'d Dataset) -> TypesByTags<'d> {
        let mut by_tags = HashMap::new();
        for structure in dataset.structures() {
            let mut tags: Vec<&str> = structure.ancestors().map(Structure::tag).collect();
            tags.extend(structure.is_metadata().then_some("HEAD"));
            tags.reverse();
            by_tags.entry(tags).or_insert(structure.data().structure_type);
        }
        TypesByTags { dataset, by_tags, covered: HashMap::new() }
    }
}

impl Types for TypesByTags<'_> {
    fn is_of(&mut self, tags: &[&str], name: &str) -> bool {
        let Some(&of) = self.by_tags.get(tags) else { return false };
        let types = &self.dataset.types;
        let covered = self.covered.entry(name.to_owned()).or_insert_with(|| {
            let iri = Schema::completed().prefixes().expand(name);
            types.subtypes(&iri)
        });
        covered.get(of as usize).copied().unwrap_or_default()
    }

    fn tag_for(&mut self, _: &[&str], _: &str) -> Option<String> {
        None
    }
}
