//! Nodes in few octets, and payloads that are kept aside.

use super::*;
use crate::tree::NONE;

#[test]
fn a_node_has_16_octets() {
    assert_eq!(size_of::<NodeData>(), 16);
}

#[test]
fn a_payload_stands_where_it_was_put_however_far_and_long() {
    let edges = |bits: u32| [0, 1, (1 << bits) - 1, 1 << bits, 1 << 20, 1 << 31];
    for start in [0, 7, 1 << 30] {
        for head in edges(HEAD) {
            for length in edges(LENGTH) {
                let Some(end) = u32::checked_add(start + head, length) else { continue };
                let payload = Span::new(start + head, end);
                let mut arena = Arena::default();
                let flags = flag::PAYLOAD | flag::UNNAMED;
                arena.push(NodeData { start, parent: NONE, next: 1, flags }, payload);
                arena.push(NodeData { start, parent: NONE, next: 2, flags: 0 }, Span::new(start, start));
                let node = arena[0];
                assert_eq!(arena.payload(0, &node), payload);
                assert_eq!(node.flags & flag::ALL & !flag::ASIDE, flags);
                arena.set_payload(0, Span::new(3, 5));
                assert_eq!(arena.payload(0, &arena[0]), Span::new(3, 5));
                assert_eq!(arena.payload(1, &arena[1]), Span::new(start, start));
            }
        }
    }
}
