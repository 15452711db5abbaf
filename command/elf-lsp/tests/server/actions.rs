//! Code actions: fixes, and codes to ignore.

#![allow(clippy::disallowed_methods, reason = "the server reads files that these tests write")]

use crate::editor::{Editor, able, applied, uri_in};
use serde_json::{Value, json};
use std::fs;

const URI: &str = "untitled:tree";

const TEXT: &str = "0 HEAD\r\n1 CHAR UTF-8\r\n0 @I1@ INDI\r\n1 NAME \u{1D11E} a@b\r\n1 NOTE c@d\r\n1 BIRT\r\n\
    3 DATE 1 january 1900\r\n0 TRLR\r\n";

fn titles(actions: &[Value]) -> Vec<&str> {
    actions.iter().map(|action| action["title"].as_str().expect("a title")).collect()
}

fn titled<'a>(actions: &'a [Value], title: &str) -> &'a Value {
    actions.iter().find(|action| action["title"] == title).unwrap_or_else(|| panic!("{:?}", titles(actions)))
}

#[test]
fn a_finding_is_fixed() {
    let mut editor = Editor::start(able());
    let diagnostics = editor.open_and_wait(URI, TEXT);
    let actions = editor.actions(URI, 3, &diagnostics);
    let fix = titled(&actions, "Double the at signs (at-sign-bare)");
    assert_eq!((&fix["kind"], &fix["isPreferred"]), (&json!("quickfix"), &json!(true)));
    assert_eq!(fix["diagnostics"][0]["code"], "E0326");
    assert_eq!(fix["edit"]["documentChanges"][0]["textDocument"]["version"], 1);
    assert_eq!(applied(&fix["edit"], URI, TEXT), TEXT.replace("a@b", "a@@b"));
}

#[test]
fn a_damaged_pointer_is_completed_if_a_record_has_its_identifier() {
    let text = "0 HEAD\n1 CHAR UTF-8\n0 @I1@ INDI\n1 NOTE @M1\n1 NOTE @M2\n0 @M1@ NOTE x\n0 TRLR\n";
    let mut editor = Editor::start(able());
    let diagnostics = editor.open_and_wait(URI, text);
    let actions = editor.actions(URI, 3, &diagnostics);
    let fix = titled(&actions, "Change to the pointer `@M1@` (at-sign-bare, a guess)");
    assert_eq!(applied(&fix["edit"], URI, text), text.replace("@M1\n", "@M1@\n"));
    assert!(fix["isPreferred"].is_null(), "{fix}");
    for line in [3, 4] {
        let actions = editor.actions(URI, line, &diagnostics);
        let titles = titles(&actions);
        assert!(
            titles.iter().all(|title| !title.contains("Double") && !title.contains("@M2@")),
            "{titles:?}"
        );
    }
}

/// The line under the raw line would be under the new CONT.
#[test]
fn a_fix_that_needs_another_fix_is_not_offered_alone() {
    let head = "0 HEAD\n1 CHAR UTF-8\n0 @I1@ INDI\n1 NOTE a\n";
    let text = format!("{head}b@c\n3 SOUR d\n0 TRLR\n");
    let mut editor = Editor::start(able());
    let diagnostics = editor.open_and_wait(URI, &text);
    let actions = editor.actions(URI, 4, &diagnostics);
    let titles_here = titles(&actions);
    assert!(titles_here.iter().all(|title| !title.contains("continuation line")), "{titles_here:?}");
    // Only its own finding is fixed.
    let fix = titled(&actions, "Double the at signs (at-sign-bare)");
    assert_eq!(applied(&fix["edit"], URI, &text), text.replace("b@c", "b@@c"));
    let levels = editor.actions(URI, 5, &diagnostics);
    let fixed = applied(&titled(&levels, "Correct the levels (level-too-deep)")["edit"], URI, &text);
    assert_eq!(fixed, text.replace("3 SOUR", "2 SOUR"));
    editor.replace_all(URI, 2, &fixed);
    let diagnostics = editor.diagnostics(URI, 2);
    let actions = editor.actions(URI, 4, &diagnostics);
    let fix = titled(&actions, "Make this a continuation line (line-break-raw)");
    assert_eq!(applied(&fix["edit"], URI, &fixed), fixed.replace("b@c", "2 CONT b@c"));
}

