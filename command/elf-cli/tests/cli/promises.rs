//! What edits report, what is packed, what is refused, and what is left out: of several commands.

use crate::archives::{archive, packed};
use crate::shell::{elf, json, run_with, status, stderr, stdout};
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::{Output, Stdio};

const TREE: &str = "0 HEAD\n1 GEDC\n2 VERS 5.5.1\n2 FORM LINEAGE-LINKED\n1 CHAR UTF-8\n0 @I1@ INDI\n1 NAME A /B/\n1 SEX M\n\
    1 BIRT\n2 DATE 1850\n0 TRLR\n";

/// A tree with links to files.
fn with_links(links: &[&str]) -> String {
    let media: String = links
        .iter()
        .enumerate()
        .map(|(number, link)| format!("0 @M{number}@ OBJE\n1 FILE {link}\n2 FORM png\n"))
        .collect();
    TREE.replace("0 TRLR", &format!("{media}0 TRLR"))
}

fn run(folder: &Path, args: &[&str]) -> Output {
    elf(args).current_dir(folder).stdin(Stdio::null()).output().expect("it runs")
}

/// The names of the files in an archive, sorted, and the octets of one of them.
fn in_archive(path: &Path, wanted: &str) -> (Vec<String>, Vec<u8>) {
    let octets = fs::read(path).expect("an archive");
    let read = || std::io::Cursor::new(&octets);
    let entries = elf_archive::entries(read()).expect("a list");
    let mut names: Vec<String> = entries.iter().map(|entry| entry.name().to_owned()).collect();
    names.sort();
    let mut content = Vec::new();
    if let Some(entry) = entries.iter().find(|entry| entry.name() == wanted) {
        std::io::copy(&mut entry.open(read()).expect("an entry"), &mut content).expect("its octets");
    }
    (names, content)
}

#[test]
fn edits_report_what_check_reports() {
    for (edit, code) in [
        (["--set", "@I1@/BIRT/DATE=12/05/1920"], "E0601"),
        (["--set", "@I1@/BIRT/DATE=31 FEB 1920"], "E0602"),
        (["--set", "@I1@/SEX=Q"], "E0905"),
        (["--insert", "@I1@/BRTH=x"], "E0415"),
    ] {
        let output = run_with(&["edit", "-", edit[0], edit[1]], TREE.as_bytes());
        assert_eq!(status(&output), 0, "{edit:?}: {}", stderr(&output));
        assert!(stderr(&output).contains(code), "{edit:?}: {}", stderr(&output));
        let again = run_with(&["check", "-", "--format", "json"], &output.stdout);
        let before = run_with(&["check", "-", "--format", "json"], TREE.as_bytes());
        let codes = |output: &Output| -> Vec<Value> {
            json(output)
                .iter()
                .filter(|line| line["code"].is_string())
                .map(|line| line["code"].clone())
                .collect()
        };
        assert_eq!(codes(&again).len(), codes(&before).len() + 1, "{edit:?}");
        // What was wrong before is not reported again.
        let twice = run_with(&["edit", "-", "--set", "@I1@/NAME=C /D/"], &output.stdout);
        assert_eq!((status(&twice), stderr(&twice).as_str()), (0, ""), "{edit:?}");
    }
    for good in ["@I1@/BIRT/DATE=12 MAY 1920", "@I1@/SEX=F", "@I1@/NAME=C /D/"] {
        let output = run_with(&["edit", "-", "--set", good], TREE.as_bytes());
        assert_eq!((status(&output), stderr(&output).as_str()), (0, ""), "{good}");
    }
}

#[test]
fn paths_that_lead_nowhere_get_a_hint() {
    for (path, hint) in [
        ("@I9@/NAME=x", "a record with this identifier"),
        ("I1/NAME=x", "between at signs"),
        ("@I1@/birt/date=x", "in capitals"),
        ("@I1@/DEAT/DATE=1900", "--create"),
    ] {
        let output = run_with(&["edit", "-", "--set", path], TREE.as_bytes());
        assert_eq!(status(&output), 2, "{path}");
        assert!(stderr(&output).contains(hint), "{path}: {}", stderr(&output));
    }
}

