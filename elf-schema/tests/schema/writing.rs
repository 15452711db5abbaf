//! From types back to tags, and schemas as they are written (J19 §3.2, §4.2; O17 §6.3).

#![allow(clippy::expect_used, reason = "a test that cannot go on fails")]

use elf_schema::elf_tagged::write::{Content, Preamble, PreambleLine, WriteOptions, Writer};
use elf_schema::vocabulary::elf;
use elf_schema::{
    Diagnostic, Dictionary, DictionaryTagger, Options, ReadOptions, Rules, Schema, SchemaForm, TagError,
    Tagger, read,
};

const SHOE: &str = "https://e.example/Shoe";

/// Returns what is in the header of a file that is written with those lines.
fn header(lines: Option<Vec<PreambleLine<'static>>>, rules: &Rules) -> String {
    let mut octets = Vec::new();
    let mut findings: Vec<Diagnostic> = Vec::new();
    let mut writer =
        Writer::new(&mut octets, rules, &WriteOptions::new(), &mut findings).expect("good options");
    writer.head(&Preamble::new().with_schema(lines)).expect("writing to memory");
    writer.structure(0, None, "NOTE", Content::None).expect("writing to memory");
    writer.finish().expect("writing to memory");
    assert!(findings.is_empty(), "{findings:?}");
    String::from_utf8(octets).expect("UTF-8")
}

/// Reads back the schema of a file written with it.
fn again(schema: &Schema, rules: &Rules, form: SchemaForm) -> Schema {
    let text = header(schema.to_lines(rules, form), rules);
    let document = elf_schema::elf_tagged::read(text.as_bytes(), rules, &Options::default(), &mut ())
        .expect("a short text");
    let mut findings: Vec<Diagnostic> = Vec::new();
    let schema = Schema::of_document(&document, &(), &mut findings);
    assert!(findings.is_empty(), "{text}\n{findings:?}");
    schema.unwrap_or_else(|| Schema::default_of(rules).expect("a default").as_ref().clone())
}

fn facts(schema: &Schema) -> Vec<String> {
    let mut facts: Vec<String> = schema.definitions().map(|one| format!("{one:?}")).collect();
    for (of, iri) in schema.types() {
        facts.extend(
            schema.supertypes(of).filter_map(|(above, _)| Some(format!("{iri} < {}", schema.iri(above)?))),
        );
    }
    facts.extend(schema.escapes().iter().map(|escape| format!("{} {:?}", escape.tag, escape.types)));
    facts.sort();
    facts
}

#[test]
fn new_tags_are_defined_where_there_are_none() {
    // J19-TAG-09, J19-TAG-20, J19-TAG-26, J19-TAG-27
    let mut tagger = Tagger::new(Schema::published());
    let mut tag = |above: &str, of: &str| tagger.tag(above, of).expect("a tag").to_string();
    assert_eq!(tag(elf::DOCUMENT, elf::NOTE_RECORD), "NOTE");
    assert_eq!(tag(elf::INDIVIDUAL_RECORD, elf::BIRTH), "BIRT");
    assert_eq!(tag(elf::BIRTH, elf::DATE_VALUE), "DATE");
    assert_eq!(tag(elf::INDIVIDUAL_RECORD, SHOE), "_SHOE");
    assert_eq!(tag(elf::SUBMITTER_RECORD, elf::ADDRESS_EMAIL), "EMAIL");
    assert_eq!(tag(elf::SUBMITTER_RECORD, elf::ADDRESS_EMAIL), "EMAIL");
    // One tag for a type, also where it is new.
    assert_eq!(tag(elf::FAM_RECORD, SHOE), "_SHOE");
    assert_eq!(tag(SHOE, elf::NOTE_STRUCTURE), "NOTE");
    // Names alike get numbers.
    assert_eq!(tag(elf::FAM_RECORD, "https://f.example/shoe"), "_SHOE2");
    assert_eq!(tag(elf::FAM_RECORD, "https://e.example/A-very-long-name#indeed,too-long"), "_INDEEDTOOLONG");
    assert_eq!(tag(elf::FAM_RECORD, "https://e.example/Ж"), "_X");
    let schema = tagger.into_schema();
    assert_eq!(schema.conflicts(), []);
    assert_eq!(facts(&again(&schema, &Rules::JANUARY_2019, SchemaForm::Reference)), facts(&schema));
}

