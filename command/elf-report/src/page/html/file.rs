//! The section of one file.

use super::findings::{self, Kind};
use super::sections::{self, Level};
use super::table::{self, number, words};
use crate::page::bounded;
use crate::page::facts::FileFacts;
use crate::page::kinds::prefix_of;
use crate::page::markup::Markup;
use crate::page::report::FileReport;
use crate::{counted, grouped};
use elf_base::without_credentials;
use std::borrow::Cow;
use std::collections::BTreeSet;
use std::io;

/// The most types of structures that are listed.
const TYPES: usize = 200;

/// Writes the section of one file.
pub(super) struct FileWriter<'f> {
    pub(super) report: &'f FileReport,
    /// The number of the file, from 1.
    pub(super) number: usize,
    /// The day on which questions were asked.
    pub(super) today: Option<i64>,
}

impl FileWriter<'_> {
    /// Writes the sections of the only file: the title of the page has its name.
    pub(super) fn only(&self, markup: &mut Markup<'_>) -> io::Result<()> {
        self.sections(markup, Level::Two)
    }

    /// Writes the section of one of several files, unfolded or not.
    pub(super) fn one_of_several(&self, markup: &mut Markup<'_>, is_open: bool) -> io::Result<()> {
        let id = format!("file-{}", self.number);
        let title = format!("{id}-name");
        markup.open("section", &[("id", &id), ("aria-labelledby", &title)])?;
        markup.open("h2", &[("id", &title)])?;
        markup.element("bdi", &[], &self.report.name)?;
        markup.close_line()?;
        let attributes: &[_] = if is_open { &[("open", "")] } else { &[] };
        markup.open("details", attributes)?;
        markup.element("summary", &[], &self.summary())?;
        self.sections(markup, Level::Three)?;
        markup.close()?;
        markup.close_line()
    }

    /// The file in a few words.
    fn summary(&self) -> String {
        let FileReport { facts, people, findings, .. } = self.report;
        let families = if people.families == 1 { "family" } else { "families" };
        format!(
            "{}, {} {families}, {}, {}",
            counted(people.persons, "person"),
            grouped(people.families),
            facts.decision.used.name(),
            counted(findings.count(), "finding"),
        )
    }

    fn sections(&self, markup: &mut Markup<'_>, level: Level) -> io::Result<()> {
        let FileReport { facts, undefined, dates, people, decades, findings, .. } = self.report;
        if !facts.is_complete {
            let text = "The rules ended the reading before the end of the file: what follows is about the part \
                        that was read.";
            markup.element("p", &[("class", "alert"), ("role", "note")], text)?;
        }
        self.facts(markup, level, facts)?;
        findings::of_file(markup, level, Kind::Findings, findings)?;
        sections::undefined(markup, level, undefined)?;
        if facts.header.says_gedcom_7()
            && !undefined.commonest().is_empty()
            && facts.schema_name() == "completed"
        {
            let text = "The file says that it is GEDCOM 7; the schema is that of ELF and GEDCOM 5.5.1, so tags that are new \
                        in 7.0 are among these.";
            sections::note(markup, text)?;
        }
        findings::of_file(markup, level, Kind::Questions(self.today), findings)?;
        sections::people(markup, level, people)?;
        sections::events(markup, (level, &format!("chart-{}", self.number)), decades, dates)
    }

    fn facts(&self, markup: &mut Markup<'_>, level: Level, facts: &FileFacts) -> io::Result<()> {
        markup.element(level.element(), &[], "What the file is")?;
        markup.open("dl", &[])?;
        let row = |markup: &mut Markup<'_>, name: &str, text: &str| -> io::Result<()> {
            markup.element("dt", &[], name)?;
            markup.open("dd", &[])?;
            markup.element("bdi", &[], text)?;
            markup.close_line()
        };
        row(markup, "Size", &counted(facts.octets, "octet"))?;
        markup.element("dt", &[], "Encoding")?;
        markup.open("dd", &[])?;
        let mark = if facts.decision.mark { ", with a byte-order mark" } else { "" };
        markup.text(&format!("{} ({}{mark})", facts.decision.used.name(), facts.encoding_reason()))?;
        markup.open("ul", &[])?;
        for evidence in &facts.decision.evidence {
            markup.element("li", &[], evidence)?;
        }
        markup.close()?;
        markup.close_line()?;
        let counts = &facts.counts;
        let breaks =
            counts.line_breaks().into_iter().map(|(name, count)| format!("{} {name}", grouped(count)));
        row(markup, "Line breaks", &or_none(&breaks.collect::<Vec<_>>().join(", ")))?;
        row(markup, "Version", &or_none(&facts.versions()))?;
        if let Some(first) = &counts.first {
            let draft = first.draft.map_or("none", |draft| draft.name());
            row(markup, "Draft", &format!("{draft}: {}", first.because))?;
        }
        let producer = facts.producer().map(|producer| producer.words()).unwrap_or_default();
        row(markup, "Producer", &or_none(&producer))?;
        row(markup, "Schema", &bounded::list(facts.schema_name().split(' '), " "))?;
        let levels = format!("{}, levels up to {}", grouped(counts.lines), grouped(counts.max_level as u64));
        row(markup, "Lines", &levels)?;
        row(markup, "Records", &records(facts))?;
        row(markup, "Structures", &grouped(counts.structures))?;
        markup.close_line()?;
        types(markup, facts)
    }
}

/// Writes the types of the structures, folded.
fn types(markup: &mut Markup<'_>, facts: &FileFacts) -> io::Result<()> {
    let mut types: Vec<(&str, u64)> = facts.counts.defined().collect();
    if types.is_empty() {
        return Ok(());
    }
    types.sort_by_key(|&(_, count)| std::cmp::Reverse(count));
    let prefixes = facts.schema.prefixes();
    markup.open("details", &[])?;
    markup.element("summary", &[], &format!("Structures of {}", counted(types.len() as u64, "type")))?;
    table::open(markup, "Structures by type", &[words("Type"), number("Structures")])?;
    let mut used = BTreeSet::new();
    for (iri, count) in types.iter().take(TYPES) {
        let short = prefixes.shorten(iri);
        used.extend(prefix_of(&facts.schema, &short).filter(|_| short != *iri));
        markup.open("tr", &[])?;
        table::head_cell(markup, &bounded::text(&without_credentials(&short)))?;
        table::count(markup, *count)?;
        markup.close_line()?;
    }
    table::close(markup)?;
    sections::prefixes(markup, used.into_iter())?;
    if types.len() > TYPES {
        let text = format!("Not listed: {}.", counted((types.len() - TYPES) as u64, "rarer type"));
        sections::note(markup, &text)?;
    }
    markup.close_line()
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
