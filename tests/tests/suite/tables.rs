//! Tables of every file there is, in every encoding: nothing panics, each record and structure has its row, a
//! row has a field for each column in every format, and a file in runs makes the rows of the whole.

#![allow(clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

use elf_base::Rules;
use elf_edit::PathFinder;
use elf_octets::{Encoding, Options};
use elf_schema::{ReadOptions, Reader, Role, TypedDocument};
use elf_tables::elf_lineage::Lineage;
use elf_tables::{Cell, ColumnKind, Rows, Survey, Table, TableReader, TableWriter, TextFormat};
use elf_tests::corpus::corpus;
use elf_tests::fixtures::Fixture;

/// A file, and how it is read.
#[derive(Clone, Copy)]
struct Input<'f> {
    name: &'f str,
    octets: &'f [u8],
    encoding: Option<Encoding>,
}

/// A field that owns what it holds.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Field {
    Empty,
    Text(String),
    List(Vec<String>),
    Integer(u64),
    Date(i64),
    Boolean(bool),
}

fn fields(rows: &Rows) -> Vec<Vec<Field>> {
    let (mut reader, mut all) = (rows.read(), Vec::new());
    while let Some(row) = reader.next_row() {
        let field = |cell: &Cell<'_>| match cell {
            Cell::Empty => Field::Empty,
            Cell::Text(text) => Field::Text((*text).to_owned()),
            Cell::List(items) => Field::List(items.iter().map(|item| (*item).to_owned()).collect()),
            Cell::Integer(number) => Field::Integer(*number),
            Cell::Date(day) => Field::Date(*day),
            Cell::Boolean(value) => Field::Boolean(*value),
        };
        all.push(row.iter().map(field).collect());
    }
    all
}

fn whole(table: Table, typed: &TypedDocument<'_>) -> Rows {
    let reader = TableReader::new(table, typed.schema());
    let mut survey = Survey::of(table);
    survey.take(reader.survey(typed));
    let mut rows = Rows::of(table.columns().len());
    reader.rows(typed, &survey.finish(), "file", &mut rows);
    rows
}

impl Input<'_> {
    fn options(self) -> ReadOptions<'static> {
        ReadOptions::default().with_octets(Options::default().with_forced(self.encoding))
    }

    fn in_runs(self, table: Table, size: usize) -> Vec<Vec<Field>> {
        let reader = || Reader::new(self.octets, &Rules::WILD, self.options()).with_run_size(size);
        let (mut first, mut survey, mut table_reader) = (reader(), Survey::of(table), None);
        while let Some(run) = first.next_run(&mut ()).expect("octets in memory") {
            let table_reader = table_reader.get_or_insert_with(|| TableReader::new(table, run.schema()));
            survey.take(table_reader.survey(&run));
        }
        let (mut second, surveyed, mut all) = (reader(), survey.finish(), Vec::new());
        let table_reader = table_reader.expect("a run at least");
        while let Some(run) = second.next_run(&mut ()).expect("octets in memory") {
            let mut rows = Rows::of(table.columns().len());
            table_reader.rows(&run, &surveyed, "file", &mut rows);
            all.extend(fields(&rows));
        }
        all
    }

    /// Makes all tables of the file.
    fn check(self) {
        let name = self.name;
        let typed = elf_schema::read(self.octets, &Rules::WILD, &self.options(), &mut ()).expect("small");
        let lineage = Lineage::of(&typed);
        for table in Table::ALL {
            let rows = whole(table, &typed);
            let fields = fields(&rows);
            let what = table.name();
            let expected = match table {
                Table::People => lineage.person_count(),
                Table::Families => lineage.family_count(),
                Table::Events => lineage.event_count(),
                Table::Sources | Table::Places => fields.len(),
                Table::Structures => {
                    let head = typed.document().head().into_iter();
                    let records = head.chain(typed.document().records());
                    records.map(|record| 1 + record.descendants().count()).sum()
                }
            };
            assert_eq!(fields.len(), expected, "{name}: {what}");
            for row in &fields {
                for (column, field) in table.columns().iter().zip(row) {
                    let is_right = match field {
                        Field::Empty => column.name != "file",
                        Field::Text(_) => column.kind == ColumnKind::Text,
                        Field::List(_) => column.kind == ColumnKind::List,
                        Field::Integer(_) => column.kind == ColumnKind::Integer,
                        Field::Date(_) => column.kind == ColumnKind::Date,
                        Field::Boolean(_) => column.kind == ColumnKind::Boolean,
                    };
                    assert!(is_right, "{name}: {what}: {}: {field:?}", column.name);
                }
            }
            for size in [64, 1 << 12] {
                assert!(self.in_runs(table, size) == fields, "{name}: {what} in runs of {size}");
            }
            check_formats(name, table, &rows, fields.len());
        }
        check_people(name, &lineage, &fields(&whole(Table::People, &typed)));
        check_paths(name, &typed, &fields(&whole(Table::Structures, &typed)));
    }
}

