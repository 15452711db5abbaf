//! The nodes of a dataset: sixteen octets for each structure.
//!
//! Allocating memory is most of the cost of a large dataset, so nodes are packed: lengths instead of offsets,
//! distances instead of indices, tag and type in as many bits as nearly all files need. A node that does not
//! fit into that is kept unpacked in a second list.

/// A structure, unpacked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct NodeData {
    /// The offset of its identifier in the text; the identifier is empty if the structure has none.
    pub(crate) start: u32,
    /// The offset of the end of the identifier and the start of the payload.
    pub(crate) payload: u32,
    /// The offset of the end of the payload.
    pub(crate) end: u32,
    /// The index of the first node that is not in its subtree.
    pub(crate) next: u32,
    /// The index of its superstructure; [`NONE`] for records and for structures directly in the metadata.
    pub(crate) parent: u32,
    /// The number of its tag.
    pub(crate) tag: u32,
    /// The number of its type; [`NONE`] if it has none.
    pub(crate) structure_type: u32,
    pub(crate) kind: Kind,
}

/// The kind of a payload.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Kind {
    None,
    Literal,
    Pointer,
}

/// The number that stands for no node, no name or no type.
pub(crate) const NONE: u32 = u32::MAX;

/// Makes a node index, offset or name number one of 32 bits.
///
/// # Panics
///
/// If it does not fit, which is a mistake in this crate: [`Arena`](crate::arena::Arena) refuses more nodes and
/// text, and 2^32 different names would take a hundred gigabytes.
#[inline]
#[expect(clippy::expect_used, reason = "a dataset is kept below these numbers")]
pub(crate) fn to_u32(number: usize) -> u32 {
    u32::try_from(number).expect("a dataset has fewer than 2^32 nodes, octets and names")
}

/// All nodes, in document order.
#[derive(Clone, Debug, Default)]
pub(crate) struct Nodes {
    packed: Vec<Packed>,
    /// The nodes that are [`ASIDE`], and some that have become packed since.
    aside: Vec<NodeData>,
}

#[derive(Clone, Copy, Debug)]
struct Packed {
    /// The offset of its identifier; if it is [`ASIDE`], its index in that list.
    start: u32,
    /// The length of the payload in the low bits, that of the identifier in the high bits.
    lengths: u32,
    /// The distance to the superstructure in the low bits, 0 if there is none; the number of nodes under it in
    /// the high bits.
    relations: u32,
    /// From the low bits: the kind of the payload or [`ASIDE`], the tag, the type.
    label: u32,
}

/// Bits of the length of a payload.
const PAYLOAD: u32 = 24;
/// Bits of the distance to the superstructure; the number of nodes under it has as many.
const DISTANCE: u32 = 16;
/// Bits of the kind.
const KIND: u32 = 2;
/// Bits of a tag.
const TAG: u32 = 14;
/// Bits of a type; all are set if there is none.
const TYPE: u32 = u32::BITS - KIND - TAG;
/// In place of a kind: the node is in the list of unpacked ones.
const ASIDE: u32 = 3;

const fn mask(bits: u32) -> u32 {
    (1 << bits) - 1
}

impl Packed {
    /// Packs the node with the index `id`; `None` if it does not fit.
    #[inline]
    fn of(id: u32, node: &NodeData) -> Option<Packed> {
        let NodeData { start, payload, end, next, parent, tag, structure_type, kind } = *node;
        let (xref, length) = (payload.wrapping_sub(start), end.wrapping_sub(payload));
        let back = if parent == NONE { 0 } else { id.wrapping_sub(parent) };
        let is_far = back >> DISTANCE != 0 || back == 0 && parent != NONE;
        debug_assert!(next > id, "a subtree follows its node");
        let beneath = next.saturating_sub(id.saturating_add(1));
        let of = if structure_type == NONE { mask(TYPE) } else { structure_type };
        let has_wide_type = structure_type != NONE && structure_type >= mask(TYPE);
        let is_long = xref >> (u32::BITS - PAYLOAD) != 0 || length >> PAYLOAD != 0;
        if is_far || is_long || beneath >> DISTANCE != 0 || tag >> TAG != 0 || has_wide_type {
            return None;
        }
        Some(Packed {
            start,
            lengths: length | xref << PAYLOAD,
            relations: back | beneath << DISTANCE,
            label: kind.bits() | tag << KIND | of << (KIND + TAG),
        })
    }

    /// Returns whether the node is in the list of unpacked ones.
    #[inline]
    const fn is_aside(self) -> bool {
        self.label & mask(KIND) == ASIDE
    }

    /// Unpacks the node with the index `id`, which is not [`ASIDE`].
    #[inline]
    const fn node(self, id: u32) -> NodeData {
        let payload = self.start + (self.lengths >> PAYLOAD);
        let (back, of) = (self.relations & mask(DISTANCE), self.label >> (KIND + TAG));
        NodeData {
            start: self.start,
            payload,
            end: payload + (self.lengths & mask(PAYLOAD)),
            next: id.saturating_add(1).saturating_add(self.relations >> DISTANCE),
            parent: if back == 0 { NONE } else { id - back },
            tag: self.label >> KIND & mask(TAG),
            structure_type: if of == mask(TYPE) { NONE } else { of },
            kind: Kind::of_bits(self.label & mask(KIND)),
        }
    }
}

impl Kind {
    #[inline]
    const fn bits(self) -> u32 {
        match self {
            Kind::None => 0,
            Kind::Literal => 1,
            Kind::Pointer => 2,
        }
    }

    #[inline]
    const fn of_bits(bits: u32) -> Kind {
        match bits {
            1 => Kind::Literal,
            2 => Kind::Pointer,
            _ => Kind::None,
        }
    }
}

