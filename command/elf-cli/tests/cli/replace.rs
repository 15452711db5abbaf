//! `elf replace`: what is replaced, where the result goes, and the exit status.

use crate::shell::{json, run, run_with, status, stderr, stdout};
use serde_json::json;

const FAMILY: &str = "0 HEAD\r\n1 CHAR UTF-8\r\n0 @I1@ INDI\r\n1 NAME Danzig\r\n1 BIRT\r\n  2 PLAC Danzig, Danzig\r\n\
    1 DEAT\r\n2 PLAC Dan\r\n3 CONC zig\r\n3 CONT danzig\r\n2 NOTE @N1@\r\n1 OBJE\r\n2 FILE C:\\Photos\\a.jpg\r\n\
    0 @N1@ NOTE Danzig\r\n0 TRLR\r\n";

/// The arguments, the texts of the file with those that take their place, and the number of payloads.
type Case<'c> = (&'c [&'c str], &'c [(&'c str, &'c str)], usize);

fn replace(args: &[&str]) -> std::process::Output {
    let at = args.len() - 2;
    let (options, texts) = args.split_at(at);
    run_with(&[&["replace"], options, texts, &["-"]].concat(), FAMILY.as_bytes())
}

#[test]
fn payloads_of_the_named_structures_change_and_nothing_else() {
    let cases: [Case; 14] = [
        (
            &["--in", "PLAC", "Danzig", "Gdansk"],
            &[("PLAC Danzig, Danzig", "PLAC Gdansk, Gdansk"), ("PLAC Dan\r\n3 CONC zig", "PLAC Gdansk")],
            2,
        ),
        (
            &["--in", "PLAC", "zig\ndan", "x\ny"],
            &[("Dan\r\n3 CONC zig\r\n3 CONT danzig", "Danx\r\n3 CONT yzig")],
            1,
        ),
        (&["--in", "PLAC", "--whole", "Danzig", "x"], &[], 0),
        (&["--in", "PLAC", "--whole", "Danzig, Danzig", "x"], &[("PLAC Danzig, Danzig", "PLAC x")], 1),
        (
            &["--in", "PLAC,NAME", "--ignore-case", "DANZIG", "x"],
            &[
                ("NAME Danzig", "NAME x"),
                ("PLAC Danzig, Danzig", "PLAC x, x"),
                ("PLAC Dan\r\n3 CONC zig\r\n3 CONT danzig", "PLAC x\r\n3 CONT x"),
            ],
            3,
        ),
        (
            &["--in", "FILE", "--regex", r"^C:\\Photos\\(.*)", "photos/$1x"],
            &[("C:\\Photos\\a.jpg", "photos/a.jpgx")],
            1,
        ),
        (&["--in", "FILE", "--regex", "(?<name>a).jpg", "${name}$$1"], &[("a.jpg", "a$1")], 1),
        (&["--in", "FILE", r"C:\Photos\", "$1."], &[("C:\\Photos\\a.jpg", "$1.a.jpg")], 1),
        (&["--in", "FILE", "--regex", "--whole", "a.jpg", "x"], &[], 0),
        (&["--in", "NOTE", "Danzig", "x"], &[("NOTE Danzig", "NOTE x")], 1),
        (&["--in", "NOTE", "--regex", "N1|@", "x"], &[], 0),
        (
            &["--in", "elf:PLACE_STRUCTURE", "--whole", "--regex", "Dan.*ig, .*", ""],
            &[("PLAC Danzig, Danzig", "PLAC")],
            1,
        ),
        (
            &["--in", "NAME", "--in", "FILE", "--regex", "Photos|anz", "@#"],
            &[("NAME Danzig", "NAME D@@#ig"), ("Photos", "@@#")],
            2,
        ),
        (&["--in", "PLAC", "Nowhere", "x"], &[], 0),
    ];
    for (args, changes, count) in cases {
        let output = replace(args);
        let expected = changes.iter().fold(FAMILY.to_owned(), |file, (old, new)| file.replace(old, new));
        assert_eq!(stdout(&output), expected, "{args:?}");
        let noun = if count == 1 { "payload" } else { "payloads" };
        assert_eq!(
            (status(&output), stderr(&output)),
            (0, format!("note: -: {count} {noun} changed\n")),
            "{args:?}"
        );
    }
}

#[test]
fn wrong_arguments_and_files_that_cannot_be_edited_fail() {
    for args in [
        &["--in", "PLAC", "", "x"][..],
        &["--in", "", "a", "x"],
        &["--in", "PLAC,,ADDR", "a", "x"],
        &["--in", "BIRT/PLAC", "a", "x"],
        &["--in", "@I1@", "a", "x"],
        &["--in", "PLAC", "--regex", "(", "x"],
        &["--in", "PLAC", "--regex", "a", "$1"],
        &["--in", "PLAC", "--regex", "a", "cost $"],
        &["--in", "CHAR", "UTF-8", "ANSEL"],
        &["--in", "PLAC", "--backup", "a", "b"],
        &["--in", "PLAC", "--in-place", "a", "b"],
        &["--in", "PLAC", "--format", "json", "a", "b"],
        &["Danzig", "x"],
    ] {
        let output = replace(args);
        assert_eq!((status(&output), stdout(&output).as_str()), (2, ""), "{args:?} {}", stderr(&output));
        assert!(!stderr(&output).is_empty());
    }
    assert_eq!(status(&run(&["replace", "--in", "PLAC", "a", "b", "no-such-file.ged"])), 2);
    let cut = FAMILY.replace("0 TRLR\r\n", "");
    let args = ["replace", "--rules", "2019-12", "--in", "PLAC", "x", "y", "-"];
    assert_eq!(status(&run_with(&args, cut.as_bytes())), 2);
}

#[test]
fn the_result_goes_where_the_arguments_say() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name).to_string_lossy().into_owned();
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).expect("a file");
    let read = |name: &str| std::fs::read_to_string(folder.path().join(name)).expect("a file");
    write("a.ged", FAMILY);
    write("b.ged", "0 HEAD\n1 CHAR UTF-8\n0 TRLR\n");
    let new = FAMILY.replace("NAME Danzig", "NAME Gda\u{144}sk");
    let one = path("a.ged");
    let args = ["replace", "--in", "NAME", "Danzig", "Gda\u{144}sk", &one];
    let output = run(&[&args[..], &["--diff"]].concat());
    assert_eq!(status(&output), 0);
    assert!(stdout(&output).contains("-1 NAME Danzig\n+1 NAME Gda\u{144}sk\n"), "{}", stdout(&output));
    let output = run(&[&args[..], &["-o", &path("new.ged")]].concat());
    assert_eq!((status(&output), stdout(&output).as_str(), read("new.ged")), (0, "", new.clone()));
    assert_eq!(status(&run(&[&args[..], &["-o", &path("a.ged")]].concat())), 2);
    assert_eq!(read("a.ged"), FAMILY);
    let other = path("b.ged");
    let both = [&args[..], &[&other]].concat();
    assert_eq!(status(&run(&both)), 2);
    let output = run(&[&both[..], &["--out-dir", &path("out"), "--format", "json"]].concat());
    let summaries: Vec<_> =
        json(&output).into_iter().map(|line| line["summary"]["changed"].clone()).collect();
    assert_eq!((status(&output), summaries), (0, vec![json!(1), json!(0)]), "{}", stderr(&output));
    assert_eq!((read("out/a.ged"), read("out/b.ged")), (new.clone(), read("b.ged")));
    let output = run(&[&both[..], &["--in-place", "--backup"]].concat());
    assert_eq!((status(&output), read("a.ged"), read("a.ged.bak")), (0, new, FAMILY.to_owned()));
    assert!(!folder.path().join("b.ged.bak").exists());
    assert_eq!(stderr(&output).lines().filter(|line| line.contains(" changed")).count(), 2);
}

#[test]
fn new_lines_are_in_the_encoding_of_the_file() {
    let file = b"0 HEAD\n1 CHAR ANSEL\n0 @I1@ INDI\n1 NAME Jo\xE4ao\n1 BIRT\n2 PLAC Danzig\n0 TRLR\n";
    let output = run_with(&["replace", "--in", "PLAC", "Danzig", "M\u{fc}nchen", "-"], file);
    let expected =
        b"0 HEAD\n1 CHAR ANSEL\n0 @I1@ INDI\n1 NAME Jo\xE4ao\n1 BIRT\n2 PLAC M\xE8unchen\n0 TRLR\n";
    assert_eq!((status(&output), &*output.stdout), (0, &expected[..]));
    // A letter is found however its marks are written.
    for from in ["Jo\u{e3}o", "Joa\u{303}o"] {
        let output = run_with(&["replace", "--in", "NAME", from, "Jo\u{e3}\u{e3}", "-"], file);
        let expected = String::from_utf8_lossy(file).replace("Jo\u{fffd}ao", "?");
        assert_eq!(String::from_utf8_lossy(&output.stdout).replace("Jo\u{fffd}a\u{fffd}a", "?"), expected);
    }
}
