//! Schemas of strangers: long chains, dense graphs, circles, and whatever chance makes of them.

#![allow(clippy::expect_used, reason = "a test that cannot go on fails")]

use elf_schema::elf_tagged::write::{Preamble, WriteOptions, Writer};
use elf_schema::{
    Diagnostic, Options, Payload, ReadOptions, Resolver, Rules, Schema, SchemaForm, Tagger, TypeId, read,
};
use proptest::prelude::*;
use std::sync::Arc;

const DOCUMENT: &str = "https://terms.fhiso.org/elf/Document";

/// A file of January 2019 with that schema and those records.
fn file(schema: &str, records: &str) -> String {
    format!("0 HEAD\n1 CHAR UTF-8\n1 SCHMA\n2 PRFX e https://e.example/\n{schema}{records}0 TRLR\n")
}

fn schema_of(text: &str) -> (Schema, Vec<Diagnostic>) {
    let mut findings = Vec::new();
    let schema =
        Schema::read("made.elf", text.as_bytes(), &Options::default(), &(), &mut findings).expect("short");
    (schema.expect("a schema"), findings)
}

fn names(findings: &[Diagnostic]) -> Vec<&'static str> {
    let mut names: Vec<_> = findings.iter().map(|found| found.code.name()).collect();
    names.dedup();
    names
}

/// Types 0 to `length`, each under the next; the last one may hold `_X`, the first one is the type of
/// records `_R`.
fn chain(length: usize) -> String {
    let mut schema = String::new();
    for number in 0..length {
        schema.push_str(&format!("2 IRI e:{number}\n3 ISA e:{}\n", number + 1));
    }
    schema.push_str(&format!("2 IRI e:{length}\n2 IRI e:X\n3 TAG _X e:{length}\n"));
    schema.push_str(&format!("2 IRI e:0\n3 TAG _R {DOCUMENT}\n"));
    schema
}

#[test]
fn a_chain_of_a_hundred_thousand_supertypes_is_followed() {
    let text = file(&chain(100_000), "0 _R\n1 _X\n1 Y\n");
    let mut findings: Vec<Diagnostic> = Vec::new();
    let typed =
        read(text.as_bytes(), &Rules::JANUARY_2019, &ReadOptions::default(), &mut findings).expect("short");
    let record = typed.records().next().expect("a record");
    let types: Vec<_> = record.substructures().filter_map(|node| typed.type_of(node)).collect();
    assert_eq!(types, ["https://e.example/X", "https://terms.fhiso.org/elf/Undefined#Y"]);
    assert_eq!(names(&findings), ["tag-undefined"]);
    assert_eq!(typed.of_type("https://e.example/100000").count(), 1);
    let why = typed.why(record.substructure("_X").expect("a structure")).expect("an answer");
    assert_eq!(why.structure_type, "https://e.example/X");
}

#[test]
fn types_met_far_below_the_first_do_not_cost_the_square_of_the_schema() {
    let (mut schema, mut records) = (chain(20_000), String::new());
    for number in 1..20_000 {
        schema.push_str(&format!("2 IRI e:{number}\n3 TAG _{number} {DOCUMENT}\n"));
        records.push_str(&format!("0 _{number}\n1 _X\n"));
    }
    let typed = |text: &str, findings: &mut Vec<Diagnostic>| {
        let typed =
            read(text.as_bytes(), &Rules::JANUARY_2019, &ReadOptions::default(), findings).expect("short");
        typed.of_type("https://e.example/X").count()
    };
    // Types in which nothing is defined have what their supertypes have.
    let mut findings: Vec<Diagnostic> = Vec::new();
    assert_eq!(typed(&file(&schema, &records), &mut findings), 19_999);
    assert!(findings.is_empty(), "{findings:?}");
    // Where each of them defines something, what is above it must be looked at for each; not for all of so
    // many.
    for number in 1..20_000 {
        schema.push_str(&format!("2 IRI e:X{number}\n3 TAG _X{number} e:{number}\n"));
    }
    let mut findings: Vec<Diagnostic> = Vec::new();
    assert!(typed(&file(&schema, &records), &mut findings) > 0);
    assert_eq!(names(&findings).first(), Some(&"schema-too-large"));
}

