//! Encodes line strings. Several threads can encode runs, and the runs are written in order.

use super::inserted::FirstPointers;
use super::reports::Reports;
use super::transcriber::{RunTranscriber, TargetFacts};
use super::{Renaming, RunWriter, Stage, Summary, WriteError, WriteOptions, Writer};
use crate::Document;
use crate::escape::EscapeTable;
use elf_base::{Diagnostic, Rules};
use elf_octets::{Encoding, ReadBack};
use std::collections::BTreeSet;
use std::io;
use std::sync::Arc;

/// Encodes runs of a document for a [`RunWriter`], in any order and on any thread. [`RunWriter::encoder`] creates an
/// encoder.
#[derive(Clone, Debug)]
pub struct RunEncoder {
    rules: Rules,
    options: WriteOptions,
    names_elf: bool,
    escapes: EscapeTable,
    renaming: Renaming,
    target_facts: Arc<TargetFacts>,
    /// A buffer for line strings, which is reused for each run.
    text: String,
}

/// A run that was encoded, with its findings. Pass an encoded run to [`RunWriter::write_encoded`].
#[must_use = "it is written by `RunWriter::write_encoded`"]
pub struct EncodedRun {
    /// The facts about the file for which the run was encoded. These facts show to which writer the run belongs.
    target_facts: Arc<TargetFacts>,
    is_complete: bool,
    octets: Vec<u8>,
    summary: Summary,
    findings: Vec<Diagnostic>,
    undefined: BTreeSet<Box<str>>,
    first_pointers: FirstPointers,
}

impl RunEncoder {
    /// Encodes a run. The run must not be the first run of the document.
    ///
    /// # Errors
    ///
    /// Returns the content of the run never causes an error.
    pub fn encode(&mut self, run: &Document<'_>) -> Result<EncodedRun, WriteError> {
        // The writer stores nothing that matters after the end of a record, so each run can have its own writer.
        let out = Vec::with_capacity(run.text().len() / 8 * 9);
        let mut writer = Writer::with_reports(out, &self.rules, &self.options, Reports::Held(Vec::new()))?;
        // The bytes of all runs are examined together when they are written.
        writer.read_back = ReadBack::new(Encoding::Utf8, &self.rules.octets);
        writer.stage = Stage::Records;
        writer.names_elf = self.names_elf;
        writer.escapes = std::mem::take(&mut self.escapes);
        writer.renaming = std::mem::take(&mut self.renaming);
        writer.lines.text = std::mem::take(&mut self.text);
        let (mut findings, mut first_pointers) = (Vec::new(), FirstPointers::default());
        first_pointers.add_run(run, &writer);
        let written = RunTranscriber::new(run, None, &self.target_facts, &mut writer, &mut findings)
            .with_first_pointers(&first_pointers)
            .write_structures()
            .and_then(|()| Ok(writer.flush()?));
        let Writer { out: octets, escapes, renaming, lines, undefined, summary, .. } = writer;
        (self.escapes, self.renaming, self.text) = (escapes, renaming, lines.text);
        written.map(|()| EncodedRun {
            target_facts: Arc::clone(&self.target_facts),
            is_complete: run.is_complete(),
            octets,
            summary: Summary { lines: lines.count, ..summary },
            findings,
            undefined,
            first_pointers,
        })
    }
}

impl<W: io::Write> RunWriter<'_, W> {
    /// Creates an encoder for the remaining runs. Returns `None` until the first run with lines has been written. Also
    /// returns `None` if runs depend on earlier runs, because levels are ignored (J19 §6.1) or repeated identifiers get
    /// new names.
    pub fn encoder(&self) -> Option<RunEncoder> {
        let Writer { rules, options, names_elf, escapes, renaming, .. } = &self.writer;
        let is_apart = self.start.is_some() && !self.writer.has_error_lines() && !renaming.any_repeated();
        is_apart.then(|| RunEncoder {
            rules: *rules,
            options: *options,
            names_elf: *names_elf,
            escapes: escapes.clone(),
            renaming: renaming.clone(),
            target_facts: Arc::clone(&self.target_facts),
            text: String::new(),
        })
    }

    /// Writes the next run and reports its losses. An [encoder](RunWriter::encoder) of this writer must have encoded
    /// the run. The result is the same as that of [`run`](RunWriter::run).
    ///
    /// # Errors
    ///
    /// Returns the errors of [`run`](RunWriter::run). Returns [`WriteError::ForeignEncoder`] if the run was encoded for
    /// another writer; nothing of it is written.
    pub fn write_encoded(&mut self, run: EncodedRun) -> Result<(), WriteError> {
        let EncodedRun { target_facts, is_complete, octets, summary, .. } = run;
        let EncodedRun { findings, undefined, first_pointers, .. } = run;
        if !Arc::ptr_eq(&self.target_facts, &target_facts) {
            return Err(WriteError::ForeignEncoder);
        }
        self.start_run(is_complete)?;
        self.writer.write_octets(&octets, &summary)?;
        self.writer.undefined.extend(undefined);
        self.first_pointers.join(first_pointers);
        findings.into_iter().for_each(|finding| self.sink.report(finding));
        Ok(())
    }
}

impl<W: io::Write> Writer<'_, W> {
    /// Writes the buffered line strings in the encoding of the file.
    pub(super) fn flush(&mut self) -> io::Result<()> {
        let encoding = self.options.encoding;
        let text = std::mem::take(&mut self.lines.text);
        let mut octets = std::mem::take(&mut self.octets);
        let sent = if encoding == Encoding::Utf8 {
            self.write_utf8(text.as_bytes())
        } else {
            octets.clear();
            encoding
                .encode_into(&text, &mut octets)
                .map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))
                .and_then(|()| self.write_utf8(&octets))
        };
        (self.lines.text, self.octets) = (text, octets);
        self.lines.text.clear();
        sent
    }

    fn write_utf8(&mut self, octets: &[u8]) -> io::Result<()> {
        self.read_back.examine(octets);
        self.out.write_all(octets)?;
        self.summary.octets += octets.len() as u64;
        Ok(())
    }

    /// Writes encoded bytes. `summary` contains the counts of what they contain.
    fn write_octets(&mut self, octets: &[u8], summary: &Summary) -> io::Result<()> {
        self.flush()?;
        self.stage = Stage::Records;
        self.write_utf8(octets)?;
        let Summary { records, structures, losses, dropped, .. } = *summary;
        self.lines.count += summary.lines;
        self.summary.records += records;
        self.summary.structures += structures;
        self.summary.losses += losses;
        self.summary.dropped += dropped;
        Ok(())
    }
}
