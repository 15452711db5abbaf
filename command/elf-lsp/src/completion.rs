//! Completes what the user types: tags that the schema allows, identifiers with the names of their
//! records, the listed values of payloads, and the words of dates.

use crate::document::OpenDocument;
use crate::names::name_of;
use crate::snapshot::Snapshot;
use crate::text::ColumnUnit;
use elf_lineage::{folded, type_in_words};
use elf_schema::{Node, TypeId, elf_values};
use elf_validate::{Grammar, Kind, Standard, Table};
use elf_values::Calendar;
use gen_lsp_types::{
    CompletionItem, CompletionItemKind, CompletionItemTextEdit, CompletionList, CompletionResponse, Position,
    TextEdit,
};
use std::ops::Range;

/// The maximum number of items that are offered.
const MOST: usize = 200;

/// The words of dates, without months.
const DATE_WORDS: [&str; 10] = ["ABT", "BEF", "AFT", "BET", "AND", "FROM", "TO", "CAL", "EST", "INT"];

/// The values that GEDCOM 5.5.1 names for tags that may have any text, by the tag and the tag above it.
const COMMON_VALUES: [([&str; 2], &[&str]); 5] = [
    (["NAME", "TYPE"], &["aka", "birth", "immigrant", "maiden", "married"]),
    (["FONE", "TYPE"], &["hangul", "kana"]),
    (["ROMN", "TYPE"], &["pinyin", "romaji", "wadegiles"]),
    (["EVEN", "ROLE"], &["CHIL", "HUSB", "WIFE", "MOTH", "FATH", "SPOU"]),
    (["GEDC", "VERS"], &["5.5.1", "5.5", "7.0"]),
];

/// The part of a line that the cursor is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place<'t> {
    /// The cursor is in the tag of a line with this level.
    Tag { level: usize, has_identifier: bool, start: &'t str },
    /// The cursor is in the payload of a line.
    Payload { level: usize, tag: &'t str, before: &'t str },
}

/// Returns the items for a position.
pub(crate) fn completions_at(
    document: &OpenDocument,
    position: Position,
    unit: ColumnUnit,
) -> Option<CompletionResponse> {
    let snapshot = document.snapshot()?;
    let offset = snapshot.text.offset(position, unit);
    let line = snapshot.text.line_of(offset);
    let before = snapshot.text.content().get(snapshot.text.line_start(line)..offset)?;
    let completer = Completer { snapshot, line, offset, unit };
    let items = match parse_line_start(before)? {
        Place::Tag { level, has_identifier, start } => completer.complete_tag(level, has_identifier, start),
        Place::Payload { tag, before, .. } if before.starts_with('@') && !before.starts_with("@#") => {
            completer.complete_identifier(tag, before)
        }
        Place::Payload { level, tag: "DATE", before } if level > 0 => completer.complete_date(before),
        Place::Payload { level, tag, before } => {
            let against = document.settings.settings.against;
            let named = against.filter(|against| against.is_named).map(|against| against.standard);
            completer.complete_value(level, tag, before, standard_of(snapshot, named))
        }
    };
    let is_incomplete = items.len() >= MOST;
    Some(CompletionResponse::CompletionList(CompletionList {
        is_incomplete,
        items,
        ..CompletionList::default()
    }))
}

/// Finds in which part of its line the cursor is. Returns `None` if the cursor is in the level or
/// in the identifier.
fn parse_line_start(before: &str) -> Option<Place<'_>> {
    let (level, rest) = before.trim_start().split_once(' ')?;
    let level: usize = level.parse().ok()?;
    let (identifier, rest) = match rest.strip_prefix('@') {
        Some(inner) => (true, inner.split_once("@ ")?.1),
        None => (false, rest),
    };
    Some(match rest.split_once(' ') {
        None => Place::Tag { level, has_identifier: identifier, start: rest },
        Some((tag, before)) => Place::Payload { level, tag, before },
    })
}

struct Completer<'s> {
    snapshot: &'s Snapshot,
    line: usize,
    offset: usize,
    unit: ColumnUnit,
}

