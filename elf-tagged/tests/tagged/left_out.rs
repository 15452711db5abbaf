//! Tests of losses: what a reading leaves out of the data is one where it stands, when the document is
//! written again.
#![allow(clippy::expect_used, reason = "a test fails by panicking")]

use crate::writing;

use elf_tagged::write::{WriteError, WriteOptions, write_document};
use elf_tagged::{Diagnostic, Options, Rules, read};
use writing::strict;

const RDX: &Rules = &Rules::DECLARATIVE;
const J19: &Rules = &Rules::JANUARY_2019;
const O17: &Rules = &Rules::OCTOBER_2017;
const WILD: &Rules = &Rules::WILD;

/// The code and the line of each finding when these lines between header and trailer are written again by the
/// same rules.
fn said(lines: &str, rules: &Rules) -> Vec<(&'static str, u64)> {
    of_file(&format!("0 HEAD\n1 CHAR UTF-8\n{lines}0 TRLR\n"), rules)
}

/// Writes a whole file by the rules that it was read by, and returns the code and the line of each finding.
fn of_file(file: &str, rules: &Rules) -> Vec<(&'static str, u64)> {
    converted(file, rules, rules)
}

/// Reads a file by one set of rules and writes it by another, and returns the code and the line of each
/// finding.
fn converted(file: &str, from: &Rules, to: &Rules) -> Vec<(&'static str, u64)> {
    let document = read(file.as_bytes(), from, &Options::default(), &mut ()).expect("small");
    let (mut octets, mut found): (_, Vec<Diagnostic>) = (Vec::new(), Vec::new());
    let summary = write_document(&document, &mut octets, to, &WriteOptions::new(), &mut found);
    let losses = found.iter().filter(|finding| finding.class.is_error()).count();
    assert_eq!(summary.expect("memory").losses, losses as u64, "{found:?}");
    strict(&octets, to);
    let place = |finding: &Diagnostic| finding.place.map_or(0, |place| place.line);
    found.iter().map(|finding| (finding.code.id(), place(finding))).collect()
}

/// Findings cite the rules of the reading, which are those that left it out.
#[test]
fn what_the_reading_left_out_cites_the_rules_of_the_reading() {
    let file = "0 HEAD\n1 CHAR UTF-8\n0 NOTE a\n1 CONT b\n2 FOO c\n3 BAR d\n0 TRLR\n";
    for (from, clause) in [(O17, "O17 §3.2 Pseudo-structures"), (&Rules::JULY_2017, "E17 Pseudo-structures")]
    {
        let document = read(file.as_bytes(), from, &Options::default(), &mut ()).expect("small");
        for to in Rules::PRESETS {
            let (mut octets, mut found): (_, Vec<Diagnostic>) = (Vec::new(), Vec::new());
            write_document(&document, &mut octets, to, &WriteOptions::new(), &mut found).expect("memory");
            let cited: Vec<_> = found.iter().map(|finding| (finding.code.id(), finding.clause)).collect();
            assert_eq!(cited, [("E0816", Some(clause))], "{}", to.name);
        }
    }
    let (mut octets, mut found): (_, Vec<Diagnostic>) = (Vec::new(), Vec::new());
    let document = read(b"0 HEAD\n1 CHAR UTF-8\n0 NOTE \xFF\n0 TRLR\n", RDX, &Options::default(), &mut ())
        .expect("small");
    write_document(&document, &mut octets, O17, &WriteOptions::new(), &mut found).expect("memory");
    let cited: Vec<_> = found.iter().map(|finding| (finding.code.id(), finding.clause)).collect();
    assert_eq!(cited, [("E0817", Some("RDX Serialised Line"))]);
}

#[test]
fn rejected_lines_are_losses() {
    let lines = "0 NOTE a\n1 NAME b\n x A\n2 X B\n0 NOTE c\n3 X C\n4 Y D\n5 Z E\n!6 Z F\n0 NOTE d\n0 NOTE e\n1 CONT f\n2 CONT g\n";
    let expected = [("E0816", 5), ("E0816", 8), ("E0816", 11), ("E0816", 15)];
    assert_eq!(said(lines, RDX), expected);
    // Blank lines hold nothing.
    assert_eq!(said("\n \n0 NOTE a\n", RDX), []);
}

