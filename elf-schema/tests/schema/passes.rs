//! Passes over a document in parts, with types: what was not studied, comes twice, or is of another document.
#![allow(clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

use elf_schema::{Conversion, Diagnostic, ReadOptions, Reader, Rules};
use elf_tagged::write::{Survey, WriteError, WriteOptions};
use elf_tagged::{Options, PartError, XrefReader, Xrefs};
use std::sync::Arc;

/// The types have to be said in another way, which all parts have to be studied for.
const OWN_TYPES: &[u8] =
    b"0 HEAD\n1 PRFX X_ http://e.example/\n0 @I1@ INDI\n1 X_LAT 54\n0 INDI\n1 X_LAT 55\n0 TRLR\n";
const PLAIN: &[u8] = b"0 HEAD\n1 CHAR UTF-8\n0 @I1@ INDI\n0 TRLR\n";

fn conversion(octets: &[u8]) -> (Conversion<'static>, Arc<Xrefs>) {
    let (rules, options) = (Rules::OCTOBER_2017, Options::default());
    let mut survey = Survey::new(&Rules::JANUARY_2019, &WriteOptions::new()).expect("good options");
    let mut first = XrefReader::new(octets, &rules, &options).with_run_size(1);
    while let Some(part) = first.next_run().expect("memory") {
        survey.see(&part);
    }
    let names = Arc::new(first.into_xrefs().expect("memory"));
    (Conversion::new(survey.finish(&names).expect("all parts"), ReadOptions::default()), names)
}

fn reader<'o>(octets: &'o [u8], names: &Arc<Xrefs>) -> elf_tagged::Reader<&'o [u8]> {
    elf_tagged::Reader::with_xrefs(octets, Arc::clone(names)).with_run_size(1)
}

/// The error of a writer that is asked for when so many parts were studied.
fn error_after(octets: &[u8], parts: usize) -> Option<WriteError> {
    let (mut conversion, names) = conversion(octets);
    let mut reader = reader(octets, &names);
    for _ in 0..parts {
        let mut part = reader.next_run(&mut ()).expect("memory").expect("a part");
        conversion.study(&mut part).expect("the next part");
    }
    conversion.into_writer(Vec::new(), &mut ()).err()
}

#[test]
fn a_conversion_that_did_not_study_its_document_does_not_write() {
    assert!(matches!(error_after(OWN_TYPES, 0), Some(WriteError::Unrehearsed)));
    assert!(matches!(error_after(OWN_TYPES, 1), Some(WriteError::Part(PartError::Missing(1)))));
    assert!(matches!(error_after(OWN_TYPES, 3), Some(WriteError::Part(PartError::Missing(3)))));
    assert!(error_after(OWN_TYPES, 4).is_none());
    // The part that has the header is enough where it says nothing of types.
    assert!(matches!(error_after(PLAIN, 0), Some(WriteError::Unrehearsed)));
    assert!(error_after(PLAIN, 1).is_none());
}

#[test]
fn a_conversion_studies_and_writes_the_parts_of_its_document_in_their_order() {
    let (mut conversion, names) = conversion(OWN_TYPES);
    let (_, others) = self::conversion(PLAIN);
    let mut foreign = reader(PLAIN, &others);
    let mut foreign = foreign.next_run(&mut ()).expect("memory").expect("a part").into_owned();
    let refused = |result| matches!(result, Err(WriteError::Part(PartError::Foreign(0))));
    assert!(refused(conversion.study(&mut foreign)));
    let mut second = reader(OWN_TYPES, &names);
    while let Some(mut part) = second.next_run(&mut ()).expect("memory") {
        conversion.study(&mut part).expect("the next part");
    }
    let mut octets = Vec::new();
    let mut losses: Vec<Diagnostic> = Vec::new();
    let mut writer = conversion.into_writer(&mut octets, &mut losses).expect("studied");
    assert!(refused(writer.part(&mut foreign)));
    let mut third = reader(OWN_TYPES, &names);
    while let Some(mut part) = third.next_run(&mut ()).expect("memory") {
        writer.part(&mut part).expect("the next part");
        assert!(matches!(writer.part(&mut part), Err(WriteError::Part(PartError::Repeated(_)))));
    }
    assert_eq!(writer.finish().expect("all parts").records, 2);
    assert!(String::from_utf8_lossy(&octets).contains("http://e.example/LAT"));
}

#[test]
fn a_part_that_is_read_twice_counts_once() {
    let file = b"0 HEAD\n0 @I1@ INDI\n1 QUAY 1\n0 @I2@ INDI\n1 QUAY 2\n0 TRLR\n";
    let open = || {
        let mut reader = Reader::new(&file[..], &Rules::WILD, ReadOptions::default()).with_run_size(1);
        reader.next_run(&mut ()).expect("memory").expect("a part");
        reader
    };
    let (mut reader, mut other) = (open(), open());
    let mut findings: Vec<Diagnostic> = Vec::new();
    let mut divided = reader.divide().expect("the header is known");
    let mut parts = divided.part_reader();
    while let Some(unread) = divided.next_unread().expect("memory") {
        // The second time it tells the same.
        let (_, first) = parts.read(&unread, &mut ()).expect("small");
        let (_, second) = parts.read(&unread, &mut ()).expect("small");
        divided.take(second, (), &mut findings, |(), _| ()).expect("its own part");
        let again = divided.take(first, (), &mut findings, |(), _| ());
        assert_eq!(again, Err(PartError::Repeated(unread.number())));
    }

    let mut foreign = other.divide::<()>().expect("the header is known");
    let foreign = foreign.next_unread().expect("memory").expect("a part");
    let error = parts.read(&foreign, &mut ()).expect_err("a part of another reading");
    assert_eq!(error.get_ref().and_then(|error| error.downcast_ref()), Some(&PartError::Foreign(1)));

    drop(divided);
    assert!(reader.next_run(&mut findings).expect("memory").is_none());
    let said: Vec<&str> = findings.iter().map(|finding| &*finding.message).collect();
    assert_eq!(said, ["`QUAY` has no meaning beneath `INDI`, here and in 1 more place"]);
}
