//! Offsets and numbers of nodes as `u32`.

/// Narrows an offset in a text, or the number or the level of a node.
///
/// They fit: a longer text is [`TooLarge`](crate::TooLarge), each line takes a byte and makes one node, and
/// records that the rules insert take a pointer each.
#[inline]
pub(crate) fn to_u32(number: usize) -> u32 {
    debug_assert!(u32::try_from(number).is_ok(), "a text is shorter than 4 GiB");
    u32::try_from(number).unwrap_or(u32::MAX)
}
