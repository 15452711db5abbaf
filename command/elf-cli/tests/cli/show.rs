//! `elf show`: the file at each layer.

use crate::shell::{file, json, run, run_with, status, stderr, stdout};
use serde_json::json;

#[test]
fn lines_are_objects() {
    let output = run(&["show", "--form", "lines", "--format", "json", &file("broken.ged")]);
    assert_eq!(status(&output), 1);
    let lines = json(&output);
    assert_eq!(lines.len(), 12);
    assert_eq!(lines[0], json!({"line": 1, "level": 0, "tag": "HEAD"}));
    assert_eq!(lines[5], json!({"line": 6, "level": 0, "xref": "I1", "tag": "INDI"}));
    assert_eq!(lines[6], json!({"line": 7, "level": 1, "tag": "NAME", "payload": "Marie"}));
    assert_eq!(lines[9], json!({"line": 10, "error": "E0201", "text": "second, with a raw break"}));
    assert_eq!(lines[10], json!({"line": 11, "level": 1, "tag": "FAMS", "payload": {"pointer": "F9"}}));
    assert!(stdout(&output).starts_with("{\"line\":1,\"level\":0,\"tag\":\"HEAD\"}\n"));
}

#[test]
fn structures_are_objects_after_the_header() {
    let output = run(&["show", "--form", "tagged", "--format", "json", &file("family.ged")]);
    assert_eq!((status(&output), stderr(&output).as_str()), (0, ""));
    let lines = json(&output);
    assert_eq!(
        lines[0],
        json!({
            "header": {
                "encoding": "UTF-8", "elf_version": null, "gedcom_version": "5.5.1", "language": null, "schemas": []
            },
            "metadata": [
                {"tag": "SOUR", "payload": "Attic", "substructures": [{"tag": "VERS", "payload": "0.3"}]},
                {"tag": "SUBM", "payload": {"pointer": "U1"}},
            ]
        })
    );
    assert_eq!(
        lines[2],
        json!({"xref": "I1", "tag": "INDI", "substructures": [
            {"tag": "NAME", "payload": "Marie /Carrière/"},
            {"tag": "SEX", "payload": "F"},
            {"tag": "BIRT", "substructures": [
                {"tag": "DATE", "payload": "31 MAR 1850"},
                {"tag": "PLAC", "payload": "Lyon"},
            ]},
            {"tag": "NOTE", "payload": "A note of two lines,\nwith an address: marie@example.org"},
            {"tag": "FAMS", "payload": {"pointer": "F1"}},
        ]})
    );
    assert_eq!(lines.len(), 4);
}

#[test]
fn a_pointer_that_leads_nowhere_says_so() {
    let output = run(&["show", "--form", "tagged", "--format", "json", &file("broken.ged")]);
    let person = &json(&output)[1];
    assert_eq!(person["substructures"][2]["payload"], json!({"pointer": "F9", "resolved": false}));
}

#[test]
fn the_xref_form_is_merged_where_the_rules_merge_first() {
    let path = file("family.ged");
    let note = |rules| {
        let output = run(&["show", "--form", "xref", "--format", "json", "--rules", rules, &path]);
        json(&output)[2]["substructures"][3].clone()
    };
    assert_eq!(
        note("2019-01"),
        json!({"tag": "NOTE", "payload": "A note of two lines,\nwith an address: marie@@example.org"})
    );
    assert_eq!(
        note("2019-12"),
        json!({"tag": "NOTE", "payload": "A note of two lines,", "substructures": [
            {"tag": "CONT", "payload": "with an address: marie@@example.org"},
        ]})
    );
}

#[test]
fn records_that_the_rules_insert_are_shown() {
    let input = b"0 HEAD\n1 CHAR UTF-8\n0 @I1@ INDI\n1 FAMS @F9@\n0 TRLR\n";
    let output =
        run_with(&["show", "--form", "tagged", "--format", "json", "--rules", "2019-01", "-"], input);
    let lines = json(&output);
    assert_eq!(lines.last().expect("a record")["tag"], "UNDEF");
}

