//! Levels as the structures have them, and CONT for raw line breaks.

use super::lines::Lines;
use crate::nodes::{NONE, Nodes};
use elf_lines::leading_level;
use elf_tagged::{Document, Node};
use std::collections::BTreeMap;

/// The nodes whose levels are put right.
#[derive(Default)]
pub(super) struct Adjusted {
    /// By the first node, the node after the last, and how much the levels are above the depths.
    ranges: BTreeMap<u32, (u32, i64)>,
    depths: Vec<u32>,
    /// True if CHAR may get another level: elsewhere than in the header of the file, the search for its
    /// encoding could come to see it there (J19 §7.2.2).
    moves_char: bool,
}

impl Adjusted {
    /// The level that a node gets, if it gets one.
    fn level(&self, node: u32) -> Option<u32> {
        let (_, &(end, above)) = self.ranges.range(..=node).next_back()?;
        if node < end { self.raised(node, above) } else { None }
    }

    fn raised(&self, node: u32, above: i64) -> Option<u32> {
        let depth = *self.depths.get(node as usize)?;
        u32::try_from(i64::from(depth) + above).ok()
    }
}

/// Gives all lines beneath the superstructures of `found` the levels that the structures have. A line beside
/// one that is too deep may be as deep, and falls where it belongs only if its level is put right too.
pub(super) fn adjust(
    document: &Document<'_>,
    lines: &mut Lines<'_>,
    found: &[(u32, u32)],
    moves_char: bool,
) -> Adjusted {
    if found.is_empty() {
        return Adjusted::default();
    }
    let nodes = Nodes::of(document);
    let depths = Vec::with_capacity(document.len());
    let mut adjusted = Adjusted { ranges: BTreeMap::new(), depths, moves_char };
    for node in document.nodes() {
        let above = node.superstructure().and_then(|above| adjusted.depths.get(above.id().index()));
        let depth = above.map_or(0, |above| above + 1);
        adjusted.depths.push(depth);
    }
    // By superstructure. What is beneath two of them is beneath one of the two.
    let mut wanted: BTreeMap<u32, Vec<(u32, u32)>> = BTreeMap::new();
    for &(finding, node) in found {
        // What stands before the first record has nothing that it belongs to.
        let above = nodes.parent(node);
        if above != NONE {
            wanted.entry(above).or_default().push((node, finding));
        }
    }
    let mut outermost: Vec<Outermost> = Vec::new();
    for (above, findings) in wanted {
        match outermost.last_mut() {
            Some(last) if above < last.end => last.findings.extend(findings),
            _ => outermost.push(Outermost { above, end: nodes.end(above), findings }),
        }
    }
    for Outermost { above, end, mut findings } in outermost {
        findings.sort();
        let number = lines.number(above);
        let Some(written) = leading_level(lines.text(number)) else { continue };
        if findings.iter().any(|&(node, _)| follows_unread(nodes, lines, node)) {
            continue;
        }
        let depth = adjusted.depths.get(above as usize).copied().unwrap_or(0);
        let raised = i64::from(written) - i64::from(depth);
        if adjust_beneath(nodes, lines, &adjusted, (above + 1, end, raised), &findings) {
            adjusted.ranges.insert(above + 1, (end, raised));
            findings.into_iter().for_each(|(_, finding)| lines.repaired(finding));
        }
    }
    adjusted
}

/// Tells whether a line too deep stands behind one that could not be read, but starts with the level above
/// its own: it belongs beneath that, and its level is the evidence for it.
fn follows_unread(nodes: Nodes<'_>, lines: &mut Lines<'_>, node: u32) -> bool {
    let Some(before) = node.checked_sub(1).filter(|&before| nodes.flags(before).is_error()) else {
        return false;
    };
    let [before, own] = [before, node].map(|node| {
        let number = lines.number(node);
        leading_level(lines.text(number))
    });
    before.zip(own).is_some_and(|(before, own)| before.checked_add(1) == Some(own))
}

/// A superstructure that stands in no other, beneath which levels are wrong.
struct Outermost {
    above: u32,
    /// The number of the node behind all that is beneath it.
    end: u32,
    /// The nodes whose levels are found wrong, each with the number of its finding.
    findings: Vec<(u32, u32)>,
}

