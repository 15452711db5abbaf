//! The places of records that the rules insert (J19 §5.1): they stand nowhere in the file that was read, so
//! what is said of one is said where the first pointer stands that it was inserted for.

use super::Writer;
use crate::tree::build::MAX_XREF;
use crate::tree::flag;
use crate::xref::visible_pointer;
use crate::{Document, Node, NodeId};
use elf_base::{Excerpt, Place};
use std::collections::HashMap;
use std::io;

/// The first pointers to the inserted records of which something will be said, by the identifiers of these.
/// They may stand in an earlier part than the records, which stand behind the last.
#[derive(Debug, Default)]
pub(super) struct FirstPointers {
    places: HashMap<Box<str>, (Place, Option<Excerpt>)>,
}

impl FirstPointers {
    /// Takes note of the pointers of the next part, in the order of the document.
    #[inline]
    pub(super) fn see<W: io::Write>(&mut self, part: &Document<'_>, writer: &Writer<'_, W>) {
        if part.has_insertions() {
            self.see_all(part, writer);
        }
    }

    #[cold]
    fn see_all<W: io::Write>(&mut self, part: &Document<'_>, writer: &Writer<'_, W>) {
        let view = part.view();
        let mut locator = part.locator();
        for (id, node) in (0..).zip(part.nodes.iter()) {
            if node.flags & flag::POINTER == 0 {
                continue;
            }
            let Some(xref) = visible_pointer(view, id).and_then(|xref| part.inserted_for(xref)) else {
                continue;
            };
            if !self.places.contains_key(xref)
                && writer.will_speak_of(xref)
                && let Some(node) = part.node(NodeId(id))
            {
                let span = node.span();
                self.places.insert(xref.into(), (locator.place(span), locator.excerpt(span)));
            }
        }
    }

    /// Returns the place of what is said of an inserted record.
    pub(super) fn place(&self, record: Node<'_>) -> Option<(Place, Option<Excerpt>)> {
        self.places.get(record.xref()?).cloned()
    }
}

impl<W: io::Write> Writer<'_, W> {
    /// Tells whether something is said of a structure for the sake of its identifier alone.
    fn will_speak_of(&self, xref: &str) -> bool {
        self.renaming.concerns(xref) || xref.chars().count() > MAX_XREF as usize
    }
}
