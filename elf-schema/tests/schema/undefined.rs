//! Tags that have no type where they stand, E0415: what is reported, where, how often, and with which help.

#![allow(clippy::expect_used, clippy::unwrap_used, reason = "a test that cannot go on fails")]

use elf_schema::tally::UndefinedTally;
use elf_schema::{Diagnostic, ReadOptions, Rules, RunTyper, Schema, codes, read};
use std::fmt::Write;
use std::sync::Arc;

const HEAD: &str = "0 HEAD\n1 CHAR UTF-8\n";

/// A finding: line, message, help, count.
type Said = (Option<u64>, String, Option<String>, Option<u64>);

fn of_tags(findings: Vec<Diagnostic>) -> Vec<Said> {
    let said = |one: Diagnostic| {
        let (line, count) = (one.place.map(|place| place.line), one.count.map(std::num::NonZero::get));
        (line, one.message.into_owned(), one.help.map(std::borrow::Cow::into_owned), count)
    };
    findings.into_iter().filter(|one| one.code == codes::TAG_UNDEFINED).map(said).collect()
}

fn with(body: &str, rules: &Rules, options: &ReadOptions<'_>) -> Vec<Said> {
    let mut findings: Vec<Diagnostic> = Vec::new();
    let text = format!("{HEAD}{body}0 TRLR\n");
    read(text.as_bytes(), rules, options, &mut findings).expect("a short text");
    of_tags(findings)
}

fn found(body: &str) -> Vec<Said> {
    with(body, &Rules::WILD, &ReadOptions::default())
}

/// The messages about the tags of a text.
fn messages(body: &str, rules: &Rules) -> Vec<String> {
    with(body, rules, &ReadOptions::default()).into_iter().map(|(_, message, ..)| message).collect()
}

/// The help about the only undefined tag of a text.
fn help(body: &str) -> String {
    let all = found(body);
    assert_eq!(all.len(), 1, "{body}: {all:?}");
    all.into_iter().next().and_then(|(_, _, help, _)| help).unwrap_or_default()
}

#[test]
fn each_tag_beneath_a_type_is_one_finding() {
    let body = "0 INDI\n1 BIRT\n2 QUAY 1\n1 DEAT\n2 QUAY 2\n0 INDI\n1 BIRT\n2 QUAY 3\n2 QUAY 4\n0 WHAT\n";
    let quay = || Some("`QUAY` is defined under `SOUR`".to_owned());
    let expected = [
        (Some(5), "unknown tag `QUAY` under `BIRT` (3 occurrences)".to_owned(), quay(), Some(3)),
        (Some(7), "unknown tag `QUAY` under `DEAT`".to_owned(), quay(), Some(1)),
        (Some(12), "unknown record tag `WHAT`".to_owned(), None, Some(1)),
    ];
    assert_eq!(found(body), expected);
    let each = with(body, &Rules::WILD, &ReadOptions::default().with_each_undefined(true));
    let lines: Vec<_> = each.iter().map(|(line, _, _, count)| (*line, *count)).collect();
    assert_eq!(lines, [5, 7, 10, 11, 12].map(|line| (Some(line), None)));
    assert_eq!((&*each[2].1, &each[2].2), ("unknown tag `QUAY` under `BIRT`", &quay()));
}

#[test]
fn a_tag_that_stands_for_several_types_is_told_apart() {
    let text = "0 FAM\n1 CENS\n2 QUAY 1\n0 INDI\n1 CENS\n2 QUAY 1\n0 SOUR\n1 QUAY 1\n";
    assert_eq!(
        messages(text, &Rules::WILD),
        [
            "unknown tag `QUAY` under `CENS` (elf:CENSUS#Family)",
            "unknown tag `QUAY` under `CENS` (elf:CENSUS#Individual)",
            "unknown tag `QUAY` under `SOUR` (elf:SOURCE_RECORD)",
        ]
    );
    assert_eq!(help("0 SOUR\n1 QUAY 1\n"), "`QUAY` is defined under `SOUR` (elf:SOURCE_CITATION)");
}

