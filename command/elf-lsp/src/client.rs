//! Describes what the client supports, and creates edits in the form that it supports.

use crate::document::OpenDocument;
use crate::settings::ClientOptions;
use crate::text::ColumnUnit;
use gen_lsp_types::{
    ClientCapabilities, DocumentChange, Edit, InitializeParams, OptionalVersionedTextDocumentIdentifier,
    ResourceOperationKind, TextDocumentEdit, TextDocumentIdentifier, TextEdit, Uri, WorkspaceEdit,
};
use std::collections::HashMap;

#[derive(Clone, Copy, Debug, Default)]
#[allow(clippy::struct_excessive_bools, reason = "abilities that do not depend on each other")]
pub(crate) struct Client {
    pub(crate) unit: ColumnUnit,
    pub(crate) options: ClientOptions,
    /// True if the client accepts edits for one version of a document.
    has_document_changes: bool,
    pub(crate) can_create_files: bool,
    /// True if the client requests the edit of an action when the user chooses the action.
    pub(crate) resolves_edits: bool,
    /// True if the client can report changes of files.
    pub(crate) watches_files: bool,
    /// True if symbols may contain other symbols.
    pub(crate) has_nested_symbols: bool,
    /// The maximum number of folding ranges that the client supports.
    pub(crate) most_folds: Option<u32>,
}

impl Client {
    pub(crate) fn from_params(params: &InitializeParams) -> Client {
        let ClientCapabilities { workspace, text_document, general, .. } = &params.capabilities;
        let edit = workspace.as_ref().and_then(|workspace| workspace.workspace_edit.as_ref());
        let has_document_changes = edit.and_then(|edit| edit.document_changes).unwrap_or_default();
        let operations = edit.and_then(|edit| edit.resource_operations.as_ref());
        let creates = operations.is_some_and(|all| all.contains(&ResourceOperationKind::Create));
        let actions = text_document.as_ref().and_then(|of| of.code_action.as_ref());
        let resolve = actions.and_then(|actions| actions.resolve_support.as_ref());
        let symbols = text_document.as_ref().and_then(|of| of.document_symbol.as_ref());
        let folding = text_document.as_ref().and_then(|of| of.folding_range.as_ref());
        let watching = workspace.as_ref().and_then(|of| of.did_change_watched_files.as_ref());
        let encodings = general.as_ref().and_then(|general| general.position_encodings.as_deref());
        let options = params.initialization_options.clone();
        Client {
            unit: ColumnUnit::negotiate(encodings),
            // The options may be meant for another version of the server. They must not keep this
            // version from starting.
            options: options.and_then(|value| serde_json::from_value(value).ok()).unwrap_or_default(),
            has_document_changes,
            can_create_files: has_document_changes && creates,
            resolves_edits: resolve.is_some_and(|of| of.properties.iter().any(|one| one == "edit")),
            watches_files: watching.and_then(|of| of.dynamic_registration).unwrap_or_default(),
            has_nested_symbols: symbols
                .and_then(|of| of.hierarchical_document_symbol_support)
                .unwrap_or_default(),
            most_folds: folding.and_then(|of| of.range_limit),
        }
    }

    /// Returns the edit of a buffer. It applies to the current version of the buffer, if the client
    /// supports versions.
    pub(crate) fn edit_of(self, document: &OpenDocument, edits: Vec<TextEdit>) -> WorkspaceEdit {
        self.edit_of_file(&document.uri, Some(document.version), edits)
    }

    pub(crate) fn edit_of_file(self, uri: &Uri, version: Option<i32>, edits: Vec<TextEdit>) -> WorkspaceEdit {
        if !self.has_document_changes {
            let changes = HashMap::from([(uri.clone(), edits)]);
            return WorkspaceEdit { changes: Some(changes), ..WorkspaceEdit::default() };
        }
        let changes = vec![DocumentChange::TextDocumentEdit(text_edit(uri, version, edits))];
        WorkspaceEdit { document_changes: Some(changes), ..WorkspaceEdit::default() }
    }
}

/// Returns the edit of a file, for a client that supports versions.
pub(crate) fn text_edit(uri: &Uri, version: Option<i32>, edits: Vec<TextEdit>) -> TextDocumentEdit {
    TextDocumentEdit {
        text_document: OptionalVersionedTextDocumentIdentifier {
            version,
            text_document_identifier: TextDocumentIdentifier { uri: uri.clone() },
        },
        edits: edits.into_iter().map(Edit::TextEdit).collect(),
    }
}
