//! Files whose header says that they are GEDCOM 7.
#![allow(clippy::expect_used, reason = "a test fails by panicking")]

use elf_tagged::write::{WriteOptions, write_document};
use elf_tagged::{Diagnostic, Document, Options, Reader, Rules, Target, read};

const FILE: &str = "0 HEAD\n1 NOTE @@d o@@e\n2 CONT @@x\n1 GEDC\n2 VERS 7.0.14\n1 SCHMA\n2 TAG _X https://e.example/x\n\
    1 SOUR a@b\n0 @I1@ INDI\n1 NOTE me@example.com, a@@b\n2 CONT @@I1@ #@#DJULIAN@\n1 FAMC @VOID@\n\
    1 NOTE @@VOID@\n0 TRLR\n";

fn texts(document: &Document<'_>) -> Vec<String> {
    document
        .structures()
        .filter(|node| node.line_payload().is_some())
        .map(|node| node.text().into_owned())
        .collect()
}

fn codes(findings: &[Diagnostic]) -> Vec<&str> {
    findings.iter().map(|finding| finding.code.id()).collect()
}

const TEXTS: [&str; 5] = ["@d o@@e\n@x", "a@b", "me@example.com, a@@b\n@I1@ #@#DJULIAN@", "@VOID@", "@VOID@"];

#[test]
fn at_signs_are_read_as_gedcom_7_has_them() {
    let mut found: Vec<Diagnostic> = Vec::new();
    let document = read(FILE.as_bytes(), &Rules::WILD, &Options::default(), &mut found).expect("small");
    assert_eq!(texts(&document), TEXTS);
    assert_eq!(document.rules(), &Rules::GEDCOM_7);
    assert_eq!(codes(&found), [""; 0]);
}

#[test]
fn runs_are_read_as_the_whole() {
    let mut found: Vec<Diagnostic> = Vec::new();
    let mut reader = Reader::new(FILE.as_bytes(), &Rules::WILD, &Options::default()).with_run_size(1);
    let mut all = Vec::new();
    while let Some(run) = reader.next_run(&mut found).expect("memory") {
        all.extend(texts(&run));
    }
    assert_eq!(all, TEXTS);
    assert_eq!(codes(&found), [""; 0]);
}

#[test]
fn strict_rules_and_other_versions_know_no_gedcom_7() {
    for (file, rules) in [
        (FILE.to_owned(), &Rules::DECEMBER_2019),
        (FILE.to_owned(), &Rules::JANUARY_2019),
        (FILE.replace("7.0.14", "5.5.1"), &Rules::WILD),
    ] {
        let mut found: Vec<Diagnostic> = Vec::new();
        let document = read(file.as_bytes(), rules, &Options::default(), &mut found).expect("small");
        assert!(texts(&document)[0].starts_with("@d o@e"), "{}", rules.name);
        assert!(codes(&found).contains(&"E0326"), "{}", rules.name);
        assert_eq!(document.rules(), rules);
    }
}

#[test]
fn a_version_that_is_no_number_is_gedcom_7_all_the_same() {
    let mut found: Vec<Diagnostic> = Vec::new();
    let file = FILE.replace("7.0.14", "7");
    let document = read(file.as_bytes(), &Rules::WILD, &Options::default(), &mut found).expect("small");
    assert_eq!(texts(&document), TEXTS);
    assert_eq!(document.rules(), &Rules::GEDCOM_7);
    assert_eq!(codes(&found), ["E0317"]);
}

#[test]
fn an_at_sign_at_the_start_is_doubled_in_gedcom_7_too() {
    let file = "0 HEAD\n1 GEDC\n2 VERS 7.0\n0 @N1@ SNOTE @ me\n0 TRLR\n";
    let mut found: Vec<Diagnostic> = Vec::new();
    let document = read(file.as_bytes(), &Rules::WILD, &Options::default(), &mut found).expect("small");
    assert_eq!(codes(&found), ["E0326"]);
    assert_eq!(texts(&document), ["@ me"]);
}

