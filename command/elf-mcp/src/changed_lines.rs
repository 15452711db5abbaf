//! The lines that a change replaces, as an assistant gets them and as the journal keeps them.

use crate::snapshot::Snapshot;
use crate::text::{NOTE, around_change, at_signs, clean, field, parts_of_line};
use elf_tagged::elf_octets::Patch;
use elf_tagged::{Document, Node};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::iter::Peekable;

/// The most lines of one place that are shown together. Others of the same place follow.
const MOST_LINES: usize = 20;

/// The bytes of the lines of one place after which the other lines are shown separately.
const MOST_BYTES: usize = 3_000;

/// The most records of one place that are named.
const MOST_RECORDS: usize = 20;

/// Lines that are replaced.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub(crate) struct LineChange {
    /// The file and the first of the lines that go. If no lines go, the line after which the new ones come.
    pub(crate) cite: String,
    /// The place in words, by the lines before the change: `line 16`, `lines 16 to 18` or `after line 20`.
    pub(crate) position: String,
    /// The identifiers of the records to which the lines belong.
    pub(crate) records: Vec<String>,
    /// The lines that go. A long line is shown in several parts, with `…` between them. If a part of it stays the same, `…`
    /// stands for this part.
    pub(crate) removed: Vec<String>,
    /// The lines that come, in the same form.
    pub(crate) added: Vec<String>,
    /// True if more lines or records of this place change than are shown.
    #[serde(default, skip_serializing_if = "crate::answer::is_false")]
    pub(crate) cut: bool,
}

impl LineChange {
    /// Makes the texts harmless, which were kept in a file.
    pub(crate) fn cleaned(&self) -> LineChange {
        let lines = |lines: &[String]| lines.iter().map(|line| clean(line, 2 * NOTE).text).collect();
        LineChange {
            cite: field(&self.cite),
            position: field(&self.position),
            records: self.records.iter().map(|record| field(record)).collect(),
            removed: lines(&self.removed),
            added: lines(&self.added),
            cut: self.cut,
        }
    }

    /// Leaves out the last of the lines that are added or removed, whichever are more. Returns false if there is none.
    pub(crate) fn drop_last_line(&mut self) -> bool {
        let lines = if self.added.len() > self.removed.len() { &mut self.added } else { &mut self.removed };
        let is_dropped = lines.pop().is_some();
        self.cut |= is_dropped;
        is_dropped
    }

    /// The payloads of all lines as one text. Continuation lines are joined as readers join them.
    pub(crate) fn payloads(&self) -> String {
        let mut text = String::new();
        for line in self.removed.iter().chain(&self.added) {
            // A part of a long line goes on where the part before ended.
            if let Some(rest) = line.strip_prefix('…') {
                text.truncate(text.trim_end_matches('…').len());
                text.push_str(rest);
                continue;
            }
            let mut parts = line.trim_start().splitn(3, ' ').skip(1);
            let (tag, payload) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
            if tag != "CONC" {
                text.push('\n');
            }
            text.push_str(payload);
        }
        text
    }
}

/// Lines of a patch that are shown together.
pub(crate) struct PatchPart<'p> {
    patch: &'p Patch,
    /// The lines that go, with their numbers.
    removed: Vec<(u64, String)>,
    added: Vec<String>,
}

/// Describes the changes of a file.
pub(crate) struct ChangeDescriber<'s> {
    snapshot: &'s Snapshot,
    /// The first line of each record, and its label.
    records: Vec<(u64, String)>,
}

