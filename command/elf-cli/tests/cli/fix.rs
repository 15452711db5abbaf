//! `elf check --fix`: what can be fixed is.

use crate::shell::{json, run, run_with, status, stderr, stdout};
use std::fs;

const INPUT: &str =
    "0 HEAD\n1 CHAR UTF-8\n0 @I1@ INDI\n01 NOTE me@example.org\nand more\n1 NAME @no one@\n0 TRLR\n";
const SAFE: &str =
    "0 HEAD\n1 CHAR UTF-8\n0 @I1@ INDI\n1 NOTE me@@example.org\n2 CONT and more\n1 NAME @no one@\n0 TRLR\n";

#[test]
fn safe_repairs_are_written_elsewhere() {
    let output = run_with(&["check", "--fix", "-"], INPUT.as_bytes());
    assert_eq!((status(&output), stdout(&output).as_str()), (1, SAFE));
    assert!(stderr(&output).contains("E0210"), "{}", stderr(&output));
    assert!(!stderr(&output).contains("E0326"), "{}", stderr(&output));
    assert!(stderr(&output).contains("; 3 repaired"), "{}", stderr(&output));
    let output = run_with(&["check", "--unsafe-fixes", "-"], INPUT.as_bytes());
    let expected = SAFE.replace("@no one@", "@@no one@@");
    assert_eq!((status(&output), stdout(&output)), (0, expected), "{}", stderr(&output));
}

#[test]
fn files_are_repaired_in_place() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("in.ged");
    let name = path.to_string_lossy();
    fs::write(&path, INPUT).expect("a file");
    // An input is never overwritten unless that is asked for.
    assert_eq!(status(&run(&["check", "--fix", &name, "-o", &name])), 2);
    let output = run(&["check", "--fix", &name]);
    assert_eq!(
        (stdout(&output).as_str(), fs::read_to_string(&path).expect("a file").as_str()),
        (SAFE, INPUT)
    );
    let output = run(&["check", "--fix", "--in-place", &name, &name]);
    assert_eq!(status(&output), 1);
    assert_eq!(fs::read_to_string(&path).expect("a file"), SAFE);
    assert_eq!(stdout(&output), "", "what is left goes where it always does under `--fix`");
    // Of each file, and of both.
    for (count, times) in [(3, 2), (0, 1)] {
        let said = stderr(&output);
        assert_eq!(said.matches(&format!("; {count} repaired")).count(), times, "{said}");
    }
    assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 1);
}

#[test]
fn repairs_are_shown_before_they_are_made() {
    let output = run_with(&["check", "--diff", "-"], INPUT.as_bytes());
    assert_eq!(status(&output), 1);
    assert_eq!(
        stdout(&output),
        "--- -\n+++ -\n@@ -4,2 +4,2 @@\n-01 NOTE me@example.org\n-and more\n+1 NOTE me@@example.org\n\
         +2 CONT and more\n"
    );
    let output = run_with(&["check", "--diff", "-"], SAFE.as_bytes());
    assert_eq!((status(&output), stdout(&output).as_str()), (0, ""));
}

#[test]
fn json_has_what_is_left() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("out.ged");
    let args = ["check", "--fix", "--against", "none", "--format", "json", "-", "-o", &out.to_string_lossy()];
    let output = run_with(&args, INPUT.as_bytes());
    assert_eq!(stdout(&output), "");
    let lines: Vec<serde_json::Value> =
        stderr(&output).lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let codes: Vec<_> = lines.iter().filter_map(|line| line["code"].as_str()).collect();
    assert_eq!(codes, ["E0210", "E0327"]);
    assert_eq!(lines[2]["summary"]["repaired"], 3);
    assert_eq!(fs::read_to_string(&out).expect("a file"), SAFE);
    let plain = json(&run_with(&["check", "--against", "none", "--format", "json", "-"], SAFE.as_bytes()));
    assert_eq!(plain[1]["summary"].get("repaired"), None);
    // The file and what is left of its findings never meet.
    let both = run_with(&["check", "--fix", "--against", "none", "--format", "json", "-"], INPUT.as_bytes());
    assert_eq!((stdout(&both).as_str(), stderr(&both)), (SAFE, stderr(&output)));
}

#[test]
fn files_that_fail_are_counted_too() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("in.ged");
    fs::write(&path, INPUT).expect("a file");
    let args = ["check", "--fix", "--in-place", "--format", "json", &path.to_string_lossy(), "nowhere.ged"];
    let output = run(&args);
    assert_eq!(status(&output), 2);
    let said = stderr(&output);
    let total = said.lines().last().expect("a total");
    let total: serde_json::Value = serde_json::from_str(total).expect("JSON");
    assert_eq!((&total["summary"]["files"], &total["summary"]["complete"]), (&2.into(), &false.into()));
}

