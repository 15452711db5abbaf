//! Maps the types of a schema to the kinds of a standard's table.
//!
//! A type that a file defines is validated by the kinds of its supertypes. Under the rules of 2017,
//! no type belongs to the data model. A structure then has the kind of its counterpart, which
//! depends on its superstructure. Some standards identify structures by tag. Under such a standard,
//! a file of GEDCOM 7 may give an extension tag the type of a standard structure, which is then
//! validated as that kind.

use crate::slots::NO_KIND;
use crate::table::{Naming, Table};
use elf_schema::{Counterpart, Counterparts, Node, NodeId, Schema, TypeId, TypedDocument};
use std::sync::Arc;

#[derive(Clone, Debug, Default)]
pub(crate) struct Kinds {
    /// The kind number by type: [`NO_KIND`] if the type has none, or [`SpecialType::FIRST`] plus an index into `special`.
    by_type: Box<[u16]>,
    special: Box<[SpecialType]>,
    /// True if, under a standard that identifies structures by tag, the type of every standard structure gives its
    /// kind.
    pub(crate) identify_structures: bool,
    /// The counterparts of types, for documents under the rules of 2017. The field is only set if
    /// no type has a kind.
    counterparts: Option<Arc<Counterparts>>,
    /// True if the schema has the types of a standard that identifies structures by tag.
    pub(crate) covers_standard: bool,
}

/// A type that is abstract or has several kinds.
#[derive(Clone, Debug)]
pub(crate) struct SpecialType {
    /// The kind that its structures are validated as.
    pub(crate) kind: u16,
    /// The kinds that its structures are counted as.
    pub(crate) counted: Box<[u16]>,
    pub(crate) is_abstract: bool,
}

impl SpecialType {
    /// The first number of a special type. It is larger than any kind number.
    pub(crate) const FIRST: u16 = 1 << 15;
}

/// The kind of each structure of a document, by node.
pub(crate) struct KindsByNode(Vec<u16>);

impl Kinds {
    /// Finds the kinds of all types of a schema. Under a standard that identifies structures by
    /// tag, the result may contain only the kinds of extension tags.
    pub(crate) fn of(table: &Table, schema: &Schema) -> Kinds {
        match table.naming {
            Naming::Tag => Kinds::new_by_tag(table, schema),
            Naming::Type => Kinds::new_by_type(table, schema),
        }
    }

    fn new_by_type(table: &Table, schema: &Schema) -> Kinds {
        let mut by_type = vec![NO_KIND; schema.len()].into_boxed_slice();
        for (number, kind) in (0..).zip(table.kinds) {
            if let Some(entry) = schema.type_of(kind.name).and_then(|of| by_type.get_mut(of.index())) {
                *entry = number;
            }
        }
        // Abstract types are in every schema. So only a kind with a tag shows that the schema defines kinds of its own.
        let has_tag = |kind: &u16| table.kind(*kind).is_some_and(|kind| kind.tag.is_some());
        let is_foreign = !by_type.iter().any(has_tag);
        let counterparts = is_foreign.then(|| Arc::new(Counterparts::of(schema)));
        let special = assign_special_types(table, schema, &mut by_type);
        Kinds { by_type, special, identify_structures: false, counterparts, covers_standard: false }
    }

    fn new_by_tag(table: &Table, schema: &Schema) -> Kinds {
        let covers_standard = table.types.first().is_some_and(|(iri, _)| schema.type_of(iri).is_some());
        let is_relocated =
            || schema.extension_tags().iter().any(|tag| table.kind_of_type(&tag.uri).is_some());
        // Records whose number is limited are counted by tag.
        let is_counted = || table.roots.iter().any(|slot| slot.min == 0 && slot.max.is_some());
        let identify_structures =
            covers_standard && schema.is_of_gedcom_7() && !is_relocated() && !is_counted();
        let by_type = if identify_structures {
            schema.types().map(|(_, iri)| table.kind_of_type(iri).unwrap_or(NO_KIND)).collect()
        } else {
            Kinds::kinds_of_extensions(table, schema)
        };
        Kinds { by_type, special: Box::default(), identify_structures, counterparts: None, covers_standard }
    }

