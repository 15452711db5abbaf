//! Owned trees: built from nothing, copied, changed, written.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use crate::writing::{between, strict};
use elf_tagged::tree::{OwnedPiece, Parent, Tree, TreeError, Value};
use elf_tagged::write::{WriteOptions, write_document};
use elf_tagged::{Diagnostic, Document, Encoding, Options, Rules, read};

/// The rules that a tree is written by, with an encoding that each of them has.
const TARGETS: [(&Rules, Encoding); 6] = [
    (&Rules::DECEMBER_2019, Encoding::Utf16Le),
    (&Rules::JANUARY_2019, Encoding::Utf8),
    (&Rules::DECLARATIVE, Encoding::Utf8),
    (&Rules::JULY_2017, Encoding::Ansel),
    (&Rules::GEDCOM_5_5_1, Encoding::Ansel),
    (&Rules::GEDCOM_7, Encoding::Utf8),
];

const FILE: &[u8] =
    b"0 HEAD\n1 SOUR X\n2 VERS 1\n1 CHAR UTF-8\n1 GEDC\n2 VERS 5.5.1\n2 FORM LINEAGE-LINKED\n\
    0 @I1@ INDI\n1 NAME Zo\xC3\xAB /King/\n1 NOTE ada@@example.org\n2 CONT \n2 CONC x\n1 BIRT\n\
    2 DATE @#DJULIAN@ 1 JAN 1700\n1 FAMC @F1@\n0 @F1@ FAM\n1 CHIL @I1@\n0 TRLR\n";

fn written(tree: &Tree, rules: &Rules, encoding: Encoding) -> (Vec<u8>, Vec<Diagnostic>) {
    let (mut octets, mut found) = (Vec::new(), Vec::new());
    tree.write(&mut octets, rules, &WriteOptions::new().with_encoding(encoding), &mut found).unwrap();
    (octets, found)
}

#[test]
fn a_copied_tree_is_written_as_the_document_is() {
    let document = read(FILE, &Rules::WILD, &Options::default(), &mut ()).unwrap();
    for (rules, encoding) in TARGETS {
        let options = WriteOptions::new().with_encoding(encoding);
        let (mut whole, mut losses) = (Vec::new(), Vec::<Diagnostic>::new());
        write_document(&document, &mut whole, rules, &options, &mut losses).unwrap();
        let (octets, found) = written(&Tree::of(&document), rules, encoding);
        assert_eq!(String::from_utf8_lossy(&octets), String::from_utf8_lossy(&whole), "{}", rules.name);
        let codes = |found: &[Diagnostic]| found.iter().map(|one| one.code).collect::<Vec<_>>();
        assert_eq!(codes(&found), codes(&losses), "{}", rules.name);
    }
}

#[test]
fn a_tree_is_built_from_nothing_and_read_back_without_a_finding() {
    let mut tree = Tree::new();
    tree.add_metadata("SOUR").set_text("X").add("VERS").set_text("1");
    let family = tree.add_record("FAM").set_xref("F1").unwrap().id();
    for number in 1..=3 {
        let mut child = tree.add_record("INDI");
        child.set_xref(&format!("I{number}")).unwrap();
        child.add("NAME").set_text("Zoë /King/");
        child.add("NOTE").set_text("one @ sign\nand a line");
        child.add("FAMC").set_pointer(family).unwrap();
        let child = child.id();
        tree.get_mut(family).unwrap().add("CHIL").set_pointer(child).unwrap();
    }
    for (rules, encoding) in TARGETS.into_iter().filter(|(rules, _)| **rules != Rules::GEDCOM_7) {
        let (octets, found) = written(&tree, rules, encoding);
        assert_eq!(found, [], "{}", rules.name);
        let document = strict(&octets, rules);
        assert_eq!(document.records().count(), 4, "{}", rules.name);
        let notes: Vec<_> = document.records().filter_map(|one| one.substructure("NOTE")).collect();
        assert!(notes.iter().all(|note| note.text() == "one @ sign\nand a line"), "{}", rules.name);
        let child = document.records().next().and_then(|family| family.substructure("CHIL")?.target());
        assert_eq!(child.and_then(|child| child.xref()), Some("I1"), "{}", rules.name);
    }
}

