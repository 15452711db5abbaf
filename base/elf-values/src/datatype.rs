//! Datatypes of payloads.

/// A datatype of payloads, such as a date or a personal name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Datatype {
    /// `elf:DateValue`: a date of an event.
    DateValue,
    /// `elf:DatePeriod`: a period, such as `FROM 1861 TO 1865`.
    DatePeriod,
    /// `elf:DateExact`: a day of the Gregorian calendar.
    DateExact,
    /// `elf:Age`: an age.
    Age,
    /// `elf:Time`: a time of day.
    Time,
    /// A personal name, with two solidi around the surname.
    PersonalName,
    /// A latitude: degrees north or south.
    Latitude,
    /// A longitude: degrees east or west.
    Longitude,
    /// A language: its name or a language tag (RFC 5646).
    Language,
    /// A list of items separated by commas.
    List,
    /// A non-negative integer.
    Integer,
    /// One of these words, or other text if users can choose freely.
    Word(&'static [&'static str]),
    /// A date, an age or a time in the grammar of GEDCOM 7.0.
    Gedcom70(Gedcom70),
    /// Text that has no grammar.
    Text,
}

/// A datatype with its own grammar in GEDCOM 7.0 (GEDCOM 7.0 *Data types*).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Gedcom70 {
    /// `g7:type-Date`: a date of an event.
    Date,
    /// `g7:type-Date#period`: a period, such as `FROM 1861 TO 1865`.
    Period,
    /// `g7:type-Date#exact`: a day of the Gregorian calendar.
    Exact,
    /// `g7:type-Age`: an age.
    Age,
    /// `g7:type-Time`: a time of day.
    Time,
}

impl Gedcom70 {
    /// Returns the corresponding datatype of ELF Dates.
    pub const fn of_elf(self) -> Datatype {
        match self {
            Gedcom70::Date => Datatype::DateValue,
            Gedcom70::Period => Datatype::DatePeriod,
            Gedcom70::Exact => Datatype::DateExact,
            Gedcom70::Age => Datatype::Age,
            Gedcom70::Time => Datatype::Time,
        }
    }

    /// Returns the IRI of the datatype.
    pub const fn iri(self) -> &'static str {
        match self {
            Gedcom70::Date => "https://gedcom.io/terms/v7/type-Date",
            Gedcom70::Period => "https://gedcom.io/terms/v7/type-Date#period",
            Gedcom70::Exact => "https://gedcom.io/terms/v7/type-Date#exact",
            Gedcom70::Age => "https://gedcom.io/terms/v7/type-Age",
            Gedcom70::Time => "https://gedcom.io/terms/v7/type-Time",
        }
    }
}

impl Datatype {
    /// The datatypes of ELF Dates, in the order of the standard.
    pub const OF_DATES: [Datatype; 5] =
        [Datatype::DateValue, Datatype::DatePeriod, Datatype::DateExact, Datatype::Time, Datatype::Age];

    /// Returns the IRI of the datatype, if a standard defines one.
    pub const fn iri(self) -> Option<&'static str> {
        match self {
            Datatype::DateValue => Some("https://terms.fhiso.org/elf/DateValue"),
            Datatype::DatePeriod => Some("https://terms.fhiso.org/elf/DatePeriod"),
            Datatype::DateExact => Some("https://terms.fhiso.org/elf/DateExact"),
            Datatype::Age => Some("https://terms.fhiso.org/elf/Age"),
            Datatype::Time => Some("https://terms.fhiso.org/elf/Time"),
            Datatype::Gedcom70(datatype) => Some(datatype.iri()),
            Datatype::PersonalName
            | Datatype::Latitude
            | Datatype::Longitude
            | Datatype::Language
            | Datatype::List
            | Datatype::Integer
            | Datatype::Word(_)
            | Datatype::Text => None,
        }
    }

    /// Returns whether ELF Dates defines this datatype: a date, a time or an age. [`check`](crate::check()) checks the
    /// payloads of these datatypes.
    pub const fn is_of_dates(self) -> bool {
        self.of_gedcom_7().is_some()
    }

    /// Returns the GEDCOM 7.0 datatype that corresponds to a datatype of ELF Dates. Other datatypes are returned
    /// unchanged.
    pub const fn in_gedcom_7(self) -> Datatype {
        match self.of_gedcom_7() {
            Some(datatype) => Datatype::Gedcom70(datatype),
            None => self,
        }
    }

    /// Returns the kind of date, time or age in GEDCOM 7.0; `None` for other datatypes.
    ///
    /// ```
    /// use elf_values::{Datatype, Gedcom70};
    ///
    /// assert_eq!(Datatype::DateValue.of_gedcom_7(), Some(Gedcom70::Date));
    /// assert_eq!(Datatype::Gedcom70(Gedcom70::Age).of_gedcom_7(), Some(Gedcom70::Age));
    /// assert_eq!(Datatype::Text.of_gedcom_7(), None);
    /// ```
    pub const fn of_gedcom_7(self) -> Option<Gedcom70> {
        match self {
            Datatype::DateValue => Some(Gedcom70::Date),
            Datatype::DatePeriod => Some(Gedcom70::Period),
            Datatype::DateExact => Some(Gedcom70::Exact),
            Datatype::Age => Some(Gedcom70::Age),
            Datatype::Time => Some(Gedcom70::Time),
            Datatype::Gedcom70(datatype) => Some(datatype),
            Datatype::PersonalName
            | Datatype::Latitude
            | Datatype::Longitude
            | Datatype::Language
            | Datatype::List
            | Datatype::Integer
            | Datatype::Word(_)
            | Datatype::Text => None,
        }
    }

    /// Returns the datatype of ELF Dates with this IRI.
    ///
    /// ```
    /// use elf_values::Datatype;
    ///
    /// assert_eq!(Datatype::of_iri("https://terms.fhiso.org/elf/Age"), Some(Datatype::Age));
    /// assert_eq!(Datatype::of_iri("https://terms.fhiso.org/elf/AGE_AT_EVENT"), None);
    /// ```
    pub fn of_iri(iri: &str) -> Option<Datatype> {
        Datatype::OF_DATES.into_iter().find(|datatype| datatype.iri() == Some(iri))
    }
}
