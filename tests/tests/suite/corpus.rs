//! Real and torture files through every layer, by every set of rules. The corpus is beside the project;
//! where it is absent, these tests say so and pass.

#![allow(clippy::expect_used, reason = "a test fails by panicking")]

use elf_base::{Class, Diagnostic, Rules, codes};
use elf_octets::{Encoding, Options};
use elf_schema::ReadOptions;
use elf_tests::corpus::{CorpusFile, corpus};
use elf_tests::library::tree_of;
use elf_tests::snapshot;
use std::collections::BTreeMap;
use std::fmt::Write;

const ROYAL: &str = "D-Jeffrey__gedcom-samples__Royal92-Famous+European+Royalty+Gedcom.ged";
const HTML: &str = "D-Jeffrey__gedcom-samples__GeorgeWashington+Family+Small.ged";

fn read<'o>(file: &'o CorpusFile, rules: &Rules) -> (elf_schema::TypedDocument<'o>, Vec<Diagnostic>) {
    let mut findings = Vec::new();
    let typed = elf_schema::read(&file.octets, rules, &ReadOptions::default(), &mut findings);
    (typed.expect("a file of less than 4 GiB"), findings)
}

/// Returns whether `used` may be the encoding of content of a class of the manifest, by the rules for found
/// files.
fn fits(content: &str, used: Encoding) -> bool {
    use Encoding::*;
    match content {
        // Seven bits are the same in every encoding based on ASCII.
        "ascii7" => !matches!(used, Utf16Le | Utf16Be),
        "utf8-bom" | "utf8-nobom" => used == Utf8,
        "utf16le-bom" | "utf16le-nobom" => used == Utf16Le,
        "utf16be-bom" | "utf16be-nobom" => used == Utf16Be,
        "8bit-ansel" => used == Ansel,
        "8bit-cp1252" => used == Windows1252,
        "8bit-ibmpc" => used == Cp437,
        // The printable characters of Latin-1 are those of windows-1252.
        "8bit-declared-ISO8859-1" | "8bit-declared-ASCII" => matches!(used, Iso8859_1 | Windows1252),
        // CHAR is one octet of no meaning, so the content decides.
        _ if content.starts_with("8bit-declared-") => matches!(used, Windows1252 | Macintosh | Cp437),
        _ => false,
    }
}

#[test]
fn the_encoding_fits_the_content() {
    for file in corpus().into_iter().flatten() {
        let decision = elf_octets::decide(&file.octets, &Rules::WILD, &Options::default(), &mut ());
        assert!(
            fits(&file.content, decision.used),
            "{}: {} read as {} because {}",
            file.name,
            file.content,
            decision.used,
            decision.because.name()
        );
    }
}

#[test]
fn every_file_is_read_by_all_rules() {
    let Some(files) = corpus() else { return };
    assert!(files.len() >= 34, "the corpus has {} files", files.len());
    for file in &files {
        for rules in Rules::PRESETS {
            let (typed, findings) = read(file, rules);
            let document = typed.document();
            // Whatever ends a reading is said.
            assert!(
                document.is_complete() || findings.iter().any(|found| found.class.is_error()),
                "{} by {} ends in silence",
                file.name,
                rules.name
            );
            // Every structure has a type, or stands outside the data.
            for node in document.structures() {
                assert!(typed.type_of(node).is_some(), "{} by {}: {node:?}", file.name, rules.name);
            }
            // Every place lies within the file.
            for place in findings.iter().filter_map(|found| found.place) {
                assert!(place.line >= 1 && place.column >= 1 && place.end_column >= place.column);
                assert!(place.octet <= file.octets.len() as u64, "{} by {}", file.name, rules.name);
            }
        }
    }
}

#[test]
fn the_rules_for_found_files_read_to_the_end() {
    for file in corpus().into_iter().flatten().filter(|file| file.name != HTML) {
        let (typed, _) = read(&file, &Rules::WILD);
        assert!(typed.document().is_complete(), "{}", file.name);
        assert!(typed.document().len() > 1, "{}", file.name);
    }
}

#[test]
fn the_royal_family_is_whole() {
    for file in corpus().into_iter().flatten().filter(|file| file.name == ROYAL) {
        for rules in Rules::PRESETS {
            let (typed, _) = read(&file, rules);
            let people = typed.records().filter(|record| record.tag() == "INDI").count();
            assert_eq!(people, 3010, "by {}", rules.name);
        }
        let (typed, _) = read(&file, &Rules::WILD);
        assert_eq!(typed.of_type("https://terms.fhiso.org/elf/INDIVIDUAL_RECORD").count(), 3010);
        // Every pointer in it leads somewhere.
        let lost =
            typed.document().structures().filter(|node| node.pointer().is_some() && node.target().is_none());
        assert_eq!(lost.count(), 0);
    }
}

#[test]
fn a_web_page_gets_one_diagnostic() {
    for file in corpus().into_iter().flatten().filter(|file| file.name == HTML) {
        let (typed, findings) = read(&file, &Rules::WILD);
        assert!(!typed.document().is_complete());
        let errors: Vec<_> =
            findings.iter().filter(|found| found.class.is_error()).map(|found| found.code).collect();
        assert_eq!(errors, [codes::NOT_ELF]);
        assert!(findings.len() <= 3, "{findings:?}");
    }
}

/// The tree does not depend on how the octets spell it: in UTF-8 and UTF-16 either way round, with every line
/// break.
#[test]
fn the_tree_is_the_same_in_every_encoding() {
    for file in corpus().into_iter().flatten() {
        let (typed, _) = read(&file, &Rules::WILD);
        let document = typed.document();
        let text = document.text().replace("\r\n", "\n").replace('\r', "\n");
        let expected = tree_of(document);
        for encoding in [Encoding::Utf8, Encoding::Utf16Le, Encoding::Utf16Be] {
            for line_break in ["\n", "\r", "\r\n"] {
                let mut octets = Vec::new();
                let text = text.replace('\n', line_break);
                encoding.encode_into(&text, &mut octets).expect("Unicode holds every character");
                let options = Options::default().with_forced(Some(encoding));
                let again = elf_tagged::read(&octets, &Rules::WILD, &options, &mut ()).expect("a small file");
                assert!(tree_of(&again) == expected, "{} in {encoding}, {line_break:?}", file.name);
            }
        }
    }
}

/// All that is found in the corpus, by code, for a reviewer to read.
#[test]
fn what_is_found_is_known() {
    let Some(files) = corpus() else { return };
    let mut out = String::from(
        "# What is found in each file of the corpus by each set of rules: codes and how often.\n\
         # Written by UPDATE_EXPECT=1; `elf explain CODE` says what a code is.\n",
    );
    for file in &files {
        let _ = writeln!(out, "\n{}", file.name);
        for rules in Rules::PRESETS {
            let (typed, findings) = read(file, rules);
            let decision = typed.document().source().decision();
            let complete = if typed.document().is_complete() { "complete" } else { "ended" };
            let _ = write!(out, "  {:<11} {} {complete}", rules.name, decision.used);
            let mut counts: BTreeMap<(&str, Class), usize> = BTreeMap::new();
            for found in &findings {
                *counts.entry((found.code.id(), found.class)).or_default() += 1;
            }
            for ((id, class), count) in counts {
                // Errors stand out from advice.
                let mark = if class.is_error() { "!" } else { "" };
                let _ = write!(out, ", {id}{mark} {count}");
            }
            out.push('\n');
        }
    }
    let path = elf_tests::folder("snapshots").join("corpus.txt");
    if let Err(error) = snapshot::compare_with_file(&path, &out) {
        panic!("{error}");
    }
}
