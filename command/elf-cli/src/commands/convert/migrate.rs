//! Conversions from one standard to another, by way of a migration.

use super::manifest::digest;
use super::{Converted, Converter, Failure, InputReading, OutputPlace, commonest, ending, line_break};
use crate::io::Input;
use crate::meter::Meter;
use elf_base::{Diagnostic, Rules, Sink};
use elf_check::Problems;
use elf_check::runs::{RUN_SIZE, Restart, survey_runs};
use elf_migrate::{MigratedReader, Migration, Study, Target, reading_rules};
use elf_schema::{ReadOptions, Reader};
use elf_tagged::KnownXrefs;
use elf_tagged::elf_octets::{Encoding, LineBreaks};
use elf_tagged::write::{LineBreak, Summary, Survey, WriteError};
use std::io::{Read, Write};
use std::sync::Arc;

/// The octets of a byte-order mark.
const MARK: &[u8] = "\u{FEFF}".as_bytes();

/// Tells whether the rules are those of GEDCOM 7.0.
pub(super) fn is_7(rules: &Rules) -> bool {
    rules.schema.mechanism.is_of_extension_tags()
}

/// What the start of a file tells about its standard.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct StartOfFile {
    /// True if it is of GEDCOM 7.0, by the rules it is read by or, where they heed it, by its header.
    pub(super) is_of_7: bool,
    /// True if its header names a version of ELF.
    names_elf: bool,
}

impl StartOfFile {
    /// Reads the first record.
    pub(super) fn read(
        input: &mut Input,
        rules: &Rules,
        options: &ReadOptions<'_>,
    ) -> Result<StartOfFile, Failure> {
        let mut reader = elf_tagged::Reader::new(input.restart()?, rules, &options.octets).with_run_size(1);
        let run = reader.next_run(&mut ())?;
        Ok(run.map_or_else(StartOfFile::default, |run| StartOfFile {
            // Rules that heed a header put those of GEDCOM 7.0 in their place.
            is_of_7: is_7(run.rules()),
            names_elf: run.serialisation_metadata().any(|node| node.tag() == "ELF"),
        }))
    }

    /// Returns the rules that a file is written by if nobody names others: what it is. `rules` are those that it is
    /// read by.
    pub(super) fn rules_to_write(self, rules: &Rules) -> &'static Rules {
        let named = Rules::PRESETS.into_iter().find(|preset| preset.name == rules.name);
        match named.filter(|named| **named != Rules::WILD) {
            _ if self.is_of_7 => &Rules::GEDCOM_7,
            Some(named) => named,
            None if self.names_elf => &Rules::DECEMBER_2019,
            None => &Rules::GEDCOM_5_5_1,
        }
    }
}

/// The parts of a migration that do not depend on where it is written.
struct Studied<'s> {
    /// The rules of the output.
    to: &'s Rules,
    known: &'s Arc<KnownXrefs>,
    migration: &'s Migration,
    line_break: LineBreak,
}