impl Completer<'_> {
    /// Returns the structure that a line with this level would be under.
    fn superstructure(&self, level: usize) -> Option<Node<'_>> {
        let above = self.snapshot.node_at_line(self.line.checked_sub(1)?)?;
        let depth = above.with_ancestors().count();
        // A node at level 0 is its only ancestor.
        above.with_ancestors().nth(depth.checked_sub(level)?)
    }

    /// Returns the tags that are defined at the place of the line.
    fn complete_tag(&self, level: usize, has_identifier: bool, start: &str) -> Vec<CompletionItem> {
        let typed = &self.snapshot.typed;
        let schema = typed.schema();
        let above = match level {
            0 => schema.iri(TypeId::DOCUMENT),
            _ => self.superstructure(level).and_then(|above| match typed.type_of(above) {
                Some(of) => Some(of),
                // The header has no type of its own.
                None => schema.iri(TypeId::METADATA),
            }),
        };
        let mut defined = above.map(|above| schema.tags_in(above)).unwrap_or_default();
        if level == 0 && !has_identifier {
            defined.extend([("HEAD", None), ("TRLR", None)]);
        }
        if level > 0 {
            defined.extend([("CONT", None), ("CONC", None)]);
        }
        let range = self.offset - start.len()..self.offset;
        let items = defined
            .into_iter()
            .filter(|(tag, _)| tag.get(..start.len()).is_some_and(|first| first.eq_ignore_ascii_case(start)));
        let items = items.map(|(tag, of)| CompletionItem {
            detail: of.map(type_in_words),
            ..self.completion_item(tag.to_owned(), CompletionItemKind::Keyword, range.clone())
        });
        items.take(MOST).collect()
    }

    /// Returns the identifiers of records. The identifiers that a pointer with this tag probably
    /// names come first.
    fn complete_identifier(&self, tag: &str, before: &str) -> Vec<CompletionItem> {
        let wanted = folded(before.trim_matches('@'));
        let line = self.snapshot.text.line_range(self.line);
        // The new identifier replaces the one that the cursor is in.
        let behind = self.snapshot.text.content().get(self.offset..line.end).unwrap_or_default();
        let range = self.offset - before.len()..self.offset + behind.trim_end().len();
        let records = self.snapshot.typed.records().filter(|record| !record.is_inserted());
        let mut items: Vec<CompletionItem> = Vec::new();
        for record in records {
            let Some(xref) = record.xref() else { continue };
            let name = name_of(record);
            let searched = format!("{} {}", folded(xref), name.as_deref().map(folded).unwrap_or_default());
            if !searched.contains(&*wanted) {
                continue;
            }
            let is_likely = target_tag_of(tag).is_none_or(|target| target == record.tag());
            let label = format!("@{xref}@");
            items.push(CompletionItem {
                filter_text: Some(format!("{label} {}", name.as_deref().unwrap_or_default())),
                sort_text: Some(format!("{}{:08}", u8::from(!is_likely), items.len())),
                detail: Some(name.unwrap_or_else(|| record.tag().to_owned())),
                ..self.completion_item(label, CompletionItemKind::Reference, range.clone())
            });
        }
        items.sort_by(|one, other| one.sort_text.cmp(&other.sort_text));
        items.truncate(MOST);
        items
    }

    /// Returns the values that a standard lists for a structure. If the payload must be a pointer, returns identifiers.
    fn complete_value(
        &self,
        level: usize,
        tag: &str,
        before: &str,
        standard: Standard,
    ) -> Vec<CompletionItem> {
        let above: Vec<&str> = match level {
            0 => Vec::new(),
            _ => {
                self.superstructure(level).into_iter().flat_map(Node::with_ancestors).map(Node::tag).collect()
            }
        };
        let path = above.iter().rev().copied().chain([tag]);
        let kinds = Table::of(standard).kinds_on_path(path);
        if !kinds.is_empty() && kinds.iter().all(|kind| kind.payloads.pointer && !kind.payloads.text) {
            return if before.is_empty() { self.complete_identifier(tag, before) } else { Vec::new() };
        }
        let is_list = kinds.iter().any(|kind| kind.text.grammar == Grammar::Enumerations);
        let start = if is_list { before.rsplit(',').next().unwrap_or_default().trim_start() } else { before };
        let mut values: Vec<&str> = kinds.iter().flat_map(|kind: &&Kind| kind.text.values).copied().collect();
        let common = COMMON_VALUES.iter().find(|(tags, _)| above.first() == Some(&tags[0]) && tags[1] == tag);
        if values.is_empty()
            && let Some((_, common)) = common
        {
            values.extend_from_slice(common);
        }
        self.complete_word(values, start)
    }

    /// Returns the months in the calendar of a date, and the words of dates.
    fn complete_date(&self, before: &str) -> Vec<CompletionItem> {
        let calendar = before.rsplit_once("@#D").and_then(|(_, rest)| rest.split_once('@'));
        let calendar = calendar.and_then(|(name, _)| Calendar::named(name)).unwrap_or(Calendar::Gregorian);
        let start = before.rsplit(' ').next().unwrap_or_default();
        self.complete_word(calendar.months().iter().chain(&DATE_WORDS).copied(), start)
    }

    /// Returns those `words` that begin with `start`, the text before the cursor. Case is ignored.
    fn complete_word<'w>(
        &self,
        words: impl IntoIterator<Item = &'w str>,
        start: &str,
    ) -> Vec<CompletionItem> {
        let range = self.offset - start.len()..self.offset;
        let fitting = words
            .into_iter()
            .filter(|word| word.get(..start.len()).is_some_and(|first| first.eq_ignore_ascii_case(start)));
        let items = fitting
            .map(|word| self.completion_item(word.to_owned(), CompletionItemKind::Constant, range.clone()));
        items.take(MOST).collect()
    }

    fn completion_item(
        &self,
        label: String,
        kind: CompletionItemKind,
        range: Range<usize>,
    ) -> CompletionItem {
        let range = self.snapshot.text.positions(self.unit).range(range);
        let edit = TextEdit { range, new_text: label.clone() };
        CompletionItem {
            label,
            kind: Some(kind),
            text_edit: Some(CompletionItemTextEdit::TextEdit(edit)),
            ..CompletionItem::default()
        }
    }
}

