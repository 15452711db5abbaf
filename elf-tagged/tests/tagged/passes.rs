//! Passes over a document in parts: what is not all of one document, in its order, is refused.
#![allow(clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

use elf_tagged::write::{PartWriter, Rehearsal, Survey, WriteError, WriteOptions, write_document};
use elf_tagged::{Document, Options, PartError, Reader, Rules, XrefReader, Xrefs, read};
use std::io;
use std::sync::Arc;

/// Header, three records and trailer: five parts. One record has to be renamed in December 2019, so that a
/// rehearsal is needed.
const FILE: &[u8] = b"0 HEAD\n1 CHAR UTF-8\n0 @I1@ INDI\n1 FAMC @F1@\n0 @F1@ FAM\n0 @N#1@ NOTE x\n0 TRLR\n";
const FROM: &Rules = &Rules::WILD;
const TO: &Rules = &Rules::DECEMBER_2019;

fn xref_reader(file: &[u8]) -> XrefReader<&[u8]> {
    XrefReader::new(file, FROM, &Options::default()).with_run_size(1)
}

fn reader<'o>(file: &'o [u8], names: &Arc<Xrefs>) -> Reader<&'o [u8]> {
    Reader::with_xrefs(file, Arc::clone(names)).with_run_size(1)
}

fn new_survey() -> Survey {
    Survey::new(TO, &WriteOptions::new()).expect("good options")
}

/// Surveys the parts of a file that `is_seen` tells of.
fn survey(file: &[u8], is_seen: impl Fn(usize) -> bool) -> (Survey, Arc<Xrefs>) {
    let (mut survey, mut first) = (new_survey(), xref_reader(file));
    let mut number = 0;
    while let Some(part) = first.next_run().expect("memory") {
        if is_seen(number) {
            survey.see(&part);
        }
        number += 1;
    }
    (survey, Arc::new(first.into_xrefs().expect("memory")))
}

fn rehearsal(file: &[u8]) -> (Rehearsal, Arc<Xrefs>) {
    let (survey, names) = survey(file, |_| true);
    (survey.finish(&names).expect("all parts"), names)
}

/// Rehearses so many parts of a file.
fn rehearsed(file: &[u8], parts: usize) -> (Rehearsal, Arc<Xrefs>) {
    let (mut rehearsal, names) = rehearsal(file);
    let mut reader = reader(file, &names);
    for _ in 0..parts {
        let Some(part) = reader.next_run(&mut ()).expect("memory") else { break };
        rehearsal.see(&part, None).expect("the next part");
    }
    (rehearsal, names)
}

fn part_error<T>(result: Result<T, WriteError>) -> Option<PartError> {
    match result {
        Err(WriteError::Part(error)) => Some(error),
        Err(error) => panic!("{error}"),
        Ok(_) => None,
    }
}

#[test]
fn a_survey_is_of_all_parts_once_each() {
    let found = |is_seen: fn(usize) -> bool| {
        let (survey, names) = survey(FILE, is_seen);
        part_error(survey.finish(&names))
    };
    assert_eq!(found(|_| true), None);
    assert_eq!(found(|_| false), Some(PartError::Missing(0)));
    assert_eq!(found(|number| number < 2), Some(PartError::Missing(2)));
    assert_eq!(found(|number| number != 1), Some(PartError::Missing(1)));

    let (mut twice, names) = survey(FILE, |_| true);
    twice.join(survey(FILE, |_| true).0);
    assert_eq!(part_error(twice.finish(&names)), Some(PartError::Foreign(0)), "another reading");
    let (mut first, mut survey) = (xref_reader(FILE), new_survey());
    while let Some(part) = first.next_run().expect("memory") {
        survey.see(&part);
        survey.see(&part);
    }
    let names = first.into_xrefs().expect("memory");
    assert_eq!(part_error(survey.finish(&names)), Some(PartError::Repeated(0)));
}

