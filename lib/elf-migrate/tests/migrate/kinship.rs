//! Who is the child of whom, before and after a migration.

#![allow(clippy::expect_used, reason = "a test that cannot go on fails")]

use elf_lineage::{Lineage, Tie};
use elf_migrate::{Target, migrated};
use elf_schema::{ReadOptions, Reader, Rules, read};

fn to(target: Target, octets: &[u8]) -> Vec<u8> {
    let reader = || Reader::new(octets, &Rules::WILD, ReadOptions::default());
    migrated(reader, target, &mut ()).expect("it is small").octets
}

/// The ties of the child to its parents, and whether they are parents by birth.
fn ties(octets: &[u8]) -> Vec<(Tie, bool)> {
    let typed = read(octets, &Rules::WILD, &ReadOptions::default(), &mut ()).expect("it is small");
    let lineage = Lineage::of(&typed);
    let child = lineage.find_person("I3").expect("a child");
    child.parents().map(|parent| (parent.tie, parent.is_by_birth)).collect()
}

#[test]
fn ties_mean_the_same_in_gedcom_7() {
    for (beneath_chil, beneath_famc) in [
        ("", ""),
        ("2 _FREL Natural\n2 _MREL Step\n", ""),
        ("2 _FREL Natural\n2 _MREL Natural\n", ""),
        ("2 _FREL Adopted\n2 _MREL Adopted\n", ""),
        ("2 _FREL Step\n2 _MREL Step\n", ""),
        ("2 _MREL Step\n", ""),
        ("2 _FREL Natural\n", ""),
        ("", "2 _FREL Foster\n2 _MREL Birth\n"),
        ("2 _FREL Natural\n2 _MREL Step\n", "2 PEDI birth\n"),
        ("2 _FREL Natural\n2 _MREL Natural\n", "2 PEDI step\n"),
        ("", "2 PEDI step\n"),
        ("", "2 PEDI adopted\n"),
    ] {
        let file = format!(
            "0 HEAD\n1 SOUR FTM\n1 GEDC\n2 VERS 5.5.1\n1 CHAR UTF-8\n0 @I1@ INDI\n1 SEX M\n1 FAMS @F1@\n\
             0 @I2@ INDI\n1 SEX F\n1 FAMS @F1@\n0 @I3@ INDI\n1 FAMC @F1@\n{beneath_famc}0 @F1@ FAM\n1 HUSB @I1@\n\
             1 WIFE @I2@\n1 CHIL @I3@\n{beneath_chil}0 TRLR\n"
        );
        let before = ties(file.as_bytes());
        let migrated = to(Target::Gedcom70, file.as_bytes());
        let back = to(Target::Gedcom551, &migrated);
        let text = String::from_utf8_lossy(&migrated);
        assert_eq!(before.len(), 2, "{file}");
        assert_eq!(ties(&migrated), before, "{text}");
        assert_eq!(ties(&back), before, "{text}");
    }
}
