//! Eventual supertypes and subtypes, and circles of them (J19 §3.1.1).
//!
//! Schemas come from files of strangers: only algorithms of petgraph that neither recurse nor build all pairs are
//! used here, a breadth-first walk for each type asked for, and Kosaraju's for the circles.

use crate::{Schema, TypeId};
use petgraph::graph::{DiGraph, NodeIndex};
use petgraph::visit::{Bfs, Reversed, Visitable};

type Walk = Bfs<NodeIndex<u32>, <DiGraph<(), u32> as Visitable>::Map>;

impl Schema {
    /// The eventual supertypes of a type: itself first, then the others, nearer ones before farther ones. Takes time in
    /// proportion to the definitions passed.
    ///
    /// ```
    /// let schema = elf_schema::Schema::published();
    /// let of = |name: &str| schema.type_of(&schema.prefixes().expand(name)).expect("a type");
    /// let names: Vec<_> = schema.eventual_supertypes(of("elf:MARRIAGE")).collect();
    /// assert_eq!(names, [of("elf:MARRIAGE"), of("elf:FamilyEvent"), of("elf:Event")]);
    /// ```
    pub fn eventual_supertypes(&self, of: TypeId) -> impl Iterator<Item = TypeId> {
        let mut walk = self.walk(of);
        std::iter::from_fn(move || {
            walk.as_mut().and_then(|walk| walk.next(&self.graph)).map(|node| TypeId::of(node.index()))
        })
    }

    /// The eventual subtypes of a type: itself first, then the others.
    pub fn eventual_subtypes(&self, of: TypeId) -> impl Iterator<Item = TypeId> {
        let mut walk = self.walk(of);
        std::iter::from_fn(move || {
            walk.as_mut()
                .and_then(|walk| walk.next(Reversed(&self.graph)))
                .map(|node| TypeId::of(node.index()))
        })
    }

    /// The circles of supertypes: groups of types of which each is an eventual supertype of the others, and types that
    /// are their own supertype.
    pub fn circles(&self) -> Vec<Vec<TypeId>> {
        petgraph::algo::kosaraju_scc(&self.graph)
            .into_iter()
            .filter(|group| match group.as_slice() {
                [single] => self.graph.contains_edge(*single, *single),
                _ => true,
            })
            .map(|group| {
                let mut group: Vec<TypeId> = group.into_iter().map(|node| TypeId::of(node.index())).collect();
                group.sort_unstable();
                group
            })
            .collect()
    }

    fn walk(&self, of: TypeId) -> Option<Walk> {
        (of.index() < self.graph.node_count()).then(|| Bfs::new(&self.graph, of.node()))
    }
}
