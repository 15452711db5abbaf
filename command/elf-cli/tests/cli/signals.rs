//! A run that a signal ends leaves nothing beside its output, whatever it is doing.
#![cfg(unix)]

use crate::shell::elf;
use rustix::process::{Pid, Signal, kill_process};
use std::io::Write;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Child, ExitStatus, Stdio};
use std::time::{Duration, Instant};

/// How long a test waits before it fails. Only a run that hangs takes so long.
const PATIENCE: Duration = Duration::from_secs(300);

/// Waits until `happened` returns something.
fn wait_for<T>(what: &str, mut happened: impl FnMut() -> Option<T>) -> T {
    let start = Instant::now();
    loop {
        if let Some(result) = happened() {
            return result;
        }
        assert!(start.elapsed() < PATIENCE, "waited for {what} in vain");
        std::thread::sleep(Duration::from_millis(2));
    }
}

/// The names of what is in a folder, hidden or not.
fn names(folder: &Path) -> Vec<String> {
    let all = std::fs::read_dir(folder).expect("a folder");
    all.map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned()).collect()
}

fn send(child: &Child, signal: Signal) {
    let pid = Pid::from_raw(i32::try_from(child.id()).expect("a number of a process")).expect("not 0");
    kill_process(pid, signal).expect("the signal is sent");
}

/// Runs a command that writes to `out` in a new folder and is given `input`, with more to come, until the
/// signal ends it; returns how it ended, and what is in the folder then.
fn ended(args: &[&str], input: &[u8], signal: Signal) -> (ExitStatus, Vec<String>) {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("out");
    std::fs::write(&out, "before").expect("a file");
    let mut command = elf(&[args, &["-o", &out.to_string_lossy()]].concat());
    let piped = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = piped.spawn().expect("the command runs");
    let mut stdin = child.stdin.take().expect("a pipe");
    stdin.write_all(input).expect("it reads");
    wait_for("the unfinished output", || {
        names(folder.path()).iter().any(|name| name.starts_with(".elf-")).then_some(())
    });
    send(&child, signal);
    let status = wait_for("the end", || child.try_wait().expect("a child"));
    assert_eq!(std::fs::read(&out).expect("a file"), b"before");
    (status, names(folder.path()))
}

#[test]
fn nothing_is_left_behind_a_signal() {
    // So long that it is read in runs, on several threads.
    let large =
        [&b"0 HEAD\n1 CHAR UTF-8\n"[..], &b"0 NOTE some text\n1 CONT other text\n".repeat(300_000)].concat();
    let commands: [&[&str]; 2] = [&["check", "--format", "json", "--jobs", "4", "-"], &["check", "-"]];
    // A signal that the run is started to ignore, as under `nohup`, stays ignored.
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = ignored.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    let all = [(Signal::HUP, 1), (Signal::INT, 2), (Signal::QUIT, 3), (Signal::TERM, 15)];
    for (signal, number) in
        all.into_iter().filter(|(_, number)| mask.map_or(*number != 1, |mask| mask >> (number - 1) & 1 == 0))
    {
        for (args, input) in commands.into_iter().zip([&*large, b"0 HEAD\n"]) {
            let (status, left) = ended(args, input, signal);
            // A shell calls these 130, 131 and 143.
            assert_eq!(status.signal(), Some(number), "{args:?}: {status}");
            assert_eq!(left, ["out"], "{args:?}");
        }
    }
}
