//! Writes rows as CSV, TSV or JSON Lines.

use crate::rows::{Cell, Rows};
use crate::table::{Column, ColumnKind, Table};
use elf_base::push_field;
use elf_values::{Calendar, CalendarDay, iso_day};
use std::io::{self, Write};

/// The format that rows are written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TextFormat {
    /// Comma-separated fields as in RFC 4180, with a header line. Fields are quoted if necessary,
    /// and lines end with CR LF.
    Csv,
    /// Tab-separated fields with a header line. In a field, tabs, line breaks and backslashes are
    /// written as `\t`, `\n`, `\r` and `\\`.
    Tsv,
    /// One object per line with all columns. An empty field is `null`, and a field with several
    /// identifiers is an array.
    Json,
}

/// Writes rows of a table as text. Days are written as in ISO 8601. Several identifiers are
/// separated by `;`. A `;` or a backslash within an identifier is preceded by a backslash.
///
/// ```
/// use elf_tables::{Rows, Table, TableWriter, TextFormat};
///
/// let mut rows = Rows::of(Table::Sources.columns().len());
/// rows.text("a.ged").text("S1").text("=1+1, she said").empty().empty().empty().integer(3);
/// let mut out = Vec::new();
/// let writer = TableWriter::new(Table::Sources, TextFormat::Csv).with_guard(true);
/// writer.header(&mut out)?;
/// writer.rows(&rows, &mut out)?;
/// let expected = "\u{FEFF}file,id,title,author,publication,repository,citations\r\n\
///     a.ged,S1,\"'=1+1, she said\",,,,3\r\n";
/// assert_eq!(String::from_utf8(out).as_deref(), Ok(expected));
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct TableWriter {
    table: Table,
    format: TextFormat,
    guards: bool,
}

/// The byte order mark, by which spreadsheets recognise UTF-8.
const MARK: &str = "\u{FEFF}";

/// The first characters by which a spreadsheet recognises a formula.
const FORMULA: [char; 11] = ['=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠'];

/// The separator of several identifiers.
const SEPARATOR: &str = ";";

impl TableWriter {
    /// Creates a writer for rows of a table.
    pub const fn new(table: Table, format: TextFormat) -> TableWriter {
        TableWriter { table, format, guards: false }
    }

    /// Protects spreadsheets from formulas in fields. A byte order mark is written first. Each
    /// field except a number gets an apostrophe before it if it begins with `=`, `+`, `-`, `@` in
    /// any width, a tab or a line break, or if one of these comes after a semicolon. CSV fields
    /// with a semicolon are quoted, because some spreadsheets use the semicolon as the separator.
    /// JSON is not changed.
    #[must_use]
    pub const fn with_guard(mut self, guards: bool) -> TableWriter {
        self.guards = guards;
        self
    }

    /// Writes the text before all rows.
    ///
    /// # Errors
    ///
    /// Returns an error if writing to `out` fails.
    pub fn header(&self, out: &mut dyn Write) -> io::Result<()> {
        let names = self.table.columns().iter().map(|column| column.name);
        match self.format {
            TextFormat::Json => return Ok(()),
            TextFormat::Csv | TextFormat::Tsv if self.guards => out.write_all(MARK.as_bytes())?,
            TextFormat::Csv | TextFormat::Tsv => {}
        }
        let names: Vec<&str> = names.collect();
        match self.format {
            TextFormat::Csv => write!(out, "{}\r\n", names.join(",")),
            TextFormat::Tsv => writeln!(out, "{}", names.join("\t")),
            TextFormat::Json => Ok(()),
        }
    }

    /// Writes rows.
    ///
    /// # Errors
    ///
    /// Returns an error if writing to `out` fails.
    pub fn rows(&self, rows: &Rows, out: &mut dyn Write) -> io::Result<()> {
        match self.format {
            TextFormat::Csv => self.write_csv(rows, out),
            TextFormat::Tsv => self.write_tsv(rows, out),
            TextFormat::Json => self.write_json(rows, out),
        }
    }

