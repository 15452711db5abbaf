//! The law of comparisons.

use crate::Input;
use elf_model::{Dataset, ReadError, ReadOptions, Rules, keep_common_data};

/// For two files, separated by a NUL byte: if there are differences in one direction, there are differences in
/// the other. A file does not differ from itself.
///
/// # Panics
///
/// If the law does not hold.
pub fn comparison(input: &Input<'_>) {
    let mut halves = input.octets.splitn(2, |octet| *octet == 0);
    let one = halves.next().unwrap_or_default();
    let other = halves.next().unwrap_or(one);
    let rules = [input.rules, input.to];
    let [one, two] = [read(one, rules[0]), read(other, rules[1])];
    let there = count([&one, &two], rules);
    let back = count([&two, &one], [rules[1], rules[0]]);
    assert_eq!(there == 0, back == 0, "{} and {}", rules[0].name, rules[1].name);
    for (dataset, rules) in [one, two].iter().zip(rules) {
        assert_eq!(count([dataset, dataset], [rules; 2]), 0, "by {}", rules.name);
    }
}

fn read(octets: &[u8], rules: &Rules) -> Dataset {
    match elf_model::read(octets, rules, &ReadOptions::default(), &mut ()) {
        Ok(dataset) => dataset,
        Err(ReadError::Partial(dataset)) => *dataset,
        Err(error) => unreachable!("a fuzzed input is small: {error}"),
    }
}

fn count(datasets: [&Dataset; 2], rules: [&Rules; 2]) -> usize {
    let [one, two] = keep_common_data(datasets.map(Dataset::clone), rules);
    one.differences(&two).len()
}
