//! A schema that a document is written with in place of its own.

use super::PreambleLine;
use crate::escape::EscapeTable;
use crate::{Node, NodeId};
use elf_base::Code;

/// The schema and the tags that a document is written with in place of its own: a schema of another form, and
/// the tags that go with it. They are made by a caller that knows types.
#[non_exhaustive]
pub struct SchemaOverride<'a> {
    /// SCHMA, or PRFX and DEFN in 2017, with all beneath them; see
    /// [`Preamble::schema`](super::Preamble::schema).
    pub schema: Option<Vec<PreambleLine<'static>>>,
    /// The escapes that readers of the file will keep; see [`Preamble::escapes`](super::Preamble::escapes).
    pub escapes: Option<EscapeTable>,
    /// The tag of a structure, where it is not its own.
    pub tag: &'a dyn Fn(Node<'_>) -> Option<&'a str>,
    /// True if another schema was in force than that of the header, of which nothing is written then.
    pub displaces: bool,
    /// The losses, each with the structure that it concerns, in document order.
    pub losses: Vec<(NodeId, Code, String)>,
}

impl<'a> SchemaOverride<'a> {
    /// Combines a schema and tags, without losses.
    pub fn new(
        schema: Option<Vec<PreambleLine<'static>>>,
        tag: &'a dyn Fn(Node<'_>) -> Option<&'a str>,
    ) -> SchemaOverride<'a> {
        SchemaOverride { schema, escapes: None, tag, displaces: false, losses: Vec::new() }
    }

    /// Sets the escapes that readers of the file will keep.
    #[must_use]
    pub fn with_escapes(mut self, escapes: Option<EscapeTable>) -> SchemaOverride<'a> {
        self.escapes = escapes;
        self
    }

    /// Says whether another schema was in force than that of the header. Of what that holds no more is
    /// reported than the losses say, but lines that are none.
    #[must_use]
    pub const fn with_displaced(mut self, displaces: bool) -> SchemaOverride<'a> {
        self.displaces = displaces;
        self
    }

    /// Sets the losses, which are reported and counted where the document is written.
    #[must_use]
    pub fn with_losses(mut self, losses: Vec<(NodeId, Code, String)>) -> SchemaOverride<'a> {
        self.losses = losses;
        self
    }
}
