//! Rows of a table, packed into bytes so that they can be stored and passed on.

use std::ops::Range;

/// A field of a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cell<'r> {
    /// An empty field.
    Empty,
    /// Text that is not empty.
    Text(&'r str),
    /// One or more identifiers.
    List(Vec<&'r str>),
    /// A number.
    Integer(u64),
    /// A day, as a Julian day number.
    Date(i64),
    /// True or false.
    Boolean(bool),
}

/// Rows of a table in a compact form. A text that is repeated from the row above is stored once.
///
/// ```
/// use elf_tables::{Cell, Rows};
///
/// let mut rows = Rows::of(2);
/// rows.text("I1").integer(7);
/// rows.text("I1").empty();
/// let rows = Rows::of_octets(2, rows.octets().to_vec());
/// let mut reader = rows.read();
/// assert_eq!(reader.next_row(), Some(&[Cell::Text("I1"), Cell::Integer(7)][..]));
/// assert_eq!(reader.next_row(), Some(&[Cell::Text("I1"), Cell::Empty][..]));
/// assert_eq!(reader.next_row(), None);
/// ```
#[derive(Clone, Debug, Default)]
pub struct Rows {
    width: usize,
    octets: Vec<u8>,
    /// The index of the next column.
    column: usize,
    /// The total length of all texts, including repeated ones.
    text_octets: usize,
    /// For each column, the text of the previous row.
    above: Vec<Range<usize>>,
    left_out: u64,
}

const EMPTY: u8 = 0;
/// The same text as in the previous row.
const SAME_AS_ABOVE: u8 = 1;
const TEXT: u8 = 2;
const LIST: u8 = 3;
const INTEGER: u8 = 4;
const DATE: u8 = 5;
const FALSE: u8 = 6;
const TRUE: u8 = 7;

/// The minimum length for which a repeated text is worth detecting.
const MIN_REPEATED_BYTES: usize = 4;

impl Rows {
    /// Creates an empty list of rows with this number of columns.
    pub fn of(width: usize) -> Rows {
        Rows { width, octets: Vec::new(), column: 0, text_octets: 0, above: vec![0..0; width], left_out: 0 }
    }

    /// Creates rows from the bytes of [`octets`](Rows::octets). Reading stops at an invalid row.
    pub fn of_octets(width: usize, octets: Vec<u8>) -> Rows {
        Rows { octets, ..Rows::of(width) }
    }

    /// Returns the bytes, for [`Rows::of_octets`].
    pub fn octets(&self) -> &[u8] {
        &self.octets
    }

    /// Returns the total length of all texts in bytes, counting repeated texts each time.
    pub const fn text_octets(&self) -> usize {
        self.text_octets
    }

    /// Returns whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.octets.is_empty()
    }

    /// Returns the number of rows in which relatives are left out because a family has too many
    /// members.
    pub const fn left_out(&self) -> u64 {
        self.left_out
    }

    /// Counts a row in which relatives are not listed.
    pub(crate) const fn count_left_out(&mut self) {
        self.left_out += 1;
    }

    /// Adds a text field. An empty text makes an empty field.
    pub fn text(&mut self, text: &str) -> &mut Rows {
        if text.is_empty() {
            return self.empty();
        }
        self.text_octets += text.len();
        let above = self.above.get(self.column).cloned().unwrap_or_default();
        if text.len() >= MIN_REPEATED_BYTES && self.octets.get(above) == Some(text.as_bytes()) {
            self.octets.push(SAME_AS_ABOVE);
        } else {
            self.octets.push(TEXT);
            let start = self.push_text(text);
            let end = self.octets.len();
            if let Some(above) = self.above.get_mut(self.column) {
                *above = start..end;
            }
        }
        self.next_column()
    }

    /// Adds a text field, which is empty for `None`.
    pub fn text_of(&mut self, text: Option<&str>) -> &mut Rows {
        self.text(text.unwrap_or_default())
    }

    /// Adds a field of identifiers. The field is empty if there are none.
    pub fn list<T: AsRef<str>>(&mut self, items: &[T]) -> &mut Rows {
        if items.is_empty() {
            return self.empty();
        }
        self.octets.push(LIST);
        self.push_number(items.len() as u64);
        for item in items {
            self.text_octets += item.as_ref().len();
            self.push_text(item.as_ref());
        }
        self.next_column()
    }

    /// Adds a field with a number.
    pub fn integer(&mut self, number: u64) -> &mut Rows {
        self.octets.push(INTEGER);
        self.push_number(number);
        self.next_column()
    }

    /// Adds a number field, which is empty for `None`.
    pub fn integer_of(&mut self, number: Option<u64>) -> &mut Rows {
        match number {
            Some(number) => self.integer(number),
            None => self.empty(),
        }
    }

    /// Adds a field with a Julian day number, which is empty for `None`.
    pub fn date_of(&mut self, day: Option<i64>) -> &mut Rows {
        let Some(day) = day else { return self.empty() };
        self.octets.push(DATE);
        self.octets.extend(day.to_le_bytes());
        self.next_column()
    }

    /// Adds a field that is true or false, or empty for `None`.
    pub fn boolean_of(&mut self, value: Option<bool>) -> &mut Rows {
        let Some(value) = value else { return self.empty() };
        self.octets.push(if value { TRUE } else { FALSE });
        self.next_column()
    }

    /// Adds an empty field.
    pub fn empty(&mut self) -> &mut Rows {
        self.octets.push(EMPTY);
        self.next_column()
    }

    /// Returns a reader that starts with the first row.
    pub fn read(&self) -> RowReader<'_> {
        RowReader {
            rest: &self.octets,
            row: Vec::with_capacity(self.width),
            above: vec![""; self.width],
            width: self.width,
        }
    }

    fn next_column(&mut self) -> &mut Rows {
        self.column = if self.column + 1 == self.width { 0 } else { self.column + 1 };
        self
    }

    /// Adds a text after its length, and returns its start.
    fn push_text(&mut self, text: &str) -> usize {
        self.push_number(text.len() as u64);
        let start = self.octets.len();
        self.octets.extend(text.as_bytes());
        start
    }

    /// Adds a number in groups of seven bits, the lowest first.
    fn push_number(&mut self, mut number: u64) {
        loop {
            let low = (number & 0x7F) as u8;
            number >>= 7;
            if number == 0 {
                self.octets.push(low);
                return;
            }
            self.octets.push(low | 0x80);
        }
    }
}

