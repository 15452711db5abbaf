//! Persons that are found by what their records say.

use elf_lineage::{
    Lineage, LineageBuilder, LineageReader, LineageView, LivingRule, Person, PersonQuery, SexCode,
};
use elf_lineage::{PersonError, YearRange};
use elf_schema::{ReadOptions, Rules};
use std::borrow::Borrow;

const FILE: &str = "0 HEAD\n1 CHAR UTF-8\n\
0 @I1@ INDI\n1 NAME Dr. Johann /Müller/ Jr.\n2 NPFX Dr.\n2 NICK Hannes\n1 SEX M\n1 BIRT\n2 DATE ABT 1850\n2 PLAC Łódź, Polska\n\
1 DEAT\n2 DATE 3 MAR 1911\n3 SOUR @S1@\n1 FAMS @F1@\n\
0 @I2@ INDI\n1 NAME Maria /Weiß/\n2 _MARNM Maria Müller\n1 NAME Mária /Fehér/\n1 SEX F\n1 BIRT\n2 PLAC Wien\n1 CHR\n2 DATE 12 JAN 1855\n\
1 BURI\n2 DATE BET 1919 AND 1921\n1 FAMS @F1@\n\
0 @I3@ INDI\n1 NAME Søren /Kierkegård/\n1 SEX X\n1 BIRT\n2 DATE (unknown)\n1 BAPM\n2 DATE 1880\n1 FAMC @F1@\n1 OCCU Miller\n\
0 @I4@ INDI\n1 NAME Anna\n2 SURN Schwarz\n2 GIVN Anna\n1 SEX U\n1 DEAT\n2 DATE BEF 1800\n\
0 @I5@ INDI\n1 NAME /Shwartz/\n1 _MARNM O’Neill\n1 FAMC @F9@\n\
0 @F1@ FAM\n1 HUSB @I1@\n1 WIFE @I2@\n1 CHIL @I3@\n1 MARR\n2 PLAC Graz ,Steiermark\n\
0 @S1@ SOUR\n0 TRLR\n";

/// The identifiers of the persons that a query finds.
fn found_in(file: &str, query: &PersonQuery) -> Result<String, PersonError> {
    let typed =
        elf_schema::read(file.as_bytes(), &Rules::WILD, &ReadOptions::default(), &mut ()).expect("a file");
    let mut builder = LineageBuilder::default();
    builder.take(LineageReader::new(typed.schema()).with_unclear_records().read(&typed));
    let lineage: Lineage = builder.build();
    let view = LineageView::new(&lineage, &typed);
    let found = query.find(&view)?;
    let identifiers = found.into_iter().filter_map(|id| lineage.person(id).and_then(Person::identifier));
    Ok(identifiers.collect::<Vec<String>>().join(" "))
}

fn found(query: impl Borrow<PersonQuery>) -> String {
    found_in(FILE, query.borrow()).expect("known persons")
}

fn any() -> PersonQuery {
    PersonQuery::new()
}

fn years(text: &str) -> YearRange {
    text.parse().expect("years")
}

#[test]
fn names_are_found_whatever_their_case_and_accents() {
    assert_eq!(found(any()), "I1 I2 I3 I4 I5");
    for (text, expected) in [
        ("muller", "I1 I2"),
        ("MÜLLER", "I1 I2"),
        ("Mu\u{308}ll", "I1 I2"),
        ("weiss", "I2"),
        ("WEIß", "I2"),
        ("maria feher", "I2"),
        ("maria müller", "I2"),
        ("Johann /Müller/", "I1"),
        ("hannes", "I1"),
        ("dr. jr.", "I1"),
        ("soren kierkegard", "I3"),
        ("schwarz anna", "I4"),
        ("o'neill", "I5"),
        ("johann maria", ""),
        ("xyz", ""),
    ] {
        assert_eq!(found(any().with_name(text)), expected, "{text}");
    }
    for (text, expected) in
        [("muller", "I1 I2"), ("maria", ""), ("schwarz", "I4"), ("o’neill", "I5"), ("jr", "")]
    {
        assert_eq!(found(any().with_surname(text)), expected, "{text}");
    }
    for (text, expected) in [("maria", "I2"), ("muller", ""), ("anna", "I4"), ("JOHANN", "I1")] {
        assert_eq!(found(any().with_given(text)), expected, "{text}");
    }
    for (text, expected) in [("Miller", "I1 I2"), ("Schwartz", "I4 I5"), ("Kirkegaard", "I3"), ("Meier", "")]
    {
        assert_eq!(found(any().with_sound(text)), expected, "{text}");
    }
}

