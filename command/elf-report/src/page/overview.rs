//! Short overviews of files: as text, as data, and as rows of a table.

use crate::page::facts::{FileFacts, Producer, RunFacts};
use crate::vendor::VendorCount;
use crate::{counted, grouped, sanitise};
use elf_base::{Class, Draft, Tally, without_credentials};
use serde::Serialize;
use std::collections::BTreeMap;
use std::io::{self, Write};

/// A short overview of a file: as data with [`json::write_line`](crate::json::write_line), as text, or as a row of a
/// table. The data contains all fields; unknown values are null.
///
/// ```
/// use elf_base::Tally;
/// use elf_report::page::{FileFacts, Overview, RunFacts};
/// use elf_schema::{ReadOptions, Reader, Rules};
///
/// let mut reader = Reader::new(&b"0 HEAD\n0 @I1@ INDI\n0 TRLR\n"[..], &Rules::WILD, ReadOptions::default());
/// let mut counts = RunFacts::default();
/// while let Some(run) = reader.next_run(&mut ())? {
///     counts.add(RunFacts::of(&run));
/// }
/// let facts = FileFacts::of(reader.tagged(), reader.resolver(), counts).ok_or("nothing was read")?;
/// let (mut text, tally) = (Vec::new(), Tally::new(()));
/// Overview::new("a.ged", &facts, None, &tally).write_line(&mut text)?;
/// let text = String::from_utf8(text)?;
/// assert!(text.ends_with("1 record (1 INDI, 0 FAM), no problems, values not checked\n"), "{text}");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Serialize)]
pub struct Overview<'d> {
    file: &'d str,
    octets: u64,
    encoding: Encoding<'d>,
    line_breaks: LineBreaks,
    elf_version: Option<String>,
    gedcom_version: Option<String>,
    rules: &'static str,
    draft: GuessedDraft,
    producer: Option<String>,
    schema: Option<String>,
    lines: u64,
    records: u64,
    structures: u64,
    max_level: u64,
    types: BTreeMap<&'d str, u64>,
    undefined: BTreeMap<&'d str, u64>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    vendor: Vec<VendorCount>,
    #[serde(skip)]
    facts: &'d FileFacts,
    #[serde(skip)]
    found: Counts,
}

#[derive(Debug, Serialize)]
struct Encoding<'d> {
    detected: Option<&'static str>,
    detected_by: Option<&'static str>,
    specified: Option<&'d str>,
    used: &'static str,
    because: &'static str,
    bom: bool,
    /// Other possible encodings, if the evidence is weak.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    rivals: Vec<&'static str>,
}

#[derive(Clone, Copy, Debug, Default, Serialize)]
struct LineBreaks {
    lf: u64,
    cr: u64,
    crlf: u64,
}

#[derive(Clone, Copy, Debug, Default, Serialize)]
struct GuessedDraft {
    likely: Option<&'static str>,
    because: &'static str,
}

