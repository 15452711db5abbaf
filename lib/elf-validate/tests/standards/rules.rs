//! The rules of structure beyond cardinality, one by one, by GEDCOM 5.5.1. Those about pointers and about
//! what may stand once in a file have their tests in `links` and `record_rules`.

use crate::named;
use elf_schema::{Class, Diagnostic, ReadOptions, Rules};
use elf_validate::{Standard, validate};

/// A file in which nothing is wrong but for these lines of a person: the first is line 11.
fn person(lines: &str) -> String {
    format!(
        "0 HEAD\n1 SOUR x\n1 SUBM @U@\n1 GEDC\n2 VERS 5.5.1\n2 FORM LINEAGE-LINKED\n1 CHAR UTF-8\n\
         0 @U@ SUBM\n1 NAME x\n0 @I1@ INDI\n{lines}\n0 @I2@ INDI\n0 @S1@ SOUR\n0 TRLR\n"
    )
}

/// The findings of a file: line, name and whether it is advice only.
fn found(file: &str, standard: Standard) -> Vec<(u64, &'static str, bool)> {
    let typed = elf_schema::read(file.as_bytes(), &Rules::WILD, &ReadOptions::default(), &mut ())
        .expect("a small file");
    let mut found: Vec<Diagnostic> = Vec::new();
    validate(&typed, named(standard), &mut found);
    let row = |found: &Diagnostic| {
        (found.place.map_or(0, |place| place.line), found.code.name(), found.class == Class::Advice)
    };
    found.iter().map(row).collect()
}

