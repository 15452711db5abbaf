//! A first reading of a document, for its irregular identifiers.

use super::{Divided, Reader};
use crate::Document;
use crate::read::xref::{FirstReading, Keys, XrefPass, Xrefs};
use elf_base::Rules;
use elf_octets::Options;
use std::io::{self, Read};

/// Reads a document in parts, whatever the rules are, to find out its [`Xrefs`]. Nothing is reported, and
/// steps for which the whole document must be known are not done.
///
/// ```
/// use elf_tagged::{XrefReader, Options, Reader, Rules};
///
/// // January 2019 inserts records for what pointers name and nothing bears.
/// let file: &[u8] = b"0 HEAD\n1 CHAR UTF-8\n0 @I1@ INDI\n1 FAMC @F1@\n0 TRLR\n";
/// let (rules, options) = (Rules::JANUARY_2019, Options::default());
/// let xrefs = XrefReader::new(file, &rules, &options).into_xrefs()?;
/// let mut reader = Reader::with_xrefs(file, xrefs);
/// let mut tags = Vec::new();
/// while let Some(part) = reader.next_part(&mut ())? {
///     tags.extend(part.records().map(|record| record.tag().to_owned()));
/// }
/// assert_eq!(tags, ["INDI", "UNDEF"]);
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct XrefReader<R> {
    reader: Reader<R>,
    options: Options,
}

impl<R: Read> XrefReader<R> {
    /// Reads `input` by `rules`.
    pub fn new(input: R, rules: &Rules, options: &Options) -> XrefReader<R> {
        let reader = Reader::in_pass(input, rules, options, (XrefPass::First, Keys::default()));
        XrefReader { reader, options: *options }
    }

    /// Sets the size of the parts to come to about `octets`.
    #[must_use]
    pub fn with_part_size(self, octets: usize) -> XrefReader<R> {
        XrefReader { reader: self.reader.with_part_size(octets), ..self }
    }

    /// The next part, for whoever wants to know more of the document than these; `None` after the last.
    ///
    /// # Errors
    ///
    /// Those of [`Reader::next_part`].
    pub fn next_part(&mut self) -> io::Result<Option<Document<'_>>> {
        self.reader.next_part(&mut ())
    }

    /// Divides the rest into parts that are read apart, as [`Reader::divide`] does.
    pub fn divide<T>(&mut self) -> Option<Divided<'_, R, T>> {
        self.reader.divide()
    }

    /// Returns what is known of the document so far, but its irregular identifiers.
    pub const fn tagged(&self) -> &Reader<R> {
        &self.reader
    }

    /// Returns the irregular identifiers of the document, of which the rest is read.
    ///
    /// # Errors
    ///
    /// Those of [`Reader::next_part`]; one of the kind [`Other`](io::ErrorKind::Other) where a part was read
    /// on its own and never [taken](crate::Divided::take).
    pub fn into_xrefs(mut self) -> io::Result<Xrefs> {
        while self.next_part()?.is_some() {}
        let Reader { id, gathered, rules, is_broken_off, .. } = self.reader;
        if is_broken_off {
            return Err(io::Error::other("a part was not taken"));
        }
        let (parts, fingerprint) = (gathered.parts, gathered.fingerprint);
        let first = FirstReading { id, rules, options: self.options, parts, fingerprint };
        let xrefs = gathered.reports.into_xrefs(gathered.to_end, &gathered.header, first);
        xrefs.ok_or_else(|| io::Error::other("the identifiers were not gathered"))
    }
}