#[test]
fn text_is_not_written_under_the_name_of_an_archive() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("a.gdz"), archive(&[packed("gedcom.ged", TREE.as_bytes())]))
        .expect("a file");
    for out in ["b.gdz", "b.GDZ", "b.zip", "b.gz"] {
        for args in [
            &["redact", "a.gdz", "-o"][..],
            &["extract", "a.gdz", "--from", "@I1@", "-o"],
            &["edit", "a.gdz", "--set", "@I1@/SEX=F", "-o"],
            &["edit", "a.gdz", "-o"],
            &["check", "a.gdz", "--fix", "-o"],
        ] {
            let output = run(folder.path(), &[args, &[out]].concat());
            assert_eq!(status(&output), 2, "{args:?} {out}");
            assert!(stderr(&output).contains("elf convert") && !folder.path().join(out).exists(), "{args:?}");
        }
    }
    let output = run(folder.path(), &["redact", "a.gdz", "-o", "b.ged"]);
    assert_eq!(status(&output), 0, "{}", stderr(&output));
}

#[test]
fn media_beside_the_file_are_packed() {
    let folder = tempfile::tempdir().expect("a folder");
    let place = |name: &str| folder.path().join(name);
    let links = ["photos/ann.png", "a b.jpg", "../out.png", "/etc/hostname", "no.png", "other.png"];
    fs::create_dir_all(place("in/photos")).and(fs::create_dir_all(place("more"))).expect("folders");
    fs::write(place("in/f.ged"), with_links(&links)).expect("a file");
    for (name, octets) in [
        ("in/photos/ann.png", &b"ann"[..]),
        ("in/a b.jpg", b"ab"),
        ("out.png", b"out"),
        ("more/other.png", b"other"),
    ] {
        fs::write(place(name), octets).expect("a file");
    }
    let output = run(folder.path(), &["convert", "in/f.ged", "--to-rules", "gedcom-7", "-o", "o.gdz"]);
    assert_eq!(status(&output), 1, "{}", stderr(&output));
    let (names, ann) = in_archive(&place("o.gdz"), "photos/ann.png");
    assert_eq!(
        (names, &ann[..]),
        (vec!["a b.jpg".into(), "gedcom.ged".into(), "photos/ann.png".into()], &b"ann"[..])
    );
    for missing in ["out.png", "hostname", "no.png", "other.png"] {
        assert!(stderr(&output).contains(missing), "{missing}: {}", stderr(&output));
    }
    let args = ["convert", "in/f.ged", "--to-rules", "gedcom-7", "-o", "o.gdz", "--media-folder", "more"];
    let output = run(folder.path(), &args);
    assert_eq!(in_archive(&place("o.gdz"), "other.png").1, b"other", "{}", stderr(&output));
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("../out.png", place("in/no.png")).expect("a link");
        run(folder.path(), &args);
        assert!(!in_archive(&place("o.gdz"), "no.png").0.contains(&"no.png".to_owned()));
    }
}

#[test]
fn media_in_an_archive_are_packed_whatever_the_file_is_called() {
    let folder = tempfile::tempdir().expect("a folder");
    let tree = with_links(&["photos/ann.png"]);
    for (ged, png) in [
        ("smith.ged", "photos/ann.png"),
        ("gedcom.ged", "photos/ann.png"),
        ("sub/gedcom.ged", "sub/photos/ann.png"),
        ("sub/smith.ged", "sub/photos/ann.png"),
    ] {
        let octets = archive(&[packed(ged, tree.as_bytes()), packed(png, b"ann"), packed("else.txt", b"x")]);
        fs::write(folder.path().join("smith.zip"), octets).expect("a file");
        let output = run(folder.path(), &["convert", "smith.zip", "--to-rules", "gedcom-7", "-o", "o.gdz"]);
        let (names, ann) = in_archive(&folder.path().join("o.gdz"), "photos/ann.png");
        assert_eq!(ann, b"ann", "{ged}: {names:?} {}", stderr(&output));
        assert!(!stderr(&output).contains("photos/ann.png"), "{ged}: {}", stderr(&output));
    }
    // What lies outside the folder of the file is not packed.
    let octets = archive(&[packed("sub/smith.ged", tree.as_bytes()), packed("photos/ann.png", b"ann")]);
    fs::write(folder.path().join("smith.zip"), octets).expect("a file");
    let output = run(folder.path(), &["convert", "smith.zip", "--to-rules", "gedcom-7", "-o", "o.gdz"]);
    assert_eq!(
        (status(&output), in_archive(&folder.path().join("o.gdz"), "").0),
        (1, vec!["gedcom.ged".to_owned()])
    );
}

