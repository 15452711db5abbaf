//! Baselines: what is known is not reported again, though the file was exported anew.

use crate::archives::{archive, packed};
use crate::shell::{elf, json, run, status, stderr, stdout};
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::Output;

fn check(folder: &Path, args: &[&str]) -> Output {
    elf(&[&["check"], args].concat()).current_dir(folder).output().expect("the command runs")
}

fn write(folder: &Path, name: &str, text: impl AsRef<[u8]>) {
    let path = folder.join(name);
    fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
    fs::write(path, text).expect("a file");
}

/// Writes a baseline of some files, and returns it.
fn record(folder: &Path, args: &[&str]) -> String {
    let output = check(folder, &[&["--write-baseline", "known.jsonl"], args].concat());
    assert_eq!(status(&output), 0, "{}", stderr(&output));
    assert!(!stdout(&output).contains("[E"), "{}", stdout(&output));
    fs::read_to_string(folder.join("known.jsonl")).expect("a baseline")
}

/// The lines with findings that are left, and the summary.
fn left(folder: &Path, args: &[&str]) -> (Vec<(String, u64)>, serde_json::Value) {
    let output = check(folder, &[&["--baseline", "known.jsonl", "--format", "json"], args].concat());
    let lines = json(&output);
    let found =
        lines.iter().filter_map(|one| Some((one["code"].as_str()?.to_owned(), one["line"].as_u64()?)));
    (found.collect(), lines.last().expect("a summary")["summary"].clone())
}

const HEAD: &str = "0 HEAD\n1 CHAR UTF-8\n1 GEDC\n2 VERS 5.5.1\n2 FORM LINEAGE-LINKED\n";
const ONE: &str = "0 @I1@ INDI\n1 NOTE a@b\n1 NOTE a@b\n1 BIRT\n2 QUAY 1\n1 FAMS @F9@\n1 SEX M\nnonsense\n";
const TWO: &str = "0 @I2@ INDI\n1 NOTE a@b\n1 FAMC @F9@\n";

#[test]
fn findings_are_recorded_by_what_they_are_about() {
    let folder = tempfile::tempdir().expect("a folder");
    write(folder.path(), "sub/a.ged", format!("{HEAD}{TWO}{ONE}0 TRLR\n"));
    let known = record(folder.path(), &["sub/a.ged"]);
    let lines: Vec<&str> = known.lines().collect();
    assert_eq!(lines[0], "{\"elf_baseline\":1}");
    assert!(lines[1..].is_sorted(), "{known}");
    let has =
        |start: &str, end: &str| lines.iter().any(|line| line.starts_with(start) && line.ends_with(end));
    assert!(
        has(
            "{\"file\":\"sub/a.ged\",\"code\":\"E0326\",\"record\":\"I1\",\"path\":\"INDI/NOTE\",\"payload\":\"",
            "\",\"count\":2}"
        ),
        "{known}"
    );
    assert!(
        has("{\"file\":\"sub/a.ged\",\"code\":\"E0415\",\"path\":\"BIRT/QUAY\",\"count\":1}", ""),
        "{known}"
    );
    // The hash is that of SHA-256: `printf a@b | sha256sum`.
    assert!(known.contains("\"payload\":\"7508d8b5018ea640b85269861a101203\""), "{known}");
    // Everything is known, in each format, and nothing decides the status.
    for format in ["human", "short", "json", "github", "sarif"] {
        let args = ["--baseline", "known.jsonl", "--deny", "warnings", "--format", format, "sub/a.ged"];
        let output = check(folder.path(), &args);
        assert_eq!((status(&output), stderr(&output).as_str()), (0, ""), "{}", stdout(&output));
    }
    let said = stdout(&check(folder.path(), &["--baseline", "known.jsonl", "sub/a.ged"]));
    assert!(
        said.starts_with("sub/a.ged: ") && said.contains("nothing to report, ") && said.contains(" known"),
        "{said}"
    );
    let statistics =
        stdout(&check(folder.path(), &["--baseline", "known.jsonl", "--statistics", "sub/a.ged"]));
    assert_eq!(statistics.lines().count(), 1, "{statistics}");
    // The names are those from the baseline, wherever the command runs.
    let inside = check(&folder.path().join("sub"), &["--baseline", "../known.jsonl", "-q", "a.ged"]);
    assert!(stdout(&inside).contains("nothing to report"), "{}", stdout(&inside));
}

