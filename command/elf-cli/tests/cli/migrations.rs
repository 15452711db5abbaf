//! The corpus from GEDCOM 5.5.1 to GEDCOM 7.0 and back, and its files of GEDCOM 7.0 the other way, through
//! the command: what is written is valid, and what differs in the end was reported at its place.

#![allow(
    clippy::expect_used,
    clippy::disallowed_methods,
    reason = "a test fails by panicking, and files are its matter"
)]

use elf_tests::corpus::{CorpusFile, corpus};
use elf_tests::snapshot;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A web page, which nothing can be read of.
const HTML: &str = "D-Jeffrey__gedcom-samples__GeorgeWashington+Family+Small.ged";

/// Files that programs in use have written, of which at most one line in a hundred may be lost.
const MAINSTREAM: [&str; 11] = [
    "D-Jeffrey__gedcom-samples__Royal92-Famous+European+Royalty+Gedcom.ged",
    "D-Jeffrey__gedcom-samples__US+Presidents+Trees+I.ged",
    "GatienBouyer__fastgedcom__in_iso8859-1.ged",
    "cacack__gedcom-go__ancestry-2025-export.ged",
    "cacack__gedcom-go__myheritage-2025-export.ged",
    "cacack__gedcom-go__rootsmagic-2026-export.ged",
    "frizbog__gedcom4j__Issue166.ged",
    "frizbog__gedcom4j__Issue87.ged",
    "frizbog__gedcom4j__Sopranos.ged",
    "frizbog__gedcom4j__a31486.ged",
    "nigel-parker__gedinline__torture-test-5-5-1.ged",
];

/// A standard to write by, and to hold what was written against.
struct Standard {
    rules: &'static str,
    against: &'static str,
}

const GEDCOM_7: Standard = Standard { rules: "gedcom-7", against: "7.0" };
const GEDCOM_5_5_1: Standard = Standard { rules: "gedcom-5.5.1", against: "5.5.1" };

/// A finding, and the path of the structure that it is at.
struct Finding {
    code: String,
    message: String,
    path: Vec<String>,
}

/// Runs the command, and returns the JSON that it printed. Its exit status may say that it found something.
fn run(command: &Path, args: &[&str]) -> Vec<Value> {
    let output = Command::new(command).args(args).output().expect("the command runs");
    assert!(matches!(output.status.code(), Some(0 | 1)), "{args:?}: {output:?}");
    let text = String::from_utf8(output.stderr).expect("UTF-8") + &String::from_utf8_lossy(&output.stdout);
    // Remarks to people stand between.
    let objects = text.lines().filter(|line| line.starts_with('{'));
    objects.map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

/// The steps of a path as both standards have them: without numbers and underscores, and with one tag for
/// notes and media types.
fn steps(path: &str) -> Vec<String> {
    let step = |step: &str| {
        if step.starts_with('@') {
            return step.to_owned();
        }
        let tag = step.split('[').next().unwrap_or_default().trim_start_matches('_');
        let number =
            tag.rsplit_once('_').filter(|(_, number)| number.bytes().all(|octet| octet.is_ascii_digit()));
        match number.map_or(tag, |(tag, _)| tag) {
            "SNOTE" => "NOTE",
            "MEDI" => "TYPE",
            tag => tag,
        }
        .to_owned()
    };
    path.split('/').map(step).collect()
}

/// The paths of the structures of a file, by the numbers of their lines.
fn paths(command: &Path, file: &str) -> BTreeMap<u64, Vec<String>> {
    let args = ["show", "--form", "tagged", "--format", "tsv", file];
    let output = Command::new(command).args(args).output().expect("the command runs");
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    let rows = text
        .lines()
        .filter_map(|row| Some((row.rsplit_once('\t')?.1.parse().ok()?, row.split('\t').next()?)));
    rows.map(|(line, path)| (line, steps(path))).collect()
}

/// The findings among `values`, at their places.
fn findings<'v>(values: impl Iterator<Item = &'v Value>, paths: &BTreeMap<u64, Vec<String>>) -> Vec<Finding> {
    let found = values.filter(|value| value.get("code").is_some());
    let finding = |value: &Value| {
        let line = value["line"].as_u64().unwrap_or(1);
        let path = paths
            .range(..=line)
            .next_back()
            .map_or_else(|| vec!["HEAD".to_owned()], |(_, path)| path.clone());
        let text = |member: &str| value[member].as_str().unwrap_or_default().to_owned();
        Finding { code: text("code"), message: text("message"), path }
    };
    found.map(finding).collect()
}

/// The errors of a file by a standard.
fn errors(command: &Path, file: &str, by: &Standard, paths: &BTreeMap<u64, Vec<String>>) -> Vec<Finding> {
    let args =
        ["check", "--no-config", "--rules", by.rules, "--against", by.against, "--format", "json", file];
    let values = run(command, &args);
    let is_error = |value: &&Value| matches!(value["class"].as_str(), Some("malformed" | "non-conformant"));
    findings(values.iter().filter(is_error), paths)
}

/// A way there or back: the file that came of it, the reports about the one before, and what was lost.
struct Way {
    reports: Vec<Finding>,
    losses: u64,
}

fn convert(command: &Path, [from, to]: [&str; 2], by: &Standard, paths: &BTreeMap<u64, Vec<String>>) -> Way {
    let args =
        ["convert", from, "--to-rules", by.rules, "--allow-loss", "--partial", "--format", "json", "-o", to];
    let values = run(command, &args);
    let losses = values.iter().find_map(|value| value["summary"]["losses"].as_u64()).expect("a summary");
    Way { reports: findings(values.iter(), paths), losses }
}

