//! Eventual supertypes and subtypes, and circles of them (J19 §3.1.1).
//!
//! Schemas come from files of strangers: only algorithms of petgraph that neither recurse nor build all pairs
//! are used here, a breadth-first walk for each type asked for, and Kosaraju's for the circles.

use crate::{Schema, TypeId};
use petgraph::Direction;
use petgraph::graph::{DiGraph, NodeIndex};
use petgraph::visit::{Bfs, Reversed, Visitable};
use std::collections::BTreeMap;

type Walk = Bfs<NodeIndex<u32>, <DiGraph<(), u32> as Visitable>::Map>;

impl Schema {
    /// The eventual supertypes of a type: itself first, then the others, nearer ones before farther ones.
    /// Takes time in proportion to the definitions passed.
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
            walk.as_mut().and_then(|walk| walk.next(&self.said().graph)).map(|node| TypeId::of(node.index()))
        })
    }

    /// The eventual subtypes of a type: itself first, then the others.
    pub fn eventual_subtypes(&self, of: TypeId) -> impl Iterator<Item = TypeId> {
        let mut walk = self.walk(of);
        std::iter::from_fn(move || {
            walk.as_mut()
                .and_then(|walk| walk.next(Reversed(&self.said().graph)))
                .map(|node| TypeId::of(node.index()))
        })
    }

    /// The types that have a type as a supertype by a definition of their own.
    pub(crate) fn subtypes(&self, of: TypeId) -> impl Iterator<Item = TypeId> {
        let known = of.index() < self.said().graph.node_count();
        let subtypes = known.then(|| self.said().graph.neighbors_directed(of.node(), Direction::Incoming));
        subtypes.into_iter().flatten().map(|node| TypeId::of(node.index()))
    }

    /// Finds for each type, by its number, what is known of it: what `known` says of its IRI, else what is
    /// known of its nearest supertype; `None` where nothing is, or several that differ are equally near.
    ///
    /// It spreads from supertypes to subtypes, one step at a time, so that each type is reached from its
    /// nearest supertypes first, and once: in time that grows with the definitions, circles or not.
    pub fn by_nearest_supertype<T: Copy + PartialEq>(
        &self,
        known: impl Fn(&str) -> Option<T>,
    ) -> Vec<Option<T>> {
        // What is reached, with `None` inside where supertypes disagree.
        let mut found: Vec<Option<Option<T>>> = self.types().map(|(_, iri)| known(iri).map(Some)).collect();
        let mut reached: Vec<usize> =
            (0..found.len()).filter(|&of| matches!(found.get(of), Some(Some(_)))).collect();
        while !reached.is_empty() {
            let mut next: BTreeMap<usize, Option<T>> = BTreeMap::new();
            for of in reached {
                let Some(&Some(value)) = found.get(of) else { continue };
                for subtype in self.subtypes(TypeId::of(of)) {
                    if matches!(found.get(subtype.index()), Some(None)) {
                        let entry = next.entry(subtype.index()).or_insert(value);
                        if *entry != value {
                            *entry = None;
                        }
                    }
                }
            }
            for (&of, &value) in &next {
                if let Some(entry) = found.get_mut(of) {
                    *entry = Some(value);
                }
            }
            reached = next.into_keys().collect();
        }
        found.into_iter().map(Option::flatten).collect()
    }

    /// The circles of supertypes: groups of types of which each is an eventual supertype of the others, and
    /// types that are their own supertype.
    pub fn circles(&self) -> Vec<Vec<TypeId>> {
        petgraph::algo::kosaraju_scc(&self.said().graph)
            .into_iter()
            .filter(|group| match group.as_slice() {
                [single] => self.said().graph.contains_edge(*single, *single),
                _ => true,
            })
            .map(|group| {
                let mut group: Vec<TypeId> = group.into_iter().map(|node| TypeId::of(node.index())).collect();
                group.sort_by_key(|of| of.index());
                group
            })
            .collect()
    }

    /// For each type the one whose definitions are all that apply beneath it: mostly itself; where it has one
    /// supertype and no definitions of its own, that of the supertype. So long chains cost no more than short
    /// ones.
    pub(crate) fn sources_of_rows(&self) -> Vec<TypeId> {
        let mut sources: Vec<TypeId> = vec![TypeId::NONE; self.said().types.len()];
        let mut path = Vec::new();
        for index in 0..sources.len() {
            let mut of = TypeId::of(index);
            let source = loop {
                match sources.get(of.index()) {
                    Some(&TypeId::NONE) => {}
                    // Known; or passed on this path: a circle without definitions.
                    Some(&known) => break known,
                    None => break of,
                }
                let Some(above) = self.passes_on(of) else { break of };
                if let Some(source) = sources.get_mut(of.index()) {
                    *source = of;
                }
                path.push(of);
                of = above;
            };
            path.push(of);
            for passed in path.drain(..) {
                if let Some(entry) = sources.get_mut(passed.index()) {
                    *entry = source;
                }
            }
        }
        sources
    }

    /// The only supertype of a type in which nothing is defined.
    fn passes_on(&self, of: TypeId) -> Option<TypeId> {
        if self.said().by_superstructure.get(of.index()).is_none_or(|own| !own.is_empty()) {
            return None;
        }
        let mut supertypes = self.said().graph.neighbors(of.node());
        match (supertypes.next(), supertypes.next()) {
            (Some(above), None) => Some(TypeId::of(above.index())),
            _ => None,
        }
    }

    fn walk(&self, of: TypeId) -> Option<Walk> {
        (of.index() < self.said().graph.node_count()).then(|| Bfs::new(&self.said().graph, of.node()))
    }
}
