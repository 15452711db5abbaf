//! `elf check`: diagnostics, summaries, exit statuses.

use crate::shell::{elf, file, json, run, run_with, status, stderr, stdout};
use std::io::Read;
use std::process::Stdio;

#[test]
fn a_clean_file_has_nothing_to_report() {
    let output = run(&["check", &file("family.ged")]);
    assert_eq!(status(&output), 0);
    assert_eq!(stderr(&output), "");
    assert!(
        stdout(&output).ends_with("family.ged: 22 lines, 3 records, nothing to report\n"),
        "{}",
        stdout(&output)
    );
}

#[test]
fn findings_are_the_output() {
    for format in ["human", "short", "json", "sarif", "github"] {
        let output = run(&["check", "--format", format, &file("broken.ged")]);
        assert_eq!((status(&output), stderr(&output).as_str()), (1, ""));
        assert!(stdout(&output).contains("E0203"), "{}", stdout(&output));
    }
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("out.txt");
    let output = run(&["check", &file("broken.ged"), "-o", &out.to_string_lossy()]);
    assert_eq!((status(&output), stdout(&output), stderr(&output)), (1, String::new(), String::new()));
    let written = std::fs::read_to_string(&out).expect("a file");
    assert!(written.contains("[E0203]") && written.contains("12 lines, 1 record,"), "{written}");
}

/// A family with a fault in each of some places.
const FAULTS: &str = "0 HEAD\n1 CHAR UTF-8\n1 GEDC\n2 VERS 5.5.1\n2 FORM LINEAGE-LINKED\n0 @I2@ INDI\n\
    1 NAME \u{c9}lise  /Dupont/\n1 BIRT\n2 DATE 31 FEB 1900\n1 BIRT\n2 PLAC a@b\n0 NOTE x\n0 NOTE c@d\n\
    1 CONT more\n0 @F1@ FAM\n1 HUSB @I9@\n1 WIFE @I8@\n0 TRLR\n";

#[test]
fn each_finding_names_its_record_and_its_path() {
    let output = run_with(&["check", "--format", "json", "-"], FAULTS.as_bytes());
    let found = json(&output);
    let places: Vec<_> =
        found.iter().filter_map(|found| Some((found["record"].as_str()?, found["path"].as_str()?))).collect();
    assert_eq!(
        places,
        [
            ("I2", "@I2@/BIRT[1]/DATE"),
            ("I2", "@I2@/BIRT[2]/PLAC"),
            ("NOTE[2]", "NOTE[2]"),
            ("F1", "@F1@/HUSB"),
            ("F1", "@F1@/WIFE"),
        ]
    );
    // The paths are those that `show` and `edit` take.
    for (_, path) in places {
        let output = run_with(&["edit", "-", "--remove", path, "--dangling"], FAULTS.as_bytes());
        assert_ne!(status(&output), 2, "{path}: {}", stderr(&output));
    }
    let human = stdout(&run_with(&["check", "-"], FAULTS.as_bytes()));
    for line in ["in @I2@ \u{c9}lise Dupont > BIRT[1]\n", "in NOTE[2]\n", "in @F1@\n"] {
        assert!(human.contains(&format!("= note: {line}")), "{line}: {human}");
    }
}

#[test]
fn paths_are_right_behind_escapes_of_the_stream() {
    let text = "0 HEAD\n1 GEDC\n2 VERS 5.5.1\n2 FORM LINEAGE-LINKED\n1 CHAR UTF-8\n0 @I1@ INDI\n1 NAME A@#U42@c\n\
        1 FOO x\n1 SEX a@b\n1 NOTE c\n0 @I2@ INDI\n1 NAME d@e\n0 TRLR\n";
    for rules in ["2017-10", "2017-07", "wild", "2019-12"] {
        let found = json(&run_with(&["check", "--format", "json", "--rules", rules, "-"], text.as_bytes()));
        for (line, path) in [(9, "@I1@/SEX"), (12, "@I2@/NAME")] {
            let one = found.iter().find(|one| one["line"] == line).expect("a finding");
            assert_eq!(one["path"], path, "{rules}");
        }
    }
}

