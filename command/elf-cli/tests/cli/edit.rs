//! `elf edit`: one line changed by one edit.

use crate::shell::{file, run, run_with, status, stderr, stdout};
use std::fs;

const INPUT: &str = "0 HEAD\r\n1 CHAR ANSEL\r\n0 @I1@ INDI\r\n1 NAME Ada\r\n1 BIRT\r\n2 DATE 1815\r\n1 FAMC @F1@\r\n0 @F1@ FAM\r\n0 TRLR";

#[test]
fn without_an_edit_the_file_stays() {
    for input in
        [INPUT.as_bytes(), b"", b"\xFF\xFE\x00", b"\x89PNG\r\n\x1A\n", b"0 HEAD\n1 CHAR UTF-8\n0 NOTE \xC3"]
    {
        let output = run_with(&["edit", "-"], input);
        assert_eq!((status(&output), output.stdout.as_slice()), (0, input));
        let output = run_with(&["edit", "-", "-o", "-", "--rules", "2019-12"], input);
        assert_eq!((status(&output), output.stdout.as_slice()), (0, input));
    }
}

#[test]
fn edits_are_made_in_the_order_given() {
    let args = [
        "edit",
        "-",
        "--insert",
        "@I1@/DEAT=",
        "--set",
        "@I1@/NAME=Ada /Lovelace/",
        "--insert",
        "@I1@/DEAT/DATE=1852",
        "--move",
        "@I1@/BIRT/DATE=@I1@/BIRT/_DATE",
        "--rename-id",
        "@I1@=@P=1@",
        "--point",
        "@P=1@/FAMC=@P=1@",
        "--remove",
        "@F1@",
    ];
    let output = run_with(&args, INPUT.as_bytes());
    assert_eq!(status(&output), 0);
    assert!(stderr(&output).starts_with("advice[E0906]"), "{}", stderr(&output));
    let expected = "0 HEAD\r\n1 CHAR ANSEL\r\n0 @P=1@ INDI\r\n1 NAME Ada /Lovelace/\r\n1 BIRT\r\n2 _DATE 1815\r\n\
                    1 FAMC @P=1@\r\n1 DEAT\r\n2 DATE 1852\r\n0 TRLR";
    assert_eq!(stdout(&output), expected);
}

#[test]
fn values_are_text_in_the_encoding_of_the_file() {
    let output = run_with(&["edit", "-", "--set", "@I1@/NAME=José @ Ж\nx=y"], INPUT.as_bytes());
    assert_eq!(status(&output), 0, "{}", stderr(&output));
    let expected = b"1 NAME Jos\xE2e @@ @#U416@\r\n2 CONT x=y\r\n";
    assert!(output.stdout.windows(expected.len()).any(|window| window == expected));
    let output = run_with(&["edit", "-", "--set", "@I1@/NAME=Ж", "--no-escapes"], INPUT.as_bytes());
    assert_eq!((status(&output), stdout(&output).as_str()), (2, ""));
    assert!(stderr(&output).contains("U+0416 cannot be written in ANSEL"), "{}", stderr(&output));
}

