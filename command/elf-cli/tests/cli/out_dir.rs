//! Many files written into a folder, and copies of those that are overwritten.

use crate::archives::{archive, packed};
use crate::shell::{elf, json, status, stderr, stdout};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Output;

/// A file with a bare at sign, which `--fix` fixes, and a tag that plain GEDCOM has no place for.
const TREE: &str = "0 HEAD\n1 GEDC\n2 VERS 5.5.1\n2 FORM LINEAGE-LINKED\n1 CHAR UTF-8\n0 @I1@ INDI\n1 NAME Élise\n1 NOTE a@b\n0 TRLR\n";

/// The files in the folder `in`, and their names in a folder that is written.
const FILES: [(&str, &str); 4] = [
    ("a.ged", "a.ged"),
    ("b/c.GED", "b/c.GED"),
    ("b/old.zip!x/y.ged", "b/old.zip/x/y.ged"),
    ("z.ged.gz", "z.ged"),
];

fn write(folder: &Path, name: &str, octets: &[u8]) {
    let path = folder.join(name);
    fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
    fs::write(path, octets).expect("a file");
}

/// A folder with [`FILES`] in the folder `in` of it.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    write(folder.path(), "in/a.ged", TREE.as_bytes());
    write(folder.path(), "in/b/c.GED", TREE.as_bytes());
    write(folder.path(), "in/b/old.zip", &archive(&[packed("x/y.ged", TREE.as_bytes())]));
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    std::io::Write::write_all(&mut gzip, TREE.as_bytes()).expect("a vector");
    write(folder.path(), "in/z.ged.gz", &gzip.finish().expect("a vector"));
    folder
}

fn run(folder: &Path, args: &[&str]) -> Output {
    elf(args).current_dir(folder).output().expect("the command runs")
}

/// The files of a folder and of those in it, with their octets.
fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let (mut found, mut folders) = (BTreeMap::new(), vec![folder.to_owned()]);
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(next).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let name = path.strip_prefix(folder).expect("in it").to_string_lossy().replace('\\', "/");
                found.insert(name, fs::read(&path).expect("a file"));
            }
        }
    }
    found
}

fn names(files: &BTreeMap<String, Vec<u8>>) -> Vec<&str> {
    files.keys().map(String::as_str).collect()
}

#[test]
fn a_folder_is_converted_into_another() {
    let folder = folder();
    let output = run(
        folder.path(),
        &["convert", "in", "--out-dir", "out/deep", "--manifest", "m.jsonl", "--encoding", "UTF-16LE"],
    );
    assert_eq!((status(&output), stdout(&output).as_str()), (0, ""), "{}", stderr(&output));
    assert!(stderr(&output).contains("4 of 4 files converted"), "{}", stderr(&output));
    let written = files(&folder.path().join("out/deep"));
    assert_eq!(names(&written), FILES.map(|(_, to)| to));
    let alone = run(folder.path(), &["convert", "in/a.ged", "-o", "-", "--encoding", "UTF-16LE"]);
    for octets in written.values() {
        assert_eq!(octets, &alone.stdout, "each as it is converted alone");
    }
    let manifest = fs::read_to_string(folder.path().join("m.jsonl")).expect("a manifest");
    let lines: Vec<Value> = manifest.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let hash = |octets: &[u8]| {
        use sha2::Digest;
        let hash = sha2::Sha256::digest(octets);
        hash.iter().map(|octet| format!("{octet:02x}")).collect::<String>()
    };
    assert_eq!(lines.len(), FILES.len());
    for (line, (from, to)) in lines.iter().zip(FILES) {
        let slashed = |value: &Value| value.as_str().expect("a name").replace('\\', "/");
        assert_eq!(slashed(&line["file"]), format!("in/{from}"));
        assert_eq!(slashed(&line["output"]["file"]), format!("out/deep/{to}"));
        assert_eq!((&line["sha256"], &line["octets"]), (&hash(TREE.as_bytes()).into(), &TREE.len().into()));
        assert_eq!(line["output"]["sha256"], hash(&alone.stdout));
        assert_eq!(line["output"]["octets"], alone.stdout.len());
        assert_eq!((&line["output"]["losses"], &line["output"]["complete"]), (&0.into(), &true.into()));
    }
}