#[test]
fn a_large_file_tells_the_records_and_paths_of_a_small_one() {
    let (head, rest) = FAULTS.split_at(FAULTS.find("0 @I2@").expect("a record"));
    let filler: String = (0..40_000).map(|number| format!("0 @N{number}@ NOTE x\n1 CONT y\n")).collect();
    let found = |text: &str, format: &str, file: &[&str]| {
        let output = run_with(&[&["check", "--format", format], file].concat(), text.as_bytes());
        stdout(&output)
    };
    let small = json_of(&found(FAULTS, "json", &["-"]));
    let large = format!("{head}{rest}").replace("0 TRLR\n", &format!("{filler}0 TRLR\n"));
    assert!(large.len() > 1 << 20);
    let large = json_of(&found(&large, "json", &["-", "--jobs", "2"]));
    let places = |found: &[serde_json::Value]| -> Vec<_> {
        found.iter().map(|one| (one["code"].clone(), one["path"].clone(), one["line"].clone())).collect()
    };
    // The second NOTE is one of many now, and so is the first.
    assert_eq!(places(&small), places(&large));
}

#[test]
fn short_findings_stand_one_a_line() {
    let output = run_with(&["check", "--format", "short", "-"], FAULTS.as_bytes());
    let text = stdout(&output);
    let lines: Vec<_> = text.lines().collect();
    assert_eq!(lines.len(), 6, "{text}");
    assert!(lines[0].starts_with("-:9:8: advice[E0602] "), "{text}");
    assert!(lines[5].starts_with("-: 18 lines, 4 records, "), "{text}");
}

#[test]
fn findings_are_workflow_commands_of_github() {
    let text = FAULTS.replace("@I8@", "@I8 x\u{1b}%\r\n0 @Q@");
    let output =
        run_with(&["check", "--format", "github", "--stdin-filename", "a,b:c.ged", "-"], text.as_bytes());
    let text = stdout(&output);
    for line in text.lines().filter(|line| line.starts_with("::")) {
        let (command, _) = line[2..].split_once("::").expect("a message");
        let (level, properties) = command.split_once(' ').expect("properties");
        assert!(["error", "warning", "notice"].contains(&level), "{line}");
        assert!(properties.starts_with("file=a%2Cb%3Ac.ged,"), "{line}");
        for property in properties.split(',') {
            let (name, value) = property.split_once('=').expect("a value");
            assert!(["file", "line", "col", "endColumn", "title"].contains(&name), "{line}");
            assert!(!value.contains([':', ',']), "{line}");
        }
    }
    assert!(
        text.contains("::notice file=a%2Cb%3Ac.ged,line=9,col=8,endColumn=19,title=E0602 date-impossible::"),
        "{text}"
    );
}

#[test]
fn no_other_line_is_a_workflow_command() {
    let input = FAULTS.replace("@I8@", "@I8 x##[error]y\u{1b}[31m@");
    for name in ["::error::x", " \t::error::x", "x##[error]y"] {
        for more in [&["-"][..], &["-", &file("family.ged")]] {
            let arguments = [&["check", "--format", "github", "--stdin-filename", name], more].concat();
            let text = stdout(&run_with(&arguments, input.as_bytes()));
            let others: Vec<_> = text.lines().filter(|line| !line.contains(" file=")).collect();
            assert!(others.iter().any(|line| line.contains("18 lines")), "{text}");
            assert!(!others.iter().any(|line| line.trim_start().starts_with("::")), "{text}");
            assert!(!others.iter().any(|line| line.contains("##[")), "{text}");
            assert!(!text.contains('\u{1b}'), "{text}");
        }
    }
}

