//! Tests of losses: what a writer cannot carry over is said where it stands, and nothing is lost in silence.
#![allow(clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

use crate::writing;

use elf_tagged::write::{WriteOptions, write_document};
use elf_tagged::{Diagnostic, Encoding, Options, Rules, read};
use writing::strict;

/// Converts a file, and returns its text with the code and the line of each finding.
fn written(file: &str, from: &Rules, to: &Rules, encoding: Encoding) -> (String, Vec<(&'static str, u64)>) {
    let document = read(file.as_bytes(), from, &Options::default(), &mut ()).expect("small");
    let (mut octets, mut found): (_, Vec<Diagnostic>) = (Vec::new(), Vec::new());
    let options = WriteOptions::new().with_encoding(encoding);
    let summary = write_document(&document, &mut octets, to, &options, &mut found).expect("memory");
    let losses = found.iter().filter(|finding| finding.class.is_error()).count();
    assert_eq!(summary.losses, losses as u64, "{found:?}");
    strict(&octets, to);
    let place = |finding: &Diagnostic| finding.place.map_or(0, |place| place.line);
    let said = found.iter().map(|finding| (finding.code.id(), place(finding))).collect();
    let text = elf_tagged::elf_octets::decode(&octets, encoding, &to.octets).text;
    (text.into_owned(), said)
}

fn said(header: &str, encoding: Encoding) -> Vec<(&'static str, u64)> {
    let file = format!("0 HEAD\n1 CHAR UTF-8\n{header}\n0 NOTE x\n0 TRLR\n");
    written(&file, &Rules::WILD, &Rules::DECEMBER_2019, encoding).1
}

#[test]
fn losses_of_the_header_stand_at_their_lines() {
    let schema = "1 SOUR X\n1 PLANG de_DE\n1 SCHMA https://x.example/\u{e9}";
    assert_eq!(said(schema, Encoding::Ascii), [("E0804", 4), ("E0804", 5)]);
    let gedcom = "1 SOUR X\n1 GEDC\n2 FORM LINEAGE-LINKED\n2 VERS 5.3";
    assert_eq!(said(gedcom, Encoding::Utf8), [("E0814", 6)]);
}

#[test]
fn versions_and_identifiers_of_the_header_are_not_lost_in_silence() {
    assert_eq!(said("1 ELF 1.0.7", Encoding::Utf8), []);
    for version in ["2.0", "x"] {
        assert_eq!(said(&format!("1 ELF {version}"), Encoding::Utf8), [("E0814", 3)]);
        let below = format!("1 GEDC\n2 VERS 5.5.1\n2 FORM LINEAGE-LINKED\n2 ELF {version}");
        assert_eq!(said(&below, Encoding::Utf8), [("E0814", 6)]);
    }
    assert_eq!(said("1 @X@ PLANG de\n1 NOTE @X@", Encoding::Utf8), [("E0802", 3)]);
    assert_eq!(said("1 GEDC\n2 @V@ VERS 5.5\n2 FORM LINEAGE-LINKED", Encoding::Utf8), [("E0802", 4)]);
}

#[test]
fn what_stands_beneath_serialisation_metadata_is_a_loss() {
    let header = "2 VERS x\n1 ELF 1.0\n2 BAR y\n3 BAZ z\n1 GEDC\n2 VERS 5.5.1\n2 FORM LINEAGE-LINKED";
    assert_eq!(said(header, Encoding::Utf8), [("E0815", 3), ("E0816", 5)]);
}

#[test]
fn long_tags_and_identifiers_are_written_with_advice() {
    let (tag, id) = ("_SIXTEENLETTERSX", "ABCDEFGHIJKLMNOPQRSTU");
    let file = format!(
        "0 HEAD\n1 CHAR UTF-8\n0 @{id}@ INDI\n1 {tag} x\n1 {tag} @{id}@\n1 _FIFTEENLETTERS x\n0 TRLR\n"
    );
    let (text, said) = written(&file, &Rules::DECEMBER_2019, &Rules::DECEMBER_2019, Encoding::Utf8);
    assert!(
        text.contains(&format!("0 @{id}@ INDI\n1 {tag} x\n1 {tag} @{id}@\n1 _FIFTEENLETTERS x\n")),
        "{text}"
    );
    assert_eq!(said, [("E0208", 3), ("E0209", 4), ("E0209", 5)]);
}

#[test]
fn languages_and_datatypes_that_describe_nothing_are_lost() {
    let file = "0 HEAD\n1 CHAR UTF-8\n1 NOTE n\n2 PLANG en\n0 PLANG de\n0 NOTE a\n1 PLANG de\n1 DTYPE x\n1 PLANG fr\n\
                1 DTYPE @N@\n1 SOUR @N@\n2 PLANG de\n1 SOUR s\n2 PLANG de\n0 @N@ NOTE b\n1 PLANG en\n0 NOTE c\n1 PLANG de_DE\n0 TRLR\n";
    let (text, said) = written(file, &Rules::JANUARY_2019, &Rules::DECEMBER_2019, Encoding::Utf8);
    assert_eq!(said, [("E0801", 5), ("E0801", 9), ("E0801", 10), ("E0801", 12), ("E0801", 18)]);
    assert_eq!(text.matches("PLANG").count(), 4, "{text}");
    assert_eq!(written(file, &Rules::JANUARY_2019, &Rules::JANUARY_2019, Encoding::Utf8).1, []);
}

#[test]
fn what_only_marc_has_in_ansel_is_escaped() {
    let file = "0 HEAD\n1 CHAR UTF-8\n0 NOTE 5 \u{20AC} Stra\u{DF}e\n0 TRLR\n";
    let (text, said) = written(file, &Rules::DECEMBER_2019, &Rules::DECEMBER_2019, Encoding::Ansel);
    assert!(text.contains("0 NOTE 5 @#U20AC@ Stra\u{DF}e\n"), "{text}");
    assert_eq!(said, []);
}

#[test]
fn the_head_of_2017_has_an_identifier_and_a_payload() {
    let rules = &Rules::OCTOBER_2017;
    let file = "0 @H@ HEAD one\n1 CONT two\n1 CHAR UTF-8\n0 @N@ NOTE @H@\n0 TRLR\n";
    let mut found: Vec<Diagnostic> = Vec::new();
    read(file.as_bytes(), rules, &Options::default(), &mut found).expect("small");
    found.retain(|finding| finding.class.is_error());
    assert_eq!(found, []);
    let (text, said) = written(file, rules, rules, Encoding::Utf8);
    assert_eq!((text.trim_start_matches('\u{FEFF}'), said), (file, vec![]));
    let (text, said) = written(file, rules, &Rules::DECEMBER_2019, Encoding::Utf8);
    assert!(text.contains("0 @N@ NOTE @H@\n"), "{text}");
    assert_eq!(said, [("E0802", 1), ("E0806", 1), ("E0805", 4)]);
}

#[test]
fn an_empty_payload_is_none_in_2017() {
    let rules = &Rules::OCTOBER_2017;
    let file = "0 HEAD\n1 CHAR UTF-8\n0 @A@ NOTE\n1 CONC\n0 TRLR\n";
    let (text, said) = written(file, rules, rules, Encoding::Utf8);
    assert!(text.contains("0 @A@ NOTE\n0 TRLR\n"), "{text}");
    assert_eq!(said, []);
    let document = read(file.as_bytes(), rules, &Options::default(), &mut ()).expect("small");
    assert!(document.records().all(|record| record.payload() == elf_tagged::Payload::None));
}

#[test]
fn controls_that_readers_would_take_for_windows_are_escaped() {
    let file = "0 HEAD\n1 CHAR UTF-8\n1 LANG a\u{96}\n0 NOTE q\u{80}x\u{85}y\u{92}\u{9f}\n1 CONT \u{99}« é\n0 TRLR\n";
    let text_of = |octets: &[u8], rules: &Rules| {
        let mut found: Vec<Diagnostic> = Vec::new();
        let document = read(octets, rules, &Options::default(), &mut found).expect("small");
        let texts: Vec<String> = document.structures().map(|node| node.text().into_owned()).collect();
        assert!(found.iter().all(|finding| finding.code.id() != "E0112"), "{found:?}");
        elf_tagged::elf_octets::nfc(&texts.concat()).into_owned()
    };
    for from in [&Rules::DECEMBER_2019, &Rules::JANUARY_2019] {
        let before = text_of(file.as_bytes(), from);
        for encoding in [Encoding::Utf8, Encoding::Utf16Le, Encoding::Ansel, Encoding::Ascii] {
            let (text, said) = written(file, from, &Rules::WILD, encoding);
            assert_eq!(said, [], "{} in {encoding}", from.name);
            let mut octets = encoding.mark().filter(|_| encoding.is_utf16()).unwrap_or_default().to_vec();
            encoding.encode_into(&text, &mut octets).expect("it was decoded from it");
            assert_eq!(text_of(&octets, &Rules::WILD), before, "{} in {encoding}", from.name);
        }
    }
    // Readers of a draft keep them.
    let kept = written(file, &Rules::DECEMBER_2019, &Rules::JANUARY_2019, Encoding::Utf8).0;
    assert!(kept.contains("q\u{80}x\u{85}y\u{92}\u{9f}"), "{kept}");
}

#[test]
fn ansel_that_readers_will_take_for_utf_8_is_a_loss() {
    let file = |name: &str| format!("0 HEAD\n1 CHAR UTF-8\n0 INDI\n1 NAME {name}\n0 TRLR\n");
    let said = |name: &str, to: &Rules, encoding| {
        let file = file(name);
        let document = read(file.as_bytes(), &Rules::WILD, &Options::default(), &mut ()).expect("small");
        let mut found: Vec<Diagnostic> = Vec::new();
        let options = WriteOptions::new().with_encoding(encoding);
        let summary = write_document(&document, &mut Vec::new(), to, &options, &mut found).expect("memory");
        assert_eq!(summary.losses, found.len() as u64);
        let place = |finding: &Diagnostic| finding.place.map_or(0, |place| place.line);
        found.iter().map(|finding| (finding.code.id(), place(finding))).collect::<Vec<_>>()
    };
    assert_eq!(said("GroßŁowen", &Rules::WILD, Encoding::Ansel), [("E0818", 1)]);
    // Nothing else is, and no other readers go by the octets.
    assert_eq!(said("GroßŁowen José", &Rules::WILD, Encoding::Ansel), []);
    assert_eq!(said("Grossowen", &Rules::WILD, Encoding::Ansel), []);
    assert_eq!(said("GroßŁowen", &Rules::WILD, Encoding::Utf8), []);
    assert_eq!(said("GroßŁowen", &Rules::DECEMBER_2019, Encoding::Ansel), []);
    // The octets are looked at until it is settled, however many are written before.
    let late = format!("{}GroßŁowen", "ßŁ\n1 NOTE ".repeat(100_000));
    assert_eq!(said(&late, &Rules::WILD, Encoding::Ansel), [("E0818", 1)]);
    assert_eq!(said(&format!("{late} é"), &Rules::WILD, Encoding::Ansel), []);
}

#[test]
fn of_what_is_left_out_no_more_is_said() {
    let file = "0 HEAD\n1 CHAR UTF-8\n0 HEAD @#Lx@ y\n1 NOTE @#Lx@ y\n0 NOTE @#Lx@ y\n0 TRLR\n";
    let january = &Rules::JANUARY_2019;
    let (text, said) = written(file, january, january, Encoding::Utf8);
    assert!(text.ends_with("\n0 NOTE y\n0 TRLR\n"), "{text}");
    assert_eq!(said, [("E0801", 3), ("E0813", 5)]);
}

#[test]
fn text_before_an_escape_does_not_take_its_first_at_sign() {
    let file = "0 HEAD\n1 CHAR UTF-8\n0 NOTE @#a\n1 CONC @#Lx@ y\n0 TRLR\n";
    let october = &Rules::OCTOBER_2017;
    let (text, said) = written(file, october, october, Encoding::Utf8);
    assert!(text.ends_with("\n0 NOTE @@#a@#Lx@ y\n0 TRLR\n"), "{text}");
    assert_eq!(said, []);
}

#[test]
fn a_version_is_a_loss_by_all_rules_that_cannot_name_it() {
    let file = "0 HEAD\n1 CHAR UTF-8\n1 ELF 2.0\n1 GEDC\n2 VERS 7.0\n0 NOTE x\n0 TRLR\n";
    for to in Rules::PRESETS {
        let lines: Vec<u64> = written(file, &Rules::DECEMBER_2019, to, Encoding::Utf8)
            .1
            .iter()
            .map(|(_, line)| *line)
            .collect();
        let expected: &[u64] = if to == &Rules::GEDCOM_7 { &[3] } else { &[5, 3] };
        assert_eq!(lines, expected, "{}", to.name);
    }
}

#[test]
fn a_damaged_line_before_the_header_stays_a_record() {
    let file = "0@I1@INDI\n0 HEAD\n1 CHAR UTF-8\n1 FILE x\n2 VERS 1\n0 NOTE y\n0 TRLR\n";
    let january = &Rules::JANUARY_2019;
    let (text, said) = written(file, january, january, Encoding::Utf8);
    let behind = "1 FILE x\n2 VERS 1\n0 ERROR 0@@I1@@INDI\n0 NOTE y\n0 TRLR\n";
    assert!(text.ends_with(behind), "{text}");
    assert_eq!(said, [("E0812", 1)]);
}

/// An identifier with a control that readers would mistake is renamed, with the pointers to it: in UTF-16 it
/// can stand.
#[test]
fn identifiers_that_readers_mistake_are_renamed() {
    let file =
        "\u{FEFF}0 HEAD\n1 CHAR UNICODE\n0 @I\u{92}@ INDI\n0 @J\u{81}@ FAM\n1 HUSB @I\u{92}@\n0 TRLR\n";
    let mut octets = Vec::new();
    Encoding::Utf16Le.encode_into(file, &mut octets).expect("it has every character");
    let document = read(&octets, &Rules::WILD, &Options::default(), &mut ()).expect("small");
    let (mut out, mut found): (Vec<u8>, Vec<Diagnostic>) = (Vec::new(), Vec::new());
    let options = WriteOptions::new();
    let summary = write_document(&document, &mut out, &Rules::WILD, &options, &mut found).expect("memory");
    let text = String::from_utf8(out).expect("UTF-8");
    assert_eq!((summary.losses, found.len(), found[0].code.id()), (0, 1, "E0811"), "{found:?}");
    let id = text.split('@').nth(1).expect("an identifier");
    assert!(id.is_ascii() && text.contains(&format!("0 @J\u{81}@ FAM\n1 HUSB @{id}@")), "{text}");
}

#[test]
fn identifiers_beneath_the_version_are_lost_with_the_pointers_to_them() {
    let file = "0 HEAD\n1 CHAR UTF-8\n1 @G@ GEDC\n2 @V@ VERS 5.5\n2 FORM LINEAGE-LINKED\n0 INDI\n1 ALIA @G@\n\
                1 ALIA @V@\n0 TRLR\n";
    for from in [&Rules::OCTOBER_2017, &Rules::JANUARY_2019] {
        for to in [&Rules::DECEMBER_2019, &Rules::WILD] {
            let said = written(file, from, to, Encoding::Utf8).1;
            assert_eq!(said[..2], [("E0802", 3), ("E0802", 4)], "{} to {}", from.name, to.name);
            let lines: Vec<u64> = said[2..].iter().map(|(_, line)| *line).collect();
            assert_eq!(lines, [7, 8], "{} to {}: {said:?}", from.name, to.name);
        }
    }
}

#[test]
fn a_form_without_a_version_is_written() {
    for (form, expected) in [("LINEAGE-LINKED", &[][..]), ("EVENT", &[("E0806", 4)])] {
        let file = format!("0 HEAD\n1 CHAR UTF-8\n1 GEDC\n2 FORM {form}\n0 NOTE x\n0 TRLR\n");
        for from in [&Rules::WILD, &Rules::DECEMBER_2019] {
            for to in [&Rules::OCTOBER_2017, &Rules::JANUARY_2019, &Rules::DECLARATIVE] {
                let (text, said) = written(&file, from, to, Encoding::Utf8);
                assert!(text.contains("\n1 GEDC\n2 FORM LINEAGE-LINKED\n0 NOTE x\n"), "{text}");
                assert_eq!(said, expected, "{} to {}", from.name, to.name);
            }
        }
    }
    let file = "0 HEAD\n1 CHAR UTF-8\n1 GEDC\n2 VERS\n2 FORM LINEAGE-LINKED\n0 NOTE x\n0 TRLR\n";
    let (text, said) = written(file, &Rules::WILD, &Rules::JANUARY_2019, Encoding::Utf8);
    assert!(text.contains("\n1 GEDC\n2 VERS\n2 FORM LINEAGE-LINKED\n"), "{text}");
    assert_eq!(said, []);
    assert_eq!(written(file, &Rules::WILD, &Rules::DECEMBER_2019, Encoding::Utf8).1, [("E0814", 4)]);
}

#[test]
fn an_escape_in_a_continuation_is_lost_once() {
    let file = "0 HEAD\n1 CHAR UTF-8\n1 SCHMA\n2 PRFX a@#X@ http://x.example/\n3 CONC @#Y@ c\n0 TRLR\n";
    let document = read(file.as_bytes(), &Rules::JANUARY_2019, &Options::default(), &mut ()).expect("small");
    let mut found: Vec<Diagnostic> = Vec::new();
    let (to, options) = (&Rules::JANUARY_2019, WriteOptions::new());
    write_document(&document, Vec::new(), to, &options, &mut found).expect("memory");
    let said: Vec<(&str, &str)> =
        found.iter().map(|finding| (finding.code.id(), finding.message.as_ref())).collect();
    let message = "2 escapes that are not allowed under `PRFX` were removed from the payload";
    assert_eq!(said, [("E0813", message), ("E0809", "left out of the header: expected a prefix and an IRI")]);
}

/// In square time it would not come to its end.
#[test]
fn a_long_level_above_many_lines_is_read_once() {
    let zeros = "0".repeat(1 << 20);
    let lines = "2 CONT a\n".repeat(1 << 17);
    let file = format!("0 HEAD\n1 CHAR UTF-8\n{zeros}1 SCHMA x\n{lines}0 NOTE y\n0 TRLR\n");
    let document = read(file.as_bytes(), &Rules::OCTOBER_2017, &Options::default(), &mut ()).expect("small");
    let (mut octets, options) = (Vec::new(), WriteOptions::new());
    let summary = write_document(&document, &mut octets, &Rules::DECEMBER_2019, &options, &mut ());
    assert_eq!(summary.expect("memory").losses, 1);
}

/// In square time it would not come to its end.
#[test]
fn one_hidden_structure_among_many_is_found() {
    let count = 1 << 20;
    let lines = "1 DEFN\n".repeat(count);
    let file = format!("0 HEAD\n1 CHAR UTF-8\n1 SOUR x\n2 CHAR x\n{lines}0 NOTE y\n0 TRLR\n");
    let document = read(file.as_bytes(), &Rules::OCTOBER_2017, &Options::default(), &mut ()).expect("small");
    let (mut octets, mut found, options) = (Vec::new(), Vec::<Diagnostic>::new(), WriteOptions::new());
    write_document(&document, &mut octets, &Rules::OCTOBER_2017, &options, &mut found).expect("memory");
    let said: Vec<&str> = found.iter().map(|finding| finding.code.id()).collect();
    assert_eq!(said, ["E0816"]);
}

#[test]
fn levels_that_gedcom_5_5_1_does_not_have_are_left_out() {
    let deep: String = (1..102).map(|level| format!("{level} _X {level}\n")).collect();
    let file = format!("0 HEAD\n1 CHAR UTF-8\n0 @I1@ INDI\n{deep}0 TRLR\n");
    let (text, losses) = written(&file, &Rules::WILD, &Rules::GEDCOM_5_5_1, Encoding::Utf8);
    assert!(text.contains("\n99 _X 99\n0 TRLR"), "{text}");
    assert_eq!(losses.len(), 2, "{losses:?}");
    let (text, losses) = written(&file, &Rules::WILD, &Rules::DECEMBER_2019, Encoding::Utf8);
    assert!(text.contains("\n101 _X 101\n"), "{text}");
    assert_eq!(losses.len(), 0, "{losses:?}");
    let file = file.replace("99 _X 99\n", "99 _X 99\n100 CONT two\n");
    let (text, _) = written(&file, &Rules::WILD, &Rules::GEDCOM_5_5_1, Encoding::Utf8);
    assert!(text.contains("\n98 _X 98\n0 TRLR"), "{text}");
}

#[test]
fn a_line_is_as_long_as_ansel_has_it_where_characters_are_counted() {
    // Composed or not, `é` is two characters in ANSEL; a mark never goes without its letter.
    for letter in ["é", "e\u{301}"] {
        let file = format!("0 HEAD\n1 CHAR UTF-8\n0 @N1@ NOTE {}\n0 TRLR\n", letter.repeat(300));
        for to in [&Rules::GEDCOM_5_5_1, &Rules::OCTOBER_2017] {
            let (text, losses) = written(&file, &Rules::WILD, to, Encoding::Ansel);
            let lengths: Vec<usize> = text.lines().map(|line| line.chars().count()).collect();
            assert!(lengths.iter().all(|length| *length < 256), "{} {lengths:?}", to.name);
            assert!(text.lines().all(|line| !line.ends_with('e') && !line.contains(" \u{301}")), "{text}");
            assert_eq!(losses, [], "{}", to.name);
        }
    }
}

#[test]
fn what_is_written_for_a_mark_that_ansel_lacks_is_said() {
    let messages = |payload: &str| {
        let file = format!("0 HEAD\n1 CHAR UTF-8\n0 @N1@ NOTE\n1 CONT {payload}\n0 TRLR\n");
        let document = read(file.as_bytes(), &Rules::WILD, &Options::default(), &mut ()).expect("small");
        let (mut octets, mut found): (_, Vec<Diagnostic>) = (Vec::new(), Vec::new());
        let options = WriteOptions::new().with_encoding(Encoding::Ansel);
        write_document(&document, &mut octets, &Rules::GEDCOM_5_5_1, &options, &mut found).expect("memory");
        let line = octets.split(|octet| *octet == b'\n').find_map(|line| line.strip_prefix(b"1 CONT "));
        let said = found.iter().map(|finding| finding.message.to_string()).collect::<Vec<_>>();
        (line.map(<[u8]>::to_vec), said)
    };
    for (payload, octets, said) in [
        (
            "a\u{361}b",
            &b"\xEBa\xECb"[..],
            "ANSEL does not have a mark over two letters of `NOTE`: half of it is written on each letter",
        ),
        (
            "n\u{360}g",
            b"\xFAn\xFBg",
            "ANSEL does not have a mark over two letters of `NOTE`: half of it is written on each letter",
        ),
        (
            "a\u{361} b",
            b"a b",
            "ANSEL does not have a mark on a letter of `NOTE`: the letter is written without it",
        ),
        (
            "a\u{35C}b",
            b"ab",
            "ANSEL does not have a mark on a letter of `NOTE`: the letter is written without it",
        ),
        (
            "日a\u{35C}",
            b"?a",
            "ANSEL does not have a character of `NOTE`: replaced by a question mark; \
             ANSEL does not have a mark on a letter of `NOTE`: the letter is written without it",
        ),
        ("日\u{301}", b"?", "ANSEL does not have a character of `NOTE`: replaced by a question mark"),
    ] {
        assert_eq!(messages(payload), (Some(octets.to_vec()), vec![said.to_owned()]), "{payload}");
    }
}
