//! Running the command as a shell would.

use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

/// A file of `tests/files`.
pub(crate) fn file(name: &str) -> String {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/files").join(name).to_string_lossy().into_owned()
}

/// The command with `args`, not run yet.
pub(crate) fn elf(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_elf"));
    command.args(args).env_remove("NO_COLOR").env_remove("CLICOLOR_FORCE");
    command
}

/// Runs the command with `args`.
pub(crate) fn run(args: &[&str]) -> Output {
    elf(args).output().expect("the command runs")
}

/// Runs the command with `args`, and `input` on standard input.
pub(crate) fn run_with(args: &[&str], input: &[u8]) -> Output {
    let mut child = elf(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the command runs");
    let mut stdin = child.stdin.take().expect("a pipe");
    let input = input.to_vec();
    let writer = std::thread::spawn(move || {
        // The command may end before it has read all.
        let _ = stdin.write_all(&input);
    });
    let output = child.wait_with_output().expect("the command ends");
    writer.join().expect("the input is written");
    output
}

/// The exit status.
pub(crate) fn status(output: &Output) -> i32 {
    output.status.code().expect("the command was not killed")
}

/// Standard output as text.
pub(crate) fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("UTF-8")
}

/// Standard error as text.
pub(crate) fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).expect("UTF-8")
}

/// Standard output as JSON values, one a line.
pub(crate) fn json(output: &Output) -> Vec<serde_json::Value> {
    stdout(output).lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}
