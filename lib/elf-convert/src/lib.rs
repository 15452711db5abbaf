#![doc = include_str!("../README.md")]
//!
//! # Overview
//!
//! A [`Convert`] holds the options. [`Convert::convert`] converts a file in memory; [`Convert::run`] converts a file of
//! any size from and to where you say. What the output cannot express is reported as a loss.
//!
//! A file is read two or three times. The first pass collects what only the whole file shows, such
//! as its identifiers. Another pass may be needed to find the schema of the output. The last pass
//! writes the output. If the output is of another standard (GEDCOM 7.0 on one side, GEDCOM 5.5.1 or
//! ELF on the other), [`elf_migrate`] converts the structures.

#![forbid(unsafe_code)]

mod migrate;
mod misplaced;
mod outcome;
mod standard;
mod typed_runs;
mod within;

pub use elf_check::runs::Restart;
pub use elf_schema::ReadOptions;
pub use elf_tagged::Rules;
pub use elf_tagged::write::{LineBreak, WriteOptions};
pub use outcome::{ConvertError, Converted, Ending};
pub use standard::is_gedcom_7;

use elf_base::Sink;
use elf_check::runs::CACHED_RUN_SIZE;
use elf_schema::{DefinitionsInUse, Schema};
use elf_tagged::write::{Survey, WriteError};
use elf_tagged::{KnownXrefs, Reader};
use standard::StartOfFile;
use std::io::{self, Cursor, Read, Seek, Write};
use std::sync::Arc;

/// Returns whether files of these rules can define types with their supertypes, as the extensions of a file need.
pub const fn can_hold_definitions(rules: &Rules) -> bool {
    let mechanism = rules.schema.mechanism;
    mechanism.defines_types() && !mechanism.is_dictionary()
}

/// The options of a conversion.
#[derive(Clone, Debug)]
pub struct Convert<'c> {
    rules: &'c Rules,
    to: Option<&'c Rules>,
    reading: ReadOptions<'c>,
    writing: WriteOptions,
    line_break: Option<LineBreak>,
    defines: bool,
}

impl<'c> Convert<'c> {
    /// Creates a conversion that reads files by `rules`. By default, it writes UTF-8 with the line
    /// breaks of the input.
    ///
    /// By default, the output follows the standard of the input: GEDCOM 7.0 for a file of GEDCOM
    /// 7.0, the draft whose rules `rules` are, or the draft of December 2019 if the header has
    /// `ELF`. In all other cases it follows GEDCOM 5.5.1.
    pub fn new(rules: &'c Rules) -> Convert<'c> {
        let (reading, writing) = (ReadOptions::default(), WriteOptions::new());
        Convert { rules, to: None, reading, writing, line_break: None, defines: false }
    }

    /// Writes files by `rules`.
    #[must_use]
    pub fn to(mut self, rules: &'c Rules) -> Convert<'c> {
        self.to = Some(rules);
        self
    }

    /// Reads files with `options`, such as a schema of your own. Whether `options` give types to vendor tags matters only to
    /// [`for_each_run`](Convert::for_each_run): a conversion to GEDCOM 7.0 looks vendor tags up itself, and an output has
    /// their types only [with definitions](Convert::with_definitions).
    #[must_use]
    pub fn with_reading(mut self, options: ReadOptions<'c>) -> Convert<'c> {
        self.reading = options;
        self
    }

    /// Writes files with `options`, such as another encoding. The line break in `options` is ignored: set it with
    /// [`with_line_break`](Convert::with_line_break).
    #[must_use]
    pub fn with_writing(mut self, options: WriteOptions) -> Convert<'c> {
        self.writing = options;
        self
    }

    /// Ends the lines of the output with `line_break`, instead of the line break that is most
    /// frequent in the input.
    #[must_use]
    pub fn with_line_break(mut self, line_break: LineBreak) -> Convert<'c> {
        self.line_break = Some(line_break);
        self
    }

    /// Writes definitions of the file's extensions into the header of the output, so that a reader without the built-in
    /// dictionary of vendor tags finds the same types. Has no effect unless the output [can hold
    /// definitions](can_hold_definitions).
    #[must_use]
    pub fn with_definitions(mut self, defines: bool) -> Convert<'c> {
        self.defines = defines;
        self
    }

