//! `elf.toml`: what it may say, for which files, and what it cannot do.

use crate::shell::{elf, json, status, stderr, stdout};
use std::fs;
use std::path::Path;
use std::process::Output;
use tempfile::TempDir;

/// A file with two pieces of advice and one deprecation, by the rules of December 2019 malformed.
const TEXT: &str = "0 HEAD\n1 CHAR ANSEL\n0 @I1@ INDI\n1 NOTE me@example.org\n1 FAMS @F9@\n0 TRLR\n";

/// A folder with files of that text.
fn folder(files: &[&str]) -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    for name in files {
        write(folder.path(), name, TEXT);
    }
    folder
}

fn write(folder: &Path, name: &str, text: impl AsRef<[u8]>) {
    let path = folder.join(name);
    fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
    fs::write(path, text).expect("a file");
}

/// Runs the command in a folder.
fn check(folder: &Path, args: &[&str]) -> Output {
    elf(&[&["check"], args].concat()).current_dir(folder).output().expect("the command runs")
}

/// The codes that are found in each file, and the configuration that its summary names.
fn codes(output: &Output) -> Vec<(Vec<String>, Option<String>)> {
    let (mut all, mut codes) = (Vec::new(), Vec::new());
    for line in json(output) {
        match line["code"].as_str() {
            Some(code) => codes.push(code.to_owned()),
            None if line["summary"]["file"].is_string() => {
                all.push((std::mem::take(&mut codes), line["summary"]["config"].as_str().map(str::to_owned)));
            }
            None => {}
        }
    }
    all
}

fn checked(folder: &Path, args: &[&str]) -> Vec<(Vec<String>, Option<String>)> {
    let output = check(folder, &[&["--format", "json"], args].concat());
    assert_ne!(status(&output), 2, "{}", stderr(&output));
    codes(&output)
}

#[test]
fn the_nearest_configuration_is_taken_alone() {
    let folder = folder(&["a.ged", "sub/b.ged", "sub/deeper/c.ged"]);
    let all = ["E0117", "E0326", "E0327"];
    let found = checked(folder.path(), &["a.ged"]);
    assert_eq!(found, [(all.map(str::to_owned).to_vec(), None)]);
    write(folder.path(), "elf.toml", "[check]\nignore = [\"E0117\", \"at-sign-bare\"]\n");
    write(folder.path(), "sub/elf.toml", "[check]\nselect = \"E01\"\n");
    let found = checked(folder.path(), &["a.ged", "sub/b.ged", "sub/deeper/c.ged"]);
    let expected = |codes: &[&str], config: &str| {
        (codes.iter().map(|code| (*code).to_owned()).collect::<Vec<_>>(), Some(config.to_owned()))
    };
    assert_eq!(
        found,
        [
            expected(&["E0327"], "elf.toml"),
            expected(&["E0117"], "sub/elf.toml"),
            expected(&["E0117"], "sub/elf.toml"),
        ]
    );
    // From elsewhere too.
    let found = checked(&folder.path().join("sub/deeper"), &["c.ged", "../../a.ged"]);
    assert_eq!(found, [expected(&["E0117"], "../elf.toml"), expected(&["E0327"], "../../elf.toml")]);
    // A summary says so to a person as well, and the total of all that had a say.
    let output = check(folder.path(), &["a.ged", "sub/b.ged"]);
    assert!(stdout(&output).contains("1 advice, 2 ignored (elf.toml)\n"), "{}", stdout(&output));
    assert!(stdout(&output).ends_with(" (elf.toml, sub/elf.toml)\n"), "{}", stdout(&output));
}

#[test]
fn standard_input_has_that_beside_its_name() {
    let folder = folder(&["sub/b.ged"]);
    write(folder.path(), "elf.toml", "[check]\nselect = [\"E0117\"]\n");
    write(folder.path(), "sub/elf.toml", "[check]\nselect = [\"E0326\"]\n");
    let input = || fs::File::open(folder.path().join("sub/b.ged")).expect("a file");
    for (args, code) in [(&["-"][..], "E0117"), (&["-", "--stdin-filename", "sub/x.ged"], "E0326")] {
        let mut command = elf(&[&["check", "--format", "json"], args].concat());
        let output = command.current_dir(folder.path()).stdin(input()).output().expect("the command runs");
        assert_eq!(codes(&output)[0].0, [code]);
    }
}

