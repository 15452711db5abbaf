//! Files that are not GEDCOM or ELF.

#![allow(clippy::expect_used, reason = "a test that cannot go on fails")]

use elf_base::Rules;
use elf_check::Check;

#[test]
fn a_file_without_a_known_tag_is_not_gedcom() {
    for (text, is_gedcom) in [
        ("", false),
        ("Dear Anna,\n\nthank you for your letter.\n1 more thing: come soon.\nYours, Bob\n", false),
        ("name,birth,death\n\"Smith, John\",1850,1900\n", false),
        ("<!DOCTYPE html>\n<html></html>\n", false),
        ("0 HEAD\n", true),
        ("0 HEAD\n0 @X1@ _OWN\n0 TRLR\n", true),
        // The header is lost, and then the start of a record, too.
        ("0 @I1@ INDI\n1 NAME Ada\n", true),
        ("1 NAME Ada\n1 BIRT\n2 DATE 1900\n", true),
    ] {
        let report = Check::new(&Rules::WILD).check(text.as_bytes()).expect("a small file");
        assert_eq!(report.checked.is_gedcom, is_gedcom, "{text:?}");
        let has_reason =
            report.findings.iter().any(|one| ["E0101", "E0102"].contains(&one.diagnostic.code.id()));
        assert_eq!(has_reason, !text.starts_with("0 HEAD"), "{text:?}");
    }
    // The records of later runs count, too.
    let mut text = "0 NOTHING\n".repeat(100_000);
    text += "0 @I1@ INDI\n";
    let report = Check::new(&Rules::WILD).check(text.as_bytes()).expect("a file");
    assert!(report.checked.is_gedcom);
}