#[test]
fn parts_of_a_survey_come_in_any_order() {
    let (mut first, mut surveys) = (xref_reader(FILE), Vec::new());
    while let Some(part) = first.next_run().expect("memory") {
        let mut survey = new_survey();
        survey.see(&part);
        surveys.push(survey);
    }
    let names = first.into_xrefs().expect("memory");
    for order in [[0, 1, 2, 3, 4], [4, 3, 2, 1, 0], [2, 0, 4, 3, 1]] {
        let mut survey = new_survey();
        order.iter().for_each(|&at| survey.join(surveys[at].clone()));
        assert_eq!(part_error(survey.finish(&names)), None, "{order:?}");
    }
}

#[test]
fn names_are_of_the_document_that_was_surveyed() {
    let (survey_of_one, _) = survey(FILE, |_| true);
    let (_, names_of_other) = survey(b"0 HEAD\n0 @X@ INDI\n0 TRLR\n", |_| true);
    assert_eq!(part_error(survey_of_one.finish(&names_of_other)), Some(PartError::Foreign(0)));
}

#[test]
fn surveys_that_are_joined_have_the_same_rules() {
    let (mut survey, names) = survey(FILE, |_| true);
    survey.join(Survey::new(&Rules::JANUARY_2019, &WriteOptions::new()).expect("good options"));
    assert!(matches!(survey.finish(&names), Err(WriteError::MixedSurveys)));
}

#[test]
fn a_rehearsal_is_of_all_parts_in_their_order() {
    let (all, _) = rehearsed(FILE, 5);
    assert!(all.is_needed());
    assert_eq!(part_error(PartWriter::new(Vec::new(), all, &mut ())), None);
    for few in [1, 4] {
        let (rehearsal, _) = rehearsed(FILE, few);
        let missing = PartError::Missing(few as u64);
        assert_eq!(part_error(PartWriter::new(Vec::new(), rehearsal, &mut ())), Some(missing));
    }
    let (none, names) = rehearsed(FILE, 0);
    assert!(matches!(PartWriter::new(Vec::new(), none.clone(), &mut ()), Err(WriteError::Unrehearsed)));

    let (mut skipping, mut reader) = (none, reader(FILE, &names));
    reader.next_run(&mut ()).expect("memory").expect("a part");
    let second = reader.next_run(&mut ()).expect("memory").expect("a part");
    let expected = PartError::OutOfOrder { expected: 0, found: 1 };
    assert_eq!(part_error(skipping.see(&second, None)), Some(expected));
}

/// Writes the parts of a document that `is_written` tells of, and returns the errors.
fn written(is_written: impl Fn(usize) -> usize) -> Vec<PartError> {
    let (rehearsal, names) = rehearsed(FILE, 5);
    let (mut octets, mut losses) = (Vec::new(), ());
    let mut writer = PartWriter::new(&mut octets, rehearsal, &mut losses).expect("rehearsed");
    let (mut reader, mut number, mut errors) = (reader(FILE, &names), 0, Vec::new());
    while let Some(part) = reader.next_run(&mut ()).expect("memory") {
        for _ in 0..is_written(number) {
            errors.extend(part_error(writer.part(&part, None)));
        }
        number += 1;
    }
    errors.extend(part_error(writer.finish()));
    errors
}

#[test]
fn parts_are_written_once_each_in_their_order() {
    assert_eq!(written(|_| 1), []);
    let order = |expected, found| PartError::OutOfOrder { expected, found };
    let skipped = [order(1, 2), order(1, 3), order(1, 4), PartError::Missing(1)];
    assert_eq!(written(|number| usize::from(number != 1)), skipped);
    assert_eq!(written(|number| usize::from(number < 4)), [PartError::Missing(4)]);
    assert_eq!(written(|number| 1 + usize::from(number == 2)), [PartError::Repeated(2)]);
}

