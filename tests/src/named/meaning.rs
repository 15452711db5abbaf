//! Named tests about what carries meaning: identifiers, order, superstructures.

use super::{expect_equal, expect_true};
use crate::fixtures::Fixture;
use crate::library::tree_of;
use crate::notation::tree::Tree;
use crate::suite::Suite;
use crate::vectors::vector::Form;
use elf_base::Rules;
use elf_model::{Dataset, ReadOptions};
use elf_octets::Options;
use elf_tagged::{NodeId, Reader};
use std::collections::BTreeMap;

fn dataset(text: &str, rules: &Rules) -> Result<Dataset, String> {
    let options = ReadOptions::default();
    elf_model::read(text.as_bytes(), rules, &options, &mut ()).map_err(|error| error.to_string())
}

/// Compares the datasets of two files by all rules.
fn compare_by_all_rules(one: &str, two: &str, equal: bool, same: bool) -> Result<(), String> {
    for rules in Rules::PRESETS.into_iter().filter(|rules| rules.format.draft().is_some()) {
        let [first, second] = [dataset(one, rules)?, dataset(two, rules)?];
        let case = format!("{one:?} and {two:?} by {}", rules.name);
        expect_true(&format!("{case} to be equal: {equal}"), (first == second) == equal)?;
        expect_true(&format!("{case} to mean the same: {same}"), first.means_the_same(&second) == same)?;
    }
    Ok(())
}

/// D19-PTR-05, J19-XRF-08.
pub(super) fn identifiers_mean_nothing() -> Result<(), String> {
    let file = "0 HEAD\n1 CHAR UTF-8\n0 @I1@ INDI\n1 NAME A\n0 @I2@ INDI\n1 NAME B\n0 @F1@ FAM\n1 HUSB @I1@\n1 WIFE @I2@\n0 TRLR\n";
    compare_by_all_rules(file, &file.replace("@I1@", "@X9@"), false, true)?;
    compare_by_all_rules(
        file,
        &file.replace("I1", "tmp").replace("I2", "I1").replace("tmp", "I2"),
        false,
        true,
    )?;
    // A pointer to another record is a difference.
    compare_by_all_rules(file, &file.replace("1 HUSB @I1@", "1 HUSB @I2@"), false, false)
}

/// D19-HDR-37: case does not matter, in the header and under a structure. Another language is a difference.
pub(super) fn case_of_language_tags() -> Result<(), String> {
    for rules in [&Rules::DECEMBER_2019, &Rules::WILD] {
        for file in [
            "0 HEAD\n1 CHAR UTF-8\n1 PLANG en-GB\n0 NOTE a\n0 TRLR\n",
            "0 HEAD\n1 CHAR UTF-8\n0 NOTE a\n1 PLANG en-GB\n0 TRLR\n",
        ] {
            let first = dataset(file, rules)?;
            for (tag, same) in [("EN-gb", true), ("en-US", false), ("en", false)] {
                let second = dataset(&file.replace("en-GB", tag), rules)?;
                let case = format!("{file:?} and {tag} by {}", rules.name);
                expect_true(
                    &format!("{case} to mean the same: {same}"),
                    first.means_the_same(&second) == same,
                )?;
            }
        }
    }
    Ok(())
}

/// O17-021, J19-SER-06, RDX-026.
pub(super) fn order_between_types_means_nothing() -> Result<(), String> {
    compare_by_all_rules(
        "0 HEAD\n0 SUBM\n1 NAME A\n1 LANG B\n0 TRLR\n",
        "0 HEAD\n0 SUBM\n1 LANG B\n1 NAME A\n0 TRLR\n",
        true,
        true,
    )?;
    compare_by_all_rules(
        "0 HEAD\n0 INDI\n1 SEX M\n1 NAME A\n0 TRLR\n",
        "0 HEAD\n0 INDI\n1 NAME A\n1 SEX M\n0 TRLR\n",
        true,
        true,
    )?;
    compare_by_all_rules(
        "0 HEAD\n0 INDI\n1 NAME x\n1 SEX M\n0 TRLR\n",
        "0 HEAD\n0 INDI\n1 SEX M\n1 NAME x\n0 TRLR\n",
        true,
        true,
    )
}

