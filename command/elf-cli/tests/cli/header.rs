//! Tests of the header through the command: versions, GEDCOM 7, a SCHMA of December 2019.

use crate::shell::{json, run_with, status, stderr, stdout};

/// A file of GEDCOM 7, spelled as `FamilySearch` spells its own examples.
const SEVEN: &[u8] =
    "0 HEAD\n1 GEDC\n2 VERS 7.0\n1 SCHMA\n2 TAG _X https://e.example/x\n2 TAG _Y https://e.example/y\n\
    0 @I1@ INDI\n1 NAME José /Peña/\n1 NOTE me@example.com, a@@b\n2 CONT @@home\n1 FAMC @VOID@\n0 TRLR\n"
        .as_bytes();

#[test]
fn gedcom_7_is_read_by_its_own_rules() {
    let output = run_with(&["check", "--format", "json", "-"], SEVEN);
    let found = json(&output);
    let codes: Vec<&str> = found.iter().filter_map(|line| line["code"].as_str()).collect();
    assert_eq!((status(&output), codes), (0, vec![]));
    // By other rules one finding says all that follows from the version.
    let output = run_with(&["check", "--rules", "2019-12", "--format", "json", "-"], SEVEN);
    let found = json(&output);
    let graver = found.iter().filter(|line| line["class"] == "non-conformant");
    let codes: Vec<&str> = graver.filter_map(|line| line["code"].as_str()).collect();
    assert_eq!((status(&output), codes), (1, vec!["E0321"]));
    for fix in ["--fix", "--unsafe-fixes"] {
        let output = run_with(&["check", fix, "-"], SEVEN);
        assert_eq!(output.stdout, SEVEN, "{}", stderr(&output));
    }
    let output = run_with(&["info", "-"], SEVEN);
    assert!(stdout(&output).contains("GEDCOM 7.0\n"), "{}", stdout(&output));
    assert!(stdout(&output).contains("none: VERS under GEDC says GEDCOM 7"), "{}", stdout(&output));
    assert!(stdout(&output).contains("UTF-8"), "{}", stdout(&output));
    assert!(stdout(&output).contains("gedcom-7\n"), "{}", stdout(&output));
}

#[test]
fn edits_of_gedcom_7_are_spelled_as_it_spells_them() {
    let output = run_with(&["edit", "--set", "@I1@/NOTE=@a b@c", "-o", "-", "-"], SEVEN);
    let expected = String::from_utf8_lossy(SEVEN).replace("me@example.com, a@@b\n2 CONT @@home", "@@a b@c");
    assert_eq!(stdout(&output), expected, "{}", stderr(&output));
}

#[test]
fn what_is_converted_from_gedcom_7_keeps_its_text() {
    let output = run_with(&["convert", "--to-rules", "2019-12", "-o", "-", "-"], SEVEN);
    assert_eq!(status(&output), 1);
    let found = stderr(&output);
    assert!(found.contains("E0819") && found.contains("1 FAMC @VOID@"), "{found}");
    let written = stdout(&output);
    assert!(written.contains("2 VERS 5.5.1\n"), "{written}");
    assert!(written.contains("1 NOTE me@@example.com, a@@@@b\n2 CONT @@home\n"), "{written}");
    // Tags that no structure has are said in no draft.
    for rules in ["2019-12", "2019-01", "declarative", "2017-10"] {
        let output = run_with(&["convert", "--to-rules", rules, "-o", "-", "-"], SEVEN);
        assert!(!stdout(&output).contains("e.example/x"), "{rules}: {}", stdout(&output));
        assert!(stderr(&output).contains("E0809"), "{rules}: {}", stderr(&output));
    }
}

#[test]
fn versions_are_printed_as_the_file_has_them() {
    let input = b"0 HEAD\n1 CHAR UTF-8\n1 GEDC\n2 VERS 5.5\n2 FORM LINEAGE-LINKED\n1 ELF 1.0\n0 TRLR\n";
    for (command, expected) in [("info", "GEDCOM 5.5, ELF 1.0\n"), ("show", "GEDCOM 5.5, ELF 1.0\n")] {
        let output = run_with(&[command, "-"], input);
        assert!(stdout(&output).contains(expected), "{command}: {}", stdout(&output));
    }
    let facts = &json(&run_with(&["info", "--format", "json", "-"], input))[0];
    assert_eq!((&facts["gedcom_version"], &facts["elf_version"]), (&"5.5.0".into(), &"1.0.0".into()));
}

#[test]
fn december_leaves_schma_alone() {
    for schema in [
        "1 SCHMA\n",
        "1 SCHMA foo bar\n",
        "1 SCHMA https://b.example/\n2 VERS 1.0\n",
        "1 SCHMA\n2 TAG _X https://e/x\n",
        "1 SCHMA\n2 IRI not an iri\n3 FOO a@@b\n2 ESC DATE\n2 PRFX x\n",
    ] {
        let input = format!("0 HEAD\n1 CHAR UTF-8\n{schema}0 TRLR\n");
        for rules in ["2019-12", "wild"] {
            let output = run_with(&["check", "--rules", rules, "-"], input.as_bytes());
            assert_eq!(status(&output), 0, "{rules}: {}", stdout(&output));
            assert!(!stdout(&output).contains("J19"), "{rules}: {}", stdout(&output));
            let output = run_with(
                &["convert", "--rules", rules, "--to-rules", "2019-12", "-o", "-", "-"],
                input.as_bytes(),
            );
            assert_eq!(status(&output), 0, "{rules}: {}", stderr(&output));
            let written = format!("2 FORM LINEAGE-LINKED\n{schema}0 TRLR\n");
            assert!(stdout(&output).contains(&written), "{rules}: {}", stdout(&output));
        }
        // What January 2019 does not let stand is left out there, and said to be.
        if schema.contains("FOO") {
            let output = run_with(&["convert", "--to-rules", "2019-01", "-o", "-", "-"], input.as_bytes());
            assert_eq!(status(&output), 1);
            assert!(!stdout(&output).contains("FOO"), "{}", stdout(&output));
        }
    }
}
