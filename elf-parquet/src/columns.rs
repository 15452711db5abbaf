//! Columns of Arrow that rows are gathered in.

use arrow_array::builder::{Date32Builder, Int64Builder, ListBuilder, StringBuilder};
use arrow_array::{Array, ArrayRef};
use arrow_schema::{DataType, Field, Schema};
use elf_tables::{Cell, ColumnKind, Table};
use std::sync::Arc;

/// The Julian day number of the first of January 1970, from which Arrow counts days.
const EPOCH: i64 = 2_440_588;

/// The rows that wait to be written, column by column.
pub(crate) struct Columns {
    columns: Vec<ColumnBuilder>,
    /// The number of rows.
    pub(crate) rows: usize,
    /// The number of octets of their texts.
    pub(crate) octets: usize,
}

enum ColumnBuilder {
    Text(StringBuilder),
    List(ListBuilder<StringBuilder>),
    Integer(Int64Builder),
    Date(Date32Builder),
}

/// The columns of a table as Arrow has them.
pub(crate) fn schema(table: Table) -> Schema {
    let field = |column: &elf_tables::Column| match column.kind {
        ColumnKind::Text => Field::new(column.name, DataType::Utf8, true),
        ColumnKind::List => Field::new(column.name, DataType::List(item()), false),
        ColumnKind::Integer => Field::new(column.name, DataType::Int64, true),
        ColumnKind::Date => Field::new(column.name, DataType::Date32, true),
    };
    Schema::new(table.columns().iter().map(field).collect::<Vec<Field>>())
}

/// One of several identifiers, called as the format asks.
fn item() -> Arc<Field> {
    Arc::new(Field::new("element", DataType::Utf8, false))
}

impl Columns {
    pub(crate) fn of(table: Table) -> Columns {
        let builder = |column: &elf_tables::Column| match column.kind {
            ColumnKind::Text => ColumnBuilder::Text(StringBuilder::new()),
            ColumnKind::List => {
                ColumnBuilder::List(ListBuilder::new(StringBuilder::new()).with_field(item()))
            }
            ColumnKind::Integer => ColumnBuilder::Integer(Int64Builder::new()),
            ColumnKind::Date => ColumnBuilder::Date(Date32Builder::new()),
        };
        Columns { columns: table.columns().iter().map(builder).collect(), rows: 0, octets: 0 }
    }

    /// Adds a row; a field of another kind than its column has is taken for an empty one.
    pub(crate) fn push(&mut self, row: &[Cell<'_>]) {
        self.rows += 1;
        for (column, cell) in self.columns.iter_mut().zip(row) {
            self.octets += column.push(cell);
        }
    }

    /// The columns, which are empty then.
    pub(crate) fn finish(&mut self) -> Vec<ArrayRef> {
        (self.rows, self.octets) = (0, 0);
        self.columns.iter_mut().map(ColumnBuilder::finish).collect()
    }
}

impl ColumnBuilder {
    /// Adds a field, and returns the number of octets of its texts.
    fn push(&mut self, cell: &Cell<'_>) -> usize {
        match (self, cell) {
            (ColumnBuilder::Text(texts), Cell::Text(text)) => {
                texts.append_value(text);
                return text.len();
            }
            (ColumnBuilder::Text(texts), _) => texts.append_null(),
            (ColumnBuilder::List(lists), Cell::List(items)) => {
                items.iter().for_each(|item| lists.values().append_value(item));
                lists.append(true);
                return items.iter().map(|item| item.len() + size_of::<u32>()).sum();
            }
            (ColumnBuilder::List(lists), _) => lists.append(true),
            (ColumnBuilder::Integer(numbers), Cell::Integer(number)) => {
                numbers.append_option(i64::try_from(*number).ok());
            }
            (ColumnBuilder::Integer(numbers), _) => numbers.append_null(),
            (ColumnBuilder::Date(days), Cell::Date(day)) => {
                days.append_option(day.checked_sub(EPOCH).and_then(|day| i32::try_from(day).ok()));
            }
            (ColumnBuilder::Date(days), _) => days.append_null(),
        }
        0
    }

    fn finish(&mut self) -> ArrayRef {
        match self {
            ColumnBuilder::Text(texts) => shared(texts.finish()),
            ColumnBuilder::List(lists) => shared(lists.finish()),
            ColumnBuilder::Integer(numbers) => shared(numbers.finish()),
            ColumnBuilder::Date(days) => shared(days.finish()),
        }
    }
}

fn shared(array: impl Array + 'static) -> ArrayRef {
    Arc::new(array)
}
