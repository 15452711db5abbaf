//! Errors of the server, and of single requests.

use lsp_server::{ErrorCode, ProtocolError, ResponseError};

/// Why the server stopped.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ServeError {
    /// The client violated the protocol.
    #[error("the client broke the protocol: {0}")]
    Protocol(#[from] ProtocolError),
    /// The client sent parameters that cannot be parsed.
    #[error("the client sent unreadable parameters: {0}")]
    Parameters(#[from] serde_json::Error),
}

/// Why a request fails.
#[derive(Clone, Debug, thiserror::Error)]
#[error("{message}")]
pub(crate) struct RequestError {
    code: ErrorCode,
    message: String,
}

impl RequestError {
    /// The request is valid but cannot be carried out.
    pub(crate) fn failed(message: impl Into<String>) -> RequestError {
        RequestError { code: ErrorCode::RequestFailed, message: message.into() }
    }

    pub(crate) fn invalid(error: &serde_json::Error) -> RequestError {
        RequestError { code: ErrorCode::InvalidParams, message: error.to_string() }
    }

    pub(crate) fn unknown_method(method: &str) -> RequestError {
        RequestError { code: ErrorCode::MethodNotFound, message: format!("unknown request `{method}`") }
    }
}

impl From<RequestError> for ResponseError {
    fn from(error: RequestError) -> ResponseError {
        ResponseError { code: error.code as i32, message: error.message, data: None }
    }
}
