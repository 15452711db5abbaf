//! Tests of merges: nothing is lost, nothing equal stands twice, and no pointer comes to mean another record.

#![allow(clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

use elf_model::{
    Class, Dataset, Diagnostic, Difference, Differing, MergeError, MergeNote, Merged, Payload, ReadOptions,
    Rules, SameRecord, Schema, SchemaForm, Structure, Target, WriteOptions, codes,
};
use proptest::prelude::*;

fn read(octets: &str) -> Dataset {
    elf_model::read(octets.as_bytes(), &Rules::WILD, &ReadOptions::default(), &mut ()).expect("whole")
}

fn file(records: &str) -> Dataset {
    read(&format!("0 HEAD\n1 CHAR UTF-8\n{records}0 TRLR\n"))
}

fn tags(merged: &Merged) -> String {
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
            MergeNote::Differs(one, two) => format!("differs {} {}", one.tag, two.tag),
            MergeNote::KeptApart(one, two) => format!("apart {} {}", one.tag, two.tag),
            MergeNote::Renamed(from, to) => format!("{from} {to}"),
            other => panic!("{other:?}"),
        })
        .collect();
    assert_eq!(kinds, ["differs INDI INDI", "apart FAM FAM", "I1 I2", "F1 F2"]);
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
        MergeNote::Type(tag, _, of),
    ] = &merged.notes[..]
    else {
        panic!("{:?}", merged.notes)
    };
    let source = two.structure(source.index).map(Structure::text);
    assert_eq!((source, &*tag.tag, of.as_deref()), (Some("b"), "_PEAL", Some("https://e.example/Peal")));
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
    assert_eq!(merged.notes, [MergeNote::Supertypes("https://e.example/Peal".to_owned())]);
    let english = file("").with_header(elf_model::Header::new().with_language(Some("en")));
    let merged = one.merge(&english, Differing::KeepBoth).expect("small");
    assert_eq!(merged.notes, [MergeNote::Language(Some("fr".to_owned()), Some("en".to_owned()))]);
}

#[test]
fn identifiers_that_several_bear_join_nothing_wrongly() {
    let one = file("0 @I1@ INDI\n1 NAME A\n0 @I1@ INDI\n1 NAME B\n0 @F1@ FAM\n1 HUSB @I1@\n");
    let merged = one.merge(&one, Differing::KeepBoth).expect("small");
    assert_eq!(merged.dataset.resolve("I1"), Target::Several);
    let pointers = merged.dataset.structures().filter(|each| each.pointer().is_some());
    assert!(pointers.clone().all(|pointer| pointer.target().is_none()));
}

/// Writes a merged dataset with tags by the schema of the first, and returns the lines with the findings of that.
fn written(merged: Merged, rules: &Rules) -> (String, Vec<Diagnostic>) {
    let schema = std::sync::Arc::clone(merged.dataset.schema().unwrap_or_else(|| Schema::completed()));
    let mut findings: Vec<Diagnostic> = Vec::new();
    let dataset = merged.dataset.tagged_by(&schema, rules, SchemaForm::Reference, &mut findings);
    let mut octets = Vec::new();
    elf_model::write(&dataset, &mut octets, rules, &WriteOptions::new(), &mut findings).expect("memory");
    let again = elf_model::read(&octets, rules, &ReadOptions::default(), &mut ()).expect("whole");
    assert_eq!(again, dataset);
    (String::from_utf8(octets).expect("UTF-8"), findings)
}

const SEVEN: &str = "0 HEAD\n1 GEDC\n2 VERS 7.0\n";

#[test]
fn two_files_of_gedcom_7_make_one_of_gedcom_7() {
    let person = "0 @I1@ INDI\n1 NAME Ada /Byron/\n1 BIRT\n2 DATE 1815\n1 SNOTE @VOID@\n";
    let one = read(&format!("{SEVEN}{person}0 TRLR\n"));
    let two = read(&format!("{SEVEN}{}0 TRLR\n", person.replace("1815", "10 DEC 1815")));
    let merged = one.merge(&two, Differing::KeepBoth).expect("one standard");
    assert!(
        matches!(&merged.notes[..], [MergeNote::Differs(..), MergeNote::Renamed(from, to)] if from == "I1" && to == "I2"),
        "{:?}",
        merged.notes
    );
    let rules = one.rules_from(&Rules::WILD);
    let (text, findings) = written(merged, &rules);
    assert!(findings.is_empty(), "{findings:?}");
    assert!(text.contains("2 VERS 7.0\n") && !text.contains("SCHMA") && !text.contains("_"), "{text}");
    assert_eq!(text.matches("1 SNOTE @VOID@\n").count(), 2, "{text}");
    assert_eq!(text.matches(" INDI\n").count(), 2, "{text}");
}