#[test]
fn extensions_and_all_beneath_undefined_structures_are_silent() {
    let body = "0 INDI\n1 _UID 1\n2 DATE 1900\n3 WHAT\n1 WHAT\n2 DATE 1900\n3 HERE\n4 QUAY 1\n1 BIRT\n2 _X\n0 UNDEF\n1 NAME x\n";
    for rules in [&Rules::WILD, &Rules::DECEMBER_2019, &Rules::JANUARY_2019, &Rules::DECLARATIVE] {
        assert_eq!(messages(body, rules), ["unknown tag `WHAT` under `INDI`"], "{}", rules.name);
    }
    let each = with(body, &Rules::WILD, &ReadOptions::default().with_each_undefined(true));
    assert_eq!(each.len(), 1, "{each:?}");
}

#[test]
fn by_the_rules_of_2017_nothing_is_held_against_anything() {
    for rules in [&Rules::OCTOBER_2017, &Rules::JULY_2017] {
        assert_eq!(messages("0 INDI\n1 WHAT\n0 WHAT\n", rules), [""; 0], "{}", rules.name);
    }
    // But for a schema that is named.
    let options = ReadOptions::default().with_schema(Some(Arc::clone(Schema::completed())));
    assert_eq!(with("0 INDI\n1 WHAT\n", &Rules::OCTOBER_2017, &options).len(), 1);
}

#[test]
fn gedcom_7_is_not_held_against_a_schema_that_does_not_know_it() {
    let seven = "1 GEDC\n2 VERS 7.0\n0 INDI\n1 NO MARR\n1 NAME a\n2 TRAN b\n0 SNOTE x\n";
    for rules in [&Rules::WILD, &Rules::DECEMBER_2019, &Rules::JANUARY_2019] {
        assert_eq!(messages(seven, rules), [""; 0], "{}", rules.name);
    }
    let text = "0 HEAD\n1 SCHMA\n2 PRFX elf https://terms.fhiso.org/elf/\n2 IRI elf:INDIVIDUAL_RECORD\n\
        3 TAG INDI elf:Document\n2 IRI https://e.example/no\n3 TAG NO elf:INDIVIDUAL_RECORD\n0 TRLR\n";
    let own =
        Schema::read("made.elf", text.as_bytes(), &Default::default(), &(), &mut ()).expect("a short text");
    let options = ReadOptions::default().with_schema(own.map(Arc::new));
    let said: Vec<_> =
        with(seven, &Rules::WILD, &options).into_iter().map(|(_, message, ..)| message).collect();
    assert_eq!(said, ["unknown tag `NAME` under `INDI`", "unknown record tag `SNOTE`"]);
}

#[test]
fn what_the_rules_make_of_lines_is_reported_by_other_codes() {
    // An ERROR line, a stray continuation, a second trailer, a pointer for which January inserts a record.
    let body = "0 @I1@ INDI\n1 FAMS @F9@\njunk\n0 CONT x\n0 TRLR\n0 INDI\n";
    for rules in Rules::PRESETS {
        assert_eq!(messages(body, rules), [""; 0], "{}", rules.name);
    }
    // The version of ELF, where GEDC is data.
    let body = "1 GEDC\n2 VERS 5.5.1\n2 FORM LINEAGE-LINKED\n2 ELF 1.0.0\n1 HERE x\n";
    for rules in [&Rules::JANUARY_2019, &Rules::DECLARATIVE, &Rules::DECEMBER_2019, &Rules::WILD] {
        assert_eq!(messages(body, rules), ["unknown tag `HERE` under `HEAD`"], "{}", rules.name);
    }
}