#[test]
fn rejected_structures_are_losses_and_so_are_pointers_to_them() {
    let lines = "0 @I2@ SOUR @I1@\n1 NOTE precious\n0 @I1@ SOUR\n0 @I3@ FAM @I2@\n0 @I1@ SOUR\n";
    assert_eq!(said(lines, RDX), [("E0816", 3), ("E0816", 5), ("E0805", 6), ("E0816", 7)]);
    let within = "0 NOTE a\n1 @A@ N x\n2 @B@ NOTE b\n1 @A@ N\n1 REF @A@\n2 X c\n1 Y @B@\n";
    assert_eq!(said(within, RDX), [("E0816", 4), ("E0816", 6), ("E0816", 7), ("E0805", 9)]);
}

#[test]
fn identifiers_that_the_rules_take_away_are_losses() {
    let lines = "0 @A@ NOTE a\n1 @A@ NOTE b\n0 @B@ X\n0 @B@ Y\n0 X @A@\n";
    assert_eq!(said(lines, RDX), [("E0808", 4), ("E0802", 4), ("E0802", 5), ("E0802", 6)][1..]);
    let continued = "0 NOTE a\n1 @A@ CONT b\n1 @B@ CONC c\n1 X y\n";
    for rules in [RDX, J19, O17, WILD] {
        assert_eq!(said(continued, rules), [("E0802", 4), ("E0802", 5)], "{}", rules.name);
    }
}

#[test]
fn what_stands_beneath_pseudo_structures_is_a_loss() {
    let lines = "0 NOTE a\n1 CONT b\n2 SOUR c\n3 TEXT d\n2 NOTE e\n1 X y\n";
    assert_eq!(said(lines, O17), [("E0816", 5), ("E0816", 7)]);
    assert_eq!(said("0 NOTE a\n1 CONT b\n2 CONT c\n", O17), [("E0816", 5)]);
    assert_eq!(
        said("0 CONT a\n1 NOTE b\n0 X\n1 CHAR c\n2 NOTE d\n1 DEFN e\n", O17),
        [("E0816", 3), ("E0816", 6), ("E0816", 8)]
    );
}

#[test]
fn what_the_trailer_holds_is_a_loss() {
    for trailer in ["0 TRLR\n1 NOTE a\n", "0 TRLR a\n", "0 @A@ TRLR\n", "0 TRLR\n1 CONT a\n"] {
        for rules in [RDX, J19, O17] {
            let file = format!("0 HEAD\n1 CHAR UTF-8\n0 NOTE x\n{trailer}");
            assert_eq!(of_file(&file, rules), [("E0816", 4)], "{} {trailer}", rules.name);
        }
    }
    // No pointer leads to it, which January leads to a record of its own.
    let pointed = "0 HEAD\n1 CHAR UTF-8\n0 NOTE @A@\n0 @A@ TRLR\n1 @B@ NOTE @C@\n";
    for rules in [RDX, O17] {
        assert_eq!(of_file(pointed, rules), [("E0805", 3), ("E0816", 4)], "{}", rules.name);
    }
    assert_eq!(of_file(pointed, J19), [("E0816", 4)]);
    // Not the last record: it is no trailer.
    assert_eq!(said("0 TRLR\n0 NOTE x\n", O17), [("E0816", 3)]);
    assert_eq!(said("0 NOTE x\n", O17), []);
    // Records that the rules insert do not follow it.
    assert_eq!(said("0 NOTE x\n1 @A@ CONT y\n0 NOTE @B@\n", J19), [("E0802", 4)]);
}

/// Writes records by `wild`, and returns the records as written and the codes of the findings.
fn to_wild(records: &str, from: &Rules) -> (String, Vec<&'static str>) {
    let file = format!("0 HEAD\n1 CHAR UTF-8\n{records}0 TRLR\n");
    let document = read(file.as_bytes(), from, &Options::default(), &mut ()).expect("small");
    let (mut octets, mut found): (_, Vec<Diagnostic>) = (Vec::new(), Vec::new());
    write_document(&document, &mut octets, WILD, &WriteOptions::new(), &mut found).expect("memory");
    let codes = found.iter().map(|finding| finding.code.id()).collect();
    (writing::between(&octets), codes)
}

