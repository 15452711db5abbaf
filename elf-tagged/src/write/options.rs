//! Options of a writer, its errors, and its summary.

use elf_base::Rules;
use elf_base::rules::LineLimit;
use elf_octets::Encoding;
use std::error::Error;
use std::fmt;
use std::io;

/// Options of a writer, where the rules leave a choice.
///
/// ```
/// use elf_tagged::Encoding;
/// use elf_tagged::write::{LineBreak, WriteOptions};
///
/// let options = WriteOptions::new().with_encoding(Encoding::Utf16Le).with_line_break(LineBreak::CrLf);
/// assert_eq!(options.encoding.char_name(), Some("UNICODE"));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct WriteOptions {
    /// The encoding: ASCII, ANSEL, UTF-8 or UTF-16, the four the drafts have names for (D19 *Character
    /// encoding names*). Default: UTF-8, as all drafts advise.
    pub encoding: Encoding,
    /// The form of every line break (D19 *Serialising line strings*). Default: LF.
    pub line_break: LineBreak,
    /// True if the file starts with a byte-order mark. Default: as the rules advise
    /// ([`WriteMark`](elf_base::rules::WriteMark)).
    pub mark: Option<bool>,
    /// The longest line, in the unit of the rules, in place of their own number; 0 for no limit. December
    /// 2019 counts octets with the line break, and doubles the number for UTF-16. Default: the number of the
    /// rules.
    pub width: Option<u32>,
    /// The versions that the header names (D19 *Header metadata*). Default: both.
    pub versions: Versions,
    /// True if whitespace at either end of a payload line is written as Unicode escapes even where the rules
    /// do not ask for it, because a reader is known to trim (D19 *Unicode escapes*). Default: false.
    pub guard_whitespace: bool,
    /// True if a document is written of which the rules ended the reading: the part that was read, with a
    /// trailer, as if it were all. Default: false; writing ends with [`WriteError::Incomplete`].
    pub partial: bool,
}

/// The form of a line break.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum LineBreak {
    /// U+000A.
    #[default]
    Lf,
    /// U+000D.
    Cr,
    /// U+000D U+000A.
    CrLf,
}

/// The versions that the header of a December 2019 file names.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Versions {
    /// ELF and GEDC, which is right whatever follows.
    #[default]
    Both,
    /// GEDC; ELF only where something needs it: a Unicode escape, a schema, a payload language, a payload
    /// datatype (D19 *ELF serialisation version*).
    ElfIfNeeded,
    /// ELF and not GEDC, which only a header with a schema may do (D19 *Legacy GEDCOM version*).
    ElfAlone,
}

/// The reason why a writer cannot follow its options.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum OptionError {
    /// CHAR has no name for the encoding (D19 *Character encoding names*).
    EncodingWithoutName(Encoding),
    /// The encoding has no U+FEFF (D19 *Serialising line strings*).
    NoMark(Encoding),
    /// The rules have files in UTF-8 only (GEDCOM 7.0 *Characters*).
    EncodingNotOfRules(Encoding),
    /// A header without a schema must name a GEDCOM version (D19 *Legacy GEDCOM version*).
    GedcomVersionNeeded,
}

impl fmt::Display for OptionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OptionError::EncodingWithoutName(encoding) => {
                write!(f, "cannot write {encoding}: expected ASCII, ANSEL, UTF-8 or UTF-16")
            }
            OptionError::NoMark(encoding) => write!(f, "{encoding} does not have a byte-order mark"),
            OptionError::EncodingNotOfRules(encoding) => {
                write!(f, "cannot write {encoding} under these rules: expected UTF-8")
            }
            OptionError::GedcomVersionNeeded => {
                f.write_str("a header without a GEDCOM version needs a schema")
            }
        }
    }
}

impl Error for OptionError {}

/// The reason why writing ended.
#[derive(Debug)]
#[non_exhaustive]
pub enum WriteError {
    /// The options ask for what cannot be.
    Options(OptionError),
    /// The rules ended the reading of the document ([`Document::is_complete`](crate::Document::is_complete)),
    /// so that it is not whole, and [`WriteOptions::partial`] does not allow to write what there is.
    Incomplete,
    /// The document has what may have to be left out, renamed or said in another way, and was not
    /// [rehearsed](super::Rehearsal::see).
    Unrehearsed,
    /// Surveys were joined that are for other rules or other options.
    MixedSurveys,
    /// A run was encoded by an encoder of another writer.
    ForeignEncoder,
    /// Nothing of the document is a structure, so that there is none.
    Empty,
    /// The output failed.
    Io(io::Error),
}

impl fmt::Display for WriteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            WriteError::Options(error) => error.fmt(f),
            WriteError::Incomplete => f.write_str("reading stopped early, so the document is incomplete"),
            WriteError::Unrehearsed => f.write_str("the document has to be rehearsed before it is written"),
            WriteError::MixedSurveys => {
                f.write_str("the surveys of the runs are not for the same rules and options")
            }
            WriteError::ForeignEncoder => f.write_str("the run was encoded by an encoder of another writer"),
            WriteError::Empty => f.write_str("the file contains no valid line, so there is nothing to write"),
            WriteError::Io(error) => error.fmt(f),
        }
    }
}

