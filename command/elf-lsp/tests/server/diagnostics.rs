//! Findings: when they come, where they are, and which there are.

#![allow(clippy::disallowed_methods, reason = "the server reads files that these tests write")]

use crate::editor::{Editor, able, about, applied, codes, offset, uri_in};
use serde_json::{Value, json};
use std::fs;

const URI: &str = "untitled:tree";

fn found(expected: &[(&str, u64, u64)]) -> Vec<(String, u64, u64)> {
    expected.iter().map(|(code, line, column)| ((*code).to_owned(), *line, *column)).collect()
}

#[test]
fn findings_have_the_columns_of_the_client() {
    let text = "0 HEAD\n1 CHAR UTF-8\n0 @I1@ INDI\n1 NAME \u{1D11E}\u{1D11E} a@b\n0 TRLR\n";
    for (encodings, expected) in [
        (json!(null), 13),
        (json!(["utf-16"]), 13),
        (json!(["utf-8", "utf-16"]), 17),
        (json!(["utf-32"]), 11),
    ] {
        let mut editor = Editor::start(json!({ "general": { "positionEncodings": encodings } }));
        let diagnostics = editor.open_and_wait(URI, text);
        assert_eq!(codes(&diagnostics), found(&[("E0326", 3, expected)]), "{encodings}");
        assert_eq!(diagnostics[0]["range"]["end"]["character"], expected + 1);
        assert_eq!(diagnostics[0]["source"], "elf");
    }
}

#[test]
fn only_the_last_of_quick_changes_is_checked() {
    let mut editor = Editor::start(able());
    editor.open_and_wait(URI, "0 HEAD\n1 CHAR UTF-8\n0 TRLR\n");
    let wrong = "0 HEAD\n1 CHAR UTF-8\n0 @I1@ INDI\n3 NAME Ada\n0 TRLR\n";
    for version in 2..20 {
        editor.replace_all(URI, version, wrong);
    }
    editor.replace_all(URI, 20, "0 HEAD\n1 CHAR UTF-8\n0 @I1@ INDI\n1 NAME Ada\n0 TRLR\n");
    let first = editor.next("textDocument/publishDiagnostics");
    assert_eq!((&first["version"], &first["diagnostics"]), (&json!(20), &json!([])));
}

#[test]
fn changes_during_a_check_outdate_its_result() {
    let mut editor = Editor::start(able());
    let mut text = "0 HEAD\n1 CHAR UTF-8\n".to_owned();
    (0..20_000).for_each(|number| text += &format!("0 @I{number}@ INDI\n3 NAME Ada\n"));
    text += "0 TRLR\n";
    editor.open(URI, &text);
    // The check of version 1 takes longer than this change.
    editor.replace_all(URI, 2, "0 HEAD\n1 CHAR UTF-8\n0 TRLR\n");
    editor.at("textDocument/hover", URI, (0, 3));
    let first = editor.next("textDocument/publishDiagnostics");
    assert_eq!((&first["version"], &first["diagnostics"]), (&json!(2), &json!([])));
}

#[test]
fn a_thousand_findings_are_shown_the_worst_first() {
    let mut text = "0 HEAD\n1 CHAR UTF-8\n0 @I1@ INDI\n".to_owned();
    text += &"1 NOTE a@b\n".repeat(1_500);
    text += "9 NAME Ada\n0 TRLR\n";
    let mut editor = Editor::start(able());
    let diagnostics = editor.open_and_wait(URI, &text);
    assert_eq!(diagnostics.len(), 1_001);
    assert!(diagnostics.iter().any(|one| one["code"] == "E0203"));
    let last = diagnostics[1_000]["message"].as_str().expect("a message");
    assert_eq!(last, "502 more findings are not shown; `elf check --all` lists all");
}

