//! The section with the totals of all files.

use super::findings::{self, Kind};
use super::sections::{self, Level, describe_families, render_alert, render_fact, render_note};
use super::table::{number_column, render_cell, render_count, render_wide_table, word_column};
use crate::page::text::Text;
use crate::page::total::{FileRow, RowCounts, Total};
use crate::{counted, grouped};
use maud::{Markup, html};
use std::collections::BTreeMap;

/// The maximum number of files with their own section. Each section takes tens of kilobytes, and a browser must load
/// them all.
pub(super) const SECTIONS: usize = 1000;

/// The maximum number of encodings, versions and producers that are listed.
const WORDS: usize = 20;

/// Renders the totals.
pub(super) fn render_section(total: &Total, today: Option<i64>) -> Markup {
    let (unread, ended) = (total.unread_files() as u64, total.incomplete_files() as u64);
    let size = format!(
        "{}, {}, {}",
        counted(total.octets, "byte"),
        counted(total.lines, "line"),
        counted(total.records, "record")
    );
    let people = format!(
        "{}, {}, {}",
        counted(total.people.persons, "person"),
        describe_families(total.people.families),
        counted(total.people.events, "event")
    );
    html! {
        section aria-labelledby="all" {
            h2 id="all" { "All files" }
            @if unread > 0 { (render_alert(&format!("{} could not be read.", counted(unread, "file")))) }
            @if ended > 0 {
                (render_alert(&format!("The rules ended the reading of {} early.", counted(ended, "file"))))
            }
            dl {
                (render_fact("Size", &size))
                (render_fact("People", &people))
                (render_fact("Encodings", &list_most_frequent(&total.encodings)))
                (render_fact("Versions", &list_most_frequent(&total.versions)))
                (render_fact("Producers", &list_most_frequent(&total.producers)))
            }
            "\n"
            (render_files(total))
            (findings::render_all(Kind::Findings, &total.codes))
            (sections::render_undefined(Level::Three, &total.undefined))
            (findings::render_all(Kind::Questions(today), &total.codes))
            (sections::render_completeness(Level::Three, &total.people))
            (sections::render_events(Level::Three, "chart", &total.decades, &total.dates))
        }
        "\n"
    }
}

fn render_files(total: &Total) -> Markup {
    let columns = [
        word_column("File"),
        word_column("Encoding"),
        word_column("Version"),
        word_column("Producer"),
        number_column("Persons"),
        number_column("Families"),
        number_column("Errors"),
        number_column("Advice"),
        number_column("Questions"),
    ];
    let caption = "Each file, with what it is and what was found; errors are malformed and non-conformant, advice is \
                   deprecated forms, too";
    let rows = html! {
        @for (number, row) in (1..).zip(&total.rows) {
            tr { (render_file_row(number, row)) }
            "\n"
        }
    };
    let without_section = total.rows.iter().skip(SECTIONS).filter(|row| row.read.is_ok()).count() as u64;
    html! {
        (Level::Three.render_heading("The files"))
        (render_wide_table("of-files", caption, &columns, &rows))
        @if without_section > 0 {
            (render_note(&format!(
                "{} that stand last have no section of their own, which would make the page too large: a report on \
                 fewer files has them.",
                counted(without_section, "file")
            )))
        }
    }
}

fn render_file_row(number: usize, row: &FileRow) -> Markup {
    let name = html! { bdi { (Text(&row.name)) } };
    html! {
        th.wrap.file scope="row" {
            @if row.read.is_ok() && number <= SECTIONS {
                a href={ "#file-" (number) } { (name) }
            } @else {
                (name)
            }
        }
        @match &row.read {
            Ok(counts) => (render_row_counts(counts)),
            Err(reason) => td colspan="8" { "cannot be read: " (Text(reason)) },
        }
    }
}

fn render_row_counts(counts: &RowCounts) -> Markup {
    let early = if counts.is_complete { "" } else { ", ended early" };
    html! {
        (render_cell(&format!("{}{early}", counts.encoding)))
        (render_cell(&counts.versions))
        (render_cell(&counts.producer))
        (render_count(counts.persons))
        (render_count(counts.families))
        (render_count(counts.errors))
        (render_count(counts.advice))
        (render_count(counts.questions))
    }
}

/// Lists names with their counts, most frequent first.
fn list_most_frequent(counts: &BTreeMap<String, u64>) -> String {
    let mut counts: Vec<(&str, u64)> = counts.iter().map(|(word, &count)| (&**word, count)).collect();
    counts.sort_by_key(|&(_, count)| std::cmp::Reverse(count));
    let mut listed: Vec<String> = counts
        .iter()
        .take(WORDS)
        .map(|(word, count)| format!("{} {}", grouped(*count), if word.is_empty() { "none" } else { word }))
        .collect();
    if counts.len() > WORDS {
        listed.push(format!("{} more", grouped((counts.len() - WORDS) as u64)));
    }
    listed.join(", ")
}
