//! The types of a document's structures, by the indices of its nodes.

use crate::ids::TypeId;

/// A type for each node of a document: two octets each, as long as no number of a type needs more. The
/// greatest of two octets stands for no type, so a type of that number needs more.
#[derive(Clone, Debug)]
pub(crate) enum TypeColumn {
    Narrow(Vec<u16>),
    Wide(Vec<TypeId>),
}

/// The place of a node without a type.
const UNTYPED: u16 = u16::MAX;

impl TypeColumn {
    /// A column of so many nodes, of which none has a type yet.
    pub(crate) fn untyped(nodes: usize) -> TypeColumn {
        TypeColumn::Narrow(vec![UNTYPED; nodes])
    }

    /// The type of the node of an index; `None` where it has none, or there is no such node.
    #[inline]
    pub(crate) fn get(&self, node: usize) -> Option<TypeId> {
        match self {
            TypeColumn::Narrow(types) => types.get(node).copied().and_then(widen_number),
            TypeColumn::Wide(types) => types.get(node).copied().filter(|&of| of != TypeId::NONE),
        }
    }

    /// Gives the node of an index a type, or none: [`TypeId::NONE`]. The column has an entry for each node
    /// of its document.
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

    /// Gives a node of a narrow column a type that it has no place for, or none.
    #[cold]
    fn set_unusual(&mut self, node: usize, of: TypeId) {
        if let TypeColumn::Narrow(types) = self {
            if of == TypeId::NONE {
                types[node] = UNTYPED;
                return;
            }
            let types = types.iter().map(|&number| widen_number(number).unwrap_or(TypeId::NONE));
            *self = TypeColumn::Wide(types.collect());
            self.set(node, of);
        }
    }

    /// The types of all nodes that have one, with the indices of these.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (usize, TypeId)> {
        let nodes = match self {
            TypeColumn::Narrow(types) => types.len(),
            TypeColumn::Wide(types) => types.len(),
        };
        (0..nodes).filter_map(|node| Some((node, self.get(node)?)))
    }
}

/// The type that is in a narrow column.
#[inline]
fn widen_number(number: u16) -> Option<TypeId> {
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