/// O17-022.
pub(super) fn order_within_a_type_is_kept() -> Result<(), String> {
    let file = "0 HEAD\n0 SUBM\n1 LANG Gujarati\n1 LANG English\n0 TRLR\n";
    compare_by_all_rules(file, "0 HEAD\n0 SUBM\n1 LANG English\n1 LANG Gujarati\n0 TRLR\n", false, false)?;
    compare_by_all_rules(file, file, true, true)
}

/// RDX-021.
pub(super) fn order_of_records_means_nothing() -> Result<(), String> {
    compare_by_all_rules(
        "0 HEAD\n0 @A@ INDI\n0 @B@ FAM\n0 TRLR\n",
        "0 HEAD\n0 @B@ FAM\n0 @A@ INDI\n0 TRLR\n",
        true,
        true,
    )
}

/// D19-STR-06, J19-XRF-04: over all fixtures and all rules.
pub(super) fn one_superstructure() -> Result<(), String> {
    for fixture in Fixture::all_fixtures()? {
        let octets = fixture.octets()?;
        for rules in Rules::PRESETS.into_iter().filter(|rules| rules.format.draft().is_some()) {
            let document = elf_tagged::read(&octets, rules, &Options::default(), &mut ())
                .map_err(|error| error.to_string())?;
            let mut claims: BTreeMap<NodeId, usize> = BTreeMap::new();
            for root in document.metadata().chain(document.records()) {
                *claims.entry(root.id()).or_default() += 1;
            }
            for node in document.structures() {
                for below in node.substructures() {
                    *claims.entry(below.id()).or_default() += 1;
                    let above = below.superstructure();
                    expect_true(&format!("{below:?} to know its superstructure"), above == Some(node))?;
                }
                expect_true(
                    "a way up that ends",
                    node.with_ancestors().take(document.len() + 1).count() <= document.len(),
                )?;
            }
            for node in document.structures() {
                let count = claims.get(&node.id()).copied().unwrap_or(0);
                expect_equal(&format!("superstructures of {node:?} in {}", fixture.name()), &1, &count)?;
            }
        }
    }
    Ok(())
}

/// D19-STR-14: reading record by record gives what reading the whole gives, for every file of the vectors of
/// December 2019.
pub(super) fn record_by_record() -> Result<(), String> {
    for case in Suite::load()?.vectors.cases {
        let is_file = case.vector.form == Form::Tagged && case.rules == Rules::DECEMBER_2019;
        let Some(octets) = case.vector.input()?.filter(|_| is_file) else { continue };
        for rules in [&Rules::DECEMBER_2019, &Rules::WILD] {
            let mut findings = Vec::new();
            let whole = elf_tagged::read(&octets, rules, &Options::default(), &mut findings);
            let whole = whole.map_err(|error| error.to_string())?;
            let mut reader = Reader::new(&*octets, rules, &Options::default()).with_run_size(1);
            let mut found = Vec::new();
            let mut tree = Tree::default();
            while let Some(run) = reader.next_run(&mut found).map_err(|error| error.to_string())? {
                tree.structures.extend(tree_of(&run).structures);
            }
            let id = format!("{} by {}", case.vector.id, rules.name);
            expect_equal(&id, &tree_of(&whole).to_string(), &tree.to_string())?;
            expect_equal(&format!("{id} to be complete"), &whole.is_complete(), &reader.is_complete())?;
            let mut codes =
                [&findings, &found].map(|all| all.iter().map(|one| one.code.id()).collect::<Vec<_>>());
            // Findings about the whole file come last.
            codes.iter_mut().for_each(|ids| ids.sort_unstable());
            expect_equal(&format!("{id} to give"), &codes[0], &codes[1])?;
        }
    }
    Ok(())
}
