//! `elf match`: formats, decisions and exit statuses.

use crate::shell::{json, run, run_with, status, stderr, stdout};
use serde_json::json;

const FAMILY: &str = "0 HEAD\n1 CHAR UTF-8\n0 @I1@ INDI\n1 NAME Karl /Müller/\n1 SEX M\n1 BIRT\n2 DATE 3 MAR 1850\n2 PLAC Wien\n\
    1 DEAT\n2 DATE 1911\n0 @I2@ INDI\n1 NAME Carl /Müller/\n1 SEX M\n1 BIRT\n2 DATE 3 MAR 1850\n2 PLAC Linz\n\
    0 @I3@ INDI\n1 NAME Max /Huber/\n0 TRLR\n";

const HEADER: &str = "score,decision,a_file,a_id,a_name,a_birth,a_death,b_file,b_id,b_name,b_birth,b_death,agree,similar,differ\r\n";

#[test]
fn each_field_is_in_json_and_csv() {
    let output = run_with(&["match", "-", "--format", "json"], FAMILY.as_bytes());
    let mut found = json(&output);
    let score = found[0]["score"].take().as_f64().expect("a number");
    assert!((0.8..=1.0).contains(&score), "{score}");
    let expected = json!({"score": null,
        "a": {"file": "-", "id": "I1", "name": "Karl Müller", "birth": "3 MAR 1850", "death": "1911"},
        "b": {"file": "-", "id": "I2", "name": "Carl Müller", "birth": "3 MAR 1850"},
        "agree": ["surname", "sex", "birth"], "similar": ["given"], "differ": ["birth_place"]});
    assert_eq!((status(&output), found), (0, vec![expected]));
    let output = run_with(&["match", "-", "--format", "csv"], FAMILY.as_bytes());
    let text = stdout(&output);
    assert!(
        text.starts_with(&format!(
            "{HEADER}{score},,-,I1,Karl Müller,3 MAR 1850,1911,-,I2,Carl Müller,3 MAR 1850,,"
        )),
        "{text}"
    );
    assert!(text.ends_with(",surname;sex;birth,given,birth_place\r\n"), "{text}");
    let output = run_with(&["match", "-"], FAMILY.as_bytes());
    assert!(stdout(&output).contains("@I1@ Karl Müller, * 3 MAR 1850, † 1911"), "{}", stdout(&output));
    for format in ["human", "json", "csv"] {
        let output = run_with(&["match", "-", "--at-least", "1", "--format", format], FAMILY.as_bytes());
        assert_eq!(
            (status(&output), stdout(&output).as_str()),
            (0, if format == "csv" { HEADER } else { "" })
        );
    }
}

#[test]
fn decisions_of_an_earlier_run_count() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name).to_string_lossy().into_owned();
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).expect("a file");
    write("a.ged", FAMILY);
    write("b.ged", &FAMILY.replace("@I", "@X"));
    let [a, b, pairs] = ["a.ged", "b.ged", "pairs.csv"].map(path);
    assert_eq!(status(&run(&["match", &a, &b, "--format", "csv", "-o", &pairs])), 0);
    let table = std::fs::read_to_string(&pairs).expect("a table");
    assert_eq!(table.lines().count(), 5, "{table}");
    let first = table.lines().nth(1).expect("a row");
    let of = |decision: &str| format!("{HEADER}{}\r\n", first.replacen(",,", &format!(",{decision},"), 1));
    write("pairs.csv", &of("different"));
    let output = run(&["match", &a, &b, "--format", "csv", "--decided", &pairs]);
    assert_eq!((status(&output), stdout(&output).lines().count()), (0, 4), "{}", stderr(&output));
    write(
        "pairs.csv",
        "\u{feff}a_id;b_id;a_file;b_file;decision\r\n@I3@;X1;a.ged;b.ged;Same\r\nI3;X3;a.ged;b.ged;\r\n",
    );
    let output = run(&["match", &a, &b, "--at-least", "1", "--format", "json", "--decided", &pairs]);
    let found = json(&output);
    let decided: Vec<_> = found.iter().filter(|pair| pair["a"]["id"] == "I3").collect();
    assert_eq!((status(&output), decided.len()), (0, 1), "{found:?}");
    assert_eq!((&decided[0]["score"], &decided[0]["b"]["id"]), (&json!(1.0), &json!("X1")));
    for wrong in ["", "a,b\r\n", &of("maybe"), "decision,a_file,a_id,b_file,b_id\r\nsame,a.ged,,b.ged,X1\r\n"]
    {
        write("pairs.csv", wrong);
        let output = run(&["match", &a, &b, "--decided", &pairs]);
        assert_eq!((status(&output), stdout(&output).as_str()), (2, ""), "{wrong}");
    }
    // A file and itself are one file.
    let output = run(&["match", &a, &a, "--format", "json"]);
    assert_eq!((status(&output), json(&output).len()), (0, 1));
    let output = run(&["match", &folder.path().to_string_lossy(), "--format", "json"]);
    assert_eq!((status(&output), json(&output).len()), (0, 6), "{}", stdout(&output));
    for args in [
        &["match", &a, "--at-least", "1.5"][..],
        &["match", &a, "--at-least", "x"],
        &["match", "no-such-file.ged"],
    ] {
        assert_eq!(status(&run(args)), 2, "{args:?}");
    }
}
