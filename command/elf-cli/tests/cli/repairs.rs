//! The fixes that findings carry in formats for programs, and their marks for a person.

use crate::shell::{json, run, run_with, status, stderr, stdout};
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

/// Sees that the fixes that findings carry are those that `--fix` makes, as many as are counted.
fn are_those_of_fix(text: &str, arguments: &[&str]) {
    let found = run_with(&[&["check", "--format", "json", "-"], arguments].concat(), text.as_bytes());
    let found = json(&found);
    let fixed = run_with(&[&["check", "--fix", "-"], arguments].concat(), text.as_bytes());
    let carried = found.iter().filter(|finding| finding.get("fix").is_some()).count();
    let summary = &found.last().expect("a summary")["summary"];
    assert_eq!(summary["repairable"], carried, "{text:?} {arguments:?}");
    if status(&fixed) == 2 {
        assert_eq!((carried, &summary["complete"]), (0, &false.into()), "{text:?} {arguments:?}");
        return;
    }
    let count = format!("; {carried} repaired");
    assert!(stderr(&fixed).replace(',', "").contains(&count), "{text:?} {arguments:?} {count}");
    let fixed = stdout(&fixed);
    if !text.contains('\r') && text.ends_with('\n') {
        let text = text.trim_start_matches('\u{feff}');
        let fixed = fixed.trim_start_matches('\u{feff}');
        assert_eq!(applied(text, &replacements(&found)), fixed, "{text:?} {arguments:?}");
    }
    if text.len() < 2_000 {
        let log = run_with(&[&["check", "--format", "sarif", "-"], arguments].concat(), text.as_bytes());
        let log: Value = serde_json::from_str(&stdout(&log)).expect("JSON");
        assert_eq!(applied_regions(text, &log), fixed, "{text:?} {arguments:?}");
        found.iter().for_each(is_at_its_place);
    }
}

/// Sees that a fix is at the line of its finding or before it, or names the encoding in the header. The
/// other half of a link is in another record.
fn is_at_its_place(finding: &Value) {
    if finding["name"] == "link-one-sided" {
        return;
    }
    let (Some(fix), Some(line)) = (finding.get("fix"), finding["line"].as_u64()) else { return };
    let lines = fix["lines"].as_array().expect("lines");
    let is_near = |one: &Value| one["line"].as_u64().is_some_and(|first| first <= line + 1);
    let code = finding["code"].as_str().expect("a code");
    assert!(!lines.is_empty(), "{finding}");
    assert!(code.starts_with("E01") || lines.iter().any(is_near), "{finding}");
}

/// `text` with all replacements of a log in SARIF.
fn applied_regions(text: &str, log: &Value) -> String {
    let text: Vec<char> = text.chars().collect();
    let first = usize::from(text.first() == Some(&'\u{feff}'));
    let (mut starts, mut ends) = (vec![first], Vec::new());
    for (at, character) in text.iter().enumerate() {
        let behind = text.get(at + 1);
        match character {
            '\r' if behind == Some(&'\n') => ends.push(at),
            '\n' | '\r' => {
                if *character == '\r' || at == 0 || text[at - 1] != '\r' {
                    ends.push(at);
                }
                starts.push(at + 1);
            }
            _ => {}
        }
    }
    ends.push(text.len());
    let mut all: BTreeMap<(usize, usize), String> = BTreeMap::new();
    for result in log["runs"][0]["results"].as_array().expect("results") {
        let replacements = &result["fixes"][0]["artifactChanges"][0]["replacements"];
        for one in replacements.as_array().map_or(&[][..], Vec::as_slice) {
            let region = &one["deletedRegion"];
            let number = |name: &str| region[name].as_u64().and_then(|number| usize::try_from(number).ok());
            let line = |name: &str| number(name).expect("a line") - 1;
            let start = starts[line("startLine")] + number("startColumn").expect("a column") - 1;
            let end = number("endColumn")
                .map_or_else(|| ends[line("endLine")], |end| starts[line("endLine")] + end - 1);
            all.insert((start, end), one["insertedContent"]["text"].as_str().expect("text").to_owned());
        }
    }
    let (mut out, mut at) = (String::new(), 0);
    for ((start, end), with) in all {
        out.extend(&text[at..start]);
        out.push_str(&with);
        at = end;
    }
    out.extend(&text[at..]);
    out
}

