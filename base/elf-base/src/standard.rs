//! The structural standards: what may stand where, which a draft of the serialisation does not say.

use crate::{Code, codes};
use std::fmt;

/// A standard that says what structures may stand where and what their payloads may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Standard {
    /// The ELF data model.
    DataModel,
    /// GEDCOM 5.5.1, with the corrections of its errata.
    Gedcom551,
    /// GEDCOM 5.5.
    Gedcom55,
    /// GEDCOM 7.0.
    Gedcom70,
}

/// A standard that a document is held against, and who says so.
///
/// ```
/// use elf_base::{Against, Class, Standard, codes};
///
/// let unasked = Against { standard: Standard::Gedcom551, is_named: false };
/// assert_eq!(codes::STRUCTURE_REPEATED.class_against(unasked), Class::Advice);
/// let asked = Against { is_named: true, ..unasked };
/// assert_eq!(codes::STRUCTURE_REPEATED.class_against(asked), Class::NonConformant);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Against {
    /// The standard.
    pub standard: Standard,
    /// Tells whether the user names the standard. Only then are its requirements more than advice.
    pub is_named: bool,
}

impl Standard {
    /// All standards.
    pub const ALL: [Standard; 4] =
        [Standard::DataModel, Standard::Gedcom551, Standard::Gedcom55, Standard::Gedcom70];

    /// The name by which users name it: `data-model`, `5.5.1`, `5.5`, `7.0`.
    pub const fn name(self) -> &'static str {
        match self {
            Standard::DataModel => "data-model",
            Standard::Gedcom551 => "5.5.1",
            Standard::Gedcom55 => "5.5",
            Standard::Gedcom70 => "7.0",
        }
    }

    /// The standard of that [name](Standard::name).
    ///
    /// ```
    /// use elf_base::Standard;
    ///
    /// assert_eq!(Standard::from_name("5.5.1"), Some(Standard::Gedcom551));
    /// assert_eq!(Standard::from_name("none"), None);
    /// ```
    pub fn from_name(name: &str) -> Option<Standard> {
        Standard::ALL.into_iter().find(|standard| standard.name() == name)
    }

    /// Tells whether its own tags and grammars of values decide where a user names it, and not those of the
    /// schema.
    pub const fn replaces_schema(self) -> bool {
        match self {
            Standard::DataModel => false,
            Standard::Gedcom551 | Standard::Gedcom55 | Standard::Gedcom70 => true,
        }
    }

    /// Tells whether dates, ages, times and the like are held to the grammars of GEDCOM 7.0, by which
    /// its rules read them.
    pub const fn has_values_of_7(self) -> bool {
        match self {
            Standard::DataModel | Standard::Gedcom551 | Standard::Gedcom55 => false,
            Standard::Gedcom70 => true,
        }
    }

    /// Tells whether CONC continues a payload; else it is a tag that nothing defines.
    pub const fn has_conc(self) -> bool {
        match self {
            Standard::DataModel | Standard::Gedcom551 | Standard::Gedcom55 => true,
            Standard::Gedcom70 => false,
        }
    }

    /// Tells whether what has a tag with an underscore may be of a type of the standard (GEDCOM 7.0
    /// *Extensions*).
    pub const fn types_extensions(self) -> bool {
        match self {
            Standard::DataModel | Standard::Gedcom551 | Standard::Gedcom55 => false,
            Standard::Gedcom70 => true,
        }
    }

    /// The codes of findings about what GEDCOM 5.5.1 asks of a line or of a header, and the standard does not
    /// or asks otherwise: where a user names it, they are none.
    pub const fn set_aside(self) -> &'static [Code] {
        match self {
            Standard::DataModel | Standard::Gedcom551 | Standard::Gedcom55 => &[],
            Standard::Gedcom70 => &[codes::GEDCOM_VERSION_UNKNOWN, codes::XREF_LONG, codes::TAG_LONG],
        }
    }

    /// The title as it is cited: `ELF Data Model`, `GEDCOM 5.5.1`, `GEDCOM 5.5`, `GEDCOM 7.0`.
    pub const fn title(self) -> &'static str {
        match self {
            Standard::DataModel => "ELF Data Model",
            Standard::Gedcom551 => "GEDCOM 5.5.1",
            Standard::Gedcom55 => "GEDCOM 5.5",
            Standard::Gedcom70 => "GEDCOM 7.0",
        }
    }
}

impl fmt::Display for Standard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.title())
    }
}
