//! The law of writing.

use crate::{Input, summary};
use elf_base::{Class, Diagnostic, Rules, codes};
use elf_tagged::write::{WriteError, WriteOptions, write_document};
use elf_tagged::{Document, Node, NodeId, Options, read};
use std::collections::HashMap;

/// Writes a document that was read by any rules by those of December 2019: the octets are
/// well-formed, and where nothing was lost on the way, their records are the same, but for the names of
/// identifiers that had to change. (The header is made anew.)
///
/// # Panics
///
/// If the law does not hold.
pub fn write(input: &Input<'_>) {
    let (rules, octets) = (input.rules, input.octets);
    let document = read(octets, rules, &Options::default(), &mut ()).expect("no fuzzed input has 4 GiB");
    let mut written = Vec::new();
    let mut losses: Vec<Diagnostic> = Vec::new();
    let options = WriteOptions::new().with_partial(true);
    let summary = write_document(&document, &mut written, &Rules::DECEMBER_2019, &options, &mut losses);
    if document.is_empty() {
        assert!(matches!(summary, Err(WriteError::Empty)), "by {}: there is nothing to write", rules.name);
        return;
    }
    let summary = summary.expect("a vector takes what is written to it");
    assert!(summary.losses <= losses.len() as u64, "every loss is reported: {losses:?}");
    assert_eq!(summary.octets, written.len() as u64);
    let mut findings: Vec<Diagnostic> = Vec::new();
    let again = read(&written, &Rules::DECEMBER_2019, &Options::default(), &mut findings);
    let again = again.expect("what is written is not much longer than what was read");
    let text = || String::from_utf8_lossy(&written).into_owned();
    assert!(again.is_complete(), "by {}: {findings:?}\n{}", rules.name, text());
    for finding in &findings {
        assert!(finding.class != Class::Malformed, "by {}: {finding:?}\n{}", rules.name, text());
    }
    let renamed = losses.iter().any(|finding| finding.code == codes::IDENTIFIER_RENAMED);
    if summary.losses == 0 {
        let compared = |document| records(document, renamed);
        assert_eq!(compared(&document), compared(&again), "by {}:\n{}", rules.name, text());
    }
}

/// Every record and everything under it; `renamed`: by the numbers of structures in place of identifiers.
fn records(document: &Document<'_>, renamed: bool) -> Vec<String> {
    let head = document.head();
    let in_head = |node: Node<'_>| head.is_some_and(|head| node.id() < head.subtree_end());
    // Before December 2019 a space ends an escape, and is part of it or supplied (RDX). A carriage return in
    // a payload comes from a Unicode escape; it breaks the line whatever its form, and CONT says no more (D19
    // Line continuation).
    let line_break = |text: String| text.replace("\\r\\n", "\\n").replace("\\r", "\\n");
    let structures: Vec<Node<'_>> = document.structures().filter(|node| !in_head(*node)).collect();
    let numbers: HashMap<NodeId, usize> =
        structures.iter().enumerate().map(|(number, node)| (node.id(), number)).collect();
    let shown = |node: Node<'_>| match node.target().and_then(|target| numbers.get(&target.id())) {
        Some(number) if renamed => {
            format!("{} {} to {number}", node.with_ancestors().count() - 1, node.tag())
        }
        None | Some(_) if renamed => {
            let bears = if node.xref().is_some() { "@" } else { "" };
            let shown = summary(node);
            let behind = shown.split_once("@ ").filter(|_| !bears.is_empty()).map(|(_, behind)| behind);
            format!("{bears} {}", behind.unwrap_or(&shown))
        }
        None | Some(_) => summary(node),
    };
    structures.iter().map(|node| line_break(shown(*node).replace("@ ", "@"))).collect()
}
