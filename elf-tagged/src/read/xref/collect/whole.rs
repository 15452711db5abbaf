//! The occurrences of identifiers in a whole document, whose text is available.

use super::super::is_external_pointer;
use super::super::key::{Keys, Label};
use super::super::resolve::has_identifier;
use super::{Enclosed, Occurrence, Occurrences, Side, visible_pointer};
use crate::read::header::Header;
use crate::read::tree::View;
use crate::read::tree::build::Built;
use elf_base::Span;

/// The occurrences of the identifiers in a whole document.
#[derive(Clone, Copy)]
pub(in crate::read::xref) struct WholeDocument<'d> {
    view: View<'d>,
    occurrences: &'d Occurrences,
    /// The header. The header is set if pointers that deliberately refer to no record are skipped.
    voids: Option<&'d Header>,
}

impl<'d> WholeDocument<'d> {
    /// Collects the occurrences of a document. If `voids` is true, pointers that deliberately refer to no record are
    /// skipped.
    pub(in crate::read::xref) fn of(
        built: &'d Built,
        text: &'d str,
        occurrences: &'d Occurrences,
        voids: bool,
    ) -> WholeDocument<'d> {
        let view = View { text, made: &built.made, nodes: &built.nodes };
        WholeDocument { view, occurrences, voids: voids.then_some(&built.header) }
    }

    pub(in crate::read::xref) const fn occurrences(&self) -> &'d Occurrences {
        self.occurrences
    }

    /// Returns the identifier that belongs to an occurrence.
    fn xref(&self, side: Side, node: u32) -> &'d str {
        let xref = match side {
            Side::Bearer => self.view.xref(node),
            Side::Pointer => self.view.line_pointer(node),
        };
        xref.unwrap_or_default()
    }
}

impl WholeDocument<'_> {
    pub(in crate::read::xref) fn keys(&self) -> &Keys {
        &self.occurrences.keys
    }

    #[inline]
    pub(in crate::read::xref) fn is_nested(&self, bearer: &Occurrence) -> bool {
        // Check this first, because reading a node would load it into the cache.
        self.occurrences.has_nested && !self.view.is_record(bearer.node)
    }

    #[inline]
    pub(in crate::read::xref) fn has_same_xref(
        &self,
        side: Side,
        entry: &Occurrence,
        bearer: &Occurrence,
    ) -> bool {
        entry.key() == bearer.key()
            && (!entry.key().is_hashed()
                || has_identifier(self.view, bearer.node, self.xref(side, entry.node)))
    }

    pub(in crate::read::xref) fn is_pointer(&self, entry: &Occurrence) -> bool {
        let is_looked_at = |xref: &str| self.voids.is_none_or(|header| !header.is_void(xref));
        visible_pointer(self.view, entry.node).is_some_and(is_looked_at)
    }

    pub(in crate::read::xref) fn is_external(&self, pointer: &Occurrence) -> bool {
        is_external_pointer(self.xref(Side::Pointer, pointer.node))
    }

    pub(in crate::read::xref) fn label(&self, side: Side, entry: &Occurrence) -> Label {
        self.keys().label(entry.key(), self.xref(side, entry.node))
    }

    pub(in crate::read::xref) fn position(&self, side: Side, entry: &Occurrence) -> Span {
        match side {
            Side::Bearer => self.view.xref_span(entry.node),
            Side::Pointer => self.view.payload_span(entry.node),
        }
    }

    pub(in crate::read::xref) fn bearer_labels(&self) -> impl Iterator<Item = Label> {
        self.occurrences.bearers.in_order().iter().map(|bearer| self.label(Side::Bearer, bearer))
    }

    pub(in crate::read::xref) fn each_enclosed(&self, see: &mut dyn FnMut(&[Enclosed])) {
        see(&Enclosed::find_all(self.view, self.occurrences));
    }
}
