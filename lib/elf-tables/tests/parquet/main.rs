//! Rows that are written as Parquet, as a reader of the format gives them back.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use elf_tables::parquet::Encoder;
use elf_tables::{Cell, ColumnKind, Rows, Table};
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::{Field, Row};
use std::io::{Seek, Write};

/// A field as it was read back, or is to be.
#[derive(Debug, PartialEq)]
enum Value {
    None,
    Text(String),
    List(Vec<Value>),
    Integer(i64),
    Boolean(bool),
    /// Days since the first of January 1970.
    Date(i32),
}

/// Reads a Parquet file back: its rows, and the number of its row groups.
fn read(octets: &[u8]) -> (Vec<Vec<Value>>, usize) {
    let mut file = tempfile::tempfile().unwrap();
    file.write_all(octets).unwrap();
    file.rewind().unwrap();
    let reader = SerializedFileReader::new(file).unwrap();
    let row = |row: Row| row.get_column_iter().map(|(_, field)| found(field)).collect();
    let rows = reader.get_row_iter(None).unwrap().map(|next| row(next.unwrap())).collect();
    (rows, reader.num_row_groups())
}

fn found(field: &Field) -> Value {
    match field {
        Field::Null => Value::None,
        Field::Str(text) => Value::Text(text.clone()),
        Field::ListInternal(list) => Value::List(list.elements().iter().map(found).collect()),
        Field::Long(number) => Value::Integer(*number),
        Field::Date(day) => Value::Date(*day),
        Field::Bool(value) => Value::Boolean(*value),
        other => panic!("no table has {other:?}"),
    }
}

fn expected(cell: &Cell<'_>, kind: ColumnKind) -> Value {
    match cell {
        Cell::List(items) => Value::List(items.iter().map(|item| Value::Text((*item).to_owned())).collect()),
        Cell::Empty if kind == ColumnKind::List => Value::List(Vec::new()),
        Cell::Empty => Value::None,
        Cell::Text(text) => Value::Text((*text).to_owned()),
        Cell::Boolean(value) => Value::Boolean(*value),
        Cell::Integer(number) => i64::try_from(*number).map_or(Value::None, Value::Integer),
        Cell::Date(day) => i32::try_from(day - 2_440_588).map_or(Value::None, Value::Date),
    }
}

/// Writes rows in portions, asks that each field is read back, and returns the number of row groups.
fn are_read_back(table: Table, portions: &[Rows]) -> usize {
    let mut encoder = Encoder::new(table).unwrap();
    let mut octets = Vec::new();
    for rows in portions {
        encoder.rows(rows).unwrap();
        octets.extend(encoder.take());
    }
    octets.extend(encoder.finish().unwrap());
    let (found, groups) = read(&octets);
    let mut found = found.into_iter();
    for rows in portions {
        let mut reader = rows.read();
        while let Some(row) = reader.next_row() {
            let fields = row.iter().zip(table.columns());
            let fields: Vec<Value> = fields.map(|(cell, column)| expected(cell, column.kind)).collect();
            assert_eq!(found.next(), Some(fields));
        }
    }
    assert_eq!(found.next(), None);
    groups
}

fn families(count: usize) -> Rows {
    let mut rows = Rows::of(Table::Families.columns().len());
    for number in 0..count {
        let children: Vec<String> = (0..number % 5).map(|child| format!("I{number}.{child}")).collect();
        let day = match number % 4 {
            0 => None,
            1 => Some(2_440_588 - 40_000),
            2 => Some(2_440_588 + i64::from(i32::MAX)),
            _ => Some(2_440_588 + i64::from(i32::MAX) + 1),
        };
        rows.text("Żółw.ged").text(&format!("F{number}"));
        rows.list(&["I1"][..number % 2]).list::<&str>(&[]).list(&children);
        rows.text_of((number % 3 == 0).then_some("1 JAN 1900")).date_of(day).date_of(None).empty().empty();
    }
    rows
}

#[test]
fn all_kinds_of_fields() {
    assert_eq!(are_read_back(Table::Families, &[families(25_000)]), 1);
    let mut rows = Rows::of(Table::Sources.columns().len());
    for number in [0, 1, i64::MAX as u64, i64::MAX as u64 + 1, u64::MAX] {
        rows.text("a").text("S1").empty().empty().empty().empty().integer(number);
    }
    are_read_back(Table::Sources, &[rows]);
}

#[test]
fn none_and_few_rows() {
    assert_eq!(are_read_back(Table::Families, &[]), 0);
    assert_eq!(are_read_back(Table::Families, &[families(0), families(1), families(2)]), 1);
}

/// The identifiers of a row are not torn apart, however many there are.
#[test]
fn a_list_longer_than_what_is_handed_over_at_once() {
    let mut rows = families(3);
    let children: Vec<String> = (0..20_000).map(|child| format!("I{child}")).collect();
    rows.text("a").text("F").list::<&str>(&[]).list::<&str>(&[]).list(&children);
    rows.empty().empty().empty().empty().empty();
    are_read_back(Table::Families, &[rows, families(5000)]);
}

/// Rows are written when they take 32 MiB.
#[test]
fn a_large_table_has_several_row_groups() {
    let text = "x".repeat(1 << 20);
    let portion = |number: usize| {
        let mut rows = Rows::of(Table::Sources.columns().len());
        rows.text("a").text(&format!("S{number}")).text(&text).empty().empty().empty().integer(1);
        rows
    };
    let portions: Vec<Rows> = (0..70).map(portion).collect();
    assert_eq!(are_read_back(Table::Sources, &portions), 3);
}

#[test]
fn all_tables_have_columns_that_parquet_takes() {
    for table in Table::ALL {
        let mut rows = Rows::of(table.columns().len());
        table.columns().iter().for_each(|_| {
            rows.empty();
        });
        are_read_back(table, &[rows]);
    }
}
