//! Conversions from one standard to another, by way of a migration.

use super::manifest::DigestedInput;
use super::{Converted, Converter, Failure, InputReading, OutputPlace, commonest, ending, line_break};
use crate::io::Rewindable;
use crate::parts::{self, AnyRead};
use elf_base::{Diagnostic, Rules, Sink};
use elf_check::findings::Problems;
use elf_migrate::{MigratedReader, Migration, Study, Target, reading_rules};
use elf_schema::{ReadOptions, Reader};
use elf_tagged::elf_octets::{Encoding, LineBreaks};
use elf_tagged::write::{LineBreak, Summary, Survey, WriteError};
use elf_tagged::{XrefReader, Xrefs};
use std::io::{Read, Seek, Write};
use std::sync::Arc;

/// The octets of a byte-order mark.
const MARK: &[u8] = "\u{FEFF}".as_bytes();

/// Tells whether the rules are those of GEDCOM 7.0.
pub(super) fn is_7(rules: &Rules) -> bool {
    rules.schema.mechanism.is_of_extension_tags()
}

/// Tells whether a file is one of GEDCOM 7.0, by the rules it is read by or, where they heed it, by its
/// header.
pub(super) fn is_of_7(
    input: &mut dyn Rewindable,
    rules: &Rules,
    options: &ReadOptions<'_>,
) -> Result<bool, Failure> {
    let mut reader =
        elf_tagged::Reader::new(parts::any_read(&mut *input), rules, &options.octets).with_part_size(1);
    // Rules that heed a header put those of GEDCOM 7.0 in their place.
    let part = reader.next_part(&mut ())?;
    let is_of_7 = part.is_some_and(|part| is_7(part.rules()));
    drop(reader);
    input.rewind()?;
    Ok(is_of_7)
}

/// The parts of a migration that do not depend on where it is written.
struct Studied<'s> {
    /// The rules of the output.
    to: &'s Rules,
    xrefs: &'s Arc<Xrefs>,
    migration: &'s Migration,
    line_break: LineBreak,
}

