//! The pairs of files that the authors of converters agreed on, in both directions, with the reasons for each
//! difference.

#![allow(clippy::expect_used, clippy::panic, reason = "a test that cannot go on fails")]
#![allow(clippy::disallowed_methods, reason = "the pairs are files")]

use elf_migrate::{Target, migrated};
use elf_model::{Dataset, Difference, ReadOptions, Rules, Schema};
use elf_schema::Reader;
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

const PAIRS: [&str; 25] = [
    "age-invalid",
    "age-valid",
    "atsign",
    "char_ascii_1",
    "char_ascii_2",
    "char_utf16be-1",
    "char_utf16be-2",
    "char_utf16le-1",
    "char_utf16le-2",
    "char_utf8-1",
    "char_utf8-2",
    "char_utf8-3",
    "date-all",
    "date-dual-invalid",
    "enum-ext",
    "filename-1",
    "lang-all",
    "notes-1",
    "obje-1",
    "obsolete-1",
    "pedi-1",
    "rela_1",
    "sour-1",
    "tiny-1",
    "xref-case",
];

/// A reason why what is written differs from the other file of a pair: the pair or `*`, the direction, what
/// is done to it to get what the pair has (`+` added, `-` removed, `~` another payload), the
/// tag, after `HEAD.` if it is in the header.
type Reason = (&'static str, &'static str, char, &'static str, &'static str);

const REASONS: &[Reason] = &[
    (
        "*",
        "7",
        '-',
        "HEAD.SOUR",
        "the pairs leave out the program that wrote the file, which GEDCOM 7.0 has a place for",
    ),
    (
        "*",
        "5",
        '~',
        "HEAD.SOUR",
        "the pairs leave out the program that wrote the file, which has to have a name",
    ),
    (
        "*",
        "5",
        '-',
        "HEAD.SOUR",
        "the pairs leave out the program that wrote the file, which has to have a name",
    ),
    ("*", "5", '-', "HEAD.SUBM", "the pairs leave out the submitter, whom GEDCOM 5.5.1 wants"),
    ("*", "5", '-', "SUBM", "the pairs leave out the submitter, whom GEDCOM 5.5.1 wants"),
    ("age-invalid", "5", '~', "AGE", "ages come back in one spelling"),
    ("age-valid", "7", '+', "DEAT", "an age of a stillborn child makes no event that the file did not have"),
    ("age-valid", "5", '-', "DEAT", "the pair has an event that the other file does not have"),
    ("atsign", "7", '~', "SNOTE", "escapes outside of dates are text, and none of it is left out"),
    ("atsign", "5", '~', "NOTE", "the pair has left out escapes"),
    (
        "date-all",
        "7",
        '~',
        "NOTE",
        "the notes of the pair were made by another program, and name its calendars",
    ),
    (
        "date-all",
        "5",
        '~',
        "NOTE",
        "the notes of the pair were made by another program, and name its calendars",
    ),
    ("date-all", "7", '-', "PHRASE", "a calendar without its escape is read, and its spelling kept"),
    ("date-all", "7", '~', "PHRASE", "a calendar without its escape is read, and its spelling kept"),
    ("date-all", "7", '~', "DATE", "no date of ELF has a month with an underscore: it is said by a phrase"),
    ("date-all", "5", '~', "DATE", "calendars come back in escapes, as GEDCOM 5.5.1 has them"),
    ("date-all", "5", '-', "_PHRASE", "a phrase beside a range has no place in a date of GEDCOM 5.5.1"),
    (
        "date-dual-invalid",
        "7",
        '~',
        "DATE",
        "one digit stands for the next year or the one before, not for others",
    ),
    (
        "date-dual-invalid",
        "5",
        '~',
        "DATE",
        "one digit stands for the next year or the one before, not for others",
    ),
    (
        "date-dual-invalid",
        "5",
        '-',
        "_PHRASE",
        "one digit stands for the next year or the one before, not for others",
    ),
    ("enum-ext", "5", '~', "TYPE", "words come back in small letters"),
    ("filename-1", "7", '-', "HEAD._FILE", "the name of the file is kept, as an extension"),
    ("filename-1", "5", '+', "HEAD.FILE", "the pair has no name of the file"),
    ("filename-1", "7", '~', "FILE", "digits of octets are written in capitals (RFC 3986 section 2.1)"),
    ("filename-1", "5", '~', "FILE", "both ways to part a relative name are one in GEDCOM 7.0"),
    ("lang-all", "7", '~', "LANG", "what stands beneath an extension stays as it is"),
    ("lang-all", "7", '+', "_PHRASE", "what stands beneath an extension stays as it is"),
    ("lang-all", "5", '~', "LANG", "what stands beneath an extension stays as it is"),
    ("lang-all", "5", '-', "_PHRASE", "what stands beneath an extension stays as it is"),
    ("obje-1", "7", '~', "FORM", "the pair has a type of its own making for a format with a registered one"),
    ("obje-1", "5", '~', "FORM", "a type that somebody made up stays, so that it comes back"),
    ("obje-1", "5", '~', "OBJE", "a record stays one, unless it was made here of what stood within another"),
    ("obje-1", "5", '+', "FILE", "a record stays one, unless it was made here of what stood within another"),
    ("obje-1", "5", '+', "NOTE", "a record stays one, unless it was made here of what stood within another"),
    ("obje-1", "5", '-', "OBJE", "a record stays one, unless it was made here of what stood within another"),
    ("obsolete-1", "7", '-', "HEAD._SUBN", "a submission is kept, as an extension"),
    ("obsolete-1", "7", '-', "_SUBN_2", "a submission is kept, as an extension"),
    ("obsolete-1", "5", '+', "SUBN", "the pair has no submission"),
    ("obsolete-1", "5", '+', "HEAD.SUBN", "the pair has no submission"),
    ("xref-case", "5", '~', "HEAD.SUBM", "a pointer to nothing has no place in GEDCOM 5.5.1"),
    ("sour-1", "7", '-', "TITL", "the description of a source is its title, not a note about it"),
    ("sour-1", "7", '+', "NOTE", "the description of a source is its title, not a note about it"),
    ("sour-1", "5", '~', "SOUR", "a record stays one, unless it was made here of what stood within another"),
    ("sour-1", "5", '-', "SOUR", "a record stays one, unless it was made here of what stood within another"),
    ("sour-1", "5", '-', "DATA", "a record stays one, unless it was made here of what stood within another"),
    ("sour-1", "5", '+', "TEXT", "a record stays one, unless it was made here of what stood within another"),
];

