//! Converts rows to columns, in the form that Arrow and Parquet share.

use crate::{Cell, Column, ColumnKind};

/// The Julian day number of 1 January 1970, from which Arrow and Parquet count days.
const EPOCH: i64 = 2_440_588;

/// The size in bytes at which rows are passed on as one batch.
pub(crate) const BATCH_OCTETS: usize = 32 << 20;

/// The maximum size of a row in bytes. It keeps the offsets of a batch below 31 bits.
const MAX_ROW_BYTES: usize = 1 << 30;

/// The additional size of a text in bytes. It covers the offset of the text, and what Parquet
/// stores for the text while writing.
const TEXT_OVERHEAD: usize = 64;

/// The error for a row of more than 1 GiB.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a row of more than 1 GiB has no place in a column")]
pub struct RowTooLong;

/// The columns of a batch of rows.
#[derive(Debug)]
pub(crate) struct ColumnBuffers {
    columns: Vec<ColumnBuffer>,
    /// The size of the rows in bytes.
    octets: usize,
    rows: usize,
}

/// The fields of one column.
#[derive(Debug)]
pub(crate) struct ColumnBuffer {
    /// The index of the column in a row.
    index: usize,
    pub(crate) values: ColumnValues,
}

/// The values of a column, one for each row.
#[derive(Debug)]
pub(crate) enum ColumnValues {
    /// Texts. An empty text stands for a missing value.
    Text(Texts),
    List(TextLists),
    Integer(OptionalValues<i64>),
    /// Days since 1970.
    Date(OptionalValues<i32>),
    Boolean(OptionalValues<bool>),
}

/// Several texts in one buffer.
#[derive(Debug)]
pub(crate) struct Texts {
    pub(crate) octets: Vec<u8>,
    /// The offset of each text, and the end of the last one.
    pub(crate) offsets: Vec<i32>,
}

/// A list of texts for each row.
#[derive(Debug)]
pub(crate) struct TextLists {
    pub(crate) items: Texts,
    /// The index of the first item of each row, and the number of all items.
    pub(crate) offsets: Vec<i32>,
}

#[derive(Debug)]
pub(crate) struct OptionalValues<T> {
    /// A value for each row. A missing value is stored as the default.
    pub(crate) values: Vec<T>,
    pub(crate) present: Vec<bool>,
}

impl ColumnBuffers {
    /// Creates empty columns. Each column comes with its index in a row.
    pub(crate) fn of(columns: impl IntoIterator<Item = (usize, Column)>) -> ColumnBuffers {
        let column =
            |(index, column): (usize, Column)| ColumnBuffer { index, values: ColumnValues::of(column.kind) };
        ColumnBuffers { columns: columns.into_iter().map(column).collect(), octets: 0, rows: 0 }
    }

    /// Adds a row. If a field is of another kind than its column, it counts as empty.
    pub(crate) fn push(&mut self, row: &[Cell<'_>]) -> Result<(), RowTooLong> {
        let length = row.iter().map(cell_size).sum::<usize>();
        if length > MAX_ROW_BYTES {
            return Err(RowTooLong);
        }
        for column in &mut self.columns {
            column.values.push(row.get(column.index).unwrap_or(&Cell::Empty))?;
        }
        self.octets += length;
        self.rows += 1;
        Ok(())
    }

    /// Returns whether there are enough rows for a batch.
    pub(crate) const fn is_full(&self) -> bool {
        self.octets >= BATCH_OCTETS
    }

    pub(crate) const fn rows(&self) -> usize {
        self.rows
    }

    /// Returns the columns, and removes the rows from the buffers.
    pub(crate) fn take_columns(&mut self) -> Vec<ColumnValues> {
        (self.octets, self.rows) = (0, 0);
        let take = |column: &mut ColumnBuffer| {
            let empty = column.values.empty();
            std::mem::replace(&mut column.values, empty)
        };
        self.columns.iter_mut().map(take).collect()
    }
}

impl ColumnValues {
    fn of(kind: ColumnKind) -> ColumnValues {
        match kind {
            ColumnKind::Text => ColumnValues::Text(Texts::new()),
            ColumnKind::List => ColumnValues::List(TextLists { items: Texts::new(), offsets: vec![0] }),
            ColumnKind::Integer => ColumnValues::Integer(OptionalValues::new()),
            ColumnKind::Date => ColumnValues::Date(OptionalValues::new()),
            ColumnKind::Boolean => ColumnValues::Boolean(OptionalValues::new()),
        }
    }

