//! Helpers that tests of the writer share.

#![allow(dead_code, reason = "no test needs all of it")]
#![allow(clippy::expect_used, reason = "a test fails by panicking")]

use elf_tagged::write::{
    Content, Preamble, RunWriter, Summary, Survey, WriteError, WriteOptions, Writer, write_document,
};
use elf_tagged::{Class, Diagnostic, Document, Encoding, KnownXrefs, Options, Reader, Rules, read};
use std::sync::Arc;

pub(crate) const D19: &Rules = &Rules::DECEMBER_2019;
pub(crate) const HEAD: &str =
    "0 HEAD\n1 CHAR UTF-8\n1 ELF 1.0.0\n1 GEDC\n2 VERS 5.5.1\n2 FORM LINEAGE-LINKED\n";

/// Writes structures; returns the octets, the codes of what was lost, and the summary.
pub(crate) fn octets(
    rules: &Rules,
    options: &WriteOptions,
    preamble: &Preamble<'_>,
    structures: &[(u32, Option<&str>, &str, Content<'_>)],
) -> (Vec<u8>, Vec<&'static str>, Summary) {
    let mut octets = Vec::new();
    let mut findings: Vec<Diagnostic> = Vec::new();
    let mut writer = Writer::new(&mut octets, rules, options, &mut findings).expect("good options");
    writer.head(preamble).expect("memory");
    for &(level, xref, tag, content) in structures {
        writer.structure(level, xref, tag, content).expect("memory");
    }
    let summary = writer.finish().expect("memory");
    let codes: Vec<_> = findings.iter().map(|finding| finding.code.id()).collect();
    // That a tag or an identifier is long is advice, and no loss.
    let losses = codes.iter().filter(|code| !matches!(**code, "E0208" | "E0209")).count();
    assert_eq!(losses as u64, summary.losses);
    assert_eq!(octets.len() as u64, summary.octets);
    (octets, codes, summary)
}

/// The text written between header and trailer.
pub(crate) fn body(
    rules: &Rules,
    options: &WriteOptions,
    structures: &[(u32, Option<&str>, &str, Content<'_>)],
) -> String {
    let (octets, codes, _) = octets(rules, options, &Preamble::new(), structures);
    assert!(codes.is_empty(), "{codes:?}");
    between(&octets)
}

pub(crate) fn between(octets: &[u8]) -> String {
    let text = std::str::from_utf8(octets).expect("ASCII or UTF-8");
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let first = lines.iter().skip(1).position(|line| line.starts_with('0')).expect("a record") + 1;
    lines[first..lines.len() - 1].concat()
}

/// Returns a record NOTE as December 2019 writes it.
pub(crate) fn note(text: &str) -> String {
    body(D19, &WriteOptions::new(), &[(0, None, "NOTE", Content::Text(text))])
}

pub(crate) fn ascii() -> WriteOptions {
    WriteOptions::new().with_encoding(Encoding::Ascii)
}

pub(crate) fn width(width: u32) -> WriteOptions {
    WriteOptions::new().with_width(Some(width))
}

/// Reads strictly, without a finding. A text may look like lines that run on.
pub(crate) fn strict<'o>(octets: &'o [u8], rules: &Rules) -> Document<'o> {
    let mut findings: Vec<Diagnostic> = Vec::new();
    let document = read(octets, rules, &Options::default(), &mut findings).expect("small");
    let grave: Vec<_> = findings
        .iter()
        .filter(|finding| finding.class != Class::Advice && !matches!(finding.code.id(), "E0117" | "E0214"))
        .map(|finding| (finding.code.id(), finding.message.clone(), finding.excerpt.clone()))
        .collect();
    assert!(grave.is_empty(), "{}: {:?} of {}", rules.name, grave.first(), grave.len());
    assert!(document.is_complete());
    document
}

/// Writes a document as a whole: its octets and the findings.
pub(crate) fn write_whole(
    file: &[u8],
    from: &Rules,
    to: &Rules,
    options: &WriteOptions,
) -> Result<(Vec<u8>, Vec<Diagnostic>), WriteError> {
    let document = read(file, from, &Options::default(), &mut ()).expect("small");
    let (mut octets, mut found) = (Vec::new(), Vec::new());
    write_document(&document, &mut octets, to, options, &mut found)?;
    Ok((octets, found))
}

/// Reads a document in runs of about `size` octets: surveys all of them, in any order, and finds its repeated
/// and unresolved identifiers.
pub(crate) fn survey_runs(
    file: &[u8],
    from: &Rules,
    to: &Rules,
    options: &WriteOptions,
    size: usize,
) -> Result<(Survey, Arc<KnownXrefs>), WriteError> {
    let mut reader = Reader::new(file, from, &Options::default()).with_run_size(size);
    let (blank, mut surveys) = (Survey::new(to, options)?, Vec::new());
    while let Some(run) = reader.next_run(&mut ()).expect("memory") {
        let mut one = blank.clone();
        one.add_run(&run);
        surveys.push(one);
    }
    let mut survey = blank;
    surveys.into_iter().rev().for_each(|one| survey.join(one));
    Ok((survey, Arc::new(reader.into_known_xrefs())))
}

/// Writes a document in runs of about `size` octets. Every second run is written by an encoder, as threads use
/// them, wherever there is one.
pub(crate) fn write_in_runs(
    file: &[u8],
    from: &Rules,
    to: &Rules,
    options: &WriteOptions,
    size: usize,
) -> Result<(Vec<u8>, Vec<Diagnostic>), WriteError> {
    let (survey, known) = survey_runs(file, from, to, options, size)?;
    let reader = || {
        let reader = Reader::new(file, from, &Options::default()).with_run_size(size);
        reader.with_known_xrefs(Arc::clone(&known))
    };
    let mut rehearsal = survey.finish(&known)?;
    if rehearsal.is_needed() {
        let unrehearsed = RunWriter::new(Vec::new(), rehearsal.clone(), &mut ()).err();
        assert!(matches!(unrehearsed, Some(WriteError::Unrehearsed)), "{unrehearsed:?}");
        let mut second = reader();
        while let Some(run) = second.next_run(&mut ()).expect("memory") {
            rehearsal.examine(&run, None)?;
        }
    }
    let (mut octets, mut found): (Vec<u8>, Vec<Diagnostic>) = (Vec::new(), Vec::new());
    let mut writer = RunWriter::new(&mut octets, rehearsal, &mut found)?;
    let mut third = reader();
    let mut is_odd = false;
    while let Some(run) = third.next_run(&mut ()).expect("memory") {
        is_odd = !is_odd;
        match writer.encoder().filter(|_| is_odd) {
            Some(mut encoder) => writer.write_encoded(encoder.encode(&run)?)?,
            None => writer.run(&run, None)?,
        }
    }
    writer.finish()?;
    Ok((octets, found))
}
