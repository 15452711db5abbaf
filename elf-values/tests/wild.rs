//! Dates that are in no grammar, as producers write them: `tests/requirements/dates-in-the-wild.tsv`.
#![allow(clippy::expect_used, reason = "a test fails by panicking")]

use elf_values::recover;

const WILD: &str = include_str!("../../tests/requirements/dates-in-the-wild.tsv");

#[test]
fn dates_in_the_wild_are_read_as_the_table_says() {
    let mut read = 0;
    for line in WILD.lines().skip(1) {
        let cells: Vec<&str> = line.split('\t').collect();
        let (id, forms, targets, is_safe) = (cells[0], cells[3], cells[5], cells[7].starts_with("yes"));
        let is_kept = ["keep", "move", "STAT"].iter().any(|word| targets.starts_with(word));
        let targets: Vec<&str> = if is_kept { Vec::new() } else { targets.split(" ; ").collect() };
        for (at, form) in forms.split(" ; ").enumerate() {
            // Of several forms the table may name the reading of the first alone.
            if at > 0 && targets.len() == 1 {
                assert!(recover(form).is_some(), "{id}: `{form}`");
                continue;
            }
            let target = targets.get(at).map(|target| target.split(" + ").next().unwrap_or(target));
            let found = recover(form);
            assert_eq!(found.as_ref().map(|found| found.text.as_str()), target, "{id}: `{form}` {found:?}");
            if let Some(found) = found {
                assert_eq!(found.is_safe, is_safe, "{id}: `{form}` {found:?}");
                read += 1;
            }
        }
    }
    assert!(read >= 35, "{read}");
}