#[test]
fn faults_of_identifiers_stay_from_wild_to_wild_only() {
    let odd = "0 @I(1)@ INDI\n1 ALIA @I(1)@\n";
    assert_eq!(to_wild(odd, WILD), (odd.to_owned(), vec![]));
    for from in [J19, O17] {
        let renamed = odd.replace("I(1)", "I1X1");
        assert_eq!(to_wild(odd, from), (renamed, vec!["E0811"]), "{}", from.name);
    }
    let repeated = "0 @A@ INDI\n0 @A@ FAM\n0 INDI\n1 ALIA @A@\n";
    assert_eq!(to_wild(repeated, WILD), (repeated.to_owned(), vec![]));
    for from in [O17, &Rules::DECEMBER_2019] {
        let written = "0 @AX1@ INDI\n0 @AX2@ FAM\n0 INDI\n1 ALIA @A@\n";
        let said = vec!["E0811", "E0811", "E0805"];
        assert_eq!(to_wild(repeated, from), (written.to_owned(), said), "{}", from.name);
    }
}

#[test]
fn where_nothing_is_a_line_there_is_nothing_to_write() {
    for (file, rules) in [("", WILD), ("\u{FEFF}", J19), ("\n\n", O17), ("", RDX), ("no line\n", RDX)] {
        let document = read(file.as_bytes(), rules, &Options::default(), &mut ()).expect("small");
        let options = WriteOptions::new().with_partial(true);
        let written = write_document(&document, Vec::new(), rules, &options, &mut ());
        assert!(matches!(written, Err(WriteError::Empty)), "{} {file:?}", rules.name);
    }
}

#[test]
fn text_behind_serialisation_metadata_is_a_loss() {
    assert_eq!(said("some text\n1 SOUR x\n", WILD), [("E0816", 3)]);
    assert_eq!(said("some text\n1 SOUR x\n", O17), [("E0816", 3)]);
    let gedc = "1 ELF 1.0.0\n1 GEDC\n2 VERS 5.5.1\nsome text\n2 FORM LINEAGE-LINKED\n1 PLANG fr\nother\n";
    assert_eq!(said(gedc, WILD), [("E0816", 6), ("E0816", 9)]);
    assert_eq!(said("1 SCHMA http://x.example/\nsome text\n0 NOTE x\n", WILD), [("E0816", 4)]);
}

#[test]
fn what_stands_beneath_the_encoding_is_told() {
    for rules in [RDX, J19, O17, WILD, &Rules::DECEMBER_2019] {
        assert_eq!(said("2 VERS 1.0\n0 NOTE a\n", rules), [("E0815", 3)], "{}", rules.name);
    }
    for rules in [RDX, J19, O17, WILD] {
        assert_eq!(said("2 CONT a\n0 NOTE a\n", rules), [("E0816", 3)], "{}", rules.name);
    }
}

#[test]
fn escapes_that_the_tag_does_not_preserve_are_losses() {
    let lines = "0 NOTE a @#XKEEP@ b\n1 DATE @#DJULIAN@ 1540\n1 DATE @#XA@ 1540@#DB@ x\n2 CONT @#XC@ y\n1 AGE a@@b @#U41@ @c\n";
    let of = |from: &Rules, to: &Rules| {
        let file = format!("0 HEAD\n1 CHAR UTF-8\n{lines}0 TRLR\n");
        let document = read(file.as_bytes(), from, &Options::default(), &mut ()).expect("small");
        let mut found: Vec<Diagnostic> = Vec::new();
        write_document(&document, Vec::new(), to, &WriteOptions::new(), &mut found).expect("memory");
        let place = |finding: &Diagnostic| finding.place.map_or(0, |place| place.line);
        found.iter().map(|finding| (finding.code.id(), place(finding))).collect::<Vec<_>>()
    };
    for to in Rules::PRESETS {
        for from in [J19, RDX] {
            // GEDCOM 7 has no escapes, so those that were kept become text.
            let losses: &[_] = match to.tagged.escape.is_leading() {
                true => &[("E0813", 3), ("E0813", 4), ("E0813", 5), ("E0813", 5)],
                false => &[("E0813", 3), ("E0813", 5)],
            };
            assert_eq!(of(from, to), losses, "{} to {}", from.name, to.name);
        }
    }
    // There they are kept.
    assert_eq!(of(O17, O17), []);
    assert_eq!(of(WILD, &Rules::DECEMBER_2019), [("E0813", 3), ("E0813", 5)]);
}

