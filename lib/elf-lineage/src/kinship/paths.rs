//! Finds the lines of descent by which two people are related.
//!
//! A line of descent is a pair of paths that lead from the two people to a common ancestor and do
//! not meet before. Following each path would take too long. Instead, two walkers start at the two
//! people, and the younger walker steps to a parent until both are at the same person. Everybody is
//! younger than all of their ancestors, so walkers whose paths cross are at the crossing at the
//! same time. Walkers only step to people from whom they can reach a *meeting point*: an ancestor
//! to whom two paths lead that have nobody else in common. Meeting points are the people whom
//! nobody dominates, in the sense of control-flow graphs.

use super::pedigree::{Edge, Pedigree};
use crate::bonds::Bond;
use std::collections::{HashSet, VecDeque};

/// Two paths that meet at a common ancestor.
#[derive(Clone, Copy, Debug)]
pub(super) struct Meeting {
    /// The number of the common ancestor.
    pub(super) ancestor: usize,
    /// The last links of the two paths; `None` for a path without links.
    pub(super) last: [Option<LastLink>; 2],
    /// The number of links of each path.
    pub(super) generations: [u32; 2],
    /// The weakest bond on the paths.
    pub(super) bond: Bond,
}

/// The link from the last person of a path to the common ancestor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct LastLink {
    pub(super) child: usize,
    /// The index of the link among the child's links to parents.
    pub(super) edge: usize,
}

/// All common ancestors where the paths of two people meet, nearest first, and whether the search was complete.
#[derive(Debug, Default)]
pub(super) struct Meetings {
    pub(super) found: Vec<Meeting>,
    pub(super) is_complete: bool,
}

