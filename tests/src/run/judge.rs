//! Results of a reading, in the notation of the tables.

use crate::notation::december::{Outcome, Stop};
use crate::notation::tree::{Payload, Structure, Tree};
use elf_base::{Class, Diagnostic, codes};
use elf_tagged::{Document, Node};

/// Returns the outcome of a reading from its findings and its completeness.
pub fn outcome_of(complete: bool, findings: &[Diagnostic]) -> Outcome {
    let error = || {
        let malformed = findings.iter().find(|found| found.class == Class::Malformed);
        malformed.or_else(|| findings.iter().find(|found| found.class.is_error()))
    };
    match (complete, error()) {
        (true, None) => Outcome::Ok,
        (true, Some(_)) => Outcome::NonConformant,
        // A reading that stops without a finding is a fault of the product. No vector expects this outcome.
        (false, None) => Outcome::Stop(Stop::NotElf),
        (false, Some(found)) => Outcome::Stop(match found.code {
            code if code == codes::NOT_ELF || code == codes::NO_LINES => Stop::NotElf,
            code if code.id().starts_with("E01") => Stop::Encoding,
            code if code.id().starts_with("E02") => Stop::MalformedLine,
            _ => Stop::MalformedStructure,
        }),
    }
}

/// Renders a document as a tree of the notation.
pub fn tree_of(document: &Document<'_>) -> Tree {
    let mut tree = Tree::default();
    if let Some(head) = document.head() {
        let head_structure = structure(head, 0);
        let left = head_structure.xref.is_some() || head_structure.payload != Payload::None;
        if left || document.metadata().next().is_some() {
            tree.structures.push(head_structure);
            push_beneath(&mut tree, head);
        }
    }
    for record in document.records() {
        tree.structures.push(structure(record, 0));
        push_beneath(&mut tree, record);
    }
    tree
}

/// Appends everything under `root` without recursion, because a file may be deeply nested.
fn push_beneath(tree: &mut Tree, root: Node<'_>) {
    let mut open = vec![root.substructures()];
    while let Some(siblings) = open.last_mut() {
        match siblings.next() {
            Some(node) => {
                tree.structures.push(structure(node, open.len()));
                open.push(node.substructures());
            }
            None => {
                open.pop();
            }
        }
    }
}

fn structure(node: Node<'_>, depth: usize) -> Structure {
    let payload = match node.payload() {
        elf_tagged::Payload::None => Payload::None,
        elf_tagged::Payload::Text(text) => Payload::from_text(text.into_owned()),
        elf_tagged::Payload::Pointer(id) => Payload::Pointer(id.to_owned()),
    };
    Structure { depth, tag: node.tag().to_owned(), xref: node.xref().map(str::to_owned), payload }
}
