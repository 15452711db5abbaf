//! A file that is converted in runs comes out octet for octet as one that is converted whole, with the same
//! losses; and it conforms to the rules it is written for.

#![allow(clippy::expect_used, reason = "a test fails by panicking")]

use elf_base::{Diagnostic, Rules};
use elf_octets::{Encoding, Options};
use elf_schema::{Conversion, ReadOptions};
use elf_tagged::write::{Summary, Survey, Versions, WriteError, WriteOptions};
use elf_tagged::{Reader, UnreadRun};
use elf_tests::corpus::corpus;
use elf_tests::fixtures::Fixture;
use proptest::prelude::*;
use std::sync::Arc;

/// The results of a conversion: octets, the summary where there was anything to write, and the losses.
type Outcome = (Vec<u8>, Option<Summary>, Vec<String>);

/// The summary of a conversion; `None` where no line of the file was one.
fn summary(of: Result<Summary, WriteError>) -> Option<Summary> {
    match of {
        Err(WriteError::Empty) => None,
        of => Some(of.expect("memory")),
    }
}

fn said(losses: &[Diagnostic]) -> Vec<String> {
    let said = |one: &Diagnostic| format!("{} {:?} {:?} {}", one.code, one.place, one.excerpt, one.message);
    losses.iter().map(said).collect()
}

fn sorted(mut said: Vec<String>) -> Vec<String> {
    said.sort();
    said
}

fn whole(octets: &[u8], from: &Rules, to: &Rules, options: &WriteOptions) -> Outcome {
    let document = elf_tagged::read(octets, from, &Options::default(), &mut ()).expect("a small file");
    let (mut written, mut losses) = (Vec::new(), Vec::new());
    let read = ReadOptions::default();
    let summary = summary(elf_schema::convert(document, &read, &mut written, to, options, &mut losses));
    (written, summary, said(&losses))
}

/// Runs are written one after the other or, `apart`, encoded from the last to the first as far as they do not
/// depend on each other.
fn in_runs(
    octets: &[u8],
    from: &Rules,
    to: &Rules,
    options: &WriteOptions,
    size: usize,
    apart: bool,
) -> Outcome {
    let reader = || Reader::new(octets, from, &Options::default()).with_run_size(size);
    let mut survey = Survey::new(to, options).expect("good options");
    let mut first = reader();
    while let Some(run) = first.next_run(&mut ()).expect("memory") {
        let mut one = Survey::new(to, options).expect("good options");
        one.add_run(&run);
        survey.join(one);
    }
    let known = Arc::new(first.into_known_xrefs());
    let rehearsal = survey.finish(&known).expect("one survey");
    let mut conversion = Conversion::new(rehearsal, ReadOptions::default());
    let mut second = reader().with_known_xrefs(known.clone());
    while !conversion.is_settled() {
        let Some(mut run) = second.next_run(&mut ()).expect("memory") else { break };
        conversion.study(&mut run).expect("good options");
    }
    let (mut written, mut losses): (_, Vec<Diagnostic>) = (Vec::new(), Vec::new());
    let mut writer = conversion.into_writer(&mut written, &mut losses).expect("good options");
    let mut third = reader().with_known_xrefs(known);
    loop {
        if apart
            && third.knows_header()
            && let Some(mut encoder) = writer.encoder()
        {
            let mut runs = Vec::new();
            while let Some(run) = third.next_unread().expect("memory") {
                runs.push(run);
            }
            let encode = |run: &UnreadRun| {
                let (document, outcome) = run.read(&mut ()).expect("small");
                (encoder.encode(&document).expect("memory"), outcome)
            };
            let encoded: Vec<_> = runs.iter().rev().map(encode).collect();
            for (run, outcome) in encoded.into_iter().rev() {
                if third.is_done() {
                    break;
                }
                writer.write_encoded(run).expect("memory");
                third.take(outcome, &mut ());
            }
        }
        let Some(mut run) = third.next_run(&mut ()).expect("memory") else { break };
        writer.write_run(&mut run).expect("memory");
    }
    let summary = summary(writer.finish());
    (written, summary, said(&losses))
}

fn check(name: &str, octets: &[u8], from: &Rules, size: usize) {
    check_in(Encoding::Utf8, name, octets, from, size);
}

