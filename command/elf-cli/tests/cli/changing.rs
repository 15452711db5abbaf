//! A file that changes while it is read several times over is noticed, and nothing comes of it.
#![cfg(target_os = "linux")]

use crate::shell::{elf, status, stderr};
use std::fs::{self, File};
use std::io::{Seek, SeekFrom, Write};
use std::path::Path;
use std::process::{Output, Stdio};
use std::time::{Duration, Instant};

/// The name of the program in the header, before it changes.
const UNCHANGED: &str = "000000000000";

/// A file of more octets than are read at once, with something to say about each of its records.
fn large() -> String {
    let records = (0..90_000).map(|one| {
        format!("0 @I{one}@ INDI\n1 NAME Person /Number {one}/\n1 SEX F\n1 BIRT\n2 DATE 1 JAN 1900\n1 FAMS @F{one}@\n")
    });
    format!("0 HEAD\n1 CHAR UTF-8\n1 SOUR {UNCHANGED}\n{}0 TRLR\n", records.collect::<String>())
}

/// Runs the command, and has the beginning of the file say something else all the time until that ends, so
/// that no two readings of it see the same.
fn changed_on_the_way(args: &[&str], path: &Path, text: &str) -> Output {
    let place = text.find(UNCHANGED).expect("it stands in the header");
    fs::write(path, text).expect("a file");
    let mut file = File::options().write(true).open(path).expect("a file");
    let mut child =
        elf(args).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().expect("it runs");
    let mut number = 0_u64;
    while child.try_wait().expect("a child").is_none() {
        number += 1;
        let other = format!("{number:0width$}", width = UNCHANGED.len());
        file.seek(SeekFrom::Start(place as u64))
            .and_then(|_| file.write_all(other.as_bytes()))
            .expect("room");
    }
    child.wait_with_output().expect("it ends")
}

#[test]
fn an_input_that_changes_between_two_readings_is_noticed() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = fs::canonicalize(folder.path()).expect("a folder").join("in.ged");
    let (name, text) = (path.to_string_lossy().into_owned(), large());
    let out = folder.path().join("out");
    let output = out.to_string_lossy().into_owned();
    // By these rules a file is read for its identifiers first.
    let rules = ["--rules", "declarative"];
    let commands: [&[&str]; 3] = [
        &["check", &name, "-o", &output, rules[0], rules[1]],
        &["convert", &name, "-o", &output],
        &["convert", &name, "-o", &output, "--to-rules", "gedcom-7"],
    ];
    for args in commands {
        let ended = changed_on_the_way(args, &path, &text);
        assert_eq!(status(&ended), 2, "{args:?}: {}", stderr(&ended));
        let said = stderr(&ended);
        assert!(
            said.contains("changed while it was") || said.contains("no longer what it was"),
            "{args:?}: {said}"
        );
        assert!(!out.exists(), "{args:?}");
        assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 1, "{args:?}");
    }
}

#[test]
fn a_file_that_changed_since_it_was_read_is_not_overwritten() {
    let folder = tempfile::tempdir().expect("a folder");
    let [path, schema] = ["in.ged", "schema"].map(|name| folder.path().join(name));
    fs::write(&path, "0 HEAD\n1 CHAR UTF-8\n0 @I1@ INDI\n1 NAME Ada\n0 TRLR\n").expect("a file");
    let made = std::process::Command::new("mkfifo").arg(&schema).status();
    assert!(made.expect("every Unix has it").success());
    let [name, pipe] = [&path, &schema].map(|path| path.to_string_lossy().into_owned());
    let args = ["edit", &name, "--in-place", "--set", "@I1@/NAME=Eve", "--schema", &pipe];
    let child = elf(&args).stdin(Stdio::null()).stderr(Stdio::piped()).spawn().expect("it runs");
    // Whoever opens a pipe to write waits for the reader, and the file is read before.
    let mut waited_for = File::options().write(true).open(&schema).expect("a pipe");
    let other = "0 HEAD\n1 CHAR UTF-8\n0 @I1@ INDI\n1 NAME Max\n0 TRLR\n";
    fs::write(&path, other).expect("a file");
    waited_for.write_all(b"0 HEAD\n1 CHAR UTF-8\n1 SCHMA\n0 TRLR\n").expect("a reader");
    drop(waited_for);
    let ended = child.wait_with_output().expect("it ends");
    assert_eq!(status(&ended), 2, "{}", stderr(&ended));
    assert!(stderr(&ended).contains("changed after it was read"), "{}", stderr(&ended));
    assert_eq!(fs::read_to_string(&path).expect("a file"), other);
}

/// Starts an edit of a file that this test has locked, and returns once it waits for the lock.
fn edit_of_locked(path: &Path) -> (File, std::process::Child) {
    use rustix::fs::{FlockOperation, flock};
    fs::write(path, "0 HEAD\n1 CHAR UTF-8\n0 @I1@ INDI\n1 NAME Ada\n0 TRLR\n").expect("a file");
    let held = File::open(path).expect("a file");
    flock(&held, FlockOperation::LockExclusive).expect("a lock");
    let args = ["edit", &*path.to_string_lossy(), "--in-place", "--set", "@I1@/NAME=Eve"];
    let child = elf(&args).stdin(Stdio::null()).stderr(Stdio::piped()).spawn().expect("it runs");
    // It opens the file to read it, lets go, and opens it again to lock it.
    let opens = || {
        let all = fs::read_dir(format!("/proc/{}/fd", child.id())).into_iter().flatten().flatten();
        all.filter_map(|one| fs::read_link(one.path()).ok()).any(|one| one == path)
    };
    let is_written = || fs::read_dir(path.parent().expect("a folder")).expect("a folder").count() > 1;
    while !(is_written() && opens()) {
        std::thread::sleep(Duration::from_millis(1));
    }
    (held, child)
}

