//! Tags that GEDCOM 5.5.1 does not have where they stand.

use crate::named;
use elf_schema::{Class, Diagnostic, ReadOptions, Reader, Rules};
use elf_validate::{Links, Standard, Validator, validate};

const HEAD: &str = "0 HEAD\n1 SOUR x\n1 SUBM @U@\n1 GEDC\n2 VERS 5.5.1\n2 FORM LINEAGE-LINKED\n1 CHAR UTF-8\n0 @U@ SUBM\n1 NAME x\n";

/// The undefined tags of records: line, count, message and help.
type Found = (u64, u64, String, Option<String>);

fn found(diagnostics: Vec<Diagnostic>) -> Vec<Found> {
    let tags = diagnostics.into_iter().filter(|found| found.code.name() == "tag-undefined");
    tags.map(|found| {
        assert_eq!(found.class, Class::NonConformant);
        assert_eq!(found.clause, Some("GEDCOM 5.5.1: Chapter 2"));
        let line = found.place.map_or(0, |place| place.line);
        let count = found.count.map_or(0, |count| count.get());
        (line, count, found.message.into_owned(), found.help.map(|help| help.into_owned()))
    })
    .collect()
}

fn file(records: &str) -> String {
    format!("{HEAD}{records}0 TRLR\n")
}

fn whole(records: &str) -> Vec<Found> {
    let file = file(records);
    let typed = elf_schema::read(file.as_bytes(), &Rules::WILD, &ReadOptions::default(), &mut ())
        .expect("a small file");
    let mut diagnostics = Vec::new();
    validate(&typed, named(Standard::Gedcom551), &mut diagnostics);
    found(diagnostics)
}

fn in_runs(records: &str, each: bool) -> Vec<Found> {
    let file = file(records);
    let mut reader = Reader::new(file.as_bytes(), &Rules::WILD, ReadOptions::default()).with_run_size(8);
    let mut started: Option<(Validator, Links)> = None;
    let mut diagnostics = Vec::new();
    while let Some(run) = reader.next_run(&mut ()).expect("a stream in memory") {
        let (validator, links) = started.get_or_insert_with(|| {
            let validator = Validator::new(named(Standard::Gedcom551), run.schema());
            let links = validator.links();
            (validator.with_each_undefined(each), links)
        });
        links.add(validator.validate_run(&run, &mut diagnostics));
    }
    let (_, links) = started.expect("a run");
    links.finish(&mut diagnostics);
    found(diagnostics)
}

const RECORDS: &str = "0 @I1@ INDI\n1 BRTH\n2 DATE soon\n3 BRTH\n1 BIRT\n2 QUAY 1\n1 _UID 1\n2 BRTH\n\
                       0 WIBBLE\n1 BRTH\n0 @I2@ INDI\n1 BRTH\n1 DEAT\n2 QUAY 2\n2 FORM\n1 name x\n0 _X\n1 BRTH\n";

#[test]
fn each_tag_beneath_each_kind_is_one_finding_with_a_count() {
    let said = |line, count, message: &str, help: &str| {
        (line, count, message.to_owned(), (!help.is_empty()).then(|| help.to_owned()))
    };
    let expected = [
        said(11, 2, "unknown tag `BRTH` under `INDI` (2 occurrences)", "did you mean `BIRT`?"),
        said(15, 1, "unknown tag `QUAY` under `BIRT`", "`QUAY` is defined under `SOUR`"),
        said(18, 1, "unknown record tag `WIBBLE`", ""),
        said(23, 1, "unknown tag `QUAY` under `DEAT`", "`QUAY` is defined under `SOUR`"),
        said(24, 1, "unknown tag `FORM` under `DEAT`", "`FORM` is defined under `PLAC`"),
        said(25, 1, "unknown tag `name` under `INDI`", "did you mean `NAME`?"),
    ];
    assert_eq!(whole(RECORDS), expected);
    assert_eq!(in_runs(RECORDS, false), expected);
}

#[test]
fn each_place_can_be_a_finding() {
    let lines: Vec<_> = in_runs(RECORDS, true).iter().map(|(line, count, ..)| (*line, *count)).collect();
    assert_eq!(lines, [(11, 0), (15, 0), (18, 0), (21, 0), (23, 0), (24, 0), (25, 0)]);
}

