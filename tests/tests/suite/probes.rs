//! The six payloads that tell the drafts apart: one note, read by every set of rules.

#![allow(clippy::expect_used, reason = "a test fails by panicking")]

use elf_base::{Rules, codes};
use elf_octets::Options;
use elf_tagged::Payload;

/// The payload that is written, and the one that is read by each of: July 2017, October 2017, declarative,
/// January 2019, December 2019.
const PROBES: [(&str, [&str; 5]); 6] = [
    ("Jo@#UE3@ o", ["João", "João", "João", "João", "Joã o"]),
    ("Jo@#UE3@o", ["João", "João", "João", "Jo@#UE3@o", "João"]),
    ("@#DJULIAN@ 1540", ["@#DJULIAN@ 1540", "@#DJULIAN@ 1540", "1540", "1540", "@#DJULIAN@ 1540"]),
    (
        "some@#XYZ@thing",
        ["some@#XYZ@thing", "some@#XYZ@thing", "something", "some@#XYZ@thing", "some@#XYZ@thing"],
    ),
    ("@@#U41@@", ["->A", "->A", "@#U41@", "@#U41@", "@#U41@"]),
    (" x ", ["x", "x", " x ", " x ", " x "]),
];

/// Oldest first; the rules for found files read like December 2019.
const RULES: [(&Rules, usize); 6] = [
    (&Rules::JULY_2017, 0),
    (&Rules::OCTOBER_2017, 1),
    (&Rules::DECLARATIVE, 2),
    (&Rules::JANUARY_2019, 3),
    (&Rules::DECEMBER_2019, 4),
    (&Rules::WILD, 4),
];

fn read(tag: &str, payload: &str, rules: &Rules) -> String {
    let file = format!("0 HEAD\n1 CHAR UTF-8\n0 {tag} {payload}\n0 TRLR\n");
    let document =
        elf_tagged::read(file.as_bytes(), rules, &Options::default(), &mut ()).expect("a small file");
    let record = document.records().next().expect("a record");
    match record.payload() {
        Payload::None => String::new(),
        Payload::Text(text) => text.into_owned(),
        Payload::Pointer(id) => format!("->{id}"),
    }
}

#[test]
fn the_probes_tell_the_drafts_apart() {
    for (payload, expected) in PROBES {
        for (rules, draft) in RULES {
            assert_eq!(read("NOTE", payload, rules), expected[draft], "{payload:?} by {}", rules.name);
        }
    }
}

#[test]
fn a_calendar_stays_in_a_date() {
    for (rules, _) in RULES {
        assert_eq!(read("DATE", "@#DJULIAN@ 1540", rules), "@#DJULIAN@ 1540", "by {}", rules.name);
    }
}

#[test]
fn december_reports_an_escape_of_another_type() {
    for (rules, draft) in RULES {
        let file = b"0 HEAD\n1 CHAR UTF-8\n0 NOTE some@#XYZ@thing\n0 TRLR\n";
        let mut findings = Vec::new();
        elf_tagged::read(file, rules, &Options::default(), &mut findings).expect("a small file");
        let reported = findings.iter().any(|found: &elf_base::Diagnostic| {
            found.code == codes::ESCAPE_NOT_PERMITTED && found.class.is_error()
        });
        assert_eq!(reported, draft == 4, "by {}", rules.name);
    }
}
