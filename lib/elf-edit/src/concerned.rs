//! The parts of a file that edits concern, joined and edited by themselves.
//!
//! A part starts with a record that means the same whatever stands before it, so parts that are joined read
//! as they do in the file, but for what stands elsewhere: the identifiers that their pointers lead to. A
//! [`FileOutline`](crate::FileOutline) chooses them so that none is missing of what an edit touches.

use crate::evidence::Evidence;
use crate::file_outline::is_same;
use crate::file_style::FileStyle;
use crate::known::is_about_file;
use crate::{Cascaded, Edited, Editor};
use elf_base::{Diagnostic, Place, Rules, codes};
use elf_octets::{
    Because, Decision, Encoding, Options, Patch, PatchLines, ReplacedReader, Replacement, Rereading,
};
use elf_tagged::{Document, starts_record};
use std::io::{self, Read, Seek};
use std::ops::Range;

/// The parts of a file that some edits concern: an [`Editor`] of them alone makes the file that one of the
/// whole would make, or it is [seen](ConcernedParts::place) that it might not.
///
/// ```
/// use elf_edit::{Edit, EditScope, EditedParts, Editor, FileOutline, PartOutline};
/// use elf_octets::{ReplacedReader, TextReader};
/// use elf_tagged::{Options, Reader, Rules};
/// use std::io::Read;
///
/// let people = (1..2000).map(|number| format!("0 @I{number}@ INDI\n1 NAME Person {number}\n"));
/// let file = format!("0 HEAD\n1 CHAR UTF-8\n{}0 TRLR\n", people.collect::<String>());
/// let (rules, options) = (Rules::WILD, Options::default());
/// let edits = [Edit::Set("@I1000@/NAME".parse()?, "Ada".into())];
///
/// let scope = EditScope::of(&edits).expect("identifiers");
/// let mut outline = FileOutline::new();
/// let mut reader = Reader::new(file.as_bytes(), &rules, &options).with_run_size(1000);
/// while let Some(part) = reader.next_run(&mut ())? {
///     outline.add(PartOutline::of(&part, &scope));
/// }
/// let parts = outline.concerned(&scope, false, reader.line_breaks()).expect("a few parts");
/// let ranges = parts.ranges().map(|range| &file[range.start as usize..range.end as usize]);
/// let octets = ranges.collect::<String>();
/// assert!(octets.len() < 6000);
///
/// let editor = Editor::open(octets.as_bytes(), &rules, &options)?;
/// let mut editor = parts.style(editor).expect("read as the whole is");
/// edits.iter().try_for_each(|edit| editor.apply(edit, &mut ()))?;
/// let mut findings = Vec::new();
/// let edited = editor.finish(&mut findings)?;
/// let placed = parts.place(&editor, &edited, findings).expect("nothing of the whole");
/// let mut whole = String::new();
/// ReplacedReader::new(file.as_bytes(), &placed.replacements).read_to_string(&mut whole)?;
/// assert_eq!(whole, file.replace("Person 1000", "Ada"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct ConcernedParts {
    stretches: Vec<Stretch>,
    style: FileStyle<'static>,
    decision: Decision,
    /// The octets from the start that hold the header, and whether all octets of the file are ASCII.
    header: (u64, bool),
}

/// Parts that follow each other in the file.
#[derive(Clone, Debug)]
pub(crate) struct Stretch {
    pub(crate) octets: Range<u64>,
    pub(crate) lines: Range<u64>,
    /// The octet and the line at which it starts among those that are joined.
    pub(crate) joined: (u64, u64),
}

/// Edits of some parts as edits of the file.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct PlacedEdits {
    /// The octets of the file that change.
    pub replacements: Vec<Replacement>,
    /// The lines that change, by their numbers in the file.
    pub patches: Vec<Patch>,
    /// The text of the lines that go, in their order.
    pub removed: Vec<String>,
    /// The findings that the edits brought about, at their places in the edited file.
    pub findings: Vec<Diagnostic>,
    /// The structures that went because what they pointed to did.
    pub cascaded: Vec<Cascaded>,
}

impl ConcernedParts {
    pub(crate) const fn new(
        stretches: Vec<Stretch>,
        style: FileStyle<'static>,
        decision: Decision,
        header: (u64, bool),
    ) -> ConcernedParts {
        ConcernedParts { stretches, style, decision, header }
    }

    /// The octets of the file to join and edit.
    pub fn ranges(&self) -> impl Iterator<Item = Range<u64>> {
        self.stretches.iter().map(|stretch| stretch.octets.clone())
    }

