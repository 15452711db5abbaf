//! Tests of merges: nothing is lost, nothing equal stands twice, and no pointer comes to mean another record.

#![allow(clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

use elf_model::{
    Dataset, Difference, Differing, MergeNote, Merged, ReadOptions, Rules, Schema, SchemaForm, Structure,
    Target, WriteOptions,
};
use proptest::prelude::*;

fn read(octets: &str) -> Dataset {
    elf_model::read(octets.as_bytes(), &Rules::WILD, &ReadOptions::default(), &mut ()).expect("whole")
}

fn file(records: &str) -> Dataset {
    read(&format!("0 HEAD\n1 CHAR UTF-8\n{records}0 TRLR\n"))
}

fn tags(merged: &Merged<'_>) -> String {
    merged.dataset.records().map(Structure::tag).collect::<Vec<_>>().join(" ")
}

const ONE: &str =
    "0 @I1@ INDI\n1 NAME Ada\n1 FAMS @F1@\n0 @F1@ FAM\n1 WIFE @I1@\n0 @S1@ SOUR\n1 TITL Register\n";

#[test]
fn equal_records_become_one_whatever_they_are_called() {
    let one = file(ONE);
    let renamed = ONE.replace("@I1@", "@F1@").replace("F1@ FAM", "X9@ FAM").replace("FAMS @F1@", "FAMS @X9@");
    let two = file(&renamed);
    assert!(one.means_the_same(&two));
    let merged = one.merge(&two, Differing::KeepBoth).expect("small");
    assert_eq!((merged.joined, merged.notes.as_slice()), (3, &[][..]));
    assert_eq!(merged.dataset, one);
}

#[test]
fn what_leads_to_a_difference_stands_apart() {
    let one = file(ONE);
    let two = file(&ONE.replace("Ada", "Ada /Byron/"));
    let merged = one.merge(&two, Differing::KeepBoth).expect("small");
    assert_eq!((merged.joined, tags(&merged).as_str()), (1, "INDI FAM SOUR INDI FAM"));
    let kinds: Vec<String> = merged
        .notes
        .iter()
        .map(|note| match note {
            MergeNote::Differs(one, two) => format!("differs {} {}", one.tag(), two.tag()),
            MergeNote::KeptApart(one, two) => format!("apart {} {}", one.tag(), two.tag()),
            MergeNote::Renamed(from, to) => format!("{from} {to}"),
            other => panic!("{other:?}"),
        })
        .collect();
    assert_eq!(kinds, ["differs INDI INDI", "apart FAM FAM", "I1 I2", "F1 F3"]);
    let family = merged.dataset.records().last().expect("a family");
    let wife = family.substructures().next().and_then(Structure::target).expect("a wife");
    assert_eq!(wife.substructures().next().map(Structure::text), Some("Ada /Byron/"));
}

#[test]
fn the_first_can_have_the_last_word() {
    let one = file(ONE);
    let two = file(&format!("{}0 @I2@ INDI\n1 FAMC @F1@\n", ONE.replace("Ada", "Ada /Byron/")));
    let merged = one.merge(&two, Differing::KeepFirst).expect("small");
    assert_eq!((merged.joined, tags(&merged).as_str()), (3, "INDI FAM SOUR INDI"));
    assert!(matches!(merged.notes[..], [MergeNote::Differs(..)]), "{:?}", merged.notes);
    let child = merged.dataset.records().last().expect("a child");
    let family = child.substructures().next().and_then(Structure::target);
    assert_eq!(family, merged.dataset.records().nth(1));
}

#[test]
fn a_record_without_identifier_gets_one_when_it_is_pointed_to() {
    let one = file("0 NOTE the same\n");
    let two = file("0 @N1@ NOTE the same\n0 @I1@ INDI\n1 NOTE @N1@\n");
    let merged = one.merge(&two, Differing::KeepBoth).expect("small");
    assert_eq!(tags(&merged), "NOTE INDI");
    let note = merged.dataset.structures().find_map(Structure::target);
    assert_eq!(note, merged.dataset.records().next());
}

