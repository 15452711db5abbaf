//! The section of one file.

use super::family;
use super::findings::{self, Kind};
use super::sections::{self, Level, alert, fact, families, note};
use super::table::{count, head_cell, number, table, words};
use crate::page::bounded;
use crate::page::facts::FileFacts;
use crate::page::kinds::prefix_of;
use crate::page::report::FileReport;
use crate::page::text::{Text, marked};
use crate::{counted, grouped};
use elf_base::without_credentials;
use maud::{Markup, html};
use std::borrow::Cow;
use std::collections::BTreeSet;

/// The most types of structures that are listed.
const TYPES: usize = 200;

/// A file of a page.
pub(super) struct FileSection<'f> {
    pub(super) report: &'f FileReport,
    /// The number of the file, from 1.
    pub(super) number: usize,
    /// The Julian day number of the day on which questions were asked.
    pub(super) today: Option<i64>,
}

impl FileSection<'_> {
    /// The sections of the only file: the title of the page has its name.
    pub(super) fn only(&self) -> Markup {
        self.sections(Level::Two)
    }

    /// The section of one of several files, unfolded or not.
    pub(super) fn one_of_several(&self, is_open: bool) -> Markup {
        let id = format!("file-{}", self.number);
        let title = format!("{id}-name");
        html! {
            section id=(id) aria-labelledby=(title) {
                h2 id=(title) { bdi { (Text(&self.report.name)) } }
                "\n"
                details open=[is_open.then_some("")] {
                    summary { (self.summary()) }
                    (self.sections(Level::Three))
                }
            }
            "\n"
        }
    }

    /// The file in a few words.
    fn summary(&self) -> String {
        let FileReport { facts, people, findings, .. } = self.report;
        format!(
            "{}, {}, {}, {}",
            counted(people.persons, "person"),
            families(people.families),
            facts.decision.used.name(),
            counted(findings.count(), "finding"),
        )
    }

    fn sections(&self, level: Level) -> Markup {
        let FileReport { facts, undefined, dates, people, decades, findings, .. } = self.report;
        let has_tags_of_gedcom_7 = facts.header.says_gedcom_7()
            && !undefined.commonest().is_empty()
            && facts.schema_name() == "completed";
        html! {
            @if !facts.is_complete {
                (alert(
                    "The rules ended the reading before the end of the file: what follows is about the part that was \
                     read."
                ))
            }
            (family::section(level, self.number, self.report.family.as_ref()))
            (facts_list(level, facts))
            (findings::of_file(level, Kind::Findings, findings))
            (sections::undefined(level, undefined))
            @if has_tags_of_gedcom_7 {
                (note(
                    "The file says that it is GEDCOM 7; the schema is that of ELF and GEDCOM 5.5.1, so tags that are \
                     new in 7.0 are among these."
                ))
            }
            (findings::of_file(level, Kind::Questions(self.today), findings))
            (sections::completeness(level, people))
            (sections::events(level, &format!("chart-{}", self.number), decades, dates))
        }
    }
}

fn facts_list(level: Level, facts: &FileFacts) -> Markup {
    let counts = &facts.counts;
    let mark = if facts.decision.mark { ", with a byte-order mark" } else { "" };
    let breaks: Vec<String> =
        counts.line_breaks().into_iter().map(|(name, count)| format!("{} {name}", grouped(count))).collect();
    let producer = facts.producer().map_or_else(String::new, |producer| producer.words());
    let levels = format!("{}, levels up to {}", grouped(counts.lines), grouped(counts.max_level as u64));
    html! {
        (level.heading("What the file is"))
        dl {
            (fact("Size", &counted(facts.octets, "octet")))
            dt { "Encoding" }
            dd {
                (facts.decision.used.name()) " (" (facts.encoding_reason()) (mark) ")"
                ul {
                    @for evidence in &facts.decision.evidence { li { (marked(evidence)) } }
                }
            }
            "\n"
            (fact("Line breaks", &or_none(&breaks.join(", "))))
            (fact("Version", &or_none(&facts.versions())))
            @if let Some(first) = &counts.first {
                @let draft = first.draft.map_or("none", |draft| draft.name());
                (fact("Draft", &format!("{draft}: {}", first.because)))
            }
            (fact("Producer", &or_none(&producer)))
            (fact("Schema", &bounded::list(facts.schema_name().split(' '), " ")))
            (fact("Lines", &levels))
            (fact("Records", &records(facts)))
            (fact("Structures", &grouped(counts.structures)))
        }
        "\n"
        (types(facts))
    }
}

/// The types of the structures, folded.
fn types(facts: &FileFacts) -> Markup {
    let mut types: Vec<(&str, u64)> = facts.counts.defined().collect();
    if types.is_empty() {
        return Markup::default();
    }
    types.sort_by_key(|&(_, count)| std::cmp::Reverse(count));
    let shortened = facts.schema.prefixes();
    let used: BTreeSet<(&str, &str)> = types
        .iter()
        .take(TYPES)
        .map(|(iri, _)| (iri, shortened.shorten(iri)))
        .filter(|(iri, short)| short != *iri)
        .filter_map(|(_, short)| prefix_of(&facts.schema, &short))
        .collect();
    let rows = html! {
        @for &(iri, structures) in types.iter().take(TYPES) {
            tr {
                (head_cell(&bounded::text(&without_credentials(&shortened.shorten(iri)))))
                (count(structures))
            }
            "\n"
        }
    };
    let unlisted = types.len().saturating_sub(TYPES) as u64;
    html! {
        details {
            summary { "Structures of " (counted(types.len() as u64, "type")) }
            (table("Structures by type", &[words("Type"), number("Structures")], &rows))
            (sections::prefixes(used.into_iter()))
            @if unlisted > 0 { (note(&format!("Not listed: {}.", counted(unlisted, "rarer type")))) }
        }
        "\n"
    }
}

/// The number of records, and of those of each tag: the commonest ones.
fn records(facts: &FileFacts) -> String {
    const TAGS: usize = 12;
    let mut counts: Vec<(&String, &u64)> = facts.counts.tags.iter().collect();
    counts.sort_by_key(|&(_, count)| std::cmp::Reverse(*count));
    let mut text = grouped(facts.counts.records);
    for (index, (tag, count)) in counts.iter().take(TAGS).enumerate() {
        text.push_str(if index == 0 { ": " } else { ", " });
        text.push_str(&format!("{} {}", grouped(**count), bounded::text(tag)));
    }
    if counts.len() > TAGS {
        text.push_str(", …");
    }
    text
}

fn or_none(text: &str) -> Cow<'_, str> {
    if text.is_empty() { Cow::Borrowed("none given") } else { bounded::text(text) }
}