/// The first field of a row, as a column of a table names it.
fn field<'r>(table: Table, row: &'r [Field], name: &str) -> &'r Field {
    let at = table.columns().iter().position(|column| column.name == name).expect("a column");
    row.get(at).expect("a field")
}

/// Each format has a line or record for each row, and in it a field for each column.
fn check_formats(name: &str, table: Table, rows: &Rows, count: usize) {
    let written = |format, guards| {
        let writer = TableWriter::new(table, format).with_guard(guards);
        let mut out = Vec::new();
        writer.header(&mut out).and_then(|()| writer.rows(rows, &mut out)).expect("a vector");
        String::from_utf8(out).expect("UTF-8")
    };
    let columns = table.columns().len();
    for guards in [false, true] {
        let csv = written(TextFormat::Csv, guards);
        let mut reader = csv::Reader::from_reader(csv.as_bytes());
        let records: Vec<csv::StringRecord> =
            reader.records().collect::<Result<_, _>>().unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(records.len(), count, "{name}: {}", table.name());
        assert!(records.iter().all(|record| record.len() == columns));
        if guards {
            let is_formula = |field: &str| field.starts_with(['=', '+', '-', '@', '\t', '\r']);
            assert!(!records.iter().flatten().any(is_formula), "{name}: {}", table.name());
        }
    }
    let tsv = written(TextFormat::Tsv, false);
    let lines: Vec<&str> = tsv.strip_suffix('\n').expect("a line").split('\n').collect();
    assert_eq!(lines.len(), count + 1, "{name}: {}", table.name());
    assert!(lines.iter().all(|line| line.split('\t').count() == columns), "{name}: {}", table.name());
    let json = written(TextFormat::Json, false);
    let objects = json.split_terminator('\n').map(serde_json::from_str::<serde_json::Value>);
    let objects: Vec<serde_json::Value> = objects.collect::<Result<_, _>>().expect("JSON");
    assert_eq!(objects.len(), count);
    assert!(objects.iter().all(|object| object.as_object().is_some_and(|one| one.len() == columns)));
}

/// The events that the table takes are those that count in the graph.
fn check_people(name: &str, lineage: &Lineage, rows: &[Vec<Field>]) {
    for (person, row) in lineage.persons().zip(rows) {
        assert_eq!(field(Table::People, row, "id"), &person.identifier().map_or(Field::Empty, Field::Text));
        for (role, from, to) in
            [(Role::Birth, "birth_from", "birth_to"), (Role::Death, "death_from", "death_to")]
        {
            let Some(event) = person.event(role) else { continue };
            let days = event.days();
            for (day, column) in [(days.earliest.day(), from), (days.latest.day(), to)] {
                // Days of dates that bound nothing, such as reversed ones, are told all the same.
                let Some(day) = day else { continue };
                assert_eq!(field(Table::People, row, column), &Field::Date(day), "{name}: {column}");
            }
        }
    }
}

/// Paths are those that lead to the structures.
fn check_paths(name: &str, typed: &TypedDocument<'_>, rows: &[Vec<Field>]) {
    let document = typed.document();
    let mut paths = PathFinder::of(document);
    let records = document.head().into_iter().chain(document.records());
    let nodes = records.flat_map(|record| std::iter::once(record).chain(record.descendants()));
    for (node, row) in nodes.zip(rows) {
        match field(Table::Structures, row, "path") {
            Field::Text(path) => assert_eq!(*path, paths.path_of(node.id()), "{name}"),
            Field::Empty => assert!(paths.path_of(node.id()).len() > 1024, "{name}"),
            other => panic!("{name}: {other:?}"),
        }
        assert_eq!(
            field(Table::Structures, row, "level"),
            &Field::Integer(node.with_ancestors().count() as u64 - 1)
        );
    }
}

#[test]
fn every_file_of_the_corpus_and_every_fixture() {
    for file in corpus().unwrap_or_default() {
        Input { name: &file.name, octets: &file.octets, encoding: None }.check();
    }
    for fixture in Fixture::all_fixtures().expect("fixtures") {
        let octets = fixture.octets().expect("a fixture");
        Input { name: &fixture.name(), octets: &octets, encoding: None }.check();
    }
}

#[test]
fn a_family_in_every_encoding() {
    let text = include_str!("../../../examples/haugen.ged");
    let mut all = Vec::new();
    for encoding in Encoding::ALL {
        for mark in [None, encoding.mark()] {
            let mut octets = mark.unwrap_or_default().to_vec();
            let known: String = text
                .chars()
                .filter(|c| c.is_ascii() && encoding.encode_into(&c.to_string(), &mut Vec::new()).is_ok())
                .collect();
            let known = known.replace("CHAR UTF-8", &format!("CHAR {}", encoding.name()));
            encoding.encode_into(&known, &mut octets).expect("what it has");
            let name = format!("{encoding}, {mark:?}");
            let input = Input { name: &name, octets: &octets, encoding: Some(encoding) };
            input.check();
            all.push(input.in_runs(Table::People, 1 << 12));
        }
    }
    assert!(all.len() > 20 && all.windows(2).all(|two| two[0] == two[1]));
}
