//! Editing a document whose reading the rules ended, and a document whose encoding follows from its bytes.

use super::*;
use elf_edit::{EditOptions, Edited};

/// Removes the records with an identifier, where the file may be incomplete.
fn without(octets: &[u8], rules: &Rules, xref: &str) -> Result<Vec<u8>, EditError> {
    let document = read_file(octets, rules);
    let mut editor = Editor::new(&document).with_options(EditOptions::new().with_partial(true));
    for record in document.records().filter(|record| record.xref() == Some(xref)) {
        editor.remove(editor.structure(record)?)?;
    }
    editor.finish_quietly().map(|edited| edited.octets.into_owned())
}

#[test]
fn the_lines_after_the_end_of_the_reading_are_removed() {
    let file = b"0 HEAD\n0 @I1@ INDI\n1 NAME Ada\nno line\n0 @I2@ INDI\n0 TRLR\n";
    let kept = without(file, D19, "").expect("a file");
    assert_eq!(kept, b"0 HEAD\n0 @I1@ INDI\n1 NAME Ada\n");
    assert_eq!(without(file, D19, "I1").expect("a file"), b"0 HEAD\n");
    let document = read_file(file, D19);
    let mut editor = Editor::new(&document);
    assert_eq!(editor.rename("I1", "I2"), Err(EditError::Incomplete));
}

#[test]
fn a_file_that_would_be_read_in_another_encoding_is_refused() {
    // Enough accents in Windows-1252 for the encoding to be detected; the rest of the file is UTF-8.
    let many =
        "1 NOTE \u{e9}t\u{e9} \u{e8}re \u{e7}a \u{ea}tre \u{e0} l\u{e0} no\u{eb}l \u{f4}ter \u{e9}crit\n"
            .repeat(20);
    let text =
        format!("0 HEAD\n1 CHAR ASCII\n0 @I1@ INDI\n{many}0 @I2@ INDI\n1 NOTE M\u{c3}\u{bc}ller\n0 TRLR\n");
    let octets: Vec<u8> = text.chars().map(|c| u8::try_from(u32::from(c)).expect("Latin-1")).collect();
    let result = without(&octets, WILD, "I1");
    assert!(matches!(result, Err(EditError::EncodingChanged { .. })), "{result:?}");
    assert!(without(&octets, WILD, "I2").is_ok());
}

#[test]
fn ascii_reads_the_same_in_another_encoding() {
    let file = b"0 HEAD\n1 CHAR ASCII\n0 @I1@ INDI\n1 NOTE \xE9t\xE9 d\xE9j\xE0\n0 @I2@ INDI\n0 TRLR\n";
    let kept = without(file, WILD, "I1").expect("a file");
    assert_eq!(kept, b"0 HEAD\n1 CHAR ASCII\n0 @I2@ INDI\n0 TRLR\n");
}

#[test]
fn finishing_quietly_makes_the_same_file() {
    let document = read_file(FILE.as_bytes(), WILD);
    let mut editor = Editor::new(&document);
    editor.apply(&set("@I1@/NAME[1]", "Ada"), &mut ()).expect("a good edit");
    let Edited { octets, patches, .. } = editor.finish(&mut ()).expect("a good edit");
    let quiet = editor.finish_quietly().expect("a good edit");
    assert_eq!((quiet.octets, quiet.patches), (octets, patches));
}
