//! The law of comparisons.

use crate::Input;
use elf_model::elf_schema::{self, ReadOptions, TypedDocument};
use elf_model::{Common, Comparison, Dataset};

/// Two files, parted by an octet 0, differ by their sketches as they do by their datasets; a file does not
/// differ from itself, and what is only in one of two is only in the other one turned round.
///
/// # Panics
///
/// If the law does not hold.
pub fn comparison(input: &Input<'_>) {
    let mut halves = input.octets.splitn(2, |octet| *octet == 0);
    let one = halves.next().unwrap_or_default();
    let other = halves.next().unwrap_or(one);
    let documents = [(one, input.rules), (other, input.to)].map(|(octets, rules)| {
        elf_schema::read(octets, rules, &ReadOptions::default(), &mut ()).expect("a fuzzed input is small")
    });
    let common = Common::of([input.rules, input.to]);
    let there = count([&documents[0], &documents[1]], common);
    let back = count([&documents[1], &documents[0]], Common::of([input.to, input.rules]));
    assert_eq!(there == 0, back == 0, "{} and {}", input.rules.name, input.to.name);
    for (document, rules) in documents.iter().zip([input.rules, input.to]) {
        assert_eq!(count([document, document], Common::of([rules; 2])), 0, "by {}", rules.name);
    }
}

/// The number of differences, which is the same in both ways of finding them.
fn count(documents: [&TypedDocument<'_>; 2], common: Common) -> usize {
    let comparison = Comparison::new(documents, common);
    let compared = comparison.finish(comparison.sketch(), comparison.sketch());
    let datasets = documents.map(Dataset::from_document);
    let (Ok(compared), [Ok(one), Ok(two)]) = (compared, datasets) else { return 0 };
    let [one, two] = common.reduce([&one, &two]);
    let count = compared.differences().len();
    assert_eq!(count, one.differences(&two).len(), "by sketches and by datasets");
    count
}
