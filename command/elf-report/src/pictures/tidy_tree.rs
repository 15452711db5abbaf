//! Tidy trees: places for boxes of any size in linear time, so that none overlap, parents stand amid their
//! children, and small subtrees between large ones are spread evenly.
//!
//! It is the way of Reingold and Tilford (1981), with the spreading of Buchheim, Jünger and Leipert (2002).
//! Two neighbouring subtrees are held against each other level by level, as deep as the shallower one goes,
//! and so each node is looked at a few times in all. Nothing recurses: a tree may be a chain of any length.

use std::ops::Range;

/// A tree by its nodes: parents come before their children, which stand side by side.
#[derive(Clone, Debug, Default)]
pub(crate) struct TidyTree {
    nodes: Vec<TidyNode>,
}

#[derive(Clone, Debug)]
struct TidyNode {
    children: Range<usize>,
    size: f64,
}

/// A subtree whose nodes have places of their own, counted from where its root begins.
#[derive(Debug, Default)]
struct Subtree {
    /// The least place that each level takes, and the end of the greatest.
    start: Contour,
    end: Contour,
}

/// One side of a subtree: a place for each level, the deepest first, so that a root is added at the end.
#[derive(Debug, Default)]
struct Contour {
    levels: Vec<f64>,
    /// The number that is to be added to all places.
    offset: f64,
}

/// Siblings, the subtrees of which are side by side as far as they have been placed.
#[derive(Debug)]
struct Siblings {
    all: Subtree,
    places: Vec<f64>,
    /// The siblings that can be seen from the next one, the deepest first: depth and number.
    seen: Vec<(usize, usize)>,
    /// The extra room between siblings: it begins to grow here, and is made up for there.
    begin: Vec<f64>,
    make_up: Vec<f64>,
}

impl TidyTree {
    /// Adds a node that takes so much room, the gap to its neighbour included, with its children, which are
    /// added later.
    pub(crate) fn add(&mut self, size: f64, children: Range<usize>) {
        self.nodes.push(TidyNode { children, size });
    }

    /// The places where the nodes begin, the least at 0.
    pub(crate) fn places(self) -> Vec<f64> {
        let mut places = vec![0.0; self.nodes.len()];
        let mut subtrees: Vec<Subtree> = Vec::new();
        subtrees.resize_with(self.nodes.len(), Subtree::default);
        for (at, node) in self.nodes.iter().enumerate().rev() {
            let mut subtree = Subtree::default();
            let mut beneath = node.children.clone();
            if let Some(first) = beneath.next() {
                let mut siblings = Siblings::of(std::mem::take(&mut subtrees[first]));
                for child in beneath {
                    siblings.add(std::mem::take(&mut subtrees[child]));
                }
                let size_of_last = self.nodes[node.children.end - 1].size;
                let (all, found) = siblings.finish(size_of_last, node.size);
                subtree = all;
                places[node.children.clone()].copy_from_slice(&found);
            }
            subtree.start.push(0.0);
            subtree.end.push(node.size);
            subtrees[at] = subtree;
        }
        self.settle(places)
    }

    /// Makes places that count from the parent's count from the least of all.
    fn settle(&self, mut places: Vec<f64>) -> Vec<f64> {
        for (at, node) in self.nodes.iter().enumerate() {
            let above = places[at];
            places[node.children.clone()].iter_mut().for_each(|place| *place += above);
        }
        let least = places.iter().copied().fold(f64::INFINITY, f64::min);
        places.iter_mut().for_each(|place| *place -= least);
        places
    }
}

impl Contour {
    fn push(&mut self, place: f64) {
        self.levels.push(place - self.offset);
    }

    /// The places from the root's level down.
    fn downward(&self) -> impl Iterator<Item = f64> {
        self.levels.iter().rev().map(|place| place + self.offset)
    }

    /// Takes the places of another contour for its own at the levels that the other has.
    fn cover(&mut self, other: &Contour) {
        let offset = other.offset - self.offset;
        for (own, other) in self.levels.iter_mut().rev().zip(other.levels.iter().rev()) {
            *own = other + offset;
        }
    }
}

impl Siblings {
    fn of(first: Subtree) -> Siblings {
        let depth = first.start.levels.len();
        Siblings {
            all: first,
            places: vec![0.0],
            seen: vec![(depth, 0)],
            begin: vec![0.0],
            make_up: vec![0.0],
        }
    }