    fn kinds_of_extensions(table: &Table, schema: &Schema) -> Box<[u16]> {
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

    /// Returns the kind number of a type; [`NO_KIND`] if it has none.
    #[inline]
    pub(crate) fn kind_of(&self, of: TypeId) -> u16 {
        self.by_type.get(of.index()).copied().unwrap_or(NO_KIND)
    }

    pub(crate) fn get_special(&self, number: u16) -> Option<&SpecialType> {
        self.special.get(usize::from(number.checked_sub(SpecialType::FIRST)?))
    }

    /// Returns the kinds of the structures of a document under the rules of 2017. Returns `None`
    /// under other rules, because their types have kinds.
    pub(crate) fn find_by_counterpart(
        &self,
        typed: &TypedDocument<'_>,
        table: &Table,
    ) -> Option<KindsByNode> {
        let counterparts = self.counterparts.as_ref()?;
        let document = typed.document();
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
            let found = counterparts.find(above, node.tag(), typed.type_id(node), || typed.type_of(node));
            kinds.0.push(found.iri().and_then(|iri| table.kind_number(iri)).unwrap_or(NO_KIND));
            open.push((node.subtree_end(), found));
            next = NodeId::new(next.get() + 1);
        }
        Some(kinds)
    }
}

/// Completes `by_type`, which has the kinds of the types in the table, for types that get their kind from supertypes.
/// Returns the special types. A type is special if it is abstract, or if it has several kinds and none of them is a
/// supertype of another.
fn assign_special_types(table: &Table, schema: &Schema, by_type: &mut [u16]) -> Box<[SpecialType]> {
    let mut all: Vec<(usize, SpecialType)> = Vec::new();
    for (of, &kind) in by_type.iter().enumerate() {
        if table.kind(kind).is_some_and(|kind| kind.tag.is_none()) {
            all.push((of, SpecialType { kind, counted: [kind].into(), is_abstract: true }));
        }
    }
    for (of, kinds) in kinds_by_supertypes(table, schema, by_type) {
        match (kinds.as_slice(), by_type.get_mut(of)) {
            ([only], Some(entry)) => *entry = *only,
            ([_, _, ..], Some(_)) => {
                let kind = nearest_common_supertype(table, &kinds).unwrap_or(NO_KIND);
                all.push((of, SpecialType { kind, counted: kinds.into(), is_abstract: false }));
            }
            _ => {}
        }
    }
    let mut found: Vec<SpecialType> = Vec::new();
    for (of, special) in all {
        let number = u16::try_from(found.len()).ok().and_then(|at| SpecialType::FIRST.checked_add(at));
        if let (Some(number), Some(entry)) = (number.filter(|at| *at != NO_KIND), by_type.get_mut(of)) {
            *entry = number;
            found.push(special);
        }
    }
    found.into()
}

/// A set of kinds, with one bit for each kind.
type KindSet = [u64; 4];

/// Returns the most specific kinds of each type that is not itself in the table. The kinds are found among the
/// supertypes of the type. `own` has the kinds of the types in the table. The loop visits a type again only if the type
/// has gained a kind, so the loop ends.
fn kinds_by_supertypes(table: &Table, schema: &Schema, own: &[u16]) -> Vec<(usize, Vec<u16>)> {
    let mut edges: Vec<(usize, usize)> = Vec::new();
    let mut kinds: Vec<KindSet> = vec![KindSet::default(); own.len()];
    let mut open: Vec<usize> = Vec::new();
    for ((of, _), (&kind, set)) in schema.types().zip(own.iter().zip(&mut kinds)) {
        if kind == NO_KIND {
            edges.extend(schema.supertypes(of).map(|(above, _)| (above.index(), of.index())));
        } else {
            insert_kind(set, kind);
            open.push(of.index());
        }
    }
    edges.sort_unstable();
    while let Some(above) = open.pop() {
        let from = edges.partition_point(|(of, _)| *of < above);
        let of_above = kinds.get(above).copied().unwrap_or_default();
        for &(_, below) in edges.iter().skip(from).take_while(|(of, _)| *of == above) {
            let Some(known) = kinds.get_mut(below) else { continue };
            let before = *known;
            known.iter_mut().zip(of_above).for_each(|(word, more)| *word |= more);
            if *known != before {
                open.push(below);
            }
        }
    }
    let mut below: Vec<usize> = edges.into_iter().map(|(_, below)| below).collect();
    below.sort_unstable();
    below.dedup();
    let specific = |of: usize| kinds.get(of).map(|kinds| (of, most_specific_kinds(table, kinds)));
    below.into_iter().filter_map(specific).collect()
}

