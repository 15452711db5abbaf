//! The available tables, with their names and columns.

/// A table that `elf table` can produce.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Table {
    /// A row for each person.
    People,
    /// A row for each family.
    Families,
    /// A row for each event and attribute of a person or a family.
    Events,
    /// A row for each source record.
    Sources,
    /// A row for each structure.
    Structures,
    /// A row for each spelling of a place.
    Places,
}

/// A column of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Column {
    /// The name, which does not change between releases.
    pub name: &'static str,
    /// The kind of its fields.
    pub kind: ColumnKind,
}

/// The kind of the fields of a column. Any field can be empty.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ColumnKind {
    /// Text.
    Text,
    /// A list of identifiers or texts.
    List,
    /// A count or a line number.
    Integer,
    /// A day, as a Julian day number.
    Date,
    /// True or false.
    Boolean,
}

const fn text(name: &'static str) -> Column {
    Column { name, kind: ColumnKind::Text }
}

const fn list(name: &'static str) -> Column {
    Column { name, kind: ColumnKind::List }
}

const fn integer(name: &'static str) -> Column {
    Column { name, kind: ColumnKind::Integer }
}

const fn date(name: &'static str) -> Column {
    Column { name, kind: ColumnKind::Date }
}

const fn boolean(name: &'static str) -> Column {
    Column { name, kind: ColumnKind::Boolean }
}

const PEOPLE: &[Column] = &[
    text("file"),
    text("id"),
    text("name"),
    text("given"),
    text("surname"),
    text("sex"),
    text("birth"),
    date("birth_from"),
    date("birth_to"),
    text("birth_place"),
    text("death"),
    date("death_from"),
    date("death_to"),
    text("death_place"),
    list("father"),
    list("mother"),
    list("spouses"),
    list("children"),
    text("prefix"),
    text("suffix"),
    text("nickname"),
    list("other_names"),
    boolean("living"),
    list("sources"),
    list("father_name"),
    list("mother_name"),
    list("spouse_names"),
    list("given_names"),
    list("place_parts"),
];

const FAMILIES: &[Column] = &[
    text("file"),
    text("id"),
    list("husband"),
    list("wife"),
    list("children"),
    text("marriage"),
    date("marriage_from"),
    date("marriage_to"),
    text("marriage_place"),
    text("divorce"),
];

const EVENTS: &[Column] = &[
    text("file"),
    text("record"),
    text("type"),
    text("tag"),
    text("date"),
    date("date_from"),
    date("date_to"),
    text("place"),
    text("age"),
    integer("line"),
    text("value"),
    text("kind"),
    text("address"),
    text("cause"),
    text("latitude"),
    text("longitude"),
    list("sources"),
];

const SOURCES: &[Column] = &[
    text("file"),
    text("id"),
    text("title"),
    text("author"),
    text("publication"),
    text("repository"),
    integer("citations"),
];

const STRUCTURES: &[Column] = &[
    text("file"),
    text("path"),
    text("record"),
    integer("level"),
    text("tag"),
    text("type"),
    text("payload"),
    text("pointer"),
    text("language"),
    date("date_from"),
    date("date_to"),
    integer("line"),
];

const PLACES: &[Column] = &[
    text("file"),
    text("place"),
    list("levels"),
    text("latitude"),
    text("longitude"),
    integer("events"),
    integer("first_line"),
];

impl Table {
    /// All tables.
    pub const ALL: [Table; 6] =
        [Table::People, Table::Families, Table::Events, Table::Sources, Table::Structures, Table::Places];

    /// Returns the name.
    pub const fn name(self) -> &'static str {
        match self {
            Table::People => "people",
            Table::Families => "families",
            Table::Events => "events",
            Table::Sources => "sources",
            Table::Structures => "structures",
            Table::Places => "places",
        }
    }

    /// Describes the rows in a few words.
    pub const fn about(self) -> &'static str {
        match self {
            Table::People => "People with names, birth, death and relatives",
            Table::Families => "Families with partners, children, marriage and divorce",
            Table::Events => "Events and attributes of people and families, with dates, places and values",
            Table::Sources => "Source records, with the number of structures that point to each",
            Table::Structures => "All structures with their paths, types and payloads",
            Table::Places => {
                "Places of events, one row per spelling, with levels, coordinates and number of events"
            }
        }
    }

    /// Returns the columns in order. The order does not change between releases. New columns are
    /// added at the end.
    pub const fn columns(self) -> &'static [Column] {
        match self {
            Table::People => PEOPLE,
            Table::Families => FAMILIES,
            Table::Events => EVENTS,
            Table::Sources => SOURCES,
            Table::Structures => STRUCTURES,
            Table::Places => PLACES,
        }
    }
}