#[test]
fn octets_that_could_not_be_decoded_are_losses() {
    let of = |file: &[u8], from: &Rules, to: &Rules| {
        let document = read(file, from, &Options::default(), &mut ()).expect("small");
        let (mut octets, mut found): (_, Vec<Diagnostic>) = (Vec::new(), Vec::new());
        write_document(&document, &mut octets, to, &WriteOptions::new(), &mut found).expect("memory");
        let place = |finding: &Diagnostic| finding.place.map_or((0, 0), |place| (place.line, place.column));
        found.iter().map(|finding| (finding.code.id(), place(finding))).collect::<Vec<_>>()
    };
    // A U+FFFD that is in the file is as good as any other character.
    let ascii = b"0 HEAD\n1 CHAR ASCII\n0 NOTE @#U41@ a\xE9b\xE9\xE8c\n1 CONT \xEA\n0 TRLR\n";
    let utf_8 = b"0 HEAD\n1 CHAR UTF-8\n0 NOTE \xEF\xBF\xBD\xC3\xA9\n1 CONT a\xFFb\n0 TRLR\n";
    for to in Rules::PRESETS {
        for from in [J19, O17, RDX] {
            let expected = [("E0817", (3, 16)), ("E0817", (3, 18)), ("E0817", (4, 8))];
            assert_eq!(of(ascii, from, to), expected, "{} to {}", from.name, to.name);
            assert_eq!(of(utf_8, from, to), [("E0817", (4, 9))], "{} to {}", from.name, to.name);
        }
    }
    // A character that is guessed, or put together again, is none that is lost.
    assert_eq!(of(utf_8, WILD, WILD), []);
    // Where no other encoding may be meant, a guess is one.
    let of_7 = b"0 HEAD\n1 GEDC\n2 VERS 7.0\n0 @N1@ SNOTE \xC3\xA9\n1 CONT a\xE9\xFFb\n0 TRLR\n";
    for from in [WILD, &Rules::GEDCOM_7] {
        assert_eq!(of(of_7, from, &Rules::GEDCOM_7), [("E0817", (5, 9))], "{}", from.name);
    }
    let cut = b"0 HEAD\n1 CHAR UTF-8\n0 NOTE a\xC3\n1 CONC \xA9b\n1 CONT \xED\xA0\xBD\xED\xB8\x80\n0 TRLR\n";
    assert_eq!(of(cut, WILD, WILD), []);
    let lone = b"0 HEAD\n1 CHAR UTF-8\n0 NOTE \xC3\xA9\xC3\xA9\xC3\xA9 \xC2\x81\x81\n0 TRLR\n";
    assert_eq!(of(lone, WILD, WILD), [("E0817", (3, 13))]);
}

#[test]
fn lines_that_could_not_be_read_beneath_metadata_are_losses() {
    let beneath_char = "0 HEAD\n1 CHAR UTF-8\n2 VERS x\n0 @\u{E9}@ INDI KEEP\n1 NAME KEEP2\n0 TRLR\n";
    assert_eq!(of_file(beneath_char, J19), [("E0815", 3), ("E0816", 4)]);
    let beneath_schema =
        "0 HEAD\n1 CHAR UTF-8\n1 SCHMA\n2 ESC NAME X\n0 @?y@ SOUR KEEP\n1 NOTE KEEP2\n0 TRLR\n";
    assert!(of_file(beneath_schema, J19).contains(&("E0816", 5)));
}

#[test]
fn text_behind_the_form_is_a_loss_at_its_own_line() {
    let file = "0 HEAD x\nfirst\n1 CHAR UTF-8\n1 GEDC\n2 VERS 5.5.1\nsecond\n2 FORM LINEAGE-LINKED\nthird\n0 NOTE a\n0 TRLR\n";
    let expected = [("E0806", 1), ("E0816", 2), ("E0816", 6), ("E0816", 8)];
    for from in [O17, &Rules::JULY_2017] {
        assert_eq!(converted(file, from, &Rules::DECEMBER_2019), expected, "{}", from.name);
    }
    assert_eq!(converted(file, WILD, &Rules::DECEMBER_2019), expected);
    let continued = "0 HEAD\n1 CHAR UTF-8\n1 GEDC\n2 VERS 5.5.1\n2 FORM LINEAGE-LINKED\n3 CONT x\n0 TRLR\n";
    assert_eq!(converted(continued, J19, &Rules::DECEMBER_2019), [("E0806", 5)]);
}

