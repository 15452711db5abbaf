//! Folders, patterns and many files at once.

use crate::shell::{elf, json, run, status, stderr, stdout};
use std::fs;
use std::path::Path;

/// A file with one piece of advice, whose person is called so.
fn tree(name: &str) -> String {
    format!(
        "0 HEAD\n1 GEDC\n2 VERS 5.5.1\n2 FORM LINEAGE-LINKED\n1 CHAR UTF-8\n0 @I1@ INDI\n1 NAME {name}\n1 NOTE a@b\n0 TRLR\n"
    )
}

fn write(folder: &Path, name: &str, text: &str) {
    let path = folder.join(name);
    fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
    fs::write(path, text).expect("a file");
}

/// The names of the files that a run of `check --format json` reports on.
fn names(folder: &Path, args: &[&str]) -> Vec<String> {
    let output = elf(&[&["check", "--format", "json"], args].concat()).current_dir(folder).output();
    let output = output.expect("the command runs");
    let of = |line: &serde_json::Value| line["summary"]["file"].as_str().map(|name| name.replace('\\', "/"));
    json(&output).iter().filter_map(of).collect()
}

#[test]
fn a_folder_stands_for_its_genealogical_files_in_the_order_of_their_paths() {
    let folder = tempfile::tempdir().expect("a folder");
    for name in ["t/b.ged", "t/a/z.GEDCOM", "t/a/.hidden.ged", "t/B.Elf", "t/notes.txt", "t/a.ged/x.ged"] {
        write(folder.path(), name, &tree("A"));
    }
    let expected = ["t/B.Elf", "t/a.ged/x.ged", "t/a/.hidden.ged", "t/a/z.GEDCOM", "t/b.ged"];
    assert_eq!(names(folder.path(), &["t"]), expected);
    assert_eq!(
        names(folder.path(), &["--jobs", "1", "t/b.ged", "t/a", "t/notes.txt"]),
        ["t/b.ged", "t/a/.hidden.ged", "t/a/z.GEDCOM", "t/notes.txt"]
    );
}

#[test]
fn a_folder_without_a_genealogical_file_is_an_error_unless_there_are_others() {
    let folder = tempfile::tempdir().expect("a folder");
    write(folder.path(), "empty/notes.txt", "");
    write(folder.path(), "full/a.ged", &tree("A"));
    let [empty, full] = ["empty", "full"].map(|name| folder.path().join(name).to_string_lossy().into_owned());
    let output = run(&["info", &empty]);
    assert_eq!((status(&output), stdout(&output).as_str()), (2, ""));
    assert!(stderr(&output).contains("there is no genealogical file in it"), "{}", stderr(&output));
    assert_eq!(status(&run(&["info", &empty, &full])), 0);
}

#[cfg(unix)]
#[test]
fn links_out_of_a_folder_are_refused_and_none_is_followed_in_circles() {
    use std::os::unix::fs::symlink;
    let folder = tempfile::tempdir().expect("a folder");
    let root = folder.path().join("t");
    write(&root, "a.ged", &tree("A"));
    write(&root, "data.txt", &tree("B"));
    write(folder.path(), "outside.ged", &tree("C"));
    for (target, link) in [
        (".", "loop"),
        ("a.ged", "again.ged"),
        ("data.txt", "named.ged"),
        ("../outside.ged", "out.ged"),
        ("..", "up"),
    ] {
        symlink(target, root.join(link)).expect("a link");
    }
    let output =
        elf(&["check", "--format", "json", "t"]).current_dir(folder.path()).output().expect("it runs");
    let read: Vec<_> =
        json(&output).iter().filter_map(|line| line["summary"]["file"].as_str().map(str::to_owned)).collect();
    assert_eq!(read, ["t/a.ged", "t/named.ged"]);
    assert_eq!(status(&output), 2);
    for link in ["t/out.ged", "t/up"] {
        assert!(
            stderr(&output).contains(&format!("`{link}`: it is a link to a place outside the folder")),
            "{}",
            stderr(&output)
        );
    }
    // One who names what a link leads to has it read, and the link is not left out.
    for (named, refused) in [("outside.ged", 1), ("t/out.ged", 1), ("t/up", 0)] {
        let output = elf(&["check", "t", named]).current_dir(folder.path()).output().expect("it runs");
        assert_eq!(stderr(&output).lines().count(), refused, "{}", stderr(&output));
        assert_eq!(status(&output), if refused > 0 { 2 } else { 0 });
    }
}