    fn write_csv(&self, rows: &Rows, out: &mut dyn Write) -> io::Result<()> {
        if self.guards {
            return self.write_guarded_csv(rows, out);
        }
        let mut csv =
            csv::WriterBuilder::new().terminator(csv::Terminator::CRLF).has_headers(false).from_writer(out);
        let (mut reader, mut made) = (rows.read(), String::new());
        while let Some(row) = reader.next_row() {
            for cell in row {
                csv.write_field(self.field_text(cell, &mut made)).map_err(io_error_of)?;
            }
            csv.write_record(None::<&[u8]>).map_err(io_error_of)?;
        }
        csv.flush()
    }

    /// Writes CSV. Unlike usual, a field with a semicolon is quoted.
    fn write_guarded_csv(&self, rows: &Rows, out: &mut dyn Write) -> io::Result<()> {
        let (mut reader, mut line, mut made) = (rows.read(), String::new(), String::new());
        while let Some(row) = reader.next_row() {
            for (at, cell) in row.iter().enumerate() {
                if at > 0 {
                    line.push(',');
                }
                let field = self.field_text(cell, &mut made);
                if field.contains([',', ';', '"', '\r', '\n']) {
                    line.push('"');
                    line.push_str(&field.replace('"', "\"\""));
                    line.push('"');
                } else {
                    line.push_str(field);
                }
            }
            line.push_str("\r\n");
            out.write_all(line.as_bytes())?;
            line.clear();
        }
        Ok(())
    }

    fn write_tsv(&self, rows: &Rows, out: &mut dyn Write) -> io::Result<()> {
        let (mut reader, mut line, mut made) = (rows.read(), String::new(), String::new());
        while let Some(row) = reader.next_row() {
            for (at, cell) in row.iter().enumerate() {
                if at > 0 {
                    line.push('\t');
                }
                push_field(&mut line, self.field_text(cell, &mut made));
            }
            line.push('\n');
            out.write_all(line.as_bytes())?;
            line.clear();
        }
        Ok(())
    }

    fn write_json(&self, rows: &Rows, out: &mut dyn Write) -> io::Result<()> {
        let (mut reader, mut line, mut made) = (rows.read(), Vec::new(), String::new());
        while let Some(row) = reader.next_row() {
            let mut before = b'{';
            for (Column { name, kind }, cell) in self.table.columns().iter().zip(row) {
                line.push(before);
                before = b',';
                serde_json::to_writer(&mut line, name)?;
                line.push(b':');
                match (cell, kind) {
                    (Cell::Empty, ColumnKind::List) => line.extend(b"[]"),
                    (Cell::Empty, _) => line.extend(b"null"),
                    (Cell::Text(text), _) => serde_json::to_writer(&mut line, text)?,
                    (Cell::List(items), _) => serde_json::to_writer(&mut line, items)?,
                    (Cell::Integer(number), _) => serde_json::to_writer(&mut line, number)?,
                    (Cell::Date(day), _) => {
                        made.clear();
                        push_day(&mut made, *day);
                        serde_json::to_writer(&mut line, &made)?;
                    }
                    (Cell::Boolean(value), _) => serde_json::to_writer(&mut line, value)?,
                }
            }
            line.extend(b"}\n");
            out.write_all(&line)?;
            line.clear();
        }
        Ok(())
    }