    /// Creates an empty column of the same kind.
    fn empty(&self) -> ColumnValues {
        ColumnValues::of(match self {
            ColumnValues::Text(_) => ColumnKind::Text,
            ColumnValues::List(_) => ColumnKind::List,
            ColumnValues::Integer(_) => ColumnKind::Integer,
            ColumnValues::Date(_) => ColumnKind::Date,
            ColumnValues::Boolean(_) => ColumnKind::Boolean,
        })
    }

    fn push(&mut self, cell: &Cell<'_>) -> Result<(), RowTooLong> {
        match self {
            ColumnValues::Text(texts) => texts.push(if let Cell::Text(text) = cell { text } else { "" })?,
            ColumnValues::List(lists) => {
                if let Cell::List(items) = cell {
                    items.iter().try_for_each(|item| lists.items.push(item))?;
                }
                lists.offsets.push(to_offset(lists.items.len())?);
            }
            ColumnValues::Integer(numbers) => numbers.push(match cell {
                Cell::Integer(number) => i64::try_from(*number).ok(),
                _ => None,
            }),
            ColumnValues::Date(days) => days.push(match cell {
                Cell::Date(day) => day.checked_sub(EPOCH).and_then(|day| i32::try_from(day).ok()),
                _ => None,
            }),
            ColumnValues::Boolean(values) => values.push(match cell {
                Cell::Boolean(value) => Some(*value),
                _ => None,
            }),
        }
        Ok(())
    }
}

impl Texts {
    fn new() -> Texts {
        Texts { octets: Vec::new(), offsets: vec![0] }
    }

    /// Returns the byte ranges of the texts.
    #[cfg(feature = "parquet")]
    pub(crate) fn spans(&self) -> impl Iterator<Item = std::ops::Range<usize>> {
        self.offsets.windows(2).filter_map(|ends| match *ends {
            [start, end] => Some(usize::try_from(start).ok()?..usize::try_from(end).ok()?),
            _ => None,
        })
    }

    pub(crate) fn len(&self) -> usize {
        self.offsets.len() - 1
    }

    fn push(&mut self, text: &str) -> Result<(), RowTooLong> {
        let end = to_offset(self.octets.len() + text.len())?;
        self.octets.extend(text.as_bytes());
        self.offsets.push(end);
        Ok(())
    }
}

impl<T: Copy + Default> OptionalValues<T> {
    fn new() -> OptionalValues<T> {
        OptionalValues { values: Vec::new(), present: Vec::new() }
    }

    fn push(&mut self, value: Option<T>) {
        self.present.push(value.is_some());
        self.values.push(value.unwrap_or_default());
    }
}

fn to_offset(length: usize) -> Result<i32, RowTooLong> {
    i32::try_from(length).map_err(|_| RowTooLong)
}

/// Returns the size of a field in bytes.
fn cell_size(cell: &Cell<'_>) -> usize {
    match cell {
        Cell::Text(text) => text.len() + size_of::<i32>(),
        Cell::List(items) => {
            items.iter().map(|item| item.len() + TEXT_OVERHEAD).sum::<usize>() + size_of::<i32>()
        }
        Cell::Empty | Cell::Integer(_) | Cell::Date(_) | Cell::Boolean(_) => size_of::<i64>(),
    }
}
