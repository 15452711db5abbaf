//! The schema of GEDCOM 7: its structures, their places, and what they are of ELF; extension tags.

#![allow(clippy::expect_used, reason = "tests read files that are short and have what they ask for")]

use elf_schema::elf_tagged::elf_lines::elf_base::rules::Mechanism;
use elf_schema::vocabulary::elf;
use elf_schema::{Correspondence, Diagnostic, ReadOptions, Role, Rules, Schema, SchemaForm, Tagger};
use std::sync::Arc;
use std::time::{Duration, Instant};

const G7: &str = "https://gedcom.io/terms/v7/";

/// The rows of the facts about structures: the structure, its tag, and the structures that are in it.
fn facts() -> impl Iterator<Item = (&'static str, &'static str, Vec<&'static str>)> {
    let rows = include_str!("../../../lib/elf-validate/facts/gedcom70.tsv").lines();
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

/// A file of GEDCOM 7 whose header has these lines under SCHMA.
fn file(tags: &str, records: &str) -> String {
    let schema: String = tags.lines().map(|line| format!("2 TAG {line}\n")).collect();
    format!("0 HEAD\n1 GEDC\n2 VERS 7.0\n1 SCHMA\n{schema}{records}\n0 TRLR\n")
}

/// The types of the structures of a file that are in no header, and the findings about its schema.
fn types(file: &str) -> (Vec<String>, Vec<(&'static str, u64)>) {
    let mut found: Vec<Diagnostic> = Vec::new();
    let typed = elf_schema::read(file.as_bytes(), &Rules::WILD, &ReadOptions::default(), &mut found)
        .expect("a small file");
    let structures = typed.records().flat_map(|record| std::iter::once(record).chain(record.descendants()));
    let name = |iri: &str| {
        let of = iri.strip_prefix(G7).map(|name| format!("g7:{name}"));
        of.unwrap_or_else(|| iri.replace("https://terms.fhiso.org/elf/", "elf:"))
    };
    let types = structures.map(|node| typed.type_of(node).map(name).unwrap_or_default()).collect();
    found.retain(|found| found.code.id().starts_with("E04"));
    (types, found.iter().map(|one| (one.code.name(), one.place.map_or(0, |place| place.line))).collect())
}

#[test]
fn extension_tags_have_their_types_wherever_they_stand() {
    let tags = "_SKY https://e.example/sky\n_LOC https://e.example/loc";
    let records = "0 @L@ _LOC\n1 NAME x\n2 DATE y\n1 _SKY z\n2 _SKY z\n0 @I@ INDI\n1 BIRT\n2 _LOC @L@\n\
                   1 _NEW x\n2 _SKY y\n2 NAME z";
    let (types, found) = types(&file(tags, records));
    assert_eq!(
        types,
        [
            "https://e.example/loc",
            "elf:Undefined#NAME",
            "elf:Undefined#DATE",
            "https://e.example/sky",
            "https://e.example/sky",
            "g7:record-INDI",
            "g7:BIRT",
            "https://e.example/loc",
            "elf:Undefined#_NEW",
            "https://e.example/sky",
            "elf:Undefined#NAME"
        ]
    );
    assert_eq!(found, []);
}

#[test]
fn relocated_structures_have_what_stands_in_them() {
    let tags = "_DATE https://gedcom.io/terms/v7/DATE\n_VALUE https://gedcom.io/terms/v7/enum-CHIL";
    let records = "0 @I@ INDI\n1 NAME John /Doe/\n2 _DATE FROM 6 APR 1917\n3 PHRASE war\n3 BIRT\n1 _VALUE x";
    let (types, found) = types(&file(tags, records));
    let expected = [
        "g7:record-INDI",
        "g7:INDI-NAME",
        "g7:DATE",
        "g7:PHRASE",
        "elf:Undefined#BIRT",
        "elf:Undefined#_VALUE",
    ];
    assert_eq!(types, expected);
    assert_eq!(found, [("tag-undefined", 11)]);
}

#[test]
fn one_of_several_uris_is_meant_where_the_others_cannot_stand() {
    let tags = "_A https://gedcom.io/terms/v7/record-SUBM\n_A https://gedcom.io/terms/v7/DATE\n\
                _B https://gedcom.io/terms/v7/DATE\n_B https://e.example/b\n\
                _C https://e.example/c\n_C https://e.example/d";
    let records = "0 _A\n1 NAME x\n0 INDI\n1 _A x\n1 BIRT\n2 _A x\n2 _B x\n1 _B y\n0 _B\n0 _C";
    let (types, found) = types(&file(tags, records));
    assert_eq!(
        types,
        [
            "g7:record-SUBM",
            "g7:NAME",
            "g7:record-INDI",
            "g7:DATE",
            "g7:BIRT",
            "elf:Undefined#_A",
            "https://e.example/b",
            "elf:Undefined#_B",
            "https://e.example/b",
            "elf:Undefined#_C"
        ]
    );
    assert_eq!(found, []);
}

#[test]
fn a_tag_with_too_many_uris_is_ambiguous() {
    let tags = |count: u32| {
        let more: String = (1..count).map(|number| format!("\n_X https://e.example/{number}")).collect();
        format!("_X https://terms.fhiso.org/elf/proposed/INDI-_X{more}")
    };
    // Of the others, nobody knows where they may stand.
    let first = |count| types(&file(&tags(count), "0 @I@ INDI\n1 _X y")).0.remove(1);
    assert_eq!(first(1), "elf:proposed/INDI-_X");
    assert_eq!(first(2), "elf:Undefined#_X");
    let places = |count: u32| {
        let of = |number: u32| format!("_X https://terms.fhiso.org/elf/proposed/_P{number}-_X");
        let tags: Vec<String> = (1..count).map(of).collect();
        let tags = format!("_X https://terms.fhiso.org/elf/proposed/INDI-_X\n{}", tags.join("\n"));
        types(&file(&tags, "0 @I@ INDI\n1 _X y")).0.remove(1)
    };
    assert_eq!(places(100), "elf:proposed/INDI-_X");
    assert_eq!(places(101), "elf:Undefined#_X");
}

#[test]
fn many_definitions_of_tags_do_not_take_long() {
    let started = Instant::now();
    let uris = [
        "https://e.example/",
        "https://terms.fhiso.org/elf/proposed/_T7-_T",
        "https://terms.fhiso.org/elf/vendor/_FLGS-flag#__",
    ];
    for uri in uris {
        for tags in [1, 50, 5_000] {
            let line = |number: u32| format!("_T{} {uri}{number}", number % tags);
            let lines: Vec<String> = (0..5_000).map(line).collect();
            let records: Vec<String> =
                (0..5_000).map(|number| format!("1 _T{number} x\n2 _T{} y", (number + 1) % 5_000)).collect();
            let text = file(&lines.join("\n"), &format!("0 @I@ INDI\n{}", records.join("\n")));
            let typed = elf_schema::read(text.as_bytes(), &Rules::WILD, &ReadOptions::default(), &mut ())
                .expect("a small file");
            assert_eq!(typed.schema().extension_tags().len(), 5_000, "{uri} {tags}");
            assert!(typed.schema().to_lines(&Rules::JANUARY_2019, SchemaForm::Inline).is_some());
        }
    }
    assert!(started.elapsed() < Duration::from_secs(60), "{:?}", started.elapsed());
}

#[test]
fn definitions_of_tags_are_held_to_their_grammar() {
    let tags = "_A https://e.example/a\n_A https://e.example/a\nB https://e.example/b\n_C\n\
                _D https://terms.fhiso.org/elf/Undefined#NAME\n_E https://terms.fhiso.org/elf/Undefined";
    let (types, found) = types(&file(tags, "0 _A\n0 B\n0 _C\n0 _D\n0 _E"));
    let undefined = |tag: &str| format!("elf:Undefined#{tag}");
    assert_eq!(
        types,
        ["https://e.example/a".to_owned(), undefined("B"), undefined("_C"), undefined("_D"), undefined("_E")]
    );
    assert_eq!(
        found,
        [
            ("definition-repeated", 6),
            ("tag-definition-malformed", 7),
            ("tag-definition-malformed", 8),
            ("tag-reserved", 10),
            ("tag-undefined", 12)
        ]
    );
}

#[test]
fn the_file_alone_says_which_schema_is_in_force() {
    let octets = b"0 HEAD\n1 GEDC\n2 VERS 7.0\n0 @I@ INDI\n1 BIRT\n2 DATE 1 JAN 1900\n0 TRLR\n";
    let type_of_birth = |schema: Option<&Arc<Schema>>| -> String {
        let options = ReadOptions::default().with_schema(schema.cloned());
        let typed = elf_schema::read(octets, &Rules::WILD, &options, &mut ()).expect("a small file");
        let birth = typed.of_type(elf::EVENT).next().expect("an event");
        typed.type_of(birth).expect("a type").to_owned()
    };
    assert_eq!(type_of_birth(None), format!("{G7}BIRT"));
    assert_eq!(type_of_birth(Some(Schema::gedcom_7())), format!("{G7}BIRT"));
    assert_eq!(type_of_birth(Some(Schema::completed())), elf::BIRTH);
}

#[test]
fn what_a_header_says_of_tags_can_be_written_again() {
    let file = file("_SKY https://e.example/sky\n_DATE https://gedcom.io/terms/v7/DATE", "0 INDI\n1 SEX M");
    let typed = elf_schema::read(file.as_bytes(), &Rules::WILD, &ReadOptions::default(), &mut ())
        .expect("a small file");
    let mut rules = Rules::WILD;
    rules.schema.mechanism = Mechanism::ExtensionTags;
    let lines = |schema: &Schema, rules: &Rules| -> Vec<String> {
        let lines = schema.to_lines(rules, SchemaForm::Inline).unwrap_or_default();
        lines.iter().map(|line| format!("{} {} {}", line.level, line.tag, line.payload)).collect()
    };
    let expected =
        ["1 SCHMA ", "2 TAG _SKY https://e.example/sky", "2 TAG _DATE https://gedcom.io/terms/v7/DATE"];
    assert_eq!(lines(typed.schema(), &rules), expected);
    assert_eq!(lines(Schema::gedcom_7(), &rules), [""; 0]);
    // In ELF a tag is in types.
    let elf = lines(typed.schema(), &Rules::JANUARY_2019);
    let sky = elf.iter().position(|line| line == "2 IRI https://e.example/sky").expect("a type");
    assert!(elf[sky + 1].starts_with("3 TAG _SKY elf:Document elf:Metadata g7:"));
}

#[test]
fn a_writer_takes_the_tags_of_the_header() {
    let file = file("_SKY https://e.example/sky\n_DATE https://gedcom.io/terms/v7/DATE", "0 INDI\n1 SEX M");
    let typed = elf_schema::read(file.as_bytes(), &Rules::WILD, &ReadOptions::default(), &mut ())
        .expect("a small file");
    let mut tagger = Tagger::new(typed.schema());
    let mut tag = |above: &str, of: &str| tagger.tag(above, of).map(|tag| tag.to_string());
    let [person, name, date] = ["record-INDI", "INDI-NAME", "DATE"].map(|of| [G7, of].concat());
    assert_eq!(tag(&person, "https://e.example/sky").as_deref(), Ok("_SKY"));
    assert_eq!(tag("https://e.example/sky", "https://e.example/sky").as_deref(), Ok("_SKY"));
    assert_eq!(tag(&name, &date).as_deref(), Ok("_DATE"));
    assert_eq!(tag(&[G7, "BIRT"].concat(), &date).as_deref(), Ok("DATE"));
}
