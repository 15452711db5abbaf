//! Tests of what pointers lead to: in documents of many identifiers, whose index is several tables, and where
//! structures are rejected.

#![allow(clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

use elf_base::{Diagnostic, Rules, codes};
use elf_octets::Options;
use elf_tagged::{Payload, Reader, Target};
use proptest::prelude::*;
use std::collections::HashMap;
use std::fmt::Write;

/// The number of records: enough for four tables.
const RECORDS: usize = 300_000;

/// The identifier of a record: short, of many digits, or neither. Every 9,973rd is that of the record before
/// it.
fn xref(number: usize) -> String {
    let number = if number.is_multiple_of(9_973) { number.saturating_sub(1) } else { number };
    match number % 4 {
        0 => format!("PERSON-{number}"),
        1 => format!("P{}", 100_000_000 + number),
        _ => format!("P{number}"),
    }
}

/// A record of each number that points to some other one; every 7,919th to none.
fn document() -> String {
    let mut text = String::from("0 HEAD\n1 CHAR UTF-8\n");
    for number in 0..RECORDS {
        let other = number.wrapping_mul(2_654_435_761) % RECORDS;
        let target = if number % 7_919 == 5 { format!("NOBODY{number}") } else { xref(other) };
        writeln!(text, "0 @{}@ INDI\n1 ALIA @{target}@", xref(number))
            .expect("a string takes what is written to it");
    }
    text + "0 TRLR\n"
}

#[test]
fn each_pointer_leads_to_what_bears_its_identifier_however_many_there_are() {
    let text = document();
    assert!(text.len() > 8 << 20, "{}", text.len());
    let mut findings = Vec::new();
    let document = elf_tagged::read(text.as_bytes(), &Rules::WILD, &Options::default(), &mut findings);
    let document = document.expect("small enough");

    let mut bearers: HashMap<&str, Vec<_>> = HashMap::new();
    // Findings about identifiers come first, then those about pointers, each in document order.
    let mut expected = Vec::new();
    for record in document.records() {
        let same = bearers.entry(record.xref().expect("all have one")).or_default();
        if !same.is_empty() {
            expected.push((record.span().start + 3, codes::XREF_REPEATED));
        }
        same.push(record.id());
    }
    for pointer in document.records().flat_map(|record| record.substructures()) {
        let Payload::Pointer(xref) = pointer.payload() else { panic!("{pointer:?}") };
        let code = match (bearers.get(xref).map(Vec::as_slice), document.resolve(xref)) {
            (None, Target::None) => codes::POINTER_DANGLING,
            (Some([one]), Target::One(node)) if node.id() == *one => continue,
            (Some([_, _, ..]), Target::Several) => codes::POINTER_AMBIGUOUS,
            (found, target) => panic!("{xref}: {found:?}, {target:?}"),
        };
        expected.push((pointer.payload_span().start, code));
    }
    let count = |code| expected.iter().filter(|(_, other)| *other == code).count();
    let counts = [codes::XREF_REPEATED, codes::POINTER_AMBIGUOUS, codes::POINTER_DANGLING].map(count);
    assert!(counts.iter().all(|count| *count > 3), "{counts:?}");
    let found: Vec<_> =
        findings.iter().map(|finding| (finding.place.expect("all have one").octet, finding.code)).collect();
    let expected: Vec<_> = expected.into_iter().map(|(start, code)| (u64::from(start), code)).collect();
    assert_eq!(found, expected);
}

#[test]
fn what_stands_within_a_rejected_structure_names_nothing() {
    let file = b"0 HEAD\n1 CHAR UTF-8\n0 @A@ INDI\n1 @B@ NOTE x\n0 @A@ FAM\n0 @C@ INDI\n1 ALIA @A@\n1 ALIA @B@\n0 TRLR\n";
    let document =
        elf_tagged::read(file, &Rules::DECLARATIVE, &Options::default(), &mut ()).expect("a small file");
    assert_eq!(document.structures().filter_map(|node| node.xref()).collect::<Vec<_>>(), ["C"]);
    assert_eq!(["A", "B"].map(|xref| document.resolve(xref)), [Target::None, Target::None]);
    assert!(document.structures().all(|node| node.target().is_none()));
}

/// A line of a file in which identifiers are repeated, borne under records, and named by pointers that lead
/// nowhere.
fn pointing_line() -> impl Strategy<Value = String> {
    let identifier =
        || prop::sample::select(&["A", "B", "I1", "I2", "I03", "A_LONG_IDENTIFIER", "!X", "Y:Z", "VOID"][..]);
    prop_oneof![
        3 => identifier().prop_map(|of| format!("0 @{of}@ INDI\n")),
        1 => Just("0 INDI\n".to_owned()),
        1 => identifier().prop_map(|of| format!("1 @{of}@ NOTE x\n")),
        4 => identifier().prop_map(|of| format!("1 ASSO @{of}@\n")),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn pointers_are_resolved_after_the_last_run_as_in_the_whole(
        lines in prop::collection::vec(pointing_line(), 0..30),
        size in 1_usize..200,
    ) {
        let file = format!("0 HEAD\n1 CHAR UTF-8\n{}0 TRLR\n", lines.concat());
        let texts = |found: &[Diagnostic]| -> Vec<String> {
            let mut all: Vec<_> = found.iter().map(|one| format!("{} {:?} {}", one.code, one.place, one.message)).collect();
            all.sort();
            all
        };
        for rules in Rules::PRESETS {
            let (mut of_whole, mut of_runs) = (Vec::new(), Vec::new());
            elf_tagged::read(file.as_bytes(), rules, &Options::default(), &mut of_whole).expect("small");
            let mut reader = Reader::new(file.as_bytes(), rules, &Options::default()).with_run_size(size);
            while reader.next_run(&mut of_runs).expect("memory").is_some() {}
            if reader.is_complete() {
                prop_assert_eq!(texts(&of_runs), texts(&of_whole), "{} {}", rules.name, file);
            }
        }
    }
}