#[test]
fn a_buffer_is_text_whatever_char_says() {
    let text = "0 HEAD\n1 CHAR ANSEL\n0 @I1@ INDI\n1 NAME Jos\u{e9}\n0 TRLR\n";
    let mut editor = Editor::start(able());
    assert_eq!(codes(&editor.open_and_wait(URI, text)), []);

    // The bytes on disk are ANSEL, as CHAR says: that is deprecated. The editor shows a wrong character.
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("tree.ged");
    let ansel = b"0 HEAD\n1 CHAR ANSEL\n0 @I1@ INDI\n1 NAME Jos\xE2e\n0 TRLR\n";
    fs::write(&path, ansel).expect("a file");
    let uri = uri_in(folder.path(), "tree.ged");
    let shown = String::from_utf8_lossy(ansel).into_owned();
    let diagnostics = editor.open_and_wait(&uri, &shown);
    assert_eq!(codes(&diagnostics), found(&[("none", 0, 0), ("none", 3, 10), ("E0117", 1, 7)]));
    let message = diagnostics[0]["message"].as_str().expect("a message");
    assert!(message.starts_with("the file is in ANSEL, and the editor shows wrong characters"), "{message}");
    assert!(message.contains("convert the file to UTF-8 first"), "{message}");
    let severities: Vec<&Value> = diagnostics.iter().map(|one| &one["severity"]).collect();
    assert_eq!(severities, [1, 2, 3]);

    // On every line, a code action offers the command, which replaces the text by the right one.
    for line in 0..4 {
        let actions = editor.actions(&uri, line, &diagnostics);
        let [action] = &actions[..] else { panic!("{actions:?}") };
        assert_eq!((&action["isPreferred"], &action["kind"]), (&json!(true), &json!("quickfix")));
        assert_eq!(action["diagnostics"].as_array().map(Vec::len), Some(3));
    }
    let actions = editor.actions(&uri, 1, &diagnostics);
    let command = &actions[0]["command"];
    assert_eq!(command["command"], "elf.saveAsUtf8");
    editor.request("workspace/executeCommand", command.clone());
    let edit = editor.next("workspace/applyEdit")["edit"].clone();
    let right = "0 HEAD\n1 CHAR UTF-8\n0 @I1@ INDI\n1 NAME Jose\u{301}\n0 TRLR\n";
    assert_eq!(applied(&edit, &uri, &shown), right);

    // CHAR in the buffer is no longer that on disk, so nothing is said about the encoding.
    editor.replace_all(&uri, 2, right);
    assert_eq!(codes(&editor.diagnostics(&uri, 2)), []);

    // Saved as UTF-8 with CHAR ANSEL, the file contradicts itself.
    fs::write(&path, text).expect("a file");
    editor.replace_all(&uri, 3, text);
    editor.diagnostics(&uri, 3);
    editor.save(&uri);
    assert_eq!(codes(&editor.diagnostics(&uri, 3)), found(&[("E0117", 1, 7), ("E0105", 1, 7)]));
}

#[test]
fn wrong_characters_of_an_editor_are_no_findings() {
    let folder = tempfile::tempdir().expect("a folder");
    let dos = b"0 HEAD\n1 CHAR IBMPC\n0 @I1@ INDI\n1 BIRT\n2 DATE 3 M\x8ER 1891\n1 NOTE a@b\n0 TRLR\n";
    fs::write(folder.path().join("tree.ged"), dos).expect("a file");
    fs::write(folder.path().join("elf.toml"), "[check]\nignore = [\"E0107\"]\n").expect("a file");
    let uri = uri_in(folder.path(), "tree.ged");
    let mut editor = Editor::start(able());
    let diagnostics = editor.open_and_wait(&uri, &String::from_utf8_lossy(dos));
    assert_eq!(codes(&diagnostics), found(&[("none", 0, 0), ("none", 4, 10), ("E0326", 5, 8)]));
    let actions = editor.actions(&uri, 1, &[]);
    assert!(actions.iter().any(|action| action["command"]["command"] == "elf.saveAsUtf8"), "{actions:?}");
}

#[test]
fn saving_as_utf_8_keeps_changes() {
    let folder = tempfile::tempdir().expect("a folder");
    let latin = b"0 HEAD\n1 CHAR ANSI\n0 @I1@ INDI\n1 NAME Jos\xE9\n0 TRLR\n";
    fs::write(folder.path().join("tree.ged"), latin).expect("a file");
    let uri = uri_in(folder.path(), "tree.ged");
    let mut editor = Editor::start(able());
    let command = json!({ "command": "elf.saveAsUtf8", "arguments": [uri] });
    // The editor has decoded the file, and the user has changed it.
    let changed = "0 HEAD\n1 CHAR ANSI\n0 @I1@ INDI\n1 NAME Jos\u{e9} /X/\n0 TRLR\n";
    editor.open_and_wait(&uri, changed);
    editor.request("workspace/executeCommand", command.clone());
    let edit = editor.next("workspace/applyEdit")["edit"].clone();
    assert_eq!(applied(&edit, &uri, changed), changed.replace("ANSI", "UTF-8"));
    // The editor has not decoded the file, and the user has changed it: nothing sure can be done.
    editor.replace_all(&uri, 2, "0 HEAD\n1 CHAR ANSI\n0 @I1@ INDI\n1 NAME Jos\u{FFFD} /X/\n0 TRLR\n");
    let refused = editor.try_request("workspace/executeCommand", command).expect_err("a refusal");
    assert!(refused.message.contains("line 4 was changed"), "{}", refused.message);
    assert!(refused.message.contains("undo this change"), "{}", refused.message);
}