/// Returns the standard whose values are offered: the `named` one if it identifies structures by tag, or else that of
/// the header.
fn standard_of(snapshot: &Snapshot, named: Option<Standard>) -> Standard {
    let document = snapshot.typed.document();
    let header = document.header();
    let of_rules = document.rules().schema.default.standard();
    if let Some(standard) = named.or(of_rules).filter(|standard| *standard != Standard::DataModel) {
        return standard;
    }
    if header.says_gedcom_7() {
        Standard::Gedcom70
    } else if header.gedcom_version_as_written() == Some("5.5") {
        Standard::Gedcom55
    } else {
        Standard::Gedcom551
    }
}

/// Returns the tag of the records that pointers with this tag refer to. Returns `None` if they may
/// refer to several kinds.
fn target_tag_of(tag: &str) -> Option<&'static str> {
    match tag {
        "FAMC" | "FAMS" => Some("FAM"),
        "HUSB" | "WIFE" | "CHIL" | "ASSO" | "ALIA" => Some("INDI"),
        "SOUR" => Some("SOUR"),
        "REPO" => Some("REPO"),
        "OBJE" => Some("OBJE"),
        "NOTE" => Some("NOTE"),
        "SNOTE" => Some("SNOTE"),
        "SUBM" | "ANCI" | "DESI" => Some("SUBM"),
        "SUBN" => Some("SUBN"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_before_the_cursor_says_what_is_completed() {
        let tag = |level, has_identifier, start| Some(Place::Tag { level, has_identifier, start });
        for (before, place) in [
            ("", None),
            ("1", None),
            ("1 ", tag(1, false, "")),
            ("  2 DA", tag(2, false, "DA")),
            ("0 @I1@ IN", tag(0, true, "IN")),
            ("0 @I1", None),
            ("1 FAMS @F", Some(Place::Payload { level: 1, tag: "FAMS", before: "@F" })),
            ("2 DATE 1 JA", Some(Place::Payload { level: 2, tag: "DATE", before: "1 JA" })),
            ("x DATE", None),
        ] {
            assert_eq!(parse_line_start(before), place, "{before}");
        }
    }
}
