//! Whole documents, written again and read back.
#![allow(clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

use crate::writing;

use elf_tagged::write::{Versions, WriteOptions, write_document};
use elf_tagged::{Diagnostic, Document, Encoding, Options, Payload, Rules, read};
use writing::{D19, between, strict};

/// The document as tags, identifiers and payloads with their levels.
fn outline(document: &Document<'_>) -> Vec<(usize, Option<String>, String, String)> {
    let mut ends = Vec::new();
    document
        .structures()
        .map(|node| {
            while ends.last().is_some_and(|&end| end <= node.id()) {
                ends.pop();
            }
            ends.push(node.subtree_end());
            let payload = match node.payload() {
                Payload::None => String::new(),
                Payload::Text(text) => format!("={text}"),
                Payload::Pointer(id) => format!("->{id}"),
            };
            (ends.len(), node.xref().map(str::to_owned), node.tag().to_owned(), payload)
        })
        .collect()
}

const FILE: &str = "0 HEAD\n1 SOUR X\n2 NOTE c@@d\n1 GEDC\n2 VERS 5.5\n2 FORM LINEAGE-LINKED\n1 PLANG fr\n\
    1 SCHMA https://example.com/s@t\n1 SCHMA\n2 IRI x\n3 TAG A x\n1 DATE 1 JAN 2020\n\
    0 @I1@ INDI\n1 NOTE one\n2 CONT  two \n2 CONC @three\n2 LANG nds\n1 FAMC  @F1@ \n1 BIRT\n\
    2 DATE @#DJULIAN@ 1 @@#DJULIAN@@\n0 @F1@ FAM\n1 CHIL @I1@\n1 CHIL @I9@\n0 TRLR\n";

#[test]
fn a_document_comes_out_as_it_is_meant() {
    let document = read(FILE.as_bytes(), &Rules::WILD, &Options::default(), &mut ()).expect("small");
    let mut octets = Vec::new();
    let mut lost: Vec<Diagnostic> = Vec::new();
    let summary =
        write_document(&document, &mut octets, D19, &WriteOptions::new(), &mut lost).expect("memory");
    assert!(lost.is_empty());
    assert_eq!((summary.records, summary.structures), (2, 12));
    assert_eq!(
        String::from_utf8_lossy(&octets),
        "0 HEAD\n1 CHAR UTF-8\n1 ELF 1.0.0\n1 GEDC\n2 VERS 5.5\n2 FORM LINEAGE-LINKED\n1 PLANG fr\n\
         1 SCHMA https://example.com/s@t\n1 SCHMA\n2 IRI x\n3 TAG A x\n1 SOUR X\n2 NOTE c@@d\n1 DATE 1 JAN 2020\n\
         0 @I1@ INDI\n1 NOTE one\n2 CONT  two @@three\n2 LANG nds\n1 FAMC @F1@\n1 BIRT\n\
         2 DATE @#DJULIAN@ 1 @@#DJULIAN@@\n0 @F1@ FAM\n1 CHIL @I1@\n1 CHIL @I9@\n0 TRLR\n"
    );
    let again = strict(&octets, D19);
    assert_eq!(outline(&again), outline(&document));
}

#[test]
fn a_document_goes_through_every_draft_and_back() {
    let first = read(FILE.as_bytes(), &Rules::WILD, &Options::default(), &mut ()).expect("small");
    for rules in Rules::PRESETS {
        let mut there = Vec::new();
        write_document(&first, &mut there, rules, &WriteOptions::new(), &mut ()).expect("memory");
        let second = read(&there, rules, &Options::default(), &mut ()).expect("small");
        let mut back = Vec::new();
        write_document(&second, &mut back, D19, &WriteOptions::new(), &mut ()).expect("memory");
        let third = strict(&back, D19);
        let kept = |document: &Document<'_>| {
            let mut outline = outline(document);
            // January points what leads nowhere to a record of its own, others make text of it; 2017 trims.
            outline.retain(|(_, _, tag, payload)| {
                tag != "UNDEF" && tag != "NOTE" && !payload.contains("I9") && payload != "->VOID"
            });
            outline
        };
        assert_eq!(kept(&third), kept(&first), "{}", rules.name);
    }
}

#[test]
fn lines_come_out_as_a_writer_spells_them() {
    let body = "0\tNOTE\ta\n  1  NOTE b\n01 NOTE  c\n1 NOTE d \n1 FAMC\t@F1@ \n1 FAMC  @F1@\n1 FAMC @F1@\n1 A \n1 B\n\
        1 NOTE e@f\n";
    let octets = format!("0 HEAD\n{body}0 TRLR\n");
    let document = read(octets.as_bytes(), &Rules::WILD, &Options::default(), &mut ()).expect("small");
    let mut written = Vec::new();
    write_document(&document, &mut written, D19, &WriteOptions::new(), &mut ()).expect("memory");
    assert_eq!(
        between(&written),
        "0 NOTE a\n1 NOTE b\n1 NOTE  c\n1 NOTE d \n1 FAMC @F1@\n1 FAMC @F1@\n1 FAMC @F1@\n1 A\n1 B\n1 NOTE e@@f\n"
    );
    // What is usual in one encoding or at one width is not in another.
    let long = format!("0 HEAD\n0 NOTE {}é\n0 TRLR\n", "x".repeat(90));
    let document = read(long.as_bytes(), &Rules::WILD, &Options::default(), &mut ()).expect("small");
    let options = WriteOptions::new().with_encoding(Encoding::Ascii).with_width(Some(60));
    let mut written = Vec::new();
    write_document(&document, &mut written, D19, &options, &mut ()).expect("memory");
    assert_eq!(between(&written), format!("0 NOTE {}\n1 CONC {}@#UE9@\n", "x".repeat(52), "x".repeat(38)));
}