#[test]
fn an_identifier_makes_a_pointer_and_must_be_borne() {
    for (edit, expected) in [
        (["--set", "@I1@/FAMC=some"], "1 FAMC some\r\n"),
        (["--set", "@I1@/NAME=@F1@"], "1 NAME @F1@\r\n"),
        (["--text", "@I1@/NAME=@F1@"], "1 NAME @@F1@@\r\n"),
        (["--text", "@I1@/FAMC=@home@"], "1 FAMC @@home@@\r\n"),
        (["--set", "@I1@/NAME=me@home"], "1 NAME me@@home\r\n"),
        (["--set", "@I1@/BIRT/DATE=@#DJULIAN@ 1815"], "2 DATE @#DJULIAN@ 1815\r\n"),
        (["--insert", "@I1@/FAMS=@F1@"], "1 FAMS @F1@\r\n"),
        (["--point", "@I1@/NAME=@F1@"], "1 NAME @F1@\r\n"),
    ] {
        let output = run_with(&["edit", "-", edit[0], edit[1]], INPUT.as_bytes());
        assert_eq!(status(&output), 0, "{edit:?}: {}", stderr(&output));
        assert!(stdout(&output).contains(expected), "{edit:?}: {}", stdout(&output));
    }
    for edit in [["--insert", "@F1@/CHIL=@I5@"], ["--set", "@I1@/FAMC=@I5@"], ["--point", "@I1@/FAMC=@I5@"]] {
        let output = run_with(&["edit", "-", edit[0], edit[1]], INPUT.as_bytes());
        assert_eq!((status(&output), stdout(&output).as_str()), (2, ""), "{edit:?}");
        let expected = "no record has the identifier `@I5@`; use `--dangling` to create an unresolved pointer, or `--text` to set text";
        assert!(stderr(&output).contains(expected), "{}", stderr(&output));
        // A pointer that leads nowhere is reported, whatever class the rules give it.
        let output = run_with(&["edit", "-", "--dangling", edit[0], edit[1]], INPUT.as_bytes());
        assert_eq!(status(&output), 1, "{edit:?}");
        assert!(stderr(&output).contains("E0327"), "{}", stderr(&output));
        assert!(stdout(&output).contains(" @I5@\r\n"), "{}", stdout(&output));
    }
    // Each edit sees what those before it did.
    let edits = ["--insert", "@I5@ INDI=", "--insert", "@F1@/CHIL=@I5@", "--insert", "@I5@/FAMC=@F1@"];
    let output = run_with(&[&["edit", "-"], &edits[..]].concat(), INPUT.as_bytes());
    assert_eq!((status(&output), stderr(&output).as_str()), (0, ""));
}

/// A family of two people and their child.
const FAMILY: &str = "0 HEAD\n1 CHAR UTF-8\n0 @I1@ INDI\n1 NAME Ann\n0 @I2@ INDI\n1 NAME Ben\n1 NAME Bee\n\
                      0 @I3@ INDI\n1 FAMC @F1@\n0 @F1@ FAM\n1 HUSB @I2@\n1 CHIL @I1@\n1 CHIL @I3@\n0 TRLR\n";

#[test]
fn a_path_that_names_several_is_refused_unless_it_chooses() {
    for (edit, expected) in [
        (
            ["--remove", "INDI"],
            "`INDI` matches 3 structures: `@I1@`, `@I2@`, `@I3@`; `INDI[*]` selects all of them",
        ),
        (["--set", "INDI/NAME=x"], "`INDI` matches 3 structures"),
        (["--insert", "FAM/CHIL/PEDI=x"], "`FAM/CHIL[1]` (@I1@), `@F1@/CHIL[2]` (@I3@)"),
        (
            ["--set", "@I2@/NAME=x"],
            "`@I2@/NAME[1]` (Ben), `@I2@/NAME[2]` (Bee); `NAME[*]` selects all of them",
        ),
        (["--remove", "@F1@/WIFE"], "no structure at `@F1@/WIFE`; `@F1@` has HUSB, CHIL[1..2]"),
        (["--remove", "@F1@/CHIL[=@I2@]"], "no structure at `@F1@/CHIL[=@I2@]`"),
        (["--remove", "@F9@"], "no record has the identifier `@F9@`"),
    ] {
        let output = run_with(&["edit", "-", edit[0], edit[1]], FAMILY.as_bytes());
        assert_eq!((status(&output), stdout(&output).as_str()), (2, ""), "{edit:?}");
        let expected = expected.replace("`FAM/CHIL[1]`", "`@F1@/CHIL[1]`");
        assert!(stderr(&output).contains(&expected), "{edit:?}: {}", stderr(&output));
    }
    for (edit, gone) in [
        (["--remove", "@F1@/CHIL[=@I3@]"], "1 CHIL @I3@\n"),
        (["--remove", "INDI[3]/FAMC"], "1 FAMC @F1@\n"),
        (["--remove", "@I2@/NAME[*]"], "1 NAME Ben\n1 NAME Bee\n"),
        (["--remove", "INDI[*]/NAME[=Ann]"], "1 NAME Ann\n"),
    ] {
        let output = run_with(&["edit", "-", edit[0], edit[1]], FAMILY.as_bytes());
        assert_eq!(status(&output), 0, "{edit:?}: {}", stderr(&output));
        assert_eq!(stdout(&output), FAMILY.replace(gone, ""), "{edit:?}");
    }
    let output = run_with(&["edit", "-", "--set", "@F1@/CHIL[=@I3@]=@I2@"], FAMILY.as_bytes());
    assert_eq!(stdout(&output), FAMILY.replace("CHIL @I3@", "CHIL @I2@"), "{}", stderr(&output));
}

