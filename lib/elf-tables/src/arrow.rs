//! Converts tables of genealogical files to Apache Arrow, for programs that work on columns in
//! memory.
//!
//! [`schema`] returns the columns of a table with their types, which are the same as in a Parquet
//! file. An [`ArrowBuilder`] takes rows and returns batches.
//!
//! ```
//! use elf_tables::arrow::ArrowBuilder;
//! use elf_tables::{Rows, Table};
//!
//! let mut rows = Rows::of(Table::Sources.columns().len());
//! rows.text("family.ged").text("S1").text("Letters").empty().empty().empty().integer(2);
//! let mut builder = ArrowBuilder::new(Table::Sources, &["id", "citations"])?;
//! builder.rows(&rows)?;
//! let batches = builder.finish()?;
//! assert_eq!((batches[0].num_rows(), batches[0].num_columns()), (1, 2));
//! # Ok::<(), elf_tables::arrow::ArrowFailure>(())
//! ```
//!
//! | column | in Arrow |
//! | --- | --- |
//! | text | `Utf8`; null if the text is empty |
//! | identifiers | `List` of `Utf8`; empty if there are none, never null |
//! | counts and lines | `Int64`; null if there is no number |
//! | days | `Date32`; null if there is no day, or if the day is too far away for 32 bits |
//! | true or false | `Boolean`; null if the answer is not known |

use crate::columnar::{ColumnBuffers, ColumnValues, OptionalValues, RowTooLong, TextLists, Texts};
use crate::{Column, ColumnKind, Rows, Table};
use arrow_array::types::{Date32Type, Int64Type};
use arrow_array::{ArrayRef, BooleanArray, ListArray, PrimitiveArray, RecordBatch, StringArray};
use arrow_buffer::{BooleanBuffer, Buffer, NullBuffer, OffsetBuffer, ScalarBuffer};
use arrow_schema::{ArrowError, DataType, Field, Schema, SchemaRef};
use std::sync::Arc;

pub use arrow_array;
pub use arrow_schema;

/// The name of list items in the schema. It is the same as in Parquet.
const LIST_ITEM_NAME: &str = "element";