#[test]
fn the_language_of_a_payload_is_shown() {
    let input =
        b"0 HEAD\n1 CHAR UTF-8\n1 ELF 1.0.0\n1 PLANG fr\n0 NOTE bonjour\n0 NOTE hello\n1 PLANG en\n0 TRLR\n";
    let output = run_with(&["show", "--form", "tagged", "--format", "json", "-"], input);
    let lines = json(&output);
    assert_eq!(lines[0]["header"]["language"], "fr");
    assert_eq!((&lines[1]["language"], &lines[2]["language"]), (&json!("fr"), &json!("en")));
}

#[test]
fn twenty_thousand_levels_are_shown() {
    let mut input = b"0 HEAD\n1 CHAR UTF-8\n0 NOTE\n".to_vec();
    for level in 1..=20_000 {
        input.extend_from_slice(format!("{level} NOTE x\n").as_bytes());
    }
    input.extend_from_slice(b"0 TRLR\n");
    for form in ["xref", "tagged"] {
        let output = run_with(&["show", "--form", form, "--format", "json", "-"], &input);
        assert!(status(&output) < 2, "{}", stderr(&output));
        let text = stdout(&output);
        let record = text.lines().nth(1).expect("a record");
        assert_eq!(record.matches("\"tag\":\"NOTE\"").count(), 20_001);
        assert_eq!((record.matches('[').count(), record.matches(']').count()), (20_000, 20_000));
        let output = run_with(&["show", "--form", form, "-"], &input);
        assert!(status(&output) < 2);
        assert!(output.stdout.len() < 5_000_000, "the tree is not indented without end");
    }
    for command in ["check", "info"] {
        assert!(status(&run_with(&[command, "-"], &input)) < 2);
    }
}

#[test]
fn the_tree_is_indented() {
    let output = run(&["show", &file("family.ged")]);
    let text = stdout(&output);
    assert!(text.contains("INDI @I1@\n  NAME: Marie /Carrière/\n"), "{text}");
    assert!(text.contains("  BIRT\n    DATE: 31 MAR 1850\n"), "{text}");
    assert!(text.contains("  FAMS -> @F1@\n"), "{text}");
}

#[test]
fn types_stand_beside_tags() {
    let output = run(&["show", "--form", "typed", "--format", "json", &file("shoes.ged")]);
    let person = &json(&output)[1];
    assert_eq!(
        *person,
        json!({"xref": "I1", "tag": "INDI", "type": "https://terms.fhiso.org/elf/INDIVIDUAL_RECORD", "substructures": [
            {"tag": "_SHOE", "type": "https://e.example/Shoe", "payload": "left"},
            {"tag": "NAME", "type": "https://terms.fhiso.org/elf/Undefined#NAME", "payload": "Eve"},
        ]})
    );
    assert!(stdout(&output).contains("{\"xref\":\"I1\",\"tag\":\"INDI\",\"type\":"));
    let output = run(&["show", "--form", "typed", &file("shoes.ged")]);
    assert!(stdout(&output).contains("  _SHOE <ex:Shoe>: left\n"), "{}", stdout(&output));
}

#[test]
fn a_typed_structure_has_the_value_of_its_payload() {
    let input = b"0 HEAD\n1 CHAR UTF-8\n0 @I1@ INDI\n1 NAME Ada /Byron/\n1 BIRT\n2 DATE @#DJULIAN@ 30 JAN\n3 CONC  1648/49\n\
        2 AGE 0y\n1 DEAT\n2 DATE Abt 1900\n0 TRLR\n";
    let output = run_with(&["show", "--form", "typed", "--format", "json", "-"], input);
    let person = &json(&output)[1];
    assert_eq!(person["substructures"][0].get("value"), None);
    let birth = &person["substructures"][1]["substructures"];
    let mut expected = json(&run(&["date", "--format", "json", "@#DJULIAN@ 30 JAN 1648/49"])).remove(0);
    expected.as_object_mut().expect("an object").remove("text");
    assert_eq!(birth[0]["value"], expected);
    assert_eq!(birth[1]["value"]["years"], 0);
    let death = &person["substructures"][2]["substructures"][0]["value"];
    assert_eq!((&death["form"], &death["findings"][0]["code"]), (&json!("text"), &json!("E0610")));
    let tagged = run_with(&["show", "--form", "tagged", "--format", "json", "-"], input);
    assert!(!stdout(&tagged).contains("\"value\""));
}

