//! The kinds of the types of a schema: a type that a file defines is held against its nearest supertype.
//!
//! By the rules of 2017 no schema has types of the data model. There a structure has the kind of its
//! counterpart, which hangs on what it stands in.
//!
//! Where tags tell structures apart, a file of GEDCOM 7 may give an extension tag the type of a structure of
//! the standard, which is held against the kind of that.

use crate::slots::NO_KIND;
use crate::table::{Naming, Table};
use elf_schema::{Counterpart, Counterparts, Document, Node, NodeId, Schema, TypeId};
use std::sync::Arc;

/// The kinds of types.
#[derive(Clone, Debug, Default)]
pub(crate) struct Kinds {
    /// By the numbers of the types; [`NO_KIND`] of a type that has none.
    by_type: Box<[u16]>,
    /// True if, where tags tell structures apart, types do so as well: all but extensions have that of their
    /// own tag.
    pub(crate) are_all: bool,
    /// The counterparts of the types, where tags do not tell structures apart and none has a kind.
    counterparts: Option<Arc<Counterparts>>,
    /// True if the schema has all structures of a standard whose tags tell them apart.
    pub(crate) has_structures: bool,
}

/// The kinds of the structures of a document, by their numbers.
pub(crate) struct KindsByNode(Vec<u16>);

impl Kinds {
    /// The kinds of all types of a schema; where tags tell structures apart and types do not, those of
    /// extension tags alone.
    pub(crate) fn of(table: &Table, schema: &Schema) -> Kinds {
        match table.naming {
            Naming::Tag => Kinds::by_tag(table, schema),
            Naming::Type => {
                let kinds = schema.by_nearest_supertype(|iri| table.number(iri)).into_iter();
                let by_type: Box<[u16]> = kinds.map(|kind| kind.unwrap_or(NO_KIND)).collect();
                // Abstract types such as that of the document are known to every schema.
                let has_tag = |kind: &u16| table.kind(*kind).is_some_and(|kind| kind.tag.is_some());
                let is_foreign = !by_type.iter().any(has_tag);
                let counterparts = is_foreign.then(|| Arc::new(Counterparts::of(schema)));
                Kinds { by_type, are_all: false, counterparts, has_structures: false }
            }
        }
    }

    fn by_tag(table: &Table, schema: &Schema) -> Kinds {
        let has_structures = table.types.first().is_some_and(|(iri, _)| schema.type_of(iri).is_some());
        let is_relocated =
            || schema.extension_tags().iter().any(|tag| table.kind_of_type(&tag.uri).is_some());
        // Records that may stand so and so many times are counted by their tags.
        let is_counted = || table.roots.iter().any(|slot| slot.min == 0 && slot.max.is_some());
        let are_all = has_structures && schema.is_of_gedcom_7() && !is_relocated() && !is_counted();
        let by_type = if are_all {
            schema.types().map(|(_, iri)| table.kind_of_type(iri).unwrap_or(NO_KIND)).collect()
        } else {
            Kinds::of_extensions(table, schema)
        };
        Kinds { by_type, are_all, counterparts: None, has_structures }
    }

    fn of_extensions(table: &Table, schema: &Schema) -> Box<[u16]> {
        let mut by_type = Vec::new();
        for tag in schema.extension_tags() {
            let Some((of, kind)) = schema.type_of(&tag.uri).zip(table.kind_of_type(&tag.uri)) else {
                continue;
            };
            by_type.resize(by_type.len().max(of.index() + 1), NO_KIND);
            if let Some(entry) = by_type.get_mut(of.index()) {
                *entry = kind;
            }
        }
        by_type.into()
    }

    /// The number of the kind of a type; [`NO_KIND`] where it has none.
    #[inline]
    pub(crate) fn get(&self, of: TypeId) -> u16 {
        self.by_type.get(of.index()).copied().unwrap_or(NO_KIND)
    }

    /// The kinds of the structures of a document that is read by the rules of 2017; none by other rules,
    /// whose types have kinds of their own.
    pub(crate) fn by_counterpart<'d, 't>(
        &self,
        document: &'d Document<'_>,
        type_of: &impl Fn(Node<'d>) -> Option<TypeId>,
        iri_of: &impl Fn(Node<'d>) -> Option<&'t str>,
        table: &Table,
    ) -> Option<KindsByNode> {
        let counterparts = self.counterparts.as_ref()?;
        if !document.rules().schema.default.is_none() {
            return None;
        }
        let mut kinds = KindsByNode(Vec::new());
        let mut open: Vec<(NodeId, Counterpart)> = Vec::new();
        let mut next = NodeId::FIRST;
        while let Some(node) = document.node(next) {
            while open.last().is_some_and(|(end, _)| *end <= next) {
                open.pop();
            }
            let above = open.last().map_or(Counterpart::DOCUMENT, |(_, above)| *above);
            let found = counterparts.find(above, node.tag(), type_of(node), || iri_of(node));
            kinds.0.push(found.iri().and_then(|iri| table.number(iri)).unwrap_or(NO_KIND));
            open.push((node.subtree_end(), found));
            next = NodeId::new(next.get() + 1);
        }
        Some(kinds)
    }
}

impl KindsByNode {
    /// The number of the kind of a structure; [`NO_KIND`] where it has none.
    pub(crate) fn of(&self, node: Node<'_>) -> u16 {
        self.0.get(node.id().get() as usize).copied().unwrap_or(NO_KIND)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use elf_base::{Rules, Standard};

    fn kind_of(definitions: &str, iri: &str) -> Option<&'static str> {
        let file = format!(
            "0 HEAD\n1 SCHMA\n2 PRFX elf https://terms.fhiso.org/elf/\n2 PRFX e https://e.example/\n{definitions}0 TRLR\n"
        );
        let typed = elf_schema::read(file.as_bytes(), &Rules::JANUARY_2019, &Default::default(), &mut ())
            .expect("a small file");
        let table = Table::of(Standard::DataModel);
        let kinds = Kinds::of(table, typed.schema());
        let of = typed.schema().type_of(iri).expect("a type");
        Some(table.kind(kinds.get(of))?.name)
    }

    #[test]
    fn a_type_of_the_file_has_the_kind_of_its_nearest_supertype() {
        let chain = "2 IRI e:A\n3 ISA e:B\n2 IRI e:B\n3 ISA elf:BIRTH\n2 IRI elf:BIRTH\n";
        assert_eq!(kind_of(chain, "https://e.example/A"), Some("https://terms.fhiso.org/elf/BIRTH"));
        let torn = "2 IRI e:A\n3 ISA elf:DEATH\n3 ISA elf:BIRTH\n";
        assert_eq!(kind_of(torn, "https://e.example/A"), None);
        let circle = "2 IRI e:A\n3 ISA e:B\n2 IRI e:B\n3 ISA e:A\n";
        assert_eq!(kind_of(circle, "https://e.example/A"), None);
    }
}
