//! Reading and converting a document with types in runs: the same as the whole, whatever the runs are.
#![allow(clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

use elf_schema::tally::UndefinedTally;
use elf_schema::{Conversion, Diagnostic, Node, ReadOptions, Reader, Rules, RunTyper, convert};
use elf_tagged::write::{Survey, WriteError, WriteOptions};
use elf_tagged::{KnownXrefs, Options, UnreadRun};
use std::sync::Arc;

/// The types have to be said in another way, for which all runs have to be studied.
const OWN_TYPES: &[u8] =
    b"0 HEAD\n1 PRFX X_ http://e.example/\n0 @I1@ INDI\n1 X_LAT 54\n0 INDI\n1 X_LAT 55\n0 TRLR\n";
const PLAIN: &[u8] = b"0 HEAD\n1 CHAR UTF-8\n0 @I1@ INDI\n0 TRLR\n";
const FAULTY: &[u8] = b"0 HEAD\n1 CHAR UTF-8\n1 SCHMA\n2 IRI http://e.example/LAT\n\
    3 TAG _LAT https://terms.fhiso.org/elf/INDIVIDUAL_RECORD\n0 @I1@ INDI\n1 _LAT 54\n1 QUAY 1\n1 FAMC @F1@\n\
    1 BIRT\n2 DATE 31 FEB 1850\n0 @I1@ INDI\n1 QUAY 2\n1 SEX Q\n0 @F2@ FAM\n1 _OWN x\n1 HUSB @I1@\n0 TRLR\n";
const EXAMPLE: &[u8] = include_bytes!("../../../examples/haugen.ged");

/// Each structure with its type, and the findings in no order.
type Reading = (Vec<String>, Vec<String>);

fn describe<'d>(node: Node<'d>, iri: Option<&str>) -> String {
    format!("{} {:?} {:?} {iri:?}", node.tag(), node.xref(), node.payload())
}

fn sorted(findings: &[Diagnostic]) -> Vec<String> {
    let mut all: Vec<_> =
        findings.iter().map(|one| format!("{} {:?} {}", one.code, one.place, one.message)).collect();
    all.sort();
    all
}

fn options() -> ReadOptions<'static> {
    ReadOptions::default().with_check_values(true)
}

fn read_whole(file: &[u8], rules: &Rules) -> Reading {
    let mut found: Vec<Diagnostic> = Vec::new();
    let typed = elf_schema::read(file, rules, &options(), &mut found).expect("small");
    let structures = typed.document().structures();
    (structures.map(|node| describe(node, typed.type_of(node))).collect(), sorted(&found))
}

fn read_runs(file: &[u8], rules: &Rules, size: usize) -> Reading {
    let mut reader = Reader::new(file, rules, options()).with_run_size(size);
    let (mut all, mut found): (_, Vec<Diagnostic>) = (Vec::new(), Vec::new());
    while let Some(run) = reader.next_run(&mut found).expect("memory") {
        all.extend(run.document().structures().map(|node| describe(node, run.type_of(node))));
    }
    (all, sorted(&found))
}

/// Reads each run after the header by a typer of its own, as threads do, the last run first.
fn read_runs_apart(file: &[u8], rules: &Rules, size: usize) -> Reading {
    let mut reader = elf_tagged::Reader::new(file, rules, &Options::default()).with_run_size(size);
    let (mut all, mut found): (_, Vec<Diagnostic>) = (Vec::new(), Vec::new());
    let (mut typer, mut tally) = (RunTyper::new(options()), UndefinedTally::default());
    let read = |typer: &mut RunTyper<'static>, run: &UnreadRun| {
        let mut own: Vec<Diagnostic> = Vec::new();
        let (run, undefined, outcome) = typer.read(run, &mut own).expect("small");
        let structures = run.document().structures();
        let structures: Vec<_> = structures.map(|node| describe(node, run.type_of(node))).collect();
        (structures, own, undefined, outcome)
    };
    let mut made = Vec::new();
    while !reader.knows_header()
        && let Some(run) = reader.next_unread().expect("memory")
    {
        let (structures, own, undefined, outcome) = read(&mut typer, &run);
        all.extend(structures);
        found.extend(own);
        tally.add_run(undefined);
        reader.take(outcome, &mut found);
    }
    let mut unread = Vec::new();
    while let Some(run) = reader.next_unread().expect("memory") {
        unread.push(run);
    }
    for run in unread.iter().rev() {
        made.push(read(&mut typer.for_thread().expect("a small schema"), run));
    }
    for (structures, own, undefined, outcome) in made.into_iter().rev() {
        if reader.is_done() {
            break;
        }
        all.extend(structures);
        found.extend(own);
        tally.add_run(undefined);
        reader.take(outcome, &mut found);
    }
    typer.report_undefined(tally, reader.rules(), &mut found);
    (all, sorted(&found))
}

