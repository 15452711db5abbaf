//! Parts of a document: which document each is of, and whether all have come, each once.

use crate::Document;
use crate::xref::Names;
use std::collections::BTreeSet;
use std::sync::Arc;

/// The identity of one reading of a document, which equals no other: [`Reader::id`](crate::Reader::id).
#[derive(Clone, Debug, Default)]
pub struct ReadingId(Arc<()>);

/// The position of a part in its document.
#[derive(Clone, Debug)]
pub(crate) struct PartId {
    /// The reading that knows the identifiers of the document: where names are given, the one that found
    /// them.
    pub(crate) document: ReadingId,
    pub(crate) reading: ReadingId,
    /// The number of the part, from 0.
    pub(crate) number: u64,
    pub(crate) is_last: bool,
}

/// The reason why a part is not the one that is expected. Parts are counted from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PartError {
    /// The part is of another document, or of another reading of it.
    #[error("part {0} is of another document, or of another reading of it")]
    Foreign(u64),
    /// The part was read without the names of its document, so that its pointers lead nowhere.
    #[error("part {0} was read without the names of its document")]
    Unresolved(u64),
    /// The part has come already.
    #[error("part {0} has come already")]
    Repeated(u64),
    /// A part before it has not come yet.
    #[error("part {found} comes where part {expected} is expected")]
    OutOfOrder {
        /// The number of the part that is expected.
        expected: u64,
        /// The number of the part that came.
        found: u64,
    },
    /// The part stands behind the last one of its document.
    #[error("part {0} stands behind the end of the document")]
    BehindEnd(u64),
    /// The part has not come, and perhaps others after it have not.
    #[error("part {0} has not come")]
    Missing(u64),
    /// The input is another one than that of the first reading, of which the names are: the last part says
    /// so.
    #[error("the input is no longer what it was when it was read first")]
    InputChanged,
}

/// The parts of a document that come one after the other: each is held against what is expected, so that no
/// part is left out, comes twice, or is of another document.
///
/// ```
/// use elf_tree::{NamesReader, Options, PartError, PartSequence, Reader, Rules};
/// use std::sync::Arc;
///
/// let file: &[u8] = b"0 HEAD\n0 @I1@ INDI\n0 @I2@ INDI\n0 TRLR\n";
/// let first = NamesReader::new(file, &Rules::WILD, &Options::default()).with_part_size(1);
/// let names = Arc::new(first.into_names()?);
/// let mut parts = PartSequence::with_names(&names);
/// let mut reader = Reader::with_names(file, names).with_part_size(1);
/// let part = reader.next_part(&mut ())?.expect("a part");
/// parts.take(&part)?;
/// assert_eq!(parts.take(&part), Err(PartError::Repeated(0)));
/// assert_eq!(parts.finish(), Err(PartError::Missing(1)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct PartSequence {
    document: ReadingId,
    /// The reading that the parts are of, when the first has come.
    reading: Option<ReadingId>,
    next: u64,
    has_end: bool,
}

/// The parts of a first reading that have come, in any order.
///
/// ```
/// use elf_tree::{NamesReader, Options, PartError, PartSet, Rules};
///
/// let file: &[u8] = b"0 HEAD\n0 @I1@ INDI\n0 @I2@ INDI\n0 TRLR\n";
/// let mut reader = NamesReader::new(file, &Rules::WILD, &Options::default()).with_part_size(1);
/// let (mut parts, mut only_first) = (PartSet::default(), PartSet::default());
/// while let Some(part) = reader.next_part()? {
///     parts.add(&part);
///     if only_first.is_empty() {
///         only_first.add(&part);
///     }
/// }
/// let names = reader.into_names()?;
/// assert_eq!(parts.finish(&names), Ok(()));
/// assert_eq!(only_first.finish(&names), Err(PartError::Missing(1)));
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct PartSet {
    reading: Option<ReadingId>,
    /// The number of parts from the first on, none of which is missing.
    next: u64,
    /// The numbers of those behind a gap.
    early: BTreeSet<u64>,
    /// The reason why the set is none of the parts of one document, if it is not.
    error: Option<PartError>,
}