#[test]
fn gedcom_7_gets_no_char() {
    let text = "0 HEAD\n1 GEDC\n2 VERS 7.0\n0 @I1@ INDI\n1 NAME Jos\u{e9}\n0 TRLR\n";
    let mut editor = Editor::start(able());
    editor.open_and_wait(URI, text);
    let command = json!({ "command": "elf.saveAsUtf8", "arguments": [URI] });
    editor.request("workspace/executeCommand", command);
    let edit = editor.next("workspace/applyEdit")["edit"].clone();
    assert_eq!(applied(&edit, URI, text), text);
}

const ANSEL: &[u8] = b"0 HEAD\n1 CHAR ANSEL\n0 @I1@ INDI\n1 NAME Jos\xE2e /Nu\xE4nez/\n1 NOTE a@b\n0 TRLR\n";

const DECODED: &str =
    "0 HEAD\n1 CHAR UTF-8\n0 @I1@ INDI\n1 NAME Jose\u{301} /Nun\u{303}ez/\n1 NOTE a@b\n0 TRLR\n";

/// What an editor shows that reads ANSEL as UTF-8, and one that reads it as windows-1252.
fn misreadings() -> [String; 2] {
    let as_1252 = ANSEL.iter().map(|byte| char::from(*byte)).collect();
    [String::from_utf8_lossy(ANSEL).into_owned(), as_1252]
}

#[test]
fn nothing_is_changed_while_the_editor_shows_wrong_characters() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("tree.ged"), ANSEL).expect("a file");
    let uri = uri_in(folder.path(), "tree.ged");
    for shown in misreadings() {
        let mut editor = Editor::start(able());
        let diagnostics = editor.open_and_wait(&uri, &shown);
        assert!(codes(&diagnostics).contains(&("E0326".to_owned(), 4, 8)), "{diagnostics:?}");
        // The first change makes no difference: the letters are still wrong.
        for (version, text) in [(2, shown.clone()), (3, shown.replace("a@b", "ab@c"))] {
            editor.replace_all(&uri, version, &text);
            let diagnostics = editor.diagnostics(&uri, version);
            let actions = editor.actions(&uri, 4, &diagnostics);
            let [action] = &actions[..] else { panic!("{actions:?}") };
            assert_eq!(action["command"]["command"], "elf.saveAsUtf8");
            let mut rename = about(&uri, (2, 4));
            assert!(editor.try_request("textDocument/prepareRename", rename.clone()).is_err());
            rename["newName"] = json!("P7");
            let fix_all = json!({ "command": "elf.fixAll", "arguments": [uri] });
            for (method, params) in [("textDocument/rename", rename), ("workspace/executeCommand", fix_all)] {
                let refused = editor.try_request(method, params).expect_err("a refusal");
                assert!(
                    refused.message.contains("convert the file to UTF-8 first"),
                    "{method}: {}",
                    refused.message
                );
            }
        }
    }
}