#[test]
fn all_findings_of_a_code_and_of_the_file_are_fixed() {
    let mut editor = Editor::start(able());
    editor.open_and_wait(URI, TEXT);
    let actions = editor.actions(URI, 3, &[]);
    let of_code = titled(&actions, "Fix all 2 findings of at-sign-bare that are safe to fix").clone();
    assert!(of_code["edit"].is_null());
    let resolved = editor.request("codeAction/resolve", of_code);
    assert_eq!(applied(&resolved["edit"], URI, TEXT), TEXT.replace("a@b", "a@@b").replace("c@d", "c@@d"));

    let of_file =
        actions.iter().find(|action| action["kind"] == "source.fixAll.elf").expect("an action").clone();
    let resolved = editor.request("codeAction/resolve", of_file);
    let fixed = applied(&resolved["edit"], URI, TEXT);
    let mut bytes = TEXT.as_bytes();
    let check = elf_check::Check::new(&elf_base::Rules::WILD);
    let expected = check.fix(&mut bytes, elf_base::Safety::Safe).expect("fixes").bytes;
    assert_eq!(fixed.as_bytes(), expected);
    editor.replace_all(URI, 2, &fixed);
    assert_eq!(editor.diagnostics(URI, 2), [] as [Value; 0]);
}

/// Editors show preferred actions first, and actions without diagnostics last.
#[test]
fn fixes_come_before_ignoring() {
    let folder = tempfile::tempdir().expect("a folder");
    let ansel = b"0 HEAD\n1 CHAR ANSEL\n0 @I1@ INDI\n1 NAME Jose\n1 NOTE a@b\n0 TRLR\n";
    fs::write(folder.path().join("tree.ged"), ansel).expect("a file");
    let uri = uri_in(folder.path(), "tree.ged");
    let mut editor = Editor::start(able());
    let diagnostics = editor.open_and_wait(&uri, std::str::from_utf8(ansel).expect("ASCII"));
    for (line, first) in [(1, "Save as UTF-8 and say so in CHAR"), (4, "Double the at signs (at-sign-bare)")]
    {
        let is_here = |one: &&Value| one["range"]["start"]["line"] == line;
        let here: Vec<Value> = diagnostics.iter().filter(is_here).cloned().collect();
        let actions = editor.actions(&uri, line, &here);
        assert_eq!((&actions[0]["title"], &actions[0]["isPreferred"]), (&json!(first), &json!(true)));
        assert!(actions[0]["diagnostics"].is_array(), "{actions:?}");
        let is_ignoring =
            |one: &Value| one["title"].as_str().is_some_and(|title| title.starts_with("Ignore "));
        let quick: Vec<&Value> = actions.iter().filter(|one| one["kind"] == "quickfix").collect();
        let (last, others) = quick.split_last().expect("actions");
        assert!(is_ignoring(last) && last["diagnostics"].is_null(), "{last}");
        assert!(!others.iter().any(|one| is_ignoring(one)), "{others:?}");
    }
}

#[test]
fn the_only_suggestion_for_a_date_is_a_fix() {
    let text =
        "0 HEAD\n1 CHAR UTF-8\n0 @I1@ INDI\n1 BIRT\n2 DATE 31/12/1850\n1 DEAT\n2 DATE 5/6/1900\n0 TRLR\n";
    let mut editor = Editor::start(able());
    let diagnostics = editor.open_and_wait(URI, text);
    let actions = editor.actions(URI, 4, &diagnostics);
    let fix = titled(&actions, "Change the payload to `31 DEC 1850` (date-malformed, a guess)").clone();
    let resolved = editor.request("codeAction/resolve", fix);
    assert_eq!(applied(&resolved["edit"], URI, text), text.replace("31/12/1850", "31 DEC 1850"));
    // Of two suggestions, neither is chosen.
    let actions = editor.actions(URI, 6, &diagnostics);
    assert!(titles(&actions).iter().all(|title| !title.contains("payload")), "{actions:?}");
}

#[test]
fn a_client_that_cannot_ask_gets_all_edits() {
    let mut editor = Editor::start(json!({}));
    editor.open_and_wait(URI, TEXT);
    let actions = editor.actions(URI, 3, &[]);
    let of_code = titled(&actions, "Fix all 2 findings of at-sign-bare that are safe to fix");
    assert_eq!(applied(&of_code["edit"], URI, TEXT), TEXT.replace("a@b", "a@@b").replace("c@d", "c@@d"));
    // It cannot create files either.
    assert!(titles(&actions).iter().all(|title| !title.contains("elf.toml")), "{actions:?}");
}

