//! Findings of an edited file that the file had before the edits.
//!
//! A finding moves with what it is about: lines above it come and go, the structure is put elsewhere, its
//! level changes and with it what the message says. So one is known if the file had it at the same place, and
//! else if a finding of its code stood on the same line or at the same part of the same structure and is not
//! there any more. What an edit has written itself, a payload, a tag or an identifier, must be the same as
//! well.

use crate::nodes::{NONE, Nodes};
use elf_base::{Code, Diagnostic, Excerpt, codes};
use elf_octets::{Locator, Patch};
use elf_tagged::{Document, Flags};
use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};

/// The findings of the file before the edits, and those after them that were not at their places before.
pub(super) struct KnownFindings<'d> {
    document: &'d Document<'d>,
    regions: Regions,
    hasher: RandomState,
    before: Vec<Finding>,
    /// The last of the findings before that has a hash of place and message, by that hash.
    by_place: HashMap<u64, usize>,
    after: Vec<(Finding, Diagnostic)>,
}

/// The marks that tell a finding from others.
struct Finding {
    code: Code,
    /// The line and the column, unless it is about the file as a whole.
    place: Option<(u64, u64)>,
    /// The hash of the text that it is about.
    text: u64,
    /// The finding before that has the same hash of place and message.
    next: Option<usize>,
    /// True if the edited file has it too.
    taken: bool,
}

impl<'d> KnownFindings<'d> {
    /// Knows nothing yet of the findings of `document`, in which `patches` change lines.
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

    /// Takes a finding of the file before the edits.
    pub(super) fn add(&mut self, finding: &Diagnostic) {
        let (mut found, key) = self.keyed(finding, Regions::of_old);
        found.next = self.by_place.insert(key, self.before.len());
        self.before.push(found);
    }

    /// Takes a finding of the file after the edits, once all of those before are added.
    pub(super) fn meet(&mut self, finding: Diagnostic) {
        let (found, key) = self.keyed(&finding, Regions::of_new);
        let same =
            self.by_place.get_mut(&key).and_then(|last| self.before.get_mut(*last).map(|one| (last, one)));
        let Some((last, one)) = same else { return self.after.push((found, finding)) };
        one.taken = true;
        match one.next {
            Some(next) => *last = next,
            None => drop(self.by_place.remove(&key)),
        }
    }

    /// Returns whether any finding after the edits was not the same one before.
    pub(super) fn any_left(&self) -> bool {
        !self.after.is_empty()
    }

    /// The findings that the file did not have before, in the order in which they were met. `origins` has for
    /// each node of `again`, the edited file, the structure of the editor that it is.
    pub(super) fn into_news(self, again: &Document<'_>, origins: &[u32]) -> impl Iterator<Item = Diagnostic> {
        let KnownFindings { document, regions, hasher, mut before, after, .. } = self;
        let mut is_known = vec![false; after.len()];
        let line = |found: &Finding, region: fn(&Regions, u64) -> Region| {
            let (line, column) = found.place?;
            match region(&regions, line) {
                Region::Kept(line) => Some(hasher.hash_one((found.code, line, column))),
                Region::Patched(_) => None,
            }
        };
        take(
            &mut before,
            |found| line(found, Regions::of_old),
            &after,
            |found| line(found, Regions::of_new),
            &mut is_known,
        );
        let (mut old, mut new) = (Places::of(document), Places::of(again));
        take(
            &mut before,
            |found| Some(hasher.hash_one((found.code, old.subject(found, Some)))),
            &after,
            |found| {
                let subject = new.subject(found, |node| origins.get(node as usize).copied());
                Some(hasher.hash_one((found.code, subject)))
            },
            &mut is_known,
        );
        let all = after.into_iter().zip(is_known);
        all.filter(|(_, is_known)| !is_known).map(|((_, finding), _)| finding)
    }

    /// Returns the marks of a finding, and a hash of them and its place.
    fn keyed(&self, finding: &Diagnostic, region: fn(&Regions, u64) -> Region) -> (Finding, u64) {
        let place = finding.place.filter(|_| !is_about_file(finding.code));
        let text = if place.is_some() { covered(finding) } else { String::new() };
        let key = place.map(|place| match region(&self.regions, place.line) {
            Region::Kept(line) => (0, line, place.column),
            Region::Patched(index) => (1, index as u64, 0),
        });
        let key = self.hasher.hash_one((finding.code, &finding.message, &text, key));
        let text = self.hasher.hash_one(text);
        let place = place.map(|place| (place.line, place.column));
        (Finding { code: finding.code, place, text, next: None, taken: false }, key)
    }
}

/// Calls those findings after the edits known that have the key of one before that is not taken, and takes
/// that.
fn take(
    before: &mut [Finding],
    mut key_before: impl FnMut(&Finding) -> Option<u64>,
    after: &[(Finding, Diagnostic)],
    mut key_after: impl FnMut(&Finding) -> Option<u64>,
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
    for found in before.iter_mut().filter(|found| !found.taken) {
        let same = key_before(found).and_then(|key| waiting.get_mut(&key)?.pop());
        if let Some(known) = same.and_then(|index| is_known.get_mut(index)) {
            *known = true;
            found.taken = true;
        }
    }
}

/// Returns whether findings of a code are about the whole file, so that their place depends on the rest of the file.
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

