//! Converts columns, which count characters, to byte offsets.

/// Returns the byte offset of a column in a text whose first character is in `first_column`. 0 if
/// the column is before the text, the length of the text if it is after the end.
pub(crate) fn offset_of_column(text: &str, first_column: u64, column: u64) -> usize {
    text.char_indices()
        .enumerate()
        .find(|(index, _)| first_column.saturating_add(*index as u64) >= column)
        .map_or(text.len(), |(_, (offset, _))| offset)
}

#[cfg(test)]
mod tests {
    use super::offset_of_column;

    #[test]
    fn a_column_counts_characters() {
        let offsets = [1, 3, 4, 5, 6, u64::MAX].map(|column| offset_of_column("éa", 4, column));
        assert_eq!(offsets, [0, 0, 0, 2, 3, 3]);
    }
}
