//! Values of payloads by the types of their structures.
#![allow(clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

use elf_schema::elf_values::Age;
use elf_schema::{Datatype, Diagnostic, ReadOptions, Reader, Rules, Schema, TypedDocument, Value, read};

fn typed<'o>(octets: &'o [u8], found: &mut Vec<Diagnostic>) -> TypedDocument<'o> {
    let options = ReadOptions::default().with_check_values(true);
    read(octets, &Rules::WILD, &options, found).expect("small")
}

/// Code, line and columns of the findings about values.
fn places(found: &[Diagnostic]) -> Vec<(&'static str, u64, u64, u64)> {
    let of_values = found.iter().filter(|found| found.code.id().starts_with("E06"));
    let place = |found: &Diagnostic| {
        let place = found.place.expect("a place");
        (found.code.name(), place.line, place.column, place.end_column)
    };
    of_values.map(place).collect()
}

#[test]
fn a_type_of_the_file_has_the_datatype_of_its_nearest_supertype() {
    let file = "0 HEAD\n1 CHAR UTF-8\n1 SCHMA\n2 PRFX elf https://terms.fhiso.org/elf/\n2 PRFX e https://e.example/\n\
                2 IRI e:R\n3 TAG REC elf:Document\n\
                2 IRI e:Near\n3 ISA elf:TIME_VALUE\n\
                2 IRI e:Date\n3 ISA e:Between\n3 TAG DATE e:R\n\
                2 IRI e:Between\n3 ISA elf:DATE_VALUE\n3 ISA e:Circle\n\
                2 IRI e:Circle\n3 ISA e:Between\n\
                2 IRI e:Both\n3 ISA elf:DATE_VALUE\n3 ISA elf:AGE_AT_EVENT\n3 TAG BOTH e:R\n\
                2 IRI e:Time\n3 ISA e:Between\n3 ISA e:Near\n3 ISA elf:TIME_VALUE\n3 TAG TIME e:R\n\
                0 REC\n1 DATE 5 JAN 1900\n1 BOTH 5\n1 TIME 12:30\n0 TRLR\n";
    let typed = typed(file.as_bytes(), &mut Vec::new());
    let record = typed.records().next().expect("a record");
    let datatypes: Vec<_> = record.substructures().map(|node| typed.datatype(node)).collect();
    assert_eq!(datatypes, [Datatype::DateValue, Datatype::Text, Datatype::Time]);
    let values: Vec<_> = record.substructures().filter_map(|node| typed.value(node)).collect();
    assert!(matches!(values.as_slice(), [Value::Date(_), Value::Text(_), Value::Time(_)]), "{values:?}");
}

#[test]
fn a_long_chain_of_supertypes_is_followed_in_proportion_to_its_length() {
    let mut file = "0 HEAD\n1 CHAR UTF-8\n1 SCHMA\n2 PRFX elf https://terms.fhiso.org/elf/\n2 PRFX e https://e.example/\n\
                    2 IRI e:0\n3 ISA elf:DATE_VALUE\n"
        .to_owned();
    for number in 1..100_000 {
        file.push_str(&format!("2 IRI e:{number}\n3 ISA e:{}\n", number - 1));
    }
    file.push_str("0 TRLR\n");
    let typed = typed(file.as_bytes(), &mut Vec::new());
    let last = typed.schema().type_of("https://e.example/99999").expect("a type");
    assert_eq!(typed.schema().datatype(last), Datatype::DateValue);
}

#[test]
fn every_type_of_the_table_is_one_of_the_built_in_schema() {
    let schema = Schema::completed();
    let with = schema.types().filter(|(of, _)| schema.datatype(*of) != Datatype::Text).count();
    assert_eq!(with, 53);
}