#[test]
fn tags_of_undefined_structures_are_not_taken() {
    // J19-TAG-21
    let mut tagger = Tagger::new(Schema::published());
    tagger.avoid("_SHOE");
    assert_eq!(&*tagger.tag(elf::INDIVIDUAL_RECORD, SHOE).expect("a tag"), "_SHOE2");
}

#[test]
fn what_stands_for_no_structure_is_refused() {
    // J19-TAG-22, J19-TAG-28
    let mut tagger = Tagger::new(Schema::published());
    for iri in [elf::DOCUMENT, elf::METADATA] {
        let refused = tagger.tag(elf::INDIVIDUAL_RECORD, iri).expect_err("a refusal");
        assert_eq!(refused, TagError::NoStructure { iri: iri.to_owned() });
    }
    assert!(matches!(tagger.tag(elf::DOCUMENT, "no IRI"), Err(TagError::NoTerm { .. })));
    assert!(matches!(tagger.tag(elf::DOCUMENT, "https://e.example/%41"), Err(TagError::NoTerm { .. })));
    let undefined = |tag: &str| elf_schema::term::undefined(tag);
    assert_eq!(&*tagger.tag(elf::DOCUMENT, &undefined("UNDEF")).expect("a tag"), "UNDEF");
    assert_eq!(&*tagger.tag(elf::DOCUMENT, &undefined("BURI")).expect("a tag"), "BURI");
    let refused = tagger.tag(elf::BIRTH, &undefined("DATE")).expect_err("a refusal");
    let read_as = elf::DATE_VALUE.to_owned();
    assert_eq!(refused, TagError::Claimed { tag: "DATE".to_owned(), read_as });
    assert_eq!(refused.code().name(), "tag-claimed");
    assert!(tagger.schema().definitions().count() == 207, "nothing was defined");
}

#[test]
fn reserved_pairs_are_not_claimed() {
    // J19-TAG-23: a type that has a reserved tag elsewhere gets another one there.
    let text = "0 HEAD\n1 SCHMA\n2 PRFX elf https://terms.fhiso.org/elf/\n2 PRFX ex https://e.example/\n2 IRI ex:C\n\
                3 TAG CHAR elf:Event\n2 IRI elf:Event\n0 TRLR\n";
    let schema = Schema::read("made.elf", text.as_bytes(), &Options::default(), &(), &mut ())
        .expect("short")
        .expect("a schema");
    let mut tagger = Tagger::new(&schema);
    assert_eq!(&*tagger.tag(elf::EVENT, "https://e.example/C").expect("a tag"), "CHAR");
    assert_eq!(&*tagger.tag(elf::METADATA, "https://e.example/C").expect("a tag"), "_C");
}

#[test]
fn the_default_schema_is_preferred() {
    // J19-TAG-24, J19-TAG-25
    let text = "0 HEAD\n1 SCHMA\n2 IRI https://terms.fhiso.org/elf/BIRTH\n\
                3 TAG _BORN https://terms.fhiso.org/elf/INDIVIDUAL_RECORD\n\
                2 SCHMA https://fhiso.org/TR/elf-data-model/v1.0.0\n0 TRLR\n";
    let schema = Schema::read("made.elf", text.as_bytes(), &Options::default(), &(), &mut ())
        .expect("short")
        .expect("a schema");
    assert_eq!(schema.tags_of(elf::BIRTH, elf::INDIVIDUAL_RECORD).len(), 2);
    let mut tagger = Tagger::new(&schema);
    assert_eq!(&*tagger.tag(elf::INDIVIDUAL_RECORD, elf::BIRTH).expect("a tag"), "BIRT");
    // GEDCOM's own spelling before the misprint, where both are to be had.
    let mut tagger = Tagger::new(Schema::completed());
    assert_eq!(&*tagger.tag(elf::INDIVIDUAL_RECORD, elf::BURIAL).expect("a tag"), "BURI");
}

