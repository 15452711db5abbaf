//! All parts of a document, one after the other.

use crate::edit::ExtractedPart;
use crate::plan::Plan;
use crate::survey::SurveyReader;
use elf_edit::{EditError, EditedParts};
use elf_schema::Reader;
use std::io::{self, Read, Write};

/// A plan to be carried out in all parts of a document.
#[derive(Clone, Copy, Debug)]
pub struct Extraction<'p> {
    plan: &'p Plan,
}

/// The reason why a plan cannot be carried out.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ExtractError {
    /// The input cannot be read.
    #[error(transparent)]
    Read(#[from] io::Error),
    /// The output, or the report, cannot be written.
    #[error(transparent)]
    Write(io::Error),
    /// A line cannot be removed without changing others.
    #[error(transparent)]
    Edit(#[from] EditError),
}

impl<'p> Extraction<'p> {
    /// An extraction by a plan.
    pub const fn of(plan: &'p Plan) -> Extraction<'p> {
        Extraction { plan }
    }

    /// Reads the document again by `reader`, in parts of the size that it was surveyed in, and writes what is
    /// left to `out`; `report` gets each part. Of a document whose reading the rules end, that is what was
    /// read. Where this fails, what was written is of no use.
    ///
    /// # Errors
    ///
    /// [`ExtractError`].
    pub fn run<R: Read>(
        self,
        reader: &mut Reader<'_, R>,
        out: &mut dyn Write,
        report: &mut dyn FnMut(&ExtractedPart) -> io::Result<()>,
    ) -> Result<(), ExtractError> {
        let mut survey_reader = None;
        let mut parts = EditedParts::default();
        while let Some(part) = reader.next_run(&mut ())? {
            let survey_reader = survey_reader.get_or_insert_with(|| SurveyReader::new(part.schema()));
            let extracted = self.plan.apply(&part, survey_reader)?;
            out.write_all(&extracted.part.octets).map_err(ExtractError::Write)?;
            report(&extracted).map_err(ExtractError::Write)?;
            parts.add(extracted.part)?;
        }
        Ok(parts.finish()?)
    }
}
