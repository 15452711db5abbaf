//! Lines that came to harm: `tests/data/damaged-lines.tsv`, and what the rules and line breaks make of them.
#![allow(clippy::expect_used, reason = "a test fails by panicking")]

use super::common::tree;
use elf_tagged::{Diagnostic, Document, Options, Reader, Rules, read};

const TABLE: &str = include_str!("../data/damaged-lines.tsv");
const HEADER: &str = "0 HEAD\n1 CHAR UTF-8\n";

/// The text that a cell stands for.
fn text_of(cell: &str) -> String {
    let signs = [("<BOM>", "\u{FEFF}"), ("<NBSP>", "\u{A0}"), ("<CTRL-Z>", "\u{1A}"), ("<LF>", "\n")];
    signs.iter().fold(cell.replace(" / ", "\n"), |text, (sign, character)| text.replace(sign, character))
}

/// Reads octets as a whole: the tree and the codes.
fn whole(octets: &[u8], rules: &Rules) -> (String, Vec<&'static str>) {
    let mut findings: Vec<Diagnostic> = Vec::new();
    let document = read(octets, rules, &Options::default(), &mut findings).expect("small");
    (tree(&document), findings.iter().map(|finding| finding.code.id()).collect())
}

/// Reads octets record by record: the tree.
fn in_runs(octets: &[u8], rules: &Rules) -> String {
    let mut reader = Reader::new(octets, rules, &Options::default()).with_run_size(1);
    let mut trees = Vec::new();
    while let Some(run) = reader.next_run(&mut ()).expect("memory") {
        trees.push(tree(&run));
    }
    trees.retain(|tree| !tree.is_empty());
    trees.join(" ")
}

#[test]
fn damaged_lines_are_read_as_the_table_has_it() {
    for row in TABLE.lines().filter(|row| !row.starts_with('#')) {
        // Tabs are part of some lines.
        let cells: Vec<&str> = row.split('\t').collect();
        let [fault, lines @ .., expected, codes] = &cells[..] else { panic!("{row}") };
        let lines = text_of(&lines.join("\t"));
        for line_break in ["\n", "\r\n", "\r"] {
            let file = format!("{HEADER}{lines}\n0 TRLR\n").replace('\n', line_break);
            let (tree, found) = whole(file.as_bytes(), &Rules::WILD);
            let expected = expected.replace("\\u{feff}", "\u{FEFF}");
            assert_eq!(tree.replace("\\u{feff}", "\u{FEFF}"), expected, "{fault}: {lines}");
            let mut codes: Vec<&str> = codes.split(' ').filter(|code| !code.is_empty()).collect();
            let mut sorted = found.clone();
            codes.sort_unstable();
            sorted.sort_unstable();
            assert_eq!(sorted, codes, "{fault}: {lines}");
            assert_eq!(in_runs(file.as_bytes(), &Rules::WILD), tree, "{fault}: {lines}");
        }
    }
}

/// Header lines in CR LF, so that they are nearly all line breaks of a file.
fn file_in_crlf(lines: &str) -> String {
    let filler = "1 _X y\n".repeat(20);
    let before = format!("{HEADER}0 @P@ INDI\n{filler}").replace('\n', "\r\n");
    format!("{before}{}\r\n0 TRLR\r\n", lines.replace(" / ", "\r\n").replace("<LF>", "\n"))
}