#[test]
fn a_tag_shared_by_subtypes_of_two_types_is_not_given_to_a_third() {
    // NOTE means two things already; where a record may be both, it is not free.
    let mut tagger = Tagger::new(Schema::published());
    let note = tagger.tag("https://e.example/Thing", elf::NOTE_RECORD).expect("a tag");
    assert_eq!(&*note, "NOTE");
    let note = tagger.tag(elf::SOURCE_RECORD, elf::NOTE_RECORD).expect("a tag");
    assert_eq!(&*note, "_NOTE_RECORD");
    assert_eq!(tagger.schema().conflicts(), []);
}

#[test]
fn schemas_read_back_as_they_were_written() {
    // J19-SCH-05, J19-SER-22
    for schema in [Schema::published(), Schema::completed()] {
        for rules in [&Rules::JANUARY_2019, &Rules::DECLARATIVE, &Rules::DECEMBER_2019, &Rules::WILD] {
            for form in [SchemaForm::Reference, SchemaForm::Inline] {
                let text = header(schema.to_lines(rules, form), rules);
                assert!(text.matches("1 SCHMA").count() <= 1, "{text}");
                assert_eq!(facts(&again(schema, rules, form)), facts(schema), "{} {form:?}", rules.name);
            }
        }
    }
    // Nothing needs to be said of what is in force anyway.
    assert!(Schema::completed().to_lines(&Rules::WILD, SchemaForm::Inline).is_none());
    assert!(Schema::published().to_lines(&Rules::WILD, SchemaForm::Inline).is_some());
    assert!(Schema::completed().to_lines(&Rules::OCTOBER_2017, SchemaForm::Inline).is_none());
}

#[test]
fn references_are_kept() {
    let text = "0 HEAD\n1 SCHMA\n2 SCHMA https://e.example/s\n2 IRI https://e.example/A\n\
                3 TAG _A https://e.example/B\n0 TRLR\n";
    let mut supplied = elf_schema::source::SuppliedSchemas::new();
    let external =
        b"0 HEAD\n1 SCHMA\n2 ESC _A Q\n2 IRI https://e.example/B\n3 TAG _B https://e.example/B\n0 TRLR\n";
    supplied.add("https://e.example/s", external.to_vec(), None);
    let options = ReadOptions::default().with_external(&supplied);
    let typed = read(text.as_bytes(), &Rules::JANUARY_2019, &options, &mut ()).expect("a short text");
    let written =
        header(typed.schema().to_lines(&Rules::JANUARY_2019, SchemaForm::Reference), &Rules::JANUARY_2019);
    let reference =
        "1 SCHMA\n2 SCHMA https://e.example/s\n2 IRI https://e.example/A\n3 TAG _A https://e.example/B\n0 ";
    assert!(written.contains(reference), "{written}");
    let inline =
        header(typed.schema().to_lines(&Rules::JANUARY_2019, SchemaForm::Inline), &Rules::JANUARY_2019);
    assert!(!inline.contains("2 SCHMA") && inline.contains("2 ESC _A Q\n"), "{inline}");
    // What was not to be had can only be referred to.
    let typed =
        read(text.as_bytes(), &Rules::JANUARY_2019, &ReadOptions::default(), &mut ()).expect("a short text");
    let inline =
        header(typed.schema().to_lines(&Rules::JANUARY_2019, SchemaForm::Inline), &Rules::JANUARY_2019);
    assert!(inline.contains("2 SCHMA https://e.example/s\n"), "{inline}");
}

