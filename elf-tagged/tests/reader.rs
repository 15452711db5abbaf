//! Reading in parts gives what reading the whole gives, however large the parts are.
#![allow(clippy::expect_used, reason = "a test fails by panicking")]

use elf_tagged::{Diagnostic, Document, Node, Options, Reader, Rules, UnreadPart, read};
use proptest::prelude::*;

/// Records and metadata, each with all beneath it, in the words of the file.
fn structures(document: &Document<'_>) -> Vec<String> {
    let show = |node: Node<'_>| {
        let depth = node.ancestors().count();
        format!("{depth} {:?} {} {:?}", node.xref(), node.tag(), node.payload())
    };
    document.structures().map(show).collect()
}

/// What is wrong, in the order of the file.
fn findings(mut all: Vec<Diagnostic>) -> Vec<String> {
    all.sort_by_key(|finding| (finding.place, finding.code.id()));
    all.iter().map(|finding| format!("{} {:?} {}", finding.code, finding.place, finding.message)).collect()
}

fn check(octets: &[u8], rules: &Rules, size: usize) {
    let mut expected_findings = Vec::new();
    let whole = read(octets, rules, &Options::default(), &mut expected_findings).expect("small");
    let expected = structures(&whole);

    let mut found = Vec::new();
    let mut all = Vec::new();
    let mut reader = Reader::new(octets, rules, &Options::default()).with_part_size(size);
    while let Some(part) = reader.next_part(&mut found).expect("no input fails") {
        all.extend(structures(&part));
    }
    assert_eq!(all, expected, "{} in parts of {size}", rules.name);
    assert_eq!(reader.is_complete(), whole.is_complete(), "{} in parts of {size}", rules.name);
    assert_eq!(findings(found), findings(expected_findings), "{} in parts of {size}", rules.name);
}

/// Parts read apart, the last one first, once the header is known.
fn check_apart(octets: &[u8], rules: &Rules, size: usize) {
    let mut expected = Vec::new();
    let whole = read(octets, rules, &Options::default(), &mut expected).expect("small");

    let mut found = Vec::new();
    let mut all = Vec::new();
    let mut reader = Reader::new(octets, rules, &Options::default()).with_part_size(size);
    while !reader.is_divisible()
        && let Some(part) = reader.next_part(&mut found).expect("no input fails")
    {
        all.extend(structures(&part));
    }
    let mut unread = Vec::new();
    while let Some(part) = reader.next_unread().expect("no input fails") {
        unread.push(part);
    }
    let read = |part: &UnreadPart| {
        let mut found = Vec::new();
        let (document, remainder) = part.read(&mut found).expect("small");
        (structures(&document), found, remainder)
    };
    let parts: Vec<_> = unread.iter().rev().map(read).collect();
    for (structures, own, remainder) in parts.into_iter().rev() {
        if !reader.is_done() {
            all.extend(structures);
            found.extend(own);
            reader.take(remainder, &mut found);
        }
    }
    assert_eq!(all, structures(&whole), "{} in parts of {size}", rules.name);
    assert_eq!(reader.is_complete(), whole.is_complete(), "{} in parts of {size}", rules.name);
    assert_eq!(findings(found), findings(expected), "{} in parts of {size}", rules.name);
}

const FILES: [&str; 6] = [
    "0 HEAD\n1 CHAR UTF-8\n0 @I1@ INDI\n1 FAMS @F1@\n0 @F1@ FAM\n1 HUSB @I1@\n1 WIFE @I2@\n1 @X@ NOTE a\n2 CONT b\n0 TRLR\n",
    "0 HEAD\n0 NOTE a\n0 CONT b\nraw text\n0 % no line\n0 @A@ INDI\n1 ALIA @A@\n3 DATE x\n0 TRLR\n0 NOTE after\n",
    "0 HEAD\n1 NOTE x@y\n1 CHAR UTF-8\n2 CONT z\n0 @A@ INDI\n0 @A@ INDI\n1 ALIA @A@\n1 ALIA @B@\n",
    "junk\n0 HEAD\n1 GEDC\n2 VERS 5.5.1\n2 FORM LINEAGE-LINKED\n0 N\u{F6}TE a\n0 TRLR x\n",
    "",
    "no line at all\nnor this\n",
];

#[test]
fn parts_of_every_size_give_the_same() {
    // Those that insert or reject records need the whole document.
    for rules in [&Rules::WILD, &Rules::DECEMBER_2019, &Rules::OCTOBER_2017, &Rules::JULY_2017] {
        for file in FILES {
            for size in 1..file.len() + 2 {
                check(file.as_bytes(), rules, size);
                check_apart(file.as_bytes(), rules, size);
            }
        }
    }
}

/// Many names: some borne twice, some not at all, some long, some below records.
#[test]
fn names_are_looked_up_across_parts() {
    let mut file = String::from("0 HEAD\n1 CHAR UTF-8\n");
    for number in 0..3000_u32 {
        let own = if number % 97 == 0 { number / 2 } else { number };
        let long = if number % 5 == 0 { "LONGER_THAN_SEVEN" } else { "" };
        file.push_str(&format!("0 @I{long}{own}@ INDI\n1 NAME Zo\u{EB} /{number}/\n"));
        file.push_str(&format!(
            "1 ALIA @I{}@\n1 ALIA @ILONGER_THAN_SEVEN{}@\n",
            number * 7 % 3100,
            number + 5
        ));
        file.push_str(&format!("1 @N{number}@ NOTE x\n1 NOTE @N{}@\n1 OBJE @other:{number}@\n", number / 3));
    }
    file.push_str("0 TRLR\n");
    for size in [200, 1 << 12, 1 << 16] {
        check(file.as_bytes(), &Rules::WILD, size);
        check_apart(file.as_bytes(), &Rules::WILD, size);
    }
}

#[test]
fn the_example_files_are_the_same_in_parts() {
    let example = include_bytes!("../../examples/haugen.ged");
    for size in [1, 100, 1 << 20] {
        check(example, &Rules::WILD, size);
        check_apart(example, &Rules::WILD, size);
        check(example, &Rules::DECEMBER_2019, size);
    }
}

proptest! {
    #[test]
    fn mutated_lines_give_the_same_in_parts(
        lines in proptest::collection::vec("[012] (@[AB]@ )?(INDI|NOTE|CONT|CONC|HEAD|TRLR|x-)( @[AB]@| t@xt)?|[ -~]{0,12}", 0..24),
        size in 1_usize..200,
        wild in any::<bool>(),
    ) {
        let file = format!("0 HEAD\n{}\n", lines.join("\n"));
        let rules = if wild { &Rules::WILD } else { &Rules::DECEMBER_2019 };
        check(file.as_bytes(), rules, size);
        check_apart(file.as_bytes(), rules, size);
    }
}