#[test]
fn a_file_that_another_run_replaces_at_this_moment_is_not_overwritten() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = fs::canonicalize(folder.path()).expect("a folder").join("in.ged");
    let (held, child) = edit_of_locked(&path);
    let other = "0 HEAD\n1 CHAR UTF-8\n0 @I1@ INDI\n1 NAME Max\n0 TRLR\n";
    let beside = folder.path().join("other");
    fs::write(&beside, other).and_then(|()| fs::rename(&beside, &path)).expect("a file");
    drop(held);
    let ended = child.wait_with_output().expect("it ends");
    assert_eq!(status(&ended), 2, "{}", stderr(&ended));
    assert!(stderr(&ended).contains("changed after it was read"), "{}", stderr(&ended));
    assert_eq!(fs::read_to_string(&path).expect("a file"), other);
    assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 1);
}

#[test]
fn a_file_that_another_program_holds_is_not_overwritten() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = fs::canonicalize(folder.path()).expect("a folder").join("in.ged");
    let (held, child) = edit_of_locked(&path);
    let ended = child.wait_with_output().expect("it ends");
    assert_eq!(status(&ended), 2, "{}", stderr(&ended));
    assert!(stderr(&ended).contains("another program has locked it"), "{}", stderr(&ended));
    assert!(fs::read_to_string(&path).expect("a file").contains("1 NAME Ada\n"));
    drop(held);
}

#[test]
fn of_two_edits_at_once_none_is_lost() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("in.ged");
    let name = path.to_string_lossy().into_owned();
    for _ in 0..60 {
        fs::write(&path, "0 HEAD\n1 CHAR UTF-8\n0 @I1@ INDI\n1 NAME Ada\n1 SEX F\n0 TRLR\n").expect("a file");
        let edits = [("@I1@/NAME=Eve", "1 NAME Eve\n"), ("@I1@/SEX=M", "1 SEX M\n")];
        let running = edits.map(|(edit, line)| {
            let args = ["edit", &name, "--in-place", "--set", edit];
            let child = elf(&args).stdin(Stdio::null()).stderr(Stdio::piped()).spawn().expect("it runs");
            (child, line)
        });
        let ended = running.map(|(child, line)| (child.wait_with_output().expect("it ends"), line));
        let text = fs::read_to_string(&path).expect("a file");
        for (output, line) in &ended {
            assert!(matches!(status(output), 0 | 2), "{}", stderr(output));
            assert_eq!(status(output) == 0, text.contains(line), "{text}{}", stderr(output));
        }
        assert!(ended.iter().any(|(output, _)| status(output) == 0), "{}", stderr(&ended[0].0));
    }
}

/// The number of appends where nothing is said.
const APPENDS: u32 = 40;

#[test]
fn a_line_that_is_appended_while_a_file_is_edited_is_not_lost() {
    let appends = std::env::var("ELF_LONG_APPENDS").map_or(APPENDS, |count| count.parse().expect("a number"));
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("in.ged");
    let name = path.to_string_lossy().into_owned();
    let args = ["edit", &name, "--in-place", "--set", "@I1@/NAME=Eve"];
    let run = || elf(&args).stdin(Stdio::null()).stderr(Stdio::piped()).spawn().expect("it runs");
    let text = "0 HEAD\n1 CHAR UTF-8\n0 @I1@ INDI\n1 NAME Ada\n";
    fs::write(&path, text).expect("a file");
    let whole = [(), ()].map(|()| {
        let start = Instant::now();
        assert!(run().wait().expect("it ends").success());
        start.elapsed()
    });
    let whole = whole[1];
    let (mut refused, mut edited) = (0, 0);
    for number in 0..appends {
        fs::write(&path, text).expect("a file");
        let child = run();
        // From its start to a little after its end.
        std::thread::sleep(whole * (number % 40) / 32);
        let line = format!("0 NOTE Number {number}\n");
        let start = Instant::now();
        File::options()
            .append(true)
            .open(&path)
            .and_then(|mut file| file.write_all(line.as_bytes()))
            .expect("a file");
        let is_at_once = start.elapsed() < Duration::from_micros(500);
        let ended = child.wait_with_output().expect("it ends");
        let text = fs::read_to_string(&path).expect("a file");
        // Before the command removes the old file, it waits a millisecond for programs that have it open. A slower
        // write, as on a busy machine, may be lost with the old file.
        assert!(text.contains(&line) || !is_at_once, "{number}: {text}{}", stderr(&ended));
        assert_eq!(status(&ended) == 0, text.contains("Eve"), "{number}: {text}{}", stderr(&ended));
        *(if status(&ended) == 0 { &mut edited } else { &mut refused }) += 1;
        assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 1, "{number}");
    }
    assert!(appends < 1000 || refused > 0 && edited > 0, "{refused} refused, {edited} edited");
}