fn check_in(encoding: Encoding, name: &str, octets: &[u8], from: &Rules, size: usize) {
    for to in Rules::PRESETS {
        let options = WriteOptions::new().with_versions(Versions::ElfIfNeeded).with_partial(true);
        let options = options.with_encoding(encoding);
        if Survey::new(to, &options).is_err() {
            continue;
        }
        let one = whole(octets, from, to, &options);
        let what = format!("{name}: {} to {} in {encoding}, in runs of {size}", from.name, to.name);
        let other = in_runs(octets, from, to, &options, size, false);
        let apart = in_runs(octets, from, to, &options, size, true);
        assert!(other == apart, "{what}, apart\n{other:?}\n---\n{apart:?}");
        let [text, other_text] = [&one.0, &other.0].map(|octets| String::from_utf8_lossy(octets));
        assert!(text == other_text, "{what}\n{text}\n---\n{other_text}");
        assert_eq!(sorted(one.2), sorted(other.2), "{what}");
        assert_eq!(one.1, other.1, "{what}");
        // `wild` is no draft to conform to.
        if to != &Rules::WILD && encoding == Encoding::Utf8 && one.1.is_some() {
            let mut found: Vec<Diagnostic> = Vec::new();
            elf_schema::read(&one.0, to, &ReadOptions::default(), &mut found).expect("a small file");
            // Lines that run on are written as they were read.
            found.retain(|finding| finding.class.is_error() && finding.code.id() != "E0214");
            assert!(found.is_empty(), "{what}: {found:?}\n{text}");
        }
    }
}

/// A file with types of its own, in the way of the rules it is for.
const OWN_TYPES: [&str; 2] = [
    "0 HEAD\n1 CHAR UTF-8\n1 PRFX X_ http://e.example/\n1 DEFN AUTH http://e.example/author\n\
     1 DEFN DATE http://e.example/date\n1 DEFN _ALL https://terms.fhiso.org/elf/Document\n1 NOTE x\n0 INDI\n\
     1 X_LAT 54\n2 X_UNIT deg\n1 AUTH Ada\n0 INDI\n1 BIRT\n2 DATE 1\n0 _ALL\n1 AUTH Max\n0 X_PLACE\n1 NAME x\n\
     1 AUTH y\n0 TRLR\n",
    "0 HEAD\n1 CHAR UTF-8\n1 SCHMA\n2 SCHMA https://fhiso.org/TR/elf-data-model/v1.0.0\n\
     2 PRFX ex http://e.example/\n2 IRI ex:Shoe\n3 ISA ex:Thing\n3 TAG _SHOE elf:INDIVIDUAL_RECORD\n\
     2 IRI ex:Size\n3 TAG SIZE ex:Shoe\n2 IRI ex:Other\n3 TAG SIZE elf:FAMILY_RECORD\n2 IRI\n0 INDI\n1 _SHOE a\n\
     2 SIZE 9\n0 FAM\n1 SIZE 3\n0 NOTE x\n1 SIZE y\n0 INDI\n1 _SHOE b\n2 SIZE 10\n0 TRLR\n",
];

#[test]
fn files_with_types_of_their_own() {
    for text in OWN_TYPES {
        for from in Rules::PRESETS {
            for size in [1, 100, 1 << 20] {
                check(text, text.as_bytes(), from, size);
            }
        }
    }
}

/// A repeated identifier takes along the identifiers within the structure that has it, by the rules of the
/// declarative draft.
#[test]
fn identifiers_within_rejected_structures() {
    let text = "0 HEAD\n1 CHAR UTF-8\n2 @E@ VERS 1\n1 SUBM @B@\n0 @D@ INDI\n1 ALIA @B@\n1 ALIA @C@\n1 ALIA @E@\n1 ALIA @F@\n\
                1 NOTE z\n0 @A@ INDI\n1 NAME x\n2 @B@ NOTE n\n0 @A@ FAM\n1 @C@ NOTE @F@\n1 @F@ NOTE @A@\n2 @G@ NOTE\n\
                0 INDI\n1 ALIA @A@\n1 ALIA @G@\n1 ALIA @D@\n0 TRLR\n";
    // What is hidden as serialisation metadata takes nothing along.
    let metadata = "1 HEAD\n2 @C@ CHAR\n0 SCHMA @C@\n0 @C@ INDI\n0 INDI\n1 ALIA @C@\n0 TRLR\n";
    let language = "0 HEAD\n1 CHAR UTF-8\n0 INDI\n1 @B@ INDI\n0 PLANG @B@\n0 INDI\n1 @B@ INDI\n0 TRLR\n";
    for (from, size) in Rules::PRESETS.into_iter().flat_map(|from| [1, 100, 1 << 20].map(|size| (from, size)))
    {
        check("rejected", text.as_bytes(), from, size);
        check("metadata", metadata.as_bytes(), from, size);
        check("language", language.as_bytes(), from, size);
    }
}

