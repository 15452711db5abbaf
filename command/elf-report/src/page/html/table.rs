//! Tables with a caption. The script of the page makes them sortable and filterable.

use crate::grouped;
use crate::page::text::Text;
use maud::{Markup, html};

/// A column of a table.
#[derive(Clone, Copy)]
pub(super) struct Column {
    title: &'static str,
    /// `n` for numbers, `w` for words. The script uses it for sorting.
    class: &'static str,
}

/// Creates a column of words.
pub(super) const fn word_column(title: &'static str) -> Column {
    Column { title, class: "w" }
}

/// Creates a column of numbers.
pub(super) const fn number_column(title: &'static str) -> Column {
    Column { title, class: "n" }
}

/// Renders a table.
pub(super) fn render_table(caption: &str, columns: &[Column], rows: &Markup) -> Markup {
    render_table_of_class("sortable", caption, columns, rows)
}

/// Renders a table that becomes a list on a narrow page. `class` selects the layout in the style sheet, such as
/// `of-people`.
pub(super) fn render_wide_table(class: &str, caption: &str, columns: &[Column], rows: &Markup) -> Markup {
    render_table_of_class(&format!("sortable stack {class}"), caption, columns, rows)
}

fn render_table_of_class(class: &str, caption: &str, columns: &[Column], rows: &Markup) -> Markup {
    html! {
        // A wide table can be scrolled inside the page, also with the keyboard.
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

/// Renders the first cell of a row. The text may come from a file.
pub(super) fn render_head_cell(text: &str) -> Markup {
    html! { th.wrap scope="row" { bdi { (Text(text)) } } }
}

/// Renders a cell of words. The text may come from a file.
pub(super) fn render_cell(text: &str) -> Markup {
    html! { td.wrap { @if !text.is_empty() { bdi { (Text(text)) } } } }
}

/// Renders a cell with a number.
pub(super) fn render_count(count: u64) -> Markup {
    html! { td.n { (grouped(count)) } }
}
