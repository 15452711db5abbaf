//! Identifiers that edits give.

use super::*;

#[test]
fn identifiers_are_renamed_with_their_pointers() {
    let expected = FILE.replace("@I1@", "@P-1@");
    assert_eq!(edited(FILE, &[rename("I1", "P-1")]), expected);
    assert_eq!(edited(FILE, &[rename("I1", "X"), rename("X", "I1")]), FILE);
    let swap = [rename("I1", "T"), rename("F1", "I1"), rename("T", "F1")];
    assert_eq!(
        edited(FILE, &swap),
        FILE.replace("@I1@", "@_@").replace("@F1@", "@I1@").replace("@_@", "@F1@")
    );
    let added =
        [point("@I1@/NOTE", "I1"), insert("@I1@/ASSO", ""), point("@I1@/ASSO", "I1"), rename("I1", "Z")];
    assert_eq!(edited(FILE, &added).matches("@Z@").count(), 4);
    assert_eq!(refused(FILE, &[rename("I1", "F1")]), EditError::XrefTaken { xref: "F1".to_owned() });
    assert_eq!(refused(FILE, &[rename("I2", "F2")]), EditError::XrefUnknown { xref: "I2".to_owned() });
    assert_eq!(refused(FILE, &[rename("I1", "a@b")]), EditError::Xref { xref: "a@b".to_owned() });
    // Blanks around a pointer are kept, and so is the rest of the line.
    let blanks = "0 HEAD\n0  @I1@   INDI\n1 FAMC  @I1@ \n0 TRLR\n";
    assert_eq!(edited(blanks, &[rename("I1", "I2")]), blanks.replace("I1", "I2"));
}

#[test]
fn an_identifier_that_the_rules_report_is_not_given() {
    for (rules, reported) in
        [(WILD, "I(2)"), (&Rules::JULY_2017, "I\u{e9}"), (&Rules::OCTOBER_2017, "I\u{e9}")]
    {
        let file =
            format!("0 HEAD\n1 CHAR UTF-8\n0 @I1@ INDI\n1 ALIA @{reported}@\n0 @{reported}@ INDI\n0 TRLR\n");
        let document = read_file(file.as_bytes(), rules);
        let mut editor = Editor::new(&document);
        let new = format!("{reported}3");
        for edit in [rename("I1", &new), insert(&format!("@{new}@ NOTE"), "x"), rename(reported, &new)] {
            let refused = EditError::Xref { xref: new.clone() };
            assert_eq!(editor.apply(&edit, &mut ()), Err(refused), "by {}: {edit:?}", rules.name);
        }
        // One that the file has is pointed to, and exchanged for another.
        editor.apply(&point("@I1@/ALIA", reported), &mut ()).expect("one that is borne");
        editor.apply(&rename(reported, "I2"), &mut ()).expect("one that conforms");
        let edited = editor.finish(&mut ()).expect("good edits");
        assert_eq!(
            String::from_utf8_lossy(&edited.octets),
            file.replace(reported, "I2"),
            "by {}",
            rules.name
        );
    }
}

#[test]
fn no_structure_is_called_like_a_pointer_to_nothing() {
    for head in ["", "1 GEDC\n2 VERS 5.5.1\n", "1 GEDC\n2 VERS 7.0\n"] {
        let file = format!("0 HEAD\n{head}0 @I1@ INDI\n0 TRLR\n");
        for edit in [rename("I1", "VOID"), insert("@VOID@ NOTE", "x")] {
            assert_eq!(refused(&file, &[edit]), EditError::XrefVoid, "{head}");
        }
    }
}

#[test]
fn a_record_called_like_a_pointer_to_nothing_is_reached_and_no_pointer_follows_it() {
    let seven = "0 HEAD\n1 GEDC\n2 VERS 7.0\n0 @VOID@ INDI\n1 SEX F\n0 @F1@ FAM\n1 HUSB @VOID@\n0 TRLR\n";
    assert_eq!(edited(seven, &[rename("VOID", "I9")]), seven.replace("@VOID@ INDI", "@I9@ INDI"));
    assert_eq!(edited(seven, &[set("@VOID@/SEX", "M")]), seven.replace("SEX F", "SEX M"));
    let removed = seven.replace("0 @VOID@ INDI\n1 SEX F\n", "");
    assert_eq!(edited(seven, &[remove("@VOID@")]), removed);
}