/// Picks one after another, the same in every run.
struct Picks(u64);

impl Picks {
    fn below(&mut self, count: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % count
    }

    fn of<'a>(&mut self, all: &[&'a str]) -> &'a str {
        all[self.below(all.len())]
    }
}

/// A short file of faulty lines.
fn faulty(picks: &mut Picks) -> String {
    let head = [
        "1 CHAR UTF-8",
        "1 CHAR ANSEL",
        "1 CHAR utf8",
        "1 CHAR ANSI",
        "01 SOUR G",
        "1 SOUR a@b",
        "2 VERS 1",
        "",
    ];
    let body = [
        "0 @I1@ INDI",
        "0 INDI",
        "1 NOTE a@b",
        "1 NOTE a",
        "4 CONT b",
        "4 CONT c",
        "2 CONT b",
        "2 CONC b",
        "1 CONT x",
        "3 CONC a@b",
        "and more",
        "  1 NOTE c@d e@f",
        "1 BIRT",
        "3 DATE 1900",
        "2 DATE 1 jan 1900",
        "",
        "   ",
        "01 SEX M",
        "1 NOTE @#x y",
        "1 @X@ NAME a",
        "1 note b",
    ];
    let mut lines = vec![picks.of(&["0 HEAD", "0 HEAD", "01 HEAD", "0 head"])];
    lines.extend((0..picks.below(5)).map(|_| picks.of(&head)));
    lines.extend((0..picks.below(9)).map(|_| picks.of(&body)));
    if picks.below(8) > 0 {
        lines.push("0 TRLR");
    }
    let forms: &[&str] = [&["\n"][..], &["\n"], &["\r\n"], &["\r"], &["\n", "\r\n"]][picks.below(5)];
    let mut text: String = lines.iter().flat_map(|line| [line, picks.of(forms)]).collect();
    if picks.below(6) == 0 {
        text.truncate(text.trim_end_matches(['\r', '\n']).len());
    }
    text
}

#[test]
fn repairs_of_faulty_files_are_those_of_fix() {
    let choices: &[&[&str]] =
        &[&[], &["--ignore", "E0301"], &["--ignore", "E0326,E0203"], &["--select", "E0326,E02"]];
    let rules = ["wild", "wild", "wild", "2019-12", "2019-01", "declarative", "2017-10", "2017-07"];
    let mut picks = Picks(1);
    for _ in 0..120 {
        let text = faulty(&mut picks);
        let rules = ["--rules", picks.of(&rules)];
        are_those_of_fix(&text, &[&rules, choices[picks.below(choices.len())]].concat());
    }
}

