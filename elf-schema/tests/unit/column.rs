//! Columns of types, narrow and wide.

use super::*;

#[test]
fn types_come_back_whatever_their_numbers() {
    let mut column = TypeColumn::untyped(5);
    let mut expected = [None; 5];
    for (node, number) in [(0, 0), (3, 7), (4, 65_534), (1, 65_535), (4, 3), (2, 1 << 30), (5, 9)] {
        column.set(node, TypeId::of(number));
        expected.get_mut(node).into_iter().for_each(|of| *of = Some(TypeId::of(number)));
        assert_eq!(std::array::from_fn(|node| column.get(node)), expected);
        assert_eq!(matches!(column, TypeColumn::Wide(_)), node != 4 && number > 9 || expected[1].is_some());
    }
    column.set(2, TypeId::NONE);
    let types: Vec<_> = column.iter().map(|(node, of)| (node, of.index())).collect();
    assert_eq!((column.get(2), types), (None, vec![(0, 0), (1, 65_535), (3, 7), (4, 3)]));
    let mut narrow = TypeColumn::untyped(1);
    narrow.set(0, TypeId::of(1));
    narrow.set(0, TypeId::NONE);
    assert!(narrow.get(0).is_none() && narrow.iter().next().is_none());
}