#[test]
fn datasets_of_two_standards_are_not_merged() {
    let seven = read(&format!("{SEVEN}0 @I1@ INDI\n0 TRLR\n"));
    for other in ["0 HEAD\n1 GEDC\n2 VERS 5.5.1\n0 TRLR\n", "0 HEAD\n0 TRLR\n"] {
        for result in
            [seven.merge(&read(other), Differing::KeepBoth), read(other).merge(&seven, Differing::KeepFirst)]
        {
            assert_eq!(result.err(), Some(MergeError::TwoStandards), "{other}");
        }
    }
}

#[test]
fn null_pointers_stay_null_pointers() {
    let record = "0 @I1@ INDI\n1 FAMC @VOID@\n";
    let seven = read(&format!("{SEVEN}{record}0 TRLR\n"));
    let mut both = seven.clone().into_mut();
    let appended = both.append(elf_model::Position::LastRecord, seven.records()).expect("small");
    assert_eq!(appended.renamed, [("I1".to_owned(), "I2".to_owned())]);
    assert!(appended.dangling.is_empty(), "{:?}", appended.dangling);
    assert_eq!(both.resolve("VOID"), None);
    let both = both.finish().expect("small");
    let pointers: Vec<_> = both.structures().filter_map(Structure::pointer).collect();
    assert_eq!(pointers, ["VOID", "VOID"]);
    // Elsewhere `VOID` is an identifier like any other, which must not become a null pointer.
    let plain = file("0 @VOID@ INDI\n1 ALIA @VOID@\n");
    let mut both = seven.into_mut();
    let appended = both.append(elf_model::Position::LastRecord, plain.records()).expect("small");
    assert_eq!(appended.renamed, [("VOID".to_owned(), "VOID1".to_owned())]);
    assert_eq!(both.finish().expect("small").records().last().and_then(Structure::xref), Some("VOID1"));
}

/// The lines of a whole schema of its own with extension types.
const OWN_SCHEMA: &str = "1 SCHMA\n2 PRFX elf https://terms.fhiso.org/elf/\n2 IRI elf:INDIVIDUAL_RECORD\n\
    3 TAG INDI elf:Document\n2 IRI elf:Event\n2 IRI elf:DATE_VALUE\n3 TAG DATE elf:Event\n\
    2 IRI https://e.example/FirstPeal\n3 ISA elf:Event\n3 TAG _PEAL elf:INDIVIDUAL_RECORD\n";

#[test]
fn tags_that_do_not_clash_stay_by_any_schema() {
    let bells = read(&format!("0 HEAD\n{OWN_SCHEMA}0 @I1@ INDI\n1 _PEAL\n2 DATE 1768\n0 TRLR\n"));
    let plain = file("0 @I2@ INDI\n1 FAMS @F1@\n1 BIRT\n2 DATE 1800\n0 @F1@ FAM\n1 HUSB @I2@\n");
    for (one, two) in [(&bells, &plain), (&plain, &bells)] {
        for schema in [one.schema(), two.schema(), Some(Schema::completed()), Some(Schema::published())] {
            let merged = one.merge(two, Differing::KeepBoth).expect("small");
            let mut findings: Vec<Diagnostic> = Vec::new();
            let schema = schema.expect("it was read");
            let before: Vec<String> = merged.dataset.structures().map(|one| one.tag().to_owned()).collect();
            let dataset =
                merged.dataset.tagged_by(schema, &Rules::WILD, SchemaForm::Reference, &mut findings);
            let after: Vec<&str> = dataset.structures().map(Structure::tag).collect();
            assert_eq!(before, after);
            assert!(findings.is_empty(), "{findings:?}");
            let mut octets = Vec::new();
            elf_model::write(&dataset, &mut octets, &Rules::WILD, &WriteOptions::new(), &mut findings)
                .expect("memory");
            let again =
                elf_model::read(&octets, &Rules::WILD, &ReadOptions::default(), &mut ()).expect("whole");
            assert_eq!(again, dataset);
        }
    }
}

#[test]
fn each_tag_that_changes_is_reported() {
    let other = OWN_SCHEMA.replace("FirstPeal", "Appeal");
    let with = |schema: &str| read(&format!("0 HEAD\n{schema}0 @I1@ INDI\n1 _PEAL\n1 _PEAL\n0 TRLR\n"));
    let merged = with(OWN_SCHEMA).merge(&with(&other), Differing::KeepBoth).expect("small");
    let (text, findings) = written(merged, &Rules::WILD);
    let [change] = &findings[..] else { panic!("{findings:?}") };
    assert_eq!((change.code, change.class), (codes::TAG_CHANGES, Class::Advice));
    assert_eq!(
        change.message,
        "2 structures with the tag `_PEAL` get the tag `_APPEAL`, which has the type `https://e.example/Appeal`"
    );
    assert_eq!((text.matches("1 _PEAL\n").count(), text.matches("1 _APPEAL\n").count()), (2, 2), "{text}");
    // Tags of another standard change too, and not in silence.
    let seven = read(&format!("{SEVEN}0 @I1@ INDI\n1 BIRT\n0 TRLR\n"));
    let mut findings: Vec<Diagnostic> = Vec::new();
    let _ = seven.tagged_by(Schema::completed(), &Rules::WILD, SchemaForm::Inline, &mut findings);
    assert!(findings.iter().all(|one| one.code == codes::TAG_CHANGES) && findings.len() <= 2, "{findings:?}");
}

