//! The formats that findings can be about: the drafts of ELF, and GEDCOM.

use crate::Draft;
use std::fmt;

/// A file format: a draft of the *ELF Serialisation Format*, or GEDCOM.
///
/// ```
/// use elf_base::{Class, Draft, Format, codes};
///
/// assert_eq!(codes::CONC_UNKNOWN.class(Format::Gedcom70), Class::NonConformant);
/// assert_eq!(Format::Elf(Draft::December2019).name(), "2019-12");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Format {
    /// A draft of the *ELF Serialisation Format*.
    Elf(Draft),
    /// GEDCOM 5.5.1.
    Gedcom551,
    /// GEDCOM 7.0.
    Gedcom70,
}

impl Format {
    /// All formats: first the drafts and then GEDCOM, both with the newest first.
    pub const ALL: [Format; 7] = [
        Format::Elf(Draft::December2019),
        Format::Elf(Draft::January2019),
        Format::Elf(Draft::Declarative),
        Format::Elf(Draft::October2017),
        Format::Elf(Draft::July2017),
        Format::Gedcom70,
        Format::Gedcom551,
    ];

    /// Returns the name that the `elf` command uses: the name of the [draft](Draft::name), `gedcom-5.5.1` or
    /// `gedcom-7`.
    pub const fn name(self) -> &'static str {
        match self {
            Format::Elf(draft) => draft.name(),
            Format::Gedcom551 => "gedcom-5.5.1",
            Format::Gedcom70 => "gedcom-7",
        }
    }

    /// Returns the draft, if this is a format of ELF.
    pub const fn draft(self) -> Option<Draft> {
        match self {
            Format::Elf(draft) => Some(draft),
            Format::Gedcom551 | Format::Gedcom70 => None,
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
