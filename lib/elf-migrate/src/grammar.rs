//! The structures of GEDCOM 7.0: which tag stands for which in which superstructure, by the built-in
//! schema.

use elf_schema::{Schema, TypeId};
use elf_validate::{Kind, Standard, Table};
use std::collections::{BTreeSet, HashMap};
use std::sync::OnceLock;

/// The namespace of the terms of GEDCOM 7.0.
pub(crate) const TERMS: &str = "https://gedcom.io/terms/v7/";

/// A structure of GEDCOM 7.0, by the number of its type in the built-in schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Structure7(TypeId);

/// The built-in schema as it is asked here.
struct Grammar {
    /// The tags beneath each type, by its number, sorted.
    tags: HashMap<TypeId, Vec<(&'static str, TypeId)>>,
    all: BTreeSet<&'static str>,
    /// The rules of the standard for each type, by its number.
    kinds: Vec<Option<&'static Kind>>,
}

impl Grammar {
    fn get() -> &'static Grammar {
        static GRAMMAR: OnceLock<Grammar> = OnceLock::new();
        GRAMMAR.get_or_init(|| {
            let schema = Schema::gedcom_7();
            let mut tags: HashMap<TypeId, Vec<(&'static str, TypeId)>> = HashMap::new();
            let mut all = BTreeSet::new();
            for definition in schema.definitions() {
                let types = [definition.superstructure(), definition.structure_type()];
                if let [Some(above), Some(of)] = types.map(|iri| schema.type_of(iri)) {
                    tags.entry(above).or_default().push((definition.tag(), of));
                    all.insert(definition.tag());
                }
            }
            tags.values_mut().for_each(|tags| tags.sort_unstable_by_key(|(tag, _)| *tag));
            let mut kinds = vec![None; schema.len()];
            for (of, iri) in schema.types() {
                kinds.get_mut(of.index()).into_iter().for_each(|kind| *kind = kind_of_iri(iri));
            }
            Grammar { tags, all, kinds }
        })
    }

    fn find(&self, above: TypeId, tag: &str) -> Option<Structure7> {
        let tags = self.tags.get(&above)?;
        let at = tags.binary_search_by_key(&tag, |(tag, _)| *tag).ok()?;
        tags.get(at).map(|&(_, of)| Structure7(of))
    }
}

impl Structure7 {
    /// The record of a tag; the header is one.
    pub(crate) fn record(tag: &str) -> Option<Structure7> {
        if tag == "HEAD" {
            return Some(Structure7(TypeId::METADATA));
        }
        Grammar::get().find(TypeId::DOCUMENT, tag)
    }

    /// The substructure of a tag.
    pub(crate) fn substructure(self, tag: &str) -> Option<Structure7> {
        Grammar::get().find(self.0, tag)
    }

    /// The substructure whose type has an IRI, with its tag.
    pub(crate) fn substructure_of(self, iri: &str) -> Option<(&'static str, Structure7)> {
        let of = Schema::gedcom_7().type_of(iri)?;
        let found = Grammar::get().tags.get(&self.0)?.iter().find(|(_, one)| *one == of);
        found.map(|&(tag, of)| (tag, Structure7(of)))
    }

    /// The structure whose type has an IRI.
    pub(crate) fn of_iri(iri: &str) -> Option<Structure7> {
        iri.starts_with(TERMS).then(|| Schema::gedcom_7().type_of(iri))?.map(Structure7)
    }

    /// Tells whether such structures have a pointer.
    pub(crate) fn points(self) -> bool {
        self.kind().is_some_and(|kind| kind.payloads.pointer)
    }

    /// Returns what GEDCOM 7.0 lets it have.
    pub(crate) fn kind(self) -> Option<&'static Kind> {
        if self.0 == TypeId::METADATA {
            let table = Table::of(Standard::Gedcom70);
            return table.kind(table.root("HEAD")?.kind);
        }
        Grammar::get().kinds.get(self.0.index()).copied().flatten()
    }

    /// The most substructures of a tag; any number, where none is said.
    pub(crate) fn most(self, tag: &str) -> Option<u32> {
        self.kind()?.slot(tag)?.max
    }

    /// The term without the namespace.
    pub(crate) fn term(self) -> &'static str {
        if self.0 == TypeId::METADATA {
            return "HEAD";
        }
        let iri = Schema::gedcom_7().iri(self.0).unwrap_or_default();
        iri.strip_prefix(TERMS).unwrap_or(iri)
    }
}

/// Returns what GEDCOM 7.0 lets structures of a type have, which is given by its IRI.
fn kind_of_iri(iri: &str) -> Option<&'static Kind> {
    let table = Table::of(Standard::Gedcom70);
    let at = table.types.binary_search_by_key(&iri, |(of, _)| *of).ok()?;
    table.kind(table.types.get(at)?.1)
}

/// Returns whether some structure of GEDCOM 7.0 bears the tag.
pub(crate) fn is_standard(tag: &str) -> bool {
    Grammar::get().all.contains(tag)
}