#[test]
fn saving_as_utf_8_restores_all_lines_that_were_not_changed() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("tree.ged"), ANSEL).expect("a file");
    let uri = uri_in(folder.path(), "tree.ged");
    let command = json!({ "command": "elf.saveAsUtf8", "arguments": [uri] });
    let added = |text: &str| {
        text.replace("1 CHAR", "1 SOUR X\n1 CHAR")
            .replace("a@b", "none")
            .replace("0 TRLR", "0 @I2@ INDI\n0 TRLR")
    };
    for shown in misreadings() {
        let mut editor = Editor::start(able());
        editor.open_and_wait(&uri, &shown);
        for (version, changed, expected) in [
            (2, shown.clone(), DECODED.to_owned()),
            (3, added(&shown), added(DECODED)),
            (4, shown.replace("1 NOTE a@b\n", ""), DECODED.replace("1 NOTE a@b\n", "")),
        ] {
            editor.replace_all(&uri, version, &changed);
            editor.request("workspace/executeCommand", command.clone());
            let edit = editor.next("workspace/applyEdit")["edit"].clone();
            assert_eq!(applied(&edit, &uri, &changed), expected);
        }
        // With the edit, the text is right, and it can be changed again.
        editor.replace_all(&uri, 5, DECODED);
        assert_eq!(codes(&editor.diagnostics(&uri, 5)), found(&[("E0326", 4, 8)]));
        let actions = editor.actions(&uri, 4, &[]);
        assert!(actions.iter().any(|action| action["edit"].is_object()), "{actions:?}");
    }
}

#[test]
fn a_file_that_was_saved_with_wrong_characters_is_reported() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("tree.ged");
    fs::write(&path, ANSEL).expect("a file");
    let uri = uri_in(folder.path(), "tree.ged");
    let [shown, _] = misreadings();
    let mut editor = Editor::start(able());
    editor.open_and_wait(&uri, &shown);
    fs::write(&path, &shown).expect("a file");
    editor.save(&uri);
    let message = editor.next("window/showMessage")["message"].clone();
    assert!(message.as_str().is_some_and(|text| text.contains("letters are lost")), "{message}");
    let diagnostics = editor.diagnostics(&uri, 1);
    assert!(codes(&diagnostics).contains(&("E0124".to_owned(), 3, 10)), "{diagnostics:?}");
}

#[test]
fn a_file_in_utf_8_that_the_editor_opened_in_another_encoding_is_reopened() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = "0 HEAD\n1 CHAR UTF-8\n0 @I1@ INDI\n1 NAME Jos\u{e9}\n1 NOTE a@b\n0 TRLR\n";
    fs::write(folder.path().join("tree.ged"), text).expect("a file");
    let uri = uri_in(folder.path(), "tree.ged");
    let shown: String = text.bytes().map(char::from).collect();
    let mut editor = Editor::start(able());
    let diagnostics = editor.open_and_wait(&uri, &shown);
    let message = diagnostics[0]["message"].as_str().expect("a message");
    assert!(message.contains("reopen the file in UTF-8 first"), "{message}");
    assert_eq!(editor.actions(&uri, 4, &diagnostics), [] as [Value; 0]);
    // Letters that the user types are not wrong, however many there are.
    let mut editor = Editor::start(able());
    editor.open_and_wait(&uri, text);
    editor.replace_all(&uri, 2, &text.replace("a@b", "\u{416}\u{424} \u{FFFD}"));
    let diagnostics = editor.diagnostics(&uri, 2);
    assert_eq!(codes(&diagnostics), found(&[("E0124", 4, 10)]));
}

