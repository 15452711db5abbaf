//! Tests of the tags beneath types.

use super::*;

#[test]
fn rows_tell_the_same_of_a_tag_by_number_and_packed() {
    let schema = Schema::completed();
    let rows = schema.rows();
    assert!(rows.are_shared());
    for of in rows.sources() {
        let row = rows.row(of, schema).unwrap();
        for &(number, found) in row.by_number() {
            assert_eq!(row.of_packed(PackedText::of(schema.tag(number)).unwrap()), Some(found));
        }
        assert_eq!(row.of_packed(PackedText::of("@").unwrap()), None);
    }
}
