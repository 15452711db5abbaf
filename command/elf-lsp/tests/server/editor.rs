//! An editor that drives the server over channels in memory.

use elf_lsp::lsp_server::{Connection, Message, Notification, Request, RequestId, ResponseError};
use serde_json::{Value, json};
use std::path::Path;
use std::thread::JoinHandle;
use std::time::Duration;

/// The longest wait for a message.
const PATIENCE: Duration = Duration::from_secs(60);

pub(crate) struct Editor {
    connection: Option<Connection>,
    server: Option<JoinHandle<()>>,
    last_request: i32,
    /// The messages of the server that nobody has asked for yet.
    waiting: Vec<Message>,
    /// The answer of the server to `initialize`.
    pub(crate) welcome: Value,
}

/// The abilities of an editor that can do all that the server asks for.
pub(crate) fn able() -> Value {
    json!({
        "workspace": {
            "workspaceEdit": { "documentChanges": true, "resourceOperations": ["create"] },
            "didChangeWatchedFiles": { "dynamicRegistration": true },
        },
        "textDocument": {
            "codeAction": { "resolveSupport": { "properties": ["edit"] } },
            "documentSymbol": { "hierarchicalDocumentSymbolSupport": true },
        },
    })
}

impl Editor {
    pub(crate) fn start(capabilities: Value) -> Editor {
        Editor::start_with(json!({ "capabilities": capabilities }))
    }

    pub(crate) fn start_with(params: Value) -> Editor {
        let (connection, server) = Connection::memory();
        let server = std::thread::spawn(move || elf_lsp::run(&server).expect("a server that ends well"));
        let mut editor = Editor {
            connection: Some(connection),
            server: Some(server),
            last_request: 0,
            waiting: Vec::new(),
            welcome: Value::Null,
        };
        editor.welcome = editor.request("initialize", params);
        editor.notify("initialized", json!({}));
        editor
    }

    fn send(&self, message: Message) {
        let connection = self.connection.as_ref().expect("a running server");
        connection.sender.send(message).expect("a running server");
    }

    pub(crate) fn notify(&self, method: &str, params: Value) {
        self.send(Notification::new(method.to_owned(), params).into());
    }

    /// Sends a request and returns its result.
    pub(crate) fn request(&mut self, method: &str, params: Value) -> Value {
        self.try_request(method, params).unwrap_or_else(|error| panic!("{method}: {}", error.message))
    }

    pub(crate) fn try_request(&mut self, method: &str, params: Value) -> Result<Value, ResponseError> {
        self.last_request += 1;
        let id = RequestId::from(self.last_request);
        self.send(Request::new(id.clone(), method.to_owned(), params).into());
        loop {
            match self.receive() {
                Message::Response(response) if response.id == id => return response.response_result,
                other => self.waiting.push(other),
            }
        }
    }

    fn receive(&self) -> Message {
        let connection = self.connection.as_ref().expect("a running server");
        connection.receiver.recv_timeout(PATIENCE).expect("a message of the server")
    }

    /// Waits for the next message of that method and returns its parameters.
    pub(crate) fn next(&mut self, method: &str) -> Value {
        let is_it = |message: &Message| match message {
            Message::Request(request) => request.method == method,
            Message::Notification(notification) => notification.method == method,
            Message::Response(_) => false,
        };
        let message = match self.waiting.iter().position(is_it) {
            Some(at) => self.waiting.remove(at),
            None => loop {
                let message = self.receive();
                if is_it(&message) {
                    break message;
                }
                self.waiting.push(message);
            },
        };
        match message {
            Message::Request(request) => request.params,
            Message::Notification(notification) => notification.params,
            Message::Response(_) => Value::Null,
        }
    }

    /// Waits for the diagnostics of a version of a file.
    pub(crate) fn diagnostics(&mut self, uri: &str, version: i64) -> Vec<Value> {
        loop {
            let found = self.next("textDocument/publishDiagnostics");
            if found["uri"] == uri && found["version"] == version {
                return found["diagnostics"].as_array().expect("diagnostics").clone();
            }
        }
    }

    pub(crate) fn open(&self, uri: &str, text: &str) {
        let item = json!({ "uri": uri, "languageId": "gedcom", "version": 1, "text": text });
        self.notify("textDocument/didOpen", json!({ "textDocument": item }));
    }