#[test]
fn parts_that_are_written_are_of_the_document_and_read_with_its_names() {
    let (rehearsal, names) = rehearsed(FILE, 5);
    let (mut octets, mut losses) = (Vec::new(), ());
    let mut writer = PartWriter::new(&mut octets, rehearsal, &mut losses).expect("rehearsed");
    let whole = read(FILE, FROM, &Options::default(), &mut ()).expect("small");
    assert_eq!(part_error(writer.part(&whole, None)), Some(PartError::Foreign(0)));
    let mut without_names = Reader::new(FILE, FROM, &Options::default()).with_run_size(1);
    let part = without_names.next_run(&mut ()).expect("memory").expect("a part");
    assert_eq!(part_error(writer.part(&part, None)), Some(PartError::Foreign(0)));

    let [mut one, mut other] = [reader(FILE, &names), reader(FILE, &names)];
    let first = one.next_run(&mut ()).expect("memory").expect("a part");
    assert_eq!(part_error(writer.part(&first, None)), None);
    other.next_run(&mut ()).expect("memory").expect("a part");
    let second = other.next_run(&mut ()).expect("memory").expect("a part");
    assert_eq!(part_error(writer.part(&second, None)), Some(PartError::Foreign(1)), "parts of two readings");
}

#[test]
fn a_writer_takes_what_its_own_encoders_made() {
    let (mut surveys, mut first) = ([new_survey(), new_survey()], xref_reader(FILE));
    while let Some(part) = first.next_run().expect("memory") {
        surveys.iter_mut().for_each(|survey| survey.see(&part));
    }
    let names = Arc::new(first.into_xrefs().expect("memory"));
    let rehearsals = surveys.map(|survey| {
        let mut rehearsal = survey.finish(&names).expect("all parts");
        let mut reader = reader(FILE, &names);
        while let Some(part) = reader.next_run(&mut ()).expect("memory") {
            rehearsal.see(&part, None).expect("the next part");
        }
        rehearsal
    });
    let mut losses = [(), ()];
    let mut writers = rehearsals
        .into_iter()
        .zip(&mut losses)
        .map(|(rehearsal, losses)| PartWriter::new(Vec::new(), rehearsal, losses).expect("rehearsed"));
    let (Some(mut one), Some(mut other)) = (writers.next(), writers.next()) else { panic!("two writers") };
    let mut reader = reader(FILE, &names);
    let head = reader.next_run(&mut ()).expect("memory").expect("a part");
    one.part(&head, None).expect("the first part");
    other.part(&head, None).expect("the first part");
    let next = reader.next_run(&mut ()).expect("memory").expect("a part");
    let encoded = [&one, &other].map(|writer| writer.encoder().expect("one").encode(&next).expect("memory"));
    let [own, foreign] = encoded;
    assert!(matches!(one.put(foreign), Err(WriteError::ForeignEncoder)));
    one.put(own).expect("the next part");
}

#[test]
fn the_parts_of_a_first_reading_are_not_for_writing() {
    let (mut survey, mut first) = (new_survey(), xref_reader(FILE));
    let part = first.next_run().expect("memory").expect("a part");
    let kept: Document<'static> = part.into_owned();
    survey.see(&kept);
    while let Some(part) = first.next_run().expect("memory") {
        survey.see(&part);
    }
    let names = first.into_xrefs().expect("memory");
    let mut rehearsal = survey.finish(&names).expect("all parts");
    assert_eq!(part_error(rehearsal.see(&kept, None)), Some(PartError::Unresolved(0)));
}

#[test]
fn a_part_is_not_written_as_a_whole_document() {
    let mut reader = Reader::new(FILE, FROM, &Options::default()).with_run_size(1);
    let part = reader.next_run(&mut ()).expect("memory").expect("a part");
    let result = write_document(&part, Vec::new(), TO, &WriteOptions::new(), &mut ());
    assert_eq!(part_error(result), Some(PartError::Unresolved(0)));

    let (_, names) = rehearsal(FILE);
    let mut reader = self::reader(FILE, &names);
    let part = reader.next_run(&mut ()).expect("memory").expect("a part");
    let result = write_document(&part, Vec::new(), TO, &WriteOptions::new(), &mut ());
    assert_eq!(part_error(result), Some(PartError::Missing(1)));
}

