//! The nodes of a dataset, which take sixteen bytes for each structure.
//!
//! Most of the cost of a large dataset is allocating memory, so nodes are packed: they have lengths instead of offsets,
//! distances instead of indices, and few bits for the tag and the type. The few nodes that do not fit are stored
//! unpacked in a second list.

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct NodeData {
    /// The offset of the identifier in the text. The identifier is empty if the structure has none.
    pub(crate) start: u32,
    /// The offset at which the identifier ends and the payload starts.
    pub(crate) payload: u32,
    /// The offset at which the payload ends.
    pub(crate) end: u32,
    /// The index of the first node after this node's subtree.
    pub(crate) next: u32,
    /// The index of the superstructure. [`NONE`] for records and for structures directly in the metadata.
    pub(crate) parent: u32,
    pub(crate) tag: u32,
    /// The number of the structure's type. [`NONE`] if it has no type.
    pub(crate) structure_type: u32,
    pub(crate) kind: Kind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Kind {
    None,
    Literal,
    Pointer,
}

/// The number that means that there is no node, no name or no type.
pub(crate) const NONE: u32 = u32::MAX;

/// Converts a node index, offset or name number to 32 bits.
///
/// # Panics
///
/// Panics if the number does not fit, which is a bug in this crate. [`Arena`](crate::arena::Arena) refuses more nodes
/// and text, and 2^32 different names would take a hundred gigabytes.
#[inline]
#[expect(clippy::expect_used, reason = "a dataset is kept below these numbers")]
pub(crate) fn to_u32(number: usize) -> u32 {
    u32::try_from(number).expect("a dataset has fewer than 2^32 nodes, octets and names")
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Nodes {
    packed: Vec<Packed>,
    /// The unpacked nodes. Some of them are no longer used, because they have been packed later.
    unpacked: Vec<NodeData>,
}

#[derive(Clone, Copy, Debug)]
struct Packed {
    /// The offset of the identifier. For an unpacked node, this is its index in `unpacked`.
    start: u32,
    /// The length of the payload in the low bits, and the length of the identifier in the high bits.
    lengths: u32,
    /// The distance to the superstructure in the low bits (0 if there is none), and the number of nodes under this node
    /// in the high bits.
    relations: u32,
    /// Three values, from the low bits on: the kind of the payload or [`UNPACKED`], the tag, and the type.
    label: u32,
}

const PAYLOAD_BITS: u32 = 24;
/// The number of bits for the distance to the superstructure. The number of nodes under a node has the same number of
/// bits.
const DISTANCE_BITS: u32 = 16;
const KIND_BITS: u32 = 2;
const TAG_BITS: u32 = 14;
/// The number of bits for a type. If a structure has no type, all of them are set.
const TYPE_BITS: u32 = u32::BITS - KIND_BITS - TAG_BITS;
/// The value in place of a kind, for a node that is in `unpacked`.
const UNPACKED: u32 = 3;

const fn low_bits(bits: u32) -> u32 {
    (1 << bits) - 1
}

impl Packed {
    /// Packs the node with the index `id`. Returns `None` if it does not fit.
    #[inline]
    fn pack(id: u32, node: &NodeData) -> Option<Packed> {
        let NodeData { start, payload, end, next, parent, tag, structure_type, kind } = *node;
        let (xref, length) = (payload.wrapping_sub(start), end.wrapping_sub(payload));
        let back = if parent == NONE { 0 } else { id.wrapping_sub(parent) };
        let is_far = back >> DISTANCE_BITS != 0 || back == 0 && parent != NONE;
        debug_assert!(next > id, "a subtree follows its node");
        let beneath = next.saturating_sub(id.saturating_add(1));
        let of = if structure_type == NONE { low_bits(TYPE_BITS) } else { structure_type };
        let has_wide_type = structure_type != NONE && structure_type >= low_bits(TYPE_BITS);
        let is_long = xref >> (u32::BITS - PAYLOAD_BITS) != 0 || length >> PAYLOAD_BITS != 0;
        if is_far || is_long || beneath >> DISTANCE_BITS != 0 || tag >> TAG_BITS != 0 || has_wide_type {
            return None;
        }
        Some(Packed {
            start,
            lengths: length | xref << PAYLOAD_BITS,
            relations: back | beneath << DISTANCE_BITS,
            label: kind.to_bits() | tag << KIND_BITS | of << (KIND_BITS + TAG_BITS),
        })
    }

    #[inline]
    const fn is_unpacked(self) -> bool {
        self.label & low_bits(KIND_BITS) == UNPACKED
    }

    /// Unpacks the node with the index `id`. The kind of the node must not be [`UNPACKED`].
    #[inline]
    const fn unpack(self, id: u32) -> NodeData {
        let payload = self.start + (self.lengths >> PAYLOAD_BITS);
        let (back, of) = (self.relations & low_bits(DISTANCE_BITS), self.label >> (KIND_BITS + TAG_BITS));
        NodeData {
            start: self.start,
            payload,
            end: payload + (self.lengths & low_bits(PAYLOAD_BITS)),
            next: id.saturating_add(1).saturating_add(self.relations >> DISTANCE_BITS),
            parent: if back == 0 { NONE } else { id - back },
            tag: self.label >> KIND_BITS & low_bits(TAG_BITS),
            structure_type: if of == low_bits(TYPE_BITS) { NONE } else { of },
            kind: Kind::from_bits(self.label & low_bits(KIND_BITS)),
        }
    }
}

impl Kind {
    #[inline]
    const fn to_bits(self) -> u32 {
        match self {
            Kind::None => 0,
            Kind::Literal => 1,
            Kind::Pointer => 2,
        }
    }

    #[inline]
    const fn from_bits(bits: u32) -> Kind {
        match bits {
            1 => Kind::Literal,
            2 => Kind::Pointer,
            _ => Kind::None,
        }
    }
}

impl Nodes {
    pub(crate) fn with_capacity(nodes: usize) -> Nodes {
        Nodes { packed: Vec::with_capacity(nodes), unpacked: Vec::new() }
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
        if packed.is_unpacked() { self.unpacked[packed.start as usize] } else { packed.unpack(id) }
    }

    /// Returns all nodes, in document order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = NodeData> {
        (0..to_u32(self.len())).map(|id| self.get(id))
    }

    #[inline]
    pub(crate) fn push(&mut self, node: NodeData) {
        let packed = match Packed::pack(to_u32(self.len()), &node) {
            Some(packed) => packed,
            None => self.push_unpacked(node),
        };
        self.packed.push(packed);
    }

    /// Changes the node with an index below [`len`](Nodes::len).
    #[inline]
    pub(crate) fn update(&mut self, id: u32, change: impl FnOnce(&mut NodeData)) {
        let mut node = self.get(id);
        change(&mut node);
        let before = self.packed[id as usize];
        self.packed[id as usize] = match Packed::pack(id, &node) {
            Some(packed) => packed,
            None if before.is_unpacked() => {
                self.unpacked[before.start as usize] = node;
                before
            }
            None => self.push_unpacked(node),
        };
    }

    #[inline]
    pub(crate) fn set_next(&mut self, id: u32, next: u32) {
        let beneath = next.saturating_sub(id.saturating_add(1));
        let packed = &mut self.packed[id as usize];
        if beneath >> DISTANCE_BITS == 0 && !packed.is_unpacked() {
            packed.relations = packed.relations & low_bits(DISTANCE_BITS) | beneath << DISTANCE_BITS;
        } else {
            self.update(id, |node| node.next = next);
        }
    }

    /// Adds an unpacked node. Returns the packed node that refers to it.
    #[cold]
    fn push_unpacked(&mut self, node: NodeData) -> Packed {
        self.unpacked.push(node);
        Packed { start: to_u32(self.unpacked.len() - 1), lengths: 0, relations: 0, label: UNPACKED }
    }

    pub(crate) fn shrink_to_fit(&mut self) {
        self.packed.shrink_to_fit();
        self.unpacked.shrink_to_fit();
    }
}

impl FromIterator<NodeData> for Nodes {
    fn from_iter<I: IntoIterator<Item = NodeData>>(nodes: I) -> Nodes {
        let nodes = nodes.into_iter();
        let mut all = Nodes::with_capacity(nodes.size_hint().0);
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
            |node| node.tag = low_bits(TAG_BITS),
            |node| node.tag = 1 << TAG_BITS,
            |node| node.structure_type = low_bits(TYPE_BITS) - 1,
            |node| node.structure_type = low_bits(TYPE_BITS),
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
        // If a node fits after a change, it is packed.
        nodes.update(9, |node| node.end = node.payload);
        expected[9].end = expected[9].payload;
        assert_eq!(nodes.iter().collect::<Vec<_>>(), expected);
        assert_eq!(expected.iter().copied().collect::<Nodes>().iter().collect::<Vec<_>>(), expected);
        assert!(nodes.unpacked.len() > 4);
        // If an unpacked node changes again, its entry is reused.
        let aside = nodes.unpacked.len();
        (0..1000).for_each(|_| nodes.update(31, |node| node.end += 1));
        assert_eq!((nodes.unpacked.len(), nodes.get(31).end), (aside, expected[31].end + 1000));
    }
}
