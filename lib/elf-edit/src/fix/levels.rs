//! Corrects the levels of lines, and converts raw lines into continuation lines.

use super::lines::LineChanges;
use crate::nodes::{NONE, Nodes};
use elf_lines::leading_level;
use elf_tagged::{Document, Node};
use std::collections::BTreeMap;

pub(super) struct LevelFinding {
    pub(super) node: u32,
    pub(super) finding: usize,
}

/// A finding about a line that was read as text of the payload before it.
pub(super) struct RawLineFinding {
    pub(super) node: u32,
    pub(super) finding: usize,
}

/// The nodes whose levels are corrected.
#[derive(Default)]
pub(super) struct CorrectedLevels {
    /// The ranges of nodes whose levels are corrected, by the first node of each range.
    ranges: BTreeMap<u32, CorrectedRange>,
    /// The depth of each node.
    depths: Vec<u32>,
    /// Whether the level of CHAR may be changed. Outside the header, a search for the encoding of the file could then
    /// find this line (J19 §7.2.2).
    may_move_char: bool,
}

#[derive(Clone, Copy)]
struct CorrectedRange {
    /// The node after the last node of the range.
    end: u32,
    /// The difference between the level and the depth.
    raised_by: i64,
}

/// A structure with wrong levels under it. The structure is not itself under another such structure.
struct OuterStructure {
    node: u32,
    /// The node after the last node under the structure.
    end: u32,
    findings: Vec<LevelFinding>,
}

impl CorrectedLevels {
    fn new(document: &Document<'_>, may_move_char: bool) -> CorrectedLevels {
        let mut depths: Vec<u32> = Vec::with_capacity(document.len());
        for node in document.nodes() {
            // A superstructure comes before its substructures, so its depth is already known.
            let depth = node.superstructure().map_or(0, |above| depths[above.id().index()] + 1);
            depths.push(depth);
        }
        CorrectedLevels { ranges: BTreeMap::new(), depths, may_move_char }
    }

    /// Returns the corrected level of a node. Returns `None` if the level of the node is not corrected.
    fn corrected_level(&self, node: u32) -> Option<u32> {
        let (_, range) = self.ranges.range(..=node).next_back()?;
        if node < range.end { self.raised_level(node, range.raised_by) } else { None }
    }

    fn raised_level(&self, node: u32, raised: i64) -> Option<u32> {
        u32::try_from(i64::from(self.depths[node as usize]) + raised).ok()
    }
}

/// Sets the levels of all lines under the superstructures of `found` to the levels that match their depths. All
/// siblings are corrected together: a sibling may have the same wrong level, and it keeps its place only if it is
/// corrected too.
pub(super) fn correct_levels(
    lines: &mut LineChanges<'_>,
    found: Vec<LevelFinding>,
    may_move_char: bool,
) -> CorrectedLevels {
    if found.is_empty() {
        return CorrectedLevels::default();
    }
    let nodes = Nodes::of(lines.document());
    let mut corrected = CorrectedLevels::new(lines.document(), may_move_char);
    for OuterStructure { node: above, end, mut findings } in find_outer_structures(nodes, found) {
        findings.sort_by_key(|one| (one.node, one.finding));
        let number = lines.line_of_node(above);
        let Some(written) = leading_level(lines.line_text(number)) else { continue };
        if findings.iter().any(|one| follows_unread_line(nodes, lines, one.node)) {
            continue;
        }
        let raised = i64::from(written) - i64::from(corrected.depths[above as usize]);
        let range = CorrectedRange { end, raised_by: raised };
        if correct_range(nodes, lines, &corrected, above + 1, range, &findings) {
            corrected.ranges.insert(above + 1, range);
            findings.iter().for_each(|one| lines.mark_fixed(one.finding));
        }
    }
    corrected
}

fn find_outer_structures(nodes: Nodes<'_>, found: Vec<LevelFinding>) -> Vec<OuterStructure> {
    let mut by_superstructure: BTreeMap<u32, Vec<LevelFinding>> = BTreeMap::new();
    for finding in found {
        // A line before the first record has no superstructure.
        let above = nodes.parent(finding.node);
        if above != NONE {
            by_superstructure.entry(above).or_default().push(finding);
        }
    }
    let mut outer: Vec<OuterStructure> = Vec::new();
    for (node, findings) in by_superstructure {
        match outer.last_mut() {
            Some(last) if node < last.end => last.findings.extend(findings),
            _ => outer.push(OuterStructure { node, end: nodes.subtree_end(node), findings }),
        }
    }
    outer
}

/// Returns whether a line that is too deep follows a line that could not be read, and that line starts with the level
/// above its own. If so, the line belongs under that line.
fn follows_unread_line(nodes: Nodes<'_>, lines: &mut LineChanges<'_>, node: u32) -> bool {
    let Some(before) = node.checked_sub(1).filter(|&before| nodes.flags(before).is_error()) else {
        return false;
    };
    let [before, own] = [before, node].map(|node| {
        let number = lines.line_of_node(node);
        leading_level(lines.line_text(number))
    });
    before.zip(own).is_some_and(|(before, own)| before.checked_add(1) == Some(own))
}

