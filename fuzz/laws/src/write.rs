//! The law of writing.

use crate::summary;
use elf_base::{Class, Diagnostic, Rules, codes};
use elf_tagged::write::{WriteError, WriteOptions, write_document};
use elf_tagged::{Document, Node, Options, read};

/// What is read by the rules of any draft can be written by those of December 2019, and what is written is well-formed;
/// where nothing was lost or renamed on the way, its records are the same. (The header is made anew.)
///
/// # Panics
///
/// Where that is not so.
pub fn write(octets: &[u8]) {
    for rules in Rules::PRESETS {
        let document = read(octets, rules, &Options::default(), &mut ()).expect("no fuzzed input has 4 GiB");
        let mut written = Vec::new();
        let mut losses: Vec<Diagnostic> = Vec::new();
        let options = WriteOptions::new().with_partial(true);
        let summary = write_document(&document, &mut written, &Rules::DECEMBER_2019, &options, &mut losses);
        if document.is_empty() {
            assert!(
                matches!(summary, Err(WriteError::Empty)),
                "by {}: there is nothing to write",
                rules.name
            );
            continue;
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
        if summary.losses == 0 && !renamed {
            assert_eq!(records(&document), records(&again), "by {}:\n{}", rules.name, text());
        }
    }
}

/// Every record and all beneath it.
fn records(document: &Document<'_>) -> Vec<String> {
    let head = document.head();
    let in_head = |node: Node<'_>| head.is_some_and(|head| node.id() < head.subtree_end());
    // Before December 2019 a space ends an escape, and is part of it or supplied (RDX). A carriage return in a payload
    // comes from a Unicode escape; it breaks the line whatever its form, and CONT says no more (D19 Line continuation).
    let line_break = |text: String| text.replace("\\r\\n", "\\n").replace("\\r", "\\n");
    let summary = |node| line_break(summary(node).replace("@ ", "@"));
    document.structures().filter(|node| !in_head(*node)).map(summary).collect()
}