#[test]
fn a_guess_is_offered_with_its_edit() {
    let text = "0 HEAD\n1 CHAR UTF-8\n0 @I1@ INDI\n1 NAME Ada\n";
    let mut editor = Editor::start(able());
    editor.open_and_wait(URI, text);
    let actions = editor.actions(URI, 4, &[]);
    let guess = titled(&actions, "Add the trailer `0 TRLR` (trailer-missing, a guess)");
    assert_eq!(applied(&guess["edit"], URI, text), format!("{text}0 TRLR\n"));
}

/// Fixes that were computed for an older text would change the wrong lines.
#[test]
fn a_fix_is_not_made_in_a_text_that_has_changed() {
    let mut editor = Editor::start(able());
    editor.open_and_wait(URI, TEXT);
    let actions = editor.actions(URI, 3, &[]);
    let fix = titled(&actions, "Fix all 2 findings of at-sign-bare that are safe to fix").clone();
    editor.replace_all(URI, 2, "0 HEAD\n");
    let refused = editor.try_request("codeAction/resolve", fix).expect_err("a refusal");
    assert!(refused.message.contains("has changed"), "{}", refused.message);
}

#[test]
fn every_action_changes_something() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("tree.ged");
    let uri = uri_in(folder.path(), "tree.ged");
    let mut offered = 0;
    for text in [
        "0 HEAD\n",
        "0 HEAD",
        "1 NAME x\n",
        "hello\n",
        "0 HEAD\n1 CHAR UTF-8\n0 TRLR\n0 @I1@ INDI\n1 NAME Ada",
        "0 HEAD\n1 CHAR UTF-8\n0 @I1@ INDI\n1 NAME Ada",
        "0 HEAD\n1 CHAR UTF8\n0 @I1@ INDI\n1 NOTE a@b\n1 NOTE c@d\n\n0 TRLR",
        "0 HEAD\n1 GEDC\n2 VERS 7.0\n0 @I1@ INDI\n1 NAME Zo\u{eb}\n 1 SEX M\n0 TRLR\n",
        "0 HEAD\n1 CHAR UTF-8\n0 @I1@ INDI\n1 NAME Zo\u{eb}\n1 NAME x\u{f6}y\n0 TRLR\n",
    ] {
        // A byte of another encoding stands for `ö` on disk. The user has restored the letter.
        let bytes: Vec<u8> = match text.split_once('\u{f6}') {
            Some((before, after)) => [before.as_bytes(), b"\xF6", after.as_bytes()].concat(),
            None => text.as_bytes().to_vec(),
        };
        fs::write(&path, bytes).expect("a file");
        for capabilities in [able(), json!({})] {
            let mut editor = Editor::start(capabilities);
            let diagnostics = editor.open_and_wait(&uri, text);
            for line in 0..7 {
                for action in editor.actions(&uri, line, &diagnostics) {
                    let title = action["title"].as_str().expect("a title").to_owned();
                    if title.starts_with("Ignore ") {
                        continue;
                    }
                    let edit = if action["command"].is_object() {
                        editor.request("workspace/executeCommand", action["command"].clone());
                        editor.next("workspace/applyEdit")["edit"].clone()
                    } else {
                        editor.request("codeAction/resolve", action)["edit"].clone()
                    };
                    assert_ne!(applied(&edit, &uri, text), text, "{title} on line {line} of {text:?}");
                    offered += 1;
                }
            }
        }
    }
    assert!(offered > 20, "{offered}");
}

#[test]
fn only_the_kinds_that_are_wanted_are_offered() {
    let mut editor = Editor::start(able());
    editor.open_and_wait(URI, TEXT);
    for (only, expected) in
        [("quickfix", "quickfix"), ("source", "source.fixAll.elf"), ("source.fixAll", "source.fixAll.elf")]
    {
        let params = json!({
            "textDocument": { "uri": URI },
            "range": { "start": { "line": 3, "character": 0 }, "end": { "line": 3, "character": 1 } },
            "context": { "diagnostics": [], "only": [only] },
        });
        let actions = editor.request("textDocument/codeAction", params);
        let kinds: Vec<&Value> =
            actions.as_array().expect("actions").iter().map(|one| &one["kind"]).collect();
        assert!(!kinds.is_empty() && kinds.iter().all(|kind| **kind == expected), "{only}: {kinds:?}");
    }
}

