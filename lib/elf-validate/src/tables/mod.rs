//! The tables of the standards, as `cargo xtask standards` makes them of the files in `lib/elf-validate/facts`.

pub(crate) mod data_model;
pub(crate) mod gedcom55;
pub(crate) mod gedcom551;
pub(crate) mod gedcom70;
pub(crate) mod gedcom71;

use crate::table::Table;
use elf_base::Standard;

impl Table {
    /// Returns the table of a standard.
    ///
    /// ```
    /// use elf_validate::{Standard, Table};
    ///
    /// let table = Table::of(Standard::Gedcom551);
    /// let repository = table.root("REPO").and_then(|slot| table.kind(slot.kind)).expect("a kind of records");
    /// let name = repository.slot("NAME").expect("a place for its name");
    /// assert_eq!((name.min, name.max), (1, Some(1)));
    /// ```
    pub fn of(standard: Standard) -> &'static Table {
        match standard {
            Standard::DataModel => &data_model::TABLE,
            Standard::Gedcom551 => &gedcom551::TABLE,
            Standard::Gedcom55 => &gedcom55::TABLE,
            Standard::Gedcom70 => &gedcom70::TABLE,
            Standard::Gedcom71 => &gedcom71::TABLE,
        }
    }
}