    /// Has an editor of the joined parts spell new lines in the style of the file; `None` where the parts
    /// by themselves are read by other rules or in another encoding than the file.
    pub fn style<'o>(&self, editor: Editor<'o>) -> Option<Editor<'o>> {
        let document = editor.document();
        let is_same = is_same(document.source().decision(), &self.decision);
        let is_read = is_same && document.is_complete() && document.head().is_some();
        is_read.then(|| Editor { style: Some(self.style.clone()), ..editor })
    }

    /// The edits of the joined parts, and what they brought about, as those of the file. `None` where they
    /// may not be the same as edits of the whole file: where they change what the header says of how the file
    /// is read, where the rules end the reading, and where something is found that speaks of more than a
    /// structure.
    pub fn place(
        &self,
        editor: &Editor<'_>,
        edited: &Edited<'_>,
        findings: Vec<Diagnostic>,
    ) -> Option<PlacedEdits> {
        let document = editor.document();
        let source = document.source();
        let cascaded = editor.cascaded();
        let is_named = |one: &Cascaded| one.path.starts_with('@');
        let is_read_alike = !changes_header(document, &edited.patches) || describes_only(editor);
        let is_apart = is_read_alike && self.start_records(document, &edited.patches);
        if !edited.complete || !is_apart || !cascaded.iter().all(is_named) {
            return None;
        }
        let replacements = source.replacements(edited.patches.iter().map(PatchLines::from)).ok()?;
        let new = self.starts_after(&edited.patches, &replacements);
        let findings: Option<_> = findings.into_iter().map(|finding| self.finding(finding, &new)).collect();
        let lines = edited.patches.iter().flat_map(|patch| patch.lines.clone());
        let removed = lines.map(|line| source.line_text(line).unwrap_or_default().to_owned()).collect();
        let patches: Option<_> = edited.patches.iter().map(|patch| self.patch(patch)).collect();
        let replacements: Option<_> = replacements.into_iter().map(|one| self.replacement(one)).collect();
        let cascaded = cascaded.into_iter().map(|one| self.cascaded(one)).collect();
        Some(PlacedEdits {
            replacements: replacements?,
            patches: patches?,
            removed,
            findings: findings?,
            cascaded,
        })
    }

    /// Tells whether the encoding of the edited file is found out as that of `file` was, by those rules and
    /// options. The file is read as far as it is asked.
    ///
    /// # Errors
    ///
    /// Whatever keeps the file from being read.
    pub fn keep_encoding<R: Read + Seek>(
        &self,
        file: &mut Rereading<R>,
        replacements: &[Replacement],
        (rules, options): (&Rules, &Options),
    ) -> io::Result<bool> {
        let Decision { because, used, .. } = &self.decision;
        let (header, is_ascii) = self.header;
        let is_shown = matches!(because, Because::Detected | Because::Forced);
        let stays_ascii = is_ascii && replacements.iter().all(|one| one.with.is_ascii());
        if is_shown || stays_ascii && !used.is_utf16() {
            return Ok(true);
        }
        let mut decide = |replacements: &[Replacement]| -> io::Result<(Encoding, Vec<Diagnostic>)> {
            let longer: u64 = replacements.iter().map(|one| one.with.len() as u64).sum();
            let mut edited = ReplacedReader::new(file.restart()?, replacements);
            let (decision, findings) = Evidence::read(&mut edited, header + longer)?.decide(rules, options);
            Ok((decision.used, findings))
        };
        let now = decide(&[])?;
        Ok(now.0 == *used && now == decide(replacements)?)
    }

    /// Tells whether each stretch starts with a record as it is edited, if anything of it is left: then it
    /// means the same, whatever stands before it.
    fn start_records(&self, document: &Document<'_>, patches: &[Patch]) -> bool {
        self.stretches.iter().filter(|stretch| stretch.lines.start > 1).all(|stretch| {
            let mut line = stretch.joined.1;
            let end = line + (stretch.lines.end - stretch.lines.start);
            let first = patches.partition_point(|patch| patch.lines.start < line);
            for patch in patches.get(first..).unwrap_or_default() {
                if patch.lines.start != line {
                    break;
                }
                // What stands between two stretches goes with the first.
                if patch.lines.is_empty() {
                    continue;
                }
                if let Some(text) = patch.with.lines().next() {
                    return starts_record(text, document.rules());
                }
                line = patch.lines.end;
            }
            let is_left = line < end && line != stretch.joined.1;
            let text = document.source().line_text(line).filter(|_| is_left);
            text.is_none_or(|text| starts_record(text, document.rules()))
        })
    }

    /// The last stretch that starts before something.
    fn stretch(&self, is_before: impl Fn(&Stretch) -> bool) -> Option<&Stretch> {
        let behind = self.stretches.partition_point(is_before);
        self.stretches.get(behind.saturating_sub(1))
    }

    fn patch(&self, patch: &Patch) -> Option<Patch> {
        let lines = &patch.lines;
        // What stands between two stretches goes with the first.
        let at = if lines.is_empty() { lines.start.saturating_sub(1) } else { lines.start };
        let stretch = self.stretch(|stretch| stretch.joined.1 <= at)?;
        let gap = stretch.lines.start - stretch.joined.1;
        let lines = lines.start + gap..lines.end + gap;
        let mut patch = patch.clone();
        patch.lines = lines;
        (patch.lines.end <= stretch.lines.end).then_some(patch)
    }

    fn replacement(&self, Replacement { octets, with, .. }: Replacement) -> Option<Replacement> {
        let at = if octets.is_empty() { octets.start.saturating_sub(1) } else { octets.start };
        let stretch = self.stretch(|stretch| stretch.joined.0 <= at)?;
        let gap = stretch.octets.start - stretch.joined.0;
        let octets = octets.start + gap..octets.end + gap;
        (octets.end <= stretch.octets.end).then(|| Replacement::new(octets, with))
    }

    /// The octet and the line at which each stretch starts among the joined parts as they are edited.
    fn starts_after(&self, patches: &[Patch], replacements: &[Replacement]) -> Vec<(u64, u64)> {
        let (mut octets, mut lines) = ((0, 0), (0, 0));
        let (mut patches, mut replacements) = (patches.iter().peekable(), replacements.iter().peekable());
        let starts = self.stretches.iter().map(|stretch| {
            let (octet, line) = stretch.joined;
            while let Some(patch) = patches.next_if(|patch| line > 1 && patch.lines.end <= line) {
                lines.0 += patch.with.lines().count() as u64;
                lines.1 += patch.lines.end - patch.lines.start;
            }
            while let Some(one) = replacements.next_if(|one| octet > 0 && one.octets.end <= octet) {
                octets.0 += one.with.len() as u64;
                octets.1 += one.octets.end - one.octets.start;
            }
            (octet + octets.0 - octets.1, line + lines.0 - lines.1)
        });
        starts.collect()
    }

    /// A finding at its place in the edited file; `None` for one that the whole file may not have, or
    /// may have otherwise.
    fn finding(&self, mut finding: Diagnostic, starts: &[(u64, u64)]) -> Option<Diagnostic> {
        let is_of_whole = is_about_file(finding.code)
            || [codes::WHITESPACE_CANNOT_BE_KEPT, codes::XREF_REPEATED].contains(&finding.code)
            || finding.count.is_some()
            || !finding.related.is_empty();
        let place: Place = finding.place.filter(|_| !is_of_whole)?;
        let index = starts.partition_point(|(_, line)| *line <= place.line).checked_sub(1)?;
        let stretch = self.stretches.get(index)?;
        let octet = place.octet + stretch.octets.start - stretch.joined.0;
        let line = place.line + stretch.lines.start - stretch.joined.1;
        finding.place = Some(Place::new(octet, line, place.column, place.end_column));
        Some(finding)
    }

    fn cascaded(&self, one: Cascaded) -> Cascaded {
        let line = one.line.map(|line| {
            let stretch = self.stretch(|stretch| stretch.joined.1 <= line);
            stretch.map_or(line, |stretch| line + stretch.lines.start - stretch.joined.1)
        });
        Cascaded { line, ..one }
    }
}

