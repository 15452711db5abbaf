//! Writes Parquet columns. A column consists of its values, and of levels that mark missing values.

use crate::columnar::{ColumnValues, OptionalValues, TextLists, Texts};
use crate::{ColumnKind, Table};
use parquet::column::writer::ColumnWriterImpl;
use parquet::data_type::{BoolType, ByteArray, ByteArrayType, Int32Type, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::writer::SerializedColumnWriter;
use parquet::schema::parser::parse_message_type;
use parquet::schema::types::TypePtr;
use std::sync::Arc;

/// The number of levels that are written at once. A batch is extended to the end of its last list.
/// The number is small because each text in a batch needs a pointer.
const LEVELS_PER_BATCH: usize = 4096;

struct Levels {
    /// The definition level of each field, and of each item of a list: 1 if it has a value,
    /// otherwise 0.
    definition: Vec<i16>,
    /// The repetition level that belongs to each definition level, if the column has lists: 0 at
    /// the start of a row, otherwise 1.
    repetition: Option<Vec<i16>>,
}

/// Returns the Parquet schema of a table.
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

pub(crate) fn write_column(
    values: ColumnValues,
    writer: &mut SerializedColumnWriter<'_>,
) -> Result<(), ParquetError> {
    match values {
        ColumnValues::Text(texts) => {
            let has_text = |ends: &[i32]| i16::from(ends.first() != ends.last());
            let definition = texts.offsets.windows(2).map(has_text).collect();
            write_texts(writer.typed(), texts, &Levels { definition, repetition: None })?;
        }
        ColumnValues::List(TextLists { items, offsets }) => {
            write_texts(writer.typed(), items, &list_levels(&offsets))?;
        }
        ColumnValues::Integer(numbers) => {
            let (numbers, definition) = split_present(numbers);
            writer.typed::<Int64Type>().write_batch(&numbers, Some(&definition), None)?;
        }
        ColumnValues::Date(days) => {
            let (days, definition) = split_present(days);
            writer.typed::<Int32Type>().write_batch(&days, Some(&definition), None)?;
        }
        ColumnValues::Boolean(values) => {
            let (values, definition) = split_present(values);
            writer.typed::<BoolType>().write_batch(&values, Some(&definition), None)?;
        }
    }
    Ok(())
}

/// Returns the values that are present, and a level for each row.
fn split_present<T: Copy>(all: OptionalValues<T>) -> (Vec<T>, Vec<i16>) {
    let OptionalValues { values, present } = all;
    let definition = present.iter().map(|&is_present| i16::from(is_present)).collect();
    let is_kept = values.into_iter().zip(present).filter(|(_, is_present)| *is_present);
    (is_kept.map(|(value, _)| value).collect(), definition)
}

fn list_levels(offsets: &[i32]) -> Levels {
    let (mut definition, mut repetition) = (Vec::new(), Vec::new());
    for ends in offsets.windows(2) {
        let &[start, end] = ends else { continue };
        // A row without items also has a level.
        definition.extend((start..end.max(start + 1)).map(|_| i16::from(end > start)));
        repetition.extend((start..end.max(start + 1)).map(|item| i16::from(item > start)));
    }
    Levels { definition, repetition: Some(repetition) }
}

/// Writes texts. A text with the level 0 is missing.
fn write_texts(
    writer: &mut ColumnWriterImpl<'_, ByteArrayType>,
    texts: Texts,
    levels: &Levels,
) -> Result<(), ParquetError> {
    let is_list = levels.repetition.is_some();
    // An item of a list may be an empty text. An empty text field counts as missing.
    let spans: Vec<_> = texts.spans().filter(|span| is_list || !span.is_empty()).collect();
    let mut spans = spans.into_iter();
    let octets = ByteArray::from(texts.octets);
    let (mut definition, mut repetition) = (&*levels.definition, levels.repetition.as_deref());
    while !definition.is_empty() {
        // The items of one row are written together.
        let starts_row = |level: usize| repetition.is_none_or(|levels| levels.get(level) != Some(&1));
        let count = (LEVELS_PER_BATCH.min(definition.len())..).find(|&level| starts_row(level));
        let count = count.unwrap_or(definition.len());
        let (levels, rest) = definition.split_at_checked(count).unwrap_or((definition, &[]));
        let values = levels.iter().filter(|&&level| level > 0).count();
        let values: Vec<ByteArray> =
            spans.by_ref().take(values).map(|span| octets.slice(span.start, span.len())).collect();
        let repeated = repetition.map(|levels| levels.split_at_checked(count).unwrap_or((levels, &[])));
        writer.write_batch(&values, Some(levels), repeated.map(|(levels, _)| levels))?;
        definition = rest;
        repetition = repeated.map(|(_, rest)| rest);
    }
    Ok(())
}
