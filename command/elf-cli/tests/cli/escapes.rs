//! Escapes are kept by the schema in force, wherever it came from: in what is shown, checked, written and
//! edited.

use crate::shell::{run_with, status, stderr, stdout};

/// Runs a command with `input` and returns its output and its exit status.
fn said(args: &[&str], input: &str) -> (String, i32) {
    let output = run_with(args, input.as_bytes());
    (stdout(&output) + &stderr(&output), status(&output))
}

/// The line of `input`, converted, that holds `wanted`, the exit status, and what was said.
fn converted(args: &[&str], input: &str, wanted: &str) -> (String, i32, String) {
    let output = run_with(&[&["convert", "-", "-o", "-"], args].concat(), input.as_bytes());
    let written = stdout(&output);
    let line = written.lines().find(|line| line.contains(wanted)).unwrap_or_default().to_owned();
    (line, status(&output), stderr(&output))
}

fn of(schema: &str, rest: &str) -> String {
    format!("0 HEAD\n1 CHAR UTF-8\n{schema}{rest}0 TRLR\n")
}

const MISSING: &str = "1 SCHMA\n2 SCHMA https://example.org/my-elf-schema\n";
const JULIAN: &str = "0 @I1@ INDI\n1 BIRT\n2 DATE @#DJULIAN@ 4 MAR 1540\n";

#[test]
fn escapes_stay_while_a_schema_is_missing() {
    for rules in ["2019-01", "2019-12", "wild"] {
        let input = of(if rules == "2019-01" { MISSING } else { "1 SCHMA https://example.org/s\n" }, JULIAN);
        for to in ["2019-01", "2019-12", "wild"] {
            let (line, status, err) = converted(&["--rules", rules, "--to-rules", to], &input, "DATE");
            assert_eq!((line.as_str(), status), ("2 DATE @#DJULIAN@ 4 MAR 1540", 0), "{rules} {to} {err}");
        }
        let (text, _) = said(&["check", "-", "--rules", rules], &input);
        assert!(text.contains("E0414") && !text.contains("E0323"), "{rules}: {text}");
    }
    // Of 2017 every escape is one; the declarative draft has no place for the reference.
    let input = of(MISSING, JULIAN);
    let (line, ..) = converted(&["--rules", "2019-01", "--to-rules", "2017-10"], &input, "DATE");
    assert_eq!(line, "2 DATE @#DJULIAN@ 4 MAR 1540");
    let note = of(MISSING, "0 @N@ NOTE x@#LAB@ y\n");
    let args = ["--rules", "2019-01", "--to-rules", "declarative"];
    let (line, status, err) = converted(&args, &note, "NOTE");
    assert_eq!((line.as_str(), status), ("0 @N@ NOTE x@@#LAB@@ y", 1), "{err}");
    assert!(err.contains("E0813"), "{err}");
}

#[test]
fn the_schema_of_a_file_is_heeded_by_december_too() {
    // Permitted on reading and kept on writing (D19 Permitted escapes, Escape preservation and removal).
    let own = of("1 SCHMA\n2 ESC NOTE L\n", "0 NOTE x@#LABC@y\n1 DATE @#DJ@ 1\n");
    let (text, _) = said(&["check", "-", "--rules", "2019-12"], &own);
    assert!(text.matches("[E0323]").count() == 1 && text.contains("6 | 1 DATE"), "{text}");
    let args = ["--rules", "2019-12", "--to-rules", "2019-12"];
    assert_eq!(converted(&args, &own, "NOTE x").0, "0 NOTE x@#LABC@y");
    // What it forbids becomes text, which is said.
    let (line, status, err) = converted(&args, &own, "DATE");
    assert_eq!((line.as_str(), status), ("1 DATE @@#DJ@@ 1", 1));
    assert!(err.contains("E0813") && err.contains("1 DATE @#DJ@ 1"), "{err}");
    // A text that is given for a payload is a text where the schema lets no escape stand.
    let birth = of("1 SCHMA\n2 ESC NOTE L\n", "0 INDI\n1 BIRT\n2 DATE 1\n");
    let set = "INDI/BIRT/DATE=@#DJULIAN@ 1540";
    let (text, status) = said(&["edit", "-", "--rules", "2019-12", "--set", set], &birth);
    assert!(status == 0 && text.contains("2 DATE @@#DJULIAN@@ 1540"), "{text}");
    let (text, status) =
        said(&["edit", "-", "--rules", "2019-12", "--set", set], &of("", "0 INDI\n1 BIRT\n2 DATE 1\n"));
    assert!(status == 0 && text.contains("2 DATE @#DJULIAN@ 1540"), "{text}");
}

