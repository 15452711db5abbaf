//! The types of the structures of a document, by node.

use crate::ids::TypeId;

/// A type for each node of a document. Types take two bytes each, until a type number needs more. The largest two-byte
/// number stands for no type.
#[derive(Clone, Debug)]
pub(crate) enum TypeColumn {
    Narrow(Vec<u16>),
    Wide(Vec<TypeId>),
}

/// The entry of a node without a type.
const UNTYPED: u16 = u16::MAX;

impl TypeColumn {
    /// Creates a column for `nodes` nodes without types.
    pub(crate) fn untyped(nodes: usize) -> TypeColumn {
        TypeColumn::Narrow(vec![UNTYPED; nodes])
    }

    /// Returns the type of a node; `None` if it has none, or if there is no such node.
    #[inline]
    pub(crate) fn get(&self, node: usize) -> Option<TypeId> {
        match self {
            TypeColumn::Narrow(types) => types.get(node).copied().and_then(type_of_entry),
            TypeColumn::Wide(types) => types.get(node).copied().filter(|&of| of != TypeId::NONE),
        }
    }

    /// Sets the type of a node, or removes it with [`TypeId::NONE`]. The node must be in the document of this column.
    #[inline]
    pub(crate) fn set(&mut self, node: usize, of: TypeId) {
        match self {
            TypeColumn::Narrow(types) => match u16::try_from(of.index()) {
                Ok(number) if number != UNTYPED => types[node] = number,
                Ok(_) | Err(_) => self.set_unusual(node, of),
            },
            TypeColumn::Wide(types) => types[node] = of,
        }
    }

    /// Removes a type, or sets one that is too large for two bytes.
    #[cold]
    fn set_unusual(&mut self, node: usize, of: TypeId) {
        if let TypeColumn::Narrow(types) = self {
            if of == TypeId::NONE {
                types[node] = UNTYPED;
                return;
            }
            let types = types.iter().map(|&number| type_of_entry(number).unwrap_or(TypeId::NONE));
            *self = TypeColumn::Wide(types.collect());
            self.set(node, of);
        }
    }

    /// Returns the nodes that have a type, with their types.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (usize, TypeId)> {
        let nodes = match self {
            TypeColumn::Narrow(types) => types.len(),
            TypeColumn::Wide(types) => types.len(),
        };
        (0..nodes).filter_map(|node| Some((node, self.get(node)?)))
    }
}

/// Returns the type in a two-byte entry.
#[inline]
fn type_of_entry(number: u16) -> Option<TypeId> {
    (number != UNTYPED).then(|| TypeId::of(number.into()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_come_back_whatever_their_numbers() {
        let mut column = TypeColumn::untyped(5);
        let mut expected = [None; 5];
        for (node, number) in [(0, 0), (3, 7), (4, 65_534), (1, 65_535), (4, 3), (2, 1 << 30)] {
            column.set(node, TypeId::of(number));
            expected[node] = Some(TypeId::of(number));
            assert_eq!(std::array::from_fn(|node| column.get(node)), expected);
            assert_eq!(
                matches!(column, TypeColumn::Wide(_)),
                node != 4 && number > 9 || expected[1].is_some()
            );
        }
        column.set(2, TypeId::NONE);
        let types: Vec<_> = column.iter().map(|(node, of)| (node, of.index())).collect();
        assert_eq!((column.get(2), types), (None, vec![(0, 0), (1, 65_535), (3, 7), (4, 3)]));
        let mut narrow = TypeColumn::untyped(1);
        narrow.set(0, TypeId::of(1));
        narrow.set(0, TypeId::NONE);
        assert!(narrow.get(0).is_none() && narrow.iter().next().is_none());
    }
}