/// A chain of types `e:0`, `e:1`, … in which each is a subtype of the next and the supertype of its structures.
/// Type N has the tags `_N`, and the type of records `_RN`.
fn chain_with_tags(length: usize) -> (String, String) {
    let (mut schema, mut records) = (String::new(), String::new());
    for number in 0..length {
        schema.push_str(&format!(
            "2 IRI e:{number}\n3 ISA e:{}\n3 TAG _R{number} {DOCUMENT}\n2 IRI e:T{number}\n3 TAG _{number} e:{number}\n",
            number + 1
        ));
        records.push_str(&format!("0 _R{number}\n1 _{number}\n"));
    }
    schema.push_str(&format!("2 IRI e:{length}\n"));
    (schema, records)
}

#[test]
fn a_tag_defined_in_the_type_itself_needs_no_walk() {
    let length = 10_000;
    let (schema, records) = chain_with_tags(length);
    let text = file(&schema, &records);
    let mut findings: Vec<Diagnostic> = Vec::new();
    let typed =
        read(text.as_bytes(), &Rules::JANUARY_2019, &ReadOptions::default(), &mut findings).expect("short");
    assert!(findings.is_empty(), "{:?}", findings.first());
    for (number, record) in typed.records().enumerate() {
        let child = record.substructures().next().expect("a structure");
        assert_eq!(typed.type_of(child), Some(&*format!("https://e.example/T{number}")));
        let is_sample = number % 1_000 == 0;
        let why = is_sample.then(|| typed.why(child).expect("an answer").structure_type);
        assert!(why.is_none_or(|why| typed.type_of(child) == Some(&why)));
    }
}

#[test]
fn a_tag_with_one_type_is_found_at_the_nearest_definition() {
    // Each structure is in the type just below the one that defines its tag.
    let length = 10_000;
    let (schema, _) = chain_with_tags(length);
    let records: String = (1..length).map(|number| format!("0 _R{}\n1 _{number}\n", number - 1)).collect();
    let text = file(&schema, &records);
    let mut findings: Vec<Diagnostic> = Vec::new();
    let typed =
        read(text.as_bytes(), &Rules::JANUARY_2019, &ReadOptions::default(), &mut findings).expect("short");
    assert!(findings.is_empty(), "{:?}", findings.first());
    let undefined = |of: &&str| of.contains("Undefined");
    let types = typed.document().structures().filter_map(|node| typed.type_of(node));
    assert_eq!(types.filter(undefined).count(), 0);
}

#[test]
fn a_nearer_definition_does_not_win_over_one_that_contradicts_it() {
    let schema = "2 IRI e:P\n3 TAG _P https://terms.fhiso.org/elf/Document\n3 ISA e:Q\n2 IRI e:Q\n\
                  2 IRI e:A\n3 TAG _X e:P\n2 IRI e:B\n3 TAG _X e:Q\n";
    let text = file(schema, "0 _P\n1 _X\n");
    let typed = read(text.as_bytes(), &Rules::JANUARY_2019, &ReadOptions::default(), &mut ()).expect("short");
    let record = typed.records().next().expect("a record");
    let child = record.substructures().next().expect("a structure");
    assert_eq!(typed.type_of(child), Some("https://terms.fhiso.org/elf/Undefined#_X"));
}

#[test]
fn the_limit_on_supertypes_makes_the_result_incomplete() {
    // One tag that is defined at the top of a chain, asked for in each of the types below, which all define
    // something.
    let length = 8_000;
    let (mut schema, _) = chain_with_tags(length);
    schema.push_str(&format!("2 IRI e:Top\n3 TAG _TOP e:{length}\n"));
    let records: String = (0..length).map(|number| format!("0 _R{number}\n1 _TOP\n1 _{number}\n")).collect();
    let text = file(&schema, &records);
    let mut findings: Vec<Diagnostic> = Vec::new();
    let typed =
        read(text.as_bytes(), &Rules::JANUARY_2019, &ReadOptions::default(), &mut findings).expect("short");
    let found = findings.iter().find(|found| found.code == elf_schema::codes::SCHEMA_TOO_LARGE);
    assert_eq!(found.map(|found| found.class), Some(elf_schema::Class::NonConformant));
    // Definitions in the types themselves count all the same.
    let own = typed.records().filter(|record| {
        record
            .substructures()
            .nth(1)
            .and_then(|child| typed.type_of(child))
            .is_some_and(|of| of.contains("/T"))
    });
    assert_eq!(own.count(), length);
}