#[test]
fn a_repair_stands_with_the_finding_that_it_is_made_for() {
    let lines_of = |text: &str, code: &str, arguments: &[&str]| {
        are_those_of_fix(text, arguments);
        let found =
            json(&run_with(&[&["check", "--format", "json", "-"], arguments].concat(), text.as_bytes()));
        let finding = found.into_iter().find(|finding| finding["code"] == code).expect(code);
        let lines = finding["fix"]["lines"].as_array().cloned().unwrap_or_default();
        lines
            .into_iter()
            .flat_map(|one| one["insert"].as_array().cloned().unwrap_or_default())
            .collect::<Vec<_>>()
    };
    let marked = "\u{feff}0 head\n1 CHAR ANSEL\n1 NOTE é\n0 TRLR\n";
    for code in ["E0106", "E0117"] {
        assert_eq!(lines_of(marked, code, &[]), ["1 CHAR UTF-8"], "{code}");
    }
    let deep = "0 HEAD\n1 CHAR UTF-8\n0 @I1@ INDI\n1 NOTE a\n4 CONT b\n4 CONT c\n0 TRLR\n";
    assert_eq!(lines_of(deep, "E0203", &[]), ["2 CONT b", "2 CONT c"]);
    assert_eq!(lines_of(deep, "E0203", &["--ignore", "E0301"]), ["2 CONT b", "2 CONT c"]);
    let unnamed = "0 HEAD\n01 SOUR G\n0 TRLR\n";
    assert_eq!(lines_of(unnamed, "E0118", &[]), ["1 CHAR UTF-8"]);
    assert_eq!(lines_of(unnamed, "E0202", &[]), ["1 SOUR G"]);
    assert_eq!(lines_of("0 HEAD\r\n1 SOUR X\r\n0 TRLR\r\n", "E0118", &[]), ["1 CHAR UTF-8"]);
    assert_eq!(lines_of("0 head", "E0118", &[]), ["0 HEAD", "1 CHAR UTF-8"]);
    are_those_of_fix("0 HEAD\n1 CHAR ANSEL\n1 SOUR é@b\n0 TRLR\n", &[]);
    // That line breaks are mixed is said of the file, and stays where a part of it has one form.
    are_those_of_fix("0 HEAD\r\n1 CHAR UTF-8\n0 @I1@ INDI\n0 TRLR\n\r\n", &["--rules", "2017-10"]);
}

#[test]
fn a_file_whose_reading_ended_has_nothing_to_repair() {
    let text = "0 HEAD\n1 CHAR UTF-8\n1 GEDC\n2 VERS 5.5.1\n2 FORM LINEAGE-LINKED\n0 @I1@ INDI\n1 NAME a@b\n01 SEX M\n0 TRLR\n";
    let fixed = run_with(&["check", "--fix", "--rules", "2019-12", "-"], text.as_bytes());
    assert_eq!(status(&fixed), 2);
    let many = text.replace("1 NAME a@b\n", &"1 NAME a@b\n".repeat(60_000));
    for text in [text, &many] {
        are_those_of_fix(text, &["--rules", "2019-12"]);
        let said = stdout(&run_with(&["check", "--rules", "2019-12", "-"], text.as_bytes()));
        assert!(!said.contains("--fix"), "{said}");
    }
}