#[test]
fn repairs_can_be_chosen() {
    for (arguments, expected) in [
        (&["--ignore", "E0326"][..], SAFE.replace("@@", "@")),
        (&["--select", "at-sign-bare"], INPUT.replace("me@", "me@@")),
        (&["--ignore", "E"], INPUT.to_owned()),
    ] {
        let output = run_with(&[&["check", "--fix"], arguments, &["-"]].concat(), INPUT.as_bytes());
        assert_eq!(stdout(&output), expected, "{arguments:?}");
        let shown = run_with(&[&["check", "--diff"], arguments, &["-"]].concat(), INPUT.as_bytes());
        assert_eq!(stdout(&shown).is_empty(), expected == INPUT, "{arguments:?}");
        let plain = run_with(&[&["check", "--format", "json"], arguments, &["-"]].concat(), INPUT.as_bytes());
        let repairable = &json(&plain).pop().expect("a summary")["summary"]["repairable"];
        assert!(stderr(&output).contains(&format!("; {repairable} repaired")), "{}", stderr(&output));
    }
}

#[test]
fn what_is_called_repairable_is_repaired() {
    let latin = b"0 HEAD\n1 GEDC\n2 VERS 5.5.1\n2 FORM LINEAGE-LINKED\n0 @I1@ INDI\n1 NAME Jos\xe9 /N\xfa\xf1ez/\n0 TRLR\n";
    for (input, repairable) in [(INPUT.as_bytes(), 3), (SAFE.as_bytes(), 0), (&latin[..], 0)] {
        let plain = run_with(&["check", "--format", "json", "-"], input);
        assert_eq!(json(&plain).last().expect("a summary")["summary"]["repairable"], repairable);
        let said = stdout(&run_with(&["check", "-"], input));
        assert_eq!(said.contains("`--fix` fixes 3"), repairable == 3, "{said}");
        assert_eq!(said.contains("--fix"), repairable > 0, "{said}");
        let fixed = run_with(&["check", "--fix", "-"], input);
        assert!(stderr(&fixed).contains(&format!("; {repairable} repaired")), "{}", stderr(&fixed));
        // Twice is once.
        let twice = run_with(&["check", "--fix", "-"], &fixed.stdout);
        assert_eq!(twice.stdout, fixed.stdout);
    }
}

#[test]
fn a_large_file_has_as_many_repairs_as_are_made() {
    let mut file = String::from("0 HEAD\n1 CHAR utf8\n");
    // Longer than a run.
    let filler = format!("1 NOTE {}\n", "x".repeat(230)).repeat(1000);
    for record in 0..40 {
        file.push_str(&format!("0 @I{record}@ INDI\n1 NAME Zo\u{eb} a@b\n3 SOUR y\n1 NOTE x\nraw\n"));
        file.push_str(&filler);
    }
    file.push_str("0 TRLR\n");
    assert!(file.len() > 8 << 20);
    let plain = run_with(&["check", "--format", "json", "-"], file.as_bytes());
    let repairable = json(&plain).pop().expect("a summary")["summary"]["repairable"].as_u64();
    assert_eq!(repairable, Some(1 + 40 * 3), "CHAR, and an at sign, a level and a raw line in each record");
    let said = stdout(&run_with(&["check", "-"], file.as_bytes()));
    assert!(said.contains("`--fix` fixes 121"), "{said}");
    let fixed = run_with(&["check", "--fix", "-"], file.as_bytes());
    assert!(stderr(&fixed).contains("nothing to report; 121 repaired"), "{}", stderr(&fixed));
    // It is never held whole, and comes out as a small one does.
    let repaired = file
        .replace("CHAR utf8", "CHAR UTF-8")
        .replace(" a@b", " a@@b")
        .replace("\n3 SOUR y", "\n2 SOUR y")
        .replace("\nraw", "\n2 CONT raw");
    assert!(fixed.stdout == repaired.as_bytes());
    let shown = stdout(&run_with(&["check", "--diff", "-"], file.as_bytes()));
    let changed: Vec<&str> = shown.lines().skip(2).filter(|line| line.starts_with(['-', '+'])).collect();
    assert_eq!(changed.len(), 2 * (1 + 40 * 3), "{shown}");
    assert_eq!(changed[..4], ["-1 CHAR utf8", "+1 CHAR UTF-8", "-1 NAME Zo\u{eb} a@b", "-3 SOUR y"]);
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("in.ged");
    fs::write(&path, &file).expect("a file");
    let in_place = run(&["check", "--fix", "--in-place", &path.to_string_lossy()]);
    assert!(stderr(&in_place).contains("nothing to report; 121 repaired"), "{}", stderr(&in_place));
    assert!(fs::read(&path).expect("a file") == repaired.as_bytes());
}

#[test]
fn a_trailer_is_a_guess_and_none_where_the_file_is_cut_off() {
    let start = "0 HEAD\n1 CHAR UTF-8\n0 @U1@ SUBM\n1 NAME x\n";
    for (file, ends) in [
        (start.to_owned(), true),
        (format!("{start}1 N"), false),
        (format!("{start}1 N\n"), false),
        (start.trim_end().to_owned(), false),
    ] {
        let output = run_with(&["check", "--fix", "-"], file.as_bytes());
        assert_eq!(stdout(&output), file);
        let output = run_with(&["check", "--unsafe-fixes", "-"], file.as_bytes());
        assert_eq!(stdout(&output), if ends { file.clone() + "0 TRLR\n" } else { file.clone() });
    }
    let output = run_with(&["check", "-"], start.trim_end().as_bytes());
    assert!(stdout(&output).contains("the file is cut off"), "{}", stdout(&output));
}