#[test]
fn a_new_export_brings_nothing_old_back() {
    let folder = tempfile::tempdir().expect("a folder");
    write(folder.path(), "a.ged", format!("{HEAD}{TWO}{ONE}0 TRLR\n"));
    record(folder.path(), &["a.ged"]);
    let more = "0 @I0@ INDI\n1 BIRT\n2 PLAC x\n2 QUAY 1\n";
    let one = ONE.replace("1 BIRT\n", "1 BIRT\n2 DATE 1900\n1 BIRT\n");
    write(folder.path(), "a.ged", format!("{HEAD}{more}{one}{TWO}0 TRLR\n"));
    for jobs in ["1", "4"] {
        let (found, summary) = left(folder.path(), &["--jobs", jobs, "a.ged"]);
        assert_eq!(found, []);
        assert_eq!((&summary["gone"], &summary["advice"]), (&0.into(), &0.into()));
    }
    // More of one kind: the last are new. What is gone is counted.
    let one = ONE.replace("1 BIRT\n", "1 NOTE a@b\n1 NOTE a@b\n1 BIRT\n").replace("1 FAMS @F9@\n", "");
    write(folder.path(), "a.ged", format!("{HEAD}{one}{TWO}0 TRLR\n"));
    let (found, summary) = left(folder.path(), &["a.ged"]);
    assert_eq!(found, [("E0326".to_owned(), 9), ("E0326".to_owned(), 10)]);
    assert_eq!(summary["gone"], 1, "{summary}");
    // What nobody looks for is not gone.
    assert_eq!(left(folder.path(), &["--ignore", "E0327", "a.ged"]).1["gone"], 0);
}

#[test]
fn large_files_are_the_same_on_any_number_of_threads() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut text = HEAD.to_owned();
    for number in 0..36_000 {
        let _ = write!(text, "0 @I{number}@ INDI\n1 NOTE a@b\n1 NOTE c@d\n1 FAMS @F{number}@\n");
    }
    write(folder.path(), "a.ged", format!("{text}0 TRLR\n"));
    record(folder.path(), &["a.ged"]);
    for args in [&["--jobs", "1"][..], &["--jobs", "3"], &["-q"]] {
        let (found, summary) = left(folder.path(), &[args, &["a.ged"]].concat());
        assert_eq!((found.len(), &summary["known"], &summary["gone"]), (0, &108_000.into(), &0.into()));
    }
    write(folder.path(), "a.ged", format!("{text}0 @X@ INDI\n1 NOTE a@b\n1 FAMS @F@\n0 TRLR\n"));
    let (found, _) = left(folder.path(), &["a.ged"]);
    assert_eq!(found.len(), 2, "{found:?}");
    // For a person too, though the first ten of a code are known.
    let said = stdout(&check(folder.path(), &["--baseline", "known.jsonl", "a.ged"]));
    assert!(said.contains("in @X@\n") && !said.contains("more;"), "{said}");
}

