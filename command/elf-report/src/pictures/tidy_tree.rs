//! Tidy trees: computes positions for boxes of any size in linear time. Boxes do not overlap, parents are centered
//! above their children, and small subtrees between large ones are evenly spaced.
//!
//! This is the method of Reingold and Tilford (1981), with the spacing of Buchheim, Jünger and Leipert (2002). Two
//! adjacent subtrees are compared level by level, down to the depth of the shallower one, so that each node is visited
//! only a few times in total. Nothing recurses, because a tree may be a chain of any length.

use std::ops::Range;

/// The nodes of a tree. Parents come before their children, and the children of a node are adjacent.
#[derive(Clone, Debug, Default)]
pub(crate) struct TidyTree {
    nodes: Vec<TidyNode>,
}

#[derive(Clone, Debug)]
struct TidyNode {
    children: Range<usize>,
    size: f64,
}

/// A subtree whose nodes have positions relative to its root.
#[derive(Debug, Default)]
struct Subtree {
    /// The start of the first box and the end of the last box of each level.
    start: Contour,
    end: Contour,
}

/// One side of a subtree: a position for each level, the deepest level first, so that a new root can be pushed.
#[derive(Debug, Default)]
struct Contour {
    levels: Vec<f64>,
    /// A number to add to all positions.
    offset: f64,
}

/// Siblings whose subtrees are placed next to each other, one after the other.
#[derive(Debug)]
struct Siblings {
    all: Subtree,
    places: Vec<f64>,
    /// The siblings that the next one can touch: depth and index, the deepest first.
    seen: Vec<(usize, usize)>,
    /// The change, at each sibling, of the extra space that each further sibling gets.
    step_changes: Vec<f64>,
    corrections: Vec<f64>,
}

impl TidyTree {
    /// Adds a node of `size`, which includes the gap to its neighbour. The children are added later.
    pub(crate) fn add(&mut self, size: f64, children: Range<usize>) {
        self.nodes.push(TidyNode { children, size });
    }

    /// Computes the start positions of the nodes. The smallest is 0.
    pub(crate) fn compute_places(self) -> Vec<f64> {
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
                let (all, found) = siblings.join_under_parent(size_of_last, node.size);
                subtree = all;
                places[node.children.clone()].copy_from_slice(&found);
            }
            subtree.start.push(0.0);
            subtree.end.push(node.size);
            subtrees[at] = subtree;
        }
        self.make_absolute(places)
    }

    /// Turns positions relative to the parent into positions relative to the smallest one.
    fn make_absolute(&self, mut places: Vec<f64>) -> Vec<f64> {
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

    /// Returns the positions from the level of the root downward.
    fn downward(&self) -> impl Iterator<Item = f64> {
        self.levels.iter().rev().map(|place| place + self.offset)
    }

    /// Replaces the positions at the levels that `other` has by those of `other`.
    fn overwrite_with(&mut self, other: &Contour) {
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
            step_changes: vec![0.0],
            corrections: vec![0.0],
        }
    }

    /// Places the next sibling as near as possible. If it touches an earlier sibling at a deeper level, the siblings
    /// between the two are evenly spaced.
    fn add(&mut self, mut next: Subtree) {
        let number = self.places.len();
        self.step_changes.push(0.0);
        self.corrections.push(0.0);
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
                self.step_changes[neighbour + 1] += step;
                self.step_changes[number] -= step;
                self.corrections[number] += step - more;
            }
        }
        self.places.push(place);
        next.start.offset += place;
        next.end.offset += place;
        let depth = next.start.levels.len();
        if depth > self.all.start.levels.len() {
            next.start.overwrite_with(&self.all.start);
            self.all.start = next.start;
        }
        if depth >= self.all.end.levels.len() {
            self.all.end = next.end;
        } else {
            self.all.end.overwrite_with(&next.end);
        }
        while self.seen.pop_if(|(other, _)| *other <= depth).is_some() {}
        self.seen.push((depth, number));
    }

    /// Joins the subtrees under a parent of `size`, which is centered above them. Returns the joined subtree, and the
    /// positions of the children relative to the parent.
    fn join_under_parent(mut self, size_of_last: f64, size: f64) -> (Subtree, Vec<f64>) {
        let (mut step, mut extra) = (0.0, 0.0);
        for ((place, step_changes), corrections) in
            self.places.iter_mut().zip(&self.step_changes).zip(&self.corrections)
        {
            step += step_changes;
            extra += step + corrections;
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
        let places = tree.compute_places();
        assert_eq!(places[1..6], [2.0, 3.25, 4.5, 5.75, 7.0]);
        assert_eq!(places[0], 4.5);
    }

    #[test]
    fn a_chain_of_any_length_is_straight() {
        let (tree, nodes) = tree(&vec![1; 300_000], &[1.0, 1.0]);
        let places = tree.compute_places();
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
            let places = tree.compute_places();
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