/// Corrects all levels in a range of nodes, or none of them. Returns whether any level was changed. Each changed line
/// is assigned to the last finding that is not after it.
fn correct_range(
    nodes: Nodes<'_>,
    lines: &mut LineChanges<'_>,
    corrected: &CorrectedLevels,
    start: u32,
    range: CorrectedRange,
    findings: &[LevelFinding],
) -> bool {
    let mut changes = Vec::new();
    for node in start..range.end {
        let flags = nodes.flags(node);
        if is_stray_continuation(nodes, node) || flags.is_raw() && may_begin_record(lines, node) {
            return false;
        }
        let is_damaged = flags.is_damaged_line();
        if (flags.is_raw() || flags.is_error() || flags.is_inserted()) && !is_damaged {
            continue;
        }
        let number = lines.line_of_node(node);
        let (old, new) =
            (leading_level(lines.line_text(number)), corrected.raised_level(node, range.raised_by));
        if is_damaged && old != new {
            // A damaged line and the lines around it are not changed.
            return false;
        }
        if let (Some(old), Some(new)) = (old, new)
            && old != new
        {
            let is_char = nodes.tag(node).eq_ignore_ascii_case("CHAR");
            // The number `u32::MAX` represents every level that does not fit into 32 bits.
            if !lines.is_rewritable_alone(number) || old == u32::MAX || is_char && !corrected.may_move_char {
                return false;
            }
            changes.push((node, number, new));
        }
    }
    for &(node, number, level) in &changes {
        let behind = findings.partition_point(|one| one.node <= node);
        lines.set_level(number, level, findings[behind.saturating_sub(1)].finding);
    }
    !changes.is_empty()
}

/// Returns whether the lines after a node may belong to another record.
fn may_begin_record(lines: &mut LineChanges<'_>, node: u32) -> bool {
    let number = lines.line_of_node(node);
    lines.may_begin_record(number)
}

/// Returns whether a continuation line has nothing to continue, or does not directly follow the structure that it
/// continues. The place of such a line depends on more than its level.
fn is_stray_continuation(nodes: Nodes<'_>, node: u32) -> bool {
    if !nodes.flags(node).is_continuation() {
        return matches!(nodes.tag(node), "CONT" | "CONC");
    }
    !follows_owner(nodes, node)
}

/// Returns whether a continuation line directly follows the structure that it continues, or another continuation line
/// of this structure.
fn follows_owner(nodes: Nodes<'_>, node: u32) -> bool {
    let owner = nodes.parent(node);
    let before = node.wrapping_sub(1);
    let is_beside = nodes.parent(before) == owner && nodes.subtree_end(before) == node;
    before == owner || is_beside && nodes.flags(before).is_continuation()
}

/// Returns whether a structure is serialisation metadata. The payload of serialisation metadata has no escapes (D19
/// *Header metadata*).
fn is_metadata(document: &Document<'_>, node: u32) -> bool {
    let node = Nodes::of(document).get(node).filter(|_| document.rules().tagged.metadata.is_raw());
    node.into_iter().flat_map(Node::with_ancestors).any(|node| node.flags().is_hidden())
}

/// Converts raw lines, and the blank lines before them, into CONT lines.
pub(super) fn continue_raw_lines(
    lines: &mut LineChanges<'_>,
    found: Vec<RawLineFinding>,
    corrected: &CorrectedLevels,
) {
    let document = lines.document();
    let nodes = Nodes::of(document);
    let is_trimmed = document.rules().lines.payload.is_trimmed();
    for RawLineFinding { node, finding } in found {
        let owner = nodes.parent(node);
        if owner == NONE || !follows_owner(nodes, node) || is_metadata(document, owner) {
            continue;
        }
        let number = lines.line_of_node(node);
        let text = lines.line_text(number);
        if is_trimmed && text.trim_matches([' ', '\t']).len() < text.len() {
            continue;
        }
        let owner_line = lines.line_of_node(owner);
        let level = corrected.corrected_level(owner).or_else(|| leading_level(lines.line_text(owner_line)));
        let Some(level) = level.and_then(|level| level.checked_add(1)) else { continue };
        let head = format!("{level} CONT");
        for blank in 1..nodes.get(node).map_or(1, Node::raw_line_breaks) as u64 {
            let length = lines.line_text(number - blank).len();
            lines.replace_range(number - blank, 0..length, &head, finding);
        }
        lines.prefix_line(number, &format!("{head} "), finding);
        // Text that looks like a pointer would become a pointer in a CONT line.
        let shape = text.trim_matches([' ', '\t']).strip_prefix('@').and_then(|rest| rest.strip_suffix('@'));
        if shape.is_some_and(|label| !label.is_empty() && !label.starts_with('#') && !label.contains('@')) {
            for (at, _) in text.match_indices('@') {
                lines.replace_range(number, at..at, "@", finding);
            }
        }
    }
}