#[test]
fn a_baseline_that_is_none_is_an_error_with_its_place() {
    let folder = tempfile::tempdir().expect("a folder");
    write(folder.path(), "a.ged", format!("{HEAD}0 TRLR\n"));
    for (text, place) in [
        ("", "line 1, column 1"),
        ("{\"elf_baseline\":2}\n", "version 2 is unknown"),
        ("{\"elf_baseline\":1}\n\n{\"file\":\"a.ged\",\"code\":1}\n", "line 3, column 24"),
        ("{\"elf_baseline\":1}\n{\"file\":\"a\",\"code\":\"E\",\"count\":1,\"x\":1}\n", "line 2, column"),
        ("{\"elf_baseline\":1}\n{\"file\":\"\u{1b}[31m\n", "line 2, column"),
    ] {
        write(folder.path(), "known.jsonl", text);
        let output = check(folder.path(), &["--baseline", "known.jsonl", "a.ged"]);
        assert_eq!((status(&output), stdout(&output).as_str()), (2, ""), "{text}");
        let said = stderr(&output);
        assert!(said.contains("known.jsonl") && said.contains(place) && !said.contains('\u{1b}'), "{said}");
    }
    assert_eq!(status(&check(folder.path(), &["--baseline", "none.jsonl", "a.ged"])), 2);
    // What is read is not overwritten. A file that cannot be read is recorded, and the status stays 2.
    assert_eq!(status(&check(folder.path(), &["--write-baseline", "a.ged", "a.ged"])), 2);
    let output = check(folder.path(), &["--write-baseline", "new.jsonl", "a.ged", "none.ged"]);
    let written = std::fs::read_to_string(folder.path().join("new.jsonl")).expect("a baseline");
    assert!(status(&output) == 2 && written.contains("none.ged"), "{written}");
}

#[test]
fn repairs_do_not_ask_it() {
    let folder = tempfile::tempdir().expect("a folder");
    write(folder.path(), "a.ged", format!("{HEAD}{TWO}0 TRLR\n"));
    record(folder.path(), &["a.ged"]);
    let output = check(folder.path(), &["--baseline", "known.jsonl", "--fix", "a.ged"]);
    assert!(stdout(&output).contains("a@@b"), "{}", stdout(&output));
    assert!(
        stderr(&output).contains("nothing to report, 1 known, 1 gone; 1 repaired"),
        "{}",
        stderr(&output)
    );
}

/// A file in a folder `d`, and in an archive there; neither is ever written to.
fn folder_with_archive() -> (tempfile::TempDir, Vec<u8>) {
    let folder = tempfile::tempdir().expect("a folder");
    let text = b"0 HEAD\n1 CHAR UTF-8\n0 @I1@ INDI\n1 NOTE a@b\n0 TRLR\n";
    let zip = archive(&[packed("a.ged", text), packed("sub/b.ged", text)]);
    std::fs::create_dir_all(folder.path().join("p/d")).expect("a folder");
    std::fs::write(folder.path().join("p/d/a.ged"), text).expect("a file");
    std::fs::write(folder.path().join("p/d/z.zip"), &zip).expect("a file");
    (folder, zip)
}

#[test]
fn no_baseline_or_report_overwrites_what_a_folder_stands_for() {
    let (folder, zip) = folder_with_archive();
    let run = |args: &[&str]| elf(args).current_dir(folder.path()).output().expect("the command runs");
    let places = ["p/d/a.ged", "./p/d/../d/z.zip", "p/elf.toml"];
    std::fs::write(folder.path().join("p/elf.toml"), "[check]\ndeny = [\"warnings\"]\n").expect("a file");
    for files in ["p", ".", "p/d/*", "p/d/z.zip!a.ged"] {
        for place in places {
            for option in ["--write-baseline", "-o"] {
                if files == "p/d/z.zip!a.ged" && place == places[0] {
                    continue;
                }
                let output = run(&["check", files, option, place]);
                assert_eq!(status(&output), 2, "{files} {option} {place}");
                assert!(stderr(&output).contains("it is an input"), "{}", stderr(&output));
            }
        }
    }
    assert_eq!(std::fs::read(folder.path().join(places[1])).expect("a file"), zip);
    let output = run(&["check", "p", "--write-baseline", "x.jsonl", "-o", "./x.jsonl"]);
    assert_eq!(status(&output), 2);
    // What the configuration denies makes the status, `warnings` as on the command line.
    assert_eq!(status(&run(&["check", "p"])), 1);
}