#[test]
fn what_is_removed_leaves_no_pointers_unsaid() {
    let output = run_with(&["edit", "-", "--remove", "@I3@"], FAMILY.as_bytes());
    let without = FAMILY.replace("0 @I3@ INDI\n1 FAMC @F1@\n", "");
    assert_eq!((status(&output), stdout(&output)), (1, without.clone()));
    let said = stderr(&output);
    assert!(said.contains("E0327") && said.contains("`--cascade` also removes"), "{said}");
    let output = run_with(&["edit", "-", "--remove", "@I3@", "--cascade"], FAMILY.as_bytes());
    assert_eq!((status(&output), stdout(&output)), (0, without.replace("1 CHIL @I3@\n", "")));
    let told = "note: also removed `@F1@/CHIL[2]` (line 13), because it pointed to a removed structure";
    assert!(stderr(&output).contains(told), "{}", stderr(&output));
    // A pointer that led nowhere before is not laid to the edits.
    let output = run_with(&["edit", "-", "--set", "@I1@/NAME=Anna"], without.as_bytes());
    assert_eq!((status(&output), stderr(&output).as_str()), (0, ""));
}

#[test]
fn what_a_path_lacks_is_created_if_asked_for() {
    let edit = ["edit", "-", "--set", "@F1@/MARR/DATE=1900"];
    let output = run_with(&edit, FAMILY.as_bytes());
    assert_eq!((status(&output), stdout(&output).as_str()), (2, ""));
    assert!(stderr(&output).contains("`--create` creates missing structures"), "{}", stderr(&output));
    let output = run_with(&[&edit[..], &["--create"]].concat(), FAMILY.as_bytes());
    assert_eq!((status(&output), stderr(&output).as_str()), (0, ""));
    assert_eq!(stdout(&output), FAMILY.replace("0 TRLR", "1 MARR\n2 DATE 1900\n0 TRLR"));
    let edit = ["edit", "-", "--create", "--set", "@I1@/elf:BIRTH/elf:DATE_VALUE=1900"];
    let output = run_with(&edit, FAMILY.as_bytes());
    assert_eq!(stdout(&output), FAMILY.replace("Ann\n", "Ann\n1 BIRT\n2 DATE 1900\n"), "{}", stderr(&output));
}

#[test]
fn findings_about_types_are_told_too() {
    let file = "0 HEAD\n1 CHAR UTF-8\n1 SCHMA\n2 PRFX e http://e.example/\n2 IRI e:X\n3 TAG _X elf:Document\n0 TRLR\n";
    let edit = ["edit", "-", "--rules", "2019-01", "--set", "HEAD/SCHMA/IRI=nonsense"];
    let output = run_with(&edit, file.as_bytes());
    assert_eq!(status(&output), 1);
    assert!(stderr(&output).contains("[E04"), "{}", stderr(&output));
}

#[test]
fn types_are_those_of_the_schema_in_force() {
    let edit = |args: &[&str]| {
        let all = [&["edit", "-"], args].concat();
        let output = run_with(&all, INPUT.as_bytes());
        assert_eq!((status(&output), stderr(&output).as_str()), (0, ""), "{args:?}");
        stdout(&output)
    };
    let by_tag = edit(&["--set", "@I1@/BIRT/DATE=1816"]);
    assert_eq!(edit(&["--set", "@I1@/elf:BIRTH/elf:DATE_VALUE=1816"]), by_tag);
    assert_eq!(edit(&["--set", "elf:INDIVIDUAL_RECORD/elf:Event/DATE=1816"]), by_tag);
    assert_eq!(edit(&["--insert", "@I1@/elf:DEATH=Y"]), edit(&["--insert", "@I1@/DEAT=Y"]));
    let output = run_with(&["edit", "-", "--set", "@I1@/elf:MARRIAGE=x"], INPUT.as_bytes());
    assert_eq!(status(&output), 2);
    assert!(
        stderr(&output).contains("no structure at `@I1@/elf:MARRIAGE`; `@I1@` has NAME, BIRT, FAMC"),
        "{}",
        stderr(&output)
    );
}

