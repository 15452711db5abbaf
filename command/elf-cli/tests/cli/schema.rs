//! `elf schema`: the schema in force.

use crate::shell::{file, json, run, run_with, status, stderr, stdout};
use serde_json::{Value, json};

#[test]
fn every_type_is_an_object() {
    let output = run(&["schema", "--rules", "2019-01", "--format", "json"]);
    assert_eq!((status(&output), stderr(&output).as_str()), (0, ""));
    let mut types = json(&output);
    types.retain(|line| line.get("type").is_some());
    let birth = types.iter().find(|of| of["type"] == "https://terms.fhiso.org/elf/BIRTH").expect("a birth");
    assert_eq!(birth["supertypes"], json!(["https://terms.fhiso.org/elf/IndividualEvent"]));
    assert_eq!(birth["tags"][0]["tag"], "BIRT");
    let pairs: usize = types.iter().filter_map(|of| of["tags"].as_array()).map(Vec::len).sum();
    assert_eq!((types.len(), pairs), (176, 207), "J19 §9 has so many types and pairs");
}

#[test]
fn a_schema_that_was_written_is_the_same_schema() {
    for args in [&["schema", "--rules", "2019-01"][..], &["schema"], &["schema", &file("shoes.ged")]] {
        let strip = |mut lines: Vec<Value>| {
            // A file has prefixes of its own.
            lines.retain(|line| line.get("prefix").is_none());
            for line in &mut lines {
                line["from"] = Value::Null;
                for tag in line["tags"].as_array_mut().into_iter().flatten() {
                    tag["from"] = Value::Null;
                }
            }
            // Types are numbered as they are met, so a schema read again has them in another order.
            lines.sort_by_key(|line| line["type"].to_string());
            lines
        };
        let written = run(&[args, &["--format", "elf"]].concat());
        assert!(stdout(&written).contains("\n1 SCHMA\n2 PRFX elf "), "{}", stdout(&written));
        let check = run_with(&["check", "--rules", "2019-01", "-"], &written.stdout);
        assert_eq!(status(&check), 0, "{}", stderr(&check));
        let again = run_with(&["schema", "-", "--rules", "2019-01", "--format", "json"], &written.stdout);
        let original = run(&[args, &["--format", "json"]].concat());
        assert!(strip(json(&again)) == strip(json(&original)), "{}", stdout(&written));
    }
}

#[test]
fn the_supertypes_are_a_graph() {
    let text = stdout(&run(&["schema", "--format", "dot"]));
    assert!(text.starts_with("digraph supertypes {\n") && text.ends_with("}\n"));
    assert!(text.contains("  \"elf:BIRTH\" -> \"elf:IndividualEvent\";\n"), "{text}");
}

#[test]
fn a_tag_got_its_type_by_a_definition() {
    let output = run(&["schema", "--why", "INDI/BIRT/DATE", "--format", "json"]);
    let steps = json(&output);
    assert_eq!(steps.len(), 3);
    let elf = |name: &str| Value::from(format!("https://terms.fhiso.org/elf/{name}"));
    assert_eq!((&steps[2]["superstructure"], &steps[2]["type"]), (&elf("BIRTH"), &elf("DATE_VALUE")));
    let definition = &steps[2]["definitions"][0];
    assert_eq!(definition["superstructure"], elf("Event"));
    assert_eq!(definition["supertypes"], json!([elf("BIRTH"), elf("IndividualEvent"), elf("Event")]));
    let text = stdout(&run(&["schema", "--why", "HEAD/SOUR"]));
    assert!(text.starts_with("SOUR in elf:Metadata is elf:DOCUMENT_SOURCE\n"), "{text}");
    assert_eq!(stdout(&run(&["schema", "--why", "HEAD"])), "HEAD has no type: the draft itself defines it\n");
    for path in ["", "INDI//DATE", "INDI/"] {
        assert_eq!(status(&run(&["schema", "--why", path])), 2, "{path:?}");
    }
    let text = stdout(&run(&["schema", "--why", "INDI/_NOBODY"]));
    assert!(
        text.ends_with(
            "_NOBODY in elf:INDIVIDUAL_RECORD is elf:Undefined#_NOBODY\n  \
             no definition of _NOBODY applies in elf:INDIVIDUAL_RECORD\n"
        ),
        "{text}"
    );
}