#[test]
fn files_in_archives_are_known_however_the_archive_is_named() {
    let (folder, _) = folder_with_archive();
    let run = |args: &[&str]| elf(args).current_dir(folder.path()).output().expect("the command runs");
    assert_eq!(status(&run(&["check", "p", "--write-baseline", "base.jsonl"])), 0);
    let whole = folder.path().join("p").to_string_lossy().into_owned();
    for files in ["p", "./p", "p/../p", &whole, "p/d/z.zip", "p/d/z.zip!sub/b.ged"] {
        let output = run(&["check", "--deny", "warnings", "--baseline", "base.jsonl", files]);
        assert_eq!(status(&output), 0, "{files}: {}", stdout(&output));
    }
}

#[cfg(target_os = "linux")]
#[test]
fn names_that_are_not_utf_8_stay_apart() {
    use std::os::unix::ffi::OsStrExt;
    let folder = tempfile::tempdir().expect("a folder");
    let path = |octets: &[u8]| folder.path().join(std::ffi::OsStr::from_bytes(octets));
    std::fs::write(path(b"a\xE9.ged"), "0 HEAD\n1 CHAR UTF-8\n0 @I1@ INDI\n01 SEX M\n0 TRLR\n")
        .expect("a file");
    let run = |args: &[&str]| elf(args).current_dir(folder.path()).output().expect("the command runs");
    assert_eq!(status(&run(&["check", ".", "--write-baseline", "b.jsonl"])), 0);
    std::fs::copy(path(b"a\xE9.ged"), path(b"a\xE8.ged")).expect("a copy");
    let output = run(&["check", ".", "--baseline", "b.jsonl"]);
    assert!(
        stdout(&output).contains("a\\xE9.ged: 5 lines, 1 record, nothing to report, 1 known"),
        "{}",
        stdout(&output)
    );
    assert!(stdout(&output).contains("a\\xE8.ged: 5 lines, 1 record, 1 malformed"), "{}", stdout(&output));
}

#[test]
fn what_is_wrong_with_a_whole_file_is_known_wherever_it_shows() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.ged").to_string_lossy().into_owned();
    let base = folder.path().join("b.jsonl").to_string_lossy().into_owned();
    let text = |name: &str, more: &str| {
        format!("0 HEAD\n1 CHAR ANSEL\n0 @I1@ INDI\n1 NAME {name}\n0 @I2@ INDI\n1 NAME é\n{more}")
    };
    std::fs::write(&path, text("a", "")).expect("a file");
    assert_eq!(status(&run(&["check", &path, "--write-baseline", &base])), 0);
    std::fs::write(&path, text("ö", "0 @I3@ INDI\n1 NAME x\n")).expect("a file");
    let output = run(&["check", &path, "--baseline", &base]);
    assert_eq!(status(&output), 0, "{}", stdout(&output));
}

#[test]
fn a_tag_is_known_at_all_its_places_or_at_none() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.ged").to_string_lossy().into_owned();
    let base = folder.path().join("b.jsonl").to_string_lossy().into_owned();
    let text = |count: usize, tag: &str| {
        format!("0 HEAD\n1 CHAR UTF-8\n0 @I1@ INDI\n{}0 TRLR\n", format!("1 {tag}\n").repeat(count))
    };
    for recorded in [&[][..], &["--all"]] {
        std::fs::write(&path, text(3, "FOO")).expect("a file");
        let output = run(&[&["check", &path, "--write-baseline", &base], recorded].concat());
        assert_eq!(status(&output), 0, "{}", stderr(&output));
        for (count, tag, expected, known, gone) in
            [(1, "FOO", 0, 1, 0), (4, "FOO", 0, 4, 0), (2, "BAR", 1, 0, 1)]
        {
            std::fs::write(&path, text(count, tag)).expect("a file");
            for all in [false, true] {
                let all_places: &[&str] = if all { &["--all"] } else { &[] };
                let args = ["check", &path, "--baseline", &base, "--deny", "advice", "--format", "json"];
                let output = run(&[&args[..], all_places].concat());
                assert_eq!(status(&output), expected, "{count} {tag} {all}: {}", stdout(&output));
                let summary = json(&output).pop().expect("a summary")["summary"].clone();
                let known = if all { known } else { known.min(1) };
                assert_eq!((&summary["known"], &summary["gone"]), (&known.into(), &gone.into()), "{summary}");
            }
        }
    }
}

