//! Schemas of headers: what is written of them conforms to the rules, or counts as a loss.
#![allow(clippy::expect_used, reason = "a test fails by panicking")]

use elf_model::{ReadOptions, Rules, WriteOptions};
use elf_schema::Diagnostic;
use elf_tagged::Options;

/// Definitions that a strict reader refuses, with what is written of them.
const FAULTY: &[(&str, &str)] = &[
    ("2 PRFX e\n", ""),
    ("2 IRI nope\n", ""),
    ("2 ESC _A D\n2 ESC _A E\n", "2 ESC _A D\n"),
    ("2 PRFX e https://e.test/\n2 PRFX e https://f.test/\n", "2 PRFX e https://e.test/\n"),
    (
        "2 IRI https://e.test/A\n3 TAG ERROR https://terms.fhiso.org/elf/Document\n",
        "2 IRI https://e.test/A\n",
    ),
    ("2 IRI https://e.test/A\n3 TAG\n3 ISA nope\n", "2 IRI https://e.test/A\n"),
    ("2 JUNK x\n3 TAG _A y\n", ""),
    (
        "2 IRI https://e.test/A\n3 TAG _X https://e.test/P https://e.test/Q\n\
         2 IRI https://e.test/B\n3 TAG _X https://e.test/Q\n2 IRI https://e.test/P\n2 IRI https://e.test/Q\n",
        "2 IRI https://e.test/A\n3 TAG _X https://e.test/P\n2 IRI https://e.test/B\n2 IRI https://e.test/P\n\
         2 IRI https://e.test/Q\n",
    ),
];

fn file(schema: &str) -> String {
    format!("0 HEAD\n1 CHAR UTF-8\n1 SCHMA\n{schema}0 _N\n0 TRLR\n")
}

/// Writes a file by both libraries. Returns what they write, and how much they lose.
fn written(text: &str, from: &Rules, to: &Rules) -> [(String, u64); 2] {
    let dataset =
        elf_model::read(text.as_bytes(), from, &ReadOptions::default(), &mut ()).expect("a dataset");
    let document = elf_tagged::read(text.as_bytes(), from, &Options::default(), &mut ()).expect("short");
    let (mut first, mut second) = (Vec::new(), Vec::new());
    let options = WriteOptions::new();
    let mut found: Vec<Diagnostic> = Vec::new();
    let one = elf_model::write(&dataset, &mut first, to, &options, &mut found).expect("memory");
    let other =
        elf_tagged::write::write_document(&document, &mut second, to, &options, &mut ()).expect("memory");
    [(first, one.losses), (second, other.losses)]
        .map(|(octets, losses)| (String::from_utf8(octets).expect("UTF-8"), losses))
}

#[test]
fn faults_of_a_schema_are_left_out_and_lost() {
    for rules in [&Rules::JANUARY_2019, &Rules::DECLARATIVE] {
        for (faulty, expected) in FAULTY {
            for (octets, losses) in written(&file(faulty), rules, rules) {
                assert_eq!(octets, file(expected), "{} {faulty}", rules.name);
                assert!(losses > 0, "{} {faulty}", rules.name);
            }
        }
    }
}

#[test]
fn what_is_written_of_a_schema_is_written_again_without_loss() {
    for rules in [&Rules::JANUARY_2019, &Rules::DECLARATIVE] {
        for (_, kept) in FAULTY {
            for (octets, losses) in written(&file(kept), rules, rules) {
                assert_eq!((octets, losses), (file(kept), 0), "{}", rules.name);
            }
        }
    }
}

#[test]
fn a_conflict_in_a_subtype_gives_no_structure_a_type() {
    let text = file(
        "2 IRI https://e.test/P\n3 TAG _N https://terms.fhiso.org/elf/Document\n3 ISA https://e.test/Q\n\
         2 IRI https://e.test/Q\n2 IRI https://e.test/A\n3 TAG _X https://e.test/P\n2 IRI https://e.test/B\n\
         3 TAG _X https://e.test/Q\n",
    )
    .replace("0 _N\n", "0 _N\n1 _X\n");
    let rules = &Rules::JANUARY_2019;
    let [(octets, losses), _] = written(&text, rules, rules);
    assert!(losses > 0 && !octets.contains("3 TAG _X"), "{octets}");
}

#[test]
fn a_reference_to_the_default_schema_becomes_definitions_where_there_are_no_references() {
    let text =
        file("2 SCHMA https://fhiso.org/TR/elf-data-model/v1.0.0\n").replace("0 _N", "0 INDI\n1 BIRT Y");
    let [(octets, losses), (_, of_tagged)] = written(&text, &Rules::JANUARY_2019, &Rules::DECLARATIVE);
    assert!(octets.contains("TAG BIRT") && losses == 0, "{octets}");
    assert!(of_tagged > 0);
}

#[test]
fn a_type_that_the_output_does_not_know_is_lost() {
    let text = "0 HEAD\n1 CHAR UTF-8\n0 @I1@ INDI\n1 BURI Y\n0 TRLR\n";
    let [(_, losses), _] = written(text, &Rules::WILD, &Rules::JANUARY_2019);
    assert_eq!(losses, 1);
    let [(_, losses), _] = written(text, &Rules::WILD, &Rules::OCTOBER_2017);
    assert_eq!(losses, 0);
}