#[test]
fn what_other_rules_write_is_no_gedcom_7_and_has_the_same_text() {
    let document = read(FILE.as_bytes(), &Rules::WILD, &Options::default(), &mut ()).expect("small");
    for rules in Rules::PRESETS.into_iter().filter(|&rules| rules != &Rules::GEDCOM_7) {
        let (mut octets, mut losses) = (Vec::new(), Vec::<Diagnostic>::new());
        write_document(&document, &mut octets, rules, &WriteOptions::new(), &mut losses).expect("memory");
        let version = losses.iter().find(|loss| loss.code.id() == "E0814").expect("the version is lost");
        assert_eq!(version.place.map(|place| place.line), Some(5), "{}", rules.name);
        let again = read(&octets, rules, &Options::default(), &mut ()).expect("small");
        let found: Vec<String> = texts(&again).into_iter().filter(|text| text.contains('@')).collect();
        let shown = String::from_utf8_lossy(&octets).into_owned();
        assert_eq!(found[..3], TEXTS[..3], "{}:\n{shown}", rules.name);
        assert!(shown.contains("2 VERS 5.5.1\n") && !shown.contains("2 VERS 7"), "{}", rules.name);
    }
    let mut octets = Vec::new();
    write_document(&document, &mut octets, &Rules::DECEMBER_2019, &WriteOptions::new(), &mut ())
        .expect("memory");
    let shown = String::from_utf8_lossy(&octets).into_owned();
    assert!(shown.contains("1 NOTE me@@example.com, a@@@@b\n2 CONT @@I1@@ #@@#DJULIAN@@\n"), "{shown}");
    assert!(shown.contains("1 SCHMA\n2 TAG _X https://e.example/x\n"), "{shown}");
}

#[test]
fn what_gedcom_7_writes_is_the_same_again() {
    let document = read(FILE.as_bytes(), &Rules::GEDCOM_7, &Options::default(), &mut ()).expect("small");
    let (mut octets, mut losses) = (Vec::new(), Vec::<Diagnostic>::new());
    let options = WriteOptions::new().with_mark(Some(false));
    write_document(&document, &mut octets, &Rules::GEDCOM_7, &options, &mut losses).expect("memory");
    assert_eq!(codes(&losses), [""; 0]);
    // What describes the serialisation comes first.
    assert_eq!(
        String::from_utf8_lossy(&octets),
        "0 HEAD\n1 GEDC\n2 VERS 7.0.14\n1 SCHMA\n2 TAG _X https://e.example/x\n1 NOTE @@d o@@e\n2 CONT @@x\n\
         1 SOUR a@b\n0 @I1@ INDI\n1 NOTE me@example.com, a@@b\n2 CONT @@I1@ #@#DJULIAN@\n1 FAMC @VOID@\n\
         1 NOTE @@VOID@\n0 TRLR\n"
    );
}

#[test]
fn what_is_not_of_gedcom_7_is_written_in_the_nearest_way_it_has() {
    let file = "0 HEAD\n1 CHAR UTF-8\n1 GEDC\n2 VERS 5.5.1\n2 FORM LINEAGE-LINKED\n0 @i-1@ INDI\n1 _Uid x\n\
        1 BIRT\n1 FAMC @F9@\n1 NOTE me@@example.com\n2 CONC , and so on\n2 CONT @@ work\n1 ASSO @i-1@\n\
        0 @N1@ SUBM\n0 TRLR\n";
    let document = read(file.as_bytes(), &Rules::WILD, &Options::default(), &mut ()).expect("small");
    let (mut octets, mut losses) = (Vec::new(), Vec::<Diagnostic>::new());
    let options = WriteOptions::new().with_mark(Some(false));
    write_document(&document, &mut octets, &Rules::GEDCOM_7, &options, &mut losses).expect("memory");
    assert_eq!(
        String::from_utf8_lossy(&octets),
        "0 HEAD\n1 GEDC\n2 VERS 7.0\n0 @I1X1@ INDI\n1 _UID x\n1 FAMC @VOID@\n\
         1 NOTE me@example.com, and so on\n2 CONT @@ work\n1 ASSO @I1X1@\n\
         0 @N1@ SUBM\n0 TRLR\n"
    );
    assert_eq!(codes(&losses), ["E0814", "E0811", "E0801", "E0806", "E0805"]);
    let places: Vec<u64> = losses.iter().filter_map(|loss| loss.place.map(|place| place.line)).collect();
    assert_eq!(places, [4, 6, 7, 8, 9]);
    let mut found = Vec::<Diagnostic>::new();
    read(&octets, &Rules::GEDCOM_7, &Options::default(), &mut found).expect("small");
    assert_eq!(codes(&found), [""; 0]);
}