    /// Puts the next sibling as near as it goes, and those between it and one that it meets further down
    /// evenly apart.
    fn add(&mut self, mut next: Subtree) {
        let number = self.places.len();
        self.begin.push(0.0);
        self.make_up.push(0.0);
        let mut place = f64::NEG_INFINITY;
        let mut seen = self.seen.iter().rev().copied().peekable();
        for (level, (end, start)) in self.all.end.downward().zip(next.start.downward()).enumerate() {
            while seen.next_if(|(depth, _)| *depth <= level).is_some() {}
            let more = end - start - place;
            if more <= 0.0 {
                continue;
            }
            place = end - start;
            let neighbour = seen.peek().map_or(number - 1, |(_, neighbour)| *neighbour);
            if level > 0 && neighbour + 1 < number {
                let step = more / (number - neighbour) as f64;
                self.begin[neighbour + 1] += step;
                self.begin[number] -= step;
                self.make_up[number] += step - more;
            }
        }
        self.places.push(place);
        next.start.offset += place;
        next.end.offset += place;
        let depth = next.start.levels.len();
        if depth > self.all.start.levels.len() {
            next.start.cover(&self.all.start);
            self.all.start = next.start;
        }
        if depth >= self.all.end.levels.len() {
            self.all.end = next.end;
        } else {
            self.all.end.cover(&next.end);
        }
        while self.seen.pop_if(|(other, _)| *other <= depth).is_some() {}
        self.seen.push((depth, number));
    }

    /// The subtrees beneath a parent of that size, which stands amid them, and their places from where the
    /// parent begins.
    fn finish(mut self, size_of_last: f64, size: f64) -> (Subtree, Vec<f64>) {
        let (mut step, mut extra) = (0.0, 0.0);
        for ((place, begin), make_up) in self.places.iter_mut().zip(&self.begin).zip(&self.make_up) {
            step += begin;
            extra += step + make_up;
            *place += extra;
        }
        // There is at least one sibling.
        let end = self.places[self.places.len() - 1] + size_of_last;
        let first = self.places[0];
        let parent = f64::midpoint(first, end) - size / 2.0;
        self.places.iter_mut().for_each(|place| *place -= parent);
        self.all.start.offset -= parent;
        self.all.end.offset -= parent;
        (self.all, self.places)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// A tree by the numbers of children of its nodes, one level after the other.
    fn tree(counts: &[usize], sizes: &[f64]) -> (TidyTree, Vec<(usize, Range<usize>)>) {
        let (mut tree, mut next) = (TidyTree::default(), 1);
        let mut nodes = vec![(0, 0..0)];
        let mut at = 0;
        while at < nodes.len() {
            let children = next..next + counts.get(at).copied().unwrap_or(0);
            next = children.end;
            let depth = nodes[at].0;
            nodes.extend(children.clone().map(|_| (depth + 1, 0..0)));
            nodes[at].1 = children.clone();
            tree.add(sizes[at % sizes.len()], children);
            at += 1;
        }
        (tree, nodes)
    }

    #[test]
    fn a_small_subtree_is_spread_between_large_ones() {
        // Five children; the first and the last have five children each, the others none.
        let (tree, _) = tree(&[5, 5, 0, 0, 0, 5], &[1.0]);
        let places = tree.places();
        assert_eq!(places[1..6], [2.0, 3.25, 4.5, 5.75, 7.0]);
        assert_eq!(places[0], 4.5);
    }

    #[test]
    fn a_chain_of_any_length_is_straight() {
        let (tree, nodes) = tree(&vec![1; 300_000], &[1.0, 1.0]);
        let places = tree.places();
        assert_eq!(places.len(), nodes.len());
        assert!(places.iter().all(|place| place.abs() < 1e-6));
    }

    proptest! {
        #[test]
        fn nodes_of_one_level_are_in_order_and_apart(
            counts in proptest::collection::vec(0_usize..6, 0..80),
            sizes in proptest::collection::vec(1_u8..50, 1..7),
        ) {
            let sizes: Vec<f64> = sizes.into_iter().map(f64::from).collect();
            let (tree, nodes) = tree(&counts, &sizes);
            let all: Vec<f64> = tree.nodes.iter().map(|node| node.size).collect();
            let places = tree.places();
            for at in 1..nodes.len() {
                if nodes[at].0 == nodes[at - 1].0 {
                    prop_assert!(places[at - 1] + all[at - 1] <= places[at] + 1e-6);
                }
            }
            for (at, (_, children)) in nodes.iter().enumerate().filter(|(_, (_, children))| !children.is_empty()) {
                let (first, last) = (children.start, children.end - 1);
                let middle = (places[first] + places[last] + all[last]) / 2.0;
                prop_assert!((places[at] + all[at] / 2.0 - middle).abs() < 1e-6);
            }
            prop_assert!(places.iter().all(|place| *place >= 0.0));
        }
    }
}
