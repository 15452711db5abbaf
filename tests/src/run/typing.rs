//! Runs vectors about structure types.

use super::{compare, reading};
use crate::notation::typed::{Forest, Pattern, Structure, Target};
use crate::vectors::Expect;
use elf_base::Rules;
use elf_schema::{ReadOptions, TypedDocument};
use elf_tagged::{Node, Payload};

/// Runs a `P:` vector.
pub(super) fn run_typed(text: &str, pattern: &Pattern, rules: &Rules, expect: &Expect) -> Result<(), String> {
    let mut findings = Vec::new();
    let options = ReadOptions::default().with_octets(reading::utf8_options());
    let typed =
        elf_schema::read(text.as_bytes(), rules, &options, &mut findings).map_err(|e| e.to_string())?;
    let metadata = copy_structures(&typed, typed.metadata());
    let document = copy_structures(&typed, typed.records());
    for (what, expected, found) in
        [("the metadata", &pattern.metadata, &metadata), ("the document", &pattern.document, &document)]
    {
        if let Some(expected) = expected
            && !found.equals(expected)
        {
            compare(what, &expected.to_string(), &found.to_string())?;
        }
    }
    let mut whole = metadata;
    whole.structures.extend(document.structures);
    let mut at = 0;
    for expected in &pattern.somewhere {
        match whole.find(expected, at) {
            Some(found) => at = found + 1,
            None => return Err(format!("expected {expected} somewhere\n but found {whole}")),
        }
    }
    reading::check_assertions(typed.document(), &findings, expect)
}

/// Copies structures with everything under them, without recursion.
fn copy_structures<'d>(typed: &'d TypedDocument<'_>, roots: impl Iterator<Item = Node<'d>>) -> Forest {
    let mut forest = Forest::default();
    for root in roots {
        forest.structures.push(structure(typed, root, 0));
        let mut open = vec![root.substructures()];
        while let Some(siblings) = open.last_mut() {
            match siblings.next() {
                Some(node) => {
                    forest.structures.push(structure(typed, node, open.len()));
                    open.push(node.substructures());
                }
                None => {
                    open.pop();
                }
            }
        }
    }
    forest
}

fn structure(typed: &TypedDocument<'_>, node: Node<'_>, depth: usize) -> Structure {
    let kind = |node| typed.type_of(node).unwrap_or("untyped").to_owned();
    let (payload, target) = match node.payload() {
        Payload::None => (None, None),
        Payload::Text(text) => (Some(text.into_owned()), None),
        Payload::Pointer(_) => (None, node.pointer().map(|id| Target::Xref(id.to_owned()))),
    };
    Structure { depth, kind: kind(node), payload, target, target_kind: node.target().map(kind) }
}