impl<'d> Overview<'d> {
    /// Creates the overview of the file `file`. `schema` is the name of the requested schema, if any.
    pub fn new<S>(
        file: &'d str,
        learned: &'d FileFacts,
        schema: Option<&str>,
        found: &Tally<S>,
    ) -> Overview<'d> {
        let FileFacts { octets, decision, header, counts, .. } = learned;
        let first = counts.first.as_ref();
        let draft =
            first.map(|first| GuessedDraft { likely: first.draft.map(Draft::name), because: first.because });
        Overview {
            file,
            octets: *octets,
            encoding: Encoding {
                detected: decision.detected.map(|encoding| encoding.name()),
                detected_by: decision.detected_by.map(|by| by.name()),
                specified: decision.specified.as_deref(),
                used: decision.used.name(),
                because: decision.because.name(),
                bom: decision.mark,
                rivals: decision.rivals.iter().map(|encoding| encoding.name()).collect(),
            },
            line_breaks: LineBreaks { lf: counts.lf, cr: counts.cr, crlf: counts.crlf },
            elf_version: header.elf_version().map(ToString::to_string),
            gedcom_version: header.gedcom_version().map(ToString::to_string),
            rules: decision.rules.name,
            draft: draft.unwrap_or_default(),
            producer: learned.producer().map(Producer::words),
            schema: Some(
                schema.map_or_else(|| learned.schema_name(), |name| without_credentials(name).into_owned()),
            ),
            lines: counts.lines,
            records: counts.records,
            structures: counts.structures,
            max_level: counts.max_level as u64,
            types: counts.defined().collect(),
            undefined: counts.undefined().collect(),
            vendor: VendorCount::list(&counts.vendor),
            facts: learned,
            found: Counts::of(found),
        }
    }

    /// The names of the columns of [`write_row`](Overview::write_row).
    pub const COLUMNS: [&'static str; 13] = [
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

    /// Writes all facts as text, one per row. `remedy` says how to see the findings.
    ///
    /// # Errors
    ///
    /// Fails if `out` cannot be written.
    pub fn write(&self, out: &mut dyn Write, remedy: &str) -> io::Result<()> {
        let learned = self.facts;
        writeln!(out, "{}", sanitise(self.file))?;
        write_titled_row(out, "size", &counted(self.octets, "byte"))?;
        let decision = &learned.decision;
        let mark = if decision.mark { ", with a byte-order mark" } else { "" };
        write_titled_row(
            out,
            "encoding",
            &format!("{} ({}{mark})", self.encoding.used, learned.encoding_reason()),
        )?;
        for evidence in &decision.evidence {
            write_titled_row(out, "", evidence)?;
        }
        write_titled_row(out, "line breaks", &describe_line_breaks(&learned.counts))?;
        write_titled_row(out, "version", &or_none(learned.versions()))?;
        write_titled_row(out, "rules", self.rules)?;
        let draft = self.draft.likely.unwrap_or("none");
        write_titled_row(out, "draft", &format!("{draft}: {}", self.draft.because))?;
        write_titled_row(out, "producer", &or_none(self.producer.clone().unwrap_or_default()))?;
        write_titled_row(out, "schema", self.schema.as_deref().unwrap_or("none"))?;
        write_titled_row(
            out,
            "lines",
            &format!("{}, levels up to {}", grouped(self.lines), grouped(self.max_level)),
        )?;
        write_titled_row(out, "records", &describe_records(&learned.counts))?;
        write_titled_row(out, "structures", &grouped(self.structures))?;
        let prefixes = learned.schema.prefixes();
        let types: Vec<(String, u64)> = self
            .types
            .iter()
            .map(|(iri, &count)| (without_credentials(&prefixes.shorten(iri)).into_owned(), count))
            .collect();
        write_counts(out, "types", types)?;
        let undefined: Vec<(String, u64)> =
            self.undefined.iter().map(|(tag, &count)| ((*tag).to_owned(), count)).collect();
        write_counts(out, "undefined", undefined)?;
        write_counts(out, "vendor tags", self.vendor.iter().map(|one| (one.words(), one.count)).collect())?;
        write_titled_row(out, "problems", &self.found.describe_problems(remedy))
    }

    /// Writes the overview as one line of text.
    ///
    /// # Errors
    ///
    /// Fails if `out` cannot be written.
    pub fn write_line(&self, out: &mut dyn Write) -> io::Result<()> {
        let learned = self.facts;
        let (individuals, families) = (learned.counts.records_of("INDI"), learned.counts.records_of("FAM"));
        let problems = if self.found.is_empty() {
            "no problems, values not checked".to_owned()
        } else {
            self.found.describe_classes()
        };
        let version = Some(learned.versions()).filter(|versions| !versions.is_empty());
        let text = format!(
            "{}: {}, {}, {}, {} ({} INDI, {} FAM), {problems}",
            self.file,
            version.as_deref().unwrap_or("no version"),
            self.encoding.used,
            self.producer
                .as_ref()
                .map_or_else(|| "no producer".to_owned(), |producer| format!("by {producer}")),
            counted(self.records, "record"),
            grouped(individuals),
            grouped(families),
        );
        writeln!(out, "{}", sanitise(&text))
    }

    /// Writes the overview as a row of a table with tab-separated fields.
    ///
    /// # Errors
    ///
    /// Fails if `out` cannot be written.
    pub fn write_row(&self, out: &mut dyn Write) -> io::Result<()> {
        let learned = self.facts;
        let producer = learned.producer();
        let fields: [String; Overview::COLUMNS.len()] = [
            self.file.to_owned(),
            self.octets.to_string(),
            self.encoding.used.to_owned(),
            self.encoding.because.to_owned(),
            learned.versions(),
            producer.map_or_else(String::new, |producer| producer.name.clone()),
            producer.map_or_else(String::new, |producer| producer.version.clone()),
            self.records.to_string(),
            learned.counts.records_of("INDI").to_string(),
            learned.counts.records_of("FAM").to_string(),
            self.undefined.values().sum::<u64>().to_string(),
            self.found.most_severe().map_or_else(String::new, |class| class.name().to_owned()),
            self.found.count_findings().to_string(),
        ];
        writeln!(out, "{}", fields.map(|field| escape_field(&field)).join("\t"))
    }
}

