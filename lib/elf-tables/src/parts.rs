//! Divides the work on tables of one large document into parts, for several computers or processes.
//!
//! The row of a person contains the names of relatives, whose records can be anywhere in the document. So one computer
//! reads the whole document first. It does this once for all parts:
//!
//! ```text
//! runs ─┬─ TableReader::survey ─► Survey ─► Surveyed::part ──┐
//!       └─ RunSummary::of ──────► PartList ─► DocumentPart ──┴─► bytes, to another computer
//!
//! there: Surveyed::of_part, and DocumentPart::read ─► runs ─► TableReader::rows ─► Rows
//! ```
//!
//! - [`Surveyed::part`] returns the fields that come from the rest of the document: identifiers and names of relatives,
//!   counts of pointers, numbers of records. So the other computer needs no graph of all people.
//! - A [`DocumentPart`] contains the place of its runs. It does not contain the header, its schema and the encoding.
//!   [`DocumentPart::read`] also reads the first run of the document, and the run that decides the encoding. Then the
//!   reader is in the same state as if it had read the whole document up to the part.
//! - The rows of all parts together are the rows of the document, in the same order. If the file is not the one that
//!   was divided, reading a part fails. The size of the file and all bytes that are read for the part must be the same.
//!
//! By some rules, a structure depends on identifiers anywhere in the file. These rules read a document as one run, so
//! it has only one part.
//!
//! ```
//! use elf_schema::{ReadOptions, Reader, Rules};
//! use elf_tables::parts::{PartList, RunSummary};
//! use elf_tables::{Rows, Survey, Surveyed, Table, TableReader};
//! use std::io::Cursor;
//!
//! let file = b"0 HEAD\n0 @I1@ INDI\n1 NAME Ada\n1 FAMC @F1@\n0 @F1@ FAM\n1 HUSB @I2@\n1 CHIL @I1@\n\
//!     0 @I2@ INDI\n1 NAME George\n0 TRLR\n";
//! let open = || Ok(Cursor::new(&file[..]));
//! let read = |input| Reader::new(input, &Rules::WILD, ReadOptions::default()).with_run_size(1);
//!
//! // The pass over the document.
//! let mut runs = read(open()?);
//! let (mut table, mut survey, mut list) = (None, Survey::of(Table::People), PartList::of_file(file.len() as u64));
//! while let Some(run) = runs.next_run(&mut ())? {
//!     list.add_run(RunSummary::of(run.document()));
//!     let table = table.get_or_insert_with(|| TableReader::new(Table::People, run.schema()));
//!     survey.take(table.survey(&run));
//! }
//! let (table, surveyed) = (table.expect("a run"), survey.finish());
//! let parts = list.divide(30);
//! let octets = surveyed.part(&table, parts[0].runs())?;
//!
//! // Elsewhere.
//! let surveyed = Surveyed::of_part(&octets)?;
//! let mut rows = Rows::of(Table::People.columns().len());
//! parts[0].read(open, read, |run| {
//!     TableReader::new(Table::People, run.schema()).rows(run, &surveyed, "ada.ged", &mut rows);
//! })?;
//! let column = Table::People.columns().iter().position(|column| column.name == "father_name").unwrap_or(0);
//! let father = rows.read().next_row().map(|row| row[column].clone());
//! assert_eq!(father, Some(elf_tables::Cell::List(vec!["George"])));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use crate::TableReader;
use crate::families::FamilyMembers;
use crate::people::RelativesOfPerson;
use crate::survey::{DocumentInfo, Relatives, RelativesOfRuns, Surveyed};
use crate::table::Table;
use elf_lineage::{FamilyId, PersonId};
use elf_schema::elf_tagged::RunStart;
use elf_schema::{Document, Reader, TypedDocument};
use serde::{Deserialize, Serialize};
use siphasher::sip::SipHasher13;
use std::hash::Hasher;
use std::io::{self, Read, Seek, SeekFrom};
use std::ops::Range;

/// The properties of a run that a [`PartList`] needs.
#[derive(Clone, Copy, Debug)]
pub struct RunSummary {
    start: RunPlace,
    size: u64,
    digest: u64,
    /// Whether all bytes after the byte-order mark are ASCII.
    is_ascii: bool,
    may_hold_header: bool,
}

/// Where a run starts.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
struct RunPlace {
    number: usize,
    octet: u64,
    line: u64,
}

impl RunSummary {
    /// Returns the summary of a run.
    pub fn of(run: &Document<'_>) -> RunSummary {
        let RunStart { number, octet, line } = run.run_start();
        let octets = run.source().octets();
        // The byte-order mark is at the start of the first run.
        let mark = run.source().start().octet.saturating_sub(octet);
        let text = usize::try_from(mark).ok().and_then(|mark| octets.get(mark..)).unwrap_or_default();
        RunSummary {
            start: RunPlace { number, octet, line },
            size: octets.len() as u64,
            digest: digest(octets),
            is_ascii: text.is_ascii(),
            may_hold_header: run.may_hold_header(),
        }
    }
}

