//! Looks up identifiers in a document.

use super::key::Keys;
use super::known::KnownXrefs;
use super::list::XrefNodes;
use super::resolve::{Index, Statuses};
use crate::read::tree::View;
use std::borrow::Cow;
use std::sync::Arc;

/// The facts that a document knows about its identifiers.
#[derive(Debug, Default)]
pub(crate) enum Resolution {
    /// Nothing is known, because the document is a run and the other runs are not known.
    #[default]
    Unknown,
    /// Only the list of the identifiers in the run is known. The list was made while the run was read.
    Listed(Arc<XrefNodes>),
    /// The structures of all identifiers are known, because the document is whole.
    Whole(Box<WholeResolution>),
    /// The repeated and unresolved identifiers of the whole document are known. This document is a run of that whole
    /// document.
    Known(Arc<KnownXrefs>),
}

/// The structures of all identifiers in a whole document, and the irregular identifiers.
#[derive(Debug)]
pub(crate) struct WholeResolution {
    pub(super) index: Index,
    /// Whether the document has any repeated identifier.
    pub(super) any_repeated: bool,
    /// The statuses of irregular identifiers. The statuses exist only if the rules change structures because of
    /// identifiers.
    pub(super) statuses: Option<Statuses>,
}

/// The kind of structure that has an identifier. [`Document::bearer`](crate::Document::bearer) returns it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bearer {
    /// No structure has the identifier.
    None,
    /// The structure is a record.
    Record,
    /// The structure is not a record.
    Substructure,
    /// The kind is not known, because the document is a run and the other runs are not known.
    Unknown,
}

/// The structures that have an identifier in a whole document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Bearers {
    None,
    /// One structure has the identifier. The number is that of the structure's node.
    One(u32),
    Several,
    Unknown,
}

impl Resolution {
    /// Returns the list that was made while reading. If there is none, returns the keys for making one.
    pub(crate) fn listed(&self) -> Result<&Arc<XrefNodes>, Cow<'_, Keys>> {
        match self {
            Resolution::Listed(nodes) => Ok(nodes),
            Resolution::Unknown => Err(Cow::Owned(Keys::default())),
            Resolution::Whole(whole) => Err(Cow::Borrowed(whole.index.keys())),
            Resolution::Known(known) => Err(Cow::Borrowed(known.keys())),
        }
    }

    /// Returns the kind of the first structure that has `xref`.
    pub(crate) fn bearer(&self, view: View<'_>, xref: &str) -> Bearer {
        match self {
            Resolution::Unknown | Resolution::Listed(_) => Bearer::Unknown,
            Resolution::Whole(whole) => whole.bearer(view, xref),
            Resolution::Known(known) => known.bearer(xref),
        }
    }

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

    pub(crate) fn any_repeated(&self) -> bool {
        match self {
            Resolution::Unknown | Resolution::Listed(_) => false,
            Resolution::Whole(whole) => whole.any_repeated,
            Resolution::Known(known) => known.any_repeated(),
        }
    }

    /// Returns whether `xref` is repeated. If that is not known, returns false, because repeated identifiers are very
    /// rare.
    pub(crate) fn is_repeated(&self, view: View<'_>, xref: &str) -> bool {
        match self {
            Resolution::Unknown | Resolution::Listed(_) => false,
            Resolution::Whole(whole) => whole.any_repeated && whole.bearers(view, xref) == Bearers::Several,
            Resolution::Known(known) => known.is_repeated(xref),
        }
    }

    pub(crate) fn inserts_records(&self) -> bool {
        match self {
            Resolution::Unknown | Resolution::Listed(_) | Resolution::Known(_) => false,
            Resolution::Whole(whole) => whole.statuses.as_ref().is_some_and(Statuses::inserts),
        }
    }

    /// Returns the identifier of the record that is inserted for pointers to `xref`. Returns `None` if no record is
    /// inserted.
    pub(crate) fn inserted_for<'d>(&'d self, xref: &'d str) -> Option<&'d str> {
        match self {
            Resolution::Unknown | Resolution::Listed(_) | Resolution::Known(_) => None,
            Resolution::Whole(whole) => whole.statuses.as_ref()?.inserted_for(xref),
        }
    }

    /// Returns the identifier of the inserted record to which a pointer to `xref` refers. Returns `xref` if there is no
    /// such record.
    pub(crate) fn redirect<'d>(&'d self, xref: &'d str) -> &'d str {
        match self {
            Resolution::Unknown | Resolution::Listed(_) | Resolution::Known(_) => xref,
            Resolution::Whole(whole) => {
                whole.statuses.as_ref().map_or(xref, |statuses| statuses.redirect(xref))
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
