//! The law of lineage.

use crate::{Input, runs_of, said};
use elf_lineage::{Lineage, LineageBuilder, LineageReader, QuestionOptions, TiesFollowed};
use elf_schema::{Diagnostic, ReadOptions};

/// The Julian day number of 23 November 2026.
pub(crate) const TODAY: i64 = 2_461_368;

/// A graph that is made of runs has the persons and families of the whole, and the same is asked of both;
/// walks along it end.
///
/// # Panics
///
/// If the law does not hold.
pub fn lineage(input: &Input<'_>) {
    let typed = elf_schema::read(input.octets, input.rules, &ReadOptions::default(), &mut ());
    let whole = Lineage::of(&typed.expect("a fuzzed input is small"));
    let asked = |lineage: &Lineage| {
        let mut found: Vec<Diagnostic> = Vec::new();
        lineage.questions(&QuestionOptions::on(TODAY).with_unlikely(true), &mut found);
        said(&found)
    };
    for person in whole.persons().take(20) {
        let _ = (person.ancestors(TiesFollowed::All).count(), person.descendants(TiesFollowed::All).count());
    }
    let (mut reader, mut builder) = (None, LineageBuilder::default());
    runs_of(input, 40, |run| {
        let reader = reader.get_or_insert_with(|| LineageReader::new(run.schema()));
        builder.take(reader.read(run));
    });
    let made = builder.build();
    let numbers = |of: &Lineage| (of.person_count(), of.family_count(), of.event_count());
    assert_eq!(numbers(&made), numbers(&whole), "by {}", input.rules.name);
    assert_eq!(asked(&made), asked(&whole), "by {}", input.rules.name);
}
