//! `elf extract` and `elf redact`: what stays, what is told, and with which exit status.

use crate::archives::{archive, packed};
use crate::shell::{file, run, run_with, status, stderr, stdout};
use flate2::Compression;
use flate2::write::GzEncoder;
use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::Command;

/// A dead man, his living child called Ada Smith, and a source of hers.
const FAMILY: &str = "0 HEAD\r\n1 FILE ada-smith.ged\r\n1 CHAR ANSEL\r\n0 @I1@ INDI\r\n1 NAME Ada /Smith/\r\n1 BIRT\r\n\
    2 DATE 1990\r\n1 SOUR @S1@\r\n1 FAMC @F1@\r\n0 @I2@ INDI\r\n1 NAME Jo\u{e3}o /Smith/\r\n1 DEAT Y\r\n1 FAMS @F1@\r\n\
    1 NOTE father of Ada Smith\r\n0 @F1@ FAM\r\n1 HUSB @I2@\r\n1 CHIL @I1@\r\n0 @S1@ SOUR\r\n1 TITL Her letters\r\n0 TRLR";

/// The family in ANSEL, where a mark is before its letter.
fn ansel(text: &str) -> Vec<u8> {
    let mut octets = Vec::new();
    for c in text.chars() {
        match c {
            'ã' => octets.extend(b"\xE4a"),
            _ => octets.push(u8::try_from(u32::from(c)).expect("ASCII")),
        }
    }
    octets
}

#[test]
fn a_branch_is_written_octet_for_octet() {
    let output = run_with(&["extract", "-", "--from", "@I2@"], &ansel(FAMILY));
    let expected = "0 HEAD\r\n1 FILE ada-smith.ged\r\n1 CHAR ANSEL\r\n0 @I2@ INDI\r\n1 NAME Jo\u{e3}o /Smith/\r\n1 DEAT Y\r\n\
        1 NOTE father of Ada Smith\r\n0 TRLR";
    assert_eq!((status(&output), output.stdout.as_slice()), (0, &*ansel(expected)), "{}", stderr(&output));
    let told = "note: -: kept 1 of 2 people, 0 of 1 family and 0 of 1 other record unchanged\n\
        note: removed 1 structure from kept records; `--format json` lists all\n";
    assert_eq!(stderr(&output), told);
    let output = run_with(&["extract", "-", "--from", "I1", "--ancestors", "all"], &ansel(FAMILY));
    assert_eq!((status(&output), output.stdout), (0, ansel(FAMILY)));
}

#[test]
fn a_redaction_names_nobody_and_tells_of_names_that_stay() {
    let folder = tempfile::tempdir().expect("a folder");
    let input = folder.path().join("in.ged");
    let out = folder.path().join("out.ged");
    fs::write(&input, ansel(FAMILY)).expect("a file");
    let (input, out) = (input.to_str().expect("a path"), out.to_str().expect("a path"));
    let args = ["redact", input, "--today", "2026-11-23", "--format", "json", "-o", out];
    let output = run(&args);
    assert_eq!((status(&output), stderr(&output).as_str()), (1, ""));
    let expected = "0 HEAD\r\n1 CHAR ANSEL\r\n0 @I1@ INDI\r\n1 NAME Private\r\n1 FAMC @F1@\r\n0 @I2@ INDI\r\n\
        1 NAME Jo\u{e3}o /Smith/\r\n1 DEAT Y\r\n1 FAMS @F1@\r\n1 NOTE father of Ada Smith\r\n0 @F1@ FAM\r\n1 HUSB @I2@\r\n\
        1 CHIL @I1@\r\n0 TRLR";
    assert_eq!(fs::read(out).expect("a file"), ansel(expected));
    let told = stdout(&output).replace(input, "in.ged");
    let expected = r#"{"removed":{"path":"HEAD/FILE","file":"in.ged","line":2,"tag":"FILE","structures":1,"reason":"file-name"}}
{"removed":{"path":"@I1@/BIRT","file":"in.ged","line":6,"tag":"BIRT","structures":2,"reason":"living"}}
{"removed":{"path":"@I1@/SOUR","file":"in.ged","line":8,"tag":"SOUR","structures":1,"reason":"living"}}
{"removed":{"path":"@S1@","file":"in.ged","line":18,"tag":"SOUR","structures":2,"reason":"unreferenced"}}
{"mention":{"path":"@I2@/NOTE","file":"in.ged","line":14}}
{"summary":{"file":"in.ged","persons":{"kept":1,"hidden":1,"removed":0},"families":{"kept":1,"hidden":0,"removed":0},"others":{"kept":0,"hidden":0,"removed":1},"structures":4,"mentions":1,"unclear":0,"doubts":0,"complete":true}}
"#;
    // Standard output has them in the order of the file; mentions follow what was removed of their part.
    assert_eq!(told, expected);
    let output = run(&["redact", input, "--today", "2026-11-23", "--as", "drop", "-o", "-"]);
    assert_eq!(status(&output), 1);
    let told = stderr(&output);
    assert!(told.contains("`@I2@/NOTE` at line 14 contains the name of a hidden person"), "{told}");
    assert!(told.contains("this filter cannot find everything"), "{told}");
    assert!(!told.contains("Ada") && !told.contains("Smith"), "{told}");
}