#[test]
fn what_cannot_be_done_writes_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("out.ged");
    let out = out.to_string_lossy();
    for (edit, expected) in [
        (
            ["--set", "@I1@/DEAT=x"],
            "cannot make the edit `--set @I1@/DEAT=x`: no structure at `@I1@/DEAT`; `@I1@` has NAME, BIRT, FAMC",
        ),
        (["--set", "HEAD/CHAR=UTF-8"], "`elf convert`"),
        (["--rename-id", "@I1@=@F1@"], "already has the identifier `@F1@`"),
        (["--set", "@I1@/NAME"], "expected an equals sign"),
        (["--remove", "@I1"], "expected an identifier between two at signs"),
        (["--rename-id", "I1=I2"], "expected an identifier between two at signs"),
    ] {
        let args = ["edit", "-", "--set", "@I1@/NAME=x", edit[0], edit[1], "-o", &out];
        let output = run_with(&args, INPUT.as_bytes());
        assert_eq!((status(&output), stdout(&output).as_str()), (2, ""), "{edit:?}");
        assert!(stderr(&output).contains(expected), "{edit:?}: {}", stderr(&output));
    }
    assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 0);
    assert_eq!(status(&run(&["edit", "nowhere.ged", "--remove", "NOTE"])), 2);
    assert_eq!(status(&run(&["edit", "-", "--in-place", "--remove", "NOTE"])), 2);
}

#[test]
fn the_input_is_overwritten_only_in_place() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("in.ged");
    fs::write(&path, INPUT).expect("a file");
    let name = path.to_string_lossy();
    let output = run(&["edit", &name, "--remove", "@F1@", "-o", &name]);
    assert_eq!((status(&output), fs::read_to_string(&path).expect("a file").as_str()), (2, INPUT));
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).expect("permissions");
    }
    let output = run(&["edit", &name, "--set", "@I1@/NAME=Eve", "--in-place"]);
    assert_eq!((status(&output), stdout(&output).as_str()), (0, ""), "{}", stderr(&output));
    assert_eq!(fs::read_to_string(&path).expect("a file"), INPUT.replace("Ada", "Eve"));
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        assert_eq!(fs::metadata(&path).expect("a file").permissions().mode() & 0o777, 0o640);
    }
    assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 1);
}

#[test]
fn a_difference_shows_changed_lines_only() {
    let args = [
        "edit",
        "-",
        "--diff",
        "--set",
        "@I1@/NAME=A\u{1b}",
        "--remove",
        "@I1@/BIRT/DATE",
        "--insert",
        "NOTE=x",
    ];
    let output = run_with(&args, INPUT.as_bytes());
    // A control character is advice, and an edit that brings it about is told so.
    assert_eq!(status(&output), 0);
    assert!(stderr(&output).contains("E0115"), "{}", stderr(&output));
    assert_eq!(
        stdout(&output),
        "--- -\n+++ -\n@@ -4 +4 @@\n-1 NAME Ada\n+1 NAME A␛\n@@ -6 +5,0 @@\n-2 DATE 1815\n@@ -8,0 +8 @@\n+0 NOTE x\n"
    );
    let output = run_with(&["edit", "-", "--diff", "--set", "@I1@/NAME=Ada"], INPUT.as_bytes());
    assert_eq!((status(&output), stdout(&output).as_str()), (0, ""));
}

#[test]
fn what_an_edit_breaks_is_said() {
    let output = run_with(&["edit", "-", "--remove", "TRLR"], INPUT.as_bytes());
    assert_eq!(status(&output), 1);
    assert!(stderr(&output).contains("E0307"), "{}", stderr(&output));
    assert!(stdout(&output).ends_with("0 @F1@ FAM\r\n"));
    // What was broken before is not said again.
    let output = run(&["edit", &file("broken.ged"), "--remove", "HEAD/SOUR"]);
    assert!(!stderr(&output).contains("E0"), "{}", stderr(&output));
}