#[test]
fn findings_stand_within_the_payload_on_whatever_line() {
    for (lines, expected) in [
        ("2 DATE 5 Oct 1900", vec![("spelling-unusual", 5, 8, 18)]),
        ("2 DATE 5 Oct 76", vec![("year-doubtful", 5, 14, 16)]),
        ("2 DATE 5  October 1900", vec![("date-impossible", 5, 8, 23)]),
        ("2 DATE BET 31 FEB 1900 AND 5 MAR 1900", vec![("date-impossible", 5, 12, 23)]),
        (
            "2 DATE BET 31 FEB 1900\n3 CONC  AND 32 MAR 1900",
            vec![("date-impossible", 5, 12, 23), ("date-impossible", 6, 13, 24)],
        ),
        ("2 DATE (one @@) 1900", vec![("date-malformed", 5, 17, 21)]),
        ("2 DATE @#DJULIAN@ 31 FEB 1900", vec![("date-impossible", 5, 8, 30)]),
        ("2 DATE BET 1915 AND 1904", vec![("date-reversed", 5, 8, 25)]),
        ("2 AGE 8w", vec![("age-malformed", 5, 8, 9)]),
        ("2 DATE 5 OCT 1900\n2 AGE 52y", vec![]),
        ("2 DATE\n2 AGE\n2 NOTE 8w", vec![]),
        ("1 CHAN\n2 DATE 5 OCT 1900\n3 TIME noon", vec![("time-malformed", 7, 8, 12)]),
    ] {
        let file = format!("0 HEAD\n1 CHAR UTF-8\n0 INDI\n1 BIRT\n{lines}\n0 TRLR\n");
        let mut found = Vec::new();
        typed(file.as_bytes(), &mut found);
        assert_eq!(places(&found), expected, "{lines}");
    }
}

#[test]
fn places_are_right_in_every_encoding() {
    let text = "0 HEAD\n1 CHAR UNICODE\n0 INDI\n1 NAME Zoë\n1 BIRT\n2 DATE (é) 5 Oct 1900\n0 TRLR\n";
    let utf_16: Vec<u8> =
        "\u{feff}".encode_utf16().chain(text.encode_utf16()).flat_map(u16::to_le_bytes).collect();
    let ansel = b"0 HEAD\n1 CHAR ANSEL\n0 INDI\n1 NAME Zo\xe8e\n1 BIRT\n2 DATE (\xe2e) 5 Oct 1900\n0 TRLR\n";
    for octets in [utf_16.as_slice(), ansel] {
        let mut found = Vec::new();
        let typed = typed(octets, &mut found);
        let place =
            found.iter().find(|found| found.code.name() == "date-malformed").and_then(|found| found.place);
        let place = place.expect("a place");
        assert_eq!(place.line, 6);
        let at = usize::try_from(place.octet).expect("small");
        let wide = typed.document().source().decision().used.name().starts_with("UTF-16");
        let five: &[u8] = if wide { b"5\0" } else { b"5" };
        assert_eq!(octets.get(at..at + five.len()), Some(five));
    }
}

#[test]
fn parts_have_the_findings_of_the_whole() {
    let mut file = "0 HEAD\n1 CHAR UTF-8\n".to_owned();
    for number in 0..300 {
        file.push_str(&format!(
            "0 @I{number}@ INDI\n1 BIRT\n2 DATE {number} JAN 19{number}\n2 AGE {number}w\n"
        ));
        file.push_str("1 _UID x\n1 DEAT\n2 DATE BET 1900\n3 CONC  AND 18\n3 CONC 00\n");
    }
    file.push_str("0 TRLR\n");
    let mut whole = Vec::new();
    typed(file.as_bytes(), &mut whole);
    assert!(places(&whole).len() > 800);
    for size in [1, 1_000, 1 << 20] {
        let options = ReadOptions::default().with_check_values(true);
        let mut reader = Reader::new(file.as_bytes(), &Rules::WILD, options).with_run_size(size);
        let mut parts = Vec::new();
        while let Some(part) = reader.next_run(&mut parts).expect("memory") {
            let values = part.document().structures().filter_map(|node| part.value(node)).count();
            assert!(values > 0 || part.document().records().next().is_none());
        }
        assert_eq!(places(&parts), places(&whole), "{size}");
    }
}

