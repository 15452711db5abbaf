//! The repairs that findings carry in formats for programs, and their marks for a person.

use crate::shell::{json, run, run_with, status, stdout};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::Path;

/// Faults of several kinds: alone, two in a line, one in a line that another moves, in the header.
const FAULTS: &str = "0 HEAD\n1 CHAR utf8\n01 NOTE x\n0 @I1@ INDI\n01 NOTE me@example.org\nand more\n\
    1 NAME @no one@\n1 BIRT\n3 DATE 1900\n4 NOTE a@b\n\n0 @F1@ FAM\n  1 NOTE c@d e@f\n0 TRLR\n";

/// The replacements that findings carry: line, how many go, what comes. Those of one line are alike.
type Replacements = BTreeMap<(u64, u64), Vec<String>>;

fn replacements(findings: &[Value]) -> Replacements {
    let mut all = Replacements::new();
    for finding in findings {
        let Some(fix) = finding.get("fix") else { continue };
        assert_eq!(fix["safety"], "safe");
        for lines in fix["lines"].as_array().expect("lines") {
            let number = |name: &str| lines[name].as_u64().expect("a number");
            let insert = lines["insert"].as_array().expect("lines").iter();
            let insert: Vec<String> = insert.map(|line| line.as_str().expect("a line").to_owned()).collect();
            let before = all.insert((number("line"), number("remove")), insert.clone());
            assert!(before.is_none_or(|before| before == insert), "{finding}");
        }
    }
    all
}

/// `text` with all replacements.
fn applied(text: &str, replacements: &Replacements) -> String {
    let mut lines: Vec<Vec<&str>> = vec![Vec::new()];
    lines.extend(text.split_inclusive('\n').map(|line| vec![line]));
    lines.push(Vec::new());
    let mut out = String::new();
    let mut at = 1;
    let copy = |from: usize, upto: usize, out: &mut String| {
        lines.iter().take(upto).skip(from).flatten().for_each(|line| out.push_str(line));
    };
    for (&(line, remove), insert) in replacements {
        let line = usize::try_from(line).expect("a number");
        assert!(line >= at, "two replacements of line {line}");
        copy(at, line, &mut out);
        insert.iter().for_each(|line| out.push_str(&format!("{line}\n")));
        at = line + usize::try_from(remove).expect("a number");
    }
    copy(at, lines.len(), &mut out);
    out
}

/// Sees that the repairs that findings carry are those that `--fix` makes.
fn are_those_of_fix(text: &str, arguments: &[&str]) {
    let found = run_with(&[&["check", "--format", "json", "-"], arguments].concat(), text.as_bytes());
    let found = json(&found);
    let fixed = run_with(&[&["check", "--fix", "-"], arguments].concat(), text.as_bytes());
    assert_eq!(applied(text, &replacements(&found)), stdout(&fixed), "{arguments:?}");
    let carried = found.iter().filter(|finding| finding.get("fix").is_some()).count();
    assert_eq!(found.last().expect("a summary")["summary"]["repairable"], carried, "{arguments:?}");
}

#[test]
fn all_repairs_that_findings_carry_are_those_of_fix() {
    are_those_of_fix(FAULTS, &[]);
    are_those_of_fix(FAULTS, &["--ignore", "E0326"]);
    are_those_of_fix(FAULTS, &["--select", "E0326,E02"]);
    let blank = "0 HEAD\n1 CHAR UTF-8\n\n0 NOTE x\n   \n0 TRLR\n";
    for rules in ["wild", "2019-01", "declarative", "2017-10", "2017-07"] {
        are_those_of_fix(blank, &["--rules", rules]);
    }
    are_those_of_fix("", &[]);
    // In parts.
    let (head, rest) = FAULTS.split_at(FAULTS.find("0 @I1@").expect("a record"));
    let rest = rest.trim_end_matches("0 TRLR\n").replace("@I1@ ", "").replace("@F1@ ", "");
    let large = format!("{head}{}0 TRLR\n", rest.repeat(6000));
    assert!(large.len() > 600_000);
    are_those_of_fix(&large, &["--jobs", "2"]);
}

#[test]
fn repairs_of_dates_are_those_of_fix() {
    let head = "0 HEAD\n1 CHAR UTF-8\n1 DATE 5 Oct 2001\n";
    let person = "0 INDI\n1 BIRT\n2 DATE abt. 5 Oct 1835\n2 AGE 17 Y\n1 NOTE a@b\n1 DEAT\n2 DATE 5 Oct\n3 CONC  1900\n";
    let file = format!("{head}{person}0 TRLR\n");
    are_those_of_fix(&file, &[]);
    are_those_of_fix(&file, &["--ignore", "E0601"]);
    are_those_of_fix(&file, &["--select", "E06"]);
    let fixed = stdout(&run_with(&["check", "--fix", "-"], file.as_bytes()));
    assert!(
        fixed.contains("1 DATE 5 OCT 2001\n0 INDI\n1 BIRT\n2 DATE ABT 5 OCT 1835\n2 AGE 17y\n"),
        "{fixed}"
    );
    assert!(fixed.contains("2 DATE 5 Oct\n3 CONC  1900\n"), "{fixed}");
    let large = format!("{head}{}0 TRLR\n", person.repeat(8000));
    assert!(large.len() > 600_000);
    are_those_of_fix(&large, &["--jobs", "2"]);
}

