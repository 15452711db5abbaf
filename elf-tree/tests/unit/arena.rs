//! Nodes in few octets, and payloads that are kept aside.

use super::*;
use crate::tree::NONE;

#[test]
fn a_node_has_12_octets() {
    assert_eq!(size_of::<NodeData>(), 12);
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
                arena.push(NewNode { start, parent: NONE, flags }, payload);
                arena.push(NewNode { start, parent: NONE, flags: 0 }, Span::new(start, start));
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

#[test]
fn relations_are_what_they_were_made_however_far() {
    let mut arena = Arena::default();
    let last = FAR + 2;
    for id in 0..=last {
        let parent = if id == 0 { NONE } else { 0 };
        arena.push(NewNode { start: id, parent, flags: 0 }, Span::new(id, id));
        assert_eq!((arena.parent(id), arena.end(id)), (parent, Some(id + 1)), "{id}");
    }
    assert_eq!((arena.parent(last + 1), arena.end(last + 1)), (NONE, None));
    for end in [FAR - 1, FAR, FAR + 1, FAR + 2, 3] {
        arena.set_end(0, end);
        assert_eq!((arena.parent(0), arena.end(0)), (NONE, Some(end)));
    }
    for parent in [0, 1, 2, 3, last - 1, NONE] {
        arena.set_parent(last, parent);
        assert_eq!((arena.parent(last), arena.end(last)), (parent, Some(last + 1)));
    }
}
