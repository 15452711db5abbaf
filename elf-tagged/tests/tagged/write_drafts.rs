//! Tests of what a writer does otherwise by the other drafts, and what every draft must give back.

#![allow(clippy::expect_used, reason = "a test fails by panicking")]

use crate::writing;

use elf_tagged::write::{Content, Preamble, PreambleLine, WriteOptions};
use elf_tagged::{Encoding, Node, Options, Piece, Rules, read};
use unicode_normalization::UnicodeNormalization;
use writing::{D19, between, body, octets, strict};

#[test]
fn the_other_drafts_have_their_own_headers() {
    let head = |rules: &Rules, preamble: &Preamble<'_>| {
        let (octets, codes, _) = octets(rules, &WriteOptions::new(), preamble, &[]);
        (String::from_utf8(octets).expect("UTF-8"), codes)
    };
    let default = "https://fhiso.org/TR/elf-data-model/v1.0.0";
    assert_eq!(
        head(&Rules::JANUARY_2019, &Preamble::new()).0,
        format!("0 HEAD\n1 CHAR UTF-8\n1 SCHMA\n2 SCHMA {default}\n0 TRLR\n")
    );
    let lines = vec![
        PreambleLine::new(1, "SCHMA", "https://u@h.example/s"),
        PreambleLine::new(1, "SCHMA", ""),
        PreambleLine::new(2, "IRI", "ex:A"),
        PreambleLine::new(3, "TAG", "A elf:Document"),
    ];
    let schema = Preamble::new().with_schema(Some(lines)).with_gedcom_version(Some("5.5"));
    assert_eq!(
        head(&Rules::JANUARY_2019, &schema).0,
        "0 HEAD\n1 CHAR UTF-8\n1 SCHMA\n2 SCHMA https://u@@h.example/s\n2 IRI ex:A\n3 TAG A elf:Document\n\
         1 GEDC\n2 VERS 5.5\n2 FORM LINEAGE-LINKED\n0 TRLR\n"
    );
    assert_eq!(
        head(&Rules::OCTOBER_2017, &schema),
        (
            "\u{FEFF}0 HEAD\n1 CHAR UTF-8\n1 GEDC\n2 VERS 5.5\n2 FORM LINEAGE-LINKED\n0 TRLR\n".into(),
            vec!["E0806"; 2]
        )
    );
    assert_eq!(
        head(&Rules::DECLARATIVE, &Preamble::new().with_language(Some("fr"))),
        ("0 HEAD\n1 CHAR UTF-8\n0 TRLR\n".into(), vec!["E0806"])
    );
    let prefixes = vec![PreambleLine::new(1, "PRFX", "X_ http://e.org/")];
    assert_eq!(
        head(&Rules::JULY_2017, &Preamble::new().with_schema(Some(prefixes))).0,
        "\u{FEFF}0 HEAD\n1 CHAR UTF-8\n1 PRFX X_ http://e.org/\n0 TRLR\n"
    );
}

#[test]
fn january_keeps_the_escapes_its_schema_names() {
    let january = &Rules::JANUARY_2019;
    let plain = WriteOptions::new();
    let dates = [
        (0, None, "DATE", Content::Text("ABT @#DJULIAN@ 1540")),
        (0, None, "DATE", Content::Text("@#DJULIAN@1540")),
        (0, None, "NOTE", Content::Text("ABT @#DJULIAN@ 1540")),
        (0, None, "_OLD", Content::Text("@#GX@ y")),
    ];
    assert_eq!(
        body(january, &plain, &dates),
        "0 DATE ABT @#DJULIAN@ 1540\n0 DATE @@#DJULIAN@@1540\n0 NOTE ABT @@#DJULIAN@@ 1540\n0 _OLD @@#GX@@ y\n"
    );
    let lines = vec![PreambleLine::new(1, "SCHMA", ""), PreambleLine::new(2, "ESC", "_OLD QG")];
    let (octets, ..) = octets(january, &plain, &Preamble::new().with_schema(Some(lines)), &dates);
    assert_eq!(
        between(&octets),
        "0 DATE ABT @@#DJULIAN@@ 1540\n0 DATE @@#DJULIAN@@1540\n0 NOTE ABT @@#DJULIAN@@ 1540\n0 _OLD @#GX@ y\n"
    );
}