#[test]
fn statistics_say_what_is_repaired() {
    let statistics = |text: &str| {
        let output = run_with(&["check", "--statistics", "--format", "json", "-"], text.as_bytes());
        let all = json(&output).into_iter().filter(|one| one.get("code").is_some());
        all.map(|one| (one["code"].clone(), one["repairable"].clone(), one["fix"].clone()))
            .collect::<Vec<_>>()
    };
    let [alias] = &statistics("0 HEAD\n1 CHAR ANSI\n1 SOUR X\n0 TRLR\n")[..] else { panic!("one code") };
    assert_eq!(*alias, ("E0107".into(), 0.into(), Value::Null));
    let [signs] = &statistics("0 HEAD\n1 CHAR UTF-8\n1 SOUR a@b\n0 TRLR\n")[..] else { panic!("one code") };
    assert_eq!(*signs, ("E0326".into(), 1.into(), "safe".into()));
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
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus");
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
    assert!(of("E0326").ends_with("write `@@` (`--fix` fixes this)"), "{text}");
    assert!(of("E0210").ends_with("(`--unsafe-fixes` may fix this)"), "{text}");
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

/// Persons and families, of which many lack the other half of a link: some before it and some after it, some
/// one and some several, one a great many.
fn one_sided(count: usize) -> String {
    let mut text = "0 HEAD\n1 CHAR UTF-8\n0 @F0@ FAM\n".to_owned();
    for number in 1..=count {
        let family = number / 7;
        text.push_str(&format!("0 @I{number}@ INDI\n1 NAME Jo{} /Lee/\n", "o".repeat(number % 60)));
        match number % 7 {
            0 if family > 0 => {
                text.push_str(&format!("1 FAMS @F{family}@\n0 @F{family}@ FAM\n1 HUSB @I{number}@\n"));
                text.push_str(&format!("1 WIFE @I{}@\n1 CHIL @I{}@\n", number - 1, number + 2));
            }
            1 => text.push_str(&format!("1 FAMC @F{family}@\n")),
            2 => text.push_str("1 FAMC @F0@\n2 PEDI foster\n"),
            3 => {
                text.push_str(&format!("1 NOTE a@b\nand more\n1 FAMC @F{}@\n2 STAT disproven\n", family + 1))
            }
            _ => {}
        }
    }
    text + "0 TRLR\n"
}

#[test]
fn missing_halves_of_links_are_told_as_they_are_written() {
    for against in ["data-model", "5.5.1"] {
        are_those_of_fix(&one_sided(40), &["--against", against]);
        are_those_of_fix(&one_sided(40), &["--against", against, "--select", "link-one-sided"]);
        are_those_of_fix(one_sided(40).trim_end_matches("0 TRLR\n"), &["--against", against]);
        are_those_of_fix(one_sided(6).trim_end_matches("\n0 TRLR\n"), &["--against", against]);
    }
    are_those_of_fix(&one_sided(40), &["--against", "none"]);
    are_those_of_fix(&one_sided(40), &["--ignore", "link-one-sided"]);
    // In parts.
    let many = one_sided(20_000);
    are_those_of_fix(&many, &[]);
    let fixed = stdout(&run_with(&["check", "--fix", "-"], many.as_bytes()));
    assert!(fixed.len() > many.len() + 8_000 * 12);
    let left = json(&run_with(&["check", "--format", "json", "-"], fixed.as_bytes()));
    assert_eq!(left.last().expect("a summary")["summary"]["repairable"], 0);
    assert!(left.iter().all(|finding| finding.get("fix").is_none()));
    let counted = json(&run_with(&["check", "--statistics", "--format", "json", "-"], many.as_bytes()));
    let row = counted.iter().find(|row| row["code"] == "E0907").expect("a row");
    assert_eq!((&row["fix"], row["repairable"].as_u64() > Some(8_000)), (&"safe".into(), true));
    let shown = stdout(&run_with(&["check", "--diff", "-"], one_sided(9).as_bytes()));
    assert!(shown.contains("+1 FAMS @F1@\n"), "{shown}");
    assert!(stdout(&run(&["explain", "E0907"])).contains("Fixed by: elf check --fix"));
}

/// Coordinates under a place, with what a safe fix and an unsafe one make of them.
const COORDINATES: &[[&str; 3]] = &[
    ["52.251663", "52.251663", "N52.251663"],
    ["-52.1", "-52.1", "S52.1"],
    ["n52.25", "N52.25", "N52.25"],
    ["52.25 s", "S52.25", "S52.25"],
    ["52,25N", "52,25N", "N52.25"],
    ["N52.10", "N52.10", "N52.10"],
    ["N95.1", "N95.1", "N95.1"],
    ["95.1", "95.1", "95.1"],
    ["N-52.1", "N-52.1", "N-52.1"],
    ["52 15 10 N", "52 15 10 N", "52 15 10 N"],
    ["north", "north", "north"],
];

#[test]
fn coordinates_get_their_letter() {
    for [given, safe, guessed] in COORDINATES {
        let text = |latitude: &str| {
            format!(
                "0 HEAD\n1 CHAR UTF-8\n0 @I1@ INDI\n1 BIRT\n2 PLAC x\n3 MAP\n4 LATI {latitude}\n4 LONG E1\n0 TRLR\n"
            )
        };
        for (option, expected) in [("--fix", safe), ("--unsafe-fixes", guessed)] {
            let fixed = run_with(&["check", "-", option, "-o", "-"], text(given).as_bytes());
            assert_eq!(stdout(&fixed), text(expected), "{option} {given}: {}", stderr(&fixed));
        }
    }
}
