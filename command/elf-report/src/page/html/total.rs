//! The section of all files together.

use super::SECTIONS;
use super::findings::{self, Kind};
use super::sections::{self, Level};
use super::table::{self, number, words};
use crate::page::markup::Markup;
use crate::page::total::Total;
use crate::{counted, grouped};
use std::collections::BTreeMap;
use std::io;

/// The most words that are told of the encodings, versions and producers of files.
const WORDS: usize = 20;

/// Writes the section of all files.
pub(super) fn section(markup: &mut Markup<'_>, total: &Total, today: Option<i64>) -> io::Result<()> {
    markup.open("section", &[("aria-labelledby", "all")])?;
    markup.element("h2", &[("id", "all")], "All files")?;
    alerts(markup, total)?;
    markup.open("dl", &[])?;
    let size = format!(
        "{}, {}, {}",
        counted(total.octets, "octet"),
        counted(total.lines, "line"),
        counted(total.records, "record")
    );
    let who = format!(
        "{}, {} {}, {}",
        counted(total.people.persons, "person"),
        grouped(total.people.families),
        if total.people.families == 1 { "family" } else { "families" },
        counted(total.people.events, "event")
    );
    for (name, text) in [
        ("Size", size),
        ("People", who),
        ("Encodings", commonest(&total.encodings)),
        ("Versions", commonest(&total.versions)),
        ("Producers", commonest(&total.producers)),
    ] {
        markup.element("dt", &[], name)?;
        markup.open("dd", &[])?;
        markup.element("bdi", &[], &text)?;
        markup.close_line()?;
    }
    markup.close_line()?;
    files(markup, total)?;
    findings::of_all(markup, Kind::Findings, &total.codes)?;
    sections::undefined(markup, Level::Three, &total.undefined)?;
    findings::of_all(markup, Kind::Questions(today), &total.codes)?;
    sections::people(markup, Level::Three, &total.people)?;
    sections::events(markup, (Level::Three, "chart"), &total.decades, &total.dates)?;
    markup.close_line()
}

fn alerts(markup: &mut Markup<'_>, total: &Total) -> io::Result<()> {
    let mut alert = |text: String| markup.element("p", &[("class", "alert"), ("role", "note")], &text);
    match total.unread() {
        0 => {}
        unread => alert(format!("{} could not be read.", counted(unread as u64, "file")))?,
    }
    match total.ended() {
        0 => Ok(()),
        ended => alert(format!("The rules ended the reading of {} early.", counted(ended as u64, "file"))),
    }
}

fn files(markup: &mut Markup<'_>, total: &Total) -> io::Result<()> {
    markup.element(Level::Three.element(), &[], "The files")?;
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
    table::open(markup, caption, &columns)?;
    for (row, number) in total.rows.iter().zip(1..) {
        let number: usize = number;
        markup.open("tr", &[])?;
        markup.open("th", &[("scope", "row"), ("class", "wrap file")])?;
        match &row.read {
            Ok(counts) => {
                if number <= SECTIONS {
                    markup.open("a", &[("href", &format!("#file-{number}"))])?;
                    markup.element("bdi", &[], &row.name)?;
                    markup.close()?;
                } else {
                    markup.element("bdi", &[], &row.name)?;
                }
                markup.close()?;
                let encoding = if counts.is_complete { "" } else { ", ended early" };
                table::cell(markup, &format!("{}{encoding}", counts.encoding))?;
                table::cell(markup, &counts.versions)?;
                table::cell(markup, &counts.producer)?;
                for count in [counts.persons, counts.families, counts.errors, counts.advice, counts.questions]
                {
                    table::count(markup, count)?;
                }
            }
            Err(reason) => {
                markup.element("bdi", &[], &row.name)?;
                markup.close()?;
                markup.element("td", &[("colspan", "8")], &format!("cannot be read: {reason}"))?;
            }
        }
        markup.close_line()?;
    }
    table::close(markup)?;
    match total.rows.iter().skip(SECTIONS).filter(|row| row.read.is_ok()).count() {
        0 => Ok(()),
        more => {
            let text = "that stand last have no section of their own, which would make the page too large: a report on fewer \
                        files has them.";
            sections::note(markup, &format!("{} {text}", counted(more as u64, "file")))
        }
    }
}

/// Words with their numbers, the commonest first.
fn commonest(counts: &BTreeMap<String, u64>) -> String {
    let mut counts: Vec<(&str, u64)> = counts.iter().map(|(word, &count)| (&**word, count)).collect();
    counts.sort_by_key(|&(_, count)| std::cmp::Reverse(count));
    let mut told: Vec<String> = counts
        .iter()
        .take(WORDS)
        .map(|(word, count)| format!("{} {}", grouped(*count), if word.is_empty() { "none" } else { word }))
        .collect();
    if counts.len() > WORDS {
        told.push(format!("{} more", grouped((counts.len() - WORDS) as u64)));
    }
    told.join(", ")
}