#[test]
fn what_stands_at_paths_is_shown_with_all_beneath_it() {
    let path = file("family.ged");
    let shown = |args: &[&str]| {
        let output = run(&[&["show", &path], args].concat());
        assert_eq!((status(&output), stderr(&output).as_str()), (0, ""), "{args:?}");
        stdout(&output)
    };
    let birth = "BIRT\n  DATE: 31 MAR 1850\n  PLAC: Lyon\n";
    assert_eq!(shown(&["--at", "@I1@/BIRT"]), birth);
    assert_eq!(shown(&["--at", "INDI[*]/elf:BIRTH"]), birth);
    assert_eq!(shown(&["--at", "@I1@/SEX", "--at", "@F1@/WIFE[=@I1@]"]), "SEX: F\nWIFE -> @I1@\n");
    // Metadata is shown to whoever asks for it.
    let flat = shown(&["--at", "HEAD/GEDC", "--format", "flat"]);
    assert_eq!(flat, "HEAD/GEDC = \nHEAD/GEDC/VERS = 5.5.1\nHEAD/GEDC/FORM = LINEAGE-LINKED\n");
    let lines = shown(&["--form", "lines", "--at", "@I1@/NOTE", "--at", "@I1@/SEX"]);
    let lines: Vec<&str> = lines.lines().map(str::trim).collect();
    assert_eq!(
        lines,
        [
            "13    1 SEX F",
            "17    1 NOTE A note of two lines,",
            "18      2 CONT with an address: marie@@example.org"
        ]
    );
    let objects = run(&["show", "--format", "json", "--at", "@I1@/SEX", &path]);
    assert_eq!(json(&objects), [json!({"tag": "SEX", "payload": "F"})]);
}

#[test]
fn a_structure_a_line_has_its_path() {
    let text = "0 HEAD\n1 CHAR UTF-8\n0 @I1@ INDI\n1 NOTE a\tb\\c\n2 CONT d\n1 NOTE\n1 FAMS @F@\n0 TRLR\n";
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.ged");
    std::fs::write(&path, text).expect("written");
    let path = path.to_str().expect("a name");
    let shown = |args: &[&str]| stdout(&run(&[&["show", path], args].concat()));
    assert_eq!(
        shown(&["--format", "flat"]),
        "HEAD = \n@I1@ = \n@I1@/NOTE[1] = a\\tb\\\\c\\nd\n@I1@/NOTE[2] = \n@I1@/FAMS = @F@\n"
    );
    let typed = shown(&["--format", "tsv", "--form", "typed", "--at", "@I1@/NOTE[1]"]);
    let note = "https://terms.fhiso.org/elf/NOTE_STRUCTURE";
    let row = format!("@I1@/NOTE[1]\tNOTE\t{note}\ta\\tb\\\\c\\nd\t4");
    assert_eq!(typed, format!("path\ttag\ttype\tpayload\tline\n{row}\n"));
    // A record that the rules insert is in no line.
    let inserted = shown(&["--format", "tsv", "--rules", "2019-01"]);
    assert!(inserted.contains("@F@\tUNDEF\t\t\t\n"), "{inserted}");
}

#[test]
fn a_path_that_names_nothing_cannot_be_shown() {
    let output = run(&["show", &file("family.ged"), "--at", "@I1@/DEAT"]);
    assert_eq!((status(&output), stdout(&output).as_str()), (2, ""));
    assert!(stderr(&output).contains("`@I1@` has NAME, SEX, BIRT"), "{}", stderr(&output));
    let output = run(&["show", &file("family.ged"), "--form", "xref", "--format", "tsv"]);
    assert_eq!(status(&output), 2);
}
