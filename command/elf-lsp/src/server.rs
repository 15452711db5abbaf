//! Contains the main loop of the server. The loop answers messages, has buffers checked on another
//! thread, and sends their findings.

use crate::actions::{self, DeferredFix};
use crate::client::Client;
use crate::convert::edits_to_utf_8;
use crate::diagnostics::{diagnostic_of_config, diagnostics_of};
use crate::document::{CheckedText, OpenDocument};
use crate::encoding::WrongText;
use crate::error::{RequestError, ServeError};
use crate::settings::{BufferSettings, CONFIG};
use crate::text::{ColumnUnit, Text};
use crate::uri::{path_of, uri_of};
use crate::{completion, folding, hints, hover, navigation, symbols, tokens};
use crossbeam_channel::{Receiver, Sender, at, never, select, unbounded};
use elf_check::Finding;
use gen_lsp_types as lsp;
use gen_lsp_types::{Request as LspRequest, Uri};
use lsp_server::{Connection, Message, Notification, Request, RequestId, Response};
use serde::de::DeserializeOwned;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

/// A buffer is checked when it has not changed for this long.
const PAUSE: Duration = Duration::from_millis(150);

/// A revision of a buffer to check.
struct CheckJob {
    uri: Uri,
    revision: u64,
    text: Arc<Text>,
    settings: Arc<BufferSettings>,
}

struct CheckResult {
    uri: Uri,
    checked: CheckedText,
}

struct Server<'c> {
    connection: &'c Connection,
    client: Client,
    documents: HashMap<Uri, OpenDocument>,
    jobs: Sender<CheckJob>,
    /// The `elf.toml` files that are shown with a diagnostic.
    faulty_configs: HashSet<Uri>,
    /// The number of the last request to the client.
    last_request: i32,
}

/// Serves a client until it ends the session or closes the connection.
///
/// # Errors
///
/// Returns a [`ServeError`] if the client breaks the protocol when it starts or ends the session.
///
/// ```
/// use elf_lsp::lsp_server::{Connection, Message, Notification, Request};
/// use serde_json::json;
///
/// let (editor, server) = Connection::memory();
/// let server = std::thread::spawn(move || elf_lsp::run(&server));
/// let request = |id: i32, method: &str, params| Message::from(Request::new(id.into(), method.to_owned(), params));
/// let notification = |method: &str| Message::from(Notification::new(method.to_owned(), json!({})));
/// editor.sender.send(request(1, "initialize", json!({ "capabilities": {} })))?;
/// let Message::Response(welcome) = editor.receiver.recv()? else { panic!("expected a response") };
/// let welcome = welcome.response_result.expect("the abilities of the server");
/// assert_eq!(welcome["capabilities"]["renameProvider"]["prepareProvider"], true);
/// editor.sender.send(notification("initialized"))?;
/// editor.sender.send(request(2, "shutdown", json!(null)))?;
/// editor.sender.send(notification("exit"))?;
/// server.join().expect("a server that ends")?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn run(connection: &Connection) -> Result<(), ServeError> {
    match greet_and_serve(connection) {
        // Closing the connection is one way to end the session.
        Err(ServeError::Protocol(error)) if error.channel_is_disconnected() => Ok(()),
        served => served,
    }
}

fn greet_and_serve(connection: &Connection) -> Result<(), ServeError> {
    let (id, params) = connection.initialize_start()?;
    let params: lsp::InitializeParams = serde_json::from_value(params)?;
    let client = Client::from_params(&params);
    connection.initialize_finish(id, serde_json::to_value(initialize_result(client.unit))?)?;
    let (jobs, waiting) = unbounded();
    let (results, checked) = unbounded();
    thread::scope(|scope| {
        scope.spawn(|| check_all(&waiting, &results));
        let server = Server {
            connection,
            client,
            documents: HashMap::new(),
            jobs,
            faulty_configs: HashSet::new(),
            last_request: 0,
        };
        // The server owns the only sender of jobs, so the other thread ends when the server does.
        server.serve(&checked)
    })
}

/// Checks one buffer after the other, until the sender of jobs is dropped.
fn check_all(jobs: &Receiver<CheckJob>, results: &Sender<CheckResult>) {
    for CheckJob { uri, revision, text, settings } in jobs {
        let checked = CheckedText::check(revision, &text, &settings);
        if results.send(CheckResult { uri, checked }).is_err() {
            return;
        }
    }
}

