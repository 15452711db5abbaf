//! Looks up identifiers in a document.

use super::key::Keys;
use super::known::KnownXrefs;
use super::list::XrefNodes;
use super::resolve::{Index, Statuses};
use crate::read::tree::View;
use std::borrow::Cow;
use std::sync::Arc;

/// What a document knows about its identifiers.
#[derive(Debug, Default)]
pub(crate) enum Resolution {
    /// Nothing: the document is a run, and the other runs are not known.
    #[default]
    Unknown,
    /// Only the list of identifiers in the run, made while reading.
    Listed(Arc<XrefNodes>),
    /// The structures of all identifiers, because the document is whole.
    Whole(Box<WholeResolution>),
    /// The repeated and unresolved identifiers of the document that the run belongs to.
    Known(Arc<KnownXrefs>),
}

/// The structures of all identifiers in a whole document, and irregular identifiers.
#[derive(Debug)]
pub(crate) struct WholeResolution {
    pub(super) index: Index,
    /// Whether any identifier is repeated.
    pub(super) any_repeated: bool,
    /// The statuses of irregular identifiers, if the rules change structures because of them.
    pub(super) statuses: Option<Statuses>,
}

/// What kind of structure has an identifier. [`Document::bearer`](crate::Document::bearer) returns it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bearer {
    /// No structure has the identifier.
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
    /// One structure, with this node.
    One(u32),
    Several,
    Unknown,
}

impl Resolution {
    /// Returns the list made while reading, or the keys to make one.
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

    /// Returns whether `xref` is repeated. If that is not known, returns false, which is nearly always right.
    pub(crate) fn is_repeated(&self, view: View<'_>, xref: &str) -> bool {
        match self {
            Resolution::Unknown | Resolution::Listed(_) => false,
            Resolution::Whole(whole) => whole.any_repeated && whole.bearers(view, xref) == Bearers::Several,
            Resolution::Known(known) => known.is_repeated(xref),
        }
    }

    pub(crate) fn has_insertions(&self) -> bool {
        match self {
            Resolution::Unknown | Resolution::Listed(_) | Resolution::Known(_) => false,
            Resolution::Whole(whole) => whole.statuses.as_ref().is_some_and(Statuses::inserts),
        }
    }

    /// Returns the identifier of the record that is inserted for pointers to `xref`, if there is one.
    pub(crate) fn inserted_for<'d>(&'d self, xref: &'d str) -> Option<&'d str> {
        match self {
            Resolution::Unknown | Resolution::Listed(_) | Resolution::Known(_) => None,
            Resolution::Whole(whole) => whole.statuses.as_ref()?.inserted_for(xref),
        }
    }

    /// Returns the identifier of the inserted record that a pointer to `xref` refers to, or `xref` if there is none.
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
