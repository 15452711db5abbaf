//! Vectors for the rows of `facts/migration.tsv`, in both directions.
//!
//! A file in `vectors` has cases such as `= MG61 title` with blocks: `< 5.5.1` or `< 7.0` is the input, `> 7.0` or
//! `> 5.5.1` the output, `! ` a finding with its line, and `> back` what comes back from the output if it differs
//! from the input. With `ELF` in its title, a case comes back with a schema. Records have no header and trailer.
//! `UPDATE_EXPECT=1` rewrites the outputs.

#![allow(clippy::expect_used, reason = "a test that cannot go on fails")]
#![allow(clippy::disallowed_methods, reason = "the vectors are a folder")]

use crate::table::rows;
use elf_migrate::{Target, migrated};
use elf_schema::{Diagnostic, ReadOptions, Reader, Rules};
use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// The header that is written before the records of a file of GEDCOM 5.5.1, and of GEDCOM 7.0.
const HEADS: [&str; 2] =
    ["0 HEAD\n1 GEDC\n2 VERS 5.5.1\n2 FORM LINEAGE-LINKED\n1 CHAR UTF-8\n", "0 HEAD\n1 GEDC\n2 VERS 7.0\n"];

const TRAILER: &str = "0 TRLR\n";

/// Rows that no vector can have, with the reason.
const WITHOUT: &[(&str, &str)] =
    &[("MG27", "a BLOB of GEDCOM 5.5 stays one, as an extension: no file is made of it")];

struct Case {
    title: String,
    is_of_7: bool,
    input: String,
}

fn files() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/vectors");
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(folder).expect("the folder").map(|entry| entry.expect("an entry").path()).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "txt"));
    files.sort();
    files
}

fn cases(text: &str) -> Vec<Case> {
    let mut cases: Vec<Case> = Vec::new();
    let mut is_input = false;
    for line in text.lines() {
        if let Some(title) = line.strip_prefix("= ") {
            cases.push(Case { title: title.to_owned(), is_of_7: false, input: String::new() });
        } else if let Some(of) = line.strip_prefix("< ") {
            (is_input, cases.last_mut().expect("a title").is_of_7) = (true, of == "7.0");
        } else if line.starts_with(['>', '!']) {
            is_input = false;
        } else if is_input && !line.is_empty() {
            let case = cases.last_mut().expect("a title");
            case.input.push_str(line);
            case.input.push('\n');
        }
    }
    cases
}

/// Returns whether a header begins them.
fn have_header(records: &str) -> bool {
    let mut words = records.split_whitespace().skip(1).skip_while(|word| word.starts_with('@'));
    words.next() == Some("HEAD")
}

fn whole(records: &str, is_of_7: bool) -> String {
    if have_header(records) {
        return format!("{records}{TRAILER}");
    }
    format!("{}{records}{TRAILER}", HEADS[usize::from(is_of_7)])
}

fn records(file: &str, is_of_7: bool) -> String {
    let text = file.strip_suffix(TRAILER).expect("a trailer");
    let rest = text.strip_prefix(HEADS[usize::from(is_of_7)]).expect("a header");
    // What GEDCOM 5.5.1 wants in a header is of no interest here.
    let added = ["1 SOUR UNSTATED\n1 SUBM @INLINE_U1@\n", "0 @INLINE_U1@ SUBM\n1 NAME UNSTATED\n"];
    let rest = rest.strip_prefix(added[0]).unwrap_or(rest);
    let rest = rest.strip_suffix(added[1]).unwrap_or(rest);
    let is_bare = rest.is_empty() || rest.starts_with("0 ");
    if is_bare { rest.to_owned() } else { text.to_owned() }
}

fn migrate(file: &str, to_7: bool, back: Target, findings: &mut Vec<Diagnostic>) -> String {
    let target = if to_7 { Target::Gedcom70 } else { back };
    let reader = || Reader::new(file.as_bytes(), &Rules::WILD, ReadOptions::default());
    let written = migrated(reader, target, findings).map(|written| written.octets);
    String::from_utf8(written.expect("it is small")).expect("UTF-8")
}

fn render(case: &Case) -> String {
    let Case { title, is_of_7, input } = case;
    let names = if *is_of_7 { ["7.0", "5.5.1"] } else { ["5.5.1", "7.0"] };
    let mut findings = Vec::new();
    let read = whole(input, *is_of_7);
    let target = if title.contains("ELF") { Target::Elf } else { Target::Gedcom551 };
    let written = migrate(&read, !is_of_7, target, &mut findings);
    let back = migrate(&written, *is_of_7, target, &mut Vec::new());
    let mut text =
        format!("= {title}\n< {}\n{input}> {}\n{}", names[0], names[1], records(&written, !is_of_7));
    findings.retain(|finding| !finding.message.contains("UNSTATED added"));
    for finding in &findings {
        let line = finding.place.map_or(0, |place| place.line);
        let skipped =
            if have_header(input) { 0 } else { HEADS[usize::from(*is_of_7)].lines().count() as u64 };
        writeln!(text, "! {} line {}: {}", finding.code.id(), line.saturating_sub(skipped), finding.message)
            .expect("memory");
    }
    let back = records(&back, *is_of_7);
    if back != *input {
        write!(text, "> back\n{back}").expect("memory");
    }
    text
}

#[test]
fn rows_are_written_as_their_vectors_say() {
    let updates = std::env::var_os("UPDATE_EXPECT").is_some();
    for file in files() {
        let expected = std::fs::read_to_string(&file).expect("a file");
        let rendered: Vec<String> = cases(&expected).iter().map(render).collect();
        let rendered = rendered.join("\n");
        if updates {
            std::fs::write(&file, rendered).expect("it is written");
        } else {
            assert_eq!(rendered, expected, "{}", file.display());
        }
    }
}

#[test]
fn each_row_has_a_vector() {
    let mut met: BTreeSet<String> = WITHOUT.iter().map(|(id, _)| (*id).to_owned()).collect();
    for file in files() {
        let text = std::fs::read_to_string(&file).expect("a file");
        for case in cases(&text) {
            met.extend(case.title.split(' ').filter(|word| word.starts_with("MG")).map(str::to_owned));
        }
    }
    let missing: Vec<String> = rows().into_iter().map(|row| row.id).filter(|id| !met.contains(id)).collect();
    assert!(missing.is_empty(), "{missing:?}");
}