#[test]
fn an_empty_record_that_can_be_pointed_to_stays() {
    let file = "0 HEAD\n1 GEDC\n2 VERS 7.0\n0 @I1@ INDI\n0 INDI\n0 @I2@ INDI\n1 BIRT\n0 TRLR\n";
    let mut found = Vec::<Diagnostic>::new();
    let document = read(file.as_bytes(), &Rules::GEDCOM_7, &Options::default(), &mut found).expect("small");
    let places: Vec<(&str, u64)> =
        found.iter().filter_map(|it| Some((it.code.id(), it.place.as_ref()?.line))).collect();
    assert_eq!(places, [("E0341", 5), ("E0341", 7)]);
    let mut octets = Vec::new();
    let options = WriteOptions::new().with_mark(Some(false));
    write_document(&document, &mut octets, &Rules::GEDCOM_7, &options, &mut ()).expect("memory");
    assert_eq!(
        String::from_utf8_lossy(&octets),
        "0 HEAD\n1 GEDC\n2 VERS 7.0\n0 @I1@ INDI\n0 @I2@ INDI\n0 TRLR\n"
    );
}

#[test]
fn small_letters_make_no_continuations() {
    let file = "0 HEAD\n1 GEDC\n2 VERS 7.0\n0 @I1@ INDI\n1 NOTE a\n2 cont b\n1 NOTE c\n2 conc d\n0 TRLR\n";
    let document = read(file.as_bytes(), &Rules::GEDCOM_7, &Options::default(), &mut ()).expect("small");
    let (mut octets, mut losses) = (Vec::new(), Vec::<Diagnostic>::new());
    let options = WriteOptions::new().with_mark(Some(false));
    write_document(&document, &mut octets, &Rules::GEDCOM_7, &options, &mut losses).expect("memory");
    assert_eq!(
        String::from_utf8_lossy(&octets),
        "0 HEAD\n1 GEDC\n2 VERS 7.0\n0 @I1@ INDI\n1 NOTE a\n2 _CONT b\n1 NOTE c\n2 _CONC d\n0 TRLR\n"
    );
    assert_eq!(codes(&losses), ["E0801", "E0801"]);
}

#[test]
fn a_level_that_is_too_high_is_one_fault_with_zeros_or_without() {
    let found = |before: &str, line: &str| {
        let file = format!("0 HEAD\n1 GEDC\n2 VERS 7.0\n0 @I1@ INDI\n{before}\n{line}\n0 TRLR\n");
        let mut found: Vec<Diagnostic> = Vec::new();
        read(file.as_bytes(), &Rules::GEDCOM_7, &Options::default(), &mut found).expect("small");
        found.iter().map(|finding| finding.code.id().to_owned()).collect::<Vec<_>>()
    };
    // Behind a text it may be the rest of it.
    for (before, expected) in [("1 SEX F", "E0306"), ("1 FAMC @VOID@", "E0203")] {
        assert_eq!(found(before, "0100 NOTE x"), [expected]);
        assert_eq!(found(before, "100 NOTE x"), [expected]);
        assert_eq!(found(before, "01 NOTE x"), ["E0202"]);
    }
}

