//! Reading datasets.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use elf_model::{Diagnostic, ReadError, ReadOptions, Rules, Schema, Sink, read};
use std::collections::BTreeSet;
use std::sync::Arc;

/// A long document with many different tags, types and identifiers.
fn long(lines: usize, head: &str, trailer: &str) -> String {
    let mut text = head.to_owned();
    for at in 0..lines {
        let record = match at % 5 {
            0 => format!("0 @I{at}@ INDI\n1 NAME Ada /Nr {at}/\n1 BIRT\n2 DATE {at}\n1 FAMS @F{at}@\n"),
            1 => format!("0 @F{at}@ FAM\n1 HUSB @I{}@\n1 _TAG{} x\n", at - 1, at / 1000),
            2 => format!("0 NOTE line {at}\n1 CONT and more @@ of it\n1 CONC , and more\n"),
            3 => format!("0 @{}{at}@ SOUR\n1 TITL \u{E9}\u{301} {at}\n", "LONG_".repeat(1 + at % 60)),
            _ => format!("0 _OWN{}\n1 BIRT\n2 _OWN{}\n3 PLAC\n", at % 7, at / 3000),
        };
        text.push_str(&record);
    }
    text.push_str(trailer);
    text
}

/// A sink that wants no more findings from the beginning.
struct Enough(usize);

impl Sink for Enough {
    fn report(&mut self, _: Diagnostic) {
        self.0 += 1;
    }

    fn has_enough(&self) -> bool {
        true
    }
}

#[test]
fn a_dataset_is_whole_even_if_its_sink_has_enough() {
    let file = long(20_000, "0 HEAD\n1 CHAR UTF-8\n", "0 TRLR\n");
    let mut sink = Enough(0);
    let dataset = read(file.as_bytes(), &Rules::WILD, &ReadOptions::default(), &mut sink).unwrap();
    let silent = read(file.as_bytes(), &Rules::WILD, &ReadOptions::default(), &mut ()).unwrap();
    assert!(dataset.records().count() == 20_000 && dataset == silent && sink.0 > 0);
}

#[test]
fn void_is_an_unresolved_pointer_in_gedcom_7() {
    let file = "0 HEAD\n1 GEDC\n2 VERS 7.0\n0 @VOID@ INDI\n0 @F1@ FAM\n1 HUSB @VOID@\n0 TRLR\n";
    let leads = |rules: &Rules, file: &str| {
        let dataset = read(file.as_bytes(), rules, &ReadOptions::default(), &mut ()).unwrap();
        let pointer = dataset.structures().find(|structure| structure.pointer().is_some()).unwrap();
        pointer.target().is_some()
    };
    assert!(!leads(&Rules::GEDCOM_7, file));
    assert!(leads(&Rules::DECEMBER_2019, &file.replace("VERS 7.0", "VERS 5.5.1")));
}

/// Also where several tags have one type.
#[test]
fn tags_are_those_of_the_file() {
    for schema in [Schema::completed(), Schema::published(), Schema::gedcom_7()] {
        let tags: BTreeSet<&str> =
            schema.definitions().map(|one| one.tag()).filter(|tag| *tag != "TRLR").chain(["_UID"]).collect();
        let mut file = String::from("0 HEAD\n");
        let mut expected = Vec::new();
        for record in ["INDI", "FAM", "SOUR", "OBJE", "NOTE", "SUBM", "REPO", "_REC", "INDI"] {
            let nested = tags.iter().zip(0..).map(|(tag, at)| (1 + at % 3, *tag));
            let flat = tags.iter().map(|tag| (1, *tag));
            for (level, tag) in [(0, record)].into_iter().chain(nested).chain(flat) {
                file.push_str(&format!("{level} {tag} x\n"));
                expected.push(tag);
            }
        }
        let options = ReadOptions::default().with_schema(Some(Arc::clone(schema)));
        let Err(ReadError::Partial(dataset)) =
            read(file.as_bytes(), &Rules::DECEMBER_2019, &options, &mut ())
        else {
            panic!("the trailer is missing");
        };
        let found: Vec<&str> = dataset.structures().map(|one| one.tag()).collect();
        assert!(found == expected, "{found:?}");
    }
    // Two tags have one type by the header alone.
    let of_7 = "0 HEAD\n1 GEDC\n2 VERS 7.0\n1 SCHMA\n2 TAG _NOM https://gedcom.io/terms/v7/INDI-NAME\n\
                2 TAG _NAME https://gedcom.io/terms/v7/INDI-NAME\n0 INDI\n1 NAME a\n1 _NOM b\n1 NAME c\n0 TRLR\n";
    let of_2017 = "0 HEAD\n1 CHAR UTF-8\n1 DEFN _NOM https://e.example/name\n1 DEFN NOM https://e.example/name\n\
                   0 INDI\n1 NOM a\n1 _NOM b\n1 NOM c\n0 TRLR\n";
    for (rules, file) in [(&Rules::GEDCOM_7, of_7), (&Rules::OCTOBER_2017, of_2017)] {
        let dataset = read(file.as_bytes(), rules, &ReadOptions::default(), &mut ()).unwrap();
        let person = dataset.records().last().unwrap();
        let found: Vec<_> = person.substructures().map(|one| (one.tag(), one.structure_type())).collect();
        let [(first, of), (second, same), (third, _)] = found[..] else { panic!("{found:?}") };
        assert!(first == third && second == "_NOM" && first != second, "{found:?}");
        assert_eq!(of, same, "{}", rules.name);
    }
}