#[test]
fn metadata_of_elf_and_lines_that_are_none_are_for_others() {
    let header =
        file("").replace("1 CHAR", "1 ELF 1.0.0\n1 SCHMA\n2 PRFX elf https://terms.fhiso.org/elf/\n1 CHAR");
    let typed = elf_schema::read(header.as_bytes(), &Rules::WILD, &ReadOptions::default(), &mut ())
        .expect("a small file");
    let mut diagnostics = Vec::new();
    validate(&typed, named(Standard::Gedcom551), &mut diagnostics);
    assert_eq!(found(diagnostics), []);
    assert_eq!(whole("0 @N@ NOTE a\n1 CONT b\n1 CONC c\n"), []);
}

#[test]
fn further_tags_are_counted() {
    let mut records = "0 @I1@ INDI\n".to_owned();
    for number in 0..10_003 {
        records.push_str(&format!("1 X{number}\n"));
    }
    records.push_str("1 X1\n1 X10001\n");
    for found in [whole(&records), in_runs(&records, false)] {
        assert_eq!(found.len(), 10_001);
        assert_eq!((found[1].1, found[10_000].1), (2, 4));
    }
}

#[test]
fn a_tag_that_is_known_is_counted_where_a_run_has_too_many_others() {
    let many: String = (0..10_000).map(|number| format!("1 X{number}\n")).collect();
    let records = format!("0 @I1@ INDI\n1 ZZZ\n0 @I2@ INDI\n{many}1 ZZZ\n");
    for found in [whole(&records), in_runs(&records, false)] {
        // `ZZZ` in two places, all others but one, and that one.
        assert_eq!((found.len(), found[0].1, found[10_000].1), (10_001, 2, 1));
    }
}

#[test]
fn a_reader_leaves_tags_to_the_standard() {
    let options = ReadOptions::default().with_check_tags(false);
    let mut diagnostics: Vec<Diagnostic> = Vec::new();
    elf_schema::read(file(RECORDS).as_bytes(), &Rules::WILD, &options, &mut diagnostics).expect("small");
    assert!(diagnostics.iter().all(|found| found.code.name() != "tag-undefined"));
}

#[test]
fn a_vendor_tag_without_underscore_is_advice_with_its_meaning() {
    let records = "0 @I1@ INDI\n1 BIRT\n2 QUAY 1\n1 DEAT\n2 QUAY 1\n2 QUAI 1\n";
    let file = file(records).replace("1 SOUR x", "1 SOUR BROSKEEP");
    let run = |with_vendor_tags: bool, each: bool| {
        let options = ReadOptions::default().with_vendor_tags(with_vendor_tags);
        let typed = elf_schema::read(file.as_bytes(), &Rules::WILD, &options, &mut ()).expect("a small file");
        let mut diagnostics = Vec::new();
        let validator = Validator::new(named(Standard::Gedcom551), typed.schema()).with_each_undefined(each);
        validator.validate_document(&typed, &mut diagnostics);
        let tags = diagnostics.into_iter().filter(|found| found.code.name() == "tag-undefined");
        tags.map(|found| {
            (found.class, found.message.into_owned(), found.help.unwrap_or_default().into_owned())
        })
        .collect::<Vec<_>>()
    };
    let message = |tag: &str, above: &str| format!("unknown tag `{tag}` under `{above}`");
    let meaning = "`QUAY` is a vendor tag here: Certainty of the fact itself, without a citation (Brother's Keeper, \
                   GEDKeeper)";
    for each in [false, true] {
        let known = run(true, each);
        assert_eq!(known[0], (Class::Advice, message("QUAY", "BIRT"), meaning.to_owned()));
        assert_eq!(known[1], (Class::Advice, message("QUAY", "DEAT"), meaning.to_owned()));
        assert_eq!((&known[2].0, &known[2].1), (&Class::NonConformant, &message("QUAI", "DEAT")));
        let unknown = run(false, each);
        assert!(unknown.iter().all(|(class, ..)| *class == Class::NonConformant), "{unknown:?}");
        assert_eq!(unknown.len(), 3);
    }
}
