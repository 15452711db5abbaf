//! The law of redaction.

use crate::lineage::TODAY;
use crate::{Input, has_faults};
use elf_extract::{Branch, Generations, LivingRule, Plan, PlanError, Redaction, Replacement, Survey};
use elf_octets::{EncodingReason, Options, Source};
use elf_schema::{ReadOptions, Rules};
use std::collections::BTreeMap;

/// The living are taken out of any file, and all but one branch; where it had no fault and its encoding is no
/// guess, what is left is read again with no new finding.
///
/// # Panics
///
/// If the law does not hold.
pub fn redaction(input: &Input<'_>) {
    let rules = input.rules;
    let typed =
        elf_schema::read(input.octets, rules, &ReadOptions::default(), &mut ()).expect("a small file");
    let survey = || Survey::of(&typed);
    let replacement = Replacement::ALL[input.octets.len() % Replacement::ALL.len()];
    let redaction = Redaction::by(LivingRule::on(TODAY)).with_replacement(replacement);
    let mut plans = Vec::new();
    match Plan::redaction(survey(), &redaction) {
        Ok(plan) => plans.push(plan),
        Err(PlanError::UnclearHeader { .. }) => {}
        Err(error) => panic!("by {}: {error}", rules.name),
    }
    let first = survey().lineage().persons().find_map(|person| person.identifier());
    if let Some(first) = first {
        let branch = Branch::of([first]).with_ancestors(Generations::All).with_spouses(true);
        plans.extend(Plan::branch(survey(), &branch));
    }
    let before = findings(input.octets, rules);
    let is_clear = !has_faults(input) && !is_guess(input.octets, rules);
    for plan in plans {
        // The editor may refuse to remove a line.
        let Ok(extraction) = plan.extract() else { continue };
        let left = extraction.octets;
        for (code, count) in findings(&left, rules).into_iter().filter(|_| is_clear) {
            let known = before.get(code).copied().unwrap_or_default();
            let told = || String::from_utf8_lossy(&left).into_owned();
            assert!(count <= known, "by {}: {count} of {code}, {known} before\n{}", rules.name, told());
        }
    }
}

/// Returns whether the encoding of a file follows from octets that may go.
fn is_guess(octets: &[u8], rules: &Rules) -> bool {
    let source = Source::read(octets, rules, &Options::default(), &mut ()).expect("small");
    source.decision().because == EncodingReason::Content
}

/// The numbers of findings of each code.
fn findings(octets: &[u8], rules: &Rules) -> BTreeMap<&'static str, u64> {
    let mut counts = BTreeMap::new();
    let mut count = |finding: elf_base::Diagnostic| *counts.entry(finding.code.id()).or_default() += 1;
    elf_schema::read(octets, rules, &ReadOptions::default(), &mut count).expect("a small file");
    counts
}