#[test]
fn a_dense_graph_is_followed() {
    let count = 600;
    let mut schema = String::new();
    for number in 0..count {
        schema.push_str(&format!("2 IRI e:{number}\n"));
        for above in number + 1..count {
            schema.push_str(&format!("3 ISA e:{above}\n"));
        }
    }
    schema.push_str(&format!("2 IRI e:X\n3 TAG _X e:{}\n2 IRI e:0\n3 TAG _R {DOCUMENT}\n", count - 1));
    let text = file(&schema, "0 _R\n1 _X\n");
    let (schema, findings) = schema_of(&text);
    assert_eq!(schema.supertype_count(), count * (count - 1) / 2);
    assert!(names(&findings).iter().all(|name| *name == "schema-too-large"), "{findings:?}");
    let mut resolver = Resolver::new(Arc::new(schema));
    let record = resolver.resolve(TypeId::DOCUMENT, "_R");
    let below = resolver.resolve(record, "_X");
    assert_eq!(resolver.iri(below), Some("https://e.example/X"));
}

#[test]
fn circles_end_however_many_and_large() {
    let mut schema = String::new();
    for number in 0..20_000 {
        schema.push_str(&format!(
            "2 IRI e:a{number}\n3 ISA e:b{number}\n2 IRI e:b{number}\n3 ISA e:a{number}\n"
        ));
    }
    let (small, findings) = schema_of(&file(&schema, ""));
    assert_eq!((small.circles().len(), names(&findings)), (20_000, vec!["supertype-cycle"]));
    let mut schema = String::new();
    for number in 0..50_000 {
        schema.push_str(&format!("2 IRI e:{number}\n3 ISA e:{}\n", (number + 1) % 50_000));
    }
    let (large, findings) = schema_of(&file(&schema, ""));
    let circles = large.circles();
    assert_eq!((circles.len(), circles.first().map(Vec::len)), (1, Some(50_000)));
    let found = findings.iter().find(|found| found.code.name() == "supertype-cycle").expect("a finding");
    assert!(found.message.len() < 200 && found.related.len() == 1, "{found:?}");
}

#[test]
fn deep_documents_and_many_tags_are_typed() {
    let mut text = String::from("0 HEAD\n0 INDI\n");
    for level in 1..20_000 {
        text.push_str(&format!("{level} T{}\n", level % 3_000));
    }
    text.push_str("0 TRLR\n");
    let mut findings: Vec<Diagnostic> = Vec::new();
    let typed = read(text.as_bytes(), &Rules::WILD, &ReadOptions::default(), &mut findings).expect("short");
    assert_eq!(typed.typing().counts().count(), 3_001);
    // What is under an undefined structure is not reported again.
    let lost = findings.iter().filter(|found| found.code.name() == "tag-undefined").count();
    assert_eq!(lost, 1);
}

#[test]
fn many_types_without_tags_get_tags() {
    let mut tagger = Tagger::new(Schema::published());
    for number in 0..20_000 {
        tagger.tag(DOCUMENT, &format!("https://e.example/{number}/Thing")).expect("a tag");
    }
    assert_eq!(tagger.into_schema().definitions().count(), 207 + 20_000);
}

/// Words that mean something in a schema, and some that do not.
#[test]
fn a_hundred_thousand_references_are_looked_at_once() {
    let references: String =
        (0..100_000).map(|number| format!("2 SCHMA https://e.example/{number}\n")).collect();
    let text = file(&format!("{references}2 SCHMA https://e.example/5\n"), "");
    let (schema, found) = schema_of(&text);
    assert_eq!(schema.references().len(), 100_000);
    assert_eq!(found.iter().filter(|one| one.code == elf_schema::codes::SCHEMA_EXTERNAL).count(), 100_000);
    assert_eq!(found.iter().filter(|one| one.code == elf_schema::codes::DEFINITION_REPEATED).count(), 1);
}