impl Converter<'_> {
    /// Converts a file to the rules of another standard.
    pub(super) fn migrated(
        self,
        (input, threads): (&mut dyn Rewindable, usize),
        to: &Rules,
        survey: Survey,
        output: OutputPlace<'_>,
        losses: &mut dyn Sink,
    ) -> Result<Converted, Failure> {
        let Converter { args, options, .. } = self;
        let rules = &reading_rules(args.reading.rules());
        let mut digested = DigestedInput::new(input, args.manifest.is_some());
        let mut reader = XrefReader::new(parts::any_read(&mut digested), rules, &options.octets)
            .with_part_size(parts::PART);
        parts::survey(&mut reader, threads, |_| (), |()| ())?;
        let complete = reader.tagged().is_complete();
        let breaks: LineBreaks = reader.tagged().line_breaks();
        let xrefs = Arc::new(reader.into_xrefs()?);
        let before = digested.finish()?;

        input.rewind()?;
        if !complete && !args.partial {
            let reader = elf_tagged::Reader::with_xrefs(parts::any_read(&mut *input), Arc::clone(&xrefs));
            return Err(ending(reader.with_part_size(parts::PART), options));
        }
        let mut study = Study::new(target(to));
        let reader = Reader::with_xrefs(parts::any_read(&mut *input), options.clone(), Arc::clone(&xrefs));
        let mut reader = reader.with_part_size(parts::PART);
        while let Some(part) = reader.next_part(&mut ())? {
            study.see(&part);
        }
        drop(reader);
        let migration = study.finish();
        let line_break = args.line_break.map_or_else(|| commonest(breaks), line_break);
        let source = Studied { to, xrefs: &xrefs, migration: &migration, line_break };
        input.rewind()?;
        let mut converted = if is_7(to) {
            self.write_7(input, &source, output, losses)?
        } else {
            self.write_again((input, threads), &source, survey, output, losses)?
        };
        converted.digests = before.zip(converted.digests.map(|(_, after)| after));
        if !complete && converted.ended.is_none() {
            converted.ended = Some(None);
        }
        Ok(converted)
    }

    /// Writes a file of GEDCOM 7.0.
    fn write_7(
        self,
        input: &mut dyn Rewindable,
        source: &Studied<'_>,
        output: OutputPlace<'_>,
        losses: &mut dyn Sink,
    ) -> Result<Converted, Failure> {
        let mut out = self.outlet(output)?;
        // A file should start with one (GEDCOM 7.0 *Characters*).
        out.write_all(MARK).map_err(WriteError::from)?;
        let mut problems = Problems::default();
        let mut reader = self.reader(input, source, &mut problems, losses);
        copy(&mut reader, &mut out)?;
        let numbers = reader.summary().unwrap_or_default();
        let ended = !reader.reader().tagged().is_complete();
        drop(reader);
        let (after, lost) = output.media.finish(out, losses)?;
        let (count, digests) = (problems.count(), after.clone().zip(after));
        let ended = ended.then(|| problems.into_worst());
        let mut written = summary(numbers);
        written.losses += lost;
        Ok(Converted { problems: count, written, ended, digests })
    }

    /// Writes a file of GEDCOM 5.5.1 or ELF: what comes of the migration is converted once more, by whoever
    /// knows about encodings and widths.
    fn write_again(
        self,
        (input, threads): (&mut dyn Rewindable, usize),
        source: &Studied<'_>,
        survey: Survey,
        output: OutputPlace<'_>,
        losses: &mut dyn Sink,
    ) -> Result<Converted, Failure> {
        let mut problems = Problems::default();
        let mut between = tempfile::tempfile()?;
        let mut reader = self.reader(input, source, &mut problems, losses);
        copy(&mut reader, &mut between)?;
        let lost = reader.summary().unwrap_or_default().losses;
        let ended = !reader.reader().tagged().is_complete();
        let origins = reader.into_origins();
        between.rewind()?;
        let mut placed = |finding: Diagnostic| losses.report(origins.put(finding));
        let reading = InputReading { rules: &Rules::WILD, options: &ReadOptions::default() };
        let mut converted = self.in_parts((&mut between, threads), reading, survey, output, &mut placed)?;
        converted.problems = problems.count();
        converted.ended = ended.then(|| problems.into_worst());
        converted.written.losses += lost;
        Ok(converted)
    }

    fn reader<'r>(
        self,
        input: &'r mut dyn Rewindable,
        source: &Studied<'r>,
        findings: &'r mut dyn Sink,
        losses: &'r mut dyn Sink,
    ) -> MigratedReader<'r, 'r, 'r, AnyRead<'r>>
    where
        Self: 'r,
    {
        let reader =
            Reader::with_xrefs(parts::any_read(input), self.options.clone(), Arc::clone(source.xrefs));
        let writer = source.migration.writer(source.to);
        let encoding = self.args.encoding;
        let has_all = encoding == Encoding::Utf8 || encoding.is_utf16();
        let writer = writer.with_line_break(source.line_break).with_places_of_texts(!has_all);
        MigratedReader::new(reader.with_part_size(parts::PART), writer, findings, losses)
    }
}

/// The standard, with or without a schema, that rules ask for.
fn target(rules: &Rules) -> Target {
    let mechanism = rules.schema.mechanism;
    match (mechanism.is_of_extension_tags(), mechanism.defines_types()) {
        (true, _) => Target::Gedcom7,
        (false, true) => Target::Elf,
        (false, false) => Target::Gedcom551,
    }
}

/// Copies what is migrated.
fn copy(reader: &mut dyn Read, out: &mut dyn Write) -> Result<(), Failure> {
    let mut buffer = vec![0; parts::PART];
    loop {
        let octets = reader.read(&mut buffer)?;
        if octets == 0 {
            return Ok(());
        }
        out.write_all(buffer.get(..octets).unwrap_or_default()).map_err(WriteError::from)?;
    }
}

/// The numbers of what was written as the command says them.
fn summary(numbers: elf_migrate::Summary) -> Summary {
    let mut written = Summary::default();
    (written.lines, written.records, written.losses) = (numbers.lines, numbers.records, numbers.losses);
    written
}
