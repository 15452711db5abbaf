//! Compares the findings of a file before and after its edits, and returns the new findings.
//!
//! A finding is known if the file had a finding with the same message at the same place before the edits. All others
//! are new.
//!
//! Edits may move a finding, because lines above it are added or removed, or because its structure gets a different
//! place or level. This may also change its message. Therefore a finding is also known if a finding with the same code
//! has disappeared from the same line, or from the same part of the same structure. If an edit changed the payload, tag
//! or identifier that the finding is about, this text must be the same as before.

use crate::nodes::{NONE, Nodes};
use elf_base::{Code, Diagnostic, Excerpt, codes};
use elf_octets::{Locator, Patch};
use elf_tagged::{Document, Flags};
use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};
use std::ops::Range;

/// The findings before the edits, and those findings after the edits that are at new places.
pub(super) struct KnownFindings<'d> {
    document: &'d Document<'d>,
    regions: Regions,
    hasher: RandomState,
    before: Vec<FindingMarks>,
    /// For each hash of place and message, the last finding before the edits that has this hash.
    by_place: HashMap<u64, usize>,
    after: Vec<(FindingMarks, Diagnostic)>,
}

/// The properties by which findings before and after the edits are matched.
struct FindingMarks {
    code: Code,
    /// The line and the column of the finding. `None` if the finding is about the whole file.
    place: Option<LineAndColumn>,
    /// The hash of the text that the finding is about.
    text_hash: u64,
    /// The previous finding with the same hash of place and message.
    next_with_hash: Option<usize>,
    /// Whether the edited file has the finding too.
    is_matched: bool,
}

/// The line and the column of a finding.
#[derive(Clone, Copy)]
struct LineAndColumn {
    line: u64,
    column: u64,
}

impl<'d> KnownFindings<'d> {
    /// Creates an empty list for `document`. `patches` are the changes to its lines.
    pub(super) fn new(document: &'d Document<'d>, patches: &[Patch]) -> KnownFindings<'d> {
        KnownFindings {
            document,
            regions: Regions::of(patches),
            hasher: RandomState::new(),
            before: Vec::new(),
            by_place: HashMap::new(),
            after: Vec::new(),
        }
    }

    /// Adds a finding of the file before the edits.
    pub(super) fn add_before(&mut self, finding: &Diagnostic) {
        let (mut found, key) = self.mark_finding(finding, Regions::region_before);
        found.next_with_hash = self.by_place.insert(key, self.before.len());
        self.before.push(found);
    }

    /// Adds a finding of the file after the edits. Call this after all calls of `add_before`.
    pub(super) fn add_after(&mut self, finding: Diagnostic) {
        let (found, key) = self.mark_finding(&finding, Regions::region_after);
        let same =
            self.by_place.get_mut(&key).and_then(|last| self.before.get_mut(*last).map(|one| (last, one)));
        let Some((last, one)) = same else { return self.after.push((found, finding)) };
        one.is_matched = true;
        match one.next_with_hash {
            Some(next) => *last = next,
            None => drop(self.by_place.remove(&key)),
        }
    }

    /// Returns whether a finding after the edits may be new.
    pub(super) fn has_new(&self) -> bool {
        !self.after.is_empty()
    }

    /// Returns the findings that the file did not have before the edits, in the order in which they were added.
    /// `origins` maps each node of `again`, the edited file, to its structure in the editor.
    pub(super) fn into_new_findings(
        self,
        again: &Document<'_>,
        origins: &[u32],
    ) -> impl Iterator<Item = Diagnostic> {
        let KnownFindings { document, regions, hasher, mut before, after, .. } = self;
        let mut is_known = vec![false; after.len()];
        let line = |found: &FindingMarks, region: fn(&Regions, u64) -> LineRegion| {
            let LineAndColumn { line, column } = found.place?;
            match region(&regions, line) {
                LineRegion::Kept(line) => Some(hasher.hash_one((found.code, line, column))),
                LineRegion::Patched(_) => None,
            }
        };
        match_by_key(
            &mut before,
            |found| line(found, Regions::region_before),
            &after,
            |found| line(found, Regions::region_after),
            &mut is_known,
        );
        let (mut old, mut new) = (FindingSubjects::of(document), FindingSubjects::of(again));
        match_by_key(
            &mut before,
            |found| Some(hasher.hash_one((found.code, old.find_subject(found, Some)))),
            &after,
            |found| {
                let subject = new.find_subject(found, |node| origins.get(node as usize).copied());
                Some(hasher.hash_one((found.code, subject)))
            },
            &mut is_known,
        );
        let all = after.into_iter().zip(is_known);
        all.filter(|(_, is_known)| !is_known).map(|((_, finding), _)| finding)
    }

    /// Returns the properties of a finding, and a hash of these properties and the place.
    fn mark_finding(
        &self,
        finding: &Diagnostic,
        region: fn(&Regions, u64) -> LineRegion,
    ) -> (FindingMarks, u64) {
        let place = finding.place.filter(|_| !is_about_file(finding.code));
        let text = if place.is_some() { covered_text(finding) } else { String::new() };
        let key = place.map(|place| match region(&self.regions, place.line) {
            LineRegion::Kept(line) => (0, line, place.column),
            LineRegion::Patched(index) => (1, index as u64, 0),
        });
        let key = self.hasher.hash_one((finding.code, &finding.message, &text, key));
        let text = self.hasher.hash_one(text);
        let place = place.map(|place| LineAndColumn { line: place.line, column: place.column });
        (
            FindingMarks {
                code: finding.code,
                place,
                text_hash: text,
                next_with_hash: None,
                is_matched: false,
            },
            key,
        )
    }
}