fn insert_kind(kinds: &mut KindSet, kind: u16) {
    if let Some(word) = kinds.get_mut(usize::from(kind / 64)) {
        *word |= 1 << (kind % 64);
    }
}

/// Returns the kinds of a set, in order.
fn kinds_in_set(kinds: &KindSet) -> impl Iterator<Item = u16> {
    let words = (0..).step_by(64).zip(kinds).filter(|(_, word)| **word != 0);
    words
        .flat_map(|(first, word)| (0..64).filter(move |bit| word >> bit & 1 == 1).map(move |bit| first + bit))
}

/// Returns the kinds of a set that are not supertypes of others in it.
fn most_specific_kinds(table: &Table, kinds: &KindSet) -> Vec<u16> {
    let all: Vec<u16> = kinds_in_set(kinds).collect();
    let supertypes = |kind: u16| table.kind(kind).map_or(&[][..], |kind| kind.supertypes);
    let is_lowest = |kind: &u16| !all.iter().any(|other| supertypes(*other).contains(kind));
    all.iter().copied().filter(is_lowest).collect()
}

/// Returns the most specific kind that is a supertype of all `kinds`: the one with the most supertypes.
fn nearest_common_supertype(table: &Table, kinds: &[u16]) -> Option<u16> {
    let supertypes = |kind: u16| table.kind(kind).map_or(&[][..], |kind| kind.supertypes);
    let (first, others) = kinds.split_first()?;
    let common = supertypes(*first).iter().copied();
    let common = common.filter(|above| others.iter().all(|other| supertypes(*other).contains(above)));
    common.max_by_key(|above| supertypes(*above).len())
}

impl KindsByNode {
    /// Returns the kind number of a structure; [`NO_KIND`] if it has none.
    pub(crate) fn kind_of(&self, node: Node<'_>) -> u16 {
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
        let number = kinds.kind_of(of);
        let kind = kinds.get_special(number).map_or(number, |special| special.kind);
        Some(table.kind(kind)?.name)
    }

    #[test]
    fn a_type_of_the_file_has_the_kind_of_its_nearest_supertype() {
        let chain = "2 IRI e:A\n3 ISA e:B\n2 IRI e:B\n3 ISA elf:BIRTH\n2 IRI elf:BIRTH\n";
        assert_eq!(kind_of(chain, "https://e.example/A"), Some("https://terms.fhiso.org/elf/BIRTH"));
        let torn = "2 IRI e:A\n3 ISA elf:DEATH\n3 ISA e:B\n2 IRI e:B\n3 ISA elf:BIRTH\n";
        assert_eq!(kind_of(torn, "https://e.example/A"), Some("https://terms.fhiso.org/elf/IndividualEvent"));
        let far = "2 IRI e:A\n3 ISA elf:DEATH\n3 ISA elf:SEX_VALUE\n";
        assert_eq!(kind_of(far, "https://e.example/A"), Some("https://terms.fhiso.org/elf/Structure"));
        let both = "2 IRI e:A\n3 ISA elf:DEATH\n3 ISA elf:Event\n";
        assert_eq!(kind_of(both, "https://e.example/A"), Some("https://terms.fhiso.org/elf/DEATH"));
        let circle = "2 IRI e:A\n3 ISA e:B\n2 IRI e:B\n3 ISA e:A\n";
        assert_eq!(kind_of(circle, "https://e.example/A"), None);
    }
}
