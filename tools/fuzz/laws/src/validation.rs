//! The law of validation.

use crate::{Input, runs_of, said};
use elf_schema::{Diagnostic, ReadOptions};
use elf_validate::{Against, Standard, Validator, validate};

/// A document that is held against a standard in runs has the findings of the whole, and each of them has a
/// place in the file.
///
/// # Panics
///
/// If the law does not hold.
pub fn validation(input: &Input<'_>) {
    let standard = Standard::ALL[input.octets.len() % Standard::ALL.len()];
    let against = Against { standard, is_named: input.octets.len() % 8 < 4 };
    let typed = elf_schema::read(input.octets, input.rules, &ReadOptions::default(), &mut ());
    let typed = typed.expect("a fuzzed input is small");
    let mut found: Vec<Diagnostic> = Vec::new();
    validate(&typed, against, &mut found);
    for finding in &found {
        let place = finding.place.unwrap_or_else(|| panic!("{finding:?} is nowhere"));
        assert!(place.octet <= input.octets.len() as u64, "{finding:?}");
    }
    for size in [1, 60] {
        let (mut started, mut in_runs): (_, Vec<Diagnostic>) = (None, Vec::new());
        runs_of(input, size, |run| {
            let (validator, links) = started.get_or_insert_with(|| {
                let validator = Validator::new(against, run.schema());
                let links = validator.links();
                (validator, links)
            });
            links.add(validator.validate_run(run, &mut in_runs));
        });
        if let Some((_, links)) = started {
            links.finish(&mut in_runs);
        }
        assert_eq!(said(&in_runs), said(&found), "by {} against {standard:?}", input.rules.name);
    }
}
