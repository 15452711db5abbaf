//! Conversions within one standard: to another draft, encoding or line break.

use crate::misplaced::find_misplaced_media;
use crate::{Convert, ConvertError, Converted, Ending};
use elf_base::{Diagnostic, Format, Rules, Sink};
use elf_check::Problems;
use elf_check::runs::{Restart, read_runs, survey_runs, thread_count};
use elf_schema::{Conversion, ReadOptions};
use elf_tagged::elf_octets::LineBreaks;
use elf_tagged::write::{EncodedRun, LineBreak, RunEncoder, Survey, WriteError};
use elf_tagged::{Document, KnownXrefs, Reader, UnreadRun};
use std::io::{self, Read, Write};
use std::sync::Arc;

/// Properties of a file that are known only when the whole file was read.
pub(crate) struct WholeFile {
    pub(crate) known: Arc<KnownXrefs>,
    pub(crate) is_complete: bool,
    pub(crate) line_break: LineBreak,
    /// The problems that show only when all runs are known.
    pub(crate) late: Problems,
}

impl WholeFile {
    /// Reads all runs. `make` summarizes a run, on any thread. `take` receives the summaries in the
    /// order of the file.
    pub(crate) fn survey<T: Send>(
        mut reader: Reader<impl Read>,
        make: impl Fn(&Document<'_>) -> T + Sync,
        take: impl FnMut(T),
    ) -> io::Result<WholeFile> {
        let mut late = Problems::default();
        survey_runs(&mut reader, make, take, &mut late)?;
        let (is_complete, line_break) = (reader.is_complete(), commonest_line_break(reader.line_breaks()));
        Ok(WholeFile { known: Arc::new(reader.into_known_xrefs()), is_complete, line_break, late })
    }
}

impl Convert<'_> {
    /// Reads the file in up to three passes: once for the properties of the whole file, then as far
    /// as its types require it, and once more to write it.
    pub(crate) fn convert_within_standard<W: Write>(
        &self,
        input: &mut dyn Restart,
        mut survey: Survey,
        open: impl FnOnce() -> io::Result<W>,
        losses: &mut dyn Sink,
    ) -> Result<(W, Converted), ConvertError> {
        let blank = survey.clone();
        // Where structures belong in GEDCOM 5.5.1 only matters if the user asks for GEDCOM 5.5.1 by
        // name.
        let reports_misplaced = self.to.is_some_and(|to| to.format == Format::Gedcom551);
        let make = |run: &Document<'_>| {
            let mut one = blank.clone();
            one.add_run(run);
            (one, if reports_misplaced { find_misplaced_media(run) } else { Vec::new() })
        };
        let mut misplaced: Vec<Diagnostic> = Vec::new();
        let take = |(one, found): (Survey, Vec<Diagnostic>)| {
            survey.join(one);
            misplaced.extend(found);
        };
        let whole = WholeFile::survey(self.open_reader(self.rules, input, None)?, make, take)?;
        let line_break = self.line_break.unwrap_or(whole.line_break);
        let rehearsal = survey.with_line_break(line_break).finish(&whole.known)?;
        self.refuse_incomplete(self.rules, input, &whole)?;

        let mut conversion = Conversion::new(rehearsal, self.reading.clone());
        let mut reader = self.open_reader(self.rules, input, Some(&whole.known))?;
        while !conversion.is_settled() {
            let Some(mut run) = reader.next_run_with(&self.reading, &mut ())? else { break };
            conversion.study(&mut run)?;
        }
        drop(reader);
        let (out, mut converted) = self.write(input, whole, conversion, open, losses)?;
        converted.written.losses += misplaced.len() as u64;
        misplaced.into_iter().for_each(|finding| losses.report(finding));
        Ok((out, converted))
    }

    fn write<W: Write>(
        &self,
        input: &mut dyn Restart,
        whole: WholeFile,
        conversion: Conversion<'_>,
        open: impl FnOnce() -> io::Result<W>,
        losses: &mut dyn Sink,
    ) -> Result<(W, Converted), ConvertError> {
        let [mut problems, mut late] = [Problems::default(), whole.late];
        let mut out = open().map_err(WriteError::from)?;
        let mut writer = conversion.into_writer(&mut out, losses)?;
        let mut reader = self.open_reader(self.rules, input, Some(&whole.known))?;
        loop {
            if let Some(encoder) = writer.encoder() {
                let mut encoders = vec![encoder; thread_count()];
                let encode = |encoder: &mut RunEncoder, run: &UnreadRun| {
                    let mut found = Problems::default();
                    let (document, outcome) = run.read(&mut found)?;
                    Ok(((encoder.encode(&document), found), outcome))
                };
                let put = |(run, found): (Result<EncodedRun, WriteError>, Problems), _: &Reader<_>| {
                    problems.join(found);
                    writer.write_encoded(run?).map_err(ConvertError::from)
                };
                read_runs(&mut reader, &mut encoders, encode, put, &mut late)?;
            }
            let Some(mut run) = reader.next_run_with(&self.reading, &mut problems)? else { break };
            writer.write_run(&mut run)?;
        }
        problems.join(late);
        let written = writer.finish()?;
        let (uncertain, joined) = (problems.take_uncertain(), problems.take_joined());
        let count = problems.count();
        let ending =
            if reader.is_complete() { Ending::Complete } else { Ending::Early(problems.into_worst()) };
        drop(reader);
        Ok((out, Converted { written, problems: count, ending, uncertain, joined }))
    }

    /// Fails if the rules ended the reading and the options do not allow an incomplete output.
    pub(crate) fn refuse_incomplete(
        &self,
        rules: &Rules,
        input: &mut dyn Restart,
        whole: &WholeFile,
    ) -> Result<(), ConvertError> {
        if whole.is_complete || self.writing.partial {
            return Ok(());
        }
        Err(find_end_of_reading(self.open_reader(rules, input, Some(&whole.known))?, &self.reading))
    }
}

/// Reads the file up to where the rules end the reading, and returns the error that names this place.
fn find_end_of_reading(mut reader: Reader<impl Read>, reading: &ReadOptions<'_>) -> ConvertError {
    let mut problems = Problems::default();
    loop {
        match reader.next_run_with(reading, &mut problems) {
            Ok(Some(_)) => {}
            Ok(None) => {
                let count = problems.count();
                return ConvertError::Ended { problems: count, finding: problems.into_worst() };
            }
            Err(error) => return error.into(),
        }
    }
}

fn commonest_line_break(breaks: LineBreaks) -> LineBreak {
    if breaks.lf >= breaks.crlf.max(breaks.cr) {
        LineBreak::Lf
    } else if breaks.crlf >= breaks.cr {
        LineBreak::CrLf
    } else {
        LineBreak::Cr
    }
}