#[test]
fn problems_of_the_input_are_counted() {
    let damaged = FAMILY.replace("1 SOUR @S1@", "xx\r\n4 SOUR @S1@");
    let output = run_with(&["redact", "-", "--today", "2026-11-23"], &ansel(&damaged));
    assert_eq!(status(&output), 1);
    assert!(
        stderr(&output)
            .contains("the input has 2 problems, so lines may be in the wrong record: `elf check -`"),
        "{}",
        stderr(&output)
    );
}

#[test]
fn the_reasons_fit_several_births_and_a_death_before_the_birth() {
    let file = "0 HEAD\n1 CHAR UTF-8\n1 GEDC\n2 VERS 5.5.1\n2 FORM LINEAGE-LINKED\n0 @I1@ INDI\n1 NAME A\n\
        1 BIRT\n2 DATE 1850\n1 BIRT\n2 DATE 1980\n0 @I2@ INDI\n1 NAME B\n1 BIRT\n2 DATE 1990\n1 DEAT\n2 DATE 1850\n\
        0 @I3@ INDI\n1 NAME C\n1 DEAT N\n0 TRLR\n";
    let output = run_with(&["redact", "-", "--check", "--today", "2026-11-23"], file.as_bytes());
    let expected = "-:6: @I1@ A (born 1850): no death and born by 1980 by the dates of events or relatives, \
        within 110 years\n-:12: @I2@ B (born 1990): no certain death and born 1990, within 110 years\n\
        -:18: @I3@ C: no certain death, and no date that limits the birth\n";
    assert_eq!((status(&output), stdout(&output).as_str()), (1, expected));
}

#[test]
fn the_check_lists_records_and_writes_nothing() {
    let output = run_with(&["redact", "-", "--check", "--today", "2026-11-23"], &ansel(FAMILY));
    assert_eq!(
        (status(&output), stdout(&output).as_str()),
        (1, "-:4: @I1@ Ada Smith (born 1990): no death and born 1990, within 110 years\n")
    );
    assert_eq!(stderr(&output), "note: -: 1 person of 2 may be living\n");
    let args = ["redact", "-", "--check", "--today", "2026-11-23", "--format", "json"];
    let output = run_with(&args, &ansel(FAMILY));
    let expected = "{\"file\":\"-\",\"id\":\"I1\",\"name\":\"Ada Smith\",\"birth\":\"1990\",\
        \"reason\":\"no death and born 1990, within 110 years\",\"line\":4}\n";
    assert!(stdout(&output).starts_with(expected), "{}", stdout(&output));
    let args = ["redact", "-", "--check", "--today", "2126-11-23", "--format", "json"];
    let output = run_with(&args, &ansel(FAMILY));
    let expected = "{\"summary\":{\"file\":\"-\",\"persons\":2,\"living\":0,\"complete\":true}}\n";
    assert_eq!((status(&output), stdout(&output).as_str()), (0, expected));
    let output = run_with(&["redact", "-", "--check", "--keep", "@I1@"], &ansel(FAMILY));
    assert_eq!(status(&output), 0);
}

#[test]
fn what_cannot_be_done_is_said_and_nothing_is_written() {
    let output = run_with(&["extract", "-", "--from", "@I9@"], &ansel(FAMILY));
    assert_eq!((status(&output), stdout(&output).as_str()), (2, ""));
    assert_eq!(stderr(&output), "error: -: no person has the identifier `@I9@`\n");
    let output = run_with(&["redact", "-", "--format", "json"], &ansel(FAMILY));
    assert_eq!((status(&output), stdout(&output).as_str()), (2, ""));
    let output = run_with(&["extract", "-", "--from", "@I1@", "--in-place"], &ansel(FAMILY));
    assert_eq!((status(&output), stdout(&output).as_str()), (2, ""));
}

