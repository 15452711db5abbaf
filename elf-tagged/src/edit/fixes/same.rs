//! Whether a repaired file says what it said before.

use crate::edit::verify::options_of;
use crate::{Document, Node};
use elf_base::Tally;
use elf_octets::Patch;

/// Whether the file reads the same with the patches, and with no more than `errors` findings of faults: in the same
/// encoding, the same structures in the same order, each with the same tag, identifier, payload and superstructure.
pub(super) fn reads_the_same(document: &Document<'_>, patches: &[Patch], errors: u64) -> bool {
    let Ok(octets) = document.source().splice(patches) else { return false };
    let mut left = Tally::new(());
    let Ok(again) = crate::read(&octets, document.rules(), &options_of(document), &mut left) else {
        return false;
    };
    if left.errors() > errors {
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