/// The numbers of findings of each class, most severe first.
#[derive(Debug)]
struct Counts([(u64, Class); 4]);

impl Counts {
    fn of<S>(tally: &Tally<S>) -> Counts {
        Counts([
            (tally.malformed, Class::Malformed),
            (tally.non_conformant, Class::NonConformant),
            (tally.deprecated, Class::Deprecated),
            (tally.advice, Class::Advice),
        ])
    }

    fn counts_of_classes(&self) -> impl Iterator<Item = (u64, Class)> {
        self.0.into_iter().filter(|(count, _)| *count > 0)
    }

    fn is_empty(&self) -> bool {
        self.counts_of_classes().next().is_none()
    }

    fn count_findings(&self) -> u64 {
        self.counts_of_classes().map(|(count, _)| count).sum()
    }

    /// Returns the most severe class of the findings.
    fn most_severe(&self) -> Option<Class> {
        self.counts_of_classes().next().map(|(_, class)| class)
    }

    /// Describes the number of findings of each class.
    fn describe_classes(&self) -> String {
        let counts =
            self.counts_of_classes().map(|(count, class)| format!("{} {}", grouped(count), class.name()));
        counts.collect::<Vec<_>>().join(", ")
    }

    fn describe_problems(&self, remedy: &str) -> String {
        if self.is_empty() { "none".to_owned() } else { format!("{} ({remedy})", self.describe_classes()) }
    }
}

/// Writes a title and a text. The text is sanitised.
fn write_titled_row(out: &mut dyn Write, title: &str, text: &str) -> io::Result<()> {
    writeln!(out, "  {title:<12}{}", sanitise(text))
}

/// Writes names with their counts, one per row, most frequent first.
fn write_counts(out: &mut dyn Write, title: &str, mut counts: Vec<(String, u64)>) -> io::Result<()> {
    counts.sort_by_key(|&(_, count)| std::cmp::Reverse(count));
    let counts: Vec<(String, &str)> =
        counts.iter().map(|(name, count)| (grouped(*count), name.as_str())).collect();
    let width = counts.iter().map(|(count, _)| count.len()).max().unwrap_or_default();
    for (index, (count, name)) in counts.iter().enumerate() {
        write_titled_row(out, if index == 0 { title } else { "" }, &format!("{count:>width$} {name}"))?;
    }
    Ok(())
}

fn or_none(text: String) -> String {
    if text.is_empty() { "none given".to_owned() } else { text }
}

fn describe_line_breaks(counts: &RunFacts) -> String {
    let kinds = counts.line_breaks().into_iter();
    let kinds: Vec<String> = kinds.map(|(name, count)| format!("{} {name}", grouped(count))).collect();
    if kinds.is_empty() { "none".to_owned() } else { kinds.join(", ") }
}

/// Describes the number of records, in total and by tag, most frequent first.
fn describe_records(seen: &RunFacts) -> String {
    let mut counts: Vec<(&String, u64)> = seen.tags.iter().map(|(tag, &count)| (tag, count)).collect();
    counts.sort_by_key(|&(_, count)| std::cmp::Reverse(count));
    let mut text = grouped(seen.records);
    for (index, (tag, count)) in counts.into_iter().enumerate() {
        text.push_str(if index == 0 { ": " } else { ", " });
        text.push_str(&format!("{} {tag}", grouped(count)));
    }
    text
}

/// Escapes tabs, line breaks and backslashes of a field as `\t`, `
/// `, `\r` and `\\`.
fn escape_field(field: &str) -> String {
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
