//! What each set of rules makes of lines that do not fit: trees beside trees.
#![allow(clippy::expect_used, reason = "a test fails by panicking")]

mod common;

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
fn pseudo_structures_of_2017_hide_what_stands_beneath_them() {
    check(
        &Rules::OCTOBER_2017,
        "0 NOTE a\n1 CONT b\n2 SOUR s\n3 PAGE p\n1 SOUR t\n",
        r#"NOTE="a\nb"{SOUR="t"}"#,
        &["E0302"],
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
