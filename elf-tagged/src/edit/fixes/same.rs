//! Whether a repaired file says what it said before, with fewer faults.

use super::Fixes;
use crate::edit::verify::read_again;
use crate::{Document, Node};
use elf_base::{Diagnostic, Tally};
use std::collections::BTreeSet;

/// Whether the file reads the same with the repairs: in the same encoding, the same structures in the same order, each
/// with the same tag, identifier, payload and superstructure; and whether fewer of the repaired faults are found in it,
/// and no more faults in all.
pub(super) fn are_good(document: &Document<'_>, findings: &[Diagnostic], fixes: &Fixes) -> bool {
    let repaired = fixes.repaired.iter().filter_map(|&index| findings.get(index));
    let codes: BTreeSet<&str> = repaired.map(|finding| finding.code.id()).collect();
    let is_of = |finding: &&Diagnostic| codes.contains(finding.code.id());
    let before = findings.iter().filter(is_of).count();
    let errors = findings.iter().filter(|finding| finding.class.is_error()).count() as u64;
    let mut after = 0;
    let mut left = Tally::new(|finding: Diagnostic| after += usize::from(is_of(&&finding)));
    let Ok(octets) = document.source().splice(&fixes.patches) else { return false };
    let Ok(again) = read_again(&octets, document, &mut left) else {
        return false;
    };
    if left.errors() > errors || after >= before {
        return false;
    }
    // ASCII is the same in all encodings of single octets.
    let is_ascii = octets.is_ascii() && document.source().octets().is_ascii();
    if !is_ascii && again.source().decision().used != document.source().decision().used {
        return false;
    }
    let (old, new) = (Numbers::of(document), Numbers::of(&again));
    old.count == new.count
        && document.structures().zip(again.structures()).all(|(one, other)| {
            (one.tag(), one.xref(), one.payload(), one.is_error())
                == (other.tag(), other.xref(), other.payload(), other.is_error())
                && old.above(one) == new.above(other)
        })
}

/// The structures of a document, numbered in order.
struct Numbers {
    of: Vec<u32>,
    count: u32,
}

impl Numbers {
    fn of(document: &Document<'_>) -> Numbers {
        let mut numbers = Numbers { of: vec![0; document.len()], count: 0 };
        for node in document.structures() {
            numbers.count += 1;
            if let Some(number) = numbers.of.get_mut(node.id().index()) {
                *number = numbers.count;
            }
        }
        numbers
    }

    /// The number of the superstructure; 0 for records, and beneath the header.
    fn above(&self, node: Node<'_>) -> u32 {
        let above = node.superstructure();
        above.and_then(|above| self.of.get(above.id().index()).copied()).unwrap_or(0)
    }
}
