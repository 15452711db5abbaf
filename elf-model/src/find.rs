//! Finds structures by their paths.

use crate::dataset::Dataset;
use crate::nodes::NONE;
use crate::structure::{Payload, Structure};
use crate::types::Types;
use elf_schema::Schema;
use elf_tagged::path::{FindError, Path, PathTree, Selector, find};
use std::borrow::Cow;
use std::collections::HashMap;

impl Dataset {
    /// Finds all structures to which a path refers, in document order. In a path, a type is written as its IRI, or with
    /// a prefix of the built-in schemas. Subtypes of the type are found too. The metadata is in `HEAD`, as in a file,
    /// but neither the header itself nor the trailer is a structure of a dataset.
    ///
    /// # Errors
    ///
    /// Returns [`FindError::NotFound`] if there is no such structure.
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
        let tree = Tree { dataset: self, covered: match_types(&self.types, path) };
        let found = find(&tree, path, &mut ())?;
        require_found(found.into_iter().filter_map(|place| tree.structure(place)).collect(), path)
    }
}

/// Finds the types of the dataset that match each type in the path. These are the type itself and its subtypes.
pub(crate) fn match_types<'p>(types: &Types, path: &'p Path) -> HashMap<&'p str, Vec<bool>> {
    let names = path.steps().iter().filter_map(|step| match &step.selector {
        Selector::Type(name) => Some(&**name),
        Selector::Tag(_) | Selector::Xref(_) | Selector::Labelled(..) => None,
    });
    names.map(|name| (name, types.find_subtypes(&Schema::completed().prefixes().expand(name)))).collect()
}

/// Returns the structures that were found. Returns an error if there are none.
pub(crate) fn require_found<S>(found: Vec<S>, path: &Path) -> Result<Vec<S>, FindError> {
    match found.is_empty() {
        true => Err(FindError::NotFound { path: path.to_string(), there: String::new() }),
        false => Ok(found),
    }
}

/// The tree in which the path finder searches.
struct Tree<'d, 'p> {
    dataset: &'d Dataset,
    covered: HashMap<&'p str, Vec<bool>>,
}

/// A node of the tree. The node is a structure, given by its index, or the header, which is not a structure of the
/// dataset.
#[derive(Clone, Copy, PartialEq)]
enum TreePlace {
    Header,
    Structure(u32),
}

impl<'d> Tree<'d, '_> {
    fn structure(&self, place: TreePlace) -> Option<Structure<'d>> {
        match place {
            TreePlace::Header => None,
            TreePlace::Structure(id) => self.dataset.structure(id as usize),
        }
    }
}

impl PathTree for Tree<'_, '_> {
    type Structure = TreePlace;

    fn visit(&self, above: Option<TreePlace>, visit: &mut dyn FnMut(TreePlace)) {
        let below = match above {
            None => {
                visit(TreePlace::Header);
                self.dataset.records()
            }
            Some(TreePlace::Header) => self.dataset.metadata(),
            Some(TreePlace::Structure(id)) => match self.dataset.structure(id as usize) {
                Some(structure) => structure.substructures(),
                None => return,
            },
        };
        below.for_each(|structure| visit(TreePlace::Structure(structure.id)));
    }

    fn superstructure(&self, place: TreePlace) -> Option<TreePlace> {
        let structure = self.structure(place)?;
        match structure.node().parent {
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
        self.dataset.structures_with_xref(xref).map(|bearer| TreePlace::Structure(bearer.id)).collect()
    }

    fn is_of(&self, place: TreePlace, name: &str) -> Option<bool> {
        let covered = self.covered.get(name)?;
        Some(self.structure(place).is_some_and(|structure| structure.has_type_in(covered)))
    }
}