/// Matches findings after the edits with findings before the edits that have no match yet. Two findings match if they
/// have the same key.
fn match_by_key(
    before: &mut [FindingMarks],
    mut key_before: impl FnMut(&FindingMarks) -> Option<u64>,
    after: &[(FindingMarks, Diagnostic)],
    mut key_after: impl FnMut(&FindingMarks) -> Option<u64>,
    is_known: &mut [bool],
) {
    let mut waiting: HashMap<u64, Vec<usize>> = HashMap::new();
    for (index, (found, _)) in after.iter().enumerate().rev() {
        if let Some(key) = key_after(found).filter(|_| is_known.get(index) == Some(&false)) {
            waiting.entry(key).or_default().push(index);
        }
    }
    if waiting.is_empty() {
        return;
    }
    for found in before.iter_mut().filter(|found| !found.is_matched) {
        let same = key_before(found).and_then(|key| waiting.get_mut(&key)?.pop());
        if let Some(known) = same.and_then(|index| is_known.get_mut(index)) {
            *known = true;
            found.is_matched = true;
        }
    }
}

/// Returns whether findings with this code are about the whole file. The place of such a finding depends on the rest of
/// the file.
///
/// ```
/// use elf_edit::{elf_tagged::codes, is_about_file};
///
/// assert!(is_about_file(codes::ENCODING_CONTRADICTED) && !is_about_file(codes::LEVEL_TOO_DEEP));
/// ```
pub fn is_about_file(code: Code) -> bool {
    [
        codes::NOT_ELF,
        codes::ENCODING_UNKNOWN,
        codes::ENCODING_CONTRADICTED,
        codes::ENCODING_CONTRADICTS_MARK,
        codes::ENCODING_ALIAS,
        codes::ENCODING_BY_CONTENT,
        codes::ENCODING_DEPRECATED,
        codes::ENCODING_UNNAMED,
        codes::ENCODING_UNCERTAIN,
        codes::LINE_BREAKS_MIXED,
        codes::TRAILER_MISSING,
    ]
    .contains(&code)
}

/// Returns the text at the place of a finding.
fn covered_text(finding: &Diagnostic) -> String {
    let (Some(place), Some(excerpt)) = (finding.place, &finding.excerpt) else { return String::new() };
    let skipped = usize::try_from(place.column.saturating_sub(excerpt.first_column)).unwrap_or(usize::MAX);
    let length = usize::try_from(place.end_column.saturating_sub(place.column)).unwrap_or(usize::MAX);
    excerpt.text.chars().skip(skipped).take(length.min(Excerpt::MAX_CHARS / 2)).collect()
}

/// Finds the structures that findings are about.
struct FindingSubjects<'d> {
    nodes: Nodes<'d>,
    locator: Locator<'d>,
    /// The structure to which the line of each node in the file belongs. A continuation line and everything under it
    /// belong to the structure that it continues.
    structures: Vec<u32>,
}

/// The structure that a finding is about, and the hash of the text that it is about.
#[derive(Hash)]
struct Subject {
    structure: Option<u32>,
    text_hash: Option<u64>,
}

