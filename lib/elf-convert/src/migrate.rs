//! Conversions from one standard to another. They are called *migrations*.

use crate::standard::{is_gedcom_7, migration_target};
use crate::within::WholeFile;
use crate::{Convert, ConvertError, Converted, Ending};
use elf_base::{Diagnostic, Rules, Sink};
use elf_check::Problems;
use elf_check::runs::{CACHED_RUN_SIZE, Restart};
use elf_migrate::{MigratedReader, Migration, Study, reading_rules};
use elf_schema::{ReadOptions, Reader};
use elf_tagged::elf_octets::Encoding;
use elf_tagged::write::{LineBreak, Summary, Survey, WriteError};
use std::io::{self, Read, Seek, Write};

const BYTE_ORDER_MARK: &[u8] = "\u{FEFF}".as_bytes();

/// A file that was studied in two passes, so that it can be migrated while it is read again.
struct StudiedFile<'s> {
    /// The rules for reading the file.
    rules: &'s Rules,
    /// The rules of the output.
    to: &'s Rules,
    whole: &'s WholeFile,
    migration: &'s Migration,
    line_break: LineBreak,
}

impl Convert<'_> {
    pub(crate) fn migrate_file<W: Write>(
        &self,
        input: &mut dyn Restart,
        scratch_file: &mut (impl Read + Write + Seek),
        to: &Rules,
        survey: Survey,
        open: impl FnOnce() -> io::Result<W>,
        losses: &mut dyn Sink,
    ) -> Result<(W, Converted), ConvertError> {
        let rules = &reading_rules(self.rules);
        let mut has_structures = false;
        let reader = self.open_reader(rules, input, None)?;
        let whole = WholeFile::survey(reader, |run| !run.is_empty(), |has| has_structures |= has)?;
        if !has_structures {
            return Err(WriteError::Empty.into());
        }
        self.refuse_incomplete(rules, input, &whole)?;

        let mut study = Study::new(migration_target(to));
        let reader = self.open_reader(rules, input, Some(&whole.known))?;
        let mut reader = Reader::of(reader, self.reading.clone());
        while let Some(run) = reader.next_run(&mut ())? {
            study.study_run(&run);
        }
        drop(reader);
        let migration = &study.finish();
        let line_break = self.line_break.unwrap_or(whole.line_break);
        let studied = StudiedFile { rules, to, whole: &whole, migration, line_break };
        let (out, mut converted) = if is_gedcom_7(to) {
            self.write_gedcom_7(input, &studied, open, losses)?
        } else {
            self.write_older_standard(input, scratch_file, &studied, survey, open, losses)?
        };
        converted.problems = converted.problems.saturating_add(whole.late.count());
        if !whole.is_complete && converted.is_complete() {
            converted.ending = Ending::Early(None);
        }
        Ok((out, converted))
    }

    fn write_gedcom_7<W: Write>(
        &self,
        input: &mut dyn Restart,
        studied: &StudiedFile<'_>,
        open: impl FnOnce() -> io::Result<W>,
        losses: &mut dyn Sink,
    ) -> Result<(W, Converted), ConvertError> {
        let mut out = open().map_err(WriteError::from)?;
        // A file should start with a byte-order mark (GEDCOM 7.0 *Characters*).
        out.write_all(BYTE_ORDER_MARK).map_err(WriteError::from)?;
        let mut problems = Problems::default();
        let mut reader = self.open_migrated_reader(input, studied, &mut problems, losses)?;
        copy(&mut reader, &mut out)?;
        let written = summary_of(&reader);
        let is_complete = reader.reader().tagged().is_complete();
        drop(reader);
        Ok((out, build_converted(written, problems, is_complete)))
    }

    /// Converts the migrated file once more, because only the writer for these standards knows encodings and line
    /// widths.
    fn write_older_standard<W: Write>(
        &self,
        input: &mut dyn Restart,
        scratch_file: &mut (impl Read + Write + Seek),
        studied: &StudiedFile<'_>,
        survey: Survey,
        open: impl FnOnce() -> io::Result<W>,
        losses: &mut dyn Sink,
    ) -> Result<(W, Converted), ConvertError> {
        let mut problems = Problems::default();
        let mut reader = self.open_migrated_reader(input, studied, &mut problems, losses)?;
        copy(&mut reader, scratch_file)?;
        let migrated = summary_of(&reader);
        let is_complete = reader.reader().tagged().is_complete();
        let origins = reader.into_origins();
        let mut placed = |finding: Diagnostic| losses.report(origins.move_to_origin(finding));
        let again = Convert { rules: &Rules::WILD, reading: ReadOptions::default(), ..*self };
        let (out, mut converted) =
            again.convert_within_standard(&mut RewindingInput(scratch_file), survey, open, &mut placed)?;
        converted.written.losses += migrated.losses;
        Ok((out, build_converted(converted.written, problems, is_complete)))
    }

    fn open_migrated_reader<'r>(
        &self,
        input: &'r mut dyn Restart,
        studied: &StudiedFile<'r>,
        findings: &'r mut dyn Sink,
        losses: &'r mut dyn Sink,
    ) -> io::Result<MigratedReader<'r, 'r, 'r, Box<dyn Read + 'r>>>
    where
        Self: 'r,
    {
        let reader = self.open_reader(studied.rules, input, Some(&studied.whole.known))?;
        let reader = Reader::of(reader, self.reading.clone());
        let encoding = self.writing.encoding;
        let has_all_characters = encoding == Encoding::Utf8 || encoding.is_utf16();
        let writer = studied.migration.writer(studied.to).with_line_break(studied.line_break);
        let writer = writer.with_places_of_texts(!has_all_characters);
        Ok(MigratedReader::new(reader, writer, findings, losses))
    }
}

/// Rereads `F` from its start.
struct RewindingInput<'f, F>(&'f mut F);

impl<F: Read + Seek> Restart for RewindingInput<'_, F> {
    fn restart(&mut self) -> io::Result<Box<dyn Read + '_>> {
        self.0.rewind()?;
        Ok(Box::new(&mut *self.0))
    }
}

fn copy(reader: &mut dyn Read, out: &mut dyn Write) -> Result<(), ConvertError> {
    let mut buffer = vec![0; CACHED_RUN_SIZE];
    loop {
        let octets = reader.read(&mut buffer)?;
        if octets == 0 {
            return Ok(());
        }
        out.write_all(&buffer[..octets]).map_err(WriteError::from)?;
    }
}

/// Returns the counts of the output. They are complete only after `reader` was read to its end.
fn summary_of<R: Read>(reader: &MigratedReader<'_, '_, '_, R>) -> Summary {
    let mut written = Summary::default();
    if let Some(numbers) = reader.summary() {
        (written.lines, written.records, written.losses) = (numbers.lines, numbers.records, numbers.losses);
    }
    written
}

fn build_converted(written: Summary, mut problems: Problems, is_complete: bool) -> Converted {
    let (uncertain, joined) = (problems.take_uncertain(), problems.take_joined());
    let count = problems.count();
    let ending = if is_complete { Ending::Complete } else { Ending::Early(problems.into_worst()) };
    Converted { written, problems: count, ending, uncertain, joined }
}