#[test]
fn help_names_where_a_tag_is_defined_and_what_is_spelled_alike() {
    for (body, expected) in [
        ("0 INDI\n1 BRTH\n", "did you mean `BIRT`?"),
        ("0 INDI\n1 BRIT\n", "did you mean `BIRT`?"),
        ("0 INDI\n1 birt\n", "did you mean `BIRT`?"),
        ("0 INDI\n1 name x\n", "did you mean `NAME`?"),
        ("0 INDI\n1 BIRT\n2 quay 1\n", "`QUAY` is defined under `SOUR`"),
        ("0 FAMI\n", "did you mean `FAM`?"),
        ("0 INDI\n1 HUSB\n", "`HUSB` is defined under `MARR`, `FAM`, `RESI` and 10 more"),
        ("0 INDI\n1 TEMP x\n", "`TEMP` is defined under `BAPL`, `CONL`, `ENDL` and 3 more"),
        ("0 FAM\n1 SEX M\n", "`SEX` is defined under `INDI`"),
        ("0 INDI\n1 PAGE 3\n", "`PAGE` is defined under `SOUR`"),
        ("0 INDI\n1 CORP x\n", "`CORP` is defined under `SOUR`"),
        (
            "0 SOUR\n1 DATE 1900\n",
            "`DATE` is defined under `CHAN`, `BIRT`, `DEAT` and 52 more; or did you mean `DATA`?",
        ),
        ("0 INDI\n1 REPO @R@\n", "`REPO` is defined as a record and under `SOUR`"),
        ("0 INDI\n1 WIBBLE x\n", ""),
    ] {
        assert_eq!((body, &*help(body)), (body, expected));
    }
}

#[test]
fn tags_that_only_the_published_schema_lacks_are_said_to_be_in_the_completed_one() {
    let said = with("0 INDI\n1 BURI\n1 BRUI\n", &Rules::DECEMBER_2019, &ReadOptions::default());
    let help: Vec<_> = said.iter().map(|(_, _, help, _)| help.as_deref()).collect();
    assert_eq!(
        help,
        [Some("`--schema completed` defines it there, as GEDCOM does"), Some("did you mean `BRI`?")]
    );
    assert_eq!(found("0 INDI\n1 BURI\n"), []);
}

#[test]
fn a_schema_of_the_file_says_what_is_defined() {
    const OWN: &str = "1 SCHMA\n2 PRFX elf https://terms.fhiso.org/elf/\n2 PRFX ex https://e.example/\n";
    let with_own = |own: &str, body: &str| {
        let said = with(&format!("{OWN}{own}{body}"), &Rules::JANUARY_2019, &ReadOptions::default());
        said.into_iter().map(|(_, message, help, _)| (message, help.unwrap_or_default())).collect::<Vec<_>>()
    };
    let pair = |message: &str, help: &str| (message.to_owned(), help.to_owned());
    // A subtype inherits the tags of its supertype, and near spellings are those of its own, too.
    let own = "2 IRI ex:Ship\n3 TAG SHIP elf:Document\n3 ISA ex:Thing\n2 IRI ex:Mast\n3 TAG MAST ex:Thing\n";
    assert_eq!(
        with_own(own, "0 SHIP\n1 MAST 1\n1 MATS 2\n0 MAST\n"),
        [
            pair("unknown tag `MATS` under `SHIP`", "did you mean `MAST`?"),
            pair("unknown record tag `MAST`", "`MAST` is defined under `SHIP`"),
        ]
    );
    // Definitions that contradict one another.
    let own = "2 IRI ex:A\n3 TAG ODD elf:Document\n2 IRI ex:B\n3 TAG ODD elf:Document\n";
    assert_eq!(
        with_own(own, "0 ODD\n"),
        [pair("unknown record tag `ODD`", "its definitions there conflict, so none of them is used")]
    );
    // What a schema defines under an undefined type has a type, and is silent like the rest of it.
    let own = "2 IRI ex:D\n3 TAG DAY elf:Undefined#_EVENT\n2 IRI ex:E\n3 TAG HOUR elf:Undefined#FETE\n";
    assert_eq!(
        with_own(own, "0 _EVENT\n1 DAY 1\n2 WHAT\n0 FETE\n1 HOUR 2\n2 WHAT\n1 WHAT\n0 FETE\n"),
        [pair("unknown record tag `FETE` (2 occurrences)", "")]
    );
}