#[test]
fn headers_and_schemas_that_differ_are_noted() {
    let schema = |iri: &str, above: &str| {
        format!(
            "1 SCHMA\n2 PRFX elf https://terms.fhiso.org/elf/\n2 IRI elf:INDIVIDUAL_RECORD\n\
             3 TAG INDI elf:Document\n2 IRI elf:Event\n2 IRI elf:Other\n2 IRI {iri}\n3 ISA elf:{above}\n\
             3 TAG _PEAL elf:INDIVIDUAL_RECORD\n"
        )
    };
    let with = |schema: &str, more: &str| {
        read(&format!("0 HEAD\n1 PLANG fr\n1 SOUR {more}\n{schema}0 @I1@ INDI\n1 _PEAL {more}\n0 TRLR\n"))
    };
    let one = with(&schema("https://e.example/Peal", "Event"), "a");
    let two = with(&schema("https://e.example/Bell", "Event"), "b");
    let merged = one.merge(&two, Differing::KeepBoth).expect("small");
    let [
        MergeNote::Metadata(source),
        MergeNote::Differs(..),
        MergeNote::Renamed(..),
        MergeNote::Type(tag, of),
    ] = &merged.notes[..]
    else {
        panic!("{:?}", merged.notes)
    };
    assert_eq!((source.text(), tag.tag(), of.as_deref()), ("b", "_PEAL", Some("https://e.example/Peal")));
    // Both types get a tag of their own, and are events in the file, too.
    let rules = &Rules::WILD;
    let dataset = merged.dataset.tagged_by(Schema::completed(), rules, SchemaForm::Inline, &mut ());
    let mut octets = Vec::new();
    elf_model::write(&dataset, &mut octets, rules, &WriteOptions::new(), &mut ()).expect("memory takes all");
    let again = elf_model::read(&octets, rules, &ReadOptions::default(), &mut ()).expect("whole");
    let counts = |dataset: &Dataset| {
        let of = ["https://e.example/Peal", "https://e.example/Bell", elf_model::vocabulary::elf::EVENT];
        of.map(|of| dataset.of_type(of).count())
    };
    assert_eq!((counts(&again), counts(&dataset)), ([1, 1, 2], [1, 1, 2]));

    let three = with(&schema("https://e.example/Peal", "Other").replace("fr", "en"), "a");
    let merged = one.merge(&three, Differing::KeepBoth).expect("small");
    assert_eq!(merged.notes, [MergeNote::Supertypes("https://e.example/Peal")]);
    let english = file("").with_header(elf_model::Header::new().with_language(Some("en")));
    let merged = one.merge(&english, Differing::KeepBoth).expect("small");
    assert_eq!(merged.notes, [MergeNote::Language(Some("fr"), Some("en"))]);
}

#[test]
fn identifiers_that_several_bear_join_nothing_wrongly() {
    let one = file("0 @I1@ INDI\n1 NAME A\n0 @I1@ INDI\n1 NAME B\n0 @F1@ FAM\n1 HUSB @I1@\n");
    let merged = one.merge(&one, Differing::KeepBoth).expect("small");
    assert_eq!(merged.dataset.resolve("I1"), Target::Several);
    let pointers = merged.dataset.structures().filter(|each| each.pointer().is_some());
    assert!(pointers.clone().all(|pointer| pointer.target().is_none()));
}

/// Records of few kinds, so that some are equal, and point to one another.
fn records() -> impl Strategy<Value = String> {
    let record = (0..6_u8, 0..3_u8, prop::collection::vec((0..3_u8, 0..6_u8), 0..3));
    prop::collection::vec(record, 0..7).prop_map(|records| {
        let mut seen = std::collections::BTreeSet::new();
        let mut text = String::new();
        for (xref, name, links) in records.into_iter().filter(|record| seen.insert(record.0)) {
            text.push_str(&format!("0 @I{xref}@ INDI\n1 NAME {name}\n"));
            for (kind, to) in links {
                text.push_str(&format!("1 {} @I{to}@\n", ["ASSO", "ALIA", "_LINK"][usize::from(kind)]));
            }
        }
        text
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(192))]

    #[test]
    fn a_dataset_merged_with_itself_is_itself(one in records()) {
        let one = file(&one);
        let merged = one.merge(&one, Differing::KeepBoth).expect("small");
        prop_assert_eq!(&merged.dataset, &one);
        prop_assert_eq!(merged.joined, one.records().count());
    }

    #[test]
    fn with_nothing_it_stays_what_it_is(one in records()) {
        let (one, none) = (file(&one), file(""));
        let merged = one.merge(&none, Differing::KeepBoth).expect("small");
        prop_assert_eq!(&merged.dataset, &one);
        let merged = none.merge(&one, Differing::KeepBoth).expect("small");
        prop_assert_eq!(&merged.dataset, &one);
    }

    #[test]
    fn both_are_in_the_merge(one in records(), two in records()) {
        let (one, two) = (file(&one), file(&two));
        let merged = one.merge(&two, Differing::KeepBoth).expect("small");
        let count = merged.dataset.records().count();
        prop_assert_eq!(count + merged.joined, one.records().count() + two.records().count());
        // The first is in it as it was, and in front.
        for (before, after) in one.records().zip(merged.dataset.records()) {
            prop_assert_eq!(before.xref(), after.xref());
        }
        for difference in one.differences(&merged.dataset) {
            prop_assert!(matches!(difference, Difference::Added(_)), "{:?}", difference);
        }
        // Each pointer of the second leads to where it led, or nowhere as before.
        let leading = |dataset: &Dataset| dataset.structures().filter_map(Structure::target).count();
        let kept: usize = two.records().count() - merged.joined;
        let from = merged.dataset.records().skip(count - kept).flat_map(Structure::subtree);
        for pointer in from.filter(|each| each.pointer().is_some()) {
            let dangles = pointer.target().is_none();
            prop_assert!(!dangles || leading(&two) < two.structures().filter(|each| each.pointer().is_some()).count());
        }
        // No identifier has two bearers.
        for record in merged.dataset.records() {
            let xref = record.xref().unwrap_or_default();
            prop_assert_eq!(merged.dataset.resolve(xref), Target::One(record));
        }
    }
}