/// The reason why rows cannot be converted to Arrow columns.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ArrowFailure {
    /// The table has no column of that name.
    #[error("the table `{table}` has no column `{column}`")]
    UnknownColumn {
        /// The name of the table.
        table: &'static str,
        /// The requested name.
        column: String,
    },
    /// A row takes more than 1 GiB.
    #[error(transparent)]
    TooLong(#[from] RowTooLong),
    /// The columns do not fit together. This is a bug.
    #[error("rows cannot become columns of Arrow: {0}")]
    Arrow(#[from] ArrowError),
}

/// Converts rows to Arrow batches.
#[derive(Debug)]
pub struct ArrowBuilder {
    schema: SchemaRef,
    width: usize,
    buffers: ColumnBuffers,
    batches: Vec<RecordBatch>,
}

/// Returns the Arrow schema of a table.
pub fn schema(table: Table) -> SchemaRef {
    Arc::new(Schema::new(table.columns().iter().map(field).collect::<Vec<Field>>()))
}

fn field(column: &Column) -> Field {
    let (data_type, is_nullable) = match column.kind {
        ColumnKind::Text => (DataType::Utf8, true),
        ColumnKind::List => (DataType::List(item_field()), false),
        ColumnKind::Integer => (DataType::Int64, true),
        ColumnKind::Date => (DataType::Date32, true),
        ColumnKind::Boolean => (DataType::Boolean, true),
    };
    Field::new(column.name, data_type, is_nullable)
}

fn item_field() -> Arc<Field> {
    Arc::new(Field::new(LIST_ITEM_NAME, DataType::Utf8, false))
}

impl ArrowBuilder {
    /// Creates a builder of batches with these columns, in this order.
    ///
    /// # Errors
    ///
    /// Returns [`ArrowFailure::UnknownColumn`] if the table has no column with one of the names.
    pub fn new<N: AsRef<str>>(table: Table, columns: &[N]) -> Result<ArrowBuilder, ArrowFailure> {
        let all = table.columns();
        let find = |name: &N| {
            let index = all.iter().position(|column| column.name == name.as_ref());
            index.and_then(|index| Some((index, *all.get(index)?))).ok_or_else(|| {
                ArrowFailure::UnknownColumn { table: table.name(), column: name.as_ref().to_owned() }
            })
        };
        let columns = columns.iter().map(find).collect::<Result<Vec<(usize, Column)>, ArrowFailure>>()?;
        let fields: Vec<Field> = columns.iter().map(|(_, column)| field(column)).collect();
        Ok(ArrowBuilder {
            schema: Arc::new(Schema::new(fields)),
            width: columns.len(),
            buffers: ColumnBuffers::of(columns),
            batches: Vec::new(),
        })
    }

    /// Returns the schema of the batches.
    pub const fn schema(&self) -> &SchemaRef {
        &self.schema
    }

    /// Adds rows.
    ///
    /// # Errors
    ///
    /// Returns [`ArrowFailure::TooLong`] if a row is longer than 1 GiB.
    pub fn rows(&mut self, rows: &Rows) -> Result<(), ArrowFailure> {
        let mut reader = rows.read();
        while let Some(row) = reader.next_row() {
            self.buffers.push(row)?;
            if self.buffers.is_full() {
                self.finish_batch()?;
            }
        }
        Ok(())
    }

    /// Returns the batches. If there are no rows, there are no batches.
    ///
    /// # Errors
    ///
    /// Returns [`ArrowFailure::Arrow`] only if this crate has a bug.
    pub fn finish(mut self) -> Result<Vec<RecordBatch>, ArrowFailure> {
        self.finish_batch()?;
        Ok(self.batches)
    }

    fn finish_batch(&mut self) -> Result<(), ArrowFailure> {
        let rows = self.buffers.rows();
        if rows == 0 {
            return Ok(());
        }
        let arrays = self
            .buffers
            .take_columns()
            .into_iter()
            .map(make_array)
            .collect::<Result<Vec<ArrayRef>, ArrowError>>()?;
        let options = arrow_array::RecordBatchOptions::new().with_row_count(Some(rows));
        debug_assert_eq!(arrays.len(), self.width);
        self.batches.push(RecordBatch::try_new_with_options(Arc::clone(&self.schema), arrays, &options)?);
        Ok(())
    }
}

/// Creates an array of the values of a column, without copying texts and numbers.
fn make_array(values: ColumnValues) -> Result<ArrayRef, ArrowError> {
    Ok(match values {
        ColumnValues::Text(texts) => {
            let is_present = texts.offsets.windows(2).map(|ends| ends.first() != ends.last());
            let nulls = NullBuffer::new(is_present.collect::<BooleanBuffer>());
            Arc::new(make_string_array(texts, Some(nulls))?)
        }
        ColumnValues::List(TextLists { items, offsets }) => {
            let items = Arc::new(make_string_array(items, None)?);
            Arc::new(ListArray::try_new(item_field(), offset_buffer(offsets), items, None)?)
        }
        ColumnValues::Integer(OptionalValues { values, present }) => {
            Arc::new(PrimitiveArray::<Int64Type>::try_new(values.into(), null_buffer(&present))?)
        }
        ColumnValues::Date(OptionalValues { values, present }) => {
            Arc::new(PrimitiveArray::<Date32Type>::try_new(values.into(), null_buffer(&present))?)
        }
        ColumnValues::Boolean(OptionalValues { values, present }) => {
            Arc::new(BooleanArray::new(BooleanBuffer::from(values), null_buffer(&present)))
        }
    })
}

fn make_string_array(texts: Texts, nulls: Option<NullBuffer>) -> Result<StringArray, ArrowError> {
    StringArray::try_new(offset_buffer(texts.offsets), Buffer::from_vec(texts.octets), nulls)
}

fn offset_buffer(offsets: Vec<i32>) -> OffsetBuffer<i32> {
    OffsetBuffer::new(ScalarBuffer::from(offsets))
}

fn null_buffer(present: &[bool]) -> Option<NullBuffer> {
    Some(NullBuffer::new(BooleanBuffer::from(present)))
}