    /// Opens a file and waits for its diagnostics.
    pub(crate) fn open_and_wait(&mut self, uri: &str, text: &str) -> Vec<Value> {
        self.open(uri, text);
        self.diagnostics(uri, 1)
    }

    pub(crate) fn replace_all(&self, uri: &str, version: i64, text: &str) {
        self.change(uri, version, json!([{ "text": text }]));
    }

    pub(crate) fn change(&self, uri: &str, version: i64, changes: Value) {
        let document = json!({ "uri": uri, "version": version });
        self.notify("textDocument/didChange", json!({ "textDocument": document, "contentChanges": changes }));
    }

    pub(crate) fn save(&self, uri: &str) {
        self.notify("textDocument/didSave", json!({ "textDocument": { "uri": uri } }));
    }

    pub(crate) fn files_changed(&self, uri: &str) {
        self.notify("workspace/didChangeWatchedFiles", json!({ "changes": [{ "uri": uri, "type": 2 }] }));
    }

    /// Sends a request about a position of a file.
    pub(crate) fn at(&mut self, method: &str, uri: &str, (line, character): (u32, u32)) -> Value {
        self.request(method, about(uri, (line, character)))
    }

    pub(crate) fn actions(&mut self, uri: &str, line: u32, diagnostics: &[Value]) -> Vec<Value> {
        let range =
            json!({ "start": { "line": line, "character": 0 }, "end": { "line": line, "character": 0 } });
        let params = json!({
            "textDocument": { "uri": uri },
            "range": range,
            "context": { "diagnostics": diagnostics },
        });
        self.request("textDocument/codeAction", params).as_array().expect("actions").clone()
    }
}

impl Drop for Editor {
    fn drop(&mut self) {
        if std::thread::panicking() {
            return;
        }
        self.request("shutdown", Value::Null);
        self.notify("exit", Value::Null);
        self.server.take().expect("a server").join().expect("a server that ends");
    }
}

/// The parameters of a request about a position.
pub(crate) fn about(uri: &str, (line, character): (u32, u32)) -> Value {
    json!({ "textDocument": { "uri": uri }, "position": { "line": line, "character": character } })
}

/// The codes of diagnostics, each with its line and column.
pub(crate) fn codes(diagnostics: &[Value]) -> Vec<(String, u64, u64)> {
    let number = |value: &Value| value.as_u64().expect("a number");
    let start = |one: &Value| one["range"]["start"].clone();
    let code = |one: &Value| one["code"].as_str().unwrap_or("none").to_owned();
    diagnostics
        .iter()
        .map(|one| (code(one), number(&start(one)["line"]), number(&start(one)["character"])))
        .collect()
}

/// Applies the edits of a file in a workspace edit to a text. Columns are those of UTF-16.
pub(crate) fn applied(edit: &Value, uri: &str, text: &str) -> String {
    let edits: Vec<Value> = match edit["documentChanges"].as_array() {
        Some(changes) => changes
            .iter()
            .filter(|change| change["textDocument"]["uri"] == uri)
            .flat_map(|change| change["edits"].as_array().expect("edits").clone())
            .collect(),
        None => edit["changes"][uri].as_array().expect("edits").clone(),
    };
    let mut changed = text.to_owned();
    for edit in edits.iter().rev() {
        let [start, end] = ["start", "end"].map(|end| offset(text, &edit["range"][end]));
        changed.replace_range(start..end, edit["newText"].as_str().expect("text"));
    }
    changed
}

/// The offset of a position in a text.
pub(crate) fn offset(text: &str, position: &Value) -> usize {
    let [line, mut column] = ["line", "character"].map(|key| position[key].as_u64().expect("a number"));
    let mut at = 0;
    for _ in 0..line {
        let rest = &text[at..];
        let Some(end) = rest.find(['\n', '\r']) else { return text.len() };
        at += end + if rest[end..].starts_with("\r\n") { 2 } else { 1 };
    }
    for character in text[at..].chars() {
        if column == 0 || matches!(character, '\n' | '\r') {
            break;
        }
        column = column.saturating_sub(character.len_utf16() as u64);
        at += character.len_utf8();
    }
    at
}

/// The URI of a file in a folder of the test.
pub(crate) fn uri_in(folder: &Path, name: &str) -> String {
    format!("file://{}/{name}", folder.canonicalize().expect("a folder").to_string_lossy())
}