#[test]
fn a_faulty_esc_switches_nothing_off() {
    for fault in ["2 ESC DATE", "2 ESC DATE d", "2 ESC DA-TE D"] {
        let input = of(&format!("1 SCHMA\n{fault}\n"), JULIAN);
        let (text, _) = said(&["check", "-", "--rules", "2019-12"], &input);
        assert!(text.contains("E0409") && !text.contains("E0323"), "{fault}: {text}");
    }
}

#[test]
fn a_schema_that_is_given_is_in_force_for_escapes() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("s.ged");
    std::fs::write(&path, of("1 SCHMA\n2 ESC NOTE LG\n2 ESC _D G\n", "")).expect("a file");
    let path = path.to_string_lossy();
    let note = of("", "0 @N@ NOTE a @#GX@ b\n1 DATE @#DJULIAN@ 1\n");
    for rules in ["2019-01", "2019-12"] {
        let given = ["--rules", rules, "--schema", &path];
        let (text, _) = said(&[&["check", "-"], &given[..]].concat(), &note);
        assert!(text.contains("[E0323]") && text.contains("4 | 1 DATE"), "{rules}: {text}");
        assert_eq!(text.matches("[E0323]").count(), 1, "{rules}: {text}");
        for form in ["tagged", "typed"] {
            let shown = run_with(&[&["show", "-", "--form", form], &given[..]].concat(), note.as_bytes());
            assert!(stdout(&shown).contains("a @#GX@ b"), "{rules} {form}: {}", stdout(&shown));
        }
        let (text, _) = said(&[&["edit", "-", "--set", "@N@=@#GY@ c"], &given[..]].concat(), &note);
        assert!(text.contains("0 @N@ NOTE @#GY@ c"), "{rules}: {text}");
    }
    // The default schema, where somebody names it, has `ESC DATE D` and nothing else.
    let age = of("", "0 INDI\n1 DEAT\n2 DATE @#DJULIAN@ 30 JAN 1649\n2 AGE @#DJULIAN@ 48y\n");
    for schema in ["published", "completed"] {
        let (text, _) = said(&["check", "-", "--rules", "2019-12", "--schema", schema], &age);
        assert!(text.contains("E0323") && text.contains("2 AGE") && !text.contains("2 DATE"), "{text}");
    }
    for iri in ["https://fhiso.org/TR/elf-data-model/v1.0.0", "https://fhiso.org/TR/elf-data-model"] {
        let (text, _) = said(
            &["check", "-", "--rules", "2019-12"],
            &age.replace("0 INDI", &format!("1 SCHMA {iri}\n0 INDI")),
        );
        assert!(text.contains("E0323") && text.contains("2 AGE") && !text.contains("2 DATE"), "{text}");
    }
    assert_eq!(said(&["check", "-", "--rules", "2019-12"], &age).1, 0);
}

#[test]
fn an_escape_that_becomes_text_is_a_loss() {
    let age = of("", "0 INDI\n1 DEAT\n2 AGE @#DJULIAN@ 48y\n2 DATE @#DJULIAN@1\n");
    let (line, status, err) = converted(&["--rules", "2019-12", "--to-rules", "2019-01"], &age, "AGE");
    assert_eq!((line.as_str(), status), ("2 AGE @@#DJULIAN@@ 48y", 1));
    assert_eq!(err.matches("E0813").count(), 2, "{err}");
}
