//! Datatypes: the question that a payload is asked.

/// A datatype of payloads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Datatype {
    /// `elf:DateValue`: a date of history.
    DateValue,
    /// `elf:DatePeriod`: a time that something lasted.
    DatePeriod,
    /// `elf:DateExact`: a day of the Gregorian calendar.
    DateExact,
    /// `elf:Age`: an age.
    Age,
    /// `elf:Time`: a time of day.
    Time,
    /// A name of a person, with two solidi around the surname.
    PersonalName,
    /// Degrees north or south.
    Latitude,
    /// Degrees east or west.
    Longitude,
    /// A language, by a name or by a tag of RFC 5646.
    Language,
    /// Items with commas between them.
    List,
    /// A whole number, not negative.
    Integer,
    /// One of these words, or any other text where a user may choose freely.
    Word(&'static [&'static str]),
    /// Text without a grammar.
    Text,
}

impl Datatype {
    /// The datatypes that ELF Dates names, in the order of the standard.
    pub const OF_DATES: [Datatype; 5] =
        [Datatype::DateValue, Datatype::DatePeriod, Datatype::DateExact, Datatype::Time, Datatype::Age];

    /// The IRI that names the datatype, where a standard gives it one.
    pub const fn iri(self) -> Option<&'static str> {
        match self {
            Datatype::DateValue => Some("https://terms.fhiso.org/elf/DateValue"),
            Datatype::DatePeriod => Some("https://terms.fhiso.org/elf/DatePeriod"),
            Datatype::DateExact => Some("https://terms.fhiso.org/elf/DateExact"),
            Datatype::Age => Some("https://terms.fhiso.org/elf/Age"),
            Datatype::Time => Some("https://terms.fhiso.org/elf/Time"),
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

    /// Tells whether it is one of [those of ELF Dates](Datatype::OF_DATES): a date, a time or an age, whose
    /// grammars [`check`](crate::check()) holds payloads against.
    pub const fn is_of_dates(self) -> bool {
        match self {
            Datatype::DateValue
            | Datatype::DatePeriod
            | Datatype::DateExact
            | Datatype::Age
            | Datatype::Time => true,
            Datatype::PersonalName
            | Datatype::Latitude
            | Datatype::Longitude
            | Datatype::Language
            | Datatype::List
            | Datatype::Integer
            | Datatype::Word(_)
            | Datatype::Text => false,
        }
    }

    /// The datatype that an IRI names.
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