#[test]
#[allow(clippy::print_stderr, reason = "a test that is passed over says so")]
fn repairs_of_real_files_are_those_of_fix() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/corpus");
    let Ok(entries) = std::fs::read_dir(&folder) else {
        return eprintln!("skipped: there is no {}", folder.display());
    };
    let mut repaired = 0;
    for path in entries.flatten().map(|entry| entry.path()) {
        let is_small = path.metadata().is_ok_and(|about| about.is_file() && about.len() < 200_000);
        let text = if is_small { std::fs::read_to_string(&path).unwrap_or_default() } else { String::new() };
        let path = path.to_string_lossy();
        // Of those the lines are known without their encoding and their breaks.
        if text.is_empty() || text.contains('\r') || text.starts_with('\u{feff}') {
            continue;
        }
        let found = json(&run(&["check", "--format", "json", &path]));
        let replacements = replacements(&found);
        let output = run(&["check", "--fix", &path]);
        if found.last().expect("a summary")["summary"]["complete"] == false {
            assert_eq!((status(&output), stdout(&output).as_str()), (2, ""), "{path} is not repaired");
            continue;
        }
        let fixed = stdout(&output);
        assert!(applied(&text, &replacements) == fixed, "{path}: {replacements:?}");
        repaired += usize::from(!replacements.is_empty());
    }
    assert!(repaired > 0, "no file of the corpus has repairs");
}

#[test]
fn a_finding_carries_the_lines_of_its_repair() {
    let output = run_with(&["check", "--format", "json", "-"], FAULTS.as_bytes());
    assert_eq!(status(&output), 1);
    let found = json(&output);
    let fix = |code: &str, line: u64| {
        let of = |one: &&Value| one["code"] == code && one["line"] == line;
        found.iter().find(of).unwrap_or_else(|| panic!("no {code} in line {line}"))["fix"].clone()
    };
    let both = serde_json::json!({"safety":"safe","lines":[{"line":5,"remove":1,"insert":["1 NOTE me@@example.org"]}]});
    assert_eq!(fix("E0326", 5), both, "what is repaired in a line is repaired together");
    assert_eq!(fix("E0202", 5), both);
    let raw =
        serde_json::json!({"safety":"safe","lines":[{"line":6,"remove":1,"insert":["2 CONT and more"]}]});
    assert_eq!(fix("E0306", 6), raw);
    assert_eq!(fix("E0210", 7), Value::Null, "no repair of it is safe");
}

#[test]
fn a_long_line_is_repaired_at_its_first_fault_only() {
    let escapes = "@#x ".repeat(2000);
    let text = format!("0 HEAD\n1 CHAR UTF-8\n0 @I1@ INDI\n1 NOTE {escapes}\n0 TRLR\n");
    let output = run_with(&["check", "--format", "json", "-"], text.as_bytes());
    assert!(output.stdout.len() < 200 * text.len(), "{}", output.stdout.len());
    are_those_of_fix(&text, &[]);
}

#[test]
fn a_person_is_told_what_can_be_repaired() {
    let text = stdout(&run_with(&["check", "-"], FAULTS.as_bytes()));
    let of = |code: &str| {
        let from = text.find(&format!("[{code}]")).unwrap_or_else(|| panic!("no {code}: {text}"));
        let end = text[from..].find("\n\n").map_or(text.len(), |end| from + end);
        text[from..end].to_owned()
    };
    assert!(!of("E0327").contains("repair"));
    assert!(of("E0326").ends_with("write `@@` (`--fix` repairs this)"), "{text}");
    assert!(of("E0210").ends_with("(`--unsafe-fixes` may repair this)"), "{text}");
    assert!(!of("E0210").contains("`--fix`"));
}

#[test]
fn sarif_has_the_same_repairs() {
    let found = json(&run_with(&["check", "--format", "json", "-"], FAULTS.as_bytes()));
    let log = stdout(&run_with(&["check", "--format", "sarif", "-"], FAULTS.as_bytes()));
    let log: Value = serde_json::from_str(&log).expect("JSON");
    let results = log["runs"][0]["results"].as_array().expect("results");
    for (found, result) in found.iter().zip(results) {
        let lines = found["fix"]["lines"].as_array().map_or(&[][..], Vec::as_slice);
        let change = &result["fixes"][0]["artifactChanges"][0];
        let replacements = change["replacements"].as_array().map_or(&[][..], Vec::as_slice);
        assert_eq!(lines.len(), replacements.len(), "{found} {result}");
        for (lines, one) in lines.iter().zip(replacements) {
            let (line, remove) = (lines["line"].as_u64(), lines["remove"].as_u64().expect("a number"));
            let insert: Vec<&str> =
                lines["insert"].as_array().expect("lines").iter().filter_map(Value::as_str).collect();
            let region = &one["deletedRegion"];
            assert_eq!((region["startLine"].as_u64(), region["startColumn"].as_u64()), (line, Some(1)));
            let text = one["insertedContent"]["text"].as_str();
            if insert.is_empty() {
                assert_eq!(
                    (region["endLine"].as_u64(), &region["endColumn"]),
                    (line.map(|line| line + remove), &1.into())
                );
                assert_eq!(text, Some(""));
            } else {
                assert_eq!(region["endLine"].as_u64(), line.map(|line| line + remove - 1));
                assert_eq!(text, Some(insert.join("\n").as_str()));
            }
        }
    }
    assert!(results.iter().any(|result| result.get("fixes").is_some()));
}
