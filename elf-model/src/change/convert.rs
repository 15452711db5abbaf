//! From a dataset that stands in document order to one that can be changed, and back.

use super::links::{self, Gap, Links, ROOTS};
use super::{Content, DatasetMut, Node, number};
use crate::arena::{Arena, DatasetTooLarge, METADATA, RECORDS};
use crate::dataset::{Dataset, Names};
use crate::nodes::{Kind, NONE};
use crate::types::{TypedBy, Types, TypesInUse};
use elf_schema::Schema;
use hashbrown::{HashMap, HashSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

impl Dataset {
    /// Makes it one that can be changed. The structures keep their order, and have identifiers by their
    /// [`index`](crate::Structure::index): [`DatasetMut::id`].
    ///
    /// Where no [schema](Dataset::schema) is at hand, what is added is typed by the [completed
    /// one](Schema::completed).
    #[must_use]
    pub fn into_mut(self) -> DatasetMut {
        static OWNERS: AtomicU64 = AtomicU64::new(0);
        let mut xrefs = Names::default();
        let mut name = |xref: &str| match xrefs.get_index_of(xref) {
            Some(index) => number(index),
            None => number(xrefs.insert_full(xref.into()).0),
        };
        let mut nodes = Vec::with_capacity(self.len());
        let mut links = Links::with_capacity(self.len());
        let [mut bearers, mut pointers] = [Vec::new(), Vec::new()];
        for structure in self.structures() {
            let (id, data) = (structure.id + ROOTS, structure.data());
            let xref = structure.xref().map_or(NONE, &mut name);
            if xref != NONE {
                bearers.push((xref, id));
            }
            let content = match data.kind {
                Kind::None => Content::None,
                Kind::Literal => Content::Literal(data.payload, data.end),
                Kind::Pointer => {
                    let to = name(structure.raw());
                    pointers.push((to, id));
                    Content::Pointer(to)
                }
            };
            nodes.push(Node { tag: data.tag, structure_type: data.structure_type, xref, content });
            let above = match data.parent {
                NONE if structure.is_metadata() => links::METADATA,
                NONE => links::DOCUMENT,
                above => above + ROOTS,
            };
            links.push();
            links.put(id, Gap { above, before: NONE });
        }
        let typed_by =
            self.typed_by.clone().unwrap_or_else(|| TypedBy::schema(Arc::clone(Schema::completed())));
        DatasetMut {
            owner: OWNERS.fetch_add(1, Ordering::Relaxed),
            resolver: typed_by.resolver(),
            in_use: TypesInUse::new(),
            supertypes: self.types.pairs().iter().copied().collect(),
            links,
            nodes,
            xrefs,
            bearers: bearers.into_iter().collect(),
            pointers: pointers.into_iter().collect(),
            reserved: HashSet::new(),
            fresh: 0,
            // Offsets have 32 bits, one of which stands for none.
            room: NONE as usize - 1,
            base: self,
        }
    }
}

impl DatasetMut {
    /// Returns the dataset as it is now. Text that was replaced is given up, and so are supertypes of types
    /// that are no longer in use.
    ///
    /// # Errors
    ///
    /// [`DatasetTooLarge`] where identifiers and payloads together are longer than 4 GiB.
    pub fn finish(mut self) -> Result<Dataset, DatasetTooLarge> {
        let mut arena = Arena::default();
        let mut tags = vec![NONE; self.base.tags.len()];
        let mut types = vec![NONE; self.base.types.len()];
        for (part, root) in [(METADATA, links::METADATA), (RECORDS, links::DOCUMENT)] {
            for (id, depth) in self.links.subtree(root).skip(1) {
                let Some(node) = self.node(id) else { continue };
                let tag = renumbered(&mut tags, node.tag, || {
                    self.base.tags.get_index(node.tag as usize).map(|tag| arena.tag(tag))
                });
                let structure_type = renumbered(&mut types, node.structure_type, || {
                    self.base.types.iri(node.structure_type).map(|iri| arena.structure_type(iri))
                });
                arena.push(part, depth - 1, tag, structure_type);
                arena.set_xref(self.xrefs.get_index(node.xref as usize).map(|xref| &**xref));
                match node.content {
                    Content::None => {}
                    Content::Pointer(to) => {
                        arena.set_pointer(self.xrefs.get_index(to as usize).map_or("", |xref| xref));
                    }
                    Content::Literal(from, to) => {
                        arena.begin_literal();
                        self.base.pieces_in(from, to).for_each(|piece| arena.add_piece(piece));
                    }
                }
            }
        }
        self.add_supertypes(&types, &mut arena);
        arena.header = std::mem::take(&mut self.base.header);
        arena.plain_plang = self.base.plain_plang;
        let (schema, dictionary) =
            (Arc::clone(self.resolver.schema()), self.resolver.dictionary().map(Arc::clone));
        arena.typed_by = Some(self.base.typed_by.unwrap_or(TypedBy { schema, dictionary }));
        arena.finish()
    }

    /// The types as they are now, with all that is above them.
    pub(super) fn types_now(&self) -> Types {
        let mut types = self.base.types.clone();
        types.add_supertypes(self.in_use.clone(), self.resolver.schema());
        self.supertypes.iter().for_each(|&(of, above)| types.add_supertype(of, above));
        types.settle();
        types
    }

    /// Adds what is above the types in use, which are those with a number in `types`.
    fn add_supertypes(&mut self, types: &[u32], arena: &mut Arena) {
        self.base.types = self.types_now();
        let mut above: HashMap<u32, Vec<u32>> = HashMap::new();
        for &(of, supertype) in self.base.types.pairs() {
            above.entry(of).or_default().push(supertype);
        }
        let in_use = (0..).zip(types).filter(|&(_, &number)| number != NONE).map(|(of, _)| of);
        let mut waiting: Vec<u32> = in_use.collect();
        let mut seen: HashSet<u32> = waiting.iter().copied().collect();
        while let Some(of) = waiting.pop() {
            for supertype in above.remove(&of).unwrap_or_default() {
                if let (Some(of), Some(iri)) = (self.base.types.iri(of), self.base.types.iri(supertype)) {
                    arena.add_supertype(of, iri);
                }
                if seen.insert(supertype) {
                    waiting.push(supertype);
                }
            }
        }
    }
}

/// The new number of what has an old one; `make` gives it when it is first met.
fn renumbered(numbers: &mut [u32], old: u32, make: impl FnOnce() -> Option<u32>) -> u32 {
    match numbers.get_mut(old as usize) {
        Some(new) if *new == NONE => {
            *new = make().unwrap_or(NONE);
            *new
        }
        Some(new) => *new,
        None => NONE,
    }
}