/// Tells whether patches change lines of the header.
fn changes_header(document: &Document<'_>, patches: &[Patch]) -> bool {
    let Some(head) = document.head() else { return true };
    let last = head.descendants().last().unwrap_or(head);
    let last = document.locator().place(last.span()).line;
    patches.iter().any(|patch| patch.lines.start <= last + u64::from(patch.lines.is_empty()))
}

/// The structures of a header that say nothing of how the file is read.
const DESCRIPTIONS: [&str; 9] = ["SOUR", "DEST", "DATE", "SUBM", "SUBN", "FILE", "COPR", "NOTE", "SNOTE"];

/// Tells whether edits change nothing of the header but what describes the file.
fn describes_only(editor: &Editor<'_>) -> bool {
    let Some(head) = editor.document().head() else { return false };
    let (head, now) = (head.id().get(), editor.now());
    let describes = |tag: &str| DESCRIPTIONS.contains(&tag);
    let before = now.nodes().children(head).filter(|id| !describes(now.nodes().tag(*id)));
    let after: Vec<u32> = now.substructures(head).filter(|id| !describes(now.tag(*id))).collect();
    let stays = now.is_in_place(head) && now.change(head).is_none();
    stays && before.eq(after.iter().copied()) && !after.iter().any(|id| now.is_touched(*id))
}