#[test]
fn the_command_line_wins() {
    let folder = folder(&["a.ged"]);
    let config = "[check]\nrules = \"2019-12\"\nignore = \"E0117\"\ndeny = [\"E0326\"]\n";
    write(folder.path(), "elf.toml", config);
    let found = |args: &[&str]| checked(folder.path(), &[args, &["a.ged"]].concat())[0].clone();
    let config = Some("elf.toml".to_owned());
    assert_eq!(found(&["--no-config"]).1, None);
    assert_eq!(found(&["--no-config"]).0, ["E0117", "E0326", "E0327"]);
    // What is selected now is wanted; what is ignored is ignored besides.
    assert_eq!(found(&["--select", "E0117"]), (vec!["E0117".to_owned()], config.clone()));
    assert_eq!(found(&["--ignore", "E0326", "--rules", "wild"]), (vec!["E0327".to_owned()], config));
    let output = check(folder.path(), &["a.ged"]);
    let strict = check(folder.path(), &["a.ged", "--no-config", "--rules", "2019-12", "--ignore", "E0117"]);
    assert_eq!(stdout(&output).replace(" (elf.toml)", ""), stdout(&strict));
    assert_eq!(status(&check(folder.path(), &["a.ged", "--rules", "wild"])), 1, "E0326 is denied");
    // A configuration that everything is set aside of had no say.
    write(folder.path(), "elf.toml", "[check]\nrules = \"2019-12\"\nignore = \"E0117\"\n");
    assert_eq!(found(&["--rules", "wild", "--select", "E0326"]).1, None);
}

#[test]
fn entries_speak_of_files_and_the_last_wins() {
    let folder = folder(&["a.ged", "old/b.ged", "old/x/c.ged", "old/d.GED"]);
    let config = "[check]\nselect = [\"E03\"]\n\
        [[check.files]]\nglob = \"old/**\"\nselect = \"E0117\"\n\
        [[check.files]]\nglob = \"*.ged\"\nignore = [\"E0327\"]\n\
        [[check.files]]\nglob = \"old/*.{ged,GED}\"\nselect = \"E0326\"\n";
    write(folder.path(), "elf.toml", config);
    let found = |folder: &Path, args: &[&str]| -> Vec<String> {
        checked(folder, args).into_iter().map(|(codes, _)| codes.join(" ")).collect()
    };
    let files = ["a.ged", "old/b.ged", "old/x/c.ged", "old/d.GED"];
    let expected = ["E0326", "E0326", "E0117", "E0326"];
    assert_eq!(found(folder.path(), &files), expected);
    // Patterns start from the configuration, wherever the command runs.
    assert_eq!(
        found(&folder.path().join("old"), &["../a.ged", "b.ged", "x/c.ged", "./x/../d.GED"]),
        expected
    );
    // One that is named speaks of its own folder, and of all files.
    write(folder.path(), "conf/mine.toml", config);
    let named = [&["--config", "conf/mine.toml"], &files[..]].concat();
    assert_eq!(found(folder.path(), &named), ["E0326 E0327"; 4]);
}

#[test]
fn repairs_obey_it() {
    let folder = folder(&["a.ged"]);
    write(folder.path(), "elf.toml", "[check]\nignore = [\"at-sign-bare\"]\n");
    assert_eq!(stdout(&check(folder.path(), &["--fix", "a.ged"])), TEXT);
    let output = check(folder.path(), &["--fix", "--no-config", "a.ged"]);
    assert!(stdout(&output).contains("me@@example.org"), "{}", stdout(&output));
}