#[test]
fn gedcom_7_has_other_grammars() {
    let file = b"0 HEAD\n1 GEDC\n2 VERS 7.0\n0 INDI\n1 SEX X\n1 NAME A /B/\n2 GIVN A, B\n1 BIRT\n\
        2 DATE JULIAN 3 MAR 44 BCE\n2 AGE 8w\n2 PLAC a, b\n0 TRLR\n";
    let mut found = Vec::new();
    let good = typed(file, &mut found);
    assert_eq!(places(&found), []);
    let person = good.records().next().expect("a person");
    let values: Vec<Value<'_>> = person.descendants().filter_map(|node| good.value(node)).collect();
    assert!(matches!(
        values.as_slice(),
        [
            Value::Word("X"),
            Value::Name(_),
            Value::Text(_),
            Value::Date(_),
            Value::Age(Age::Quantity(None, _)),
            Value::List(_)
        ]
    ));
    // Extensions are the months that the header says they are.
    let file = b"0 HEAD\n1 GEDC\n2 VERS 7.0\n1 SCHMA\n2 TAG _MAI https://gedcom.io/terms/v7/month-MAY\n0 INDI\n\
        1 BIRT\n2 DATE 31 _MAI 1900\n1 DEAT\n2 DATE 31 _JUIN 1900\n1 BURI\n2 DATE HEBREW 1 _MAI 5000\n0 TRLR\n";
    let mut found = Vec::new();
    typed(file, &mut found);
    assert_eq!(places(&found).len(), 2, "{found:?}");
    assert!(found.iter().all(|one| one.code.name() == "date-impossible"));
    // What is in the grammars of ELF alone is at fault.
    let file =
        b"0 HEAD\n1 GEDC\n2 VERS 7.0\n0 INDI\n1 BIRT\n2 DATE @#DJULIAN@ 3 MAR 44 B.C.\n2 AGE CHILD\n0 TRLR\n";
    for schema in [None, Some(Schema::completed().clone())] {
        let mut found: Vec<Diagnostic> = Vec::new();
        let options = ReadOptions::default().with_check_values(true).with_schema(schema);
        read(file, &Rules::WILD, &options, &mut found).expect("small");
        found.retain(|found| found.code.name().ends_with("-malformed"));
        let found: Vec<(&str, u64)> =
            found.iter().map(|one| (one.code.name(), one.place.map_or(0, |place| place.line))).collect();
        assert_eq!(found, [("date-malformed", 6), ("age-malformed", 7)]);
    }
}

#[test]
fn the_drafts_of_2017_know_no_datatypes() {
    let file = b"0 HEAD\n1 GEDC\n2 VERS 5.5.1\n2 FORM LINEAGE-LINKED\n1 CHAR UTF-8\n0 @I1@ INDI\n1 BIRT\n2 DATE 5 Oct 1900\n0 TRLR\n";
    for rules in [&Rules::OCTOBER_2017, &Rules::JULY_2017] {
        let mut found = Vec::new();
        let options = ReadOptions::default().with_check_values(true);
        read(file, rules, &options, &mut found).expect("small");
        assert_eq!(places(&found), []);
    }
}

/// A structure of another document has the index of one of this, and nothing else of it.
#[test]
fn structures_of_other_documents_have_no_type_and_no_value() {
    let file = b"0 HEAD\n1 CHAR UTF-8\n0 @I1@ INDI\n1 BIRT\n2 DATE 1815\n0 TRLR\n";
    let [one, other] = [(); 2].map(|()| typed(file, &mut Vec::new()));
    let own = one.document().structures().last().expect("a date");
    let foreign = other.document().structures().last().expect("a date");
    assert!(own.id() == foreign.id() && one.type_of(own).is_some() && one.value(own).is_some());
    assert_eq!((one.type_of(foreign), one.type_id(foreign), one.value(foreign)), (None, None, None));
    assert_eq!((one.datatype(own), one.datatype(foreign)), (Datatype::DateValue, Datatype::Text));
    assert!(one.why(foreign).is_none());
    let person = other.records().next().expect("a person");
    let event = elf_schema::vocabulary::elf::EVENT;
    assert_eq!(one.substructures_of_type(person, event).count(), 0);
    assert_eq!(other.substructures_of_type(person, event).count(), 1);
    // The types alone know their document too, wherever that went.
    let (document, typing) = other.into_parts();
    let document = document.into_owned();
    let date = document.structures().last().expect("a date");
    assert_eq!(typing.value(date).and_then(|date| date.as_date()?.edtf()).as_deref(), Some("1815"));
    assert_eq!((typing.value(own), typing.datatype(own), typing.type_id(own)), (None, Datatype::Text, None));
    assert_eq!(
        (typing.of_type(&document, event).count(), typing.of_type(one.document(), event).count()),
        (1, 0)
    );

    // Each run of a document knows its own.
    let mut reader = Reader::new(&file[..], &Rules::WILD, ReadOptions::default());
    let part = reader.next_run(&mut ()).expect("memory").expect("a part");
    let date = part.document().structures().last().expect("a date");
    assert!(part.type_of(date).is_some() && part.value(date).is_some());
    assert_eq!((part.type_of(own), part.value(own), part.datatype(own)), (None, None, Datatype::Text));
}