    /// Returns the text of a field. If the text must be converted, it is written to the buffer
    /// `made`.
    fn field_text<'r>(&self, cell: &'r Cell<'_>, made: &'r mut String) -> &'r str {
        made.clear();
        match cell {
            Cell::Empty => {}
            Cell::Text(text) if !self.needs_guard(text) => return text,
            Cell::Text(text) => made.push_str(text),
            Cell::List(items) => {
                for (at, item) in items.iter().enumerate() {
                    made.push_str(if at == 0 { "" } else { SEPARATOR });
                    if item.contains([';', '\\']) {
                        item.chars().for_each(|char| {
                            made.extend((char == ';' || char == '\\').then_some('\\'));
                            made.push(char);
                        });
                        continue;
                    }
                    made.push_str(item);
                }
            }
            Cell::Integer(number) => {
                push_number(made, *number, 1);
                return made;
            }
            Cell::Date(day) => push_day(made, *day),
            Cell::Boolean(value) => return if *value { "true" } else { "false" },
        }
        if self.needs_guard(made) {
            made.insert(0, '\'');
        }
        made
    }

    fn needs_guard(&self, text: &str) -> bool {
        // Spreadsheets use the semicolon as separator if the comma is the decimal point.
        self.guards && text.split(';').any(|part| part.trim_start_matches(' ').starts_with(FORMULA))
    }
}

/// Appends a number with at least this many digits.
fn push_number(text: &mut String, number: u64, digits: usize) {
    let (mut power, mut count) = (1_u64, 1);
    while number / power >= 10 {
        (power, count) = (power * 10, count + 1);
    }
    (count..digits).for_each(|_| text.push('0'));
    while power > 0 {
        text.push(char::from(b'0' + u8::try_from(number / power % 10).unwrap_or_default()));
        power /= 10;
    }
}

/// Appends a day as in ISO 8601. Nearly all years have four digits and need no sign.
fn push_day(text: &mut String, day: i64) {
    let Some(CalendarDay { year, month, day: of_month, .. }) = Calendar::Gregorian.day(day) else { return };
    match u64::try_from(year) {
        Ok(year @ 0..=9_999) => {
            push_number(text, year, 4);
            text.push('-');
            push_number(text, month.into(), 2);
            text.push('-');
            push_number(text, of_month.into(), 2);
        }
        _ => text.push_str(&iso_day(day).unwrap_or_default()),
    }
}

/// Returns the I/O error that stopped the writing of a table.
fn io_error_of(error: csv::Error) -> io::Error {
    if !error.is_io_error() {
        return io::Error::other(error);
    }
    match error.into_kind() {
        csv::ErrorKind::Io(error) => error,
        _ => io::ErrorKind::Other.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn what_keeps_a_table_from_being_written_is_told_as_it_is() {
        let full = csv::Error::from(io::Error::from(io::ErrorKind::StorageFull));
        assert_eq!(io_error_of(full).kind(), io::ErrorKind::StorageFull);
    }

    #[test]
    fn fields_that_a_spreadsheet_takes_for_formulas_are_guarded() {
        for (text, csv) in [
            ("=1+1", "'=1+1"),
            (";=cmd|'/C calc'!A0;", "\"';=cmd|'/C calc'!A0;\""),
            ("a; -1", "\"'a; -1\""),
            ("a;b", "\"a;b\""),
            ("＝1+1", "'＝1+1"),
            ("\n=1+1", "\"'\n=1+1\""),
            ("1-1", "1-1"),
            ("say \"x\"", "\"say \"\"x\"\"\""),
        ] {
            let mut rows = Rows::of(Table::Sources.columns().len());
            rows.text("f").text("S1").text(text).empty().empty().empty().integer(3);
            let mut out = Vec::new();
            let writer = TableWriter::new(Table::Sources, TextFormat::Csv).with_guard(true);
            writer.rows(&rows, &mut out).unwrap();
            assert_eq!(String::from_utf8(out).unwrap(), format!("f,S1,{csv},,,,3\r\n"), "{text}");
        }
    }

    proptest! {
        #[test]
        fn numbers_and_days_are_as_others_spell_them(number in any::<u64>(), day in -3_000_000_i64..9_000_000) {
            let mut text = String::new();
            push_number(&mut text, number, 1);
            prop_assert_eq!(&text, &number.to_string());
            text.clear();
            push_number(&mut text, number % 1000, 4);
            prop_assert_eq!(&text, &format!("{:04}", number % 1000));
            text.clear();
            push_day(&mut text, day);
            prop_assert_eq!(Some(text), iso_day(day));
        }
    }
}
