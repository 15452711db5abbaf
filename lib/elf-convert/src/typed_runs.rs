//! Reads files so that the caller can write their typed structures in a format that is neither
//! GEDCOM nor ELF.

use crate::within::WholeFile;
use crate::{Convert, ConvertError, Converted, Ending};
use elf_check::Problems;
use elf_check::runs::Restart;
use elf_schema::{Reader, TypedDocument};
use elf_tagged::write::{Summary, WriteError};

impl Convert<'_> {
    /// Reads a file for a format that is neither GEDCOM nor ELF. Passes the typed structures to
    /// `write` in runs of whole records.
    ///
    /// `write` is only called once it is certain that there is a result, so that a failed
    /// conversion replaces no file.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`run`](Convert::run) and the errors of `write`.
    pub fn for_each_run(
        &self,
        input: &mut dyn Restart,
        mut write: impl FnMut(&TypedDocument<'_>) -> Result<(), ConvertError>,
    ) -> Result<Converted, ConvertError> {
        let (mut has_structures, mut written) = (false, Summary::default());
        let count = |run: &elf_tagged::Document<'_>| (!run.is_empty(), run.records().count() as u64);
        let whole =
            WholeFile::survey(self.open_reader(self.rules, input, None)?, count, |(has, records)| {
                has_structures |= has;
                written.records += records;
            })?;
        if !has_structures {
            return Err(WriteError::Empty.into());
        }
        self.refuse_incomplete(self.rules, input, &whole)?;
        let mut problems = Problems::default();
        let reader = self.open_reader(self.rules, input, Some(&whole.known))?;
        let mut reader = Reader::of(reader, self.reading.clone());
        while let Some(run) = reader.next_run(&mut problems)? {
            write(&run)?;
        }
        problems.join(whole.late);
        let (uncertain, joined) = (problems.take_uncertain(), problems.take_joined());
        let count = problems.count();
        let ending = match whole.is_complete {
            true => Ending::Complete,
            false => Ending::Early(problems.into_worst()),
        };
        Ok(Converted { written, problems: count, ending, uncertain, joined })
    }
}
