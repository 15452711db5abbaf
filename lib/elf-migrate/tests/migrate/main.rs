//! Documents of GEDCOM 5.5.1 as ones of GEDCOM 7.0, and back.

mod crowds;
mod dictionary;
mod generated;
mod kinship;
mod laws;
mod left_out;
mod pairs;
mod table;
mod unreported;
mod vectors;

use elf_migrate::{Target, migrated};
use elf_model::{Dataset, ReadError, ReadOptions, Rules, Schema};
use elf_schema::{Diagnostic, Reader};
use std::sync::Arc;

/// Migrates a file that is read under the rules `wild`.
#[allow(clippy::expect_used, reason = "a test that cannot go on fails")]
fn to(target: Target, octets: &[u8], found: &mut Vec<Diagnostic>) -> Vec<u8> {
    let reader = || Reader::new(octets, &Rules::WILD, ReadOptions::default());
    migrated(reader, target, found).expect("it is small").octets
}

fn read(octets: &[u8]) -> Dataset {
    let options = ReadOptions::default().with_common(Some(Arc::clone(Schema::completed())));
    match elf_model::read(octets, &Rules::WILD, &options, &mut ()) {
        Ok(dataset) => dataset,
        Err(ReadError::Partial(dataset)) => *dataset,
        Err(error) => unreachable!("{error}"),
    }
}
