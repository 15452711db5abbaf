//! Inlay hints: names after pointers, and ages after dates.

use crate::document::OpenDocument;
use crate::names::name_of;
use crate::snapshot::Snapshot;
use crate::text::ColumnUnit;
use elf_lineage::years_between;
use elf_schema::{Node, NodeId, elf_values};
use elf_values::Days;
use gen_lsp_types::{InlayHint, Label, Range as LspRange};

/// The maximum number of lines for which hints are computed at once.
const MOST_LINES: usize = 5_000;

/// A higher age is not shown, because the birth is probably that of another person.
const HIGHEST_AGE: i64 = 130;

pub(crate) fn inlay_hints(
    document: &OpenDocument,
    range: LspRange,
    unit: ColumnUnit,
) -> Option<Vec<InlayHint>> {
    let snapshot = document.snapshot()?;
    let first = range.start.line as usize;
    let last = (range.end.line as usize).min(first + MOST_LINES);
    let mut positions = snapshot.text.positions(unit);
    let mut hints = Vec::new();
    let mut next = snapshot.node_at_line(first).map_or(NodeId::FIRST, Node::id);
    while let Some(node) = snapshot.typed.document().node(next) {
        let line = snapshot.line_of(node);
        if line > last || node.is_inserted() {
            break;
        }
        next = NodeId::new(next.get() + 1);
        if line < first {
            continue;
        }
        if let Some(text) = hint_of(snapshot, node) {
            hints.push(InlayHint {
                position: positions.position(snapshot.text.line_range(line).end),
                label: Label::String(text),
                kind: None,
                text_edits: None,
                tooltip: None,
                padding_left: Some(true),
                padding_right: None,
                data: None,
            });
        }
    }
    Some(hints)
}

fn hint_of(snapshot: &Snapshot, node: Node<'_>) -> Option<String> {
    if node.pointer().is_some() {
        return name_of(node.target()?);
    }
    if node.tag() == "DATE" { format_ages(snapshot, node) } else { None }
}

/// Returns the age of the person at the date of an event, or the ages of a couple.
fn format_ages(snapshot: &Snapshot, date: Node<'_>) -> Option<String> {
    let event = date.superstructure()?;
    let record = event.superstructure()?;
    let days = snapshot.typed.date(date)?.days();
    match record.tag() {
        "INDI" if event.tag() != "BIRT" && event.tag() != "CHAN" => {
            Some(format!("aged {}", format_age(snapshot, record, days)?))
        }
        "FAM" if event.tag() != "CHAN" => {
            let partners = ["HUSB", "WIFE"].into_iter().filter_map(|tag| record.substructure(tag)?.target());
            let ages: Vec<String> =
                partners.filter_map(|person| format_age(snapshot, person, days)).collect();
            (!ages.is_empty()).then(|| format!("aged {}", ages.join(" and ")))
        }
        _ => None,
    }
}

/// Returns the age of a person during some days, such as `33` or `32–34`.
fn format_age(snapshot: &Snapshot, person: Node<'_>, days: Days) -> Option<String> {
    let birth = person.substructure("BIRT")?.substructure("DATE")?;
    let (least, most) = years_between(snapshot.typed.date(birth)?.days(), days)?;
    match most {
        _ if most > HIGHEST_AGE => None,
        _ if least == most => Some(least.to_string()),
        _ => Some(format!("{least}–{most}")),
    }
}
