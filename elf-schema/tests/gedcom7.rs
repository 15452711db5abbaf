//! The schema of GEDCOM 7: its structures, their places, and what they are of ELF.

use elf_schema::vocabulary::elf;
use elf_schema::{Correspondence, Role, Schema};

const G7: &str = "https://gedcom.io/terms/v7/";

/// The rows of the facts about structures: the structure, its tag, and the structures that stand in it.
fn facts() -> impl Iterator<Item = (&'static str, &'static str, Vec<&'static str>)> {
    let rows = include_str!("../../elf-validate/facts/gedcom70.tsv").lines();
    rows.filter(|line| !line.starts_with('#')).map(|line| {
        let cells: Vec<&str> = line.split('\t').collect();
        let below = cells[5].split(';').filter_map(|place| place.split('{').next());
        (cells[0], cells[1], below.filter(|name| !name.is_empty()).collect())
    })
}

#[test]
fn every_place_of_the_standard_has_its_structure() {
    let schema = Schema::gedcom_7();
    let tags: std::collections::HashMap<_, _> = facts().map(|(name, tag, _)| (name, tag)).collect();
    let mut places = 0;
    for (above, _, below) in facts() {
        let superstructure = match above {
            "(dataset)" => elf::DOCUMENT.to_owned(),
            "HEAD" => elf::METADATA.to_owned(),
            name => format!("{G7}{name}"),
        };
        for of in below.into_iter().filter(|of| !matches!(*of, "HEAD" | "TRLR")) {
            let why = schema.why(&superstructure, tags[of]);
            assert_eq!(why.structure_type, format!("{G7}{of}"), "{} in {above}", tags[of]);
            places += 1;
        }
    }
    assert_eq!((places, schema.definitions().count()), (1386, 1386));
    assert!(schema.conflicts().is_empty() && schema.circles().is_empty());
    assert!(schema.definitions().all(|one| one.structure_type().starts_with(G7)));
}

#[test]
fn structures_are_what_corresponds_to_them() {
    let schema = Schema::gedcom_7();
    let above = |name: &str| -> Vec<&str> {
        let of = schema.type_of(&[G7, name].concat()).expect("a structure");
        schema.supertypes(of).filter_map(|(of, _)| schema.iri(of)).collect()
    };
    assert_eq!(above("BIRT"), [elf::BIRTH]);
    assert_eq!(above("INDI-FAMC"), [elf::CHILD_TO_FAMILY_LINK]);
    // Of several the one that most are, or what they have in common.
    assert_eq!(above("DATE"), [elf::DATE_VALUE]);
    assert_eq!(above("NAME-TRAN"), [elf::PERSONAL_NAME]);
    assert_eq!(above("TITL"), [""; 0]);
    assert_eq!(above("HEIGHT"), [""; 0]);
    for row in Correspondence::all() {
        let [only] = row.gedcom_7 else { continue };
        let is_event = row.role.is_some_and(Role::is_event);
        // Ordinances are no events of ELF.
        if is_event && !row.elf.is_some_and(|elf| elf.contains("v5.5.1")) && !only.ends_with("INIL") {
            let of = schema.type_of(only).expect("a structure");
            let event = schema.type_of(elf::EVENT).expect("a type");
            assert!(schema.eventual_supertypes(of).any(|above| above == event), "{only}");
        }
    }
}
