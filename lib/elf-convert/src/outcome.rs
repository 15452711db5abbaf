//! What became of a file.

use elf_base::Diagnostic;
use elf_tagged::write::{Summary, WriteError};
use std::io;

/// What was converted.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Converted {
    /// The numbers of what was written, and of what was lost.
    pub written: Summary,
    /// The number of findings that make the input malformed or non-conformant.
    pub problems: u64,
    /// How the reading ended.
    pub reading: Reading,
    /// The finding that the encoding of the input is uncertain, if it is: the text may be wrong.
    pub uncertain: Option<Box<Diagnostic>>,
    /// The findings that two lines of the input are joined: the output has one record where two were meant.
    pub(crate) joined: Vec<Diagnostic>,
}

/// How the reading of a file ended.
#[derive(Clone, Debug)]
pub enum Reading {
    /// All of the file was read.
    Complete,
    /// The rules ended the reading: what follows is not in the output. Only with
    /// [`WriteOptions::with_partial`](crate::WriteOptions::with_partial). With the finding that says why.
    Ended(Option<Box<Diagnostic>>),
}

impl Reading {
    /// Returns whether all of the input was read.
    pub const fn is_complete(&self) -> bool {
        matches!(self, Reading::Complete)
    }

    /// Returns the finding that ended the reading.
    pub fn ending(&self) -> Option<&Diagnostic> {
        match self {
            Reading::Complete => None,
            Reading::Ended(finding) => finding.as_deref(),
        }
    }
}

impl Converted {
    /// Returns whether all of the input was read.
    pub const fn is_complete(&self) -> bool {
        self.reading.is_complete()
    }
}

/// Why a file is not converted.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ConvertError {
    /// The rules ended the reading, and the options do not allow a part of the file as output.
    #[error("the rules ended the reading, so the file is not whole")]
    Ended {
        /// The number of findings that make the input malformed or non-conformant, up to there.
        problems: u64,
        /// The finding that says why.
        finding: Option<Box<Diagnostic>>,
    },
    /// The input could not be read.
    #[error("cannot read: {0}")]
    Read(#[from] io::Error),
    /// The output could not be written, or not as the options say, or there is nothing to write.
    #[error("cannot write: {0}")]
    Write(#[from] WriteError),
}