impl Error for WriteError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            WriteError::Options(error) => error.source(),
            WriteError::Io(error) => error.source(),
            _ => None,
        }
    }
}

impl From<OptionError> for WriteError {
    fn from(error: OptionError) -> WriteError {
        WriteError::Options(error)
    }
}

impl From<io::Error> for WriteError {
    fn from(error: io::Error) -> WriteError {
        WriteError::Io(error)
    }
}

/// The counts of what was written, and of what was not.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Summary {
    /// Lines.
    pub lines: u64,
    /// Records, header and trailer not counted.
    pub records: u64,
    /// Structures: the records and all beneath them, and the metadata in the header.
    pub structures: u64,
    /// Octets.
    pub octets: u64,
    /// The number of times that something could not be written as it was given; each was reported.
    pub losses: u64,
    /// Structures left out, those beneath them counted too.
    pub dropped: u64,
}

impl WriteOptions {
    /// UTF-8, LF, and what the rules advise.
    pub const fn new() -> WriteOptions {
        WriteOptions {
            encoding: Encoding::Utf8,
            line_break: LineBreak::Lf,
            mark: None,
            width: None,
            versions: Versions::Both,
            guard_whitespace: false,
            partial: false,
        }
    }

    /// Sets the encoding.
    #[must_use]
    pub const fn with_encoding(mut self, encoding: Encoding) -> WriteOptions {
        self.encoding = encoding;
        self
    }

    /// Sets the line break.
    #[must_use]
    pub const fn with_line_break(mut self, line_break: LineBreak) -> WriteOptions {
        self.line_break = line_break;
        self
    }

    /// Sets whether the file starts with a byte-order mark; `None` to do as the rules advise.
    #[must_use]
    pub const fn with_mark(mut self, mark: Option<bool>) -> WriteOptions {
        self.mark = mark;
        self
    }

    /// Sets the line width; 0 for no limit.
    #[must_use]
    pub const fn with_width(mut self, width: Option<u32>) -> WriteOptions {
        self.width = width;
        self
    }

    /// Sets the versions in the header.
    #[must_use]
    pub const fn with_versions(mut self, versions: Versions) -> WriteOptions {
        self.versions = versions;
        self
    }

    /// Sets whether whitespace at either end of a payload line is guarded by Unicode escapes.
    #[must_use]
    pub const fn with_guarded_whitespace(mut self, guard: bool) -> WriteOptions {
        self.guard_whitespace = guard;
        self
    }

    /// Sets whether to write the part that was read of a document whose reading the rules ended.
    #[must_use]
    pub const fn with_partial(mut self, partial: bool) -> WriteOptions {
        self.partial = partial;
        self
    }

    /// Checks that a file of `rules` can be written this way.
    ///
    /// # Errors
    ///
    /// What cannot be: an encoding CHAR has no name for or the rules do not have, a mark in an encoding
    /// without one.
    ///
    /// ```
    /// use elf_tagged::{Encoding, Rules, write::WriteOptions};
    /// let options = WriteOptions::new().with_encoding(Encoding::Ascii).with_mark(Some(true));
    /// assert!(options.check(&Rules::DECEMBER_2019).is_err());
    /// ```
    pub fn check(&self, rules: &Rules) -> Result<(), OptionError> {
        if self.encoding.char_name().is_none() {
            return Err(OptionError::EncodingWithoutName(self.encoding));
        }
        if rules.write.encodings.are_utf_8() && self.encoding != Encoding::Utf8 {
            return Err(OptionError::EncodingNotOfRules(self.encoding));
        }
        if self.marked(rules) && self.encoding.mark().is_none() {
            return Err(OptionError::NoMark(self.encoding));
        }
        Ok(())
    }

    /// Tells whether to write a byte-order mark.
    pub(crate) fn marked(&self, rules: &Rules) -> bool {
        let (has_mark, is_utf16) = (self.encoding.mark().is_some(), self.encoding.is_utf16());
        self.mark.unwrap_or(rules.write.mark.is_written(has_mark, is_utf16))
    }

    /// The limit of the rules, with the number the caller put in its place.
    pub(crate) fn limit(&self, rules: &Rules) -> LineLimit {
        // What must not be parted has no limit.
        if !rules.tagged.conc {
            return LineLimit::None;
        }
        match self.width {
            None => rules.write.limit,
            Some(0) => LineLimit::None,
            Some(width) => rules.write.limit.with_most(width),
        }
    }

    /// Tells whether the header names the ELF version, given what else the header holds.
    pub(crate) fn names_elf(&self, rules: &Rules, schema: bool, language: bool) -> bool {
        rules.tagged.metadata.has_elf_version()
            && (self.versions != Versions::ElfIfNeeded
                || schema
                || language
                || self.guard_whitespace
                || !matches!(self.encoding, Encoding::Utf8 | Encoding::Utf16Le | Encoding::Utf16Be))
    }
}

impl Default for WriteOptions {
    fn default() -> WriteOptions {
        WriteOptions::new()
    }
}

impl LineBreak {
    /// The characters it is made of.
    pub const fn as_str(self) -> &'static str {
        match self {
            LineBreak::Lf => "\n",
            LineBreak::Cr => "\r",
            LineBreak::CrLf => "\r\n",
        }
    }
}
