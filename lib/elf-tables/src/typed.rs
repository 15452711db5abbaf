//! Typed structures of a whole document or of a run of one, seen alike.

use elf_schema::{Datatype, Document, Node, Run, TypeId, TypedDocument};

/// Typed structures: of a whole document, or of a run of one.
#[derive(Clone, Copy, Debug)]
pub enum Typed<'a> {
    /// A whole document.
    Document(&'a TypedDocument<'a>),
    /// A run of one.
    Run(&'a Run<'a>),
}

impl<'a> From<&'a TypedDocument<'a>> for Typed<'a> {
    fn from(document: &'a TypedDocument<'a>) -> Typed<'a> {
        Typed::Document(document)
    }
}

impl<'a> From<&'a Run<'a>> for Typed<'a> {
    fn from(run: &'a Run<'a>) -> Typed<'a> {
        Typed::Run(run)
    }
}

impl<'a> Typed<'a> {
    pub(crate) fn document(self) -> &'a Document<'a> {
        match self {
            Typed::Document(typed) => typed.document(),
            Typed::Run(run) => run.document(),
        }
    }

    pub(crate) fn type_id(self, node: Node<'_>) -> Option<TypeId> {
        match self {
            Typed::Document(typed) => typed.type_id(node),
            Typed::Run(run) => run.type_id(node),
        }
    }

    pub(crate) fn iri(self, node: Node<'_>) -> Option<&'a str> {
        match self {
            Typed::Document(typed) => typed.type_of(node),
            Typed::Run(run) => run.type_of(node),
        }
    }

    pub(crate) fn datatype(self, node: Node<'_>) -> Datatype {
        match self {
            Typed::Document(typed) => typed.datatype(node),
            Typed::Run(run) => run.datatype(node),
        }
    }

    /// The number of the run in the document, from 0.
    pub(crate) fn number(self) -> usize {
        match self {
            Typed::Document(_) => 0,
            Typed::Run(run) => run.number(),
        }
    }
}
