//! `elf info`: what a file is.

use crate::shell::{file, json, run, run_with, status, stdout};
use serde_json::{Value, json};

#[test]
fn the_json_has_the_promised_shape() {
    let path = file("family.ged");
    let output = run(&["info", "--format", "json", &path]);
    assert_eq!(status(&output), 0);
    let facts = &json(&output)[0];
    assert_eq!(facts["octets"], 348);
    assert_eq!(
        facts["encoding"],
        json!({
            "detected": null, "detected_by": null, "specified": "UTF-8", "used": "UTF-8",
            "because": "specified", "bom": false
        })
    );
    assert_eq!(facts["line_breaks"], json!({"lf": 0, "cr": 0, "crlf": 22}));
    assert_eq!((&facts["elf_version"], &facts["gedcom_version"]), (&Value::Null, &json!("5.5.1")));
    assert_eq!(facts["draft"]["likely"], "2019-12");
    assert_eq!((&facts["producer"], &facts["schema"]), (&json!("Attic 0.3"), &json!("completed")));
    assert_eq!(
        (&facts["lines"], &facts["records"], &facts["structures"], &facts["max_level"]),
        (&json!(22), &json!(3), &json!(15), &json!(2))
    );
    assert_eq!(facts["types"]["https://terms.fhiso.org/elf/INDIVIDUAL_RECORD"], 1);
    assert_eq!(facts["undefined"], json!({}));
    let fields = [
        "file",
        "octets",
        "encoding",
        "line_breaks",
        "elf_version",
        "gedcom_version",
        "rules",
        "draft",
        "producer",
        "schema",
        "lines",
        "records",
        "structures",
        "max_level",
        "types",
        "undefined",
    ];
    let text = stdout(&output);
    let places: Vec<_> =
        fields.iter().map(|field| text.find(&format!("\"{field}\":")).expect(field)).collect();
    assert!(places.is_sorted(), "the fields stand in their order: {text}");
    assert_eq!(facts.as_object().expect("an object").len(), fields.len());
}

#[test]
fn tags_without_a_type_are_counted_here_and_passed_over_by_check() {
    let input = b"0 HEAD\n1 GEDC\n2 VERS 5.5.1\n2 FORM LINEAGE-LINKED\n1 CHAR UTF-8\n0 @I1@ INDI\n1 _NOBODY 1\n1 _NOBODY 2\n0 TRLR\n";
    let facts = &json(&run_with(&["info", "--format", "json", "-"], input))[0];
    assert_eq!(facts["undefined"], json!({"_NOBODY": 2}));
    let output = run_with(&["check", "--deny", "warnings", "-"], input);
    assert_eq!((status(&output), stdout(&output).as_str()), (0, "-: 9 lines, 1 record, nothing to report\n"));
}

#[test]
fn the_encoding_comes_with_its_reasons() {
    let wide: Vec<u8> = b"\xFF\xFE"
        .iter()
        .copied()
        .chain("0 HEAD\n1 CHAR UNICODE\n0 TRLR\n".encode_utf16().flat_map(u16::to_le_bytes))
        .collect();
    let facts = &json(&run_with(&["info", "--format", "json", "-"], &wide))[0];
    let encoding = &facts["encoding"];
    assert_eq!((&encoding["detected"], &encoding["used"]), (&json!("UTF-16LE"), &json!("UTF-16LE")));
    assert_eq!((&encoding["detected_by"], &encoding["bom"]), (&json!("byte-order-mark"), &json!(true)));
    let forced = run_with(&["info", "--format", "json", "--encoding", "utf-16le", "-"], &wide);
    assert_eq!(json(&forced)[0]["encoding"]["because"], "forced");
}

#[test]
fn the_schema_is_that_of_the_file_or_the_one_asked_for() {
    let path = file("shoes.ged");
    let schema = |args: &[&str]| {
        let facts = json(&run(&[&["info", "--format", "json"], args, &[&path]].concat()))[0].clone();
        (facts["schema"].clone(), facts["types"].clone())
    };
    let shoe = "https://e.example/Shoe";
    let own = schema(&[]);
    assert_eq!((&own.0, &own.1[shoe]), (&json!("header"), &json!(1)));
    let built_in = schema(&["--schema", "published"]);
    assert_eq!((&built_in.0, &built_in.1[shoe]), (&json!("published"), &Value::Null));
    let family = file("family.ged");
    let output = run(&["info", "--format", "json", "--schema", &path, &family]);
    let facts = &json(&output)[0];
    assert_eq!(facts["types"], json!({"https://terms.fhiso.org/elf/INDIVIDUAL_RECORD": 1}));
    assert_eq!(status(&run(&["info", "--schema", &family, &path])), 2);
    assert_eq!(status(&run(&["info", "--schema", "nowhere.ged", &path])), 2);
    assert_eq!(status(&run(&["info", "--schema", "https://e.example/schema", &path])), 2);
}
