//! The statuses of the identifiers of a document that is read in parts: found out in one reading, for
//! another.

use super::Statuses;
use super::status_finder::StatusFinder;
use crate::Reader;
use crate::header::Header;
use crate::xref::collect::PartLists;
use crate::xref::key::Keys;
use elf_base::{Place, Rules};
use std::io::{self, Read};

/// The irregular identifiers of a document: those borne several times, those pointed to and not borne. They
/// are found out in a first reading, so that a second one, [in parts](Reader::with_names), can give the same
/// records as [`read`](crate::read()) does.
///
/// No other identifiers are kept: the names of a document without faults are empty.
///
/// ```
/// use elf_tree::{Names, Options, Reader, Rules};
///
/// // January 2019 inserts records for what pointers name and nothing bears.
/// let file: &[u8] = b"0 HEAD\n1 CHAR UTF-8\n0 @I1@ INDI\n1 FAMC @F1@\n0 TRLR\n";
/// let reader = || Reader::new(file, &Rules::JANUARY_2019, &Options::default());
/// let names = Names::of(reader())?;
/// let mut reader = reader().with_names(names);
/// let mut tags = Vec::new();
/// while let Some(part) = reader.next_part(&mut ())? {
///     tags.extend(part.records().map(|record| record.tag().to_owned()));
/// }
/// assert_eq!(tags, ["INDI", "UNDEF"]);
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct Names {
    pub(in crate::xref) statuses: Statuses<Place>,
}

impl Names {
    /// Returns whether the records of a document depend on them by `rules`: where January 2019 inserts
    /// records, and where the declarative draft takes identifiers away or rejects structures.
    pub const fn are_needed(rules: &Rules) -> bool {
        rules.tagged.xref_errors.inserts_records() || rules.tagged.xref_errors.rejects()
    }

    /// The names of the document that `reader` is about to read, which it reads to its end part by part.
    /// Nothing is reported.
    ///
    /// # Errors
    ///
    /// What reading the input returns; [`TooLarge`](elf_octets::TooLarge), wrapped, where a record is over 4
    /// GiB.
    pub fn of<R: Read>(reader: Reader<R>) -> io::Result<Names> {
        let mut reader = reader.for_names();
        while reader.next_part(&mut ())?.is_some() {}
        reader.into_names().ok_or_else(|| io::Error::other("the reading did not come to its end"))
    }

    /// The names of a document of which `lists` hold all parts, or those up to where the reading ended.
    pub(in crate::xref) fn of_parts(
        lists: &PartLists,
        to_end: bool,
        header: &Header,
        rules: &Rules,
    ) -> Names {
        let mut finder = StatusFinder::new(lists, to_end, header, rules);
        super::look_up(lists, true, |table| table.clear(), |irregularity| finder.take(&irregularity));
        Names { statuses: finder.finish(rules) }
    }

    pub(crate) const fn keys(&self) -> &Keys {
        &self.statuses.keys
    }

    /// Returns whether the rules leave any identifier to several structures.
    pub fn any_repeated(&self) -> bool {
        self.statuses.any_repeated()
    }
}
