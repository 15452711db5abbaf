//! `elf mcp`: the server on the standard streams. The crate `elf-mcp` tests what it does, and `tests/mcp` drives it with the
//! official client.

use crate::shell::{run, run_with, status, stderr, stdout};
use serde_json::{Value, json};

const FILE: &str = "../../examples/bell-ringers.ged";

#[test]
fn an_assistant_is_served_until_it_closes_the_streams() {
    let call = json!({ "name": "find_people", "arguments": { "limit": 1 } });
    let about = json!({ "name": "test", "version": "1" });
    let start = json!({ "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": about });
    let messages = [
        json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": start }),
        json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }),
        json!({ "jsonrpc": "2.0", "id": 2, "method": "tools/list" }),
        json!({ "jsonrpc": "2.0", "id": 3, "method": "tools/call", "params": call }),
    ];
    let input: String = messages.iter().map(|message| format!("{message}\n")).collect();
    let output = run_with(&["mcp", FILE], input.as_bytes());
    assert_eq!((status(&output), &*stderr(&output)), (0, ""));
    let answers = stdout(&output);
    let answers: Vec<Value> = answers.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!(answers[0]["result"]["serverInfo"]["name"], "elf");
    assert_eq!(answers[1]["result"]["tools"].as_array().map(Vec::len), Some(13));
}

#[test]
fn what_cannot_be_served_is_a_failure() {
    for (arguments, part) in [
        (&["mcp", "none.ged"][..], "no such file"),
        (&["mcp", "-"], "standard input has the messages"),
        (&["mcp", ".."], "folder"),
        (&["mcp", FILE, "--backup-folder", "x"], "--allow-edits"),
    ] {
        let output = run(arguments);
        assert_eq!((status(&output), &*stdout(&output)), (2, ""), "{arguments:?}");
        assert!(stderr(&output).contains(part), "{arguments:?}: {}", stderr(&output));
    }
}
