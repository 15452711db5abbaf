//! The structural rules that concern whole records, each by its identifier in the table of rules.

use crate::named;
use elf_schema::{Class, Diagnostic, ReadOptions, Rules};
use elf_validate::{Standard, validate};

/// A rule, the records of a file, and what is found of them by both standards: line, name, class.
type Row = (&'static str, &'static str, Found, Found);

type Found = &'static [(u64, &'static str, Class)];

const ADVICE: Class = Class::Advice;
const FAULT: Class = Class::NonConformant;

/// Header and submitter take nine lines, so that the records begin in line 10.
const HEAD: &str = "0 HEAD\n1 CHAR UTF-8\n1 SOUR x\n1 SUBM @U@\n1 GEDC\n2 VERS 5.5.1\n2 FORM LINEAGE-LINKED\n0 @U@ SUBM\n1 NAME x\n";

/// By the ELF data model, and by GEDCOM 5.5.1.
#[rustfmt::skip]
const RULES: &[Row] = &[
    // The reader says that a pointer leads to nothing (E0327).
    ("SR03", "0 @I1@ INDI\n1 FAMS @F9@\n", &[], &[]),
    ("SR04", "0 @I1@ INDI\n1 FAMS @I2@\n0 @I2@ INDI\n",
        &[(11, "pointer-wrong-type", FAULT)], &[(11, "pointer-wrong-type", FAULT)]),
    // To the default schema, INDI has no type there (E0415).
    ("SR06", "0 @F1@ FAM\n1 INDI\n2 SEX M\n", &[], &[]),
    ("SR07", "0 @I1@ INDI\n0 @F1@ FAM\n1 CHIL @I1@\n",
        &[(12, "link-one-sided", FAULT)], &[(12, "link-one-sided", ADVICE)]),
    ("SR07", "0 @I1@ INDI\n1 FAMC @F1@\n0 @F1@ FAM\n1 CHIL @I1@\n", &[], &[]),
    ("SR07", "0 @I1@ INDI\n1 BIRT\n2 FAMC @F1@\n0 @F1@ FAM\n1 CHIL @I1@\n",
        &[(14, "link-one-sided", FAULT)], &[(14, "link-one-sided", ADVICE)]),
    ("SR08", "0 @I1@ INDI\n1 FAMC @F1@\n0 @F1@ FAM\n",
        &[(11, "link-one-sided", FAULT)], &[(11, "link-one-sided", ADVICE)]),
    ("SR08", "0 @I1@ INDI\n1 FAMC @F1@\n1 FAMS @F1@\n0 @F1@ FAM\n1 HUSB @I1@\n",
        &[(11, "link-one-sided", FAULT)], &[(11, "link-one-sided", ADVICE)]),
    ("SR09", "0 @I1@ INDI\n1 FAMS @F1@\n0 @F1@ FAM\n1 CHIL @I1@\n",
        &[(11, "link-one-sided", FAULT), (13, "link-one-sided", FAULT)],
        &[(11, "link-one-sided", ADVICE), (13, "link-one-sided", ADVICE)]),
    ("SR09", "0 @I1@ INDI\n1 FAMS @F1@\n0 @F1@ FAM\n1 WIFE @I1@\n", &[], &[]),
    ("SR10", "0 @I1@ INDI\n0 @I2@ INDI\n0 @F1@ FAM\n1 HUSB @I1@\n1 WIFE @I2@\n",
        &[(13, "link-one-sided", ADVICE), (14, "link-one-sided", ADVICE)],
        &[(13, "link-one-sided", ADVICE), (14, "link-one-sided", ADVICE)]),
    // Of a record that is missing, borne twice or of another type only that is said.
    ("SR07", "0 @F1@ FAM\n1 CHIL @I9@\n1 CHIL @F1@\n1 CHIL @I1@\n0 @I1@ INDI\n0 @I1@ INDI\n",
        &[(12, "pointer-wrong-type", FAULT)], &[(12, "pointer-wrong-type", FAULT)]),
    ("SR07", "0 @F1@ FAM\n1 CHIL @I1@\n0 @F1@ FAM\n0 @I1@ INDI\n", &[], &[]),
    // Nothing can lead back to a record without an identifier.
    ("SR07", "0 FAM\n1 CHIL @I1@\n0 @I1@ INDI\n",
        &[(11, "link-one-sided", FAULT)], &[(11, "link-one-sided", ADVICE)]),
    ("SR26", "0 @S1@ SUBN\n0 @S2@ SUBN\n", &[], &[(11, "structure-repeated", FAULT)]),
    ("SR38", "0 @I1@ INDI\n1 ALIA @I1@\n0 @I2@ INDI\n1 ALIA @I1@\n",
        &[(11, "pointer-circular", ADVICE)], &[(11, "pointer-circular", ADVICE)]),
];

