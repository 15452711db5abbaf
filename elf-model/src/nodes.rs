//! The nodes of a dataset: sixteen octets a structure.
//!
//! New memory is most of what a large dataset costs. What is said of a node is therefore packed: lengths
//! instead of offsets, distances instead of indices, tag and type in as many bits as nearly all files need. A
//! node for which that does not do is kept aside as it is.

/// A structure, as it is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct NodeData {
    /// The offset of its identifier in the text; the identifier is empty where the structure has none.
    pub(crate) start: u32,
    /// The offset of the end of the identifier and the start of the payload.
    pub(crate) payload: u32,
    /// The offset of the end of the payload.
    pub(crate) end: u32,
    /// The node behind its last substructure; the next one where it has none.
    pub(crate) next: u32,
    /// The superstructure; [`NONE`] for records and metadata.
    pub(crate) parent: u32,
    pub(crate) tag: u32,
    /// The type; [`NONE`] where it has none.
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

pub(crate) const NONE: u32 = u32::MAX;

/// All nodes, in document order.
#[derive(Clone, Debug, Default)]
pub(crate) struct Nodes {
    packed: Vec<Packed>,
    /// The nodes that are [`ASIDE`], and some that were.
    aside: Vec<NodeData>,
}

#[derive(Clone, Copy, Debug)]
struct Packed {
    /// The offset of its identifier; the index of a node that is [`ASIDE`].
    start: u32,
    /// The length of the payload; above it that of the identifier.
    lengths: u32,
    /// The number of nodes back to the superstructure, 0 where there is none; above it the number beneath.
    relations: u32,
    /// The kind of the payload, or [`ASIDE`]; above it the tag, above that the type.
    label: u32,
}

/// Bits of the length of a payload.
const PAYLOAD: u32 = 24;
/// Bits of the distance to the superstructure, and as many of the number of nodes beneath.
const DISTANCE: u32 = 16;
/// Bits of what says the kind.
const KIND: u32 = 2;
/// Bits of a tag.
const TAG: u32 = 14;
/// Bits of a type, of which all are set where there is none.
const TYPE: u32 = u32::BITS - KIND - TAG;
/// In place of a kind: the node is kept aside.
const ASIDE: u32 = 3;

const fn mask(bits: u32) -> u32 {
    (1 << bits) - 1
}

impl Packed {
    /// The packed form of a node that has the index `id`, if that does.
    #[inline]
    fn of(id: u32, node: &NodeData) -> Option<Packed> {
        let NodeData { start, payload, end, next, parent, tag, structure_type, kind } = *node;
        let (xref, length) = (payload.wrapping_sub(start), end.wrapping_sub(payload));
        let back = if parent == NONE { 0 } else { id.wrapping_sub(parent) };
        let is_far = back >> DISTANCE != 0 || back == 0 && parent != NONE;
        debug_assert!(next > id, "what is beneath a node stands behind it");
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

    /// The node, which has the index `id` and is not kept aside.
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
    /// An empty list with room for so many.
    pub(crate) fn with_room(nodes: usize) -> Nodes {
        Nodes { packed: Vec::with_capacity(nodes), aside: Vec::new() }
    }

    pub(crate) const fn len(&self) -> usize {
        self.packed.len()
    }

    pub(crate) const fn is_empty(&self) -> bool {
        self.packed.is_empty()
    }

    /// The node of an index.
    #[inline]
    pub(crate) fn get(&self, id: u32) -> Option<NodeData> {
        let packed = *self.packed.get(id as usize)?;
        if packed.label & mask(KIND) == ASIDE {
            return self.aside.get(packed.start as usize).copied();
        }
        Some(packed.node(id))
    }

    /// All nodes, in document order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = NodeData> {
        (0..index(self.len())).filter_map(|id| self.get(id))
    }

    /// Adds a node behind all others.
    #[inline]
    pub(crate) fn push(&mut self, node: NodeData) {
        let packed = match Packed::of(index(self.len()), &node) {
            Some(packed) => packed,
            None => self.keep_aside(node),
        };
        self.packed.push(packed);
    }

    /// Gives the node of an index other values.
    #[inline]
    pub(crate) fn update(&mut self, id: u32, change: impl FnOnce(&mut NodeData)) {
        let Some(mut node) = self.get(id) else { return };
        change(&mut node);
        let packed = match Packed::of(id, &node) {
            Some(packed) => packed,
            None if self.put_aside_again(id, node) => return,
            None => self.keep_aside(node),
        };
        if let Some(entry) = self.packed.get_mut(id as usize) {
            *entry = packed;
        }
    }

    /// Gives the node of an index the node behind its last substructure.
    #[inline]
    pub(crate) fn set_next(&mut self, id: u32, next: u32) {
        let beneath = next.saturating_sub(id.saturating_add(1));
        match self.packed.get_mut(id as usize) {
            Some(packed) if beneath >> DISTANCE == 0 && packed.label & mask(KIND) != ASIDE => {
                packed.relations = packed.relations & mask(DISTANCE) | beneath << DISTANCE;
            }
            _ => self.update(id, |node| node.next = next),
        }
    }

    /// Puts a node in its place aside, if it has one.
    #[cold]
    fn put_aside_again(&mut self, id: u32, node: NodeData) -> bool {
        let packed = self.packed.get(id as usize).filter(|packed| packed.label & mask(KIND) == ASIDE);
        let Some(entry) = packed.and_then(|packed| self.aside.get_mut(packed.start as usize)) else {
            return false;
        };
        *entry = node;
        true
    }

    #[cold]
    fn keep_aside(&mut self, node: NodeData) -> Packed {
        self.aside.push(node);
        Packed { start: index(self.aside.len() - 1), lengths: 0, relations: 0, label: ASIDE }
    }

    /// Gives back the room that was set aside for more.
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

/// An index of 32 bits, which there are no more of.
#[inline]
fn index(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(NONE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_node_has_16_octets() {
        assert_eq!(size_of::<Packed>(), 16);
    }

    #[test]
    fn nodes_come_back_whatever_is_said_of_them() {
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
        // Those kept aside come back among the others.
        nodes.update(9, |node| node.end = node.payload);
        expected[9].end = expected[9].payload;
        assert_eq!(nodes.iter().collect::<Vec<_>>(), expected);
        assert_eq!(expected.iter().copied().collect::<Nodes>().iter().collect::<Vec<_>>(), expected);
        assert!(nodes.aside.len() > 4 && nodes.get(2 * far).is_none());
        // However often one of them is changed, it takes no more room.
        let aside = nodes.aside.len();
        (0..1000).for_each(|_| nodes.update(31, |node| node.end += 1));
        assert_eq!(
            (nodes.aside.len(), nodes.get(31).map(|node| node.end)),
            (aside, Some(expected[31].end + 1000))
        );
    }
}
