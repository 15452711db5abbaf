//! Tags of real files that have no type, and why. The corpus is beside the project; where it is absent,
//! the test says so on standard error.

#![allow(clippy::expect_used, clippy::panic, reason = "a test that cannot go on fails")]
#![allow(clippy::disallowed_methods, clippy::print_stderr, reason = "the corpus is a folder")]

use elf_schema::{Diagnostic, ReadOptions, Rules, codes, read, term};
use std::collections::{BTreeMap, BTreeSet};
use std::num::NonZero;
use std::path::Path;

/// File, tags, why.
const TABLE: &str = include_str!("../data/corpus-undefined.tsv");

fn expected() -> BTreeMap<String, BTreeSet<String>> {
    let mut files: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for row in TABLE.lines().filter(|line| !line.starts_with('#')).skip(1) {
        let columns: Vec<_> = row.split('\t').collect();
        let [file, tags, why] = columns.as_slice() else { panic!("expected three columns, but found {row}") };
        assert!(!why.is_empty(), "{file}: {tags} is not explained");
        files.entry((*file).to_owned()).or_default().extend(tags.split(' ').map(str::to_owned));
    }
    files
}

#[test]
fn misplaced_tags_of_a_real_file_are_five_findings() {
    let name = "D-Jeffrey__gedcom-samples__US+Presidents+Trees+I.ged";
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/corpus").join(name);
    let Ok(octets) = std::fs::read(&path) else {
        eprintln!("skipped: there is no {}", path.display());
        return;
    };
    let found = |each| {
        let mut found: Vec<Diagnostic> = Vec::new();
        let options = ReadOptions::default().with_each_undefined(each);
        read(&octets, &Rules::WILD, &options, &mut found).expect("a short file");
        found.retain(|found| found.code == codes::TAG_UNDEFINED);
        found
    };
    let counts = |found: Diagnostic| (found.message.into_owned(), found.count.map(NonZero::get));
    let counts: Vec<_> = found(false).into_iter().map(counts).collect();
    let expected =
        [("BIRT", 477), ("DEAT", 513), ("BAPM", 8), ("BURI", 11), ("MARR", 197)].map(|(above, count)| {
            (format!("unknown tag `QUAY` under `{above}` ({count} occurrences)"), Some(count))
        });
    assert_eq!(counts, expected);
    assert_eq!(found(true).len(), 1206);
}

#[test]
fn undefined_tags_of_the_corpus_are_listed_and_explained() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/corpus");
    let Ok(entries) = std::fs::read_dir(&folder) else {
        eprintln!("skipped: there is no corpus in {}", folder.display());
        return;
    };
    let mut found: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for path in entries.map(|entry| entry.expect("a file").path()) {
        if !path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("ged")) {
            continue;
        }
        let octets = std::fs::read(&path).expect("a readable file");
        let typed = read(&octets, &Rules::WILD, &ReadOptions::default(), &mut ()).expect("a short file");
        let undefined = |node| typed.type_of(node).and_then(term::undefined_tag);
        let tags: BTreeSet<String> = typed
            .document()
            .structures()
            .filter(|node| node.superstructure().is_none_or(|above| undefined(above).is_none()))
            .filter_map(|node| undefined(node).map(str::to_owned))
            .collect();
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        if !tags.is_empty() {
            found.insert(name, tags);
        }
    }
    assert_eq!(found, expected());
}
