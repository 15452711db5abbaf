//! Definition, references, highlights and rename.

use crate::editor::{Editor, able, about, applied};
use serde_json::{Value, json};

const URI: &str = "untitled:tree";

const TEXT: &str = "0 HEAD\n1 CHAR UTF-8\n0 @I1@ INDI\n1 NAME \u{1D11E} /Clef/\n1 FAMS @F1@\n0 @F1@ FAM\n1 HUSB @I1@\n\
    1 WIFE @I9@\n0 TRLR\n";

fn starts(places: &Value) -> Vec<(u64, u64)> {
    let start = |place: &Value| {
        let range = if place["location"].is_null() { &place["range"] } else { &place["location"]["range"] };
        (
            range["start"]["line"].as_u64().expect("a line"),
            range["start"]["character"].as_u64().expect("a column"),
        )
    };
    places.as_array().expect("places").iter().map(start).collect()
}

#[test]
fn pointers_lead_to_records_and_back() {
    let mut editor = Editor::start(able());
    editor.open_and_wait(URI, TEXT);
    let definition = editor.at("textDocument/definition", URI, (4, 9));
    assert_eq!(starts(&definition), [(5, 3)]);
    // On the record itself, behind the identifier, and on an unresolved pointer.
    assert_eq!(starts(&editor.at("textDocument/definition", URI, (5, 6))), [(5, 3)]);
    assert_eq!(editor.at("textDocument/definition", URI, (7, 9)), json!(null));
    assert_eq!(editor.at("textDocument/definition", URI, (3, 3)), json!(null));

    let mut references = |with: bool| {
        let mut params = about(URI, (2, 4));
        params["context"] = json!({ "includeDeclaration": with });
        starts(&editor.request("textDocument/references", params))
    };
    assert_eq!(references(false), [(6, 8)]);
    assert_eq!(references(true), [(2, 3), (6, 8)]);
    assert_eq!(starts(&editor.at("textDocument/documentHighlight", URI, (6, 9))), [(2, 3), (6, 8)]);
}

#[test]
fn a_rename_updates_all_pointers() {
    let mut editor = Editor::start(able());
    editor.open_and_wait(URI, TEXT);
    let prepared = editor.at("textDocument/prepareRename", URI, (6, 9));
    assert_eq!(prepared["placeholder"], "I1");
    assert_eq!(prepared["range"]["start"], json!({ "line": 6, "character": 8 }));
    assert_eq!(editor.at("textDocument/prepareRename", URI, (3, 8)), json!(null));
    let mut rename = |at, name: &str| {
        let mut params = about(URI, at);
        params["newName"] = json!(name);
        editor.try_request("textDocument/rename", params)
    };
    for name in ["P7", "@P7@"] {
        let edit = rename((6, 9), name).expect("an edit");
        assert_eq!(applied(&edit, URI, TEXT), TEXT.replace("@I1@", "@P7@"));
        assert_eq!(edit["documentChanges"][0]["edits"].as_array().map(Vec::len), Some(2));
    }
    for (at, name) in [((6, 9), "F1"), ((6, 9), "a b"), ((7, 9), "P7"), ((3, 8), "P7")] {
        assert!(rename(at, name).is_err(), "{at:?} {name}");
    }
}

#[test]
fn a_rename_in_a_buffer_that_says_ansel_keeps_its_letters() {
    let text = TEXT.replace("UTF-8", "ANSEL").replace("Clef", "Cléf");
    let mut editor = Editor::start(able());
    editor.open_and_wait(URI, &text);
    let mut params = about(URI, (2, 4));
    params["newName"] = json!("P7");
    let edit = editor.request("textDocument/rename", params);
    assert_eq!(applied(&edit, URI, &text), text.replace("@I1@", "@P7@"));
}

#[test]
fn a_pointer_to_nothing_leads_nowhere_and_is_not_renamed() {
    let text = "0 HEAD\n1 GEDC\n2 VERS 7.0\n0 @I1@ INDI\n1 FAMC @VOID@\n0 TRLR\n";
    let mut editor = Editor::start(able());
    editor.open_and_wait(URI, text);
    let hover = editor.at("textDocument/hover", URI, (4, 9));
    assert_eq!(hover["contents"]["value"], "`@VOID@`: points to nothing on purpose");
    // Editors show errors, and look for a definition whenever the mouse moves.
    assert_eq!(editor.at("textDocument/definition", URI, (4, 9)), Value::Null);
    let mut rename = about(URI, (4, 9));
    rename["newName"] = json!("I2");
    for (method, params) in
        [("textDocument/prepareRename", about(URI, (4, 9))), ("textDocument/rename", rename)]
    {
        let refused = editor.try_request(method, params).expect_err("a refusal");
        assert_eq!(refused.message, "`@VOID@` points to nothing on purpose", "{method}");
    }
    // Under other standards, too, no record may be called so.
    for text in [text, TEXT] {
        editor.open_and_wait(URI, text);
        let line = text.lines().position(|line| line.starts_with("0 @I1@")).expect("a person");
        let mut rename = about(URI, (u32::try_from(line).expect("a line"), 4));
        rename["newName"] = json!("@VOID@");
        let refused = editor.try_request("textDocument/rename", rename).expect_err("a refusal");
        assert!(refused.message.contains("read `@VOID@` as a pointer to nothing"), "{}", refused.message);
    }
}

#[test]
fn an_identifier_that_cannot_be_renamed_is_refused_at_once() {
    let text =
        "0 HEAD\n1 CHAR UTF-8\n0 @I1@ INDI\n1 FAMS @F1@\n1 FAMC @F9@\n0 @F1@ FAM\n0 @F1@ FAM\n0 TRLR\n";
    let mut editor = Editor::start(able());
    editor.open_and_wait(URI, text);
    for (at, reason) in [
        ((3, 9), "several records have the identifier `@F1@`"),
        ((5, 4), "several records have the identifier `@F1@`"),
        ((4, 9), "no record has the identifier `@F9@`"),
    ] {
        let mut rename = about(URI, at);
        rename["newName"] = json!("F2");
        for (method, params) in
            [("textDocument/prepareRename", about(URI, at)), ("textDocument/rename", rename)]
        {
            let refused = editor.try_request(method, params).expect_err("a refusal");
            assert_eq!(refused.message, reason, "{method} {at:?}");
        }
    }
    for (at, expected) in [
        ((3, 9), "`@F1@`: several records have this identifier"),
        ((4, 9), "`@F9@`: no record has this identifier"),
    ] {
        let hover = editor.at("textDocument/hover", URI, at);
        let value = hover["contents"]["value"].as_str().expect("a text");
        assert_eq!(value.split("\n\n---").next(), Some(expected));
    }
}

#[test]
fn a_record_called_like_a_pointer_to_nothing_is_renamed() {
    let text = "0 HEAD\n1 GEDC\n2 VERS 7.0\n0 @VOID@ INDI\n0 TRLR\n";
    let mut editor = Editor::start(able());
    editor.open_and_wait(URI, text);
    let mut rename = about(URI, (3, 4));
    rename["newName"] = json!("I2");
    let edit = editor.request("textDocument/rename", rename);
    assert_eq!(applied(&edit, URI, text), text.replace("VOID", "I2"));
}