/// Returns the capabilities of the server.
fn initialize_result(unit: ColumnUnit) -> lsp::InitializeResult {
    let sync = lsp::TextDocumentSyncOptions {
        open_close: Some(true),
        change: Some(lsp::TextDocumentSyncKind::Incremental),
        save: Some(lsp::Save::Bool(true)),
        ..lsp::TextDocumentSyncOptions::default()
    };
    let save_as_utf_8 = lsp::CodeActionKind::Custom(actions::SAVE_AS_UTF_8_KIND.into());
    let kinds = vec![lsp::CodeActionKind::QuickFix, lsp::CodeActionKind::SourceFixAll, save_as_utf_8];
    let capabilities = lsp::ServerCapabilities {
        position_encoding: Some(unit.protocol_name()),
        text_document_sync: Some(lsp::TextDocumentSync::Options(sync)),
        hover_provider: Some(lsp::HoverProvider::Bool(true)),
        definition_provider: Some(lsp::DefinitionProvider::Bool(true)),
        references_provider: Some(lsp::ReferencesProvider::Bool(true)),
        document_highlight_provider: Some(lsp::DocumentHighlightProvider::Bool(true)),
        document_symbol_provider: Some(lsp::DocumentSymbolProvider::Bool(true)),
        workspace_symbol_provider: Some(lsp::WorkspaceSymbolProvider::Bool(true)),
        folding_range_provider: Some(lsp::FoldingRangeProvider::Bool(true)),
        inlay_hint_provider: Some(lsp::InlayHintProvider::Bool(true)),
        rename_provider: Some(lsp::RenameProvider::RenameOptions(lsp::RenameOptions {
            prepare_provider: Some(true),
            ..lsp::RenameOptions::default()
        })),
        code_action_provider: Some(lsp::CodeActionProvider::CodeActionOptions(lsp::CodeActionOptions {
            code_action_kinds: Some(kinds),
            resolve_provider: Some(true),
            ..lsp::CodeActionOptions::default()
        })),
        completion_provider: Some(lsp::CompletionOptions {
            trigger_characters: Some(vec![" ".to_owned(), "@".to_owned()]),
            ..lsp::CompletionOptions::default()
        }),
        semantic_tokens_provider: Some(lsp::SemanticTokensProvider::SemanticTokensOptions(
            lsp::SemanticTokensOptions {
                legend: tokens::legend(),
                range: Some(lsp::SemanticTokensOptionsRange::Bool(true)),
                full: Some(lsp::Full::Bool(true)),
                work_done_progress_options: lsp::WorkDoneProgressOptions::default(),
            },
        )),
        execute_command_provider: Some(lsp::ExecuteCommandOptions {
            commands: vec![actions::SAVE_AS_UTF_8.to_owned(), actions::FIX_FILE.to_owned()],
            ..lsp::ExecuteCommandOptions::default()
        }),
        ..lsp::ServerCapabilities::default()
    };
    let version = Some(env!("CARGO_PKG_VERSION").to_owned());
    lsp::InitializeResult {
        capabilities,
        server_info: Some(lsp::ServerInfo { name: "elf".to_owned(), version }),
    }
}