#[test]
fn structures_of_one_identifier_get_one_each() {
    let octets = b"0 HEAD\n0 @I1@ INDI\n0 @I1@ FAM\n1 CHIL @I1@\n0 TRLR\n";
    let document = read(octets, &Rules::WILD, &Options::default(), &mut ()).expect("small");
    let mut written = Vec::new();
    let mut lost: Vec<Diagnostic> = Vec::new();
    write_document(&document, &mut written, D19, &WriteOptions::new(), &mut lost).expect("memory");
    assert_eq!(between(&written), "0 @I1X1@ INDI\n0 @I1X2@ FAM\n1 CHIL @I1@\n");
    let found: Vec<_> =
        lost.iter().map(|finding| (finding.code.id(), finding.place.map(|place| place.line))).collect();
    assert_eq!(found, [("E0811", Some(2)), ("E0811", Some(3)), ("E0805", Some(4))]);
}

#[test]
fn a_deep_document_is_written_without_recursion() {
    let mut octets = b"0 HEAD\n".to_vec();
    for level in 0..20_000 {
        octets.extend(format!("{level} X\n").bytes());
    }
    octets.extend(b"0 TRLR\n");
    let document = read(&octets, &Rules::WILD, &Options::default(), &mut ()).expect("small");
    let mut written = Vec::new();
    write_document(&document, &mut written, D19, &WriteOptions::new(), &mut ()).expect("memory");
    assert_eq!(outline(&strict(&written, D19)), outline(&document));
}

#[test]
fn the_elf_version_is_named_where_the_data_needs_it() {
    let options = WriteOptions::new().with_versions(Versions::ElfIfNeeded);
    for (body, needed) in
        [("0 NOTE a\n", false), ("0 NOTE a\n1 PLANG fr\n", true), ("0 NOTE a\n1 DTYPE x\n", true)]
    {
        let octets = format!("0 HEAD\n{body}0 TRLR\n");
        let document = read(octets.as_bytes(), &Rules::WILD, &Options::default(), &mut ()).expect("small");
        let mut written = Vec::new();
        let summary = write_document(&document, &mut written, D19, &options, &mut ()).expect("memory");
        assert_eq!(
            (summary.losses, String::from_utf8_lossy(&written).contains("1 ELF 1.0.0\n")),
            (0, needed)
        );
        assert_eq!(between(&written), body);
    }
}

/// Reads lines by `from` and writes them by `to`; returns the text, and the codes of the losses.
fn converted(lines: &str, from: &Rules, to: &Rules) -> (String, Vec<&'static str>) {
    let file = format!("0 HEAD\n1 CHAR UTF-8\n{lines}0 TRLR\n");
    let document = read(file.as_bytes(), from, &Options::default(), &mut ()).expect("small");
    let mut octets = Vec::new();
    let mut found: Vec<Diagnostic> = Vec::new();
    let summary =
        write_document(&document, &mut octets, to, &WriteOptions::new(), &mut found).expect("memory");
    assert_eq!(summary.losses, found.len() as u64);
    (between(&octets).to_owned(), found.iter().map(|finding| finding.code.id()).collect())
}

#[test]
fn a_damaged_line_is_written_with_what_stands_beneath_it_as_a_loss() {
    let file = "0 @I1@ INDI\n1 BIRT\n2 DATE 1900\n0 @I2 INDI\n1 NAME Bert\n0 @F1@ FAM\n";
    let written = "0 @I1@ INDI\n1 BIRT\n2 DATE 1900\n0 ERROR 0 @@I2 INDI\n1 NAME Bert\n0 @F1@ FAM\n";
    for rules in [D19, &Rules::WILD, &Rules::JANUARY_2019, &Rules::OCTOBER_2017] {
        assert_eq!(
            converted(file, &Rules::WILD, rules),
            (written.to_owned(), vec!["E0812"]),
            "{}",
            rules.name
        );
    }
}

#[test]
fn what_stands_beneath_a_stray_line_is_written_where_it_stood() {
    let january = &Rules::JANUARY_2019;
    for file in [
        "0 @A@ NOTE x\n1 SOUR y\n1 CONC z\n2 X q\n",
        "0 NOTE x\n1 SOUR y\n1 ERROR z\n2 X q\n",
        "0 ERROR z\n1 X q\n",
    ] {
        assert_eq!(converted(file, january, january), (file.to_owned(), vec![]));
    }
}

#[test]
fn a_unicode_escape_that_was_removed_is_a_loss() {
    let declarative = &Rules::DECLARATIVE;
    let file = "0 NOTE a@#UD800@ b\n0 NOTE a@#U41@ b\n";
    assert_eq!(
        converted(file, declarative, declarative),
        ("0 NOTE ab\n0 NOTE aAb\n".to_owned(), vec!["E0803"])
    );
}