impl Nodes {
    /// An empty list with room for that many nodes.
    pub(crate) fn with_room(nodes: usize) -> Nodes {
        Nodes { packed: Vec::with_capacity(nodes), aside: Vec::new() }
    }

    pub(crate) const fn len(&self) -> usize {
        self.packed.len()
    }

    pub(crate) const fn is_empty(&self) -> bool {
        self.packed.is_empty()
    }

    /// Returns the node with an index below [`len`](Nodes::len).
    #[inline]
    pub(crate) fn get(&self, id: u32) -> NodeData {
        let packed = self.packed[id as usize];
        if packed.is_aside() { self.aside[packed.start as usize] } else { packed.node(id) }
    }

    /// Returns all nodes, in document order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = NodeData> {
        (0..to_u32(self.len())).map(|id| self.get(id))
    }

    /// Appends a node.
    #[inline]
    pub(crate) fn push(&mut self, node: NodeData) {
        let packed = match Packed::of(to_u32(self.len()), &node) {
            Some(packed) => packed,
            None => self.push_aside(node),
        };
        self.packed.push(packed);
    }

    /// Changes the node with an index below [`len`](Nodes::len).
    #[inline]
    pub(crate) fn update(&mut self, id: u32, change: impl FnOnce(&mut NodeData)) {
        let mut node = self.get(id);
        change(&mut node);
        let before = self.packed[id as usize];
        self.packed[id as usize] = match Packed::of(id, &node) {
            Some(packed) => packed,
            None if before.is_aside() => {
                self.aside[before.start as usize] = node;
                before
            }
            None => self.push_aside(node),
        };
    }

    /// Sets the end of the subtree of the node with that index.
    #[inline]
    pub(crate) fn set_next(&mut self, id: u32, next: u32) {
        let beneath = next.saturating_sub(id.saturating_add(1));
        let packed = &mut self.packed[id as usize];
        if beneath >> DISTANCE == 0 && !packed.is_aside() {
            packed.relations = packed.relations & mask(DISTANCE) | beneath << DISTANCE;
        } else {
            self.update(id, |node| node.next = next);
        }
    }

    /// Adds a node to the unpacked ones, and returns what refers to it.
    #[cold]
    fn push_aside(&mut self, node: NodeData) -> Packed {
        self.aside.push(node);
        Packed { start: to_u32(self.aside.len() - 1), lengths: 0, relations: 0, label: ASIDE }
    }

    /// Frees unused capacity.
    pub(crate) fn shrink_to_fit(&mut self) {
        self.packed.shrink_to_fit();
        self.aside.shrink_to_fit();
    }
}

impl FromIterator<NodeData> for Nodes {
    fn from_iter<I: IntoIterator<Item = NodeData>>(nodes: I) -> Nodes {
        let nodes = nodes.into_iter();
        let mut all = Nodes::with_room(nodes.size_hint().0);
        nodes.for_each(|node| all.push(node));
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_node_has_16_octets() {
        assert_eq!(size_of::<Packed>(), 16);
    }

    #[test]
    fn nodes_of_any_values_are_returned_unchanged() {
        let usual = NodeData {
            start: 7,
            payload: 9,
            end: 30,
            next: 1,
            parent: NONE,
            tag: 3,
            structure_type: 5,
            kind: Kind::Literal,
        };
        let far = 1 << 16;
        let odd: [fn(&mut NodeData); 14] = [
            |_| {},
            |node| node.payload = node.start,
            |node| (node.start, node.payload, node.end) = (0, 300, 400),
            |node| node.end = node.payload + (1 << 24) - 1,
            |node| node.end = node.payload + (1 << 24),
            |node| node.end = node.payload,
            |node| node.tag = mask(TAG),
            |node| node.tag = 1 << TAG,
            |node| node.structure_type = mask(TYPE) - 1,
            |node| node.structure_type = mask(TYPE),
            |node| node.structure_type = NONE,
            |node| node.kind = Kind::None,
            |node| node.kind = Kind::Pointer,
            |node| (node.tag, node.structure_type) = (NONE, NONE),
        ];
        let mut nodes = Nodes::default();
        let mut expected = Vec::new();
        for id in 0..2 * far {
            let node = NodeData { next: id + 1, parent: id.checked_sub(1).unwrap_or(NONE), ..usual };
            nodes.push(node);
            expected.push(node);
        }
        for (id, change) in (5..).zip(odd) {
            nodes.update(id, change);
            change(&mut expected[id as usize]);
        }
        for (id, next, parent) in [
            (30, 30 + far, 0),
            (31, 31 + far + 1, 29),
            (far, far + 1, 1),
            (far + 1, far + 2, 1),
            (0, 40, NONE),
        ] {
            nodes.update(id, |node| node.parent = parent);
            nodes.set_next(id, next);
            (expected[id as usize].next, expected[id as usize].parent) = (next, parent);
        }
        // A node that fits again is packed again.
        nodes.update(9, |node| node.end = node.payload);
        expected[9].end = expected[9].payload;
        assert_eq!(nodes.iter().collect::<Vec<_>>(), expected);
        assert_eq!(expected.iter().copied().collect::<Nodes>().iter().collect::<Vec<_>>(), expected);
        assert!(nodes.aside.len() > 4);
        // Changing an unpacked node again takes no more room.
        let aside = nodes.aside.len();
        (0..1000).for_each(|_| nodes.update(31, |node| node.end += 1));
        assert_eq!((nodes.aside.len(), nodes.get(31).end), (aside, expected[31].end + 1000));
    }
}