fn found(file: &str, standard: Standard) -> Vec<(u64, &'static str, Class)> {
    /// The findings that the rules lead to.
    const NAMES: [&str; 6] = [
        "structure-missing",
        "structure-repeated",
        "pointer-wrong-type",
        "link-one-sided",
        "pointer-circular",
        "record-nested",
    ];
    let typed = elf_schema::read(file.as_bytes(), &Rules::WILD, &ReadOptions::default(), &mut ());
    let mut found: Vec<Diagnostic> = Vec::new();
    validate(&typed.expect("a small file"), named(standard), &mut found);
    found.retain(|found| NAMES.contains(&found.code.name()));
    let line = |found: &Diagnostic| found.place.map_or(0, |place| place.line);
    found.iter().map(|found| (line(found), found.code.name(), found.class)).collect()
}

#[test]
fn each_rule_is_held() {
    for (id, records, by_data_model, by_5_5_1) in RULES {
        let file = format!("{HEAD}{records}0 TRLR\n");
        assert_eq!(found(&file, Standard::DataModel), *by_data_model, "{id} {records}");
        assert_eq!(found(&file, Standard::Gedcom551), *by_5_5_1, "{id} {records}");
    }
}

#[test]
fn sr39_a_picture_is_no_source_of_itself() {
    let picture = "0 @O1@ OBJE\n1 FILE x\n2 FORM jpg\n1 SOUR @S1@\n2 OBJE @O1@\n0 @S1@ SOUR\n1 OBJE @O1@\n";
    let file = format!("{HEAD}{picture}0 TRLR\n");
    let expected = [(13, "pointer-circular", ADVICE), (14, "pointer-circular", ADVICE)];
    assert_eq!(found(&file, Standard::Gedcom551), expected);
    let by_types = found(&file, Standard::DataModel);
    assert!(expected.iter().all(|one| by_types.contains(one)), "{by_types:?}");
    let other = file.replace("2 OBJE @O1@", "2 PAGE x").replace("1 OBJE @O1@", "1 TITL x");
    assert_eq!(found(&other, Standard::Gedcom551), []);
}

#[test]
fn sr27_a_file_has_one_submitter_in_its_header() {
    let without = format!("{HEAD}0 TRLR\n").replace("1 SUBM @U@\n", "");
    assert_eq!(found(&without, Standard::Gedcom551), [(1, "structure-missing", FAULT)]);
    let twice = format!("{HEAD}0 TRLR\n").replace("1 SUBM @U@\n", "1 SUBM @U@\n1 SUBM @U@\n");
    assert_eq!(found(&twice, Standard::Gedcom551), [(5, "structure-repeated", FAULT)]);
}

#[test]
fn sr06_a_record_of_a_type_that_the_file_lets_stand_elsewhere_is_found() {
    let file = "0 HEAD\n1 CHAR UTF-8\n1 SCHMA\n2 PRFX elf https://terms.fhiso.org/elf/\n2 IRI elf:FAM_RECORD\n\
                3 TAG FAM elf:Document\n2 IRI elf:INDIVIDUAL_RECORD\n3 TAG INDI elf:FAM_RECORD\n\
                0 @F1@ FAM\n1 INDI\n0 TRLR\n";
    assert_eq!(found(file, Standard::DataModel), [(10, "record-nested", FAULT)]);
}

#[test]
fn sr32_and_sr35_long_names_are_found_by_the_reader() {
    let file = format!("0 HEAD\n0 @{}@ INDI\n1 _{}\n0 TRLR\n", "I".repeat(21), "X".repeat(31));
    let mut found: Vec<Diagnostic> = Vec::new();
    elf_schema::read(file.as_bytes(), &Rules::WILD, &ReadOptions::default(), &mut found)
        .expect("a small file");
    let names: Vec<&str> = found.iter().map(|found| found.code.name()).collect();
    assert!(["xref-long", "tag-long"].iter().all(|name| names.contains(name)), "{names:?}");
}
