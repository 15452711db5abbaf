//! Finds places for findings about inserted records (J19 §5.1). Such a record is not in the input, so its findings get
//! the place of the first pointer to it.

use super::Writer;
use crate::{ADVISED_XREF_LENGTH, Document, Node};
use elf_base::{Excerpt, Place};
use std::collections::HashMap;
use std::io;

/// The first pointers to those inserted records that will have findings, by identifier. Such a pointer may be in an
/// earlier run than the record.
#[derive(Debug, Default)]
pub(super) struct FirstPointers {
    places: HashMap<Box<str>, (Place, Option<Excerpt>)>,
}

impl FirstPointers {
    #[inline]
    pub(super) fn add_run<W: io::Write>(&mut self, run: &Document<'_>, writer: &Writer<'_, W>) {
        if run.inserts_records() {
            self.add_pointers(run, writer);
        }
    }

    #[cold]
    fn add_pointers<W: io::Write>(&mut self, run: &Document<'_>, writer: &Writer<'_, W>) {
        let mut locator = run.locator();
        for node in run.nodes().filter(|node| node.flags().is_pointer() && !node.flags().is_hidden()) {
            let Some(xref) = node.pointer().and_then(|xref| run.inserted_for(xref)) else { continue };
            if !self.places.contains_key(xref) && writer.will_report_on(xref) {
                let span = node.span();
                self.places.insert(xref.into(), (locator.place(span), locator.excerpt(span)));
            }
        }
    }

    pub(super) fn join(&mut self, other: FirstPointers) {
        for (xref, place) in other.places {
            self.places.entry(xref).or_insert(place);
        }
    }

    pub(super) fn place(&self, record: Node<'_>) -> Option<(Place, Option<Excerpt>)> {
        self.places.get(record.xref()?).cloned()
    }
}

impl<W: io::Write> Writer<'_, W> {
    /// Returns whether a structure will have a finding because of its identifier.
    fn will_report_on(&self, xref: &str) -> bool {
        self.renaming.is_renamed(xref) || xref.chars().count() > ADVISED_XREF_LENGTH as usize
    }
}
