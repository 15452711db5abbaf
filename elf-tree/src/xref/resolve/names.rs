//! The statuses of the identifiers of a document that is read in parts: found out in one reading, for
//! another.

use super::Statuses;
use super::status_finder::StatusFinder;
use crate::header::Header;
use crate::xref::collect::PartLists;
use crate::xref::key::Keys;
use elf_base::{Place, Rules};

/// The irregular identifiers of a document: those borne several times, those pointed to and not borne. A
/// [`NamesReader`](crate::NamesReader) finds them out in a first reading, so that a second one, [in
/// parts](crate::Reader::with_names), can give the same records as [`read`](crate::read()) does.
///
/// No other identifiers are kept: the names of a document without faults are empty.
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
