//! The law of trees.

use crate::Input;
use elf_base::Diagnostic;
use elf_tagged::{Document, Options, read};

/// Octets, by any rules, become a tree in document order: what is under a node follows
/// it without a gap, nodes lie in the text in order, and what is read twice is the same.
///
/// # Panics
///
/// If the law does not hold.
pub fn tree(input: &Input<'_>) {
    let (rules, octets) = (input.rules, input.octets);
    let mut findings: Vec<Diagnostic> = Vec::new();
    let document =
        read(octets, rules, &Options::default(), &mut findings).expect("no fuzzed input has 4 GiB");
    assert!(document.is_complete() || !findings.is_empty(), "what ends the reading is reported");
    for finding in &findings {
        assert!(!finding.message.is_empty() && !finding.message.ends_with('.'), "{finding:?}");
    }
    nodes_stand_in_document_order(&document);
    subtrees_have_no_gaps(&document);
    pointers_lead_to_their_identifier(&document);
}

fn nodes_stand_in_document_order(document: &Document<'_>) {
    let text = document.text();
    let mut last = None;
    for node in document.structures() {
        assert!(last < Some(node.id()), "{:?}", node.id());
        last = Some(node.id());
        assert!(!node.tag().is_empty() && !node.is_continuation());
        if !node.is_inserted() {
            assert!(text.get(node.span().range()).is_some(), "{:?}", node.span());
        }
        // Payloads of any shape are decoded without complaint.
        let _ = (node.payload(), node.merged(), node.line_payload(), node.language());
        node.pieces(|_| {});
    }
}

fn subtrees_have_no_gaps(document: &Document<'_>) {
    let mut seen = 0;
    for record in document.records().chain(document.metadata()) {
        let mut stack = vec![record];
        while let Some(node) = stack.pop() {
            seen += 1;
            assert!(node.subtree_end() > node.id());
            for substructure in node.substructures() {
                assert_eq!(substructure.superstructure().map(|node| node.id()), Some(node.id()));
                assert!(substructure.id() > node.id() && substructure.subtree_end() <= node.subtree_end());
                stack.push(substructure);
            }
        }
    }
    assert_eq!(seen, document.structures().count(), "every structure is reached from a record or the header");
}

fn pointers_lead_to_their_identifier(document: &Document<'_>) {
    for node in document.structures() {
        if let Some(target) = node.target() {
            assert!(target.xref().is_some() && target.document().len() == document.len());
        }
    }
}
