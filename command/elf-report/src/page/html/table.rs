//! Tables with a caption, which the script of the page makes sortable and filterable.

use crate::grouped;
use crate::page::text::Text;
use maud::{Markup, html};

/// A column of a table.
#[derive(Clone, Copy)]
pub(super) struct Column {
    title: &'static str,
    /// `n` for numbers, `w` for words: the script sorts by it.
    class: &'static str,
}

/// A column of words.
pub(super) const fn words(title: &'static str) -> Column {
    Column { title, class: "w" }
}

/// A column of numbers.
pub(super) const fn number(title: &'static str) -> Column {
    Column { title, class: "n" }
}

/// A table with these rows.
pub(super) fn table(caption: &str, columns: &[Column], rows: &Markup) -> Markup {
    table_of_class("sortable", caption, columns, rows)
}

/// A table that has a list for a narrow page in the style: `class` is `of-people` and the like.
pub(super) fn wide_table(class: &str, caption: &str, columns: &[Column], rows: &Markup) -> Markup {
    table_of_class(&format!("sortable stack {class}"), caption, columns, rows)
}

fn table_of_class(class: &str, caption: &str, columns: &[Column], rows: &Markup) -> Markup {
    html! {
        // A wide table scrolls inside the page, with the keyboard too.
        div.scroll tabindex="0" role="group" aria-label=(Text(caption)) {
            table class=(class) {
                caption { (Text(caption)) }
                thead {
                    tr {
                        @for column in columns {
                            @if column.title.is_empty() { td {} }
                            @else { th scope="col" class=(column.class) { (column.title) } }
                        }
                    }
                }
                "\n"
                tbody { (rows) }
            }
        }
        "\n"
    }
}

/// The first cell of a row: its subject, which may come from a file.
pub(super) fn head_cell(text: &str) -> Markup {
    html! { th.wrap scope="row" { bdi { (Text(text)) } } }
}

/// A cell of words, which may come from a file.
pub(super) fn cell(text: &str) -> Markup {
    html! { td.wrap { @if !text.is_empty() { bdi { (Text(text)) } } } }
}

/// A cell with a number.
pub(super) fn count(count: u64) -> Markup {
    html! { td.n { (grouped(count)) } }
}
