//! Findings that were there before the edits are not theirs, wherever they stand afterwards.

use super::*;

const O17: &Rules = &Rules::OCTOBER_2017;
const E17: &Rules = &Rules::JULY_2017;
const RDX: &Rules = &Rules::DECLARATIVE;

/// Returns the codes of what the edits bring about in a file of these lines.
fn news(lines: &str, rules: &Rules, edits: &[Edit]) -> Vec<&'static str> {
    let file = format!("0 HEAD\n1 CHAR UTF-8\n{lines}0 TRLR\n");
    edit(file.as_bytes(), rules, edits).expect("good edits").1
}

#[test]
fn substructures_of_a_continuation_are_no_news_when_it_is_spelled_anew() {
    // CONC becomes CONT: what is under it stood under it before.
    let lines = "0 @I1@ INDI\n1 NOTE a\n2 CONC b\n3 DATE x\n";
    assert_eq!(news(lines, WILD, &[set("@I1@/NOTE", "a\nc")]), [""; 0]);
    assert_eq!(news(lines, O17, &[set("@I1@/NOTE", "a\nc")]), [""; 0]);
}

#[test]
fn a_level_too_deep_moves_with_its_structure() {
    let lines = "0 @I1@ INDI\n1 BIRT\n1 NOTE a\n4 DATE x\n";
    for rules in [WILD, E17] {
        // The message names other levels then.
        assert_eq!(news(lines, rules, &[r#move("@I1@/NOTE", "@I1@/BIRT/NOTE")]), [""; 0]);
        // The next one is too deep in its place.
        let siblings = "0 @I1@ INDI\n1 NOTE a\n4 DATE x\n4 PLAC y\n";
        assert_eq!(news(siblings, rules, &[remove("@I1@/NOTE/DATE")]), [""; 0]);
    }
}

#[test]
fn a_level_too_deep_stays_when_lines_come_before_it() {
    let lines = "0 @I1@ INDI\n1 NOTE a\n4 DATE x\n";
    assert_eq!(news(lines, RDX, &[insert("@N2@ NOTE[1]", "b"), insert("@I1@/NOTE[1]", "c")]), [""; 0]);
}

#[test]
fn the_count_of_line_breaks_is_no_news() {
    let file = b"0 HEAD\r\n1 CHAR UTF-8\r\n0 @I1@ INDI\n1 NOTE a\r\n0 TRLR\r\n";
    let (octets, codes) = edit(file, WILD, &[set("@I1@/NOTE", "a\nb")]).expect("good edits");
    assert_eq!(octets, b"0 HEAD\r\n1 CHAR UTF-8\r\n0 @I1@ INDI\n1 NOTE a\r\n2 CONT b\r\n0 TRLR\r\n");
    assert_eq!(codes, [""; 0]);
}

#[test]
fn the_lines_beneath_a_continuation_keep_their_findings_when_they_move() {
    let lines = "0 @I1@ INDI\n1 BIRT\n1 NOTE a\n2 CONT b\n3 DATE c@d\n3 DATE @#x@\n";
    assert_eq!(news(lines, O17, &[r#move("@I1@/NOTE", "@I1@/BIRT/NOTE")]), [""; 0]);
}

#[test]
fn a_repeated_identifier_and_a_missing_trailer_stay_what_they_are() {
    let file = "0 HEAD\n0 @I1@ INDI\n1 SEX M\n0 @I1@ INDI\n1 SEX F\n0 @I2@ INDI\n";
    let edits = [r#move("INDI[1]", "INDI[3]"), insert("@N1@ NOTE", "x")];
    let (_, codes) = edit(file.as_bytes(), WILD, &edits).expect("good edits");
    assert_eq!(codes, [""; 0]);
}

#[test]
fn a_fault_of_one_structure_does_not_excuse_that_of_another() {
    // One pointer to nothing goes; another one leads to nothing instead.
    let lines = "0 @I1@ INDI\n1 FAMC @F9@\n0 @I2@ INDI\n1 FAMC @F1@\n0 @F1@ FAM\n";
    let edits = [remove("@I1@/FAMC"), remove("@F1@")];
    assert_eq!(news(lines, WILD, &edits), ["E0327"]);
    // A language tag that is none is replaced by another one that is none.
    let lines = "0 @N1@ NOTE a\n1 PLANG !\n0 @N2@ NOTE b\n1 PLANG en\n";
    assert_eq!(news(lines, WILD, &[set("@N1@/PLANG", "de"), set("@N2@/PLANG", "!")]), ["E0331"]);
    assert_eq!(news(lines, WILD, &[set("@N1@/PLANG", "?")]), ["E0331"]);
}

#[test]
fn text_set_above_a_stray_continuation_is_told_of_what_that_makes_of_its_sibling() {
    // What continued the sibling, which had text, continues the note, now that it has text; so the sibling is
    // a pointer.
    let lines = "0 @I1@ INDI\n1 NOTE\n2 SOUR @I1@\n2 CONC\n";
    for rules in [O17, E17] {
        let file = format!("0 HEAD\n1 CHAR UTF-8\n{lines}0 TRLR\n");
        let document = read_file(file.as_bytes(), rules);
        let mut editor = Editor::new(&document);
        let sibling = editor.document().structures().find(|node| node.tag() == "SOUR").expect("a source");
        assert_eq!(sibling.pointer(), None);
        editor.apply(&set("@I1@/NOTE", "c"), &mut ()).expect("a good edit");
        let mut findings: Vec<Diagnostic> = Vec::new();
        let edited = editor.finish(&mut findings).expect("a good edit");
        let codes: Vec<_> = findings.iter().map(|finding| finding.code.id()).collect();
        assert_eq!((&*codes, edited.faults), (&["E0301"][..], 1));
        let again = elf_tagged::read(&edited.octets, rules, &Options::default(), &mut ()).expect("small");
        let sibling = again.structures().find(|node| node.tag() == "SOUR").expect("a source");
        assert_eq!(sibling.pointer(), Some("I1"));
    }
}