    /// Converts a file in memory. Whatever the output cannot express is reported to `losses`.
    ///
    /// # Errors
    ///
    /// Returns the same errors as [`run`](Convert::run), except errors of input and output.
    pub fn convert(
        &self,
        mut file: &[u8],
        losses: &mut dyn Sink,
    ) -> Result<(Vec<u8>, Converted), ConvertError> {
        self.run(&mut file, &mut Cursor::new(Vec::new()), || Ok(Vec::new()), losses)
    }

    /// Converts a file of any size. Whatever the output cannot express is reported to `losses`.
    ///
    /// `open` opens the output. It is called once it is certain that there is a result, so that a failed conversion
    /// replaces no file. `scratch_file` is an empty temporary file: if GEDCOM 7.0 is converted to another standard, it
    /// receives the whole file; otherwise it stays empty.
    ///
    /// # Errors
    ///
    /// [`ConvertError`] lists the reasons. After an error, the output is incomplete.
    pub fn run<W: Write>(
        &self,
        input: &mut dyn Restart,
        scratch_file: &mut (impl Read + Write + Seek),
        open: impl FnOnce() -> io::Result<W>,
        losses: &mut dyn Sink,
    ) -> Result<(W, Converted), ConvertError> {
        let start = StartOfFile::read(input, self.rules, &self.reading)?;
        let to = self.to.unwrap_or_else(|| start.rules_to_write(self.rules));
        let mut this = self.with_schema_in_use(input, to)?.unwrap_or_else(|| self.clone());
        this.reading = this.reading.with_vendor_tags(false);
        let survey = Survey::new(to, &self.writing).map_err(WriteError::from)?;
        let (out, mut converted) = if start.is_of_7 == is_gedcom_7(to) {
            this.convert_within_standard(input, survey, open, losses)?
        } else {
            this.migrate_file(input, scratch_file, to, survey, open, losses)?
        };
        for finding in std::mem::take(&mut converted.joined) {
            losses.report(finding);
            converted.written.losses += 1;
        }
        Ok((out, converted))
    }

    /// Returns a copy of these options whose schema has the definitions that the output needs: those that were added to
    /// the schema and, if definitions were asked for, those of the file's extensions. `None` if there are none.
    fn with_schema_in_use(
        &self,
        input: &mut dyn Restart,
        to: &Rules,
    ) -> Result<Option<Convert<'c>>, ConvertError> {
        if !can_hold_definitions(to) || !self.defines && self.reading.additions.is_none() {
            return Ok(None);
        }
        let options = self.reading.clone().with_vendor_tags(self.defines).with_check_tags(false);
        let reader =
            Reader::new(input.restart()?, self.rules, &options.octets).with_run_size(CACHED_RUN_SIZE);
        let mut reader = elf_schema::Reader::of(reader, options);
        let mut in_use = DefinitionsInUse::default();
        while let Some(run) = reader.next_run(&mut ())? {
            in_use.add(&run);
        }
        let base = Schema::of_data_model(to);
        let refers = to.schema.mechanism.may_refer();
        let schema = Arc::new(if refers { in_use.added_to(base) } else { in_use.to_schema(base) });
        let reading = self.reading.clone().with_additions(None).with_schema(Some(schema));
        Ok(Some(Convert { reading, ..self.clone() }))
    }

    fn open_reader<'i>(
        &self,
        rules: &Rules,
        input: &'i mut dyn Restart,
        known: Option<&Arc<KnownXrefs>>,
    ) -> io::Result<Reader<Box<dyn Read + 'i>>> {
        let reader =
            Reader::new(input.restart()?, rules, &self.reading.octets).with_run_size(CACHED_RUN_SIZE);
        Ok(match known {
            Some(known) => reader.with_known_xrefs(Arc::clone(known)),
            None => reader,
        })
    }
}
