//! A schema with which a document is written instead of its own.

use super::PreambleLine;
use crate::escape::EscapeTable;
use crate::{Node, NodeId};
use elf_base::Code;

/// A schema and tags that replace those of a document when it is written. Callers that know types create an override.
#[non_exhaustive]
pub struct SchemaOverride<'a> {
    /// The structures SCHMA, or PRFX and DEFN in 2017, with everything under them. See
    /// [`Preamble::schema`](super::Preamble::schema).
    pub schema: Option<Vec<PreambleLine<'static>>>,
    /// The escapes that readers of the file will preserve. See [`Preamble::escapes`](super::Preamble::escapes).
    pub escapes: Option<EscapeTable>,
    /// Returns the new tag of a structure. Returns `None` if the tag does not change.
    pub tag: &'a dyn Fn(Node<'_>) -> Option<&'a str>,
    /// Whether the document was read with a schema other than that of its header. The schema of the header is then not
    /// written.
    pub displaces: bool,
    /// The losses in document order, each with the structure that it is about.
    pub losses: Vec<(NodeId, Code, String)>,
}

impl<'a> SchemaOverride<'a> {
    /// Creates an override without losses.
    pub fn new(
        schema: Option<Vec<PreambleLine<'static>>>,
        tag: &'a dyn Fn(Node<'_>) -> Option<&'a str>,
    ) -> SchemaOverride<'a> {
        SchemaOverride { schema, escapes: None, tag, displaces: false, losses: Vec::new() }
    }

    /// Sets the escapes that readers of the file will preserve.
    #[must_use]
    pub fn with_escapes(mut self, escapes: Option<EscapeTable>) -> SchemaOverride<'a> {
        self.escapes = escapes;
        self
    }

    /// Sets whether the document was read with a schema other than that of its header.
    #[must_use]
    pub const fn with_displaced(mut self, displaces: bool) -> SchemaOverride<'a> {
        self.displaces = displaces;
        self
    }

    /// Sets the losses, which are reported and counted when the document is written.
    #[must_use]
    pub fn with_losses(mut self, losses: Vec<(NodeId, Code, String)>) -> SchemaOverride<'a> {
        self.losses = losses;
        self
    }
}
