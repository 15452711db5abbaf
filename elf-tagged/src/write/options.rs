//! The options, the errors and the summary of a writer.

use elf_base::Rules;
use elf_base::rules::LineLimit;
use elf_octets::{Encoding, LineBreak};

use std::error::Error;
use std::fmt;
use std::io;

/// The options of a writer. The options are choices that the rules leave open.
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
    /// The encoding of the file: ASCII, ANSEL, UTF-8 or UTF-16, which are the encodings that CHAR can name (D19
    /// *Character encoding names*). The default is UTF-8, as all drafts recommend.
    pub encoding: Encoding,
    /// The line break (D19 *Serialising line strings*). The default is LF.
    pub line_break: LineBreak,
    /// Whether the file starts with a byte-order mark. The default is what the rules recommend
    /// ([`WriteMark`](elf_base::rules::WriteMark)).
    pub mark: Option<bool>,
    /// The maximum length of a line, in the unit of the rules; 0 for no limit. December 2019 counts bytes including the
    /// line break, and allows twice as many in UTF-16. The default is the maximum of the rules.
    pub width: Option<u32>,
    /// The versions in the header (D19 *Header metadata*). The default is both versions.
    pub versions: Versions,
    /// Whether whitespace at the ends of payload lines is always written as Unicode escapes, for readers that are known
    /// to remove it (D19 *Unicode escapes*). The default is false.
    pub guard_whitespace: bool,
    /// Whether a document that was not read to its end may be written. For such a document, the part that was read is
    /// written, followed by a trailer. The default is false, and writing such a document fails with
    /// [`WriteError::Incomplete`].
    pub partial: bool,
}

/// The versions that the header of a December 2019 file contains.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Versions {
    /// The header contains the versions of ELF and GEDCOM. This is always valid.
    #[default]
    Both,
    /// The header contains the version of GEDCOM. The version of ELF is written only if it is needed: for a Unicode
    /// escape, a schema, a payload language or a payload datatype (D19 *ELF serialisation version*).
    ElfIfNeeded,
    /// The header contains only the version of ELF. Such a header needs a schema (D19 *Legacy GEDCOM version*).
    ElfAlone,
}

/// The reason why writer options are invalid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum OptionError {
    /// CHAR has no name for the encoding (D19 *Character encoding names*).
    EncodingWithoutName(Encoding),
    /// A byte-order mark was demanded, but the encoding has no U+FEFF (D19 *Serialising line strings*).
    NoMark(Encoding),
    /// The rules do not allow the encoding, because they allow only UTF-8 (GEDCOM 7.0 *Characters*).
    EncodingNotOfRules(Encoding),
    /// A header without a schema must contain a GEDCOM version (D19 *Legacy GEDCOM version*).
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

/// The reason why writing failed.
#[derive(Debug)]
#[non_exhaustive]
pub enum WriteError {
    /// The options are invalid.
    Options(OptionError),
    /// The document was not read to its end ([`Document::is_complete`](crate::Document::is_complete)), and
    /// [`WriteOptions::partial`] is not set.
    Incomplete,
    /// A rehearsal is needed, but the document was not [examined](super::Rehearsal::examine). Parts of the document may
    /// have to be left out, renamed or expressed differently.
    Unrehearsed,
    /// Surveys for different rules or options have been joined.
    MixedSurveys,
    /// A run was encoded by an encoder of another writer.
    ForeignEncoder,
    /// The document contains no structure.
    Empty,
    /// The output could not be written.
    Io(io::Error),
}

impl fmt::Display for WriteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            WriteError::Options(error) => error.fmt(f),
            WriteError::Incomplete => f.write_str("reading stopped early, so the document is incomplete"),
            WriteError::Unrehearsed => f.write_str("the document must be rehearsed before it is written"),
            WriteError::MixedSurveys => f.write_str("the runs were surveyed for different rules or options"),
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

/// The counts of what was written and what was lost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Summary {
    /// The number of lines.
    pub lines: u64,
    /// The number of records, without header and trailer.
    pub records: u64,
    /// The number of structures: the records and everything under them, and the metadata in the header.
    pub structures: u64,
    /// The number of bytes.
    pub octets: u64,
    /// The number of losses. Each of them was reported.
    pub losses: u64,
    /// The number of structures that were left out, including those under them.
    pub dropped: u64,
}

impl WriteOptions {
    /// Creates the default options, which are UTF-8, LF and, for the rest, what the rules recommend.
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

    /// Sets whether the file starts with a byte-order mark. `None` means what the rules recommend.
    #[must_use]
    pub const fn with_mark(mut self, mark: Option<bool>) -> WriteOptions {
        self.mark = mark;
        self
    }

    /// Sets the maximum length of a line. 0 means that there is no limit.
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

    /// Sets whether whitespace at the ends of payload lines is always written as Unicode escapes.
    #[must_use]
    pub const fn with_guarded_whitespace(mut self, guard: bool) -> WriteOptions {
        self.guard_whitespace = guard;
        self
    }

    /// Sets whether a document that was not read to its end may be written.
    #[must_use]
    pub const fn with_partial(mut self, partial: bool) -> WriteOptions {
        self.partial = partial;
        self
    }

    /// Checks that a file under `rules` can be written with these options.
    ///
    /// # Errors
    ///
    /// Returns [`OptionError`] if CHAR has no name for the encoding, if the rules do not allow the encoding, or if a
    /// byte-order mark is demanded but the encoding has none.
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
        if self.writes_mark(rules) && self.encoding.mark().is_none() {
            return Err(OptionError::NoMark(self.encoding));
        }
        Ok(())
    }

    pub(crate) fn writes_mark(&self, rules: &Rules) -> bool {
        let (has_mark, is_utf16) = (self.encoding.mark().is_some(), self.encoding.is_utf16());
        self.mark.unwrap_or(rules.write.mark.is_written(has_mark, is_utf16))
    }

    /// Returns the line limit of the rules, with the maximum of the caller if the caller set one.
    pub(crate) fn line_limit(&self, rules: &Rules) -> LineLimit {
        // Without CONC, lines cannot be split, so there is no limit.
        if !rules.tagged.conc {
            return LineLimit::None;
        }
        match self.width {
            None => rules.write.limit,
            Some(0) => LineLimit::None,
            Some(width) => rules.write.limit.with_most(width),
        }
    }

    /// Returns whether the header contains the ELF version. `schema` and `language` are true if the header contains
    /// these.
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