#[test]
fn losses_are_printed_at_most_ten_times() {
    let notes: String =
        (0..25).map(|number| format!("0 @X{number}@ INDI\n1 RIN {number}\n1 _X @NO@\n")).collect();
    let tree = TREE.replace("0 TRLR", &format!("{notes}0 TRLR"));
    let convert = |more: &[&str]| {
        run_with(
            &[&["convert", "-", "--to-rules", "gedcom-7", "-o", "/dev/null"][..], more].concat(),
            tree.as_bytes(),
        )
    };
    let text = stderr(&convert(&[]));
    let lines =
        |code: &str| text.lines().filter(|line| line.contains(code) && !line.contains(" more;")).count();
    assert!(lines("E0821") <= 10 && text.contains("15 more; `--format json` lists all"), "{text}");
    let quiet = stderr(&convert(&["-q"]));
    assert!(quiet.lines().count() <= 5 && quiet.contains(": 25"), "{quiet}");
}

#[test]
fn files_are_excluded_and_the_total_is_printed_alone() {
    let folder = tempfile::tempdir().expect("a folder");
    let place = |name: &str| folder.path().join(name);
    fs::create_dir_all(place("d/sub")).expect("folders");
    for name in ["d/a.ged", "d/b.ged", "d/sub/c.ged"] {
        fs::write(place(name), TREE).expect("a file");
    }
    fs::write(place("d/cut.zip"), &archive(&[packed("x.ged", TREE.as_bytes())])[..40]).expect("a file");
    let output = run(folder.path(), &["check", "d", "--exclude", "*.zip", "-qq"]);
    assert_eq!((status(&output), stdout(&output).lines().count()), (0, 1), "{}", stdout(&output));
    assert!(stdout(&output).starts_with("3 files"), "{}", stdout(&output));
    for (glob, files) in [("b.ged", 2), ("d/sub/*", 2), ("sub/", 2), ("*.ged", 0), ("**/c.ged", 2), ("x", 3)]
    {
        let output = run(
            folder.path(),
            &["check", "d", "--exclude", "*.zip", "--exclude", glob, "-qq", "--format", "json"],
        );
        let total = json(&output);
        assert_eq!((total.len(), &total[0]["summary"]["files"]), (1, &files.into()), "{glob}");
    }
    let output = run(folder.path(), &["check", "d", "--write-baseline", "base"]);
    assert_eq!(status(&output), 2, "{}", stderr(&output));
    let baseline = fs::read_to_string(place("base")).expect("a baseline");
    assert!(baseline.contains("cut.zip") && baseline.contains("unreadable"), "{baseline}");
    let output = run(folder.path(), &["check", "d", "--baseline", "base", "-q"]);
    assert_eq!(status(&output), 0, "{}{}", stdout(&output), stderr(&output));
}

#[test]
fn the_manifest_describes_every_input() {
    let folder = tempfile::tempdir().expect("a folder");
    let place = |name: &str| folder.path().join(name);
    fs::create_dir_all(place("d")).expect("a folder");
    fs::write(place("d/a.ged"), TREE.replace("UTF-8", "ANSI").replace("A /B/", "Jos\u{e9}")).expect("a file");
    fs::write(place("d/b.ged"), "<!DOCTYPE html>").expect("a file");
    fs::write(place("d/cut.zip"), &archive(&[packed("x.ged", TREE.as_bytes())])[..40]).expect("a file");
    let output = run(folder.path(), &["convert", "d", "--out-dir", "out", "--manifest", "m.jsonl"]);
    assert_eq!(status(&output), 2, "{}", stderr(&output));
    let text = fs::read_to_string(place("m.jsonl")).expect("a manifest");
    let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!(lines.len(), 3, "{text}");
    for line in &lines {
        assert!(
            line["octets"].is_u64() && line["sha256"].as_str().is_some_and(|hash| hash.len() == 64),
            "{line}"
        );
        assert!(line["version"].is_string(), "{line}");
    }
    assert_eq!((&lines[0]["encoding"], &lines[0]["because"]), (&"UTF-8".into(), &"content".into()), "{text}");
    assert_eq!(lines[0]["rules"], "wild");
    assert!(lines[2]["error"].is_string(), "{text}");
}