impl<'d> FindingSubjects<'d> {
    fn of(document: &'d Document<'_>) -> FindingSubjects<'d> {
        let nodes = Nodes::of(document);
        let mut structures: Vec<u32> = Vec::with_capacity(document.len());
        for id in 0..nodes.count_in_file() {
            let parent = nodes.parent(id);
            let above = structures.get(parent as usize).copied();
            let own = !nodes.flags(id).is_continuation() && above.is_none_or(|above| above == parent);
            structures.push(if own { id } else { above.unwrap_or(id) });
        }
        FindingSubjects { nodes, locator: document.locator(), structures }
    }

    /// Returns the structure that a finding is about, by the number that `origin` returns. If the line belongs to no
    /// structure, returns the structure before it. The text is left out if it only shows the position of the structure.
    /// The text that only shows a position is the level of the structure, and the tags CONT and CONC.
    fn find_subject(&mut self, found: &FindingMarks, origin: impl Fn(u32) -> Option<u32>) -> Option<Subject> {
        let LineAndColumn { line, column } = found.place?;
        let Some(node) = self.last_node_up_to(line) else {
            return Some(Subject { structure: None, text_hash: Some(found.text_hash) });
        };
        if found.code == codes::XREF_REPEATED {
            // The finding may move to another structure with this identifier, because the first structure with it is
            // never reported.
            return Some(Subject { structure: None, text_hash: Some(found.text_hash) });
        }
        let flags = self.nodes.flags(node);
        let is_place = self.position_in_line(node).line == line
            && column <= self.last_column_about_position(node, flags);
        let mut structure = self.structures.get(node as usize).copied();
        if found.code == codes::LEVEL_TOO_DEEP && structure == Some(node) {
            // Use the structure above: if the line with the finding is removed, the finding moves to the next line
            // under that structure.
            structure = Some(self.nodes.parent(node));
        }
        // For a record, the structure above is the top of the tree, which need not be mapped.
        let structure = structure.and_then(|id| if id == NONE { Some(NONE) } else { origin(id) });
        Some(Subject { structure, text_hash: (!is_place).then_some(found.text_hash) })
    }

    /// Returns the last column of a line at which a finding is about the position of the line instead of its content.
    fn last_column_about_position(&mut self, node: u32, flags: Flags) -> u64 {
        let start = self.position_in_line(node).column;
        let Some(node) = self.nodes.get(node) else { return start };
        let (xref, tag) = (node.xref_span(), node.tag_span());
        match flags {
            flags if flags.is_raw() || flags.is_error() => start,
            flags if flags.is_continuation() => self.locator.place(tag).column,
            _ if xref.is_empty() => self.locator.place(tag).column.saturating_sub(1),
            // This is the column before the at sign of the identifier.
            _ => self.locator.place(xref).column.saturating_sub(2),
        }
    }

    fn position_in_line(&mut self, node: u32) -> elf_base::Place {
        self.locator.place(self.nodes.line_start_span(node))
    }

    /// Returns the node on a line. If the line has no node, returns the last node before it.
    fn last_node_up_to(&mut self, line: u64) -> Option<u32> {
        let (mut low, mut high) = (0, self.nodes.count_in_file());
        while low < high {
            let middle = low + (high - low) / 2;
            if self.position_in_line(middle).line <= line {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        low.checked_sub(1)
    }
}

/// A line that is identified in a way that is the same before and after the edits.
enum LineRegion {
    /// An unchanged line. The unchanged line is identified by its number before the edits.
    Kept(u64),
    /// A line that a patch replaces or inserts. The line is identified by the index of the patch.
    Patched(usize),
}

struct Regions(Vec<PatchedLines>);

/// The lines that one patch changes. The lines are given by their numbers before and after the edits.
struct PatchedLines {
    old: Range<u64>,
    new: Range<u64>,
}

impl Regions {
    fn of(patches: &[Patch]) -> Regions {
        let (mut added, mut removed) = (0, 0);
        let changed = patches.iter().map(|patch| {
            let count = memchr::memchr_iter(b'\n', patch.with.as_bytes()).count() as u64;
            let start = patch.lines.start + added - removed;
            added += count;
            removed += patch.lines.end - patch.lines.start;
            PatchedLines { old: patch.lines.start..patch.lines.end, new: start..start + count }
        });
        Regions(changed.collect())
    }

    fn region_before(&self, line: u64) -> LineRegion {
        let after = self.0.partition_point(|changed| changed.old.end <= line);
        match self.0.get(after) {
            Some(changed) if changed.old.start <= line => LineRegion::Patched(after),
            _ => LineRegion::Kept(line),
        }
    }

    fn region_after(&self, line: u64) -> LineRegion {
        let after = self.0.partition_point(|changed| changed.new.end <= line);
        match self.0.get(after) {
            Some(changed) if changed.new.start <= line => LineRegion::Patched(after),
            _ => {
                let before = after.checked_sub(1).and_then(|before| self.0.get(before));
                LineRegion::Kept(before.map_or(line, |changed| line - changed.new.end + changed.old.end))
            }
        }
    }
}
