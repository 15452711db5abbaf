//! Tests of where output goes: standard output, or a file that appears once it is whole.

use crate::shell::{file, run, status, stderr, stdout};

#[test]
fn an_output_file_holds_what_standard_output_would() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("out.jsonl");
    let out = out.to_string_lossy();
    let (path, args) = (file("family.ged"), ["show", "--format", "json"]);
    let direct = run(&[&args[..], &[&path, "-o", "-"]].concat());
    let written = run(&[&args[..], &[&path, "-o", &out]].concat());
    assert_eq!((status(&written), stdout(&written).as_str()), (0, ""));
    assert_eq!(std::fs::read(&*out).expect("a file"), direct.stdout);
    assert_eq!(std::fs::read_dir(folder.path()).expect("a folder").count(), 1);
}

#[test]
fn an_input_is_not_an_output() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("in.ged");
    std::fs::copy(file("family.ged"), &path).expect("a copy");
    let name = path.to_string_lossy();
    for command in ["check", "show", "info"] {
        let output = run(&[command, &name, "-o", &name]);
        assert_eq!(status(&output), 2, "{command}");
        assert!(stderr(&output).contains("it is an input"), "{}", stderr(&output));
    }
    let before = std::fs::read(file("family.ged")).expect("a file");
    assert_eq!(std::fs::read(&path).expect("a file"), before);
}

/// A schema as a file of its own.
const SCHEMA: &str = "0 HEAD\n1 CHAR UTF-8\n1 SCHMA\n2 PRFX e http://e.example/\n2 IRI e:X\n3 TAG _X elf:Document\n\
                      0 TRLR\n";

#[test]
fn a_schema_is_not_an_output() {
    let folder = tempfile::tempdir().expect("a folder");
    let [path, schema] = ["in.ged", "schema.ged"].map(|name| folder.path().join(name));
    std::fs::copy(file("family.ged"), &path).expect("a copy");
    std::fs::write(&schema, SCHEMA).expect("a file");
    let around = folder.path().join(".").join("schema.ged");
    let [path, around] = [&path, &around].map(|path| path.to_string_lossy().into_owned());
    let name = schema.to_string_lossy();
    let commands: [&[&str]; 9] = [
        &["check", &path],
        &["check", "--fix", &path],
        &["show", &path],
        &["info", &path],
        &["convert", &path],
        &["edit", &path, "--remove", "TRLR"],
        &["edit", &path],
        &["diff", &path, &path],
        &["schema", &path],
    ];
    for command in commands {
        let output = run(&[command, &["--schema", &name, "-o", &around]].concat());
        assert_eq!((status(&output), stdout(&output).as_str()), (2, ""), "{command:?}");
        assert!(stderr(&output).contains("it is an input"), "{command:?}: {}", stderr(&output));
        assert_eq!(std::fs::read_to_string(&schema).expect("a file"), SCHEMA, "{command:?}");
    }
}

