//! Checks that each line of the input is part of a structure, or is reported as lost.

use super::header::{gedc_as_data, is_stray};
use super::{Difference, Judge};
use elf_tagged::{Node, NodeId};
use std::collections::{HashMap, HashSet};

/// What a line is in the tree.
#[derive(Clone, Copy)]
enum Standing {
    /// The line is data or metadata, or continues one of them.
    Known,
    /// The line is a node but not data. Contains the line above it in the tree, if there is one.
    NoData(Option<u64>),
}

impl<'c> Judge<'c> {
    /// Finds lost lines and lost bytes.
    pub(super) fn check_lines(&mut self) {
        let standings = self.classify_lines();
        let document = self.conversion.before.document();
        let mut locator = document.locator();
        let mut replaced = document.source().replaced();
        if !document.rules().octets.prescan.reads_char() {
            replaced.extend(document.source().guessed());
        }
        for span in &replaced {
            let line = locator.place(*span).line;
            self.reports.require_report(line, Difference::Octets, || "U+FFFD".to_owned());
        }
        // If the rules stopped reading early, the rest was never read.
        let end = match document.is_complete() {
            true => u64::MAX,
            false => standings.keys().copied().max().unwrap_or_default(),
        };
        // The last malformed line that is reported as lost, and the number of lines reported as depending on it.
        let mut rejected: Option<(u64, u64)> = None;
        for span in document.source().line_strings() {
            let line = locator.place(span).line;
            if line > end {
                break;
            }
            let is_said = self.reports.is_reported_at(line, Difference::Line);
            if (is_said || standings.contains_key(&line))
                && let Some((of, left @ 1..)) = rejected.take()
            {
                self.reports.add_fault(of, &format!("{left} more are said to depend on it"));
            }
            match standings.get(&line) {
                // Text that continues metadata is checked with the header.
                Some(Standing::Known) => {}
                Some(Standing::NoData(above)) => {
                    let mut above = *above;
                    let mut is_covered = self.reports.explain(line, Difference::Line);
                    while let Some(upper) = above.filter(|_| !is_covered) {
                        is_covered |= self.reports.is_reported_at(upper, Difference::Line);
                        above = match standings.get(&upper) {
                            Some(Standing::NoData(above)) => *above,
                            _ => None,
                        };
                    }
                    if !is_covered {
                        self.reports.add_fault(line, "Line not reported: it is no data");
                    }
                }
                None if is_said => {
                    let report = self.reports.use_report(line, Difference::Line);
                    rejected = Some((line, report.map_or(0, |report| count_dependants(&report.message))));
                }
                None if span.of(document.text()).trim().is_empty() => {}
                None if matches!(rejected, Some((_, 1..))) => {
                    rejected = rejected.map(|(of, left)| (of, left.saturating_sub(1)));
                }
                None => self.reports.add_fault(line, "Line not reported: it is nothing"),
            }
        }
    }

    /// Determines what each line is in the tree.
    fn classify_lines(&mut self) -> HashMap<u64, Standing> {
        let document = self.conversion.before.document();
        let mut locator = document.locator();
        let mut standings = HashMap::new();
        let metadata: Vec<NodeId> = document.serialisation_metadata().map(Node::id).collect();
        let head = document.head().map(Node::id);
        let mut waiting: Vec<(Node<'c>, bool, Option<u64>)> = Vec::new();
        let mut root = NodeId::FIRST;
        let mut roots = Vec::new();
        while let Some(node) = document.node(root).filter(|node| !node.is_inserted()) {
            roots.push(node);
            root = node.subtree_end();
        }
        // If reading recovers, a trailer before other records is not data either.
        let last = roots.last().map(|node| node.id());
        let may_stand = |node: &&Node<'_>| Some(node.id()) == last || document.rules().recovers();
        let trailers = roots.iter().filter(|node| node.tag() == "TRLR").filter(may_stand);
        let trailers: HashSet<NodeId> = trailers.map(|node| node.id()).collect();
        let numbers: HashSet<NodeId> =
            self.before.structures.iter().map(|each| each.node.id()).chain(head).collect();
        // GEDC that is data on one side only is checked with the header.
        let elsewhere = match self.conversion.has_gedc_on_one_side() {
            true => gedc_as_data(&self.before),
            false => 0..0,
        };
        let pairs = self.before.structures.iter().zip(&self.became).enumerate();
        let pairs = pairs.filter(|(number, _)| !elsewhere.contains(number)).map(|(_, pair)| pair);
        // In the header it is the payload.
        let head_line = document.head().map_or(0, |head| locator.place(head.span()).line);
        let left_head = head.filter(|_| self.reports.is_reported_at(head_line, Difference::HeadPayload));
        let left_out = pairs.filter(|(_, became)| became.is_none()).map(|(each, _)| each.node.id());
        let left_out: HashSet<NodeId> = left_out.chain(left_head).collect();
        waiting.extend(roots.into_iter().rev().map(|node| (node, false, None)));
        while let Some((node, in_metadata, above)) = waiting.pop() {
            let line = locator.place(node.span()).line;
            let id = node.id();
            let in_metadata = in_metadata || metadata.contains(&id);
            let is_bare_trailer = trailers.contains(&id)
                && node.xref().is_none()
                && node.line_payload().is_none_or(str::is_empty)
                && node.lines().next().is_none();
            let is_known = in_metadata
                || is_bare_trailer
                || numbers.contains(&id)
                || node.is_continuation()
                    && node.superstructure().is_some_and(|above| numbers.contains(&above.id()));
            // A line that strayed into a structure that is left out is reported at its own line.
            let of = if node.is_continuation() { node.superstructure() } else { Some(node) };
            if !in_metadata
                && (node.is_continuation() || node.is_error())
                && of.is_some_and(|of| left_out.contains(&of.id()))
                && (node.is_error() || is_stray(node))
            {
                self.reports
                    .require_report(line, Difference::Line, || "it strayed into what is left out".to_owned());
            }
            standings.insert(line, if is_known { Standing::Known } else { Standing::NoData(above) });
            if node.is_continuation() && node.xref().is_some() && is_known && !in_metadata {
                self.reports
                    .require_report(line, Difference::Identifier, || "of a continuation line".to_owned());
            }
            let lines: Vec<Node<'c>> = node.lines().collect();
            waiting.extend(lines.into_iter().rev().map(|node| (node, in_metadata, Some(line))));
        }
        standings
    }
}

/// The number of lines that depend on a lost line, from the message of its report.
fn count_dependants(message: &str) -> u64 {
    let Some((_, behind)) = message.split_once("rejected line and ") else { return 0 };
    match behind.split(' ').next() {
        Some("one") => 1,
        count => count.and_then(|count| count.parse().ok()).unwrap_or(0),
    }
}
