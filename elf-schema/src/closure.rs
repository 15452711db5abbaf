//! Finds indirect supertypes and subtypes, and circles of supertypes (J19 §3.1.1).
//!
//! Schemas come from files of strangers, so only algorithms of petgraph that neither recurse nor build all pairs are
//! used here: a breadth-first walk for each type asked for, and Kosaraju's algorithm for circles.

use crate::definitions::Definitions;
use crate::ids::TypeId;
use petgraph::Direction;
use petgraph::graph::{DiGraph, NodeIndex};
use petgraph::visit::{Bfs, Reversed, Visitable};
use std::collections::BTreeMap;

type Walk = Bfs<NodeIndex<u32>, <DiGraph<(), u32> as Visitable>::Map>;

impl Definitions {
    /// Returns a type and all its supertypes, nearest first.
    pub(crate) fn eventual_supertypes(&self, of: TypeId) -> impl Iterator<Item = TypeId> {
        let mut walk = self.start_walk(of);
        std::iter::from_fn(move || walk.as_mut()?.next(&self.graph)).map(type_at)
    }

    pub(crate) fn eventual_subtypes(&self, of: TypeId) -> impl Iterator<Item = TypeId> {
        let mut walk = self.start_walk(of);
        std::iter::from_fn(move || walk.as_mut()?.next(Reversed(&self.graph))).map(type_at)
    }

    pub(crate) fn direct_supertypes(&self, of: TypeId) -> impl Iterator<Item = TypeId> {
        self.graph.neighbors(of.node()).map(type_at)
    }

    fn direct_subtypes(&self, of: TypeId) -> impl Iterator<Item = TypeId> {
        self.graph.neighbors_directed(of.node(), Direction::Incoming).map(type_at)
    }

    /// Returns a value for each type: its own, or that of its nearest supertype with a value. The result is `None` if no
    /// supertype has a value, or if equally near supertypes differ.
    ///
    /// Values spread from supertypes to subtypes, one step at a time, so each type is reached once, from its nearest
    /// supertypes. The time is proportional to the definitions, even if there are circles.
    pub(crate) fn spread_to_subtypes<T: Copy + PartialEq>(&self, own: Vec<Option<T>>) -> Vec<Option<T>> {
        // The types that have been visited, with `None` if supertypes disagree.
        let mut found: Vec<Option<Option<T>>> = own.into_iter().map(|value| value.map(Some)).collect();
        let mut reached: Vec<(usize, T)> = Vec::new();
        let values = |of: usize, value: Option<Option<T>>| Some((of, value??));
        reached.extend(found.iter().enumerate().filter_map(|(of, &value)| values(of, value)));
        while !reached.is_empty() {
            let mut next: BTreeMap<usize, Option<T>> = BTreeMap::new();
            for (of, value) in reached {
                for subtype in self.direct_subtypes(TypeId::of(of)) {
                    if found[subtype.index()].is_none() {
                        let entry = next.entry(subtype.index()).or_insert(Some(value));
                        if *entry != Some(value) {
                            *entry = None;
                        }
                    }
                }
            }
            for (&of, &value) in &next {
                found[of] = Some(value);
            }
            reached = next.into_iter().filter_map(|(of, value)| values(of, Some(value))).collect();
        }
        found.into_iter().map(Option::flatten).collect()
    }

    /// Returns the circles of supertypes: groups of types that are supertypes of each other, and types that are their
    /// own supertype.
    pub(crate) fn find_circles(&self) -> Vec<Vec<TypeId>> {
        let is_circle = |group: &Vec<NodeIndex<u32>>| match group.as_slice() {
            [single] => self.graph.contains_edge(*single, *single),
            _ => true,
        };
        let groups = petgraph::algo::kosaraju_scc(&self.graph).into_iter().filter(is_circle);
        let sorted = |group: Vec<NodeIndex<u32>>| {
            let mut types: Vec<TypeId> = group.into_iter().map(type_at).collect();
            types.sort_unstable();
            types
        };
        groups.map(sorted).collect()
    }

    /// Returns for each type where a walk up its supertypes can start. This is the type itself or, if it has no
    /// definitions and a single supertype, the start of the walk of that supertype. So a chain of types without
    /// definitions costs one step. `defines` tells whether a type has definitions.
    pub(crate) fn walk_starts(&self, defines: impl Fn(TypeId) -> bool) -> Box<[TypeId]> {
        let mut starts: Box<[TypeId]> = vec![TypeId::NONE; self.types.len()].into();
        let mut passed = Vec::new();
        for mut of in self.type_ids() {
            let start = loop {
                // Already known, or visited on this path: a circle without definitions.
                if starts[of.index()] != TypeId::NONE {
                    break starts[of.index()];
                }
                let Some(above) = self.only_supertype(of).filter(|_| !defines(of)) else { break of };
                starts[of.index()] = of;
                passed.push(of);
                of = above;
            };
            starts[of.index()] = start;
            for passed in passed.drain(..) {
                starts[passed.index()] = start;
            }
        }
        starts
    }

    fn only_supertype(&self, of: TypeId) -> Option<TypeId> {
        let mut supertypes = self.direct_supertypes(of);
        supertypes.next().filter(|_| supertypes.next().is_none())
    }

    fn start_walk(&self, of: TypeId) -> Option<Walk> {
        (of.index() < self.graph.node_count()).then(|| Bfs::new(&self.graph, of.node()))
    }
}

fn type_at(node: NodeIndex<u32>) -> TypeId {
    TypeId::of(node.index())
}