/// The findings of a text whose runs are read by this many typers in turn.
fn in_runs(text: &str, size: usize, typers: usize, options: &ReadOptions<'_>) -> Vec<Said> {
    let mut findings: Vec<Diagnostic> = Vec::new();
    let mut reader =
        elf_tagged::Reader::new(text.as_bytes(), &Rules::WILD, &options.octets).with_run_size(size);
    let (mut tally, mut typer) = (UndefinedTally::default(), RunTyper::new(options.clone()));
    let mut read = |reader: &mut elf_tagged::Reader<&[u8]>, typer: &mut RunTyper<'_>| {
        let Some(run) = reader.next_unread().unwrap() else { return false };
        let (_, undefined, outcome) = typer.read(&run, &mut findings).unwrap();
        tally.add_run(undefined);
        reader.take(outcome, &mut ());
        true
    };
    while !reader.knows_header() && read(&mut reader, &mut typer) {}
    let mut others: Vec<_> = (0..typers).map(|_| typer.for_thread().unwrap()).collect();
    let mut turn = 0;
    while read(&mut reader, &mut others[turn % typers]) {
        turn += 1;
    }
    typer.report_undefined(tally, reader.rules(), &mut findings);
    of_tags(findings)
}

/// Reads a text whole and in runs, and returns the findings, which are the same.
fn in_every_way(body: &str, each: bool) -> Vec<Said> {
    let options = ReadOptions::default().with_each_undefined(each);
    let whole = with(body, &Rules::WILD, &options);
    let text = format!("{HEAD}{body}0 TRLR\n");
    for (size, typers) in [(1, 1), (1, 3), (200, 2), (100_000, 2)] {
        assert_eq!(in_runs(&text, size, typers, &options), whole, "{size} {typers}");
    }
    whole
}

#[test]
fn counts_are_the_same_whole_and_in_runs() {
    let mut body = String::new();
    for number in 0..40 {
        let _ = write!(body, "0 INDI\n1 BIRT\n2 QUAY 1\n1 T{}\n2 QUAY 1\n1 DEAT\n2 quay 1\n", number % 7);
    }
    let found = in_every_way(&body, false);
    let counts: Vec<_> = found.iter().map(|(line, _, _, count)| (line.unwrap(), count.unwrap())).collect();
    let tags = [(6, 6), (13, 6), (20, 6), (27, 6), (34, 6), (41, 5), (48, 5)];
    assert_eq!(counts[..2], [(5, 40), tags[0]]);
    assert_eq!((counts[2], &counts[3..]), ((9, 40), &tags[1..]));
    assert_eq!(in_every_way(&body, true).len(), 120);
}

#[test]
fn a_file_of_different_tags_has_a_bounded_number_of_findings() {
    let mut body = String::new();
    for number in 0..30_000 {
        let _ = write!(body, "0 INDI\n1 A{number}\n1 A{}\n", number / 2);
    }
    let found = in_every_way(&body, false);
    assert_eq!(found.len(), 10_001);
    let (last, kinds) = found.split_last().unwrap();
    // Up to 20000 structures are before the last kind that is kept, and each comes twice more.
    let kept: u64 = kinds.iter().filter_map(|(.., count)| *count).sum();
    assert_eq!((last.0, last.3), (None, Some(60_000 - kept)));
    assert!(last.1.ends_with("more structures have unknown tags"), "{}", last.1);
    assert_eq!(
        last.2.as_deref(),
        Some("only the first 10000 unknown tags of a file are reported separately")
    );
}

#[test]
fn help_is_the_same_each_time() {
    let help = || found("0 FAM\n1 ADDR x\n").remove(0).2.expect("help");
    let first = help();
    assert!(first.contains("`ADDR` is defined"), "{first}");
    // Tables that are walked in an order of their own start anew with each.
    for _ in 0..30 {
        assert_eq!(help(), first);
    }
}
