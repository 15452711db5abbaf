//! An outline of the structures of a document that can be compared with another one: in order, and with the targets of
//! pointers.

use elf_tagged::{Document, Node, NodeId, Payload, Piece, Target};
use std::collections::{HashMap, HashSet};

/// The marks before and after an escape in a text. No file contains these characters.
const MARKS: [char; 2] = ['\u{FDD0}', '\u{FDD1}'];

/// The structures of a document in order, with records that the rules inserted.
pub struct Outline<'d> {
    /// The header record.
    pub head: Option<Node<'d>>,
    /// The structures.
    pub structures: Vec<Outlined<'d>>,
    numbers: HashMap<NodeId, usize>,
    document: &'d Document<'d>,
}

/// One structure.
#[derive(Clone, Copy)]
pub struct Outlined<'d> {
    /// The structure.
    pub node: Node<'d>,
    /// The line. For a record that the rules inserted, the line of the first pointer to it.
    pub line: u64,
    /// The number of structures above it, without the header.
    pub depth: usize,
    /// True where it is in the header.
    pub in_header: bool,
    /// The index of the next structure that is not under it.
    pub end: usize,
}

/// The target of a pointer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PointerTarget {
    /// The header.
    ToHead,
    /// The structure with this index.
    To(usize),
    /// A structure that is not data, such as metadata.
    ToNoData,
    /// Several structures.
    ToSeveral,
    /// Nothing.
    Nowhere,
}

impl<'d> Outline<'d> {
    /// Makes the outline of a document.
    pub fn of(document: &'d Document<'_>) -> Outline<'d> {
        let mut locator = document.locator();
        let first_pointers = first_pointers(document);
        let head = document.head();
        let head_end = head.map(|head| head.subtree_end());
        let mut structures: Vec<Outlined<'d>> = Vec::new();
        let mut open: Vec<usize> = Vec::new();
        let mut numbers = HashMap::new();
        for node in document.structures() {
            while let Some(&above) = open.last() {
                let Some(over) =
                    structures.get_mut(above).filter(|above| above.node.subtree_end() <= node.id())
                else {
                    break;
                };
                over.end = numbers.len();
                open.pop();
            }
            let number = structures.len();
            numbers.insert(node.id(), number);
            let in_header =
                head.is_some_and(|head| head.id() < node.id()) && head_end.is_some_and(|end| node.id() < end);
            let line = match node.xref().filter(|_| node.is_inserted()) {
                Some(xref) => first_pointers.get(xref).copied().unwrap_or_default(),
                None => locator.place(node.span()).line,
            };
            structures.push(Outlined { node, line, depth: open.len(), in_header, end: usize::MAX });
            open.push(number);
        }
        // Records before the header are written after it.
        let early = structures.iter().take_while(|each| head.is_some_and(|head| each.node.id() < head.id()));
        let early = early.count();
        let beneath = structures.iter().filter(|each| each.in_header).count();
        if early > 0
            && let Some(moved) = structures.get_mut(..early + beneath)
        {
            moved.rotate_left(early);
            let places: HashMap<NodeId, usize> =
                structures.iter().enumerate().map(|(number, each)| (each.node.id(), number)).collect();
            let ends: Vec<usize> = structures
                .iter()
                .enumerate()
                .map(|(number, each)| match number {
                    _ if each.end == usize::MAX => each.end,
                    number if number < beneath => each.end - early,
                    number if number < beneath + early => each.end + beneath,
                    _ => each.end,
                })
                .collect();
            for (each, end) in structures.iter_mut().zip(ends) {
                each.end = end;
            }
            numbers = places;
        }
        let count = structures.len();
        for each in &mut structures {
            each.end = each.end.min(count);
        }
        Outline { head, structures, numbers, document }
    }

    /// Returns the index of a structure.
    pub fn index_of(&self, node: Node<'d>) -> Option<usize> {
        self.numbers.get(&node.id()).copied()
    }

    /// Returns the target of the pointer in a structure. `None` if its payload is not a pointer.
    pub fn pointer_target(&self, node: Node<'d>) -> Option<PointerTarget> {
        let Payload::Pointer(id) = node.payload() else { return None };
        Some(match self.document.resolve(id) {
            Target::One(target) => match self.numbers.get(&target.id()) {
                Some(&number) => PointerTarget::To(number),
                None if self.head.is_some_and(|head| head.id() == target.id()) => PointerTarget::ToHead,
                None => PointerTarget::ToNoData,
            },
            Target::Several => PointerTarget::ToSeveral,
            Target::None | Target::Unknown => PointerTarget::Nowhere,
        })
    }
}

/// The line of the first pointer to each record that the rules inserted, by its identifier.
fn first_pointers<'d>(document: &'d Document<'_>) -> HashMap<&'d str, u64> {
    let inserted = document.records().filter(|record| record.is_inserted());
    let inserted: HashSet<&str> = inserted.filter_map(Node::xref).collect();
    let mut lines = HashMap::new();
    if inserted.is_empty() {
        return lines;
    }
    let mut locator = document.locator();
    for node in document.head().into_iter().chain(document.structures()) {
        let Payload::Pointer(id) = node.payload() else { continue };
        if let Some(id) = inserted.get(id) {
            let line = locator.place(node.span()).line;
            let first: &mut u64 = lines.entry(*id).or_insert(line);
            *first = line.min(*first);
        }
    }
    lines
}

/// Returns the payload with marks around its escapes, so that text that looks like an escape can be distinguished.
pub(super) fn with_escapes(node: Node<'_>) -> String {
    let [open, close] = MARKS;
    let mut marked = String::new();
    node.pieces(|piece| match piece {
        Piece::Text(text) => marked.push_str(text),
        Piece::Escape(escape) => {
            // In some drafts, the space after an escape is part of it.
            let bare = escape.trim_end_matches(' ');
            let behind = escape.get(bare.len()..).unwrap_or_default();
            marked.extend([open.to_string().as_str(), bare, close.to_string().as_str(), behind]);
        }
    });
    marked
}

/// Returns the escapes in a text of [`with_escapes`], and their offsets.
pub(super) fn escapes_of(marked: &str) -> Vec<(usize, &str)> {
    let [open, close] = MARKS;
    let mut removed = 0;
    let mut escapes = Vec::new();
    for (at, _) in marked.match_indices(open) {
        let inner = marked.get(at + open.len_utf8()..).unwrap_or_default();
        let end = inner.find(close).unwrap_or(inner.len());
        escapes.push((at - removed, inner.get(..end).unwrap_or_default()));
        removed += open.len_utf8() + close.len_utf8();
    }
    escapes
}

/// Removes the marks of [`with_escapes`].
pub(super) fn without_marks(marked: &str) -> String {
    marked.replace(MARKS, "")
}