#[test]
fn findings_can_be_chosen() {
    let found = |arguments: &[&str]| {
        let output =
            run_with(&[&["check", "--format", "json"], arguments, &["-"]].concat(), FAULTS.as_bytes());
        let mut found = json(&output);
        let summary = found.pop().expect("a summary")["summary"].clone();
        let codes: Vec<_> =
            found.iter().map(|one| one["code"].as_str().expect("a code").to_owned()).collect();
        (status(&output), codes.join(" "), summary)
    };
    let (exit, codes, summary) = found(&[]);
    assert_eq!((exit, codes.as_str()), (0, "E0602 E0326 E0326 E0327 E0327"));
    assert_eq!((&summary["ignored"], &summary["repairable"]), (&0.into(), &2.into()));
    for (arguments, exit, codes, ignored, repairable) in [
        (&["--select", "E06"][..], 0, "E0602", 4, 0),
        (&["--select", "date-impossible,e0326"], 0, "E0602 E0326 E0326", 2, 2),
        (&["--ignore", "deprecated"], 0, "E0602 E0327 E0327", 2, 0),
        (&["--select", "E03", "--ignore", "E0327"], 0, "E0326 E0326", 3, 2),
        (&["--ignore", "E"], 0, "", 5, 0),
        (&["--deny", "E0327"], 1, "E0602 E0326 E0326 E0327 E0327", 0, 2),
        (&["--deny", "E0327", "--ignore", "E03"], 0, "E0602", 4, 0),
        (&["--deny", "malformed,E04"], 0, "E0602 E0326 E0326 E0327 E0327", 0, 2),
        (&["--deny", "advice"], 1, "E0602 E0326 E0326 E0327 E0327", 0, 2),
        (&["--deny", "deprecated"], 1, "E0602 E0326 E0326 E0327 E0327", 0, 2),
    ] {
        let (got_exit, got_codes, summary) = found(arguments);
        assert_eq!((got_exit, got_codes.as_str()), (exit, codes), "{arguments:?}");
        assert_eq!(summary["ignored"], ignored, "{arguments:?}");
        assert_eq!(summary["repairable"], repairable, "{arguments:?}");
        assert_eq!(summary["complete"], true);
    }
    // What is malformed makes no exit status where nobody wants to hear of it.
    let broken = file("broken.ged");
    assert_eq!(status(&run(&["check", &broken])), 1);
    assert_eq!(status(&run(&["check", "--ignore", "malformed", &broken])), 0);
    let said = stdout(&run(&["check", "--ignore", "malformed", &broken]));
    assert!(said.contains(", 2 ignored"), "{said}");
    let wrong = run(&["check", "--select", "E99", &broken]);
    assert_eq!(status(&wrong), 2);
    assert!(stderr(&wrong).contains("`elf explain` lists the codes"), "{}", stderr(&wrong));
}

#[test]
fn quiet_is_summaries_and_statistics_are_a_table() {
    let quiet = stdout(&run_with(&["check", "-q", "-"], FAULTS.as_bytes()));
    assert_eq!(quiet.lines().count(), 1, "{quiet}");
    assert!(quiet.starts_with("-: 18 lines, 4 records, 2 deprecated, 3 advice"), "{quiet}");
    let table = stdout(&run_with(&["check", "--statistics", "-", &file("broken.ged")], FAULTS.as_bytes()));
    let lines: Vec<_> = table.lines().map(|line| line.split_whitespace().collect::<Vec<_>>()).collect();
    assert!(lines[0].starts_with(&["-:", "18", "lines,"]) && lines[1].contains(&"12"), "{table}");
    assert_eq!(lines[2], ["3", "E0327", "pointer-dangling", "advice"], "{table}");
    assert_eq!(lines[3], ["2", "E0326", "at-sign-bare", "deprecated", "--fix"], "{table}");
    assert!(
        table.ends_with(
            "2 files: 30 lines, 5 records, 2 malformed, 2 deprecated, 5 advice; `--fix` fixes 4\n"
        ),
        "{table}"
    );
    let json = run_with(&["check", "--statistics", "--format", "json", "-"], FAULTS.as_bytes());
    let rows = json_of(&stdout(&json));
    assert_eq!((&rows[1]["code"], &rows[1]["count"]), (&"E0326".into(), &2.into()));
    assert_eq!(rows[0]["summary"]["file"], "-");
}

#[test]
fn several_files_get_a_total() {
    let output = run(&["check", &file("broken.ged"), &file("family.ged")]);
    assert_eq!(status(&output), 1);
    let last = stdout(&output).lines().last().expect("a total").to_owned();
    assert_eq!(last, "2 files, 1 clean: 34 lines, 4 records, 2 malformed, 2 advice; `--fix` fixes 2");
    let json = json(&run(&["check", "--format", "json", &file("broken.ged"), "nowhere.ged"]));
    let total = &json.last().expect("a total")["summary"];
    assert_eq!((&total["files"], total.get("file"), &total["malformed"]), (&2.into(), None, &2.into()));
    assert_eq!((&total["unread"], &total["complete"]), (&1.into(), &false.into()));
}

