//! The lines of the input: each is part of a structure, or is said not to be.

use super::header::{gedc_as_data, is_stray};
use super::{Difference, Judge};
use elf_tagged::{Node, NodeId};
use std::collections::{HashMap, HashSet};

/// The standing of a line in the tree.
#[derive(Clone, Copy)]
enum Standing {
    /// The line is data, or describes the serialisation, or continues what does.
    Known,
    /// The line is a node and no data; the line above it in the tree, if there is one.
    NoData(Option<u64>),
}

impl<'c> Judge<'c> {
    /// Finds the lines that are lost, and the octets that are.
    pub(super) fn lines(&mut self) {
        let standings = self.standings();
        let document = self.conversion.before.document();
        let mut locator = document.locator();
        let mut replaced = document.source().replaced();
        if !document.rules().octets.prescan.reads_char() {
            replaced.extend(document.source().guessed());
        }
        for span in &replaced {
            let line = locator.place(*span).line;
            self.reports.needs(line, Difference::Octets, || "U+FFFD".to_owned());
        }
        // Of a reading that the rules ended, the rest was never seen.
        let end = match document.is_complete() {
            true => u64::MAX,
            false => standings.keys().copied().max().unwrap_or_default(),
        };
        // The last line that is none to the tree and is said to be lost, with how many are said to depend on
        // it.
        let mut rejected: Option<(u64, u64)> = None;
        for span in document.source().line_strings() {
            let line = locator.place(span).line;
            if line > end {
                break;
            }
            let is_said = self.reports.has(line, Difference::Line);
            if (is_said || standings.contains_key(&line))
                && let Some((of, left @ 1..)) = rejected.take()
            {
                self.reports.fault(of, &format!("{left} more are said to depend on it"));
            }
            match standings.get(&line) {
                // Text that goes on with metadata is looked at there.
                Some(Standing::Known) => {}
                Some(Standing::NoData(above)) => {
                    let mut above = *above;
                    let mut is_covered = self.reports.explain(line, Difference::Line);
                    while let Some(upper) = above.filter(|_| !is_covered) {
                        is_covered |= self.reports.has(upper, Difference::Line);
                        above = match standings.get(&upper) {
                            Some(Standing::NoData(above)) => *above,
                            _ => None,
                        };
                    }
                    if !is_covered {
                        self.reports.fault(line, "Line not reported: it is no data");
                    }
                }
                None if is_said => {
                    let report = self.reports.take(line, Difference::Line);
                    rejected = Some((line, report.map_or(0, |report| dependants(&report.message))));
                }
                None if span.of(document.text()).trim().is_empty() => {}
                None if matches!(rejected, Some((_, 1..))) => {
                    rejected = rejected.map(|(of, left)| (of, left.saturating_sub(1)));
                }
                None => self.reports.fault(line, "Line not reported: it is nothing"),
            }
        }
    }

    /// Finds out what each line is to the tree.
    fn standings(&mut self) -> HashMap<u64, Standing> {
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
        // Where reading recovers, one that is before other records is no data either.
        let last = roots.last().map(|node| node.id());
        let may_stand = |node: &&Node<'_>| Some(node.id()) == last || document.rules().recovers();
        let trailers = roots.iter().filter(|node| node.tag() == "TRLR").filter(may_stand);
        let trailers: HashSet<NodeId> = trailers.map(|node| node.id()).collect();
        let numbers: HashSet<NodeId> =
            self.before.structures.iter().map(|each| each.node.id()).chain(head).collect();
        // GEDC that is data on one side only is looked at with the header.
        let elsewhere = match self.conversion.has_gedc_on_one_side() {
            true => gedc_as_data(&self.before),
            false => 0..0,
        };
        let pairs = self.before.structures.iter().zip(&self.became).enumerate();
        let pairs = pairs.filter(|(number, _)| !elsewhere.contains(number)).map(|(_, pair)| pair);
        // Of the header it is the payload.
        let head_line = document.head().map_or(0, |head| locator.place(head.span()).line);
        let left_head = head.filter(|_| self.reports.has(head_line, Difference::HeadPayload));
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
            // What strayed into a structure that is left out is named at its own line.
            let of = if node.is_continuation() { node.superstructure() } else { Some(node) };
            if !in_metadata
                && (node.is_continuation() || node.is_error())
                && of.is_some_and(|of| left_out.contains(&of.id()))
                && (node.is_error() || is_stray(node))
            {
                self.reports.needs(line, Difference::Line, || "it strayed into what is left out".to_owned());
            }
            standings.insert(line, if is_known { Standing::Known } else { Standing::NoData(above) });
            if node.is_continuation() && node.xref().is_some() && is_known && !in_metadata {
                self.reports.needs(line, Difference::Identifier, || "of a continuation line".to_owned());
            }
            let lines: Vec<Node<'c>> = node.lines().collect();
            waiting.extend(lines.into_iter().rev().map(|node| (node, in_metadata, Some(line))));
        }
        standings
    }
}

/// Returns how many lines a report says to depend on one that is left out.
fn dependants(message: &str) -> u64 {
    let Some((_, behind)) = message.split_once("rejected line and ") else { return 0 };
    match behind.split(' ').next() {
        Some("one") => 1,
        count => count.and_then(|count| count.parse().ok()).unwrap_or(0),
    }
}