#[test]
fn what_cannot_be_written_is_status_2() {
    let output = run(&["show", &file("family.ged"), "-o", "no/such/folder/out"]);
    assert_eq!(status(&output), 2);
    assert!(stderr(&output).starts_with("error: cannot write `no/such/folder/out`: "), "{}", stderr(&output));
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_status_2() {
    let output = run(&["show", &file("family.ged"), "-o", "/dev/full"]);
    assert_eq!(status(&output), 2, "{}", stderr(&output));
}

/// Runs a line of the shell in a folder, with the command as `$0`.
#[cfg(target_os = "linux")]
fn shell(folder: &std::path::Path, line: &str) -> std::process::Output {
    let elf = env!("CARGO_BIN_EXE_elf");
    std::process::Command::new("sh").args(["-c", line, elf]).current_dir(folder).output().expect("a shell")
}

#[cfg(target_os = "linux")]
#[test]
fn help_that_cannot_be_written_is_status_2() {
    for line in ["--version", "--help", "check --help", "help check", "-V"] {
        let output = shell(std::path::Path::new("/"), &format!("\"$0\" {line} > /dev/full"));
        assert_eq!(status(&output), 2, "{line}: {}", stderr(&output));
        assert!(stderr(&output).contains("cannot write standard output"), "{line}: {}", stderr(&output));
        assert_eq!(status(&shell(std::path::Path::new("/"), &format!("\"$0\" {line}"))), 0, "{line}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_file_that_outgrows_its_limit_is_status_2() {
    let folder = tempfile::tempdir().expect("a folder");
    let input = format!("0 HEAD\n1 CHAR UTF-8\n{}0 TRLR\n", "0 @I1@ INDI\n1 NAME Ada\n".repeat(20_000));
    std::fs::write(folder.path().join("in.ged"), input).expect("a file");
    for line in ["convert in.ged -o - > out", "convert in.ged -o out", "show in.ged > out"] {
        let output = shell(folder.path(), &format!("ulimit -f 100; \"$0\" {line}"));
        assert_eq!(status(&output), 2, "{line}: {}", stderr(&output));
        assert!(stderr(&output).contains("exceed the maximum file size"), "{line}: {}", stderr(&output));
    }
}

#[test]
fn an_unreadable_input_leaves_no_output() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("out.txt");
    let output = run(&["show", "nowhere.ged", "-o", &out.to_string_lossy()]);
    assert_eq!(status(&output), 2);
    assert!(!out.exists());
}

#[test]
fn where_nothing_can_be_read_nothing_is_written() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("out");
    let name = out.to_string_lossy();
    for command in ["check", "info"] {
        assert_eq!(status(&run(&[command, "nosuch.ged", "-o", &name])), 2, "{command}");
        assert!(!out.exists(), "{command}");
    }
    // What is there stays; and a log for programs says what could not be read.
    std::fs::write(&out, "before").expect("a file");
    assert_eq!(status(&run(&["check", "nosuch.ged", "-o", &name])), 2);
    assert_eq!(std::fs::read_to_string(&out).expect("a file"), "before");
    assert_eq!(status(&run(&["check", "--format", "sarif", "nosuch.ged", "-o", &name])), 2);
    assert!(std::fs::read_to_string(&out).expect("a file").contains("nosuch.ged"));
}

#[cfg(unix)]
#[test]
fn no_copy_is_kept_of_what_is_not_replaced() {
    let folder = tempfile::tempdir().expect("a folder");
    let [path, other] = ["in.ged", "other.ged"].map(|name| folder.path().join(name));
    std::fs::write(&path, "0 HEAD\n1 CHAR UTF-8\n0 @I1@ INDI\n1 NOTE a@b\n0 TRLR\n").expect("a file");
    std::fs::hard_link(&path, other).expect("a link");
    let output = run(&["check", "--fix", "--in-place", "--backup", &path.to_string_lossy()]);
    assert_eq!(status(&output), 2, "{}", stderr(&output));
    assert_eq!(std::fs::read_dir(folder.path()).expect("a folder").count(), 2);
}

#[cfg(unix)]
#[test]
fn a_file_that_is_replaced_stays_its_owners() {
    use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("in.ged");
    std::fs::write(&path, "0 HEAD\n1 CHAR UTF-8\n0 @I1@ INDI\n1 NOTE a@b\n0 TRLR\n").expect("a file");
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o640)).expect("a file");
    // Only the superuser gives files away; for anybody else it is the group that there may be another of.
    let _ = chown(&path, Some(12_345), Some(12_346));
    let before = std::fs::metadata(&path).expect("a file");
    let name = path.to_string_lossy();
    let fix: &[&str] = &["check", "--fix", "--in-place", "--backup", &name];
    for args in [&["edit", "--in-place", "--set", "@I1@/NOTE=b", &name], fix] {
        let output = run(args);
        assert!(status(&output) < 2, "{}", stderr(&output));
        for path in [&path, &folder.path().join("in.ged.bak")] {
            let Ok(after) = std::fs::metadata(path) else { continue };
            let of = |file: &std::fs::Metadata| (file.uid(), file.gid(), file.mode() & 0o777);
            assert_eq!(of(&after), of(&before), "{}", path.display());
        }
    }
}

#[test]
fn a_folder_that_is_missing_is_named_as_such() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("nowhere/out.ged");
    let output = run(&["convert", &file("family.ged"), "-o", &out.to_string_lossy()]);
    assert_eq!(status(&output), 2);
    assert!(stderr(&output).contains("its folder does not exist"), "{}", stderr(&output));
}

#[test]
#[cfg(unix)]
fn a_pipe_is_not_changed_in_place_nor_waited_for() {
    let folder = tempfile::tempdir().expect("a folder");
    let pipe = folder.path().join("pipe.ged");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().expect("a pipe").success());
    let name = pipe.to_string_lossy();
    // Nobody writes to the pipe: who opened it to read would wait for ever.
    let commands: [&[&str]; 3] = [
        &["edit", &name, "--set", "HEAD/SOUR=x", "--in-place"],
        &["redact", &name, "--in-place"],
        &["check", "--fix", &name, "--in-place"],
    ];
    for args in commands {
        let output = run(args);
        assert_eq!(status(&output), 2, "{args:?}");
        assert!(stderr(&output).contains("cannot be overwritten"), "{args:?}: {}", stderr(&output));
    }
}