#[test]
fn each_structure_beneath_an_error_line_is_a_loss() {
    let records = "1 ERROR a\n2 X b\n3 Y c\n2 Y d\n2 Z e\n0 NOTE a\n1 ERROR f\n2 X g\n2 Y h\n1 ERROR i\n2 X j\n0 TRLR\n";
    let file = format!("0 HEAD\n1 CHAR UTF-8\n0 NOTE x\n{records}");
    for from in [WILD, O17, &Rules::DECEMBER_2019] {
        let expected =
            [("E0806", 5), ("E0806", 7), ("E0806", 8), ("E0806", 11), ("E0806", 12), ("E0806", 14)];
        assert_eq!(converted(&file, from, J19), expected, "{}", from.name);
    }
}

#[test]
fn lines_that_became_part_of_a_structure_are_lost_with_it() {
    let file = "0 HEAD\n1 CHAR UTF-8\n1 SCHMA x\n0 @?y@ SOUR a\n2 X y\n0 @?z@ SOUR b\n0 NOTE c\n1 SCHMA\n2 @\n0 NOTE d\n0 TRLR\n";
    for from in [O17, &Rules::JULY_2017] {
        // The at sign in line 9 is text of the SCHMA before it, and is written.
        let expected = [("E0806", 3), ("E0816", 4), ("E0816", 6)];
        assert_eq!(converted(file, from, &Rules::DECEMBER_2019), expected, "{}", from.name);
    }
    let hidden = "0 HEAD\n1 CHAR UTF-8\n0 NOTE c\n1 PRFX d\n0 @?y@ SOUR a\n1 CONT e\n2 X f\nsome text\n2 ABC?\n0 TRLR\nx\n";
    let lines: Vec<u64> = of_file(hidden, O17).into_iter().map(|(_, line)| line).collect();
    assert_eq!(lines, [4, 5, 7, 8, 9, 10, 11]);
}

#[test]
fn continuations_that_stray_into_what_is_left_out_are_losses() {
    let file = "0 HEAD\n1 CHAR UTF-8\n1 SOUR x\n0 CONT a\n0 CONT b\n0 NOTE c\n1 SCHMA x\n1 CONT d\n0 NOTE e\n0 TRLR\n";
    for from in [O17, &Rules::JULY_2017] {
        let expected = [("E0816", 4), ("E0816", 5)];
        assert_eq!(converted(file, from, &Rules::DECEMBER_2019), expected, "{}", from.name);
    }
    let dropped = "0 HEAD\n1 CHAR UTF-8\n1 SCHMA x\n1 CONT d\n0 CONT e\n0 NOTE c\n0 TRLR\n";
    let expected = [("E0806", 3), ("E0816", 4), ("E0816", 5)];
    assert_eq!(converted(dropped, O17, &Rules::DECEMBER_2019), expected);
    let beneath = "0 HEAD\n1 CHAR UTF-8\n2 DEFN a\n3 X y\n2 TRLR b\n1 DEFN _X http://x.example/\n0 @?y@ SOUR c\n0 TRLR\n";
    assert_eq!(converted(beneath, O17, O17), [("E0816", 3), ("E0816", 5)]);
    let nested = "0 HEAD\n1 CHAR UTF-8\n1 DEFN _X http://x.example/\n2 DEFN a\n3 X y\n2 NOTE b\n0 TRLR\n";
    assert_eq!(converted(nested, O17, O17), [("E0816", 4), ("E0806", 6)]);
    let expected = [("E0816", 3), ("E0816", 5), ("E0806", 6), ("E0816", 7)];
    let said = converted(beneath, O17, &Rules::DECEMBER_2019);
    assert!(expected.iter().all(|one| said.contains(one)), "{said:?}");
}