#[test]
fn runs_have_the_types_and_the_findings_of_the_whole() {
    for file in [OWN_TYPES, PLAIN, FAULTY, EXAMPLE] {
        for rules in Rules::PRESETS {
            let whole = read_whole(file, rules);
            for size in [1, 60, 1 << 20] {
                let context = format!("{} in runs of {size}", rules.name);
                assert_eq!(read_runs(file, rules, size), whole, "{context}");
                assert_eq!(read_runs_apart(file, rules, size), whole, "{context}");
            }
        }
    }
}

/// A conversion of a file that is read in runs, and the identifiers that its reader found.
fn conversion(file: &[u8], from: &Rules, to: &Rules, size: usize) -> (Conversion<'static>, Arc<KnownXrefs>) {
    let mut survey = Survey::new(to, &WriteOptions::new()).expect("good options");
    let mut first = elf_tagged::Reader::new(file, from, &Options::default()).with_run_size(size);
    while let Some(run) = first.next_run(&mut ()).expect("memory") {
        survey.add_run(&run);
    }
    let known = Arc::new(first.into_known_xrefs());
    (Conversion::new(survey.finish(&known).expect("one survey"), ReadOptions::default()), known)
}

/// What is written, and the findings about what is lost.
type Written = Result<(String, Vec<String>), WriteError>;

fn convert_whole(file: &[u8], from: &Rules, to: &Rules) -> Written {
    let document = elf_tagged::read(file, from, &Options::default(), &mut ()).expect("small");
    let (mut octets, mut losses): (_, Vec<Diagnostic>) = (Vec::new(), Vec::new());
    convert(document, &ReadOptions::default(), &mut octets, to, &WriteOptions::new(), &mut losses)?;
    Ok((String::from_utf8_lossy(&octets).into_owned(), sorted(&losses)))
}

fn convert_in_runs(file: &[u8], from: &Rules, to: &Rules, size: usize) -> Written {
    let (mut conversion, known) = conversion(file, from, to, size);
    let reader = || {
        let reader = elf_tagged::Reader::new(file, from, &Options::default()).with_run_size(size);
        reader.with_known_xrefs(Arc::clone(&known))
    };
    let mut second = reader();
    while !conversion.is_settled()
        && let Some(mut run) = second.next_run(&mut ()).expect("memory")
    {
        conversion.study(&mut run)?;
    }
    let (mut octets, mut losses): (Vec<u8>, Vec<Diagnostic>) = (Vec::new(), Vec::new());
    let mut writer = conversion.into_writer(&mut octets, &mut losses)?;
    let mut third = reader();
    while let Some(mut run) = third.next_run(&mut ()).expect("memory") {
        match writer.encoder() {
            Some(mut encoder) => writer.write_encoded(encoder.encode(&run)?)?,
            None => writer.write_run(&mut run)?,
        }
    }
    writer.finish()?;
    Ok((String::from_utf8_lossy(&octets).into_owned(), sorted(&losses)))
}

#[test]
fn a_conversion_in_runs_writes_what_a_conversion_of_the_whole_writes() {
    for file in [OWN_TYPES, PLAIN, FAULTY, EXAMPLE] {
        for (from, to) in Rules::PRESETS.into_iter().flat_map(|from| Rules::PRESETS.map(|to| (from, to))) {
            let whole = convert_whole(file, from, to);
            for size in [1, 60, 1 << 20] {
                let context = format!("{} to {} in runs of {size}", from.name, to.name);
                match (&whole, convert_in_runs(file, from, to, size)) {
                    (Ok(whole), Ok(in_runs)) => assert_eq!(&in_runs, whole, "{context}"),
                    (Err(WriteError::Incomplete), Err(WriteError::Incomplete)) => {}
                    (whole, in_runs) => panic!("{context}: {whole:?} {in_runs:?}"),
                }
            }
        }
    }
}

/// The error of a writer that is asked for after `runs` runs were studied.
fn error_after(file: &[u8], runs: usize) -> Option<WriteError> {
    let (from, to) = (&Rules::OCTOBER_2017, &Rules::JANUARY_2019);
    let (mut conversion, known) = conversion(file, from, to, 1);
    let reader = elf_tagged::Reader::new(file, from, &Options::default()).with_run_size(1);
    let mut reader = reader.with_known_xrefs(known);
    for _ in 0..runs {
        let mut run = reader.next_run(&mut ()).expect("memory").expect("a run");
        conversion.study(&mut run).expect("good options");
    }
    conversion.into_writer(Vec::new(), &mut ()).err()
}

#[test]
fn a_conversion_that_studied_no_run_does_not_write() {
    for file in [OWN_TYPES, PLAIN] {
        assert!(matches!(error_after(file, 0), Some(WriteError::Unrehearsed)));
        assert!(error_after(file, 1).is_none());
    }
}