#[test]
fn a_code_is_ignored_in_the_configuration() {
    let folder = tempfile::tempdir().expect("a folder");
    let (uri, config_uri) = (uri_in(folder.path(), "tree.ged"), uri_in(folder.path(), "elf.toml"));
    let mut editor = Editor::start(able());
    editor.open_and_wait(&uri, TEXT);
    let title = "Ignore at-sign-bare (E0326) in elf.toml";
    let actions = editor.actions(&uri, 3, &[]);
    let edit = &titled(&actions, title)["edit"];
    assert_eq!(edit["documentChanges"][0], json!({ "kind": "create", "uri": config_uri }));
    assert_eq!(applied(edit, &config_uri, ""), "[check]\nignore = [\"at-sign-bare\"]\n");

    let config = "# ours\n[check]\nignore = [\"E0203\"]\n";
    fs::write(folder.path().join("elf.toml"), config).expect("a file");
    editor.files_changed(&config_uri);
    editor.diagnostics(&uri, 1);
    let actions = editor.actions(&uri, 3, &[]);
    let edit = &titled(&actions, title)["edit"];
    let expected = "# ours\n[check]\nignore = [\"E0203\", \"at-sign-bare\"]\n";
    assert_eq!(applied(edit, &config_uri, config), expected);
}

#[test]
fn a_command_fixes_the_file() {
    let mut editor = Editor::start(able());
    editor.open_and_wait(URI, TEXT);
    editor.request("workspace/executeCommand", json!({ "command": "elf.fixAll", "arguments": [URI] }));
    let edit = editor.next("workspace/applyEdit")["edit"].clone();
    assert!(applied(&edit, URI, TEXT).contains("a@@b"));
    for wrong in [json!({ "command": "elf.fixAll" }), json!({ "command": "other", "arguments": [URI] })] {
        assert!(editor.try_request("workspace/executeCommand", wrong).is_err());
    }
}

/// All safe fixes of a buffer are those that `elf check --fix` makes in the file on disk, with CHAR.
#[test]
fn all_fixes_of_a_buffer_are_those_of_its_file() {
    let body = "0 @I1@ INDI\n1 NAME Zo\u{eb}\n1 NOTE a@b\n0 TRLR\n";
    let file = |char: &str| format!("0 HEAD\n{char}{body}");
    let in_utf_16 = |text: &str| -> Vec<u8> {
        [0xFEFF].into_iter().chain(text.encode_utf16()).flat_map(u16::to_le_bytes).collect()
    };
    let in_latin_1 = |text: &str| -> Vec<u8> { text.chars().map(|one| one as u8).collect() };
    let gedcom_7 = "1 GEDC\n2 VERS 7.0\n";
    let folder = tempfile::tempdir().expect("a folder");
    for (number, (text, bytes, char)) in [
        (file(""), None, "1 CHAR UTF-8\n"),
        (file("1 CHAR\n"), None, "1 CHAR UTF-8\n"),
        (file("1 CHAR UTF8\n"), None, "1 CHAR UTF-8\n"),
        (file("1 CHAR KLINGON\n"), None, "1 CHAR UTF-8\n"),
        (file("1 CHAR ANSEL\n"), None, "1 CHAR UTF-8\n"),
        (file("1 CHAR ANSEL\n").replace('\u{eb}', "e"), None, "1 CHAR ANSEL\n"),
        (file("").replace('\u{eb}', "e"), None, "1 CHAR "),
        (file("1 CHAR ANSEL\n"), Some(in_utf_16(&file("1 CHAR ANSEL\n"))), "1 CHAR UNICODE\n"),
        (file("1 CHAR ANSI\n"), Some(in_latin_1(&file("1 CHAR ANSI\n"))), "1 CHAR "),
        (file(gedcom_7), None, ""),
    ]
    .into_iter()
    .enumerate()
    {
        let name = format!("{number}.ged");
        let bytes = bytes.unwrap_or_else(|| text.clone().into_bytes());
        fs::write(folder.path().join(&name), &bytes).expect("a file");
        let uri = uri_in(folder.path(), &name);
        let check = elf_check::Check::new(&elf_base::Rules::WILD);
        let fixed = check.fix(&mut &*bytes, elf_base::Safety::Safe).expect("fixes");
        let (rules, options) = (&elf_base::Rules::WILD, elf_tagged::Options::default());
        let read = elf_tagged::read(&fixed.bytes, rules, &options, &mut ()).expect("a document");
        let expected = read.text().to_owned();
        assert!(expected.contains(char), "{expected}");

        let mut editor = Editor::start(able());
        let diagnostics = editor.open_and_wait(&uri, &text);
        let actions = editor.actions(&uri, 0, &[]);
        let of_file = actions.iter().find(|action| action["kind"] == "source.fixAll.elf");
        let Some(of_file) = of_file else {
            assert_eq!(expected, text, "{diagnostics:?}");
            continue;
        };
        let resolved = editor.request("codeAction/resolve", of_file.clone());
        assert_eq!(applied(&resolved["edit"], &uri, &text), expected, "{diagnostics:?}");
        let title = of_file["title"].as_str().expect("a title");
        assert_eq!(title.contains("the only"), fixed.count == 1, "{title}");
        // The finding about CHAR has its fix, and the offer of UTF-8, also as an action for the file.
        let is_about_char = |one: &&Value| one["code"].as_str().is_some_and(|code| code < "E0120");
        if diagnostics.iter().any(|one| is_about_char(&one)) {
            let line = u32::from(text.contains("1 CHAR"));
            let here = editor.actions(&uri, line, &[]);
            let saving = titled(&here, "Save as UTF-8 and say so in CHAR");
            assert_eq!(saving["kind"], "quickfix");
            let is_naming = |title: &&str| title.starts_with("Name the encoding in CHAR (");
            assert_eq!(titles(&here).iter().any(is_naming), fixed.count > 1, "{here:?}");
            let elsewhere = editor.actions(&uri, 4, &[]);
            let saving = titled(&elsewhere, "Save as UTF-8 and say so in CHAR");
            assert_eq!(saving["kind"], "source.saveAsUtf8.elf");
        }
    }
}

