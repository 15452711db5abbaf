//! A line about each file: for a person, and as a table.

use super::{Facts, classes, or_none};
use elf_base::{Class, Tally};
use elf_render::{counted, grouped, sanitise};
use elf_report::FileFacts;
use std::io::{self, Write};

/// The columns of the table.
const COLUMNS: [&str; 13] = [
    "file",
    "octets",
    "encoding",
    "why",
    "version",
    "producer",
    "producer_version",
    "records",
    "individuals",
    "families",
    "undefined",
    "worst_class",
    "findings",
];

/// Prints the names of the columns.
pub(super) fn head(out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "{}", COLUMNS.join("\t"))
}

/// Prints the row of a file.
pub(super) fn row(
    out: &mut dyn Write,
    facts: &Facts<'_>,
    learned: &FileFacts,
    tally: &Tally<()>,
) -> io::Result<()> {
    let producer = learned.producer();
    let fields: [String; COLUMNS.len()] = [
        facts.file.to_owned(),
        facts.octets.to_string(),
        facts.encoding.used.to_owned(),
        facts.encoding.because.to_owned(),
        learned.versions(),
        producer.map_or_else(String::new, |producer| producer.name.clone()),
        producer.map_or_else(String::new, |producer| producer.version.clone()),
        facts.records.to_string(),
        learned.counts.records_of("INDI").to_string(),
        learned.counts.records_of("FAM").to_string(),
        facts.undefined.values().sum::<u64>().to_string(),
        worst(tally).map_or_else(String::new, |class| class.name().to_owned()),
        tally.total().to_string(),
    ];
    writeln!(out, "{}", fields.map(|field| escaped(&field)).join("\t"))
}

/// Prints a line about a file for a person.
pub(super) fn brief(
    out: &mut dyn Write,
    facts: &Facts<'_>,
    learned: &FileFacts,
    tally: &Tally<()>,
) -> io::Result<()> {
    let (individuals, families) = (learned.counts.records_of("INDI"), learned.counts.records_of("FAM"));
    let problems = if tally.total() == 0 { "nothing to report".to_owned() } else { classes(tally) };
    let version = Some(learned.versions()).filter(|versions| !versions.is_empty());
    let text = format!(
        "{}: {}, {}, by {}, {} ({} INDI, {} FAM), {problems}",
        facts.file,
        version.as_deref().unwrap_or("no version"),
        facts.encoding.used,
        or_none(facts.producer.clone().unwrap_or_default()),
        counted(facts.records, "record"),
        grouped(individuals),
        grouped(families),
    );
    writeln!(out, "{}", sanitise(&text))
}

/// The gravest class of the findings.
fn worst(tally: &Tally<()>) -> Option<Class> {
    let classes = [
        (tally.malformed, Class::Malformed),
        (tally.non_conformant, Class::NonConformant),
        (tally.deprecated, Class::Deprecated),
        (tally.advice, Class::Advice),
    ];
    classes.into_iter().find(|(count, _)| *count > 0).map(|(_, class)| class)
}

/// Writes a field so that it stays one: tabs, line breaks and backslashes as `\t`, `\n`, `\r` and `\\`.
fn escaped(field: &str) -> String {
    let mut text = String::with_capacity(field.len());
    for character in field.chars() {
        match character {
            '\t' => text.push_str("\\t"),
            '\n' => text.push_str("\\n"),
            '\r' => text.push_str("\\r"),
            '\\' => text.push_str("\\\\"),
            other => text.push(other),
        }
    }
    text
}
