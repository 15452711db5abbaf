//! The section of all files together.

use super::findings::{self, Kind};
use super::sections::{self, Level, alert, fact, families, note};
use super::table::{cell, count, number, wide_table, words};
use crate::page::text::Text;
use crate::page::total::{FileRow, RowCounts, Total};
use crate::{counted, grouped};
use maud::{Markup, html};
use std::collections::BTreeMap;

/// The most files of a page that have sections of their own: each takes tens of kilobytes, and a browser has
/// to hold them all.
pub(super) const SECTIONS: usize = 1000;

/// The most encodings, versions and producers that are listed.
const WORDS: usize = 20;

/// The section of all files.
pub(super) fn section(total: &Total, today: Option<i64>) -> Markup {
    let (unread, ended) = (total.unread() as u64, total.ended() as u64);
    let size = format!(
        "{}, {}, {}",
        counted(total.octets, "octet"),
        counted(total.lines, "line"),
        counted(total.records, "record")
    );
    let people = format!(
        "{}, {}, {}",
        counted(total.people.persons, "person"),
        families(total.people.families),
        counted(total.people.events, "event")
    );
    html! {
        section aria-labelledby="all" {
            h2 id="all" { "All files" }
            @if unread > 0 { (alert(&format!("{} could not be read.", counted(unread, "file")))) }
            @if ended > 0 {
                (alert(&format!("The rules ended the reading of {} early.", counted(ended, "file"))))
            }
            dl {
                (fact("Size", &size))
                (fact("People", &people))
                (fact("Encodings", &commonest(&total.encodings)))
                (fact("Versions", &commonest(&total.versions)))
                (fact("Producers", &commonest(&total.producers)))
            }
            "\n"
            (files(total))
            (findings::of_all(Kind::Findings, &total.codes))
            (sections::undefined(Level::Three, &total.undefined))
            (findings::of_all(Kind::Questions(today), &total.codes))
            (sections::completeness(Level::Three, &total.people))
            (sections::events(Level::Three, "chart", &total.decades, &total.dates))
        }
        "\n"
    }
}

fn files(total: &Total) -> Markup {
    let columns = [
        words("File"),
        words("Encoding"),
        words("Version"),
        words("Producer"),
        number("Persons"),
        number("Families"),
        number("Errors"),
        number("Advice"),
        number("Questions"),
    ];
    let caption = "Each file, with what it is and what was found; errors are malformed and non-conformant, advice is \
                   deprecated forms, too";
    let rows = html! {
        @for (number, row) in (1..).zip(&total.rows) {
            tr { (file_row(number, row)) }
            "\n"
        }
    };
    let without_section = total.rows.iter().skip(SECTIONS).filter(|row| row.read.is_ok()).count() as u64;
    html! {
        (Level::Three.heading("The files"))
        (wide_table("of-files", caption, &columns, &rows))
        @if without_section > 0 {
            (note(&format!(
                "{} that stand last have no section of their own, which would make the page too large: a report on \
                 fewer files has them.",
                counted(without_section, "file")
            )))
        }
    }
}

fn file_row(number: usize, row: &FileRow) -> Markup {
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
            Ok(counts) => (row_counts(counts)),
            Err(reason) => td colspan="8" { "cannot be read: " (Text(reason)) },
        }
    }
}

fn row_counts(counts: &RowCounts) -> Markup {
    let early = if counts.is_complete { "" } else { ", ended early" };
    html! {
        (cell(&format!("{}{early}", counts.encoding)))
        (cell(&counts.versions))
        (cell(&counts.producer))
        (count(counts.persons))
        (count(counts.families))
        (count(counts.errors))
        (count(counts.advice))
        (count(counts.questions))
    }
}

/// Words with their numbers, the commonest first.
fn commonest(counts: &BTreeMap<String, u64>) -> String {
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
