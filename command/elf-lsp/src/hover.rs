//! The text that the editor shows about the place under the mouse.

use crate::diagnostics::range_of;
use crate::document::OpenDocument;
use crate::names::name_of;
use crate::snapshot::{LinePart, Snapshot, Spot};
use crate::text::ColumnUnit;
use elf_base::{Diagnostic, Excerpt};
use elf_lineage::{days_in_words, dual_year_in_words, type_in_words};
use elf_schema::{Node, elf_values, vendors};
use elf_tagged::Target;
use elf_values::{Bound, CalendarName, DateValue, Days, iso_day};
use gen_lsp_types::{Contents, Hover, MarkupContent, MarkupKind, Position};
use std::fmt::Write;

/// Describes the structure at a position, and the findings there.
pub(crate) fn hover_at(document: &OpenDocument, position: Position, unit: ColumnUnit) -> Option<Hover> {
    let snapshot = document.snapshot()?;
    let offset = snapshot.text.offset(position, unit);
    let mut sections = Vec::new();
    let spot = snapshot.spot(offset);
    if let Some(spot) = &spot {
        sections.extend(describe(snapshot, spot));
    }
    let is_here = |finding: &&Diagnostic| {
        range_of(&snapshot.text, finding).is_some_and(|range| (range.start..=range.end).contains(&offset))
    };
    let findings = document.findings().iter().map(|finding| &finding.diagnostic);
    sections.extend(findings.filter(is_here).map(describe_finding));
    if sections.is_empty() {
        return None;
    }
    let value = sections.join("\n\n---\n\n");
    let contents = Contents::MarkupContent(MarkupContent { kind: MarkupKind::Markdown, value });
    let range = spot.map(|spot| snapshot.text.positions(unit).range(spot.range));
    Some(Hover { contents, range })
}

fn describe(snapshot: &Snapshot, spot: &Spot<'_>) -> Option<String> {
    let node = spot.node;
    match spot.part {
        LinePart::Identifier => Some(describe_identifier(snapshot, node)),
        LinePart::Payload => match node.pointer() {
            Some(identifier) if snapshot.typed.document().header().is_void(identifier) => {
                Some(format!("{}: points to nothing on purpose", as_code(&format!("@{identifier}@"))))
            }
            Some(identifier) => Some(describe_target(snapshot, identifier)),
            None => describe_date(snapshot, node),
        },
        LinePart::Level | LinePart::Tag => {
            let parts = [describe_tag(snapshot, node), describe_date(snapshot, node)];
            Some(parts.into_iter().flatten().collect::<Vec<_>>().join("\n\n"))
        }
    }
}

/// Returns the meaning of the tag of a structure, as its type determines it.
fn describe_tag(snapshot: &Snapshot, node: Node<'_>) -> Option<String> {
    let typed = &snapshot.typed;
    let tag = as_code(node.tag());
    if node.is_continuation() {
        return Some(format!("{tag}: continues the payload of the line above"));
    }
    let Some(iri) = typed.type_of(node) else {
        return Some(format!("{tag}: part of the format, not of the data"));
    };
    let of = typed.typing().type_id(node)?;
    let mut text = String::new();
    if typed.typing().is_undefined(of) {
        let _ = writeln!(text, "{tag}: no definition of this tag applies here");
    } else {
        let schema = typed.schema();
        let _ = writeln!(text, "{tag}: **{}**\n", type_in_words(iri));
        let _ = write!(text, "Type {}", as_code(&schema.prefixes().shorten(iri)));
        let above: Vec<String> =
            schema.supertypes(of).filter_map(|(above, _)| schema.iri(above)).map(type_in_words).collect();
        if !above.is_empty() {
            let _ = write!(text, ", a kind of {}", above.join(" and "));
        }
        text.push('\n');
        let is_vendor_type = schema.is_vendor_type(of) || iri.starts_with(vendors::NAMESPACE);
        if let Some(described) = vendors::describe_type(iri).filter(|_| is_vendor_type) {
            let _ = writeln!(text, "\nVendor tag: {}", escape_markdown(&described));
        }
    }
    if let Some(why) = typed.why(node) {
        let lines = why.lines(typed.schema());
        lines.iter().skip(1).for_each(|line| {
            let _ = write!(text, "\n- {}", escape_markdown(line));
        });
    }
    Some(text)
}

/// Returns a date in words, with its first and last day.
fn describe_date(snapshot: &Snapshot, node: Node<'_>) -> Option<String> {
    let date = snapshot.typed.date(node)?;
    let mut text = format!("**{}**\n", escape_markdown(&days_in_words(&date)));
    if !date.days().is_empty() {
        let _ = write!(text, "\n{}", format_days(date.days()));
    }
    for single in date.dates() {
        if let CalendarName::Known(calendar) = single.calendar()
            && single.escape().is_some()
        {
            let _ = write!(text, "\n\nCalendar: {}", calendar.name());
        }
    }
    let written = node.text();
    let written = DateValue::parse(&written).ok();
    for single in written.iter().flat_map(DateValue::dates) {
        if let Some(words) = dual_year_in_words(&single) {
            let _ = write!(text, "\n\nDual year: {words}");
        }
    }
    if let Some(edtf) = date.edtf() {
        let _ = write!(text, "\n\nEDTF: {}", as_code(&edtf));
    }
    Some(text)
}