#[test]
fn a_pattern_that_a_shell_has_left_stands_for_files() {
    let folder = tempfile::tempdir().expect("a folder");
    for name in ["b.ged", "a.ged", ".c.ged", "a.txt", "sub/x1.ged", "sub/x22.ged"] {
        write(folder.path(), name, &tree("A"));
    }
    assert_eq!(names(folder.path(), &["*.ged"]), ["a.ged", "b.ged"]);
    assert_eq!(names(folder.path(), &["sub/x?.ged"]), ["sub/x1.ged"]);
    let output = elf(&["check", "no*.ged"]).current_dir(folder.path()).output().expect("it runs");
    assert_eq!(status(&output), 2);
    assert!(stderr(&output).contains("cannot read `no*.ged`: no such file"), "{}", stderr(&output));
}

#[test]
fn what_is_printed_does_not_depend_on_the_number_of_threads() {
    let folder = tempfile::tempdir().expect("a folder");
    for number in 0..60 {
        write(folder.path(), &format!("t/{number:02}.ged"), &tree(&number.to_string().repeat(number * 9)));
    }
    // One of several runs, and one with many findings.
    let note = "a ".repeat(4000);
    let persons: String =
        (0..1_100).map(|number| format!("0 @I{number}@ INDI\n1 NOTE {note}b@c\n")).collect();
    write(folder.path(), "t/30-large.ged", &tree("A").replace("0 TRLR", &format!("{persons}0 TRLR")));
    write(folder.path(), "t/40-wrong.ged", &format!("0 HEAD\n{}0 TRLR\n", "1 @\n".repeat(2_000)));
    let commands: [&[&str]; 5] = [
        &["check", "--format", "human", "t", "nowhere.ged", "t"],
        &["check", "--format", "short", "t"],
        &["check", "--statistics", "t"],
        &["check", "--format", "sarif", "t"],
        &["info", "--format", "tsv", "t", "nowhere.ged", "t"],
    ];
    for command in commands {
        let run = |jobs: &str| {
            let args = [command, &["--jobs", jobs]].concat();
            elf(&args).current_dir(folder.path()).output().expect("the command runs")
        };
        let one = run("1");
        assert!(one.stdout.len() > 200, "{command:?}");
        for jobs in ["2", "7"] {
            let many = run(jobs);
            assert!(many.stdout == one.stdout, "{command:?} on {jobs} threads");
            assert_eq!((status(&many), stderr(&many)), (status(&one), stderr(&one)), "{command:?}");
        }
    }
}

#[test]
fn an_output_is_no_file_of_a_folder() {
    let folder = tempfile::tempdir().expect("a folder");
    write(folder.path(), "t/a.ged", &tree("A"));
    let output = elf(&["check", "t", "-o", "t/a.ged"]).current_dir(folder.path()).output().expect("it runs");
    assert_eq!(status(&output), 2);
    assert!(stderr(&output).contains("it is an input"), "{}", stderr(&output));
    assert_eq!(fs::read_to_string(folder.path().join("t/a.ged")).expect("a file"), tree("A"));
}