#[test]
fn no_repair_has_a_file_read_in_another_encoding() {
    // The at sign parts octets from a letter: one that is doubled does so better.
    let input = b"0 HEAD\n0 @I1@ INDI\n1 NOTE \xE2\x82\xE8\xCF\xE2@o\n0 TRLR\n";
    let output = run_with(&["check", "--fix", "-"], input);
    assert_eq!((status(&output), stdout(&output).as_str()), (2, ""));
    assert!(stderr(&output).contains("the file would be read as windows-1255"), "{}", stderr(&output));
    let counted = stdout(&run_with(&["check", "-"], input));
    assert!(!counted.contains("repairs"), "{counted}");
    let output = run_with(&["check", "--fix", "--encoding", "windows-1252", "-"], input);
    assert!(
        output.stdout.starts_with(b"0 HEAD\n0 @I1@ INDI\n1 NOTE \xE2\x82\xE8\xCF\xE2@@o"),
        "{}",
        stderr(&output)
    );
}

#[test]
fn rules_that_end_the_reading_end_the_repairs() {
    let input = "0 HEAD\n1 CHAR UTF-8\n0 NOTE a@b\njunk\n0 NOTE a@b\n0 TRLR\n";
    let output = run_with(&["check", "--fix", "--rules", "2019-12", "-"], input.as_bytes());
    assert_eq!((status(&output), stdout(&output).as_str()), (2, ""), "half a file is not repaired");
    assert!(stderr(&output).contains("`--rules wild` continues"), "{}", stderr(&output));
    let page = run_with(&["check", "--fix", "-"], b"<!DOCTYPE html>\n<html></html>\n");
    assert_eq!((status(&page), stdout(&page).as_str()), (2, ""));
    assert!(!stderr(&page).contains("reads on"), "{}", stderr(&page));
}

#[test]
fn a_file_that_cannot_be_read_on_shows_no_repairs() {
    for (args, input) in [
        (&["check", "--diff", "-"][..], &b"\x89PNG\r\n\x1A\n\0\0"[..]),
        (&["check", "--diff", "--rules", "2019-12", "-"], b"0 HEAD\n0 @I1@ INDI\n1 NAME a@b\n3 X\n0 TRLR\n"),
    ] {
        let output = run_with(args, input);
        assert_eq!((status(&output), stdout(&output).as_str()), (2, ""), "{args:?}");
        assert!(stderr(&output).contains("reading stopped early"), "{}", stderr(&output));
    }
}

#[test]
fn what_contradicts_itself_is_refused() {
    for args in [
        &["check", "--fix", "a.ged", "b.ged"][..],
        &["check", "--fix", "--in-place", "-"],
        &["check", "--fix", "--diff", "--format", "json", "-"],
        &["check", "--fix", "--in-place", "--diff", "a.ged"],
        &["check", "--in-place", "-o", "b.ged", "a.ged"],
        &["check", "--in-place", "a.ged"],
        &["check", "--out-dir", "x", "a.ged"],
        &["check", "--fix", "--out-dir", "x", "--in-place", "a.ged"],
        &["check", "--fix", "--backup", "a.ged"],
    ] {
        let output = run_with(args, INPUT.as_bytes());
        assert_eq!((status(&output), stdout(&output).as_str()), (2, ""), "{args:?}");
    }
}

#[test]
fn a_file_whose_reading_ended_early_is_not_fixed() {
    for (what, body) in [
        ("no trailer", "0 HEAD\n1 CHAR UTF-8\n0 @I1@ INDI\n1 NOTE a@b\n"),
        ("a malformed line", "0 HEAD\n1 CHAR UTF-8\n0 @I1@ INDI\n1 NOTE a@b\njunk\n0 TRLR\n"),
        ("a level too deep", "0 HEAD\n1 CHAR UTF-8\n0 @I1@ INDI\n3 NOTE a@b\n0 TRLR\n"),
        ("a wrong first line", "1 HEAD\n1 CHAR UTF-8\n0 @I1@ INDI\n1 NOTE a@b\n0 TRLR\n"),
    ] {
        for fix in
            [&["--fix"][..], &["--unsafe-fixes"], &["--fix", "--diff"], &["--fix", "--select", "E0326"]]
        {
            let output = run_with(&[&["check", "--rules", "2019-12"], fix, &["-"]].concat(), body.as_bytes());
            assert_eq!((status(&output), &*stdout(&output)), (2, ""), "{what} {fix:?}");
            assert!(stderr(&output).contains("reading stopped early"), "{what}: {}", stderr(&output));
        }
        // `wild` reads on.
        assert_ne!(status(&run_with(&["check", "--fix", "-"], body.as_bytes())), 2, "{what}");
    }
}
