//! What a document answers when it is asked about an identifier.

use super::collect::Entry;
use super::resolve::{Index, Names, Statuses};
use crate::tree::View;
use elf_base::Span;
use std::sync::Arc;

/// What is known in a document of the identifiers of its structures.
#[derive(Debug, Default)]
pub(crate) enum Resolution {
    /// Nothing: it is a part of a document of which the rest is not known.
    #[default]
    Unknown,
    /// All of them, for it is whole.
    Whole(Box<WholeResolution>),
    /// What is irregular about them, in a part of a document.
    Part(Arc<Names>),
}

/// What is known of the identifiers of a whole document: what is irregular, and what bears each.
#[derive(Debug)]
pub(crate) struct WholeResolution {
    pub(super) statuses: Statuses<Span>,
    pub(super) index: Index,
}

/// What bears an identifier first, in the whole document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Bearer {
    /// Nothing.
    None,
    /// A record.
    Record,
    /// A structure that is no record.
    Substructure,
}

impl Resolution {
    /// What bears `xref` first. Where that cannot be known, it is taken for a record, as nearly all are.
    pub(crate) fn bearer(&self, view: View<'_>, xref: &str) -> Bearer {
        match self {
            Resolution::Unknown => Bearer::Record,
            Resolution::Whole(whole) => whole.statuses.bearer(xref).unwrap_or_else(|| {
                match whole.index.find(view, &whole.statuses.keys, xref) {
                    None => Bearer::None,
                    Some(bearer) if bearer.is_nested() => Bearer::Substructure,
                    Some(_) => Bearer::Record,
                }
            }),
            Resolution::Part(names) => names.statuses.bearer(xref).unwrap_or(Bearer::Record),
        }
    }

    /// The only structure that bears `xref`, in a whole document.
    pub(crate) fn only_bearer(&self, view: View<'_>, xref: &str) -> Option<u32> {
        let Resolution::Whole(whole) = self else { return None };
        let WholeResolution { statuses, index } = &**whole;
        if statuses.bearer(xref) == Some(Bearer::None) || statuses.is_repeated(xref) {
            return None;
        }
        index.find(view, &statuses.keys, xref).map(|bearer| bearer.node)
    }

    /// Returns whether several structures bear any one identifier.
    pub(crate) fn any_repeated(&self) -> bool {
        match self {
            Resolution::Unknown => false,
            Resolution::Whole(whole) => whole.statuses.any_repeated(),
            Resolution::Part(names) => names.statuses.any_repeated(),
        }
    }

    /// Returns whether several structures bear `xref`. Where that cannot be known, nearly none does.
    pub(crate) fn is_repeated(&self, xref: &str) -> bool {
        match self {
            Resolution::Unknown => false,
            Resolution::Whole(whole) => whole.statuses.is_repeated(xref),
            Resolution::Part(names) => names.statuses.is_repeated(xref),
        }
    }

    /// The identifier of the inserted record that a pointer to `xref` leads to; `xref` itself where there is none.
    pub(crate) fn redirected<'d>(&'d self, xref: &'d str) -> &'d str {
        match self {
            Resolution::Unknown => xref,
            Resolution::Whole(whole) => whole.statuses.redirected(xref),
            Resolution::Part(names) => names.statuses.redirected(xref),
        }
    }
}
