//! Collecting: which structures bear identifiers, and which point to them.
//!
//! The builder of the tree notes each as it meets it. [`WholeDocument`] and [`PartLists`] are the two forms
//! in which the [occurrences](Occurrence) of a whole document and of one in parts are kept until its end; to
//! [resolve](super::resolve) them, both are a [`Collection`].

mod enclosing;
mod hidden;
mod occurrence_list;
mod parts;
mod places;
pub(super) mod shares;
mod whole;

pub(super) use enclosing::{Enclosed, Role};
pub(super) use hidden::HiddenNodes;
pub(crate) use occurrence_list::OccurrenceList;
pub(crate) use parts::{PartList, PartLists};
pub(crate) use places::PlaceFinder;
pub(super) use whole::WholeDocument;

use super::key::{Key, Keys, Label};
use crate::read::tree::build::Built;
use crate::read::tree::{View, flag};
use elf_base::{Place, Rules, Span};
use elf_lines::VOID;

/// A structure that bears an identifier, or one that points to an identifier: twelve octets.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Occurrence {
    /// The two halves of the key, which as one number would have the occurrence take sixteen octets.
    key: [u32; 2],
    pub(super) node: u32,
}

/// The occurrences of identifiers in a document or a part of one, as the builder meets them.
#[derive(Default)]
pub(crate) struct Occurrences {
    pub(crate) keys: Keys,
    /// The structures that bear an identifier.
    pub(crate) bearers: OccurrenceList,
    /// The structures whose payload is a pointer.
    pub(crate) pointers: OccurrenceList,
    /// True if one of the bearers is no record.
    pub(crate) has_nested: bool,
    /// True if anybody has a use for the pointers; else none is listed but those that are merged from lines.
    pub(crate) lists_pointers: bool,
}

/// The two things that a structure does with an identifier.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    Bearer,
    Pointer,
}

/// The occurrences of all identifiers of a document, brought together to be resolved.
pub(super) trait Collection {
    type Entry: Entry;
    type Position: Position;

    fn keys(&self) -> &Keys;

    /// Returns whether a structure that bears an identifier is no record.
    fn is_nested(&self, bearer: &Self::Entry) -> bool;

    /// Returns whether `bearer` bears the identifier of `entry`, which is one of that side.
    fn is_borne_by(&self, side: Side, entry: &Self::Entry, bearer: &Self::Entry) -> bool;

    /// Returns whether the structure still is a pointer, one of the data, and one to be looked at.
    fn is_pointer(&self, entry: &Self::Entry) -> bool;

    /// Returns whether a pointer has the shape of GEDCOM's for other files and for parts of records.
    fn is_external(&self, pointer: &Self::Entry) -> bool;

    fn label(&self, side: Side, entry: &Self::Entry) -> Label;

    fn position(&self, side: Side, entry: &Self::Entry) -> Self::Position;

    /// The labels of all identifiers that are borne, in no order.
    fn bearer_labels(&self) -> impl Iterator<Item = Label>;

    /// Shows what stands within structures that rules may reject for their identifiers: in lists, of which
    /// one does not depend on another.
    fn each_enclosed(&self, see: &mut dyn FnMut(&[Enclosed]));
}

/// A structure in a [`Collection`].
pub(super) trait Entry: Copy {
    fn key(&self) -> Key;
}

/// A position of a document, in the order of the file.
pub(super) trait Position: Copy {
    /// The offset from the start of what is read, which tells positions of identifiers apart.
    fn offset(self) -> u64;
}

impl Position for Span {
    fn offset(self) -> u64 {
        self.start.into()
    }
}

impl Position for Place {
    fn offset(self) -> u64 {
        self.octet
    }
}

impl Occurrence {
    /// The occurrence of the identifier of that key in `node`.
    #[inline(always)]
    #[allow(clippy::cast_possible_truncation, reason = "the halves of a number")]
    pub(crate) const fn new(key: Key, node: u32) -> Occurrence {
        let number = key.number();
        Occurrence { key: [number as u32, (number >> u32::BITS) as u32], node }
    }
}

impl Entry for Occurrence {
    #[inline]
    fn key(&self) -> Key {
        let [low, high] = self.key.map(u64::from);
        Key::of_number(low | high << u32::BITS)
    }
}

impl Occurrences {
    /// Makes an empty collection, for a text of that length.
    pub(crate) fn of_text(length: usize, keys: Keys, lists_pointers: bool) -> Occurrences {
        // Guesses from the text read, not from a number in it.
        let (bearers, pointers) = (OccurrenceList::of_text(length, 256), OccurrenceList::of_text(length, 64));
        Occurrences { keys, bearers, pointers, has_nested: false, lists_pointers }
    }

    /// Takes the occurrences out of what was built, those that are part of the data.
    pub(super) fn take_from(built: &mut Built, rules: &Rules) -> Occurrences {
        let mut occurrences = std::mem::take(&mut built.occurrences);
        occurrences.pointers.put_in_order();
        let metadata = rules.tagged.metadata;
        let anywhere = metadata.is_pseudo() || metadata.takes_any_trailer() && built.left_out.in_tree;
        let header_end = built.header.head.and_then(|head| built.nodes.end(head)).unwrap_or_default();
        let within = if anywhere { u32::MAX } else { header_end };
        // Serialisation metadata stands in the first record, what a trailer bears that is no data at the end,
        // what stands beneath a pseudo-structure anywhere.
        let hidden = HiddenNodes::before(within, &built.nodes);
        // Nor is the header itself data, where it is no structure of the dataset (J19 §4; RDX *Header*).
        if metadata.takes_header()
            && let Some(head) = built.header.head
        {
            occurrences.bearers.retain(|bearer| bearer.node != head);
        }
        if rules.tagged.void_pointer {
            // Pointers to nothing lead nowhere, whatever is called so.
            let void = occurrences.keys.key(VOID);
            occurrences.bearers.retain(|bearer| bearer.key() != void);
        }
        if !hidden.is_empty() {
            occurrences.bearers.retain(|bearer| !hidden.has(bearer.node));
            occurrences.pointers.retain(|pointer| !hidden.has(pointer.node));
        }
        occurrences
    }

    pub(super) fn is_empty(&self) -> bool {
        self.bearers.is_empty() && self.pointers.is_empty()
    }
}

/// The identifier that the pointer of a node names, if that is one of the data.
pub(super) fn visible_pointer<'d>(view: View<'d>, node: u32) -> Option<&'d str> {
    // A continuation may have made a string of it since, or the rules have taken the structure out.
    let is_visible = view.flags(node) & (flag::POINTER | flag::HIDDEN) == flag::POINTER;
    view.line_pointer(node).filter(|_| is_visible)
}