/// The maximum number of states that the walkers visit. Families of one village over ten
/// generations need a few thousand states.
const MAX_STATES: usize = 1 << 20;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Walker {
    at: usize,
    last: Option<LastLink>,
    generations: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Walkers {
    pair: [Walker; 2],
    bond: Bond,
}

impl Meetings {
    pub(super) fn of(pedigree: &Pedigree) -> Meetings {
        let are_meetings = find_meeting_points(pedigree);
        let leads_on = find_leading_to_meetings(pedigree, are_meetings.clone());
        let mut meetings = Meetings { found: Vec::new(), is_complete: true };
        if !pedigree.pair.iter().all(|&at| leads_on[at]) {
            return meetings;
        }
        let pair = pedigree.pair.map(|at| Walker { at, last: None, generations: 0 });
        let (mut level, mut next) = (vec![Walkers { pair, bond: Bond::Birth }], Vec::new());
        let (mut met, mut states) = (HashSet::new(), 0);
        while !level.is_empty() {
            for walkers in level.drain(..) {
                let [one, other] = walkers.pair;
                if one.at == other.at {
                    meetings.found.push(walkers.meeting());
                    continue;
                }
                for step in walkers.next_steps(pedigree) {
                    if leads_on[step.pair[0].at] && leads_on[step.pair[1].at] && met.insert(step) {
                        next.push(step);
                    }
                }
            }
            states += next.len();
            if states > MAX_STATES {
                meetings.is_complete = false;
                if meetings.found.is_empty() {
                    meetings.found.extend(nearest_meetings(pedigree, &are_meetings));
                }
                break;
            }
            met.clear();
            std::mem::swap(&mut level, &mut next);
        }
        meetings
    }
}

impl Walkers {
    fn meeting(self) -> Meeting {
        let [one, other] = self.pair;
        Meeting {
            ancestor: one.at,
            last: [one.last, other.last],
            generations: [one.generations, other.generations],
            bond: self.bond,
        }
    }

    /// Returns the walkers after the younger one has gone to each of the parents.
    fn next_steps(self, pedigree: &Pedigree) -> impl Iterator<Item = Walkers> {
        let younger = usize::from(
            pedigree.generation_order(self.pair[1].at) < pedigree.generation_order(self.pair[0].at),
        );
        let walker = self.pair[younger];
        let edges = pedigree.parents(walker.at).iter().enumerate();
        edges.map(move |(number, &Edge { parent, bond, .. })| {
            let mut pair = self.pair;
            pair[younger] = Walker {
                at: parent,
                last: Some(LastLink { child: walker.at, edge: number }),
                generations: walker.generations + 1,
            };
            Walkers { pair, bond: self.bond.max(bond) }
        })
    }
}

/// Returns the meetings of the shortest paths, which cannot cross earlier. There is one meeting, or
/// one for each parent of the same children.
fn nearest_meetings(pedigree: &Pedigree, are_meetings: &[bool]) -> Vec<Meeting> {
    let paths = pedigree.pair.map(|at| shortest_paths(pedigree, at));
    let points = (0..pedigree.len()).filter(|&at| are_meetings[at]);
    let meetings = points.filter_map(|ancestor| {
        let [Some(one), Some(other)] = [paths[0][ancestor], paths[1][ancestor]] else { return None };
        Some(Walkers { pair: [one.0, other.0], bond: one.1.max(other.1) }.meeting())
    });
    let nearest = meetings.min_by_key(|meeting| meeting.generations.map(u64::from).iter().sum::<u64>());
    nearest.map_or_else(Vec::new, |meeting| meetings_with_both_parents(pedigree, meeting))
}

/// Returns a meeting, and the same meeting for each other person who is a parent of both children
/// by the same bonds.
fn meetings_with_both_parents(pedigree: &Pedigree, meeting: Meeting) -> Vec<Meeting> {
    let [Some(one), Some(other)] = meeting.last else { return vec![meeting] };
    let edges = |link: LastLink| pedigree.parents(link.child).iter().enumerate();
    let bonds = [one, other].map(|link| pedigree.parents(link.child)[link.edge].bond);
    let pairs = edges(one).flat_map(|first| edges(other).map(move |second| (first, second)));
    let shared = pairs.filter(|((_, first), (_, second))| {
        first.parent == second.parent && [first.bond, second.bond] == bonds
    });
    let meetings = shared.map(|((first, edge), (second, _))| Meeting {
        ancestor: edge.parent,
        last: [Some(LastLink { edge: first, ..one }), Some(LastLink { edge: second, ..other })],
        ..meeting
    });
    meetings.collect()
}

/// Returns, for each ancestor, a walker that took the shortest path from `from`, and the weakest
/// bond on that path.
fn shortest_paths(pedigree: &Pedigree, from: usize) -> Vec<Option<(Walker, Bond)>> {
    let mut found = vec![None; pedigree.len()];
    let start = Walker { at: from, last: None, generations: 0 };
    found[from] = Some((start, Bond::Birth));
    let mut open = VecDeque::from([(start, Bond::Birth)]);
    while let Some((walker, bond)) = open.pop_front() {
        for (number, edge) in pedigree.parents(walker.at).iter().enumerate() {
            if found[edge.parent].is_none() {
                let last = Some(LastLink { child: walker.at, edge: number });
                let next = Walker { at: edge.parent, last, generations: walker.generations + 1 };
                found[edge.parent] = Some((next, bond.max(edge.bond)));
                open.push_back((next, bond.max(edge.bond)));
            }
        }
    }
    found
}

/// Returns, for each person, whether the person is a meeting point or has one among the ancestors.
fn find_leading_to_meetings(pedigree: &Pedigree, mut leads_on: Vec<bool>) -> Vec<bool> {
    for at in (0..pedigree.len()).rev() {
        leads_on[at] |= pedigree.parents(at).iter().any(|edge| leads_on[edge.parent]);
    }
    leads_on
}

/// Returns, for each person, whether two paths lead there from the two people that have nobody else
/// in common.
fn find_meeting_points(pedigree: &Pedigree) -> Vec<bool> {
    let count = pedigree.len();
    let mut tree = DominatorTree::with_root(count + 1);
    let mut dominators: Vec<Option<u32>> = vec![None; count];
    let mut reached = vec![[false; 2]; count];
    for (side, at) in pedigree.pair.into_iter().enumerate() {
        dominators[at] = Some(DominatorTree::ROOT);
        reached[at][side] = true;
    }
    let mut are_meetings = vec![false; count];
    for at in 0..count {
        let Some(dominator) = dominators[at] else { continue };
        let node = tree.add_node(dominator);
        are_meetings[at] = dominator == DominatorTree::ROOT && reached[at] == [true; 2];
        for edge in pedigree.parents(at) {
            let of_parent = dominators[edge.parent].map_or(node, |known| tree.common_dominator(known, node));
            dominators[edge.parent] = Some(of_parent);
            let [by_one, by_other] = reached[at];
            let [parent_by_one, parent_by_other] = &mut reached[edge.parent];
            *parent_by_one |= by_one;
            *parent_by_other |= by_other;
        }
    }
    are_meetings
}

/// The tree of dominators. The parent of each node is the nearest node that all paths to the node
/// pass. The root stands for the pair of people. Each node stores jumps of growing length, so that
/// [`common_dominator`](DominatorTree::common_dominator) takes logarithmic time.
struct DominatorTree {
    above: Vec<u32>,
    jump: Vec<u32>,
    depth: Vec<u32>,
}

impl DominatorTree {
    const ROOT: u32 = 0;

    fn with_root(capacity: usize) -> DominatorTree {
        let mut tree = DominatorTree {
            above: Vec::with_capacity(capacity),
            jump: Vec::with_capacity(capacity),
            depth: Vec::with_capacity(capacity),
        };
        tree.above.push(DominatorTree::ROOT);
        tree.jump.push(DominatorTree::ROOT);
        tree.depth.push(0);
        tree
    }

    /// Adds a node under `above`, and returns its number.
    fn add_node(&mut self, above: u32) -> u32 {
        let jump = self.jump[above as usize];
        let (near, far) = (self.depth_of(above) - self.depth_of(jump), self.jump[jump as usize]);
        let is_even = near == self.depth_of(jump) - self.depth_of(far);
        let node = crate::lists::to_u32(self.above.len());
        self.above.push(above);
        self.jump.push(if is_even { far } else { above });
        self.depth.push(self.depth_of(above) + 1);
        node
    }

    fn depth_of(&self, node: u32) -> u32 {
        self.depth[node as usize]
    }

    /// Returns the deepest node that is above both nodes, or one of them.
    fn common_dominator(&self, mut one: u32, mut other: u32) -> u32 {
        if self.depth_of(one) < self.depth_of(other) {
            std::mem::swap(&mut one, &mut other);
        }
        let level = self.depth_of(other);
        while self.depth_of(one) > level {
            let jump = self.jump[one as usize];
            one = if self.depth_of(jump) < level { self.above[one as usize] } else { jump };
        }
        while one != other {
            let jumps = [one, other].map(|node| self.jump[node as usize]);
            [one, other] = match jumps[0] == jumps[1] {
                true => [one, other].map(|node| self.above[node as usize]),
                false => jumps,
            };
        }
        one
    }
}
