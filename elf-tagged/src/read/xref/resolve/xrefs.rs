//! The statuses of the identifiers of a document that is read in parts: found out in one reading, for
//! another.

use super::Statuses;
use super::status_finder::StatusFinder;
use crate::read::header::Header;
use crate::read::parts::ReadingId;
use crate::read::xref::collect::PartLists;
use crate::read::xref::key::Keys;
use elf_base::{Place, Rules};
use elf_lines::VOID;
use elf_octets::{Fingerprint, Options};

/// The irregular identifiers of a document: those borne several times, those pointed to and not borne. An
/// [`XrefReader`](crate::XrefReader) finds them out in a first reading, so that a second one, [in
/// parts](crate::Reader::with_xrefs), can give the same records as [`read`](crate::read()) does.
///
/// No other identifiers are kept: of a document without faults there are none.
#[derive(Debug)]
pub struct Xrefs {
    pub(in crate::read::xref) statuses: Statuses<Place>,
    pub(crate) first: FirstReading,
}

/// The facts about the reading that found the identifiers, for another to do as it did.
#[derive(Debug)]
pub(crate) struct FirstReading {
    pub(crate) id: ReadingId,
    pub(crate) rules: Rules,
    pub(crate) options: Options,
    /// The number of parts.
    pub(crate) parts: u64,
    /// The fingerprint of the text.
    pub(crate) fingerprint: Fingerprint,
}

impl Xrefs {
    /// Returns whether the records of a document depend on them by `rules`: where January 2019 inserts
    /// records, and where the declarative draft takes identifiers away or rejects structures.
    pub const fn are_needed(rules: &Rules) -> bool {
        rules.tagged.xref_errors.inserts_records() || rules.tagged.xref_errors.rejects()
    }

    /// The identifiers of a document of which `lists` hold all parts, or those up to where the reading ended.
    pub(in crate::read::xref) fn of_parts(
        lists: &PartLists,
        to_end: bool,
        header: &Header,
        first: FirstReading,
    ) -> Xrefs {
        let rules = &first.rules;
        let mut finder = StatusFinder::new(lists, to_end, header, rules);
        lists.look_up(|irregularity| finder.take(&irregularity));
        Xrefs { statuses: finder.finish(rules), first }
    }

    /// The reading that found them.
    pub const fn reading(&self) -> &ReadingId {
        &self.first.id
    }

    /// The number of parts of that reading.
    pub const fn part_count(&self) -> u64 {
        self.first.parts
    }

    /// The rules by which they were found.
    pub const fn rules(&self) -> &Rules {
        &self.first.rules
    }

    /// The options with which they were found.
    pub const fn options(&self) -> &Options {
        &self.first.options
    }

    pub(crate) const fn keys(&self) -> &Keys {
        &self.statuses.keys
    }

    /// Returns whether there is any: an identifier borne several times, or a pointer that leads to no record,
    /// but for one that leads nowhere on purpose. Where there is none, nothing is wrong with identifiers.
    pub fn any_irregular(&self) -> bool {
        self.statuses.any_but(self.rules().tagged.void_pointer.then(|| self.keys().key(VOID)))
    }

    /// Returns whether the rules leave any identifier to several structures.
    pub fn any_repeated(&self) -> bool {
        self.statuses.any_repeated()
    }
}