impl<'s> ChangeDescriber<'s> {
    pub(crate) fn new(snapshot: &'s Snapshot) -> ChangeDescriber<'s> {
        let document = snapshot.file().document();
        let mut places = document.line_places();
        let records = top_structures(document)
            .map(|node| (places.place(node, node.line_span()).line, label_of(node.xref(), node.tag())));
        ChangeDescriber { snapshot, records: records.collect() }
    }

    /// Returns the lines of a patch, in as many parts as they need.
    pub(crate) fn parts<'p>(&self, patch: &'p Patch) -> Vec<PatchPart<'p>> {
        let source = self.snapshot.file().document().source();
        let old: Vec<_> =
            patch.lines.clone().map(|line| source.line_text(line).unwrap_or_default()).collect();
        let new: Vec<&str> = patch.with.lines().collect();
        let (mut removed, mut added) = (Vec::new(), Vec::new());
        let pairs = patch.lines.clone().zip(&old).zip(&new).filter(|_| old.len() == new.len());
        let pairs = pairs.map(|((line, old), new)| {
            let is_long = old.len().max(new.len()) > NOTE;
            (line, is_long.then(|| around_change(old, new)))
        });
        let changes: HashMap<u64, [String; 2]> =
            pairs.filter_map(|(line, pair)| Some((line, pair?))).collect();
        for (line, text) in patch.lines.clone().zip(&old) {
            let text = changes.get(&line).map_or(&**text, |[old, _]| old);
            removed.extend(parts_of_line(text, NOTE).map(|part| (line, part)));
        }
        for (line, text) in (patch.lines.start..).zip(&new) {
            let text = changes.get(&line).map_or(*text, |[_, new]| new);
            added.extend(parts_of_line(text, NOTE));
        }
        let (mut removed, mut added) = (removed.into_iter().peekable(), added.into_iter().peekable());
        let mut parts = Vec::new();
        loop {
            let mut room = MOST_BYTES;
            let mut has_room = |text: &str| {
                let had_room = room > 0;
                room = room.saturating_sub(text.len());
                had_room
            };
            let removed: Vec<(u64, String)> =
                take_while(&mut removed, |(_, text)| has_room(text)).take(MOST_LINES).collect();
            let added: Vec<String> = take_while(&mut added, |text| has_room(text)).take(MOST_LINES).collect();
            if removed.is_empty() && added.is_empty() {
                return parts;
            }
            parts.push(PatchPart { patch, removed, added });
        }
    }

    pub(crate) fn describe(&self, part: PatchPart<'_>) -> LineChange {
        let PatchPart { patch, removed, added } = part;
        let mut records = self.records_of(patch);
        let has_more = records.len() > MOST_RECORDS;
        records.truncate(MOST_RECORDS);
        let before = patch.lines.end.max(patch.lines.start).saturating_sub(1);
        let (line, position) = match (removed.first(), removed.last()) {
            (Some((first, _)), Some((last, _))) if first == last => (*first, format!("line {first}")),
            (Some((first, _)), Some((last, _))) => (*first, format!("lines {first} to {last}")),
            _ => (before.max(1), format!("after line {before}")),
        };
        LineChange {
            cite: format!("{}:{line}", self.snapshot.name),
            position,
            records,
            removed: removed.into_iter().map(|(_, text)| text).collect(),
            added,
            cut: has_more,
        }
    }

    /// The labels of the records that a patch changes, and of those that it adds.
    fn records_of(&self, patch: &Patch) -> Vec<String> {
        let new: Vec<Option<String>> = patch.with.lines().map(label_of_line).collect();
        let mut labels: Vec<String> = Vec::new();
        // New lines at the end of a record.
        let goes_on = patch.lines.is_empty() && new.first().is_some_and(Option::is_none);
        let (first, last) = match goes_on {
            true => (patch.lines.start.saturating_sub(1), patch.lines.start),
            false => (patch.lines.start, patch.lines.end),
        };
        if first < last {
            let from = self.records.partition_point(|(start, _)| *start <= first).saturating_sub(1);
            let touched = self.records.iter().skip(from).take_while(|(start, _)| *start < last);
            labels.extend(touched.map(|(_, label)| label.clone()));
        }
        labels.extend(new.into_iter().flatten());
        labels.dedup();
        labels
    }
}

/// Takes the items up to the first one that is not wanted, which stays.
fn take_while<T>(
    items: &mut Peekable<impl Iterator<Item = T>>,
    mut is_wanted: impl FnMut(&T) -> bool,
) -> impl Iterator<Item = T> {
    std::iter::from_fn(move || items.next_if(&mut is_wanted))
}

/// The header and the records that are in the file.
pub(crate) fn top_structures<'d>(document: &'d Document<'_>) -> impl Iterator<Item = Node<'d>> {
    document.head().into_iter().chain(document.records()).filter(|node| !node.is_inserted())
}

/// The identifier of a record; without one, its tag.
pub(crate) fn label_of(identifier: Option<&str>, tag: &str) -> String {
    identifier.map_or_else(|| field(tag), at_signs)
}

/// The label of the record that a line starts; `None` for other lines.
fn label_of_line(line: &str) -> Option<String> {
    let rest = line.trim_start().strip_prefix("0 ")?;
    rest.split_whitespace().next().map(field)
}
