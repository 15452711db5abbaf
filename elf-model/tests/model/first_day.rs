//! Programs of the first day: what an engineer tries before reading on compiles, and does what it seems to.

#![allow(clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

use elf_model::elf_schema::elf_tagged::elf_octets::Encoding;
use elf_model::elf_schema::elf_tagged::{self, Document, Node};
use elf_model::elf_schema::{Code, Diagnostic, TypedDocument, codes};
use elf_model::{Dataset, ReadOptions, Rules, Structure};
use std::fmt::Debug;
use std::iter::FusedIterator;

const FILE: &[u8] =
    b"0 HEAD\n1 CHAR UTF-8\n0 @I1@ INDI\n1 NAME Ada\n1 BIRT\n2 DATE 1815\n2 PLAC London\n1 NAME Augusta\n\
    1 FAMS @F1@\n0 @F1@ FAM\n1 WIFE @I1@\n3 DATE 1835\n0 TRLR\n";

fn dataset() -> Dataset {
    elf_model::read(FILE, &Rules::WILD, &ReadOptions::default(), &mut ()).expect("whole")
}

#[test]
fn names_are_read_by_from_str() {
    assert_eq!("wild".parse(), Ok(Rules::WILD));
    assert_eq!("2019-12".parse(), Ok(Rules::DECEMBER_2019));
    assert_eq!("utf-8".parse(), Ok(Encoding::Utf8));
    assert_eq!("E0203".parse::<Code>(), Ok(codes::LEVEL_TOO_DEEP));
    // An error says what was expected.
    let error = "wldi".parse::<Rules>().expect_err("no rules").to_string();
    assert!(error.contains("wldi"), "{error}");
}

#[test]
fn a_finding_is_printed_with_its_place() {
    let mut findings: Vec<Diagnostic> = Vec::new();
    elf_tagged::read(FILE, &Rules::WILD, &elf_tagged::Options::default(), &mut findings).expect("small");
    let first = findings.first().expect("a level too many").to_string();
    assert!(first.contains("E0203") && first.contains("12"), "{first}");
    assert!(!first.contains("--"), "no option of a command: {first}");
}

/// A document that owns its text is stored, sent and shared.
#[test]
fn documents_are_stored_sent_and_shared() {
    fn shared<T: Send + Sync + 'static>(it: T) -> T {
        it
    }
    let load = || {
        let octets = FILE.to_vec();
        TypedDocument::parse(&octets).expect("small").into_owned()
    };
    let typed = shared(std::sync::Arc::new(load()));
    let records = std::thread::scope(|scope| {
        let count = || typed.document().records().count();
        let (one, two) = (scope.spawn(count), scope.spawn(count));
        [one, two].map(|thread| thread.join().expect("no panic"))
    });
    assert_eq!(records, [2, 2]);
    shared(Document::parse(FILE).expect("small").into_owned());
    shared(dataset());
}

fn both_ways<'t, T>(
    iterator: impl DoubleEndedIterator<Item = T> + FusedIterator + Clone + Debug + 't,
) -> Vec<T>
where
    T: PartialEq + Debug + 't,
{
    let forth: Vec<T> = iterator.clone().collect();
    let mut back: Vec<T> = iterator.clone().rev().collect();
    back.reverse();
    assert_eq!(forth, back);
    // From both ends at once, each comes once.
    let (mut ends, mut met) = (iterator, 0);
    while ends.next().is_some() {
        met += 1 + usize::from(ends.next_back().is_some());
    }
    assert_eq!(met, forth.len());
    forth
}

#[test]
fn structures_are_walked_forth_and_back() {
    let document = Document::parse(FILE).expect("small");
    let person = both_ways(document.records())[0];
    assert_eq!(both_ways(person.substructures()).len(), 4);
    let names: Vec<_> =
        person.substructures_tagged("NAME").rev().map(|name| name.text().into_owned()).collect();
    assert_eq!(names, ["Augusta", "Ada"]);
    let tags: Vec<&str> = person.descendants().map(Node::tag).collect();
    assert_eq!(tags, ["NAME", "BIRT", "DATE", "PLAC", "NAME", "FAMS"]);
    assert_eq!(person.into_iter().count(), 4);
    let typed = TypedDocument::parse(FILE).expect("small");
    assert_eq!(both_ways(typed.records()).len(), 2);

    let dataset = dataset();
    let all = both_ways(dataset.structures());
    assert_eq!((all.len(), dataset.structures().len()), (dataset.len(), dataset.len()));
    let person = dataset.records().next().expect("a person");
    assert_eq!(both_ways(person.subtree()).len(), 7);
    assert_eq!(person.into_iter().map(Structure::tag).collect::<Vec<_>>(), ["NAME", "BIRT", "NAME", "FAMS"]);
    // Bounds hold at each step.
    let mut left = person.substructures();
    loop {
        let (least, most) = left.size_hint();
        let count = left.count();
        assert!(least <= count && most.is_some_and(|most| count <= most));
        if left.next().is_none() {
            break;
        }
    }
    assert!(!format!("{:?}", person.substructures()).is_empty());
}

#[test]
fn all_trees_are_asked_by_paths() {
    let path = "@I1@/NAME[2]".parse().expect("a path");
    let document = Document::parse(FILE).expect("small");
    let found = document.find(&path, &mut ()).expect("a name");
    assert_eq!((found[0].text().as_ref(), document.path_of(found[0])), ("Augusta", path.to_string()));
    assert_eq!(dataset().find(&path).expect("a name")[0].text(), "Augusta");
    assert_eq!(dataset().into_mut().find(&path).expect("a name").len(), 1);
    let pointing: Vec<&str> = document.pointers_to("I1").map(Node::tag).collect();
    assert_eq!(pointing, ["WIFE"]);
}