#[test]
fn structures_are_inserted_moved_and_removed() {
    let document = Document::parse(b"0 HEAD\n0 @I1@ INDI\n1 NAME A\n1 SEX F\n0 @I2@ INDI\n0 TRLR\n").unwrap();
    let mut tree = Tree::of(&document);
    let [first, second] = ["I1", "I2"].map(|xref| tree.record(xref).unwrap().id());
    let sex = tree.get(first).and_then(|one| one.substructure("SEX")).unwrap().id();
    tree.insert(Parent::Structure(first), 1, "BIRT").unwrap().set_text("Y");
    tree.move_to(sex, Parent::Structure(second), 0).unwrap();
    tree.insert(Parent::File, 0, "NOTE").unwrap().set_value(Value::Pieces(vec![
        OwnedPiece::Text("@#DJULIAN@".to_owned()),
        OwnedPiece::Escape("@#DJULIAN@".to_owned()),
    ]));
    let (octets, found) = written(&tree, &Rules::GEDCOM_5_5_1, Encoding::Utf8);
    let body = "0 NOTE @@#DJULIAN@@@#DJULIAN@\n0 @I1@ INDI\n1 NAME A\n1 BIRT Y\n0 @I2@ INDI\n1 SEX F\n";
    assert_eq!((&*between(&octets), found.len()), (body, 0));
    tree.remove(first).unwrap();
    assert!(tree.get(first).is_none() && tree.record("I1").is_none());
    assert_eq!(tree.records().map(|one| one.tag()).collect::<Vec<_>>(), ["NOTE", "INDI"]);
}

#[test]
fn wrong_changes_are_errors() {
    let mut tree = Tree::new();
    let person = tree.add_record("INDI").set_xref("I1").unwrap().id();
    let birth = tree.get_mut(person).unwrap().add("BIRT").id();
    let other = tree.add_record("INDI").id();
    let mut handle = tree.get_mut(other).unwrap();
    assert_eq!(handle.set_xref("I1").unwrap_err(), TreeError::XrefTaken("I1".to_owned()));
    assert_eq!(handle.set_xref("a@b").unwrap_err(), TreeError::NoXref("a@b".to_owned()));
    assert_eq!(handle.set_pointer(other).unwrap_err(), TreeError::TargetWithoutXref);
    assert_eq!(tree.move_to(person, Parent::Structure(birth), 0), Err(TreeError::IntoItself));
    assert_eq!(tree.move_to(person, Parent::Structure(person), 0), Err(TreeError::IntoItself));
    tree.remove(person).unwrap();
    assert_eq!(tree.remove(birth), Err(TreeError::Gone));
    assert_eq!(tree.insert(Parent::Structure(birth), 0, "DATE").map(|one| one.id()), Err(TreeError::Gone));
    // The identifier is free again.
    tree.get_mut(other).unwrap().set_xref("I1").unwrap();
}

#[test]
fn what_cannot_be_written_is_reported_with_its_path() {
    let document = Document::parse(
        b"0 HEAD\n0 @I1@ INDI\n1 NAME A\n0 @I1@ INDI\n1 NAME B\n1 NAME C\n1 FAMC @F9@\n0 TRLR\n",
    )
    .unwrap();
    let mut tree = Tree::of(&document);
    assert!(tree.record("I1").is_none(), "two records have it");
    let second = tree.records().nth(1).unwrap().substructures().nth(1).unwrap().id();
    tree.get_mut(second).unwrap().set_tag("NA-ME");
    let (_, found) = written(&tree, &Rules::GEDCOM_7, Encoding::Utf8);
    let found: Vec<_> = found.iter().map(|one| (one.code.name(), one.path.as_deref().unwrap())).collect();
    for (name, path) in [("structure-dropped", "@I1@/NA-ME"), ("pointer-not-kept", "@I1@/FAMC")] {
        assert!(found.iter().any(|one| one.1 == path), "{name} at {path}: {found:?}");
    }
}
