//! Writing run by run: what is written, and what is refused.
#![allow(clippy::expect_used, reason = "a test fails by panicking")]

use crate::writing::{survey_runs, write_in_runs, write_whole};

use elf_tagged::write::{RunWriter, Survey, WriteError, WriteOptions};
use elf_tagged::{Options, Reader, Rules};

/// Five runs of one record each. One record has to be renamed in December 2019, so that a rehearsal is needed.
const FILE: &[u8] = b"0 HEAD\n1 CHAR UTF-8\n0 @I1@ INDI\n1 FAMC @F1@\n0 @F1@ FAM\n0 @N#1@ NOTE x\n0 TRLR\n";
const FROM: &Rules = &Rules::WILD;
const TO: &Rules = &Rules::DECEMBER_2019;

fn runs(file: &[u8]) -> Reader<&[u8]> {
    Reader::new(file, FROM, &Options::default()).with_run_size(1)
}

#[test]
fn runs_are_written_as_the_whole_is() {
    let options = WriteOptions::new();
    let example = include_bytes!("../../../examples/haugen.ged");
    for file in [FILE, example] {
        for from in Rules::PRESETS {
            for to in Rules::PRESETS {
                let whole = write_whole(file, from, to, &options);
                for size in [1, 30, 1 << 20] {
                    let in_runs = write_in_runs(file, from, to, &options, size);
                    let context = || format!("{} to {} in runs of {size}", from.name, to.name);
                    match (&whole, in_runs) {
                        (Ok((whole, losses)), Ok((in_runs, other))) => {
                            assert_eq!(
                                String::from_utf8_lossy(whole),
                                String::from_utf8_lossy(&in_runs),
                                "{}",
                                context()
                            );
                            assert_eq!(losses.len(), other.len(), "{}", context());
                        }
                        (Err(WriteError::Incomplete), Err(WriteError::Incomplete)) => {}
                        (whole, in_runs) => panic!("{}: {whole:?} {in_runs:?}", context()),
                    }
                }
            }
        }
    }
}

#[test]
fn surveys_that_are_joined_have_the_same_rules() {
    let (mut survey, known) = survey_runs(FILE, FROM, TO, &WriteOptions::new(), 1).expect("good options");
    survey.join(Survey::new(&Rules::JANUARY_2019, &WriteOptions::new()).expect("good options"));
    assert!(matches!(survey.finish(&known), Err(WriteError::MixedSurveys)));
}

#[test]
fn a_writer_puts_what_its_own_encoders_made() {
    // No rehearsal is needed for the same rules.
    let writer = || {
        let (survey, known) = survey_runs(FILE, FROM, FROM, &WriteOptions::new(), 1).expect("good options");
        survey.finish(&known).expect("the same rules")
    };
    let mut sinks = [(), ()];
    let [first_sink, second_sink] = &mut sinks;
    let mut one = RunWriter::new(Vec::new(), writer(), first_sink).expect("not needed");
    let mut other = RunWriter::new(Vec::new(), writer(), second_sink).expect("not needed");
    let mut reader = runs(FILE);
    let head = reader.next_run(&mut ()).expect("memory").expect("a run");
    assert!(one.encoder().is_none(), "the header was not written");
    one.run(&head, None).expect("memory");
    other.run(&head, None).expect("memory");
    let next = reader.next_run(&mut ()).expect("memory").expect("a run");
    let [own, foreign] =
        [&one, &other].map(|writer| writer.encoder().expect("one").encode(&next).expect("memory"));
    assert!(matches!(one.write_encoded(foreign), Err(WriteError::ForeignEncoder)));
    one.write_encoded(own).expect("its own");
}
