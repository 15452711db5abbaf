//! `elf explain`: the manual.

use crate::shell::{json, run, status, stderr, stdout};

#[test]
fn a_code_is_found_by_identifier_and_name_in_any_case() {
    for code in ["E0203", "e0203", "level-too-deep", "Level-Too-Deep"] {
        let output = run(&["explain", code]);
        assert_eq!(status(&output), 0);
        assert!(stdout(&output).starts_with("# E0203 level-too-deep\n"), "{code}");
        assert!(stdout(&output).contains("- 2019-12: malformed\n"));
        assert!(stdout(&output).contains("\nRepaired by: elf check --fix,"));
    }
}

#[test]
fn what_is_no_code_gets_suggestions() {
    let output = run(&["explain", "level-to-deep"]);
    assert_eq!((status(&output), stdout(&output).as_str()), (2, ""));
    assert!(stderr(&output).contains("did you mean E0203 level-too-deep"), "{}", stderr(&output));
    assert_eq!(status(&run(&["explain", "E9999"])), 2);
}

#[test]
fn the_manual_is_data_too() {
    let page = &json(&run(&["explain", "--format", "json", "E0203"]))[0];
    assert_eq!((&page["code"], &page["name"]), (&"E0203".into(), &"level-too-deep".into()));
    assert_eq!(page["classes"][0], serde_json::json!({"draft": "2019-12", "class": "malformed"}));
}
