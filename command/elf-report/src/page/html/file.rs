//! The section of one file.

use super::family;
use super::findings::{self, Kind};
use super::sections::{self, Level, describe_families, render_alert, render_fact, render_note};
use super::table::{number_column, render_count, render_head_cell, render_table, word_column};
use crate::page::bounded;
use crate::page::facts::FileFacts;
use crate::page::kinds::prefix_of;
use crate::page::report::FileReport;
use crate::page::text::{Text, render_with_code};
use crate::{counted, grouped};
use elf_base::without_credentials;
use maud::{Markup, html};
use std::borrow::Cow;
use std::collections::BTreeSet;

/// The maximum number of types of structures that are listed.
const TYPES: usize = 200;

/// The section of one file.
pub(super) struct FileSection<'f> {
    pub(super) report: &'f FileReport,
    /// The number of the file, from 1.
    pub(super) number: usize,
    /// The Julian day number of today in questions about facts.
    pub(super) today: Option<i64>,
}

impl FileSection<'_> {
    /// Renders the only file of a page. The title of the page contains its name.
    pub(super) fn render_single(&self) -> Markup {
        self.render_sections(Level::Two)
    }

    /// Renders one of several files.
    pub(super) fn render_one_of_several(&self, is_open: bool) -> Markup {
        let id = format!("file-{}", self.number);
        let title = format!("{id}-name");
        html! {
            section id=(id) aria-labelledby=(title) {
                h2 id=(title) { bdi { (Text(&self.report.name)) } }
                "\n"
                details open=[is_open.then_some("")] {
                    summary { (self.describe()) }
                    (self.render_sections(Level::Three))
                }
            }
            "\n"
        }
    }

    /// Returns a short description of the file.
    fn describe(&self) -> String {
        let FileReport { facts, people, findings, .. } = self.report;
        format!(
            "{}, {}, {}, {}",
            counted(people.persons, "person"),
            describe_families(people.families),
            facts.decision.used.name(),
            counted(findings.count(), "finding"),
        )
    }

    fn render_sections(&self, level: Level) -> Markup {
        let FileReport { facts, undefined, dates, people, decades, findings, .. } = self.report;
        let has_tags_of_gedcom_7 = facts.header.says_gedcom_7()
            && !undefined.most_frequent().is_empty()
            && facts.schema_name() == "completed";
        html! {
            @if !facts.is_complete {
                (render_alert(
                    "The rules ended the reading before the end of the file: what follows is about the part that was \
                     read."
                ))
            }
            (family::render_section(level, self.number, self.report.family.as_ref()))
            (render_facts(level, facts))
            (findings::render_file(level, Kind::Findings, findings))
            (sections::render_undefined(level, undefined))
            @if has_tags_of_gedcom_7 {
                (render_note(
                    "The file says that it is GEDCOM 7; the schema is that of ELF and GEDCOM 5.5.1, so tags that are \
                     new in 7.0 are among these."
                ))
            }
            (findings::render_file(level, Kind::Questions(self.today), findings))
            (sections::render_completeness(level, people))
            (sections::render_events(level, &format!("chart-{}", self.number), decades, dates))
        }
    }
}

fn render_facts(level: Level, facts: &FileFacts) -> Markup {
    let counts = &facts.counts;
    let mark = if facts.decision.mark { ", with a byte-order mark" } else { "" };
    let breaks: Vec<String> =
        counts.line_breaks().into_iter().map(|(name, count)| format!("{} {name}", grouped(count))).collect();
    let producer = facts.producer().map_or_else(String::new, |producer| producer.words());
    let levels = format!("{}, levels up to {}", grouped(counts.lines), grouped(counts.max_level as u64));
    html! {
        (level.render_heading("What the file is"))
        dl {
            (render_fact("Size", &counted(facts.octets, "byte")))
            dt { "Encoding" }
            dd {
                (facts.decision.used.name()) " (" (facts.encoding_reason()) (mark) ")"
                ul {
                    @for evidence in &facts.decision.evidence { li { (render_with_code(evidence)) } }
                }
            }
            "\n"
            (render_fact("Line endings", &or_none(&breaks.join(", "))))
            (render_fact("Version", &or_none(&facts.versions())))
            @if let Some(first) = &counts.first {
                @let draft = first.draft.map_or("none", |draft| draft.name());
                (render_fact("Draft", &format!("{draft}: {}", first.because)))
            }
            (render_fact("Producer", &or_none(&producer)))
            (render_fact("Schema", &bounded::shorten_list(facts.schema_name().split(' '), " ")))
            (render_fact("Lines", &levels))
            (render_fact("Records", &describe_records(facts)))
            (render_fact("Structures", &grouped(counts.structures)))
        }
        "\n"
        (render_types(facts))
    }
}

/// Renders the types of structures.
fn render_types(facts: &FileFacts) -> Markup {
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
                (render_head_cell(&bounded::shorten_text(&without_credentials(&shortened.shorten(iri)))))
                (render_count(structures))
            }
            "\n"
        }
    };
    let unlisted = types.len().saturating_sub(TYPES) as u64;
    html! {
        details {
            summary { "Structures of " (counted(types.len() as u64, "type")) }
            (render_table("Structures by type", &[word_column("Type"), number_column("Structures")], &rows))
            (sections::render_prefixes(used.into_iter()))
            @if unlisted > 0 { (render_note(&format!("Not listed: {}.", counted(unlisted, "rarer type")))) }
        }
        "\n"
    }
}

/// Describes the number of records, in total and by tag, most frequent first.
fn describe_records(facts: &FileFacts) -> String {
    const TAGS: usize = 12;
    let mut counts: Vec<(&String, &u64)> = facts.counts.tags.iter().collect();
    counts.sort_by_key(|&(_, count)| std::cmp::Reverse(*count));
    let mut text = grouped(facts.counts.records);
    for (index, (tag, count)) in counts.iter().take(TAGS).enumerate() {
        text.push_str(if index == 0 { ": " } else { ", " });
        text.push_str(&format!("{} {}", grouped(**count), bounded::shorten_text(tag)));
    }
    if counts.len() > TAGS {
        text.push_str(", …");
    }
    text
}

fn or_none(text: &str) -> Cow<'_, str> {
    if text.is_empty() { Cow::Borrowed("none given") } else { bounded::shorten_text(text) }
}