#[test]
fn dates_are_found_if_their_days_overlap() {
    for (text, expected) in [
        ("1850", "I1"),
        ("1849..1860", "I1 I2"),
        ("..1855", "I1 I2"),
        ("1856..", "I3"),
        ("1855", "I2"),
        ("1851..1854", ""),
    ] {
        assert_eq!(found(any().with_birth(years(text))), expected, "{text}");
    }
    for (text, expected) in [
        ("1911", "I1"),
        ("1920", "I2"),
        ("1918", ""),
        ("1700", "I4"),
        ("..1799", "I4"),
        ("1801", ""),
        ("1801..", "I1 I2"),
    ] {
        assert_eq!(found(any().with_death(years(text))), expected, "{text}");
    }
    for text in ["", "..", "18x", "1860..1850", "1850-1860", "1850...1860", "0", "12345", "+185"] {
        assert!(text.parse::<YearRange>().is_err(), "{text}");
    }
    assert_eq!(
        "1860..1850".parse::<YearRange>().expect_err("reversed").to_string(),
        "the range ends before it starts: did you mean `1850..1860`?"
    );
}

#[test]
fn places_sex_and_structures_are_found() {
    for (text, expected) in
        [("lodz", "I1"), ("LODZ,POLSKA", "I1"), ("graz, steier", "I1 I2"), ("wien", "I2"), ("x", "")]
    {
        assert_eq!(found(any().with_place(text)), expected, "{text}");
    }
    let sexes = SexCode::ALL.map(|sex| found(any().with_sex(sex)));
    assert_eq!(sexes, ["I1", "I2", "I3", "I4 I5"]);
    for (path, expected) in [
        ("SOUR", "I1"),
        ("SOUR[=@S1@]", "I1"),
        ("SOUR[=@S2@]", ""),
        ("BIRT/DATE", "I1 I3"),
        ("BIRT", "I1 I2 I3"),
        ("OCCU", "I3"),
        ("OCCU[=Miller]", "I3"),
        ("NAME[2]", "I2"),
        ("NAME[*]/_MARNM", "I2"),
        ("elf:BIRTH", "I1 I2 I3"),
        ("elf:DEATH/DATE", "I1 I4"),
        ("elf:IndividualEvent", "I1 I2 I3 I4"),
        ("DATE", ""),
    ] {
        assert_eq!(found(any().with_structure(path.parse().expect("a path"))), expected, "{path}");
        let lacking = found(any().without_structure(path.parse().expect("a path")));
        let all: Vec<&str> = expected.split_whitespace().chain(lacking.split_whitespace()).collect();
        assert_eq!(all.len(), 5, "{path}: {lacking}");
    }
}

#[test]
fn relatives_and_the_living_are_found() {
    assert_eq!(found(any().without_families()), "I4 I5");
    assert_eq!(found(any().with_descendant("I3")), "I1 I2");
    assert_eq!(found(any().with_ancestor("I1")), "I3");
    assert_eq!(found(any().with_ancestor("I4")), "");
    assert_eq!(found_in(FILE, &any().with_ancestor("I6")), Err(PersonError::Unknown("I6".to_owned())));
    assert_eq!(found_in(FILE, &any().with_descendant("F1")), Err(PersonError::Unknown("F1".to_owned())));
    let twice = FILE.replace("@I4@ INDI", "@I1@ INDI");
    assert_eq!(found_in(&twice, &any().with_descendant("I1")), Err(PersonError::Repeated("I1".to_owned())));
    let rule = LivingRule::on(2_461_367);
    let (living, dead) = (found(any().with_living(rule, true)), found(any().with_living(rule, false)));
    assert_eq!((living.as_str(), dead.as_str()), ("I5", "I1 I2 I3 I4"));
    // All conditions hold at once.
    assert_eq!(found(any().with_name("muller").with_sex(SexCode::Male).with_birth(years("1850"))), "I1");
}

#[test]
fn files_of_gedcom_7_are_found_in_too() {
    let file = "0 HEAD\n1 GEDC\n2 VERS 7.0\n0 @I1@ INDI\n1 NAME ဒေါ်\n2 TRAN Daw /Suu/\n3 LANG my-Latn\n1 SEX X\n\
        1 BIRT\n2 DATE JULIAN 31 DEC 1849\n1 SNOTE @VOID@\n0 TRLR\n";
    for (query, expected) in [
        (any().with_surname("suu"), "I1"),
        (any().with_birth(years("1850")), "I1"),
        (any().with_birth(years("1849")), ""),
        (any().with_structure("SNOTE".parse().expect("a path")), "I1"),
        (any().with_sex(SexCode::Other), "I1"),
    ] {
        assert_eq!(found_in(file, &query).as_deref(), Ok(expected), "{query:?}");
    }
}
