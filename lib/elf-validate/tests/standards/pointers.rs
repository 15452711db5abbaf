//! Rules of GEDCOM 7.0 about pointers and identifiers, and the two forms of a source citation by GEDCOM 5.5.1.

use crate::named;
use elf_schema::{Diagnostic, ReadOptions, Rules, read};
use elf_validate::{Standard, validate};

/// The findings about a file, against a standard that is named.
fn held(file: &str, standard: Standard) -> Vec<Diagnostic> {
    let rules = if standard.has_values_of_7() { &Rules::GEDCOM_7 } else { &Rules::WILD };
    let typed = read(file.as_bytes(), rules, &ReadOptions::default(), &mut ()).expect("a small file");
    let mut found = Vec::new();
    validate(&typed, named(standard), &mut found);
    found.sort_by_key(|one| one.place);
    found
}

/// The lines and the names of the findings about records, against a standard.
fn found(standard: Standard, records: &str) -> String {
    let version = if standard.has_values_of_7() { "7.0" } else { "5.5.1\n2 FORM LINEAGE-LINKED" };
    let file = format!("0 HEAD\n1 GEDC\n2 VERS {version}\n{records}\n0 TRLR\n");
    // Lines are counted from the first record.
    let header = (file.lines().count() - records.lines().count() - 1) as u64;
    let mut found: Vec<(u64, &str, &str)> = Vec::new();
    for one in &held(&file, standard) {
        let line = one.place.map_or(0, |place| place.line);
        // The header is of no interest here.
        if line > header {
            found.push((line - header, one.code.name(), one.class.name()));
        }
    }
    found.iter().map(|(line, name, class)| format!("{line} {name} {class}")).collect::<Vec<_>>().join(", ")
}

const MEDIUM: &str = "0 @O1@ OBJE\n1 FILE a.jpg\n2 FORM image/jpeg\n1 SOUR @S1@";

#[test]
fn pointers_of_gedcom_7_go_in_no_circle() {
    for (records, expected) in [
        (
            format!("{MEDIUM}\n0 @S1@ SOUR\n1 OBJE @O1@"),
            "4 pointer-circular non-conformant, 6 pointer-circular non-conformant",
        ),
        (
            "0 @N1@ SNOTE x\n1 SOUR @S1@\n0 @S1@ SOUR\n1 SNOTE @N1@".to_owned(),
            "2 pointer-circular non-conformant, 4 pointer-circular non-conformant",
        ),
        // Over four records, and beside a pointer that leads nowhere.
        (
            format!(
                "{MEDIUM}\n0 @S1@ SOUR\n1 SNOTE @N1@\n0 @N1@ SNOTE x\n1 SOUR @S2@\n1 SOUR @S3@\n0 @S2@ SOUR\n1 OBJE @O1@\n0 @S3@ SOUR\n1 TITL x"
            ),
            "4 pointer-circular non-conformant, 6 pointer-circular non-conformant, 8 pointer-circular non-conformant, 11 pointer-circular non-conformant",
        ),
        // No circle: one source is cited in two places, and a source has a picture without a source.
        (
            format!(
                "{MEDIUM}\n1 SOUR @S1@\n0 @S1@ SOUR\n1 OBJE @O2@\n0 @O2@ OBJE\n1 FILE b.jpg\n2 FORM image/jpeg"
            ),
            "",
        ),
        ("0 @I1@ INDI\n1 ALIA @I1@".to_owned(), "2 pointer-circular non-conformant"),
        ("0 @I1@ INDI\n1 ALIA @I2@\n0 @I2@ INDI\n1 ALIA @I1@".to_owned(), ""),
    ] {
        assert_eq!(found(Standard::Gedcom70, &records), expected, "{records}");
    }
}

#[test]
fn identifiers_and_repeated_pointers_of_gedcom_7_are_looked_at() {
    let family = "0 @F1@ FAM\n1 CHIL @I1@\n0 @I1@ INDI\n1 FAMC @F1@";
    for (records, expected) in [
        ("0 @I1@ INDI\n1 EXID 9876".to_owned(), "2 identifier-untyped deprecated"),
        ("0 @I1@ INDI\n1 EXID 9876\n2 TYPE https://e.example/".to_owned(), ""),
        ("0 @I1@ INDI\n1 UID 17".to_owned(), "2 uid-unusual advice"),
        ("0 @I1@ INDI\n1 UID bbcc0025-34cb-4542-8cfb-45ba201c9c2c".to_owned(), ""),
        ("0 @I1@ INDI\n1 UID 9CEE8FA5-4F1B-4F4A-8F5D-94E5B1B7A1C".to_owned(), "2 uid-unusual advice"),
        (family.to_owned(), ""),
        (family.replace("CHIL @I1@", "CHIL @I1@\n1 CHIL @I1@"), "3 pointer-repeated advice"),
        (format!("{family}\n1 FAMC @F1@"), "5 pointer-repeated advice"),
        (format!("{family}\n2 PEDI FOSTER\n1 FAMC @F1@\n2 PEDI ADOPTED"), ""),
        ("0 @F1@ FAM\n1 CHIL @VOID@\n1 CHIL @VOID@".to_owned(), ""),
        (format!("{family}\n1 SOUR @S1@\n1 SOUR @S1@\n0 @S1@ SOUR\n1 TITL x"), ""),
    ] {
        assert_eq!(found(Standard::Gedcom70, &records), expected, "{records}");
    }
}

#[test]
fn the_two_forms_of_a_source_citation_are_not_mixed() {
    let citation = |lines: &str| format!("0 @I1@ INDI\n1 BIRT Y\n{lines}\n0 @S1@ SOUR\n1 TITL x");
    for (lines, expected) in [
        ("2 SOUR @S1@\n3 TEXT q", "4 citation-mixed non-conformant"),
        ("2 SOUR inline\n3 DATA\n4 DATE 1900", "4 citation-mixed non-conformant"),
        (
            "2 SOUR inline\n3 PAGE 9\n3 EVEN BIRT",
            "4 citation-mixed non-conformant, 5 citation-mixed non-conformant",
        ),
        ("2 SOUR inline\n3 TEXT q\n3 QUAY 0\n3 NOTE n", ""),
        ("2 SOUR @S1@\n3 PAGE 9\n3 DATA\n4 TEXT q\n3 QUAY 2", ""),
        // Only in the citation itself, not in the source record.
        ("2 SOUR @S1@\n3 NOTE n", ""),
    ] {
        for standard in [Standard::Gedcom551, Standard::Gedcom55] {
            assert_eq!(found(standard, &citation(lines)), expected, "{standard} {lines}");
        }
    }
}

#[test]
fn a_family_that_adopts_says_that_it_happened() {
    let family = "0 @F1@ FAM\n1 CHIL @I1@";
    for (lines, expected) in [
        ("1 ADOP\n2 FAMC @F1@", ""),
        ("1 ADOP", "2 structure-incomplete advice"),
        ("1 ADOP Y", ""),
        ("1 BIRT\n2 NOTE x", "2 structure-incomplete advice"),
    ] {
        let records = format!("0 @I1@ INDI\n{lines}\n1 FAMC @F1@\n{family}");
        assert_eq!(found(Standard::Gedcom551, &records), expected, "{lines}");
    }
}
