//! Tables with a caption, which a script may sort and filter.

use crate::grouped;
use crate::page::markup::Markup;
use std::io;

/// A column of a table.
#[derive(Clone, Copy)]
pub(super) struct Column {
    title: &'static str,
    is_number: bool,
}

/// A column of words.
pub(super) const fn words(title: &'static str) -> Column {
    Column { title, is_number: false }
}

/// A column of numbers.
pub(super) const fn number(title: &'static str) -> Column {
    Column { title, is_number: true }
}

/// Opens a table and its body.
pub(super) fn open(markup: &mut Markup<'_>, caption: &str, columns: &[Column]) -> io::Result<()> {
    // A wide table is moved by itself, with the keyboard too.
    let attributes = [("class", "scroll"), ("tabindex", "0"), ("role", "region"), ("aria-label", caption)];
    markup.open("div", &attributes)?;
    markup.open("table", &[("class", "sortable")])?;
    markup.element("caption", &[], caption)?;
    markup.open("thead", &[])?;
    markup.open("tr", &[])?;
    for column in columns {
        let class = if column.is_number { "n" } else { "w" };
        markup.element("th", &[("scope", "col"), ("class", class)], column.title)?;
    }
    markup.close()?;
    markup.close_line()?;
    markup.open("tbody", &[])
}

/// Closes the body of a table and the table.
pub(super) fn close(markup: &mut Markup<'_>) -> io::Result<()> {
    markup.close()?;
    markup.close()?;
    markup.close_line()
}

/// Writes a cell that says what its row is about, from a file perhaps.
pub(super) fn head_cell(markup: &mut Markup<'_>, text: &str) -> io::Result<()> {
    markup.open("th", &[("scope", "row"), ("class", "wrap")])?;
    markup.element("bdi", &[], text)?;
    markup.close()
}

/// Writes a cell of words.
pub(super) fn cell(markup: &mut Markup<'_>, text: &str) -> io::Result<()> {
    markup.open("td", &[("class", "wrap")])?;
    markup.element("bdi", &[], text)?;
    markup.close()
}

/// Writes a cell with a number.
pub(super) fn count(markup: &mut Markup<'_>, count: u64) -> io::Result<()> {
    markup.element("td", &[("class", "n")], &grouped(count))
}
