//! Columns of Parquet that rows are gathered in: values, and the levels that tell where there are none.

use crate::{Cell, ColumnKind, Table};
use parquet::column::writer::ColumnWriterImpl;
use parquet::data_type::{BoolType, ByteArray, ByteArrayType, Int32Type, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::writer::{SerializedColumnWriter, SerializedRowGroupWriter};
use parquet::schema::parser::parse_message_type;
use parquet::schema::types::TypePtr;
use std::sync::Arc;

/// The Julian day number of the first of January 1970, from which Parquet counts days.
const EPOCH: i64 = 2_440_588;

/// The number of levels that are handed over at once, or as many more as the list goes on that the last is
/// in: meanwhile each text has a pointer of its own.
const BATCH: usize = 4096;

/// The rows that wait to be written, column by column.
pub(crate) struct Columns {
    columns: Vec<Column>,
    /// The number of octets that the rows take.
    pub(crate) octets: usize,
}

/// The fields of one column that wait to be written.
struct Column {
    values: Values,
    /// For each field, and each identifier of a list, 1 if it has a value, and 0 if there is none.
    definition: Vec<i16>,
    /// In a column of lists, for each level above, 0 where a row begins, and 1 where its list goes on.
    repetition: Vec<i16>,
}

enum Values {
    Text(Texts),
    List(Texts),
    Integer(Vec<i64>),
    Date(Vec<i32>),
    Boolean(Vec<bool>),
}

/// Texts, one after the other.
#[derive(Default)]
struct Texts {
    octets: Vec<u8>,
    /// The place after each text.
    ends: Vec<usize>,
}

/// The columns of a table as Parquet has them.
pub(crate) fn schema(table: Table) -> Result<TypePtr, ParquetError> {
    let column = |column: &crate::Column| {
        let name = column.name;
        match column.kind {
            ColumnKind::Text => format!("optional binary {name} (STRING);"),
            ColumnKind::List => format!(
                "required group {name} (LIST) {{ repeated group list {{ required binary element (STRING); }} }}"
            ),
            ColumnKind::Integer => format!("optional int64 {name};"),
            ColumnKind::Date => format!("optional int32 {name} (DATE);"),
            ColumnKind::Boolean => format!("optional boolean {name};"),
        }
    };
    let columns: String = table.columns().iter().map(column).collect();
    parse_message_type(&format!("message table {{ {columns} }}")).map(Arc::new)
}

impl Columns {
    pub(crate) fn of(table: Table) -> Columns {
        Columns { columns: table.columns().iter().map(|column| Column::of(column.kind)).collect(), octets: 0 }
    }

    /// Adds a row; a field of another kind than its column has is taken for an empty one.
    pub(crate) fn push(&mut self, row: &[Cell<'_>]) {
        for (column, cell) in self.columns.iter_mut().zip(row) {
            self.octets += column.push(cell);
        }
    }

    /// Writes the rows into a row group, and forgets them.
    pub(crate) fn write(
        &mut self,
        group: &mut SerializedRowGroupWriter<'_, Vec<u8>>,
    ) -> Result<(), ParquetError> {
        self.octets = 0;
        for column in &mut self.columns {
            if let Some(mut writer) = group.next_column()? {
                column.write(&mut writer)?;
                writer.close()?;
            }
        }
        Ok(())
    }
}

impl Column {
    fn of(kind: ColumnKind) -> Column {
        let values = match kind {
            ColumnKind::Text => Values::Text(Texts::default()),
            ColumnKind::List => Values::List(Texts::default()),
            ColumnKind::Integer => Values::Integer(Vec::new()),
            ColumnKind::Date => Values::Date(Vec::new()),
            ColumnKind::Boolean => Values::Boolean(Vec::new()),
        };
        Column { values, definition: Vec::new(), repetition: Vec::new() }
    }

    /// Adds a field, and returns the number of octets that it takes.
    fn push(&mut self, cell: &Cell<'_>) -> usize {
        match (&mut self.values, cell) {
            (Values::List(texts), Cell::List(items)) if !items.is_empty() => {
                self.definition.extend(items.iter().map(|_| 1));
                self.repetition.extend((0..items.len()).map(|number| i16::from(number > 0)));
                items.iter().map(|item| 2 * size_of::<i16>() + texts.push(item)).sum()
            }
            (Values::List(_), _) => {
                self.definition.push(0);
                self.repetition.push(0);
                2 * size_of::<i16>()
            }
            (Values::Text(texts), Cell::Text(text)) => {
                self.definition.push(1);
                size_of::<i16>() + texts.push(text)
            }
            (Values::Integer(numbers), Cell::Integer(number)) => {
                let number = i64::try_from(*number).ok();
                self.definition.push(i16::from(number.is_some()));
                numbers.extend(number);
                size_of::<i16>() + size_of::<i64>()
            }
            (Values::Date(days), Cell::Date(day)) => {
                let day = day.checked_sub(EPOCH).and_then(|day| i32::try_from(day).ok());
                self.definition.push(i16::from(day.is_some()));
                days.extend(day);
                size_of::<i16>() + size_of::<i32>()
            }
            (Values::Boolean(values), Cell::Boolean(value)) => {
                self.definition.push(1);
                values.push(*value);
                size_of::<i16>() + size_of::<bool>()
            }
            (Values::Text(_) | Values::Integer(_) | Values::Date(_) | Values::Boolean(_), _) => {
                self.definition.push(0);
                size_of::<i16>()
            }
        }
    }

    /// Writes the fields, and forgets them.
    fn write(&mut self, writer: &mut SerializedColumnWriter<'_>) -> Result<(), ParquetError> {
        let definition = std::mem::take(&mut self.definition);
        let repetition = std::mem::take(&mut self.repetition);
        match &mut self.values {
            Values::Text(texts) => std::mem::take(texts).write(writer.typed(), &definition, None)?,
            Values::List(texts) => {
                std::mem::take(texts).write(writer.typed(), &definition, Some(&repetition))?;
            }
            Values::Integer(numbers) => {
                let numbers = std::mem::take(numbers);
                writer.typed::<Int64Type>().write_batch(&numbers, Some(&definition), None)?;
            }
            Values::Date(days) => {
                let days = std::mem::take(days);
                writer.typed::<Int32Type>().write_batch(&days, Some(&definition), None)?;
            }
            Values::Boolean(values) => {
                let values = std::mem::take(values);
                writer.typed::<BoolType>().write_batch(&values, Some(&definition), None)?;
            }
        }
        Ok(())
    }
}

impl Texts {
    /// Adds a text, and returns the number of octets that it takes.
    fn push(&mut self, text: &str) -> usize {
        self.octets.extend(text.as_bytes());
        self.ends.push(self.octets.len());
        text.len() + size_of::<usize>()
    }

    fn write(
        self,
        writer: &mut ColumnWriterImpl<'_, ByteArrayType>,
        mut definition: &[i16],
        mut repetition: Option<&[i16]>,
    ) -> Result<(), ParquetError> {
        let octets = ByteArray::from(self.octets);
        let mut ends = self.ends.into_iter();
        let mut start = 0;
        while !definition.is_empty() {
            // All identifiers of a row are passed together.
            let starts_row = |level: usize| repetition.is_none_or(|levels| levels.get(level) != Some(&1));
            let count = (BATCH.min(definition.len())..).find(|&level| starts_row(level));
            let count = count.unwrap_or(definition.len());
            let (levels, rest) = definition.split_at_checked(count).unwrap_or((definition, &[]));
            let values = levels.iter().filter(|&&level| level > 0).count();
            let text = |end: usize| {
                let start = std::mem::replace(&mut start, end);
                octets.slice(start, end - start)
            };
            let values: Vec<ByteArray> = ends.by_ref().take(values).map(text).collect();
            let repeated = repetition.map(|levels| levels.split_at_checked(count).unwrap_or((levels, &[])));
            writer.write_batch(&values, Some(levels), repeated.map(|(levels, _)| levels))?;
            definition = rest;
            repetition = repeated.map(|(_, rest)| rest);
        }
        Ok(())
    }
}