/// Holds lines of a person against GEDCOM 5.5.1: the finding is that one, or there is none.
fn holds(lines: &str, expected: Option<(u64, &'static str, bool)>) {
    assert_eq!(found(&person(lines), Standard::Gedcom551), Vec::from_iter(expected), "{lines}");
}

const MUST: bool = false;
const ADVICE: bool = true;

#[test]
fn sr11_and_sr12_facts_and_numbers_have_a_type() {
    holds("1 FACT Woodworking", Some((11, "structure-missing", MUST)));
    holds("1 FACT Woodworking\n2 TYPE Skills", None);
    holds("1 IDNO 43", Some((11, "structure-missing", MUST)));
    holds("1 IDNO 43\n2 TYPE Canadian Health Registration", None);
}

#[test]
fn sr13_an_event_of_no_kind_should_have_a_type() {
    holds("1 EVEN", Some((11, "structure-incomplete", ADVICE)));
    holds("1 EVEN\n2 TYPE Award", None);
}

#[test]
fn sr14_an_event_without_y_date_and_place_asserts_nothing() {
    holds("1 DEAT", Some((11, "structure-incomplete", ADVICE)));
    holds("1 BURI\n2 SOUR @S1@", Some((11, "structure-incomplete", ADVICE)));
    holds("1 DEAT\n2 DATE 1900", None);
    holds("1 DEAT\n2 PLAC Delft", None);
    holds("1 RESI", None);
}

#[test]
fn sr15_y_beside_a_date_is_no_fault() {
    holds("1 DEAT Y\n2 DATE 1900", None);
    holds("1 DEAT Y\n2 SOUR @S1@", None);
    holds("1 BURI Y", None);
}

#[test]
fn sr16_no_event_is_denied() {
    holds("1 DEAT N", Some((11, "value-not-listed", MUST)));
    holds("1 BURI N", Some((11, "value-not-listed", MUST)));
}

#[test]
fn sr17_a_place_has_the_parts_that_its_own_form_names() {
    let place = |place, form| format!("1 BIRT\n2 PLAC {place}{form}");
    let form = "\n3 FORM city, county, state, country";
    holds(&place("Salem, Essex, USA", form), Some((12, "value-inconsistent", ADVICE)));
    holds(&place("Salem, Essex, , USA", form), None);
    // The one in the header is for places in general.
    let file = person(&place("Salem", "")).replace("1 CHAR", "1 PLAC\n2 FORM city, country\n1 CHAR");
    assert_eq!(found(&file, Standard::Gedcom551), []);
}

#[test]
fn sr18_and_sr19_coordinates_are_degrees_behind_a_letter() {
    for (latitude, longitude, bad) in [
        ("N52.1", "E4", None),
        ("S90", "W180.0", None),
        ("52.1", "E4", Some(14)),
        ("N91", "E4", Some(14)),
        ("N52.1", "W181", Some(15)),
        ("N52.1", "4.36", Some(15)),
    ] {
        let lines = format!("1 BIRT\n2 PLAC x\n3 MAP\n4 LATI {latitude}\n4 LONG {longitude}");
        holds(&lines, bad.map(|line| (line, "value-malformed", MUST)));
        let by_types: Vec<_> = found(&person(&lines), Standard::DataModel)
            .into_iter()
            .filter(|(_, name, _)| *name == "value-malformed")
            .collect();
        assert_eq!(by_types, Vec::from_iter(bad.map(|line| (line, "value-malformed", MUST))), "{lines}");
    }
}

#[test]
fn sr20_a_name_has_no_solidus_or_two() {
    for (name, is_good) in [("John", true), ("John /Smith/", true), ("/Smith/ Jr.", true), ("John //", true)]
    {
        assert!(is_good);
        holds(&format!("1 NAME {name}"), None);
    }
    for name in ["John /Smith", "John Smith/", "a/b/c/d"] {
        holds(&format!("1 NAME {name}"), Some((11, "value-malformed", MUST)));
        let by_types = found(&person(&format!("1 NAME {name}")), Standard::DataModel);
        assert_eq!(by_types, [(11, "value-malformed", ADVICE)], "{name}");
    }
}

#[test]
fn sr21_the_pieces_of_a_name_agree_with_it() {
    holds("1 NAME John /Smith/\n2 SURN Smyth", Some((12, "value-inconsistent", ADVICE)));
    holds("1 NAME John /Smith/\n2 GIVN Jack", Some((12, "value-inconsistent", ADVICE)));
    holds("1 NAME John //\n2 SURN Smith", Some((12, "value-inconsistent", ADVICE)));
    for good in [
        "1 NAME John /Smith/\n2 SURN SMITH\n2 GIVN John Fitzgerald",
        "1 NAME Juan /de la Cruz y Vega/\n2 SPFX de la\n2 SURN Cruz, Vega",
        "1 NAME John Smith\n2 SURN Smith\n2 GIVN John",
        "1 NAME /Müller/ Änne\n2 SURN MÜLLER\n2 GIVN änne",
    ] {
        holds(good, None);
    }
}

#[test]
fn sr22_a_sex_that_is_not_listed_is_advice() {
    holds("1 SEX X", Some((11, "value-not-listed", ADVICE)));
    holds("1 SEX u", None);
}

#[test]
fn sr23_an_address_has_four_lines() {
    let address = |more: usize| format!("1 RESI\n2 ADDR one{}", "\n3 CONT more".repeat(more));
    holds(&address(3), None);
    holds(&address(5), Some((12, "value-too-long", ADVICE)));
}

#[test]
fn sr24_and_sr25_phones_and_languages_stand_three_times() {
    let times = |line: &str, times: usize| format!("1 RESI{}", format!("\n2 {line}").repeat(times));
    for line in ["PHON 1", "EMAIL a@@b.cd", "FAX 1", "WWW b.example"] {
        holds(&times(line, 3), None);
        holds(&times(line, 4), Some((15, "structure-repeated", MUST)));
    }
    let file = person("1 SEX M").replace("0 @I1@", "1 LANG English\n1 LANG Dutch\n1 LANG Welsh\n0 @I1@");
    assert_eq!(found(&file, Standard::Gedcom551), [(12, "value-not-listed", MUST)]);
    let file = file.replace("1 LANG Welsh", "1 LANG German\n1 LANG French");
    assert_eq!(found(&file, Standard::Gedcom551), [(13, "structure-repeated", MUST)]);
}

#[test]
fn sr28_a_file_of_an_object_has_its_form() {
    holds("1 OBJE\n2 FILE a.jpg\n3 FORM jpg", None);
    holds("1 OBJE\n2 FILE a.jpg", Some((12, "structure-missing", MUST)));
    // As 5.5 has it: the help says where the tag belongs.
    holds("1 OBJE\n2 FORM jpg\n2 FILE a.jpg", Some((12, "tag-undefined", MUST)));
}

#[test]
fn sr29_and_sr30_ordinances_have_their_family_and_the_date_of_their_status() {
    holds("1 SLGC\n2 TEMP x", Some((11, "structure-missing", MUST)));
    holds("1 BAPL\n2 STAT COMPLETED", Some((12, "structure-missing", MUST)));
    holds("1 BAPL\n2 STAT COMPLETED\n3 DATE 1 JAN 1990", None);
}

#[test]
fn sr31_a_long_value_is_advice() {
    holds(&format!("1 NAME {}", "x".repeat(121)), Some((11, "value-too-long", ADVICE)));
    holds(&format!("1 NAME {}", "x".repeat(120)), None);
    assert_eq!(found(&person(&format!("1 NAME {}", "x".repeat(121))), Standard::DataModel), []);
}

#[test]
fn sr36_tags_of_users_begin_with_an_underscore() {
    holds("1 NAME x\n2 SECG y", Some((12, "tag-undefined", MUST)));
    holds("1 NAME x\n2 _SECG y\n3 SECG z", None);
}

#[test]
fn sr40_an_address_should_have_lines() {
    holds("1 RESI\n2 ADDR\n3 CITY Delft", Some((12, "structure-incomplete", ADVICE)));
    holds("1 RESI\n2 ADDR Markt 1\n3 CITY Delft", None);
}

#[test]
fn sr41_any_text_may_go_on() {
    holds("1 OCCU mas\n2 CONC ter\n2 CONT of the guild", None);
}

#[test]
fn sr42_the_form_of_the_file_is_spelled_with_a_hyphen() {
    let file = |form| person("1 SEX M").replace("LINEAGE-LINKED", form);
    assert_eq!(found(&file("LINEAGE_LINKED"), Standard::Gedcom551), [(6, "value-not-listed", MUST)]);
    assert_eq!(found(&file("Lineage-Linked"), Standard::Gedcom551), []);
}
