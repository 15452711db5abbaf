//! The places of records that the rules insert (J19 §5.1): they stand nowhere in the file that was read, so
//! what is said of one is said where the first pointer stands that it was inserted for.

use super::Writer;
use crate::{ADVISED_XREF_LENGTH, Document, Node};
use elf_base::{Excerpt, Place};
use std::collections::HashMap;
use std::io;

/// The first pointers to the inserted records of which something will be said, by the identifiers of these.
/// They may be in an earlier run than the records, which are after the last.
#[derive(Debug, Default)]
pub(super) struct FirstPointers {
    places: HashMap<Box<str>, (Place, Option<Excerpt>)>,
}

impl FirstPointers {
    /// Takes note of the pointers of the next run, in the order of the document.
    #[inline]
    pub(super) fn see<W: io::Write>(&mut self, run: &Document<'_>, writer: &Writer<'_, W>) {
        if run.has_insertions() {
            self.see_all(run, writer);
        }
    }

    #[cold]
    fn see_all<W: io::Write>(&mut self, run: &Document<'_>, writer: &Writer<'_, W>) {
        let mut locator = run.locator();
        for node in run.nodes().filter(|node| node.flags().is_pointer() && !node.flags().is_hidden()) {
            let Some(xref) = node.pointer().and_then(|xref| run.inserted_for(xref)) else { continue };
            if !self.places.contains_key(xref) && writer.will_speak_of(xref) {
                let span = node.span();
                self.places.insert(xref.into(), (locator.place(span), locator.excerpt(span)));
            }
        }
    }

    /// Adds those of the runs that come next.
    pub(super) fn join(&mut self, other: FirstPointers) {
        for (xref, place) in other.places {
            self.places.entry(xref).or_insert(place);
        }
    }

    /// Returns the place of what is said of an inserted record.
    pub(super) fn place(&self, record: Node<'_>) -> Option<(Place, Option<Excerpt>)> {
        self.places.get(record.xref()?).cloned()
    }
}

impl<W: io::Write> Writer<'_, W> {
    /// Returns whether something is said of a structure for the sake of its identifier alone.
    fn will_speak_of(&self, xref: &str) -> bool {
        self.renaming.concerns(xref) || xref.chars().count() > ADVISED_XREF_LENGTH as usize
    }
}
