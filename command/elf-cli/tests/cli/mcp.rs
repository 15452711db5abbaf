//! `elf mcp`: the server on the standard streams. The crate `elf-mcp` tests what it does, and `tests/mcp` drives it with the
//! official client.

use crate::shell::{elf, run, run_with, status, stderr, stdout};
use serde_json::{Value, json};
use std::fs;
use std::io::{BufRead, BufReader, Lines, Write};
use std::process::{Child, ChildStdin, ChildStdout, Stdio};

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

/// An assistant with its server.
struct Client {
    server: Child,
    messages: ChildStdin,
    answers: Lines<BufReader<ChildStdout>>,
}

impl Client {
    fn start(arguments: &[&str]) -> Client {
        let mut server =
            elf(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("the command runs");
        let messages = server.stdin.take().expect("a pipe");
        let answers = BufReader::new(server.stdout.take().expect("a pipe")).lines();
        let mut client = Client { server, messages, answers };
        let about = json!({ "name": "test", "version": "1" });
        let start = json!({ "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": about });
        client.send(&json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": start }));
        client.receive();
        client.send(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }));
        client
    }

    fn send(&mut self, message: &Value) {
        writeln!(self.messages, "{message}").expect("a server");
    }

    fn send_call(&mut self, tool: &str, arguments: &Value) {
        let call = json!({ "name": tool, "arguments": arguments });
        self.send(&json!({ "jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": call }));
    }

    fn receive(&mut self) -> Value {
        let line = self.answers.next().expect("an answer").expect("text");
        serde_json::from_str::<Value>(&line).expect("JSON")["result"].take()
    }

    fn call(&mut self, tool: &str, arguments: &Value) -> Value {
        self.send_call(tool, arguments);
        self.receive()
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}

#[test]
fn a_change_can_be_undone_although_two_servers_apply_at_once() {
    let original = fs::read(FILE).expect("a file");
    for round in 0..12 {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.ged");
        fs::write(&path, &original).expect("a file");
        let arguments = ["mcp", path.to_str().expect("UTF-8"), "--allow-edits", "--living"];
        let mut clients = [Client::start(&arguments), Client::start(&arguments)];
        for (client, name) in clients.iter_mut().zip(["One", "Other"]) {
            let edit = json!({ "op": "insert", "under": "@I1@", "tag": "NOTE", "value": name });
            let answer = client.call("propose_edits", &json!({ "reason": "x", "edits": [edit] }));
            assert_eq!(answer["structuredContent"]["number"], 1, "{answer}");
        }
        for client in &mut clients {
            client.send_call("apply_proposal", &json!({ "number": 1 }));
        }
        let answers = clients.each_mut().map(Client::receive);
        let errors: Vec<&Value> = answers.iter().filter(|answer| answer["isError"] == true).collect();
        assert_eq!(errors.len(), 1, "round {round}: {answers:?}");
        assert!(errors[0].to_string().contains("has changed since proposal 1"), "round {round}: {errors:?}");
        let undone = clients[round % 2].call("undo", &json!({ "number": 1 }));
        assert_eq!(undone["structuredContent"]["state"], "undone", "round {round}: {undone}");
        assert!(fs::read(&path).expect("a file") == original, "round {round}");
    }
}

#[test]
fn a_file_that_is_named_twice_is_served_once() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name).to_str().expect("UTF-8").to_owned();
    for name in ["a.ged", "b.ged"] {
        fs::copy(FILE, path(name)).expect("a file");
    }
    #[cfg(unix)]
    std::os::unix::fs::symlink(path("a.ged"), path("link.ged")).expect("a link");
    let (one, backups) = (path("a.ged"), path("backups"));
    let edits = ["--allow-edits", "--backup-folder", &backups];
    let count = |client: &mut Client| {
        client.call("file_info", &json!({}))["structuredContent"]["files"].as_array().map(Vec::len)
    };
    let others: &[&str] = if cfg!(unix) { &["./a.ged", "link.ged"] } else { &["./a.ged"] };
    for other in others {
        let mut client = Client::start(&[&["mcp", &one, &path(other)][..], &edits].concat());
        assert_eq!(count(&mut client), Some(1), "{other}");
    }
    assert_eq!(count(&mut Client::start(&["mcp", &one, &path("b.ged")])), Some(2));
}
