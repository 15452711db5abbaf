//! The structural standards, which define the structures that a file may contain.

use std::fmt;

/// A standard that defines which structures may occur where, and which payloads they may have.
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
    /// The draft of GEDCOM 7.1, which applies to files whose header names version 7.1. Users cannot choose this draft.
    Gedcom71,
}

/// The standard against which a document is validated, and whether the user chose it.
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
    /// The standard against which the document is validated.
    pub standard: Standard,
    /// True if the user named the standard. If the user did not name it, violations are reported as advice.
    pub is_named: bool,
}

impl Standard {
    /// The standards that users can choose.
    pub const ALL: [Standard; 4] =
        [Standard::DataModel, Standard::Gedcom551, Standard::Gedcom55, Standard::Gedcom70];

    /// Returns the name that users write for the standard: `data-model`, `5.5.1`, `5.5`, `7.0`.
    pub const fn name(self) -> &'static str {
        match self {
            Standard::DataModel => "data-model",
            Standard::Gedcom551 => "5.5.1",
            Standard::Gedcom55 => "5.5",
            Standard::Gedcom70 => "7.0",
            Standard::Gedcom71 => "7.1",
        }
    }

    /// Returns the standard with this [name](Standard::name).
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

    /// Returns whether the standard has its own tags and value grammars. If the user names the standard, its tags and
    /// grammars replace those of the schema.
    pub const fn replaces_schema(self) -> bool {
        match self {
            Standard::DataModel => false,
            Standard::Gedcom551 | Standard::Gedcom55 | Standard::Gedcom70 | Standard::Gedcom71 => true,
        }
    }

    /// Returns whether dates, ages, times and similar values must match the grammars of GEDCOM 7.0.
    pub const fn has_values_of_7(self) -> bool {
        match self {
            Standard::DataModel | Standard::Gedcom551 | Standard::Gedcom55 => false,
            Standard::Gedcom70 | Standard::Gedcom71 => true,
        }
    }

    /// Returns whether CONC continues a payload. If CONC does not, it is an undefined tag.
    pub const fn has_conc(self) -> bool {
        match self {
            Standard::DataModel | Standard::Gedcom551 | Standard::Gedcom55 => true,
            Standard::Gedcom70 | Standard::Gedcom71 => false,
        }
    }

    /// Returns whether every record must have an identifier (GEDCOM 5.5.1 *Chapter 2*).
    pub const fn identifies_records(self) -> bool {
        match self {
            Standard::Gedcom551 | Standard::Gedcom55 => true,
            Standard::DataModel | Standard::Gedcom70 | Standard::Gedcom71 => false,
        }
    }

    /// Returns whether the standard may give one of its types to a structure with an extension tag (`_TAG`; GEDCOM 7.0
    /// *Extensions*).
    pub const fn types_extensions(self) -> bool {
        match self {
            Standard::DataModel | Standard::Gedcom551 | Standard::Gedcom55 => false,
            Standard::Gedcom70 | Standard::Gedcom71 => true,
        }
    }

    /// Returns the title that citations use: `ELF Data Model`, `GEDCOM 5.5.1`, `GEDCOM 5.5`, `GEDCOM 7.0`. The draft of
    /// GEDCOM 7.1 is cited as GEDCOM 7.0.
    pub const fn title(self) -> &'static str {
        match self {
            Standard::DataModel => "ELF Data Model",
            Standard::Gedcom551 => "GEDCOM 5.5.1",
            Standard::Gedcom55 => "GEDCOM 5.5",
            Standard::Gedcom70 | Standard::Gedcom71 => "GEDCOM 7.0",
        }
    }
}

impl fmt::Display for Standard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.title())
    }
}
