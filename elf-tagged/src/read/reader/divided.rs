//! The parts of a document that are read apart, and taken in the order of the file.

use super::{PartOutcome, Reader, UnreadPart};
use crate::read::parts::PartError;
use elf_base::Sink;
use std::collections::VecDeque;
use std::io::{self, Read};

/// The rest of a document in parts, which can be read in any order and on any thread: [`Reader::divide`]
/// makes it, of a reader that knows the header. The results can be taken in any order too.
///
/// Whoever reads a part makes a `T` of it. A part that was handed out and not taken ends the document: what
/// follows it is not read, and the document is not complete.
///
/// ```
/// use elf_tagged::{Document, Options, Reader, Rules};
///
/// let file: &[u8] = b"0 HEAD\n0 @I1@ INDI\n1 ALIA @I2@\n0 @I2@ INDI\n0 TRLR\n";
/// let mut reader = Reader::new(file, &Rules::WILD, &Options::default()).with_part_size(1);
/// let tags = |part: &Document<'_>| part.records().map(|one| one.tag().to_owned()).collect();
/// let (mut findings, mut all) = (Vec::<elf_tagged::Diagnostic>::new(), Vec::new());
/// loop {
///     if let Some(mut divided) = reader.divide() {
///         let mut parts = Vec::new();
///         while let Some(part) = divided.next_unread()? {
///             parts.push(part);
///         }
///         for part in parts.iter().rev() {
///             let (document, outcome) = part.read(&mut ())?;
///             divided.take(outcome, tags(&document), &mut findings, |own, _| all.extend(own))?;
///         }
///     }
///     // The first parts hold the header.
///     let Some(part) = reader.next_part(&mut ())? else { break };
///     let own: Vec<String> = tags(&part);
///     all.extend(own);
/// }
/// assert!(all == ["INDI", "INDI"] && findings.is_empty() && reader.is_complete());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Divided<'r, R: Read, T> {
    reader: &'r mut Reader<R>,
    /// The number of the part whose turn it is.
    turn: u64,
    /// The results that have come, from the part whose turn it is on.
    early: VecDeque<Option<(PartOutcome, T)>>,
}

impl<'r, R: Read, T> Divided<'r, R, T> {
    pub(super) fn new(reader: &'r mut Reader<R>) -> Divided<'r, R, T> {
        Divided { turn: reader.parts, reader, early: VecDeque::new() }
    }

    /// The next part, not read yet; `None` after the last.
    ///
    /// # Errors
    ///
    /// What reading the input returns.
    pub fn next_unread(&mut self) -> io::Result<Option<UnreadPart>> {
        self.reader.next_unread()
    }

    /// Takes the outcome of a part, and the value that was made of it. `fold` is given the value of each
    /// part whose turn has come, in the order of the file; those behind the end of the reading are no part of
    /// the document. After the last one, `sink` is told what only the whole document shows.
    ///
    /// # Errors
    ///
    /// [`PartError::Foreign`] for the outcome of a part that another reader handed out, and
    /// [`PartError::Repeated`] for that of a part that was taken already; neither counts.
    pub fn take(
        &mut self,
        outcome: PartOutcome,
        value: T,
        sink: &mut dyn Sink,
        mut fold: impl FnMut(T, &mut dyn Sink),
    ) -> Result<(), PartError> {
        let number = outcome.number;
        if outcome.reading != self.reader.id {
            return Err(PartError::Foreign(number));
        }
        let place = number.checked_sub(self.turn).and_then(|place| usize::try_from(place).ok());
        let place = place.ok_or(PartError::Repeated(number))?;
        if self.early.len() <= place {
            // No number of the file makes it long: this reader has handed out as many parts.
            self.early.resize_with(place + 1, || None);
        }
        match self.early.get_mut(place) {
            Some(entry @ None) => *entry = Some((outcome, value)),
            Some(Some(_)) | None => return Err(PartError::Repeated(number)),
        }
        while !self.is_done()
            && self.early.front().is_some_and(Option::is_some)
            && let Some(Some((outcome, value))) = self.early.pop_front()
        {
            self.turn += 1;
            fold(value, sink);
            self.reader.take(outcome, sink);
        }
        Ok(())
    }

    /// Takes back the room of a part that is no longer needed.
    pub fn recycle(&mut self, part: UnreadPart) {
        self.reader.recycle(part);
    }

    /// The number of parts that were handed out and whose turn has not come.
    pub fn pending(&self) -> u64 {
        self.reader.parts.saturating_sub(self.turn)
    }

    /// Tells whether the reading has come to its end, so that no further part counts.
    pub const fn is_done(&self) -> bool {
        self.reader.gathered.done
    }
}

impl<R: Read, T> Drop for Divided<'_, R, T> {
    /// Ends the document before a part that was not taken.
    fn drop(&mut self) {
        let is_broken_off = !self.is_done() && self.pending() > 0;
        self.reader.is_broken_off |= is_broken_off;
        self.reader.gathered.done |= is_broken_off;
    }
}
