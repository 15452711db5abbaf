//! GEDCOM 5.5, by what it has otherwise than 5.5.1.

use crate::named;
use elf_schema::{Diagnostic, ReadOptions, Rules};
use elf_validate::{Standard, Table, validate};

fn found(standard: Standard, header: &str, records: &str) -> Vec<(u64, &'static str)> {
    let file = format!(
        "0 HEAD\n1 SOUR x\n1 SUBM @U@\n1 GEDC\n2 VERS 5.5\n2 FORM LINEAGE-LINKED\n1 CHAR {header}\n\
         0 @U@ SUBM\n1 NAME x\n0 @S1@ SOUR\n0 @I1@ INDI\n{records}\n0 TRLR\n"
    );
    let typed = elf_schema::read(file.as_bytes(), &Rules::WILD, &ReadOptions::default(), &mut ())
        .expect("a small file");
    let mut found: Vec<Diagnostic> = Vec::new();
    validate(&typed, named(standard), &mut found);
    let mut found: Vec<_> =
        found.iter().map(|f| (f.place.map_or(0, |place| place.line), f.code.name())).collect();
    found.sort_unstable();
    found
}

/// Lines of a person that are right by 5.5.1 and by 5.5, but for the finding. The first is line 12.
fn holds(lines: &str, by_551: Option<(u64, &'static str)>, by_55: Option<(u64, &'static str)>) {
    assert_eq!(found(Standard::Gedcom551, "ASCII", lines), Vec::from_iter(by_551), "5.5.1: {lines}");
    assert_eq!(found(Standard::Gedcom55, "ASCII", lines), Vec::from_iter(by_55), "5.5: {lines}");
}

#[test]
fn what_came_with_551_is_undefined_in_55() {
    let of = |line| Some((line, "tag-undefined"));
    holds("1 FACT x\n2 TYPE y", None, of(12));
    holds("1 RESI\n2 EMAIL a@@b.cd", None, of(13));
    holds("1 BIRT Y\n2 RESN locked", None, of(13));
    holds("1 BIRT Y\n2 RELI x", None, of(13));
    holds("1 NAME x\n2 FONE y\n3 TYPE kana", None, of(13));
    holds("1 BIRT\n2 PLAC x\n3 MAP\n4 LATI N1\n4 LONG E1", None, of(14));
    holds("1 BAPL\n2 STAT COMPLETED\n3 DATE 1 JAN 1990", None, of(14));
    holds("1 RELI x", None, None);
    holds("1 RESN locked", None, None);
}

#[test]
fn what_went_with_551_is_defined_in_55() {
    let of = |line| Some((line, "tag-undefined"));
    holds("1 BIRT\n2 PLAC x\n3 SOUR @S1@\n4 PAGE 1", of(14), None);
    holds("1 NOTE x\n2 SOUR @S1@\n3 NOTE y", of(13), None);
    holds("1 CHAN\n2 DATE 1 JAN 2000\n2 NOTE x\n3 SOUR @S1@", of(15), None);
    holds("1 BIRT Y\n2 SOUR @S1@\n3 NOTE x\n4 SOUR @S1@", of(15), None);
    // The places of ordinances and the note of the header are of another kind.
    holds("1 BAPL\n2 PLAC x\n3 SOUR @S1@", of(14), of(14));
    holds("1 ASSO @I1@\n2 RELA x\n2 TYPE INDI", of(14), None);
}

#[test]
fn objects_have_their_form_above_the_file_in_55() {
    let old = "1 OBJE\n2 FORM jpg\n2 FILE a.jpg\n2 NOTE x";
    assert_eq!(found(Standard::Gedcom55, "ASCII", old), []);
    let names: Vec<_> = found(Standard::Gedcom551, "ASCII", old).into_iter().map(|(_, name)| name).collect();
    assert_eq!(names, ["tag-undefined", "tag-undefined"]);
    let new = "1 OBJE\n2 FILE a.jpg\n3 FORM jpg";
    assert_eq!(found(Standard::Gedcom551, "ASCII", new), []);
    assert_eq!(found(Standard::Gedcom55, "ASCII", new), [(14, "tag-undefined")]);
    let none = "1 OBJE\n2 FILE a.jpg";
    assert_eq!(found(Standard::Gedcom55, "ASCII", none), [(12, "structure-missing")]);
    let record = "1 SEX M\n0 @O1@ OBJE\n1 FORM jpg\n1 BLOB";
    assert_eq!(found(Standard::Gedcom55, "ASCII", record), []);
}

#[test]
fn cardinalities_and_values_are_those_of_55() {
    holds("1 FAMC @F1@\n2 PEDI birth\n2 PEDI adopted", Some((14, "structure-repeated")), None);
    holds("1 RESN confidential", None, Some((12, "value-not-listed")));
    holds("1 IDNO 1", Some((12, "structure-missing")), None);
    assert_eq!(found(Standard::Gedcom551, "UTF-8", "1 SEX M"), []);
    assert_eq!(found(Standard::Gedcom55, "UTF-8", "1 SEX M"), [(7, "value-not-listed")]);
    assert_eq!(found(Standard::Gedcom55, "ASCII", "1 SEX M\n0 @R@ REPO"), []);
    holds("1 BIRT\n2 DATE soon", Some((13, "date-malformed")), Some((13, "date-malformed")));
}

#[test]
fn all_else_is_as_in_551() {
    let names = |standard| -> Vec<&str> { Table::of(standard).roots.iter().map(|slot| slot.name).collect() };
    assert_eq!(names(Standard::Gedcom55), names(Standard::Gedcom551));
    let slots = |standard, root| -> Vec<&str> {
        let table = Table::of(standard);
        let kind = table.root(root).and_then(|slot| table.kind(slot.kind)).expect("a kind of records");
        kind.slots.iter().map(|slot| slot.name).collect()
    };
    let mut person = slots(Standard::Gedcom551, "INDI");
    person.retain(|name| *name != "FACT");
    assert_eq!(slots(Standard::Gedcom55, "INDI"), person);
    for root in ["SOUR", "REPO", "NOTE", "HEAD"] {
        let mut names = slots(Standard::Gedcom551, root);
        names.retain(|name| !["EMAIL", "FAX", "WWW"].contains(name));
        assert_eq!(slots(Standard::Gedcom55, root), names, "{root}");
    }
}