#[test]
fn a_file_whose_reading_the_rules_ended_is_written_only_in_part() {
    let input = b"0 HEAD\n0 @I1@ INDI\n1 NAME Ada /Smith/\nAda lives\n1 NOTE secret\n0 TRLR\n";
    let args = ["redact", "-", "--rules", "2019-12", "--partial"];
    let output = run_with(&args[..4], input);
    assert_eq!((status(&output), stdout(&output).as_str()), (2, ""));
    let told = stderr(&output);
    assert!(told.contains("reading of - stopped early at line 4 (E0201), so nothing is written"), "{told}");
    let output = run_with(&args, input);
    let expected = "0 HEAD\n0 @I1@ INDI\n1 NAME Private\n";
    assert_eq!((status(&output), stdout(&output).as_str()), (1, expected));
    assert!(!stderr(&output).contains("Ada"));
    // Where nothing was read there is no part of it.
    for (input, options) in [(&input[..], &["--encoding", "UTF-16LE"][..]), (b"hello Ada", &[])] {
        let output = run_with(&[&["redact", "-", "--partial"], options].concat(), input);
        assert_eq!((status(&output), stdout(&output).as_str()), (2, ""), "{options:?}");
    }
}

#[test]
fn a_file_is_overwritten_only_where_it_is_asked_for() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("family.ged");
    fs::copy(file("family.ged"), &path).expect("a file");
    let name = path.to_str().expect("a path");
    let before = fs::read(&path).expect("a file");
    let output = run(&["extract", name, "--from", "@I1@", "-o", name]);
    assert_eq!(status(&output), 2);
    assert_eq!(fs::read(&path).expect("a file"), before);
    let output = run(&["extract", name, "--from", "@I1@", "--in-place"]);
    assert_eq!((status(&output), fs::read(&path).expect("a file")), (0, before));
}

#[test]
fn a_packed_file_is_read_as_the_file_that_it_holds() {
    let folder = tempfile::tempdir().expect("a folder");
    let plain = FAMILY.replace('\u{e3}', "a");
    let plain = plain.as_bytes();
    let mut gzip = GzEncoder::new(Vec::new(), Compression::default());
    gzip.write_all(plain).expect("a vector");
    let gzip = gzip.finish().expect("a vector");
    let several = archive(&[packed("a.ged", plain), packed("b.ged", plain)]);
    let zip = archive(&[packed("family.ged", plain)]);
    for (name, octets) in
        [("family.ged", plain), ("family.ged.gz", &gzip), ("family.zip", &zip), ("several.zip", &several)]
    {
        fs::write(folder.path().join(name), octets).expect("a file");
    }
    let run_on = |args: &[&str], name: &str| {
        let path = folder.path().join(name);
        run(&[args, &[path.to_str().expect("a path")]].concat())
    };
    let commands: [&[&str]; 2] = [&["extract", "--from", "@I2@"], &["redact", "--today", "2026-11-23"]];
    for args in commands {
        let expected = run_with(&[args, &["-"]].concat(), plain);
        assert!(status(&expected) < 2 && !expected.stdout.is_empty(), "{}", stderr(&expected));
        for name in ["family.ged", "family.ged.gz", "family.zip"] {
            let output = run_on(args, name);
            assert_eq!(
                (status(&output), output.stdout),
                (status(&expected), expected.stdout.clone()),
                "{name}"
            );
        }
        for (name, told) in [
            ("several.zip", "it contains several files: name one of them"),
            ("", "it is a folder: name one file"),
        ] {
            let output = run_on(args, name);
            assert_eq!((status(&output), stdout(&output).as_str()), (2, ""), "{name}");
            assert!(stderr(&output).contains(told), "{}", stderr(&output));
        }
    }
}

