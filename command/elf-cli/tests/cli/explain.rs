//! `elf explain`: the manual.

use crate::shell::{json, run, run_with, status, stderr, stdout};

#[test]
fn a_code_is_found_by_identifier_and_name_in_any_case() {
    for code in ["E0203", "e0203", "level-too-deep", "Level-Too-Deep"] {
        let output = run(&["explain", code]);
        assert_eq!(status(&output), 0);
        assert!(stdout(&output).starts_with("# E0203 level-too-deep\n"), "{code}");
        assert!(stdout(&output).contains("- wild: malformed (D19 Levels), reading continues\n"));
        assert!(stdout(&output).contains("- 2019-12: malformed (D19 Levels), reading stops\n"));
        assert!(stdout(&output).contains("- 2019-01: non-conformant (J19 §6.1 Error lines)\n"));
        assert!(stdout(&output).contains("\nFixed by: elf check --fix,"));
    }
}

#[test]
fn what_is_no_code_gets_suggestions() {
    let output = run(&["explain", "level-to-deep"]);
    assert_eq!((status(&output), stdout(&output).as_str()), (2, ""));
    assert!(stderr(&output).contains("did you mean E0203 level-too-deep?"), "{}", stderr(&output));
    assert_eq!(status(&run(&["explain", "E9999"])), 2);
}

#[test]
fn the_manual_is_data_too() {
    let page = &json(&run(&["explain", "--format", "json", "E0203"]))[0];
    assert_eq!((&page["code"], &page["name"]), (&"E0203".into(), &"level-too-deep".into()));
    assert_eq!(page["clause"], "D19 Levels");
    let expected = serde_json::json!({"draft": "2019-12", "class": "malformed", "clause": "D19 Levels"});
    assert_eq!(page["classes"][0], expected);
}

#[test]
fn a_draft_without_a_clause_is_said_to_have_none() {
    let page = stdout(&run(&["explain", "blank-line"]));
    assert!(
        page.contains("\n- 2019-12: no clause\n- 2019-01: non-conformant (J19 §6.1 Error lines)\n"),
        "{page}"
    );
    let page = &json(&run(&["explain", "--format", "json", "blank-line"]))[0];
    assert_eq!(page["clause"], "J19 §6.1 Error lines");
    assert_eq!(page["classes"][0], serde_json::json!({"draft": "2019-12", "class": "advice"}));
}

#[test]
fn without_a_code_all_are_listed() {
    let list = stdout(&run(&["explain"]));
    assert!(list.starts_with("E0101   not-elf "), "{list}");
    assert!(list.contains("\nE0203 * level-too-deep "), "{list}");
    let all = json(&run(&["explain", "--format", "json"]));
    assert!(all.len() > 100);
    for code in &all {
        let id = code["code"].as_str().expect("an identifier");
        let mark = match code["fix"].as_str() {
            Some("safe") => "*",
            Some("unsafe") => "?",
            fix => {
                assert_eq!(fix, None);
                " "
            }
        };
        let row = format!("{id} {mark} {} ", code["name"].as_str().expect("a name"));
        let row = list.lines().find(|line| line.starts_with(&row)).expect("each has a row");
        assert!(row.contains(&format!("  {} ", code["class"].as_str().expect("a class"))), "{row}");
        assert!(row.ends_with(code["title"].as_str().expect("a title")), "{row}");
    }
    // A row for each, an empty line, and two lines on what the marks mean.
    assert_eq!(list.lines().count(), all.len() + 3);
}

#[test]
fn rules_that_do_not_report_a_code_are_told_apart() {
    let page = stdout(&run(&["explain", "lines-joined"]));
    for rules in ["2019-12", "2019-01", "declarative", "2017-10", "2017-07"] {
        assert!(page.contains(&format!("\n- {rules}: not reported\n")), "{page}");
        let input = "0 HEAD\n1 CHAR UTF-8\n0 @I1@ INDI\n1 SEX M0 @I2@ INDI\n0 TRLR\n";
        let checked =
            stdout(&run_with(&["check", "--rules", rules, "--format", "short", "-"], input.as_bytes()));
        assert!(!checked.contains("E0214"), "{rules}: {checked}");
    }
    assert!(page.contains("\n- wild: malformed (D19 Parsing lines), reading continues\n"), "{page}");
}
