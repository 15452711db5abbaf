//! `elf lsp`: the server on the standard streams. The crate `elf-lsp` tests what it does.

use crate::shell::{run, run_with, status, stderr, stdout};
use serde_json::{Value, json};

/// Messages as the protocol writes them, each with its length.
fn messages(messages: &[Value]) -> String {
    let with_length = |message: &Value| {
        let text = message.to_string();
        format!("Content-Length: {}\r\n\r\n{text}", text.len())
    };
    messages.iter().map(with_length).collect()
}

#[test]
fn an_editor_is_served_until_it_says_goodbye() {
    let input = messages(&[
        json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": { "capabilities": {} } }),
        json!({ "jsonrpc": "2.0", "method": "initialized", "params": {} }),
        json!({ "jsonrpc": "2.0", "id": 2, "method": "shutdown" }),
        json!({ "jsonrpc": "2.0", "method": "exit" }),
    ]);
    for arguments in [&["lsp"][..], &["lsp", "--stdio"]] {
        let output = run_with(arguments, input.as_bytes());
        assert_eq!((status(&output), &*stderr(&output)), (0, ""));
        let answers = stdout(&output);
        assert!(answers.starts_with("Content-Length: ") && answers.contains("\"serverInfo\""), "{answers}");
    }
}

#[test]
fn an_editor_that_has_gone_is_no_failure() {
    assert_eq!(status(&run(&["lsp"])), 0);
    let open = messages(&[
        json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": { "capabilities": {} } }),
    ]);
    assert_eq!(status(&run_with(&["lsp"], open.as_bytes())), 0);
}

#[test]
fn what_is_not_the_protocol_is_a_failure() {
    let wrong = json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": { "capabilities": 7 } });
    let output = run_with(&["lsp"], messages(&[wrong]).as_bytes());
    assert_eq!(status(&output), 2);
    assert!(stderr(&output).contains("the client sent unreadable parameters"), "{}", stderr(&output));
}