/// Puts the levels of a range of nodes right: all that are wrong, or none; whether there were any. Each line
/// changes for the last of `findings`, which come with their nodes, up to there.
fn adjust_beneath(
    nodes: Nodes<'_>,
    lines: &mut Lines<'_>,
    adjusted: &Adjusted,
    (start, end, raised): (u32, u32, i64),
    findings: &[(u32, u32)],
) -> bool {
    let mut changes = Vec::new();
    for node in start..end {
        if is_stray(nodes, node) {
            return false;
        }
        let flags = nodes.flags(node);
        if flags.is_raw() && {
            let number = lines.number(node);
            lines.may_begin_record(number)
        } {
            // What follows may belong to another record.
            return false;
        }
        let damaged = flags.is_damaged_line();
        if (flags.is_raw() || flags.is_error() || flags.is_inserted()) && !damaged {
            continue;
        }
        let number = lines.number(node);
        let (old, new) = (leading_level(lines.text(number)), adjusted.raised(node, raised));
        if damaged && old != new {
            // A damaged line is left alone, and so is what stands around it.
            return false;
        }
        if let (Some(old), Some(new)) = (old, new)
            && old != new
        {
            // A level so high stands for all above it.
            let is_char = nodes.tag(node).eq_ignore_ascii_case("CHAR");
            if !lines.is_whole(number) || old == u32::MAX || is_char && !adjusted.moves_char {
                return false;
            }
            changes.push((node, number, new));
        }
    }
    for &(node, number, level) in &changes {
        let behind = findings.partition_point(|(of, _)| *of <= node);
        if let Some(&(_, finding)) = findings.get(behind.saturating_sub(1)) {
            lines.level(number, Some(level), finding);
        }
    }
    !changes.is_empty()
}

/// Tells whether a node is a continuation line that continues nothing, or that does not follow the structure
/// it continues: the place of such a line depends on more than its level.
fn is_stray(nodes: Nodes<'_>, node: u32) -> bool {
    if !nodes.flags(node).is_continuation() {
        return matches!(nodes.tag(node), "CONT" | "CONC");
    }
    !follows_owner(nodes, node)
}

/// Tells whether a continuation line stands right behind the structure it continues, or behind another
/// continuation line of that structure.
fn follows_owner(nodes: Nodes<'_>, node: u32) -> bool {
    let owner = nodes.parent(node);
    let before = node.wrapping_sub(1);
    let is_beside = nodes.parent(before) == owner && nodes.end(before) == node;
    before == owner || is_beside && nodes.flags(before).is_continuation()
}

/// Tells whether a structure is part of the serialisation metadata that is read as it stands (D19 *Header
/// metadata*).
fn is_metadata(document: &Document<'_>, node: u32) -> bool {
    let node = Nodes::of(document).get(node).filter(|_| document.rules().tagged.metadata.is_raw());
    node.into_iter().flat_map(Node::ancestors).any(|node| node.flags().is_hidden())
}

/// Makes CONT lines of raw ones, and of the blank lines before them.
pub(super) fn continue_raw(
    document: &Document<'_>,
    lines: &mut Lines<'_>,
    raw: &[(u32, u32)],
    adjusted: &Adjusted,
) {
    let nodes = Nodes::of(document);
    let trims = document.rules().lines.payload.is_trimmed();
    for &(finding, node) in raw {
        let owner = nodes.parent(node);
        if owner == NONE || !follows_owner(nodes, node) || is_metadata(document, owner) {
            continue;
        }
        let number = lines.number(node);
        let text = lines.text(number);
        if trims && text.trim_matches([' ', '\t']).len() < text.len() {
            continue;
        }
        let owner_line = lines.number(owner);
        let level = adjusted.level(owner).or_else(|| leading_level(lines.text(owner_line)));
        let Some(level) = level.and_then(|level| level.checked_add(1)) else { continue };
        let head = format!("{level} CONT");
        for blank in 1..nodes.get(node).map_or(1, Node::raw_line_breaks) as u64 {
            let length = lines.text(number - blank).len();
            lines.replace(number - blank, 0..length, &head, finding);
        }
        lines.prefix(number, &format!("{head} "), finding);
        // What would look like a pointer is text.
        let shape = text.trim_matches([' ', '\t']).strip_prefix('@').and_then(|rest| rest.strip_suffix('@'));
        if shape.is_some_and(|label| !label.is_empty() && !label.starts_with('#') && !label.contains('@')) {
            for (at, _) in text.match_indices('@') {
                lines.replace(number, at..at, "@", finding);
            }
        }
    }
}
