//! The command and the library `elf-check` find the same in every file that the project has.

use elf_base::Rules;
use elf_tests::fixtures::Fixture;
use elf_tests::suite::Suite;
use elf_tests::vectors::Case;
use elf_tests::vectors::vector::Form;
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What is compared of a finding. The command says of a schema that is not available how to get it.
#[derive(Debug, PartialEq, Eq)]
struct Found {
    code: String,
    class: String,
    message: String,
    octet: Option<u64>,
    path: Option<String>,
    is_fixed: bool,
}

/// Returns the bytes of all files, by the name of the rules that they are read by.
fn files() -> BTreeMap<&'static str, Vec<Vec<u8>>> {
    let mut files: BTreeMap<&'static str, Vec<Vec<u8>>> = BTreeMap::new();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    for entry in std::fs::read_dir(folder).expect("the examples") {
        let path = entry.expect("an entry").path();
        if path.extension().is_some_and(|extension| extension == "ged") {
            let bytes = std::fs::read(path).expect("an example");
            for rules in Rules::PRESETS {
                files.entry(rules.name).or_default().push(bytes.clone());
            }
        }
    }
    for fixture in Fixture::all_fixtures().expect("the fixtures") {
        let bytes = fixture.octets().expect("a fixture");
        files.entry(fixture.rules().expect("its rules").name).or_default().push(bytes);
    }
    let cases = Suite::load().expect("the suite").vectors.cases;
    for case in cases.into_iter().filter(|case| Rules::PRESETS.contains(&&case.rules)) {
        files.entry(case.rules.name).or_default().extend(bytes_of(&case));
    }
    files
}

/// Returns the file that a vector reads. A file whose encoding is given from outside is left out.
fn bytes_of(case: &Case) -> Option<Vec<u8>> {
    let is_file = match case.vector.form {
        Form::Value | Form::Tokens | Form::Serialised => false,
        Form::Encoding
        | Form::Lines
        | Form::Tagged
        | Form::Typed
        | Form::Schema
        | Form::Dictionary
        | Form::Supertypes
        | Form::Written => case.vector.settings.external.is_none(),
    };
    case.vector.input().expect("an input").filter(|_| is_file)
}

/// Checks a file by the library.
fn check(bytes: &[u8], rules: &Rules) -> Vec<Found> {
    let report = elf_check::Check::new(rules).check(bytes).expect("a small file");
    let found = report.findings.iter().map(|one| Found {
        code: one.diagnostic.code.id().to_owned(),
        class: one.diagnostic.class.name().to_owned(),
        message: message(one.diagnostic.code.id(), &one.diagnostic.message),
        octet: one.diagnostic.place.map(|place| place.octet),
        path: one.context.as_ref().and_then(|context| context.path(&report.records)),
        is_fixed: one.fix.is_some(),
    });
    found.collect()
}

fn message(code: &str, message: &str) -> String {
    if code == "E0414" { String::new() } else { message.to_owned() }
}

/// Reads what the command printed, by the files.
fn printed(output: &[u8]) -> BTreeMap<String, Vec<Found>> {
    let text = |member: &Value| member.as_str().map(str::to_owned);
    let mut files: BTreeMap<String, Vec<Found>> = BTreeMap::new();
    for line in output.split(|&byte| byte == b'\n').filter(|line| !line.is_empty()) {
        let value: Value = serde_json::from_slice(line).expect("JSON");
        let Some(file) = text(&value["file"]) else { continue };
        files.entry(file).or_default().push(Found {
            code: text(&value["code"]).expect("a code"),
            class: text(&value["class"]).expect("a class"),
            message: message(
                value["code"].as_str().expect("a code"),
                value["message"].as_str().expect("a message"),
            ),
            octet: value["octet"].as_u64(),
            path: text(&value["path"]),
            is_fixed: value.get("fix").is_some(),
        });
    }
    files
}

#[test]
fn the_command_finds_what_the_library_finds() {
    let mut count = 0;
    for (name, files) in files() {
        let rules = Rules::from_name(name).expect("a preset");
        let folder = tempfile::tempdir().expect("a folder");
        let paths: Vec<PathBuf> =
            (0..files.len()).map(|number| folder.path().join(format!("{number:04}.ged"))).collect();
        for (path, bytes) in paths.iter().zip(&files) {
            std::fs::write(path, bytes).expect("a file");
        }
        let output = Command::new(env!("CARGO_BIN_EXE_elf"))
            .args(["check", "--no-config", "--format", "json", "--rules", name])
            .args(&paths)
            .output()
            .expect("the command runs");
        let mut printed = printed(&output.stdout);
        for (path, bytes) in paths.iter().zip(&files) {
            let of_command = printed.remove(&*path.to_string_lossy()).unwrap_or_default();
            let of_library = check(bytes, rules);
            assert_eq!(of_command, of_library, "by {name}: {}", bytes.escape_ascii());
            count += of_library.len();
        }
    }
    assert!(count > 1_000, "only {count} findings were compared");
}
