//! Documents as trees of the notation.

use crate::notation::tree::{Payload, Structure, Tree};
use elf_schema::TypedDocument;
use elf_tagged::{Document, Node};

/// Renders a document as a tree: HEAD, if anything is left in it, then the records.
pub fn tree_of(document: &Document<'_>) -> Tree {
    let mut tree = Tree::default();
    if let Some(head) = document.head() {
        let head_structure = structure(head, 0);
        let is_left = head_structure.xref.is_some() || head_structure.payload != Payload::None;
        if is_left || document.metadata().next().is_some() {
            tree.structures.push(head_structure);
            push_below(&mut tree, head, 0, &structure);
        }
    }
    tree.structures.extend(forest(document.records(), &structure).structures);
    tree
}

/// Renders tagged structures with everything under them.
pub(super) fn tagged<'d>(roots: impl Iterator<Item = Node<'d>>) -> Tree {
    forest(roots, &structure)
}

/// Renders typed structures with everything under them.
pub(super) fn typed<'d>(document: &'d TypedDocument<'_>, roots: impl Iterator<Item = Node<'d>>) -> Tree {
    forest(roots, &|node, depth| typed_structure(document, node, depth))
}

fn forest<'d>(roots: impl Iterator<Item = Node<'d>>, of: &dyn Fn(Node<'d>, usize) -> Structure) -> Tree {
    let mut tree = Tree::default();
    for root in roots {
        tree.structures.push(of(root, 0));
        push_below(&mut tree, root, 0, of);
    }
    tree
}

/// Appends everything under `root`, without recursion: a file may nest as deep as it is long.
fn push_below<'d>(tree: &mut Tree, root: Node<'d>, depth: usize, of: &dyn Fn(Node<'d>, usize) -> Structure) {
    let mut open = vec![root.substructures()];
    while let Some(siblings) = open.last_mut() {
        match siblings.next() {
            Some(node) => {
                tree.structures.push(of(node, depth + open.len()));
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
        elf_tagged::Payload::Text(text) => Payload::text(text.into_owned()),
        elf_tagged::Payload::Pointer(id) => Payload::Pointer(id.to_owned()),
    };
    Structure {
        depth,
        tag: node.tag().to_owned(),
        xref: node.xref().map(str::to_owned),
        payload,
        ..Structure::default()
    }
}

fn typed_structure(typed: &TypedDocument<'_>, node: Node<'_>, depth: usize) -> Structure {
    let type_of = |node| typed.type_of(node).unwrap_or("untyped").to_owned();
    // January 2019 tells an empty payload from an absent one.
    let payload = match node.payload() {
        elf_tagged::Payload::None => Payload::None,
        elf_tagged::Payload::Text(text) => Payload::Text(text.into_owned()),
        elf_tagged::Payload::Pointer(id) => Payload::Pointer(id.to_owned()),
    };
    Structure {
        depth,
        tag: node.tag().to_owned(),
        xref: node.xref().map(str::to_owned),
        structure_type: Some(type_of(node)),
        payload,
        target_type: node.target().map(type_of),
    }
}