/// The editor saves the file in its old encoding, which has no letter for the new text.
#[test]
fn the_title_says_that_char_stays() {
    let folder = tempfile::tempdir().expect("a folder");
    let ansel = b"0 HEAD\n1 CHAR Z39.47\n0 @I1@ INDI\n1 NAME Jos\xE2e\n1 NOTE a@b\n0 TRLR\n";
    let path = folder.path().join("tree.ged");
    fs::write(&path, ansel).expect("a file");
    let uri = uri_in(folder.path(), "tree.ged");
    let text = "0 HEAD\n1 CHAR Z39.47\n0 @I1@ INDI\n1 NAME Jose\u{301}\n1 NOTE a@b\n0 TRLR\n";
    let mut editor = Editor::start(able());
    let shown = editor.open_and_wait(&uri, text);
    let all = "Fix all 2 findings in this file that are safe to fix";
    let action = titled(&editor.actions(&uri, 4, &shown), all).clone();
    assert_eq!(action["diagnostics"].as_array().map(Vec::len), Some(2), "{action}");
    let changed = text.replace("NOTE", "NOTE e\u{301}e\u{301} \u{1D11E}");
    editor.replace_all(&uri, 2, &changed);
    let shown = editor.diagnostics(&uri, 2);
    let title = "Fix the only finding in this file that is safe to fix (not CHAR: save the file, then run \
        `elf check --fix`)";
    let action = titled(&editor.actions(&uri, 4, &shown), title).clone();
    assert_eq!(action["diagnostics"][0]["code"], "E0326", "{action}");
    assert_eq!(action["diagnostics"].as_array().map(Vec::len), Some(1), "{action}");
    let resolved = editor.request("codeAction/resolve", action);
    assert_eq!(applied(&resolved["edit"], &uri, &changed), changed.replace("a@b", "a@@b"));
    // UTF-8 has the letter.
    fs::write(&path, &changed).expect("a file");
    editor.save(&uri);
    editor.diagnostics(&uri, 2);
    // The bytes now contradict CHAR, which gives more findings.
    titled(&editor.actions(&uri, 4, &[]), "Fix all 4 findings in this file that are safe to fix");
}

#[test]
fn the_fix_of_char_is_that_of_the_saved_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("tree.ged");
    let uri = uri_in(folder.path(), "tree.ged");
    let text = |char: &str| format!("0 HEAD\n1 CHAR {char}\n0 @I1@ INDI\n1 NAME Zo\u{eb}\n0 TRLR\n");
    fs::write(&path, text("KLINGON")).expect("a file");
    let mut editor = Editor::start(able());
    editor.open_and_wait(&uri, &text("KLINGON"));
    titled(&editor.actions(&uri, 1, &[]), "Name the encoding in CHAR (encoding-unknown)");
    editor.replace_all(&uri, 2, &text("UTF8"));
    editor.diagnostics(&uri, 2);
    fs::write(&path, text("UTF8")).expect("a file");
    editor.save(&uri);
    editor.diagnostics(&uri, 2);
    titled(&editor.actions(&uri, 1, &[]), "Name the encoding in CHAR (encoding-alias)");
}
