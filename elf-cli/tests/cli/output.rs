//! Where output goes: standard output, or a file that appears once it is whole.

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
        assert!(stderr(&output).contains("it is the input"), "{}", stderr(&output));
    }
    let before = std::fs::read(file("family.ged")).expect("a file");
    assert_eq!(std::fs::read(&path).expect("a file"), before);
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

#[test]
fn an_unreadable_input_leaves_no_output() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("out.txt");
    let output = run(&["show", "nowhere.ged", "-o", &out.to_string_lossy()]);
    assert_eq!(status(&output), 2);
    assert!(!out.exists());
}