#[test]
fn conflicts_are_shown_and_count() {
    let input = b"0 HEAD\n1 CHAR UTF-8\n1 SCHMA\n2 PRFX elf https://terms.fhiso.org/elf/\n2 PRFX ex https://e.example/\n\
        2 IRI ex:A\n3 TAG _X elf:Document\n2 IRI ex:B\n3 TAG _X elf:Document\n0 _X y\n0 TRLR\n";
    // December leaves open what SCHMA holds, so that they are advice there.
    for (rules, expected) in [("2019-01", 1), ("wild", 0)] {
        let output = run_with(&["schema", "-", "--rules", rules], input);
        assert_eq!(status(&output), expected, "{rules}");
        assert!(stderr(&output).contains("[E04"), "{}", stderr(&output));
    }
    let output = run_with(&["schema", "-"], input);
    assert!(stdout(&output).contains("conflict: _X in elf:Document has 2 types\n"), "{}", stdout(&output));
    let output = run_with(&["schema", "-", "--why", "_X"], input);
    assert!(stdout(&output).contains("the definitions conflict"), "{}", stdout(&output));
}

#[test]
fn the_dictionary_of_2017_is_shown() {
    let input = b"0 HEAD\n1 CHAR UTF-8\n1 PRFX X_ https://e.example/\n1 DEFN _SHOE https://e.example/Shoe\n0 _SHOE left\n0 TRLR\n";
    let args = ["schema", "-", "--rules", "2017-10"];
    let output = run_with(&args, input);
    assert_eq!(stdout(&output), "prefix X_ https://e.example/\ntag _SHOE https://e.example/Shoe\n");
    let output = run_with(&[&args[..], &["--why", "_SHOE"]].concat(), input);
    assert_eq!(stdout(&output), "_SHOE is https://e.example/Shoe\n");
    let output = run_with(&[&args[..], &["--why", "PRFX"]].concat(), input);
    assert_eq!(stdout(&output), "PRFX has no type: the draft itself defines it\n");
    for format in ["elf", "dot", "svg"] {
        let output = run_with(&[&args[..], &["--format", format]].concat(), input);
        let expected = format!(
            "error: these rules have a dictionary without supertypes, which `--format {format}` cannot show: \
             use `--format human` or `json`\n"
        );
        assert_eq!((status(&output), stdout(&output), stderr(&output)), (2, String::new(), expected));
    }
}

#[test]
fn the_supertype_graph_is_a_picture() {
    let output = run(&["schema", "--format", "svg"]);
    let svg = stdout(&output);
    assert_eq!((status(&output), stderr(&output).as_str()), (0, ""));
    assert!(svg.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\"") && svg.ends_with("</svg>\n"));
    assert!(svg.contains("<title id=\"picture-title\">Types and their supertypes</title>"));
    assert!(svg.contains(">elf:MARRIAGE</text>") && !svg.contains("<script"));
    let input =
        b"0 HEAD\n1 CHAR UTF-8\n1 SCHMA\n2 PRFX x https://x.example/\n2 IRI x:Dog\n3 ISA x:Animal\n0 TRLR\n";
    let output = run_with(&["schema", "-", "--format", "svg"], input);
    assert!(
        stdout(&output).contains(">x:Animal</text>") && stdout(&output).contains(">x:Dog</text>"),
        "{}",
        stdout(&output)
    );
}