fn word() -> impl Strategy<Value = String> {
    let fixed = prop::sample::select(vec![
        "e:A",
        "e:B",
        "e:C",
        "f:A",
        "elf:Document",
        "elf:Metadata",
        DOCUMENT,
        "https://e.example/A",
        "_A",
        "_B",
        "DATE",
        "CONT",
        "HEAD",
        "D",
        "U",
        "QG",
        "e",
        "f",
        "elf",
        "https://e.example/",
        "https://terms.fhiso.org/elf/",
        "https://terms.fhiso.org/elf/Undefined#_A",
        "https://fhiso.org/TR/elf-data-model/v1.0.0",
    ]);
    prop_oneof![8 => fixed.prop_map(str::to_owned), 1 => "\\PC{0,6}"]
}

fn line() -> impl Strategy<Value = String> {
    let tag = prop::sample::select(vec![
        "PRFX", "IRI", "ISA", "TAG", "ESC", "SCHMA", "CONT", "CONC", "NOTE", "_A", "_B", "DATE", "DEFN",
        "HEAD", "UNDEF",
    ]);
    (0_u32..5, tag, prop::collection::vec(word(), 0..4))
        .prop_map(|(level, tag, words)| format!("{level} {tag} {}\n", words.join(" ")))
}

/// A schema without faults: types and tags by their numbers.
fn good_schema() -> impl Strategy<Value = String> {
    let types = prop::collection::vec(
        (prop::collection::vec(0..8_u8, 0..3), prop::collection::vec((0..6_u8, 0..8_u8), 0..4)),
        1..8,
    );
    types.prop_map(|types| {
        let mut out = String::from("2 ESC _T1 Q\n");
        for (number, (above, tags)) in types.iter().enumerate() {
            out.push_str(&format!("2 IRI e:{number}\n"));
            out.extend(above.iter().map(|above| format!("3 ISA e:{above}\n")));
            out.extend(tags.iter().map(|(tag, context)| match context {
                0 => format!("3 TAG _T{tag} {DOCUMENT}\n"),
                _ => format!("3 TAG _T{tag} e:{context}\n"),
            }));
        }
        out
    })
}

fn facts(schema: &Schema) -> Vec<String> {
    let mut facts: Vec<String> = schema.definitions().map(|one| format!("{one:?}")).collect();
    for (of, iri) in schema.types() {
        facts.extend(
            schema.supertypes(of).filter_map(|(above, _)| Some(format!("{iri} < {}", schema.iri(above)?))),
        );
    }
    facts.sort();
    facts
}

/// Facts but for the definitions that give one tag several types in the same place: they are left out when written.
fn without_conflicts(facts: &[String]) -> Vec<String> {
    let key = |fact: &str| fact.split_once(") = ").map(|(place, _)| place.to_owned());
    let count = |place: &String| facts.iter().filter(|fact| key(fact).as_ref() == Some(place)).count();
    facts.iter().filter(|fact| key(fact).is_none_or(|place| count(&place) == 1)).cloned().collect()
}

