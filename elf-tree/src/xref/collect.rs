//! Collecting: which structures bear identifiers, and which point to them.
//!
//! The builder of the tree notes each as it meets it. [`WholeDocument`] and [`PartLists`] are the two forms
//! in which the [occurrences](Occurrence) of a whole document and of one in parts are kept until its end; to
//! [resolve](super::resolve) them, both are a [`Collection`].

mod enclosing;
mod hidden;
mod parts;
mod places;
pub(super) mod shares;
mod whole;

pub(super) use enclosing::{Enclosed, Role};
pub(super) use hidden::HiddenNodes;
pub(crate) use parts::{PartList, PartLists};
pub(crate) use places::PlaceFinder;
pub(super) use whole::WholeDocument;

use super::key::{Key, Keys, Label};
use crate::tree::build::Built;
use crate::tree::{View, flag};
use elf_base::{Place, Rules, Span};
use shares::ShareLists;

/// A structure that bears an identifier, or one that points to an identifier.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Occurrence {
    pub(super) key: Key,
    pub(super) node: u32,
    /// [`NESTED`](Occurrence::NESTED) and [`REPEATED`](Occurrence::REPEATED), in one number that is written
    /// at once.
    marks: u32,
}

/// The occurrences of identifiers in a document or a part of one, as the builder meets them.
#[derive(Default)]
pub(crate) struct Occurrences {
    pub(crate) keys: Keys,
    /// The structures that bear an identifier.
    pub(crate) bearers: ShareLists,
    /// The structures whose payload is a pointer.
    pub(crate) pointers: ShareLists,
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

    /// The number of shares: an identifier belongs to one of them.
    fn shares(&self) -> u8;

    /// The entries of a side and a share, those of one identifier in document order. `room` is for those that
    /// have to be brought together first, so that the processor can fetch them ahead.
    fn entries<'e>(&'e self, side: Side, share: u8, room: &'e mut Vec<Self::Entry>) -> &'e [Self::Entry];

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

    /// Returns whether the structure, which bears an identifier, is no record.
    fn is_nested(&self) -> bool;

    /// Returns whether it was [noted](Entry::note_repeated) that another structure bears the identifier too.
    fn is_repeated(&self) -> bool;

    fn note_repeated(&mut self);
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
    /// The structure is no record.
    const NESTED: u32 = 1;
    /// Another structure bears the identifier too.
    const REPEATED: u32 = 1 << 1;

    /// The occurrence of the identifier of that key in `node`.
    #[inline(always)]
    pub(crate) const fn new(key: Key, node: u32, nested: bool) -> Occurrence {
        Occurrence { key, node, marks: if nested { Occurrence::NESTED } else { 0 } }
    }
}

impl Entry for Occurrence {
    #[inline]
    fn key(&self) -> Key {
        self.key
    }

    fn is_nested(&self) -> bool {
        self.marks & Occurrence::NESTED != 0
    }

    fn is_repeated(&self) -> bool {
        self.marks & Occurrence::REPEATED != 0
    }

    fn note_repeated(&mut self) {
        self.marks |= Occurrence::REPEATED;
    }
}

impl Occurrences {
    /// Makes an empty collection, for a text of that length.
    pub(crate) fn of_text(length: usize, keys: Keys) -> Occurrences {
        // Guesses from the text read, not from a number in it.
        let (bearers, pointers) = (ShareLists::of_text(length, 256), ShareLists::of_text(length, 64));
        Occurrences { keys, bearers, pointers }
    }

    /// Takes the occurrences out of what was built, those that are part of the data.
    pub(super) fn take_from(built: &mut Built, rules: &Rules) -> Occurrences {
        let mut occurrences = std::mem::take(&mut built.occurrences);
        occurrences.pointers.put_in_order();
        let anywhere = rules.tagged.metadata.is_pseudo();
        let header_end = built.header.head.and_then(|head| built.nodes.end(head)).unwrap_or_default();
        let within = if anywhere { u32::MAX } else { header_end };
        // Serialisation metadata stands in the first record, what stands beneath a pseudo-structure anywhere.
        let hidden = HiddenNodes::before(within, &built.nodes);
        // So does the header itself, where it is no structure of the dataset (J19 §4; RDX *Header*).
        if rules.tagged.metadata.takes_header()
            && let Some(head) = built.header.head
        {
            occurrences.bearers.retain(|bearer| bearer.node != head);
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