#[test]
fn a_caller_says_which_records_are_the_same() {
    let one = file(
        "0 @I1@ INDI\n1 NAME Ada /King/\n1 FAMS @F1@\n0 @F1@ FAM\n1 WIFE @I1@\n0 @I2@ INDI\n1 NAME Eve\n",
    );
    let two = file(
        "0 @X1@ INDI\n1 NAME ADA /KING/\n1 FAMS @X2@\n1 OCCU Countess\n1 NOTE @X3@\n0 @X2@ FAM\n1 WIFE @X1@\n\
         0 @X3@ NOTE a note\n0 @X4@ INDI\n1 NAME eve\n0 @X5@ INDI\n1 NAME Eve\n",
    );
    let name = |record: Structure<'_>| record.substructure("NAME").map(|name| name.text().to_lowercase());
    let merged = one.merge_by(&two, Differing::Combine, name).expect("small");
    // Ada by her name, their family by what it points to, Eve by her content.
    assert_eq!((merged.joined, tags(&merged).as_str()), (3, "INDI FAM INDI NOTE INDI"), "{:?}", merged.notes);
    let ada = merged.dataset.records().next().expect("Ada");
    let lines: Vec<(&str, Payload<'_>)> = ada.substructures().map(|one| (one.tag(), one.payload())).collect();
    assert_eq!(
        lines.iter().map(|(tag, _)| *tag).collect::<Vec<_>>(),
        ["NAME", "FAMS", "NAME", "OCCU", "NOTE"]
    );
    assert_eq!(lines[4].1, Payload::Pointer("X3"));
    let merged_first = one.merge_by(&two, Differing::KeepFirst, name).expect("small");
    assert_eq!(merged_first.dataset.records().next().map(|ada| ada.substructures().count()), Some(2));

    let [ada, eve] = ["I1", "I2"].map(|xref| match one.resolve(xref) {
        Target::One(found) => found,
        other => panic!("{other:?}"),
    });
    let Target::One(other) = two.resolve("X4") else { panic!("no X4") };
    let pairs = [SameRecord { one: ada, two: other }, SameRecord { one: eve, two: other }];
    let merged = one.merge_pairs(&two, Differing::KeepFirst, pairs).expect("small");
    // The first pair counts.
    assert!(merged.notes.iter().any(|note| {
        matches!(note, MergeNote::Differs(one, two) if one.xref.as_deref() == Some("I1") && two.xref.as_deref() == Some("X4"))
    }));
    let foreign = SameRecord { one: other, two: ada };
    let within = SameRecord { one: ada.substructure("NAME").expect("a name"), two: other };
    for pair in [foreign, within] {
        let result = one.merge_pairs(&two, Differing::KeepFirst, [pair]);
        assert_eq!(result.err(), Some(MergeError::NotARecord));
    }
}

#[test]
fn combined_records_keep_all_pointers_of_both() {
    // The notes differ, so both stay, and Ada has both.
    let one = file("0 @I1@ INDI\n1 NAME Ada\n1 NOTE @N1@\n0 @N1@ NOTE first\n");
    let two = file("0 @I1@ INDI\n1 NAME Ada\n1 NOTE @N1@\n1 ASSO @I9@\n1 ASSO @I9@\n0 @N1@ NOTE second\n");
    let merged = one.merge(&two, Differing::Combine).expect("small");
    let ada = merged.dataset.records().next().expect("Ada");
    let notes: Vec<_> = ada.substructures().filter_map(Structure::target).map(Structure::text).collect();
    assert_eq!(notes, ["first", "second"], "{:?}", merged.dataset);
    assert_eq!(tags(&merged), "INDI NOTE NOTE");
    let dangling: Vec<_> =
        ada.substructures().filter(|one| one.tag() == "ASSO").map(Structure::pointer).collect();
    assert_eq!(dangling, [Some("I9"), Some("I9")]);
}

#[test]
fn a_merge_outlives_what_was_merged() {
    fn merged() -> Merged {
        let (one, two) = (file(ONE), file(&ONE.replace("Ada", "Eve")));
        one.merge(&two, Differing::KeepBoth).expect("small")
    }
    assert!(!merged().notes.is_empty());
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
        // Combined, nothing is lost either.
        let combined = one.merge(&two, Differing::Combine).expect("small");
        for whole in [&one, &two] {
            for text in whole.structures().map(Structure::text) {
                prop_assert!(combined.dataset.structures().any(|each| each.text() == text));
            }
        }
        let targets = |dataset: &Dataset| dataset.structures().filter_map(Structure::target).count();
        prop_assert!(targets(&combined.dataset) >= targets(&one).max(targets(&two)));
        // No identifier has two bearers.
        for record in merged.dataset.records() {
            let xref = record.xref().unwrap_or_default();
            prop_assert_eq!(merged.dataset.resolve(xref), Target::One(record));
        }
    }
}