/// Returns the digest of a run. It is the same on all computers, with any release of Rust.
fn digest(octets: &[u8]) -> u64 {
    SipHasher13::new().hash(octets)
}

/// The digest of several runs.
struct RunsDigest(SipHasher13);

impl RunsDigest {
    fn new() -> RunsDigest {
        RunsDigest(SipHasher13::new())
    }

    fn add_run(&mut self, digest: u64) {
        self.0.write(&digest.to_le_bytes());
    }

    fn finish(&self) -> u64 {
        self.0.finish()
    }
}

/// The runs of a document in their order, to divide it into parts.
#[derive(Clone, Debug)]
pub struct PartList {
    runs: Vec<RunSummary>,
    size_of_file: u64,
}

impl PartList {
    /// Creates a list without runs for a file of this size in bytes.
    pub const fn of_file(size: u64) -> PartList {
        PartList { runs: Vec::new(), size_of_file: size }
    }

    /// Adds the next run.
    pub fn add_run(&mut self, run: RunSummary) {
        self.runs.push(run);
    }

    /// Divides the document into parts of at least `size` bytes. The last part may be smaller. A
    /// document without runs has no parts.
    pub fn divide(&self, size: u64) -> Vec<DocumentPart> {
        let before = self.runs_before_parts();
        let mut parts = Vec::new();
        let (mut start, mut of_part) = (0, 0);
        for (number, run) in self.runs.iter().enumerate() {
            of_part += run.size;
            if of_part >= size {
                parts.extend(self.part(start..number + 1, before));
                (start, of_part) = (number + 1, 0);
            }
        }
        parts.extend(self.part(start..self.runs.len(), before));
        parts
    }

    fn runs_before_parts(&self) -> RunsBeforeParts {
        let header = self.runs.iter().take_while(|run| run.may_hold_header).count();
        // The first bytes that are not ASCII may decide the encoding.
        let deciding = self.runs.iter().position(|run| !run.is_ascii).filter(|number| *number >= header);
        RunsBeforeParts { header, deciding }
    }

    /// Returns the part that consists of these runs. `None` if there are no runs.
    fn part(&self, runs: Range<usize>, before: RunsBeforeParts) -> Option<DocumentPart> {
        let first = self.runs.get(runs.start)?;
        let deciding = before.deciding.filter(|number| *number < runs.start);
        let mut all = RunsDigest::new();
        let read = (0..before.header.min(runs.start)).chain(deciding).chain(runs.clone());
        read.filter_map(|number| self.runs.get(number)).for_each(|run| all.add_run(run.digest));
        Some(DocumentPart {
            runs,
            start: first.start,
            deciding: deciding.and_then(|number| self.runs.get(number)).map(|run| run.start),
            digest: all.finish(),
            size_of_file: self.size_of_file,
        })
    }
}

/// The runs that are read before a later part.
#[derive(Clone, Copy, Debug)]
struct RunsBeforeParts {
    /// The number of runs that may contain the header.
    header: usize,
    /// The number of the run that may decide the encoding, if this run comes after the runs of the
    /// header.
    deciding: Option<usize>,
}

/// Some consecutive runs of a document.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct DocumentPart {
    runs: Range<usize>,
    start: RunPlace,
    /// The run before the part that decides the encoding. It is `None` if the header decides.
    deciding: Option<RunPlace>,
    /// The digest of all runs that are read for the part.
    digest: u64,
    size_of_file: u64,
}

/// The reason why a part could not be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PartReadError {
    /// The file could not be read.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The file is not the one that was divided, or it was read by other rules.
    #[error("the file has changed since it was divided into parts")]
    OtherFile,
}

impl DocumentPart {
    /// Returns the numbers of the runs.
    pub fn runs(&self) -> Range<usize> {
        self.runs.clone()
    }

    /// Returns the offset of the first byte in the file.
    pub const fn start(&self) -> u64 {
        self.start.octet
    }