fn read(octets: &[u8]) -> Dataset {
    let options = ReadOptions::default().with_common(Some(Arc::clone(Schema::completed())));
    elf_model::read(octets, &Rules::WILD, &options, &mut ()).expect("a dataset")
}

fn file(folder: &str, name: &str) -> Vec<u8> {
    let path =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/pairs").join(folder).join(format!("{name}.ged"));
    std::fs::read(path).expect("a file")
}

/// The differences of what is written of a file from the file that its pair has.
fn differences(name: &str, to: &str) -> Vec<(char, String, String)> {
    let (from, target) = if to == "7" { ("5", Target::Gedcom70) } else { ("7", Target::Gedcom551) };
    let octets = file(from, name);
    let reader = || Reader::new(&octets[..], &Rules::WILD, elf_schema::ReadOptions::default());
    let written = migrated(reader, target, &mut ()).map(|written| written.octets);
    let (written, pair) = (read(&written.expect("it is small")), read(&file(to, name)));
    let found = written.differences(&pair);
    let said = found.iter().filter_map(|difference| {
        let (kind, one) = match difference {
            Difference::Payload(one, _) => ('~', one),
            Difference::Order(one, _) => ('o', one),
            Difference::Removed(one) => ('-', one),
            Difference::Added(one) => ('+', one),
            _ => return None,
        };
        let text = match difference {
            Difference::Payload(one, other) => format!("{} -> {}", one.text(), other.text()),
            _ => one.text().to_owned(),
        };
        let tag = if one.is_metadata() { format!("HEAD.{}", one.tag()) } else { one.tag().to_owned() };
        Some((kind, tag, text))
    });
    said.collect()
}

#[test]
fn pairs_differ_for_a_reason() {
    let mut used = BTreeSet::new();
    let mut unexplained = Vec::new();
    for name in PAIRS {
        for to in ["7", "5"] {
            for (kind, tag, text) in differences(name, to) {
                let fits = |(pair, direction, of, tagged, _): &&Reason| {
                    (*pair == name || *pair == "*") && *direction == to && *of == kind && *tagged == tag
                };
                match REASONS.iter().find(fits) {
                    Some(reason) => {
                        used.insert(*reason);
                    }
                    None => unexplained.push(format!("{name} to {to}: {kind} {tag} {text}")),
                }
            }
        }
    }
    assert!(
        unexplained.is_empty(),
        "{} more: {:#?}",
        unexplained.len(),
        &unexplained[..unexplained.len().min(150)]
    );
    let unused: Vec<&Reason> = REASONS.iter().filter(|reason| !used.contains(*reason)).collect();
    assert!(unused.is_empty(), "not needed: {unused:#?}");
}
