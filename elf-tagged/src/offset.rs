//! Conversion of offsets and node numbers to `u32`.

/// Converts an offset in a text, or the number or the level of a node, to 32 bits.
///
/// The number always fits. A longer text is [`TooLarge`](crate::TooLarge), each node takes at least one byte of a line,
/// and each inserted record needs a pointer.
#[inline]
pub(crate) fn to_u32(number: usize) -> u32 {
    debug_assert!(u32::try_from(number).is_ok(), "a text is shorter than 4 GiB");
    u32::try_from(number).unwrap_or(u32::MAX)
}
