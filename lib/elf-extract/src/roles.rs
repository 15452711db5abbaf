//! Finds the roles of structures: person, family, name, sex and so on.

use elf_lineage::{is_notice_of_privacy, restriction_tags, restricts_readers};
use elf_schema::{Counterpart, Counterparts, Document, Node, Role, TypedDocument};
use std::collections::HashSet;

/// Finds the roles of structures in a typed document.
#[derive(Debug)]
pub(crate) struct RoleFinder<'d> {
    typed: &'d TypedDocument<'d>,
    counterparts: Counterparts,
    /// The tags of restriction notices other than RESN.
    restriction_tags: HashSet<&'d str>,
}

impl<'d> RoleFinder<'d> {
    pub(crate) fn of(typed: &'d TypedDocument<'d>) -> RoleFinder<'d> {
        RoleFinder {
            typed,
            counterparts: Counterparts::of(typed.schema()),
            restriction_tags: restriction_tags(typed),
        }
    }

    /// Returns whether a direct substructure says that the structure is private or confidential, or
    /// that somebody is living.
    pub(crate) fn is_private(&self, node: Node<'_>) -> bool {
        node.substructures().any(|below| is_notice_of_privacy(below) || self.is_restriction(below))
    }

    /// Returns the tags of restriction notices other than RESN.
    pub(crate) fn restriction_tags(&self) -> impl Iterator<Item = &'d str> {
        self.restriction_tags.iter().copied()
    }

    /// Returns whether a structure is a restriction notice with a tag other than RESN.
    fn is_restriction(&self, node: Node<'_>) -> bool {
        self.restriction_tags.contains(node.tag()) && restricts_readers(&node.text())
    }

    pub(crate) const fn document(&self) -> &'d Document<'d> {
        self.typed.document()
    }

    pub(crate) fn counterpart_of_record(&self, record: Node<'_>) -> Counterpart {
        self.counterpart_under(Counterpart::DOCUMENT, record)
    }

    /// Returns the role of a substructure. `of_record` is the counterpart of its record.
    pub(crate) fn role(&self, of_record: Counterpart, node: Node<'_>) -> Option<Role> {
        self.counterpart_under(of_record, node).role()
    }

    pub(crate) fn type_of(&self, node: Node<'_>) -> Option<&'d str> {
        self.typed.type_of(node)
    }

    fn counterpart_under(&self, above: Counterpart, node: Node<'_>) -> Counterpart {
        self.counterparts.find(above, node.tag(), self.typed.type_id(node), || self.typed.type_of(node))
    }
}
