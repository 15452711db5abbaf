//! A file with most that can be wrong with the meaning of structures. A reader of an early release wrote it
//! by hand to see what would be found: nothing was.

use crate::named;
use elf_schema::{Diagnostic, ReadOptions, Rules};
use elf_validate::{Standard, validate};

/// The file, records apart; ` / ` stands for a line break.
const NASTY: &str = "\
0 HEAD / 1 SOUR X / 1 SUBM @U1@ / 1 GEDC / 2 VERS 5.5.1 / 2 FORM LINEAGE-LINKED / 1 CHAR UTF-8
0 @U1@ SUBM / 1 NAME Me
0 @I1@ INDI / 1 NAME John /Smith / 1 SEX Q / 1 SEX M / 1 BRTH / 2 DATE 1 JAN 1900 / 1 BIRT / 2 DATE 31 FEB 1900
1 DEAT / 2 DATE 1 MAR 1850 / 1 FAMS @F1@ / 1 FAMC @F1@
0 @I2@ INDI / 1 NAME Jane /Doe/ / 1 BIRT Y / 2 DATE 12/05/1890 / 2 DATE soon / 1 FAMS @I1@ / 1 AGE 300
0 @F1@ FAM / 1 HUSB @I1@ / 1 WIFE @F1@ / 1 CHIL @I3@ / 1 MARR / 2 DATE BET 1900 AND 1890
2 PLAC / 3 MAP / 4 LATI N95.0 / 4 LONG hello / 1 WIBBLE wobble
0 @I3@ INDI / 1 NAME John /Smith/ / 1 RESN none of your business / 1 NOTE @N9@ / 1 OBJE / 2 FILE
0 @I4@ INDI / 0 TRLR
";

fn file() -> String {
    NASTY.replace(" / ", "\n")
}

/// The findings of the validator by their lines.
fn found() -> Vec<(u64, &'static str, String)> {
    let file = file();
    let typed = elf_schema::read(file.as_bytes(), &Rules::WILD, &ReadOptions::default(), &mut ())
        .expect("a small file");
    let mut found: Vec<Diagnostic> = Vec::new();
    validate(&typed, named(Standard::Gedcom551), &mut found);
    let mut found: Vec<_> = found
        .into_iter()
        .map(|found| {
            (found.place.map_or(0, |place| place.line), found.code.name(), found.message.into_owned())
        })
        .collect();
    found.sort();
    found
}

#[test]
fn each_fault_is_found_in_its_line() {
    assert_eq!(file().lines().count(), 47);
    let found = found();
    let found: Vec<_> = found.iter().map(|(line, name, _)| (*line, *name)).collect();
    let expected = [
        (11, "value-malformed"),
        (12, "value-not-listed"),
        (13, "structure-repeated"),
        (14, "tag-undefined"),
        (17, "date-impossible"),
        (21, "link-one-sided"),
        (25, "date-malformed"),
        (26, "date-malformed"),
        (26, "structure-repeated"),
        (27, "pointer-wrong-type"),
        (28, "tag-undefined"),
        (31, "pointer-wrong-type"),
        (32, "link-one-sided"),
        (34, "date-reversed"),
        (35, "payload-missing"),
        (37, "value-malformed"),
        (38, "value-malformed"),
        (39, "tag-undefined"),
        (42, "value-not-listed"),
        (45, "payload-missing"),
        (45, "structure-missing"),
    ];
    assert_eq!(found, expected);
}

#[test]
fn values_are_named_with_what_was_expected() {
    let found = found();
    let message = |line| {
        let (_, _, message) = found.iter().find(|(of, ..)| *of == line).expect("a finding");
        message.as_str()
    };
    assert_eq!(
        message(11),
        "invalid personal name `John /Smith`: expected a second `/` after the surname, but the payload ends"
    );
    assert_eq!(message(14), "unknown tag `BRTH` under `INDI`");
    assert_eq!(message(12), "expected one of `M`, `F`, `U`, but found `Q`");
    assert_eq!(message(37), "invalid latitude `N95.0`: expected from 0 to 90 degrees, but found `95.0`");
    assert_eq!(message(38), "invalid longitude `hello`: expected `E` or `W`, but found `h`");
}