/// The text that a finding is about, as far as an excerpt shows it wherever it is in a line.
fn covered(finding: &Diagnostic) -> String {
    let (Some(place), Some(excerpt)) = (finding.place, &finding.excerpt) else { return String::new() };
    let skipped = usize::try_from(place.column.saturating_sub(excerpt.first_column)).unwrap_or(usize::MAX);
    let length = usize::try_from(place.end_column.saturating_sub(place.column)).unwrap_or(usize::MAX);
    excerpt.text.chars().skip(skipped).take(length.min(Excerpt::MAX_CHARS / 2)).collect()
}

/// Finds what findings are about.
struct Places<'d> {
    nodes: Nodes<'d>,
    locator: Locator<'d>,
    /// The nodes that are in the file, each with the structure whose lines it stands among: itself, unless
    /// it continues one or is under a line that does.
    structures: Vec<u32>,
}

impl<'d> Places<'d> {
    fn of(document: &'d Document<'_>) -> Places<'d> {
        let nodes = Nodes::of(document);
        let mut structures: Vec<u32> = Vec::with_capacity(document.len());
        for id in 0..nodes.count_in_file() {
            let parent = nodes.parent(id);
            let above = structures.get(parent as usize).copied();
            let own = !nodes.flags(id).is_continuation() && above.is_none_or(|above| above == parent);
            structures.push(if own { id } else { above.unwrap_or(id) });
        }
        Places { nodes, locator: document.locator(), structures }
    }

    /// The structure that a finding is about, as `origin` calls it, or the one before a line that is part of
    /// none; and the text, unless that is what tells only where the structure stands: its level, and CONT and
    /// CONC.
    fn subject(
        &mut self,
        found: &Finding,
        origin: impl Fn(u32) -> Option<u32>,
    ) -> Option<(Option<u32>, Option<u64>)> {
        let (line, column) = found.place?;
        let Some(node) = self.last_up_to(line) else { return Some((None, Some(found.text))) };
        if found.code == codes::XREF_REPEATED {
            // Of all structures with this identifier, any but the first.
            return Some((None, Some(found.text)));
        }
        let flags = self.nodes.flags(node);
        let is_place = self.place(node).line == line && column <= self.last_column(node, flags);
        let mut structure = self.structures.get(node as usize).copied();
        if found.code == codes::LEVEL_TOO_DEEP && structure == Some(node) {
            // About the structure that it is too deep under: if that is removed, the next structure there is too
            // deep.
            structure = Some(self.nodes.parent(node));
        }
        // A record has no superstructure that could change.
        let structure = structure.and_then(|id| if id == NONE { Some(NONE) } else { origin(id) });
        Some((structure, (!is_place).then_some(found.text)))
    }

    /// The last column at which a finding is about the place of a line, not about what it says.
    fn last_column(&mut self, node: u32, flags: Flags) -> u64 {
        let start = self.place(node).column;
        let Some(node) = self.nodes.get(node) else { return start };
        let (xref, tag) = (node.xref_span(), node.tag_span());
        match flags {
            flags if flags.is_raw() || flags.is_error() => start,
            flags if flags.is_continuation() => self.locator.place(tag).column,
            _ if xref.is_empty() => self.locator.place(tag).column.saturating_sub(1),
            // In front of the at sign.
            _ => self.locator.place(xref).column.saturating_sub(2),
        }
    }

    fn place(&mut self, node: u32) -> elf_base::Place {
        self.locator.place(self.nodes.start_span(node))
    }

    /// The node on that line, or else the last one before it.
    fn last_up_to(&mut self, line: u64) -> Option<u32> {
        let (mut low, mut high) = (0, self.nodes.count_in_file());
        while low < high {
            let middle = low + (high - low) / 2;
            if self.place(middle).line <= line {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        low.checked_sub(1)
    }
}

/// A place as the file before and after edits have it in common.
enum Region {
    /// A line that stays, by its number before.
    Kept(u64),
    /// The lines that a patch replaces, and those that it puts there.
    Patched(usize),
}

/// The lines that patches change.
struct Regions(Vec<Changed>);

/// The lines that one patch changes, by their numbers before and after.
struct Changed {
    old: (u64, u64),
    new: (u64, u64),
}

impl Regions {
    fn of(patches: &[Patch]) -> Regions {
        let (mut added, mut removed) = (0, 0);
        let changed = patches.iter().map(|patch| {
            let count = memchr::memchr_iter(b'\n', patch.with.as_bytes()).count() as u64;
            let start = patch.lines.start + added - removed;
            added += count;
            removed += patch.lines.end - patch.lines.start;
            Changed { old: (patch.lines.start, patch.lines.end), new: (start, start + count) }
        });
        Regions(changed.collect())
    }

    fn of_old(&self, line: u64) -> Region {
        let after = self.0.partition_point(|changed| changed.old.1 <= line);
        match self.0.get(after) {
            Some(changed) if changed.old.0 <= line => Region::Patched(after),
            _ => Region::Kept(line),
        }
    }

    fn of_new(&self, line: u64) -> Region {
        let after = self.0.partition_point(|changed| changed.new.1 <= line);
        match self.0.get(after) {
            Some(changed) if changed.new.0 <= line => Region::Patched(after),
            _ => {
                let before = after.checked_sub(1).and_then(|before| self.0.get(before));
                Region::Kept(before.map_or(line, |changed| line - changed.new.1 + changed.old.1))
            }
        }
    }
}