#[test]
fn what_cannot_be_converted_is_said_and_the_rest_is() {
    let folder = folder();
    write(folder.path(), "in/a.GED/no.ged", b"<!DOCTYPE html><html></html>\n");
    write(folder.path(), "in/7.ged", b"0 HEAD\n0 @I1@ INDI\n1 FAMS @VOID@\n0 TRLR\n");
    for jobs in ["1", "3"] {
        let output = run(
            folder.path(),
            &["convert", "in", "--out-dir", "out", "--manifest", "m", "--format", "json", "--jobs", jobs],
        );
        assert_eq!(status(&output), 2, "{}", stderr(&output));
        let lines = json(&output);
        let total = &lines.last().expect("a total")["summary"];
        assert_eq!((&total["files"], &total["converted"]), (&6.into(), &5.into()), "{total}");
        assert_eq!(total["complete"], false);
        assert!(stderr(&output).contains("reading of in"), "{}", stderr(&output));
        let manifest = fs::read_to_string(folder.path().join("m")).expect("a manifest");
        assert!(
            manifest.lines().nth(1).is_some_and(|line| line.contains("\"error\":\"reading stopped")),
            "{manifest}"
        );
    }
    let allowed = run(folder.path(), &["convert", "in/7.ged", "in/b", "--out-dir", "out"]);
    let lossless = run(folder.path(), &["convert", "in/b", "--out-dir", "out"]);
    assert_eq!((status(&allowed), status(&lossless)), (0, 0), "{}", stderr(&allowed));
}

#[test]
fn no_input_is_overwritten_and_what_was_written_is_no_input() {
    let folder = folder();
    let before = files(&folder.path().join("in"));
    let output = run(folder.path(), &["convert", "in", "--out-dir", "in"]);
    assert_eq!(status(&output), 2);
    assert!(stderr(&output).contains("it is the output folder"), "{}", stderr(&output));
    let output = run(folder.path(), &["convert", "in/a.ged", "--out-dir", "in"]);
    assert_eq!(status(&output), 2);
    assert!(stderr(&output).contains("` is also an input"), "{}", stderr(&output));
    assert_eq!(files(&folder.path().join("in")), before);
    // Nor is a schema overwritten, nor a manifest one of the files.
    let schema = run(folder.path(), &["schema", "--format", "elf", "-o", "lib/a.ged"]);
    assert_eq!(status(&schema), 2, "there is no folder");
    fs::create_dir(folder.path().join("lib")).expect("a folder");
    assert_eq!(status(&run(folder.path(), &["schema", "--format", "elf", "-o", "lib/a.ged"])), 0);
    for command in [&["convert"][..], &["check", "--fix"]] {
        let args = [command, &["in/a.ged", "--schema", "lib/a.ged", "--out-dir", "lib"]].concat();
        let output = run(folder.path(), &args);
        assert_eq!(status(&output), 2, "{args:?}");
        assert!(stderr(&output).contains("` is also an input"), "{}", stderr(&output));
    }
    let output = run(folder.path(), &["convert", "in/a.ged", "--out-dir", "m", "--manifest", "m/A.ged"]);
    assert_eq!(status(&output), 2, "there is no folder for a manifest, and no place for the file");
    fs::remove_dir_all(folder.path().join("lib")).expect("a folder");
    for _ in 0..2 {
        let output = run(folder.path(), &["convert", ".", "--out-dir", "in/out"]);
        assert!(stderr(&output).contains("4 of 4 files converted"), "{}", stderr(&output));
    }
    write(folder.path(), "more/A.ged", TREE.as_bytes());
    let output = run(folder.path(), &["convert", "in/a.ged", "more/A.ged", "--out-dir", "other"]);
    assert_eq!(status(&output), 2);
    assert!(stderr(&output).contains("is also that of `in/a.ged`"), "{}", stderr(&output));
    let twice = archive(&[packed("a.ged", TREE.as_bytes()), packed("./A.ged", b"0 HEAD\n0 TRLR\n")]);
    write(folder.path(), "twice.zip", &twice);
    let output = run(folder.path(), &["convert", "twice.zip", "--out-dir", "other"]);
    assert!(stderr(&output).contains("1 of 2 files converted"), "{}", stderr(&output));
    let output = run(folder.path(), &["convert", "in/a.ged", "./in/a.ged", "--out-dir", "other"]);
    assert!(stderr(&output).contains("is also that of `in/a.ged`"), "{}", stderr(&output));
    let output = run(folder.path(), &["convert", "in/a.ged", "in/b/c.GED", "-o", "x.ged"]);
    assert!(stderr(&output).contains("--out-dir"), "{}", stderr(&output));
    assert!(!folder.path().join("x.ged").exists());
}

