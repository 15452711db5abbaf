//! Adds the missing halves of links that only one record has. Each is a line at the end of the other record.

use super::locked::is_guarded;
use super::split::LineSplitter;
use super::{FixOptions, FixedFinding, Fixes, MOST_SHARED};
use crate::file_style::{indent_of, line_with_indent};
use crate::nodes::Nodes;
use elf_base::{Diagnostic, FixAction, LinkAnswer, Safety};
use elf_lines::leading_level;
use elf_octets::{Locator, Patch};
use elf_tagged::{Document, Node, Payload, read_apart};
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::ops::Range;

/// Adds the missing halves of links that only one record has ([`FixAction::AnswerLink`]). Memory use depends on the
/// number of requested links, not on the length of the file.
///
/// ```
/// use elf_base::{Diagnostic, Fix, FixAction, LinkAnswer, Rules, Safety, codes};
/// use elf_edit::LinkFixes;
/// use elf_tagged::{Options, read};
///
/// let file = b"0 HEAD\n0 @I1@ INDI\n1 SEX F\n0 @F1@ FAM\n1 CHIL @I1@\n0 TRLR\n";
/// let answer = LinkAnswer { record: "I1".into(), tag: "FAMC", to: "F1".into() };
/// let finding = Diagnostic::new(codes::LINK_ONE_SIDED, &Rules::WILD, "one half is missing")
///     .fix(Fix::safe(FixAction::AnswerLink(Box::new(answer))));
/// let mut links = LinkFixes::default();
/// links.want(&finding);
/// links.find(&read(file, &Rules::WILD, &Options::default(), &mut ())?, Safety::Safe);
/// let patches = links.patches_of(&finding).expect("a fix");
/// assert_eq!((patches[0].lines.clone(), &*patches[0].with), (4..4, "1 FAMC @F1@\n"));
/// # Ok::<(), elf_tagged::TooLarge>(())
/// ```
#[derive(Debug, Default)]
pub struct LinkFixes {
    /// The requested halves whose record has not been found, by the identifier of that record.
    wanted: HashMap<Box<str>, Vec<LinkAnswer>>,
    /// The lines that are added to records. A record has one patch for all its halves.
    patches: Vec<Patch>,
    /// The indices of the patches for each half whose record was found.
    found: HashMap<LinkAnswer, Option<Range<usize>>>,
}

impl LinkFixes {
    /// Requests the missing half of a link, if a finding proposes to add it.
    pub fn want(&mut self, finding: &Diagnostic) {
        let Some(answer) = missing_half_of(finding) else { return };
        if let Entry::Vacant(vacant) = self.found.entry(answer.clone()) {
            self.wanted.entry(answer.record.clone()).or_default().push(answer.clone());
            vacant.insert(None);
        }
    }

    /// Returns whether all records that need a pointer were found.
    pub fn is_complete(&self) -> bool {
        self.wanted.is_empty()
    }

    /// Finds the records in a document or a run, and makes the lines that are added to them. No line is added to a
    /// locked record, unless unsafe fixes are requested.
    pub fn find(&mut self, document: &Document<'_>, most: Safety) {
        if self.is_complete() {
            return;
        }
        let (splitter, mut locator) = (LineSplitter::new(document), document.locator());
        for record in document.records().filter(|record| !record.is_inserted()) {
            let Some(answers) = record.xref().and_then(|xref| self.wanted.remove(xref)) else { continue };
            if most == Safety::Safe && is_guarded(record) {
                continue;
            }
            let Some(patch) = patch_record(record, &splitter, &mut locator, &answers) else { continue };
            // If there are many findings about a record, only the first ones get a copy of the lines.
            let most_shared = 1 + MOST_SHARED / (patch.with.len() + 1);
            let at = self.patches.len();
            self.patches.push(patch);
            for (number, answer) in answers.into_iter().enumerate() {
                self.found.insert(answer, Some(at..at + usize::from(number < most_shared)));
            }
        }
    }

    /// Returns the patches that complete the link of a finding. A patch contains all lines that are added to the
    /// record. If there are many findings about the record, only the first ones get the patches, and the result is
    /// empty for the others. Returns `None` if the link is not completed.
    pub fn patches_of(&self, finding: &Diagnostic) -> Option<&[Patch]> {
        self.found.get(missing_half_of(finding)?)?.clone().map(|range| &self.patches[range])
    }
}

impl Fixes {
    pub(super) fn add_links(&mut self, links: &LinkFixes, findings: &[Diagnostic], options: FixOptions<'_>) {
        if links.patches.is_empty() {
            return;
        }
        let first = self.patches.len();
        self.patches.extend(links.patches.iter().cloned());
        for (index, finding) in
            findings.iter().enumerate().filter(|(_, finding)| options.wants_fix_of(finding))
        {
            let range = missing_half_of(finding).and_then(|answer| links.found.get(answer)?.clone());
            self.fixed.extend(range.map(|range| FixedFinding {
                finding: index,
                patches: range.map(|patch| first + patch).collect(),
            }));
        }
        self.sort_patches(first);
    }