#[cfg(unix)]
#[test]
fn a_link_to_a_pipe_is_written_to() {
    let output = run_with(&["redact", "-", "-o", "/dev/stdout"], TREE.as_bytes());
    assert_eq!((status(&output), stdout(&output).as_str()), (0, TREE), "{}", stderr(&output));
}

#[test]
fn paths_of_deep_structures_are_left_out() {
    let levels: String = (1..4000).map(|level| format!("{level} _X y\n")).collect();
    let file = format!("0 HEAD\n1 CHAR UTF-8\n0 @I1@ INDI\n{levels}0 TRLR\n");
    for format in ["flat", "tsv"] {
        let output = run_with(&["show", "-", "--format", format], file.as_bytes());
        assert_eq!(status(&output), 0);
        assert!(output.stdout.len() < 1_000_000, "{format}: {}", output.stdout.len());
        assert_eq!(
            stdout(&output).lines().filter(|line| line.contains("_X") || line.ends_with(" = y")).count(),
            3999
        );
    }
}

#[test]
fn any_number_of_threads_is_accepted_except_none() {
    let output = run_with(&["check", "-", "--jobs", "30000"], TREE.as_bytes());
    assert_eq!(status(&output), 0, "{}", stderr(&output));
    let output = run_with(&["check", "-", "--jobs", "0"], TREE.as_bytes());
    assert!(status(&output) == 2 && stderr(&output).contains("1 or more"), "{}", stderr(&output));
}

#[test]
fn parents_in_the_table_are_those_of_one_family() {
    let tree = "0 HEAD\n1 CHAR UTF-8\n0 @C@ INDI\n1 FAMC @F1@\n2 PEDI adopted\n1 FAMC @F2@\n2 PEDI birth\n0 @A@ INDI\n\
        1 NAME Adam /A/\n0 @B@ INDI\n1 NAME Eve /B/\n0 @F1@ FAM\n1 HUSB @A@\n1 CHIL @C@\n0 @F2@ FAM\n1 WIFE @B@\n\
        1 CHIL @C@\n0 TRLR\n";
    let rows = json(&run_with(&["table", "people", "-", "--format", "json"], tree.as_bytes()));
    let row = &rows[0];
    assert_eq!(
        (&row["father"], &row["mother"]),
        (&serde_json::json!([]), &serde_json::json!(["B"])),
        "{row}"
    );
    assert_eq!((&row["mother_name"], &row["living"]), (&serde_json::json!(["Eve B"]), &true.into()), "{row}");
}

#[test]
fn tables_tell_what_events_say() {
    let tree = "0 HEAD\n1 CHAR UTF-8\n0 @I1@ INDI\n1 NAME John /Smith/ Jr.\n2 NPFX Dr.\n1 NAME Jack /Smith/\n1 OCCU Smith\n\
        2 SOUR @S1@\n1 EVEN He won\n2 TYPE Prize\n1 RESI\n2 ADDR\n3 CITY Rome\n3 CTRY Italy\n2 PLAC Rome, Italy\n3 MAP\n\
        4 LATI N41.9\n4 LONG E12.5\n1 DEAT\n2 CAUS fever\n0 @S1@ SOUR\n0 TRLR\n";
    let rows = |table: &str| json(&run_with(&["table", table, "-", "--format", "json"], tree.as_bytes()));
    let events = rows("events");
    assert_eq!((&events[0]["value"], &events[0]["sources"]), (&"Smith".into(), &serde_json::json!(["S1"])));
    assert_eq!((&events[1]["value"], &events[1]["kind"]), (&"He won".into(), &"Prize".into()));
    assert_eq!((&events[2]["address"], &events[2]["latitude"]), (&"Rome, Italy".into(), &"N41.9".into()));
    assert_eq!((&events[2]["longitude"], &events[3]["cause"]), (&"E12.5".into(), &"fever".into()));
    let person = &rows("people")[0];
    assert_eq!((&person["prefix"], &person["suffix"]), (&"Dr.".into(), &"Jr.".into()), "{person}");
    assert_eq!(person["other_names"], serde_json::json!(["Jack Smith"]));
    assert_eq!(person["given_names"], serde_json::json!(["John", "Jack"]));
    assert_eq!(person["place_parts"], serde_json::json!(["Rome", "Italy"]));
}