/// Configurations that are wrong, with line, column and a part of the message.
const WRONG: [(&str, &str, &str); 19] = [
    ("fetch = true\n", "1:1", "unknown key `fetch`"),
    ("[check]\nfetch = true\n", "2:1", "unknown key `fetch`"),
    ("[check]\nschema = \"/etc/passwd\"\n", "2:1", "unknown key `schema`"),
    ("[check]\noutput = \"x\"\n", "2:1", "unknown key `output`"),
    ("[check]\nbaseline = \"x\"\n", "2:1", "unknown key `baseline`"),
    ("[check]\nrules = \"/etc/passwd\"\n", "2:9", "unknown word `/etc/passwd`"),
    ("[check]\nrules = [\"wild\"]\n", "2:9", "expected a string"),
    ("[check]\nignore = [\"E0117\",\n  \"E99\"]\n", "3:3", "unknown word `E99`"),
    ("[check]\nignore = 7\n", "2:10", "expected an array of strings, or a string"),
    ("[check]\nignore = [7]\n", "2:11", "expected a string"),
    ("[check]\nagainst = \"6.0\"\n", "2:11", "unknown word `6.0`"),
    ("check = 1\n", "1:9", "expected a table"),
    ("[check]\nfiles = 1\n", "2:9", "expected an array of tables"),
    ("[[check.files]]\nglob = \"a/{b\"\nignore = \"E01\"\n", "2:8", "unclosed alternate"),
    ("[[check.files]]\nglob = \"../**\"\n", "2:8", "expected a pattern"),
    ("[[check.files]]\nglob = \"/etc/*\"\n", "2:8", "expected a pattern"),
    ("[[check.files]]\nignore = \"E01\"\n", "1:1", "`glob` is missing"),
    ("[[check.files]]\nglob = \"*\"\nfiles = []\n", "3:1", "unknown key `files`"),
    ("[check]\n# caf\u{e9}\nrules = \u{1b}[31m\n", "3:10", ""),
];

#[test]
fn what_is_wrong_is_shown_with_its_place() {
    let folder = folder(&["a.ged"]);
    for (text, place, message) in WRONG {
        write(folder.path(), "elf.toml", text);
        for format in ["human", "json"] {
            let output = check(folder.path(), &["--format", format, "a.ged"]);
            let said = stderr(&output);
            assert_eq!((status(&output), stdout(&output).as_str()), (2, ""), "{text}");
            assert!(said.contains(&format!("elf.toml:{place}\n")), "{text}: {said}");
            assert!(said.contains(message) && said.starts_with("error: "), "{text}: {said}");
            assert!(!said.contains('\u{1b}'), "{said:?}");
        }
        assert_ne!(status(&check(folder.path(), &["--no-config", "a.ged"])), 2);
    }
    // Of several faults the first.
    write(folder.path(), "elf.toml", "[check]\nz = 1\na = 1\n");
    assert!(stderr(&check(folder.path(), &["a.ged"])).contains("elf.toml:2:1"));
}

#[test]
fn every_word_of_the_contract_is_one() {
    let folder = folder(&["a.ged"]);
    for against in ["data-model", "5.5.1", "5.5", "7.0", "none"] {
        write(folder.path(), "elf.toml", format!("[check]\nagainst = \"{against}\"\n"));
        assert_ne!(status(&check(folder.path(), &["a.ged"])), 2);
    }
    let config = "[check]\nselect = \"E03, E0117\"\ndeny = []\nignore = [\"E0327\", \"non-conformant\", \"E0204,E02\"]\n";
    write(folder.path(), "elf.toml", config);
    assert_eq!(checked(folder.path(), &["a.ged"])[0].0, ["E0117", "E0326"]);
    write(folder.path(), "elf.toml", "");
    assert_eq!(checked(folder.path(), &["a.ged"])[0].1, None, "it says nothing");
}

