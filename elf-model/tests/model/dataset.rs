//! Tests of what a dataset shows of its structures, and how it is built.

#![allow(clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

use elf_model::vocabulary::elf;
use elf_model::{
    Dataset, DatasetBuilder, Diagnostic, Header, Payload, Piece, ReadError, ReadOptions, Rules, Schema,
    Structure, Target, WriteOptions,
};

fn read(octets: &str) -> Dataset {
    elf_model::read(octets.as_bytes(), &Rules::WILD, &ReadOptions::default(), &mut ()).expect("whole")
}

const FILE: &str = "0 HEAD\n1 CHAR UTF-8\n1 GEDC\n2 VERS 5.5\n2 FORM LINEAGE-LINKED\n1 PLANG fr\n1 SOUR X\n2 NAME Y\n\
    0 @I1@ INDI\n1 NAME Ada\n2 PLANG en\n1 BIRT\n2 DATE @#DJULIAN@ 1 @@#DJULIAN@@\n1 FAMS @F1@\n\
    0 @F1@ FAM\n1 HUSB @I9@\n1 _UID 1\n2 DTYPE xsd:string\n0 TRLR\n";

#[test]
fn findings_end_where_the_rules_end_the_reading() {
    let octets = b"0 HEAD\n1 CHAR UTF-8\njunk\n0 NOTE a\x08\n0 TRLR\n";
    for rules in [&Rules::DECEMBER_2019, &Rules::JANUARY_2019, &Rules::WILD] {
        let [mut here, mut there]: [Vec<Diagnostic>; 2] = Default::default();
        let options = ReadOptions::default();
        let read = elf_model::read(octets, rules, &options, &mut here);
        assert_eq!(read.is_ok(), rules != &Rules::DECEMBER_2019, "{}", rules.name);
        elf_schema::read(octets, rules, &options, &mut there).expect("small");
        assert_eq!(here, there, "{}", rules.name);
    }
}

#[test]
fn a_dataset_read_from_a_file() {
    let dataset = read(FILE);
    assert_eq!(dataset.header(), &Header::new().with_gedcom_version(Some("5.5")).with_language(Some("fr")));
    let tags = |structures: Vec<Structure<'_>>| -> Vec<String> {
        structures.iter().map(|structure| structure.tag().to_owned()).collect()
    };
    assert_eq!(tags(dataset.metadata().collect()), ["SOUR"]);
    assert_eq!(tags(dataset.records().collect()), ["INDI", "FAM"]);
    assert_eq!(
        tags(dataset.structures().collect()),
        ["SOUR", "NAME", "INDI", "NAME", "PLANG", "BIRT", "DATE", "FAMS", "FAM", "HUSB", "_UID", "DTYPE"]
    );
    let source = dataset.metadata().next().expect("metadata");
    assert!(source.is_metadata() && source.superstructure().is_none());
    let person = dataset.records().next().expect("a record");
    assert!(!person.is_metadata());
    assert_eq!((person.xref(), person.structure_type()), (Some("I1"), Some(elf::INDIVIDUAL_RECORD)));
    assert_eq!(person.payload(), Payload::None);
    assert_eq!(tags(person.substructures().collect()), ["NAME", "BIRT", "FAMS"]);
    assert_eq!(person.subtree().len(), 6);
    let date = dataset.of_type(elf::DATE_VALUE).next().expect("a date");
    assert_eq!(tags(date.with_ancestors().collect()), ["DATE", "BIRT", "INDI"]);
    assert_eq!(date.text(), "@#DJULIAN@ 1 @#DJULIAN@");
    assert_eq!(
        date.pieces().collect::<Vec<_>>(),
        [Piece::Escape("@#DJULIAN@"), Piece::Text(" 1 @#DJULIAN@")]
    );
    assert_eq!(dataset.structure(date.index()), Some(date));
}