#[test]
fn bytes_that_are_not_utf_8_are_restored_in_a_file_in_utf_8() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("tree.ged");
    let uri = uri_in(folder.path(), "tree.ged");
    let text =
        "0 HEAD\n1 CHAR UTF-8\n0 @I1@ INDI\n1 NAME Zo\u{eb}\n1 NOTE \u{e9} a@b\n1 NOTE G\u{f6}the\n0 TRLR\n";
    let (before, after) = text.split_once('\u{f6}').expect("a letter");
    let bytes = [before.as_bytes(), b"\xF6", after.as_bytes()].concat();
    fs::write(&path, &bytes).expect("a file");
    let shown = String::from_utf8_lossy(&bytes).into_owned();
    let mut editor = Editor::start(able());
    let diagnostics = editor.open_and_wait(&uri, &shown);
    let problem =
        "the file has bytes that are not UTF-8 (the first is in line 6), and the editor has replaced them";
    let message = diagnostics[0]["message"].as_str().expect("a message");
    assert!(message.starts_with(problem) && !message.contains("reopen"), "{message}");
    // Only the line with the replaced byte is wrong.
    let expected = found(&[("none", 0, 0), ("none", 5, 8), ("E0326", 4, 10)]);
    assert_eq!(codes(&diagnostics), expected);
    let command = json!({ "command": "elf.fixAll", "arguments": [uri] });
    let refused = editor.try_request("workspace/executeCommand", command).expect_err("a refusal");
    assert!(refused.message.starts_with(problem), "{}", refused.message);

    // The user has changed other lines.
    let added = |text: &str| text.replace("1 NAME", "1 SEX M\n1 NAME").replace("a@b", "a\u{142}");
    for (version, changed, expected) in [(2, shown.clone(), text.to_owned()), (3, added(&shown), added(text))]
    {
        editor.replace_all(&uri, version, &changed);
        let diagnostics = editor.diagnostics(&uri, version);
        let actions = editor.actions(&uri, 5, &diagnostics);
        let [action] = &actions[..] else { panic!("{actions:?}") };
        assert_eq!(action["title"], "Save as UTF-8 and say so in CHAR");
        editor.request("workspace/executeCommand", action["command"].clone());
        let edit = editor.next("workspace/applyEdit")["edit"].clone();
        assert_eq!(applied(&edit, &uri, &changed), expected);
    }

    // The text is right now, whatever letters the user types, and it can be changed.
    let right = text.replace("Zo\u{eb}", "\u{416}\u{424}\u{416}\u{424}");
    editor.replace_all(&uri, 4, &right);
    assert_eq!(codes(&editor.diagnostics(&uri, 4)), found(&[("E0326", 4, 10)]));
    assert!(editor.actions(&uri, 4, &[]).iter().any(|action| action["edit"].is_object()));

    // If the file is saved with U+FFFD, no editor knows the letters any more.
    editor.replace_all(&uri, 5, &shown);
    editor.diagnostics(&uri, 5);
    fs::write(&path, &shown).expect("a file");
    editor.save(&uri);
    let message = editor.next("window/showMessage")["message"].clone();
    assert!(message.as_str().is_some_and(|text| text.ends_with("lost: restore an older copy")), "{message}");
}

#[test]
fn the_configuration_is_honoured_and_watched() {
    let folder = tempfile::tempdir().expect("a folder");
    let config = folder.path().join("elf.toml");
    let text = "0 HEAD\n1 CHAR UTF-8\n0 @I1@ INDI\n1 NOTE a@b\n0 TRLR\n";
    let (uri, config_uri) = (uri_in(folder.path(), "tree.ged"), uri_in(folder.path(), "elf.toml"));
    let mut editor = Editor::start(able());
    let registration = editor.next("client/registerCapability");
    assert_eq!(registration["registrations"][0]["method"], "workspace/didChangeWatchedFiles");
    assert_eq!(codes(&editor.open_and_wait(&uri, text)), found(&[("E0326", 3, 8)]));

    fs::write(&config, "[check]\nignore = [\"E0326\"]\n").expect("a file");
    editor.files_changed(&config_uri);
    assert_eq!(codes(&editor.diagnostics(&uri, 1)), []);

    // One that is wrong has no effect, and says so at its place.
    fs::write(&config, "[check]\nignored = []\n").expect("a file");
    editor.files_changed(&config_uri);
    let fault = editor.next("textDocument/publishDiagnostics");
    assert_eq!(fault["uri"], config_uri);
    assert_eq!(codes(fault["diagnostics"].as_array().expect("a list")), found(&[("none", 1, 0)]));
    assert_eq!(codes(&editor.diagnostics(&uri, 1)), found(&[("E0326", 3, 8)]));

    fs::remove_file(&config).expect("a file");
    editor.files_changed(&config_uri);
    let fault = editor.next("textDocument/publishDiagnostics");
    assert_eq!((&fault["uri"], &fault["diagnostics"]), (&json!(config_uri), &json!([])));
}

#[test]
fn globs_of_the_configuration_name_the_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let config = "[[check.files]]\nglob = \"old/*.ged\"\nignore = [\"advice\", \"E0326\"]\n";
    fs::write(folder.path().join("elf.toml"), config).expect("a file");
    fs::create_dir(folder.path().join("old")).expect("a folder");
    let text = "0 HEAD\n1 CHAR UTF-8\n0 @I1@ INDI\n1 NOTE a@b\n0 TRLR\n";
    let mut editor = Editor::start(able());
    assert_eq!(codes(&editor.open_and_wait(&uri_in(folder.path(), "old/tree.ged"), text)), []);
    assert_eq!(editor.open_and_wait(&uri_in(folder.path(), "tree.ged"), text).len(), 1);
}

