//! Collects the structures that have identifiers and the structures that point to them.
//!
//! The builder of the tree records each [occurrence](Occurrence). [`WholeDocument`] contains the occurrences of a whole
//! document.

mod enclosing;
mod hidden;
mod occurrence_list;
mod places;
mod whole;

pub(super) use enclosing::{Enclosed, Role};
pub(super) use hidden::HiddenNodes;
pub(crate) use occurrence_list::OccurrenceList;
pub(crate) use places::PlaceFinder;
pub(super) use whole::WholeDocument;

use super::key::{Key, Keys};
use crate::read::tree::build::Built;
use crate::read::tree::{View, flag};
use elf_base::Rules;
use elf_lines::VOID;

/// A structure that has an identifier or points to one, in twelve bytes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Occurrence {
    /// The two halves of the key. If the key were stored as one number, an occurrence would need sixteen bytes because
    /// of alignment.
    key: [u32; 2],
    pub(super) node: u32,
}

impl Occurrence {
    /// Returns the node. Lists are sorted by this one function, so the code for sorting exists once.
    pub(super) const fn node(&self) -> u32 {
        self.node
    }
}

/// The occurrences of identifiers in a document or a run. The builder records these occurrences.
#[derive(Default)]
pub(crate) struct Occurrences {
    pub(crate) keys: Keys,
    /// The structures that have an identifier.
    pub(crate) bearers: OccurrenceList,
    /// The structures whose payload is a pointer.
    pub(crate) pointers: OccurrenceList,
    /// Whether any structure with an identifier is not a record.
    pub(crate) has_nested: bool,
    /// Whether all pointers are listed. If false, only pointers that were merged from several lines are listed.
    pub(crate) lists_pointers: bool,
}

/// The two kinds of occurrences: a structure has an identifier, or it points to one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    Bearer,
    Pointer,
}

impl Occurrence {
    #[inline(always)]
    #[allow(clippy::cast_possible_truncation, reason = "the halves of a number")]
    pub(crate) const fn new(key: Key, node: u32) -> Occurrence {
        let number = key.number();
        Occurrence { key: [number as u32, (number >> u32::BITS) as u32], node }
    }
}

impl Occurrence {
    #[inline]
    pub(super) fn key(&self) -> Key {
        let [low, high] = self.key.map(u64::from);
        Key::of_number(low | high << u32::BITS)
    }
}

impl Occurrences {
    pub(crate) fn of_text(length: usize, keys: Keys, lists_pointers: bool) -> Occurrences {
        // The estimates depend on the length of the text, not on a number in it.
        let (bearers, pointers) = (OccurrenceList::of_text(length, 256), OccurrenceList::of_text(length, 64));
        Occurrences { keys, bearers, pointers, has_nested: false, lists_pointers }
    }

    /// Moves the occurrences that belong to data out of `built`.
    pub(super) fn extract_from(built: &mut Built, rules: &Rules) -> Occurrences {
        let mut occurrences = std::mem::take(&mut built.occurrences);
        occurrences.pointers.put_in_order();
        let metadata = rules.tagged.metadata;
        let anywhere = metadata.is_pseudo() || metadata.includes_any_trailer() && built.left_out.in_tree;
        let header_end = built.header.head.and_then(|head| built.nodes.end(head)).unwrap_or_default();
        let within = if anywhere { u32::MAX } else { header_end };
        // Serialisation metadata is in the first record, and the content of a trailer is at the end. The content of
        // pseudo-structures can be anywhere.
        let hidden = HiddenNodes::find_before(within, &built.nodes);
        // The header is not data if it is not a structure of the dataset (J19 §4; RDX *Header*).
        if metadata.includes_header()
            && let Some(head) = built.header.head
        {
            occurrences.bearers.retain(|bearer| bearer.node != head);
        }
        if rules.tagged.void_pointer {
            // A pointer `@VOID@` is never resolved.
            let void = occurrences.keys.key(VOID);
            occurrences.bearers.retain(|bearer| bearer.key() != void);
        }
        if !hidden.is_empty() {
            occurrences.bearers.retain(|bearer| !hidden.has(bearer.node));
            occurrences.pointers.retain(|pointer| !hidden.has(pointer.node));
        }
        occurrences
    }
}

/// Returns the identifier in the pointer of a node. Returns `None` if the node is not data.
pub(super) fn visible_pointer<'d>(view: View<'d>, node: u32) -> Option<&'d str> {
    // The pointer may have become text because a continuation line follows it, or the rules may have removed the
    // structure.
    let is_visible = view.flags(node) & (flag::POINTER | flag::HIDDEN) == flag::POINTER;
    view.line_pointer(node).filter(|_| is_visible)
}