#[test]
fn each_elf_version_is_judged_by_itself() {
    let file = "0 HEAD\n1 CHAR UTF-8\n1 ELF x\n1 ELF 1.0.0\n0 NOTE a\n0 TRLR\n";
    for from in [WILD, &Rules::DECEMBER_2019] {
        assert_eq!(converted(file, from, from), [("E0814", 3), ("E0806", 4)], "{}", from.name);
    }
    assert_eq!(converted(file, WILD, J19), [("E0806", 3), ("E0806", 4)]);
    // A version that is replaced is a loss by all rules.
    let gedcom_7 = "0 HEAD\n1 CHAR UTF-8\n1 GEDC\n2 VERS 7.0\n0 NOTE a\n0 TRLR\n";
    for to in [J19, RDX, O17] {
        assert_eq!(converted(gedcom_7, WILD, to), [("E0814", 4)], "{}", to.name);
    }
}

#[test]
fn what_is_not_understood_beneath_metadata_is_a_loss() {
    let file = "0 HEAD\n1 CHAR UTF-8\n2 VERS 5.5.1\n2 _Z keep\n3 X y\n2 VERS z\n3 X y\n1 ELF 1.0.0\n2 NOTE a\n1 GEDC\n2 VERS 5.5.1\n\
        2 FORM LINEAGE-LINKED\n3 VERS 5.5.1\n3 _Z b\n2 _Z c\n1 PLANG de\n2 _Z d\n0 TRLR\n";
    for rules in [WILD, &Rules::DECEMBER_2019] {
        let expected = [
            ("E0815", 3),
            ("E0816", 4),
            ("E0816", 6),
            ("E0816", 9),
            ("E0815", 13),
            ("E0816", 14),
            ("E0816", 15),
            ("E0816", 17),
        ];
        assert_eq!(of_file(file, rules), expected, "{}", rules.name);
    }
    assert_eq!(converted(file, J19, J19), [("E0815", 3), ("E0816", 4), ("E0816", 6)]);
}

#[test]
fn escapes_that_reading_removes_from_a_schema_are_losses() {
    let file = "0 HEAD\n1 CHAR UTF-8\n1 SCHMA\n2 PRFX x http://x.example/@#XKEEP@ \n2 SCHMA http://y.example/\n0 TRLR\n";
    for to in Rules::PRESETS {
        for from in [J19, RDX] {
            // GEDCOM has no place for a schema of ELF, which is lost as a whole.
            let lost = if to.schema.mechanism.defines_types() { ("E0813", 4) } else { ("E0809", 3) };
            assert!(converted(file, from, to).contains(&lost), "{} to {}", from.name, to.name);
        }
    }
}

/// A payload of which nothing is left makes its structure an empty one, which GEDCOM 7.0 does not have.
#[test]
fn what_is_emptied_is_left_out_where_nothing_may_be_empty() {
    let file = "0 HEAD\n1 CHAR UTF-8\n0 @I1@ INDI\n1 _A x\n2 _B \u{85}\n1 _C \u{85}\n2 _D y\n0 TRLR\n";
    let found = converted(file, &Rules::DECEMBER_2019, &Rules::GEDCOM_7);
    assert_eq!(found, [("E0803", 5), ("E0806", 5), ("E0803", 6)]);
}

/// The payload of the header record has escapes as any other has.
#[test]
fn escapes_of_the_header_are_not_lost_in_silence() {
    let file = "0 HEAD a @#U41@ b\n1 CHAR UTF-8\n0 @I1@ INDI\n1 NOTE a @#U41@ b\n0 TRLR\n";
    assert_eq!(converted(file, &Rules::GEDCOM_5_5_1, O17), [("E0813", 1), ("E0813", 4)]);
    assert_eq!(converted("0 HEAD a @#DJULIAN@ b\n1 CHAR UTF-8\n0 TRLR\n", &Rules::GEDCOM_5_5_1, O17), []);
}

/// By the rules of 2017 a line may be under text that strayed into CHAR.
#[test]
fn what_stands_beneath_stray_text_of_char_is_left_out_by_name() {
    let file = "0 HEAD\n1 CHAR UTF-8\n1 CONT x\n2 VERS 1\n0 TRLR\n";
    assert_eq!(converted(file, O17, J19), [("E0816", 3), ("E0816", 4)]);
}
