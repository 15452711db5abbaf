//! Random edits never break the server, and it has the text that the editor has.

use crate::editor::{Editor, able, about, offset};
use elf_base::Rules;
use elf_check::{Check, Keep};
use elf_schema::{Encoding, Options, ReadOptions};
use proptest::prelude::*;
use serde_json::{Value, json};

const URI: &str = "untitled:tree";

/// The requests that each position gets.
const REQUESTS: [&str; 8] = [
    "textDocument/hover",
    "textDocument/definition",
    "textDocument/documentHighlight",
    "textDocument/prepareRename",
    "textDocument/completion",
    "textDocument/documentSymbol",
    "textDocument/foldingRange",
    "textDocument/semanticTokens/full",
];

#[derive(Clone, Debug)]
struct RandomEdit {
    start: (u32, u32),
    lines: u32,
    columns: u32,
    with: String,
}

fn random_edit() -> impl Strategy<Value = RandomEdit> {
    let piece = prop_oneof![
        Just("\n".to_owned()),
        Just("\r\n".to_owned()),
        Just("\r".to_owned()),
        Just("0 @I2@ INDI\n1 NAME \u{1D11E} /X/\n".to_owned()),
        Just("1 FAMC @F1@\n".to_owned()),
        Just("2 DATE 31 FEB 1900\n".to_owned()),
        Just("@#DHEBREW@ ".to_owned()),
        Just("@".to_owned()),
        Just("0 TRLR\n".to_owned()),
        "[0-9 @A-Z_\u{e9}\u{1D11E}\u{301}\u{0}\u{FEFF}]{0,8}",
    ];
    let with = prop::collection::vec(piece, 0..3).prop_map(|pieces| pieces.concat());
    (0u32..14, 0u32..16, 0u32..3, 0u32..6, with).prop_map(|(line, column, lines, columns, with)| RandomEdit {
        start: (line, column),
        lines,
        columns,
        with,
    })
}

/// The findings that the text of a buffer has.
fn expected(text: &str) -> Vec<(String, u64)> {
    let octets = Options::default().with_forced(Some(Encoding::Utf8));
    let options =
        ReadOptions::default().with_octets(octets).with_check_values(true).with_each_undefined(true);
    let check = Check { options, each_undefined: true, keep: Keep::Bare, ..Check::new(&Rules::WILD) };
    let report = check.check(text.as_bytes()).expect("a check");
    let line = |at: Option<elf_base::Place>| at.map_or(0, |place| place.line - 1);
    let mut found: Vec<_> = report
        .findings
        .iter()
        .map(|one| (one.diagnostic.code.id().to_owned(), line(one.diagnostic.place)))
        .collect();
    if !report.checked.is_gedcom {
        found.retain(|(code, _)| ["E0101", "E0102"].contains(&&**code));
        found.truncate(1);
    }
    found.sort();
    found
}

fn shown(diagnostics: &[Value]) -> Vec<(String, u64)> {
    let mut shown: Vec<_> = diagnostics
        .iter()
        .map(|one| {
            let code = one["code"].as_str().expect("a code").to_owned();
            (code, one["range"]["start"]["line"].as_u64().expect("a line"))
        })
        .collect();
    shown.sort();
    shown
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn the_server_keeps_up_with_random_edits(edits in prop::collection::vec(random_edit(), 1..12)) {
        let mut text = "0 HEAD\n1 CHAR ANSEL\n0 @I1@ INDI\n1 NAME \u{1D11E} /M\u{fc}ller/\r\n1 BIRT\n2 DATE 1 JAN 1900\n\
            1 FAMS @F1@\n0 @F1@ FAM\n1 HUSB @I1@\n0 TRLR".to_owned();
        let mut editor = Editor::start(able());
        editor.open_and_wait(URI, &text);
        let mut version = 1;
        for RandomEdit { start, lines, columns, with } in edits {
            version += 1;
            let from = json!({ "line": start.0, "character": start.1 });
            let to = json!({ "line": start.0 + lines, "character": if lines == 0 { start.1 + columns } else { columns } });
            let range = offset(&text, &from)..offset(&text, &to).max(offset(&text, &from));
            editor.change(URI, version, json!([{ "range": { "start": from, "end": to }, "text": with }]));
            text.replace_range(range, &with);
            for method in REQUESTS {
                // Requests may fail; the server goes on.
                let _ = editor.try_request(method, about(URI, start));
            }
            let mut rename = about(URI, start);
            rename["newName"] = json!("X9");
            let _ = editor.try_request("textDocument/rename", rename);
            editor.actions(URI, start.0, &[]);
        }
        let diagnostics = editor.diagnostics(URI, version);
        prop_assert_eq!(shown(&diagnostics), expected(&text), "{:?}", text);
    }
}
