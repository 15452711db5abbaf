//! The lines that a change replaces, as an assistant gets them and as the journal keeps them.

use crate::snapshot::Snapshot;
use crate::text::{NOTE, at_signs, clean, field};
use elf_tagged::elf_octets::Patch;
use elf_tagged::{Document, Node};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The most lines of one place that are shown.
const MOST_LINES: usize = 20;

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
    /// The lines that go.
    pub(crate) removed: Vec<String>,
    /// The lines that come.
    pub(crate) added: Vec<String>,
    /// True if more lines or records of this place change than are shown.
    #[serde(default, skip_serializing_if = "crate::answer::is_false")]
    pub(crate) cut: bool,
}

impl LineChange {
    /// Makes the texts harmless, which were kept in a file.
    pub(crate) fn cleaned(&self) -> LineChange {
        let lines = |lines: &[String]| lines.iter().map(|line| clean(line, NOTE).text).collect();
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

    pub(crate) fn describe(&self, patch: &Patch) -> LineChange {
        let source = self.snapshot.file().document().source();
        let (start, end) = (patch.lines.start, patch.lines.end.max(patch.lines.start));
        let removed = patch.lines.clone().take(MOST_LINES);
        let removed = removed.map(|line| clean(source.line_text(line).unwrap_or_default(), NOTE).text);
        let added = patch.with.lines().take(MOST_LINES).map(|line| clean(line, NOTE).text);
        let mut records = self.records_of(patch);
        let has_more = records.len() > MOST_RECORDS;
        records.truncate(MOST_RECORDS);
        let position = match end - start {
            0 => format!("after line {}", start.saturating_sub(1)),
            1 => format!("line {start}"),
            _ => format!("lines {start} to {}", end - 1),
        };
        let line = if end == start { start.saturating_sub(1).max(1) } else { start };
        LineChange {
            cite: format!("{}:{line}", self.snapshot.name),
            position,
            records,
            removed: removed.collect(),
            added: added.collect(),
            cut: has_more || end - start > MOST_LINES as u64 || patch.with.lines().nth(MOST_LINES).is_some(),
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
