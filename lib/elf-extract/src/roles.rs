//! The roles of structures: person, family, name, sex and so on.

use elf_schema::{Counterpart, Counterparts, Document, Node, Role, TypedDocument};

/// A typed document, with the roles that its types have.
#[derive(Debug)]
pub(crate) struct RoleFinder<'d> {
    typed: &'d TypedDocument<'d>,
    counterparts: Counterparts,
}

impl<'d> RoleFinder<'d> {
    pub(crate) fn of(typed: &'d TypedDocument<'d>) -> RoleFinder<'d> {
        RoleFinder { typed, counterparts: Counterparts::of(typed.schema()) }
    }

    pub(crate) const fn document(&self) -> &'d Document<'d> {
        self.typed.document()
    }

    pub(crate) fn of_record(&self, record: Node<'_>) -> Counterpart {
        self.counterpart(Counterpart::DOCUMENT, record)
    }

    /// The role of a substructure of a record with that counterpart.
    pub(crate) fn role(&self, of_record: Counterpart, node: Node<'_>) -> Option<Role> {
        self.counterpart(of_record, node).role()
    }

    pub(crate) fn type_of(&self, node: Node<'_>) -> Option<&'d str> {
        self.typed.type_of(node)
    }

    fn counterpart(&self, above: Counterpart, node: Node<'_>) -> Counterpart {
        self.counterparts.find(above, node.tag(), self.typed.type_id(node), || self.typed.type_of(node))
    }
}