/// Returns whether a report explains a difference at `path`: it is there, or a step under; or above, but
/// what is said of a whole record explains no more unless that is lost; or it is beside and names the
/// tag; a record that was made is named by whatever asked for it.
fn explains(report: &Finding, path: &[String]) -> bool {
    let is_here = report.path == path || report.path.split_last().is_some_and(|(_, above)| above == path);
    let is_of_record = report.path.len() == 1 && report.path[0] != "HEAD";
    let is_above = path.starts_with(&report.path) && (report.code != "E0821" || !is_of_record);
    let [record, .., tag] = path else {
        let is_made = path.iter().any(|xref| xref.starts_with("@INLINE_"));
        return is_here || is_made && report.message.contains("UNSTATED");
    };
    let beside = |path: &[String]| path.split_last().map(|(_, above)| above.to_vec());
    // A tag whose definition was left out has another type afterwards.
    let is_definition = report.code == "E0809" && report.message.contains(&format!("`_{tag} "));
    (is_here || is_above || is_definition)
        || report.path.first() == Some(record)
            && beside(&report.path) == beside(path)
            && report.message.contains(&format!("`{tag}`"))
}

/// The faults of a file that was taken there and back, and a line about it.
fn judge(command: &Path, folder: &Path, file: &CorpusFile) -> (Vec<String>, String) {
    let place = |name: &str| folder.join(name).to_str().expect("UTF-8").to_owned();
    let [original, there, back] =
        ["original.ged", "there.ged", "back.ged"].map(|name| place(&format!("{}.{name}", file.name)));
    std::fs::write(&original, &file.octets).expect("a folder of one's own");
    let is_of_7 = file.octets.windows(8).any(|octets| octets == b"2 VERS 7");
    let [own, other] = if is_of_7 { [GEDCOM_7, GEDCOM_5_5_1] } else { [GEDCOM_5_5_1, GEDCOM_7] };
    let before = paths(command, &original);
    let forth = convert(command, [&original, &there], &other, &before);
    let between = paths(command, &there);
    let home = convert(command, [&there, &back], &own, &between);

    let mut faults = Vec::new();
    let known = errors(command, &original, &own, &before);
    let after = paths(command, &back);
    for (name, by, paths) in [(&there, &other, &between), (&back, &own, &after)] {
        for error in errors(command, name, by, paths) {
            // What was wrong before may stay wrong, and what is lost was reported.
            let was_known = known.iter().any(|known| known.code == error.code && known.path == error.path);
            let reports = forth.reports.iter().chain(&home.reports);
            let was_reported = reports.clone().any(|report| report.path == error.path);
            if !was_known && !was_reported {
                faults.push(format!(
                    "by {}: {} {} at {}",
                    by.rules,
                    error.code,
                    error.message,
                    error.path.join("/")
                ));
            }
        }
    }
    let mut count = 0;
    for value in run(command, &["diff", "--format", "json", &original, &back]) {
        let sides = [&value["a"], &value["b"]];
        let paths: Vec<_> = sides.iter().filter_map(|side| side["path"].as_str()).map(steps).collect();
        if paths.is_empty() {
            continue;
        }
        count += 1;
        let mut reports = forth.reports.iter().chain(&home.reports);
        if !reports.any(|report| paths.iter().any(|path| explains(report, path))) {
            faults.push(format!("not reported: {value}"));
        }
    }
    let lines = before.len() as u64;
    let lost = forth.losses + home.losses;
    if MAINSTREAM.contains(&&*file.name) && lost * 100 > lines {
        faults.push(format!("{lost} of {lines} structures are lost"));
    }
    let reports: BTreeSet<&str> =
        forth.reports.iter().chain(&home.reports).map(|report| &*report.code).collect();
    let codes = if reports.is_empty() { "-".to_owned() } else { Vec::from_iter(reports).join(" ") };
    let told = format!("{}\t{lines}\t{}\t{}\t{count}\t{codes}", file.name, forth.losses, home.losses);
    (faults, told)
}

/// The folder of what is written.
fn folder() -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("migrations");
    std::fs::create_dir_all(&folder).expect("a folder of one's own");
    folder
}

#[test]
fn the_corpus_comes_back_but_for_what_is_reported() {
    let Some(files) = corpus() else { return };
    let (command, folder) = (PathBuf::from(env!("CARGO_BIN_EXE_elf")), folder());
    let mut told = String::from(
        "# Files of the corpus to the other of GEDCOM 5.5.1 and 7.0 and back. Written by UPDATE_EXPECT=1.\n\
         # file\tstructures\tlost there\tlost back\tdifferences\treported\n",
    );
    let mut wrong = Vec::new();
    for file in files.iter().filter(|file| file.name != HTML) {
        let (faults, line) = judge(&command, &folder, file);
        let _ = writeln!(told, "{line}");
        wrong.extend(faults.into_iter().map(|fault| format!("{}: {fault}", file.name)));
    }
    assert!(wrong.is_empty(), "{} faults:\n{}", wrong.len(), wrong[..wrong.len().min(20)].join("\n"));
    if let Err(error) =
        snapshot::compare_with_file(&elf_tests::folder("snapshots").join("migrations.txt"), &told)
    {
        panic!("{error}");
    }
}
