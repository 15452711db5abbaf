//! Pointers that lead to no record: what a writer makes of them, so that it writes nothing its own rules
//! forbid.
#![allow(clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

use crate::writing;

use elf_tagged::write::{WriteOptions, Writer, write_document};
use elf_tagged::{Diagnostic, Options, Rules, codes, read};
use writing::strict;

/// The tags of the header, of its serialisation metadata, and of the trailer.
const METADATA: [&str; 8] = ["HEAD", "CHAR", "ELF", "GEDC", "VERS", "FORM", "SCHMA", "TRLR"];

/// The file of those structures by `rules`, without the schema and the encoding, and the losses with their
/// lines. Strict reading finds nothing wrong with it.
fn written(structures: &str, rules: &Rules) -> (String, Vec<(&'static str, u64)>) {
    let file = format!("0 HEAD\n{structures}0 TRLR\n");
    let document = read(file.as_bytes(), &Rules::WILD, &Options::default(), &mut ()).expect("small");
    let mut octets = Vec::new();
    let mut found: Vec<Diagnostic> = Vec::new();
    let summary =
        write_document(&document, &mut octets, rules, &WriteOptions::new(), &mut found).expect("memory");
    found.retain(|finding| finding.class.is_error());
    assert_eq!(summary.losses, found.len() as u64);
    let mut wrong: Vec<Diagnostic> = Vec::new();
    read(&octets, rules, &Options::default(), &mut wrong).expect("small");
    wrong.retain(|finding| finding.class.is_error() && rules != &Rules::WILD);
    assert!(wrong.is_empty(), "{}: {wrong:?}", rules.name);
    let text = String::from_utf8(octets).expect("UTF-8");
    let lines: Vec<&str> =
        text.lines().filter(|line| !METADATA.iter().any(|tag| line.contains(tag))).collect();
    let place = |finding: &Diagnostic| finding.place.map_or(0, |place| place.line);
    (lines.join("\n"), found.iter().map(|finding| (finding.code.id(), place(finding))).collect())
}

const DRAFTS_WITH_TEXT: [&Rules; 3] = [&Rules::DECLARATIVE, &Rules::OCTOBER_2017, &Rules::JULY_2017];

#[test]
fn a_pointer_to_nothing() {
    let file = "0 @I1@ INDI\n1 FAMC @F1@\n1 FAMC @F2@\n1 ALIA @I1@\n1 FAMS @F1@\n";
    let kept = file.trim_end();
    for rules in [&Rules::WILD, &Rules::DECEMBER_2019] {
        assert_eq!(written(file, rules), (kept.to_owned(), vec![]));
    }
    let led = format!("{kept}\n0 @F1@ UNDEF\n0 @F2@ UNDEF");
    assert_eq!(written(file, &Rules::JANUARY_2019), (led, vec![]));
    let text = "0 @I1@ INDI\n1 FAMC @@F1@@\n1 FAMC @@F2@@\n1 ALIA @I1@\n1 FAMS @@F1@@";
    for rules in DRAFTS_WITH_TEXT {
        assert_eq!(written(file, rules), (text.to_owned(), vec![("E0805", 3), ("E0805", 4), ("E0805", 6)]));
    }
}

#[test]
fn a_pointer_out_of_the_file() {
    let file = "0 @I1@ INDI\n1 ASSO @other:I1@\n1 ASSO @I1!E1@";
    let lines = format!("{file}\n");
    assert_eq!(written(&lines, &Rules::WILD), (file.to_owned(), vec![]));
    let led = format!("{file}\n0 @I1!E1@ UNDEF\n0 @other:I1@ UNDEF");
    assert_eq!(written(&lines, &Rules::JANUARY_2019), (led, vec![]));
    let text = "0 @I1@ INDI\n1 ASSO @@other:I1@@\n1 ASSO @@I1!E1@@";
    for rules in DRAFTS_WITH_TEXT.into_iter().chain([&Rules::DECEMBER_2019]) {
        assert_eq!(written(&lines, rules), (text.to_owned(), vec![("E0805", 3), ("E0805", 4)]));
    }
}

#[test]
fn a_pointer_to_a_substructure() {
    let file = "0 @I1@ INDI\n1 @E1@ BIRT\n1 ASSO @E1@";
    let lines = format!("{file}\n");
    let others = |rules: &&Rules| ![&Rules::DECLARATIVE, &Rules::GEDCOM_7].contains(rules);
    for rules in Rules::PRESETS.into_iter().filter(others) {
        assert_eq!(written(&lines, rules), (file.to_owned(), vec![]), "{}", rules.name);
    }
    // In GEDCOM 7 only records have identifiers.
    let text = "0 @I1@ INDI\n1 ASSO @VOID@".to_owned();
    assert_eq!(written(&lines, &Rules::GEDCOM_7), (text, vec![("E0802", 3), ("E0806", 3), ("E0805", 4)]));
    let text = file.replace("ASSO @E1@", "ASSO @@E1@@");
    assert_eq!(written(&lines, &Rules::DECLARATIVE), (text, vec![("E0805", 4)]));
}

#[test]
fn a_pointer_to_what_is_left_out() {
    let file = "1 @S1@ SUBM\n0 @I1@ INDI\n1 NOTE @D1@\n0 @D1@ DEFN\n1 @D2@ NOTE\n0 NOTE @D2@\n";
    let (text, losses) = written(file, &Rules::OCTOBER_2017);
    assert_eq!(text, "1 @S1@ SUBM\n0 @I1@ INDI\n1 NOTE @@D1@@\n0 NOTE @@D2@@");
    assert_eq!(losses, [("E0805", 4), ("E0806", 5), ("E0805", 7)]);
    // A first substructure tagged ERROR is a line with nothing under it in January; after a line as deep
    // it is not.
    let file = "0 @I1@ INDI\n1 NOTE @N1@\n0 A\n1 @X@ ERROR\n2 @N1@ NOTE\n";
    let (text, losses) = written(file, &Rules::JANUARY_2019);
    assert_eq!(text, "0 @I1@ INDI\n1 NOTE @N1@\n0 A\n1 @X@ ERROR\n0 @N1@ UNDEF");
    assert_eq!(losses, [("E0805", 3), ("E0806", 6)]);
    let file = "0 @I1@ INDI\n1 NOTE @N1@\n0 @X@ ERROR\n1 @N1@ NOTE\n";
    assert_eq!(written(file, &Rules::JANUARY_2019), (file.trim_end().to_owned(), vec![]));
}

#[test]
fn a_pointer_to_the_header() {
    let document = b"0 @H1@ HEAD\n1 @S1@ SUBM x\n0 @I1@ INDI\n1 NOTE @H1@\n1 SUBM @S1@\n0 TRLR\n";
    for rules in Rules::PRESETS {
        let document = read(document, &Rules::WILD, &Options::default(), &mut ()).expect("small");
        let mut octets = Vec::new();
        let mut found: Vec<Diagnostic> = Vec::new();
        write_document(&document, &mut octets, rules, &WriteOptions::new(), &mut found).expect("memory");
        strict(&octets, rules);
        let text = String::from_utf8(octets).expect("UTF-8");
        let (note, submitter) = match rules {
            _ if rules == &Rules::DECLARATIVE => ("@@H1@@", "@@S1@@"),
            _ if rules == &Rules::GEDCOM_7 => ("@VOID@", "@VOID@"),
            _ => ("@H1@", "@S1@"),
        };
        assert!(text.contains(&format!("1 NOTE {note}\n1 SUBM {submitter}\n")), "{}: {text}", rules.name);
        assert_eq!(text.contains("0 @H1@ UNDEF"), rules == &Rules::JANUARY_2019);
        // In 2017 the head is a structure like any other.
        let heads = [&Rules::OCTOBER_2017, &Rules::JULY_2017];
        assert_eq!(text.contains("0 @H1@ HEAD\n"), heads.contains(&rules));
        let lost = |finding: &&Diagnostic| finding.code == codes::XREF_CANNOT_BE_WRITTEN;
        let expected = match rules {
            _ if heads.contains(&rules) => 0,
            _ if [&Rules::DECLARATIVE, &Rules::GEDCOM_7].contains(&rules) => 2,
            _ => 1,
        };
        assert_eq!(found.iter().filter(lost).count(), expected, "{}", rules.name);
    }
}

#[test]
fn a_pointer_to_a_record_that_is_left_out_is_a_loss_by_all_rules() {
    let file = b"0 HEAD\n0 @I1@ INDI\n1 NOTE @C1@\n2 SOUR @C9@\n0 @C1@ CONT\n0 TRLR\n";
    let document = read(file, &Rules::JANUARY_2019, &Options::default(), &mut ()).expect("small");
    for rules in Rules::PRESETS {
        let (mut octets, mut found): (Vec<u8>, Vec<Diagnostic>) = Default::default();
        write_document(&document, &mut octets, rules, &WriteOptions::new(), &mut found).expect("memory");
        let lost = found.iter().filter(|finding| finding.code == codes::POINTER_CANNOT_BE_WRITTEN);
        let lines: Vec<_> = lost.map(|finding| finding.place.map(|place| place.line)).collect();
        assert!(lines.contains(&Some(3)), "{}: {found:?}", rules.name);
    }
    let mut found: Vec<Diagnostic> = Vec::new();
    let (rules, options) = (&Rules::WILD, WriteOptions::new());
    write_document(&document, Vec::new(), rules, &options, &mut found).expect("memory");
    found.retain(|finding| finding.class.is_error());
    let shown: Vec<_> = found.iter().map(|finding| &*finding.message).collect();
    assert!(
        shown.iter().any(|message| message.contains("`@C1@` is left out") && message.contains("of `NOTE`")),
        "{shown:?}"
    );
}

#[test]
fn where_pointers_lead_matters_to_some_rules() {
    for rules in Rules::PRESETS {
        let mut found = ();
        let writer = Writer::new(Vec::new(), rules, &WriteOptions::new(), &mut found).expect("good options");
        assert_eq!(
            writer.restricts_pointers(),
            [&Rules::JANUARY_2019, &Rules::GEDCOM_7].contains(&rules) || DRAFTS_WITH_TEXT.contains(&rules)
        );
    }
}
