//! The law of migration.

use crate::{Input, has_faults};
use elf_migrate::{Target, migrated, reading_rules};
use elf_schema::{Diagnostic, ReadOptions, Reader, Rules};

/// A file that is migrated to GEDCOM 7.0 or back comes out the same whatever its runs are; it is read to
/// its end by the rules it was written for, without a fault where it had none.
///
/// # Panics
///
/// If the law does not hold.
pub fn migration(input: &Input<'_>) {
    let target = if input.octets.len() % 2 == 0 { Target::Gedcom70 } else { Target::Gedcom551 };
    let reading = reading_rules(input.rules);
    let made = |size| {
        let reader = || Reader::new(input.octets, &reading, ReadOptions::default()).with_run_size(size);
        migrated(reader, target, &mut ()).expect("octets in memory")
    };
    let (whole, in_runs) = (made(1 << 20), made(30));
    let told = || String::from_utf8_lossy(&whole.octets).into_owned();
    assert!(whole.octets == in_runs.octets, "{}\n{}", told(), String::from_utf8_lossy(&in_runs.octets));
    let rules: &Rules = target.rules();
    let mut found: Vec<Diagnostic> = Vec::new();
    let read = elf_schema::read(&whole.octets, rules, &ReadOptions::default(), &mut found);
    assert!(read.expect("it is hardly longer").document().is_complete());
    found.retain(|finding| finding.class.is_error());
    assert!(found.is_empty() || has_faults(input), "by {}: {found:?}\n{}", input.rules.name, told());
}
