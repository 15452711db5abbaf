//! Parts of a document as the passes of a writer take them: each once, of one document.

use crate::{Document, PartError, PartId, ReadingId, Xrefs};
use std::collections::BTreeSet;

/// The parts of a document that come one after the other: each is held against what is expected, so that no
/// part is left out, comes twice, or is of another document.
#[derive(Clone, Debug)]
pub(super) struct PartSequence {
    document: ReadingId,
    /// The reading that the parts are of, when the first has come.
    reading: Option<ReadingId>,
    next: u64,
    has_end: bool,
}

/// The facts about a part that tell whether it is the one that is expected.
#[derive(Clone, Debug)]
pub(super) struct PartMark {
    id: PartId,
    /// True if it is known where its pointers lead.
    is_resolved: bool,
}

impl PartMark {
    pub(super) fn of(part: &Document<'_>) -> PartMark {
        PartMark { id: part.part_id().clone(), is_resolved: part.knows_bearers() || part.is_empty() }
    }
}

/// The parts of a first reading that have come, in any order.
#[derive(Clone, Debug, Default)]
pub(super) struct PartSet {
    reading: Option<ReadingId>,
    /// The number of parts from the first on, none of which is missing.
    next: u64,
    /// The numbers of those behind a gap.
    early: BTreeSet<u64>,
    /// The reason why the set is none of the parts of one document, if it is not.
    error: Option<PartError>,
}

impl PartSequence {
    /// Expects the parts of the document that `xrefs` are of, read [with them](crate::Reader::with_xrefs).
    pub(super) fn with_xrefs(xrefs: &Xrefs) -> PartSequence {
        PartSequence::of(xrefs.reading())
    }

    /// Expects a whole document as the only part.
    ///
    /// # Errors
    ///
    /// Fails where `document` is a part of one that has others.
    pub(super) fn whole(document: &Document<'_>) -> Result<PartSequence, PartError> {
        let mut sequence = PartSequence::of(document.part_id().document());
        sequence.take(&PartMark::of(document))?;
        sequence.finish()?;
        Ok(PartSequence::of(document.part_id().document()))
    }

    fn of(document: &ReadingId) -> PartSequence {
        PartSequence { document: document.clone(), reading: None, next: 0, has_end: false }
    }

    /// Checks that a part is the next one.
    ///
    /// # Errors
    ///
    /// Says in which way it is not.
    pub(super) fn check(&self, part: &PartMark) -> Result<(), PartError> {
        let id = &part.id;
        let (number, expected) = (id.number(), self.next);
        let is_of_reading = self.reading.as_ref().is_none_or(|known| known == id.reading());
        if *id.document() != self.document || !is_of_reading {
            return Err(PartError::Foreign(number));
        }
        if !part.is_resolved {
            return Err(PartError::Unresolved(number));
        }
        if number < expected {
            return Err(PartError::Repeated(number));
        }
        if self.has_end {
            return Err(PartError::BehindEnd(number));
        }
        if number > expected {
            return Err(PartError::OutOfOrder { expected, found: number });
        }
        Ok(())
    }

    /// Takes the next part.
    ///
    /// # Errors
    ///
    /// Says in which way the part is not the next one; then it is not taken.
    pub(super) fn take(&mut self, part: &PartMark) -> Result<(), PartError> {
        self.check(part)?;
        self.reading.get_or_insert_with(|| part.id.reading().clone());
        self.next += 1;
        self.has_end = part.id.is_last();
        Ok(())
    }

    /// Tells whether no part has come yet.
    pub(super) const fn is_empty(&self) -> bool {
        self.next == 0
    }

    /// Checks that all parts have come.
    ///
    /// # Errors
    ///
    /// [`PartError::Missing`], where the last part has not.
    pub(super) const fn finish(&self) -> Result<(), PartError> {
        if self.has_end { Ok(()) } else { Err(PartError::Missing(self.next)) }
    }
}

impl PartSet {
    /// Adds a part of a [`XrefReader`](crate::XrefReader). One that should not be among the others shows at
    /// the [end](PartSet::finish).
    pub(super) fn add(&mut self, part: &Document<'_>) {
        let id = part.part_id();
        self.add_reading(id.reading(), id.number());
        self.add_number(id.number());
    }

    /// Adds the parts of another set.
    pub(super) fn join(&mut self, other: PartSet) {
        let PartSet { reading, next, early, error } = other;
        if let Some(reading) = reading {
            self.add_reading(&reading, 0);
        }
        self.error = self.error.or(error);
        (0..next).chain(early).for_each(|number| self.add_number(number));
    }

    /// Checks that the parts are all those of the reading that gave those identifiers.
    ///
    /// # Errors
    ///
    /// Says which part should not be among them, or is missing.
    pub(super) fn finish(&self, xrefs: &Xrefs) -> Result<(), PartError> {
        if let Some(error) = self.error {
            return Err(error);
        }
        if self.reading.as_ref().is_some_and(|reading| reading != xrefs.reading()) {
            return Err(PartError::Foreign(0));
        }
        match self.early.last().copied().or(self.next.checked_sub(1)) {
            Some(last) if last >= xrefs.part_count() => Err(PartError::BehindEnd(last)),
            _ if self.next < xrefs.part_count() => Err(PartError::Missing(self.next)),
            _ => Ok(()),
        }
    }

    fn add_reading(&mut self, reading: &ReadingId, number: u64) {
        let known = self.reading.get_or_insert_with(|| reading.clone());
        if known != reading {
            self.error = self.error.or(Some(PartError::Foreign(number)));
        }
    }

    fn add_number(&mut self, number: u64) {
        if number < self.next || !self.early.insert(number) {
            self.error = self.error.or(Some(PartError::Repeated(number)));
        }
        while self.early.remove(&self.next) {
            self.next += 1;
        }
    }
}
