//! The law of datasets.

use crate::{Input, has_faults};
use elf_base::codes;
use elf_model::{Dataset, DatasetTooLarge, LineBreak, ReadError, WriteOptions};
use elf_schema::{Diagnostic, ReadOptions, Rules};

/// Reads a file as a dataset, partial or not.
pub(crate) fn read(octets: &[u8], rules: &Rules) -> Result<Dataset, DatasetTooLarge> {
    match elf_model::read(octets, rules, &ReadOptions::default(), &mut ()) {
        Ok(dataset) => Ok(dataset),
        Err(ReadError::Partial(dataset)) => Ok(*dataset),
        Err(error) => panic!("a fuzzed input is small: {error}"),
    }
}

/// A dataset of a file without fault means the same as itself; any comes back from JSON as it was, and from
/// what is written of it by the rules it was read by, where nothing was lost and no type changes. A structure
/// under the trailer is no data, but a pointer may lead to it.
///
/// # Panics
///
/// If the law does not hold.
pub fn dataset(input: &Input<'_>) {
    let Ok(dataset) = read(input.octets, input.rules) else { return };
    // Of pointers to one of several records of the same name, some pairs are taken for others.
    if !has_faults(input) {
        assert!(dataset.means_the_same(&dataset), "by {}", input.rules.name);
    }
    let json = serde_json::to_string(&dataset).expect("a dataset is JSON");
    let again: Dataset = serde_json::from_str(&json).expect("it was one");
    assert!(again == dataset, "by {}: {json}", input.rules.name);
    let mut written = Vec::new();
    let mut losses: Vec<Diagnostic> = Vec::new();
    let options = WriteOptions::new().with_line_break(LineBreak::Lf).with_partial(true);
    let summary = elf_model::write(&dataset, &mut written, input.rules, &options, &mut losses);
    let is_retyped = losses.iter().any(|one| one.code == codes::TYPE_CHANGES);
    if summary.is_ok_and(|summary| summary.losses == 0) && !is_retyped && !trailer_holds_more(input) {
        let Ok(again) = read(&written, input.rules) else { return };
        let told = || String::from_utf8_lossy(&written).into_owned();
        let differences = dataset.differences(&again);
        assert!(differences.is_empty(), "by {}: {differences:?}\n{}", input.rules.name, told());
    }
}

/// Returns whether structures are under the trailer, or something in it.
fn trailer_holds_more(input: &Input<'_>) -> bool {
    let mut found: Vec<Diagnostic> = Vec::new();
    let read = elf_schema::read(input.octets, input.rules, &ReadOptions::default(), &mut found);
    read.is_ok() && found.iter().any(|one| one.code == codes::TRAILER_NOT_BARE)
}