impl PartialEq for ReadingId {
    fn eq(&self, other: &ReadingId) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for ReadingId {}

impl PartId {
    /// The identity of a document that is read alone.
    pub(crate) fn alone() -> PartId {
        let reading = ReadingId::default();
        PartId { document: reading.clone(), reading, number: 0, is_last: true }
    }
}

impl PartSequence {
    /// Expects the parts of the document that `names` are of, read [with them](crate::Reader::with_names).
    pub fn with_names(names: &Names) -> PartSequence {
        PartSequence::of(names.reading())
    }

    /// Expects a whole document as the only part.
    ///
    /// # Errors
    ///
    /// Fails where `document` is a part of one that has others.
    pub fn whole(document: &Document<'_>) -> Result<PartSequence, PartError> {
        let mut sequence = PartSequence::of(&document.part.document);
        sequence.take(document)?;
        sequence.finish()?;
        Ok(PartSequence::of(&document.part.document))
    }

    fn of(document: &ReadingId) -> PartSequence {
        PartSequence { document: document.clone(), reading: None, next: 0, has_end: false }
    }

    /// Checks that a part is the next one.
    ///
    /// # Errors
    ///
    /// Says in which way it is not.
    pub fn check(&self, part: &Document<'_>) -> Result<(), PartError> {
        let PartId { document, reading, number, is_last: _ } = &part.part;
        let (number, expected) = (*number, self.next);
        if *document != self.document || self.reading.as_ref().is_some_and(|known| known != reading) {
            return Err(PartError::Foreign(number));
        }
        if !part.xrefs.is_known() && !part.is_empty() {
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
    pub fn take(&mut self, part: &Document<'_>) -> Result<(), PartError> {
        self.check(part)?;
        self.reading.get_or_insert_with(|| part.part.reading.clone());
        self.next += 1;
        self.has_end = part.part.is_last;
        Ok(())
    }

    /// Tells whether no part has come yet.
    pub const fn is_empty(&self) -> bool {
        self.next == 0
    }

    /// Checks that all parts have come.
    ///
    /// # Errors
    ///
    /// [`PartError::Missing`], where the last part has not.
    pub const fn finish(&self) -> Result<(), PartError> {
        if self.has_end { Ok(()) } else { Err(PartError::Missing(self.next)) }
    }
}

impl PartSet {
    /// Adds a part of a [`NamesReader`](crate::NamesReader). One that should not be among the others shows at
    /// the [end](PartSet::finish).
    pub fn add(&mut self, part: &Document<'_>) {
        self.add_reading(&part.part.reading, part.part.number);
        self.add_number(part.part.number);
    }

    /// Adds the parts of another set.
    pub fn join(&mut self, other: PartSet) {
        let PartSet { reading, next, early, error } = other;
        if let Some(reading) = reading {
            self.add_reading(&reading, 0);
        }
        self.error = self.error.or(error);
        (0..next).chain(early).for_each(|number| self.add_number(number));
    }

    /// Tells whether no part has come yet.
    pub const fn is_empty(&self) -> bool {
        self.reading.is_none()
    }

    /// Checks that the parts are all those of the reading that gave those names.
    ///
    /// # Errors
    ///
    /// Says which part should not be among them, or is missing.
    pub fn finish(&self, names: &Names) -> Result<(), PartError> {
        if let Some(error) = self.error {
            return Err(error);
        }
        if self.reading.as_ref().is_some_and(|reading| reading != names.reading()) {
            return Err(PartError::Foreign(0));
        }
        match self.early.last().copied().or(self.next.checked_sub(1)) {
            Some(last) if last >= names.parts() => Err(PartError::BehindEnd(last)),
            _ if self.next < names.parts() => Err(PartError::Missing(self.next)),
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
