//! Parts of a document: which document each is of, and where it stands in it.

use std::sync::Arc;

/// The identity of one reading of a document, which equals no other: [`Reader::id`](crate::Reader::id).
#[derive(Clone, Debug, Default)]
pub struct ReadingId(Arc<()>);

/// The position of a part in its document, of which a whole document is the only part:
/// [`Document::part_id`](crate::Document::part_id).
///
/// ```
/// use elf_tagged::{XrefReader, Options, Reader, Rules};
///
/// let file: &[u8] = b"0 HEAD\n0 @I1@ INDI\n0 TRLR\n";
/// let xrefs = XrefReader::new(file, &Rules::WILD, &Options::default()).into_xrefs()?;
/// let first = xrefs.reading().clone();
/// let mut reader = Reader::with_xrefs(file, xrefs).with_part_size(1);
/// let part = reader.next_part(&mut ())?.expect("a part");
/// let id = part.part_id();
/// assert!(id.number() == 0 && !id.is_last());
/// assert!(*id.document() == first && *id.reading() != first);
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct PartId {
    pub(crate) document: ReadingId,
    pub(crate) reading: ReadingId,
    pub(crate) number: u64,
    pub(crate) is_last: bool,
    pub(crate) own_line: Option<u64>,
}

/// The reason why a part is not the one that is expected. Parts are counted from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PartError {
    /// The part is of another document, or of another reading of it.
    #[error("part {0} is of another document, or of another reading of it")]
    Foreign(u64),
    /// The part was read without the irregular identifiers of its document, so that it is not known where
    /// pointers lead.
    #[error("part {0} was read without the irregular identifiers of its document")]
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
    /// The input is another one than that of the first reading, of which the identifiers are. It shows when
    /// all of it has been read.
    #[error("the input is no longer what it was when it was read first")]
    InputChanged,
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
        PartId { document: reading.clone(), reading, number: 0, is_last: true, own_line: None }
    }

    /// The reading that knows the identifiers of the document: where the part was read with its irregular
    /// ones, the one that found them.
    pub const fn document(&self) -> &ReadingId {
        &self.document
    }

    /// The reading that gave the part.
    pub const fn reading(&self) -> &ReadingId {
        &self.reading
    }

    /// The number of the part in its reading, from 0.
    pub const fn number(&self) -> u64 {
        self.number
    }

    /// The first line of the part that is its own, where it is of the rest of a [long
    /// record](crate::Reader::with_long_records): those before it are lines of the record that are open
    /// there. `None` where all are its own.
    pub const fn own_line(&self) -> Option<u64> {
        self.own_line
    }

    /// Tells whether the part is of the rest of a [long record](crate::Reader::with_long_records).
    pub const fn is_of_rest(&self) -> bool {
        self.own_line.is_some()
    }

    /// Tells whether no part of the document follows.
    pub const fn is_last(&self) -> bool {
        self.is_last
    }
}