impl Converter<'_> {
    /// Converts a file to the rules of another standard.
    pub(super) fn migrated(
        self,
        input: &mut Input,
        to: &Rules,
        survey: Survey,
        output: OutputPlace<'_>,
        losses: &mut dyn Sink,
    ) -> Result<Converted, Failure> {
        let Converter { args, options, .. } = self;
        let rules = &reading_rules(args.reading.rules());
        let reading = InputReading { rules, options };
        let mut reader = reading.reader(input, None)?;
        let mut late = Problems::default();
        survey_runs(&mut reader, |_| (), |()| (), &mut late)?;
        let complete = reader.is_complete();
        let breaks: LineBreaks = reader.line_breaks();
        let known = Arc::new(reader.into_known_xrefs());
        let before = digest(input, args.manifest.is_some())?;

        let reader = reading.reader(input, Some(&known))?;
        if !complete && !args.partial {
            return Err(ending(reader, options));
        }
        let mut study = Study::new(target(to));
        let mut reader = Reader::of(reader, options.clone());
        while let Some(run) = reader.next_run(&mut ())? {
            study.see(&run);
        }
        drop(reader);
        let migration = study.finish();
        let line_break = args.line_break.map_or_else(|| commonest(breaks), line_break);
        let source = Studied { to, known: &known, migration: &migration, line_break };
        let mut converted = if is_7(to) {
            self.write_7(input, &source, output, losses)?
        } else {
            self.write_again(input, &source, survey, output, losses)?
        };
        converted.problems = converted.problems.saturating_add(late.count());
        converted.digests = before.zip(converted.digests.map(|(_, after)| after));
        if !complete && converted.ended.is_none() {
            converted.ended = Some(None);
        }
        Ok(converted)
    }

    /// Writes a file of GEDCOM 7.0.
    fn write_7(
        self,
        input: &mut Input,
        source: &Studied<'_>,
        output: OutputPlace<'_>,
        losses: &mut dyn Sink,
    ) -> Result<Converted, Failure> {
        let mut out = self.outlet(output)?;
        // A file should start with one (GEDCOM 7.0 *Characters*).
        out.write_all(MARK).map_err(WriteError::from)?;
        let mut problems = Problems::default();
        let mut reader = self.reader(input, source, &mut problems, losses)?;
        copy(&mut reader, &mut out)?;
        let numbers = reader.summary().unwrap_or_default();
        let ended = !reader.reader().tagged().is_complete();
        drop(reader);
        let (after, lost) = output.media.finish(out, losses)?;
        let (count, digests) = (problems.count(), after.clone().zip(after));
        let uncertain = problems.take_uncertain();
        let ended = ended.then(|| problems.into_worst());
        let mut written = summary(numbers);
        written.losses += lost;
        Ok(Converted { problems: count, written, ended, uncertain, digests })
    }

    /// Writes a file of GEDCOM 5.5.1 or ELF: what comes of the migration is converted once more, by whoever
    /// knows about encodings and widths.
    fn write_again(
        self,
        input: &mut Input,
        source: &Studied<'_>,
        survey: Survey,
        output: OutputPlace<'_>,
        losses: &mut dyn Sink,
    ) -> Result<Converted, Failure> {
        let mut problems = Problems::default();
        let mut between = tempfile::tempfile()?;
        let mut reader = self.reader(input, source, &mut problems, losses)?;
        copy(&mut reader, &mut between)?;
        let lost = reader.summary().unwrap_or_default().losses;
        let ended = !reader.reader().tagged().is_complete();
        let origins = reader.into_origins();
        let mut placed = |finding: Diagnostic| losses.report(origins.put(finding));
        let reading = InputReading { rules: &Rules::WILD, options: &ReadOptions::default() };
        let mut between = Input::of_file(between, &Meter::default())?;
        let mut converted = self.within_standard(&mut between, reading, survey, output, &mut placed)?;
        converted.problems = problems.count();
        converted.uncertain = problems.take_uncertain();
        converted.ended = ended.then(|| problems.into_worst());
        converted.written.losses += lost;
        Ok(converted)
    }

    fn reader<'r>(
        self,
        input: &'r mut Input,
        source: &Studied<'r>,
        findings: &'r mut dyn Sink,
        losses: &'r mut dyn Sink,
    ) -> Result<MigratedReader<'r, 'r, 'r, Box<dyn Read + 'r>>, Failure>
    where
        Self: 'r,
    {
        let rules = &reading_rules(self.args.reading.rules());
        let reader = InputReading { rules, options: self.options }.reader(input, Some(source.known))?;
        let reader = Reader::of(reader, self.options.clone());
        let writer = source.migration.writer(source.to);
        let encoding = self.args.encoding;
        let has_all = encoding == Encoding::Utf8 || encoding.is_utf16();
        let writer = writer.with_line_break(source.line_break).with_places_of_texts(!has_all);
        Ok(MigratedReader::new(reader, writer, findings, losses))
    }
}

/// The standard, with or without a schema, that rules ask for.
fn target(rules: &Rules) -> Target {
    let mechanism = rules.schema.mechanism;
    match (mechanism.is_of_extension_tags(), mechanism.defines_types()) {
        (true, _) => Target::Gedcom70,
        (false, true) => Target::Elf,
        (false, false) => Target::Gedcom551,
    }
}

/// Copies what is migrated.
fn copy(reader: &mut dyn Read, out: &mut dyn Write) -> Result<(), Failure> {
    let mut buffer = vec![0; RUN_SIZE];
    loop {
        let octets = reader.read(&mut buffer)?;
        if octets == 0 {
            return Ok(());
        }
        out.write_all(&buffer[..octets]).map_err(WriteError::from)?;
    }
}

/// The numbers of what was written as the command says them.
fn summary(numbers: elf_migrate::Summary) -> Summary {
    let mut written = Summary::default();
    (written.lines, written.records, written.losses) = (numbers.lines, numbers.records, numbers.losses);
    written
}