/// Reads rows.
#[derive(Clone, Debug)]
pub struct RowReader<'r> {
    rest: &'r [u8],
    row: Vec<Cell<'r>>,
    above: Vec<&'r str>,
    width: usize,
}

impl<'r> RowReader<'r> {
    /// Returns the fields of the next row, one for each column.
    pub fn next_row(&mut self) -> Option<&[Cell<'r>]> {
        self.row.clear();
        for column in 0..self.width {
            let cell = self.read_cell(column)?;
            self.row.push(cell);
        }
        (self.width > 0).then_some(&self.row)
    }

    fn read_cell(&mut self, column: usize) -> Option<Cell<'r>> {
        Some(match self.read_byte()? {
            SAME_AS_ABOVE => Cell::Text(self.above.get(column)?),
            TEXT => {
                let text = self.read_text()?;
                *self.above.get_mut(column)? = text;
                Cell::Text(text)
            }
            LIST => {
                let count = self.read_number()?;
                Cell::List((0..count).map(|_| self.read_text()).collect::<Option<Vec<&str>>>()?)
            }
            INTEGER => Cell::Integer(self.read_number()?),
            DATE => {
                let (octets, rest) = self.rest.split_first_chunk()?;
                self.rest = rest;
                Cell::Date(i64::from_le_bytes(*octets))
            }
            EMPTY => Cell::Empty,
            FALSE => Cell::Boolean(false),
            TRUE => Cell::Boolean(true),
            _ => return None,
        })
    }

    fn read_byte(&mut self) -> Option<u8> {
        let (&octet, rest) = self.rest.split_first()?;
        self.rest = rest;
        Some(octet)
    }

    fn read_number(&mut self) -> Option<u64> {
        let mut number = 0;
        for shift in (0..64).step_by(7) {
            let octet = self.read_byte()?;
            number |= u64::from(octet & 0x7F) << shift;
            if octet & 0x80 == 0 {
                return Some(number);
            }
        }
        None
    }

    fn read_text(&mut self) -> Option<&'r str> {
        let length = usize::try_from(self.read_number()?).ok()?;
        let (text, rest) = self.rest.split_at_checked(length)?;
        self.rest = rest;
        std::str::from_utf8(text).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// An owned field.
    #[derive(Clone, Debug)]
    enum Field {
        Text(String),
        List(Vec<String>),
        Integer(u64),
        Date(i64),
        Boolean(bool),
    }

    fn field() -> impl Strategy<Value = Field> {
        prop_oneof![
            prop_oneof![Just("file.ged".to_owned()), ".{0,9}"].prop_map(Field::Text),
            prop::collection::vec(".{0,5}", 0..4).prop_map(Field::List),
            any::<u64>().prop_map(Field::Integer),
            any::<i64>().prop_map(Field::Date),
            any::<bool>().prop_map(Field::Boolean),
        ]
    }

    fn cell(field: &Field) -> Cell<'_> {
        match field {
            Field::Text(text) if text.is_empty() => Cell::Empty,
            Field::Text(text) => Cell::Text(text),
            Field::List(list) if list.is_empty() => Cell::Empty,
            Field::List(list) => Cell::List(list.iter().map(|item| &**item).collect()),
            Field::Integer(number) => Cell::Integer(*number),
            Field::Date(day) => Cell::Date(*day),
            Field::Boolean(value) => Cell::Boolean(*value),
        }
    }

    proptest! {
        #[test]
        fn what_was_put_in_comes_out(fields in prop::collection::vec(prop::collection::vec(field(), 3), 0..9)) {
            let mut rows = Rows::of(3);
            for field in fields.iter().flatten() {
                match field {
                    Field::Text(text) => rows.text(text),
                    Field::List(list) => rows.list(list),
                    Field::Integer(number) => rows.integer(*number),
                    Field::Date(day) => rows.date_of(Some(*day)),
                    Field::Boolean(value) => rows.boolean_of(Some(*value)),
                };
            }
            let rows = Rows::of_octets(3, rows.octets().to_vec());
            let mut reader = rows.read();
            for row in &fields {
                let expected: Vec<Cell<'_>> = row.iter().map(cell).collect();
                prop_assert_eq!(reader.next_row(), Some(&*expected));
            }
            prop_assert_eq!(reader.next_row(), None);
        }

        #[test]
        fn any_octets_are_read_without_a_panic(octets in prop::collection::vec(any::<u8>(), 0..60)) {
            let rows = Rows::of_octets(3, octets);
            let mut reader = rows.read();
            while reader.next_row().is_some() {}
        }
    }

    #[test]
    fn what_repeats_is_kept_once() {
        let mut rows = Rows::of(1);
        let long = "x".repeat(1000);
        (0..100).for_each(|_| {
            rows.text(&long);
        });
        assert!(rows.octets().len() < 1200);
    }
}