#[test]
fn records_in_the_wrong_place_go_or_are_told() {
    let living = "0 @I1@ INDI\n1 NAME Ada /Smith/\n1 NOTE @N4@\n1 SOUR @S1@\n";
    let dead = "0 @I2@ INDI\n1 NAME Old /Man/\n1 DEAT Y\n";
    for (expected, body) in [
        (0, format!("0 HEAD\n{living}{dead}1 @N4@ NOTE secret\n0 @S1@ SOUR\n1 TITL secret\n0 TRLR\n")),
        (0, format!("0 HEAD\n{living}{dead}1 @S1@ SOUR\n2 TITL secret\n0 @N4@ NOTE secret\n0 TRLR\n")),
        (1, format!("0 HEAD\n{living}{dead}1 @S1@ SOUR\n1 TITL secret\n0 @N4@ NOTE secret\n0 TRLR\n")),
        (
            1,
            format!(
                "0 HEAD\n0 @I1@ INDI\n1 NAME Ada /Smith/\n0 HEAD\n1 NOTE secret\n1 _UID secret\n{dead}0 TRLR\n"
            ),
        ),
        (1, format!("1 _UID secret\n1 _MREL secret\n1 SUBM @U1@\n2 NOTE secret\n{dead}0 TRLR\n")),
        (1, format!("0 HEAD\n{dead}0 @I5@ IND\n1 OCCU secret\n0 TRLR\n")),
        (1, format!("0 HEAD\n{dead}0 @N1@ NOTE open\n0 TRLR\n")),
        (1, format!("0 HEAD\n{dead}")),
    ] {
        for partial in [&[][..], &["--partial"]] {
            let args = [&["redact", "-", "--as", "drop", "--today", "2026-11-23"], partial].concat();
            let output = run_with(&args, body.as_bytes());
            assert_eq!(status(&output), expected, "{body}: {}", stderr(&output));
            assert!(!stdout(&output).contains("secret"), "{body}: {}", stdout(&output));
        }
    }
}

/// Prints how many persons and families two other programs find in each file.
const COUNT: &str = r#"
import sys
from ged4py import GedcomReader
from gedcom.parser import Parser
for path in sys.argv[1:]:
    with GedcomReader(path) as reader:
        print(*(sum(1 for _ in reader.records0(tag)) for tag in ["INDI", "FAM"]))
    parser = Parser()
    parser.parse_file(path, False)
    tags = [element.get_tag() for element in parser.get_root_child_elements()]
    print(*(tags.count(tag) for tag in ["INDI", "FAM"]))
"#;

/// The interpreter that has the other programs, if any does.
#[allow(clippy::print_stderr, reason = "a test that is passed over says so")]
fn python() -> Option<String> {
    let name = std::env::var("ELF_PYTHON").unwrap_or_else(|_| "python3".to_owned());
    let import = Command::new(&name).args(["-c", "import ged4py, gedcom.parser"]).output();
    let has_all = import.is_ok_and(|output| output.status.success());
    if !has_all {
        eprintln!("skipped: {name} has no ged4py and python-gedcom; ELF_PYTHON names one that has");
    }
    has_all.then_some(name)
}

#[test]
fn other_programs_read_what_is_left() {
    let Some(python) = python() else { return };
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus");
    let folder = tempfile::tempdir().expect("a folder");
    let (mut files, mut expected) = (Vec::new(), String::new());
    for (name, from) in [
        ("D-Jeffrey__gedcom-samples__Royal92-Famous+European+Royalty+Gedcom.ged", "@I52@"),
        ("D-Jeffrey__gedcom-samples__US+Presidents+Trees+I.ged", "@I1@"),
        ("cacack__gedcom-go__rootsmagic-2026-export.ged", "@I1@"),
    ] {
        let input = corpus.join(name);
        if !input.exists() {
            return;
        }
        // One of the programs knows UTF-8 only.
        let utf_8 = folder.path().join(format!("{}.ged", files.len()));
        let (input, utf_8) = (input.to_str().expect("a path"), utf_8.to_str().expect("a path"));
        let convert = ["convert", input, "--allow-loss", "-o", utf_8];
        assert_eq!(status(&run(&convert)), 0, "{name}");
        let branch = ["extract", "--from", from, "--ancestors", "all", "--descendants", "3", "--spouses"];
        let today = ["--today", "2026-11-23"];
        for (what, args) in [
            ("branch", branch.to_vec()),
            ("placeholders", [&["redact"], &today[..]].concat()),
            ("dropped", [&["redact", "--as", "drop"], &today[..]].concat()),
        ] {
            let out = folder.path().join(format!("{}-{what}.ged", files.len()));
            let path = out.to_str().expect("a path").to_owned();
            let output = run(&[&args[..], &["--format", "json", utf_8, "-o", &path]].concat());
            assert!(status(&output) < 2, "{name}, {what}: {}", stderr(&output));
            let data = crate::shell::json(&output);
            let counts = &data[data.len() - 1]["summary"];
            let left = |kind: &str| {
                let of = |word: &str| counts[kind][word].as_u64().expect("a count");
                of("kept") + of("hidden")
            };
            let left = format!("{} {}\n", left("persons"), left("families"));
            assert!(!left.starts_with("0 "), "{name}, {what}");
            expected.push_str(&left.repeat(2));
            files.push(path);
        }
    }
    let output = Command::new(python).arg("-c").arg(COUNT).args(&files).output().expect("it runs");
    assert_eq!(stdout(&output), expected, "{}", stderr(&output));
}
