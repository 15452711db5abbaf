//! Lists of the identifiers and pointers of a document or a run, in the order of the file.
//!
//! A reader of runs keeps the lists of all runs. Other crates that check identifiers share these lists, and store only
//! an index for each identifier.

mod entries;
mod index;
mod ordered_places;
mod packed_identifiers;

pub use entries::XrefEntries;
pub(crate) use index::ListIndex;

use super::collect::{Occurrences, PlaceFinder, visible_pointer};
use super::is_external_pointer;
use super::key::{Key, Keys};
use crate::Document;
use crate::offset::to_u32;
use crate::read::tree::build::Built;
use crate::read::tree::{NodeId, View, flag};
use elf_base::{PackedText, Rules};
use elf_octets::Source;
use std::sync::Arc;

/// The identifiers and pointers of a document or a run, in the order of the file. Each takes about nine bytes. The list
/// is a part of [`Document::xref_nodes`].
///
/// The list does not contain serialisation metadata, inserted records, or a trailer that is not data.
#[derive(Debug)]
pub struct XrefList {
    bearers: XrefEntries,
    pointers: XrefEntries,
    /// The indices of the identifiers of structures that are not records.
    nested: Box<[u32]>,
    /// The indices of the pointers that look like pointers to other files or to parts of records.
    external: Box<[u32]>,
}

/// The list of a run, shared by everything that needs identifiers.
pub(crate) type RunXrefs = Arc<XrefList>;

/// The identifiers and pointers of a document or a run, with their nodes.
#[derive(Debug)]
pub struct XrefNodes {
    list: Arc<XrefList>,
    bearers: Box<[NodeId]>,
    pointers: Box<[NodeId]>,
}

impl XrefList {
    /// Returns the identifiers with their places.
    pub const fn bearers(&self) -> &XrefEntries {
        &self.bearers
    }

    /// Returns the pointers with the places of their payloads.
    pub const fn pointers(&self) -> &XrefEntries {
        &self.pointers
    }
}

impl XrefNodes {
    /// Returns the list of identifiers and pointers, without the nodes.
    pub const fn list(&self) -> &Arc<XrefList> {
        &self.list
    }

    /// Returns the nodes with identifiers, in the order of the list.
    pub const fn bearers(&self) -> &[NodeId] {
        &self.bearers
    }

    /// Returns the nodes with pointers, in the order of the list.
    pub const fn pointers(&self) -> &[NodeId] {
        &self.pointers
    }

    /// Creates the list of a run from the occurrences in `built`.
    pub(super) fn of_run(built: &mut Built, source: &Source<'_>, rules: &Rules) -> XrefNodes {
        let occurrences = Occurrences::extract_from(built, rules);
        let view = View { text: source.text(), made: &built.made, nodes: &built.nodes };
        let (bearers, pointers) = (occurrences.bearers.in_order(), occurrences.pointers.in_order());
        let mut lister = Lister::new(view, source, bearers.len(), pointers.len());
        bearers.iter().for_each(|bearer| lister.add_bearer(bearer.node, bearer.key()));
        for pointer in pointers {
            if is_visible_pointer(view, pointer.node) {
                lister.add_pointer(pointer.node, pointer.key());
            }
        }
        lister.finish()
    }

    /// Creates the list of a document for which no list was made while reading.
    pub(crate) fn of_document(document: &Document<'_>, keys: &Keys) -> XrefNodes {
        let view = document.view();
        let includes_header = document.rules.tagged.metadata.includes_header();
        let header = document.head().filter(|_| includes_header).map(|head| head.id().get());
        let mut lister = Lister::new(view, &document.source, 0, 0);
        let mut at = 0;
        while let Some(node) = view.get(at) {
            if node.flags & (flag::HIDDEN | flag::CONTINUATION | flag::UNDEF) != 0 {
                at = view.nodes.end(at).unwrap_or(at + 1);
                continue;
            }
            let with = |bit: u32| (node.flags & bit != 0).then_some(at);
            let bearer = with(flag::XREF).filter(|at| header != Some(*at));
            let xref = bearer.and_then(|at| view.xref(at));
            if let Some(xref) = xref.filter(|xref| !document.header().is_void(xref)) {
                lister.add_bearer(at, keys.key(xref));
            }
            if let Some(xref) = with(flag::POINTER).and_then(|at| view.line_pointer(at)) {
                let xref = document.redirect(xref);
                lister.add_pointer(at, keys.key(xref));
            }
            at += 1;
        }
        lister.finish()
    }
}

/// Builds the list of a document or a run.
struct Lister<'d> {
    view: View<'d>,
    finder: PlaceFinder<'d>,
    bearers: XrefEntries,
    pointers: XrefEntries,
    bearer_nodes: Vec<NodeId>,
    pointer_nodes: Vec<NodeId>,
    nested: Vec<u32>,
    external: Vec<u32>,
}

impl<'d> Lister<'d> {
    /// Creates a lister with room for these numbers of identifiers and pointers.
    fn new(view: View<'d>, source: &'d Source<'d>, bearers: usize, pointers: usize) -> Lister<'d> {
        Lister {
            view,
            finder: PlaceFinder::new(source, view.nodes),
            bearers: XrefEntries::new(source.start(), bearers),
            pointers: XrefEntries::new(source.start(), pointers),
            bearer_nodes: Vec::with_capacity(bearers),
            pointer_nodes: Vec::with_capacity(pointers),
            nested: Vec::new(),
            external: Vec::new(),
        }
    }

    fn add_bearer(&mut self, node: u32, key: Key) {
        if !self.view.is_record(node) {
            self.nested.push(to_u32(self.bearer_nodes.len()));
        }
        let place = self.finder.place(self.view, node, self.view.xref_span(node));
        self.bearers.push(key.number(), place);
        self.bearer_nodes.push(NodeId::new(node));
    }

    fn add_pointer(&mut self, node: u32, key: Key) {
        if self.is_external(node, key) {
            self.external.push(to_u32(self.pointer_nodes.len()));
        }
        let place = self.finder.place(self.view, node, self.view.payload_span(node));
        self.pointers.push(key.number(), place);
        self.pointer_nodes.push(NodeId::new(node));
    }

    /// Returns whether a pointer looks like a pointer to another file. For most pointers, the key is enough to decide
    /// that.
    fn is_external(&self, node: u32, key: Key) -> bool {
        match PackedText::of_number(key.number()).and_then(PackedText::counted) {
            Some((first, _)) => matches!(first, b':' | b'!'),
            None => self.view.line_pointer(node).is_some_and(is_external_pointer),
        }
    }

    fn finish(self) -> XrefNodes {
        let Lister { mut bearers, mut pointers, bearer_nodes, pointer_nodes, nested, external, .. } = self;
        bearers.shrink();
        pointers.shrink();
        XrefNodes {
            list: Arc::new(XrefList { bearers, pointers, nested: nested.into(), external: external.into() }),
            bearers: bearer_nodes.into(),
            pointers: pointer_nodes.into(),
        }
    }
}

/// Returns whether a node that was recorded as a pointer is still a pointer, and is data.
fn is_visible_pointer(view: View<'_>, node: u32) -> bool {
    const MERGED: u32 = flag::MADE | flag::CONTINUED;
    match view.flags(node) & (flag::POINTER | flag::HIDDEN | MERGED) {
        flag::POINTER => true,
        _ => visible_pointer(view, node).is_some(),
    }
}