#[test]
fn january_tells_an_empty_payload_from_none_and_writes_a_stray_cont_behind_a_sibling() {
    let january = &Rules::JANUARY_2019;
    let structures = [
        (0, None, "NOTE", Content::Text("a")),
        (1, None, "CONT", Content::Text("lost")),
        (1, None, "RIN", Content::Text("")),
        (1, None, "CONT", Content::Text("b")),
        (2, None, "X", Content::None),
    ];
    let (octets, codes, _) = octets(january, &WriteOptions::new(), &Preamble::new(), &structures);
    // Behind a line as deep, a line can be one deeper (J19 §6.1).
    assert_eq!(between(&octets), "0 NOTE a\n1 RIN \n1 CONT b\n2 X\n");
    assert_eq!(codes, ["E0801"]);
}

#[test]
fn an_error_structure_of_january_stands_in_one_line() {
    let long = "x".repeat(300);
    let structures = [
        (0, None, "NOTE", Content::Text("a")),
        (1, None, "ERROR", Content::Text(&long)),
        (2, None, "X", Content::None),
        (1, None, "ERROR", Content::Text("a\nb")),
        (1, None, "RIN", Content::Text("1")),
    ];
    let (octets, codes, summary) =
        octets(&Rules::JANUARY_2019, &WriteOptions::new(), &Preamble::new(), &structures);
    assert_eq!(between(&octets), format!("0 NOTE a\n1 ERROR {long}\n1 RIN 1\n"));
    assert_eq!((codes, summary.dropped), (vec!["E0806", "E0806"], 2));
    strict(&octets, &Rules::JANUARY_2019);
}

#[test]
fn in_2017_text_that_reads_like_a_unicode_escape_is_guarded() {
    let october = &Rules::OCTOBER_2017;
    for text in ["@#U41@", "@#X@#U41@", "@@#U41@@", "@#U@", "@#X#U41@", "x@#U41@#U42@#U43@ @"] {
        let options = WriteOptions::new();
        let (octets, codes, _) =
            octets(october, &options, &Preamble::new(), &[(0, None, "NOTE", Content::Text(text))]);
        assert!(codes.is_empty());
        let document = read(&octets, october, &Options::default(), &mut ()).expect("small");
        let record = document.records().next().expect("a record");
        assert_eq!(record.text(), text, "{}", String::from_utf8_lossy(&octets));
    }
}

/// Strings that look like something else.
const HOSTILE: &[&str] = &[
    "",
    "@",
    "@@",
    "@#",
    "@#U",
    "@#U41@",
    "@#DJULIAN@ 1",
    "@#D@#D@",
    "@I1@",
    " @I1@ ",
    "@ @",
    " ",
    "  ",
    "\n",
    "\n\n",
    "a\n",
    "\na",
    "a\r\nb\rc",
    "\u{85}",
    "\u{2028}",
    "é",
    "e\u{301}",
    "\u{301}",
    " \u{301}",
    "@\u{301}",
    "😀",
    "👩\u{200D}👩",
    "عزيز",
    "\u{FEFF}",
    "\u{7F}\u{80}",
    "\t",
    "a\tb",
    "0 TRLR",
    "1 CONT x",
    "\u{10FFFF}",
];

