//! The vectors that read whole files, through the command: exit status, codes, and what `show` prints.
//!
//! The suite itself runs them through the library (`tests/tests/conformance.rs`). The command adds
//! layers above it, and its own idea of what a finding means for the exit status.

#![allow(clippy::expect_used, reason = "a test fails by panicking")]

use elf_base::Rules;
use elf_tests::notation::december::{Expected, Input, Outcome, Stop};
use elf_tests::notation::tree::{Payload, Structure, Tree};
use elf_tests::suite::Suite;
use elf_tests::vectors::{Action, Case};
use serde_json::Value;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Runs the command on a file, and returns its exit status and the JSON it printed.
fn run(command: &PathBuf, args: &[&str], octets: &[u8]) -> (Option<i32>, Vec<Value>) {
    let mut child = Command::new(command)
        .args(args)
        .args(["--format", "json", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("the command runs");
    // The command may end before it has read all.
    let _ = child.stdin.take().expect("a pipe").write_all(octets);
    let output = child.wait_with_output().expect("the command ends");
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    let values = text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    (output.status.code(), values)
}

/// Appends a structure as the command prints it, and everything under it.
fn push(structure: &Value, depth: usize, tree: &mut Tree) {
    let text = |member: &Value| member.as_str().map(str::to_owned);
    let payload = match &structure["payload"] {
        Value::Null => Payload::None,
        Value::String(text) => Payload::from_text(text.clone()),
        pointer => Payload::Pointer(text(&pointer["pointer"]).unwrap_or_default()),
    };
    tree.structures.push(Structure {
        depth,
        tag: text(&structure["tag"]).unwrap_or_default(),
        xref: text(&structure["xref"]),
        payload,
    });
    for substructure in structure["substructures"].as_array().into_iter().flatten() {
        push(substructure, depth + 1, tree);
    }
}

/// Reads the tree of the notation from what `show` prints.
fn shown(values: &[Value]) -> Tree {
    let mut tree = Tree::default();
    for value in values.iter().filter(|value| value.get("code").is_none() && value.get("summary").is_none()) {
        let Some(metadata) = value.get("metadata").and_then(Value::as_array) else {
            push(value, 0, &mut tree);
            continue;
        };
        if !metadata.is_empty() {
            let payload = Payload::None;
            tree.structures.push(Structure { depth: 0, tag: "HEAD".to_owned(), xref: None, payload });
        }
        metadata.iter().for_each(|structure| push(structure, 1, &mut tree));
    }
    tree
}

/// Returns true for codes of the schema layer, which the suite does not ask.
fn is_of_schemas(code: &str) -> bool {
    code.starts_with("E04")
}

/// Checks one vector.
fn check(command: &PathBuf, case: &Case) -> Result<(), String> {
    let Action::December { input: Input::File(octets), expected, external: None } = &case.action else {
        return Ok(());
    };
    let rules = ["--rules", case.rules.name];
    let (status, findings) = run(command, &[&["check"], &rules[..]].concat(), octets);
    let is_error = |found: &&Value| matches!(found["class"].as_str(), Some("malformed" | "non-conformant"));
    let codes: Vec<&str> =
        findings.iter().filter(is_error).filter_map(|found| found["code"].as_str()).collect();
    let summary = findings.last().map(|last| &last["summary"]).ok_or("no summary")?;
    let complete = summary["complete"].as_bool().ok_or("no word on completeness")?;
    let is_clean = codes.is_empty() && complete;
    if status != Some(i32::from(!is_clean)) {
        return Err(format!("status {status:?} with {codes:?}"));
    }
    let own: Vec<&str> = codes.iter().copied().filter(|code| !is_of_schemas(code)).collect();
    if let Some(wanted) = &case.expect.codes {
        let mut wanted: Vec<&str> = wanted.iter().map(|code| code.id()).collect();
        let mut found = own.clone();
        wanted.sort_unstable();
        found.sort_unstable();
        if !wanted.iter().any(|code| is_of_schemas(code)) && wanted != found {
            return Err(format!("expected the codes {wanted:?}, but found {found:?}"));
        }
    }
    let Some(Expected::File(outcome, tree)) = expected else { return Ok(()) };
    let outcome_is_right = match outcome {
        Outcome::Ok => own.is_empty() && complete,
        Outcome::NonConformant => !own.is_empty() && complete,
        Outcome::Stop(Stop::MalformedLine) => !complete && own.iter().any(|code| code.starts_with("E02")),
        Outcome::Stop(_) => !complete,
        Outcome::Any => true,
    };
    if !outcome_is_right {
        return Err(format!("expected {outcome}, but found {own:?}, complete: {complete}"));
    }
    if let Some(tree) = tree {
        let args = [&["show", "--form", "tagged"], &rules[..]].concat();
        let shown = shown(&run(command, &args, octets).1);
        if *tree != shown {
            return Err(format!("expected {tree}, but `show` prints {shown}"));
        }
    }
    Ok(())
}

#[test]
fn file_vectors_come_out_of_the_command_as_well() {
    let command = PathBuf::from(env!("CARGO_BIN_EXE_elf"));
    let suite = Suite::load().expect("the suite");
    let is_file = |case: &&Case| {
        matches!(case.action, Action::December { input: Input::File(_), external: None, .. })
            && Rules::PRESETS.contains(&&case.rules)
    };
    let cases: Vec<&Case> = suite.vectors.cases.iter().filter(is_file).collect();
    assert!(cases.len() > 300, "only {} vectors read a file", cases.len());
    let (next, faults) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while let Some(case) = cases.get(next.fetch_add(1, Ordering::Relaxed)) {
                    if let Err(fault) = check(&command, case) {
                        let what = format!(
                            "{} {} by {}: {fault}",
                            case.rows.join(", "),
                            case.label,
                            case.rules.name
                        );
                        faults.lock().expect("no panic").push(what);
                    }
                }
            });
        }
    });
    let faults = faults.into_inner().expect("no panic");
    assert!(faults.is_empty(), "{} of {}:\n{}", faults.len(), cases.len(), faults.join("\n"));
}