#[test]
fn a_table_has_a_line_for_each_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let with_producer = tree("A\n1 _X 1\n1 _X 2").replace("1 GEDC", "1 SOUR At\ttic\n2 VERS 0.3\n1 GEDC");
    write(folder.path(), "a.ged", &with_producer);
    write(folder.path(), "b.ged", "0 HEAD\n1 CHAR ANSEL\n0 @F1@ FAM\n0 TRLR\n");
    let output = elf(&["info", "--format", "tsv", "."]).current_dir(folder.path()).output().expect("it runs");
    let text = stdout(&output).replace(".\\\\", "./");
    let rows: Vec<Vec<&str>> = text.lines().map(|line| line.split('\t').collect()).collect();
    let head = [
        "file",
        "octets",
        "encoding",
        "why",
        "version",
        "producer",
        "producer_version",
        "records",
        "individuals",
        "families",
        "undefined",
        "worst_class",
        "findings",
    ];
    assert_eq!(rows[0], head);
    let octets = with_producer.len().to_string();
    assert_eq!(rows[1][..6], ["./a.ged", &octets, "UTF-8", "specified", "GEDCOM 5.5.1", "At\\ttic"]);
    assert_eq!(rows[1][6..11], ["0.3", "1", "1", "0", "2"]);
    assert_eq!(rows[2][..11], ["./b.ged", "38", "ANSEL", "specified", "", "", "", "1", "0", "1", "0"]);
    assert_eq!(rows.len(), 3);
    let findings: u64 = rows[2][12].parse().expect("a number");
    assert_eq!(findings == 0, rows[2][11].is_empty());
    let output = elf(&["info", "--brief", "."]).current_dir(folder.path()).output().expect("it runs");
    assert_eq!(stdout(&output).lines().count(), 2, "{}", stdout(&output));
    assert!(
        stdout(&output).contains("b.ged: no version, ANSEL, no producer, 1 record (0 INDI, 1 FAM)"),
        "{}",
        stdout(&output)
    );
}

#[test]
fn patterns_may_stand_in_any_step_of_a_path() {
    let folder = tempfile::tempdir().expect("a folder");
    for name in ["p/one/a.ged", "p/two/b.ged", "p/two/c.txt", "q/x.ged", "p/.hidden/d.ged"] {
        write(folder.path(), name, &tree("A"));
    }
    assert_eq!(names(folder.path(), &["p/*/*.ged"]), ["p/one/a.ged", "p/two/b.ged"]);
    assert_eq!(names(folder.path(), &["?/*"]), ["p/one/a.ged", "p/two/b.ged", "q/x.ged"]);
    assert_eq!(status(&run(&["check", "p/*/nothing*"])), 2);
}

#[test]
fn totals_count_what_was_not_read() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path();
    write(path, "a.ged", "0 HEAD\n1 CHAR UTF-8\n0 @I1@ INDI\n0 TRLR\n");
    write(path, "b.ged", "0 HEAD\n1 CHAR UTF-8\n0 @I1@ INDI\njunk\n0 TRLR\n");
    let run_in = |args: &[&str]| elf(args).current_dir(path).output().expect("the command runs");
    let plain = run_in(&["check", "-qq", "."]);
    assert!(!stdout(&plain).contains("early") && stderr(&plain).is_empty(), "{}", stdout(&plain));
    let early = run_in(&["check", "--rules", "2019-12", "-qq", "."]);
    assert!(stdout(&early).contains("2 files"), "{}", stdout(&early));
    assert!(stdout(&early).ends_with("; reading of 1 file stopped early\n"), "{}", stdout(&early));
    let total =
        json(&run_in(&["check", "--rules", "2019-12", "--format", "json", "."])).pop().expect("a total");
    assert_eq!(total["summary"]["ended_early"], 1);

    let info = run_in(&["info", "--brief", "."]);
    assert_eq!(stdout(&info).lines().count(), 2);
    let octets: u64 =
        ["a.ged", "b.ged"].map(|name| std::fs::metadata(path.join(name)).expect("a file").len()).iter().sum();
    assert!(
        stderr(&info).contains(&format!("2 files, 1 with problems: {octets} bytes, 2 records")),
        "{}",
        stderr(&info)
    );

    write(path, "old/c.FTW", "x");
    write(path, "d.paf", "x");
    write(path, "photo.jpg", "x");
    for command in [&["check", "-q", "."][..], &["info", "--brief", "."], &["table", "people", "."]] {
        let output = run_in(command);
        assert!(stderr(&output).contains("2 other files not read"), "{command:?}: {}", stderr(&output));
    }
    assert!(!stderr(&run_in(&["check", "a.ged"])).contains("other file"));
}