#[test]
fn a_line_feed_alone_is_text_where_lines_end_in_cr_lf() {
    for (lines, expected) in [
        ("0 @N1@ NOTE a<LF>1 John b. 1900 / 1 SEX M", r#"NOTE[N1]="a\n1 John b. 1900"{SEX="M"}"#),
        ("0 @N1@ NOTE a<LF>2 MARY b. 1901<LF>1 ANNA", r#"NOTE[N1]="a\n2 MARY b. 1901\n1 ANNA""#),
        ("0 @N1@ NOTE a<LF>0 @I2@ INDI / 1 SEX M", r#"NOTE[N1]="a\n0 @I2@ INDI"{SEX="M"}"#),
        ("0 @N1@ NOTE<LF>1 John", r#"NOTE[N1]="\n1 John""#),
        ("0 @N1@ NOTE a / 1 CONT b<LF>1 John", r#"NOTE[N1]="a\nb\n1 John""#),
        // As a fix writes it.
        ("0 @N1@ NOTE a<LF>1 CONT 1 John<LF>1 CONC b<LF>1 X", r#"NOTE[N1]="a\n1 Johnb\n1 X""#),
        // Structures without text hold no line break, nor do the lines that end like theirs.
        (
            "0 @I1@ INDI<LF>1 NAME A<LF>1 SEX M<LF>0 @I2@ INDI / 1 SEX F",
            r#"INDI[I1]{NAME="A" SEX="M"} INDI[I2]{SEX="F"}"#,
        ),
        ("0 @I1@ INDI / 1 FAMS @F1@<LF>1 SEX M", r#"INDI[I1]{FAMS->F1 SEX="M"}"#),
        // Nor do those whose text is one line.
        ("0 @I1@ INDI / 1 SEX M<LF>0 @N1@ NOTE a / 1 SEX F", r#"INDI[I1]{SEX="M"} NOTE[N1]="a"{SEX="F"}"#),
        // A link is no text.
        ("0 @I1@ INDI / 1 NOTE a<LF>b<LF>1 FAMS @F1@ / 1 SEX M", r#"INDI[I1]{NOTE="a\nb" FAMS->F1 SEX="M"}"#),
        // A blank line ends with it.
        ("0 @N1@ NOTE a / <LF>1 SEX M", r#"NOTE[N1]="a"{SEX="M"}"#),
    ] {
        let file = file_in_crlf(lines);
        let (tree, _) = whole(file.as_bytes(), &Rules::WILD);
        let records = tree.split_once("} ").map_or("", |(_, records)| records);
        assert_eq!(records, expected, "{lines}");
        assert_eq!(in_runs(file.as_bytes(), &Rules::WILD), tree, "{lines}");
        let utf16: Vec<u8> =
            [0xFEFF].into_iter().chain(file.encode_utf16()).flat_map(u16::to_le_bytes).collect();
        assert_eq!(whole(&utf16, &Rules::WILD).0, tree, "{lines}");
        assert_eq!(in_runs(&utf16, &Rules::WILD), tree, "{lines}");
        // In files of other line breaks, and by the drafts, a line ends there.
        let of_january = |file: &str| whole(file.as_bytes(), &Rules::JANUARY_2019).0;
        assert_eq!(of_january(&file), of_january(&file.replace("\r\n", "\n")), "{lines}");
    }
}

#[test]
fn a_file_of_which_a_fifth_ends_in_line_feeds_is_read_line_by_line() {
    // One line feed of five line breaks, and of four.
    let few = "0 HEAD\r\n1 CHAR UTF-8\r\n0 @N1@ NOTE b\n1 X c\r\n0 TRLR";
    assert_eq!(whole(few.as_bytes(), &Rules::WILD).0, r#"NOTE[N1]="b"{X="c"}"#);
    let enough = format!("{few}\r\n");
    assert_eq!(whole(enough.as_bytes(), &Rules::WILD).0, r#"NOTE[N1]="b\n1 X c""#);
}

#[test]
fn a_byte_order_mark_before_the_header_is_skipped_wherever_it_stands() {
    for before in ["\u{FEFF}", "\n\u{FEFF}", "\r\n\u{FEFF}", "\n \u{FEFF}"] {
        let file = format!(
            "{before}0 HEAD\n1 GEDC\n2 VERS 5.5.1\n2 FORM LINEAGE-LINKED\n1 CHAR UTF-8\n0 @I1@ INDI\n0 TRLR\n"
        );
        let mut findings: Vec<Diagnostic> = Vec::new();
        let document =
            read(file.as_bytes(), &Rules::WILD, &Options::default(), &mut findings).expect("small");
        assert_eq!(document.header().gedcom_version_as_written(), Some("5.5.1"), "{before:?}");
        assert_eq!(document.header().character_encoding(), Some("UTF-8"), "{before:?}");
        assert_eq!(tree(&document), "INDI[I1]", "{before:?}");
        let damaged = findings.iter().filter(|finding| finding.code.id() == "E0213").count();
        assert_eq!(damaged, usize::from(before != "\u{FEFF}"), "{before:?}: {findings:?}");
    }
}

#[test]
fn full_tag_names_of_a_header_decide_the_encoding() {
    let file: &[u8] =
        b"0 HEADER\n1 SOURCE FTW\n1 CHARACTER ANSEL\n1 GEDCOM\n2 VERSION 5.5\n0 @I1@ INDIVIDUAL\n\
        1 NAME Jos\xE2e /M\xE8uller/\n0 TRAILER\n";
    let document = read(file, &Rules::WILD, &Options::default(), &mut ()).expect("small");
    assert_eq!(document.source().decision().specified.as_deref(), Some("ANSEL"));
    assert_eq!(document.header().gedcom_version_as_written(), Some("5.5"));
    assert_eq!(tree(&document), r#"HEAD{SOUR="FTW"} INDI[I1]{NAME="Jose\u{301} /Mu\u{308}ller/"}"#);
    let ansi: Vec<u8> = String::from_utf8_lossy(file).replace("ANSEL", "ANSI").into_bytes();
    let document = read(&ansi, &Rules::WILD, &Options::default(), &mut ()).expect("small");
    assert_eq!(document.source().decision().specified.as_deref(), Some("ANSI"));
}

#[test]
fn full_tag_names_are_tags_like_any_other_to_the_drafts_and_to_a_schema_that_defines_them() {
    let tags = |document: &Document<'_>| -> Vec<String> {
        document
            .structures()
            .map(|node| node.tag().to_owned())
            .filter(|tag| tag.starts_with("BIRT"))
            .collect()
    };
    let file = "0 HEAD\n1 CHAR UTF-8\n0 @I1@ INDI\n1 BIRTH x\n0 TRLR\n";
    let defining = file.replace("0 @I1@", "1 SCHMA\n2 IRI e:B\n3 TAG BIRTH elf:INDIVIDUAL_RECORD\n0 @I1@");
    for rules in Rules::PRESETS {
        let document = read(file.as_bytes(), rules, &Options::default(), &mut ()).expect("small");
        let expected = if rules.lines.tag_names.may_be_full() { "BIRT" } else { "BIRTH" };
        assert_eq!(tags(&document), [expected], "{}", rules.name);
    }
    let document = read(defining.as_bytes(), &Rules::WILD, &Options::default(), &mut ()).expect("small");
    assert_eq!(tags(&document), ["BIRTH"]);
}
