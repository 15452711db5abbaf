//! Progress is shown on a terminal, and nowhere else.
#![cfg(unix)]

use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use std::fs::{File, OpenOptions};
use std::io::{Read, Write};
use std::process::{Command, Stdio};
use std::time::Duration;

/// Checks standard input, which comes slowly, with `stderr` as standard error. Returns standard output.
fn check_slowly(stderr: Stdio) -> Vec<u8> {
    let mut check = Command::new(env!("CARGO_BIN_EXE_elf"))
        .args(["check", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(stderr)
        .spawn()
        .expect("progress");
    let mut input = check.stdin.take().expect("progress");
    input.write_all(b"0 HEAD\n1 CHAR UTF-8\n").expect("progress");
    input
        .write_all("0 NOTE so that there is something to count\n".repeat(10_000).as_bytes())
        .expect("progress");
    std::thread::sleep(Duration::from_millis(2_300));
    input.write_all(b"0 TRLR\n").expect("progress");
    drop(input);
    check.wait_with_output().expect("progress").stdout
}

/// A terminal that nobody sits at: both its ends.
fn terminal() -> (File, File) {
    let near = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).expect("a terminal");
    grantpt(&near).expect("granted");
    unlockpt(&near).expect("unlocked");
    let name = ptsname(&near, Vec::new()).expect("a name").into_string().expect("UTF-8");
    (File::from(near), OpenOptions::new().read(true).write(true).open(name).expect("the far end"))
}

#[test]
fn a_person_at_a_terminal_sees_how_far_it_is_and_how_fast() {
    let (mut near, far) = terminal();
    let printed = check_slowly(far.into());
    // The end of what was written to a terminal whose other end is closed is an error on some systems.
    let mut seen = Vec::new();
    let _ = near.read_to_end(&mut seen);
    let seen = String::from_utf8(seen).expect("progress");
    assert!(seen.contains("\rchecking - … 0.4 MB, 0."), "{seen:?}");
    assert!(seen.ends_with("\r\u{1b}[K"), "the line vanishes: {seen:?}");
    assert!(String::from_utf8(printed).expect("progress").contains("10,003 lines"));
}

#[test]
fn a_pipe_sees_no_progress() {
    let folder = tempfile::tempdir().expect("progress");
    let path = folder.path().join("errors");
    check_slowly(File::create(&path).expect("progress").into());
    let seen = std::fs::read_to_string(&path).expect("progress");
    assert!(!seen.contains("checking") && !seen.contains('\r'), "{seen:?}");
}