    /// Sorts the patches by place. At the same place, the patches from index `behind` on come first.
    pub(super) fn sort_patches(&mut self, behind: usize) {
        let mut order: Vec<usize> = (0..self.patches.len()).collect();
        order.sort_by_key(|&index| {
            let lines = &self.patches[index].lines;
            (lines.start, lines.end, index < behind)
        });
        let mut places = vec![0; order.len()];
        order.iter().enumerate().for_each(|(place, &index)| places[index] = place);
        self.patches = order.iter().map(|&index| self.patches[index].clone()).collect();
        self.fixed.iter_mut().flat_map(|one| &mut one.patches).for_each(|patch| *patch = places[*patch]);
    }
}

/// Returns the half of a link that a finding proposes to add.
fn missing_half_of(finding: &Diagnostic) -> Option<&LinkAnswer> {
    match finding.fix.as_ref().map(|fix| &fix.action) {
        Some(FixAction::AnswerLink(answer)) => Some(answer),
        _ => None,
    }
}

/// Returns whether the fix of a finding adds a line to another record.
pub(super) fn is_link_fix(finding: &Diagnostic) -> bool {
    missing_half_of(finding).is_some()
}

/// Makes the lines that are added to a record. Returns `None` if the rest of the record would be read differently with
/// them.
fn patch_record(
    record: Node<'_>,
    splitter: &LineSplitter<'_>,
    locator: &mut Locator<'_>,
    answers: &[LinkAnswer],
) -> Option<Patch> {
    let document = record.document();
    let source = document.source();
    let first_line = locator.line_number(record.span());
    let last = Nodes::of(document).get(record.subtree_end().get() - 1)?;
    let last_line = locator.line_number(last.span());
    // To add a line after a line without a line ending, both lines would have to be replaced.
    source.line(last_line)?.ending?;
    let level = leading_level(line_with_indent(document.text(), record.span()))?.checked_add(1)?;
    let indent = indent_under(record);
    let lines = answers.iter().map(|LinkAnswer { tag, to, .. }| format!("{indent}{level} {tag} @{to}@\n"));
    let mut patch = Patch::new(last_line + 1..last_line + 1, lines.collect::<String>());
    patch.line_break = Some(source.line_break_of(&patch));

    let lines = splitter.records_with(&[first_line], splitter.lines().start).pop()?;
    adds_only_links(document, lines, &patch, answers).then_some(patch)
}

/// Returns whether a patch adds the missing halves to the record on these lines, and changes nothing else in the
/// record.
fn adds_only_links(
    document: &Document<'_>,
    lines: Range<u64>,
    patch: &Patch,
    answers: &[LinkAnswer],
) -> bool {
    let (source, rules) = (document.source(), document.rules());
    let passage = source.passage(lines);
    let read = |source| read_apart(source, rules, document.header(), false, &mut ()).0;
    let Ok(before) = passage.decode(passage.octets(), source.decision(), rules).map(read) else {
        return false;
    };
    let Ok(patched) = before.source().splice(std::slice::from_ref(patch)) else { return false };
    let Ok(after) = passage.decode(&patched, source.decision(), rules).map(read) else { return false };
    let mut halves = answers.iter().peekable();
    let is_half_character = |node: Node<'_>, half: &LinkAnswer| {
        let record = node.superstructure().and_then(Node::xref);
        record == Some(&*half.record) && node.tag() == half.tag && node.pointer() == Some(&*half.to)
    };
    let others =
        after.structures().filter(|&node| halves.next_if(|half| is_half_character(node, half)).is_none());
    let is_same = others.map(StructureSummary::of).eq(before.structures().map(StructureSummary::of));
    is_same && halves.peek().is_none() && before.is_complete() == after.is_complete()
}

/// The content of a structure, without its substructures.
#[derive(PartialEq)]
struct StructureSummary<'n> {
    depth: usize,
    tag: &'n str,
    xref: Option<&'n str>,
    payload: Payload<'n>,
}

impl<'n> StructureSummary<'n> {
    fn of(node: Node<'n>) -> StructureSummary<'n> {
        let depth = node.with_ancestors().count();
        StructureSummary { depth, tag: node.tag(), xref: node.xref(), payload: node.payload() }
    }
}

/// Returns the whitespace at the start of the last line directly under a record. Returns an empty text if the rules do
/// not allow such whitespace.
fn indent_under(record: Node<'_>) -> &str {
    if record.document().rules().lines.delimiters.is_one_space() {
        return "";
    }
    let last = record.substructures().filter(|node| !node.is_inserted()).last();
    let line = last.map_or("", |last| line_with_indent(record.document().text(), last.span()));
    if leading_level(line) == Some(1) { indent_of(line) } else { "" }
}
