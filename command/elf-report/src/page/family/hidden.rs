//! The lines and names of hidden people, which findings must not quote.

use elf_base::Diagnostic;
use elf_extract::{Extraction, Survey};
use elf_lineage::Person;
use elf_schema::{Node, TypedDocument};
use std::collections::HashSet;
use std::ops::Range;

/// The maximum number of consecutive words of a message that are compared with names.
const WORDS_OF_NAME: usize = 8;

/// The lines, names and identifiers of hidden people.
#[derive(Clone, Debug, Default)]
pub(crate) struct HiddenLines {
    /// True if the lines of hidden people are unknown, so that everything is hidden.
    is_everything: bool,
    /// The ranges of line numbers, in order.
    lines: Vec<Range<u64>>,
    identifiers: HashSet<String>,
    names: HashSet<String>,
}

impl HiddenLines {
    /// Hides everything.
    pub(crate) fn everything() -> HiddenLines {
        HiddenLines { is_everything: true, ..HiddenLines::default() }
    }

    /// Collects the names and identifiers of the hidden people. Add their lines with
    /// [`add_lines`](HiddenLines::add_lines).
    pub(crate) fn of(survey: &Survey<'_>, is_hidden: &[bool]) -> HiddenLines {
        let hidden = || survey.lineage().persons().zip(is_hidden).filter(|(_, is_hidden)| **is_hidden);
        let persons = || hidden().map(|(person, _)| person);
        HiddenLines {
            is_everything: false,
            lines: Vec::new(),
            identifiers: persons().filter_map(Person::identifier).collect(),
            names: persons()
                .map(|person| person.name().to_owned())
                .filter(|name| name.contains(' '))
                .collect(),
        }
    }

    /// Adds the lines that an extraction removed, and all records of hidden people.
    pub(crate) fn add_lines(&mut self, typed: &TypedDocument<'_>, extraction: &Extraction<'_>) {
        let removed = extraction.removed.iter().map(|removal| removal.structure);
        self.lines.extend(line_ranges(typed, removed));
        let is_hidden = |node: &Node<'_>| node.xref().is_some_and(|xref| self.identifiers.contains(xref));
        let records = line_ranges(typed, typed.records().filter(is_hidden));
        self.lines.extend(records);
        self.lines.extend(line_ranges(typed, extraction.mentions.iter().map(|mention| mention.structure)));
        self.lines.sort_by_key(|lines| lines.start);
        self.lines.dedup_by(|next, last| {
            let is_joined = next.start <= last.end;
            if is_joined {
                last.end = last.end.max(next.end);
            }
            is_joined
        });
    }

    /// Returns whether a finding is about a hidden person or quotes data about one.
    pub(crate) fn hides(&self, finding: &Diagnostic) -> bool {
        self.is_everything
            || finding.place.is_some_and(|place| self.has_line(place.line))
            || finding.related.iter().any(|related| self.has_line(related.place.line))
            || self.is_named_in(&finding.message)
            || finding.related.iter().any(|related| self.is_named_in(&related.message))
    }

    /// Returns whether the person with an identifier is hidden.
    pub(crate) fn hides_person(&self, identifier: &str) -> bool {
        self.identifiers.contains(identifier)
    }

    fn has_line(&self, line: u64) -> bool {
        let next = self.lines.partition_point(|lines| lines.start <= line);
        next.checked_sub(1).is_some_and(|at| self.lines[at].contains(&line))
    }

    /// Returns whether a text contains the identifier or the full name of a hidden person.
    fn is_named_in(&self, text: &str) -> bool {
        if self.identifiers.is_empty() && self.names.is_empty() {
            return false;
        }
        if text.split('@').any(|part| self.identifiers.contains(part)) {
            return true;
        }
        let words: Vec<&str> =
            text.split([' ', '`', '(', ')', ',', ';', ':', '"']).filter(|word| !word.is_empty()).collect();
        let runs = |at: usize| (2..=WORDS_OF_NAME).filter_map(move |count| at.checked_add(count));
        (0..words.len())
            .flat_map(|at| runs(at).map(move |end| at..end))
            .filter_map(|run| words.get(run))
            .any(|run| self.names.contains(&run.join(" ")))
    }
}

/// Returns the line numbers of structures, including everything under them. The structures must be in the order of the
/// file.
fn line_ranges<'d>(typed: &'d TypedDocument<'_>, nodes: impl Iterator<Item = Node<'d>>) -> Vec<Range<u64>> {
    let mut places = typed.document().line_places();
    let lines = nodes.map(|node| {
        let first = places.place(node, node.line_span()).line;
        first..first + node.subtree_lines().len() as u64
    });
    lines.collect()
}