fn json_of(text: &str) -> Vec<serde_json::Value> {
    text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

#[test]
fn a_missing_file_does_not_keep_others_from_being_checked() {
    let output = run(&["check", "no/such/file.ged", &file("family.ged")]);
    assert_eq!(status(&output), 2);
    assert_eq!(stderr(&output), "error: cannot read `no/such/file.ged`: no such file\n");
    assert!(stdout(&output).contains("family.ged: 22 lines"));
}

#[test]
fn wrong_usage_is_status_2() {
    for args in [&["check"][..], &[], &["check", "--rules", "5.5.1", "x.ged"], &["frobnicate"]] {
        assert_eq!(status(&run(args)), 2, "{args:?}");
    }
    assert_eq!(status(&run(&["--help"])), 0);
    assert_eq!(status(&run(&["--version"])), 0);
}

#[test]
fn standard_input_is_a_file() {
    let output = run_with(
        &["check", "-"],
        b"0 HEAD\n1 CHAR UTF-8\n1 GEDC\n2 VERS 5.5.1\n2 FORM LINEAGE-LINKED\n0 TRLR\n",
    );
    assert_eq!(status(&output), 0, "{}", stderr(&output));
    assert_eq!(stdout(&output), "-: 6 lines, 0 records, nothing to report\n");
}

#[test]
fn the_json_has_the_promised_shape() {
    let path = file("broken.ged");
    let output = run(&["check", "--format", "json", &path]);
    assert_eq!(status(&output), 1);
    assert_eq!(stderr(&output), "");
    let lines = json(&output);
    let (summary, findings) = lines.split_last().expect("a summary");
    let too_deep = findings.iter().find(|finding| finding["code"] == "E0203").expect("a level too deep");
    assert_eq!(too_deep["name"], "level-too-deep");
    assert_eq!(too_deep["class"], "malformed");
    assert_eq!(too_deep["file"], path);
    assert_eq!(
        (&too_deep["line"], &too_deep["column"], &too_deep["end_column"]),
        (&8.into(), &1.into(), &2.into())
    );
    assert_eq!(too_deep["octet"], 87);
    assert_eq!(too_deep["clause"], "D19 Levels");
    let allowed = [
        "code",
        "name",
        "class",
        "message",
        "file",
        "line",
        "column",
        "end_column",
        "octet",
        "record",
        "path",
        "clause",
        "help",
        "count",
        "fix",
    ];
    for finding in findings {
        for (key, value) in finding.as_object().expect("an object") {
            assert!(allowed.contains(&key.as_str()) && !value.is_null(), "{key} in {finding}");
        }
    }
    let summary = &summary["summary"];
    let malformed = findings.iter().filter(|finding| finding["class"] == "malformed").count();
    assert_eq!(summary["malformed"], malformed);
    assert_eq!(
        (&summary["file"], &summary["lines"], &summary["records"]),
        (&path.into(), &12.into(), &1.into())
    );
    assert_eq!(summary["complete"], true);
    let raw = stdout(&output);
    assert!(raw.starts_with("{\"code\":\"E0"), "the fields stand in their order: {raw}");
}

#[test]
fn strict_rules_end_the_reading_and_say_so() {
    let output = run(&["check", "--format", "json", "--rules", "2019-12", &file("broken.ged")]);
    assert_eq!(status(&output), 1);
    let lines = json(&output);
    assert_eq!(lines.last().expect("a summary")["summary"]["complete"], false);
}

#[test]
fn denying_warnings_makes_any_diagnostic_count() {
    // A lone at sign is deprecated, and no more.
    let input = b"0 HEAD\n1 CHAR UTF-8\n1 GEDC\n2 VERS 5.5.1\n2 FORM LINEAGE-LINKED\n0 @I1@ INDI\n1 NOTE a@b\n0 TRLR\n";
    let output = run_with(&["check", "-"], input);
    assert!(stdout(&output).contains("deprecated["));
    assert_eq!(status(&output), 0, "{}", stdout(&output));
    assert_eq!(status(&run_with(&["check", "--deny", "warnings", "-"], input)), 1);
}

#[test]
fn nothing_from_a_file_commands_the_terminal() {
    for command in ["check", "info"] {
        let output = run(&[command, &file("hostile.ged")]);
        for text in [stdout(&output), stderr(&output)] {
            assert!(!text.contains(['\u{1b}', '\u{7}', '\u{202e}', '\u{202c}']), "{text:?}");
        }
    }
    for form in ["octets", "lines", "xref", "tagged"] {
        let output = run(&["show", "--form", form, &file("hostile.ged")]);
        for text in [stdout(&output), stderr(&output)] {
            assert!(!text.contains(['\u{1b}', '\u{7}', '\u{202e}', '\u{202c}']), "{text:?}");
        }
    }
    let output = run(&["check", "no\u{1b}[2J\u{202e}such.ged"]);
    assert!(!stderr(&output).contains(['\u{1b}', '\u{202e}']));
}

#[test]
fn colour_is_for_terminals() {
    let path = file("broken.ged");
    let forced = elf(&["check", &path]).env("CLICOLOR_FORCE", "1").output().expect("the command runs");
    assert!(stdout(&forced).contains("\u{1b}["));
    let never = elf(&["check", &path])
        .env("CLICOLOR_FORCE", "1")
        .env("NO_COLOR", "1")
        .output()
        .expect("the command runs");
    assert!(!stdout(&never).contains('\u{1b}'));
    assert!(!stdout(&run(&["check", &path])).contains('\u{1b}'));
}

#[test]
fn a_closed_pipe_is_not_an_error() {
    let mut input = b"0 HEAD\n1 CHAR UTF-8\n1 GEDC\n2 VERS 5.5.1\n2 FORM LINEAGE-LINKED\n".to_vec();
    for number in 0..50_000 {
        input.extend_from_slice(format!("0 @I{number}@ INDI\n1 NAME Somebody\n").as_bytes());
    }
    input.extend_from_slice(b"0 TRLR\n");
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("large.ged");
    std::fs::write(&path, input).expect("a file");
    let path = path.to_string_lossy();
    for args in [
        &["show", "--form", "tagged", &path][..],
        &["show", "--form", "lines", "--format", "json", &path],
        &["show", "--form", "octets", &path],
    ] {
        let mut child =
            elf(args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the command runs");
        let mut first = [0; 10];
        child.stdout.take().expect("a pipe").read_exact(&mut first).expect("some output");
        let output = child.wait_with_output().expect("the command ends");
        assert_eq!((status(&output), stderr(&output).as_str()), (0, ""), "{args:?}");
    }
}

/// A file of several runs: twelve megabytes, wrong in many places.
#[test]
fn a_large_file_gives_the_same_on_any_number_of_threads() {
    const POINTED: usize = 90_100;
    let mut text = String::from("0 HEAD\n1 GEDC\n2 VERS 5.5.1\n2 FORM LINEAGE-LINKED\n1 CHAR UTF-8\n");
    let (mut borne, mut pointed) = (vec![0; POINTED], vec![false; POINTED]);
    for number in 0..90_000 {
        // Some repeat an identifier, some point nowhere, some hold what is no line, some nest too deep.
        let own = if number % 977 == 0 { number / 2 } else { number };
        let other = number * 7 % POINTED;
        borne[own] += 1;
        pointed[other] = true;
        text.push_str(&format!(
            "0 @I{own}@ INDI\n1 NAME Zo\u{EB} /{number}/\n2 SURN {number}\n1 ALIA @I{other}@\n"
        ));
        let month = if number % 1013 == 0 { "Jan" } else { "JAN" };
        text.push_str(&format!("1 BIRT\n2 DATE 1 {month} 1900\n2 PLAC Here, there and elsewhere\n"));
        if number % 1009 == 0 {
            text.push_str("no line\n4 TYPE x\n");
        }
    }
    text.push_str("0 TRLR\n");
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("large.ged");
    std::fs::write(&path, &text).expect("a file");
    let path = path.display().to_string();

    let names = || borne.iter().zip(&pointed).filter(|(_, pointed)| **pointed);
    // January 2019 inserts a record for what is not borne once, the declarative draft rejects who has it.
    let inserted = names().filter(|(borne, _)| **borne != 1).count();
    let rejected: usize = names().map(|(borne, _)| if *borne > 1 { *borne } else { 0 }).sum();
    assert!(inserted > 100 && rejected > 10);
    for (rules, records) in
        [("wild", 90_000), ("2019-01", 90_000 + inserted), ("declarative", 90_000 - rejected)]
    {
        for command in ["check", "info"] {
            let arguments = |jobs| [command, "--format", "json", "--rules", rules, "--jobs", jobs];
            let on = |jobs| {
                let output = run(&[&arguments(jobs)[..], &[&path]].concat());
                (status(&output), stdout(&output))
            };
            let one = on("1");
            assert_eq!(one.0, 1);
            assert!(on("2") == one && on("4") == one, "{command} on several threads");
            let piped = run_with(&[&arguments("2")[..], &["-"]].concat(), text.as_bytes());
            assert!(stdout(&piped).replace("\"file\":\"-\"", &format!("\"file\":{path:?}")) == one.1);
            assert!(one.1.contains(&format!("\"records\":{records},")), "{rules}: {:.300}", one.1);
            if command == "check" && rules == "wild" {
                let codes = ["E0203", "E0306", "E0327", "E0328", "E0329", "E0610"];
                assert!(codes.iter().all(|code| one.1.contains(code)), "{:.300}", one.1);
            }
        }
    }
}

#[test]
fn a_clause_is_one_of_the_rules_in_force() {
    const SCHEMA: &[u8] =
        b"0 HEAD\n1 CHAR UTF-8\n1 SCHMA\n2 ESC DATE\n2 IRI ?\n0 @a@ NOTE a@#X@ b@\n0 NOTE\n2 CONT\n";
    for (rules, standards) in [
        ("wild", ["D19 ", "ELF Schemas: "].as_slice()),
        ("2019-12", &["D19 ", "ELF Schemas: "]),
        ("2019-01", &["J19 "]),
        ("declarative", &["RDX "]),
        ("2017-10", &["O17 "]),
        ("2017-07", &["E17 "]),
    ] {
        let found = json(&run_with(&["check", "--format", "json", "--rules", rules, "-"], SCHEMA));
        let clauses: Vec<_> = found.iter().filter_map(|finding| finding["clause"].as_str()).collect();
        assert!(!clauses.is_empty(), "{rules}");
        for clause in clauses {
            assert!(standards.iter().any(|standard| clause.starts_with(standard)), "{rules}: {clause}");
        }
    }
}

#[test]
fn findings_of_every_layer_come_in_the_order_of_the_lines() {
    let text = "0 HEAD\r1 CHAR UTF-8\n1 SCHMA\n2 ESC DATE D\n2 ESC DATE DG\n0 @I1@ INDI\n1 NOTE a\n2 CONT b\n\
                3 SOUR @#bad\n3 BIRT @\n0 TRLR\n";
    let lines = |octets: &[u8]| -> Vec<(String, u64)> {
        let output = run_with(&["check", "--format", "json", "-"], octets);
        let found = json(&output).into_iter().filter(|finding| finding.get("code").is_some());
        found
            .map(|finding| {
                (finding["code"].as_str().unwrap().to_owned(), finding["line"].as_u64().unwrap_or(u64::MAX))
            })
            .collect()
    };
    let found = lines(text.as_bytes());
    assert!(found.iter().any(|(code, line)| code == "E0410" && *line == 5), "{found:?}");
    assert!(found.iter().any(|(_, line)| *line > 5 && *line < u64::MAX), "{found:?}");
    assert_eq!(found.last().map(|(code, _)| &**code), Some("E0116"), "what has no line comes last");
    assert!(found.is_sorted_by_key(|(_, line)| *line), "{found:?}");
}

#[test]
fn dates_ages_and_times_are_advice_within_their_payload() {
    let input = b"0 HEAD\n1 CHAR UTF-8\n1 GEDC\n2 VERS 5.5.1\n2 FORM LINEAGE-LINKED\n0 @I1@ INDI\n1 BIRT\n2 DATE 5 Oct 1835\n\
        2 AGE 0 y\n1 DEAT\n2 DATE BET 31 FEB 1900 AND @#DJULIAN@ 5 MAR\n3 CONC  1899\n1 CHAN\n2 DATE 5 OCT 2001\n3 TIME noon\n0 TRLR\n";
    let output = run_with(&["check", "--format", "json", "-"], input);
    assert_eq!(status(&output), 0, "advice is no problem");
    let found = json(&output);
    let places: Vec<_> = found
        .iter()
        .filter_map(|found| {
            Some((found["name"].as_str()?, found["line"].as_u64()?, found["column"].as_u64()?))
        })
        .collect();
    assert_eq!(
        places,
        [
            ("spelling-unusual", 8, 8),
            ("age-malformed", 9, 9),
            // A date that is no day is not compared with another.
            ("date-impossible", 11, 12),
            ("time-malformed", 15, 8),
        ]
    );
    assert!(found.iter().all(|found| found.get("summary").is_some() || found["class"] == "advice"));
    assert_eq!(found[0]["message"], "expected `5 OCT 1835`, but found `5 Oct 1835`");
    let denied = run_with(&["check", "--deny", "warnings", "-"], input);
    assert_eq!(status(&denied), 1);
}

#[test]
fn a_person_sees_ten_of_a_code_and_how_many_more_there_are() {
    let mut text = "0 HEAD\n1 CHAR UTF-8\n1 GEDC\n2 VERS 5.5.1\n2 FORM LINEAGE-LINKED\n".to_owned();
    for number in 0..1_234 {
        text.push_str(&format!("0 @I{number}@ INDI\n1 BIRT\n2 DATE 5. October. 1900\n"));
    }
    text.push_str("0 INDI\n1 BIRT\n2 DATE 31 FEB 1900\n0 TRLR\n");
    let drawn = |arguments: &[&str]| {
        let output = run_with(&[&["check"], arguments, &["-"]].concat(), text.as_bytes());
        let said = format!("{}{}", stdout(&output), stderr(&output));
        assert!(said.contains("1,235 advice"), "{said:.300}");
        (said.matches("advice[E0601]: invalid date `5. October. 1900`").count(), said)
    };
    let (count, said) = drawn(&[]);
    assert_eq!(count, 10);
    assert!(said.contains("advice[E0601]: 1,224 more; `--all` prints them"), "{said}");
    assert!(said.contains("advice[E0602]") && !said.contains("E0602]: 1"), "{said}");
    assert_eq!(drawn(&["--all"]).0, 1_234);
    let all = json(&run_with(&["check", "--format", "json", "-"], text.as_bytes()));
    assert_eq!(all.len(), 1_236);
}

#[test]
fn letters_of_dates_are_one_advice_for_a_file() {
    let head = "0 HEAD\n1 CHAR UTF-8\n1 GEDC\n2 VERS 5.5.1\n2 FORM LINEAGE-LINKED\n";
    let dates = ["2 DATE 07 Mar 1990\n", "2 DATE Abt 1850\n2 AGE stillborn\n", "2 DATE 7 MAR 1990\n"];
    // A small file is one run, the other several.
    for people in [3, 30_000] {
        let mut text = head.to_owned();
        for number in 0..people {
            text.push_str(&format!("0 @I{number}@ INDI\n1 BIRT\n{}1 NOTE a person\n", dates[number % 3]));
        }
        text.push_str("1 DEAT\n2 DATE 17 Januar 2016\n0 TRLR\n");
        let found = json(&run_with(&["check", "--format", "json", "-"], text.as_bytes()));
        let of_code = |code: &str| found.iter().filter(|one| one["code"] == code).collect::<Vec<_>>();
        let [one] = of_code("E0610")[..] else { panic!("{:?}", of_code("E0610")) };
        assert_eq!((&one["count"], &one["line"]), (&people.into(), &8.into()));
        let lines = one["fix"]["lines"].as_array().map(Vec::len);
        assert_eq!((&one["fix"]["safety"], lines), (&"safe".into(), Some(people)));
        assert_eq!((of_code("E0602").len(), of_code("E0601").len()), (1, 0));
        let summary = &found[found.len() - 1]["summary"];
        assert_eq!((&summary["advice"], &summary["repairable"]), (&2.into(), &1.into()), "{summary}");
        let each = json(&run_with(&["check", "--format", "json", "--all", "-"], text.as_bytes()));
        assert_eq!(each.iter().filter(|one| one["code"] == "E0610").count(), people);
        let fixed = stdout(&run_with(&["check", "--fix", "-"], text.as_bytes()));
        assert_eq!(fixed.matches("2 DATE 7 MAR 1990\n").count(), people / 3 * 2);
        assert_eq!(fixed.matches("2 DATE ABT 1850\n2 AGE STILLBORN\n").count(), people / 3);
        let draft = ["check", "--format", "json", "--rules", "2019-12", "-"];
        let by_draft = json(&run_with(&draft, text.as_bytes()));
        assert!(by_draft.iter().filter(|one| one["code"] == "E0601").count() >= people / 3 * 2);
        let by_551 =
            json(&run_with(&["check", "--format", "json", "--against", "5.5.1", "-"], text.as_bytes()));
        assert!(by_551.iter().all(|one| one["code"] != "E0610" && one["code"] != "E0601"));
    }
}

#[test]
fn what_the_safe_fix_rewrites_is_no_difference() {
    let folder = tempfile::tempdir().expect("a folder");
    let [before, after] =
        ["before.ged", "after.ged"].map(|name| folder.path().join(name).display().to_string());
    let text = "0 HEAD\n1 GEDC\n2 VERS 5.5.1\n2 FORM LINEAGE-LINKED\n1 CHAR UTF-8\n0 @I1@ INDI\n1 BIRT\n\
        2 DATE 28 Jan 1900\n1 DEAT\n2 DATE abt. 27 June 1950\n2 AGE 75\n1 RESI\n2 DATE 10 JAN\n0 TRLR\n";
    std::fs::write(&before, text).expect("a file");
    assert_eq!(status(&run(&["check", "--fix", "-o", &after, &before])), 0);
    let fixed = std::fs::read_to_string(&after).expect("the fixed file");
    assert!(fixed.contains("2 DATE 28 JAN 1900\n1 DEAT\n2 DATE ABT 27 JUN 1950\n2 AGE 75y\n"), "{fixed}");
    assert!(fixed.contains("2 DATE 10 JAN\n"), "{fixed}");
    let compared = run(&["diff", &before, &after]);
    assert_eq!(status(&compared), 0, "{}", stdout(&compared));
}

#[test]
fn a_file_of_the_draft_of_gedcom_7_1_is_read_with_its_additions() {
    const TEXT: &str = "0 HEAD\n1 GEDC\n2 VERS 7.1\n1 TITL My tree\n2 LANG en\n2 TRAN Mein Baum\n3 LANG de\n\
        1 DESC All of us\n1 NOTE one\n2 KIND RESEARCH\n1 NOTE two\n0 @I1@ INDI\n1 BIRT\n2 KIND BORN_LIVE\n3 PHRASE x\n\
        2 NOTE x\n3 KIND OTHER\n4 PHRASE y\n0 @S1@ SOUR\n1 RESN CONFIDENTIAL\n0 @R1@ REPO\n1 RESN PRIVACY\n1 NAME r\n\
        0 @U1@ SUBM\n1 RESN LOCKED\n1 NAME u\n0 @N1@ SNOTE x\n1 RESN CONFIDENTIAL\n1 KIND STORY\n0 TRLR\n";
    let codes = |text: &str, args: &[&str]| -> String {
        let found =
            json(&run_with(&[&["check", "--format", "json"], args, &["-"]].concat(), text.as_bytes()));
        let codes: Vec<&str> = found.iter().filter_map(|one| one["code"].as_str()).collect();
        codes.join(" ")
    };
    assert_eq!(codes(TEXT, &[]), "E0919");
    assert_eq!(codes(TEXT, &["--rules", "gedcom-7"]), "E0919");
    assert_eq!(
        codes(&TEXT.replace("BORN_LIVE", "BORN").replace("1 DESC", "1 DSC"), &[]),
        "E0919 E0415 E0905"
    );
    assert_eq!(codes(&TEXT.replace("7.1", "7.0.14"), &[]).matches("E0415").count(), 9);
}

#[test]
fn standard_input_is_read_once_and_two_outputs_are_two_files() {
    for args in [
        &["check", "-", "-"][..],
        &["diff", "-", "-"],
        &["check", "-", "-o", "same.txt", "--write-baseline", "same.txt"],
        &["convert", "-", "--out-dir", "out", "--manifest", "out/../out"],
    ] {
        let output = run_with(args, b"0 HEAD\n0 TRLR\n");
        assert_eq!((status(&output), stdout(&output).as_str()), (2, ""), "{args:?}");
    }
    assert!(!std::path::Path::new("same.txt").exists());
}

#[test]
#[cfg(unix)]
fn a_large_standard_input_is_never_copied() {
    let folder = tempfile::tempdir().expect("a folder");
    let large = folder.path().join("large.ged");
    let records = "0 NOTE a large file is read in runs\n".repeat(1 << 18);
    std::fs::write(&large, format!("0 HEAD\n1 CHAR UTF-8\n{records}0 TRLR\n")).expect("a file");
    let check = |args: &[&str]| {
        let input = std::fs::File::open(&large).expect("the file");
        // Nothing can be copied there.
        elf(args).env("TMPDIR", folder.path().join("none")).stdin(input).output().expect("the command runs")
    };
    for args in [&["check", "-q", "-"][..], &["check", "--statistics", "-"], &["check", "-"]] {
        let output = check(args);
        assert_eq!((status(&output), stderr(&output)), (0, String::new()), "{args:?}");
    }
}