#[test]
fn what_the_edits_break_is_told_as_json() {
    let folder = tempfile::tempdir().expect("a folder");
    let [from, to] = ["a.ged", "b.ged"].map(|name| folder.path().join(name).to_string_lossy().into_owned());
    fs::write(&from, "0 HEAD\n1 CHAR UTF-8\n0 @I1@ INDI\n1 ALIA @I2@\n0 @I2@ INDI\n0 TRLR\n")
        .expect("a file");
    let edit = ["edit", &from, "--rules", "2017-10", "--remove", "@I2@", "--format", "json"];
    for refused in [&[][..], &["-o", "-"], &["--diff", "-o", &to]] {
        let output = run(&[&edit, refused].concat());
        assert_eq!((status(&output), stdout(&output).as_str()), (2, ""), "{refused:?}");
    }
    assert!(!fs::exists(&to).expect("a folder"));
    let output = run(&[&edit[..], &["-o", &to]].concat());
    let said = stdout(&output);
    let lines: Vec<serde_json::Value> =
        said.lines().map(|line| serde_json::from_str(line).expect("an object")).collect();
    assert_eq!((status(&output), lines.len()), (1, 2), "{said}{}", stderr(&output));
    assert_eq!((&lines[0]["code"], &lines[0]["line"]), (&"E0327".into(), &4.into()));
    let summary = serde_json::json!({
        "file": from, "edits": 1, "malformed": 0, "non_conformant": 1, "deprecated": 0, "advice": 0, "cascaded": 0
    });
    assert_eq!(lines[1], serde_json::json!({ "summary": summary }));
    assert!(!fs::read_to_string(&to).expect("a file").contains("@I2@ INDI"));
}

#[test]
fn a_type_in_a_path_covers_what_the_data_model_names() {
    let peal = "0 HEAD\n1 CHAR UTF-8\n1 SCHMA\n2 SCHMA https://fhiso.org/TR/elf-data-model/v1.0.0\n2 PRFX elf https://terms.fhiso.org/elf/\n\
        2 IRI https://e.example/Peal\n3 ISA elf:IndividualEvent\n3 TAG _PEAL elf:INDIVIDUAL_RECORD\n0 @I1@ INDI\n1 _PEAL\n1 BIRT\n0 TRLR\n";
    // By January 2019 nothing is inferred from an ISA of the file (J19 §3.1.1).
    for (rules, gone, stays) in [("2019-01", "1 BIRT", "1 _PEAL"), ("2019-12", "1 _PEAL", "1 BIRT")] {
        let output =
            run_with(&["edit", "-", "--rules", rules, "--remove", "@I1@/elf:Event[1]"], peal.as_bytes());
        let edited = stdout(&output);
        assert!(!edited.contains(gone) && edited.contains(stays), "{rules}: {edited}{}", stderr(&output));
    }
}

#[test]
fn a_damaged_line_that_goes_with_an_edited_payload_is_named() {
    let file = b"0 HEAD\n1 DATE 1 JAN 2000\n1 FIL\xE9E x.ged\n1 CHAR ANSI\n0 @I1@ INDI\n1 NAME Ann\n1 NOTE x\n0 TRLR\n";
    for (edit, expected) in [
        (["--remove", "HEAD/DATE"], true),
        (["--set", "HEAD/DATE=2 JAN 2000"], true),
        (["--set", "@I1@/NAME=Bob"], false),
        (["--remove", "@I1@/NOTE"], false),
    ] {
        let output = run_with(&[&["edit", "-", "-o", "-"], &edit[..]].concat(), file);
        assert_eq!(status(&output), 0, "{}", stderr(&output));
        let said = stderr(&output);
        assert_eq!(
            said.contains("also removed line 3") && said.contains("FIL\u{e9}E"),
            expected,
            "{edit:?}: {said}"
        );
    }
}

#[test]
fn cascading_is_named_where_something_is_removed_alone() {
    let input = "0 HEAD\n1 CHAR UTF-8\n0 @I1@ INDI\n1 NAME A\n0 @I2@ INDI\n1 ASSO @I1@\n0 TRLR\n";
    for (args, is_named) in [
        (&["--remove", "@I1@"][..], true),
        (&["--insert", "@I1@/FAMC=@F8@", "--dangling"], false),
        (&["--set", "@I2@/ASSO=@I9@", "--dangling"], false),
    ] {
        let output = run_with(&[&["edit", "-", "-o", "-"], args].concat(), input.as_bytes());
        assert_eq!((status(&output), stderr(&output).contains("--cascade")), (1, is_named), "{args:?}");
    }
}
