//! Converts a dataset in document order to one that can be changed, and back.

use super::links::{self, Gap, Links, ROOTS};
use super::{Content, DatasetMut, Node};
use crate::arena::{Arena, DatasetTooLarge, NewStructure, Section};
use crate::build::XrefNumbers;
use crate::dataset::Dataset;
use crate::names::Names;
use crate::nodes::{Kind, NONE};
use crate::types::{TypedBy, Types, TypesInUse};
use elf_schema::Schema;
use hashbrown::{HashMap, HashSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

impl Dataset {
    /// Converts the dataset to one that can be changed. [`DatasetMut::id`] returns the id of a structure for its
    /// [`index`](crate::Structure::index) in this dataset. If the dataset has no [schema](Dataset::schema), the
    /// [completed schema](Schema::completed) determines the types of added structures.
    #[must_use]
    pub fn into_mut(self) -> DatasetMut {
        static OWNERS: AtomicU64 = AtomicU64::new(0);
        let mut xrefs = Names::default();
        let mut nodes = Vec::with_capacity(self.len());
        let mut links = Links::with_capacity(self.len());
        let [mut bearers, mut pointers] = [Vec::new(), Vec::new()];
        for structure in self.structures() {
            let (id, data) = (structure.id + ROOTS, structure.node());
            let xref = structure.xref().map_or(NONE, |xref| xrefs.intern(xref));
            if xref != NONE {
                bearers.push((xref, id));
            }
            let content = match data.kind {
                Kind::None => Content::None,
                Kind::Literal => Content::Literal(data.payload, data.end),
                Kind::Pointer => {
                    let to = xrefs.intern(structure.raw_payload());
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
            links.insert(id, Gap { above, before: NONE });
        }
        let typed_by =
            self.typed_by.clone().unwrap_or_else(|| TypedBy::of_schema(Arc::clone(Schema::completed())));
        DatasetMut {
            owner: OWNERS.fetch_add(1, Ordering::Relaxed),
            resolver: typed_by.new_resolver(),
            in_use: TypesInUse::new(),
            supertypes: self.types.supertype_numbers().iter().copied().collect(),
            links,
            nodes,
            xrefs,
            bearers: bearers.into_iter().collect(),
            pointers: pointers.into_iter().collect(),
            reserved: HashSet::new(),
            numbers: XrefNumbers::default(),
            // Offsets must be below `NONE`.
            room: NONE as usize - 1,
            base: self,
        }
    }
}

impl DatasetMut {
    /// Converts back to a [`Dataset`]. Text that was replaced is dropped, and so are supertypes of types that are no
    /// longer in use.
    ///
    /// # Errors
    ///
    /// Returns [`DatasetTooLarge`] if identifiers and payloads together are longer than 4 GiB.
    pub fn finish(mut self) -> Result<Dataset, DatasetTooLarge> {
        let mut arena = Arena::default();
        let mut tags = vec![NONE; self.base.tags.len()];
        let mut types = vec![NONE; self.base.types.len()];
        for (section, root) in [(Section::Metadata, links::METADATA), (Section::Records, links::DOCUMENT)] {
            for (id, depth) in self.links.subtree(root).skip(1) {
                let node = self.node(id);
                let tag = &mut tags[node.tag as usize];
                if *tag == NONE {
                    *tag = arena.intern_tag(&self.base.tags[node.tag]);
                }
                let tag = *tag;
                let structure_type = match self.base.types.iri(node.structure_type) {
                    None => NONE,
                    Some(iri) => {
                        let structure_type = &mut types[node.structure_type as usize];
                        if *structure_type == NONE {
                            *structure_type = arena.intern_type(iri);
                        }
                        *structure_type
                    }
                };
                // The root has depth 0.
                arena.push(NewStructure { section, depth: depth - 1, tag, structure_type });
                arena.set_xref(self.xrefs.get(node.xref));
                match node.content {
                    Content::None => {}
                    Content::Pointer(to) => arena.set_pointer(&self.xrefs[to]),
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

    pub(super) fn current_types(&self) -> Types {
        let mut types = self.base.types.clone();
        types.add_supertypes(self.in_use.clone(), self.resolver.schema());
        self.supertypes.iter().for_each(|&(of, above)| types.add_supertype(of, above));
        types.sort_supertypes();
        types
    }

    /// Adds all supertypes of the types in use. The types in use are those that have a number in `types`.
    fn add_supertypes(&mut self, types: &[u32], arena: &mut Arena) {
        self.base.types = self.current_types();
        let mut above: HashMap<u32, Vec<u32>> = HashMap::new();
        for &(of, supertype) in self.base.types.supertype_numbers() {
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