#[test]
fn hostile_strings_read_back_as_they_were() {
    for rules in Rules::PRESETS {
        for encoding in
            [Encoding::Utf8, Encoding::Ascii, Encoding::Ansel, Encoding::Utf16Le, Encoding::Utf16Be]
        {
            for limit in [None, Some(0), Some(10), Some(13)] {
                let options = WriteOptions::new().with_encoding(encoding).with_width(limit);
                let is_unicode = !matches!(encoding, Encoding::Ascii | Encoding::Ansel);
                if options.check(rules).is_err() || !(is_unicode || rules.tagged.escape.has_characters()) {
                    continue;
                }
                // Without escapes there are no controls that readers mistake; GEDCOM 7 has nothing empty.
                let is_had = |text: &&str| {
                    (rules.tagged.empty_structures || !text.is_empty())
                        && (rules.tagged.escape.has_characters()
                            || !text.chars().any(|c| c.is_control() && !"\n\r\t".contains(c)))
                };
                let hostile: Vec<&str> = HOSTILE.iter().copied().filter(is_had).collect();
                let long: Vec<String> =
                    hostile.iter().map(|a| hostile.iter().flat_map(|b| [*a, *b]).collect()).collect();
                let texts: Vec<&str> =
                    hostile.iter().copied().chain(long.iter().map(String::as_str)).collect();
                let structures: Vec<_> =
                    texts.iter().map(|text| (0, None, "NOTE", Content::Text(text))).collect();
                let (octets, codes, _) = octets(rules, &options, &Preamble::new(), &structures);
                assert!(codes.iter().all(|code| ["E0807", "E0818"].contains(code)), "{codes:?}");
                // Readers will take the text for another encoding, so that it cannot be compared.
                if codes.contains(&"E0818") {
                    continue;
                }
                // What programs write by mistake, lenient rules take for what was meant.
                let document =
                    strict(&octets, if rules.recovers() && rules.format == D19.format { D19 } else { rules });
                let read: Vec<String> =
                    document.records().map(Node::text).map(|text| text.into_owned()).collect();
                assert_eq!(read.len(), texts.len());
                for (read, text) in read.iter().zip(texts) {
                    let mut text = text.replace("\r\n", "\n").replace('\r', "\n");
                    if encoding == Encoding::Ansel {
                        // Letters and marks are read back apart.
                        text = text.nfd().collect();
                    }
                    let kept = codes.is_empty() || !has_blank_ends(&text);
                    assert!(!kept || *read == text, "{} {encoding}: {read:?} {text:?}", rules.name);
                }
            }
        }
    }
}

fn has_blank_ends(text: &str) -> bool {
    text.split('\n').any(|line| line != line.trim_matches([' ', '\t']))
}

#[test]
fn any_run_of_at_signs_is_read_back_in_2017() {
    let mut texts = vec![String::new()];
    for length in 0..8 {
        let longest: Vec<String> = texts.iter().filter(|text| text.len() == length).cloned().collect();
        texts.extend(longest.iter().flat_map(|text| ["@", "#", "a"].map(|next| format!("{text}{next}"))));
    }
    let structures: Vec<_> = texts.iter().map(|text| (0, None, "NOTE", Content::Text(text))).collect();
    let (octets, codes, _) =
        octets(&Rules::OCTOBER_2017, &WriteOptions::new(), &Preamble::new(), &structures);
    assert!(codes.is_empty());
    let document =
        elf_tagged::read(&octets, &Rules::OCTOBER_2017, &Default::default(), &mut ()).expect("small");
    let read: Vec<String> = document.records().map(|record| record.text().into_owned()).collect();
    for (read, text) in read.iter().zip(&texts) {
        assert_eq!(read, text);
    }
    assert_eq!(read.len(), texts.len());
}

#[test]
fn escapes_behind_what_is_no_character_stay_escapes() {
    let before = "a\u{FFFE}b\0c\n\u{FFFF}";
    for (rules, escape) in [
        (&Rules::JANUARY_2019, "@#DJULIAN@ "),
        (&Rules::DECLARATIVE, "@#DJULIAN@ "),
        (&Rules::OCTOBER_2017, "@#DJULIAN@"),
    ] {
        let pieces = [
            Piece::Escape(escape),
            Piece::Text(before),
            Piece::Escape(escape),
            Piece::Text("1540 @#DJULIAN@ x"),
            Piece::Escape(escape),
        ];
        let of = |pieces: &[Piece<'_>]| {
            let date = [(0, None, "DATE", Content::Pieces(pieces))];
            octets(rules, &WriteOptions::new(), &Preamble::new(), &date)
        };
        let (with, lost, _) = of(&pieces);
        let mut without = pieces;
        without[1] = Piece::Text("abc\n");
        let (expected, others, _) = of(&without);
        assert_eq!(String::from_utf8_lossy(&with), String::from_utf8_lossy(&expected), "{}", rules.name);
        assert_eq!(lost.len(), others.len() + 1, "{}: {lost:?}", rules.name);
    }
}
