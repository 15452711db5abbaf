//! The numbers of structure types.

use petgraph::graph::NodeIndex;

/// The number of a structure type. It is only valid within one schema and the documents typed with it.
///
/// Types that a schema names come first, in the order in which it names them; undefined tag identifiers of a document
/// follow.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TypeId(pub(crate) u32);

impl TypeId {
    /// `elf:Document`: the superstructure of records.
    pub const DOCUMENT: TypeId = TypeId(0);
    /// `elf:Metadata`: the superstructure of the structures in the header.
    pub const METADATA: TypeId = TypeId(1);
    /// `elf:Undefined`: undefined structures with the tag UNDEF.
    pub const UNDEFINED: TypeId = TypeId(2);
    pub(crate) const NONE: TypeId = TypeId(u32::MAX);

    /// Returns the number, from 0.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Returns the type with this number. It fits into 32 bits, because each type has a name in a text.
    #[allow(clippy::cast_possible_truncation, reason = "a schema is read from texts of less than 2^32 bytes")]
    pub(crate) const fn of(index: usize) -> TypeId {
        TypeId(index as u32)
    }

    pub(crate) fn node(self) -> NodeIndex<u32> {
        NodeIndex::new(self.index())
    }
}