#[test]
fn payloads_have_languages_and_datatypes() {
    let dataset = read(FILE);
    let literal = |tag: &str| {
        let found = dataset.structures().filter(|structure| structure.tag() == tag).last().expect("the tag");
        match found.payload() {
            Payload::Literal(literal) => (literal.text, literal.language, literal.datatype),
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(literal("NAME"), ("Ada", "en", None));
    assert_eq!(literal("_UID"), ("1", "fr", Some("xsd:string")));
    let plain = read("0 HEAD\n0 NOTE a\n0 TRLR\n");
    assert_eq!(plain.records().next().map(Structure::language), Some("und"));
}

#[test]
fn pointers_lead_to_structures() {
    let dataset = read("0 HEAD\n0 @A@ X\n1 P @B@\n1 P @C@\n1 P @D@\n0 @B@ Y\n0 @C@ Z\n0 @C@ Z\n0 TRLR\n");
    let targets: Vec<Option<&str>> = dataset
        .records()
        .next()
        .expect("a record")
        .substructures()
        .map(|pointer| pointer.target().map(Structure::tag))
        .collect();
    assert_eq!(targets, [Some("Y"), None, None]);
    assert!(matches!(dataset.resolve("A"), Target::One(found) if found.tag() == "X"));
    assert_eq!((dataset.resolve("C"), dataset.resolve("D")), (Target::Several, Target::None));
}

#[test]
fn subtypes_are_found_by_their_supertypes() {
    let dataset = read("0 HEAD\n0 INDI\n1 BIRT\n2 DATE x\n1 DEAT\n1 SEX M\n0 FAM\n1 MARR\n0 TRLR\n");
    let tags = |iri: &str| -> Vec<&str> { dataset.of_type(iri).map(Structure::tag).collect() };
    assert_eq!(tags(elf::EVENT), ["BIRT", "DEAT", "MARR"]);
    assert_eq!(tags(elf::INDIVIDUAL_EVENT), ["BIRT", "DEAT"]);
    assert_eq!(tags(elf::RECORD), ["INDI", "FAM"]);
    assert_eq!(tags("https://example.com/none"), [""; 0]);
    let person = dataset.records().next().expect("a record");
    assert_eq!(person.of_type(elf::BIRTH).count(), 1);
    assert_eq!(person.of_type(elf::EVENT).count(), 2);
    assert_eq!(person.of_type(elf::FAMILY_EVENT).count(), 0);
}

#[test]
fn what_is_set_late_is_set() {
    let mut builder = DatasetBuilder::new(Schema::completed());
    builder.record("NOTE").text("first").xref("N1").text("second\r\nline\rline");
    builder.open("A").pieces(&[Piece::Text("x"), Piece::Escape("@#DX@")]).close();
    builder.xref("N2").open("B").pointer("N9").pointer("N2").close();
    builder.xref("N3").pieces(&[Piece::Escape("@#DY@"), Piece::Text("z")]).xref("N4");
    builder.metadata("LANG").text("English");
    let dataset = builder.finish().expect("small");
    let note = dataset.records().next().expect("a record");
    assert_eq!((note.xref(), note.text()), (Some("N4"), "@#DY@z"));
    assert_eq!(note.pieces().collect::<Vec<_>>(), [Piece::Escape("@#DY@"), Piece::Text("z")]);
    let beneath: Vec<_> =
        note.substructures().map(|each| (each.tag(), each.text(), each.pointer())).collect();
    assert_eq!(beneath, [("A", "x@#DX@", None), ("B", "", Some("N2"))]);
    let a = note.substructures().next().expect("A");
    assert_eq!(a.pieces().collect::<Vec<_>>(), [Piece::Text("x"), Piece::Escape("@#DX@")]);
    assert_eq!(dataset.structures().map(Structure::tag).collect::<Vec<_>>(), ["LANG", "NOTE", "A", "B"]);
    let mut builder = DatasetBuilder::new(Schema::completed());
    builder.record("NOTE").text("first").text("second\r\nline\rline");
    let dataset = builder.finish().expect("small");
    assert_eq!(dataset.records().next().map(Structure::text), Some("second\nline\nline"));
}

#[test]
fn unused_identifiers_are_new() {
    let mut builder = DatasetBuilder::new(Schema::completed());
    builder.record("INDI").xref("I1");
    assert_eq!(
        [builder.unused_xref("I"), builder.unused_xref("I"), builder.unused_xref("F")],
        ["I2", "I3", "F1"]
    );
}

#[test]
fn a_type_the_schema_does_not_give_is_kept_and_reported_when_written() {
    let mut builder = DatasetBuilder::new(Schema::published());
    builder.record("INDI").open("_SHOE").structure_type("https://e.example/Shoe").text("9").close();
    builder.open("BIRT").structure_type(elf::DEATH).open("DATE");
    let dataset = builder.finish().expect("small");
    assert_eq!(dataset.of_type("https://e.example/Shoe").next().map(Structure::text), Some("9"));
    assert_eq!(dataset.of_type(elf::INDIVIDUAL_EVENT).count(), 1);
    let mut findings: Vec<Diagnostic> = Vec::new();
    let summary =
        elf_model::write(&dataset, Vec::new(), &Rules::DECEMBER_2019, &WriteOptions::new(), &mut findings)
            .expect("memory");
    assert_eq!(summary.losses, 2);
    let found: Vec<_> = findings.iter().map(|finding| finding.code.id()).collect();
    assert_eq!(found, ["E0501", "E0501"]);
}

#[test]
fn losses_say_where_they_stand() {
    let mut builder = DatasetBuilder::new(Schema::published());
    builder.metadata("SOUR").open("A-B");
    builder.record("INDI").xref("I1").open("BIRT").open("NOTE").text("a\0b");
    builder.record("FAM").xref("I1").open("HUSB").pointer("I1");
    let mut findings: Vec<Diagnostic> = Vec::new();
    let dataset = builder.finish().expect("small");
    let summary =
        elf_model::write(&dataset, Vec::new(), &Rules::DECEMBER_2019, &WriteOptions::new(), &mut findings)
            .expect("memory");
    assert_eq!(summary.losses, 3);
    let found: Vec<_> = findings
        .iter()
        .map(|finding| (finding.code.id(), finding.path.as_deref().unwrap_or_default()))
        .collect();
    assert_eq!(
        found,
        [
            ("E0801", "HEAD/SOUR/A-B"),
            ("E0811", "@I1@"),
            ("E0803", "@I1@/BIRT/NOTE"),
            ("E0811", "@I1@"),
            ("E0805", "@I1@/HUSB"),
        ]
    );
}

#[test]
fn a_file_cut_off_gives_what_there_is() {
    let read =
        |octets: &[u8]| elf_model::read(octets, &Rules::DECEMBER_2019, &ReadOptions::default(), &mut ());
    let Err(ReadError::Partial(dataset)) = read(b"0 HEAD\n0 NOTE a\nnonsense\n0 TRLR\n") else {
        panic!("the reading ends")
    };
    assert_eq!(dataset.records().next().map(Structure::text), Some("a"));
    assert!(matches!(read(b""), Err(ReadError::Partial(dataset)) if dataset.is_empty()));
}

#[test]
fn a_dataset_of_any_depth_is_handled() {
    let mut octets = b"0 HEAD\n".to_vec();
    for level in 0..100_000 {
        octets.extend(format!("{level} X {level}\n").bytes());
    }
    octets.extend(b"0 TRLR\n");
    let octets = String::from_utf8(octets).expect("ASCII");
    let dataset = read(&octets);
    assert_eq!(dataset.len(), 100_000);
    let copy = dataset.clone();
    assert!(copy == dataset && copy.means_the_same(&dataset));
    let json = serde_json::to_string(&dataset).expect("a value");
    assert!(serde_json::from_str::<Dataset>(&json).expect("a dataset") == dataset);
    let mut written = Vec::new();
    elf_model::write(&dataset, &mut written, &Rules::WILD, &WriteOptions::new(), &mut ()).expect("memory");
    assert!(read(std::str::from_utf8(&written).expect("UTF-8")) == dataset);
}

#[test]
fn records_get_identifiers_that_no_other_has() {
    let dataset = read("0 HEAD\n0 @N1@ NOTE a\n0 NOTE @#DX@ b@@\n0 FAM\n1 NOTE c\n0 @F2@ FAM\n0 TRLR\n");
    let named = dataset.with_identifiers().expect("small");
    let names: Vec<_> = named.structures().map(|each| each.xref().unwrap_or("-")).collect();
    assert_eq!(names, ["N1", "N2", "F1", "-", "F2"]);
    assert!(named != dataset && named.means_the_same(&dataset));
    let note = named.records().nth(1).expect("a note");
    assert_eq!(note.pieces().collect::<Vec<_>>(), [Piece::Escape("@#DX@"), Piece::Text(" b@")]);
    assert!(matches!(named.resolve("N2"), Target::One(found) if found == note));
}

#[test]
fn a_dataset_is_arranged_at_every_depth() {
    let octets = "0 HEAD\n1 SOUR a\n1 LANG b\n1 SOUR c\n0 @A@ INDI\n1 X\n2 Y 1\n2 Z 2\n2 Y 3\n1 W\n1 X\n\
        0 @B@ SUBN\n1 P @A@\n0 TRLR\n";
    let dataset = read(octets);
    let arranged = dataset.with_grouped_substructures();
    let shown: Vec<_> = arranged
        .structures()
        .map(|each| format!("{}{}{}", each.with_ancestors().count(), each.tag(), each.text()))
        .collect();
    assert_eq!(
        shown,
        ["1SOURa", "1SOURc", "1LANGb", "1SUBN", "2P", "1INDI", "2X", "3Y1", "3Y3", "3Z2", "2X", "2W"]
    );
    assert!(arranged == dataset && arranged.means_the_same(&dataset));
    let pointer =
        arranged.records().next().and_then(|record| record.substructures().next()).expect("a pointer");
    assert_eq!(pointer.target(), arranged.records().nth(1));
}

/// Formats that write how many members and structures there are before the first one get the right numbers.
#[test]
fn a_dataset_goes_through_binary_formats() {
    let bare =
        "0 HEAD\n1 CHAR UTF-8\n0 @I1@ INDI\n1 NAME A\n1 DATE @#DJULIAN@ 1\n1 FAMS @F1@\n0 @F1@ FAM\n0 TRLR\n";
    let own = "0 HEAD\n1 SCHMA\n2 IRI https://e.example/Peal\n3 ISA https://terms.fhiso.org/elf/IndividualEvent\n\
               3 TAG _PEAL https://terms.fhiso.org/elf/INDIVIDUAL_RECORD\n0 INDI\n1 _PEAL\n0 TRLR\n";
    for file in [bare, own, FILE, "0 HEAD\n1 CHAR UTF-8\n0 TRLR\n"] {
        let dataset = read(file);
        let mut octets = Vec::new();
        ciborium::into_writer(&dataset, &mut octets).expect("memory");
        let again: Dataset = ciborium::from_reader(&*octets).expect("the same dataset");
        assert_eq!(again, dataset, "{file}");
        // A format that neither names its fields nor says what they are.
        let octets = postcard::to_allocvec(&dataset).expect("memory");
        let once_more: Dataset = postcard::from_bytes(&octets).expect("the same dataset");
        let json = |dataset: &Dataset| serde_json::to_string(dataset).expect("JSON");
        assert_eq!([json(&again), json(&once_more)], [json(&dataset), json(&dataset)], "{file}");
        for cut in 0..octets.len() {
            assert!(postcard::from_bytes::<Dataset>(&octets[..cut]).is_err(), "{file} up to {cut}");
        }
        // What was damaged is read as something or refused, and no more.
        for (at, octet) in octets.iter().enumerate() {
            let mut damaged = octets.clone();
            for other in [0, 1, 0x7F, 0xFF, octet ^ 0x10] {
                damaged[at] = other;
                let _ = postcard::from_bytes::<Dataset>(&damaged);
            }
        }
    }
}

/// An object whose members are told by their order alone is refused wherever it stands: one that is left out
/// would move all others.
#[test]
fn members_of_json_are_named() {
    let file = "0 HEAD\n1 CHAR UTF-8\n1 SCHMA\n2 IRI https://e.example/Peal\n1 LANG French\n0 @I1@ INDI\n1 NAME A\n0 TRLR\n";
    let json = serde_json::to_value(read(file)).expect("JSON");
    let is_read = |json: &serde_json::Value| serde_json::from_value::<Dataset>(json.clone()).is_ok();
    assert!(is_read(&json));
    let objects = ["", "/header", "/header/schema/0", "/metadata/0", "/records/0", "/records/1"];
    for object in objects {
        let mut json = json.clone();
        let found = json.pointer_mut(object).expect(object);
        let members = found.as_object().expect("an object").values().cloned().collect();
        *found = serde_json::Value::Array(members);
        assert!(!is_read(&json), "{object}");
    }
}

/// No pointer to several structures comes to lead to one of them because another is left out.
#[test]
fn a_pointer_to_several_leads_to_none_of_them_that_is_left() {
    let file = b"0 HEAD\n1 CHAR UTF-8\n0 @A@ TRLR x\n0 @A@ INDI\n0 @B@ NOTE @A@\n0 TRLR\n";
    let dataset = match elf_model::read(file, &Rules::WILD, &ReadOptions::default(), &mut ()) {
        Ok(dataset) => dataset,
        Err(elf_model::ReadError::Partial(dataset)) => *dataset,
        Err(error) => panic!("{error}"),
    };
    let (mut octets, mut findings): (_, Vec<Diagnostic>) = (Vec::new(), Vec::new());
    elf_model::write(&dataset, &mut octets, &Rules::WILD, &WriteOptions::new(), &mut findings)
        .expect("memory");
    let text = String::from_utf8_lossy(&octets);
    assert!(text.ends_with("0 @AX1@ INDI\n0 @B@ NOTE @A@\n0 TRLR\n"), "{text}");
    let codes: Vec<&str> = findings.iter().map(|finding| finding.code.id()).collect();
    assert_eq!(codes, ["E0801", "E0811", "E0805"]);
}
