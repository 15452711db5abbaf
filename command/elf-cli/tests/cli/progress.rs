//! Progress is shown on a terminal, and nowhere else.
#![cfg(unix)]

use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use std::fs::{File, OpenOptions};
use std::io::{Read, Write};
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

/// Checks standard input, whose end comes once `wait` is over, with `stderr` as standard error. Returns
/// standard output.
fn check_slowly(stderr: Stdio, wait: impl FnOnce()) -> Vec<u8> {
    let mut check = Command::new(env!("CARGO_BIN_EXE_elf"))
        .args(["check", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(stderr)
        .spawn()
        .expect("the command runs");
    let mut input = check.stdin.take().expect("a pipe");
    input.write_all(b"0 HEAD\n1 CHAR UTF-8\n").expect("the command reads");
    let notes = "0 NOTE so that there is something to count\n".repeat(10_000);
    input.write_all(notes.as_bytes()).expect("the command reads");
    wait();
    input.write_all(b"0 TRLR\n").expect("the command reads");
    drop(input);
    check.wait_with_output().expect("the command ends").stdout
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
    let (send, seen_next) = mpsc::channel();
    let reading = thread::spawn(move || {
        let mut buffer = [0; 4096];
        // The end of what was written to a terminal whose other end is closed is an error on some systems.
        while let Ok(count @ 1..) = near.read(&mut buffer) {
            if send.send(buffer[..count].to_vec()).is_err() {
                break;
            }
        }
    });
    let mut seen = Vec::new();
    let printed = check_slowly(far.into(), || {
        while !String::from_utf8_lossy(&seen).contains("MB/s") {
            let next = seen_next.recv_timeout(Duration::from_secs(300));
            seen.extend(next.expect("the terminal shows how fast it is"));
        }
    });
    seen.extend(seen_next.into_iter().flatten());
    reading.join().expect("what the terminal shows is read");
    let seen = String::from_utf8(seen).expect("UTF-8");
    assert!(seen.contains("\rchecking - … 0.4 MB, 0."), "{seen:?}");
    assert!(seen.ends_with("\r\u{1b}[K"), "the line vanishes: {seen:?}");
    assert!(String::from_utf8(printed).expect("UTF-8").contains("10,003 lines"));
}

#[test]
fn a_pipe_sees_no_progress() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("errors");
    let errors = File::create(&path).expect("a file");
    // Longer than it takes until a terminal would show something.
    check_slowly(errors.into(), || thread::sleep(Duration::from_millis(2_300)));
    let seen = std::fs::read_to_string(&path).expect("a file");
    assert!(!seen.contains("checking") && !seen.contains('\r'), "{seen:?}");
}
