//! `elf tree`: who is drawn, in which format, and with which exit status.

use crate::shell::{run_with, status, stderr, stdout};

/// A girl, her parents, and somebody without a family before them.
const FAMILY: &str = "0 HEAD\n1 CHAR UTF-8\n0 @I0@ INDI\n1 NAME Nobody\n0 @I10@ INDI\n1 NAME Ada /King/\n1 SEX F\n1 BIRT\n\
    2 DATE 10 DEC 1815\n0 @I20@ INDI\n1 NAME George /Byron/\n0 @F1@ FAM\n1 HUSB @I20@\n1 CHIL @I10@\n0 TRLR\n";

#[test]
fn the_first_with_a_family_is_drawn_where_nobody_is_named() {
    let output = run_with(&["tree", "-"], FAMILY.as_bytes());
    let expected = "Ancestors of Ada King\n\n┌─ George Byron @I20@\nAda King (* 1815) @I10@\n└─ ?\n";
    assert_eq!((status(&output), stdout(&output).as_str()), (0, expected));
    let told = "note: -: this is the tree of `@I10@`, Ada King, the first person with a family; name an identifier to draw another tree\n";
    assert_eq!(stderr(&output), told);
    let output = run_with(&["tree", "-", "@I20@"], FAMILY.as_bytes());
    let expected = "Descendants of George Byron\n\nGeorge Byron @I20@\n⚭\n└─ Ada King (* 1815) @I10@\n";
    assert_eq!((status(&output), stdout(&output).as_str(), stderr(&output).as_str()), (0, expected, ""));
}

#[test]
fn each_format_has_everybody() {
    let output = run_with(&["tree", "-", "I10", "--format", "json"], FAMILY.as_bytes());
    let expected = r#"{"tree":{"root":1,"up":4,"down":2,"persons":[{"number":1,"line":5,"id":"I10","name":"Ada King","sex":"F","years":"* 1815","generation":0},{"number":2,"line":10,"id":"I20","name":"George Byron","generation":-1}],"families":[{"id":"F1","partners":[2],"children":[{"person":1}]}],"left_out":0},"file":"-","complete":true}
"#;
    assert_eq!((status(&output), stdout(&output).as_str()), (0, expected));
    let output = run_with(&["tree", "-", "I10", "--format", "svg", "--width", "297"], FAMILY.as_bytes());
    assert_eq!(status(&output), 0);
    assert!(
        stdout(&output).contains("width=\"297mm\"") && stdout(&output).contains("Ada King, * 1815 (@I10@)")
    );
    let output = run_with(&["tree", "-", "I10", "--format", "dot"], FAMILY.as_bytes());
    assert!(stdout(&output).starts_with("digraph family {\n") && stdout(&output).contains("p1 -> f0"));
    let output = run_with(&["tree", "-", "I10", "--most", "1"], FAMILY.as_bytes());
    assert_eq!(
        (status(&output), stderr(&output).as_str()),
        (0, "note: -: left out 1 person further away; `--most` draws more\n")
    );
}

#[test]
fn who_is_not_there_is_not_drawn() {
    let output = run_with(&["tree", "-", "@I21@"], FAMILY.as_bytes());
    assert_eq!((status(&output), stdout(&output).as_str()), (2, ""));
    assert!(
        stderr(&output).contains("no person has the identifier `@I21@`; did you mean `I20`?"),
        "{}",
        stderr(&output)
    );
    let output = run_with(&["tree", "-", "@Nobody@"], FAMILY.as_bytes());
    assert!(stderr(&output).contains("lists all people"), "{}", stderr(&output));
    let output = run_with(&["tree", "-"], b"0 HEAD\n0 TRLR\n");
    assert_eq!((status(&output), stderr(&output).as_str()), (2, "error: -: no people in this file\n"));
}

#[test]
fn a_reading_that_the_rules_ended_is_told() {
    let broken = FAMILY.replace("0 @F1@ FAM", "9 @F1@ FAM");
    let output = run_with(&["tree", "-", "@I10@", "--rules", "2019-12"], broken.as_bytes());
    assert_eq!((status(&output), stdout(&output).as_str()), (1, "Ada King (* 1815) @I10@\n"));
    assert!(stderr(&output).contains("reading of - stopped early at line 12 (E0203)"), "{}", stderr(&output));
}

#[test]
fn pictures_have_pages_and_layouts() {
    let svg = |arguments: &[&str]| {
        let output =
            run_with(&[&["tree", "-", "I10", "--format", "svg"], arguments].concat(), FAMILY.as_bytes());
        assert_eq!((status(&output), stderr(&output).as_str()), (0, ""), "{arguments:?}");
        stdout(&output)
    };
    for (paper, size) in
        [("A4", "width=\"210mm\""), ("letter", "width=\"215.9mm\""), ("a4", "width=\"210mm\"")]
    {
        let picture = svg(&["--page", paper]);
        assert!(picture.contains(size) && picture.contains("@page"), "{picture}");
    }
    assert!(svg(&["--layout", "fan"]).contains(">Ancestors of Ada King</text>"));
    assert!(svg(&["--title", "Our <kings>"]).contains(">Our &lt;kings&gt;</text>"));
    assert!(!svg(&["--bare"]).contains("Family tree of Ada King</text>"));
    for wrong in [["--page", "A0"], ["--layout", "circle"], ["--format", "gif"]] {
        assert_eq!(
            status(&run_with(&[&["tree", "-"], &wrong[..]].concat(), FAMILY.as_bytes())),
            2,
            "{wrong:?}"
        );
    }
}

#[test]
fn png_and_pdf_are_written_by_builds_with_pictures() {
    for (format, start) in [("png", &b"\x89PNG"[..]), ("pdf", b"%PDF-")] {
        let output = run_with(&["tree", "-", "I10", "--format", format, "--page", "A4"], FAMILY.as_bytes());
        if cfg!(feature = "pictures") {
            assert_eq!((status(&output), stderr(&output).as_str()), (0, ""));
            assert!(output.stdout.starts_with(start), "{format}");
        } else {
            assert_eq!((status(&output), output.stdout.len()), (2, 0));
            assert!(stderr(&output).contains("--features pictures"), "{}", stderr(&output));
        }
    }
}
