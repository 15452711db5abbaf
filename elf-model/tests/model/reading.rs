//! A dataset is the same whether its document is read as a whole or part by part.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use elf_model::{Dataset, Diagnostic, ReadError, ReadOptions, Rules, Schema, Sink, read, read_from};
use std::collections::BTreeSet;
use std::io::{self, Read};
use std::sync::Arc;

/// A document of several parts, whose tags, types and identifiers go on changing.
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

/// Gives a few octets at a time, and fails after so many.
struct Faltering<'t>(&'t [u8], usize);

impl Read for Faltering<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.1 == 0 {
            return Err(io::Error::other("the disk is gone"));
        }
        let most = buffer.len().min(997).min(self.1);
        let read = self.0.read(&mut buffer[..most])?;
        self.1 -= read;
        Ok(read)
    }
}

fn of(result: Result<Dataset, ReadError>) -> (Dataset, bool) {
    match result {
        Err(ReadError::Partial(dataset)) => (*dataset, false),
        result => (result.unwrap(), true),
    }
}

fn sorted(findings: &[Diagnostic]) -> Vec<String> {
    let mut all: Vec<String> =
        findings.iter().map(|one| format!("{} {:?} {}", one.code, one.place, one.message)).collect();
    all.sort();
    all
}

#[test]
fn whole_and_parts_make_one_dataset() {
    let head = "0 HEAD\n1 SOUR x\n1 CHAR UTF-8\n1 PLANG fr\n";
    let files = [
        long(16_000, head, "0 TRLR\n"),
        long(16_000, "", "0 TRLR\n"),
        long(100, head, ""),
        "0 HEAD\n".to_owned(),
        String::new(),
    ];
    let options = ReadOptions::default().with_check_values(true);
    for rules in Rules::PRESETS {
        for file in &files {
            let octets = file.as_bytes();
            let [mut of_whole, mut of_parts, mut of_input] = [Vec::new(), Vec::new(), Vec::new()];
            let typed = elf_schema::read(octets, rules, &options, &mut of_whole).unwrap();
            let whole = (Dataset::from_document(&typed).unwrap(), typed.document().is_complete());
            let parts = of(read(octets, rules, &options, &mut of_parts));
            let input = of(read_from(Faltering(octets, usize::MAX), rules, &options, &mut of_input));
            for (read, findings) in [(parts, of_parts), (input, of_input)] {
                let case = (rules.name, octets.len());
                assert_eq!(
                    (read.0.len(), read.1, read.0.header()),
                    (whole.0.len(), whole.1, whole.0.header()),
                    "{case:?}"
                );
                let [one, two] = [&read.0, &whole.0].map(|dataset| serde_json::to_string(dataset).unwrap());
                assert!(one == two, "{case:?}");
                let paths = |dataset: &Dataset| {
                    dataset
                        .structures()
                        .map(|one| one.structure_type().map(str::to_owned))
                        .collect::<Vec<_>>()
                };
                assert!(paths(&read.0) == paths(&whole.0), "{case:?}");
                if whole.1 {
                    assert_eq!(sorted(&findings), sorted(&of_whole), "{case:?}");
                }
            }
        }
    }
}

#[test]
fn an_input_that_fails_makes_no_dataset() {
    let file = long(20_000, "0 HEAD\n", "0 TRLR\n");
    let failing = Faltering(file.as_bytes(), file.len() / 2);
    let result = read_from(failing, &Rules::WILD, &ReadOptions::default(), &mut ());
    assert!(matches!(result, Err(ReadError::Input(error)) if error.to_string() == "the disk is gone"));
}

/// A sink that has enough from the beginning.
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
fn a_sink_that_has_enough_does_not_cut_a_dataset_short() {
    let file = long(20_000, "0 HEAD\n1 CHAR UTF-8\n", "0 TRLR\n");
    let mut sink = Enough(0);
    let dataset = read(file.as_bytes(), &Rules::WILD, &ReadOptions::default(), &mut sink).unwrap();
    let silent = read(file.as_bytes(), &Rules::WILD, &ReadOptions::default(), &mut ()).unwrap();
    assert!(dataset.records().count() == 20_000 && dataset == silent && sink.0 > 0);
}

#[test]
fn in_gedcom_7_a_pointer_to_nothing_leads_to_nothing() {
    let file = "0 HEAD\n1 GEDC\n2 VERS 7.0\n0 @VOID@ INDI\n0 @F1@ FAM\n1 HUSB @VOID@\n0 TRLR\n";
    let leads = |rules: &Rules, file: &str| {
        let dataset = read(file.as_bytes(), rules, &ReadOptions::default(), &mut ()).unwrap();
        let pointer = dataset.structures().find(|structure| structure.pointer().is_some()).unwrap();
        pointer.target().is_some()
    };
    assert!(!leads(&Rules::GEDCOM_7, file));
    assert!(leads(&Rules::DECEMBER_2019, &file.replace("VERS 7.0", "VERS 5.5.1")));
}

/// The tag of a type that has but one is not looked at again; of others it is.
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