#[cfg(target_os = "linux")]
#[test]
fn an_archive_is_known_whatever_octets_its_name_has() {
    use std::os::unix::ffi::OsStrExt;
    let folder = tempfile::tempdir().expect("a folder");
    let zip = archive(&[packed("sub/b.ged", b"0 HEAD\n1 CHAR UTF-8\n0 @I1@ INDI\n1 NOTE a@b\n0 TRLR\n")]);
    let name = std::ffi::OsStr::from_bytes(b"d/z\xE9.zip");
    write(folder.path(), "d/x.txt", "");
    fs::write(folder.path().join(name), zip).expect("a file");
    let known = record(folder.path(), &["d"]);
    assert!(known.contains(r#""file":"d/z\\xE9.zip!sub/b.ged""#), "{known}");
    // From another folder the names on the command line are others.
    let elsewhere = folder.path().join("e");
    fs::create_dir(&elsewhere).expect("a folder");
    let args = ["check", "--baseline", "../known.jsonl", "--format", "json", "../d"];
    let output = elf(&args).current_dir(&elsewhere).output().expect("it runs");
    let summary = json(&output).pop().expect("a summary");
    assert_eq!(
        (&summary["summary"]["known"], &summary["summary"]["gone"]),
        (&1.into(), &0.into()),
        "{summary}"
    );
}

#[test]
fn files_that_the_baseline_knows_as_unreadable_are_counted() {
    let folder = tempfile::tempdir().expect("a folder");
    write(folder.path(), "d/a.ged", "0 HEAD\n1 CHAR UTF-8\n0 TRLR\n");
    write(folder.path(), "d/b.zip", "PK\u{3}\u{4}cut");
    let check = |args: &[&str]| {
        elf(&[&["check", "d"], args].concat()).current_dir(folder.path()).output().expect("it runs")
    };
    assert_eq!(status(&check(&["--write-baseline", "known.jsonl"])), 2);
    let output = check(&["--baseline", "known.jsonl", "--format", "json"]);
    let total = json(&output).pop().expect("a total");
    assert_eq!(status(&output), 0, "{total}");
    assert_eq!(
        (&total["summary"]["unread"], &total["summary"]["complete"]),
        (&1.into(), &false.into()),
        "{total}"
    );
}

#[test]
fn files_are_left_out_by_their_whole_name_alone() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = "0 HEAD\n1 CHAR UTF-8\n0 TRLR\n";
    for name in ["d/e.ged", "d/f.ged", "d/old/e.ged"] {
        write(folder.path(), name, text);
    }
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    std::io::Write::write_all(&mut gzip, text.as_bytes()).expect("memory");
    fs::write(folder.path().join("d/e.ged.gz"), gzip.finish().expect("memory")).expect("a file");
    let left = |glob: &str| {
        let args = ["check", "d", "--exclude", glob, "--format", "json"];
        let output = elf(&args).current_dir(folder.path()).output().expect("it runs");
        let names =
            json(&output).into_iter().filter_map(|one| Some(one["summary"]["file"].as_str()?.to_owned()));
        (status(&output), names.collect::<Vec<String>>())
    };
    for (glob, names) in [
        ("e.ged", &["d/e.ged.gz", "d/f.ged"][..]),
        ("e.ged.gz", &["d/e.ged", "d/f.ged", "d/old/e.ged"]),
        ("*.ged", &["d/e.ged.gz"]),
        ("[ef].ged*", &[]),
        ("old/", &["d/e.ged", "d/e.ged.gz", "d/f.ged"]),
        ("{f,old/e}.ged", &["d/e.ged", "d/e.ged.gz"]),
        ("d/?.ged", &["d/e.ged.gz", "d/old/e.ged"]),
    ] {
        assert_eq!(left(glob).1, names, "{glob}");
    }
    for glob in ["[", "a{b", ""] {
        assert_eq!(left(glob).0, 2, "{glob}");
    }
}
