//! Losses of what a reading leaves out of the data; every loss has its place.

#![allow(clippy::expect_used, reason = "a test that cannot go on fails")]

use elf_migrate::{MigratedReader, Study, Target, migrated};
use elf_schema::{Diagnostic, ReadOptions, Reader, Rules};
use std::io::Read;

/// Migrates a file that is read by `rules` to GEDCOM 7.0; returns the records, and the losses with their
/// lines.
fn to_7(file: &str, rules: &Rules) -> (String, Vec<(&'static str, u64)>) {
    let reader = || Reader::new(file.as_bytes(), rules, ReadOptions::default());
    let mut found: Vec<Diagnostic> = Vec::new();
    let written = migrated(reader, Target::Gedcom70, &mut found).expect("it is small").octets;
    let written = String::from_utf8(written).expect("GEDCOM 7.0 is UTF-8");
    let records = written.split_once("\n0 ").map_or("", |(_, records)| records).to_owned();
    let is_loss = |finding: &&Diagnostic| finding.code.id().starts_with("E08") && finding.class.is_error();
    let mut lost: Vec<_> = found
        .iter()
        .filter(is_loss)
        .map(|finding| (finding.code.id(), finding.place.map_or(0, |place| place.line)))
        .collect();
    lost.sort_unstable();
    (records, lost)
}

const FILE: &str = "0 HEAD\n1 CHAR UTF-8\n0 @D@ INDI\n1 NAME x @#Q@ y\n0 @D@ INDI\n1 SEX M\n\
                    0 @E@ FAM\n1 CHIL @D@\n1 HUSB @F@\n1 NOTE a @#Q@ b\n3 _TOO deep\n0 TRLR\n1 NOTE text\n";

#[test]
fn what_the_rules_reject_is_lost() {
    let (records, lost) = to_7(FILE, &Rules::DECLARATIVE);
    assert_eq!(records, "@E@ FAM\n1 HUSB @VOID@\n1 NOTE a b\n0 TRLR\n");
    let expected = [("E0813", 10), ("E0816", 3), ("E0816", 5), ("E0816", 8), ("E0816", 11), ("E0816", 12)];
    assert_eq!(lost[..6], expected);
    assert_eq!(lost[6..], [("E0820", 9)]);
}

/// January leads pointers to no single record to records that it makes for them: those are not written, so
/// that no structure points to a record of another type than it may.
#[test]
fn what_january_inserts_is_not_written() {
    let (records, lost) = to_7(FILE, &Rules::JANUARY_2019);
    assert!(records.contains("0 @E@ FAM\n1 CHIL @VOID@\n1 HUSB @VOID@\n1 NOTE a b\n"), "{records}");
    assert!(!records.contains("UNDEF"), "{records}");
    let expected = [("E0812", 11), ("E0813", 4), ("E0813", 10), ("E0816", 12), ("E0820", 8), ("E0820", 9)];
    assert_eq!(lost, expected);
}

#[test]
fn what_the_trailer_holds_is_lost() {
    for rules in [&Rules::JANUARY_2019, &Rules::DECLARATIVE, &Rules::OCTOBER_2017, &Rules::JULY_2017] {
        for trailer in ["0 TRLR\n1 NOTE text\n", "0 TRLR text\n", "0 @T@ TRLR\n"] {
            let file = format!("0 HEAD\n1 CHAR UTF-8\n0 @I1@ INDI\n1 SEX M\n{trailer}");
            let (records, lost) = to_7(&file, rules);
            assert_eq!(records, "@I1@ INDI\n1 SEX M\n0 TRLR\n", "{} {trailer}", rules.name);
            assert_eq!(lost, [("E0816", 5)], "{} {trailer}", rules.name);
        }
    }
}

/// A finding about a line that is written is put where it stood, in the header too.
#[test]
fn texts_of_the_header_have_their_places() {
    let file = "0 HEAD\n1 GEDC\n2 VERS 7.0\n1 SCHMA\n2 TAG _X http://x.example/\n1 SOUR X\n1 NOTE é\n2 LANG fr\n\
                0 @I1@ INDI\n1 _X è\n0 TRLR\n";
    let reader = || Reader::new(file.as_bytes(), &Rules::GEDCOM_7, ReadOptions::default());
    for target in [Target::Gedcom551, Target::Elf] {
        let (mut study, mut first) = (Study::new(target), reader());
        while let Some(part) = first.next_run(&mut ()).expect("memory") {
            study.study_run(&part);
        }
        let migration = study.finish();
        let (mut findings, mut losses) = ((), ());
        let writer = migration.writer(&Rules::WILD).with_places_of_texts(true);
        let mut migrated = MigratedReader::new(reader(), writer, &mut findings, &mut losses);
        let mut written = String::new();
        migrated.read_to_string(&mut written).expect("memory");
        let origins = migrated.into_origins();
        let place = |text: &str| {
            let line = written.lines().position(|line| line.ends_with(text)).expect("a line") as u64 + 1;
            let rules = &Rules::WILD;
            let mut finding = Diagnostic::new(elf_schema::codes::CHARACTER_CANNOT_BE_WRITTEN, rules, "");
            finding.place = Some(elf_schema::Place::new(0, line, 1, 1));
            origins.move_to_origin(finding).place.map(|place| place.line)
        };
        assert_eq!((place("é"), place("è"), place("SOUR X")), (Some(7), Some(10), Some(1)), "{written}");
    }
}
