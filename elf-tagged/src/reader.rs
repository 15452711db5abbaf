//! A document in parts, in memory that does not grow with it.

use crate::Document;
use crate::header::Header;
use crate::pointers::{Census, Keys};
use crate::read::{Held, is_lines, no_document, replace_escapes};
use crate::report::Reporter;
use crate::tree::build::{Builder, Part};
use elf_base::{Rules, Sink};
use elf_octets::{Decision, Options, TextReader};
use std::io::{self, Read};

/// Reads a document part by part: each part is a [`Document`] of some whole records, and together they are the records
/// that [`read`](crate::read()) gives.
///
/// Memory is bounded by the longest record (a part is about a mebibyte, or one record where that is longer) and by the
/// names: forty octets for each identifier and sixteen for each pointer. Offsets are those of a part; places in diagnostics
/// are those of the file.
///
/// What only the whole document shows differs: within a part [`Document::resolve`] finds nothing. Pointers that lead
/// nowhere and identifiers borne twice are reported after the last part. The records that January 2019 inserts are not made, and the
/// ways in which the declarative draft rejects repeated identifiers are not taken.
///
/// ```
/// use elf_tagged::{Options, Reader, Rules};
///
/// let file: &[u8] = b"0 HEAD\n1 CHAR UTF-8\n0 @I1@ INDI\n1 NAME Ada\n0 @I2@ INDI\n1 NAME Max\n0 TRLR\n";
/// let mut reader = Reader::new(file, &Rules::WILD, &Options::default());
/// let mut people = 0;
/// while let Some(part) = reader.next_part(&mut ())? {
///     people += part.records().filter(|record| record.tag() == "INDI").count();
/// }
/// assert!(people == 2 && reader.is_complete());
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct Reader<R> {
    text: TextReader<R>,
    rules: Rules,
    header: Header,
    keys: Keys,
    census: Census,
    first: bool,
    headless: bool,
    done: bool,
    complete: bool,
}

impl<R: Read> Reader<R> {
    /// Reads `input` by `rules`.
    pub fn new(input: R, rules: &Rules, options: &Options) -> Reader<R> {
        Reader::from_text(TextReader::new(input, rules, options), rules)
    }

    /// The same in parts of about that many octets.
    #[must_use]
    pub fn with_part_size(self, octets: usize) -> Reader<R> {
        Reader { text: self.text.with_block_size(octets), ..self }
    }

    fn from_text(text: TextReader<R>, rules: &Rules) -> Reader<R> {
        Reader {
            text: text.by_records(),
            rules: *rules,
            header: Header::new(),
            keys: Keys::default(),
            census: Census::default(),
            first: true,
            headless: true,
            done: false,
            complete: false,
        }
    }

    /// Which encoding is used, and why: known from the first part on.
    pub fn decision(&self) -> Option<&Decision> {
        self.text.decision()
    }

    /// What the header says about the serialisation: known from the first part on.
    pub const fn header(&self) -> &Header {
        &self.header
    }

    /// How many line breaks of each form the parts so far had.
    pub fn line_breaks(&self) -> elf_octets::LineBreaks {
        self.text.line_breaks()
    }

    /// Whether the document was read to its end: known after the last part.
    pub const fn is_complete(&self) -> bool {
        self.complete
    }

    /// The next part; `None` after the last. There is at least one, be it empty.
    ///
    /// # Errors
    ///
    /// What reading the input returns; [`TooLarge`](elf_octets::TooLarge), wrapped, where a record is over 4 GiB.
    pub fn next_part(&mut self, sink: &mut dyn Sink) -> io::Result<Option<Document<'_>>> {
        if self.done {
            return Ok(None);
        }
        let first = std::mem::replace(&mut self.first, false);
        let mut held = Held::new(sink);
        if !first {
            held.let_go();
        }
        let Some(source) = self.text.next_block(&mut held)? else {
            self.done = true;
            return Ok(None);
        };
        let source = replace_escapes(source, &self.rules);
        if first && !is_lines(&source, &self.rules) {
            held.forget();
            self.done = true;
            return Ok(Some(no_document(source, &self.rules, held.sink)));
        }
        held.let_go();
        let sink = held.sink;

        let part = Part {
            complete: source.is_complete(),
            check_characters: source.has_forbidden(),
            first: self.headless,
            last: source.is_last(),
        };
        let reporter = Reporter::new(&self.rules, source.locator(), sink);
        let builder =
            Builder::new(source.text(), &self.rules, reporter, self.header.clone(), self.keys.clone(), part);
        let mut built = builder.run(source.line_strings());
        if self.headless {
            self.header = built.header.clone();
        } else {
            // What the header holds are structures of the first part.
            built.header.leave_first_part();
        }
        self.headless = built.headless;
        self.census.take(&mut built, source.text(), &self.rules, &mut source.locator());
        self.done = source.is_last() || !built.complete;
        if self.done {
            self.complete = built.complete;
            self.census.report(built.to_end, &self.rules, sink);
        }
        Ok(Some(Document {
            rules: self.rules,
            nodes: built.nodes,
            made: built.made,
            header: built.header,
            pointers: Default::default(),
            complete: built.complete,
            source,
        }))
    }
}