#[test]
fn what_the_draft_itself_defines_has_no_type_and_identifiers_are_those_of_a_file() {
    let why = |rules: &str, path: &str| stdout(&run(&["schema", "--rules", rules, "--why", path]));
    let metadata = "CHAR has no type: it is serialisation metadata\n";
    assert_eq!(why("2019-01", "HEAD/CHAR"), metadata);
    assert!(why("2019-01", "HEAD/GEDC").contains("elf:"), "it is data there");
    assert!(why("2019-12", "HEAD/GEDC").contains("no type: it is serialisation metadata"));
    assert_eq!(why("2019-01", "TRLR"), "TRLR has no type: it ends the document\n");
    assert!(
        why("2019-01", "INDI/CONT")
            .ends_with("CONT has no type: it continues the payload of its superstructure\n")
    );
    let output = run(&["schema", "--why", "@I1@/NAME"]);
    assert_eq!((status(&output), stdout(&output).as_str()), (2, ""), "{}", stderr(&output));
    let file = b"0 HEAD\n1 CHAR UTF-8\n0 @I1@ INDI\n1 NAME A\n0 TRLR\n";
    let output = run_with(&["schema", "-", "--why", "@I1@/NAME"], file);
    assert!(
        stdout(&output).contains("NAME in elf:INDIVIDUAL_RECORD is elf:PERSONAL_NAME_STRUCTURE"),
        "{}",
        stdout(&output)
    );
    assert_eq!(status(&run_with(&["schema", "-", "--why", "@I2@/NAME"], file)), 2);
    let output = run(&["schema", "--rules", "2019-01", "--schema", "urn:x"]);
    assert!(
        status(&output) == 2 && stderr(&output).contains("expected the name of a file"),
        "{}",
        stderr(&output)
    );
}

#[test]
fn a_schema_is_printed_alike_after_one_round() {
    for args in [&["schema", "--rules", "2019-01"][..], &["schema"], &["schema", &file("shoes.ged")]] {
        let once = run(&[args, &["--format", "elf"]].concat());
        let twice = run_with(&["schema", "-", "--rules", "2019-01", "--format", "elf"], &once.stdout);
        assert_eq!(stdout(&twice), stdout(&once));
    }
}

#[test]
fn names_and_passwords_of_iris_are_shown_nowhere() {
    let iri = "http://ada:SECRET@127.0.0.1:1/x";
    let input = format!("0 HEAD\n1 CHAR UTF-8\n1 ELF 1.0.0\n1 SCHMA {iri}\n0 TRLR\n");
    let commands: [&[&str]; 9] = [
        &["check", "-"],
        &["check", "-", "--format", "json"],
        &["check", "-", "--format", "short"],
        &["check", "-", "--format", "sarif"],
        &["schema", "-"],
        &["info", "-"],
        &["info", "-", "--format", "json"],
        &["report", "-", "-o", "-"],
        &["show", "-", "--form", "typed"],
    ];
    for command in commands {
        let output = run_with(command, input.as_bytes());
        let shown = stdout(&output) + &stderr(&output);
        assert!(!shown.contains("SECRET"), "{command:?}: {shown}");
        assert!(shown.contains("127.0.0.1"), "{command:?}: {shown}");
    }
}

#[test]
fn json_has_prefixes_escapes_and_references() {
    let input = "0 HEAD\n1 CHAR UTF-8\n1 SCHMA\n2 PRFX e https://e.test/\n2 SCHMA https://e.test/other\n2 ESC _A D\n\
                 2 ESC _A E\n0 TRLR\n";
    let output = run_with(&["schema", "--rules", "2019-01", "--format", "json", "-"], input.as_bytes());
    let lines = json(&output);
    let has = |line: serde_json::Value| lines.contains(&line);
    assert!(has(serde_json::json!({"prefix": "e", "iris": ["https://e.test/"]})), "{lines:?}");
    assert!(has(serde_json::json!({"reference": "https://e.test/other", "at_hand": false})), "{lines:?}");
    // Of definitions that disagree the first is used.
    let escapes = serde_json::json!({"escapes": "D", "tag": "_A", "from": "the header, line 6"});
    assert!(has(escapes), "{lines:?}");
}