/// A line under a continuation is no structure, whatever comes after it.
#[test]
fn structures_beneath_continuations() {
    for text in [
        "0 HEAD\n1 CHAR UTF-8\n0 INDI\n0 CONT\n2 HEAD\n0 HEAD\n0 TRLR\n",
        "0 HEAD\n1 CHAR UTF-8\n0 INDI\n1 CONT a\n2 NOTE b\n0 TRLR\n0 HEAD\n0 TRLR\n",
        "0 HEAD\n1 CHAR UTF-8\n0 @A@ x- @:@\n0 CONT #x@@y\n0 @:@ INDI\n0 TRLR\n",
    ] {
        for (from, size) in Rules::PRESETS.into_iter().flat_map(|from| [1, 100].map(|size| (from, size))) {
            check(text, text.as_bytes(), from, size);
        }
    }
}

/// Damaged lines before the header keep no structure from being part of it.
#[test]
fn damaged_lines_before_the_header() {
    let header =
        "0 HEAD\n1 CHAR UTF-8\n1 NOTE keep\n1 GEDC\n2 VERS 5.5\n1 SUBM @I@\n0 INDI\n0 @I@ SUBM\n0 TRLR\n";
    for before in ["garbage\n", "0@I1@INDI\n", "5 FOO x\n", "5 FOO x\ngarbage\n\n", "0 CONT x\n", "\n  "] {
        let text = format!("{}{header}", before.repeat(20));
        for from in Rules::PRESETS {
            for size in [1, 7, 100, 1 << 20] {
                check(before, text.as_bytes(), from, size);
            }
        }
    }
}

/// A trailer is left out where it ends the document, not where it ends a run.
#[test]
fn identifiers_of_trailers() {
    for text in [
        "0 HEAD\n1 CHAR UTF-8\n0 @B@ TRLR\n1 INDI\n0 INDI @B@\n0 @!@ INDI\n\n0 @!@ INDI\n1 INDI\n\n1 @B@ HEAD @!@\n",
        "0 HEAD\n1 CHAR UTF-8\n0 @B@ TRLR\n0 INDI @B@\n1 @B@ NOTE\n",
        "0 HEAD\n1 CHAR UTF-8\n0 INDI @B@\n0 @B@ TRLR\n",
    ] {
        for (from, size) in Rules::PRESETS.into_iter().flat_map(|from| [1, 100].map(|size| (from, size))) {
            check(text, text.as_bytes(), from, size);
        }
    }
}

#[test]
fn fixtures_and_examples() {
    for fixture in Fixture::all_fixtures().expect("fixtures") {
        let (octets, rules) = (fixture.octets().expect("octets"), fixture.rules().expect("rules"));
        for size in [1, 200] {
            check(&fixture.name(), &octets, rules, size);
        }
    }
    let example = include_bytes!("../../../examples/haugen.ged");
    for from in Rules::PRESETS {
        check("haugen.ged", example, from, 300);
    }
    for file in corpus().into_iter().flatten().filter(|file| file.octets.len() < 20_000) {
        for from in Rules::PRESETS {
            check(&file.name, &file.octets, from, 500);
        }
    }
}

/// Octets are watched for what readers will take them for, and records are counted, where runs are put
/// together.
#[test]
fn other_encodings() {
    let chance = "0 HEAD\n1 CHAR UTF-8\n0 NOTE \u{df}\u{141}\n0 NOTE \u{df}\u{141}\n0 TRLR\n";
    let example = include_bytes!("../../../examples/haugen.ged");
    for encoding in [Encoding::Ansel, Encoding::Utf16Le, Encoding::Ascii] {
        for from in Rules::PRESETS {
            check_in(encoding, "chance", chance.as_bytes(), from, 1);
            check_in(encoding, "haugen.ged", example, from, 300);
        }
        for fixture in Fixture::all_fixtures().expect("fixtures") {
            let (octets, rules) = (fixture.octets().expect("octets"), fixture.rules().expect("rules"));
            check_in(encoding, &fixture.name(), &octets, rules, 1);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn generated_files(
        own in prop::option::of(0..OWN_TYPES.len()),
        before in "(garbage\n|0@I1@INDI\n|5 FOO x\n|\n){0,3}",
        lines in prop::collection::vec(
            "[012] (@[ABC!:]@ )?(INDI|NOTE|NAME|_UID|CONT|CONC|HEAD|TRLR|ERROR|UNDEF|CHAR|DEFN|SCHMA|PLANG|X_LAT|_SHOE|SIZE|x-)\
             ( @[ABC!:]@| t@xt| #x@@y| caf\u{E9})?|[ -~]{0,12}",
            0..40,
        ),
        size in 1..200_usize,
        from in prop::sample::select(Rules::PRESETS.to_vec()),
    ) {
        let head = own.and_then(|own| OWN_TYPES.get(own)).map_or("0 HEAD\n1 CHAR UTF-8\n", |text| text);
        let head = head.strip_suffix("0 TRLR\n").unwrap_or(head);
        check("generated", format!("{before}{head}{}\n0 TRLR\n", lines.join("\n")).as_bytes(), from, size);
    }
}