#[test]
fn facts_are_checked_if_the_client_asks() {
    let text = "0 HEAD\n1 CHAR UTF-8\n0 @I1@ INDI\n1 BIRT\n2 DATE 1900\n1 DEAT\n2 DATE 1850\n0 TRLR\n";
    let mut editor =
        Editor::start_with(json!({ "capabilities": {}, "initializationOptions": { "facts": true } }));
    let diagnostics = editor.open_and_wait(URI, text);
    assert!(diagnostics.iter().any(|one| one["code"].as_str().is_some_and(|code| code.starts_with('P'))));
    let mut editor = Editor::start(able());
    assert_eq!(codes(&editor.open_and_wait(URI, text)), []);
}

#[test]
fn findings_of_the_whole_file_are_on_the_first_line_and_closing_takes_them_back() {
    let mut editor = Editor::start(able());
    let diagnostics = editor.open_and_wait(URI, "");
    assert!(diagnostics.iter().all(|one| one["range"]["start"]["line"] == 0) && !diagnostics.is_empty());
    editor.notify("textDocument/didClose", json!({ "textDocument": { "uri": URI } }));
    assert_eq!(editor.next("textDocument/publishDiagnostics")["diagnostics"], json!([]));
    let refused = editor.try_request("textDocument/hover", crate::editor::about(URI, (0, 0)));
    assert!(refused.is_err());
    assert!(editor.try_request("textDocument/formatting", json!({})).is_err());
}

#[test]
fn a_file_that_is_not_gedcom_has_one_finding() {
    let mut editor = Editor::start(able());
    for (number, text) in [
        "Dear Anna,\n\nthank you for your letter.\n1 more thing: come soon.\nYours, Bob\n",
        "name,birth,death\n\"Smith, John\",1850,1900\n",
    ]
    .iter()
    .enumerate()
    {
        let diagnostics = editor.open_and_wait(&format!("untitled:{number}"), text);
        let [only] = &diagnostics[..] else { panic!("{diagnostics:?}") };
        let message = only["message"].as_str().expect("a message");
        assert!(message.starts_with("this is not a GEDCOM file: "), "{message}");
    }
    // A file that lost its header is GEDCOM.
    let text = "0 @I1@ INDI\n1 NOTE a@b\n0 TRLR\n";
    let diagnostics = editor.open_and_wait(URI, text);
    assert!(codes(&diagnostics).contains(&("E0326".to_owned(), 1, 8)), "{diagnostics:?}");
}

#[test]
fn related_places_are_named() {
    let text = "0 HEAD\n1 CHAR UTF-8\n0 @I1@ INDI\n0 @I1@ INDI\n0 TRLR\n";
    let mut editor = Editor::start(able());
    let diagnostics = editor.open_and_wait(URI, text);
    let related = &diagnostics[0]["relatedInformation"][0];
    assert_eq!(related["location"]["uri"], URI, "{diagnostics:?}");
    assert_eq!(offset(text, &related["location"]["range"]["start"]), text.find("I1@").expect("a record"));
}

#[test]
fn unsaved_letters_of_the_user_are_not_taken_for_wrong_ones() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("tree.ged");
    let uri = uri_in(folder.path(), "tree.ged");
    let text = |name: &str| format!("0 HEAD\n1 CHAR UTF-8\n0 @I1@ INDI\n1 NAME {name}\n0 TRLR\n");
    for (saved, unsaved) in
        [("Zoe", "Zoë"), ("Zo", "Zoë"), ("Zoë Müller", "Zoé Muller"), ("Zoë", "Łucja Ñuñez")]
    {
        fs::write(&path, text(saved)).expect("a file");
        // The editor restores an unsaved buffer, or the user types and then the file is looked at again.
        let mut editor = Editor::start(able());
        assert_eq!(codes(&editor.open_and_wait(&uri, &text(unsaved))), found(&[]), "{saved}");
        let mut editor = Editor::start(able());
        editor.open_and_wait(&uri, &text(saved));
        editor.replace_all(&uri, 2, &text(unsaved));
        editor.diagnostics(&uri, 2);
        let change = json!({ "uri": uri, "type": 2 });
        editor.notify("workspace/didChangeWatchedFiles", json!({ "changes": [change] }));
        assert_eq!(codes(&editor.diagnostics(&uri, 2)), found(&[]), "{saved}");
    }
}