/// The error that ends a reading of `file` with the names of [`FILE`], in parts of that size.
fn reading(file: &[u8], size: usize) -> Option<PartError> {
    let (_, names) = rehearsal(FILE);
    let mut reader = Reader::with_xrefs(file, names).with_run_size(size);
    loop {
        match reader.next_run(&mut ()) {
            Ok(Some(_)) => {}
            Ok(None) => return None,
            Err(error) => {
                assert_eq!(error.kind(), io::ErrorKind::InvalidData);
                assert!(!reader.is_complete());
                return error.get_ref().and_then(|inner| inner.downcast_ref()).copied();
            }
        }
    }
}

#[test]
fn an_input_that_was_changed_between_two_readings_is_refused() {
    let text = std::str::from_utf8(FILE).expect("text");
    let others = [
        text.replace("FAMC @F1@", "FAMC @F2@"),
        text.replace("NOTE x", "NOTE y"),
        text.replace("0 TRLR", "0 @I2@ INDI\n0 TRLR"),
        text.replace("0 TRLR\n", ""),
        text.replace("0 @F1@ FAM\n0 @N#1@ NOTE x\n", "0 @N#1@ NOTE x\n0 @F1@ FAM\n"),
        "\u{1}\u{2}".to_owned(),
        String::new(),
    ];
    for size in [1, 30, 1 << 20] {
        assert_eq!(reading(FILE, size), None, "in parts of {size}");
        for other in &others {
            assert_eq!(reading(other.as_bytes(), size), Some(PartError::InputChanged), "{other:?}");
        }
    }
}

#[test]
fn nothing_whole_is_written_of_an_input_that_was_changed() {
    let other = String::from_utf8_lossy(FILE).replace("NOTE x", "NOTE y");
    let (rehearsal, names) = rehearsed(FILE, 5);
    let mut octets = Vec::new();
    let mut losses = ();
    let mut writer = PartWriter::new(&mut octets, rehearsal, &mut losses).expect("rehearsed");
    let mut reader = reader(other.as_bytes(), &names);
    while let Ok(Some(part)) = reader.next_run(&mut ()) {
        assert_eq!(part_error(writer.part(&part, None)), None);
    }
    assert!(!reader.is_done(), "it still has to say so");
    assert_eq!(part_error(writer.finish()), Some(PartError::Missing(4)));
}

#[test]
fn outcomes_are_of_the_parts_that_were_handed_out() {
    let file: &[u8] = b"0 HEAD\n0 @A@ INDI\n0 @B@ INDI\n0 @C@ INDI\n0 TRLR\n";
    let open = || {
        let mut reader = Reader::new(file, FROM, &Options::default()).with_run_size(1);
        reader.next_run(&mut ()).expect("memory").expect("a part");
        reader
    };
    let [mut one, mut other] = [open(), open()];
    let mut foreign = other.divide::<()>().expect("the header is known");
    let foreign = foreign.next_unread().expect("memory").expect("a part");

    let mut divided = one.divide::<u64>().expect("the header is known");
    let parts = [(); 4].map(|()| divided.next_unread().expect("memory").expect("a part"));
    let mut turns = Vec::new();
    let mut take = |part: &elf_tagged::UnreadPart| {
        let (_, outcome) = part.read(&mut ()).expect("small");
        divided.take(outcome, part.number(), &mut (), |number, _| turns.push(number))
    };
    assert_eq!(take(&foreign), Err(PartError::Foreign(1)));
    assert_eq!(take(&parts[2]), Ok(()));
    assert_eq!(take(&parts[2]), Err(PartError::Repeated(3)), "one that waits for its turn");
    assert_eq!(take(&parts[0]), Ok(()));
    assert_eq!(take(&parts[0]), Err(PartError::Repeated(1)), "one whose turn is over");
    assert_eq!(take(&parts[1]), Ok(()));
    assert_eq!(take(&parts[3]), Ok(()));
    assert_eq!(turns, [1, 2, 3, 4]);
    drop(divided);
    assert!(one.is_complete());
}
