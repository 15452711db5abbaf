//! Answers of a document that is asked about an identifier.

use super::key::Keys;
use super::known::KnownXrefs;
use super::list::XrefNodes;
use super::resolve::{Index, Statuses};
use crate::read::tree::View;
use std::borrow::Cow;
use std::sync::Arc;

/// The knowledge that a document has of its identifiers.
#[derive(Debug, Default)]
pub(crate) enum Resolution {
    /// No knowledge: it is a run of a document of which the rest is not known.
    #[default]
    Unknown,
    /// No knowledge, but a list of those in the run, which its reading made.
    Listed(Arc<XrefNodes>),
    /// The bearers of all identifiers, for it is whole.
    Whole(Box<WholeResolution>),
    /// The repeated and unresolved identifiers of the document, in a run of it.
    Known(Arc<KnownXrefs>),
}

/// The bearers of the identifiers of a whole document, and what is irregular.
#[derive(Debug)]
pub(crate) struct WholeResolution {
    pub(super) index: Index,
    /// Set where several structures have any one identifier.
    pub(super) any_repeated: bool,
    /// The statuses of irregular identifiers, if the rules change anything for their sake.
    pub(super) statuses: Option<Statuses>,
}

/// What kind of structure has an identifier. [`Document::bearer`](crate::Document::bearer) returns it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bearer {
    /// No structure has it.
    None,
    /// A record.
    Record,
    /// A structure that is not a record.
    Substructure,
    /// The document is a run, and the other runs are not known.
    Unknown,
}

/// The structures that have an identifier in a whole document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Bearers {
    None,
    /// The structure of that node.
    One(u32),
    Several,
    Unknown,
}

impl Resolution {
    /// The list that the reading made, or the keys to make one by.
    pub(crate) fn listed(&self) -> Result<&Arc<XrefNodes>, Cow<'_, Keys>> {
        match self {
            Resolution::Listed(nodes) => Ok(nodes),
            Resolution::Unknown => Err(Cow::Owned(Keys::default())),
            Resolution::Whole(whole) => Err(Cow::Borrowed(whole.index.keys())),
            Resolution::Known(known) => Err(Cow::Borrowed(known.keys())),
        }
    }

    /// Returns what has `xref` first.
    pub(crate) fn bearer(&self, view: View<'_>, xref: &str) -> Bearer {
        match self {
            Resolution::Unknown | Resolution::Listed(_) => Bearer::Unknown,
            Resolution::Whole(whole) => whole.bearer(view, xref),
            Resolution::Known(known) => known.bearer(xref),
        }
    }

    /// Returns the structures that have `xref`.
    pub(crate) fn bearers(&self, view: View<'_>, xref: &str) -> Bearers {
        match self {
            Resolution::Whole(whole) => whole.bearers(view, xref),
            Resolution::Unknown | Resolution::Listed(_) => Bearers::Unknown,
            Resolution::Known(known) => match known.bearer(xref) {
                Bearer::None => Bearers::None,
                _ if known.is_repeated(xref) => Bearers::Several,
                Bearer::Record | Bearer::Substructure | Bearer::Unknown => Bearers::Unknown,
            },
        }
    }

    /// Returns whether several structures have any one identifier.
    pub(crate) fn any_repeated(&self) -> bool {
        match self {
            Resolution::Unknown | Resolution::Listed(_) => false,
            Resolution::Whole(whole) => whole.any_repeated,
            Resolution::Known(known) => known.any_repeated(),
        }
    }

    /// Returns whether several structures have `xref`. Where that cannot be known, nearly none does.
    pub(crate) fn is_repeated(&self, view: View<'_>, xref: &str) -> bool {
        match self {
            Resolution::Unknown | Resolution::Listed(_) => false,
            Resolution::Whole(whole) => whole.any_repeated && whole.bearers(view, xref) == Bearers::Several,
            Resolution::Known(known) => known.is_repeated(xref),
        }
    }

    /// Returns whether the rules insert records into the whole document.
    pub(crate) fn has_insertions(&self) -> bool {
        match self {
            Resolution::Unknown | Resolution::Listed(_) | Resolution::Known(_) => false,
            Resolution::Whole(whole) => whole.statuses.as_ref().is_some_and(Statuses::inserts),
        }
    }

    /// The identifier of the record that is inserted for pointers to `xref`, if one is.
    pub(crate) fn inserted_for<'d>(&'d self, xref: &'d str) -> Option<&'d str> {
        match self {
            Resolution::Unknown | Resolution::Listed(_) | Resolution::Known(_) => None,
            Resolution::Whole(whole) => whole.statuses.as_ref()?.inserted_for(xref),
        }
    }

    /// The identifier of the inserted record that a pointer to `xref` leads to; `xref` itself where there is
    /// none.
    pub(crate) fn redirected<'d>(&'d self, xref: &'d str) -> &'d str {
        match self {
            Resolution::Unknown | Resolution::Listed(_) | Resolution::Known(_) => xref,
            Resolution::Whole(whole) => {
                whole.statuses.as_ref().map_or(xref, |statuses| statuses.redirected(xref))
            }
        }
    }
}

impl WholeResolution {
    fn bearer(&self, view: View<'_>, xref: &str) -> Bearer {
        let irregular = self.statuses.as_ref().and_then(|statuses| statuses.bearer(xref));
        irregular.unwrap_or_else(|| match self.index.find(view, xref) {
            None => Bearer::None,
            Some(node) if view.is_record(node) => Bearer::Record,
            Some(_) => Bearer::Substructure,
        })
    }

    fn bearers(&self, view: View<'_>, xref: &str) -> Bearers {
        let irregular = self.statuses.as_ref();
        if irregular.is_some_and(|statuses| statuses.bearer(xref) == Some(Bearer::None)) {
            return Bearers::None;
        }
        match self.index.find(view, xref) {
            None => Bearers::None,
            Some(first) => match irregular {
                Some(statuses) if statuses.is_repeated(xref) => Bearers::Several,
                None if self.index.is_repeated(first) => Bearers::Several,
                Some(_) | None => Bearers::One(first),
            },
        }
    }
}
