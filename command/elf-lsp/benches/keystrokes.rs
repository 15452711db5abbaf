//! Types letters into a file, one after the other, and waits each time for the findings of the server.
//!
//! Usage: `keystrokes FILE COUNT`. Compare the processor time of two counts, for example with `time`, to learn what one
//! keystroke costs.

#![allow(clippy::disallowed_methods, clippy::print_stderr, reason = "an example of a command")]

use elf_lsp::lsp_server::{Connection, Message, Notification, Request};
use serde_json::{Value, json};
use std::error::Error;
use std::time::Instant;

fn main() -> Result<(), Box<dyn Error + Send + Sync>> {
    let mut arguments = std::env::args().skip(1);
    let (Some(file), Some(count)) = (arguments.next(), arguments.next()) else {
        return Err("expected a file and a count".into());
    };
    let (count, text) = (count.parse::<u32>()?, std::fs::read_to_string(file)?);
    let (editor, server) = Connection::memory();
    let server = std::thread::spawn(move || elf_lsp::run(&server).map_err(|error| error.to_string()));
    let send = |message: Message| editor.sender.send(message);
    let notify = |method: &str, params: Value| send(Notification::new(method.to_owned(), params).into());

    send(Request::new(1.into(), "initialize".to_owned(), json!({ "capabilities": {} })).into())?;
    editor.receiver.recv()?;
    notify("initialized", json!({}))?;
    let document = json!({ "uri": "untitled:tree", "languageId": "gedcom", "version": 0, "text": text });
    notify("textDocument/didOpen", json!({ "textDocument": document }))?;
    editor.receiver.recv()?;
    // A line in the middle, behind its level.
    let line = text.lines().count() / 2;
    let at = json!({ "line": line, "character": 2 });
    for version in 1..=count {
        let started = Instant::now();
        let change = json!({ "range": { "start": at, "end": at }, "text": "X" });
        let document = json!({ "uri": "untitled:tree", "version": version });
        notify("textDocument/didChange", json!({ "textDocument": document, "contentChanges": [change] }))?;
        editor.receiver.recv()?;
        eprintln!("{version}: {} ms, the pause included", started.elapsed().as_millis());
    }
    send(Request::new(2.into(), "shutdown".to_owned(), Value::Null).into())?;
    notify("exit", json!({}))?;
    server.join().map_err(|_| "the server has failed")??;
    Ok(())
}