/// The file of GEDCOM 7.0 that comes of one, and the messages of what was lost or changed.
fn rewritten(file: &str, rules: &Rules) -> (String, Vec<String>) {
    let document = read(file.as_bytes(), &Rules::GEDCOM_7, &Options::default(), &mut ()).expect("small");
    let (mut octets, mut losses) = (Vec::new(), Vec::<Diagnostic>::new());
    let options = WriteOptions::new().with_mark(Some(false));
    write_document(&document, &mut octets, rules, &options, &mut losses).expect("memory");
    let messages = losses.iter().map(|loss| loss.message.to_string()).collect();
    (String::from_utf8(octets).expect("UTF-8"), messages)
}

#[test]
fn no_pointer_to_nothing_leads_to_what_is_called_so() {
    let head = "0 HEAD\n1 GEDC\n2 VERS 7.0\n";
    let record = format!("{head}0 @VOID@ INDI\n1 SEX F\n0 @F1@ FAM\n1 HUSB @VOID@\n0 TRLR\n");
    let document = read(record.as_bytes(), &Rules::GEDCOM_7, &Options::default(), &mut ()).expect("small");
    assert!(matches!(document.resolve("VOID"), Target::None));
    let (written, losses) = rewritten(&record, &Rules::GEDCOM_7);
    assert_eq!(written, record.replace("0 @VOID@ INDI", "0 @VOIDX1@ INDI"));
    assert_eq!(
        losses,
        ["the identifier `@VOID@` becomes `@VOIDX1@`: it is reserved for pointers to no record"]
    );
    // Elsewhere it is an identifier like any other.
    let (written, losses) = rewritten(&record, &Rules::OCTOBER_2017);
    assert!(written.contains("0 @VOIDX1@ INDI\n1 SEX F\n0 @F1@ FAM\n1 HUSB @@VOID@@\n"), "{written}");
    let lost = "the pointer `@VOID@` is unresolved: the pointer of `HUSB` is written as text";
    assert!(losses.iter().any(|loss| loss == lost), "{losses:?}");
    // Where a pointer may lead nowhere, nothing is lost.
    for rules in [&Rules::DECEMBER_2019, &Rules::WILD] {
        let (written, losses) = rewritten(&record, rules);
        assert!(written.ends_with("INDI\n1 SEX F\n0 @F1@ FAM\n1 HUSB @VOID@\n0 TRLR\n"), "{written}");
        assert!(!losses.iter().any(|loss| loss.contains("the pointer")), "{losses:?}");
        assert!(written.contains("0 @VOIDX1@ INDI\n"), "{written}");
    }

    let two = record.replace("0 @F1@ FAM", "0 @VOID@ INDI\n1 SEX M\n0 @F1@ FAM");
    let (written, losses) = rewritten(&two, &Rules::GEDCOM_7);
    let expected = two.replacen("@VOID@", "@VOIDX1@", 1).replacen("@VOID@", "@VOIDX2@", 1);
    assert_eq!(written, expected);
    assert_eq!(losses.len(), 2, "{losses:?}");

    let nested = format!("{head}0 @F1@ FAM\n1 @VOID@ MARR Y\n1 HUSB @VOID@\n0 TRLR\n");
    let (written, losses) = rewritten(&nested, &Rules::GEDCOM_7);
    assert_eq!(written, nested.replace("1 @VOID@ MARR", "1 MARR"));
    assert_eq!(losses, ["`MARR` loses its identifier: only records can have one"]);
}

#[test]
fn a_loss_names_the_identifier_that_was_read() {
    let file = "0 HEAD\n1 GEDC\n2 VERS 7.0\n0 @F1@ FAM\n1 @a1@ MARR Y\n1 HUSB @a1@\n0 TRLR\n";
    let document = read(file.as_bytes(), &Rules::WILD, &Options::default(), &mut ()).expect("small");
    let (mut octets, mut losses) = (Vec::new(), Vec::<Diagnostic>::new());
    write_document(&document, &mut octets, &Rules::GEDCOM_7, &WriteOptions::new(), &mut losses)
        .expect("memory");
    let pointer = losses.iter().find(|loss| loss.code.id() == "E0805").expect("it leads nowhere");
    assert!(pointer.message.contains("`@a1@`"), "{}", pointer.message);
}
