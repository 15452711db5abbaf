//! The result of a conversion.

use elf_base::Diagnostic;
use elf_tagged::write::{Summary, WriteError};
use std::io;

/// The counts and findings of a converted file.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Converted {
    /// The counts of what was written and lost.
    pub written: Summary,
    /// The number of malformed and non-conformant findings in the input.
    pub problems: u64,
    /// Whether all of the input was read.
    pub ending: Ending,
    /// The finding that the encoding of the input is uncertain. If it is set, the text of the
    /// output may be wrong.
    pub uncertain: Option<Box<Diagnostic>>,
    /// The findings that two lines of the input are joined. The output then has one record where
    /// two were meant.
    pub(crate) joined: Vec<Diagnostic>,
}

/// How reading a file ended.
#[derive(Clone, Debug)]
pub enum Ending {
    /// All of the file was read.
    Complete,
    /// The rules ended the reading, so the rest of the file is missing in the output. The variant
    /// holds the finding that explains why. It only occurs with
    /// [`WriteOptions::with_partial`](crate::WriteOptions::with_partial).
    Early(Option<Box<Diagnostic>>),
}

impl Ending {
    /// Returns whether all of the input was read.
    pub const fn is_complete(&self) -> bool {
        matches!(self, Ending::Complete)
    }

    /// Returns the finding that ended the reading.
    pub fn finding(&self) -> Option<&Diagnostic> {
        match self {
            Ending::Complete => None,
            Ending::Early(finding) => finding.as_deref(),
        }
    }
}

impl Converted {
    /// Returns whether all of the input was read.
    pub const fn is_complete(&self) -> bool {
        self.ending.is_complete()
    }
}

/// Why a file was not converted.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ConvertError {
    /// The rules ended the reading, and the options do not allow an incomplete output.
    #[error("reading stopped early under these rules, so the output is incomplete")]
    Ended {
        /// The number of malformed and non-conformant findings before this point.
        problems: u64,
        /// The finding that explains why the reading ended.
        finding: Option<Box<Diagnostic>>,
    },
    /// The input could not be read.
    #[error("cannot read: {0}")]
    Read(#[from] io::Error),
    /// The output could not be written, the options do not fit the file, or there is nothing to write.
    #[error("cannot write: {0}")]
    Write(#[from] WriteError),
}
