//! Errors of the server, and of single tools.

use crate::text::clean;
use std::fmt;

/// The reason why the server stopped.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ServeError {
    /// The client did not start the protocol.
    #[error("the client does not speak the Model Context Protocol: {0}")]
    Protocol(String),
    /// The server itself failed.
    #[error("the server failed: {0}")]
    Failed(String),
}

/// The reason why a tool cannot do what it was asked, in words for the assistant: what is wrong, and what to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ToolError(String);

/// The longest message, in characters.
const LONGEST: usize = 1_000;

impl ToolError {
    pub(crate) fn new(message: impl AsRef<str>) -> ToolError {
        ToolError(clean(message.as_ref(), LONGEST).text)
    }
}

impl fmt::Display for ToolError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
