//! Counterparts of structures in the other format.

use super::*;
use elf_base::Rules;

fn roles(file: &str, rules: &Rules) -> Vec<Option<Role>> {
    let typed = crate::read(file.as_bytes(), rules, &crate::ReadOptions::default(), &mut ()).expect("small");
    let counterparts = Counterparts::of(typed.schema());
    let mut found = vec![Counterpart::DOCUMENT];
    for node in typed.records().flat_map(|record| std::iter::once(record).chain(record.descendants())) {
        let depth = node.ancestors().count();
        found.truncate(depth + 1);
        let above = found.last().copied().unwrap_or(Counterpart::NONE);
        found.push(counterparts.find(above, node.tag(), typed.type_id(node), || typed.type_of(node)));
        if node.tag() == "BURI" || node.tag() == "DATE" || node.tag() == "HUSB" {
            return found.iter().skip(1).map(|found| found.role()).collect();
        }
    }
    Vec::new()
}

#[test]
fn tags_have_their_roles_by_all_rules() {
    let file = "0 HEAD\n0 @I1@ INDI\n1 DEAT\n2 DATE 1900\n0 TRLR\n";
    for rules in Rules::PRESETS {
        let expected = [Role::Person, Role::Death, Role::Date].map(Some);
        assert_eq!(roles(file, rules), expected, "{}", rules.name);
    }
    // What stands beneath an event of a family is no husband of it, whatever its tag.
    let husband = "0 HEAD\n0 @F1@ FAM\n1 MARR\n2 HUSB\n3 AGE 20y\n0 TRLR\n";
    for rules in Rules::PRESETS {
        let expected = [Role::Family, Role::Marriage, Role::AgeOfHusband].map(Some);
        assert_eq!(roles(husband, rules), expected, "{}", rules.name);
    }
}

#[test]
fn a_burial_is_one_whatever_the_misprint() {
    for rules in Rules::PRESETS {
        let file = "0 HEAD\n0 @I1@ INDI\n1 BURI\n0 TRLR\n";
        assert_eq!(roles(file, rules), [Role::Person, Role::Burial].map(Some), "{}", rules.name);
    }
}

#[test]
fn structures_of_gedcom_7_have_their_roles() {
    let role = |name: &str| named(&[GEDCOM_7, name].concat()).and_then(Counterpart::role);
    assert_eq!(role("FAM-FACT"), Some(Role::GenericFamilyEvent));
    assert_eq!(role("INDI-FAMC"), Some(Role::FamilyAsChild));
    assert_eq!(role("HEIGHT"), None);
    assert_eq!(named("https://e.example/BIRT"), None);
}

#[test]
fn structures_that_stand_for_several_types_have_the_one_that_stands_there() {
    let file = "0 HEAD\n1 GEDC\n2 VERS 7.0\n1 SCHMA\n2 TAG _WHEN https://gedcom.io/terms/v7/DATE\n\
                0 REPO\n1 NAME x\n0 SUBM\n1 NAME x\n0 INDI\n1 BIRT\n2 DATE x\n1 _WHEN x\n1 BAPL\n\
                2 DATE x\n0 SOUR\n1 TITL x\n0 OBJE\n1 FILE x\n2 TITL x\n0 TRLR\n";
    let typed = crate::read(file.as_bytes(), &Rules::WILD, &crate::ReadOptions::default(), &mut ());
    let typed = typed.expect("small");
    let counterparts = Counterparts::of(typed.schema());
    let find = |above, node: elf_tagged::Node<'_>| {
        counterparts.find(above, node.tag(), typed.type_id(node), || typed.type_of(node))
    };
    let mut found = Vec::new();
    for record in typed.records() {
        let above = find(Counterpart::DOCUMENT, record);
        for node in record.substructures() {
            let name = find(above, node);
            let date = node.substructures().map(|below| find(name, below));
            found.extend(std::iter::once(name).chain(date).filter_map(Counterpart::iri));
        }
    }
    use crate::vocabulary::{elf, g551};
    assert_eq!(
        found,
        [
            elf::NAME_OF_REPOSITORY,
            elf::SUBMITTER_NAME,
            elf::BIRTH,
            elf::DATE_VALUE,
            elf::DATE_VALUE,
            g551::BAPL,
            g551::DATE_DATE_LDS_ORD,
            elf::SOURCE_DESCRIPTIVE_TITLE,
            elf::MULTIMEDIA_FILE_REFERENCE,
            elf::DESCRIPTIVE_TITLE
        ]
    );
}
