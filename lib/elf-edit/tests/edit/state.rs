//! Handles of structures, and the state of a file with the edits made so far.

use super::*;
use elf_edit::EditOptions;
use elf_tagged::Payload;

#[test]
fn structures_of_another_editor_or_document_are_refused() {
    let file: &[u8] = b"0 HEAD\n1 CHAR UTF-8\n0 @X1@ NOTE secret\n0 TRLR\n";
    let documents = [read_file(file, WILD), read_file(file, WILD)];
    let [one, mut other] = documents.each_ref().map(Editor::new);
    let here = one.structure(one.document().records().next().expect("a record")).expect("its own");
    assert_eq!(other.remove(here), Err(EditError::Foreign));
    assert_eq!(other.structure(one.document().records().next().expect("a record")), Err(EditError::Foreign));
    assert_eq!(other.tag(here), Err(EditError::Foreign));
    assert_eq!(other.finish(&mut ()).expect("nothing changed").octets, file);
}

#[test]
fn the_state_after_edits_can_be_read() {
    let file: &[u8] = b"0 HEAD\n1 CHAR UTF-8\n0 @I1@ INDI\n1 NAME A\n1 FAMS @F1@\n0 @F1@ FAM\n0 TRLR\n";
    let document = read_file(file, &Rules::WILD);
    let mut editor = Editor::new(&document);
    let person = editor.find_one(&path("@I1@"), &mut ()).expect("it stands there");
    let name = editor.find_one(&path("@I1@/NAME"), &mut ()).expect("it stands there");
    editor.set(name, "B").expect("a text");
    editor.set_tag(name, "ALIA").expect("a tag");
    let note = editor.insert(Some(person), None, "NOTE", "new", None).expect("there is room");
    editor.rename("F1", "F9").expect("it is free");
    assert_eq!((editor.tag(name), editor.payload(name)), (Ok("ALIA"), Ok(Payload::Text("B".into()))));
    assert_eq!(editor.superstructure(note), Ok(Some(person)));
    let beneath = editor.substructures(person).expect("it stands");
    let payloads: Vec<_> = beneath.iter().map(|&item| editor.payload(item)).collect();
    assert_eq!(
        payloads,
        [Ok(Payload::Text("B".into())), Ok(Payload::Pointer("F9")), Ok(Payload::Text("new".into()))]
    );
    assert_eq!((editor.xref(person), editor.superstructure(person)), (Ok(Some("I1")), Ok(None)));
    editor.remove(name).expect("it stands");
    assert_eq!(editor.tag(name), Err(EditError::Removed));
}

#[test]
fn structures_added_after_a_checkpoint_are_gone_after_a_roll_back() {
    let file: &[u8] = b"0 HEAD\n1 CHAR UTF-8\n0 @I1@ INDI\n1 FAMS @F1@\n0 @F1@ FAM\n1 HUSB @I1@\n0 TRLR\n";
    let document = read_file(file, WILD);
    let mut editor = Editor::new(&document).with_options(EditOptions::new());
    let person = editor.find_one(&path("@I1@"), &mut ()).expect("a person");
    let kept = editor.insert(Some(person), None, "NOTE", "kept", None).expect("there is room");
    let before = editor.checkpoint();
    let lost = editor.insert(None, Some("I2"), "INDI", Value::None, None).expect("there is room");
    editor.remove(person).expect("it stands");
    editor.roll_back(&before).expect("its own");
    assert_eq!((editor.tag(person), editor.tag(kept)), (Ok("INDI"), Ok("NOTE")));
    assert_eq!(editor.tag(lost), Err(EditError::Removed));
    // The identifier is free again, and the number of the lost structure is not that of another one.
    let again = editor.insert(None, Some("I2"), "INDI", Value::None, None).expect("it is free");
    assert_eq!((editor.tag(lost), editor.xref(again)), (Err(EditError::Removed), Ok(Some("I2"))));
    let other = Editor::new(&document).checkpoint();
    assert_eq!(editor.roll_back(&other), Err(EditError::Foreign));
}

/// Readers by `wild` take U+0092 in UTF-8 for a quotation mark, so it is escaped, or refused where there are
/// no escapes.
#[test]
fn controls_that_readers_mistake_are_escaped_or_refused() {
    let of =
        |version: &str| format!("0 HEAD\n1 GEDC\n2 VERS {version}\n1 CHAR UTF-8\n0 INDI\n1 NOTE x\n0 TRLR\n");
    let set = |file: &str, options: EditOptions, text: &str| -> Result<String, EditError> {
        let document = read_file(file.as_bytes(), WILD);
        let editor = Editor::new(&document);
        let mut editor = editor.with_options(options);
        let note = editor.find_one(&path("INDI/NOTE"), &mut ())?;
        editor.set(note, text)?;
        Ok(String::from_utf8(editor.finish(&mut ())?.octets.into_owned()).expect("UTF-8"))
    };
    let (old, new) = (of("5.5.1"), of("7.0"));
    let escaped = set(&old, EditOptions::new(), "O\u{92}N").expect("escapes");
    assert!(escaped.contains("1 NOTE O@#U92@N\n"), "{escaped}");
    assert!(matches!(set(&new, EditOptions::new(), "O\u{92}N"), Err(EditError::Unencodable(_))));
    let mut options = EditOptions::new();
    options.escape = false;
    assert!(matches!(set(&old, options, "O\u{92}N"), Err(EditError::Unencodable(_))));
    // Windows has no character at 81, so readers keep the control, and it stands as it is.
    let kept = set(&old, options, "a\u{81}b").expect("as it is");
    assert!(kept.contains("1 NOTE a\u{81}b\n"), "{kept}");
    // GEDCOM 7 has no controls.
    assert!(matches!(set(&new, options, "a\u{81}b"), Err(EditError::Unencodable(_))));
}

/// The line of a structure stays its first, whatever text comes before what it held.
#[test]
fn text_can_come_before_what_a_payload_held() {
    for (old, new, lines) in [
        ("", "e\n", "0 NOTE e\n1 CONT\n"),
        ("", "a\nb\n", "0 NOTE a\n1 CONT b\n1 CONT\n"),
        (" a", "x\na", "0 NOTE x\n1 CONT a\n"),
        (" a\n1 CONT b", "x\na\nb", "0 NOTE x\n1 CONT a\n1 CONT b\n"),
    ] {
        for rules in Rules::PRESETS {
            let file = format!("0 HEAD\n1 CHAR UTF-8\n0 NOTE{old}\n0 TRLR\n");
            let document = read_file(file.as_bytes(), rules);
            let mut editor = Editor::new(&document);
            let note = editor.find_one(&path("NOTE"), &mut ()).expect("it stands there");
            editor.set(note, new).expect("a text");
            let edited = editor.finish(&mut ()).expect("it can be written");
            let text = String::from_utf8(edited.octets.into_owned()).expect("UTF-8");
            // Some drafts tell an empty payload from none.
            let text = text.replace("CONT \n", "CONT\n");
            assert_eq!(text, format!("0 HEAD\n1 CHAR UTF-8\n{lines}0 TRLR\n"), "{}", rules.name);
        }
    }
}
