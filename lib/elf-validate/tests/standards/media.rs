//! Multimedia: the data model has the forms of both GEDCOM 5.5 and 5.5.1, one beside the other.

use crate::named;
use elf_schema::{Diagnostic, ReadOptions, Rules};
use elf_validate::{Standard, validate};

/// The findings of the lines of records: line, name and help.
fn found(lines: &str, standard: Standard) -> Vec<(u64, &'static str, String)> {
    let file = format!(
        "0 HEAD\n1 SOUR x\n1 SUBM @U@\n1 GEDC\n2 VERS 5.5.1\n2 FORM LINEAGE-LINKED\n1 CHAR UTF-8\n\
         0 @U@ SUBM\n1 NAME x\n{lines}\n0 TRLR\n"
    );
    let typed = elf_schema::read(file.as_bytes(), &Rules::WILD, &ReadOptions::default(), &mut ())
        .expect("a small file");
    let mut found: Vec<Diagnostic> = Vec::new();
    validate(&typed, named(standard), &mut found);
    let row = |found: &Diagnostic| {
        let help = found.help.as_deref().unwrap_or_default().to_owned();
        (found.place.map_or(0, |place| place.line), found.code.name(), help)
    };
    found.iter().map(row).collect()
}

#[test]
fn a_record_of_multimedia_has_either_form() {
    for record in [
        "0 @O@ OBJE\n1 FILE x.png\n2 FORM png",
        "0 @O@ OBJE\n1 FORM jpg\n1 BLOB\n2 CONT .HM.",
        "0 @O@ OBJE\n1 FORM jpg\n1 FILE x.jpg",
    ] {
        assert_eq!(found(record, Standard::DataModel), [], "{record}");
    }
}

#[test]
fn a_format_beneath_the_object_is_that_of_its_files() {
    for link in
        ["2 FORM jpg\n2 FILE x.jpg", "2 FILE x.jpg\n2 TITL t\n2 FORM jpg", "2 FILE x\n2 FILE y\n2 FORM z"]
    {
        let lines = format!("0 @I@ INDI\n1 OBJE\n{link}");
        assert_eq!(found(&lines, Standard::DataModel), [], "{lines}");
    }
    // One under another object is not.
    let lines = "0 @I@ INDI\n1 OBJE\n2 FORM jpg\n1 OBJE\n2 FILE x.jpg\n1 OBJE\n2 FORM jpg";
    let missing = found(lines, Standard::DataModel);
    assert_eq!(
        missing.iter().map(|(line, name, _)| (*line, *name)).collect::<Vec<_>>(),
        [(14, "structure-missing")]
    );
}

#[test]
fn a_format_at_the_place_of_5_5_is_one_finding_by_5_5_1() {
    for (link, line) in [("2 FORM jpg\n2 FILE x.jpg", 12), ("2 FILE x.jpg\n2 FORM jpg", 13)] {
        let lines = format!("0 @I@ INDI\n1 OBJE\n{link}");
        let help = "`FORM` is defined under `FILE`".to_owned();
        assert_eq!(found(&lines, Standard::Gedcom551), [(line, "tag-undefined", help)], "{lines}");
    }
    let lines = "0 @I@ INDI\n1 OBJE\n2 FILE x.jpg\n2 TITL t";
    let missing = found(lines, Standard::Gedcom551);
    assert_eq!(
        missing.iter().map(|(line, name, _)| (*line, *name)).collect::<Vec<_>>(),
        [(12, "structure-missing")]
    );
}

#[test]
fn lists_that_users_add_to_are_not_held_against_by_the_data_model() {
    for (value, is_good) in [
        ("1 OBJE\n2 FILE x\n3 FORM image/jpeg", true),
        ("1 OBJE\n2 FILE x\n3 FORM pdf\n4 TYPE website", true),
        ("1 FAMC @F@\n2 PEDI sealing", true),
        ("1 FAMC @F@\n2 PEDI Natural", false),
        ("1 SEX X", false),
        ("1 RESN none", false),
    ] {
        let lines = format!("0 @I@ INDI\n{value}\n0 @F@ FAM\n1 CHIL @I@");
        let mut listed = found(&lines, Standard::DataModel);
        listed.retain(|(_, name, _)| *name == "value-not-listed");
        assert_eq!(listed.is_empty(), is_good, "{value}");
    }
}
