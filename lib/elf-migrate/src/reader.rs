//! Reads a file as if it had already been migrated.

use crate::outcome::{Origins, Summary};
use crate::writer::Writer;
use elf_base::Sink;
use elf_schema::Reader;
use std::fmt;
use std::io::{self, Read};

/// Reads the migrated bytes of a file, run by run.
///
/// ```
/// use elf_migrate::{MigratedReader, Study, Target};
/// use elf_schema::{ReadOptions, Reader, Rules};
///
/// let file = b"0 HEAD\n1 CHAR UTF-8\n0 @I1@ INDI\n1 SEX F\n0 TRLR\n";
/// let reader = || Reader::new(&file[..], &Rules::WILD, ReadOptions::default());
/// let (mut study, mut first) = (Study::new(Target::Gedcom70), reader());
/// while let Some(run) = first.next_run(&mut ())? {
///     study.study_run(&run);
/// }
/// let migration = study.finish();
/// let (mut findings, mut losses) = ((), ());
/// let mut migrated =
///     MigratedReader::new(reader(), migration.writer(&Rules::WILD), &mut findings, &mut losses);
/// let text = std::io::read_to_string(&mut migrated)?;
/// assert_eq!(text, "0 HEAD\n1 GEDC\n2 VERS 7.0\n0 @I1@ INDI\n1 SEX F\n0 TRLR\n");
/// assert_eq!(migrated.summary().map(|summary| summary.records), Some(1));
/// # Ok::<(), std::io::Error>(())
/// ```
pub struct MigratedReader<'m, 'e, 's, R> {
    reader: Reader<'e, R>,
    /// `None` after the trailer.
    writer: Option<Writer<'m>>,
    findings: &'s mut dyn Sink,
    losses: &'s mut dyn Sink,
    buffer: Vec<u8>,
    /// The number of bytes of the buffer that were handed out.
    given: usize,
    summary: Option<Summary>,
    origins: Origins,
}

impl<'m, 'e, 's, R: Read> MigratedReader<'m, 'e, 's, R> {
    /// Creates a reader of the bytes that `writer` writes for the runs of `reader`, which should use the rules of
    /// [`reading_rules`](crate::reading_rules). Findings about the file go to `findings`, losses to `losses`.
    pub fn new(
        reader: Reader<'e, R>,
        writer: Writer<'m>,
        findings: &'s mut dyn Sink,
        losses: &'s mut dyn Sink,
    ) -> MigratedReader<'m, 'e, 's, R> {
        let (buffer, writer) = (Vec::new(), Some(writer));
        MigratedReader {
            reader,
            writer,
            findings,
            losses,
            buffer,
            given: 0,
            summary: None,
            origins: Origins::default(),
        }
    }

    /// Returns the counts of the migrated file, once it was read completely.
    pub const fn summary(&self) -> Option<Summary> {
        self.summary
    }

    /// Returns where the migrated lines come from, once they were read completely.
    pub fn into_origins(self) -> Origins {
        self.origins
    }

    /// Returns the reader of the original file.
    pub const fn reader(&self) -> &Reader<'e, R> {
        &self.reader
    }

    /// Fills the buffer. Returns whether there is more.
    fn fill_buffer(&mut self) -> io::Result<bool> {
        let Some(writer) = &mut self.writer else { return Ok(false) };
        self.buffer.clear();
        self.given = 0;
        if let Some(run) = self.reader.next_run(self.findings)? {
            writer.write_run(&run, &mut self.buffer, self.losses);
            return Ok(true);
        }
        if self.findings.has_enough() && !self.reader.tagged().is_complete() {
            // The written run is not a whole file.
            return Err(io::Error::other("the sink of findings ended the reading"));
        }
        self.origins = writer.origins().clone();
        self.summary = self.writer.take().map(|writer| writer.finish(&mut self.buffer));
        Ok(true)
    }
}

impl<R: Read> Read for MigratedReader<'_, '_, '_, R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        while self.given == self.buffer.len() {
            if !self.fill_buffer()? {
                return Ok(0);
            }
        }
        let mut rest = &self.buffer[self.given..];
        let read = rest.read(into)?;
        self.given += read;
        Ok(read)
    }
}

impl<R> fmt::Debug for MigratedReader<'_, '_, '_, R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MigratedReader").field("summary", &self.summary).finish_non_exhaustive()
    }
}
