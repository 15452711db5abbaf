//! The result of a plan: the new file, and what was removed.

use crate::records::RemovalReason;
use elf_edit::{Context, PathFinder};
use elf_schema::elf_tagged::LinePlaces;
use elf_schema::elf_tagged::elf_octets::Patch;
use elf_schema::{Document, Node};
use std::borrow::Cow;

/// The result of a plan: the new file, and what was removed.
#[derive(Debug)]
#[non_exhaustive]
pub struct Extraction<'d> {
    /// The bytes of the new file.
    pub octets: Cow<'d, [u8]>,
    /// The changed lines, in order, by their numbers in the document that was read.
    pub patches: Vec<Patch>,
    /// The removed structures, in file order. Structures under a removed one are not listed.
    pub removed: Vec<Removal<'d>>,
    /// The texts and tags that contain the name of a hidden person, and the identifiers that contain a
    /// word of such a name, in file order. They are kept, unless the redaction is strict.
    pub mentions: Vec<Mention<'d>>,
    pub(crate) document: &'d Document<'d>,
}

/// A removed structure, with its substructures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Removal<'d> {
    /// The removed structure, in the document that was read.
    pub structure: Node<'d>,
    /// The reason for the removal.
    pub reason: RemovalReason,
}

/// A place that still contains the name of a hidden person.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Mention<'d> {
    /// The structure whose text or tag contains the name, or the record whose identifier contains a word of it.
    pub structure: Node<'d>,
    /// True if the name is in the identifier or the tag, so that the path would show it.
    pub is_in_path: bool,
}

/// The place of a structure in the document that was read.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct StructurePlace {
    /// The path, if the record has an identifier. `None` if the path would contain a name, and for
    /// structures deeper than [`Context::DEEPEST`].
    pub path: Option<String>,
    /// The line number of the structure.
    pub line: u64,
}

/// Finds the places of removed structures and of mentions.
#[derive(Debug)]
pub struct ExtractPlaces<'d> {
    lines: LinePlaces<'d>,
    paths: PathFinder<'d>,
}

impl<'d> Extraction<'d> {
    /// Creates a finder for the places of removed structures and mentions.
    pub fn places(&self) -> ExtractPlaces<'d> {
        ExtractPlaces { lines: self.document.line_places(), paths: PathFinder::of(self.document) }
    }

    /// Returns the number of structures that were removed from kept records.
    pub fn removed_from_kept(&self) -> u64 {
        let removed = self.removed.iter().filter(|removal| !removal.is_record());
        removed.map(Removal::structures).sum()
    }
}

impl Removal<'_> {
    /// Returns the number of removed structures, including those under this one.
    pub fn structures(&self) -> u64 {
        self.structure.subtree_lines().filter(|node| !node.is_continuation()).count() as u64
    }

    /// Returns whether a whole record was removed.
    pub fn is_record(&self) -> bool {
        self.structure.superstructure().is_none()
    }
}

impl ExtractPlaces<'_> {
    /// Returns the place of a removed structure.
    pub fn of_removal(&mut self, removal: &Removal<'_>) -> StructurePlace {
        self.place_of(removal.structure)
    }

    /// Returns the place of a mention.
    pub fn of_mention(&mut self, mention: &Mention<'_>) -> StructurePlace {
        match mention.is_in_path {
            true => StructurePlace { path: None, line: self.line_number_of(mention.structure) },
            false => self.place_of(mention.structure),
        }
    }

    fn place_of(&mut self, node: Node<'_>) -> StructurePlace {
        let steps = || node.with_ancestors().take(Context::DEEPEST + 1);
        let record = steps().last().filter(|_| steps().count() <= Context::DEEPEST);
        let is_named = record.is_some_and(|record| record.xref().is_some() || record.tag() == "HEAD");
        let path = is_named.then(|| self.paths.path_of(node.id()));
        StructurePlace { path, line: self.line_number_of(node) }
    }

    fn line_number_of(&mut self, node: Node<'_>) -> u64 {
        self.lines.place(node, node.line_span()).line
    }
}