/// Formats days as an interval of ISO 8601 dates.
fn format_days(days: Days) -> String {
    let end = |bound: Bound| match bound {
        Bound::Day(number) => iso_day(number).unwrap_or_else(|| format!("day {number}")),
        Bound::Open => "open".to_owned(),
        Bound::Unknown => "unknown".to_owned(),
    };
    if days.earliest == days.latest {
        end(days.earliest)
    } else {
        format!("{} to {}", end(days.earliest), end(days.latest))
    }
}

/// Describes the record that a pointer refers to.
fn describe_target(snapshot: &Snapshot, identifier: &str) -> String {
    let bearers = match snapshot.typed.document().resolve(identifier) {
        Target::One(record) => return describe_record(record),
        Target::Several => "several records have this identifier",
        Target::None | Target::Unknown => "no record has this identifier",
    };
    format!("{}: {bearers}", as_code(&format!("@{identifier}@")))
}

/// Describes a record, and says how many pointers refer to it.
fn describe_identifier(snapshot: &Snapshot, record: Node<'_>) -> String {
    let count = record.xref().map_or(0, |xref| snapshot.pointers_to(xref).count());
    let pointers = if count == 1 { "1 pointer leads".to_owned() } else { format!("{count} pointers lead") };
    format!("{}\n\n{pointers} here", describe_record(record))
}

/// Describes a record by its name, birth and death.
fn describe_record(record: Node<'_>) -> String {
    let name = name_of(record).map_or_else(|| "no name".to_owned(), |name| escape_markdown(&name));
    let mut text = format!("**{name}** ({})", as_code(record.tag()));
    for tag in ["BIRT", "DEAT", "MARR"] {
        let Some(event) = record.substructure(tag) else { continue };
        let parts = ["DATE", "PLAC"].into_iter().filter_map(|part| event.substructure(part));
        let parts: Vec<String> = parts.map(|part| escape_markdown(&Excerpt::short(&part.text()))).collect();
        let _ = write!(text, "\n\n{}: {}", as_code(tag), parts.join(", "));
    }
    text
}

/// Describes a finding with its clause, what its code means and what to do, and where to read more.
fn describe_finding(finding: &Diagnostic) -> String {
    let of = finding.code;
    let mut text = format!("**{} {}**: {}", of.id(), of.name(), escape_markdown(of.title()));
    let _ = write!(text, "\n\nClass: {}", finding.class);
    if let Some(clause) = finding.clause {
        let _ = write!(text, " ({})", escape_markdown(clause));
    }
    for heading in ["## What it finds", "## What to do"] {
        if let Some(paragraph) = first_paragraph(of.page(), heading) {
            let _ = write!(text, "\n\n{paragraph}");
        }
    }
    let _ = write!(text, "\n\nMore: `elf explain {}`", of.id());
    text
}

/// Returns the first paragraph under a heading of a manual page, on one line. If it ends with a colon, the list or
/// example after it is included.
fn first_paragraph(page: &str, heading: &str) -> Option<String> {
    let (_, section) = page.split_once(heading)?;
    let mut blocks = section.trim_start().split("\n\n");
    let paragraph = blocks.next()?.lines().collect::<Vec<_>>().join(" ");
    match blocks.next().filter(|_| paragraph.ends_with(':')) {
        Some(block) => Some(format!("{paragraph}\n\n{}", block.trim_end())),
        None => Some(paragraph),
    }
}

/// Formats text as code in Markdown.
fn as_code(text: &str) -> String {
    let text: String = text.chars().filter(|character| !character.is_control()).collect();
    if text.contains('`') { format!("`` {text} ``") } else { format!("`{text}`") }
}

/// Escapes text from a file for Markdown.
fn escape_markdown(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars().filter(|character| !character.is_control()) {
        if character.is_ascii_punctuation()
            && !matches!(character, '.' | ',' | ':' | ';' | '-' | '/' | '\'' | '?')
        {
            escaped.push('\\');
        }
        escaped.push(character);
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;
    use elf_base::codes;

    #[test]
    fn the_first_paragraph_of_a_section_is_complete() {
        for code in codes::all() {
            for heading in ["## What it finds", "## What to do"] {
                let text = first_paragraph(code.page(), heading).expect("a section");
                assert!(!text.ends_with(':'), "{}: {text}", code.id());
                assert_eq!(text.matches("```").count() % 2, 0, "{}: {text}", code.id());
                assert!(!text.contains("\n## "), "{}: {text}", code.id());
            }
        }
    }
}