proptest! {
    #[test]
    fn random_schemas_do_no_harm(lines in prop::collection::vec(line(), 0..40)) {
        let text = format!("0 HEAD\n1 SCHMA\n{}0 _A\n1 _B\n0 TRLR\n", lines.concat());
        for rules in Rules::PRESETS {
            let typed = read(text.as_bytes(), rules, &ReadOptions::default(), &mut ()).expect("short");
            for node in typed.document().structures() {
                let found = typed.type_of(node);
                prop_assert!(found.is_some() || typed.typing().dictionary().is_some());
                prop_assert_eq!(typed.why(node).map(|why| why.structure_type), found
                    .filter(|_| typed.typing().dictionary().is_none())
                    .map(str::to_owned));
            }
        }
    }

    #[test]
    fn what_is_written_says_the_same(schema in good_schema()) {
        let (schema, _) = schema_of(&file(&schema, ""));
        let mut octets = Vec::new();
        let rules = &Rules::JANUARY_2019;
        let mut sink = ();
        let mut writer = Writer::new(&mut octets, rules, &WriteOptions::new(), &mut sink).expect("good options");
        let lines = schema.to_lines(rules, SchemaForm::Reference);
        writer.head(&Preamble::new().with_schema(lines)).expect("writing to memory");
        writer.finish().expect("writing to memory");
        let (again, _) = schema_of(std::str::from_utf8(&octets).expect("UTF-8"));
        prop_assert_eq!(facts(&again), without_conflicts(&facts(&schema)));
    }

    #[test]
    fn tags_lead_back_to_their_types(schema in good_schema(), wanted in prop::collection::vec((0..10_u8, 0..10_u8), 1..20)) {
        let (schema, _) = schema_of(&file(&schema, ""));
        let mut tagger = Tagger::new(&schema);
        let mut given = Vec::new();
        for (above, of) in wanted {
            let iri = |number: u8| if number == 0 { DOCUMENT.to_owned() } else { format!("https://e.example/{number}") };
            let (above, of) = (iri(above), format!("https://e.example/{of}"));
            given.push((tagger.tag(&above, &of).expect("a tag"), above, of));
        }
        let mut resolver = Resolver::new(Arc::new(tagger.into_schema()));
        for (tag, above, of) in given {
            let above = resolver.schema().type_of(&above).expect("a type");
            let found = resolver.resolve(above, &tag);
            prop_assert_eq!(resolver.iri(found), Some(&*of));
        }
    }

    /// Types need tags only and payloads need escapes only, so the two may be read in either order.
    #[test]
    fn typing_then_decoding_is_decoding_then_typing(schema in good_schema(), payload in "[a @#DQ]{0,20}") {
        let text = file(&schema, &format!("0 _T1 {payload}\n1 _T2 {payload}\n2 _T1 @#QX@ {payload}\n"));
        let rules = &Rules::JANUARY_2019;
        let payloads = |document: &elf_schema::Document<'_>| -> Vec<String> {
            document.structures().map(|node| match node.payload() {
                Payload::Text(text) => text.into_owned(),
                other => format!("{other:?}"),
            }).collect()
        };
        let decoded = elf_schema::elf_tagged::read(text.as_bytes(), rules, &Options::default(), &mut ()).expect("short");
        let before = payloads(&decoded);
        let typed = elf_schema::read_document(decoded, &ReadOptions::default(), &mut ());
        prop_assert_eq!(before, payloads(typed.document()));
    }
}

#[test]
fn help_with_many_tags_is_bounded() {
    // Three thousand tags under one type, and six thousand that are defined under three thousand others.
    let mut schema = format!("2 IRI e:R\n3 TAG _R {DOCUMENT}\n");
    for number in 0..3_000 {
        schema.push_str(&format!("2 IRI e:{number}\n3 ISA e:All\n3 TAG ABCDEFGH{number} e:R\n"));
    }
    schema.push_str("2 IRI e:All\n");
    let mut records = String::from("0 _R\n");
    for number in 0..6_000 {
        schema.push_str(&format!("2 IRI e:T{number}\n3 TAG BCDEFGHI{number} e:All\n"));
        records.push_str(&format!("1 BCDEFGHI{number}\n1 ABCDEFGI{number}\n"));
    }
    let text = file(&schema, &records);
    for each in [false, true] {
        let mut findings: Vec<Diagnostic> = Vec::new();
        let options = ReadOptions::default().with_each_undefined(each);
        read(text.as_bytes(), &Rules::JANUARY_2019, &options, &mut findings).expect("short");
        let found = findings.iter().filter(|found| found.code.name() == "tag-undefined").count();
        assert_eq!(found, if each { 12_000 } else { 10_001 });
    }
}

#[test]
fn conflicts_are_told_once_for_a_type_and_tag() {
    // Under the N-th type of the chain, the tag has a type of its own and those of all types above.
    let chain = |length: usize| {
        let types = (0..length)
            .map(|one| format!("2 IRI e:X{one}\n3 ISA e:X{}\n2 IRI e:Y{one}\n3 TAG _T e:X{one}\n", one + 1));
        file(&types.collect::<String>(), "")
    };
    for length in [50, 500] {
        let (_, findings) = schema_of(&chain(length));
        let conflicts: Vec<&Diagnostic> =
            findings.iter().filter(|found| found.code.name() == "tag-conflict").collect();
        assert_eq!(conflicts.len(), length - 1);
        let longest = conflicts.iter().map(|found| found.message.len() + found.related.len()).max();
        assert!(longest < Some(400), "{longest:?}");
    }
}