impl Server<'_> {
    fn serve(mut self, checked: &Receiver<CheckResult>) -> Result<(), ServeError> {
        if self.client.watches_files {
            self.watch_files();
        }
        loop {
            let due = self.documents.values().filter(|one| !one.is_checking).filter_map(|one| one.due).min();
            let timer = due.map_or_else(never, at);
            select! {
                recv(self.connection.receiver) -> message => match message {
                    Ok(Message::Request(request)) => {
                        if self.connection.handle_shutdown(&request)? {
                            return Ok(());
                        }
                        self.answer_request(request);
                    }
                    Ok(Message::Notification(notification)) if notification.method == "exit" => return Ok(()),
                    Ok(Message::Notification(notification)) => self.handle_notification(notification),
                    // The server needs no information from these answers.
                    Ok(Message::Response(_)) => {}
                    Err(_) => return Ok(()),
                },
                recv(checked) -> result => if let Ok(result) = result {
                    self.store_result(result);
                },
                recv(timer) -> _ => self.start_checks(),
            }
        }
    }

    /// Asks the client to report changes of `elf.toml` and of genealogical files.
    fn watch_files(&mut self) {
        let globs = [&*format!("**/{CONFIG}"), "**/*.{ged,gedcom,elf,GED}"];
        let watchers = globs.map(|glob| lsp::FileSystemWatcher {
            glob_pattern: lsp::GlobPattern::Pattern(glob.to_owned()),
            kind: None,
        });
        let options = lsp::DidChangeWatchedFilesRegistrationOptions { watchers: watchers.into() };
        let registration = lsp::Registration {
            id: "watched-files".to_owned(),
            method: "workspace/didChangeWatchedFiles".to_owned(),
            register_options: serde_json::to_value(options).ok(),
        };
        self.request(
            "client/registerCapability",
            &lsp::RegistrationParams { registrations: vec![registration] },
        );
    }

    // Messages to the client.

    /// Sends a message. If the client has gone, the next iteration of the main loop ends the
    /// server.
    fn send(&self, message: impl Into<Message>) {
        let _ = self.connection.sender.send(message.into());
    }

    fn request(&mut self, method: &str, params: &impl serde::Serialize) {
        self.last_request += 1;
        self.send(Request::new(RequestId::from(self.last_request), method.to_owned(), params));
    }

    fn notify(&self, method: &str, params: &impl serde::Serialize) {
        self.send(Notification::new(method.to_owned(), params));
    }

    fn show_message(&self, kind: lsp::MessageType, message: String) {
        self.notify("window/showMessage", &lsp::ShowMessageParams { kind, message });
    }

    // Checks.

    /// Starts the checks that are due.
    fn start_checks(&mut self) {
        let now = Instant::now();
        let options = self.client.options;
        for document in self.documents.values_mut() {
            if document.is_checking || document.due.is_none_or(|due| due > now) {
                continue;
            }
            document.read_settings(options);
            document.due = None;
            document.is_checking = true;
            let job = CheckJob {
                uri: document.uri.clone(),
                revision: document.revision,
                text: Arc::clone(&document.text),
                settings: Arc::clone(&document.settings),
            };
            // Sending cannot fail, because the other thread ends only after the server.
            let _ = self.jobs.send(job);
        }
        self.publish_configs();
    }

    /// Stores the result of a check. It is dropped if the buffer has changed meanwhile.
    fn store_result(&mut self, CheckResult { uri, checked }: CheckResult) {
        let Some(document) = self.documents.get_mut(&uri) else { return };
        document.is_checking = false;
        if checked.revision != document.revision {
            document.due.get_or_insert_with(Instant::now);
            return;
        }
        let failure = checked.failure.clone();
        document.checked = Some(checked);
        if let Some(failure) = failure {
            self.show_message(lsp::MessageType::Error, format!("this file cannot be checked: {failure}"));
        }
        self.publish_findings(&uri);
    }

    /// Sends the diagnostics of a buffer.
    fn publish_findings(&self, uri: &Uri) {
        let Some(document) = self.documents.get(uri) else { return };
        let findings: Vec<_> =
            document.findings().iter().map(|Finding { diagnostic, .. }| diagnostic).collect();
        let params = lsp::PublishDiagnosticsParams {
            uri: uri.clone(),
            version: Some(document.version),
            diagnostics: diagnostics_of(document, &findings, self.client.unit),
        };
        self.notify("textDocument/publishDiagnostics", &params);
    }

    /// Sends a diagnostic for each invalid `elf.toml`, and clears the diagnostics of files that are
    /// valid again.
    fn publish_configs(&mut self) {
        let mut faults: HashMap<Uri, lsp::Diagnostic> = HashMap::new();
        for document in self.documents.values() {
            if let (Some(fault), Some(config)) = (&document.settings.fault, &document.settings.config) {
                faults.insert(uri_of(config), diagnostic_of_config(fault));
            }
        }
        for gone in self.faulty_configs.iter().filter(|uri| !faults.contains_key(uri)) {
            self.publish_config(gone, Vec::new());
        }
        for (uri, fault) in &faults {
            self.publish_config(uri, vec![fault.clone()]);
        }
        self.faulty_configs = faults.into_keys().collect();
    }

    fn publish_config(&self, uri: &Uri, diagnostics: Vec<lsp::Diagnostic>) {
        let params = lsp::PublishDiagnosticsParams { uri: uri.clone(), version: None, diagnostics };
        self.notify("textDocument/publishDiagnostics", &params);
    }

    // Notifications of the client.

    fn handle_notification(&mut self, notification: Notification) {
        let Notification { method, params } = notification;
        let noted = match &*method {
            "textDocument/didOpen" => parse_params(params).map(|params| self.did_open(params)),
            "textDocument/didChange" => parse_params(params).map(|params| self.did_change(params)),
            "textDocument/didSave" => parse_params(params).map(|params| self.did_save(&params)),
            "textDocument/didClose" => parse_params(params).map(|params| self.did_close(&params)),
            "workspace/didChangeWatchedFiles" => {
                parse_params(params).map(|params| self.did_change_files(&params))
            }
            _ => Ok(()),
        };
        if let Err(error) = noted {
            self.show_message(lsp::MessageType::Error, format!("{method}: {error}"));
        }
    }

    fn did_open(&mut self, params: lsp::DidOpenTextDocumentParams) {
        let mut document = OpenDocument::open(params.text_document, self.client.options);
        document.due = Some(Instant::now());
        self.documents.insert(document.uri.clone(), document);
    }

    fn did_change(&mut self, params: lsp::DidChangeTextDocumentParams) {
        let lsp::VersionedTextDocumentIdentifier { version, text_document_identifier } = params.text_document;
        let Some(document) = self.documents.get_mut(&text_document_identifier.uri) else { return };
        document.apply_changes(version, params.content_changes, self.client.unit);
        document.due = Some(Instant::now() + PAUSE);
    }

    fn did_save(&mut self, params: &lsp::DidSaveTextDocumentParams) {
        let Some(document) = self.documents.get_mut(&params.text_document.uri) else { return };
        let wrong = document.wrong_text();
        document.read_saved();
        document.due = Some(Instant::now());
        let Some(wrong) = wrong.filter(|_| document.disk.as_ref().is_some_and(|disk| disk.replacements > 0))
        else {
            return;
        };
        let advice = match wrong {
            WrongText::OtherEncoding(_) => {
                "undo all changes and save it again in its old encoding, or restore an older copy"
            }
            WrongText::ReplacedBytes(_) => "restore an older copy",
        };
        let message = format!("the file was saved with wrong characters, so letters are lost: {advice}");
        self.show_message(lsp::MessageType::Error, message);
    }

    fn did_close(&mut self, params: &lsp::DidCloseTextDocumentParams) {
        let uri = &params.text_document.uri;
        if self.documents.remove(uri).is_some() {
            let params =
                lsp::PublishDiagnosticsParams { uri: uri.clone(), version: None, diagnostics: Vec::new() };
            self.notify("textDocument/publishDiagnostics", &params);
            self.publish_configs();
        }
    }

    /// Checks buffers again if their `elf.toml` or their files on disk have changed.
    fn did_change_files(&mut self, params: &lsp::DidChangeWatchedFilesParams) {
        let paths: Vec<_> = params.changes.iter().filter_map(|change| path_of(&change.uri)).collect();
        let is_config = paths.iter().any(|path| path.file_name().is_some_and(|name| name == CONFIG));
        let options = self.client.options;
        for document in self.documents.values_mut() {
            let mut has_changed = is_config && document.read_settings(options);
            if document.path.as_ref().is_some_and(|path| paths.contains(path)) {
                document.read_disk();
                has_changed = true;
            }
            if has_changed {
                document.due.get_or_insert_with(Instant::now);
            }
        }
        self.publish_configs();
    }

    // Requests of the client.

    fn answer_request(&mut self, request: Request) {
        let Request { id, method, params } = request;
        let result = match &*method {
            "textDocument/hover" => self.answer_with::<lsp::HoverRequest>(params, Server::hover),
            "textDocument/definition" => {
                self.answer_with::<lsp::DefinitionRequest>(params, Server::definition)
            }
            "textDocument/references" => {
                self.answer_with::<lsp::ReferencesRequest>(params, Server::references)
            }
            "textDocument/documentHighlight" => {
                self.answer_with::<lsp::DocumentHighlightRequest>(params, Server::highlights)
            }
            "textDocument/prepareRename" => {
                self.answer_with::<lsp::PrepareRenameRequest>(params, Server::prepare_rename)
            }
            "textDocument/rename" => self.answer_with::<lsp::RenameRequest>(params, Server::rename),
            "textDocument/documentSymbol" => {
                self.answer_with::<lsp::DocumentSymbolRequest>(params, Server::outline)
            }
            "workspace/symbol" => {
                self.answer_with::<lsp::WorkspaceSymbolRequest>(params, Server::search_symbols)
            }
            "textDocument/inlayHint" => self.answer_with::<lsp::InlayHintRequest>(params, Server::hints),
            "textDocument/completion" => self.answer_with::<lsp::CompletionRequest>(params, Server::complete),
            "textDocument/foldingRange" => {
                self.answer_with::<lsp::FoldingRangeRequest>(params, Server::folds)
            }
            "textDocument/semanticTokens/full" => {
                self.answer_with::<lsp::SemanticTokensRequest>(params, Server::all_tokens)
            }
            "textDocument/semanticTokens/range" => {
                self.answer_with::<lsp::SemanticTokensRangeRequest>(params, Server::tokens_in)
            }
            "textDocument/codeAction" => {
                self.answer_with::<lsp::CodeActionRequest>(params, Server::code_actions)
            }
            "codeAction/resolve" => {
                self.answer_with::<lsp::CodeActionResolveRequest>(params, Server::resolve_action)
            }
            "workspace/executeCommand" => {
                self.answer_with::<lsp::ExecuteCommandRequest>(params, Server::execute_command)
            }
            _ => Err(RequestError::unknown_method(&method)),
        };
        self.send(Response { id, response_result: result.map_err(Into::into) });
    }

    /// Parses the parameters of a request, calls `handler` and sends the answer.
    fn answer_with<R: LspRequest>(
        &mut self,
        params: serde_json::Value,
        handler: fn(&mut Self, &R::Params) -> Result<R::Result, RequestError>,
    ) -> Result<serde_json::Value, RequestError> {
        let result = handler(self, &parse_params(params)?)?;
        serde_json::to_value(result).map_err(|error| RequestError::failed(error.to_string()))
    }

    fn document(&self, id: &lsp::TextDocumentIdentifier) -> Result<&OpenDocument, RequestError> {
        self.documents.get(&id.uri).ok_or_else(|| not_open_error(&id.uri))
    }

    fn document_mut(&mut self, uri: &Uri) -> Result<&mut OpenDocument, RequestError> {
        self.documents.get_mut(uri).ok_or_else(|| not_open_error(uri))
    }

    fn hover(&mut self, params: &lsp::HoverParams) -> Result<Option<lsp::Hover>, RequestError> {
        let at = &params.text_document_position_params;
        Ok(hover::hover_at(self.document(&at.text_document)?, at.position, self.client.unit))
    }

    fn definition(
        &mut self,
        params: &lsp::DefinitionParams,
    ) -> Result<Option<lsp::DefinitionResponse>, RequestError> {
        let at = &params.text_document_position_params;
        Ok(navigation::find_definition(self.document(&at.text_document)?, at.position, self.client.unit))
    }

    fn references(
        &mut self,
        params: &lsp::ReferenceParams,
    ) -> Result<Option<Vec<lsp::Location>>, RequestError> {
        let at = &params.text_document_position_params;
        let document = self.document(&at.text_document)?;
        Ok(navigation::find_references(
            document,
            at.position,
            params.context.include_declaration,
            self.client.unit,
        ))
    }

    fn highlights(
        &mut self,
        params: &lsp::DocumentHighlightParams,
    ) -> Result<Option<Vec<lsp::DocumentHighlight>>, RequestError> {
        let at = &params.text_document_position_params;
        Ok(navigation::find_highlights(self.document(&at.text_document)?, at.position, self.client.unit))
    }

    fn prepare_rename(
        &mut self,
        params: &lsp::PrepareRenameParams,
    ) -> Result<Option<lsp::PrepareRenameResult>, RequestError> {
        let at = &params.text_document_position_params;
        navigation::prepare_rename(self.document(&at.text_document)?, at.position, self.client.unit)
    }

    fn rename(&mut self, params: &lsp::RenameParams) -> Result<Option<lsp::WorkspaceEdit>, RequestError> {
        let at = &params.text_document_position_params;
        let document = self.document(&at.text_document)?;
        navigation::rename_identifier(document, at.position, &params.new_name, self.client).map(Some)
    }

    fn outline(
        &mut self,
        params: &lsp::DocumentSymbolParams,
    ) -> Result<Option<lsp::DocumentSymbolResponse>, RequestError> {
        Ok(symbols::document_symbols(self.document(&params.text_document)?, self.client))
    }

    fn search_symbols(
        &mut self,
        params: &lsp::WorkspaceSymbolParams,
    ) -> Result<Option<lsp::WorkspaceSymbolResponse>, RequestError> {
        let mut documents: Vec<&OpenDocument> = self.documents.values().collect();
        documents.sort_by(|one, other| one.uri.0.cmp(&other.uri.0));
        let mut found = Vec::new();
        for document in documents {
            symbols::search_symbols(document, &params.query, self.client, &mut found);
        }
        Ok(Some(lsp::WorkspaceSymbolResponse::SymbolInformationList(found)))
    }

    fn hints(&mut self, params: &lsp::InlayHintParams) -> Result<Option<Vec<lsp::InlayHint>>, RequestError> {
        Ok(hints::inlay_hints(self.document(&params.text_document)?, params.range, self.client.unit))
    }

    fn complete(
        &mut self,
        params: &lsp::CompletionParams,
    ) -> Result<Option<lsp::CompletionResponse>, RequestError> {
        let at = &params.text_document_position_params;
        Ok(completion::completions_at(self.document(&at.text_document)?, at.position, self.client.unit))
    }

    fn folds(
        &mut self,
        params: &lsp::FoldingRangeParams,
    ) -> Result<Option<Vec<lsp::FoldingRange>>, RequestError> {
        Ok(folding::folding_ranges(self.document(&params.text_document)?, self.client))
    }

    fn all_tokens(
        &mut self,
        params: &lsp::SemanticTokensParams,
    ) -> Result<Option<lsp::SemanticTokens>, RequestError> {
        Ok(tokens::all_tokens(self.document(&params.text_document)?, self.client.unit))
    }

    fn tokens_in(
        &mut self,
        params: &lsp::SemanticTokensRangeParams,
    ) -> Result<Option<lsp::SemanticTokens>, RequestError> {
        Ok(tokens::tokens_in(self.document(&params.text_document)?, params.range, self.client.unit))
    }

    fn code_actions(
        &mut self,
        params: &lsp::CodeActionParams,
    ) -> Result<Option<Vec<lsp::CodeActionResponse>>, RequestError> {
        let client = self.client;
        let document = self.document_mut(&params.text_document.uri)?;
        let actions = actions::actions_for(document, params, client);
        Ok(Some(actions.into_iter().map(lsp::CodeActionResponse::CodeAction).collect()))
    }

    fn resolve_action(&mut self, action: &lsp::CodeAction) -> Result<lsp::CodeAction, RequestError> {
        let Some(data) = action.data.clone() else { return Ok(action.clone()) };
        let deferred: DeferredFix = parse_params(data)?;
        let client = self.client;
        let edit = actions::compute_edit(self.document_mut(&deferred.uri)?, &deferred, client)?;
        Ok(lsp::CodeAction { edit: Some(edit), ..action.clone() })
    }

    fn execute_command(
        &mut self,
        params: &lsp::ExecuteCommandParams,
    ) -> Result<Option<lsp::LspAny>, RequestError> {
        let uri = params.arguments.as_deref().and_then(|arguments| arguments.first()?.as_str());
        let uri = uri.ok_or_else(|| RequestError::failed("expected the URI of a file as the argument"))?;
        let document = self.document(&lsp::TextDocumentIdentifier { uri: Uri(uri.to_owned()) })?;
        let (label, edit) = match &*params.command {
            actions::SAVE_AS_UTF_8 => {
                let edits = edits_to_utf_8(document, self.client.unit)?;
                (actions::SAVE_AS_UTF_8_TITLE, self.client.edit_of(document, edits))
            }
            actions::FIX_FILE => ("Fix all that is safe to fix", actions::fix_all(document, self.client)?),
            other => return Err(RequestError::failed(format!("unknown command `{other}`"))),
        };
        // Without U+FFFD, the editor decoded the file in an encoding of one byte. It would save the file in it.
        let has_other_encoding =
            document.wrong_text().is_some() && !document.text.content().contains(char::REPLACEMENT_CHARACTER);
        if has_other_encoding {
            let message = "the text is correct now, but your editor opened the file in another encoding: save it with \
                the encoding UTF-8";
            self.show_message(lsp::MessageType::Warning, message.to_owned());
        }
        let params = lsp::ApplyWorkspaceEditParams { label: Some(label.to_owned()), edit, metadata: None };
        self.request("workspace/applyEdit", &params);
        Ok(None)
    }
}

fn parse_params<T: DeserializeOwned>(params: serde_json::Value) -> Result<T, RequestError> {
    serde_json::from_value(params).map_err(|error| RequestError::invalid(&error))
}

fn not_open_error(uri: &Uri) -> RequestError {
    RequestError::failed(format!("{} is not open", uri.0))
}