    /// Reads the runs of the part, and passes them to `visit`. `open` opens the file. `new_reader`
    /// makes a reader with the same rules, options and run size as the reader of the whole
    /// document.
    ///
    /// # Errors
    ///
    /// Returns [`PartReadError::OtherFile`] if the file has changed. Runs of the changed file may
    /// already have been visited.
    pub fn read<'e, R: Read + Seek>(
        &self,
        mut open: impl FnMut() -> io::Result<R>,
        new_reader: impl FnOnce(R) -> Reader<'e, R>,
        mut visit: impl FnMut(&TypedDocument<'_>),
    ) -> Result<(), PartReadError> {
        let mut input = open()?;
        if input.seek(SeekFrom::End(0))? != self.size_of_file {
            return Err(PartReadError::OtherFile);
        }
        input.rewind()?;
        let mut open_at = |octet: u64| {
            let mut input = open()?;
            input.seek(SeekFrom::Start(octet))?;
            io::Result::Ok(input)
        };
        let mut reader = new_reader(input);
        let mut all = RunsDigest::new();
        let mut next = 0;
        let mut read_run = |reader: &mut Reader<'e, R>| -> io::Result<Option<usize>> {
            let Some(run) = reader.next_run(&mut ())? else { return Ok(None) };
            all.add_run(digest(run.document().source().octets()));
            let number = run.document().run_number();
            if self.runs.contains(&number) {
                visit(&run);
            }
            Ok(Some(number))
        };
        while !reader.tagged().knows_header()
            && next < self.runs.end
            && let Some(number) = read_run(&mut reader)?
        {
            next = number + 1;
        }
        if let Some(run) = &self.deciding {
            reader.skip_to(open_at(run.octet)?, run.to_start());
            read_run(&mut reader)?;
        }
        if next < self.runs.start {
            reader.skip_to(open_at(self.start.octet)?, self.start.to_start());
            next = self.runs.start;
        }
        while next < self.runs.end
            && let Some(number) = read_run(&mut reader)?
        {
            next = number + 1;
        }
        match all.finish() == self.digest {
            true => Ok(()),
            false => Err(PartReadError::OtherFile),
        }
    }
}

impl RunPlace {
    const fn to_start(self) -> RunStart {
        RunStart { number: self.number, octet: self.octet, line: self.line }
    }
}

/// The error for a part of a survey that cannot be written or read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PartError {
    /// The survey is a part itself.
    #[error("a part of a survey cannot be divided again")]
    AlreadyPart,
    /// The bytes are not those of a part.
    #[error("invalid part of a survey: {0}")]
    Bytes(#[from] postcard::Error),
}

impl Surveyed {
    /// Returns the information that the rows of these runs need, for
    /// [`of_part`](Surveyed::of_part). `reader` must be the reader of the survey. This call also
    /// decides which people may be living.
    ///
    /// # Errors
    ///
    /// Returns [`PartError::AlreadyPart`] if the survey came from [`of_part`](Surveyed::of_part).
    pub fn part(&self, reader: &TableReader, runs: Range<usize>) -> Result<Vec<u8>, PartError> {
        if self.is_part {
            return Err(PartError::AlreadyPart);
        }
        let part = match &self.info {
            DocumentInfo::Relatives(relatives) => {
                DocumentInfo::Relatives(Relatives::OfRuns(relatives.of_runs(reader, runs)?))
            }
            DocumentInfo::Citations(citations) => DocumentInfo::Citations(citations.of_runs(runs)),
            DocumentInfo::Records(records) => DocumentInfo::Records(records.of_runs(runs)),
            DocumentInfo::Places(places) => DocumentInfo::Places(places.of_runs(runs)),
            DocumentInfo::Nothing => DocumentInfo::Nothing,
        };
        Ok(postcard::to_allocvec(&part)?)
    }

    /// Reads the bytes that [`part`](Surveyed::part) returned. Both calls must be from the same
    /// release of this crate.
    ///
    /// # Errors
    ///
    /// Returns [`PartError::Bytes`] if the bytes are not those of a part.
    pub fn of_part(octets: &[u8]) -> Result<Surveyed, PartError> {
        Ok(Surveyed { info: postcard::from_bytes(octets)?, is_part: true })
    }
}

impl Relatives {
    fn of_runs(&self, reader: &TableReader, runs: Range<usize>) -> Result<RelativesOfRuns, PartError> {
        let Relatives::Graph(lineage, before) = self else {
            return Err(PartError::AlreadyPart);
        };
        let mut part = RelativesOfRuns { first_run: runs.start, ..RelativesOfRuns::default() };
        for run in runs {
            let Some([before, after]) = before.get(run..=run + 1) else { break };
            match reader.table {
                Table::People => {
                    let people = (before.persons..after.persons).map_while(PersonId::of_index);
                    let people = people.filter_map(|id| lineage.person(id));
                    part.people.push(people.map(|one| RelativesOfPerson::of(one, reader.living)).collect());
                }
                Table::Families => {
                    let families = (before.families..after.families).map_while(FamilyId::of_index);
                    let families = families.filter_map(|id| lineage.family(id));
                    part.families.push(families.map(|one| FamilyMembers::of(lineage, one)).collect());
                }
                Table::Events | Table::Sources | Table::Structures | Table::Places => {}
            }
        }
        Ok(part)
    }
}