#[test]
fn a_prefix_that_is_a_scheme_shortens_nothing() {
    let text = "0 HEAD\n1 SCHMA\n2 PRFX https urn:x:\n2 PRFX u urn:y:\n2 IRI u:A\n3 TAG _A u:A\n2 IRI https:B\n0 TRLR\n";
    let schema = Schema::read("made.elf", text.as_bytes(), &Options::default(), &(), &mut ())
        .expect("short")
        .expect("a schema");
    let schema = again(&schema, &Rules::JANUARY_2019, SchemaForm::Inline);
    assert!(schema.type_of("urn:x:B").is_some() && schema.type_of("urn:y:A").is_some());
    // Were it a prefix of this schema, the IRI would be changed by it.
    let mut tagger = Tagger::new(&schema);
    tagger.tag("urn:y:A", "https://e.example/C").expect("a tag");
    let schema = again(&tagger.into_schema(), &Rules::JANUARY_2019, SchemaForm::Inline);
    assert!(schema.type_of("https://e.example/C").is_some());
}

#[test]
fn dictionary_of_2017() {
    // O17-040, O17-041, O17-072, O17-112 to O17-114, O17-119
    let mut tagger = DictionaryTagger::new(&Dictionary::default());
    let mut tag = |iri: &str| tagger.tag(iri).expect("a tag").to_string();
    assert_eq!(tag("http://terms.fhiso.org/elf/ADDR"), "ADDR");
    assert_eq!(tag("http://e.org/T"), "E_T");
    assert_eq!(tag("http://e.org/U_V"), "E_U_V");
    // It would be read back as http://e.org/X.
    assert_ne!(tag("http://terms.fhiso.org/elf/E_X"), "E_X");
    assert_ne!(tag("http://terms.fhiso.org/elf/CONT"), "CONT");
    assert_eq!(tag("http://e/a-b"), "AB");
    let dictionary = tagger.into_dictionary();
    let mut lines = String::from("0 HEAD\n");
    for line in dictionary.to_lines() {
        lines.push_str(&format!("{} {} {}\n", line.level, line.tag, line.payload));
    }
    let document =
        elf_schema::elf_tagged::read(lines.as_bytes(), &Rules::OCTOBER_2017, &Options::default(), &mut ())
            .expect("a short text");
    let mut findings: Vec<Diagnostic> = Vec::new();
    let read = Dictionary::of_document(&document, &mut findings);
    assert!(findings.is_empty(), "{findings:?}");
    let mut tagger = DictionaryTagger::new(&read);
    for iri in [
        "http://terms.fhiso.org/elf/ADDR",
        "http://e.org/T",
        "http://e.org/U_V",
        "http://terms.fhiso.org/elf/E_X",
        "http://terms.fhiso.org/elf/CONT",
        "http://e/a-b",
    ] {
        let tag = tagger.tag(iri).expect("a tag");
        assert_eq!(read.resolve(&tag).as_deref(), Some(iri));
    }
    // Nothing had to be added.
    assert_eq!(tagger.into_dictionary().to_lines(), read.to_lines());
}

#[test]
fn what_is_wrong_with_a_schema_is_not_written_again() {
    let octets = "0 HEAD\n1 CHAR UTF-8\n1 SCHMA\n2 PRFX ex http://e.example/\n2 PRFX one\n2 IRI ex:Shoe\n\
                  3 TAG BAD-TAG elf:INDIVIDUAL_RECORD\n3 TAG _SHOE elf:INDIVIDUAL_RECORD\n2 FOO x\n3 BAR y\n\
                  0 TRLR\n";
    let rules = &Rules::JANUARY_2019;
    let document = elf_tagged::read(octets.as_bytes(), rules, &Options::default(), &mut ()).expect("small");
    let (mut written, mut losses) = (Vec::new(), Vec::<Diagnostic>::new());
    let read = ReadOptions::default();
    let summary =
        elf_schema::convert(document, &read, &mut written, rules, &WriteOptions::new(), &mut losses)
            .expect("memory");
    let lines: Vec<u64> = losses.iter().filter_map(|loss| Some(loss.place.as_ref()?.line)).collect();
    assert_eq!((summary.losses, &*lines), (3, &[5, 7, 9][..]), "{losses:?}");
    assert_eq!(
        String::from_utf8_lossy(&written),
        "0 HEAD\n1 CHAR UTF-8\n1 SCHMA\n2 PRFX ex http://e.example/\n2 IRI ex:Shoe\n\
         3 TAG _SHOE elf:INDIVIDUAL_RECORD\n0 TRLR\n"
    );
}