#[test]
fn hostile_configurations_are_errors() {
    let folder = folder(&["a.ged"]);
    let many = "[[check.files]]\nglob = \"**/*a*b*c*d*e*f*\"\n".repeat(5000);
    let texts: Vec<(Vec<u8>, i32)> = vec![
        (vec![b'#'; 300_000], 2),
        (b"[check]\nrules = \"\xff\"\n".to_vec(), 2),
        (format!("x = {}", "[".repeat(100_000)).into_bytes(), 2),
        (format!("x = {}", "{a=".repeat(80_000)).into_bytes(), 2),
        (format!("{}x = 1\n", "a.".repeat(100_000)).into_bytes(), 2),
        (format!("[[check.files]]\nglob = \"{}\"\n", "{".repeat(200_000)).into_bytes(), 2),
        (format!("[[check.files]]\nglob = \"{}{}\"\n", "{a,".repeat(240), "}".repeat(240)).into_bytes(), -1),
        (many.into_bytes(), -1),
    ];
    for (text, expected) in texts {
        write(folder.path(), "elf.toml", &text);
        let output = check(folder.path(), &["a.ged"]);
        let start = String::from_utf8_lossy(text.get(..40).unwrap_or(&text)).into_owned();
        assert!(status(&output) == expected || (expected < 0 && status(&output) != 101), "{start}");
        assert!(expected < 0 || stderr(&output).contains("elf.toml"), "{start}: {}", stderr(&output));
        assert!(stderr(&output).len() < 2000, "{start}");
    }
    write(folder.path(), "elf.toml", b"[check]\nrules = \"\xff\"\n");
    let said = stderr(&check(folder.path(), &["a.ged"]));
    assert!(said.contains("it is not UTF-8") && said.contains("elf.toml:2:10"), "{said}");
}

#[cfg(unix)]
#[test]
fn what_leads_out_of_the_tree_or_is_no_file_is_not_read() {
    use std::os::unix::fs::symlink;
    let outside = tempfile::tempdir().expect("a folder");
    write(outside.path(), "secret", "password = \"1234\"\n");
    let folder = folder(&["tree/a.ged"]);
    let tree = folder.path().join("tree");
    let config = tree.join("elf.toml");
    symlink(outside.path().join("secret"), &config).expect("a link");
    let output = check(&tree, &["a.ged"]);
    let said = stderr(&output);
    assert_eq!(status(&output), 2);
    assert!(said.contains("outside its folder") && said.contains("--no-config"), "{said}");
    assert!(!said.contains("1234"), "{said}");
    // Who names it wants it.
    assert!(stderr(&check(&tree, &["--config", "elf.toml", "a.ged"])).contains("elf.toml:1:1"));
    // A link within the tree is followed.
    fs::remove_file(&config).expect("a link");
    write(&tree, "conf/mine.toml", "[check]\nselect = \"E0117\"\n");
    symlink("conf/mine.toml", &config).expect("a link");
    assert_eq!(checked(&tree, &["a.ged"])[0].0, ["E0117"]);
    // Folders, pipes, links to nothing, and devices are no configurations; that above is the nearest.
    write(folder.path(), "elf.toml", "[check]\nselect = \"E0326\"\n");
    let make: [&dyn Fn(); 4] = [
        &|| fs::create_dir(&config).expect("a folder"),
        &|| symlink("/dev/zero", &config).expect("a link"),
        &|| symlink("nothing", &config).expect("a link"),
        &|| assert!(std::process::Command::new("mkfifo").arg(&config).status().expect("a pipe").success()),
    ];
    for make in make {
        let _ = fs::remove_file(&config).or_else(|_| fs::remove_dir(&config));
        make();
        assert_eq!(checked(&tree, &["a.ged"])[0].0, ["E0326"]);
    }
}

#[test]
fn a_named_configuration_has_to_be_there() {
    let folder = folder(&["a.ged"]);
    let output = check(folder.path(), &["--config", "none.toml", "a.ged"]);
    assert_eq!((status(&output), stdout(&output).as_str()), (2, ""));
    assert!(stderr(&output).contains("`none.toml`: no such file"), "{}", stderr(&output));
    assert_eq!(status(&check(folder.path(), &["--config", "none.toml", "--no-config", "a.ged"])), 2);
    // And it is an input: nothing is written over it.
    write(folder.path(), "my.toml", "");
    assert_eq!(status(&check(folder.path(), &["--config", "my.toml", "a.ged", "-o", "my.toml"])), 2);
}