#[test]
fn repaired_files_go_to_a_folder() {
    let folder = folder();
    let output = run(folder.path(), &["check", "--fix", "--out-dir", "out", "in"]);
    assert_eq!((status(&output), stdout(&output).as_str()), (0, ""), "{}", stderr(&output));
    assert!(stderr(&output).contains("4 repaired"), "{}", stderr(&output));
    let written = files(&folder.path().join("out"));
    assert_eq!(names(&written), FILES.map(|(_, to)| to));
    for octets in written.into_values() {
        assert_eq!(String::from_utf8(octets).expect("UTF-8"), TREE.replace("a@b", "a@@b"));
    }
}

#[test]
fn packed_files_are_not_overwritten_and_copies_are_kept() {
    let folder = folder();
    let before = files(&folder.path().join("in"));
    let output = run(folder.path(), &["check", "--fix", "--in-place", "--backup", "in"]);
    assert_eq!(status(&output), 2);
    assert!(stderr(&output).contains("an archive cannot be overwritten"), "{}", stderr(&output));
    let after = files(&folder.path().join("in"));
    assert_eq!(names(&after), ["a.ged", "a.ged.bak", "b/c.GED", "b/c.GED.bak", "b/old.zip", "z.ged.gz"]);
    assert_eq!((&after["a.ged.bak"], &after["b/old.zip"]), (&before["a.ged"], &before["b/old.zip"]));
    assert_ne!(after["a.ged"], before["a.ged"]);
    // What needs no fix is not written, and no copy of it made.
    let output = run(folder.path(), &["check", "--fix", "--in-place", "--backup", "in/a.ged"]);
    assert_eq!(status(&output), 0, "{}", stderr(&output));
    assert_eq!(files(&folder.path().join("in")), after);
    let output = run(folder.path(), &["edit", "in/z.ged.gz", "--in-place", "--remove", "@I1@/NOTE"]);
    assert!(status(&output) == 2 && stderr(&output).contains("packed"), "{}", stderr(&output));
}

#[test]
fn one_file_may_be_packed_or_in_an_archive() {
    let folder = folder();
    let shown = run(folder.path(), &["show", "in/a.ged"]);
    for name in ["in/z.ged.gz", "in/b/old.zip", "in/b/old.zip!x/y.ged"] {
        assert_eq!(stdout(&run(folder.path(), &["show", name])), stdout(&shown), "{name}");
        let same = run(folder.path(), &["diff", "in/a.ged", name]);
        assert_eq!(status(&same), 0, "{}", stderr(&same));
        let unedited = run(folder.path(), &["edit", name]);
        assert_eq!(stdout(&unedited), TREE, "{name}");
    }
    let two = archive(&[packed("a.ged", TREE.as_bytes()), packed("b.ged", TREE.as_bytes())]);
    write(folder.path(), "two.zip", &two);
    for (name, reason) in [
        ("two.zip", "it contains several files: name one of them, such as `two.zip!b.ged`"),
        ("two.zip!c.ged", "the archive has no such file"),
        ("in", "it is a folder: name one file"),
    ] {
        for command in
            [&["show", name][..], &["edit", name], &["schema", name], &["convert", name, "-o", "-"]]
        {
            let output = run(folder.path(), command);
            assert_eq!((status(&output), stdout(&output).as_str()), (2, ""), "{command:?}");
            assert!(stderr(&output).contains(reason), "{}", stderr(&output));
        }
    }
    let output = run(folder.path(), &["show", "two.zip!a.ged", "-o", "two.zip"]);
    assert_eq!(status(&output), 2, "an archive is an input");
    assert_eq!(fs::read(folder.path().join("two.zip")).expect("a file"), two);
}

#[test]
fn a_fixed_file_of_a_gedzip_archive_gets_no_folder_with_the_name_of_the_archive() {
    let folder = tempfile::tempdir().expect("a folder");
    write(folder.path(), "a.gdz", &archive(&[packed("gedcom.ged", TREE.as_bytes())]));
    for command in [
        &["check", "--fix", "a.gdz", "--out-dir", "out"][..],
        &["replace", "--in", "NAME", "A", "B", "a.gdz", "--out-dir", "out"],
    ] {
        let output = run(folder.path(), command);
        assert_eq!(status(&output), 2, "{command:?}");
        assert!(stderr(&output).contains("GEDZIP"), "{}", stderr(&output));
        assert!(!folder.path().join("out/a.gdz").exists());
    }
    assert_eq!(status(&run(folder.path(), &["check", "--fix", "a.gdz", "-o", "fixed.ged"])), 0);
}
