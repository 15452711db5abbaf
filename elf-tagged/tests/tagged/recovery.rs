//! Tests of what each set of rules makes of lines that do not fit: trees beside trees.
#![allow(clippy::expect_used, reason = "a test fails by panicking")]

use crate::common;

use common::{check, show, tree};
use elf_tagged::{Node, Options, Rules, read};

#[test]
fn a_level_too_deep() {
    let body = "0 @I1@ INDI\n1 BIRT\n3 DATE 1900\n4 NOTE x\n2 PLAC y\n";
    check(&Rules::WILD, body, r#"INDI[I1]{BIRT{DATE="1900"{NOTE="x"} PLAC="y"}}"#, &["E0203"]);
    check(&Rules::DECEMBER_2019, body, "INDI[I1]{BIRT}", &["E0203"]);
    check(&Rules::DECLARATIVE, body, r#"INDI[I1]{BIRT{PLAC="y"}}"#, &["E0203", "E0333"]);
    check(
        &Rules::JANUARY_2019,
        body,
        r#"INDI[I1]{BIRT{ERROR="3 DATE 1900" ERROR="4 NOTE x" PLAC="y"}}"#,
        &["E0203", "E0203"],
    );
}

#[test]
fn a_line_break_that_stands_raw_in_a_payload() {
    let body = "0 @I1@ INDI\n1 NOTE first\nsecond line\n\n  third@home\n2 CONT fourth\n1 SEX M\n";
    check(
        &Rules::WILD,
        body,
        r#"INDI[I1]{NOTE="first\nsecond line\n\n  third@home\nfourth" SEX="M"}"#,
        &["E0306", "E0306", "E0326"],
    );
    check(&Rules::DECEMBER_2019, body, r#"INDI[I1]{NOTE="first"}"#, &["E0201"]);
}

#[test]
fn running_text_that_begins_with_a_number() {
    check(
        &Rules::WILD,
        "0 NOTE The year\n1900 was dry\n19 March too\n",
        r#"NOTE="The year\n1900 was dry\n19 March too""#,
        &["E0306", "E0306"],
    );
}

#[test]
fn a_line_that_nothing_explains() {
    check(&Rules::WILD, "0 @I1@ INDI\n???\n1 SEX M\n", r#"INDI[I1]{ERROR="???" SEX="M"}"#, &["E0201"]);
    check(&Rules::JANUARY_2019, "0 NOTE a\njunk\n", r#"NOTE="a"{ERROR="junk"}"#, &["E0201"]);
}

#[test]
fn continuations_out_of_place() {
    check(&Rules::WILD, "0 @I1@ INDI\n1 NOTE a\n1 CONT b\n", r#"INDI[I1]{NOTE="a\nb"}"#, &["E0305"]);
    check(
        &Rules::WILD,
        "0 @S1@ SOUR\n0 NOTE a\n1 SOUR @S1@\n1 CONT b\n",
        r#"SOUR[S1] NOTE="a\nb"{SOUR->S1}"#,
        &["E0301"],
    );
    check(&Rules::WILD, "0 NOTE a\n1 CONT b\n2 CONC c\n", r#"NOTE="a\nbc""#, &["E0302"]);
    check(
        &Rules::WILD,
        "0 NOTE a\n1 CONT b\n2 SOUR s\n2 QUAY 1\n",
        r#"NOTE="a\nb"{SOUR="s" QUAY="1"}"#,
        &["E0302"],
    );
    check(&Rules::WILD, "0 NOTE a\n1 @X@ CONT b\n", r#"NOTE="a\nb""#, &["E0303"]);
    check(&Rules::WILD, "0 A\n1 NOTE @N1@\n2 CONT b\n", r#"A{NOTE="@N1@\nb"}"#, &["E0301"]);
    check(&Rules::WILD, "0 CONT b\n", r#"CONT="b""#, &["E0301"]);
    check(&Rules::JANUARY_2019, "0 NOTE a\n1 RIN 7\n1 CONT b\n", r#"NOTE="a"{RIN="7" CONT="b"}"#, &["E0301"]);
    for body in ["0 NOTE a\n1 SOUR s\n1 CONT b\n", "0 NOTE a\n1 CONT b\n2 CONC c\n", "0 CONT b\n"] {
        let octets = format!("0 HEAD\n{body}0 TRLR\n");
        let document =
            read(octets.as_bytes(), &Rules::DECEMBER_2019, &Options::default(), &mut ()).expect("small");
        assert!(!document.is_complete(), "{body}");
    }
}

#[test]
fn what_follows_a_continuation_of_a_structure_above_continues_that_one() {
    let bodies = "0 @N1@ NOTE text\n1 SOUR x\n1 CONT more\n";
    for rules in [&Rules::OCTOBER_2017, &Rules::JULY_2017] {
        let raw = format!("{bodies}raw words\n");
        check(rules, &raw, r#"NOTE[N1]="text\nmore\nraw words"{SOUR="x"}"#, &["E0301", "E0306"]);
        let deeper = format!("{bodies}2 CONT deeper\n");
        check(rules, &deeper, r#"NOTE[N1]="text\nmore"{SOUR="x"}"#, &["E0301", "E0337", "E0336"]);
    }
    for rules in [&Rules::OCTOBER_2017, &Rules::JULY_2017, &Rules::WILD] {
        let body = "0 NOTE a\n0 CONT b\n0 CONT c\nraw words\n0 CONT d\n";
        check(rules, body, r#"NOTE="a\nb\nc\nraw words\nd""#, &["E0305", "E0305", "E0306", "E0305"]);
    }
    check(
        &Rules::WILD,
        "0 @S1@ SOUR\n0 NOTE text\n1 SOUR @S1@\n1 CONT more\n2 CONT deeper\n",
        r#"SOUR[S1] NOTE="text\nmore\ndeeper"{SOUR->S1}"#,
        &["E0301", "E0302"],
    );
    check(
        &Rules::WILD,
        "0 @S1@ SOUR\n0 NOTE text\n1 SOUR @S1@\n1 CONT more\nraw words\n1 CONT last\n1 RIN 7\n",
        r#"SOUR[S1] NOTE="text\nmore\nraw words\nlast"{SOUR->S1 RIN="7"}"#,
        &["E0301", "E0306"],
    );
    check(
        &Rules::WILD,
        "0 @S1@ SOUR\n0 A\n1 NOTE @N1@\n2 B\n3 SOUR @S1@\n2 CONT b\n",
        r#"SOUR[S1] A{NOTE="@N1@\nb"{B{SOUR->S1}}}"#,
        &["E0301"],
    );
}

#[test]
fn a_malformed_line_within_a_rejected_one_does_not_end_the_rejection() {
    check(
        &Rules::DECLARATIVE,
        "0 @I1@ INDI\n1 NAME A\n0 @I 2 INDI\n1 NAME B\n2 G-VN x\n1 SEX M\n0 @I3@ INDI\n",
        r#"INDI[I1]{NAME="A"} INDI[I3]"#,
        &["E0204", "E0333", "E0205", "E0333"],
    );
    // One of the level rejected, or a lower one, begins anew.
    check(
        &Rules::DECLARATIVE,
        "0 @I1@ INDI\n1 N-ME A\n2 GIVN x\n0 @I 2 INDI\n1 SEX M\n",
        "INDI[I1]",
        &["E0205", "E0333", "E0204", "E0333"],
    );
    check(
        &Rules::DECLARATIVE,
        "0 @I1@ INDI\n 0 @I 2@ INDI\n1 NAME B\n0 @I3@ INDI\n",
        "INDI[I1] INDI[I3]",
        &["E0201", "E0333"],
    );
}

#[test]
fn pseudo_structures_of_2017_hide_what_stands_beneath_them() {
    check(
        &Rules::OCTOBER_2017,
        "0 NOTE a\n1 CONT b\n2 SOUR s\n3 PAGE p\n1 SOUR t\n",
        r#"NOTE="a\nb"{SOUR="t"}"#,
        &["E0337"],
    );
}

#[test]
fn pointers_and_identifiers() {
    let dangling = "0 FAM\n1 CHIL @I9@\n1 HUSB @I9@\n1 WIFE @I8@\n";
    check(&Rules::DECEMBER_2019, dangling, "FAM{CHIL->I9 HUSB->I9 WIFE->I8}", &["E0327"; 3]);
    check(
        &Rules::JANUARY_2019,
        dangling,
        "FAM{CHIL->I9 HUSB->I9 WIFE->I8} UNDEF[I9] UNDEF[I8]",
        &["E0327"; 3],
    );
    let twice = "0 @F1@ FAM\n0 @F1@ FAM\n0 INDI\n1 FAMC @F1@\n";
    check(&Rules::WILD, twice, "FAM[F1] FAM[F1] INDI{FAMC->F1}", &["E0329", "E0328"]);
    check(
        &Rules::JANUARY_2019,
        twice,
        "FAM[F1] FAM[F1] INDI{FAMC->UNDEF1} UNDEF[UNDEF1]",
        &["E0329", "E0328"],
    );
    let nested = "0 @A@ INDI\n1 @A@ NOTE x\n0 @F@ FAM\n1 HUSB @A@\n";
    check(&Rules::DECLARATIVE, nested, r#"INDI[A]{NOTE="x"} FAM[F]{HUSB->A}"#, &["E0329"]);
    let rejected = "0 @A@ INDI\n0 @A@ FAM\n0 @B@ FAM\n1 HUSB @A@\n";
    check(&Rules::DECLARATIVE, rejected, "FAM[B]", &["E0329", "E0333", "E0333", "E0333"]);
}

#[test]
fn a_level_with_leading_zeros() {
    let body = "0 NOTE a\n01 SOUR b\n001SOUR c\n";
    // No draft of 2017 allows them; reading goes on as by the rules for found files.
    for rules in [&Rules::WILD, &Rules::OCTOBER_2017, &Rules::JULY_2017] {
        check(rules, body, r#"NOTE="a"{SOUR="b\n001SOUR c"}"#, &["E0202", "E0306"]);
    }
    check(&Rules::DECEMBER_2019, body, r#"NOTE="a""#, &["E0202"]);
    check(&Rules::DECLARATIVE, body, r#"NOTE="a""#, &["E0202", "E0202"]);
    check(&Rules::JANUARY_2019, body, r#"NOTE="a"{SOUR="b"{ERROR="001SOUR c"}}"#, &["E0201"]);
}

#[test]
fn the_language_of_a_payload() {
    let octets =
        b"0 HEAD\n1 CHAR UTF-8\n1 PLANG fr\n0 NOTE a\n1 PLANG de\n1 TEXT b\n2 PLANG\n0 NOTE c\n0 TRLR\n";
    let languages = |rules: &Rules| -> Vec<String> {
        let document = read(octets, rules, &Options::default(), &mut ()).expect("small");
        let of = |node: Node<'_>| node.language().to_owned();
        let text = document.structures().find(|node| node.tag() == "TEXT");
        document.records().chain(text).map(of).collect()
    };
    for rules in [&Rules::WILD, &Rules::DECEMBER_2019] {
        assert_eq!(languages(rules), ["de", "fr", "fr"], "{}", rules.name);
    }
    // PLANG is a tag like any other before December 2019.
    for rules in [&Rules::JANUARY_2019, &Rules::DECLARATIVE, &Rules::OCTOBER_2017, &Rules::JULY_2017] {
        assert_eq!(languages(rules), ["und", "und", "und"], "{}", rules.name);
    }
}

#[test]
fn serialisation_metadata_stays_as_it_stands() {
    let octets = b"0 HEAD\n1 CHAR UTF-8\n1 PLANG f@@r\n2 CONT x\n0 TRLR\n";
    let shown = |rules: &Rules| -> String {
        let document = read(octets, rules, &Options::default(), &mut ()).expect("small");
        let mut out = String::new();
        document.serialisation_metadata().for_each(|node| show(node, &mut out));
        out + &tree(&document)
    };
    for rules in [&Rules::WILD, &Rules::DECEMBER_2019] {
        assert_eq!(shown(rules), r#"CHAR="UTF-8" PLANG="f@@r"{CONT="x"} "#, "{}", rules.name);
    }
    // There it is data.
    assert_eq!(shown(&Rules::JANUARY_2019), r#"CHAR="UTF-8" HEAD{PLANG="f@r\nx"}"#);
}

/// Rules that recover from faulty lines.
const RECOVERING: [&Rules; 3] = [&Rules::WILD, &Rules::OCTOBER_2017, &Rules::JULY_2017];

#[test]
fn a_damaged_line_ends_the_record_before_it() {
    let body = "0 @I1@ INDI\n1 BIRT\n2 DATE 1900\n0 @I2 INDI\n1 NAME Bert\n1 DEAT\n2 DATE 1950\n0 @F1@ FAM\n";
    let tree = r#"INDI[I1]{BIRT{DATE="1900"}} ERROR="0 @I2 INDI"{NAME="Bert" DEAT{DATE="1950"}} FAM[F1]"#;
    for rules in RECOVERING {
        check(rules, body, tree, &["E0204"]);
    }
    // What stood under the line that came to harm still does.
    let body = "0 @I1@ INDI\n1 NAME Anna\n1 BI$T\n2 DATE 1900\n1 SEX F\n";
    let tree = r#"INDI[I1]{NAME="Anna" ERROR="1 BI$T"{DATE="1900"} SEX="F"}"#;
    for rules in RECOVERING {
        check(rules, body, tree, &["E0205"]);
    }
    // The line before is a pointer.
    let body = "0 @N@ NOTE x\n0 @I1@ INDI\n1 NOTE @N@\n0 @I3 SUBM\n1 NAME N\n";
    let tree = r#"NOTE[N]="x" INDI[I1]{NOTE->N} ERROR="0 @I3 SUBM"{NAME="N"}"#;
    check(&Rules::WILD, body, tree, &["E0204"]);
}

#[test]
fn a_damaged_line_has_a_level_that_it_could_have() {
    let check = |line: &str, tree: &str, code: &str| {
        check(&Rules::WILD, &format!("0 NOTE a\n1 SOUR b\n{line}\n1 RIN 7\n"), tree, &[code]);
    };
    check("2 _X-Y z", r#"NOTE="a"{SOUR="b"{ERROR="2 _X-Y z"} RIN="7"}"#, "E0205");
    check("1\t@A B", r#"NOTE="a"{SOUR="b" ERROR="1\t@A B" RIN="7"}"#, "E0204");
    check("1 ÄRGER", r#"NOTE="a"{SOUR="b" ERROR="1 ÄRGER" RIN="7"}"#, "E0205");
    for text in ["3 BI$T", "2 B$", "2 Bi$T", "2 #BIRT", "2  BI$T", "2-BI$T", "BI$T", "2"] {
        check(text, &format!(r#"NOTE="a"{{SOUR="b\n{text}" RIN="7"}}"#), "E0306");
    }
}

#[test]
fn what_follows_a_damaged_line() {
    check(&Rules::WILD, "0 NO-TE a\n1 CONT b\n", r#"ERROR="0 NO-TE a\nb""#, &["E0205"]);
    check(
        &Rules::WILD,
        "0 NO-TE a\nb\n1 RIN 7\n",
        r#"ERROR="0 NO-TE a"{ERROR="b" RIN="7"}"#,
        &["E0205", "E0201"],
    );
    check(&Rules::WILD, "0 A\n1 NO-TE a\n1 CONT b\n", r#"A{ERROR="1 NO-TE a\nb"}"#, &["E0205", "E0305"]);
    check(
        &Rules::WILD,
        "0 NOTE a\n1 CONT b\n2 SO-UR c\n3 PAGE d\n",
        r#"NOTE="a\nb"{ERROR="2 SO-UR c"{PAGE="d"}}"#,
        &["E0302", "E0205"],
    );
    check(
        &Rules::WILD,
        "0 NOTE a\n1 CONT b\n2 BI$T x\n1 CONT c\n",
        r#"NOTE="a\nb\nc"{ERROR="2 BI$T x"}"#,
        &["E0302", "E0205", "E0301"],
    );
    // No level is written with a zero before it.
    check(
        &Rules::WILD,
        "0 NOTE a\n1 CONT b\n01 JAN/FEB\n1 CONT c\n",
        r#"NOTE="a\nb\n01 JAN/FEB\nc""#,
        &["E0306"],
    );
    // Under a continuation nothing is data in 2017.
    check(
        &Rules::OCTOBER_2017,
        "0 NOTE a\n1 CONT b\n2 SO-UR c\n3 PAGE d\n",
        r#"NOTE="a\nb""#,
        &["E0337", "E0205"],
    );
}

#[test]
fn a_damaged_header_and_a_damaged_trailer() {
    let octets = b"0 HE-D\n1 SOUR x\n0 HEAD\n1 CHAR UTF-8\n0 TRLR\n";
    let mut findings: Vec<elf_tagged::Diagnostic> = Vec::new();
    let document = read(octets, &Rules::WILD, &Options::default(), &mut findings).expect("small");
    assert_eq!(tree(&document), r#"ERROR="0 HE-D"{SOUR="x"}"#);
    assert_eq!(document.header().character_encoding(), Some("UTF-8"));
    check(&Rules::WILD, "0 NOTE a\n0 TR-R\n1 X\n", r#"NOTE="a" ERROR="0 TR-R"{X}"#, &["E0205"]);
}

#[test]
fn a_number_before_a_continuation_is_its_level() {
    check(&Rules::WILD, "0 NOTE a\n100 CONT b\n", r#"NOTE="a\nb""#, &["E0203"]);
    check(&Rules::WILD, "0 NOTE a\n100 NATO members\n", r#"NOTE="a\n100 NATO members""#, &["E0306"]);
}

#[test]
fn a_level_that_does_not_count() {
    let beneath = "0 NOTE x\n1 SOUR y\n1 CONC z\n2 X q\n";
    let check_january =
        |body: &str, tree: &str, codes: &[&str]| check(&Rules::JANUARY_2019, body, tree, codes);
    for rules in [&Rules::JANUARY_2019, &Rules::DECLARATIVE] {
        check(rules, beneath, r#"NOTE="x"{SOUR="y" CONC="z"{X="q"}}"#, &["E0301"]);
    }
    check_january("0 NOTE x\n1 SOUR y\n1 ERROR z\n2 X q\n", r#"NOTE="x"{SOUR="y" ERROR="z"{X="q"}}"#, &[]);
    check_january("0 NOTE x\n1 SOUR y\n1 ERROR z\n2 CONT q\n", r#"NOTE="x"{SOUR="y" ERROR="z\nq"}"#, &[]);
    check_january("0 NOTE x\n1 SOUR y\n0 ERROR z\n1 X q\n", r#"NOTE="x"{SOUR="y"} ERROR="z"{X="q"}"#, &[]);
    check_january("0 ERROR\nnonsense\n", r#"ERROR{ERROR="nonsense"}"#, &["E0201"]);
    // Behind several lines that do not count, the level before all of them does.
    check_january(
        "0 NOTE x\n1 SOUR y\n2 PAGE r\n0 ERROR x\n1 ERROR y\n2 E z\n0 A\n1 ERROR b\n2 E c\n",
        r#"NOTE="x"{SOUR="y"{PAGE="r"}} ERROR="x"{ERROR="y"{E="z"}} A{ERROR="b" ERROR="2 E c"}"#,
        &["E0203"],
    );
    // A line before the ERROR line was as deep, but what it stood in is over.
    check_january(
        "0 NOTE x\n1 SOUR y\n2 PAGE p\n1 ERROR z\n3 Q q\n",
        r#"NOTE="x"{SOUR="y"{PAGE="p"} ERROR="z"{ERROR="3 Q q"}}"#,
        &["E0203"],
    );
    check_january("0 NOTE x\n1 ERROR y\n2 NOTE z\n", r#"NOTE="x"{ERROR="y" ERROR="2 NOTE z"}"#, &["E0203"]);
}

#[test]
fn escapes_in_lines_that_were_made_errors() {
    let body = "0 NOTE x\n3 DATE @#DJULIAN@ 1900\njunk @#DX@ y\n";
    let octets = format!("0 HEAD\n1 CHAR UTF-8\n{body}0 TRLR\n");
    let mut findings: Vec<elf_tagged::Diagnostic> = Vec::new();
    let document =
        read(octets.as_bytes(), &Rules::JANUARY_2019, &Options::default(), &mut findings).expect("small");
    assert_eq!(tree(&document), r#"NOTE="x"{ERROR="3 DATE 1900" ERROR="junk y"}"#);
    let places = |finding: &elf_tagged::Diagnostic| {
        finding.place.map(|place| (finding.code.id(), place.line, place.column)).expect("it stands somewhere")
    };
    let found: Vec<_> = findings.iter().map(places).collect();
    assert_eq!(found, [("E0203", 4, 1), ("E0323", 4, 8), ("E0201", 5, 1), ("E0323", 5, 6)]);
}

#[test]
fn continuations_by_their_level_in_2017() {
    check(&Rules::OCTOBER_2017, "0 NOTE a\n1 X 1\n1 CONT b\n", r#"NOTE="a\nb"{X="1"}"#, &["E0301"]);
    check(&Rules::WILD, "0 NOTE a\n1 X 1\n1 CONT b\n", r#"NOTE="a"{X="1\nb"}"#, &["E0305"]);
    check(&Rules::OCTOBER_2017, "0 INDI\n1 NOTE a\n1 CONT b\n", r#"INDI{NOTE="a\nb"}"#, &["E0305"]);
    check(&Rules::OCTOBER_2017, "0 NOTE a\n1 CONT b\n2 SOUR q\n1 CONC c\n", r#"NOTE="a\nbc""#, &["E0337"]);
    check(
        &Rules::OCTOBER_2017,
        "0 NOTE a\n1 SOUR q\n1 CONC c\n1 CONC d\n",
        r#"NOTE="acd"{SOUR="q"}"#,
        &["E0301"],
    );
}

#[test]
fn tags_of_header_and_trailer_within_records() {
    let body = "0 INDI\n1 HEAD a@b\n1 TRLR y\n";
    for rules in [&Rules::JANUARY_2019, &Rules::DECLARATIVE] {
        check(rules, body, r#"INDI{HEAD="a@b" TRLR="y"}"#, &["E0326"]);
    }
    // TRLR is a pseudo-structure wherever it stands.
    check(&Rules::OCTOBER_2017, body, r#"INDI{HEAD="a@b"}"#, &["E0326", "E0308"]);
    check(&Rules::WILD, body, r#"INDI{HEAD="a@b" TRLR="y"}"#, &["E0310", "E0326", "E0308"]);
    check(&Rules::DECEMBER_2019, body, "INDI{HEAD=\"a@b\"}", &["E0310"]);
}

#[test]
fn substructures_of_pseudo_structures_are_ignored() {
    let octets =
        b"0 HEAD\n1 CHAR UTF-8\n2 VERS 1\n1 PRFX X_ http://e.example/\n2 CONC x\n2 NOTE a\n0 NOTE a\n\
        1 CONT b\n2 SOUR c\n0 TRLR\n1 NOTE d\n";
    let mut findings: Vec<elf_tagged::Diagnostic> = Vec::new();
    let document = read(octets, &Rules::OCTOBER_2017, &Options::default(), &mut findings).expect("small");
    assert_eq!(tree(&document), r#"NOTE="a\nb""#);
    let found: Vec<_> = findings.iter().map(|found| (found.code.id(), found.class.is_error())).collect();
    assert_eq!(found, [("E0337", false); 4]);
}

#[test]
fn a_tab_before_a_payload_of_the_declarative_draft() {
    check(&Rules::DECLARATIVE, "0 NOTE\ta\n1 RIN 7\n", r#"NOTE="a"{RIN="7"}"#, &["E0201"]);
    check(&Rules::JANUARY_2019, "0 NOTE\ta\n1 RIN 7\n", r#"NOTE="a"{RIN="7"}"#, &[]);
}

#[test]
fn a_level_of_any_size_is_kept_as_written() {
    let body = "0 NOTE a\n999999999999999999999 NOTE x\n";
    check(&Rules::JANUARY_2019, body, r#"NOTE="a"{ERROR="999999999999999999999 NOTE x"}"#, &["E0203"]);
    let body = "0 A\n99999999998 B\n99999999999 C\n";
    check(&Rules::WILD, body, "A{B C}", &["E0203", "E0203"]);
    check(&Rules::DECLARATIVE, body, "A", &["E0203", "E0203"]);
    for rules in Rules::PRESETS {
        let octets = format!("0 HEAD\n1 CHAR UTF-8\n{body}0 TRLR\n");
        let mut findings: Vec<elf_tagged::Diagnostic> = Vec::new();
        read(octets.as_bytes(), rules, &Options::default(), &mut findings).expect("small");
        let deep = findings.iter().find(|found| found.code.id() == "E0203").expect("it is too deep");
        assert!(deep.message.ends_with("found 99999999998"), "{}: {}", rules.name, deep.message);
    }
}

#[test]
fn a_pointer_to_another_file_is_reported_once() {
    check(&Rules::WILD, "0 A\n1 NOTE @A!B@\n", "A{NOTE->A!B}", &["E0334"]);
    check(&Rules::WILD, "0 A\n1 NOTE @A B@\n", "A{NOTE->A B}", &["E0210", "E0327"]);
}

#[test]
fn findings_come_in_the_order_of_the_file() {
    let octets = b"0 head\n1 char UTF-8\n0 NOTE a\n1 SOUR b\n1 CONC c @#\n0 TRLR\n";
    let mut findings: Vec<elf_tagged::Diagnostic> = Vec::new();
    read(octets, &Rules::WILD, &Options::default(), &mut findings).expect("small");
    let places: Vec<_> =
        findings.iter().filter_map(|found| found.place).map(|at| (at.line, at.column)).collect();
    assert!(places.is_sorted() && places.len() >= 4, "{findings:?}");
}

#[test]
fn a_damaged_line_behind_a_language() {
    check(
        &Rules::WILD,
        "0 NOTE a\n1 PLANG de\n1 @A X\n1 B\n",
        r#"NOTE="a"{PLANG="de" ERROR="1 @A X" B}"#,
        &["E0204"],
    );
    check(&Rules::WILD, "0 NOTE a\n1 PLANG\n1 CONT c\n1 B\n", r#"NOTE="a\nc"{PLANG B}"#, &["E0331", "E0301"]);
}

#[test]
fn text_behind_a_line_of_the_highest_level_there_is() {
    for level in ["4294967295", "99999999999999999999"] {
        let body = format!("0 NOTE a\n{level} SOUR\nraw\n{level} CONT b\nmore\n1 SEX M\n");
        let (document, shown) = (body.as_bytes(), format!("by a level of {level}"));
        let document = read(document, &Rules::WILD, &Options::default(), &mut ()).expect("small");
        let note = document.structures().next().expect("a record");
        for text in ["raw", "more"] {
            assert!(document.structures().any(|node| node.text().contains(text)), "{shown}");
        }
        assert!(note.substructures().any(|node| node.tag() == "SEX"), "{shown}");
    }
}

/// The line after the trailer shows that it is one too early, and is not read.
#[test]
fn nothing_is_said_of_a_line_that_is_not_read() {
    let octets = b"0 HEAD\n1 CHAR UTF-8\n0 TRLR\n0 A_TAG_OF_MORE_THAN_SO_MANY_CHARACTERS x\n0 TRLR\n";
    let mut findings: Vec<elf_tagged::Diagnostic> = Vec::new();
    let document = read(octets, &Rules::DECEMBER_2019, &Options::default(), &mut findings).expect("small");
    assert!(!document.is_complete());
    assert_eq!(findings.iter().map(|found| found.code.id()).collect::<Vec<_>>(), ["E0308"], "{findings:?}");
}
